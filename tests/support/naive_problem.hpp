#pragma once

#include "reference/naive_policies.hpp"
#include "support/allocation_builders.hpp"

namespace voda::test {

[[nodiscard]] inline naive::Job naive_job(const AskingJob& from) {
  naive::Job job{};
  job.id = from.id;
  job.submitted_us = naive::microseconds(from.submitted_s);
  job.min_gpus = from.min;
  job.requested_gpus = from.requested;
  job.max_gpus = from.max;
  switch (from.sizes.kind) {
    case SizeRule::Kind::every:
      job.sizes = naive::Job::Sizes::every;
      break;
    case SizeRule::Kind::step:
      job.sizes = naive::Job::Sizes::step;
      break;
    case SizeRule::Kind::powers_of_two:
      job.sizes = naive::Job::Sizes::powers_of_two;
      break;
  }
  job.step = from.sizes.step;
  job.gpus_per_worker = from.gpus_per_worker;
  job.work_s = from.work_s;
  job.speedup_points = from.speedup;
  job.service_us = naive::microseconds(from.service_s);
  job.executed_us = naive::microseconds(from.executed_s);
  job.waited_us = naive::microseconds(from.waited_s);
  if (from.last_started_s)
    job.last_started_us = naive::microseconds(*from.last_started_s);
  job.current = from.current;
  return job;
}

/// The same problem for the reference in tests/reference.
[[nodiscard]] inline naive::Problem naive_problem(const AllocationCase& from) {
  naive::Problem problem{.now_us = naive::microseconds(from.now_s), .gpus = from.gpus};
  for (const AskingJob& job : from.jobs)
    problem.jobs.push_back(naive_job(job));
  return problem;
}

}  // namespace voda::test
