#pragma once

#include "voda/simulator/simulator.hpp"

#include <fmt/format.h>

#include "voda/model/error.hpp"
#include "voda/simulator/impl/simulation_run.hpp"

namespace voda {

namespace simulator_detail {

/// Throws InvalidInput that names the option, its value and what was expected.
inline void check(const SimulationOptions& options) {
  if (options.checkpoint_interval.count() < 0) {
    throw InvalidInput(fmt::format("checkpoint {} s; expected seconds >= 0",
                                   to_seconds(options.checkpoint_interval)));
  }
  if (options.max_time && options.max_time->count() <= 0) {
    throw InvalidInput(
        fmt::format("max_time {} s; expected seconds > 0", to_seconds(*options.max_time)));
  }
  if (options.patience <= 0) {
    throw InvalidInput(
        fmt::format("patience {} instants; expected a number > 0", options.patience));
  }
  if (!(options.estimate_error >= 0 && options.estimate_error <= largest_estimate_error)) {
    throw InvalidInput(fmt::format("estimate_error {}; expected a number from 0 to {}",
                                   options.estimate_error,
                                   largest_estimate_error));
  }
  for (const auto& [id, left_s] : options.true_left_s) {
    if (!(left_s >= 0 && left_s <= max_seconds)) {
      throw InvalidInput(
          fmt::format("true_left_s of job '{}' {}; expected seconds from 0 to {:.0e}",
                      id,
                      left_s,
                      max_seconds));
    }
  }
  const ResizeCost& cost = options.resize_cost;
  for (const double part_s : {cost.fixed_s, cost.per_doubling_s}) {
    if (!(part_s >= 0 && part_s <= ResizeCost::largest_s)) {
      throw InvalidInput(fmt::format(
          "resize cost {} s; expected seconds from 0 to {:g}", part_s, ResizeCost::largest_s));
    }
  }
}

}  // namespace simulator_detail

VODA_INLINE void SimulationObserver::job_ended(const JobOutcome& /*outcome*/) {}

VODA_INLINE void SimulationObserver::allocation_changed(TimePoint /*at*/,
                                                        const JobId& /*job*/,
                                                        GpuCount /*gpus*/,
                                                        const WorkerMap& /*workers*/) {}

VODA_INLINE void SimulationObserver::decided(const Scheduler& /*scheduler*/,
                                             const Decision& /*decision*/) {}

VODA_INLINE std::optional<ClusterImage> SimulationObserver::restarted(
    const std::function<ClusterImage()>& /*image*/) {
  return std::nullopt;
}

VODA_INLINE bool SimulationObserver::advanced(const SimulationProgress& /*progress*/,
                                              Scheduler& /*scheduler*/) {
  return true;
}

VODA_INLINE SimulationResult simulate(const Trace& trace,
                                      const SimulationOptions& options,
                                      SimulationObserver* observer,
                                      const Stopwatch& stopwatch) {
  simulator_detail::check(options);

  struct Silent final : SimulationObserver {};

  Silent silent;
  return simulator_detail::SimulationRun(
             trace, options, observer == nullptr ? silent : *observer, stopwatch)
      .run();
}

}  // namespace voda
