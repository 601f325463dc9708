#include "voda/io/snapshot.hpp"

#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include "support/io_checks.hpp"

namespace voda {
namespace snapshot_test {

using test::message_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

[[nodiscard]] Snapshot read(const std::string& text) {
  return read_snapshot(text, "s.json");
}

[[nodiscard]] std::string refusal_of(const std::string& text) {
  return message_of([&] { return read(text); });
}

/// The refusal of a snapshot with one job `a` that has these further fields.
[[nodiscard]] std::string job_refusal(const std::string& fields) {
  return refusal_of(R"({"version": 1, "jobs": [{"id": "b"}, {"id": "a", )" + fields + "}]}");
}

[[nodiscard]] NodeId node(const char* name) {
  return NodeId{name};
}

const char* const full_text = R"({
  "version": 1, "now": 100.5, "gpus": 4,
  "nodes": [{"id": "n0", "gpus": 4, "gpu_type": "v100", "domains": ["zone-a", "rack-3"], "schedulable": true},
            {"id": "n1", "gpus": 8, "gpu_type": "v100", "schedulable": false}],
  "jobs": [{"id": "a", "submitted": 1, "min_gpus": 1, "requested_gpus": 2, "max_gpus": 4,
            "sizes": {"step": 2}, "gpus_per_worker": 1, "work_s": 3600.5,
            "speedup": {"1": 1.0, "2": 1.9, "4": 3.1, "span": {"2": 0.92}},
            "progress": {"service": 5, "executed": 3, "waited": 2, "last_started": null, "first_started": 7,
                         "last_changed": 9, "resized": [8, 8.5]},
            "current": ["n0", "gone"], "eligible": ["n0", "n1"], "gpu_type": "v100", "priority": 2,
            "queue": "q1", "user": "u", "virtual_cluster": "vc1", "preemptible": false},
           {"id": "b", "sizes": "powers_of_two", "max_gpus": 8, "speedup": "p", "current": {"n1": 1, "n0": 2}},
           {"id": "c", "speedup": "p", "current": 2}],
  "profiles": {"p": {"1": 1.0, "2": 1.5}},
  "queues": [], "cells": {},
  "allocation": {"a": 2, "b": 0}
})";

TEST(Snapshot, ReadsEveryField) {
  const Snapshot snapshot = read(full_text);

  EXPECT_EQ(snapshot.now, TimePoint(Duration(100500000)));
  EXPECT_EQ(snapshot.total_gpus(), 4);
  EXPECT_EQ(
      snapshot.nodes[0],
      (Node{.id = node("n0"), .gpu_type = "v100", .gpus = 4, .domains = {"zone-a", "rack-3"}}));
  EXPECT_FALSE(snapshot.nodes[1].schedulable);
  const Job& a = snapshot.jobs[0].job;
  const JobSpec spec{.min_gpus = 1,
                     .requested_gpus = 2,
                     .max_gpus = 4,
                     .sizes = {.kind = SizeRule::Kind::step, .step = 2},
                     .priority = 2,
                     .gpu_type = "v100",
                     .queue = "q1",
                     .user = "u",
                     .virtual_cluster = "vc1",
                     .preemptible = false,
                     .eligible = std::vector<NodeId>{node("n0"), node("n1")}};
  EXPECT_EQ(a.spec, spec);
  EXPECT_EQ(a.work->left_s, 3600.5);
  EXPECT_EQ(a.work->since, snapshot.now);
  EXPECT_EQ(a.speedup, SpeedupCurve({{1, 1}, {2, 1.9}, {4, 3.1}}, {{2, 0.92}}));
  EXPECT_EQ(a.progress.since_promotion.service, GpuTime{5000000});
  EXPECT_EQ(a.progress.since_promotion.executed, Duration(3000000));
  EXPECT_EQ(a.progress.since_promotion.waited, Duration(2000000));
  EXPECT_EQ(a.progress.lifetime, a.progress.since_promotion);
  EXPECT_FALSE(a.progress.last_started);
  EXPECT_EQ(a.progress.first_started, TimePoint(Duration(7000000)));
  EXPECT_EQ(a.progress.last_changed, TimePoint(Duration(9000000)));
  EXPECT_EQ(a.progress.resized,
            (std::vector{TimePoint(Duration(8000000)), TimePoint(Duration(8500000))}));
  EXPECT_EQ(snapshot.allocation->at(JobId{"a"}), 2);
}

