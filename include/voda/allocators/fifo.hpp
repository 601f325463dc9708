#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "voda/config.hpp"
#include "voda/policy/allocator.hpp"
#include "voda/policy/options.hpp"

// FIFO, rigid: walk the jobs in arrival order and give each its requested size when it fits.
//
// Optimises: nothing; the baseline. Waiting is in arrival order, as far as sizes allow.
// Source: the common queue discipline; strict and first-fit forms as in the simulator of Gu et al., Tiresias, NSDI 2019.
// Deviations from Voda 0.2.2, which gives the minimum and preempts (`size=minimum,preempt=true`): jobs ask for r, and
// a running job is not pushed out by an older one that happens to fit now.
// Complexity: O(J).

namespace voda {

struct FifoOptions {
  enum class Size : std::uint8_t { requested, minimum };
  enum class Blocked : std::uint8_t { skip, wait };
  Size size = Size::requested;
  Blocked blocked = Blocked::skip;
  bool preempt = false;
  void read(OptionReader& reader);
};

/// First in, first out. Ties of `submitted` go to the smaller id.
class Fifo final : public Allocator {
 public:
  static constexpr std::string_view name = "fifo";

  explicit Fifo(FifoOptions options = {}) : options_(options) {}

  [[nodiscard]] AllocationDecision allocate(const AllocationProblem& problem) const override;
  [[nodiscard]] std::unique_ptr<AllocatorSession> session() const override;
  [[nodiscard]] Explanation explain(const AllocationProblem& problem,
                                    const AllocationDecision& decision,
                                    JobIndex job) const override;

 private:
  FifoOptions options_{};
};

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/allocators/impl/fifo_inl.hpp"
#endif
