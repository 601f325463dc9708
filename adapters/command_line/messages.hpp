#pragma once

#include <string_view>

#include "command_line/command.hpp"

namespace voda::command_line {

/// A line on `context.err`: `voda: ...`.
void complain(const Context& context, std::string_view message);

/// A line on `context.err`: `voda: warning: ...`.
void warn(const Context& context, std::string_view message);

}  // namespace voda::command_line