TEST(Snapshot, ReadsTheThreeFormsOfWhatAJobHolds) {
  const Snapshot snapshot = read(full_text);

  EXPECT_EQ(gpus_held(snapshot.jobs[0]), 2);
  EXPECT_THAT(node_of_worker(snapshot.jobs[0]), ElementsAre(node("n0"), node("gone")));
  EXPECT_EQ(gpus_held(snapshot.jobs[1]), 3);
  EXPECT_THAT(node_of_worker(snapshot.jobs[1]), ElementsAre(node("n0"), node("n0"), node("n1")));
  EXPECT_EQ(gpus_held(snapshot.jobs[2]), 2);
  EXPECT_THAT(node_of_worker(snapshot.jobs[2]), IsEmpty());
}

TEST(Snapshot, AWorkerOfSeveralGpusIsOneWorker) {
  const auto holding = [](const char* current) {
    return read(std::string(R"({"version": 1, "jobs": [{"id": "a", "min_gpus": 2,
                                "gpus_per_worker": 2, "current": )") +
                current + "}]}")
        .jobs[0];
  };
  // Two workers of two GPUs on n0 and one on n1: six GPUs.
  const SnapshotJob by_node = holding(R"({"n1": 2, "n0": 4})");
  EXPECT_EQ(gpus_held(by_node), 6);
  EXPECT_THAT(node_of_worker(by_node), ElementsAre(node("n0"), node("n0"), node("n1")));
  const SnapshotJob by_worker = holding(R"(["n1", "n0"])");
  EXPECT_EQ(gpus_held(by_worker), 4);
  EXPECT_THAT(node_of_worker(by_worker), ElementsAre(node("n1"), node("n0")));
  const SnapshotJob counted = holding("4");
  EXPECT_EQ(gpus_held(counted), 4);
  EXPECT_THAT(node_of_worker(counted), IsEmpty());
}

TEST(Snapshot, HoldingsMadeByHandAreCheckedToo) {
  SnapshotJob job{.job = {.id = {"a"}, .spec = {.gpus_per_worker = 2}},
                  .current = WorkerMap{{node("n0"), 3}}};
  EXPECT_THAT(
      test::message_of([&] { return node_of_worker(job); }),
      HasSubstr("job 'a': current: 3 GPUs on node 'n0'; expected a multiple of gpus_per_worker 2"));
  job.job.spec.gpus_per_worker = 2147483647;
  job.current = std::vector<NodeId>{node("n0"), node("n1")};
  EXPECT_THAT(test::message_of([&] { return gpus_held(job); }),
              HasSubstr("job 'a': current: 4294967294 GPUs; expected at most 2147483647"));
}

TEST(Snapshot, JobsOfAProfileShareItsCurve) {
  const Snapshot snapshot = read(full_text);
  EXPECT_EQ(snapshot.jobs[1].profile, "p");
  EXPECT_TRUE(snapshot.jobs[1].job.speedup.shares_table_with(snapshot.jobs[2].job.speedup));
}

TEST(Snapshot, SizesDefaultToEachOther) {
  const Snapshot snapshot = read(R"({"version": 1, "jobs": [{"id": "a"}, {"id": "b", "min_gpus": 3},
                                     {"id": "c", "requested_gpus": 4}, {"id": "d", "max_gpus": 5}]})");
  const auto sizes = [&](std::size_t i) {
    const JobSpec& spec = snapshot.jobs[i].job.spec;
    return std::vector<GpuCount>{spec.min_gpus, spec.requested_gpus, spec.max_gpus};
  };
  EXPECT_THAT(sizes(0), ElementsAre(1, 1, 1));
  EXPECT_THAT(sizes(1), ElementsAre(3, 3, 3));
  EXPECT_THAT(sizes(2), ElementsAre(1, 4, 4));
  EXPECT_THAT(sizes(3), ElementsAre(1, 1, 5));
  EXPECT_FALSE(snapshot.jobs[0].job.work);
  EXPECT_EQ(snapshot.jobs[0].job.speedup(7), 7);
}

