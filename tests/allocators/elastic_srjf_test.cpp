#include "voda/allocators/elastic_srjf.hpp"

#include <gtest/gtest.h>

#include "support/allocation_builders.hpp"
#include "support/error_text.hpp"
#include "support/policies.hpp"
#include "voda/model/error.hpp"

// Expected counts by hand from policies.md, sections 0 and 4.

namespace elastic_srjf_test {

using voda::test::AllocationCase;
using voda::test::gpus_given;
using voda::test::GpusById;

AllocationCase long_and_short(voda::GpuCount gpus) {
  return {.gpus = gpus,
          .jobs = {{.id = "a", .submitted_s = 1, .max = 4, .work_s = 10.0},
                   {.id = "b", .submitted_s = 2, .max = 4, .work_s = 5.0}}};
}

TEST(ElasticSrjf, BothPhasesGoFromTheShortest) {
  EXPECT_EQ(gpus_given("elastic_srjf", long_and_short(1)), (GpusById{{"a", 0}, {"b", 1}}));
  EXPECT_EQ(gpus_given("elastic_srjf", long_and_short(3)), (GpusById{{"a", 1}, {"b", 2}}));
}

TEST(ElasticSrjf, GreedyFeedsTheShortest) {
  EXPECT_EQ(gpus_given("elastic_srjf:grow=greedy", long_and_short(5)),
            (GpusById{{"a", 1}, {"b", 4}}));
}

TEST(ElasticSrjf, InOrderFillsTheShortestFirst) {
  EXPECT_EQ(gpus_given("elastic_srjf:grow=in_order", long_and_short(5)),
            (GpusById{{"a", 1}, {"b", 4}}));
  EXPECT_EQ(gpus_given("elastic_srjf:grow=in_order", long_and_short(4)),
            (GpusById{{"a", 0}, {"b", 4}}));
}

TEST(ElasticSrjf, EqualWorkGoesByArrival) {
  AllocationCase from = long_and_short(1);
  from.jobs[0].work_s = 5;

  EXPECT_EQ(gpus_given("elastic_srjf", from), (GpusById{{"a", 1}, {"b", 0}}));
}

/// One GPU; a: w = 100, R(4) = 25, area 100; b: w = R(1) = area = 50.
AllocationCase ranks() {
  return {.gpus = 1,
          .jobs = {{.id = "a", .requested = 4, .max = 4, .work_s = 100.0},
                   {.id = "b", .work_s = 50.0}}};
}

TEST(ElasticSrjf, RanksByWorkTimeOrGpuTime) {
  EXPECT_EQ(gpus_given("elastic_srjf:rank=work", ranks()), (GpusById{{"a", 0}, {"b", 1}}));
  EXPECT_EQ(gpus_given("elastic_srjf:rank=time", ranks()), (GpusById{{"a", 1}, {"b", 0}}));
  EXPECT_EQ(gpus_given("elastic_srjf:rank=gpu_time", ranks()), (GpusById{{"a", 0}, {"b", 1}}));
}

// papers.md: Voda 0.2.2 pushes one 2..2 job on 4 GPUs beyond its maximum and panics.
TEST(ElasticSrjf, AJobWhoseMinimumIsItsMaximumStaysThere) {
  const AllocationCase from{
      .gpus = 4, .jobs = {{.id = "a", .min = 2, .requested = 2, .max = 2, .work_s = 1.0}}};

  EXPECT_EQ(gpus_given("elastic_srjf", from), (GpusById{{"a", 2}}));
}

TEST(ElasticSrjf, AJobStopsWhereTheNextSizeIsNotFaster) {
  const AllocationCase from{
      .gpus = 8, .jobs = {{.id = "a", .max = 8, .work_s = 1.0, .speedup = {{1, 1}, {2, 2}}}}};

  EXPECT_EQ(gpus_given("elastic_srjf", from), (GpusById{{"a", 2}}));
}

TEST(ElasticSrjf, MissingWorkNamesJobAndPolicy) {
  const AllocationCase from{.gpus = 1, .jobs = {{.id = "b"}}};

  EXPECT_EQ(
      voda::test::error_text<voda::InvalidInput>([&] { return gpus_given("elastic_srjf", from); }),
      "job 'b': work_s is missing; policy 'elastic_srjf' needs it");
}

}  // namespace elastic_srjf_test
