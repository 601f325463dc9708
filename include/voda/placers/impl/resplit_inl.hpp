#pragma once

#include "voda/placers/impl/resplit.hpp"

#include <algorithm>
#include <limits>

#include "voda/config.hpp"

namespace voda::placers_detail {

VODA_INLINE void Resplitter::gather(const Situation& situation,
                                    const Layout& layout,
                                    std::int32_t first,
                                    std::int32_t second) {
  shares_.clear();
  for (const Tenant& tenant : layout.tenants(first)) {
    shares_.push_back({.job = tenant.job, .workers = tenant.workers, .first = tenant.workers});
  }
  for (const Tenant& tenant : layout.tenants(second)) {
    auto found = std::ranges::find(shares_, tenant.job, &Share::job);
    if (found == shares_.end())
      found = shares_.insert(found, {.job = tenant.job});
    found->workers += tenant.workers;
  }
  std::ranges::sort(shares_, {}, &Share::job);
  for (Share& share : shares_) {
    const auto job = static_cast<std::size_t>(share.job);
    share.per_worker = situation.jobs[job].gpus_per_worker;
    share.home_first = situation.home_workers(job, first);
    share.home_second = situation.home_workers(job, second);
    share.least = situation.may_use(job, second) ? 0 : share.workers;
    share.most = situation.may_use(job, first) ? share.workers : 0;
  }
}

/// The least cost of all shares when the first node holds at most `room_first` GPUs and the second `room_second`; impossible
/// also where the table would be too large.
VODA_INLINE std::int64_t Resplitter::solve(Weights weights,
                                           GpuCount room_first,
                                           GpuCount room_second) {
  constexpr std::int64_t impossible = std::numeric_limits<std::int64_t>::max() / 2;
  constexpr std::int64_t most_steps = 1 << 24;
  std::int64_t total = 0;
  std::int64_t counts = 0;
  for (const Share& share : shares_) {
    total += std::int64_t{share.workers} * share.per_worker;
    counts += share.most - share.least + 1;
  }
  const std::int64_t most_used = std::min<std::int64_t>(room_first, total);
  if (counts > most_steps || counts * (most_used + 1) > most_steps)
    return impossible;
  const auto cells = static_cast<std::size_t>(most_used) + 1;
  best_.assign(cells, impossible);
  best_[0] = 0;
  choice_.assign(shares_.size() * cells, 0);
  for (std::size_t i = 0; i < shares_.size(); ++i) {
    const Share& share = shares_[i];
    next_.assign(cells, impossible);
    for (std::int32_t count = share.least; count <= share.most; ++count) {
      const auto gpus =
          static_cast<std::size_t>(count) * static_cast<std::size_t>(share.per_worker);
      const std::int64_t cost = share.cost(weights, count);
      for (std::size_t used = gpus; used < cells; ++used) {
        if (best_[used - gpus] + cost >= next_[used])
          continue;
        next_[used] = best_[used - gpus] + cost;
        choice_[i * cells + used] = count;
      }
    }
    best_.swap(next_);
  }
  const std::int64_t least_used = std::max<std::int64_t>(0, total - room_second);
  if (least_used > most_used)
    return impossible;
  const auto found = std::min_element(best_.begin() + least_used, best_.end());
  if (found == best_.end() || *found >= impossible / 2)
    return impossible;
  auto used = static_cast<std::size_t>(found - best_.begin());
  target_.assign(shares_.size(), 0);
  for (std::size_t i = shares_.size(); i-- > 0;) {
    target_[i] = choice_[i * cells + used];
    used -= static_cast<std::size_t>(target_[i]) * static_cast<std::size_t>(shares_[i].per_worker);
  }
  return *found;
}

VODA_INLINE void Resplitter::apply(const Situation& situation,
                                   Layout& layout,
                                   std::int32_t first,
                                   std::int32_t second) const {
  for (std::size_t i = 0; i < shares_.size(); ++i) {
    const auto job = static_cast<std::size_t>(shares_[i].job);
    layout.add(situation, job, first, target_[i] - shares_[i].first);
    layout.add(situation, job, second, shares_[i].first - target_[i]);
  }
}

VODA_INLINE std::int64_t Resplitter::resplit(const Situation& situation,
                                             Weights weights,
                                             Layout& layout,
                                             std::int32_t first,
                                             std::int32_t second) {
  gather(situation, layout, first, second);
  std::int64_t now = 0;
  std::int64_t bound = 0;
  for (const Share& share : shares_) {
    now += share.cost(weights, share.first);
    bound += share.least_cost(weights);
  }
  if (bound == now)
    return 0;
  const auto room_of = [&](std::int32_t node) {
    return situation.capacity[static_cast<std::size_t>(node)];
  };
  const std::int64_t best = solve(weights, room_of(first), room_of(second));
  if (best >= now)
    return 0;
  apply(situation, layout, first, second);
  return now - best;
}

}  // namespace voda::placers_detail
