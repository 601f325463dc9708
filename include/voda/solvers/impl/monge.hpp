#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "voda/solvers/impl/dense_rows.hpp"
#include "voda/solvers/impl/price_range.hpp"

namespace voda::assignment_detail {

/// Solves square problems whose rows and columns can be put into an order in which c(i,j) + c(k,l) <= c(i,l) + c(k,j) for
/// all i < k, j < l: a Monge array (G. Monge 1781; R. Burkard, B. Klinz, R. Rudolf, Discrete Applied Mathematics 70, 1996).
/// Products of two numbers, the smaller of two, distances on a line are of this kind. Its diagonal is optimal, while
/// shortest augmenting paths pass all rows before them. O(n^2 + n log n); O(1) for most others, which it gives up at once.
template <class Work>
class MongeArray final {
 public:
  explicit MongeArray(const DenseRows<Work>& rows) : rows_(rows) {}

  /// Nothing when no such order was found, or a cost or a price does not fit.
  [[nodiscard]] std::optional<Matching<Work>> solve() {
    const int size = rows_.rows();
    if (size < smallest || size != rows_.columns())
      return std::nullopt;
    const bool is_likely = order(sample(size)) && is_sorted_so_far();
    if (!is_likely || !order(all(size)))
      return std::nullopt;
    std::optional<Matching<Work>> result = diagonal();
    for (int round = 0; round < refinements && !result && fits_; ++round) {
      refine();
      result = diagonal();
    }
    return result;
  }

  /// Costs that were looked at.
  [[nodiscard]] std::int64_t scans() const { return scans_; }

 private:
  static constexpr int smallest = 8;
  static constexpr int sampled = 8;
  static constexpr int most_rounds = 6;
  static constexpr int refinements = 3;

  /// Of weighted costs.
  using Sum = Int128;

  /// An index with the number by which it is sorted.
  using Keyed = std::pair<Work, int>;

  static std::size_t at(int index) { return static_cast<std::size_t>(index); }

  static std::vector<int> all(int size) {
    std::vector<int> result(at(size));
    std::iota(result.begin(), result.end(), 0);
    return result;
  }

  static std::vector<int> sample(int size) {
    std::vector<int> result;
    result.reserve(sampled);
    for (int i = 0; i < sampled; ++i)
      result.push_back(static_cast<int>(std::int64_t{i} * size / sampled));
    return result;
  }

  [[nodiscard]] Work cost(int row, int column) {
    ++scans_;
    Work result{};
    fits_ = rows_.read(row, column, result) && fits_;
    return fits_ ? result : Work{};
  }

