#pragma once

#include "voda/solvers/knapsack.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
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

/// Relaxation and core for one width of values.
template <class Value>
class Method final {
 public:
  [[nodiscard]] std::span<const int> best_choices(const Classes& classes) {
    walk_.relax(classes, relaxation_);
    core_.improve(classes, relaxation_);
    return relaxation_.choice_of_class;
  }

 private:
  HullWalk<Value> walk_{};
  Relaxation<Value> relaxation_{};
  Core<Value> core_{};
};

/// Solves one problem after the other in the same memory.
class Workspace final {
 public:
  [[nodiscard]] KnapsackResult& solve(std::span<const int> class_begin,
                                      std::span<const KnapsackOption> options,
                                      std::int32_t capacity) {
    check(class_begin, options);
    reduce(class_begin, options, capacity, classes_);
    if (!classes_.feasible) {
      std::vector<int> room = std::move(result_.option_of_class);
      room.clear();
      result_ = {};
      result_.option_of_class = std::move(room);
      return result_;
    }
    const auto choices =
        fits_64_bits(classes_) ? narrow_.best_choices(classes_) : wide_.best_choices(classes_);
    total(class_begin, options, classes_, choices, result_);
    return result_;
  }

 private:
  Classes classes_{};
  Method<std::int64_t> narrow_{};
  Method<Int128> wide_{};
  KnapsackResult result_{};
};

/// Best gain by exact cost above the cheapest choice, one row of choices per class.
class Table final {
 public:
  explicit Table(const Classes& classes)
      : classes_(&classes), gain_(static_cast<std::size_t>(classes.spare) + 1, unreached_total) {
    gain_[0] = 0;
    for (int index = 0; index < classes.size(); ++index) {
      add_class(classes.of(index));
    }
  }

  [[nodiscard]] std::vector<int> best() const {
    std::int64_t cost = std::ranges::max_element(gain_) - gain_.begin();
    std::vector<int> result(static_cast<std::size_t>(classes_->size()), 0);
    for (std::size_t k = result.size(); k-- > 0;) {
      result[k] = choice_[k][static_cast<std::size_t>(cost)];
      cost -= classes_->of(static_cast<int>(k))[static_cast<std::size_t>(result[k])].cost;
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

  const Classes* classes_ = nullptr;
  std::vector<std::int64_t> gain_{};
  std::vector<std::vector<std::uint16_t>> choice_{};
};

}  // namespace voda::knapsack_detail

namespace voda::solvers {

VODA_INLINE KnapsackResult solve_knapsack(std::span<const int> class_begin,
                                          std::span<const KnapsackOption> options,
                                          std::int32_t capacity) {
  knapsack_detail::Workspace workspace;
  return std::move(workspace.solve(class_begin, options, capacity));
}

VODA_INLINE KnapsackSolver::KnapsackSolver()
    : workspace_(std::make_unique<knapsack_detail::Workspace>()) {}

VODA_INLINE KnapsackSolver::KnapsackSolver(KnapsackSolver&&) noexcept = default;
VODA_INLINE KnapsackSolver& KnapsackSolver::operator=(KnapsackSolver&&) noexcept = default;
VODA_INLINE KnapsackSolver::~KnapsackSolver() = default;

VODA_INLINE const KnapsackResult& KnapsackSolver::solve(std::span<const int> class_begin,
                                                        std::span<const KnapsackOption> options,
                                                        std::int32_t capacity) {
  return workspace_->solve(class_begin, options, capacity);
}

VODA_INLINE KnapsackResult solve_knapsack_by_table(std::span<const int> class_begin,
                                                   std::span<const KnapsackOption> options,
                                                   std::int32_t capacity) {
  using namespace knapsack_detail;
  check(class_begin, options);
  Classes classes;
  reduce(class_begin, options, capacity, classes);
  KnapsackResult result;
  if (classes.feasible)
    total(class_begin, options, classes, Table(classes).best(), result);
  return result;
}

}  // namespace voda::solvers
