#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "voda/model/event.hpp"
#include "voda/scheduler/cluster_image.hpp"

namespace voda::test {

[[nodiscard]] inline TimePoint at_us(std::int64_t us) {
  return TimePoint(Duration(us));
}

/// Every field differs from its default.
[[nodiscard]] inline JobImage full_job(std::string id, const SpeedupCurve& speedup) {
  JobImage image;
  image.job = {
      .id = {std::move(id)},
      .submitted = at_us(-5),
      .spec = {.min_gpus = 2,
               .requested_gpus = 4,
               .max_gpus = 8,
               .sizes = {.kind = SizeRule::Kind::step, .step = 2},
               .gpus_per_worker = 2,
               .priority = 3,
               .gpu_type = "v100",
               .queue = "q",
               .user = "u",
               .virtual_cluster = "vc",
               .preemptible = false,
               .deadline = at_us(99),
               .eligible = std::vector<NodeId>{{"n0"}, {"n1"}}},
      .progress = {.lifetime = {.service = {7}, .executed = Duration(8), .waited = Duration(9)},
                   .since_promotion = {.service = {4},
                                       .executed = Duration(5),
                                       .waited = Duration(6)},
                   .first_started = at_us(1),
                   .last_started = at_us(2),
                   .last_changed = at_us(3),
                   .resized = {at_us(2), at_us(3)}},
      .work =
          RemainingWork{.left_s = -0.1, .since = at_us(3), .rate = 1.5, .stalled_until = at_us(4)},
      .speedup = speedup};
  image.lifetime_before = {.service = {1}, .executed = Duration(2), .waited = Duration(3)};
  image.clock = {.since_promotion = {.service = {11}}, .counted_at = at_us(12), .running = 4};
  image.held = 4;
  image.node_of_worker = {{"n0"}, {"n0"}, {"n1"}, {"n1"}};
  image.observed_node_of_worker = {{"n0"}};
  image.span = 2;
  return image;
}

[[nodiscard]] inline ClusterImage full_image() {
  const SpeedupCurve curve({{1, 1}, {2, 1.9}, {8, 5}}, {{2, 0.9}});
  ClusterImage image{
      .now = at_us(123), .observation = Observation::reported, .policy = {"srjf", "steady"}};
  PoolImage& pool = image.pools.emplace_back();
  pool.gpu_type = "v100";
  pool.nodes = {{.node = {.id = {"n0"},
                          .gpu_type = "v100",
                          .gpus = 4,
                          .domains = {"z", "r"},
                          .schedulable = false},
                 .is_lost = true}};
  pool.counted_gpus = 12;
  pool.jobs = {full_job("a", curve), full_job("b", curve), full_job("c", SpeedupCurve())};
  pool.review_at = at_us(456);
  pool.is_due = true;
  pool.pacer = {.decided_at = at_us(400), .due = at_us(450)};
  image.pools.emplace_back();
  return image;
}

/// One event of each kind, every field different from its default.
[[nodiscard]] inline std::vector<Event> events_of_all_kinds() {
  const SpeedupCurve curve({{1, 1}, {2, 1.9}}, {{2, 0.9}});
  const Node node{.id = {"n0"},
                  .gpu_type = "v100",
                  .gpus = 4,
                  .domains = {"zone", "rack"},
                  .schedulable = false};
  const Job job{
      .id = {"a"},
      .submitted = at_us(-1),
      .spec = {.min_gpus = 2, .requested_gpus = 4, .max_gpus = 8, .user = "u"},
      .progress = {.lifetime = {.service = {3}}, .first_started = at_us(0), .resized = {at_us(0)}},
      .work = RemainingWork{.left_s = 7.25, .since = at_us(1), .rate = 0.5},
      .speedup = curve};
  return {{.at = TimePoint::min(), .body = NodeJoined{node}},
          {.at = at_us(1), .body = JobSubmitted{.job = job, .held = 2, .node_of_worker = {{"n0"}}}},
          {.at = at_us(2), .body = JobChanged{.job = {"a"}, .spec = {.max_gpus = 3, .queue = "q"}}},
          {.at = at_us(3),
           .body =
               JobMeasured{
                   .job = {"a"}, .remaining_s = 0.1, .stalled_until = at_us(9), .speedup = curve}},
          {.at = at_us(4), .body = WorkersSeen{.job = {"a"}, .node_of_worker = {{"n0"}, {"n1"}}}},
          {.at = at_us(5), .body = WorkerFailed{.job = {"a"}, .node = {"n0"}}},
          {.at = at_us(6), .body = NodeChanged{node}},
          {.at = at_us(7), .body = NodeLeft{.node = {"n0"}}},
          {.at = at_us(8), .body = CapacityChanged{.gpu_type = "k80", .gpus = 12}},
          {.at = at_us(9), .body = PolicyChanged{.allocator = "srjf", .placer = "none"}},
          {.at = at_us(10),
           .body = Decided{.gpu_type = "v100",
                           .changed = {{.job = {"a"}, .gpus = 2, .node_of_worker = {{"n1"}}}},
                           .resets = {{"a"}},
                           .review_at = at_us(99)}},
          {.at = at_us(11), .body = JobFinished{.job = {"a"}}}};
}

/// What version 1 of the fields knew of a job; version 2 brought the latest changes of its size.
inline void forget_what_version_1_lacks(Job& job) {
  job.progress.last_changed.reset();
  job.progress.resized.clear();
}

inline void forget_what_version_1_lacks(ClusterImage& image) {
  for (PoolImage& pool : image.pools) {
    for (JobImage& job : pool.jobs)
      forget_what_version_1_lacks(job.job);
  }
}

inline void forget_what_version_1_lacks(Event& event) {
  if (auto* submitted = std::get_if<JobSubmitted>(&event.body))
    forget_what_version_1_lacks(submitted->job);
}

}  // namespace voda::test