  /// By the numbers; equal ones keep their order. (std::stable_sort of libstdc++ 12 is deprecated for clang.)
  template <class Number>
  static void sort_stably(std::vector<std::pair<Number, int>>& keyed) {
    std::vector<std::size_t> places(keyed.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    std::ranges::sort(places, [&keyed](std::size_t a, std::size_t b) {
      return keyed[a].first != keyed[b].first ? keyed[a].first < keyed[b].first : a < b;
    });
    std::vector<std::pair<Number, int>> sorted;
    sorted.reserve(keyed.size());
    for (const std::size_t place : places)
      sorted.push_back(keyed[place]);
    keyed = std::move(sorted);
  }

  /// Sorts `keyed` by `key(index)`; returns whether the order changed.
  template <class Key>
  static bool sort_by(std::vector<Keyed>& keyed, Key key) {
    const std::vector<Keyed> before = keyed;
    for (auto& [value, index] : keyed)
      value = key(index);
    sort_stably(keyed);
    return !std::ranges::equal(before, keyed, {}, &Keyed::second, &Keyed::second);
  }

  /// In a Monge array the difference of two rows rises along the columns, and that of two columns along the rows: sorts each
  /// side by the two ends of the other until that changes nothing. False: a cost does not fit.
  bool order(const std::vector<int>& indices) {
    by_row_.clear();
    for (const int index : indices)
      by_row_.emplace_back(Work{}, index);
    by_column_ = by_row_;
    for (int round = 0; round < most_rounds && fits_; ++round) {
      const bool columns_changed = sort_by(by_column_, [&](int column) {
        return static_cast<Work>(cost(by_row_.front().second, column) -
                                 cost(by_row_.back().second, column));
      });
      const bool rows_changed = sort_by(by_row_, [&](int row) {
        return static_cast<Work>(cost(row, by_column_.front().second) -
                                 cost(row, by_column_.back().second));
      });
      if (!columns_changed && !rows_changed)
        break;
    }
    return fits_;
  }

  /// Sorts each side by the differences of all pairs of the other, summed, which also rise along it: what two ends leave tied
  /// is told apart by the rest. Sums differ from the ends' order only where that was wrong.
  void refine() {
    const std::size_t size = by_row_.size();
    std::vector<Sum> of_row(size);
    std::vector<Sum> of_column(size);
    std::vector<Work> given = rows_.scratch();
    std::vector<Work> sorted(size);
    const auto weight = [size](std::size_t at) {
      return static_cast<Sum>(static_cast<std::int64_t>(size) - 1 -
                              2 * static_cast<std::int64_t>(at));
    };
    for (std::size_t i = 0; i < size; ++i) {
      fits_ = read_sorted(by_row_[i].second, given, sorted) && fits_;
      for (std::size_t j = 0; j < size && fits_; ++j) {
        of_column[j] += weight(i) * sorted[j];
        of_row[i] += weight(j) * sorted[j];
      }
    }
    sort_by_sum(by_row_, of_row);
    sort_by_sum(by_column_, of_column);
  }

  static void sort_by_sum(std::vector<Keyed>& keyed, const std::vector<Sum>& sums) {
    std::vector<std::pair<Sum, int>> by_sum;
    by_sum.reserve(keyed.size());
    for (std::size_t i = 0; i < keyed.size(); ++i)
      by_sum.emplace_back(sums[i], keyed[i].second);
    sort_stably(by_sum);
    for (std::size_t i = 0; i < keyed.size(); ++i)
      keyed[i].second = by_sum[i].second;
  }

  /// False when two rows and two columns whose order is certain are not as in a Monge array.
  [[nodiscard]] bool is_sorted_so_far() {
    for (std::size_t i = 0; i < by_row_.size(); ++i) {
      for (std::size_t k = i + 1; k < by_row_.size(); ++k) {
        if (by_row_[i].first < by_row_[k].first &&
            !are_sorted(by_row_[i].second, by_row_[k].second))
          return false;
      }
    }
    return fits_;
  }

  /// The same for two rows.
  [[nodiscard]] bool are_sorted(int row, int below) {
    for (std::size_t j = 0; j < by_column_.size(); ++j) {
      for (std::size_t l = j + 1; l < by_column_.size(); ++l) {
        if (by_column_[j].first == by_column_[l].first)
          continue;
        const int column = by_column_[j].second;
        const int right = by_column_[l].second;
        if (cost(row, column) + cost(below, right) > cost(row, right) + cost(below, column))
          return false;
      }
    }
    return true;
  }

  /// Reads a row in the order of the columns.
  bool read_sorted(int row, std::vector<Work>& given, std::vector<Work>& sorted) {
    scans_ += rows_.columns();
    if (!rows_.read(row, given.data()))
      return false;
    for (std::size_t column = 0; column < by_column_.size(); ++column)
      sorted[column] = given[at(by_column_[column].second)];
    return true;
  }

  [[nodiscard]] static bool is_monge(const std::vector<Work>& row, const std::vector<Work>& below) {
    bool result = true;
    for (std::size_t column = 0; column + 1 < row.size(); ++column)
      result &= row[column] + below[column + 1] <= row[column + 1] + below[column];
    return result;
  }

  /// Matches the diagonal, if the array is one. The price of the next column is such that the row before would pay as much.
  [[nodiscard]] std::optional<Matching<Work>> diagonal() {
    const std::size_t size = by_row_.size();
    std::vector<Work> given = rows_.scratch();
    std::vector<Work> row(size);
    std::vector<Work> below(size);
    Matching<Work> result{.price = std::vector<Work>(size, 0),
                          .row_of_column = std::vector<int>(size),
                          .column_of_row = std::vector<int>(size)};
    Work price{};
    for (std::size_t i = 0; i < size; ++i) {
      if (!read_sorted(by_row_[i].second, given, below) || (i > 0 && !is_monge(row, below)))
        return std::nullopt;
      std::swap(row, below);
      const int column = by_column_[i].second;
      result.price[at(column)] = price;
      result.row_of_column[at(column)] = by_row_[i].second;
      result.column_of_row[at(by_row_[i].second)] = column;
      if (i + 1 < size)
        price += row[i + 1] - row[i];
      if (!is_safe(price))
        return std::nullopt;
    }
    return result;
  }

  DenseRows<Work> rows_;
  bool fits_ = true;
  std::int64_t scans_ = 0;
  std::vector<Keyed> by_row_{};
  std::vector<Keyed> by_column_{};
};

}  // namespace voda::assignment_detail
