#include "voda/simulator/workload_fit.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "support/io_checks.hpp"
#include "voda/io/speedups_reader.hpp"
#include "voda/io/trace_reader.hpp"
#include "voda/simulator/goodness_of_fit.hpp"

namespace voda::test {
namespace workload_fit_test {

constexpr int sample = 20000;

/// What the empirical distribution of `draws` draws deviates from the true one by but for a chance of
/// 1 in 1000 (Dvoretzky, Kiefer, Wolfowitz; Massart).
[[nodiscard]] double sampling_error(double draws) {
  return std::sqrt(std::log(2000.0) / (2 * draws));
}

[[nodiscard]] std::vector<Trace> itp() {
  const TraceOptions options{
      .speedups = read_speedups_file(shared_path("data/speedups/elasticflow_throughputs_A100"))};
  return {read_trace_file(shared_path("data/itp/cluster01.csv"), "itp", options).trace};
}

[[nodiscard]] std::vector<Trace> philly() {
  const TraceOptions options{
      .speedups = read_speedups_file(shared_path("data/speedups/speedups_us_per_iteration.csv"))};
  std::vector<Trace> result;
  for (const char* name : {"trace_0e4a51", "trace_103959"}) {
    const auto path = shared_path(std::string("data/philly-vc/") + name + ".csv");
    result.push_back(read_trace_file(path, "pcs", options).trace);
  }
  return result;
}

[[nodiscard]] const MarginalFit& marginal(const WorkloadFitReport& report, std::string_view name) {
  const auto found = std::ranges::find(report.marginals, name, &MarginalFit::name);
  EXPECT_NE(found, report.marginals.end()) << name;
  return *found;
}

/// A fit to `traces` against themselves.
[[nodiscard]] WorkloadFitReport fitted_against(const std::vector<Trace>& traces) {
  const WorkloadProfile profile = fit_workload(traces);
  return goodness_of_fit(
      traces, {.workload = with_profile({.jobs = sample}, profile), .pools = pools_of(profile)});
}

void expect_close(const WorkloadFitReport& report) {
  // Quantiles are no more than 0.05 apart (tests/simulator/quantiles_test.cpp), the rest is sampling.
  EXPECT_LE(marginal(report, "run time, all").distance, 0.05 + sampling_error(sample));
  // Shares are the trace's own: total variation is at most the sum of absolute errors of all but the
  // largest of them, and with ten sizes or profiles ten standard errors are far out.
  EXPECT_LE(marginal(report, "sizes").distance, 5 / std::sqrt(sample));
  EXPECT_LE(marginal(report, "speedup profile").distance, 5 / std::sqrt(sample));
}

/// Shipped profiles have quantiles at most 0.25 apart, rounded to two digits.
void expect_shipped_close(const std::vector<Trace>& traces, DemandProfile demand) {
  const auto report = goodness_of_fit(traces, {.workload = {.jobs = sample, .demand = demand}});
  EXPECT_LE(marginal(report, "run time, all").distance, 0.25 + sampling_error(sample));
  // Sizes are rounded to a thousandth: seven of them are 0.0035 at most.
  EXPECT_LE(marginal(report, "sizes").distance, 0.0035 + 5 / std::sqrt(sample));
}

TEST(WorkloadFitOfRealTraces, ReproducesItp) {
  VODA_NEED_SHARED("data/itp/cluster01.csv");
  const WorkloadFitReport report = fitted_against(itp());

  expect_close(report);
  EXPECT_LE(marginal(report, "run time, 1 GPU").distance, 0.05 + sampling_error(0.9 * sample));
  EXPECT_LE(marginal(report, "deadline slack").distance, 0.05 + sampling_error(sample));
  // Rates are within 4 % of each other, so gaps are theirs but for those 4 %.
  EXPECT_LE(marginal(report, "gaps").distance, 0.1);
  // Half of the gaps are 0 and a few are days: 52; the generated ones keep that within a third.
  EXPECT_NEAR(report.generated_gap_variation / report.trace_gap_variation, 1, 0.33);
}

TEST(WorkloadFitOfRealTraces, ReproducesPhilly) {
  VODA_NEED_SHARED("data/philly-vc/trace_0e4a51.csv");
  const WorkloadFitReport report = fitted_against(philly());

  expect_close(report);
  EXPECT_LE(marginal(report, "run time, 1 GPU").distance, 0.05 + sampling_error(0.6 * sample));
  EXPECT_LE(marginal(report, "run time, 4 GPUs").distance, 0.05 + sampling_error(0.25 * sample));
  EXPECT_LE(marginal(report, "size range").distance, 5 / std::sqrt(sample));
  EXPECT_NEAR(report.generated_gap_variation / report.trace_gap_variation, 1, 0.33);
}

TEST(WorkloadFitOfRealTraces, ShippedProfilesAreTheirs) {
  VODA_NEED_SHARED("data/itp/cluster01.csv");
  VODA_NEED_SHARED("data/philly-vc/trace_0e4a51.csv");

  expect_shipped_close(itp(), DemandProfile::itp);
  expect_shipped_close(philly(), DemandProfile::philly);
}

}  // namespace workload_fit_test
}  // namespace voda::test
