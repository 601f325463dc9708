#include "voda/io/workload_profile_reader.hpp"

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/io_checks.hpp"
#include "voda/io/trace_reader.hpp"
#include "voda/simulator/workload.hpp"
#include "voda/simulator/workload_fit.hpp"

namespace voda {
namespace workload_profile_reader_test {

using testing::HasSubstr;

const std::string smallest =
    R"({"version": 1, "demand": [{"gpus": {"1": 1}, "run_s": {"0": 60, "1": 60}}]})";

/// The example of docs/trace-formats.md.
const std::string hand_written = R"({
  "version": 1,
  "description": "our cluster as we expect it next year",
  "demand": [
    {"gpus": {"1": 0.6, "2": 0.2}, "run_s": {"0": 60, "0.5": 1800, "0.9": 14400, "1": 172800}},
    {"gpus": {"8": 0.2}, "run_s": {"0": 600, "0.5": 21600, "1": 604800}}
  ],
  "arrivals": {"mean_gap_s": 120, "day_of_week": [1, 1, 1, 1, 1, 0.3, 0.3], "squared_variation": 4},
  "profiles": {"voda/resnet50": {"share": 0.7}, "ours": {"share": 0.3, "speedup": {"1": 1, "8": 6.5}}},
  "elastic": {"share": 0.5, "sizes": "1:2x"},
  "deadlines": {"share": 0.25, "slack": {"0": 1.1, "1": 4}},
  "gpu_types": {"a100": 0.3, "v100": 0.7},
  "users": {"ann": 0.6, "bob": 0.3, "": 0.1}
})";

[[nodiscard]] std::string refusal_of(const std::string& text) {
  return test::message_of([&] { return read_workload_profile(text, "p.json"); });
}

/// The refusal of the smallest profile with a field more.
[[nodiscard]] std::string refusal_with(const std::string& field) {
  return refusal_of(smallest.substr(0, smallest.size() - 1) + ", " + field + "}");
}

[[nodiscard]] std::string written(const WorkloadProfile& profile) {
  std::ostringstream out;
  write_workload_profile(out, profile);
  return out.str();
}

TEST(WorkloadProfileReader, ReadsEveryField) {
  const WorkloadProfile profile = read_workload_profile(hand_written, "p.json");

  ASSERT_EQ(profile.demand.size(), 2u);
  EXPECT_EQ(profile.demand[0].sizes, (std::map<GpuCount, double>{{1, 0.6}, {2, 0.2}}));
  EXPECT_EQ(profile.demand[1].run_s,
            (Quantiles{.probabilities = {0, 0.5, 1}, .values = {600, 21600, 604800}}));
  EXPECT_EQ(profile.arrivals->mean_gap_s, 120);
  EXPECT_EQ(profile.arrivals->hour_of_day, equal_rates<24>());
  EXPECT_EQ(profile.arrivals->day_of_week[5], 0.3);
  EXPECT_EQ(profile.arrivals->squared_variation, 4);
  EXPECT_EQ(profile.profiles->at("ours").speedup(8), 6.5);
  EXPECT_EQ(profile.profiles->at("voda/resnet50").speedup, workload_profiles().at("voda/resnet50"));
  EXPECT_EQ(profile.elastic->sizes.min, (SizeBound{.kind = SizeBound::Kind::gpus, .value = 1}));
  EXPECT_EQ(profile.deadlines->slack.values, (std::vector<double>{1.1, 4}));
  EXPECT_EQ(profile.labels.gpu_types, (Shares{{"a100", 0.3}, {"v100", 0.7}}));
  EXPECT_EQ(profile.labels.users.at(""), 0.1);
}

TEST(WorkloadProfileReader, ReadsBackWhatItWrites) {
  const WorkloadProfile by_hand = read_workload_profile(hand_written, "p.json");
  const Trace trace = generate_workload(with_profile({.jobs = 500}, by_hand));

  for (const WorkloadProfile& profile : {by_hand,
                                         fit_workload({&trace, 1}),
                                         shipped_workload_profile(DemandProfile::philly),
                                         shipped_workload_profile(DemandProfile::itp)}) {
    EXPECT_EQ(read_workload_profile(written(profile), "written"), profile);
  }
}