TEST(Snapshot, AJobWithoutATypeBelongsToTheOnlyPool) {
  const auto type_of_job = [](const char* nodes, const char* job) {
    return read(std::string(R"({"version": 1, )") + nodes + R"("jobs": [{"id": "a")" + job + "}]}")
        .jobs[0]
        .job.spec.gpu_type;
  };
  const char* const one = R"("nodes": [{"id": "n", "gpus": 1, "gpu_type": "v100"}], )";
  EXPECT_EQ(type_of_job(one, ""), "v100");
  EXPECT_EQ(type_of_job(one, R"(, "gpu_type": "a100")"),
            "a100");  // a pool without GPUs is no error
  EXPECT_EQ(type_of_job("", ""), "");
  EXPECT_EQ(type_of_job("", R"(, "gpu_type": "a100")"), "a100");
}

TEST(Snapshot, ListsThePoolsWhenTheTypeIsMissing) {
  EXPECT_EQ(refusal_of(R"({"version": 1, "jobs": [{"id": "a"}],
              "nodes": [{"id": "n", "gpus": 1, "gpu_type": "v100"}, {"id": "m", "gpus": 1, "gpu_type": "a100"}]})"),
            "s.json: jobs[0]: no gpu_type; expected one of the pools: a100, v100");
  EXPECT_THAT(
      refusal_of(
          R"({"version": 1, "jobs": [{"id": "a", "gpu_type": "x"}, {"id": "b", "gpu_type": "y"}]})"),
      HasSubstr("s.json: jobs: they name several GPU types (x, y)"));
}

TEST(Snapshot, RefusesWhatIsNoDocument) {
  EXPECT_EQ(refusal_of(""), "s.json: it is empty; expected a JSON document");
  EXPECT_EQ(refusal_of("[]"), "s.json: the document: an array; expected an object");
  EXPECT_THAT(refusal_of(R"({"version": 1)"),
              HasSubstr("s.json: not a JSON document: parse error at line 1"));
  EXPECT_THAT(refusal_of(R"({"version": 1} x)"), HasSubstr("expected end of input"));
  EXPECT_THAT(refusal_of(R"({"version": 1, "now": NaN})"), HasSubstr("not a JSON document"));
  EXPECT_THAT(refusal_of(R"({"version": 1, "now": 1e999})"),
              HasSubstr("s.json: now: number overflow parsing '1e999'; expected a number"));
  EXPECT_THAT(refusal_of(R"({"version": 1, "jobs": [{"id": "a"}, {"current": {"n": -1e999}}]})"),
              HasSubstr("s.json: jobs[1].current.n: number overflow"));
  EXPECT_THAT(refusal_of(R"({"version": 1, "jobs": [{"eligible": ["n", 1e999]}]})"),
              HasSubstr("s.json: jobs[0].eligible[1]: number overflow"));
  EXPECT_THAT(refusal_of("1e999"), HasSubstr("s.json: the document: number overflow"));
  EXPECT_THAT(refusal_of("{\"version\": 1, \"x\": \"\xFF\"}"),
              HasSubstr("not UTF-8 at byte offset 21"));
}

TEST(Snapshot, TakesAByteOrderMarkAndCarriageReturns) {
  EXPECT_TRUE(read("\xEF\xBB\xBF{\r\n\"version\": 1\r\n}\r\n").jobs.empty());
}

