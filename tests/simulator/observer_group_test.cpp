#include "voda/simulator/observer_group.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/scheduler_builders.hpp"
#include "voda/allocators/builtin.hpp"

namespace voda {
namespace observer_group_test {

using test::at;
using test::node;
using test::rigid_job;

/// Writes down what it is told.
class Witness final : public SimulationObserver {
 public:
  Witness(std::string name, std::vector<std::string>& told, int instants = 100)
      : name_(std::move(name)), told_(&told), instants_(instants) {}

  void job_ended(const JobOutcome& outcome) override { tell("end of " + outcome.id.value); }

  void allocation_changed(TimePoint /*at*/,
                          const JobId& job,
                          GpuCount gpus,
                          const WorkerMap& /*workers*/) override {
    tell(job.value + " gets " + std::to_string(gpus));
  }

  void decided(const Scheduler& /*scheduler*/, const Decision& /*decision*/) override {
    tell("decided");
  }

  [[nodiscard]] std::optional<ClusterImage> restarted(
      const std::function<ClusterImage()>& image) override {
    if (name_ != "restarts")
      return std::nullopt;
    tell("restarted");
    return image();
  }

  [[nodiscard]] bool advanced(const SimulationProgress& /*progress*/,
                              Scheduler& /*scheduler*/) override {
    tell("advanced");
    return --instants_ > 0;
  }

 private:
  void tell(const std::string& what) { told_->push_back(name_ + ": " + what); }

  std::string name_{};
  std::vector<std::string>* told_;
  int instants_ = 0;
};

[[nodiscard]] SimulationResult run(SimulationObserver& observer) {
  const Trace trace{.jobs = {rigid_job("j", 0, 1, 10)}};
  return simulate(
      trace, {.allocator = builtin_allocators().make("fifo"), .nodes = {node("n", 1)}}, &observer);
}

TEST(ObserverGroup, TellsEachInTheirOrder) {
  std::vector<std::string> told;
  Witness one("1", told);
  Witness two("2", told);
  ObserverGroup group({&one, nullptr, &two});
  EXPECT_EQ(run(group).end, SimulationEnd::no_event_left);

  std::vector<std::string> of_one;
  std::vector<std::string> of_two;
  for (const std::string& line : told)
    (line.starts_with("1") ? of_one : of_two).push_back(line.substr(3));
  EXPECT_EQ(of_one, of_two);
  EXPECT_THAT(of_one, testing::IsSupersetOf({"decided", "j gets 1", "end of j", "advanced"}));
  for (std::size_t i = 0; i < told.size(); i += 2)
    EXPECT_TRUE(told[i].starts_with("1") && told[i + 1].starts_with("2"));
}

TEST(ObserverGroup, StopsWhenOneSaysNo) {
  std::vector<std::string> told;
  for (const std::vector<int>& instants : {std::vector{1, 100}, std::vector{100, 1}}) {
    told.clear();
    Witness one("1", told, instants[0]);
    Witness two("2", told, instants[1]);
    ObserverGroup group({&one, &two});
    EXPECT_EQ(run(group).end, SimulationEnd::stopped);
    EXPECT_THAT(told, testing::Contains("2: advanced").Times(1));
  }
}

TEST(ObserverGroup, GoesOnFromTheImageOfOne) {
  std::vector<std::string> told;
  Witness one("restarts", told);
  Witness two("2", told);
  const auto image = [] { return ClusterImage{.now = at(7)}; };
  const auto given = ObserverGroup({&one, &two}).restarted(image);
  ASSERT_TRUE(given);
  EXPECT_EQ(given->now, at(7));
  EXPECT_FALSE(ObserverGroup({&two}).restarted(image));
}

TEST(ObserverGroup, MayBeEmpty) {
  ObserverGroup group({});
  EXPECT_EQ(run(group).summary.finished, 1);
}

}  // namespace observer_group_test
}  // namespace voda
