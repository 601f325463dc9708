#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "voda/solvers/sparse_cost.hpp"

namespace voda::test {

/// A named sparse assignment problem with whole costs.
struct SparseInstance {
  std::string name{};
  int rows = 0;
  int columns = 0;
  std::vector<solvers::Edge<std::int64_t>> edges{};

  void add(int row, int column, std::int64_t cost) { edges.push_back({row, column, cost}); }

  [[nodiscard]] solvers::SparseCost<std::int64_t> cost() const {
    return solvers::compress_edges(
        rows, columns, std::span<const solvers::Edge<std::int64_t>>(edges));
  }
};

/// Draws sparse problems, easy and hard ones, from fixed seeds. Uses no std distribution: those
/// differ between libraries.
class SparseInstances {
 public:
  explicit SparseInstances(int rows, std::uint64_t seed = 1) : rows_(rows), random_(seed) {}

  /// Five edges a row with costs 1 ... largest, and a diagonal of the largest cost where asked.
  [[nodiscard]] SparseInstance uniform(std::int64_t largest, bool has_diagonal = true) {
    SparseInstance result = square("uniform to " + std::to_string(largest));
    for (int k = 0; k < 5 * rows_; ++k) {
      const int row = below(rows_);
      const int column = below(rows_);
      result.add(row, column, 1 + below(largest));
    }
    for (int k = 0; has_diagonal && k < rows_; ++k) {
      result.add(k, k, largest);
    }
    return result;
  }

  /// All costs equal: only the pattern decides.
  [[nodiscard]] SparseInstance plateau() {
    SparseInstance result = uniform(1);
    result.name = "plateau";
    return result;
  }

  /// Row k has columns k and k - 1: the only full matching is the diagonal, and rows prefer the
  /// other one.
  [[nodiscard]] SparseInstance chain(std::int64_t cost) {
    SparseInstance result = square("chain of " + std::to_string(cost));
    for (int k = 0; k < rows_; ++k) {
      result.add(k, k, cost);
      if (k > 0) {
        result.add(k, k - 1, -cost);
      }
    }
    return result;
  }

  /// A chain closed to a ring, costs random: two full matchings, with one path between them.
  [[nodiscard]] SparseInstance ring(std::int64_t largest) {
    SparseInstance result = square("ring to " + std::to_string(largest));
    for (int k = 0; k < rows_; ++k) {
      result.add(k, k, 1 + below(largest));
      result.add(k, (k + 1) % rows_, 1 + below(largest));
    }
    return result;
  }

  /// A band of five columns a row; costs i * j, the classic bad case of shortest path methods.
  [[nodiscard]] SparseInstance staircase() {
    SparseInstance result = square("staircase");
    for (int k = 0; k < rows_; ++k) {
      for (int column = std::max(0, k - 2); column <= std::min(rows_ - 1, k + 2); ++column) {
        result.add(k, column, std::int64_t{k + 1} * (column + 1));
      }
    }
    return result;
  }

  /// A band in which the first rows need columns that all later ones like: every path is long.
  [[nodiscard]] SparseInstance shifts(int shift) {
    SparseInstance result = square("shifts by " + std::to_string(shift));
    for (int k = 0; k < rows_; ++k) {
      for (int step = 0; step <= shift; ++step) {
        if (k - step >= 0) {
          result.add(k, k - step, shift - step);
        }
      }
    }
    return result;
  }

  /// Rows and columns on a line, each row near the columns around a random point.
  [[nodiscard]] SparseInstance neighbours(std::int64_t largest) {
    SparseInstance result = square("neighbours to " + std::to_string(largest));
    for (int k = 0; k < rows_; ++k) {
      const int center = below(rows_);
      for (int step = -2; step <= 2; ++step) {
        result.add(k, std::clamp(center + step, 0, rows_ - 1), 1 + below(largest));
      }
      result.add(k, k, 4 * largest);
    }
    return result;
  }

