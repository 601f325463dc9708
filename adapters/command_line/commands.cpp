#include <array>

#include "command_line/allocate_command.hpp"
#include "command_line/assign_command.hpp"
#include "command_line/command.hpp"
#include "command_line/compare_command.hpp"
#include "command_line/decide_command.hpp"
#include "command_line/generate_command.hpp"
#include "command_line/place_command.hpp"
#include "command_line/policies_command.hpp"
#include "command_line/simulate_command.hpp"

namespace voda::command_line {

std::span<const CommandEntry> commands() {
  static constexpr std::array<CommandEntry, 8> all{{
      {"simulate", "replay a job trace under one policy", make_simulate_command},
      {"compare",
       "replay a job trace under several policies and print a table",
       make_compare_command},
      {"generate", "make a workload from a seed", make_generate_command},
      {"allocate", "decide how many GPUs each job of a snapshot gets", make_allocate_command},
      {"place", "decide which nodes hold the workers of each job", make_place_command},
      {"decide", "both, and the plan that leads there", make_decide_command},
      {"assign", "solve an assignment problem, with its certificate", make_assign_command},
      {"policies", "list the policies and placers with their options", make_policies_command},
  }};
  return all;
}

}  // namespace voda::command_line
