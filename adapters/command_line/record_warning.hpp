#pragma once

#include <optional>
#include <string>

#include "command_line/command.hpp"
#include "voda/io/record.hpp"

namespace voda::command_line {

/// Warns on `context.err` when the end of the record `source` was torn and cut.
void warn_of_cut(const std::optional<TornTail>& tail,
                 const std::string& source,
                 const Context& context);

}  // namespace voda::command_line
