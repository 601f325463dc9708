#pragma once

#include <memory>

#include "command_line/command.hpp"

namespace voda::command_line {

/// `voda place`: which nodes hold the workers of each job of a snapshot.
[[nodiscard]] std::unique_ptr<Command> make_place_command();

}  // namespace voda::command_line
