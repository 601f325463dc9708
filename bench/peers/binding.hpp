#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "peers/munkres.hpp"
#include "voda/model/placement.hpp"

namespace voda::peers {

/// Who is on each node: workers by job.
using Contents = std::vector<std::map<JobIndex, std::int64_t>>;

[[nodiscard]] inline Contents contents_of(const Placement& placement, std::size_t nodes) {
  Contents contents(nodes);
  for (std::size_t i = 0; i < placement.size(); ++i) {
    const auto job = static_cast<JobIndex>(static_cast<std::uint32_t>(i));
    for (const NodeIndex node : placement[job])
      ++contents[static_cast<std::size_t>(node)][job];
  }
  return contents;
}

/// Workers that two nodes share.
[[nodiscard]] inline std::int64_t overlap(const std::map<JobIndex, std::int64_t>& a,
                                          const std::map<JobIndex, std::int64_t>& b) {
  std::int64_t shared = 0;
  for (const auto& [job, workers] : a) {
    const auto found = b.find(job);
    if (found != b.end())
      shared += std::min(workers, found->second);
  }
  return shared;
}

/// Most workers that stay when the nodes of `packed` are exchanged, as Voda 0.2.2 finds it: a full matrix of scores, one
/// intersection a pair, then Munkres. For nodes of one size, which Voda takes for granted.
///
/// Its maximising by (largest 64-bit integer - score) is replaced by (largest score - score).
[[nodiscard]] inline std::int64_t workers_that_stay(const Placement& packed,
                                                    const Placement& current,
                                                    std::size_t nodes) {
  const Contents packed_contents = contents_of(packed, nodes);
  const Contents current_contents = contents_of(current, nodes);
  std::vector<std::int64_t> score;
  score.reserve(nodes * nodes);
  for (const auto& a : packed_contents) {
    for (const auto& b : current_contents)
      score.push_back(overlap(a, b));
  }
  const std::int64_t largest = nodes == 0 ? 0 : *std::ranges::max_element(score);
  std::vector<std::int64_t> cost;
  cost.reserve(score.size());
  for (const std::int64_t shared : score)
    cost.push_back(largest - shared);
  const auto column_of_row = Munkres(nodes, std::move(cost)).solve();
  std::int64_t kept = 0;
  for (std::size_t row = 0; row < nodes; ++row)
    kept += score[row * nodes + column_of_row[row]];
  return kept;
}

}  // namespace voda::peers
