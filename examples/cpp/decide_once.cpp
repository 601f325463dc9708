// The shortest use: which job gets how many GPUs, now?
#include <cstdio>

#include "voda/voda.hpp"

int main() {
  voda::Scheduler scheduler(voda::builtin_allocators().make("elastic_fifo"),
                            voda::builtin_placers().make("steady"));
  const voda::TimePoint now{};
  scheduler.observe({.at = now, .body = voda::NodeJoined{{.id = {"node-a"}, .gpus = 8}}});
  for (const char* name : {"resnet", "bert"}) {
    const voda::Job job{.id = {name},
                        .submitted = now,
                        .spec = {.min_gpus = 1, .requested_gpus = 2, .max_gpus = 6}};
    scheduler.observe({.at = now, .body = voda::JobSubmitted{.job = job}});
  }
  const voda::PoolDecision& pool = scheduler.decide(now).pools[0];
  for (const voda::Action& action : pool.plan.actions) {
    const auto& job = scheduler.state().pools()[0].jobs().id[action.job];
    std::printf("%s: %d -> %d GPUs\n", job.value.c_str(), action.gpus_before, action.gpus_after);
  }
  scheduler.commit();
}
