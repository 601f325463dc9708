#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include "voda/solvers/bin_packing.hpp"

namespace voda::bench {

inline constexpr std::int32_t gpus_per_node = 8;

/// Jobs of 1 to 64 workers, frequency about size^-1.5, that fill 98 % of the nodes; largest first.
[[nodiscard]] inline std::vector<solvers::PackingItem> packing_items(std::int64_t nodes) {
  std::mt19937_64 random(1);
  std::vector<solvers::PackingItem> jobs{};
  std::int64_t left = nodes * gpus_per_node * 98 / 100;
  while (left > 0) {
    const double share = static_cast<double>(1 + random() % 1'000'000) / 1e6;
    const auto size = static_cast<std::int64_t>(std::min(64.0, 1.0 / (share * share)));
    jobs.push_back({static_cast<std::int32_t>(std::min(size, left)), 1});
    left -= jobs.back().workers;
  }
  std::ranges::sort(jobs, std::greater<>(), &solvers::PackingItem::workers);
  return jobs;
}

}  // namespace voda::bench
