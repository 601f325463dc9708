#pragma once

#include <cstdint>
#include <string>

#include "command_line/command.hpp"
#include "voda/model/units.hpp"

namespace voda::command_line {

/// A bar on the terminal for what takes longer than a second; silent where there is no terminal or
/// no stopwatch.
class ProgressBar {
 public:
  explicit ProgressBar(const Context& context);

  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Wipes the bar away.
  ~ProgressBar();

  /// Draws at most ten times a second; reads the stopwatch each time.
  void show(std::int64_t done, std::int64_t total);

 private:
  Context context_{};
  bool is_silent_ = true;
  bool is_drawn_ = false;
  Duration started_{};
  Duration drawn_{};
};

}  // namespace voda::command_line
