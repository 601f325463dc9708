#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "voda/placers/impl/situation.hpp"

namespace voda::placers_detail {

/// For each topology level, innermost first, the domain of each node; domains are whole paths.
[[nodiscard]] std::vector<std::vector<std::int32_t>> read_domains(const NodeColumns& nodes);

/// The fewest nodes, or domains of a level, that could hold a job if every usable node were empty.
class SpanBounds {
 public:
  /// `domain_of_node` empty: nodes are counted.
  explicit SpanBounds(std::vector<std::int32_t> domain_of_node = {})
      : domain_of_node_(std::move(domain_of_node)) {}

  /// The fewest for one job; all of them when even they do not suffice. O(nodes log nodes) the first time for a worker size
  /// and a set of eligible nodes, then O(1) for up to 1024 workers, else O(log nodes).
  [[nodiscard]] std::int32_t fewest(const Situation& situation, std::size_t job);

 private:
  using Key = std::pair<GpuCount, const std::vector<NodeIndex>*>;

  struct Bounds {
    std::vector<std::int64_t> sums{};   // workers that the 1, 2, ... largest hold
    std::vector<std::int32_t> small{};  // the answers for few workers
  };

  [[nodiscard]] const Bounds& bounds_for(const Situation& situation, std::size_t job);
  [[nodiscard]] std::vector<std::int64_t> sum_largest(const Situation& situation,
                                                      std::size_t job) const;

  std::vector<std::int32_t> domain_of_node_{};
  std::map<Key, Bounds> bounds_{};  // looked up only
  Key last_key_{};
  const Bounds* last_ = nullptr;
};

}  // namespace voda::placers_detail

#ifndef VODA_COMPILED
#include "voda/placers/impl/span_bounds_inl.hpp"
#endif
