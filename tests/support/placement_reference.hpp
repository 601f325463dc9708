#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "support/placement_builders.hpp"

namespace voda::test {

/// A placement problem as plain numbers, for references that share no line with the library. One GPU per worker.
struct PlainProblem {
  std::vector<int> capacity{};

  struct Job {
    int workers = 0;
    std::vector<int> home{};  // survivors per node
  };

  std::vector<Job> jobs{};

  [[nodiscard]] PlacementProblem build() const {
    PlacementBuilder builder;
    for (std::size_t node = 0; node < capacity.size(); ++node)
      builder.node(name(node), capacity[node]);
    for (std::size_t job = 0; job < jobs.size(); ++job) {
      PlacedJob placed{.id = "j" + std::to_string(100 + job), .gpus = jobs[job].workers};
      for (std::size_t node = 0; node < capacity.size(); ++node) {
        for (int i = 0; i < jobs[job].home[node]; ++i)
          placed.current.push_back(name(node));
      }
      builder.job(placed);
    }
    return builder.build();
  }

  [[nodiscard]] static std::string name(std::size_t node) { return "n" + std::to_string(node); }

  /// The fewest nodes that hold a job when all are empty.
  [[nodiscard]] int fewest_nodes(int workers) const {
    auto sizes = capacity;
    std::ranges::sort(sizes, std::greater<>{});
    int count = 0;
    for (int held = 0; held < workers; held += sizes[static_cast<std::size_t>(count++)]) {
    }
    return count;
  }
};

/// Tries every way to place all jobs and returns the least beta * excess span + moved workers.
class ExhaustivePlacement {
 public:
  ExhaustivePlacement(const PlainProblem& problem, double beta)
      : problem_(problem), beta_(beta), free_(problem.capacity) {
    place_job(0, 0);
  }

  [[nodiscard]] double best() const { return best_; }

 private:
  void place_job(std::size_t job, double cost) {
    if (cost >= best_)
      return;
    if (job == problem_.jobs.size()) {
      best_ = cost;
      return;
    }
    const int workers = problem_.jobs[job].workers;
    put(job, 0, workers, cost - beta_ * problem_.fewest_nodes(workers));
  }

  /// Puts 0, 1, ... of the workers that are left on `node`, the others on later nodes.
  void put(std::size_t job, std::size_t node, int left, double cost) {
    if (node == free_.size()) {
      if (left == 0)
        place_job(job + 1, cost);
      return;
    }
    const int home = problem_.jobs[job].home[node];
    for (int here = 0; here <= std::min(left, free_[node]); ++here) {
      free_[node] -= here;
      put(job, node + 1, left - here, cost + (here > 0 ? beta_ : 0) + std::max(0, home - here));
      free_[node] += here;
    }
  }

  PlainProblem problem_{};
  double beta_ = 0;
  std::vector<int> free_{};
  double best_ = std::numeric_limits<double>::infinity();
};

/// Who is placed when nobody moves.
struct KeptJobs {
  PlainProblem problem{};  // without the others
  std::size_t refused_jobs = 0;
  std::int64_t refused_workers = 0;
};

/// Job after job by arrival: one whose missing workers are more than what is free then leaves with its survivors.
[[nodiscard]] inline KeptJobs admit_where_nobody_moves(const PlainProblem& problem) {
  const auto total = [](const std::vector<int>& counts) {
    return std::accumulate(counts.begin(), counts.end(), 0);
  };
  int free = total(problem.capacity);
  for (const PlainProblem::Job& job : problem.jobs)
    free -= total(job.home);
  KeptJobs result{.problem = {.capacity = problem.capacity}};
  for (const PlainProblem::Job& job : problem.jobs) {
    const int missing = job.workers - total(job.home);
    if (missing > free) {
      free += total(job.home);
      ++result.refused_jobs;
      result.refused_workers += job.workers;
      continue;
    }
    free -= missing;
    result.problem.jobs.push_back(job);
  }
  return result;
}

/// "Nobody moves" by the book: survivors stay; job after job (workers descending, then arrival) the missing ones go to the
/// tightest node that holds them all, else the emptiest one is filled. Returns beta * excess span.
[[nodiscard]] inline double cost_when_nobody_moves(const PlainProblem& problem, double beta) {
  const std::size_t nodes = problem.capacity.size();
  std::vector<int> free = problem.capacity;
  auto held = problem.jobs;
  std::vector<std::size_t> order;
  for (std::size_t job = 0; job < held.size(); ++job) {
    order.push_back(job);
    for (std::size_t node = 0; node < nodes; ++node)
      free[node] -= held[job].home[node];
  }
  std::ranges::sort(order, {}, [&](std::size_t job) { return std::pair(-held[job].workers, job); });
  double excess = 0;
  for (const std::size_t job : order) {
    int missing = held[job].workers;
    for (const int workers : held[job].home)
      missing -= workers;
    while (missing > 0) {
      std::size_t best = nodes;
      const auto is_better = [&](std::size_t a, std::size_t b) {
        const bool a_holds = free[a] >= missing;
        const bool b_holds = free[b] >= missing;
        if (a_holds != b_holds)
          return a_holds;
        if (free[a] != free[b])
          return a_holds ? free[a] < free[b] : free[a] > free[b];
        return problem.capacity[a] < problem.capacity[b];
      };
      for (std::size_t node = 0; node < nodes; ++node) {
        if (free[node] > 0 && (best == nodes || is_better(node, best)))
          best = node;
      }
      const int placed = std::min(missing, free[best]);
      free[best] -= placed;
      held[job].home[best] += placed;
      missing -= placed;
    }
    excess += static_cast<double>(nodes -
                                  static_cast<std::size_t>(std::ranges::count(held[job].home, 0)));
    excess -= problem.fewest_nodes(held[job].workers);
  }
  return beta * excess;
}

}  // namespace voda::test
