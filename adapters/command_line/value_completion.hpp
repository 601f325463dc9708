#pragma once

#include <string>
#include <string_view>

#include "command_line/completion.hpp"

namespace voda::command_line {

/// Adds a candidate if it begins with `prefix`.
void add_candidate(std::string text,
                   std::string meaning,
                   std::string_view prefix,
                   Completion& completion);

/// Completes a value of an option whose type is `type`, see complete().
[[nodiscard]] Completion complete_value(const std::string& type,
                                        const std::string& word,
                                        const PolicyTables& tables);

}  // namespace voda::command_line
