#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <span>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "voda/config.hpp"
#include "voda/solvers/impl/price_range.hpp"
#include "voda/solvers/knapsack_result.hpp"

namespace voda::knapsack_detail {

using assignment_detail::Int128;
using solvers::KnapsackOption;
using solvers::KnapsackResult;
using solvers::Status;

inline constexpr std::int64_t gain_limit = std::int64_t{1} << 61;
inline constexpr int most_options = std::numeric_limits<std::uint16_t>::max();

/// An option that no other of its class beats: along a class, costs and gains rise.
struct Choice {
  std::int64_t gain = 0;  ///< above that of the cheapest
  std::int32_t cost = 0;  ///< above the cheapest of the class
  int option = 0;         ///< position within the class
};

/// The classes of one problem, reduced to options that can matter.
struct Classes {
  std::vector<int> begin{0};
  std::vector<Choice> choices{};
  std::int64_t spare = 0;  ///< capacity left when every class takes its cheapest option
  bool feasible = true;
  std::vector<std::int32_t> cheapest{};  // cost by class

  [[nodiscard]] int size() const { return static_cast<int>(begin.size()) - 1; }

  [[nodiscard]] std::span<const Choice> of(int index) const {
    const auto at = static_cast<std::size_t>(index);
    const auto from = static_cast<std::size_t>(begin[at]);
    return std::span(choices).subspan(from, static_cast<std::size_t>(begin[at + 1]) - from);
  }
};

VODA_INLINE void check(std::span<const int> class_begin, std::span<const KnapsackOption> options) {
  const bool ends_meet =
      class_begin.empty() ? options.empty()
                          : class_begin.front() == 0 &&
                                class_begin.back() == static_cast<std::ptrdiff_t>(options.size());
  if (!ends_meet) {
    throw std::invalid_argument(
        fmt::format("class_begin must run from 0 to the number of options, {}", options.size()));
  }
  std::int64_t total = 0;
  for (std::size_t k = 0; k + 1 < class_begin.size(); ++k) {
    if (class_begin[k + 1] < class_begin[k] || class_begin[k + 1] - class_begin[k] > most_options) {
      throw std::invalid_argument(fmt::format("class {}: {} options: expected 0 to {}",
                                              k,
                                              class_begin[k + 1] - class_begin[k],
                                              most_options));
    }
    std::int64_t largest = 0;
    for (int at = class_begin[k]; at < class_begin[k + 1]; ++at) {
      const KnapsackOption& option = options[static_cast<std::size_t>(at)];
      if (option.cost < 0) {
        throw std::invalid_argument(fmt::format(
            "class {}, option {}: cost {} is negative", k, at - class_begin[k], option.cost));
      }
      if (option.gain <= -gain_limit || option.gain >= gain_limit) {
        throw std::invalid_argument(fmt::format(
            "class {}, option {}: gain {} is beyond +-2^61", k, at - class_begin[k], option.gain));
      }
      largest = std::max({largest, option.gain, -option.gain});
    }
    total += largest;
    if (total >= gain_limit) {
      throw std::invalid_argument(
          fmt::format("classes 0 to {}: the largest gains sum to 2^61 or more", k));
    }
  }
}

/// Appends the undominated options of one class that cost at most `spare` more than its cheapest,
/// cheapest first.
VODA_INLINE void append_undominated(std::span<const KnapsackOption> options,
                                    std::int32_t cheapest,
                                    std::int64_t spare,
                                    std::vector<Choice>& choices) {
  const auto from = static_cast<std::ptrdiff_t>(choices.size());
  bool rises = true;
  for (std::size_t k = 0; k < options.size(); ++k) {
    const std::int32_t cost = options[k].cost - cheapest;
    if (cost <= spare) {
      rises = rises && (std::ssize(choices) == from || choices.back().cost < cost);
      choices.push_back({options[k].gain, cost, static_cast<int>(k)});
    }
  }
  const auto first = choices.begin() + from;
  if (!rises) {
    std::sort(first, choices.end(), [](const Choice& a, const Choice& b) {
      return std::tuple(a.cost, -a.gain, a.option) < std::tuple(b.cost, -b.gain, b.option);
    });
  }
  auto last = first;
  for (auto next = first + 1; next != choices.end(); ++next) {
    if (next->gain > last->gain) {
      *++last = *next;
    }
  }
  choices.erase(last + 1, choices.end());
  const std::int64_t least = first->gain;
  for (auto choice = first; choice != choices.end(); ++choice) {
    choice->gain -= least;
  }
}

/// Writes the reduced classes over `result`.
VODA_INLINE void reduce(std::span<const int> class_begin,
                        std::span<const KnapsackOption> options,
                        std::int32_t capacity,
                        Classes& result) {
  result.begin.assign(1, 0);
  result.choices.clear();
  result.cheapest.clear();
  result.spare = capacity;
  std::vector<std::int32_t>& cheapest = result.cheapest;
  for (std::size_t k = 0; k + 1 < class_begin.size(); ++k) {
    const auto first = options.begin() + class_begin[k];
    const auto last = options.begin() + class_begin[k + 1];
    if (first == last) {
      result.feasible = false;
      return;
    }
    cheapest.push_back(std::ranges::min_element(first, last, {}, &KnapsackOption::cost)->cost);
    result.spare -= cheapest.back();
  }
  result.feasible = result.spare >= 0;
  if (!result.feasible) {
    return;
  }
  result.choices.reserve(options.size());
  for (std::size_t k = 0; k < cheapest.size(); ++k) {
    const auto from = static_cast<std::size_t>(class_begin[k]);
    const auto count = static_cast<std::size_t>(class_begin[k + 1]) - from;
    append_undominated(options.subspan(from, count), cheapest[k], result.spare, result.choices);
    result.begin.push_back(static_cast<int>(result.choices.size()));
  }
}

/// Writes the options behind the choices, with their totals, over `result`.
VODA_INLINE void total(std::span<const int> class_begin,
                       std::span<const KnapsackOption> options,
                       const Classes& classes,
                       std::span<const int> choice_of_class,
                       KnapsackResult& result) {
  result.status = Status::optimal;
  result.gain = 0;
  result.cost = 0;
  result.option_of_class.clear();
  for (std::size_t k = 0; k < choice_of_class.size(); ++k) {
    const Choice& choice =
        classes.of(static_cast<int>(k))[static_cast<std::size_t>(choice_of_class[k])];
    const auto at =
        static_cast<std::size_t>(class_begin[k]) + static_cast<std::size_t>(choice.option);
    result.gain += options[at].gain;
    result.cost += options[at].cost;
    result.option_of_class.push_back(choice.option);
  }
}

}  // namespace voda::knapsack_detail
