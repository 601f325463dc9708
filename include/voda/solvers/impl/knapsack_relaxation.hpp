#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "voda/solvers/impl/knapsack_classes.hpp"

namespace voda::knapsack_detail {

/// A step along the upper hull of one class.
template <class Value>
struct Segment {
  /// Value per cost, rounded up, less one: the step pays at a whole multiplier m if slope >= m.
  Value slope = 0;
  std::int32_t cost = 0;
  int of_class = 0;
  int end = 0;  ///< the choice it leads to
};

/// The optimum of the relaxed problem, rounded down: every class takes whole steps, one more would
/// not fit.
template <class Value>
struct Relaxation {
  std::vector<int> choice_of_class{};
  std::int64_t spare = 0;  ///< capacity left over
  /// The step that did not fit: its value per cost is the multiplier; 0 if all fitted.
  Value break_value = 0;
  std::int64_t break_cost = 1;
};

/// Gain first, then cost: larger by one gain outweighs any cost that fits.
template <class Value>
Value value_of(const Choice& choice, std::int64_t spare) {
  return static_cast<Value>(choice.gain) * static_cast<Value>(spare + 1) -
         static_cast<Value>(choice.cost);
}

/// Keeps its memory from one problem to the next.
template <class Value>
class HullWalk final {
 public:
  void relax(const Classes& classes, Relaxation<Value>& result) {
    classes_ = &classes;
    spare_ = classes.spare;
    segments_.clear();
    segments_.reserve(classes.choices.size());
    for (int index = 0; index < classes.size(); ++index) {
      add_hull(index);
    }
    result.choice_of_class.assign(static_cast<std::size_t>(classes.size()), 0);
    result.break_value = 0;
    result.break_cost = 1;
    const auto contested = select_break();
    for (auto segment = segments_.begin(); segment != contested.first; ++segment) {
      take(*segment, result);
    }
    std::sort(contested.first, contested.second, [&](const auto& a, const auto& b) {
      return is_steeper(a, b);
    });
    for (auto segment = contested.first; segment != contested.second; ++segment) {
      if (segment->cost > spare_) {
        result.break_value = step_value(*segment);
        result.break_cost = segment->cost;
        break;
      }
      spare_ -= segment->cost;
      take(*segment, result);
    }
    result.spare = spare_;
  }

 private:
  using Iterator = typename std::vector<Segment<Value>>::iterator;

  void add_hull(int index) {
    const std::span<const Choice> choices = classes_->of(index);
    hull_.clear();
    for (int next = 0; next < static_cast<int>(choices.size()); ++next) {
      while (hull_.size() > 1 && !turns_down(choices, next)) {
        hull_.pop_back();
      }
      hull_.push_back(next);
    }
    for (std::size_t k = 1; k < hull_.size(); ++k) {
      const Choice& from = choices[static_cast<std::size_t>(hull_[k - 1])];
      const Choice& to = choices[static_cast<std::size_t>(hull_[k])];
      const std::int32_t cost = to.cost - from.cost;
      const Value gain = step(from, to);
      segments_.push_back({(gain - 1) / static_cast<Value>(cost), cost, index, hull_[k]});
    }
  }

  Value step(const Choice& from, const Choice& to) const {
    return value_of<Value>(to, classes_->spare) - value_of<Value>(from, classes_->spare);
  }

  /// Whether the last hull corner lies above the line from the one before it to `next`.
  bool turns_down(std::span<const Choice> choices, int next) const {
    const Choice& a = choices[static_cast<std::size_t>(hull_[hull_.size() - 2])];
    const Choice& b = choices[static_cast<std::size_t>(hull_.back())];
    const Choice& c = choices[static_cast<std::size_t>(next)];
    return step(a, b) * static_cast<Value>(c.cost - b.cost) >
           step(b, c) * static_cast<Value>(b.cost - a.cost);
  }

  Value step_value(const Segment<Value>& segment) const {
    const std::span<const Choice> choices = classes_->of(segment.of_class);
    const Choice& to = choices[static_cast<std::size_t>(segment.end)];
    const auto from = std::find_if(choices.begin(), choices.end(), [&](const Choice& choice) {
      return choice.cost == to.cost - segment.cost;
    });
    return step(*from, to);
  }

  bool is_steeper(const Segment<Value>& a, const Segment<Value>& b) const {
    const Value left = step_value(a) * static_cast<Value>(b.cost);
    const Value right = step_value(b) * static_cast<Value>(a.cost);
    return left > right || (left == right && a.of_class < b.of_class);
  }

  /// Moves steeper segments that all fit to the front and takes their cost from spare_; returns the
  /// range of equal rounded slope of which not all fit (empty if everything fits).
  std::pair<Iterator, Iterator> select_break() {
    auto from = segments_.begin();
    auto to = segments_.end();
    while (from != to) {
      const Value pivot = middle_slope(from, to);
      const auto steeper = std::partition(from, to, [&](const auto& s) { return s.slope > pivot; });
      const auto equal =
          std::partition(steeper, to, [&](const auto& s) { return s.slope == pivot; });
      const std::int64_t steeper_cost = cost_of(from, steeper);
      if (steeper_cost > spare_) {
        to = steeper;
        continue;
      }
      spare_ -= steeper_cost;
      const std::int64_t equal_cost = cost_of(steeper, equal);
      if (equal_cost > spare_) {
        return {steeper, equal};
      }
      spare_ -= equal_cost;
      from = equal;
    }
    return {from, from};
  }

  static Value middle_slope(Iterator from, Iterator to) {
    const auto count = to - from;
    Value a = from->slope;
    Value b = (from + count / 2)->slope;
    const Value c = (to - 1)->slope;
    if (b < a) {
      std::swap(a, b);
    }
    return c < a ? a : (b < c ? b : c);
  }

  static std::int64_t cost_of(Iterator from, Iterator to) {
    std::int64_t cost = 0;
    for (; from != to; ++from) {
      cost += from->cost;
    }
    return cost;
  }

  static void take(const Segment<Value>& segment, Relaxation<Value>& result) {
    int& choice = result.choice_of_class[static_cast<std::size_t>(segment.of_class)];
    choice = std::max(choice, segment.end);
  }

  const Classes* classes_ = nullptr;
  std::int64_t spare_ = 0;
  std::vector<Segment<Value>> segments_{};
  std::vector<int> hull_{};
};

}  // namespace voda::knapsack_detail
