#pragma once

#include <cstdint>

#include "voda/model/error.hpp"

namespace voda::command_line {

/// How a command ended, as the shell sees it.
enum class ExitStatus : std::uint8_t {
  done = 0,
  refused = 1,       // some input was refused, or an output could not be written
  usage = 2,         // the command line itself is wrong
  interrupted = 130  // stopped by Ctrl-C, as shells report it
};

/// The command line is wrong; the text names the argument, its value and what was expected.
struct UsageError : Error {
  using Error::Error;
};

}  // namespace voda::command_line
