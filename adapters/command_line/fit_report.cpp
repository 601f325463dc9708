#include "command_line/fit_report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace voda::command_line {
namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();
constexpr std::array<const char*, 3> quantile_names{"p50", "p90", "p99"};

/// The distance of a property in another report; not a number when it is not there.
double distance_in(const std::optional<WorkloadFitReport>& report, std::string_view name) {
  if (!report)
    return no_number;
  const auto found = std::ranges::find(report->marginals, name, &MarginalFit::name);
  return found == report->marginals.end() ? no_number : found->distance;
}

std::string number_text(double value, int decimals) {
  return std::isnan(value) ? "-" : fmt::format("{:.{}f}", value, decimals);
}

/// Generated over trace, where the trace's is not 0.
std::string ratio_text(const MarginalFit& marginal, std::size_t quantile) {
  const double trace = marginal.trace_quantiles.at(quantile);
  const double generated = marginal.generated_quantiles.at(quantile);
  if (!(std::abs(trace) > 0))
    return std::abs(generated) > 0 || std::isnan(trace) ? "-" : "1.00";
  return number_text(generated / trace, 2);
}

std::string_view measure_of(const MarginalFit& marginal) {
  return marginal.kind == DistanceKind::ks ? "KS" : "TV";
}

/// Names on the left, everything else on the right of its column.
std::string aligned(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  }
  std::string result;
  for (const auto& row : rows) {
    std::string line = fmt::format("{:<{}}", row[0], widths[0]);
    for (std::size_t i = 1; i < row.size(); ++i)
      line += fmt::format("  {:>{}}", row[i], widths[i]);
    result += line + "\n";
  }
  return result;
}

constexpr const char* legend =
    "distance: of generated jobs from the traces, 0 to 1; KS: largest difference of the "
    "distribution "
    "functions,\n"
    "TV: half the sum of the differences of shares; chance: about what equal distributions would "
    "show;\n"
    "p50, p90, p99: quantiles, generated over trace\n";
constexpr const char* halves_legend =
    "first half, later half: fitted to the first half of the jobs and compared with it, and with "
    "the "
    "other,\n"
    "which that fit has not seen\n";

Json number_json(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json quantiles_json(const std::array<double, 3>& quantiles) {
  Json result = Json::object();
  for (std::size_t i = 0; i < quantiles.size(); ++i)
    append(result, quantile_names.at(i), number_json(quantiles.at(i)));
  return result;
}

}  // namespace

std::string fit_table(const FitReports& reports) {
  const bool has_halves = reports.first_half.has_value();
  std::vector<std::vector<std::string>> rows(1);
  rows.front() = {"", "measure", "jobs", "distance", "chance"};
  if (has_halves)
    rows.front().insert(rows.front().end(), {"first half", "later half"});
  rows.front().insert(rows.front().end(), quantile_names.begin(), quantile_names.end());
  for (const MarginalFit& marginal : reports.whole.marginals) {
    auto& row = rows.emplace_back();
    row = {marginal.name,
           std::string(measure_of(marginal)),
           fmt::format("{}", marginal.jobs),
           number_text(marginal.distance, 3),
           number_text(marginal.by_chance, 3)};
    if (has_halves) {
      row.push_back(number_text(distance_in(reports.first_half, marginal.name), 3));
      row.push_back(number_text(distance_in(reports.later_half, marginal.name), 3));
    }
    for (std::size_t i = 0; i < quantile_names.size(); ++i)
      row.push_back(ratio_text(marginal, i));
  }
  return fmt::format(
      "{}\ngaps: squared coefficient of variation {} in the traces, {} generated\n\n{}{}",
      aligned(rows),
      number_text(reports.whole.trace_gap_variation, 1),
      number_text(reports.whole.generated_gap_variation, 1),
      legend,
      has_halves ? halves_legend : "");
}

std::vector<Json> fit_rows(const FitReports& reports) {
  std::vector<Json> marginals;
  marginals.reserve(reports.whole.marginals.size());
  for (const MarginalFit& marginal : reports.whole.marginals) {
    marginals.push_back(
        {{"name", marginal.name},
         {"measure", marginal.kind == DistanceKind::ks ? "ks" : "total_variation"},
         {"jobs", marginal.jobs},
         {"distance", number_json(marginal.distance)},
         {"by_chance", number_json(marginal.by_chance)},
         {"first_half", number_json(distance_in(reports.first_half, marginal.name))},
         {"later_half", number_json(distance_in(reports.later_half, marginal.name))},
         {"trace", quantiles_json(marginal.trace_quantiles)},
         {"generated", quantiles_json(marginal.generated_quantiles)}});
  }
  return marginals;
}

Json fit_json(const FitReports& reports) {
  return {{"gap_variation",
           {{"trace", number_json(reports.whole.trace_gap_variation)},
            {"generated", number_json(reports.whole.generated_gap_variation)}}},
          {"marginals", fit_rows(reports)}};
}

}  // namespace voda::command_line
