#include "voda/simulator/trace.hpp"

#include <chrono>
#include <string>

#include "support/io_checks.hpp"

namespace voda {
namespace trace_test {

using Kind = SizeBound::Kind;
using test::message_of;

[[nodiscard]] Job job(std::string id,
                      std::int64_t submitted_s,
                      GpuCount requested = 1,
                      double work_s = 10) {
  const TimePoint submitted{Duration(submitted_s * 1000000)};
  return {.id = {std::move(id)},
          .submitted = submitted,
          .spec = {.min_gpus = requested, .requested_gpus = requested, .max_gpus = requested},
          .work = RemainingWork{.left_s = work_s, .since = submitted}};
}

[[nodiscard]] std::string check_refusal(const Trace& trace) {
  return message_of([&] {
    check(trace);
    return 0;
  });
}

/// Sizes of one job that asked for `requested` GPUs.
[[nodiscard]] JobSpec elastic(GpuCount requested, SizeBound min, SizeBound max) {
  return with_elastic_jobs({.jobs = {job("a", 0, requested)}}, {.min = min, .max = max})
      .jobs[0]
      .spec;
}

TEST(Trace, IsSortedByTimeThenIdAsText) {
  const Trace trace = sorted_by_arrival(
      {.jobs = {job("b", 5), job("a", 5), job("10", 6), job("9", 6), job("c", 1)}});
  std::string order;
  for (const Job& entry : trace.jobs)
    order += entry.id.value + " ";
  EXPECT_EQ(order, "c a b 10 9 ");
}

TEST(Trace, PadsIdsAndKeepsTheirProfiles) {
  const Trace trace =
      with_padded_ids({.jobs = {job("9", 0), job("100", 0)}, .profiles = {{{"9"}, "p"}}});
  EXPECT_EQ(trace.jobs[0].id.value, "009");
  EXPECT_EQ(trace.jobs[1].id.value, "100");
  EXPECT_EQ(trace.profiles, (std::map<JobId, std::string>{{{"009"}, "p"}}));
}

TEST(Trace, LeavesIdsAloneWhenOneIsNoWholeNumber) {
  for (const char* other : {"1a", "-1", "1.0", "x"}) {
    EXPECT_EQ(
        with_padded_ids({.jobs = {job("9", 0), job(other, 0), job("100", 0)}}).jobs[0].id.value,
        "9");
  }
}

TEST(Trace, CheckNamesTheJobAtFault) {
  EXPECT_EQ(check_refusal({.jobs = {job("a", 0), job("a", 1)}}),
            "job 'a': its id is taken; expected unique ids");
  EXPECT_EQ(check_refusal({.jobs = {job("a", 1), job("b", 0)}}),
            "job 'b' stands after job 'a'; expected arrival order");
  EXPECT_EQ(check_refusal({.jobs = {job("a", 0, 0)}}),
            "job 'a': min_gpus 0; expected a number >= 1");
  EXPECT_EQ(check_refusal({.jobs = {Job{.id = {"a"}}}}), "job 'a': it has no work_s");
  EXPECT_EQ(check_refusal({.jobs = {job("a", 0), job("b", 0)}}), "nothing thrown");
}

TEST(Elasticity, MultipliesTheRequestAndRoundsDown) {
  const SizeBound half{.kind = Kind::factor, .value = 0.5};
  const SizeBound half_more{.kind = Kind::factor, .value = 1.5};
  EXPECT_EQ(elastic(4, half, half_more).min_gpus, 2);
  EXPECT_EQ(elastic(4, half, half_more).max_gpus, 6);
  EXPECT_EQ(elastic(3, half, half_more).min_gpus, 1);  // 1.5
  EXPECT_EQ(elastic(3, half, half_more).max_gpus, 4);  // 4.5
  EXPECT_EQ(elastic(1, half, half_more).min_gpus, 1);  // never below 1
  EXPECT_EQ(elastic(3, half, half_more).requested_gpus, 3);
}

TEST(Elasticity, CountsAlwaysContainTheRequest) {
  const SizeBound two{.kind = Kind::gpus, .value = 2};
  const SizeBound eight{.kind = Kind::gpus, .value = 8};
  EXPECT_EQ(elastic(4, two, eight).min_gpus, 2);
  EXPECT_EQ(elastic(4, two, eight).max_gpus, 8);
  EXPECT_EQ(elastic(1, two, eight).min_gpus, 1);
  EXPECT_EQ(elastic(16, two, eight).max_gpus, 16);
}

TEST(Elasticity, StaysInRangeForTheLargestRequests) {
  const SizeBound four{.kind = Kind::factor, .value = 4};
  EXPECT_EQ(elastic(2000000000, {.value = 1}, four).max_gpus, 2147483647);
}

TEST(TraceLoad, AddsUpGpuSeconds) {
  // 2 GPUs for 60 / 1.5 = 40 s and 1 GPU for 20 s, 100 s apart: 100 GPU-seconds; on 4 GPUs that is
  // a quarter of 400.
  Trace trace{.jobs = {job("a", 0, 2, 60), job("b", 100, 1, 20)}};
  trace.jobs[0].speedup = SpeedupCurve({{1, 1}, {2, 1.5}, {4, 2}});
  const TraceLoad load = load_of(trace);
  EXPECT_EQ(load.jobs, 2u);
  EXPECT_EQ(load.work_s, 80);
  EXPECT_EQ(load.requested_gpu_s, 100);
  EXPECT_EQ(load.span, Duration(100000000));
  EXPECT_EQ(load.largest_request, 2);
  EXPECT_EQ(load.offered_load(4), 0.25);
  EXPECT_EQ(load_of(Trace{}).offered_load(4), 0);
}

TEST(TraceAtLoad, StretchesTheGapsAndMovesDeadlinesAlong) {
  // 4 GPUs * 10 s + 1 GPU * 60 s within 50 s on 4 GPUs: load 0.5; twice that takes half the span.
  Trace trace{.jobs = {job("a", 100, 4, 40), job("b", 130, 1, 30), job("c", 150, 1, 30)}};
  trace.jobs[1].spec.deadline = TimePoint(std::chrono::seconds(1000));

  const Trace scaled = with_offered_load(trace, 4, 1);

  EXPECT_EQ(load_of(trace).offered_load(4), 0.5);
  EXPECT_EQ(load_of(scaled).offered_load(4), 1);
  EXPECT_EQ(scaled.jobs[0].submitted, TimePoint(std::chrono::seconds(100)));
  EXPECT_EQ(scaled.jobs[1].submitted, TimePoint(std::chrono::seconds(115)));
  EXPECT_EQ(scaled.jobs[1].work->since, scaled.jobs[1].submitted);
  EXPECT_EQ(scaled.jobs[1].spec.deadline, TimePoint(std::chrono::seconds(985)));
  EXPECT_EQ(scaled.jobs[2].submitted, TimePoint(std::chrono::seconds(125)));
}

TEST(TraceAtLoad, StaysInArrivalOrderWhenInstantsMeet) {
  Trace trace{.jobs = {job("a", 0, 1, 100), job("z", 1, 1, 100), job("b", 2, 1, 100)}};
  trace.jobs[1].submitted = TimePoint(Duration(1));
  trace.jobs[2].submitted = TimePoint(Duration(2));

  const Trace scaled = with_offered_load(trace, 1, 1e9);

  EXPECT_NO_THROW(check(scaled));
}

TEST(TraceAtLoad, RefusesWhatCannotBeScaled) {
  const auto refusal = [](const Trace& trace, GpuCount gpus, double load) {
    return message_of([&] { return with_offered_load(trace, gpus, load); });
  };
  const Trace trace{.jobs = {job("a", 0), job("b", 1)}};
  const std::string none =
      "load: the trace offers none that could be scaled; expected jobs with work that are not "
      "submitted all at once";
  EXPECT_EQ(refusal({}, 1, 1), none);
  EXPECT_EQ(refusal({.jobs = {job("a", 5), job("b", 5)}}, 1, 1), none);
  EXPECT_EQ(refusal({.jobs = {job("a", 5, 1, 0), job("b", 6, 1, 0)}}, 1, 1), none);
  EXPECT_EQ(refusal(trace, 0, 1), "load: 1 on 0 GPUs; expected numbers above 0");
  EXPECT_EQ(refusal(trace, 1, 0), "load: 0 on 1 GPUs; expected numbers above 0");
  EXPECT_EQ(refusal(trace, 1, 1e-12),
            "load: 1e-12; expected one that spreads the jobs over at most 1000000000000 s");
}

}  // namespace trace_test
}  // namespace voda
