#include <array>

#include "command_line/allocate_command.hpp"
#include "command_line/assign_command.hpp"
#include "command_line/command.hpp"
#include "command_line/compare_command.hpp"
#include "command_line/decide_command.hpp"
#include "command_line/explain_command.hpp"
#include "command_line/generate_command.hpp"
#include "command_line/place_command.hpp"
#include "command_line/policies_command.hpp"
#include "command_line/simulate_command.hpp"

namespace voda::command_line {

std::span<const CommandEntry> commands() {
  static constexpr std::array<CommandEntry, 9> all{{
      {.name = "simulate",
       .summary = "replay a job trace under one policy",
       .make = make_simulate_command},
      {.name = "compare",
       .summary = "replay a job trace under several policies and print a table",
       .make = make_compare_command},
      {.name = "generate", .summary = "make a workload from a seed", .make = make_generate_command},
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
      {.name = "assign",
       .summary = "solve an assignment problem, with its certificate",
       .make = make_assign_command},
      {.name = "policies",
       .summary = "list the policies and placers with their options",
       .make = make_policies_command},
  }};
  return all;
}

}  // namespace voda::command_line
