#pragma once

#include "voda/simulator/future.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "voda/model/error.hpp"
#include "voda/simulator/impl/report_inl.hpp"

namespace voda {
namespace future_detail {

/// The values of one job over the runs so far.
struct JobValues {
  TimePoint submitted{};
  std::vector<double> first_started{};
  std::vector<double> finished{};
};

/// Adds up what runs bring.
class Gathered {
 public:
  void add(const SimulationResult& result) {
    double last_end = 0;
    for (const JobOutcome& outcome : result.outcomes) {
      JobValues& values = jobs_[outcome.id.value];
      values.submitted = outcome.submitted;
      if (outcome.first_started)
        values.first_started.push_back(to_seconds(*outcome.first_started));
      if (!outcome.finished)
        continue;
      values.finished.push_back(to_seconds(*outcome.finished));
      last_end = values.finished.back();  // outcomes come in the order in which jobs end
    }
    unfinished_.push_back(static_cast<double>(result.summary.unfinished));
    if (result.summary.finished == 0)
      return;
    jct_.push_back(result.summary.jct_s.mean);
    waited_.push_back(result.summary.waited_s.mean);
    last_end_.push_back(last_end);
  }

  [[nodiscard]] Futures taken(std::int64_t runs) && {
    Futures result{.runs = runs,
                   .mean_jct_s = future_value_of(std::move(jct_)),
                   .mean_waited_s = future_value_of(std::move(waited_)),
                   .last_end = future_value_of(std::move(last_end_)),
                   .unfinished = future_value_of(std::move(unfinished_))};
    result.jobs.reserve(jobs_.size());
    for (auto& [id, values] : jobs_) {
      result.jobs.push_back({.job = {id},
                             .submitted = values.submitted,
                             .first_started = future_value_of(std::move(values.first_started)),
                             .finished = future_value_of(std::move(values.finished))});
    }
    return result;
  }

 private:
  std::map<std::string, JobValues> jobs_{};
  std::vector<double> jct_{};
  std::vector<double> waited_{};
  std::vector<double> last_end_{};
  std::vector<double> unfinished_{};
};

}  // namespace future_detail

VODA_INLINE FutureValue future_value_of(std::vector<double> values) {
  if (values.empty())
    return {};
  std::ranges::sort(values);
  return {.futures = static_cast<std::int64_t>(values.size()),
          .p10 = report_detail::quantile(values, 10),
          .p50 = report_detail::quantile(values, 50),
          .p90 = report_detail::quantile(values, 90)};
}

VODA_INLINE Futures simulate_futures(const Trace& trace,
                                     const SimulationOptions& options,
                                     std::int64_t runs) {
  if (runs <= 0)
    throw InvalidInput(fmt::format("futures {}; expected a number > 0", runs));
  if (options.estimate_error == 0 && !options.failures)
    runs = 1;
  SimulationOptions each = options;
  future_detail::Gathered gathered;
  for (std::int64_t run = 0; run < runs; ++run) {
    each.seed = options.seed + static_cast<std::uint64_t>(run);
    gathered.add(simulate(trace, each));
  }
  return std::move(gathered).taken(runs);
}

}  // namespace voda
