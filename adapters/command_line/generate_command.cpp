#include "command_line/generate_command.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "command_line/option_values.hpp"
#include "command_line/output_file.hpp"
#include "voda/io/elasticity_text.hpp"
#include "voda/io/trace_reader.hpp"
#include "voda/simulator/workload.hpp"

namespace voda::command_line {
namespace {

constexpr std::array<std::pair<std::string_view, ArrivalPattern>, 3> arrival_patterns{
    {{"poisson", ArrivalPattern::poisson},
     {"bursty", ArrivalPattern::bursty},
     {"daily", ArrivalPattern::daily}}};
constexpr std::array<std::pair<std::string_view, DemandProfile>, 2> demand_profiles{
    {{"philly", DemandProfile::philly}, {"itp", DemandProfile::itp}}};

template <class Words>
auto read_word(std::string_view option, const std::string& text, const Words& words) {
  std::vector<std::string_view> known;
  for (const auto& [word, value] : words) {
    if (word == text)
      return value;
    known.push_back(word);
  }
  refuse_value(option, text, fmt::format("{}", fmt::join(known, " | ")));
}

class GenerateCommand final : public Command {
 public:
  void describe(CLI::App& app) override {
    app.add_option("--jobs", jobs_, "Number of jobs")->capture_default_str();
    app.add_option("--gpus", gpus_, "Number of GPUs of the cluster that the load is meant for")
        ->capture_default_str();
    app.add_option("--load", load_, "GPU time asked for over GPU time there is, a ratio")
        ->capture_default_str();
    app.add_option("--arrivals", arrivals_, "Pattern of arrivals: poisson, bursty or daily")
        ->capture_default_str();
    app.add_option("--demand", demand_, "Whose sizes and run times: philly or itp")
        ->capture_default_str();
    app.add_option("--elastic-share", elastic_share_, "Share of the jobs that are elastic, 0 to 1")
        ->capture_default_str();
    app.add_option("--elastic",
                   elastic_,
                   "MIN:MAX of the elastic ones, GPUs (1:16) or multiples of the request (1x:4x)")
        ->capture_default_str();
    app.add_option("--seed", seed_, "A whole number; the same seed gives the same workload")
        ->capture_default_str();
    app.add_option("--out", path_, "File to write the trace to; - is standard output")
        ->capture_default_str();
  }

  [[nodiscard]] ExitStatus run(const Context& context) override {
    const Trace trace = generate_workload(workload_options());
    if (path_ == "-") {
      write_trace(*context.out, trace);
      return ExitStatus::done;
    }
    OutputFile file(path_);
    try {
      write_trace(file.stream(), trace);
    } catch (const Error&) {
      file.check();  // says why, if it was the file
      throw;
    }
    file.finish();
    return ExitStatus::done;
  }

 private:
  [[nodiscard]] WorkloadOptions workload_options() const {
    WorkloadOptions result{
        .jobs = read_whole_number("--jobs", jobs_, 0, WorkloadOptions::most_jobs),
        .gpus = static_cast<GpuCount>(
            read_whole_number("--gpus", gpus_, 1, std::numeric_limits<GpuCount>::max())),
        .load = read_number("--load", load_, 1e-6, 1e6),
        .arrivals = read_word("--arrivals", arrivals_, arrival_patterns),
        .demand = read_word("--demand", demand_, demand_profiles),
        .elastic_share = read_number("--elastic-share", elastic_share_, 0, 1),
        .seed = read_seed(seed_)};
    try {
      result.elasticity = parse_elasticity(elastic_);
      check(result);
    } catch (const InvalidInput& error) {
      throw UsageError(error.what());
    }
    return result;
  }

  std::string jobs_ = "2000";
  std::string gpus_ = "256";
  std::string load_ = "0.9";
  std::string arrivals_ = "daily";
  std::string demand_ = "philly";
  std::string elastic_share_ = "0.5";
  std::string elastic_ = to_text(WorkloadOptions{}.elasticity);
  std::string seed_ = "1";
  std::string path_ = "-";
};

}  // namespace

std::unique_ptr<Command> make_generate_command() {
  return std::make_unique<GenerateCommand>();
}

}  // namespace voda::command_line
