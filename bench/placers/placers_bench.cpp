#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "instances/placement.hpp"
#include "instances/run_size.hpp"
#include "instances/solver_file.hpp"
#include "peers/binding.hpp"
#include "voda/placers/repack.hpp"
#include "voda/placers/spread.hpp"
#include "voda/placers/steady.hpp"
#include "voda/policy/validate.hpp"

// One placement from scratch. `repack` is packing and binding; `packing` is the same where nobody runs, so that their
// difference is the binding, scores included. Names as in allocators_bench.cpp.

namespace {

using voda::Placement;
using voda::PlacementDecision;
using voda::PlacementProblem;
using voda::bench::ClusterHistory;

/// What there is to place, by the number of nodes.
using Instance = std::function<PlacementProblem(std::size_t nodes)>;

PlacementProblem one_in_ten_changed(std::size_t nodes) {
  return ClusterHistory({.nodes = nodes}).problem();
}

PlacementProblem nobody_runs(std::size_t nodes) {
  auto problem = one_in_ten_changed(nodes);
  problem.current = Placement(problem.current.size());
  return problem;
}

PlacementProblem nothing_changed(std::size_t nodes) {
  auto problem = one_in_ten_changed(nodes);
  problem.current = voda::Steady().place(problem).placement;
  return problem;
}

PlacementProblem all_changed(std::size_t nodes) {
  return ClusterHistory({.nodes = nodes, .changed_in = 1}).problem();
}

PlacementProblem single_gpus(std::size_t nodes) {
  return ClusterHistory({.nodes = nodes, .largest_job = 1}).problem();
}

PlacementProblem one_huge(std::size_t nodes) {
  return ClusterHistory({.nodes = nodes, .huge_job = static_cast<voda::GpuCount>(nodes * 4)})
      .problem();
}

PlacementProblem full_cluster(std::size_t nodes) {
  return ClusterHistory({.nodes = nodes, .load_percent = 100}).problem();
}

/// A third of the nodes is gone: their workers must move and some jobs do not fit.
PlacementProblem too_many_jobs(std::size_t nodes) {
  auto problem = one_in_ten_changed(nodes);
  auto columns = *problem.nodes;
  for (std::size_t i = 0; i < nodes; i += 3)
    columns.state[voda::IndexedVector<voda::NodeIndex, int>::index_of(i)] = voda::NodeState::lost;
  problem.nodes = std::make_shared<const voda::NodeColumns>(std::move(columns));
  return problem;
}

/// One job as large as half of the cluster runs on half of each node, and the others anew between its workers.
PlacementProblem scattered(std::size_t nodes) {
  auto problem = one_huge(nodes);
  const auto huge = problem.allocation.index_of(static_cast<std::size_t>(
      std::ranges::max_element(problem.allocation) - problem.allocation.begin()));
  std::vector<voda::NodeIndex> home;
  for (std::size_t i = 0; i < static_cast<std::size_t>(problem.allocation[huge]); ++i)
    home.push_back(voda::IndexedVector<voda::NodeIndex, int>::index_of(i % nodes));
  std::ranges::sort(home);
  problem.current = Placement(problem.current.size());
  problem.current.set(huge, home);
  return problem;
}

/// A full cluster where half of the jobs may use a hundred nodes only, each others.
PlacementProblem restricted(std::size_t nodes) {
  auto problem = full_cluster(nodes);
  auto columns = *problem.jobs;
  for (std::size_t i = 0; i < columns.size(); i += 2) {
    std::vector<voda::NodeIndex> window;
    for (std::size_t k = 0; k < std::min<std::size_t>(nodes, 100); ++k)
      window.push_back(voda::IndexedVector<voda::NodeIndex, int>::index_of((i * 7919 + k) % nodes));
    std::ranges::sort(window);
    columns.eligible[voda::Allocation::index_of(i)] =
        std::make_shared<const std::vector<voda::NodeIndex>>(std::move(window));
  }
  problem.jobs = std::make_shared<const voda::JobColumns>(std::move(columns));
  return problem;
}

void count(benchmark::State& state,
           const PlacementProblem& problem,
           const PlacementDecision& decision) {
  state.counters["jobs"] = static_cast<double>(problem.allocation.size());
  state.counters["survivors"] = static_cast<double>(problem.current.workers());
  state.counters["moved"] = static_cast<double>(decision.cost.moved);
  state.counters["excess"] = static_cast<double>(decision.cost.excess_span);
  state.counters["unplaced"] = static_cast<double>(decision.unplaced.size());
}

template <class P>
void place(benchmark::State& state, const Instance& instance) {
  const auto problem = instance(static_cast<std::size_t>(state.range(0)));
  const P placer;
  PlacementDecision decision;
  for (auto _ : state) {
    decision = placer.place(problem);
    benchmark::DoNotOptimize(decision);
  }
  validate(problem, decision);
  count(state, problem, decision);
}

/// Workers that each pair of a packed and a present node share, and the most that can stay.
void write_scores(std::size_t nodes) {
  auto file = voda::bench::SolverFile::wanted("binding/nodes:" + std::to_string(nodes),
                                              static_cast<std::int64_t>(nodes));
  if (!file)
    return;
  const auto problem = one_in_ten_changed(nodes);
  const auto packed =
      voda::peers::contents_of(voda::Repack().place(nobody_runs(nodes)).placement, nodes);
  const auto present = voda::peers::contents_of(problem.current, nodes);
  std::map<voda::JobIndex, std::vector<int>> nodes_of;
  for (std::size_t node = 0; node < nodes; ++node) {
    for (const auto& [job, workers] : present[node])
      nodes_of[job].push_back(static_cast<int>(node));
  }
  std::vector<voda::solvers::Edge<std::int64_t>> edges;
  for (std::size_t node = 0; node < nodes; ++node) {
    std::set<int> sharing;
    for (const auto& [job, workers] : packed[node])
      sharing.insert(nodes_of[job].begin(), nodes_of[job].end());
    for (const int other : sharing) {
      const auto& contents = present[static_cast<std::size_t>(other)];
      edges.push_back(
          {static_cast<int>(node), other, voda::peers::overlap(packed[node], contents)});
    }
  }
  const auto stay = static_cast<std::int64_t>(problem.current.workers()) -
                    voda::Repack().place(problem).cost.moved;
  const auto size = static_cast<int>(nodes);
  const std::span<const voda::solvers::Edge<std::int64_t>> all(edges);
  file->write(voda::solvers::compress_edges(size, size, all).view(),
              voda::solvers::Objective::maximize,
              voda::solvers::Coverage::partial,
              stay);
}

/// Repack's binding is proven by dual prices; its scores go to SciPy where it is to run beside.
void repack(benchmark::State& state) {
  place<voda::Repack>(state, one_in_ten_changed);
  const auto problem = one_in_ten_changed(static_cast<std::size_t>(state.range(0)));
  const auto decision = voda::Repack().place(problem);
  if (decision.cost.moved != decision.bound.moved)
    state.SkipWithError("the binding is not certified");
  write_scores(static_cast<std::size_t>(state.range(0)));
}

void steady_at_rest(benchmark::State& state) {
  place<voda::Steady>(state, nothing_changed);
  if (state.counters["moved"] != 0)
    state.SkipWithError("workers move although nothing changed");
}

/// Voda's binding alone, on the packing of Repack.
void bind_by_munkres(benchmark::State& state) {
  const auto nodes = static_cast<std::size_t>(state.range(0));
  const auto problem = one_in_ten_changed(nodes);
  const auto packed = voda::Repack().place(nobody_runs(nodes)).placement;
  std::int64_t stay = 0;
  for (auto _ : state) {
    stay = voda::peers::workers_that_stay(packed, problem.current, nodes);
    benchmark::DoNotOptimize(stay);
  }
  const auto survivors = static_cast<std::int64_t>(problem.current.workers());
  if (survivors - stay != voda::Repack().place(problem).cost.moved)
    state.SkipWithError("Munkres keeps another number of workers");
}

void add(const std::string& name,
         const std::function<void(benchmark::State&)>& body,
         std::initializer_list<std::int64_t> sizes,
         std::initializer_list<std::int64_t> full_sizes = {}) {
  auto* added = benchmark::RegisterBenchmark(name.c_str(), body);
  added->ArgName("nodes")->Unit(benchmark::kMillisecond);
  for (const std::int64_t nodes : sizes)
    added->Arg(nodes);
  for (const std::int64_t nodes : full_sizes) {
    if (voda::bench::is_full_run())
      added->Arg(nodes);
  }
}

template <class P>
void add_worst_cases(const std::string& placer) {
  const auto add_case = [&placer](const std::string& name, const Instance& instance) {
    add(placer + "~" + name,
        [instance](benchmark::State& state) { place<P>(state, instance); },
        {1000},
        {10'000});
  };
  add_case("all_changed", all_changed);
  add_case("single_gpus", single_gpus);
  add_case("one_huge", one_huge);
  add_case("full_cluster", full_cluster);
  add_case("too_many_jobs", too_many_jobs);
  add_case("scattered", scattered);
  add_case("restricted", restricted);
}

[[maybe_unused]] const bool is_registered = [] {
  add("packing",
      [](benchmark::State& state) { place<voda::Repack>(state, nobody_runs); },
      {4, 100, 500, 1000, 10'000, 100'000});
  add("repack", repack, {4, 100, 500, 1000, 10'000, 100'000});
  add("binding@munkres", bind_by_munkres, {4, 100}, {500});
  add("steady",
      [](benchmark::State& state) { place<voda::Steady>(state, one_in_ten_changed); },
      {4, 100, 1000, 10'000},
      {100'000});
  add("steady_at_rest", steady_at_rest, {4, 100, 1000, 10'000}, {100'000});
  add("spread",
      [](benchmark::State& state) { place<voda::Spread>(state, one_in_ten_changed); },
      {4, 100, 1000});
  add_worst_cases<voda::Repack>("repack");
  add_worst_cases<voda::Steady>("steady");
  return true;
}();

}  // namespace
