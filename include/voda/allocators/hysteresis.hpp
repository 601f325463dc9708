#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "voda/config.hpp"
#include "voda/policy/allocator.hpp"
#include "voda/policy/options.hpp"
#include "voda/policy/wrapper.hpp"

// Hysteresis around any policy: a job that runs keeps its size unless changing it pays.
//
// Optimises: nothing by itself; it takes back changes whose cost (a stall or a restart of training) is likely larger than
// what they bring.
// Source: policies.md, section 10; the idea of a minimum gain as in Pollux (Qiao et al., OSDI 2021, restart penalty), of a
// minimum time between changes as in Voda (rate limit), here job by job.
// Rule: the inner answer is taken. A job is held when it runs at an allowed size c, the inner answer n differs, and
//   |S(n) - S(c)| < min_gain * S(c), or its size changed less than min_run_s ago, or it was resized max_resizes_per_hour
//   times within the last hour. Growth of held jobs is taken back; then held jobs that the inner policy shrinks or stops get
//   c back, in arrival order, each if the GPUs that nobody has suffice. So no start and no unheld change is ever undone.
// Deviations: none known. A job that a failure shrank is held like any other; changes of place are the placer's.
// Limits: GPUs of growth that was taken back stay free until the next decision. The latest SizeChanges::most_resizes
//   resizes of a job are remembered, hence the largest budget.
// Complexity: that of the inner policy and O(J).

namespace voda {

struct HysteresisOptions {
  static constexpr double most_resizes_per_hour = 16;

  double min_gain = 0;   // as a share of the speed at the present size; 0: off
  double min_run_s = 0;  // seconds at one size; 0: off
  std::optional<double> max_resizes_per_hour{};  // a whole number; none: off
  void read(OptionReader& reader);
};

/// Holds sizes; with all options off it answers as the inner policy does. `review_at` covers the end of each hold.
class Hysteresis final : public Allocator {
 public:
  static constexpr std::string_view name = "hysteresis";

  /// Throws InvalidInput when `inner` is null or an option is out of its range.
  Hysteresis(std::shared_ptr<const Allocator> inner, HysteresisOptions options);

  [[nodiscard]] AllocationDecision allocate(const AllocationProblem& problem) const override;
  [[nodiscard]] std::unique_ptr<AllocatorSession> session() const override;
  [[nodiscard]] std::optional<TimePoint> review_of(const AllocationProblem& problem,
                                                   const Allocation& gpus) const override;
  [[nodiscard]] Explanation explain(const AllocationProblem& problem,
                                    const AllocationDecision& decision,
                                    JobIndex job) const override;

 private:
  std::shared_ptr<const Allocator> inner_{};
  HysteresisOptions options_{};
};

/// Wraps policies into Hysteresis.
class HysteresisWrapper final : public AllocatorWrapper {
 public:
  /// Throws InvalidInput when an option is out of its range.
  explicit HysteresisWrapper(HysteresisOptions options);

  [[nodiscard]] std::shared_ptr<const Allocator> wrap(
      std::shared_ptr<const Allocator> inner) const override;

 private:
  HysteresisOptions options_{};
};

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/allocators/impl/hysteresis_inl.hpp"
#endif
