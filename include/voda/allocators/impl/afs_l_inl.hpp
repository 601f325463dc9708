#pragma once

#include "voda/allocators/afs_l.hpp"

#include <cstddef>
#include <memory>
#include <optional>

#include "voda/allocators/impl/afs_l_contest.hpp"
#include "voda/allocators/impl/explaining.hpp"
#include "voda/allocators/impl/session.hpp"

namespace voda {
namespace afs_l_detail {

class Workspace {
 public:
  void decide(const AfsLOptions& /*options*/,
              const AllocationProblem& problem,
              AllocationDecision& decision) {
    allocators_detail::clear(problem, decision);
    contest_.begin(problem, AfsL::name);
    GpuCount left = problem.capacity;
    while (!contest_.empty()) {
      left -= contest_.advance(contest_.winner(), decision.gpus);
      contest_.drop_dear(left);
      ++decision.effort;
    }
    decision.effort += contest_.compared();
  }

  /// Who made a job leave the contest that took part in it and could not afford its next step, and what was left then.
  struct Outbid {
    JobIndex by{};
    GpuCount left = 0;
  };

  [[nodiscard]] std::optional<Outbid> find_outbid(const AllocationProblem& problem,
                                                  JobIndex job,
                                                  GpuCount size) {
    const GpuCount cost = next_size(problem.columns->sizes[job], size) - size;
    Allocation gpus(problem.columns->size(), 0);
    contest_.begin(problem, AfsL::name);
    GpuCount left = problem.capacity;
    while (!contest_.empty()) {
      const std::size_t winner = contest_.winner();
      const JobIndex by = contest_.job_at(winner);
      left -= contest_.advance(winner, gpus);
      if (left < cost && gpus[job] == size)
        return Outbid{.by = by, .left = left};
      contest_.drop_dear(left);
    }
    return std::nullopt;
  }

 private:
  allocators_detail::AfsContest contest_{};
};

}  // namespace afs_l_detail

VODA_INLINE AllocationDecision AfsL::allocate(const AllocationProblem& problem) const {
  return allocators_detail::decide_once<afs_l_detail::Workspace>(AfsLOptions{}, problem);
}

VODA_INLINE Explanation AfsL::explain(const AllocationProblem& problem,
                                      const AllocationDecision& decision,
                                      JobIndex job) const {
  namespace detail = allocators_detail;
  const JobColumns& columns = *problem.columns;
  Explanation result = detail::begin_explanation(decision, job);
  const GpuCount size = result.gpus > 0 ? result.gpus : columns.sizes[job].min;
  const double work = problem.remaining_work(job, name);
  result.keys = {{"remaining_s", detail::remaining_time(columns, job, work, size)},
                 {"submitted", columns.submitted[job]}};
  append_growth(problem, 0, result.gpus, result);
  append_bound(problem, left_over(problem, decision), LooksAt::next_speed, result);
  if (result.reasons.back().code != ReasonCode::no_capacity)
    return result;
  const GpuCount next = next_size(columns.sizes[job], result.gpus);
  afs_l_detail::Workspace workspace;
  const auto outbid = workspace.find_outbid(problem, job, result.gpus);
  if (!outbid || outbid->by == job)
    return result;
  result.reasons.back() = {.code = ReasonCode::outbid,
                           .facts = {{"job", outbid->by},
                                     detail::gpu_fact("needed", next - result.gpus),
                                     detail::gpu_fact("free", outbid->left)}};
  return result;
}

VODA_INLINE std::unique_ptr<AllocatorSession> AfsL::session() const {
  return allocators_detail::make_session<afs_l_detail::Workspace>(AfsLOptions{});
}

}  // namespace voda
