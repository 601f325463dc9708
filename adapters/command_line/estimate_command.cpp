#include "command_line/estimate_command.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "command_line/estimate_source.hpp"
#include "command_line/json_text.hpp"
#include "command_line/moment_options.hpp"
#include "command_line/option_values.hpp"
#include "command_line/output_format.hpp"
#include "command_line/time_text.hpp"
#include "command_line/what_if_changes.hpp"
#include "voda/model/error.hpp"
#include "voda/model/number_text.hpp"

namespace voda::command_line {
namespace {

Json forecast_json(const std::optional<Forecast>& forecast) {
  if (!forecast)
    return nullptr;
  return {{"p10", forecast->p10_s}, {"p50", forecast->p50_s}, {"p90", forecast->p90_s}};
}

/// `in 1 h 2 min (50 min to 2 h)`.
std::string forecast_text(const Json& forecast) {
  if (forecast.is_null())
    return "in no future";
  return fmt::format("in {} ({} to {})",
                     duration_text(forecast["p50"].get<double>()),
                     duration_text(forecast["p10"].get<double>()),
                     duration_text(forecast["p90"].get<double>()));
}

std::string learned_text(const Json& answer) {
  if (!answer["learned_from"].is_null())
    return "learned from " + counted(answer["learned_from"].get<std::int64_t>(), "outcome");
  return "with no past to learn from: told work is believed, and no job comes";
}

ResultSheet estimate_table(const Json& answer) {
  ResultSheet sheet{
      .columns = {{.name = "job"}, {.name = "now"}, {.name = "starts"}, {.name = "ends"}}};
  for (const auto& [job, estimate] : answer["jobs"].items()) {
    const auto gpus = estimate["gpus"].get<std::int64_t>();
    sheet.rows.push_back({job,
                          gpus == 0 ? "waits" : counted(gpus, "GPU"),
                          gpus == 0 ? Json(forecast_text(estimate["start_s"])) : Json(nullptr),
                          forecast_text(estimate["finish_s"])});
  }
  sheet.note = fmt::format("at {} s, under {} with placer {}; median and 80 % interval, {}",
                           answer["at"].dump(),
                           escaped(answer["policy"].get<std::string>()),
                           escaped(answer["placer"].get<std::string>()),
                           learned_text(answer));
  return sheet;
}

/// All figures, in seconds.
ResultSheet estimate_sheet(const Json& answer) {
  ResultSheet sheet{.columns = {{.name = "job"}, {.name = "gpus"}}};
  for (const char* const what : {"start_s", "finish_s"}) {
    for (const char* const quantile : {"p10", "p50", "p90"})
      sheet.columns.push_back({.name = fmt::format("{}.{}", what, quantile)});
  }
  for (const auto& [job, estimate] : answer["jobs"].items()) {
    std::vector<Json> row{job, estimate["gpus"]};
    for (const char* const what : {"start_s", "finish_s"}) {
      for (const char* const quantile : {"p10", "p50", "p90"})
        row.push_back(estimate[what].is_null() ? Json(nullptr) : estimate[what][quantile]);
    }
    sheet.rows.push_back(std::move(row));
  }
  return sheet;
}

class EstimateCommand final : public Command {
 public:
  void describe(CLI::App& app) override {
    add_moment_options(app, moment_);
    app.add_option(
           "--job", jobs_, "Id of a job, once for each (default: those added, or all that wait)")
        ->type_name("ID")
        ->allow_extra_args(false);
    add_change_options(app, changes_);
    app.add_option("--learn",
                   learn_,
                   "How many earlier jobs of a record are foretold to learn how far off that is")
        ->type_name("N")
        ->capture_default_str();
    app.add_option("--futures", futures_, "Futures that are simulated for each forecast")
        ->type_name("N")
        ->capture_default_str();
    app.add_option("--memory", memory_, "Jobs arrive in the futures as they did in so many seconds")
        ->type_name("SECONDS")
        ->capture_default_str();
    app.add_option("--seed", seed_, "Of the futures, a whole number")
        ->type_name("N")
        ->capture_default_str();
    add_output_option(app, output_);
  }

  [[nodiscard]] std::span<const Example> examples() const override {
    static constexpr std::array<Example, 2> all{
        {{.line = "voda simulate trace.csv --cluster 4x4 --estimate-error 0.5 --record run.rec && "
                  "voda estimate run.rec --at 15",
          .meaning = "when each job that waits at a moment of a record will start and end"},
         {.line = "voda estimate snapshot.json --add-job "
                  "'{\"id\": \"mine\", \"requested_gpus\": 4, \"work_s\": 3600}'",
          .meaning = "when a job would start and end if it were submitted now"}}};
    return all;
  }

