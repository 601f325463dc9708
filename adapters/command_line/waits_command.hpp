#pragma once

#include <memory>

#include "command_line/command.hpp"

namespace voda::command_line {

[[nodiscard]] std::unique_ptr<Command> make_waits_command();

}  // namespace voda::command_line
