#pragma once

#include "voda/placers/impl/binding.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "voda/config.hpp"
#include "voda/solvers/weighted_matching.hpp"

namespace voda::placers_detail {

/// Numbers nodes so that two have the same number when they are equally large and every job may use both or neither. Each
/// list of eligible nodes splits the classes of its members, so that the work is the length of the lists.
inline std::vector<std::int64_t> class_nodes(const Situation& situation) {
  std::vector<std::int64_t> class_of(situation.capacity.begin(), situation.capacity.end());
  std::int64_t next = class_of.empty() ? 0 : std::ranges::max(class_of) + 1;
  std::unordered_set<const void*> seen;
  std::unordered_map<std::int64_t, std::int64_t> part_of;  // a class -> those of it in the list
  for (const Contender& contender : situation.jobs) {
    if (contender.eligible == nullptr || !seen.insert(contender.eligible).second)
      continue;
    part_of.clear();
    const std::int64_t first_part = next;
    for (const NodeIndex member : *contender.eligible) {
      if (position(member) >= class_of.size() || class_of[position(member)] >= first_part)
        continue;
      const auto [part, is_new] = part_of.try_emplace(class_of[position(member)], next);
      next += is_new ? 1 : 0;
      class_of[position(member)] = part->second;
    }
  }
  return class_of;
}

/// Pairs of a packed and a present piece of one job.
[[nodiscard]] inline std::size_t count_pairs(const Situation& situation, const Layout& packed) {
  std::size_t pairs = 0;
  for (std::size_t job = 0; job < situation.jobs.size(); ++job) {
    pairs += packed.pieces(job).size() * situation.home(job).size();
  }
  return pairs;
}

/// True when so many pairs take longer to compare than the nodes do.
[[nodiscard]] inline bool are_many_pairs(std::size_t pairs, std::size_t nodes) {
  return pairs > 16 * nodes;
}

/// How many workers packed nodes and present ones have in common, a packed node at a time.
class Overlaps {
 public:
  explicit Overlaps(std::size_t nodes) : common_(nodes, 0) {}

  /// Calls `visit(present node, workers in common)` for each node that shares a job, in the order of the nodes.
  template <class Visit>
  void of_node(const Situation& situation, const Layout& packed, std::int32_t node, Visit visit) {
    for (const Tenant& tenant : packed.tenants(node)) {
      for (const Piece& present : situation.home(static_cast<std::size_t>(tenant.job))) {
        auto& common = common_[static_cast<std::size_t>(present.node)];
        if (common == 0)
          nodes_.push_back(present.node);
        common += std::min(tenant.workers, present.workers);
      }
    }
    std::ranges::sort(nodes_);
    for (const std::int32_t present : nodes_) {
      visit(present, common_[static_cast<std::size_t>(present)]);
      common_[static_cast<std::size_t>(present)] = 0;
    }
    nodes_.clear();
  }

 private:
  std::vector<std::int32_t> common_{};  // by present node; all 0 between calls
  std::vector<std::int32_t> nodes_{};
};

/// Pairs packed nodes with present ones. Identical contents are paired at once where that saves work: some optimum does so,
/// since for multisets |A n K| + |A n L| <= |A| + |K n L|.
class Binder {
 public:
  Binder(const Situation& situation, const Layout& packed)
      : class_of_(class_nodes(situation)),
        node_for_(class_of_.size(), no_partner),
        is_taken_(class_of_.size(), 0) {
    if (are_many_pairs(count_pairs(situation, packed), class_of_.size()))
      pair_identical(situation, packed);
    if (!situation.homes.empty())
      match(situation, packed);
    pair_rest(packed);
  }

  /// Where each packed node goes.
  [[nodiscard]] const std::vector<std::int32_t>& node_for() const { return node_for_; }

  [[nodiscard]] std::int64_t overlap() const { return overlap_; }

  [[nodiscard]] std::int64_t bound() const { return bound_; }

 private:
  static constexpr std::int32_t no_partner = -1;

  /// Who is on a node: jobs in ascending order with their workers.
  struct Held {
    std::int64_t node_class = 0;
    std::vector<std::pair<std::int32_t, std::int32_t>> contents{};
    std::int32_t node = 0;
    auto operator<=>(const Held&) const = default;
  };

