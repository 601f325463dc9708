#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "voda/model/units.hpp"

namespace voda::command_line {

/// What a cluster holds between two instants.
struct ClusterLoad {
  std::int64_t capacity = 0;  // GPUs
  std::int64_t held = 0;      // GPUs
  std::int64_t running = 0;   // jobs with GPUs
  std::int64_t waiting = 0;   // jobs without
};

/// What changed in a job's GPUs.
enum class ChangeKind : std::uint8_t { start, resize, migrate, stop };

/// The load of a cluster over time in bins of one width: exact integrals and maxima, whatever the
/// length of the run.
///
/// The width begins at a millisecond and doubles, bins being merged in pairs, whenever the run
/// outgrows `most_bins`. So memory is bounded and nothing is sampled.
class Timeline {
 public:
  static constexpr std::size_t most_bins = 512;

  __extension__ using WideTime = __int128;  // GPU-microseconds of large clusters exceed 64 bits

  struct Bin {
    WideTime capacity_time = 0;  // GPU-microseconds
    WideTime held_time = 0;
    WideTime running_time = 0;  // job-microseconds
    WideTime waiting_time = 0;
    std::int64_t most_waiting = 0;
    std::array<std::int64_t, 4> changes{};  // by ChangeKind

    void merge(const Bin& other);
  };

  explicit Timeline(TimePoint start) : start_(start), end_(start) {}

  /// `load` lasted from the end of the last call until `until`, which is not earlier.
  void pass(const ClusterLoad& load, TimePoint until);

  /// Counts `by` changes at an instant not before the start.
  void count(ChangeKind kind, TimePoint at, std::int64_t by);

  [[nodiscard]] Duration width() const { return Duration(width_); }

  [[nodiscard]] TimePoint end() const { return end_; }

  /// From the start on; the last one may reach beyond end().
  [[nodiscard]] const std::vector<Bin>& bins() const { return bins_; }

 private:
  /// The bin of an instant, after as many doublings as it takes to have one.
  [[nodiscard]] std::size_t reach(TimePoint at);
  void widen();

  TimePoint start_{};
  TimePoint end_{};
  std::int64_t width_ = 1000;
  std::vector<Bin> bins_{};
};

}  // namespace voda::command_line