  [[nodiscard]] ExitStatus run(const Context& context) override {
    const OutputFormat format = output_.chosen();
    const EstimateOptions options = read_options();
    EstimateSource source = read_estimate_source(moment_.path, options, context);
    const std::vector<JobId> jobs = change(source);
    need_work(source.state);
    const auto forecasts = source.forecaster.forecast(source.state, jobs).value();
    const Json answer = answer_of(source, jobs, forecasts);
    switch (format) {
      case OutputFormat::json:
        *context.out << document_text(answer);
        break;
      case OutputFormat::table:
        *context.out << sheet_as(format, estimate_table(answer), context.out_style);
        break;
      case OutputFormat::wide:
      case OutputFormat::csv:
        *context.out << sheet_as(format, estimate_sheet(answer), context.out_style);
        break;
    }
    return ExitStatus::done;
  }

 private:
  [[nodiscard]] EstimateOptions read_options() const {
    return {.at = moment_of(moment_),
            .learn = read_whole_number("--learn", learn_, 0, 10'000'000),
            .futures = read_whole_number("--futures", futures_, 1, 100'000),
            .memory = read_positive_duration("--memory", memory_),
            .resize_cost = resize_cost_of(moment_),
            .seed = read_seed(seed_),
            .policy = moment_.policy,
            .placer = moment_.placer};
  }

  /// Applies the changes; returns the jobs that are asked about.
  [[nodiscard]] std::vector<JobId> change(EstimateSource& source) const {
    ClusterState state = ClusterState::from_image(source.state);
    std::vector<JobId> added;
    for (const Event& event : events_of(changes_, state)) {
      source.forecaster.observe(event, state);
      state.apply(event);
      if (const auto* const submission = std::get_if<JobSubmitted>(&event.body))
        added.push_back(submission->job.id);
    }
    source.state.pools = state.image().pools;
    if (jobs_.empty())
      return added.empty() ? waiting(source.state) : added;
    std::vector<JobId> asked;
    for (const std::string& job : jobs_) {
      if (!state.find({job}))
        refuse_value("--job", job, "the id of a job that is there");
      if (std::ranges::find(asked, JobId{job}) == asked.end())
        asked.push_back({job});
    }
    return asked;
  }

  [[nodiscard]] static std::vector<JobId> waiting(const ClusterImage& state) {
    std::vector<JobId> result;
    for (const PoolImage& pool : state.pools) {
      for (const JobImage& image : pool.jobs) {
        if (image.held == 0)
          result.push_back(image.job.id);
      }
    }
    return result;
  }

  /// Throws InvalidInput for a job whose work is unknown.
  void need_work(const ClusterImage& state) const {
    for (const PoolImage& pool : state.pools) {
      for (const JobImage& image : pool.jobs) {
        if (!image.job.work) {
          throw InvalidInput(
              fmt::format("{}: job '{}': its work is unknown; expected that of every job",
                          moment_.path,
                          image.job.id.value));
        }
      }
    }
  }

  [[nodiscard]] static Json answer_of(const EstimateSource& source,
                                      const std::vector<JobId>& jobs,
                                      const std::vector<WaitForecast>& forecasts) {
    std::unordered_map<std::string, GpuCount> held;
    for (const PoolImage& pool : source.state.pools) {
      for (const JobImage& image : pool.jobs)
        held.emplace(image.job.id.value, image.held);
    }
    Json estimates = Json::object();
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      append(estimates,
             jobs[i].value,
             {{"gpus", held.at(jobs[i].value)},
              {"start_s", forecast_json(forecasts[i].start)},
              {"finish_s", forecast_json(forecasts[i].finish)}});
    }
    return {{"at", to_seconds(source.state.now)},
            {"policy", source.state.policy.allocator},
            {"placer", source.state.policy.placer},
            {"learned_from", source.has_past ? Json(source.forecaster.outcomes()) : Json(nullptr)},
            {"jobs", std::move(estimates)}};
  }

  MomentOptions moment_{};
  std::vector<std::string> jobs_{};
  WhatIfChanges changes_{};
  std::string learn_ = "200";
  std::string futures_ = "20";
  std::string memory_ = "604800";
  std::string seed_ = "0";
  OutputChoice output_{.format = "table"};
};

}  // namespace

std::unique_ptr<Command> make_estimate_command() {
  return std::make_unique<EstimateCommand>();
}

}  // namespace voda::command_line
