#include "voda/simulator/wait_study.hpp"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "support/io_checks.hpp"
#include "support/test_size.hpp"
#include "voda/allocators/builtin.hpp"
#include "voda/io/speedups_reader.hpp"
#include "voda/io/trace_reader.hpp"

namespace voda::test {
namespace wait_study_test {

/// Jobs of a real trace whose work is told wrong by a factor of e^(0.5 z), on 128 GPUs: more than half of them wait.
TEST(WaitStudy, HoldsItsIntervalsOnARealTrace) {
  VODA_NEED_SHARED("data/philly-vc/trace_0e4a51.csv");
  const TraceOptions reading{
      .speedups = read_speedups_file(shared_path("data/speedups/speedups_us_per_iteration.csv"))};
  const Trace trace =
      read_trace_file(shared_path("data/philly-vc/trace_0e4a51.csv"), "pcs", reading).trace;
  SimulationOptions options{.allocator = builtin_allocators().make("fifo"), .estimate_error = 0.5};
  for (int i = 0; i < 16; ++i)
    options.nodes.push_back({.id = {"n" + std::to_string(i)}, .gpus = 8});
  const bool is_full = cases(0, 1) == 1;
  const WaitStudy study =
      study_waits(trace, options, {.most_forecasts = cases(30, 1000), .futures = cases(3, 20)});
  for (const ForecastScores& scores : {study.start, study.finish}) {
    EXPECT_LT(scores.all.pinball_s, scores.all.plain_pinball_s);
    EXPECT_LT(scores.waited.pinball_s, scores.waited.plain_pinball_s);
    EXPECT_GT(scores.waited.outcomes, cases(5, 200));
    if (!is_full)
      continue;
    EXPECT_GE(scores.all.coverage(), 0.80);
    EXPECT_GE(scores.waited.coverage(), 0.75);
    EXPECT_LE(scores.waited.coverage(), 0.95);
  }
}

}  // namespace wait_study_test
}  // namespace voda::test
