#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace voda::peers {

/// The six-step star/prime algorithm of J. Munkres (1957) as textbooks and the Go package `munkres` of Voda 0.2.2 have it:
/// square, 64-bit integers, the whole matrix is searched for each uncovered zero.
class Munkres {
 public:
  /// `cost`: n x n, row by row.
  Munkres(std::size_t n, std::vector<std::int64_t> cost)
      : n_(n),
        cost_(std::move(cost)),
        mark_(n * n, Mark::none),
        row_is_covered_(n),
        column_is_covered_(n) {}

  /// The column of each row in an assignment of least total cost. O(n^4) or worse in practice.
  [[nodiscard]] std::vector<std::size_t> solve() {
    reduce_rows();
    star_zeros();
    while (cover_starred_columns() < n_) {
      const auto [row, column] = prime_until_path();
      flip_path(row, column);
      std::ranges::fill(row_is_covered_, false);
      std::ranges::fill(column_is_covered_, false);
      std::ranges::replace(mark_, Mark::prime, Mark::none);
    }
    std::vector<std::size_t> column_of_row;
    for (std::size_t row = 0; row < n_; ++row)
      column_of_row.push_back(find_in_row(row, Mark::star));
    return column_of_row;
  }

 private:
  enum class Mark : std::uint8_t { none, star, prime };

  [[nodiscard]] std::size_t at(std::size_t row, std::size_t column) const {
    return row * n_ + column;
  }

  /// n when there is none.
  [[nodiscard]] std::size_t find_in_row(std::size_t row, Mark mark) const {
    std::size_t column = 0;
    while (column < n_ && mark_[at(row, column)] != mark)
      ++column;
    return column;
  }

  [[nodiscard]] std::size_t find_star_in_column(std::size_t column) const {
    std::size_t row = 0;
    while (row < n_ && mark_[at(row, column)] != Mark::star)
      ++row;
    return row;
  }

  /// Step 1.
  void reduce_rows() {
    for (std::size_t row = 0; row < n_; ++row) {
      const auto begin = cost_.begin() + static_cast<std::ptrdiff_t>(at(row, 0));
      const auto end = begin + static_cast<std::ptrdiff_t>(n_);
      const std::int64_t least = *std::min_element(begin, end);
      std::for_each(begin, end, [least](std::int64_t& cost) { cost -= least; });
    }
  }

  /// Step 2.
  void star_zeros() {
    for (std::size_t row = 0; row < n_; ++row) {
      for (std::size_t column = 0; column < n_; ++column) {
        if (cost_[at(row, column)] == 0 && !row_is_covered_[row] && !column_is_covered_[column]) {
          mark_[at(row, column)] = Mark::star;
          row_is_covered_[row] = true;
          column_is_covered_[column] = true;
        }
      }
    }
    std::ranges::fill(row_is_covered_, false);
  }

  /// Step 3: returns how many columns are covered.
  [[nodiscard]] std::size_t cover_starred_columns() {
    std::size_t covered = 0;
    for (std::size_t column = 0; column < n_; ++column) {
      column_is_covered_[column] = find_star_in_column(column) < n_;
      covered += column_is_covered_[column] ? 1U : 0U;
    }
    return covered;
  }

  [[nodiscard]] std::pair<std::size_t, std::size_t> find_uncovered_zero() const {
    for (std::size_t row = 0; row < n_; ++row) {
      for (std::size_t column = 0; column < n_; ++column) {
        if (cost_[at(row, column)] == 0 && !row_is_covered_[row] && !column_is_covered_[column])
          return {row, column};
      }
    }
    return {n_, n_};
  }

  /// Step 4, with step 6 whenever no zero is uncovered; ends at a primed zero without a star in its row.
  [[nodiscard]] std::pair<std::size_t, std::size_t> prime_until_path() {
    while (true) {
      const auto [row, column] = find_uncovered_zero();
      if (row == n_) {
        shift_prices();
        continue;
      }
      mark_[at(row, column)] = Mark::prime;
      const std::size_t starred = find_in_row(row, Mark::star);
      if (starred == n_)
        return {row, column};
      row_is_covered_[row] = true;
      column_is_covered_[starred] = false;
    }
  }

  /// Step 5: alternating path of primes and stars.
  void flip_path(std::size_t row, std::size_t column) {
    while (true) {
      const std::size_t starred_row = find_star_in_column(column);
      mark_[at(row, column)] = Mark::star;
      if (starred_row == n_)
        return;
      mark_[at(starred_row, column)] = Mark::none;
      row = starred_row;
      column = find_in_row(row, Mark::prime);
    }
  }

  /// Step 6.
  void shift_prices() {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (std::size_t row = 0; row < n_; ++row) {
      for (std::size_t column = 0; column < n_; ++column) {
        if (!row_is_covered_[row] && !column_is_covered_[column])
          least = std::min(least, cost_[at(row, column)]);
      }
    }
    for (std::size_t row = 0; row < n_; ++row) {
      for (std::size_t column = 0; column < n_; ++column) {
        if (row_is_covered_[row])
          cost_[at(row, column)] += least;
        if (!column_is_covered_[column])
          cost_[at(row, column)] -= least;
      }
    }
  }

  std::size_t n_;
  std::vector<std::int64_t> cost_;
  std::vector<Mark> mark_;
  std::vector<char> row_is_covered_;
  std::vector<char> column_is_covered_;
};

}  // namespace voda::peers
