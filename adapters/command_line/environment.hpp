#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "voda/scheduler/scheduler.hpp"
#include "voda/simulator/simulator.hpp"

namespace voda::command_line {

/// Notices an interrupt (Ctrl-C) while it lives instead of letting it end the program.
class InterruptWatch {
 public:
  virtual ~InterruptWatch() = default;

  [[nodiscard]] virtual bool has_come() = 0;

 protected:
  InterruptWatch() = default;
  InterruptWatch(const InterruptWatch&) = default;
  InterruptWatch& operator=(const InterruptWatch&) = default;
};

/// What commands know of the world around them besides their streams.
struct Environment {
  PolicyTables policies{};  // what --policy and --placer may name
  bool output_is_terminal = false;
  bool errors_are_terminal = false;  // progress is shown
  bool is_colour_unwanted = false;   // NO_COLOR is set to something, or the terminal is a dumb one
  std::size_t cores = 1;             // threads of `compare` unless --jobs says otherwise
  Stopwatch stopwatch{};             // empty: no time per decision, no progress
  std::function<std::unique_ptr<InterruptWatch>()> watch_interrupts{};  // empty: none can come
};

/// The policies and placers of the library, one core, no terminal, no clock.
[[nodiscard]] Environment plain_environment();

}  // namespace voda::command_line
