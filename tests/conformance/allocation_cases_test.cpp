#include <algorithm>
#include <cstdint>
#include <fstream>
#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/io_checks.hpp"
#include "voda/allocators/builtin.hpp"
#include "voda/io/snapshot.hpp"
#include "voda/policy/policy_spec.hpp"
#include "voda/policy/validate.hpp"
#include "voda/scheduler/cluster_state.hpp"

namespace voda::test {
namespace allocation_cases_test {

using Json = nlohmann::json;

ClusterState state_of(const Snapshot& snapshot) {
  ClusterState state;
  for (const Node& node : snapshot.nodes)
    state.apply({.at = snapshot.now, .body = NodeJoined{node}});
  if (snapshot.nodes.empty()) {
    state.apply({.at = snapshot.now,
                 .body = CapacityChanged{.gpu_type = snapshot.gpu_types().front(),
                                         .gpus = snapshot.total_gpus()}});
  }
  for (const SnapshotJob& job : snapshot.jobs) {
    state.apply(
        {.at = snapshot.now,
         .body = JobSubmitted{
             .job = job.job, .held = gpus_held(job), .node_of_worker = node_of_worker(job)}});
  }
  return state;
}

/// An answer in the form of the data.
Json answer_json(const PoolState& pool, const AllocationDecision& decision) {
  Json answer{{"gpus", Json::object()}, {"review_at", nullptr}, {"resets", Json::array()}};
  for (const JobIndex job : pool.arrival_order())
    answer["gpus"][pool.jobs().id[job].value] = decision.gpus[job];
  if (decision.review_at)
    answer["review_at"] = to_seconds(*decision.review_at);
  for (const JobIndex job : decision.resets)
    answer["resets"].push_back(pool.jobs().id[job].value);
  return answer;
}

void expect_best(const PoolState& pool, const AllocationDecision& decision, const Json& expected) {
  std::int64_t total = 0;
  std::int64_t gpus = 0;
  for (const JobIndex job : pool.arrival_order()) {
    total += pool.jobs().speedup[job].units(decision.gpus[job]);
    gpus += decision.gpus[job];
  }
  EXPECT_EQ(total, expected["best_total"].get<std::int64_t>());
  EXPECT_EQ(gpus, expected["fewest_gpus"].get<std::int64_t>());
}

void check_case(const Json& example) {
  const PolicySpec spec = parse_policy_spec(example["policy"].get<std::string>());
  const auto allocator = builtin_allocators().make(spec.name, spec.options);
  const Snapshot snapshot = read_snapshot(example["problem"].dump(), "problem");
  const ClusterState state = state_of(snapshot);
  ASSERT_EQ(state.pools().size(), 1U);
  const PoolState& pool = state.pools()[0];
  const AllocationProblem problem = pool.allocation_problem(snapshot.now);

  const AllocationDecision decision = allocator->allocate(problem);

  validate(problem, decision);
  const Json& expected = example["answer"];
  if (expected.contains("best_total")) {
    expect_best(pool, decision, expected);
    return;
  }
  const Json answer = answer_json(pool, decision);
  for (const auto& [field, value] : expected.items())
    EXPECT_EQ(answer[field], value) << field;
}

TEST(AllocationCases, AgreeWithTheIndependentImplementation) {
  VODA_NEED_SHARED("conformance/allocation_cases.jsonl");
  std::ifstream file(shared_path("conformance/allocation_cases.jsonl"));
  int cases = 0;
  for (std::string line; std::getline(file, line); ++cases) {
    SCOPED_TRACE("line " + std::to_string(cases + 1));
    check_case(Json::parse(line));
  }
  EXPECT_GE(cases, 462);
}

}  // namespace allocation_cases_test
}  // namespace voda::test
