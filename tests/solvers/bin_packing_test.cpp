#include "voda/solvers/bin_packing.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace bin_packing_test {

using voda::solvers::pack_best_fit;
using voda::solvers::PackingItem;
using voda::solvers::PackingResult;
using Pieces = std::vector<std::pair<int, std::int32_t>>;
using Bins = std::vector<std::int32_t>;

Pieces pieces_of(const PackingResult& result, int item) {
  Pieces pieces{};
  for (const auto& piece : result.pieces_of(item)) {
    pieces.emplace_back(piece.bin, piece.workers);
  }
  return pieces;
}

/// The rule as stated, looking at every bin each time.
struct Naive {
  Bins capacity{};
  Bins free{};

  [[nodiscard]] std::int64_t held(std::int32_t units) const {
    std::int64_t workers = 0;
    for (const std::int32_t left : free) {
      workers += left / units;
    }
    return workers;
  }

  Pieces pack(PackingItem item) {
    Pieces pieces{};
    if (held(item.units_per_worker) < item.workers) {
      return pieces;
    }
    while (item.workers > 0) {
      std::int32_t workers = item.workers;
      int bin = tightest(std::int64_t{workers} * item.units_per_worker);
      if (bin < 0) {
        workers = *std::max_element(free.begin(), free.end()) / item.units_per_worker;
        bin = tightest(std::int64_t{workers} * item.units_per_worker);
      }
      free[static_cast<std::size_t>(bin)] -= workers * item.units_per_worker;
      item.workers -= workers;
      pieces.emplace_back(bin, workers);
    }
    return pieces;
  }

  [[nodiscard]] int tightest(std::int64_t needed) const {
    int best = -1;
    const auto key = [&](int bin) {
      const auto at = static_cast<std::size_t>(bin);
      return std::tuple(free[at], capacity[at], bin);
    };
    for (int bin = 0; bin < static_cast<int>(free.size()); ++bin) {
      const bool fits = free[static_cast<std::size_t>(bin)] >= needed;
      if (fits && (best < 0 || key(bin) < key(best))) {
        best = bin;
      }
    }
    return best;
  }
};

TEST(PackBestFit, TakesTheTightestBin) {
  const auto result = pack_best_fit(Bins{8, 3, 4}, std::vector<PackingItem>{{3, 1}, {4, 1}});

  EXPECT_EQ(pieces_of(result, 0), (Pieces{{1, 3}}));
  EXPECT_EQ(pieces_of(result, 1), (Pieces{{2, 4}}));
  EXPECT_EQ(result.free_units, (Bins{8, 0, 0}));
}

TEST(PackBestFit, FillsTheEmptiestBinsAndGoesOnWithTheRest) {
  // 12 GPUs on nodes of 8: a full node, then the rest of 4 on the tightest node that holds it.
  const auto result = pack_best_fit(Bins{8, 8, 5}, std::vector<PackingItem>{{12, 1}});

  EXPECT_EQ(pieces_of(result, 0), (Pieces{{0, 8}, {2, 4}}));
}

TEST(PackBestFit, BreaksTiesToTheSmallerBinThenTheLowerIndex) {
  // After 6 of 8 and 2 of 4 are taken, three bins have 2 free: the small one comes first.
  const std::vector<PackingItem> items{{6, 1}, {6, 1}, {2, 1}, {1, 1}, {2, 1}};

  const auto result = pack_best_fit(Bins{8, 8, 4}, items);

  EXPECT_EQ(pieces_of(result, 2), (Pieces{{0, 2}}));
  EXPECT_EQ(pieces_of(result, 3), (Pieces{{1, 1}}));
  EXPECT_EQ(pieces_of(pack_best_fit(Bins{8, 4, 4}, std::vector<PackingItem>{{4, 1}, {1, 1}}), 0),
            (Pieces{{1, 4}}));
}

TEST(PackBestFit, PrefersSmallerCapacityAmongBinsEquallyFree) {
  // 2 workers leave the bin of 4 with 2 free, 6 leave that of 8 with 2 free.
  const std::vector<PackingItem> items{{6, 1}, {2, 1}, {2, 1}};

  const auto result = pack_best_fit(Bins{8, 4}, items);

  EXPECT_EQ(pieces_of(result, 1), (Pieces{{0, 2}}));  // tightest: 2 free of 8 before 4 free of 4
  EXPECT_EQ(pieces_of(result, 2), (Pieces{{1, 2}}));
  EXPECT_EQ(pieces_of(pack_best_fit(Bins{8, 4}, std::vector<PackingItem>{{4, 1}, {4, 1}}), 1),
            (Pieces{{0, 4}}));
}

