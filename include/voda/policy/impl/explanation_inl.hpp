#pragma once

#include "voda/policy/explanation.hpp"

#include <array>
#include <cstddef>

namespace voda {
namespace explanation_detail {

[[nodiscard]] constexpr ReasonInfo info(ReasonCode code,
                                        std::string_view name,
                                        std::string_view sentence) {
  return {.code = code, .name = name, .sentence = sentence};
}

inline constexpr std::array reason_table{
    info(ReasonCode::started,
         "started",
         "got {gpus} {gpus|GPU|GPUs} when {free} {free|was|were} free at its turn"),
    info(ReasonCode::kept_running,
         "kept_running",
         "runs, and jobs that run are served before those that wait"),
    info(ReasonCode::grew, "grew", "grew from {from} to {to} GPUs, {gain} faster per GPU"),
    info(ReasonCode::chosen,
         "chosen",
         "got {gpus} {gpus|GPU|GPUs}, its fastest size within the {free} that {free|was|were} free "
         "at its turn"),
    info(ReasonCode::rigid, "rigid", "gets {gpus} {gpus|GPU|GPUs} or none under this policy"),
    info(ReasonCode::at_maximum, "at_maximum", "has its maximum of {maximum} {maximum|GPU|GPUs}"),
    info(ReasonCode::no_larger_size,
         "no_larger_size",
         "has {gpus} {gpus|GPU|GPUs}, the largest size it allows up to its maximum of {maximum}"),
    info(ReasonCode::no_gain,
         "no_gain",
         "would be no faster with {to} {to|GPU|GPUs} than with {from}"),
    info(ReasonCode::no_progress,
         "no_progress",
         "would make no progress on {gpus} {gpus|GPU|GPUs} by its speedup curve"),
    info(ReasonCode::no_capacity,
         "no_capacity",
         "needs {needed} more {needed|GPU|GPUs}, {free} {free|was|were} left"),
    info(ReasonCode::exceeds_pool,
         "exceeds_pool",
         "needs {needed} {needed|GPU|GPUs}, more than the {capacity} of the pool"),
    info(ReasonCode::above_cap,
         "above_cap",
         "needs {needed} {needed|GPU|GPUs}, but at most {cap} could be placed"),
    info(ReasonCode::blocked,
         "blocked",
         "waits behind job {job}, which does not fit and lets nobody pass"),
    info(ReasonCode::in_queue,
         "in_queue",
         "is in queue {queue} after {service_s} GPU-seconds of service"),
    info(ReasonCode::promoted,
         "promoted",
         "is promoted to the first queue after waiting for {waited}"),
    info(ReasonCode::not_promoted,
         "not_promoted",
         "is promoted to the first queue at {at} unless it starts before"),
    info(ReasonCode::compaction_started,
         "compaction_started",
         "got {gpus} {gpus|GPU|GPUs}, of which running jobs of lower queues gave {freed}"),
    info(ReasonCode::compaction_off,
         "compaction_off",
         "no running job shrinks for it: {waiting} {waiting|job waits|jobs wait}, and more than "
         "{above} must"),
    info(ReasonCode::compaction_short,
         "compaction_short",
         "needs {needed} more {needed|GPU|GPUs}, and running jobs of lower queues can give "
         "{freeable}"),
    info(ReasonCode::compaction_shrunk,
         "compaction_shrunk",
         "shrank from {from} to {to} {to|GPU|GPUs} so that waiting jobs start"),
    info(ReasonCode::not_admitted,
         "not_admitted",
         "its minimum of {needed} {needed|GPU|GPUs} does not fit beside the minimums of earlier "
         "jobs, "
         "which leave {free}"),
    info(ReasonCode::costs_total_speed,
         "costs_total_speed",
         "with {to} instead of {from} {from|GPU|GPUs} the total speed of all jobs would be {loss} "
         "lower"),
    info(ReasonCode::saves_gpus,
         "saves_gpus",
         "with {to} instead of {from} {from|GPU|GPUs} the total speed of all jobs would be no "
         "higher"),
    info(ReasonCode::outbid,
         "outbid",
         "job {job} won a step before it could have {needed} more {needed|GPU|GPUs}, leaving "
         "{free}"),
    info(ReasonCode::policy_choice,
         "policy_choice",
         "the policy gave it no more, although {free} {free|GPU is|GPUs are} left"),
    info(ReasonCode::held_small_gain,
         "held_small_gain",
         "keeps {gpus} {gpus|GPU|GPUs} instead of {to}: its speed would change by less than "
         "{min_gain} of it"),
    info(ReasonCode::held_min_run,
         "held_min_run",
         "keeps {gpus} {gpus|GPU|GPUs} instead of {to} until {until}: its size changed a short "
         "while ago"),
    info(ReasonCode::held_budget,
         "held_budget",
         "keeps {gpus} {gpus|GPU|GPUs} instead of {to} until {until}: it was resized often within "
         "the last "
         "hour"),
    info(ReasonCode::not_held,
         "not_held",
         "would keep {gpus} {gpus|GPU|GPUs} instead of {to}, but others need them"),
    info(ReasonCode::capped_by_room,
         "capped_by_room",
         "at most {cap} {cap|GPU|GPUs} could be placed: {free} {free|was|were} free on nodes that "
         "it may use"),
    info(ReasonCode::capped_by_split,
         "capped_by_split",
         "at most {cap} {cap|GPU|GPUs} could be placed: {free} {free|was|were} free, but split "
         "over nodes"),
    info(ReasonCode::got_leftovers,
         "got_leftovers",
         "got {gpus} of the GPUs that stayed free after the others were placed"),
    info(ReasonCode::no_room,
         "no_room",
         "needs room for {needed} {needed|GPU|GPUs}, and {free} {free|is|are} free on nodes that "
         "it may use"),
    info(ReasonCode::split_room,
         "split_room",
         "needs room for {needed} {needed|GPU|GPUs} in workers of {per_worker}: {free} "
         "{free|is|are} free, but only "
         "{placeable} of them together"),
    info(ReasonCode::free_gaps,
         "free_gaps",
         "{free} {free|GPU is|GPUs are} free on {nodes} of the nodes that it may use, at most "
         "{largest} on one"),
    info(ReasonCode::on_one_node, "on_one_node", "all its workers are on {node}"),
    info(ReasonCode::on_fewest_nodes,
         "on_fewest_nodes",
         "is on {nodes} {nodes|node|nodes}, as few as could hold it"),
    info(ReasonCode::on_more_nodes,
         "on_more_nodes",
         "is on {nodes} {nodes|node|nodes}; {fewest} could hold it if they were empty"),
    info(ReasonCode::stays,
         "stays",
         "{workers} of its workers {workers|stays where it runs|stay where they run}"),
    info(ReasonCode::moves, "moves", "{workers} of its workers {workers|moves|move}"),
    info(ReasonCode::must_move,
         "must_move",
         "{workers} of its workers must leave a node that is lost, cordoned, too small or not "
         "eligible"),
    info(ReasonCode::starts, "starts", "{workers} of its workers {workers|starts|start}"),
    info(ReasonCode::gathered, "gathered", "comes from {from} to {to} {to|node|nodes}"),
    info(ReasonCode::made_room, "made_room", "leaves {node}, where job {job} gets more room"),
    info(ReasonCode::packed,
         "packed",
         "is number {place} of {of} in the packing, which takes large workers and large jobs "
         "first and the tightest node that fits"),
    info(ReasonCode::weighs_moves,
         "weighs_moves",
         "workers move where that saves nodes, at most {beta} moves for one"),
    info(ReasonCode::spreads, "spreads", "as few of its workers as possible share a node"),
    info(ReasonCode::own, "own", ""),
};

inline constexpr bool is_in_enum_order = [] {
  for (std::size_t i = 0; i < reason_table.size(); ++i) {
    if (static_cast<std::size_t>(reason_table[i].code) != i)
      return false;
  }
  return true;
}();
static_assert(is_in_enum_order, "info_of() looks a code up by its number");

inline constexpr std::array<std::string_view, 8> change_names{"more_gpus",
                                                              "own_minimum",
                                                              "own_request",
                                                              "own_maximum",
                                                              "holder_gone",
                                                              "later",
                                                              "option",
                                                              "more_nodes"};

}  // namespace explanation_detail

VODA_INLINE std::span<const ReasonInfo> reason_codes() {
  return explanation_detail::reason_table;
}

VODA_INLINE const ReasonInfo& info_of(ReasonCode code) {
  return explanation_detail::reason_table.at(static_cast<std::size_t>(code));
}

VODA_INLINE std::string_view name_of(ChangeKind kind) {
  return explanation_detail::change_names.at(static_cast<std::size_t>(kind));
}

}  // namespace voda
