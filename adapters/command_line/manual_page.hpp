#pragma once

#include <string>

namespace voda::command_line {

/// The page voda(1) in the macros of man(7): all commands with their options and examples.
[[nodiscard]] std::string manual_page();

}  // namespace voda::command_line
