#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "voda/config.hpp"
#include "voda/placers/impl/free_nodes.hpp"
#include "voda/placers/impl/layout.hpp"
#include "voda/placers/impl/packing_steps.hpp"
#include "voda/placers/impl/situation.hpp"

namespace voda::placers_detail {

/// Packs jobs that may use every node onto empty nodes, by the rule of pack(): nobody is ever taken back, so that who is on
/// a node need not be known before the end.
class PlainPacker {
 public:
  explicit PlainPacker(const Situation& situation)
      : situation_(&situation), free_(situation.capacity), count_(situation.jobs.size(), 0) {
    pieces_.reserve(situation.jobs.size());
  }

  /// Refuses what does not fit of jobs of one worker size, in arrival order; appends the others to `admitted`.
  template <class Refuse>
  void admit(std::span<const std::int32_t> by_arrival,
             std::vector<std::int32_t>& admitted,
             Refuse refuse) const {
    const GpuCount per_worker = contender(by_arrival.front()).gpus_per_worker;
    std::int64_t gpus = 0;
    std::int64_t workers = 0;
    for (const GpuCount free : free_.all()) {
      gpus += free;
      workers += free / per_worker;
    }
    for (const std::int32_t job : by_arrival) {
      const std::int32_t wanted = contender(job).workers;
      if (wanted > workers) {
        refuse(job, gpus, workers);
        continue;
      }
      workers -= wanted;
      gpus -= std::int64_t{wanted} * per_worker;
      admitted.push_back(job);
    }
  }

  /// Places a job that was admitted.
  void place(std::int32_t job) {
    const GpuCount per_worker = contender(job).gpus_per_worker;
    for (std::int32_t rest = contender(job).workers; rest > 0;) {
      const std::int32_t node = next_node(free_, contender(job), rest);
      VODA_ASSERT(node != no_node, "a job that was admitted can be placed");
      const std::int32_t placed = std::min(rest, free_.free(node) / per_worker);
      free_.take(node, placed * per_worker);
      pieces_.push_back({.job = job, .piece = {.node = node, .workers = placed}});
      ++count_[static_cast<std::size_t>(job)];
      rest -= placed;
    }
  }

  /// Whom place() placed, the jobs in that order.
  [[nodiscard]] std::span<const OwnedPiece> pieces() const { return pieces_; }

  /// Where everybody is.
  [[nodiscard]] Layout finish() {
    std::vector<std::uint32_t> begin(count_.size() + 1, 0);
    for (std::size_t job = 0; job < count_.size(); ++job)
      begin[job + 1] = begin[job] + count_[job];
    std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
    std::vector<Piece> pieces(pieces_.size());
    for (const auto& [job, piece] : pieces_)
      pieces[next[static_cast<std::size_t>(job)]++] = piece;
    for (std::size_t job = 0; job < count_.size(); ++job) {
      if (count_[job] > 1)
        std::ranges::sort(std::span(pieces).subspan(begin[job], count_[job]), {}, &Piece::node);
    }
    return {std::move(free_), begin, std::move(pieces)};
  }

 private:
  [[nodiscard]] const Contender& contender(std::int32_t job) const {
    return situation_->jobs[static_cast<std::size_t>(job)];
  }

  const Situation* situation_ = nullptr;
  FreeNodes free_;
  std::vector<std::uint32_t> count_{};  // pieces by job
  std::vector<OwnedPiece> pieces_{};
};

}  // namespace voda::placers_detail
