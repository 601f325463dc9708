#include "voda/simulator/goodness_of_fit.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/io_checks.hpp"
#include "voda/simulator/random.hpp"
#include "voda/simulator/workload_fit.hpp"

namespace voda {
namespace goodness_of_fit_test {

/// Share of a sample at or below `at`.
[[nodiscard]] double distribution(const std::vector<double>& sample, double at) {
  const auto below = std::ranges::count_if(sample, [at](double value) { return value <= at; });
  return static_cast<double>(below) / static_cast<double>(sample.size());
}

[[nodiscard]] std::vector<double> as_numbers(const std::vector<int>& values) {
  return {values.begin(), values.end()};
}

[[nodiscard]] const MarginalFit& marginal(const WorkloadFitReport& report, std::string_view name) {
  const auto found = std::ranges::find(report.marginals, name, &MarginalFit::name);
  EXPECT_NE(found, report.marginals.end()) << name;
  return *found;
}

TEST(KsDistance, IsTheLargestDifferenceOfTheDistributionFunctions) {
  EXPECT_DOUBLE_EQ(ks_distance({1, 2, 3, 4}, {3, 4, 5, 6}), 0.5);  // at 2: 2/4 against 0
  EXPECT_DOUBLE_EQ(ks_distance({1}, {2}), 1);
  EXPECT_DOUBLE_EQ(ks_distance({7, 7, 1}, {1, 7, 7}), 0);
  // scipy.stats.ks_2samp of SciPy 1.17.1, with ties
  EXPECT_NEAR(
      ks_distance({1, 2, 2, 5, 7.5, 9}, {2, 3, 3, 4, 7.5, 8, 10}), 0.35714285714285715, 1e-15);
  EXPECT_NEAR(ks_distance({0.1, 0.4, 0.7, 0.4}, {0.5, 0.2, 0.4}), 0.25, 1e-15);
}

TEST(KsDistance, OfAnEmptySampleIsNoNumber) {
  EXPECT_TRUE(std::isnan(ks_distance({}, {1})));
  EXPECT_TRUE(std::isnan(ks_distance({1}, {})));
}

RC_GTEST_PROP(KsDistance, EqualsTheDefinition, ()) {
  const auto small =
      rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(-5, 15)));
  const auto a = as_numbers(*small);
  const auto b = as_numbers(*small);

  double expected = 0;
  for (int at = -5; at < 15; ++at)
    expected = std::max(expected, std::abs(distribution(a, at) - distribution(b, at)));

  RC_ASSERT(std::abs(ks_distance(a, b) - expected) < 1e-12);
}

TEST(TotalVariation, IsHalfTheSumOfTheDifferences) {
  // Shares 1/2, 1/2, 0 against 1/4, 1/4, 1/2: (1/4 + 1/4 + 1/2) / 2.
  EXPECT_DOUBLE_EQ(total_variation({{"a", 5}, {"b", 5}}, {{"a", 1}, {"b", 1}, {"c", 2}}), 0.5);
  EXPECT_DOUBLE_EQ(total_variation({{"a", 1}}, {{"b", 9}}), 1);
  EXPECT_DOUBLE_EQ(total_variation({{"a", 1}, {"b", 3}}, {{"a", 2}, {"b", 6}}), 0);
  EXPECT_TRUE(std::isnan(total_variation({}, {{"b", 9}})));
}

TEST(GoodnessOfFit, OfTheSameWorkloadIsAboutChance) {
  // Two samples of one distribution: the Kolmogorov statistic exceeds 2.5 times its root with
  // probability 2 exp(-2 * 2.5^2) = 7e-6, and 2.5 is 2.9 times its mean.
  WorkloadOptions options{.jobs = 3000, .arrivals = ArrivalPattern::poisson, .seed = 3};
  const Trace trace = generate_workload(options);
  options.seed = 4;
  options.jobs = 20000;

  const auto report = goodness_of_fit({&trace, 1}, {.workload = options, .pools = {{1}, {4}}});

  for (const char* name : {"run time, all", "run time, 1 GPU", "run time, 4 GPUs", "gaps"}) {
    EXPECT_LT(marginal(report, name).distance, 2.9 * marginal(report, name).by_chance) << name;
  }
  // Total variation of 9 profiles: a sum of 9 nearly normal parts; thrice its mean is far out.
  for (const char* name : {"sizes", "speedup profile", "size range"})
    EXPECT_LT(marginal(report, name).distance, 3 * marginal(report, name).by_chance) << name;
  EXPECT_NEAR(report.trace_gap_variation, 1, 0.2);
  EXPECT_NEAR(report.generated_gap_variation, 1, 0.1);
}

TEST(GoodnessOfFit, TellsOtherWorkloadsApart) {
  const Trace trace = generate_workload({.jobs = 1000, .demand = DemandProfile::itp});

  const auto report = goodness_of_fit(
      {&trace, 1},
      {.workload = {.jobs = 5000, .arrivals = ArrivalPattern::bursty}, .pools = {{1}}});

  // 95.9 % of one GPU against 65.2 %, whatever the other sizes do.
  EXPECT_NEAR(marginal(report, "sizes").distance, 0.31, 0.03);
  EXPECT_GT(marginal(report, "run time, all").distance, 0.3);
  EXPECT_GT(marginal(report, "gaps").distance, 0.3);
}

TEST(GoodnessOfFit, ShowsQuantilesOfBothSides) {
  WorkloadProfile profile;
  profile.demand = {{.sizes = {{1, 1.0}}, .run_s = {.probabilities = {0, 1}, .values = {50, 50}}}};
  const Trace trace = generate_workload(with_profile({.jobs = 10}, profile));
  profile.demand[0].run_s.values = {75, 75};

  const auto report =
      goodness_of_fit({&trace, 1}, {.workload = with_profile({.jobs = 10}, profile)});

  EXPECT_EQ(marginal(report, "run time, all").distance, 1);
  EXPECT_EQ(marginal(report, "run time, all").trace_quantiles, (std::array<double, 3>{50, 50, 50}));
  EXPECT_EQ(marginal(report, "run time, all").generated_quantiles,
            (std::array<double, 3>{75, 75, 75}));
}

TEST(GoodnessOfFit, RefusesTracesWithoutJobs) {
  EXPECT_EQ(test::message_of([] { return goodness_of_fit({}, {}); }),
            "no jobs; expected at least one to compare a workload with");
}

TEST(Halves, ShareTheJobsInArrivalOrder) {
  const Trace trace = generate_workload({.jobs = 5});

  const auto [first, later] = halves_of(trace);

  ASSERT_EQ(first.jobs.size(), 2u);
  ASSERT_EQ(later.jobs.size(), 3u);
  EXPECT_EQ(first.jobs[1].id, trace.jobs[1].id);
  EXPECT_EQ(later.jobs[0].id, trace.jobs[2].id);
  EXPECT_EQ(later.profiles.size(), 3u);
  EXPECT_EQ(later.profiles.at(later.jobs[0].id), trace.profiles.at(trace.jobs[2].id));
}

}  // namespace goodness_of_fit_test
}  // namespace voda
