#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

#include "voda/placers/impl/free_nodes.hpp"
#include "voda/placers/impl/piece_lists.hpp"
#include "voda/placers/impl/situation.hpp"

namespace voda::placers_detail {

/// Some workers on one node, by the job (position in arrival order) that they belong to.
struct Tenant {
  std::int32_t job = 0;
  std::int32_t workers = 0;
};

/// How many workers of each job each node holds: an answer before its workers have numbers.
class Layout {
 public:
  /// Nobody is placed.
  explicit Layout(const Situation& situation)
      : free_(situation.capacity),
        pieces_(situation.jobs.size(), 2),
        tenants_(situation.capacity.size(), 4) {}

  /// Everybody is on these pieces: those of job i from begin[i] to begin[i + 1], nodes ascending. `free`: what they leave.
  Layout(FreeNodes free, std::span<const std::uint32_t> begin, std::vector<Piece> pieces)
      : free_(std::move(free)),
        pieces_(begin, std::move(pieces)),
        tenants_(tenants_of(begin, pieces_, free_.all().size())) {}

  /// The survivors are where they may stay, and nobody else is placed.
  [[nodiscard]] static Layout at_home(const Situation& situation) {
    std::vector<GpuCount> free = situation.capacity;
    for (std::size_t job = 0; job < situation.jobs.size(); ++job) {
      for (const Piece& home : situation.home(job)) {
        free[static_cast<std::size_t>(home.node)] -=
            home.workers * situation.jobs[job].gpus_per_worker;
      }
    }
    return {FreeNodes(situation.capacity, free), situation.home_begin, situation.homes};
  }

  /// Free GPUs of a node; negative while a search overfills it.
  [[nodiscard]] GpuCount free(std::int32_t node) const { return free_.free(node); }

  /// The nodes by free GPUs.
  [[nodiscard]] const FreeNodes& free_nodes() const { return free_; }

  /// Where a job is, nodes ascending.
  [[nodiscard]] std::span<const Piece> pieces(std::size_t job) const { return pieces_[job]; }

  /// Who is on a node, jobs ascending.
  [[nodiscard]] std::span<const Tenant> tenants(std::int32_t node) const {
    return tenants_[static_cast<std::size_t>(node)];
  }

  /// How many workers of a job a node holds. O(log pieces of the job).
  [[nodiscard]] std::int32_t workers(std::size_t job, std::int32_t node) const {
    return workers_on(pieces_[job], node);
  }

  /// Adds workers of a job to a node; a negative number removes. O(pieces of the job + tenants of the node).
  void add(const Situation& situation, std::size_t job, std::int32_t node, std::int32_t workers) {
    if (workers == 0)
      return;
    if (is_trial_)
      journal_.push_back({static_cast<std::int32_t>(job), node, workers});
    free_.take(node, workers * situation.jobs[job].gpus_per_worker);
    change(pieces_, job, Piece{.node = node, .workers = workers}, &Piece::node);
    change(tenants_,
           static_cast<std::size_t>(node),
           Tenant{.job = static_cast<std::int32_t>(job), .workers = workers},
           &Tenant::job);
  }

  /// Removes all workers of a job.
  void clear(const Situation& situation, std::size_t job) {
    while (!pieces_[job].empty()) {
      const Piece piece = pieces_[job].front();
      add(situation, job, piece.node, -piece.workers);
    }
  }

  /// From here on changes can be taken back.
  void begin_trial() {
    journal_.clear();
    is_trial_ = true;
  }

  /// Keeps the changes since begin_trial().
  void end_trial() { is_trial_ = false; }

  /// Keeps the changes since begin_trial(); returns the jobs that were touched, repeated.
  [[nodiscard]] std::vector<std::int32_t> keep_trial() {
    is_trial_ = false;
    std::vector<std::int32_t> jobs;
    jobs.reserve(journal_.size());
    for (const Change& change : journal_)
      jobs.push_back(change.job);
    return jobs;
  }

  /// Takes back the changes since begin_trial().
  void undo_trial(const Situation& situation) {
    undo_trial(situation, [](std::size_t /*job*/, std::int32_t /*node*/, GpuCount /*sign*/) {});
  }

  /// The same; calls `watch(job, node, -1)` before each step and `watch(job, node, 1)` after it.
  template <class Watch>
  void undo_trial(const Situation& situation, Watch watch) {
    is_trial_ = false;
    for (const Change& change : std::ranges::reverse_view(journal_)) {
      const auto job = static_cast<std::size_t>(change.job);
      watch(job, change.node, -1);
      add(situation, job, change.node, -change.workers);
      watch(job, change.node, 1);
    }
  }

 private:
  struct Change {
    std::int32_t job = 0;
    std::int32_t node = 0;
    std::int32_t workers = 0;
  };

  /// Who is on each node, with room for one more.
  [[nodiscard]] static PieceLists<Tenant> tenants_of(std::span<const std::uint32_t> begin,
                                                     const PieceLists<Piece>& pieces,
                                                     std::size_t nodes) {
    const std::size_t jobs = begin.size() - 1;
    std::vector<std::uint32_t> counts(nodes, 0);
    for (std::size_t job = 0; job < jobs; ++job) {
      for (const Piece& piece : pieces[job])
        ++counts[static_cast<std::size_t>(piece.node)];
    }
    PieceLists<Tenant> tenants(counts, 1);
    for (std::size_t job = 0; job < jobs; ++job) {
      for (const Piece& piece : pieces[job]) {
        tenants.push_back(static_cast<std::size_t>(piece.node),
                          {.job = static_cast<std::int32_t>(job), .workers = piece.workers});
      }
    }
    return tenants;
  }

  /// Adds workers to the item of a sorted list that has the same key.
  template <class T, class Key>
  static void change(PieceLists<T>& lists, std::size_t list, const T& by, Key key) {
    const auto items = lists[list];
    const auto at =
        static_cast<std::size_t>(std::ranges::lower_bound(items, by.*key, {}, key) - items.begin());
    if (at == items.size() || items[at].*key != by.*key) {
      lists.insert(list, at, by);
      return;
    }
    items[at].workers += by.workers;
    if (items[at].workers == 0)
      lists.erase(list, at);
  }

  FreeNodes free_;
  PieceLists<Piece> pieces_;
  PieceLists<Tenant> tenants_;
  std::vector<Change> journal_{};
  bool is_trial_ = false;
};

/// True when all workers of a job are where survivors may stay, as many on each node.
[[nodiscard]] inline bool is_at_home(const Situation& situation,
                                     const Layout& layout,
                                     std::size_t job) {
  return std::ranges::equal(layout.pieces(job), situation.home(job));
}

/// Nodes that a job uses beyond the fewest that could hold it; below 0 for one that is not placed.
[[nodiscard]] inline std::int32_t excess_nodes(const Situation& situation,
                                               const Layout& layout,
                                               std::size_t job) {
  return static_cast<std::int32_t>(layout.pieces(job).size()) - situation.fewest_nodes[job];
}

/// A layout together with the jobs that it leaves out.
struct Draft {
  Layout layout;
  std::vector<Unplaced> unplaced{};  // in arrival order
};

}  // namespace voda::placers_detail
