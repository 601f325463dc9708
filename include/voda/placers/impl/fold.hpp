#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "voda/placers/impl/layout.hpp"
#include "voda/placers/impl/objective.hpp"
#include "voda/placers/impl/situation.hpp"

namespace voda::placers_detail {

/// Brings jobs that use excess nodes onto fewer ones by chains of evictions (F. Glover's ejection chains, 1996): some workers
/// of the job go where others make room for them; these go into a gap or evict smaller ones in turn.
///
/// Sizes fall along a chain, so it ends. A fold is kept when all costs together fall. Looks at the nodes of the job (of
/// many, at those with most room) and at some of the emptiest ones.
class Folder {
 public:
  /// `away`: the jobs that are not just where they were.
  Folder(const Situation& situation,
         const Objective& objective,
         std::span<const std::int32_t> away,
         Layout& layout);

  /// Takes one excess node from a job; false: none was found that pays.
  [[nodiscard]] bool fold(std::size_t job);

  /// The jobs that the last successful fold moved.
  [[nodiscard]] std::span<const std::int32_t> moved() const { return touched_; }

  /// False: what the last fold() looked at is at home, so that it does the same when everybody is.
  [[nodiscard]] bool saw_strangers() const { return saw_strangers_; }

  /// By how much the last successful fold lowered the cost.
  [[nodiscard]] std::int64_t gain() const { return -cost_change_; }

 private:
  /// Workers of one job that need a node.
  struct Loose {
    std::int32_t job = 0;
    std::int32_t workers = 0;
    GpuCount gpus = 0;
  };

  /// Tenants that could leave a node, and what that may cost: their moves, and more where no gap could hold them.
  struct Eviction {
    std::uint64_t tenants = 0;  // by position on the node
    std::int64_t cost = impossible;
  };

  /// A way to fold a job: one or two pieces leave for a node, or one for the gaps on the job's other nodes.
  struct Option {
    std::int64_t cost = impossible;  // of leaving, with the eviction's
    std::int32_t first = 0;          // pieces by position
    std::int32_t second = -1;
    std::int32_t target = no_node;  // no_node: the gaps
    bool is_hopeless = false;       // nothing could make room for the largest of those evicted
  };

  /// A tenant that could leave a node.
  struct Candidate {
    std::uint64_t tenant = 0;  // its bit
    GpuCount gpus = 0;
    std::int64_t cost = 0;
  };

  static constexpr std::int64_t impossible = INT64_MAX / 4;
  static constexpr std::size_t emptiest_nodes = 8;
  static constexpr std::size_t most_options = 6;
  static constexpr std::size_t most_pieces = 3;
  static constexpr std::size_t most_own_nodes = 64;
  static constexpr int longest_chain = 64;

  void list_pieces(std::size_t job);
  void list_options(std::size_t job);
  void offer_own_nodes(std::size_t job, std::int32_t at, std::int64_t leaving);
  void offer_other_nodes(std::size_t job, std::int64_t leaving);
  void offer(std::size_t job, Option option, std::int64_t leaving);
  [[nodiscard]] bool is_hopeless(const Option& option,
                                 const Eviction& eviction,
                                 GpuCount gpus) const;
  [[nodiscard]] bool attempt(std::size_t job, const Option& option);
  [[nodiscard]] std::int32_t lift(std::size_t job, const Option& option);
  [[nodiscard]] bool drop(std::size_t job, const Option& option, std::int32_t workers);
  [[nodiscard]] bool fill_gaps(std::size_t job, std::int32_t workers);
  [[nodiscard]] bool settle();
  void take_back();
  [[nodiscard]] bool put(const Loose& loose);
  [[nodiscard]] std::int32_t gap_for(const Loose& loose) const;
  [[nodiscard]] Eviction cheapest_eviction(
      std::int32_t node, std::int32_t job, GpuCount need, GpuCount below, std::int64_t limit);
  [[nodiscard]] GpuCount list_candidates(std::int32_t node,
                                         std::int32_t job,
                                         GpuCount below,
                                         std::int64_t limit);
  [[nodiscard]] Eviction eviction_for(std::size_t job,
                                      std::int32_t target,
                                      GpuCount gpus,
                                      std::int64_t limit);
  void evict(std::int32_t node, std::uint64_t tenants);
  [[nodiscard]] std::int64_t leaving_cost(std::size_t job,
                                          std::int32_t node,
                                          std::int32_t workers) const;
  [[nodiscard]] std::int64_t least_eviction_cost(std::int32_t node, GpuCount need) const;
  [[nodiscard]] std::int64_t gpus_of(std::size_t job, const Piece& piece) const;
  [[nodiscard]] GpuCount gap_without(std::size_t job, const Piece& piece) const;
  [[nodiscard]] std::int64_t cost_of_moving(GpuCount gpus) const;
  void find_emptiest();
  [[nodiscard]] GpuCount strangers(std::size_t job, std::int32_t node) const;
  void move(std::size_t job, std::int32_t node, std::int32_t workers);

  const Situation* situation_ = nullptr;
  const Objective* objective_ = nullptr;
  Layout* layout_ = nullptr;
  GpuCount largest_worker_ = 1;
  GpuCount smallest_worker_ = INT32_MAX;
  GpuCount largest_node_ = 0;
  std::size_t unusable_nodes_ = 0;
  GpuCount largest_gap_ = 0;           // that evicted workers may find
  std::vector<GpuCount> strangers_{};  // by node: GPUs of workers that would not move if they left
  std::vector<std::uint32_t> seen_in_{};  // by job: the last attempt that touched it
  std::uint32_t attempt_ = 0;
  std::vector<std::int32_t> touched_{};
  std::int64_t cost_change_ = 0;  // of the attempt so far
  std::int64_t spent_ = 0;        // what the chain may cost so far
  std::vector<Loose> loose_{};
  std::vector<Piece> pieces_{};
  std::vector<Option> options_{};
  bool saw_strangers_ = false;
  std::vector<Candidate> candidates_{};
  std::vector<Eviction> best_{};
  std::vector<std::int32_t> emptiest_{};
  std::int64_t most_room_ = 0;  // free GPUs and strangers' on one of them
};

/// What fold_all() did.
struct Folded {
  std::int64_t gain = 0;  // by how much the cost fell
  /// Jobs still on excess nodes for which a fold might be found once everybody is at home where they are now, ascending. For
  /// the others it is certain that none would be.
  std::vector<std::int32_t> in_doubt{};
};

/// Where the jobs of a layout stand.
struct Survey {
  std::int64_t cost = 0;
  std::vector<std::int32_t> away{};  // jobs that are not just where they were
  std::vector<std::int32_t>
      to_fold{};  // on excess nodes: those away first, for the others could not be folded before
};

[[nodiscard]] Survey survey(const Situation& situation,
                            const Objective& objective,
                            const Layout& layout);

/// Folds the jobs that a survey of the layout lists, and those that a fold moved.
[[nodiscard]] Folded fold_all(const Situation& situation,
                              const Objective& objective,
                              const Survey& survey,
                              Layout& layout);

}  // namespace voda::placers_detail

#ifndef VODA_COMPILED
#include "voda/placers/impl/fold_inl.hpp"
#include "voda/placers/impl/fold_options_inl.hpp"
#endif
