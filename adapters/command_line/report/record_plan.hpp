#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "voda/simulator/simulator.hpp"
#include "voda/simulator/trace.hpp"

namespace voda::command_line {

/// Which jobs a report shows one by one, and how finely it tells time: the same for all policies of
/// a comparison, so that a job can be compared.
class RecordPlan {
 public:
  /// More jobs than this are thinned to every second, fourth, ... in order of arrival.
  static constexpr std::size_t most_jobs = 65'536;

  /// Bytes of all job histories together.
  static constexpr std::size_t most_bytes = 16'000'000;

  /// `trace` must outlive the plan.
  RecordPlan(const Trace& trace, const std::vector<Node>& nodes, std::size_t policies);

  [[nodiscard]] const Trace& trace() const { return *trace_; }

  /// The first submission.
  [[nodiscard]] TimePoint start() const { return start_; }

  /// The unit of times of single jobs: the smallest power of ten of at least a millisecond in which
  /// the arrivals span at most 2^24 units.
  [[nodiscard]] Duration tick() const { return tick_; }

  /// An instant in whole ticks since the start, rounded down.
  [[nodiscard]] std::uint64_t ticks(TimePoint at) const { return ticks(at - start_); }

  /// A length of time in whole ticks, rounded down.
  [[nodiscard]] std::uint64_t ticks(Duration length) const {
    return static_cast<std::uint64_t>(length / tick_);
  }

  /// Jobs `0, stride(), 2 * stride(), ...` of the trace are shown.
  [[nodiscard]] std::size_t stride() const { return stride_; }

  /// How many are shown.
  [[nodiscard]] std::size_t shown_jobs() const { return position_of_.size(); }

  /// Bytes of the histories under one policy.
  [[nodiscard]] std::size_t bytes_per_policy() const { return bytes_per_policy_; }

  /// A shown job's position among them, in order of arrival.
  [[nodiscard]] std::optional<std::size_t> position_of(const JobId& job) const;

  /// The names of all nodes, and the position of one.
  [[nodiscard]] const std::vector<std::string>& nodes() const { return nodes_; }

  [[nodiscard]] std::size_t node_position_of(const NodeId& node) const;

 private:
  const Trace* trace_ = nullptr;
  TimePoint start_{};
  Duration tick_{};
  std::size_t stride_ = 1;
  std::size_t bytes_per_policy_ = 0;
  std::unordered_map<std::string, std::size_t> position_of_{};
  std::unordered_map<std::string, std::size_t> node_position_of_{};
  std::vector<std::string> nodes_{};
};

}  // namespace voda::command_line
