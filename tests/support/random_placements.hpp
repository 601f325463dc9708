#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <rapidcheck.h>

#include "support/placement_builders.hpp"

namespace voda::test {

/// A number that rapidcheck draws from [low, high].
[[nodiscard]] inline int between(int low, int high) {
  return *rc::gen::inRange(low, high + 1);
}

/// What a cluster may look like at its worst: cordoned and lost nodes, workers of several GPUs, restricted jobs, too much asked.
[[nodiscard]] inline PlacementBuilder any_problem(std::size_t& jobs) {
  PlacementBuilder builder;
  std::vector<std::string> names;
  const int nodes = between(1, 6);
  for (int node = 0; node < nodes; ++node) {
    const std::string name = "n" + std::to_string(node);
    if (between(0, 7) == 0) {
      builder.cordoned(name, between(1, 8));
    } else {
      builder.node(name, between(1, 8), {"zone", "rack" + std::to_string(node / 2)});
    }
    names.push_back(name);
  }
  names.emplace_back("lost");
  jobs = static_cast<std::size_t>(between(0, 8));
  for (std::size_t i = 0; i < jobs; ++i) {
    PlacedJob job{.id = "j" + std::to_string(i)};
    job.gpus_per_worker = between(0, 2) == 0 ? between(2, 4) : 1;
    job.gpus = job.gpus_per_worker * between(0, 6);
    const int survivors = between(0, job.gpus / job.gpus_per_worker);
    for (int worker = 0; worker < survivors; ++worker) {
      job.current.push_back(names[static_cast<std::size_t>(between(0, nodes))]);
    }
    if (between(0, 5) == 0) {
      job.eligible.push_back(names[static_cast<std::size_t>(between(0, nodes - 1))]);
      job.eligible.push_back(names[static_cast<std::size_t>(between(0, nodes - 1))]);
      std::ranges::sort(job.eligible);
      job.eligible.erase(std::ranges::unique(job.eligible).begin(), job.eligible.end());
    }
    builder.job(job);
  }
  return builder;
}

}  // namespace voda::test
