#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "voda/model/job.hpp"
#include "voda/placers/repack.hpp"
#include "voda/policy/placer.hpp"

namespace voda::bench {

/// A cluster of nodes of 8 GPUs between two decisions.
struct ClusterOptions {
  std::size_t nodes = 100;
  int load_percent = 98;
  GpuCount largest_job = 64;      // sizes from 1 on with P(s) about s^-1.5
  GpuCount huge_job = 0;          // one more job of so many GPUs, 0 for none
  std::uint32_t changed_in = 10;  // one job in so many changed since the last placement; 1: all
  std::uint64_t seed = 20230928;
};

/// Jobs placed once by `repack`; then some of them changed (a third each: finished, grown, shrunk) and new ones filled the
/// gaps. What is asked: a placement of the jobs of now, given where the survivors run.
class ClusterHistory {
 public:
  explicit ClusterHistory(ClusterOptions options)
      : options_(options),
        load_(static_cast<GpuCount>(options.nodes * 8 *
                                    static_cast<std::size_t>(options.load_percent) / 100)),
        random_(options.seed) {
    if (options_.huge_job > 0)
      add(std::min(options_.huge_job, load_));
    refill();
    place_once();
    change_some();
    refill();
  }

  [[nodiscard]] PlacementProblem problem() const {
    NodeColumns nodes;
    for (std::size_t i = 0; i < options_.nodes; ++i)
      nodes.push_back({.id = {"n" + std::to_string(i)}, .gpus = 8});
    JobColumns columns;
    columns.resize(jobs_.size());
    std::vector<JobIndex> order;
    PlacementProblem problem{.allocation = Allocation(jobs_.size(), 0),
                             .current = Placement(jobs_.size())};
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      const auto slot = Allocation::index_of(i);
      Job job{.id = {std::to_string(i)}, .submitted = TimePoint(std::chrono::seconds(i))};
      job.spec.max_gpus = 1 << 20;
      columns.set(slot, job, 0, TimePoint{});
      order.push_back(slot);
      problem.allocation[slot] = jobs_[i].gpus;
      const auto survivors =
          std::min(jobs_[i].current.size(), static_cast<std::size_t>(jobs_[i].gpus));
      problem.current.set(slot, std::span(jobs_[i].current).first(survivors));
    }
    problem.nodes = std::make_shared<const NodeColumns>(std::move(nodes));
    problem.jobs = std::make_shared<const JobColumns>(std::move(columns));
    problem.arrival_order = std::make_shared<const std::vector<JobIndex>>(std::move(order));
    return problem;
  }

 private:
  struct RunningJob {
    GpuCount gpus = 0;
    std::vector<NodeIndex> current{};
  };

  GpuCount draw(GpuCount bound) {
    return static_cast<GpuCount>(random_() % static_cast<std::uint64_t>(bound));
  }

  /// By rejection: s is kept with probability s^-1.5.
  GpuCount draw_size() {
    while (true) {
      const GpuCount size = 1 + draw(options_.largest_job);
      const double keep = 1.0 / (size * std::sqrt(static_cast<double>(size)));
      if (draw(1 << 20) < static_cast<GpuCount>(keep * (1 << 20)))
        return size;
    }
  }

  void add(GpuCount gpus) {
    jobs_.push_back({.gpus = gpus});
    used_ += gpus;
  }

  void refill() {
    while (used_ < load_)
      add(std::min(draw_size(), load_ - used_));
  }

  void place_once() {
    const auto decision = Repack().place(problem());
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      const auto nodes = decision.placement[Allocation::index_of(i)];
      jobs_[i].current.assign(nodes.begin(), nodes.end());
    }
  }

  void change_some() {
    std::vector<RunningJob> kept;
    used_ = 0;
    for (RunningJob& job : jobs_) {
      const GpuCount change = draw(static_cast<GpuCount>(3 * options_.changed_in));
      if (change == 0)
        continue;
      if (change == 1)
        job.gpus += 1 + draw(job.gpus);
      if (change == 2 && job.gpus > 1)
        job.gpus -= 1 + draw(job.gpus - 1);
      if (used_ + job.gpus > load_)
        continue;
      used_ += job.gpus;
      kept.push_back(std::move(job));
    }
    jobs_ = std::move(kept);
  }

  ClusterOptions options_{};
  GpuCount load_ = 0;
  GpuCount used_ = 0;
  std::vector<RunningJob> jobs_{};
  std::mt19937_64 random_;
};

}  // namespace voda::bench