TEST(WorkloadProfileReader, ShippedProfileInAFileMakesTheSameJobs) {
  for (const auto demand : {DemandProfile::philly, DemandProfile::itp}) {
    const auto profile =
        read_workload_profile(written(shipped_workload_profile(demand)), "written");
    std::ostringstream from_file;
    std::ostringstream shipped;

    write_trace(from_file, generate_workload(with_profile({.jobs = 300}, profile)));
    write_trace(shipped, generate_workload({.jobs = 300, .demand = demand}));

    EXPECT_EQ(from_file.str(), shipped.str());
  }
}

TEST(WorkloadProfileReader, NamesPathValueAndExpectation) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "p.json: it is empty; expected a JSON document"},
      {"[]", "p.json: the document: an array; expected an object"},
      {"{}", "p.json: the document: field 'version' is missing"},
      {R"({"version": 2})", "p.json: version: 2; expected a whole number from 1 to 1"},
      {R"({"version": 1})", "p.json: the document: field 'demand' is missing"},
      {R"({"version": 1, "demand": []})", "p.json: demand: shares that add up to 0; expected 1"},
      {R"({"version": 1, "demand": [{"gpus": {"0": 1}, "run_s": {"0": 1, "1": 1}}]})",
       "p.json: demand[0].gpus: 0; expected a number >= 1"},
      {R"({"version": 1, "demand": [{"gpus": {"one": 1}, "run_s": {"0": 1, "1": 1}}]})",
       "p.json: demand[0].gpus.one: unknown key; expected a number of GPUs"},
      {R"({"version": 1, "demand": [{"gpus": {"1": 0.5}, "run_s": {"0": 1, "1": 1}}]})",
       "p.json: demand: shares that add up to 0.5; expected 1"},
      {R"({"version": 1, "demand": [{"gpus": {"1": -1}, "run_s": {"0": 1, "1": 1}}]})",
       "p.json: demand[0].gpus.1: -1; expected a number from 1e-12 to 1"},
      {R"({"version": 1, "demand": [{"gpus": {"1": 1}, "run_s": {"0": 5, "1": 1}}]})",
       "p.json: demand[0].run_s: 1 at probability 1 after 5; expected no value below the one "
       "before it"},
      {R"({"version": 1, "demand": [{"gpus": {"1": 1}, "run_s": {"0": 5, "50%": 6, "1": 9}}]})",
       "p.json: demand[0].run_s[\"50%\"]: unknown key; expected a probability from 0 to 1"},
      {R"({"version": 1, "demand": [{"gpus": {"1": 1}, "run_s": {"0.5": 5, "0.50": 6}}]})",
       "p.json: demand[0].run_s[\"0.50\"]: the probability 0.5 is there twice; expected it once"},
      {R"({"version": 1, "demand": [{"gpus": {"1": 1}, "run_s": {"0": -1, "1": 1}}]})",
       "p.json: demand[0].run_s.0: -1; expected a number from 0 to 100000000000"},
      {R"({"version": 1, "demand": [{"gpus": {"1": 1}, "runs": {}}]})",
       "p.json: demand[0].runs: unknown field; expected gpus, run_s; did you mean 'run_s'?"}};
  for (const auto& [text, message] : cases)
    EXPECT_EQ(refusal_of(text), message) << text;
}