  void pair(std::size_t packed_node, std::size_t present_node) {
    node_for_[packed_node] = static_cast<std::int32_t>(present_node);
    is_taken_[present_node] = 1;
  }

  [[nodiscard]] std::vector<Held> sorted_contents(std::vector<Held> nodes) const;
  void pair_identical(const Situation& situation, const Layout& packed);
  void match(const Situation& situation, const Layout& packed);
  void pair_rest(const Layout& packed);

  std::vector<std::int64_t> class_of_{};
  std::vector<std::int32_t> node_for_{};
  std::vector<std::uint8_t> is_taken_{};
  std::int64_t overlap_ = 0;
  std::int64_t bound_ = 0;
};

/// The nodes that hold somebody, sorted by class and contents.
inline std::vector<Binder::Held> Binder::sorted_contents(std::vector<Held> nodes) const {
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    nodes[node].node_class = class_of_[node];
    nodes[node].node = static_cast<std::int32_t>(node);
  }
  std::erase_if(nodes, [](const Held& held) { return held.contents.empty(); });
  std::ranges::sort(nodes);
  return nodes;
}

/// Pairs packed and present nodes of one class whose workers are the same, jobs on one side only left out.
inline void Binder::pair_identical(const Situation& situation, const Layout& packed) {
  std::vector<Held> wanted(class_of_.size());
  std::vector<Held> present(class_of_.size());
  for (std::size_t job = 0; job < situation.jobs.size(); ++job) {
    if (packed.pieces(job).empty() || situation.home(job).empty())
      continue;
    const auto name = static_cast<std::int32_t>(job);
    for (const Piece& piece : packed.pieces(job)) {
      wanted[static_cast<std::size_t>(piece.node)].contents.emplace_back(name, piece.workers);
    }
    for (const Piece& piece : situation.home(job)) {
      present[static_cast<std::size_t>(piece.node)].contents.emplace_back(name, piece.workers);
    }
  }
  wanted = sorted_contents(std::move(wanted));
  present = sorted_contents(std::move(present));
  const auto key = [](const Held& held) { return std::tie(held.node_class, held.contents); };
  for (std::size_t w = 0, p = 0; w < wanted.size() && p < present.size();) {
    const auto order = key(wanted[w]) <=> key(present[p]);
    if (order == 0) {
      pair(static_cast<std::size_t>(wanted[w].node), static_cast<std::size_t>(present[p].node));
      for (const auto& [job, workers] : wanted[w].contents)
        overlap_ += workers;
    }
    w += order <= 0 ? 1 : 0;
    p += order >= 0 ? 1 : 0;
  }
  bound_ = overlap_;
}

/// The other nodes: a matching of largest overlap, by an index from jobs to nodes.
inline void Binder::match(const Situation& situation, const Layout& packed) {
  solvers::SparseCost<std::int32_t> overlap{.columns = static_cast<int>(class_of_.size())};
  overlap.row_begin.reserve(class_of_.size() + 1);
  overlap.row_begin.push_back(0);
  Overlaps overlaps(class_of_.size());
  for (std::size_t row = 0; row < class_of_.size(); ++row) {
    if (node_for_[row] == no_partner) {
      overlaps.of_node(situation,
                       packed,
                       static_cast<std::int32_t>(row),
                       [&](std::int32_t present, std::int32_t common) {
                         const auto column = static_cast<std::size_t>(present);
                         if (is_taken_[column] != 0 || class_of_[row] != class_of_[column])
                           return;
                         overlap.column.push_back(present);
                         overlap.cost.push_back(common);
                       });
    }
    overlap.row_begin.push_back(static_cast<int>(overlap.column.size()));
  }
  const auto matching = solvers::max_weight_matching(overlap.view());
  for (std::size_t row = 0; row < class_of_.size(); ++row) {
    if (matching.column_of_row[row] >= 0)
      pair(row, static_cast<std::size_t>(matching.column_of_row[row]));
  }
  overlap_ += matching.weight;
  for (const std::int32_t price : matching.row_price)
    bound_ += price;
  for (const std::int32_t price : matching.column_price)
    bound_ += price;
}

