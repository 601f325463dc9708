#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "voda/solvers/impl/price_range.hpp"
#include "voda/solvers/impl/row_kernels.hpp"

namespace voda::assignment_detail {

/// The rows of a matrix that lives elsewhere, with rows <= columns, read as costs to minimise.
template <class Work>
class DenseRows final {
 public:
  /// Each row is `stride` numbers behind the one before.
  template <class Number>
  DenseRows(const Number* first, int rows, int columns, std::ptrdiff_t stride, Work sign)
      : first_(first),
        stride_(stride),
        rows_(rows),
        columns_(columns),
        sign_(sign),
        read_(&DenseRows::template read_as<Number>),
        read_one_(&DenseRows::template read_one_as<Number>) {}

  [[nodiscard]] int rows() const { return rows_; }

  [[nodiscard]] int columns() const { return columns_; }

  /// Room for one row, padded to whole blocks.
  [[nodiscard]] std::vector<Work> scratch() const {
    return std::vector<Work>(padded(columns_), padding<Work>());
  }

  /// Copies a row to the front of `result`; returns false if a cost does not fit.
  bool read(int row, Work* result) const { return (this->*read_)(row, result); }

  /// Reads one cost; returns false if it does not fit.
  bool read(int row, int column, Work& result) const {
    return (this->*read_one_)(row, column, result);
  }

 private:
  template <class Number>
  bool read_one_as(int row, int column, Work& result) const {
    const Number* from = static_cast<const Number*>(first_) + row * stride_ + column;
    return convert(from, 1, sign_, &result);
  }

  template <class Number>
  bool read_as(int row, Work* result) const {
    const Number* from = static_cast<const Number*>(first_) + row * stride_;
    return convert(from, columns_, sign_, result);
  }

  const void* first_ = nullptr;
  std::ptrdiff_t stride_ = 0;
  int rows_ = 0;
  int columns_ = 0;
  Work sign_ = 1;
  bool (DenseRows::*read_)(int, Work*) const = nullptr;
  bool (DenseRows::*read_one_)(int, int, Work&) const = nullptr;
};

/// What a solver has found so far: prices of the columns, below which no row's price may fall
/// short, and the pairs.
template <class Work>
struct Matching {
  std::vector<Work> price{};
  std::vector<int> row_of_column{};
  std::vector<int> column_of_row{};
};

}  // namespace voda::assignment_detail