TEST(WorkloadProfileReader, NamesWhatIsWrongInOptionalFields) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {R"("user": {"a": 1})", "p.json: user: unknown field; expected version, "},
      {R"("users": {"a": 0.5, "b": 0.4})", "p.json: users: shares that add up to 0.9; expected 1"},
      {R"("users": {})", "p.json: users: an object; expected at least one name, or no field"},
      {R"("users": {"a": "all"})", "p.json: users.a: \"all\"; expected a number from 1e-12 to 1"},
      {R"("profiles": {})", "p.json: profiles: none; expected at least one, or the empty name"},
      {R"("profiles": {"": {"share": 1, "speedup": {"1": 1}}})", "expected none, they are linear"},
      {R"("profiles": {"a": {"share": 1, "speedup": {"1": -1}}})", "profiles.a.speedup.1: -1"},
      {R"("arrivals": {"hour_of_day": [1, 2]})",
       "p.json: arrivals.hour_of_day: an array; expected an array of 24 rates"},
      {R"("arrivals": {"day_of_week": [0, 0, 0, 0, 0, 0, 0]})",
       "p.json: arrivals.day_of_week: no rate above 0; expected one"},
      {R"("arrivals": {"gaps": {"0": 0, "1": 0}})",
       "p.json: arrivals.gaps: every gap is 0; expected one above 0"},
      {R"("arrivals": {"gaps": {"0": 0, "1": 1}, "squared_variation": 1})",
       "p.json: arrivals.squared_variation: it stands beside gaps; expected one of the two"},
      {R"("arrivals": {"mean_gap_s": 0})",
       "p.json: arrivals.mean_gap_s: 0; expected a number from"},
      {R"("elastic": {"share": 0.5})", "p.json: elastic: field 'sizes' is missing"},
      {R"("elastic": {"share": 0.5, "sizes": "2x:4x"})",
       "p.json: elastic.sizes: elastic '2x:4x': "},
      {R"("deadlines": {"share": 2, "slack": {"0": 1, "1": 2}})", "p.json: deadlines.share: 2; "},
      {R"("deadlines": {"share": 1, "slack": {"0": 1}})",
       "p.json: deadlines.slack: 1 probabilities and 1 values; "},
      {R"("description": 7)", "p.json: description: 7; expected a text"}};
  for (const auto& [field, message] : cases)
    EXPECT_THAT(refusal_with(field), HasSubstr(message)) << field;
}

TEST(WorkloadProfileReader, DoesNotWriteWhatItWouldNotRead) {
  WorkloadProfile profile = read_workload_profile(smallest, "p.json");
  profile.description = "a\nb";

  EXPECT_THAT(test::message_of([&] { return written(profile); }), HasSubstr("description: 'a?b'"));
}

TEST(WorkloadProfileReader, SaysWhenTheStreamFails) {
  std::ostringstream out;
  out.setstate(std::ios::badbit);

  EXPECT_THROW(write_workload_profile(out, read_workload_profile(smallest, "p.json")), Error);
}

RC_GTEST_PROP(GeneratedWorkload, ReadsBackAsItWasWritten, (std::uint64_t seed)) {
  WorkloadOptions options =
      with_profile({.jobs = 60, .gpus = *rc::gen::inRange(1, 100), .seed = seed},
                   read_workload_profile(hand_written, "p.json"));
  options.arrivals = *rc::gen::element(ArrivalPattern::poisson,
                                       ArrivalPattern::bursty,
                                       ArrivalPattern::daily,
                                       ArrivalPattern::fitted);
  options.load = *rc::gen::element(0.01, 0.9, 40.0);
  options.labels.queues = {{"a,b \"c\"", 0.5}, {"d", 0.5}};
  const Trace trace = generate_workload(options);
  std::stringstream text;
  write_trace(text, trace);
  Profiles speedups = workload_profiles();
  speedups.emplace("ours", SpeedupCurve(std::map<GpuCount, double>{{1, 1}, {8, 6.5}}));

  const Trace back = read_trace(text, "t.csv", "voda", {.speedups = speedups}).trace;

  RC_ASSERT(back.profiles == trace.profiles);
  RC_ASSERT(back.jobs.size() == trace.jobs.size());
  for (std::size_t i = 0; i < trace.jobs.size(); ++i) {
    RC_ASSERT(back.jobs[i].id == trace.jobs[i].id);
    RC_ASSERT(back.jobs[i].submitted == trace.jobs[i].submitted);
    RC_ASSERT(back.jobs[i].spec == trace.jobs[i].spec);
    RC_ASSERT(back.jobs[i].work == trace.jobs[i].work);
    RC_ASSERT(back.jobs[i].speedup == trace.jobs[i].speedup);
  }
}

}  // namespace workload_profile_reader_test
}  // namespace voda
