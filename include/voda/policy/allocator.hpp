#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "voda/config.hpp"
#include "voda/model/allocation.hpp"
#include "voda/model/job_columns.hpp"
#include "voda/model/units.hpp"
#include "voda/policy/explanation.hpp"

namespace voda {

/// Who asks for how many GPUs, and how many there are. A handful of shared pointers: cheap to copy, safe to keep.
struct AllocationProblem {
  TimePoint now{};
  GpuCount capacity = 0;                        // GPUs of this pool, >= 0
  std::shared_ptr<const JobColumns> columns{};  // never null in a problem that is decided
  std::shared_ptr<const std::vector<JobIndex>>
      arrival_order{};  // the contestants; a subset is a problem too

  /// Work left at `now` in seconds on one GPU, >= 0; throws InvalidInput naming the job and `policy` when unknown.
  [[nodiscard]] double remaining_work(JobIndex job, std::string_view policy) const;

  /// Counters since arrival or the last promotion, up to `now`.
  [[nodiscard]] Counters since_promotion(JobIndex job) const;
};

/// How many GPUs each job gets, and when to ask again.
struct AllocationDecision {
  Allocation gpus{};  // one count per slot; 0 for slots that take no part
  std::optional<TimePoint>
      review_at{};  // the next instant at which the answer may change by itself; after now
  std::vector<JobIndex>
      resets{};  // jobs whose since_promotion counters start anew; ids ascending as text
  /// Steps, sizes and pairs that the policy looked at one by one, where it says so. No part of the answer: the same on every
  /// machine, but smaller when a session knew something already.
  std::int64_t effort = 0;
};

/// Scratch and caches of one policy in one scheduler. May be thrown away at any time: it answers as allocate() does.
class AllocatorSession {
 public:
  virtual ~AllocatorSession() = default;

  /// `changed` lists the slots that differ from the last call, in no order; the first call lists all.
  [[nodiscard]] virtual const AllocationDecision& update(const AllocationProblem& problem,
                                                         std::span<const JobIndex> changed) = 0;

 protected:
  AllocatorSession() = default;
  AllocatorSession(const AllocatorSession&) = default;
  AllocatorSession& operator=(const AllocatorSession&) = default;
};

/// Decides how many GPUs each job gets. Not a memory allocator.
///
/// Stateless and const: whatever must survive a restart is in the job, so replaying, sharing between threads and
/// checkpointing need no policy code.
class Allocator {
 public:
  virtual ~Allocator() = default;

  /// Each count is 0 or an allowed size; the sum stays within capacity. Equal problems give equal answers.
  [[nodiscard]] virtual AllocationDecision allocate(const AllocationProblem& problem) const = 0;

  /// For policies that are faster event by event; the default means: call allocate().
  [[nodiscard]] virtual std::unique_ptr<AllocatorSession> session() const { return nullptr; }

  /// For wrappers: the next instant after now at which the answer may change by itself while the jobs hold `gpus` and not
  /// what allocate() gave them. The default knows of none.
  [[nodiscard]] virtual std::optional<TimePoint> review_of(const AllocationProblem& problem,
                                                           const Allocation& gpus) const;

  /// Why `job`, a contestant, got what `decision`, the answer to `problem`, gives it: rank, keys and reasons. The default says
  /// what can be said without knowing the policy. explain_size() adds who holds what the job lacks and what would help.
  [[nodiscard]] virtual Explanation explain(const AllocationProblem& problem,
                                            const AllocationDecision& decision,
                                            JobIndex job) const;

 protected:
  Allocator() = default;
  Allocator(const Allocator&) = default;
  Allocator& operator=(const Allocator&) = default;
};

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/policy/impl/allocator_inl.hpp"
#endif
