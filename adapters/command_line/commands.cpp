#include <array>

#include "command_line/allocate_command.hpp"
#include "command_line/assign_command.hpp"
#include "command_line/command.hpp"
#include "command_line/compare_command.hpp"
#include "command_line/completion_command.hpp"
#include "command_line/decide_command.hpp"
#include "command_line/estimate_command.hpp"
#include "command_line/explain_command.hpp"
#include "command_line/fit_command.hpp"
#include "command_line/generate_command.hpp"
#include "command_line/manual_command.hpp"
#include "command_line/place_command.hpp"
#include "command_line/policies_command.hpp"
#include "command_line/replay_command.hpp"
#include "command_line/simulate_command.hpp"
#include "command_line/waits_command.hpp"
#include "command_line/whatif_command.hpp"

namespace voda::command_line {

std::span<const CommandEntry> commands() {
  static constexpr auto all = std::to_array<CommandEntry>({
      {.name = "simulate",
       .summary = "replay a job trace under one policy",
       .make = make_simulate_command},
      {.name = "compare",
       .summary = "replay a job trace under several policies and print a table",
       .make = make_compare_command},
      {.name = "replay",
       .summary = "decide again what a record holds, by its own policy or another",
       .make = make_replay_command},
      {.name = "generate", .summary = "make a workload from a seed", .make = make_generate_command},
      {.name = "fit",
       .summary = "fit a workload profile to job traces, and say how well it fits",
       .make = make_fit_command},
      {.name = "allocate",
       .summary = "decide how many GPUs each job of a snapshot gets",
       .make = make_allocate_command},
      {.name = "place",
       .summary = "decide which nodes hold the workers of each job",
       .make = make_place_command},
      {.name = "decide",
       .summary = "both, and the plan that leads there",
       .make = make_decide_command},
      {.name = "explain",
       .summary = "say why a job gets what it gets, and what would change it",
       .make = make_explain_command},
      {.name = "whatif",
       .summary = "what other nodes, jobs or policies would change, now and later",
       .make = make_whatif_command},
      {.name = "estimate",
       .summary = "when jobs of a snapshot or a record will start and end",
       .make = make_estimate_command},
      {.name = "waits",
       .summary = "how well starts and ends of jobs can be foretold",
       .make = make_waits_command},
      {.name = "assign",
       .summary = "solve an assignment problem, with its certificate",
       .make = make_assign_command},
      {.name = "policies",
       .summary = "list the policies and placers with their options",
       .make = make_policies_command},
      {.name = "completion",
       .summary = "print the script with which a shell completes commands",
       .make = make_completion_command},
      {.name = "manual", .summary = "print the manual page", .make = make_manual_command},
  });
  return all;
}

}  // namespace voda::command_line
