#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <unistd.h>

#include "command_line/program.hpp"

namespace {

/// Holds SIGINT, SIGTERM and SIGHUP back while it lives, so that no handler with a global flag is needed; but not one that is
/// ignored, as under nohup.
class BlockedInterrupts final : public voda::command_line::InterruptWatch {
 public:
  BlockedInterrupts() {
    sigemptyset(&interrupts_);
    for (const int signal : signals) {
      if (!is_ignored(signal))
        sigaddset(&interrupts_, signal);
    }
    sigprocmask(SIG_BLOCK, &interrupts_, &before_);
  }

  BlockedInterrupts(const BlockedInterrupts&) = delete;
  BlockedInterrupts& operator=(const BlockedInterrupts&) = delete;

  ~BlockedInterrupts() override {
    int signal = 0;
    while (is_pending())
      sigwait(&interrupts_, &signal);
    sigprocmask(SIG_SETMASK, &before_, nullptr);
  }

  [[nodiscard]] bool has_come() override { return is_pending(); }

 private:
  [[nodiscard]] static bool is_ignored(int signal) {
    struct sigaction action{};
    return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
  }

  [[nodiscard]] bool is_pending() const {
    sigset_t pending;
    sigemptyset(&pending);
    if (sigpending(&pending) != 0)
      return false;
    return std::ranges::any_of(signals, [&](int signal) {
      return sigismember(&interrupts_, signal) == 1 && sigismember(&pending, signal) == 1;
    });
  }

  static constexpr std::array signals{SIGINT, SIGTERM, SIGHUP};

  sigset_t interrupts_{};
  sigset_t before_{};
};

voda::Duration stopwatch() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<voda::Duration>(now);
}

/// A variable of the environment; empty where it is not set.
std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

}  // namespace

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  std::cin.tie(nullptr);
  std::signal(SIGXFSZ, SIG_IGN);  // a file that grows too large is an error like a full disk
  auto environment = voda::command_line::plain_environment();
  environment.output_is_terminal = isatty(STDOUT_FILENO) == 1;
  environment.errors_are_terminal = isatty(STDERR_FILENO) == 1;
  environment.is_colour_unwanted =
      !variable("NO_COLOR").empty() || variable("TERM").empty() || variable("TERM") == "dumb";
  environment.cores = std::max(1U, std::thread::hardware_concurrency());
  environment.stopwatch = stopwatch;
  environment.watch_interrupts = [] { return std::make_unique<BlockedInterrupts>(); };
  const std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  try {
    return voda::command_line::run(arguments, std::cin, std::cout, std::cerr, environment);
  } catch (const std::bad_alloc&) {
    std::cerr << "voda: out of memory; expected a smaller problem\n";
    return 1;
  } catch (const std::exception& error) {
    std::cerr << "voda: " << error.what() << '\n';
    return 1;
  }
}
