#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "voda/model/job.hpp"
#include "voda/placers/repack.hpp"
#include "voda/placers/spread.hpp"
#include "voda/placers/steady.hpp"
#include "voda/policy/validate.hpp"

namespace {

using voda::GpuCount;

/// Nodes of 8 GPUs at 98 % load, job sizes from 1 to 64 with P(s) about s^-1.5, one in ten jobs changed since the last
/// placement (a third each: finished, grown, shrunk; refilled), as in Voda-like workloads.
class Cluster {
 public:
  explicit Cluster(std::size_t nodes)
      : nodes_(nodes), load_(static_cast<GpuCount>(nodes * 8 * 98 / 100)) {
    refill();
    place_once();
    change_one_in_ten();
    refill();
  }

  [[nodiscard]] voda::PlacementProblem problem() const {
    voda::NodeColumns nodes;
    for (std::size_t i = 0; i < nodes_; ++i) {
      nodes.push_back({.id = {"n" + std::to_string(i)}, .gpus = 8});
    }
    voda::JobColumns columns;
    columns.resize(jobs_.size());
    std::vector<voda::JobIndex> order;
    voda::PlacementProblem problem{.allocation = voda::Allocation(jobs_.size(), 0),
                                   .current = voda::Placement(jobs_.size())};
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      const auto slot = voda::Allocation::index_of(i);
      voda::Job job;
      job.id = {std::to_string(i)};
      job.submitted = voda::TimePoint(std::chrono::seconds(i));
      job.spec.max_gpus = 1 << 20;
      columns.set(slot, job, 0, voda::TimePoint{});
      order.push_back(slot);
      problem.allocation[slot] = jobs_[i].gpus;
      const auto survivors =
          std::min(jobs_[i].current.size(), static_cast<std::size_t>(jobs_[i].gpus));
      problem.current.set(slot, std::span(jobs_[i].current).first(survivors));
    }
    problem.nodes = std::make_shared<const voda::NodeColumns>(std::move(nodes));
    problem.jobs = std::make_shared<const voda::JobColumns>(std::move(columns));
    problem.arrival_order = std::make_shared<const std::vector<voda::JobIndex>>(std::move(order));
    return problem;
  }

 private:
  struct RunningJob {
    GpuCount gpus = 0;
    std::vector<voda::NodeIndex> current{};
  };

  GpuCount draw(GpuCount bound) {
    return static_cast<GpuCount>(random_() % static_cast<std::uint32_t>(bound));
  }

  /// Inverse of the distribution by rejection: s is kept with probability s^-1.5.
  GpuCount draw_size() {
    while (true) {
      const GpuCount size = 1 + draw(64);
      const double keep = 1.0 / (size * std::sqrt(static_cast<double>(size)));
      if (draw(1 << 20) < static_cast<GpuCount>(keep * (1 << 20)))
        return size;
    }
  }

  void refill() {
    while (used_ < load_) {
      jobs_.push_back({.gpus = std::min(draw_size(), load_ - used_)});
      used_ += jobs_.back().gpus;
    }
  }

  void place_once() {
    const auto decision = voda::Repack().place(problem());
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      const auto nodes = decision.placement[voda::Allocation::index_of(i)];
      jobs_[i].current.assign(nodes.begin(), nodes.end());
    }
  }

  void change_one_in_ten() {
    std::vector<RunningJob> kept;
    used_ = 0;
    for (RunningJob& job : jobs_) {
      const GpuCount change = draw(30);
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

  std::size_t nodes_ = 0;
  GpuCount load_ = 0;
  GpuCount used_ = 0;
  std::vector<RunningJob> jobs_{};
  std::mt19937 random_{20230928};
};

/// Places once with checks, then times.
template <class P>
void place(benchmark::State& state) {
  const auto problem = Cluster(static_cast<std::size_t>(state.range(0))).problem();
  const P placer;
  const auto decision = placer.place(problem);
  voda::validate(problem, decision);
  if (!decision.unplaced.empty())
    throw std::logic_error("everything fits, yet a job is unplaced");
  for (auto _ : state)
    benchmark::DoNotOptimize(placer.place(problem));
  state.counters["jobs"] = static_cast<double>(problem.allocation.size());
  state.counters["workers"] = static_cast<double>(problem.current.workers());
  state.counters["moved"] = static_cast<double>(decision.cost.moved);
  state.counters["excess"] = static_cast<double>(decision.cost.excess_span);
}

void repack_with_certificate(benchmark::State& state) {
  const auto problem = Cluster(static_cast<std::size_t>(state.range(0))).problem();
  const auto decision = voda::Repack().place(problem);
  if (decision.cost.moved != decision.bound.moved)
    throw std::logic_error("the binding is not certified");
  place<voda::Repack>(state);
}

/// Nothing has changed since the last placement.
void steady_at_rest(benchmark::State& state) {
  auto problem = Cluster(static_cast<std::size_t>(state.range(0))).problem();
  problem.current = voda::Steady().place(problem).placement;
  const auto decision = voda::Steady().place(problem);
  if (decision.cost.moved != 0)
    throw std::logic_error("workers move although nothing changed");
  for (auto _ : state)
    benchmark::DoNotOptimize(voda::Steady().place(problem));
}

BENCHMARK(repack_with_certificate)->Arg(100)->Arg(1000)->Arg(10000)->Unit(benchmark::kMillisecond);
BENCHMARK(place<voda::Steady>)
    ->Name("steady")
    ->Arg(100)
    ->Arg(1000)
    ->Arg(10000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(steady_at_rest)->Arg(100)->Arg(1000)->Arg(10000)->Unit(benchmark::kMillisecond);
BENCHMARK(place<voda::Spread>)->Name("spread")->Arg(100)->Arg(1000)->Unit(benchmark::kMillisecond);

}  // namespace
