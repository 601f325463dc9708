#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "voda/model/exact.hpp"
#include "voda/model/job.hpp"
#include "voda/simulator/portable_math.hpp"
#include "voda/simulator/random.hpp"

namespace voda::simulator_detail {

/// What policies are told of each job's work: the truth, or an estimate that is wrong by a random factor of the job's own.
class ToldWork {
 public:
  /// `error` is SimulationOptions::estimate_error.
  ToldWork(double error, std::uint64_t seed) : error_(error), seed_(seed) {}

  /// The next job in arrival order as policies see it at its submission.
  [[nodiscard]] Job next(Job job) {
    const double truth = job.work ? job.work->left_s : 0;
    double told = truth;
    if (job.work && error_ > 0) {
      told = std::min(max_seconds, truth * factor_of(job.id));
      job.work->left_s = told;
    }
    surplus_.push_back(told - truth);
    return job;
  }

  /// The truth about a job of the state that a run begins with, of which policies are told that `told_s` is left; such jobs
  /// count as the first ones.
  [[nodiscard]] double truth(const JobId& job, double told_s) {
    return truth(told_s, error_ > 0 ? std::min(max_seconds, told_s * factor_of(job)) : told_s);
  }

  /// The same where the truth is known.
  double truth(double told_s, double true_s) {
    surplus_.push_back(told_s - true_s);
    return true_s;
  }

  /// What policies are told when a job, the `index`-th in arrival order, has `left_s` left: the estimate less what was done.
  [[nodiscard]] double left(std::size_t index, double left_s) const {
    return std::clamp(left_s + surplus_[index], 0.0, max_seconds);
  }

 private:
  /// A job's own stream, so that its factor stays whatever else is there. Those of nodes are small numbers.
  [[nodiscard]] static std::uint64_t stream_of(const JobId& job) {
    std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
    for (const char byte : job.value)
      hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
    return hash | std::uint64_t{1} << 63;
  }

  [[nodiscard]] double factor_of(const JobId& job) const {
    RandomStream random(seed_, stream_of(job));
    return portable_exp(unfused(error_ * random.normal()));
  }

  double error_ = 0;
  std::uint64_t seed_ = 0;
  std::vector<double> surplus_{};  // told less true, one per job that was submitted
};

}  // namespace voda::simulator_detail
