#pragma once

#include <vector>

#include "voda/config.hpp"
#include "voda/simulator/simulator.hpp"

namespace voda {

/// Several observers of one run; each is told everything, in the order in which they were given.
class ObserverGroup final : public SimulationObserver {
 public:
  /// The observers must outlive the group; null ones are left out.
  explicit ObserverGroup(const std::vector<SimulationObserver*>& observers);

  void job_ended(const JobOutcome& outcome) override;
  void allocation_changed(TimePoint at,
                          const JobId& job,
                          GpuCount gpus,
                          const WorkerMap& workers) override;
  void decided(const Scheduler& scheduler, const Decision& decision) override;

  /// All are asked; the run goes on from the image of the last one that gave one.
  [[nodiscard]] std::optional<ClusterImage> restarted(
      const std::function<ClusterImage()>& image) override;

  /// All are asked; the run stops when one says no.
  [[nodiscard]] bool advanced(const SimulationProgress& progress, Scheduler& scheduler) override;

 private:
  std::vector<SimulationObserver*> observers_{};
};

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/simulator/impl/observer_group_inl.hpp"
#endif