TEST(Snapshot, RefusesNestingBeyond64Levels) {
  const std::string deep = std::string(10000, '[') + std::string(10000, ']');
  const auto is_refusal_at = [](const std::string& path) {
    return testing::AllOf(testing::StartsWith("s.json: " + path),
                          testing::EndsWith(": nested deeper than 64 levels"));
  };
  EXPECT_THAT(refusal_of(deep), is_refusal_at("[0][0]"));
  EXPECT_THAT(refusal_of(R"({"version": 1, "jobs": )" + deep + "}"), is_refusal_at("jobs[0][0]"));
  EXPECT_THAT(refusal_of(std::string(10000, '[')), is_refusal_at("[0][0]"));
}

TEST(Snapshot, RefusesRepeatedKeysWithTheirPath) {
  EXPECT_EQ(refusal_of(R"({"version": 1, "version": 1})"),
            "s.json: version: the key is there twice; expected it once");
  EXPECT_EQ(
      refusal_of(
          R"({"version": 1, "jobs": [{"id": "x"}, {"id": "a", "current": {"n": 1, "n": 2}}]})"),
      "s.json: jobs[1].current.n: the key is there twice; expected it once");
}

TEST(Snapshot, RefusesMissingAndUnknownFields) {
  EXPECT_EQ(refusal_of("{}"), "s.json: the document: field 'version' is missing");
  EXPECT_EQ(refusal_of(R"({"version": 2})"),
            "s.json: version: 2; expected a whole number from 1 to 1");
  EXPECT_THAT(refusal_of(R"({"version": 1, "jobz": []})"),
              HasSubstr("s.json: jobz: unknown field; expected version, now"));
  EXPECT_EQ(refusal_of(R"({"version": 1, "jobs": [{}]})"),
            "s.json: jobs[0]: field 'id' is missing");
  EXPECT_THAT(job_refusal(R"("gpus": 2)"),
              HasSubstr("s.json: jobs[1].gpus: unknown field; expected id, submitted"));
  EXPECT_EQ(refusal_of(R"({"version": 1, "nodes": [{"id": "n"}]})"),
            "s.json: nodes[0]: field 'gpus' is missing");
  EXPECT_THAT(job_refusal(R"("progress": {"resized": [2, 1]})"),
              HasSubstr("jobs[1].progress.resized[1]: 1; expected an instant not before the one"));
  EXPECT_THAT(job_refusal(R"("progress": {"served": 1})"),
              HasSubstr("jobs[1].progress.served: unknown field"));
  EXPECT_THAT(job_refusal(R"("min_gpu": 2)"), testing::EndsWith("; did you mean 'min_gpus'?"));
}

TEST(Snapshot, RefusesRepeatedIds) {
  EXPECT_EQ(refusal_of(R"({"version": 1, "jobs": [{"id": "a"}, {"id": "a"}]})"),
            "s.json: jobs[1].id: \"a\"; expected an id that no other job has");
  EXPECT_EQ(
      refusal_of(R"({"version": 1, "nodes": [{"id": "n", "gpus": 1}, {"id": "n", "gpus": 1}]})"),
      "s.json: nodes[1].id: \"n\"; expected an id that no other node has");
}

TEST(Snapshot, RefusesNumbersOfTheWrongKind) {
  EXPECT_EQ(job_refusal(R"("min_gpus": 0)"),
            "s.json: jobs[1].min_gpus: 0; expected a whole number from 1 to 2147483647");
  EXPECT_THAT(job_refusal(R"("min_gpus": 1.5)"),
              HasSubstr("jobs[1].min_gpus: 1.5; expected a whole number"));
  EXPECT_THAT(job_refusal(R"("min_gpus": 2147483648)"),
              HasSubstr("jobs[1].min_gpus: 2147483648; expected"));
  EXPECT_THAT(job_refusal(R"("max_gpus": 18446744073709551616)"), HasSubstr("jobs[1].max_gpus"));
  EXPECT_THAT(job_refusal(R"("max_gpus": "4")"),
              HasSubstr("jobs[1].max_gpus: \"4\"; expected a whole number"));
  EXPECT_THAT(job_refusal(R"("max_gpus": null)"),
              HasSubstr("jobs[1].max_gpus: null; expected a whole number"));
  EXPECT_EQ(job_refusal(R"("work_s": -1)"),
            "s.json: jobs[1].work_s: -1; expected a number from 0 to 1000000000000");
  EXPECT_THAT(job_refusal(R"("submitted": 1e13)"), HasSubstr("jobs[1].submitted: "));
  EXPECT_THAT(job_refusal(R"("progress": {"waited": -2})"),
              HasSubstr("jobs[1].progress.waited: -2; expected"));
  EXPECT_THAT(job_refusal(R"("preemptible": 1)"),
              HasSubstr("jobs[1].preemptible: 1; expected true or false"));
  EXPECT_THAT(job_refusal(R"("user": 7)"), HasSubstr("jobs[1].user: 7; expected a text"));
  EXPECT_THAT(job_refusal(R"("user": "a\u0000b")"),
              HasSubstr("jobs[1].user: \"a\\u0000b\"; expected a text without"));
}

