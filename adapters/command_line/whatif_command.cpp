#include "command_line/whatif_command.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "command_line/moment_options.hpp"
#include "command_line/option_values.hpp"
#include "command_line/output_format.hpp"
#include "command_line/policy_choice.hpp"
#include "command_line/what_if_answer.hpp"
#include "command_line/what_if_changes.hpp"
#include "command_line/what_if_source.hpp"
#include "voda/scheduler/scheduler.hpp"
#include "voda/simulator/future.hpp"

namespace voda::command_line {
namespace {

/// A case with everything that its answer points to.
struct Case {
  PolicyChanged policy{};
  Scheduler scheduler;
  WhatIfCase answer{};
};

class WhatIfCommand final : public Command {
 public:
  void describe(CLI::App& app) override {
    add_moment_options(app, moment_);
    app.add_option("--with-policy", with_policy_, "Who decides instead (default: the same)")
        ->type_name("POLICY");
    app.add_option("--with-placer", with_placer_, "Who places instead (default: the same)")
        ->type_name("PLACER|none");
    add_change_options(app, changes_);
    app.add_option("--estimate-error",
                   estimate_error_,
                   "The true work of each job is what is known of it times e^(ERROR * z), z normal")
        ->type_name("ERROR")
        ->capture_default_str();
    app.add_option("--futures", futures_, "How many are simulated where something is uncertain")
        ->type_name("N")
        ->capture_default_str();
    app.add_option("--seed", seed_, "Of the first future, a whole number")
        ->type_name("N")
        ->capture_default_str();
    add_output_option(app, output_);
  }

  [[nodiscard]] std::span<const Example> examples() const override {
    static constexpr std::array<Example, 2> all{
        {{.line = "voda whatif snapshot.json --add-nodes 1x4 --estimate-error 0.5",
          .meaning = "the next decision and 100 futures with a node more, beside those without"},
         {.line = "voda simulate trace.csv --cluster 4x4 --record run.rec && "
                  "voda whatif run.rec --at 15 --with-policy afs_l",
          .meaning = "what another policy would have made of a moment of a record"}}};
    return all;
  }

  [[nodiscard]] ExitStatus run(const Context& context) override {
    SimulationOptions simulation = simulation_options();
    const auto runs = read_whole_number("--futures", futures_, 1, 100'000);
    const WhatIfSource source = read_what_if_source(moment_.path, moment_of(moment_), context);
    const PolicyChanged policy = deciding_policy(
        source.state.policy, moment_.policy, moment_.placer, has_nodes(source.state));
    const ClusterState state = ClusterState::from_image(source.state);
    const PolicyTables& tables = context.environment->policies;
    Case as_is = make_case(tables, policy, state);
    PolicyChanged other = policy;
    if (!with_policy_.empty())
      other.allocator = with_policy_;
    if (!with_placer_.empty())
      other.placer = with_placer_;
    Case changed = make_case(tables, other, state);
    for (const Event& event : events_of(changes_, state))
      changed.scheduler.observe(event);
    answer(as_is, source.state.now);
    answer(changed, source.state.now);
    std::string no_future = find_futures(as_is, tables, source.later, simulation, runs);
    if (no_future.empty())
      no_future = find_futures(changed, tables, source.later, simulation, runs);
    const Json json = what_if_json(as_is.answer, changed.answer);
    switch (const OutputFormat format = output_.chosen()) {
      case OutputFormat::json:
        *context.out << document_text(json);
        break;
      case OutputFormat::table:
        *context.out << what_if_text(json, no_future);
        break;
      case OutputFormat::wide:
      case OutputFormat::csv:
        *context.out << sheet_as(format, what_if_sheet(json), context.out_style);
        break;
    }
    return ExitStatus::done;
  }

 private:
  [[nodiscard]] SimulationOptions simulation_options() const {
    SimulationOptions result;
    result.resize_cost = resize_cost_of(moment_);
    result.estimate_error =
        read_number("--estimate-error", estimate_error_, 0, largest_estimate_error);
    result.seed = read_seed(seed_);
    return result;
  }

  [[nodiscard]] static Case make_case(const PolicyTables& tables,
                                      const PolicyChanged& policy,
                                      const ClusterState& state) {
    return {.policy = policy,
            .scheduler = Scheduler(choose_allocator(tables, policy.allocator),
                                   choose_placer(tables, policy.placer),
                                   state)};
  }

  static void answer(Case& one, TimePoint now) {
    const Decision& decision = one.scheduler.decide(now);
    one.answer = {.policy = one.policy, .state = &one.scheduler.state(), .decision = &decision};
  }

  /// Simulates the futures; returns why there are none.
  [[nodiscard]] static std::string find_futures(Case& one,
                                                const PolicyTables& tables,
                                                const Trace& later,
                                                SimulationOptions simulation,
                                                std::int64_t runs) {
    simulation.allocator = choose_allocator(tables, one.policy.allocator);
    simulation.placer = choose_placer(tables, one.policy.placer);
    simulation.start = one.scheduler.state().image();
    simulation.start->now = one.answer.decision->at;
    for (PoolImage& pool : simulation.start->pools) {
      pool.is_due = true;  // the next decision is made now
      for (const JobImage& job : pool.jobs) {
        if (!job.job.work)
          return fmt::format("the work of job '{}' is unknown", job.job.id.value);
      }
    }
    for (const Job& job : later.jobs) {
      if (!job.work)
        return fmt::format("the work of job '{}' is unknown", job.id.value);
    }
    one.answer.futures = simulate_futures(later, simulation, runs);
    return {};
  }

  MomentOptions moment_{};
  std::string with_policy_{};
  std::string with_placer_{};
  WhatIfChanges changes_{};
  std::string estimate_error_ = "0";
  std::string futures_ = "100";
  std::string seed_ = "0";
  OutputChoice output_{.format = "table"};
};

}  // namespace

std::unique_ptr<Command> make_whatif_command() {
  return std::make_unique<WhatIfCommand>();
}

}  // namespace voda::command_line
