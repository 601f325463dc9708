#pragma once

#include <iosfwd>
#include <span>
#include <string>

#include "command_line/environment.hpp"

namespace voda::command_line {

/// Runs the `voda` program: arguments without the program's name in, exit status out.
///
/// Answers go to `out`, messages (`voda: what: value; expected ...`) to `err`. Nothing is kept
/// between calls, and no exception leaves but those of a broken program (std::bad_alloc,
/// std::logic_error).
[[nodiscard]] int run(std::span<const std::string> arguments,
                      std::istream& in,
                      std::ostream& out,
                      std::ostream& err,
                      const Environment& environment);

}  // namespace voda::command_line