TEST(Snapshot, RefusesSizesThatContradictEachOther) {
  EXPECT_EQ(job_refusal(R"("min_gpus": 3, "requested_gpus": 2)"),
            "s.json: jobs[1].requested_gpus: 2; expected at least min_gpus, 3");
  EXPECT_EQ(job_refusal(R"("min_gpus": 3, "max_gpus": 2)"),
            "s.json: jobs[1].max_gpus: 2; expected at least requested_gpus, 3");
  EXPECT_THAT(job_refusal(R"("gpus_per_worker": 4, "max_gpus": 3)"),
              HasSubstr("s.json: jobs[1]: job 'a': gpus_per_worker 4"));
  EXPECT_THAT(job_refusal(R"("sizes": {"step": 0})"), HasSubstr("jobs[1].sizes.step: 0; expected"));
  EXPECT_THAT(job_refusal(R"("sizes": "odd")"),
              HasSubstr("jobs[1].sizes: \"odd\"; expected \"powers_of_two\""));
}

TEST(Snapshot, RefusesBadSpeedups) {
  EXPECT_THAT(job_refusal(R"("speedup": {"1": 1, "2": -3})"),
              HasSubstr("jobs[1].speedup.2: -3; expected"));
  EXPECT_THAT(job_refusal(R"("speedup": {"1": 0})"),
              HasSubstr("jobs[1].speedup.1: 0; expected a number from 2^-24 to 2^20"));
  EXPECT_THAT(job_refusal(R"("speedup": {"1": 1, "2": 1048577})"),
              HasSubstr("jobs[1].speedup.2: 1048577; expected a number from 2^-24 to 2^20"));
  EXPECT_THAT(job_refusal(R"("speedup": {"0": 1})"),
              HasSubstr("jobs[1].speedup.0: 1; expected 0 at 0 GPUs"));
  EXPECT_THAT(job_refusal(R"("speedup": {"x": 1})"), HasSubstr("jobs[1].speedup.x: unknown key"));
  EXPECT_THAT(job_refusal(R"("speedup": "p")"),
              HasSubstr("jobs[1].speedup: \"p\"; expected speedups"));
  EXPECT_THAT(
      refusal_of(
          R"({"version": 1, "profiles": {"p": {"1": 1}}, "jobs": [{"id": "a", "speedup": "q"}]})"),
      HasSubstr("jobs[0].speedup: \"q\"; expected one of the profiles: p"));
  EXPECT_THAT(
      refusal_of(
          R"({"version": 1, "profiles": {"bert": {"1": 1}}, "jobs": [{"id": "a", "speedup": "brt"}]})"),
      testing::EndsWith("expected one of the profiles: bert; did you mean 'bert'?"));
}

