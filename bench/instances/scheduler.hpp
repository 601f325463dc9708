#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "instances/allocation.hpp"
#include "voda/model/event.hpp"
#include "voda/scheduler/scheduler.hpp"

namespace voda::bench {

/// A cluster of nodes of 8 GPUs with as many jobs in it all the time: each arrival follows a departure.
class SteadyStream {
 public:
  SteadyStream(std::size_t jobs, std::size_t nodes)
      : nodes_(nodes), source_(Demand::concave, static_cast<GpuCount>(nodes * 8)) {
    for (std::size_t i = 0; i < jobs; ++i)
      present_.push_back(source_.draw());
  }

  /// The nodes and the jobs, none of which holds anything yet.
  [[nodiscard]] ClusterState state() const {
    ClusterState state;
    for (std::size_t i = 0; i < nodes_; ++i)
      state.apply({.at = now_, .body = NodeJoined{{.id = {"n" + std::to_string(i)}, .gpus = 8}}});
    for (const Job& job : present_)
      state.apply({.at = now_, .body = JobSubmitted{.job = job}});
    return state;
  }

  /// The next event, a minute after the one before: in turn a job ends and a new one arrives.
  [[nodiscard]] Event next() {
    now_ += Duration(60'000'000);
    is_arrival_ = !is_arrival_;
    if (is_arrival_) {
      present_.push_back(source_.draw());
      Job arriving = present_.back();
      arriving.submitted = now_;
      arriving.progress = {};
      return {.at = now_, .body = JobSubmitted{.job = std::move(arriving)}};
    }
    std::swap(present_[random_() % present_.size()], present_.back());
    const JobId leaving = present_.back().id;
    present_.pop_back();
    return {.at = now_, .body = JobFinished{.job = leaving}};
  }

  [[nodiscard]] TimePoint now() const { return now_; }

 private:
  std::size_t nodes_ = 0;
  JobSource source_;
  std::vector<Job> present_{};
  TimePoint now_ = time_from_seconds(2e6, "now");
  bool is_arrival_ = true;
  std::mt19937_64 random_{7};
};

}  // namespace voda::bench
