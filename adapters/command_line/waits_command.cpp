#include "command_line/waits_command.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "command_line/json_text.hpp"
#include "command_line/messages.hpp"
#include "command_line/option_values.hpp"
#include "command_line/output_format.hpp"
#include "command_line/policy_choice.hpp"
#include "command_line/progress.hpp"
#include "command_line/run_options.hpp"
#include "voda/model/number_text.hpp"
#include "voda/simulator/wait_study.hpp"

namespace voda::command_line {
namespace {

Json score_json(const ForecastScore& score) {
  return {{"outcomes", score.outcomes},
          {"coverage", score.coverage()},
          {"below", score.below},
          {"above", score.above},
          {"width_s", score.width_s},
          {"pinball_s", score.pinball_s},
          {"plain_pinball_s", score.plain_pinball_s}};
}

Json scores_json(const ForecastScores& scores) {
  return {{"all", score_json(scores.all)}, {"waited", score_json(scores.waited)}};
}

/// Three digits after the point are enough for people.
Json rounded(const Json& figure) {
  return figure.is_number_float() ? Json(std::round(figure.get<double>() * 1000) / 1000) : figure;
}

/// A row for the start and the end, of all jobs and of those that waited.
ResultSheet scores_sheet(const Json& answer, OutputFormat format) {
  ResultSheet sheet{.columns = {{.name = "forecast"}, {.name = "jobs"}}};
  for (const char* const quantity : {"start", "finish"}) {
    for (const auto& [jobs, score] : answer[quantity].items()) {
      if (sheet.rows.empty()) {
        for (const auto& [figure, value] : score.items())
          sheet.columns.push_back({.name = figure});
      }
      std::vector<Json> row{quantity, jobs};
      for (const auto& [figure, value] : score.items())
        row.push_back(format == OutputFormat::csv ? value : rounded(value));
      sheet.rows.push_back(std::move(row));
    }
  }
  sheet.note = fmt::format(
      "{} held-back jobs under {}, {} of them unfinished; waited: for more than a minute; plain: "
      "quantiles of past waits and stays",
      answer["forecasts"].dump(),
      escaped(answer["policy"].get<std::string>()),
      answer["open"].dump());
  return sheet;
}

class WaitsCommand final : public Command {
 public:
  void describe(CLI::App& app) override {
    add_run_options(app, options_);
    add_policy_option(app, policy_);
    app.add_option("--forecasts",
                   forecasts_,
                   "Forecasts for every k-th job, so that there are no more than these")
        ->type_name("N")
        ->capture_default_str();
    app.add_option("--futures", futures_, "Futures that are simulated for each forecast")
        ->type_name("N")
        ->capture_default_str();
    app.add_option("--memory", memory_, "Jobs arrive in the futures as they did in so many seconds")
        ->type_name("SECONDS")
        ->capture_default_str();
    add_output_option(app, output_);
  }

  [[nodiscard]] std::span<const Example> examples() const override {
    static constexpr std::array<Example, 1> all{
        {{.line = "voda waits trace.csv --cluster 4x4 --policy fifo --estimate-error 0.5",
          .meaning = "how well the waits of the second half of a trace could have been foretold"}}};
    return all;
  }

  [[nodiscard]] ExitStatus run(const Context& context) override {
    const OutputFormat format = output_.chosen();
    const WaitStudyOptions how{
        .most_forecasts = read_whole_number("--forecasts", forecasts_, 1, 10'000'000),
        .futures = read_whole_number("--futures", futures_, 1, 100'000),
        .memory = read_positive_duration("--memory", memory_)};
    const auto allocator = choose_allocator(context.environment->policies, policy_);
    PreparedRun prepared = prepare_run(options_, context);
    prepared.options.allocator = allocator;
    const auto& watch = context.environment->watch_interrupts;
    const auto interrupts = watch ? watch() : nullptr;
    const WaitStudy study = [&] {
      ProgressBar bar(context);
      return study_waits(
          prepared.trace, prepared.options, how, [&](const SimulationProgress& progress) {
            bar.show(progress.ended, progress.jobs);
            return interrupts == nullptr || !interrupts->has_come();
          });
    }();
    if (study.run.end == SimulationEnd::stopped) {
      complain(
          context,
          fmt::format("interrupted: {} had finished", counted(study.run.summary.finished, "job")));
      return ExitStatus::interrupted;
    }
    const Json answer{{"policy", policy_},
                      {"placer", options_.placer},
                      {"forecasts", study.forecasts},
                      {"open", study.open},
                      {"start", scores_json(study.start)},
                      {"finish", scores_json(study.finish)}};
    *context.out << (format == OutputFormat::json
                         ? document_text(answer)
                         : sheet_as(format, scores_sheet(answer, format), context.out_style));
    return ExitStatus::done;
  }

 private:
  RunOptions options_{};
  std::string policy_ = "elastic_fifo";
  std::string forecasts_ = "1000";
  std::string futures_ = "20";
  std::string memory_ = "604800";
  OutputChoice output_{.format = "table"};
};

}  // namespace

std::unique_ptr<Command> make_waits_command() {
  return std::make_unique<WaitsCommand>();
}

}  // namespace voda::command_line
