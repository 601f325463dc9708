#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "voda/solvers/impl/sparse_matching.hpp"

namespace voda::sparse_assignment_detail {

/// Edges without slack, along which pairs may change while prices stay.
template <class Work>
struct TightEdges {
  const Matching<Work>& matching;
  bool rows_may_stay = false;

  [[nodiscard]] bool admits(int row, const typename Edges<Work>::Edge& edge) const {
    return !(matching.row_price[position(row)] <
             edge.cost - matching.column_price[position(edge.column)]);
  }

  /// Whether the row is as well off unmatched.
  [[nodiscard]] bool is_indifferent(int row) const {
    return rows_may_stay && !(matching.row_price[position(row)] < 0);
  }
};

/// Every edge, whatever it costs: for the question whether all rows can be matched.
template <class Work>
struct AnyEdges {
  [[nodiscard]] bool admits(int, const typename Edges<Work>::Edge&) const { return true; }

  [[nodiscard]] bool is_indifferent(int) const { return false; }
};

/// J. Hopcroft, R. Karp, "An n^5/2 algorithm for maximum matchings in bipartite graphs", SIAM J.
/// Comput. 2 (1973), among the edges that `Filter` admits: rounds of shortest augmenting paths
/// without a common row. A path ends at a free column or at a row that is indifferent.
template <class Work, class Filter>
class HopcroftKarp final {
 public:
  HopcroftKarp(const Edges<Work>& edges, Matching<Work>& matching, Filter filter)
      : edges_(&edges),
        matching_(&matching),
        filter_(filter),
        level_(matching.column_of_row.size(), unreached),
        next_(matching.column_of_row.size(), 0) {}

  /// Matches as many of `rows` as can be.
  void match(std::span<const int> rows) {
    while (find_levels(rows)) {
      const std::span<const int> sources = std::span(reached_).first(sources_);
      for (const int source : sources) {
        extend_path(source);
      }
    }
  }

  /// After match() left `row` unmatched: all rows that it competes with, ascending.
  [[nodiscard]] std::vector<int> competitors(int row) {
    find_levels(std::span(&row, 1));
    std::vector<int> result = reached_;
    std::ranges::sort(result);
    return result;
  }

 private:
  static constexpr int unreached = -1;

  [[nodiscard]] bool wants_column(int row) const {
    return matching_->column_of_row[position(row)] == no_match && !filter_.is_indifferent(row);
  }

  void reach(int row, int level) {
    level_[position(row)] = level;
    next_[position(row)] = 0;
    reached_.push_back(row);
  }

  /// Levels of rows by the length of the shortest path to them, up to the first end; returns
  /// whether there is one.
  bool find_levels(std::span<const int> rows) {
    for (const int row : reached_) {
      level_[position(row)] = unreached;
    }
    reached_.clear();
    for (const int row : rows) {
      if (wants_column(row)) {
        reach(row, 0);
      }
    }
    sources_ = reached_.size();
    matching_->effort.searches += sources_ > 0 ? 1 : 0;
    bool found = false;
    int last_level = -1;
    std::size_t done = 0;
    while (done < reached_.size()) {
      const int row = reached_[done++];
      const int level = level_[position(row)];
      if (found && level > last_level) {
        break;
      }
      last_level = level;
      found = spread(row, level + 1) || found;
    }
    return found;
  }

  bool spread(int row, int level) {
    bool found = false;
    const auto edges = edges_->of_row(row);
    matching_->effort.scans += std::ssize(edges);
    for (const auto& edge : edges) {
      if (!filter_.admits(row, edge)) {
        continue;
      }
      const int owner = matching_->row_of_column[position(edge.column)];
      if (owner == no_match) {
        found = true;
      } else if (level_[position(owner)] == unreached) {
        reach(owner, level);
        found = found || filter_.is_indifferent(owner);
      }
    }
    return found;
  }

  void extend_path(int source) {
    path_.assign(1, source);
    while (!path_.empty()) {
      const int row = path_.back();
      const int next = step_from(row);
      if (next == path_ends) {
        flip_path();
        return;
      }
      if (next == no_match) {
        level_[position(row)] = dead_end;
        path_.pop_back();
      } else {
        path_.push_back(next);
      }
    }
  }

  /// The next row of a path, no_match where there is none, or path_ends if the row's edge at hand
  /// leads to an end.
  int step_from(int row) {
    const auto edges = edges_->of_row(row);
    int& at = next_[position(row)];
    for (; at < std::ssize(edges); ++at) {
      const auto& edge = edges[position(at)];
      ++matching_->effort.scans;
      if (!filter_.admits(row, edge)) {
        continue;
      }
      const int owner = matching_->row_of_column[position(edge.column)];
      if (owner == no_match) {
        return path_ends;
      }
      if (level_[position(owner)] != level_[position(row)] + 1) {
        continue;
      }
      if (filter_.is_indifferent(owner)) {
        level_[position(owner)] = dead_end;
        matching_->column_of_row[position(owner)] = no_match;
        return path_ends;
      }
      return owner;
    }
    return no_match;
  }

  void flip_path() {
    for (const int row : path_) {
      const int column = edges_->of_row(row)[position(next_[position(row)])].column;
      level_[position(row)] = dead_end;
      matching_->row_of_column[position(column)] = row;
      matching_->column_of_row[position(row)] = column;
    }
    ++matching_->effort.augmentations;
  }

  static constexpr int path_ends = -2;
  static constexpr int dead_end = -2;

  const Edges<Work>* edges_ = nullptr;
  Matching<Work>* matching_ = nullptr;
  Filter filter_;
  std::vector<int> level_{};
  std::vector<int> next_{};
  std::vector<int> reached_{};
  std::size_t sources_ = 0;
  std::vector<int> path_{};
};

/// Rows that share fewer columns than they are, ascending; none if every row can be matched.
/// Starts from the pairs found so far, which it takes as a guide only.
template <class Work>
[[nodiscard]] std::vector<int> unmatchable_rows(const Edges<Work>& edges,
                                                const Matching<Work>& matching,
                                                solvers::AssignmentEffort& effort) {
  Matching<Work> trial = matching;
  HopcroftKarp<Work, AnyEdges<Work>> matcher(edges, trial, {});
  std::vector<int> left{};
  for (int row = 0; row < edges.rows(); ++row) {
    if (trial.column_of_row[position(row)] == no_match) {
      left.push_back(row);
    }
  }
  matcher.match(left);
  const auto unmatched = std::ranges::find(trial.column_of_row, no_match);
  std::vector<int> result{};
  if (unmatched != trial.column_of_row.end()) {
    result = matcher.competitors(static_cast<int>(unmatched - trial.column_of_row.begin()));
  }
  effort.searches = trial.effort.searches;
  effort.scans = trial.effort.scans;
  return result;
}

}  // namespace voda::sparse_assignment_detail
