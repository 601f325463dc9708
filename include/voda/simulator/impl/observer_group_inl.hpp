#pragma once

#include "voda/simulator/observer_group.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace voda {

VODA_INLINE ObserverGroup::ObserverGroup(const std::vector<SimulationObserver*>& observers) {
  std::ranges::copy_if(observers, std::back_inserter(observers_), [](const auto* observer) {
    return observer != nullptr;
  });
}

VODA_INLINE void ObserverGroup::job_ended(const JobOutcome& outcome) {
  for (SimulationObserver* const observer : observers_)
    observer->job_ended(outcome);
}

VODA_INLINE void ObserverGroup::allocation_changed(TimePoint at,
                                                   const JobId& job,
                                                   GpuCount gpus,
                                                   const WorkerMap& workers) {
  for (SimulationObserver* const observer : observers_)
    observer->allocation_changed(at, job, gpus, workers);
}

VODA_INLINE void ObserverGroup::decided(const Scheduler& scheduler, const Decision& decision) {
  for (SimulationObserver* const observer : observers_)
    observer->decided(scheduler, decision);
}

VODA_INLINE std::optional<ClusterImage> ObserverGroup::restarted(
    const std::function<ClusterImage()>& image) {
  std::optional<ClusterImage> result;
  for (SimulationObserver* const observer : observers_) {
    if (auto other = observer->restarted(image))
      result = std::move(other);
  }
  return result;
}

VODA_INLINE bool ObserverGroup::advanced(const SimulationProgress& progress, Scheduler& scheduler) {
  bool goes_on = true;
  for (SimulationObserver* const observer : observers_)
    goes_on = observer->advanced(progress, scheduler) && goes_on;
  return goes_on;
}

}  // namespace voda
