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
  /// and a set of eligible nodes, then O(log nodes), O(1) where all are equally large.
  [[nodiscard]] std::int32_t fewest(const Situation& situation, std::size_t job);

 private:
  using Key = std::pair<GpuCount, const std::vector<NodeIndex>*>;

  /// Workers that the 1, 2, ... largest hold.
  struct Sums {
    std::vector<std::int64_t> of_largest{};  // empty where `of_each` says it all
    std::int64_t of_each = 0;                // > 0: all hold as many
    std::int32_t count = 0;
  };

  [[nodiscard]] const Sums& sums_for(const Situation& situation, std::size_t job);
  [[nodiscard]] bool are_equal(const Situation& situation, std::size_t job) const;
  [[nodiscard]] std::vector<std::int64_t> sum_largest(const Situation& situation,
                                                      std::size_t job) const;

  std::vector<std::int32_t> domain_of_node_{};
  std::map<Key, Sums> sums_{};  // looked up only
  Key last_key_{};
  const Sums* last_ = nullptr;
};

}  // namespace voda::placers_detail

#ifndef VODA_COMPILED
#include "voda/placers/impl/span_bounds_inl.hpp"
#endif
