#pragma once

#include "voda/policy/explanation_text.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "voda/model/number_text.hpp"

namespace voda {
namespace explanation_text_detail {

/// How a kind of change is told: when one was found, and when none was.
struct ChangeWords {
  std::string_view found{};
  std::string_view none{};
};

[[nodiscard]] constexpr ChangeWords words(std::string_view found, std::string_view none) {
  return {.found = found, .none = none};
}

inline constexpr std::array change_words{
    words("with {more} more {more|GPU|GPUs} in the pool", "more GPUs in the pool"),
    words("with a minimum of {gpus} {gpus|GPU|GPUs}", "another minimum"),
    words("with a request of {gpus} {gpus|GPU|GPUs}", "another request"),
    words("with a maximum of {gpus} {gpus|GPU|GPUs}", "another maximum"),
    words("without job {job}", "taking one other job away"),
    words("at {at}, if nothing else happens,", "waiting for the policy's own reviews"),
    words("with option {option}={value}", "another value of one option"),
    words("with {more} more empty {more|node|nodes} of {node_gpus} {node_gpus|GPU|GPUs}",
          "more empty nodes"),
};

[[nodiscard]] inline bool is_one(const FactValue& value) {
  const auto* whole = std::get_if<std::int64_t>(&value);
  return whole != nullptr && *whole == 1;
}

/// What stands for a pair of braces: the fact of that name, or of `name|one|many` the word that follows its number.
[[nodiscard]] inline std::string filled(std::string_view braces,
                                        std::span<const Fact> facts,
                                        const JobColumns& jobs) {
  const std::string_view name = braces.substr(0, braces.find('|'));
  const auto fact = std::ranges::find(facts, name, &Fact::name);
  if (fact == facts.end())
    return fmt::format("{{{}}}", braces);
  if (name.size() == braces.size())
    return to_text(fact->value, jobs);
  const std::string_view words = braces.substr(name.size() + 1);
  const std::size_t bar = words.find('|');
  if (bar == std::string_view::npos || is_one(fact->value))
    return std::string(words.substr(0, bar));
  return std::string(words.substr(bar + 1));
}

/// Replaces all braces; a name without a fact stays.
[[nodiscard]] inline std::string fill(std::string_view sentence,
                                      std::span<const Fact> facts,
                                      const JobColumns& jobs) {
  std::string result;
  while (true) {
    const std::size_t open = sentence.find('{');
    const std::size_t close = sentence.find('}', open);
    if (close == std::string_view::npos)
      return result.append(sentence);
    result.append(sentence.substr(0, open));
    result.append(filled(sentence.substr(open + 1, close - open - 1), facts, jobs));
    sentence.remove_prefix(close + 1);
  }
}

[[nodiscard]] inline std::string outcome(const Change& change) {
  if (!change.nodes)
    return fmt::format("it would get {}", counted(*change.gpus, "GPU"));
  return "it would be on " + counted(static_cast<std::int64_t>(*change.nodes), "node");
}

/// A line for each change that would help, and one for the kinds that would not.
[[nodiscard]] inline std::string changes_text(std::span<const Change> changes,
                                              const JobColumns& jobs) {
  std::string result;
  std::vector<std::string_view> no_help;
  for (const Change& change : changes) {
    if (change.gpus)
      result += fmt::format("{}\n", to_text(change, jobs));
    else
      no_help.push_back(change_words.at(static_cast<std::size_t>(change.kind)).none);
  }
  if (!no_help.empty())
    result += fmt::format("no help, as far as was tried: {}\n", fmt::join(no_help, ", "));
  return result;
}

[[nodiscard]] inline std::string heading(const Explanation& explanation, const JobColumns& jobs) {
  std::string result =
      fmt::format("job {} gets {}",
                  to_text(FactValue(explanation.job), jobs),
                  explanation.gpus == 0 ? "no GPUs" : counted(explanation.gpus, "GPU"));
  if (explanation.rank)
    result += fmt::format(": number {} of {}", explanation.rank->place, explanation.rank->of);
  std::vector<std::string> keys;
  keys.reserve(explanation.keys.size());
  for (const Fact& key : explanation.keys)
    keys.push_back(fmt::format("{} {}", key.name, to_text(key.value, jobs)));
  if (!keys.empty())
    result += fmt::format(" ({})", fmt::join(keys, ", "));
  return result;
}

}  // namespace explanation_text_detail

VODA_INLINE std::string to_text(const FactValue& value, const JobColumns& jobs) {
  return std::visit(
      [&jobs](const auto& one) -> std::string {
        using Value = std::decay_t<decltype(one)>;
        if constexpr (std::is_same_v<Value, JobIndex>)
          return fmt::format("'{}'", shown(jobs.id[one].value));
        else if constexpr (std::is_same_v<Value, TimePoint>)
          return one == never ? "never" : fmt::format("{} s", to_seconds(one));
        else if constexpr (std::is_same_v<Value, Duration>)
          return fmt::format("{} s", to_seconds(one));
        else if constexpr (std::is_same_v<Value, double>)
          return fmt::format("{:.6g}", one);
        else if constexpr (std::is_same_v<Value, std::string>)
          return shown(one);
        else
          return fmt::format("{}", one);
      },
      value);
}

VODA_INLINE std::string to_text(const Reason& reason, const JobColumns& jobs) {
  const std::string_view sentence = reason.code == ReasonCode::own
                                        ? std::string_view(reason.sentence)
                                        : info_of(reason.code).sentence;
  return explanation_text_detail::fill(sentence, reason.facts, jobs);
}

VODA_INLINE std::string to_text(const Change& change, const JobColumns& jobs) {
  const auto& words =
      explanation_text_detail::change_words.at(static_cast<std::size_t>(change.kind));
  if (!change.gpus)
    return fmt::format("no help, as far as was tried: {}", words.none);
  return fmt::format("{} {}",
                     explanation_text_detail::fill(words.found, change.facts, jobs),
                     explanation_text_detail::outcome(change));
}

VODA_INLINE std::string to_text(const Explanation& explanation, const JobColumns& jobs) {
  std::string result = explanation_text_detail::heading(explanation, jobs) + "\n";
  for (const Reason& reason : explanation.reasons)
    result += fmt::format("  {}\n", to_text(reason, jobs));
  std::vector<std::string> holders;
  holders.reserve(explanation.holders.size());
  for (const Holder& holder : explanation.holders) {
    holders.push_back(
        fmt::format("{} ({})", to_text(FactValue(holder.job), jobs), counted(holder.gpus, "GPU")));
  }
  if (!holders.empty())
    result += fmt::format("what it lacks is held by {}\n", fmt::join(holders, ", "));
  return result + explanation_text_detail::changes_text(explanation.changes, jobs);
}

VODA_INLINE std::string to_text(const PlaceExplanation& explanation, const JobColumns& jobs) {
  std::string result = "its place:\n";
  for (const Reason& reason : explanation.reasons)
    result += fmt::format("  {}\n", to_text(reason, jobs));
  return result + explanation_text_detail::changes_text(explanation.changes, jobs);
}

}  // namespace voda