TEST(Snapshot, RefusesHoldingsOfBrokenWorkers) {
  EXPECT_THAT(job_refusal(R"("min_gpus": 2, "gpus_per_worker": 2, "current": 3)"),
              HasSubstr("s.json: jobs[1]: job 'a': current: 3 GPUs; expected a multiple of "
                        "gpus_per_worker 2"));
  EXPECT_THAT(
      job_refusal(R"("min_gpus": 2, "gpus_per_worker": 2, "current": {"n0": 2, "n1": 1})"),
      HasSubstr("s.json: jobs[1]: job 'a': current: 1 GPU on node 'n1'; expected a multiple of "
                "gpus_per_worker 2"));
  EXPECT_EQ(job_refusal(R"("min_gpus": 2, "gpus_per_worker": 2, "current": 4)"), "nothing thrown");
}

TEST(Snapshot, RefusesMoreWorkersByNodeThanMemoryShouldHold) {
  // Expanded worker by worker the first would take some 64 GB; as a bare number it takes nothing.
  EXPECT_THAT(job_refusal(R"("current": {"n0": 2147483647})"),
              HasSubstr("s.json: jobs[1]: job 'a': current: 2147483647 workers by node, 2147483647 "
                        "with those of the jobs before it; expected at most 4194304"));
  EXPECT_EQ(job_refusal(R"("current": 2147483647)"), "nothing thrown");
  EXPECT_EQ(job_refusal(R"("current": {"n0": 4194304})"), "nothing thrown");
  EXPECT_THAT(refusal_of(R"({"version": 1, "jobs": [{"id": "a", "current": {"n": 4194304}},
                                                    {"id": "b", "current": ["n"]}]})"),
              HasSubstr("s.json: jobs[1]: job 'b': current: 1 workers by node, 4194305 with"));
}

TEST(Snapshot, RefusesBadHoldingsAndNodes) {
  EXPECT_THAT(job_refusal(R"("current": "n0")"),
              HasSubstr("jobs[1].current: \"n0\"; expected a number of GPUs, GPUs by node"));
  EXPECT_THAT(job_refusal(R"("current": -1)"), HasSubstr("jobs[1].current: -1"));
  EXPECT_THAT(job_refusal(R"("current": {"n0": 2147483647, "n1": 1})"),
              HasSubstr("jobs[1]: job 'a': current: 2147483648 GPUs; expected at most 2147483647"));
  EXPECT_THAT(job_refusal(R"("current": [1])"),
              HasSubstr("jobs[1].current[0]: 1; expected a text"));
  EXPECT_THAT(job_refusal(R"("eligible": ["n0", "n0"])"),
              HasSubstr("jobs[1].eligible[1]: \"n0\"; expected each node once"));
  EXPECT_EQ(refusal_of(R"({"version": 1, "gpus": 3, "nodes": [{"id": "n", "gpus": 4}]})"),
            "s.json: gpus: 3; expected 4, the sum of the schedulable nodes, or no such field");
}

TEST(Snapshot, RefusesAllocationsOfUnknownJobs) {
  EXPECT_EQ(refusal_of(R"({"version": 1, "allocation": {"z": 1}})"),
            "s.json: allocation.z: no job has this id; expected the id of a job");
}

TEST(Snapshot, RefusesQueuesAndCellsUntilTheyAreSupported) {
  EXPECT_EQ(refusal_of(R"({"version": 1, "queues": [{"name": "q"}]})"),
            "s.json: queues: queues are not supported yet; expected none");
  EXPECT_EQ(refusal_of(R"({"version": 1, "cells": {"physicalCluster": {}}})"),
            "s.json: cells: cells are not supported yet; expected none");
}

TEST(Snapshot, WritesWhatItReads) {
  const std::string once = to_json(read(full_text)).dump();
  EXPECT_EQ(to_json(read(once)).dump(), once);
  EXPECT_THAT(once, HasSubstr(R"("current":["n0","gone"])"));
  EXPECT_THAT(once, HasSubstr(R"("current":{"n0":2,"n1":1})"));
  EXPECT_THAT(once, HasSubstr(R"("span":{"2":0.92})"));
}

