#pragma once

#include <cstdint>

namespace voda::sparse_assignment_detail {

/// Decides by counts, never by clocks, whether to search for one row or for all at once.
///
/// Searches come first. Once they have cost two looks at the whole problem, a phase is tried, and
/// more of them while a path found by a phase costs no more than one found by a search. A phase
/// that did not pay doubles the wait for the next, so phases never cost much more than searches.
class SearchLedger final {
 public:
  explicit SearchLedger(std::int64_t problem_size) : patience_(2 * problem_size) {}

  [[nodiscard]] bool asks_for_phase() const { return phases_pay_ || scans_ > patience_; }

  void note_search(std::int64_t scans) {
    scans_ += scans;
    ++searches_;
  }

  void note_phase(std::int64_t scans, std::int64_t paths) {
    // scans / paths <= scans_ / searches_, without division
    phases_pay_ = paths > 0 && scans * searches_ <= scans_ * paths;
    if (!phases_pay_) {
      patience_ *= 2;
      scans_ = 0;
      searches_ = 0;
    }
  }

 private:
  std::int64_t patience_ = 0;
  std::int64_t scans_ = 0;
  std::int64_t searches_ = 0;
  bool phases_pay_ = false;
};

}  // namespace voda::sparse_assignment_detail
