#pragma once

#include "voda/simulator/simulator.hpp"

#include <fmt/format.h>

#include "voda/model/error.hpp"
#include "voda/simulator/impl/simulation_run.hpp"

namespace voda {

VODA_INLINE void SimulationObserver::job_ended(const JobOutcome& /*outcome*/) {}

VODA_INLINE void SimulationObserver::allocation_changed(TimePoint /*at*/,
                                                        const JobId& /*job*/,
                                                        GpuCount /*gpus*/,
                                                        const WorkerMap& /*workers*/) {}

VODA_INLINE void SimulationObserver::decided(const Scheduler& /*scheduler*/,
                                             const Decision& /*decision*/) {}

VODA_INLINE bool SimulationObserver::advanced(const SimulationProgress& /*progress*/,
                                              Scheduler& /*scheduler*/) {
  return true;
}

VODA_INLINE SimulationResult simulate(const Trace& trace,
                                      const SimulationOptions& options,
                                      SimulationObserver* observer,
                                      const Stopwatch& stopwatch) {
  if (options.checkpoint_interval.count() < 0) {
    throw InvalidInput(fmt::format("checkpoint {} s; expected seconds >= 0",
                                   to_seconds(options.checkpoint_interval)));
  }

  struct Silent final : SimulationObserver {};

  Silent silent;
  return simulator_detail::SimulationRun(
             trace, options, observer == nullptr ? silent : *observer, stopwatch)
      .run();
}

}  // namespace voda
