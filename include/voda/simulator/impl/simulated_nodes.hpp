#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "voda/model/error.hpp"
#include "voda/model/node.hpp"
#include "voda/simulator/node_event.hpp"
#include "voda/simulator/random.hpp"
#include "voda/simulator/simulator.hpp"

namespace voda::simulator_detail {

/// The nodes of a run and what is going to happen to them: listed events and random failures.
class SimulatedNodes {
 public:
  SimulatedNodes(const SimulationOptions& options, TimePoint start) : failures_(options.failures) {
    for (const Node& node : options.nodes) {
      position_.emplace(node.id.value, nodes_.size());
      nodes_.push_back({.node = node, .random = RandomStream(options.seed, nodes_.size())});
    }
    std::vector<std::pair<TimePoint, std::size_t>> order;
    for (const NodeEvent& event : options.node_events) {
      check_known(event);
      order.emplace_back(event.at, order.size());
    }
    std::ranges::sort(order);
    for (const auto& [at, index] : order)
      listed_.push_back(options.node_events[index]);
    if (failures_)
      check(*failures_);
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      plan_failure(i, start);
  }

  /// The earliest instant at which something happens; a random failure alone keeps no run alive.
  [[nodiscard]] std::optional<TimePoint> next(bool with_failures) const {
    std::optional<TimePoint> earliest;
    const auto consider = [&earliest](TimePoint at) {
      if (!earliest || at < *earliest)
        earliest = at;
    };
    if (next_listed_ < listed_.size())
      consider(listed_[next_listed_].at);
    if (!repairs_.empty())
      consider(repairs_.begin()->first);
    if (with_failures && !failing_.empty())
      consider(failing_.begin()->first);
    return earliest;
  }

  /// Takes what happens at `now`, in the order: repairs, failures, listed events.
  [[nodiscard]] std::vector<NodeEvent> take(TimePoint now) {
    std::vector<NodeEvent> result;
    for (; !repairs_.empty() && repairs_.begin()->first <= now; repairs_.erase(repairs_.begin())) {
      const std::size_t node = repairs_.begin()->second;
      result.push_back({.at = now, .node = nodes_[node].node.id, .kind = NodeEvent::Kind::up});
      plan_failure(node, now);
    }
    for (; !failing_.empty() && failing_.begin()->first <= now; failing_.erase(failing_.begin())) {
      const std::size_t node = failing_.begin()->second;
      result.push_back({.at = now, .node = nodes_[node].node.id, .kind = NodeEvent::Kind::down});
      repairs_.emplace(now + failures_->repair, node);
    }
    for (; next_listed_ < listed_.size() && listed_[next_listed_].at <= now; ++next_listed_) {
      result.push_back(listed_[next_listed_]);
    }
    return result;
  }

  /// Applies an event and returns the node as it is now, or nothing when it changed nothing.
  [[nodiscard]] std::optional<Node> apply(const NodeEvent& event) {
    State& state = nodes_[position_.at(event.node.value)];
    const State before = state;
    switch (event.kind) {
      case NodeEvent::Kind::down:
        state.is_up = false;
        break;
      case NodeEvent::Kind::up:
        state.is_up = true;
        break;
      case NodeEvent::Kind::cordon:
        state.node.schedulable = false;
        break;
      case NodeEvent::Kind::uncordon:
        state.node.schedulable = true;
        break;
      case NodeEvent::Kind::resize:
        state.node.gpus = event.gpus;
        break;
    }
    if (before.is_up == state.is_up && (!state.is_up || before.node == state.node))
      return std::nullopt;
    return state.node;
  }

  [[nodiscard]] bool is_up(const NodeId& id) const { return nodes_[position_.at(id.value)].is_up; }

 private:
  struct State {
    Node node{};
    bool is_up = true;
    RandomStream random{0};
  };

  static void check(const RandomFailures& failures) {
    if (failures.mean_time_between.count() <= 0 || failures.repair.count() <= 0) {
      throw InvalidInput(fmt::format("mtbf {} s, repair {} s; expected seconds > 0",
                                     to_seconds(failures.mean_time_between),
                                     to_seconds(failures.repair)));
    }
  }

  void check_known(const NodeEvent& event) const {
    if (!position_.contains(event.node.value)) {
      throw InvalidInput(
          fmt::format("node event at {} s: unknown node '{}'; expected a node of the cluster",
                      to_seconds(event.at),
                      event.node.value));
    }
  }

  void plan_failure(std::size_t node, TimePoint now) {
    if (!failures_)
      return;
    const auto mean = static_cast<double>(failures_->mean_time_between.count());
    const double wait = std::min(mean * nodes_[node].random.exponential(), 9e17);
    failing_.emplace(now + Duration(std::max<std::int64_t>(1, static_cast<std::int64_t>(wait))),
                     node);
  }

  std::optional<RandomFailures> failures_{};
  std::vector<State> nodes_{};
  std::map<std::string, std::size_t, std::less<>> position_{};
  std::vector<NodeEvent> listed_{};
  std::size_t next_listed_ = 0;
  std::set<std::pair<TimePoint, std::size_t>> failing_{};
  std::set<std::pair<TimePoint, std::size_t>> repairs_{};
};

}  // namespace voda::simulator_detail
