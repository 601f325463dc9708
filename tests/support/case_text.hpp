#pragma once

#include <sstream>
#include <string>

#include "support/allocation_builders.hpp"

namespace voda::test {

/// A case as text for failure messages, complete enough to be written down as a test.
[[nodiscard]] inline std::string case_text(const AllocationCase& from) {
  std::ostringstream out;
  out.precision(17);
  out << from.gpus << " GPUs, now " << from.now_s << " s\n";
  for (const AskingJob& job : from.jobs) {
    out << job.id << ": submitted " << job.submitted_s << ", sizes " << job.min << "/"
        << job.requested << "/" << job.max << " rule " << static_cast<int>(job.sizes.kind)
        << " step " << job.sizes.step << " worker " << job.gpus_per_worker << ", work "
        << job.work_s.value_or(-1) << ", service " << job.service_s << ", executed "
        << job.executed_s << ", waited " << job.waited_s << ", last start "
        << job.last_started_s.value_or(-1) << ", holds " << job.current << ", speedup";
    for (const auto& [gpus, speed] : job.speedup)
      out << " " << gpus << ":" << speed;
    out << "\n";
  }
  return out.str();
}

}  // namespace voda::test
