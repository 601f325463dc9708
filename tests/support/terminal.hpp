#pragma once

#include <array>
#include <cerrno>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

namespace voda::test {

/// A program in a pseudo-terminal, of 24 lines of 200 characters.
class Terminal {
 public:
  using Variables = std::vector<std::pair<std::string, std::string>>;

  /// Starts `arguments` in `directory` with further environment variables.
  Terminal(const std::string& directory,
           std::vector<std::string> arguments,
           const Variables& variables) {
    winsize size{.ws_row = 24, .ws_col = 200, .ws_xpixel = 0, .ws_ypixel = 0};
    child_ = forkpty(&device_, nullptr, nullptr, &size);
    if (child_ != 0)
      return;
    for (const auto& [name, value] : variables)
      setenv(name.c_str(), value.c_str(), 1);
    std::vector<char*> pointers;
    for (std::string& argument : arguments)
      pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    if (chdir(directory.c_str()) == 0)
      execvp(pointers.front(), pointers.data());
    _exit(127);
  }

  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  ~Terminal() {
    if (child_ > 0 && !is_over_)
      kill(child_, SIGKILL);
    close(device_);
    if (child_ > 0)
      waitpid(child_, nullptr, 0);
  }

  void type(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t written = write(device_, text.data(), text.size());
      if (written <= 0)
        return;
      text.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  /// What was shown since the last call, until it contains `text` or nothing more comes.
  [[nodiscard]] std::string shown_until(std::string_view text) {
    std::string result;
    while (result.find(text) == std::string::npos && read_some(result)) {
    }
    return result;
  }

  /// Everything until the program ends.
  [[nodiscard]] std::string rest() {
    std::string result;
    while (read_some(result)) {
    }
    return result;
  }

 private:
  /// False at the end, or when nothing came for a minute.
  bool read_some(std::string& into) {
    pollfd waiting{.fd = device_, .events = POLLIN, .revents = 0};
    if (poll(&waiting, 1, 60000) <= 0)
      return false;
    std::array<char, 4096> buffer{};
    const ssize_t count = read(device_, buffer.data(), buffer.size());
    is_over_ = count <= 0;
    if (!is_over_)
      into.append(buffer.data(), static_cast<std::size_t>(count));
    return !is_over_;
  }

  int device_ = -1;
  pid_t child_ = -1;
  bool is_over_ = false;
};

}  // namespace voda::test
