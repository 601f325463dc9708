#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "voda/model/ids.hpp"
#include "voda/model/job_columns.hpp"
#include "voda/model/units.hpp"
#include "voda/policy/placer.hpp"

namespace voda::placers_detail {

/// Some workers of one job on one node.
struct Piece {
  std::int32_t node = 0;
  std::int32_t workers = 0;
  bool operator==(const Piece&) const = default;
};

/// A piece and whose it is.
struct OwnedPiece {
  std::int32_t job = 0;
  Piece piece{};
};

/// The workers on a node, among pieces in the order of the nodes.
[[nodiscard]] inline std::int32_t workers_on(std::span<const Piece> pieces, std::int32_t node) {
  const auto found = std::ranges::lower_bound(pieces, node, {}, &Piece::node);
  return found != pieces.end() && found->node == node ? found->workers : 0;
}

/// A job that wants workers placed.
struct Contender {
  JobIndex slot{};
  std::int32_t workers = 0;
  std::int32_t gpus_per_worker = 1;
  std::int32_t survivors = 0;        // workers that ran before and go on, wherever they were
  std::uint32_t first_survivor = 0;  // position of its worker 0 in `must_leave`
  const std::vector<NodeIndex>* eligible = nullptr;  // null: every node
};

/// A placement problem as placers read it: jobs by position in arrival order, so that slots do not matter, and what of
/// the current placement may stay.
struct Situation {
  std::vector<GpuCount> capacity{};          // usable GPUs per node
  std::vector<Contender> jobs{};             // those with workers, in arrival order
  std::vector<std::int32_t> fewest_nodes{};  // by job: nodes that could hold it, were all empty
  std::vector<std::uint32_t> home_begin{};   // one per job and one more
  std::vector<Piece> homes{};                // survivors that may stay, by job, then node
  std::vector<std::uint8_t>
      must_leave{};  // per survivor: its node is lost, cordoned, too small or not eligible

  /// Where the workers of a job may stay, nodes ascending.
  [[nodiscard]] std::span<const Piece> home(std::size_t job) const {
    return std::span(homes).subspan(home_begin[job], home_begin[job + 1] - home_begin[job]);
  }

  /// How many workers of a job may stay on a node.
  [[nodiscard]] std::int32_t home_workers(std::size_t job, std::int32_t node) const {
    return workers_on(home(job), node);
  }

  [[nodiscard]] bool may_use(std::size_t job, std::int32_t node) const {
    const auto* eligible = jobs[job].eligible;
    return eligible == nullptr ||
           std::ranges::binary_search(*eligible, static_cast<NodeIndex>(node));
  }

  /// Calls `visit(node)` for each node that a job may use, in ascending order; some have no usable GPU.
  template <class Visit>
  void for_each_usable(std::size_t job, Visit visit) const {
    const auto* eligible = jobs[job].eligible;
    if (eligible == nullptr) {
      for (std::size_t node = 0; node < capacity.size(); ++node)
        visit(node);
      return;
    }
    for (const NodeIndex node : *eligible) {
      if (position(node) < capacity.size())
        visit(position(node));
    }
  }
};

/// Reads a problem; throws InvalidInput as check() does. O(nodes + jobs + workers).
[[nodiscard]] Situation read_situation(const PlacementProblem& problem);

}  // namespace voda::placers_detail

#ifndef VODA_COMPILED
#include "voda/placers/impl/situation_inl.hpp"
#endif
