#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "voda/config.hpp"
#include "voda/solvers/impl/knapsack_classes.hpp"
#include "voda/solvers/impl/knapsack_relaxation.hpp"
#include "voda/solvers/impl/price_range.hpp"

namespace voda::knapsack_detail {

/// Another choice for a class than the relaxation's.
template <class Value>
struct Deviation {
  Value loss = 0;  ///< value given up at the multiplier, times break_cost
  std::int64_t cost = 0;
  int choice = 0;

  bool operator==(const Deviation& other) const { return loss == other.loss && cost == other.cost; }
};

/// Improves the rounded relaxation to the exact optimum by a dynamic program over the deviations
/// that can matter.
///
/// The deficit of a solution is what it stays below the relaxed bound: the losses of its deviations
/// plus the multiplier times the capacity it leaves. A deviation whose loss alone reaches the
/// smallest deficit known cannot lead to a better solution. Some optimum has no set of deviations
/// with costs that cancel (undoing them loses nothing), so, ordered to keep the running cost near
/// 0, all its running costs differ: at most 2 * longest deviations, and a band of longest^2 on
/// either side.
template <class Value>
class Core final {
 public:
  /// Changes the choices of the relaxation to optimal ones.
  void improve(const Classes& classes, Relaxation<Value>& relaxation) {
    begin(classes, relaxation);
    if (deficit_ > 0) {
      collect_deviations();
      limit_band();
      run();
      trace_back();
    }
  }

 private:
  struct CoreClass {
    int index = 0;
    std::size_t from = 0;
    std::size_t to = 0;
  };

  /// Which deviation leads to each cost of the band after one class; 0: none. Costs from `low` on, marks from `from` on.
  struct Layer {
    CoreClass of{};
    std::int64_t low = 0;
    std::size_t from = 0;
  };

  static constexpr Value unreached_total = assignment_detail::infinite<Value>();

  void begin(const Classes& classes, Relaxation<Value>& relaxation) {
    classes_ = &classes;
    relaxation_ = &relaxation;
    deficit_ = relaxation.break_value * static_cast<Value>(relaxation.spare);
    deviations_.clear();
    core_.clear();
    layers_.clear();
    marks_.clear();
    longest_ = lowest_ = highest_ = low_ = best_cost_ = 0;
    best_layers_ = 0;
  }

  std::span<const Deviation<Value>> of(const CoreClass& core) const {
    return std::span(deviations_).subspan(core.from, core.to - core.from);
  }

  void collect_deviations() {
    for (int index = 0; index < classes_->size(); ++index) {
      const std::size_t from = deviations_.size();
      append_deviations(index);
      if (deviations_.size() > from) {
        core_.push_back({index, from, deviations_.size()});
      }
    }
    std::sort(core_.begin(), core_.end(), [&](const CoreClass& a, const CoreClass& b) {
      return comes_first(a, b);
    });
  }

  void append_deviations(int index) {
    const std::span<const Choice> choices = classes_->of(index);
    const int own = relaxation_->choice_of_class[static_cast<std::size_t>(index)];
    const Choice& base = choices[static_cast<std::size_t>(own)];
    const auto from = static_cast<std::ptrdiff_t>(deviations_.size());
    for (int k = 0; k < static_cast<int>(choices.size()); ++k) {
      const Choice& choice = choices[static_cast<std::size_t>(k)];
      const std::int64_t cost = choice.cost - base.cost;
      const Value gain =
          value_of<Value>(choice, classes_->spare) - value_of<Value>(base, classes_->spare);
      const Value loss = relaxation_->break_value * static_cast<Value>(cost) -
                         gain * static_cast<Value>(relaxation_->break_cost);
      if (k != own && loss < deficit_) {
        deviations_.push_back({loss, cost, k});
        longest_ = std::max({longest_, cost, -cost});
      }
    }
    std::sort(deviations_.begin() + from, deviations_.end(), [](const auto& a, const auto& b) {
      return a.loss < b.loss || (a.loss == b.loss && a.cost < b.cost);
    });
  }

  /// Least loss first, equal classes side by side.
  bool comes_first(const CoreClass& a, const CoreClass& b) const {
    const auto left = of(a);
    const auto right = of(b);
    const auto [x, y] = std::mismatch(left.begin(), left.end(), right.begin(), right.end());
    if (x == left.end() || y == right.end()) {
      return left.size() != right.size() ? left.size() < right.size() : a.index < b.index;
    }
    return x->loss < y->loss || (x->loss == y->loss && x->cost < y->cost);
  }

  void limit_band() {
    for (const CoreClass& core : core_) {
      const auto [least, most] =
          std::minmax_element(of(core).begin(), of(core).end(), [](const auto& a, const auto& b) {
            return a.cost < b.cost;
          });
      lowest_ += std::min<std::int64_t>(0, least->cost);
      highest_ += std::max<std::int64_t>(0, most->cost);
    }
    const std::int64_t reach = longest_ * longest_ + longest_;
    lowest_ = std::max(lowest_, -reach);
    highest_ = std::min({highest_, relaxation_->spare + reach, relaxation_->spare - lowest_});
  }

