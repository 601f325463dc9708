// A policy of your own, registered beside the built-in ones and simulated against one of them.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>

#include "voda/voda.hpp"

namespace {

struct EqualShareOptions {
  std::int64_t max_jobs = 64;  // serve at most this many

  void read(voda::OptionReader& reader) {
    reader.read("max_jobs", max_jobs, {.min = 1}, "how many jobs share the GPUs");
  }
};

/// Capacity divided by the number of jobs, in arrival order.
class EqualShare final : public voda::Allocator {
 public:
  explicit EqualShare(EqualShareOptions options = {}) : options_(options) {}

  [[nodiscard]] voda::AllocationDecision allocate(
      const voda::AllocationProblem& problem) const override {
    voda::AllocationDecision decision{.gpus = voda::Allocation(problem.columns->size())};
    const auto jobs =
        std::min(options_.max_jobs, static_cast<std::int64_t>(problem.arrival_order->size()));
    voda::GpuCount left = problem.capacity;
    std::int64_t served = 0;
    for (const voda::JobIndex job : *problem.arrival_order) {
      if (served++ == jobs)
        break;
      const auto share =
          static_cast<voda::GpuCount>(std::max<std::int64_t>(1, problem.capacity / jobs));
      decision.gpus[job] = voda::largest_size(problem.columns->sizes[job], std::min(share, left));
      left -= decision.gpus[job];
    }
    return decision;
  }

 private:
  EqualShareOptions options_;
};

voda::Registry<voda::Allocator> my_allocators() {
  auto registry = voda::builtin_allocators();
  registry.add({.name = "equal_share",
                .summary = "capacity / jobs, in arrival order",
                .options = voda::describe_options<EqualShareOptions>(),
                .make = [](const voda::Options& options) {
                  return std::make_unique<EqualShare>(
                      voda::options_from<EqualShareOptions>("policy 'equal_share'", options));
                }});
  return registry;
}

}  // namespace

int main() {
  const auto registry = my_allocators();
  const voda::Trace trace = voda::generate_workload({.jobs = 300, .gpus = 64});
  for (const char* text : {"elastic_fifo", "equal_share:max_jobs=16"}) {
    const voda::PolicySpec spec = voda::parse_policy_spec(text);
    const auto result = voda::simulate(trace,
                                       {.allocator = registry.make(spec.name, spec.options),
                                        .nodes = {{.id = {"node"}, .gpus = 64}}});
    std::printf("%-24s mean JCT %8.0f s\n", text, result.summary.jct_s.mean);
    if (result.summary.finished == 0)
      return 1;
  }
}
