#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "voda/solvers/knapsack.hpp"

namespace voda::bench {

/// How the gain of a job depends on its GPUs.
enum class Gains : std::uint8_t { concave, noisy, staircase, tied_staircase };

/// What solve_knapsack() takes: the options of job i lie at [begin[i], begin[i + 1]).
struct KnapsackInstance {
  std::vector<int> begin{0};
  std::vector<solvers::KnapsackOption> options{};
  std::int32_t capacity = 0;
};

/// Jobs of up to 64 GPUs each, gains in units of 2^-24.
[[nodiscard]] inline KnapsackInstance knapsack_instance(std::int64_t jobs,
                                                        std::int32_t capacity,
                                                        Gains gains) {
  std::mt19937_64 random(1);
  KnapsackInstance problem{.capacity = capacity};
  for (std::int64_t job = 0; job < jobs; ++job) {
    const auto slowdown = static_cast<std::int64_t>(random() % 200);
    const auto most = static_cast<std::int64_t>(1 + random() % 64);
    const bool in_powers = gains == Gains::staircase || gains == Gains::tied_staircase;
    for (std::int64_t gpus = 1; gpus <= most; ++gpus) {
      std::int64_t power = 1;
      while (power * 2 <= gpus) {
        power *= 2;
      }
      const std::int64_t used = in_powers ? power : gpus;
      const std::int64_t loss = gains == Gains::tied_staircase ? 0 : slowdown * (used - 1);
      std::int64_t gain = (used << 24) * 1000 / (1000 + loss);
      if (gains == Gains::noisy) {
        gain += static_cast<std::int64_t>(random() % (1U << 20));
      }
      problem.options.push_back({static_cast<std::int32_t>(gpus), gain});
    }
    problem.begin.push_back(static_cast<int>(problem.options.size()));
  }
  return problem;
}

}  // namespace voda::bench
