#include "voda/allocators/ffdl.hpp"

#include <gtest/gtest.h>

#include "support/allocation_builders.hpp"
#include "support/policies.hpp"

// Expected counts by hand from policies.md, section 7.

namespace ffdl_test {

using voda::SizeRule;
using voda::test::AllocationCase;
using voda::test::gpus_given;
using voda::test::GpusById;

TEST(Ffdl, IsOptimalWhereMarginalGainsMislead) {
  // a 3, b 1: 3 + 1; a 2, b 2: 1.2 + 1.9; a 1, b 2: 2.9. One GPU at a time would go to b first and
  // end at 3.1.
  const AllocationCase from{.gpus = 4,
                            .jobs = {{.id = "a", .max = 3, .speedup = {{1, 1}, {2, 1.2}, {3, 3}}},
                                     {.id = "b", .max = 2, .speedup = {{1, 1}, {2, 1.9}}}}};

  EXPECT_EQ(gpus_given("ffdl", from), (GpusById{{"a", 3}, {"b", 1}}));
}

TEST(Ffdl, IsOptimalOnConcaveCurves) {
  // Steps: a 0.9, 0.5; b 0.8, 0.6. Three are free after the minimums: 0.9, 0.8, 0.6.
  const AllocationCase from{
      .gpus = 5,
      .jobs = {{.id = "a", .max = 3, .speedup = {{1, 1}, {2, 1.9}, {3, 2.4}}},
               {.id = "b", .max = 3, .speedup = {{1, 1}, {2, 1.8}, {3, 2.4}}}}};

  EXPECT_EQ(gpus_given("ffdl", from), (GpusById{{"a", 2}, {"b", 3}}));
}

TEST(Ffdl, AdmitsInArrivalOrderWhileMinimumsFit) {
  const AllocationCase from{
      .gpus = 3,
      .jobs = {{.id = "a", .submitted_s = 1, .min = 2, .requested = 2, .max = 2},
               {.id = "b", .submitted_s = 2, .min = 2, .requested = 2, .max = 2},
               {.id = "c", .submitted_s = 3}}};

  EXPECT_EQ(gpus_given("ffdl", from), (GpusById{{"a", 2}, {"b", 0}, {"c", 1}}));
}

TEST(Ffdl, AnAdmittedJobIsNeverAtZero) {
  // b alone would reach 10 on both.
  const AllocationCase from{.gpus = 2,
                            .jobs = {{.id = "a", .speedup = {{1, 0.1}}},
                                     {.id = "b", .max = 2, .speedup = {{1, 1}, {2, 10}}}}};

  EXPECT_EQ(gpus_given("ffdl", from), (GpusById{{"a", 1}, {"b", 1}}));
}

// papers.md: Voda 0.2.2 ignores minimums and panics.
TEST(Ffdl, KeepsMinimumsAndAllowedSizes) {
  const AllocationCase from{
      .gpus = 7,
      .jobs = {{.id = "a",
                .min = 3,
                .requested = 3,
                .max = 8,
                .sizes = {.kind = SizeRule::Kind::powers_of_two}},
               {.id = "b", .max = 8, .gpus_per_worker = 2, .speedup = {{2, 1}, {4, 1.5}}}}};

  // a 3 or 4 (linear), b 2 or 4: 4 + 1, 3 + 1.5 (7 GPUs).
  EXPECT_EQ(gpus_given("ffdl", from), (GpusById{{"a", 4}, {"b", 2}}));
}

TEST(Ffdl, PrefersFewerGpus) {
  const AllocationCase from{
      .gpus = 4,
      .jobs = {{.id = "a", .max = 4, .speedup = {{1, 1}, {2, 1.5}, {3, 1.5}, {4, 1.25}}}}};

  EXPECT_EQ(gpus_given("ffdl", from), (GpusById{{"a", 2}}));
}

// papers.md: Voda 0.2.2 panics on K = 0.
TEST(Ffdl, NoGpusGiveNothing) {
  const AllocationCase from{.gpus = 0, .jobs = {{.id = "a"}, {.id = "b"}}};

  EXPECT_EQ(gpus_given("ffdl", from), (GpusById{{"a", 0}, {"b", 0}}));
}

TEST(Ffdl, NeedsNoWork) {
  EXPECT_EQ(gpus_given("ffdl", {.gpus = 2, .jobs = {{.id = "a", .max = 2}}}), (GpusById{{"a", 2}}));
}

}  // namespace ffdl_test
