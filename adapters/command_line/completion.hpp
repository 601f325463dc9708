#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "voda/scheduler/scheduler.hpp"

namespace voda::command_line {

/// `voda __complete WORD...` answers the scripts of `voda completion`: what may stand for the last word.
inline constexpr std::string_view candidates_word = "__complete";

/// A word that may be written, and what it means.
struct Candidate {
  std::string text{};
  std::string meaning{};
};

/// What the shell adds by itself.
enum class PathKind : std::uint8_t { none, files, directories };

/// What may stand for a word; `candidates` begin with what is there already.
struct Completion {
  std::vector<Candidate> candidates{};
  PathKind paths = PathKind::none;
  bool has_more = false;  // the word goes on: no space after it
};

/// Completes the last of the words after the program's name, by walking the parsers of the commands: their options, and the
/// alternatives in the type of an option. There POLICY, PLACER, TRACE_FORMAT, FILE and DIR stand for what they name, TEXT for
/// anything, files among them; other capitals are placeholders that nothing completes.
[[nodiscard]] Completion complete(std::span<const std::string> words, const PolicyTables& tables);

/// For the scripts: a line `text TAB meaning` for each candidate, then `:files`, `:directories` and `:more` as they apply.
[[nodiscard]] std::string completion_text(const Completion& completion);

}  // namespace voda::command_line
