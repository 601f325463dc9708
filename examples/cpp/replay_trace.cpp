// Reads a trace in voda's own CSV and replays it under every policy.
#include <cstdio>
#include <memory>
#include <sstream>

#include "voda/io/trace_reader.hpp"
#include "voda/voda.hpp"

int main() {
  std::istringstream csv(
      "id,submitted,min_gpus,requested_gpus,max_gpus,work_s\n"
      "vision,0,1,4,8,7200\n"
      "speech,60,2,2,2,1800\n"
      "text,120,1,8,16,14400\n");
  const voda::Trace trace = voda::read_trace(csv, "example.csv", "voda", {}).trace;
  const auto allocators = voda::builtin_allocators();
  for (const auto& entry : allocators.entries()) {
    const auto result =
        voda::simulate(trace,
                       {.allocator = entry.make({}),
                        .placer = voda::builtin_placers().make("steady"),
                        .nodes = {{.id = {"n0"}, .gpus = 4}, {.id = {"n1"}, .gpus = 4}},
                        .resize_cost = {.kind = voda::ResizeCost::Kind::stall, .fixed_s = 30}});
    std::printf("%-18s mean JCT %6.0f s, %lld resizes\n",
                entry.name.c_str(),
                result.summary.jct_s.mean,
                static_cast<long long>(result.summary.resizes));
    if (result.summary.unfinished != 0)
      return 1;
  }
}
