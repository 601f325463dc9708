#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "voda/config.hpp"
#include "voda/model/allocation.hpp"
#include "voda/model/job_columns.hpp"
#include "voda/model/node_columns.hpp"
#include "voda/model/placement.hpp"
#include "voda/model/units.hpp"
#include "voda/policy/explanation.hpp"

namespace voda {

/// Workers that one problem may ask to place: each becomes an entry of a list.
inline constexpr std::int64_t most_placed_workers = std::int64_t{1} << 26;

/// How many GPUs each job has, which nodes there are, and where the surviving workers run.
struct PlacementProblem {
  std::shared_ptr<const NodeColumns> nodes{};
  std::shared_ptr<const JobColumns> jobs{};  // arrival, gpus_per_worker (sizes), eligible nodes
  std::shared_ptr<const std::vector<JobIndex>> arrival_order{};
  Allocation allocation{};  // GPUs per job, multiples of its gpus_per_worker
  Placement current{};      // workers that survive the resize, by number; may lie on lost nodes
};

/// Why a job could not be placed in full.
enum class UnplacedReason : std::uint8_t {
  no_capacity,   // fewer free GPUs than it needs on the nodes that it may use
  fragmentation  // enough free GPUs there, but split so that its workers do not fit
};

struct Unplaced {
  JobIndex job{};
  UnplacedReason reason = UnplacedReason::no_capacity;
  GpuCount free_gpus = 0;       // on nodes that it may use, when it was tried
  GpuCount placeable_gpus = 0;  // the largest multiple of its worker size that would have fitted
  bool operator==(const Unplaced&) const = default;
};

/// What a placement costs, term by term (placement.md, "Quality").
struct PlacementCost {
  std::int64_t excess_span = 0;  // nodes used beyond the fewest that could hold the job, summed
  std::int64_t moved = 0;        // surviving workers whose node changed, without forced ones
  std::int64_t forced = 0;       // workers that had to leave a lost, cordoned or shrunk node
  std::vector<std::int64_t>
      excess_by_level{};  // the same as excess_span per topology level, innermost first
  bool operator==(const PlacementCost&) const = default;
};

/// What no placement of the same jobs can undercut.
struct PlacementBound {
  std::int64_t excess_span = 0;
  std::int64_t moved =
      0;  // for this packing: certified by the binding's dual prices where there is one
  bool operator==(const PlacementBound&) const = default;
};

struct PlacementDecision {
  Placement placement{};             // jobs in `unplaced` hold nothing
  std::vector<Unplaced> unplaced{};  // in arrival order
  PlacementCost cost{};
  PlacementBound bound{};
};

/// Scratch and caches of one placer in one scheduler; answers as place() does.
class PlacerSession {
 public:
  virtual ~PlacerSession() = default;
  [[nodiscard]] virtual const PlacementDecision& update(const PlacementProblem& problem) = 0;

 protected:
  PlacerSession() = default;
  PlacerSession(const PlacerSession&) = default;
  PlacerSession& operator=(const PlacerSession&) = default;
};

/// Decides which nodes hold the workers of each job. Stateless and const, as Allocator.
class Placer {
 public:
  virtual ~Placer() = default;

  /// A job's workers match its allocation, or it is in `unplaced` with the reason; no node exceeds its usable GPUs.
  [[nodiscard]] virtual PlacementDecision place(const PlacementProblem& problem) const = 0;

  [[nodiscard]] virtual std::unique_ptr<PlacerSession> session() const { return nullptr; }

  /// Why the workers of `job`, a contestant, are where `decision`, the answer to `problem`, puts them, or nowhere. The default
  /// says what can be said without knowing the placer; a placer of your own may put its rule in front of that.
  [[nodiscard]] virtual std::vector<Reason> explain(const PlacementProblem& problem,
                                                    const PlacementDecision& decision,
                                                    JobIndex job) const;

 protected:
  Placer() = default;
  Placer(const Placer&) = default;
  Placer& operator=(const Placer&) = default;
};

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/policy/impl/placer_inl.hpp"
#endif
