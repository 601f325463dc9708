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
#include "command_line/workload_choice.hpp"
#include "voda/io/elasticity_text.hpp"
#include "voda/io/trace_reader.hpp"
#include "voda/simulator/workload.hpp"

namespace voda::command_line {
namespace {

constexpr std::array<std::pair<std::string_view, ArrivalPattern>, 4> arrival_patterns{
    {{"poisson", ArrivalPattern::poisson},
     {"bursty", ArrivalPattern::bursty},
     {"daily", ArrivalPattern::daily},
     {"fitted", ArrivalPattern::fitted}}};

class GenerateCommand final : public Command {
 public:
  void describe(CLI::App& app) override {
    app.add_option("--jobs", jobs_, "Number of jobs")->type_name("N")->capture_default_str();
    app.add_option("--gpus", gpus_, "Number of GPUs of the cluster that the load is meant for")
        ->type_name("N")
        ->capture_default_str();
    app.add_option("--load",
                   load_,
                   "GPU time asked for over GPU time there is, a ratio; fitted: as often as in the "
                   "workload profile, whatever the load")
        ->type_name("RATIO|fitted")
        ->capture_default_str();
    app.add_option("--demand",
                   demand_,
                   "Whose sizes and run times: philly, itp, or a file with a workload profile as "
                   "`voda fit` writes it")
        ->type_name("philly|itp|FILE")
        ->capture_default_str();
    app.add_option(
           "--arrivals",
           arrivals_,
           "Pattern of arrivals: poisson, bursty, daily, or fitted as in the workload profile "
           "(default: fitted if it has arrivals, otherwise daily)")
        ->type_name(alternatives(arrival_patterns));
    app.add_option(
           "--elastic-share",
           elastic_share_,
           "Share of the jobs that are elastic, 0 to 1 (default: as in the workload profile, "
           "otherwise 0.5)")
        ->type_name("SHARE");
    app.add_option("--elastic",
                   elastic_,
                   "MIN:MAX of the elastic ones, GPUs (1:16) or multiples of the request (1x:4x) "
                   "(default: as in the workload profile, otherwise 1x:4x)")
        ->type_name("MIN:MAX");
    describe_labels(app);
    app.add_option("--seed", seed_, "A whole number; the same seed gives the same workload")
        ->type_name("N")
        ->capture_default_str();
    app.add_option("--out", path_, "File to write the trace to; - is standard output")
        ->type_name("FILE")
        ->capture_default_str();
  }

  [[nodiscard]] std::span<const Example> examples() const override {
    static constexpr std::array<Example, 1> all{
        {{.line = "voda generate --jobs 100 --gpus 16 --load 1.2 --seed 7 --out made.csv",
          .meaning = "a workload that asks for more than 16 GPUs can serve"}}};
    return all;
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
  void describe_labels(CLI::App& app) {
    constexpr const char* otherwise = " (default: as in the workload profile, otherwise none)";
    app.add_option("--deadlines",
                   deadlines_,
                   std::string("SHARE,MIN:MAX: a share of the jobs has a deadline, its submission "
                               "plus MIN to MAX times its run time") +
                       otherwise)
        ->type_name("SHARE,MIN:MAX");
    app.add_option(
           "--users",
           users_,
           std::string("Number of users; the i-th submits in proportion to 1/i (Zipf)") + otherwise)
        ->type_name("N");
    app.add_option("--gpu-types",
                   gpu_types_,
                   std::string("NAME:SHARE,... of the jobs, as in a100:0.3,v100:0.7") + otherwise)
        ->type_name("NAME:SHARE,...");
    app.add_option("--queues", queues_, std::string("NAME:SHARE,... of the jobs") + otherwise)
        ->type_name("NAME:SHARE,...");
    app.add_option("--virtual-clusters",
                   virtual_clusters_,
                   std::string("NAME:SHARE,... of the jobs") + otherwise)
        ->type_name("NAME:SHARE,...");
  }

  /// What is not given stays as the workload profile has it.
  void set_given(WorkloadOptions& options) const {
    if (!arrivals_.empty())
      options.arrivals = read_word("--arrivals", arrivals_, arrival_patterns);
    if (!elastic_share_.empty())
      options.elastic_share = read_number("--elastic-share", elastic_share_, 0, 1);
    if (!elastic_.empty())
      options.elasticity = parse_elasticity(elastic_);
    if (!deadlines_.empty())
      options.deadlines = read_deadlines("--deadlines", deadlines_);
    if (!users_.empty())
      options.labels.users = zipf_users(read_whole_number("--users", users_, 1, 1000000));
    if (!gpu_types_.empty())
      options.labels.gpu_types = read_shares("--gpu-types", gpu_types_);
    if (!queues_.empty())
      options.labels.queues = read_shares("--queues", queues_);
    if (!virtual_clusters_.empty())
      options.labels.virtual_clusters = read_shares("--virtual-clusters", virtual_clusters_);
  }

  void set_load(WorkloadOptions& options) const {
    if (load_ != "fitted") {
      options.load = read_number("--load", load_, 1e-6, 1e6);
      return;
    }
    if (options.profile && options.profile->arrivals)
      options.mean_gap_s = options.profile->arrivals->mean_gap_s;
    if (!options.mean_gap_s) {
      refuse_value(
          "--load", load_, "a number, or --demand with a workload profile that has mean_gap_s");
    }
  }

  [[nodiscard]] WorkloadOptions workload_options() const {
    WorkloadOptions result =
        choose_workload("--demand",
                        demand_,
                        {.jobs = read_whole_number("--jobs", jobs_, 0, WorkloadOptions::most_jobs),
                         .gpus = static_cast<GpuCount>(read_whole_number(
                             "--gpus", gpus_, 1, std::numeric_limits<GpuCount>::max())),
                         .seed = read_seed(seed_)});
    set_load(result);
    try {
      set_given(result);
      check(result);
    } catch (const InvalidInput& error) {
      throw UsageError(error.what());
    }
    return result;
  }

  std::string jobs_ = "2000";
  std::string gpus_ = "256";
  std::string load_ = "0.9";
  std::string demand_ = "philly";
  std::string arrivals_{};
  std::string elastic_share_{};
  std::string elastic_{};
  std::string deadlines_{};
  std::string users_{};
  std::string gpu_types_{};
  std::string queues_{};
  std::string virtual_clusters_{};
  std::string seed_ = "1";
  std::string path_ = "-";
};

}  // namespace

std::unique_ptr<Command> make_generate_command() {
  return std::make_unique<GenerateCommand>();
}

}  // namespace voda::command_line