  void run() {
    loss_.assign(1, Value{0});
    std::int64_t copies = 0;
    for (std::size_t k = 0; k < core_.size() && deficit_ > 0; ++k) {
      const auto deviations = of(core_[k]);
      if (deviations.front().loss >= deficit_) {
        break;
      }
      const bool repeated = k > 0 && std::ranges::equal(of(core_[k - 1]), deviations);
      copies = repeated ? copies + 1 : 0;
      if (copies < 2 * longest_) {
        add_class(core_[k]);
        note_best();
      }
    }
  }

  void add_class(const CoreClass& core) {
    const auto deviations = of(core);
    std::int64_t down = 0;
    std::int64_t up = 0;
    std::size_t useful = 0;
    for (; useful < deviations.size() && deviations[useful].loss < deficit_; ++useful) {
      down = std::min(down, deviations[useful].cost);
      up = std::max(up, deviations[useful].cost);
    }
    const std::int64_t low = std::max(lowest_, low_ + down);
    const std::int64_t high = std::min(highest_, high_end() + up);
    const auto width = static_cast<std::size_t>(high - low + 1);
    std::vector<Value>& next = next_loss_;
    next.assign(width, unreached_total);
    std::copy(loss_.begin(), loss_.end(), next.begin() + (low_ - low));
    const Layer layer{.of = core, .low = low, .from = marks_.size()};
    marks_.resize(marks_.size() + width, 0);
    for (std::size_t k = 0; k < useful; ++k) {
      extend(deviations[k], static_cast<std::uint16_t>(k + 1), layer);
    }
    std::swap(loss_, next_loss_);
    low_ = low;
    layers_.push_back(layer);
  }

  /// Reaches new costs by one deviation from those reached before this class.
  void extend(const Deviation<Value>& deviation, std::uint16_t mark, const Layer& layer) {
    const std::span next(next_loss_);
    const std::span marks = std::span(marks_).subspan(layer.from);
    const std::int64_t last = layer.low + static_cast<std::int64_t>(next.size()) - 1;
    const std::int64_t from = std::max(low_, layer.low - deviation.cost);
    const std::int64_t to = std::min(high_end(), last - deviation.cost);
    const Value most = deficit_ - deviation.loss;
    for (std::int64_t cost = from; cost <= to; ++cost) {
      const Value before = loss_[static_cast<std::size_t>(cost - low_)];
      const auto at = static_cast<std::size_t>(cost + deviation.cost - layer.low);
      if (before < most && before + deviation.loss < next[at]) {
        next[at] = before + deviation.loss;
        marks[at] = mark;
      }
    }
  }

  std::int64_t high_end() const { return low_ + static_cast<std::int64_t>(loss_.size()) - 1; }

  /// Remembers the best solution reached so far.
  void note_best() {
    const std::int64_t last = std::min(high_end(), relaxation_->spare);
    for (std::int64_t cost = last; cost >= low_; --cost) {
      const Value idle = relaxation_->break_value * static_cast<Value>(relaxation_->spare - cost);
      if (idle >= deficit_) {
        break;
      }
      const Value loss = loss_[static_cast<std::size_t>(cost - low_)];
      if (loss < deficit_ - idle) {
        deficit_ = loss + idle;
        best_cost_ = cost;
        best_layers_ = layers_.size();
      }
    }
  }

  void trace_back() {
    std::int64_t cost = best_cost_;
    for (std::size_t k = best_layers_; k-- > 0;) {
      const Layer& layer = layers_[k];
      const std::uint16_t mark = marks_[layer.from + static_cast<std::size_t>(cost - layer.low)];
      if (mark == 0) {
        continue;
      }
      const Deviation<Value>& deviation = of(layer.of)[mark - std::size_t{1}];
      const auto index = static_cast<std::size_t>(layer.of.index);
      relaxation_->choice_of_class[index] = deviation.choice;
      cost -= deviation.cost;
    }
    VODA_ASSERT(cost == 0, "the steps of a solution lead back to the relaxation");
  }

  const Classes* classes_ = nullptr;
  Relaxation<Value>* relaxation_ = nullptr;
  Value deficit_ = 0;  // of the best solution known
  std::vector<Deviation<Value>> deviations_{};
  std::vector<CoreClass> core_{};
  std::int64_t longest_ = 0;
  std::int64_t lowest_ = 0;
  std::int64_t highest_ = 0;
  std::vector<Value> loss_{};  // least loss by cost, from low_
  std::vector<Value> next_loss_{};
  std::int64_t low_ = 0;
  std::vector<Layer> layers_{};
  std::vector<std::uint16_t> marks_{};  // of all layers
  std::int64_t best_cost_ = 0;
  std::size_t best_layers_ = 0;
};

}  // namespace voda::knapsack_detail
