#include "command_line/what_if_source.hpp"

#include <algorithm>
#include <istream>
#include <ostream>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "command_line/dead_ends.hpp"
#include "command_line/input_file.hpp"
#include "command_line/record_entries.hpp"
#include "command_line/record_warning.hpp"
#include "command_line/snapshot_state.hpp"
#include "command_line/status.hpp"
#include "voda/io/snapshot.hpp"
#include "voda/model/error.hpp"
#include "voda/scheduler/cluster_state.hpp"

namespace voda::command_line {
namespace {

/// Follows a record without deciding anything.
class Follower {
 public:
  explicit Follower(const std::optional<TimePoint>& at) : at_(at) {}

  void take(const ClusterImage& image) {
    if (!is_later(image.now))
      state_ = ClusterState::from_image(image);
  }

  void take(const Event& event) {
    if (!is_later(event.at)) {
      state_.apply(event);
    } else if (const auto* submitted = std::get_if<JobSubmitted>(&event.body)) {
      later_.jobs.push_back(submitted->job);
      later_.jobs.back().submitted = event.at;
    }
  }

  [[nodiscard]] WhatIfSource taken(std::string name) && {
    WhatIfSource result{
        .state = state_.image(), .later = std::move(later_), .name = std::move(name)};
    if (at_)
      result.state.now = std::max(result.state.now, *at_);
    return result;
  }

 private:
  [[nodiscard]] bool is_later(TimePoint at) const { return at_ && at > *at_; }

  std::optional<TimePoint> at_{};
  ClusterState state_{};
  Trace later_{};
};

WhatIfSource follow(std::istream& in,
                    const std::string& name,
                    const std::optional<TimePoint>& at,
                    const Context& context) {
  Follower follower(at);
  const auto cut = for_each_entry(in, name, [&follower](const RecordEntry& entry) {
    std::visit([&follower](const auto& value) { follower.take(value); }, entry);
    return true;
  });
  warn_of_cut(cut, name, context);
  return std::move(follower).taken(name);
}

}  // namespace

WhatIfSource read_what_if_source(const std::string& path,
                                 const std::optional<TimePoint>& at,
                                 const Context& context) {
  InputFile input(path, context);
  if (input.stream().peek() == 'V')
    return follow(input.stream(), input.name(), at, context);
  if (at)
    throw UsageError("--at: only a record has more than one moment; expected none for a snapshot");
  const Snapshot snapshot = read_snapshot(input.text(), input.name());
  warn_of_dead_ends(snapshot, input.name(), context);
  return {.state = state_of(snapshot).image(), .name = input.name()};
}

}  // namespace voda::command_line
