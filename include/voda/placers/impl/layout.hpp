#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
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

  /// Free GPUs of a node; negative while a search overfills it.
  [[nodiscard]] GpuCount free(std::int32_t node) const { return free_.free(node); }

  /// The nodes by free GPUs.
  [[nodiscard]] const FreeNodes& free_nodes() const { return free_; }

  /// Where a job is, in no particular order.
  [[nodiscard]] std::span<const Piece> pieces(std::size_t job) const { return pieces_[job]; }

  /// Who is on a node, in no particular order.
  [[nodiscard]] std::span<const Tenant> tenants(std::int32_t node) const {
    return tenants_[static_cast<std::size_t>(node)];
  }

  /// How many workers of a job a node holds. O(pieces of the job).
  [[nodiscard]] std::int32_t workers(std::size_t job, std::int32_t node) const {
    const auto pieces = pieces_[job];
    const auto found = std::ranges::find(pieces, node, &Piece::node);
    return found == pieces.end() ? 0 : found->workers;
  }

  /// Adds workers of a job to a node; a negative number removes. O(pieces of the job + tenants of the node).
  void add(const Situation& situation, std::size_t job, std::int32_t node, std::int32_t workers) {
    if (workers == 0)
      return;
    if (is_trial_)
      journal_.push_back({static_cast<std::int32_t>(job), node, workers});
    free_.take(node, workers * situation.jobs[job].gpus_per_worker);
    if (change(pieces_, job, node, workers, &Piece::node)) {
      pieces_.push_back(job, {.node = node, .workers = workers});
    }
    const auto tenant = static_cast<std::int32_t>(job);
    if (change(tenants_, static_cast<std::size_t>(node), tenant, workers, &Tenant::job)) {
      tenants_.push_back(static_cast<std::size_t>(node), {.job = tenant, .workers = workers});
    }
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
    is_trial_ = false;
    for (auto& change : std::ranges::reverse_view(journal_)) {
      add(situation, static_cast<std::size_t>(change.job), change.node, -change.workers);
    }
  }

 private:
  struct Change {
    std::int32_t job = 0;
    std::int32_t node = 0;
    std::int32_t workers = 0;
  };

  /// Changes the item with a key in a list; true when there is none.
  template <class T, class Key>
  static bool change(
      PieceLists<T>& lists, std::size_t list, std::int32_t key, std::int32_t by, Key of) {
    const auto items = lists[list];
    const auto found = std::ranges::find(items, key, of);
    if (found == items.end())
      return true;
    found->workers += by;
    if (found->workers == 0)
      lists.erase(list, static_cast<std::size_t>(found - items.begin()));
    return false;
  }

  FreeNodes free_;
  PieceLists<Piece> pieces_;
  PieceLists<Tenant> tenants_;
  std::vector<Change> journal_{};
  bool is_trial_ = false;
};

/// A layout together with the jobs that it leaves out.
struct Draft {
  Layout layout;
  std::vector<Unplaced> unplaced{};  // in arrival order
};

}  // namespace voda::placers_detail
