#pragma once

#include "voda/placers/impl/gather.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "voda/config.hpp"

namespace voda::placers_detail {

/// One gathering of all jobs of a layout.
class Gatherer {
 public:
  Gatherer(const Situation& situation, const Objective& objective, Layout& layout)
      : situation_(&situation), objective_(&objective), layout_(&layout) {
    for (std::size_t level = 0; level < objective.levels(); ++level) {
      auto& nodes = nodes_of_.emplace_back();
      for (std::size_t node = 0; node < situation.capacity.size(); ++node) {
        const std::size_t place = place_of(objective.domain(level, node));
        nodes.resize(std::max(nodes.size(), place + 1));
        nodes[place].push_back(static_cast<std::int32_t>(node));
      }
    }
  }

  /// Gathers one job as far as single steps lead; true when one was made.
  bool gather(std::size_t job) {
    bool any = false;
    for (std::size_t level = 0; level < objective_->levels(); ++level) {
      while (objective_->excess_domains(*layout_, job, level) > 0 && step(job, level))
        any = true;
    }
    return any;
  }

 private:
  /// One node's workers of a job.
  struct Part {
    std::size_t job = 0;
    std::int32_t node = 0;
    std::int32_t workers = 0;
  };

  /// Domains count from -1 on.
  [[nodiscard]] static std::size_t place_of(std::int32_t domain) {
    return static_cast<std::size_t>(std::int64_t{domain} + 1);
  }

  [[nodiscard]] GpuCount gpus(const Part& part) const {
    return part.workers * situation_->jobs[part.job].gpus_per_worker;
  }

  /// True when all workers of a part may go to another node at no cost.
  [[nodiscard]] bool may_go(const Part& part, std::int32_t node) const {
    return situation_->home_workers(part.job, part.node) == 0 &&
           layout_->workers(part.job, node) == 0 &&
           situation_->capacity[static_cast<std::size_t>(node)] > 0 &&
           situation_->may_use(part.job, node);
  }

  /// Excess domains of two jobs, innermost level first.
  [[nodiscard]] std::vector<std::int64_t> excess(std::size_t job, std::size_t other) const {
    std::vector<std::int64_t> result;
    result.reserve(objective_->levels());
    for (std::size_t level = 0; level < objective_->levels(); ++level) {
      result.push_back(objective_->excess_domains(*layout_, job, level) +
                       (other == job ? 0 : objective_->excess_domains(*layout_, other, level)));
    }
    return result;
  }

  void go(const Part& part, std::int32_t from, std::int32_t to) {
    layout_->add(*situation_, part.job, from, -part.workers);
    layout_->add(*situation_, part.job, to, part.workers);
  }

  /// Moves a part to a node; keeps it when fewer domains are used.
  bool try_gap(const Part& part, std::int32_t node) {
    if (layout_->free(node) < gpus(part))
      return false;
    const auto before = excess(part.job, part.job);
    go(part, part.node, node);
    if (excess(part.job, part.job) < before)
      return true;
    go(part, node, part.node);
    return false;
  }

  /// Exchanges two parts; keeps it when fewer domains are used.
  bool try_exchange(const Part& part, const Part& other) {
    if (other.job == part.job || !may_go(other, part.node) ||
        layout_->free(part.node) + gpus(part) < gpus(other) ||
        layout_->free(other.node) + gpus(other) < gpus(part))
      return false;
    const auto before = excess(part.job, other.job);
    go(part, part.node, other.node);
    go(other, other.node, part.node);
    if (excess(part.job, other.job) < before)
      return true;
    go(other, part.node, other.node);
    go(part, other.node, part.node);
    return false;
  }

  bool try_node(const Part& part, std::int32_t node) {
    if (node == part.node || !may_go(part, node))
      return false;
    if (try_gap(part, node))
      return true;
    const std::vector<Tenant> tenants(layout_->tenants(node).begin(), layout_->tenants(node).end());
    return std::ranges::any_of(tenants, [&](const Tenant& tenant) {
      const auto other = static_cast<std::size_t>(tenant.job);
      return try_exchange(part, {.job = other, .node = node, .workers = tenant.workers});
    });
  }

  /// Tries to bring one part of a job into a domain of another one.
  bool step(std::size_t job, std::size_t level) {
    const std::vector<Piece> pieces(layout_->pieces(job).begin(), layout_->pieces(job).end());
    for (const Piece& piece : pieces) {
      const Part part{.job = job, .node = piece.node, .workers = piece.workers};
      for (const Piece& anchor : pieces) {
        const auto domain = objective_->domain(level, static_cast<std::size_t>(anchor.node));
        if (domain == objective_->domain(level, static_cast<std::size_t>(piece.node)))
          continue;
        const auto& nodes = nodes_of_[level][place_of(domain)];
        if (std::ranges::any_of(nodes, [&](std::int32_t node) { return try_node(part, node); }))
          return true;
      }
    }
    return false;
  }

  const Situation* situation_ = nullptr;
  const Objective* objective_ = nullptr;
  Layout* layout_ = nullptr;
  std::vector<std::vector<std::vector<std::int32_t>>> nodes_of_{};  // by level, then domain + 1
};

VODA_INLINE void gather(const Situation& situation, const Objective& objective, Layout& layout) {
  if (objective.levels() == 0)
    return;
  constexpr int most_passes = 4;
  Gatherer gatherer(situation, objective, layout);
  bool any = true;
  for (int pass = 0; pass < most_passes && any; ++pass) {
    any = false;
    for (std::size_t job = 0; job < situation.jobs.size(); ++job)
      any = gatherer.gather(job) || any;
  }
}

}  // namespace voda::placers_detail
