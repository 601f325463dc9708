#include "peers/munkres.hpp"

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "instances/placement.hpp"
#include "peers/binding.hpp"
#include "voda/placers/repack.hpp"
#include "voda/solvers/assignment.hpp"

namespace munkres_test {

using voda::peers::Munkres;

/// C. Bourgeois and J.-C. Lassalle, "An extension of the Munkres algorithm", CACM 14 (1971), the usual 3 x 3 example:
/// cost (i + 1) (j + 1), least total 3 + 4 + 3 = 10.
TEST(Munkres, SolvesTheTextbookExample) {
  const auto column_of_row = Munkres(3, {1, 2, 3, 2, 4, 6, 3, 6, 9}).solve();

  EXPECT_EQ(column_of_row, (std::vector<std::size_t>{2, 1, 0}));
}

TEST(Munkres, FindsTheCostOfTheSolver) {
  std::mt19937_64 random(1957);
  for (int round = 0; round < 200; ++round) {
    const auto n = static_cast<std::size_t>(1 + random() % 20);
    const std::uint64_t range = 1 + random() % (round % 2 == 0 ? 5 : 1000);
    voda::solvers::CostMatrix<std::int64_t> cost(n, n);
    std::vector<std::int64_t> flat;
    for (std::size_t i = 0; i < n * n; ++i) {
      flat.push_back(static_cast<std::int64_t>(random() % range));
      cost.data()[i] = flat.back();
    }

    const auto column_of_row = Munkres(n, flat).solve();

    std::int64_t total = 0;
    std::vector<bool> is_taken(n);
    for (std::size_t row = 0; row < n; ++row) {
      EXPECT_FALSE(is_taken[column_of_row[row]]);
      is_taken[column_of_row[row]] = true;
      total += flat[row * n + column_of_row[row]];
    }
    EXPECT_EQ(total, voda::solvers::solve_assignment(cost).objective);
  }
}

/// Repack binds its packing so that no exchange of nodes keeps more workers.
TEST(MunkresBinding, KeepsAsManyWorkersAsRepack) {
  for (const std::size_t nodes : {2U, 4U, 20U, 60U}) {
    const auto problem = voda::bench::ClusterHistory({.nodes = nodes}).problem();
    auto nobody_runs = problem;
    nobody_runs.current = voda::Placement(problem.current.size());

    const auto packed = voda::Repack().place(nobody_runs).placement;
    const auto bound = voda::Repack().place(problem);

    const auto stay = voda::peers::workers_that_stay(packed, problem.current, nodes);
    EXPECT_EQ(stay, static_cast<std::int64_t>(problem.current.workers()) - bound.cost.moved);
  }
}

}  // namespace munkres_test
