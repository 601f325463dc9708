#include "voda/scheduler/scheduler.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/scheduler_builders.hpp"
#include "voda/allocators/afs_l.hpp"
#include "voda/allocators/builtin.hpp"
#include "voda/allocators/elastic_fifo.hpp"
#include "voda/allocators/fifo.hpp"
#include "voda/allocators/tiresias.hpp"
#include "voda/model/error.hpp"
#include "voda/placers/builtin.hpp"

namespace scheduler_test {

using namespace voda;
using namespace voda::test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

template <class Action>
std::string refusal(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

GpuCount gpus_of(const Scheduler& scheduler, const std::string& id) {
  const JobLocation location = scheduler.state().find({id}).value();
  return scheduler.state().pools()[location.pool].jobs().current[location.job];
}

TEST(Scheduler, EventsInPlanOut) {
  Scheduler scheduler(
      std::make_shared<ElasticFifo>(), builtin_placers().make("steady"), two_nodes_of_four());
  scheduler.observe(event(1, JobSubmitted{.job = elastic_job("a", 1, 4, 100)}));
  EXPECT_TRUE(scheduler.is_due(at(1)));

  const Decision& decision = scheduler.decide(at(1));
  ASSERT_EQ(decision.pools.size(), 1U);
  ASSERT_EQ(decision.pools[0].plan.actions.size(), 1U);
  EXPECT_EQ(decision.pools[0].plan.actions[0].kind(), ActionKind::start);
  EXPECT_EQ(gpus_of(scheduler, "a"), 0);  // nothing is assigned before commit()

  scheduler.commit();
  EXPECT_EQ(gpus_of(scheduler, "a"), 4);
  EXPECT_THAT(nodes_of(scheduler.state(), "a"), ElementsAre("n0", "n0", "n0", "n0"));
  EXPECT_FALSE(scheduler.is_due(at(1)));
  EXPECT_THAT(scheduler.decide(at(1)).pools[0].plan.actions, IsEmpty());
}

TEST(Scheduler, CommitNeedsADecisionOfThisState) {
  Scheduler scheduler(std::make_shared<Fifo>(), nullptr, two_nodes_of_four());
  EXPECT_THROW(scheduler.commit(), InvalidInput);
  static_cast<void>(scheduler.decide(at(1)));
  scheduler.observe(event(1, JobSubmitted{.job = rigid_job("a", 1, 1, 1)}));
  EXPECT_THROW(scheduler.commit(), InvalidInput);
  EXPECT_THROW(static_cast<void>(scheduler.decide(at(0))), InvalidInput);
  EXPECT_THROW(Scheduler(nullptr, nullptr), InvalidInput);
}

// 1 GPU from 0 s on reaches 3600 GPU-seconds at 3600 s.
TEST(Scheduler, CarriesTheInstantOfReview) {
  Scheduler scheduler(std::make_shared<Tiresias>(), nullptr, two_nodes_of_four());
  scheduler.observe(event(0, JobSubmitted{.job = rigid_job("a", 0, 1, 1e6)}));
  static_cast<void>(scheduler.decide(at(0)));
  scheduler.commit();

  EXPECT_EQ(scheduler.review_at(), at(3600));
  EXPECT_FALSE(scheduler.is_due(at(3599)));
  EXPECT_TRUE(scheduler.is_due(at(3600)));
}

TEST(Scheduler, PoolsAreDecidedApart) {
  ClusterState state;
  state.apply(event(0, NodeJoined{node("v", 2, "v100")}));
  state.apply(event(0, NodeJoined{node("a", 4, "a100")}));
  Scheduler scheduler(std::make_shared<ElasticFifo>(), nullptr, std::move(state));
  for (const char* type : {"v100", "a100"}) {
    Job job = elastic_job(type, 0, 8, 100);
    job.spec.gpu_type = type;
    scheduler.observe(event(0, JobSubmitted{.job = job}));
  }
  const std::vector<std::size_t> second{1};
  static_cast<void>(scheduler.decide(at(0), second));
  scheduler.commit();
  EXPECT_EQ(gpus_of(scheduler, "v100"), 0);
  EXPECT_EQ(gpus_of(scheduler, "a100"), 4);

  static_cast<void>(scheduler.decide(at(0)));
  scheduler.commit();
  EXPECT_EQ(gpus_of(scheduler, "v100"), 2);
}

// Nodes of 3 hold one worker of 2 GPUs each: 4 of 6 GPUs can be used, and the rest of the growth goes to the job of single GPUs.
TEST(Scheduler, AJobThatCannotBePlacedIsDecidedAgainWithACap) {
  ClusterState state;
  state.apply(event(0, NodeJoined{node("n0", 3)}));
  state.apply(event(0, NodeJoined{node("n1", 3)}));
  Scheduler scheduler(
      std::make_shared<ElasticFifo>(), builtin_placers().make("steady"), std::move(state));
  Job wide = elastic_job("wide", 0, 6, 100);
  wide.spec.gpus_per_worker = 2;
  scheduler.observe(event(0, JobSubmitted{.job = wide}));

  const PoolDecision& alone = scheduler.decide(at(0)).pools[0];
  EXPECT_EQ(alone.allocation.gpus[slot_of(scheduler.state(), "wide")], 4);
  ASSERT_EQ(alone.capped.size(), 1U);
  EXPECT_EQ(alone.capped[0].cap, 4);
  EXPECT_EQ(alone.capped[0].reason, UnplacedReason::fragmentation);
  EXPECT_EQ(alone.rounds, 2);

  scheduler.observe(event(0, JobSubmitted{.job = elastic_job("narrow", 1, 6, 100)}));
  static_cast<void>(scheduler.decide(at(1)));
  scheduler.commit();
  EXPECT_EQ(gpus_of(scheduler, "wide"), 4);
  EXPECT_EQ(gpus_of(scheduler, "narrow"), 2);
}

TEST(Scheduler, ARigidJobThatCannotBePlacedGetsNothingAndBlocksNobody) {
  ClusterState state;
  state.apply(event(0, NodeJoined{node("n0", 3)}));
  state.apply(event(0, NodeJoined{node("n1", 3)}));
  Scheduler scheduler(std::make_shared<Fifo>(), builtin_placers().make("steady"), std::move(state));
  Job wide = elastic_job("wide", 0, 6, 100);
  wide.spec.gpus_per_worker = 2;
  scheduler.observe(event(0, JobSubmitted{.job = wide}));
  scheduler.observe(event(0, JobSubmitted{.job = rigid_job("other", 1, 5, 100)}));
  static_cast<void>(scheduler.decide(at(1)));
  scheduler.commit();

  EXPECT_EQ(gpus_of(scheduler, "wide"), 0);  // it asked for 6, and 4 could be placed
  EXPECT_EQ(gpus_of(scheduler, "other"), 5);
}

TEST(Scheduler, WorkersMoveOffALostNodeAndTheReportIsForced) {
  Scheduler scheduler(
      std::make_shared<Fifo>(), builtin_placers().make("steady"), two_nodes_of_four());
  scheduler.observe(event(0, JobSubmitted{.job = rigid_job("a", 0, 3, 100)}));
  static_cast<void>(scheduler.decide(at(0)));
  scheduler.commit();
  scheduler.observe(event(5, NodeLeft{{nodes_of(scheduler.state(), "a")[0]}}));
  const PoolDecision& decision = scheduler.decide(at(5)).pools[0];

  EXPECT_EQ(decision.placement->cost.forced, 3);
  EXPECT_EQ(decision.placement->cost.moved, 0);
  ASSERT_EQ(decision.plan.actions.size(), 1U);
  EXPECT_EQ(decision.plan.actions[0].kind(), ActionKind::migrate);
}

/// Gives every job one GPU more than there are.
class Greedy final : public Allocator {
 public:
  [[nodiscard]] AllocationDecision allocate(const AllocationProblem& problem) const override {
    AllocationDecision decision{.gpus = Allocation(problem.columns->size())};
    for (const JobIndex job : *problem.arrival_order)
      decision.gpus[job] = problem.capacity + 1;
    return decision;
  }
};

TEST(Scheduler, APolicyThatBreaksItsContractCostsOnlyThatDecision) {
  Scheduler scheduler(std::make_shared<Fifo>(), nullptr, two_nodes_of_four());
  scheduler.observe(event(0, JobSubmitted{.job = elastic_job("a", 0, 16, 100)}));
  Job small = rigid_job("b", 1, 2, 100);
  scheduler.observe(event(0, JobSubmitted{.job = small}));
  static_cast<void>(scheduler.decide(at(1)));
  scheduler.commit();
  EXPECT_EQ(gpus_of(scheduler, "b"), 2);

  scheduler.set_policies(std::make_shared<Greedy>(), nullptr);
  EXPECT_THROW(static_cast<void>(scheduler.decide(at(2))), InvalidDecision);
  EXPECT_THROW(scheduler.commit(), InvalidInput);
  EXPECT_EQ(gpus_of(scheduler, "b"), 2);

  scheduler.set_policies(std::make_shared<Fifo>(), nullptr);
  static_cast<void>(scheduler.decide(at(3)));
  scheduler.commit();
  EXPECT_EQ(gpus_of(scheduler, "b"), 2);
}

TEST(Scheduler, MissingWorkNamesJobAndPolicy) {
  Scheduler scheduler(std::make_shared<AfsL>(), nullptr, two_nodes_of_four());
  Job job = elastic_job("a", 0, 2, 1);
  job.work.reset();
  scheduler.observe(event(0, JobSubmitted{.job = job}));

  const std::string message = refusal([&] { static_cast<void>(scheduler.decide(at(0))); });
  EXPECT_THAT(message, HasSubstr("job 'a'"));
  EXPECT_THAT(message, HasSubstr("afs_l"));
}

TEST(Scheduler, ChangesPolicyByNameAndKeepsTheOldOneWhenTheNameIsUnknown) {
  Scheduler scheduler(std::make_shared<Fifo>(),
                      nullptr,
                      two_nodes_of_four(),
                      {.allocators = builtin_allocators(), .placers = builtin_placers()});
  scheduler.observe(event(0, JobSubmitted{.job = elastic_job("a", 0, 16, 100)}));
  const std::string message =
      refusal([&] { scheduler.observe(event(0, PolicyChanged{.allocator = "fastest"})); });
  EXPECT_THAT(message, HasSubstr("unknown policy 'fastest'"));
  EXPECT_THAT(message, HasSubstr("elastic_fifo"));
  EXPECT_THAT(
      refusal([&] { scheduler.observe(event(0, PolicyChanged{.allocator = "fifo:speed=1"})); }),
      HasSubstr("unknown option 'speed'"));
  EXPECT_EQ(scheduler.decide(at(0)).pools[0].allocation.gpus[slot_of(scheduler.state(), "a")], 0);

  scheduler.observe(event(0, PolicyChanged{.allocator = "ElasticFIFO", .placer = "steady"}));
  EXPECT_TRUE(scheduler.is_due(at(0)));
  const PoolDecision& decision = scheduler.decide(at(0)).pools[0];
  EXPECT_EQ(decision.allocation.gpus[slot_of(scheduler.state(), "a")], 8);
  EXPECT_TRUE(decision.placement.has_value());
}

/// Counts how often its session is asked; answers as ElasticFifo.
class Remembering final : public Allocator {
 public:
  explicit Remembering(std::shared_ptr<int> calls) : calls_(std::move(calls)) {}

  [[nodiscard]] AllocationDecision allocate(const AllocationProblem& problem) const override {
    return ElasticFifo().allocate(problem);
  }

  [[nodiscard]] std::unique_ptr<AllocatorSession> session() const override {
    class Session final : public AllocatorSession {
     public:
      explicit Session(std::shared_ptr<int> calls) : calls_(std::move(calls)) {}

      [[nodiscard]] const AllocationDecision& update(const AllocationProblem& problem,
                                                     std::span<const JobIndex>) override {
        ++*calls_;
        return answer_ = ElasticFifo().allocate(problem);
      }

     private:
      std::shared_ptr<int> calls_;
      AllocationDecision answer_{};
    };

    return std::make_unique<Session>(calls_);
  }

 private:
  std::shared_ptr<int> calls_;
};

TEST(Scheduler, UsesTheSessionOfAPolicyThatHasOne) {
  const auto calls = std::make_shared<int>(0);
  Scheduler scheduler(std::make_shared<Remembering>(calls), nullptr, two_nodes_of_four());
  scheduler.observe(event(0, JobSubmitted{.job = elastic_job("a", 0, 16, 100)}));
  static_cast<void>(scheduler.decide(at(0)));
  scheduler.commit();

  EXPECT_EQ(*calls, 1);
  EXPECT_EQ(gpus_of(scheduler, "a"), 8);
}

TEST(Scheduler, DecidedEventsRepeatTheDecisionOnAnEqualState) {
  Scheduler first(
      std::make_shared<ElasticFifo>(), builtin_placers().make("steady"), two_nodes_of_four());
  first.observe(event(0, JobSubmitted{.job = elastic_job("a", 0, 3, 100)}));
  first.observe(event(0, JobSubmitted{.job = elastic_job("b", 0, 9, 100)}));
  ClusterState second = first.state();
  static_cast<void>(first.decide(at(4)));
  const std::vector<Event> record = first.decided();
  first.commit();
  for (const Event& decided : record)
    second.apply(decided);

  EXPECT_EQ(second.pools()[0].assigned(), first.state().pools()[0].assigned());
  EXPECT_EQ(second.pools()[0].jobs().current, first.state().pools()[0].jobs().current);
}

}  // namespace scheduler_test
