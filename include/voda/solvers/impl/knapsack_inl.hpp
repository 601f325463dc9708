#pragma once

#include "voda/solvers/knapsack.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "voda/config.hpp"
#include "voda/solvers/impl/knapsack_classes.hpp"
#include "voda/solvers/impl/knapsack_core.hpp"
#include "voda/solvers/impl/knapsack_relaxation.hpp"

namespace voda::knapsack_detail {

/// Whether products of values and costs, and sums of two of them, fit in 64 bits.
VODA_INLINE bool fits_64_bits(const Classes& classes) {
  Int128 gain = 0;
  std::int64_t cost = 0;
  for (const Choice& choice : classes.choices) {
    gain = std::max(gain, static_cast<Int128>(choice.gain) + 1);
    cost = std::max<std::int64_t>(cost, choice.cost);
  }
  constexpr Int128 exact_limit = static_cast<Int128>(1) << 60;
  const Int128 value = gain * (classes.spare + 1);
  return cost == 0 || value < exact_limit / cost;
}

template <class Value>
std::vector<int> best_choices(const Classes& classes) {
  HullWalk<Value> walk(classes);
  Core<Value> core(classes, walk.relax());
  return core.solve();
}

VODA_INLINE std::vector<int> options_of(const Classes& classes, std::vector<int> choice_of_class) {
  for (int index = 0; index < classes.size(); ++index) {
    int& choice = choice_of_class[static_cast<std::size_t>(index)];
    choice = classes.of(index)[static_cast<std::size_t>(choice)].option;
  }
  return choice_of_class;
}

/// Best gain by exact cost above the cheapest choice, one row of choices per class.
class Table final {
 public:
  explicit Table(const Classes& classes)
      : classes_(classes), gain_(static_cast<std::size_t>(classes.spare) + 1, unreached_total) {
    gain_[0] = 0;
    for (int index = 0; index < classes.size(); ++index) {
      add_class(classes.of(index));
    }
  }

  [[nodiscard]] std::vector<int> best() const {
    std::int64_t cost = std::ranges::max_element(gain_) - gain_.begin();
    std::vector<int> result(static_cast<std::size_t>(classes_.size()), 0);
    for (std::size_t k = result.size(); k-- > 0;) {
      result[k] = choice_[k][static_cast<std::size_t>(cost)];
      cost -= classes_.of(static_cast<int>(k))[static_cast<std::size_t>(result[k])].cost;
    }
    return result;
  }

 private:
  static constexpr std::int64_t unreached_total = std::numeric_limits<std::int64_t>::min();

  void add_class(std::span<const Choice> choices) {
    std::vector<std::int64_t> next(gain_.size(), unreached_total);
    std::vector<std::uint16_t> chosen(gain_.size(), 0);
    for (std::size_t k = 0; k < choices.size(); ++k) {
      const auto cost = static_cast<std::size_t>(choices[k].cost);
      for (std::size_t from = 0; from + cost < gain_.size(); ++from) {
        if (gain_[from] != unreached_total && gain_[from] + choices[k].gain > next[from + cost]) {
          next[from + cost] = gain_[from] + choices[k].gain;
          chosen[from + cost] = static_cast<std::uint16_t>(k);
        }
      }
    }
    gain_ = std::move(next);
    choice_.push_back(std::move(chosen));
  }

  const Classes& classes_;
  std::vector<std::int64_t> gain_{};
  std::vector<std::vector<std::uint16_t>> choice_{};
};

}  // namespace voda::knapsack_detail

namespace voda::solvers {

VODA_INLINE KnapsackResult solve_knapsack(std::span<const int> class_begin,
                                          std::span<const KnapsackOption> options,
                                          std::int32_t capacity) {
  using namespace knapsack_detail;
  check(class_begin, options);
  const Classes classes = reduce(class_begin, options, capacity);
  if (!classes.feasible) {
    return {};
  }
  auto choices =
      fits_64_bits(classes) ? best_choices<std::int64_t>(classes) : best_choices<Int128>(classes);
  return total(class_begin, options, options_of(classes, std::move(choices)));
}

VODA_INLINE KnapsackResult solve_knapsack_by_table(std::span<const int> class_begin,
                                                   std::span<const KnapsackOption> options,
                                                   std::int32_t capacity) {
  using namespace knapsack_detail;
  check(class_begin, options);
  const Classes classes = reduce(class_begin, options, capacity);
  if (!classes.feasible) {
    return {};
  }
  return total(class_begin, options, options_of(classes, Table(classes).best()));
}

}  // namespace voda::solvers