RC_GTEST_PROP(Snapshot, IsReadBackEqual, ()) {
  Snapshot snapshot{
      .now = TimePoint(Duration(*rc::gen::inRange<std::int64_t>(0, 1'000'000'000'000))),
      .gpus = 16};
  const auto count = *rc::gen::inRange<std::size_t>(0, 12);
  for (std::size_t i = 0; i < count; ++i) {
    SnapshotJob entry;
    entry.job.id.value =
        *rc::gen::element<std::string>("j", "\xC3\xA4", "a.b", "\"") + std::to_string(i);
    entry.job.submitted =
        TimePoint(Duration(*rc::gen::inRange<std::int64_t>(-1'000'000'000, 1'000'000'000)));
    entry.job.spec.max_gpus = *rc::gen::inRange<GpuCount>(1, 100);
    entry.current = *rc::gen::inRange<GpuCount>(0, 9);
    if (*rc::gen::arbitrary<bool>()) {
      entry.job.speedup = SpeedupCurve({{1, 1}, {2, 1.9}, {7, *rc::gen::inRange(1, 1000) / 7.0}});
      entry.job.work =
          RemainingWork{.left_s = *rc::gen::inRange(0, 1000000) / 3.0, .since = snapshot.now};
    }
    snapshot.jobs.push_back(entry);
  }
  const Snapshot again = read(to_json(snapshot).dump());
  RC_ASSERT(again.now == snapshot.now);
  RC_ASSERT(again.jobs.size() == snapshot.jobs.size());
  for (std::size_t i = 0; i < count; ++i) {
    RC_ASSERT(again.jobs[i].job.id == snapshot.jobs[i].job.id);
    RC_ASSERT(again.jobs[i].job.submitted == snapshot.jobs[i].job.submitted);
    RC_ASSERT(again.jobs[i].job.spec == snapshot.jobs[i].job.spec);
    RC_ASSERT(again.jobs[i].job.speedup == snapshot.jobs[i].job.speedup);
    RC_ASSERT(again.jobs[i].job.work == snapshot.jobs[i].job.work);
    RC_ASSERT(again.jobs[i].current == snapshot.jobs[i].current);
  }
}

TEST(Snapshot, ReadsEveryPublishedProblem) {
  VODA_NEED_SHARED("conformance/allocation_cases.jsonl");
  std::ifstream file(test::shared_path("conformance/allocation_cases.jsonl"));
  std::size_t cases = 0;
  for (std::string line; std::getline(file, line); ++cases) {
    const auto problem = nlohmann::json::parse(line).at("problem");
    const Snapshot snapshot = read(problem.dump());
    EXPECT_EQ(snapshot.jobs.size(), problem.at("jobs").size());
    EXPECT_EQ(snapshot.total_gpus(), problem.value("gpus", snapshot.total_gpus()));
  }
  EXPECT_EQ(cases, 462u);  // conformance/README.md
}

TEST(ClusterFromJson, TakesAnArrayAnObjectOrASnapshot) {
  const std::string nodes = R"([{"id": "n0", "gpus": 4, "gpu_type": "t"}])";
  const std::vector<Node> expected{{.id = node("n0"), .gpu_type = "t", .gpus = 4}};
  EXPECT_EQ(cluster_from_json(nodes, "c.json"), expected);
  EXPECT_EQ(cluster_from_json(R"({"nodes": )" + nodes + "}", "c.json"), expected);
  EXPECT_EQ(cluster_from_json(R"({"version": 1, "jobs": [{"id": "a"}], "nodes": )" + nodes + "}",
                              "c.json"),
            expected);
}

TEST(ClusterFromJson, RefusesWhatHoldsNoNodes) {
  const auto refusal = [](const char* text) {
    return message_of([text] { return cluster_from_json(text, "c.json"); });
  };
  EXPECT_EQ(refusal("[]"),
            "c.json: the document: it has no nodes; expected at least one in 'nodes'");
  EXPECT_EQ(refusal(R"({"version": 1})"), "c.json: version: unknown field; expected nodes");
  EXPECT_EQ(refusal(R"([{"id": "n", "gpus": -1}])"),
            "c.json: [0].gpus: -1; expected a whole number from 0 to 2147483647");
}

}  // namespace snapshot_test
}  // namespace voda
