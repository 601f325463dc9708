#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "voda/model/error.hpp"
#include "voda/model/nearest_names.hpp"
#include "voda/model/node.hpp"
#include "voda/model/number_text.hpp"
#include "voda/simulator/impl/starting_state.hpp"
#include "voda/simulator/node_event.hpp"
#include "voda/simulator/random.hpp"
#include "voda/simulator/simulator.hpp"

namespace voda::simulator_detail {

/// Who says that something happens to a node.
enum class Source : std::uint8_t { listed, random };

/// A node event and its source. A node is up only while both sources say so.
struct NodeChange {
  NodeEvent event{};
  Source source = Source::listed;
};

/// The nodes of a run and what is going to happen to them: listed events and random failures.
class SimulatedNodes {
 public:
  SimulatedNodes(const SimulationOptions& options, TimePoint start) : failures_(options.failures) {
    for (const Node& node : starting_nodes(options)) {
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

  /// The earliest instant at which something happens to a node; failures included.
  [[nodiscard]] std::optional<TimePoint> next() const {
    std::optional<TimePoint> earliest;
    const auto consider = [&earliest](TimePoint at) {
      if (!earliest || at < *earliest)
        earliest = at;
    };
    if (next_listed_ < listed_.size())
      consider(listed_[next_listed_].at);
    if (!repairs_.empty())
      consider(repairs_.begin()->first);
    if (!failing_.empty())
      consider(failing_.begin()->first);
    return earliest;
  }

  [[nodiscard]] bool has_listed() const { return next_listed_ < listed_.size(); }

  [[nodiscard]] bool has_repairs() const { return !repairs_.empty(); }

  /// Takes what happens at `now`, in the order: repairs, failures, listed events.
  [[nodiscard]] std::vector<NodeChange> take(TimePoint now) {
    std::vector<NodeChange> result;
    for (; !repairs_.empty() && repairs_.begin()->first <= now; repairs_.erase(repairs_.begin())) {
      const std::size_t node = repairs_.begin()->second;
      result.push_back(random_change(now, node, NodeEvent::Kind::up));
      plan_failure(node, now);
    }
    for (; !failing_.empty() && failing_.begin()->first <= now; failing_.erase(failing_.begin())) {
      const std::size_t node = failing_.begin()->second;
      result.push_back(random_change(now, node, NodeEvent::Kind::down));
      repairs_.emplace(now + failures_->repair, node);
    }
    for (; has_listed() && listed_[next_listed_].at <= now; ++next_listed_) {
      result.push_back({.event = listed_[next_listed_], .source = Source::listed});
    }
    return result;
  }

  /// Applies a change and returns the node as it is now, or nothing when nobody can tell the difference.
  [[nodiscard]] std::optional<Node> apply(const NodeChange& change) {
    State& state = nodes_[position_.at(change.event.node.value)];
    const State before = state;
    bool& is_out = change.source == Source::random ? state.is_failed : state.is_taken_down;
    switch (change.event.kind) {
      case NodeEvent::Kind::down:
        is_out = true;
        break;
      case NodeEvent::Kind::up:
        is_out = false;
        break;
      case NodeEvent::Kind::cordon:
        state.node.schedulable = false;
        break;
      case NodeEvent::Kind::uncordon:
        state.node.schedulable = true;
        break;
      case NodeEvent::Kind::resize:
        state.node.gpus = change.event.gpus;
        break;
    }
    if (before.is_up() == state.is_up() && (!state.is_up() || before.node == state.node))
      return std::nullopt;
    return state.node;
  }

  [[nodiscard]] bool is_up(const NodeId& id) const {
    return nodes_[position_.at(id.value)].is_up();
  }

  /// The most GPUs that a pool can have while no listed event happens: those of its nodes when every failed one is
  /// repaired.
  [[nodiscard]] std::int64_t gpus_when_repaired(std::string_view gpu_type) const {
    std::int64_t sum = 0;
    for (const State& state : nodes_) {
      if (state.node.gpu_type == gpu_type && state.node.schedulable && !state.is_taken_down)
        sum += state.node.gpus;
    }
    return sum;
  }

  /// The number of usable GPUs of the same type on the nodes before `id`, in the order of the cluster.
  [[nodiscard]] std::int64_t gpus_before(const NodeId& id) const {
    const std::size_t position = position_.at(id.value);
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < position; ++i) {
      if (nodes_[i].node.gpu_type == nodes_[position].node.gpu_type)
        sum += nodes_[i].is_up() && nodes_[i].node.schedulable ? nodes_[i].node.gpus : 0;
    }
    return sum;
  }

 private:
  struct State {
    Node node{};
    bool is_taken_down = false;  // by a listed event
    bool is_failed = false;      // at random
    RandomStream random{0};

    [[nodiscard]] bool is_up() const { return !is_taken_down && !is_failed; }
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
          fmt::format("node event at {} s: unknown node '{}'; expected a node of the cluster{}",
                      to_seconds(event.at),
                      shown(event.node.value),
                      did_you_mean(event.node.value, std::views::keys(position_))));
    }
  }

  [[nodiscard]] NodeChange random_change(TimePoint now,
                                         std::size_t node,
                                         NodeEvent::Kind kind) const {
    return {.event = {.at = now, .node = nodes_[node].node.id, .kind = kind},
            .source = Source::random};
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