/// Nodes that share nobody are paired in the order of the nodes within their class; those that hold somebody come first.
inline void Binder::pair_rest(const Layout& packed) {
  std::map<std::int64_t, std::vector<std::size_t>>
      left;  // present nodes of a class, last one first
  for (std::size_t node = class_of_.size(); node-- > 0;) {
    if (is_taken_[node] == 0)
      left[class_of_[node]].push_back(node);
  }
  for (const bool holds_somebody : {true, false}) {
    for (std::size_t node = 0; node < class_of_.size(); ++node) {
      const bool is_used = !packed.tenants(static_cast<std::int32_t>(node)).empty();
      if (node_for_[node] != no_partner || is_used != holds_somebody)
        continue;
      auto& candidates = left[class_of_[node]];
      pair(node, candidates.back());
      candidates.pop_back();
    }
  }
}

/// The same layout on other nodes: packed node n becomes node_for[n].
inline Layout renamed(const Situation& situation,
                      const Layout& packed,
                      std::span<const std::int32_t> node_for) {
  const auto is_same = [at = std::int32_t{0}](std::int32_t node) mutable { return node == at++; };
  if (std::ranges::all_of(node_for, is_same))
    return packed;
  std::vector<GpuCount> free(node_for.size());
  for (std::size_t node = 0; node < free.size(); ++node)
    free[static_cast<std::size_t>(node_for[node])] = packed.free(static_cast<std::int32_t>(node));
  std::vector<std::uint32_t> begin{0};
  std::vector<Piece> pieces;
  begin.reserve(situation.jobs.size() + 1);
  pieces.reserve(situation.jobs.size());
  for (std::size_t job = 0; job < situation.jobs.size(); ++job) {
    for (const Piece& piece : packed.pieces(job)) {
      pieces.push_back(
          {.node = node_for[static_cast<std::size_t>(piece.node)], .workers = piece.workers});
    }
    if (pieces.size() > begin.back() + 1) {
      std::ranges::sort(std::span(pieces).subspan(begin.back()), {}, &Piece::node);
    }
    begin.push_back(static_cast<std::uint32_t>(pieces.size()));
  }
  return {FreeNodes(situation.capacity, free), begin, std::move(pieces)};
}

VODA_INLINE Binding bind(const Situation& situation, const Layout& packed) {
  const Binder binder(situation, packed);
  return {.layout = renamed(situation, packed, binder.node_for()),
          .overlap = binder.overlap(),
          .bound = binder.bound()};
}

/// The pieces in the order of the nodes.
inline std::vector<OwnedPiece> by_node(std::span<const OwnedPiece> pieces, std::size_t nodes) {
  std::vector<std::uint32_t> next(nodes + 1, 0);
  for (const OwnedPiece& owned : pieces)
    ++next[static_cast<std::size_t>(owned.piece.node) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<OwnedPiece> sorted(pieces.size());
  for (const OwnedPiece& owned : pieces)
    sorted[next[static_cast<std::size_t>(owned.piece.node)]++] = owned;
  return sorted;
}

VODA_INLINE std::int64_t overlap_bound(const Situation& situation,
                                       std::span<const OwnedPiece> packed) {
  std::int64_t bound = 0;
  std::vector<std::int32_t> common(situation.capacity.size(), 0);  // by present node
  const std::vector<OwnedPiece> pieces = by_node(packed, common.size());
  const auto home = [&](const OwnedPiece& owned) {
    return situation.home(static_cast<std::size_t>(owned.job));
  };
  for (std::size_t begin = 0, end = 0; begin < pieces.size(); begin = end) {
    std::int32_t most = 0;
    for (; end < pieces.size() && pieces[end].piece.node == pieces[begin].piece.node; ++end) {
      for (const Piece& present : home(pieces[end])) {
        std::int32_t& workers = common[static_cast<std::size_t>(present.node)];
        workers += std::min(pieces[end].piece.workers, present.workers);
        most = std::max(most, workers);
      }
    }
    for (std::size_t at = begin; at < end; ++at) {
      for (const Piece& present : home(pieces[at]))
        common[static_cast<std::size_t>(present.node)] = 0;
    }
    bound += most;
  }
  return bound;
}

}  // namespace voda::placers_detail
