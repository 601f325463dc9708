#include "voda/model/allowed_sizes.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "reference/naive_policies.hpp"
#include "support/error_text.hpp"
#include "support/naive_problem.hpp"
#include "voda/model/error.hpp"

namespace allowed_sizes_test {

using voda::allowed_sizes;
using voda::AllowedSizes;
using voda::GpuCount;
using voda::InvalidInput;
using voda::is_allowed;
using voda::largest_size;
using voda::next_size;
using voda::SizeRule;
using voda::test::error_text;

constexpr SizeRule powers{.kind = SizeRule::Kind::powers_of_two};

constexpr SizeRule by(GpuCount step) {
  return {.kind = SizeRule::Kind::step, .step = step};
}

/// The sizes as next_size() lists them.
std::vector<GpuCount> list(const AllowedSizes& sizes) {
  std::vector<GpuCount> result;
  for (GpuCount size = next_size(sizes, 0); size != 0; size = next_size(sizes, size)) {
    result.push_back(size);
  }
  return result;
}

using Sizes = std::vector<GpuCount>;

TEST(AllowedSizes, EveryListsTheWholeRange) {
  EXPECT_EQ(list(allowed_sizes(2, 5)), (Sizes{2, 3, 4, 5}));
  EXPECT_EQ(list(allowed_sizes(3, 3)), (Sizes{3}));
}

TEST(AllowedSizes, StepCountsFromTheMinimum) {
  EXPECT_EQ(list(allowed_sizes(3, 12, by(4))), (Sizes{3, 7, 11}));
  EXPECT_EQ(list(allowed_sizes(3, 6, by(4))), (Sizes{3}));
}

TEST(AllowedSizes, PowersOfTwoKeepTheMinimum) {
  EXPECT_EQ(list(allowed_sizes(3, 17, powers)), (Sizes{3, 4, 8, 16}));
  EXPECT_EQ(list(allowed_sizes(4, 16, powers)), (Sizes{4, 8, 16}));
  EXPECT_EQ(list(allowed_sizes(5, 7, powers)), (Sizes{5}));
}

TEST(AllowedSizes, WorkersRoundMinimumUpAndMaximumDown) {
  EXPECT_EQ(list(allowed_sizes(3, 9, {}, 2)), (Sizes{4, 6, 8}));
}

TEST(AllowedSizes, StepFormsSizesFromTheRoundedMinimumAndDropsNoMultiples) {
  // 3 -> 4; 4, 7, 10, 13, 16, 19: of these the multiples of 2 are 4, 10, 16.
  EXPECT_EQ(list(allowed_sizes(3, 19, by(3), 2)), (Sizes{4, 10, 16}));
}

TEST(AllowedSizes, PowersOfTwoThatAreNoWholeWorkersAreDropped) {
  EXPECT_EQ(list(allowed_sizes(1, 17, powers, 3)), (Sizes{3}));
  EXPECT_EQ(list(allowed_sizes(1, 33, powers, 4)), (Sizes{4, 8, 16, 32}));
  EXPECT_EQ(list(allowed_sizes(11, 33, powers, 4)), (Sizes{12, 16, 32}));
}

TEST(AllowedSizes, LargestSizeRoundsDown) {
  const AllowedSizes sizes = allowed_sizes(3, 17, powers);

  EXPECT_EQ(largest_size(sizes, 2), 0);
  EXPECT_EQ(largest_size(sizes, 3), 3);
  EXPECT_EQ(largest_size(sizes, 7), 4);
  EXPECT_EQ(largest_size(sizes, 1000), 16);
}

TEST(AllowedSizes, ZeroIsAllowedAndNegativeIsNot) {
  EXPECT_TRUE(is_allowed(allowed_sizes(2, 4), 0));
  EXPECT_FALSE(is_allowed(allowed_sizes(2, 4), -2));
  EXPECT_FALSE(is_allowed(allowed_sizes(2, 4), 1));
  EXPECT_FALSE(is_allowed(allowed_sizes(2, 4), 5));
}

TEST(AllowedSizes, TheLargestCountsDoNotOverflow) {
  constexpr GpuCount most = std::numeric_limits<GpuCount>::max();  // 2^31 - 1

  EXPECT_EQ(list(allowed_sizes(1, most, by(most - 1))), (Sizes{1, most}));
  EXPECT_EQ(next_size(allowed_sizes(1, most, powers), 1 << 30), 0);
  EXPECT_EQ(next_size(allowed_sizes(1, most, by(most), most - 1), most - 1), 0);
}

TEST(AllowedSizes, RefusesWhatHasNoSizes) {
  const auto text = [](GpuCount min, GpuCount max, SizeRule rule, GpuCount worker) {
    return error_text<InvalidInput>([=] { return allowed_sizes(min, max, rule, worker); });
  };

  EXPECT_EQ(text(0, 4, {}, 1), "min_gpus 0; expected a number >= 1");
  EXPECT_EQ(text(4, 3, {}, 1), "max_gpus 3 < min_gpus 4");
  EXPECT_EQ(text(1, 4, {}, 0), "gpus_per_worker 0; expected a number >= 1");
  EXPECT_EQ(text(1, 4, by(0), 1), "sizes.step 0; expected a number >= 1");
  EXPECT_EQ(text(5, 7, {}, 4),
            "gpus_per_worker 4: no multiple of it lies between min_gpus 5 and max_gpus 7");
}

/// Compares with the sentence of policies.md section 0, enumerated in tests/reference.
void agree_with_the_sentence(const voda::test::AskingJob& job) {
  std::vector<int> expected;
  try {
    expected = naive::allowed_sizes(voda::test::naive_job(job));
  } catch (const std::invalid_argument&) {
    RC_ASSERT_THROWS_AS(
        static_cast<void>(allowed_sizes(job.min, job.max, job.sizes, job.gpus_per_worker)),
        InvalidInput);
    return;
  }
  const AllowedSizes sizes = allowed_sizes(job.min, job.max, job.sizes, job.gpus_per_worker);
  RC_ASSERT(list(sizes) == expected);
  int largest = 0;
  for (int n = 1; n <= job.max + 10; ++n) {
    const bool is_size = std::find(expected.begin(), expected.end(), n) != expected.end();
    if (is_size)
      largest = n;
    RC_ASSERT(is_allowed(sizes, n) == is_size);
    RC_ASSERT(largest_size(sizes, n) == largest);
    const auto next = std::upper_bound(expected.begin(), expected.end(), n);
    RC_ASSERT(next_size(sizes, n) == (next == expected.end() ? 0 : *next));
  }
}

RC_GTEST_PROP(AllowedSizes, AreThoseOfTheSpecification, ()) {
  voda::test::AskingJob job{.id = "a"};
  job.min = *rc::gen::inRange(1, 40);
  job.max = job.min + *rc::gen::inRange(0, 60);
  job.sizes.kind =
      *rc::gen::element(SizeRule::Kind::every, SizeRule::Kind::step, SizeRule::Kind::powers_of_two);
  job.sizes.step = *rc::gen::inRange(1, 9);
  job.gpus_per_worker = *rc::gen::inRange(1, 9);
  agree_with_the_sentence(job);
}

}  // namespace allowed_sizes_test