  /// One row has all columns, in front or at the end; the others are as in uniform().
  [[nodiscard]] SparseInstance dense_row(bool is_first) {
    SparseInstance result = uniform(1000);
    result.name = is_first ? "dense first row" : "dense last row";
    for (int column = 0; column < rows_; ++column) {
      result.add(is_first ? 0 : rows_ - 1, column, 1 + below(1000));
    }
    return result;
  }

  /// One column that all rows like best.
  [[nodiscard]] SparseInstance dense_column() {
    SparseInstance result = uniform(1000);
    result.name = "dense column";
    for (int row = 0; row < rows_; ++row) {
      result.add(row, rows_ / 2, below(2));
    }
    return result;
  }

  /// A few columns that all rows share, and one of its own for each row at a price.
  [[nodiscard]] SparseInstance stars(int hubs) {
    SparseInstance result = square("stars");
    for (int row = 0; row < rows_; ++row) {
      for (int k = 0; k < 4; ++k) {
        result.add(row, below(hubs), 1 + below(3));
      }
      result.add(row, row, 1000);
    }
    return result;
  }

  /// Costs 2^0 ... 2^40 and their neighbours.
  [[nodiscard]] SparseInstance spreads() {
    SparseInstance result = uniform(1);
    result.name = "huge spreads";
    for (auto& edge : result.edges) {
      edge.cost = (std::int64_t{1} << below(41)) + below(3);
    }
    return result;
  }

  /// uniform(), but two rows have the same only column.
  [[nodiscard]] SparseInstance small_conflict() {
    SparseInstance result = uniform(1000);
    result.name = "small conflict";
    const auto is_one_of_two = [](const auto& edge) { return edge.row < 2; };
    std::erase_if(result.edges, is_one_of_two);
    result.add(0, 5, 1);
    result.add(1, 5, 1);
    return result;
  }

  /// Half of the rows share one column too few.
  [[nodiscard]] SparseInstance large_conflict() {
    SparseInstance result = uniform(1000, false);
    result.name = "large conflict";
    const int half = rows_ / 2;
    for (auto& edge : result.edges) {
      if (edge.row < half) {
        edge.column %= half - 1;
      }
    }
    for (int row = 0; row < rows_; ++row) {
      result.add(row, row < half ? row % (half - 1) : row, 1000);
    }
    return result;
  }

  /// Families that a full matching exists for.
  [[nodiscard]] static std::vector<SparseInstance> hard(int rows) {
    SparseInstances draw(rows);
    return {draw.plateau(),
            draw.chain(1000),
            reversed(draw.chain(1000)),
            draw.ring(1000),
            draw.staircase(),
            reversed(draw.staircase()),
            draw.shifts(4),
            reversed(draw.shifts(4)),
            draw.neighbours(8),
            draw.neighbours(1'000'000),
            draw.dense_row(true),
            draw.dense_row(false),
            draw.dense_column(),
            draw.stars(rows / 20),
            draw.spreads()};
  }

  /// Families without a full matching.
  [[nodiscard]] static std::vector<SparseInstance> infeasible(int rows) {
    SparseInstances draw(rows);
    return {draw.small_conflict(), draw.large_conflict()};
  }

  /// The same with rows and columns numbered from the end.
  [[nodiscard]] static SparseInstance reversed(SparseInstance instance) {
    instance.name += ", reversed";
    for (auto& edge : instance.edges) {
      edge.row = instance.rows - 1 - edge.row;
      edge.column = instance.columns - 1 - edge.column;
    }
    std::ranges::reverse(instance.edges);
    return instance;
  }

 private:
  [[nodiscard]] SparseInstance square(std::string name) const {
    return {.name = std::move(name), .rows = rows_, .columns = rows_};
  }

  template <class Integer>
  [[nodiscard]] Integer below(Integer limit) {
    return static_cast<Integer>(random_() % static_cast<std::uint64_t>(limit));
  }

  int rows_ = 0;
  std::mt19937_64 random_;
};

}  // namespace voda::test
