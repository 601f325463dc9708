#pragma once

#include <cstdint>
#include <vector>

#include "voda/config.hpp"
#include "voda/model/ids.hpp"
#include "voda/simulator/simulator.hpp"
#include "voda/simulator/trace.hpp"

namespace voda {

/// A quantity over several futures, in seconds; quantiles by nearest rank over the futures in which it has a value.
struct FutureValue {
  std::int64_t futures = 0;  // in which it has a value; the quantiles are 0 when there is none
  double p10 = 0;
  double p50 = 0;
  double p90 = 0;
  bool operator==(const FutureValue&) const = default;
};

/// Quantiles of a set of values.
[[nodiscard]] FutureValue future_value_of(std::vector<double> values);

/// What becomes of a job; instants on the clock of the run.
struct JobFuture {
  JobId job{};
  TimePoint submitted{};
  FutureValue first_started{};
  FutureValue finished{};
};

/// What may become of a cluster.
struct Futures {
  std::int64_t runs = 0;
  FutureValue mean_jct_s{};       // over the runs in which a job finished
  FutureValue mean_waited_s{};    // likewise
  FutureValue last_end{};         // instant of the last end, likewise
  FutureValue unfinished{};       // jobs, not seconds
  std::vector<JobFuture> jobs{};  // those of the starting state and of the trace, by id
};

/// Simulates a run `runs` times (> 0) with the seeds `options.seed`, `options.seed` + 1, ...: the outcomes differ where times
/// are uncertain (SimulationOptions::estimate_error) or nodes fail. Without either all runs are equal, and one is made.
/// Throws InvalidInput as simulate() does.
[[nodiscard]] Futures simulate_futures(const Trace& trace,
                                       const SimulationOptions& options,
                                       std::int64_t runs);

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/simulator/impl/future_inl.hpp"
#endif
