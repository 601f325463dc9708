#include "command_line/progress.hpp"

#include <algorithm>
#include <chrono>
#include <ostream>

#include <fmt/format.h>

#include "command_line/time_text.hpp"
#include "voda/model/number_text.hpp"

namespace voda::command_line {
namespace {

constexpr std::int64_t bar_width = 30;

}  // namespace

ProgressBar::ProgressBar(const Context& context)
    : context_(context),
      is_silent_(!context.environment->errors_are_terminal || !context.environment->stopwatch) {
  if (!is_silent_)
    started_ = context.environment->stopwatch();
}

ProgressBar::~ProgressBar() {
  if (is_drawn_)
    (*context_.err << "\r\x1b[K").flush();
}

void ProgressBar::show(std::int64_t done, std::int64_t total) {
  if (is_silent_ || total <= 0)
    return;
  const Duration now = context_.environment->stopwatch();
  if (now - started_ < std::chrono::seconds(1) || now - drawn_ < std::chrono::milliseconds(100))
    return;
  drawn_ = now;
  is_drawn_ = true;
  const std::int64_t filled = bar_width * done / total;
  const std::string bar(static_cast<std::size_t>(filled), '#');
  const double elapsed = to_seconds(now - started_);
  const std::string left = done == 0
                               ? std::string()
                               : ", " +
                                     duration_text(elapsed * static_cast<double>(total - done) /
                                                   static_cast<double>(done)) +
                                     " left";
  (*context_.err << fmt::format(
       "\r[{:.<{}}] {} of {}{}\x1b[K", bar, bar_width, done, counted(total, "job"), left))
      .flush();
}

}  // namespace voda::command_line