TEST(PackBestFit, NeverSplitsAWorker) {
  // Workers of 3: one fits on 5, none on 2.
  const auto result = pack_best_fit(Bins{5, 2, 4}, std::vector<PackingItem>{{2, 3}});

  EXPECT_EQ(pieces_of(result, 0), (Pieces{{2, 1}, {0, 1}}));
}

TEST(PackBestFit, LeavesNothingBehindOfAnItemThatDoesNotFit) {
  const std::vector<PackingItem> items{{3, 4}, {7, 1}};

  const auto result = pack_best_fit(Bins{7, 7}, items);

  EXPECT_EQ(result.unpacked, (std::vector<int>{0}));
  EXPECT_TRUE(result.pieces_of(0).empty());
  EXPECT_EQ(pieces_of(result, 1), (Pieces{{0, 7}}));
}

TEST(PackBestFit, PacksItemsWithoutWorkersAnywhere) {
  const auto result = pack_best_fit({}, std::vector<PackingItem>{{0, 1}, {1, 1}});

  EXPECT_EQ(result.unpacked, (std::vector<int>{1}));
  EXPECT_TRUE(result.pieces.empty());
}

TEST(PackBestFit, RefusesSizesThatMakeNoSense) {
  const auto pack = [](Bins bins, PackingItem item) {
    static_cast<void>(pack_best_fit(bins, std::vector<PackingItem>{item}));
  };
  EXPECT_THROW(pack({-1}, {1, 1}), std::invalid_argument);
  EXPECT_THROW(pack({(1 << 20) + 1}, {1, 1}), std::invalid_argument);
  EXPECT_THROW(pack({4}, {-1, 1}), std::invalid_argument);
  EXPECT_THROW(pack({4}, {1, 0}), std::invalid_argument);
  EXPECT_NO_THROW(pack({1 << 20}, {2'000'000'000, 2'000'000'000}));
}

RC_GTEST_PROP(PackBestFit, FollowsTheRuleLiterally, ()) {
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
  const auto bins = *rc::gen::inRange<std::size_t>(0, 30);
  const auto largest = *rc::gen::element(1, 4, 8, 16, 100, 200);
  Naive naive{};
  for (std::size_t k = 0; k < bins; ++k) {
    const auto capacities = static_cast<unsigned>(largest + 1);
    naive.capacity.push_back(static_cast<std::int32_t>(random() % capacities));
  }
  naive.free = naive.capacity;
  std::vector<PackingItem> items{};
  for (int k = 0; k < 40; ++k) {
    const auto workers = static_cast<std::int32_t>(random() % 12);
    items.push_back({workers, 1 + static_cast<std::int32_t>(random() % 5)});
  }
  const auto result = pack_best_fit(naive.capacity, items);
  for (int item = 0; item < 40; ++item) {
    const auto expected = naive.pack(items[static_cast<std::size_t>(item)]);
    RC_ASSERT(pieces_of(result, item) == expected);
    const bool left_out = std::binary_search(result.unpacked.begin(), result.unpacked.end(), item);
    RC_ASSERT(left_out == (expected.empty() && items[static_cast<std::size_t>(item)].workers > 0));
  }
  RC_ASSERT(result.free_units == naive.free);
}

RC_GTEST_PROP(PackBestFit, PlacesEverySingleGpuJobThatFitsInTotal, ()) {
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
  Bins bins(*rc::gen::inRange<std::size_t>(1, 40), 8);
  auto left = static_cast<std::int32_t>(8 * bins.size());
  std::vector<PackingItem> items{};
  while (left > 0) {
    const auto workers = std::min(left, 1 + static_cast<std::int32_t>(random() % 20));
    items.push_back({workers, 1});
    left -= workers;
  }
  const auto result = pack_best_fit(bins, items);
  RC_ASSERT(result.unpacked.empty());
  RC_ASSERT(std::accumulate(result.free_units.begin(), result.free_units.end(), 0) == 0);
}

}  // namespace bin_packing_test
