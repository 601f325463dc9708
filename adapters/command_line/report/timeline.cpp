#include "command_line/report/timeline.hpp"

#include <algorithm>

namespace voda::command_line {

void Timeline::Bin::merge(const Bin& other) {
  capacity_time += other.capacity_time;
  held_time += other.held_time;
  running_time += other.running_time;
  waiting_time += other.waiting_time;
  most_waiting = std::max(most_waiting, other.most_waiting);
  for (std::size_t kind = 0; kind < changes.size(); ++kind)
    changes[kind] += other.changes[kind];
}

void Timeline::pass(const ClusterLoad& load, TimePoint until) {
  while (end_ < until) {
    (void)reach(until);  // widens first, so that a long interval fills few bins
    const std::size_t index = reach(end_);
    const std::int64_t offset = (end_ - start_).count() % width_;
    const TimePoint bin_end =
        until - end_ > Duration(width_ - offset) ? end_ + Duration(width_ - offset) : until;
    const std::int64_t elapsed = (bin_end - end_).count();
    Bin& bin = bins_[index];
    bin.capacity_time += WideTime{load.capacity} * elapsed;
    bin.held_time += WideTime{load.held} * elapsed;
    bin.running_time += WideTime{load.running} * elapsed;
    bin.waiting_time += WideTime{load.waiting} * elapsed;
    bin.most_waiting = std::max(bin.most_waiting, load.waiting);
    end_ = bin_end;
  }
}

void Timeline::count(ChangeKind kind, TimePoint at, std::int64_t by) {
  bins_[reach(at)].changes[static_cast<std::size_t>(kind)] += by;
}

std::size_t Timeline::reach(TimePoint at) {
  const std::int64_t offset = (at - start_).count();
  while (offset / width_ >= static_cast<std::int64_t>(most_bins))
    widen();
  const auto index = static_cast<std::size_t>(offset / width_);
  if (index >= bins_.size())
    bins_.resize(index + 1);
  return index;
}

void Timeline::widen() {
  width_ *= 2;
  for (std::size_t i = 0; 2 * i < bins_.size(); ++i) {
    Bin merged = bins_[2 * i];
    if (2 * i + 1 < bins_.size())
      merged.merge(bins_[2 * i + 1]);
    bins_[i] = merged;
  }
  bins_.resize((bins_.size() + 1) / 2);
}

}  // namespace voda::command_line
