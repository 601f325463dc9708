#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "voda/config.hpp"
#include "voda/model/ids.hpp"
#include "voda/model/units.hpp"

namespace voda {

/// A number, an instant, a job or a word that a reason speaks of; instants and durations in scheduler time.
using FactValue = std::variant<std::int64_t, double, TimePoint, Duration, JobIndex, std::string>;

/// A named value: `needed` = 4.
struct Fact {
  Fact(std::string fact, FactValue is) : name(std::move(fact)), value(std::move(is)) {}

  std::string name{};
  FactValue value{};
  bool operator==(const Fact&) const = default;
};

/// What a reason says; reason_codes() lists names, facts and sentences. A closed set: a policy of your own that needs another
/// says `own` and brings its sentence.
enum class ReasonCode : std::uint8_t {
  started,
  kept_running,
  grew,
  chosen,
  rigid,
  at_maximum,
  no_larger_size,
  no_gain,
  no_progress,
  no_capacity,
  exceeds_pool,
  above_cap,
  blocked,
  in_queue,
  promoted,
  not_promoted,
  compaction_started,
  compaction_off,
  compaction_short,
  compaction_shrunk,
  not_admitted,
  costs_total_speed,
  saves_gpus,
  outbid,
  policy_choice,
  held_small_gain,
  held_min_run,
  held_budget,
  not_held,
  capped_by_room,
  capped_by_split,
  got_leftovers,
  no_room,
  split_room,
  free_gaps,
  on_one_node,
  on_fewest_nodes,
  on_more_nodes,
  stays,
  moves,
  must_move,
  starts,
  gathered,
  made_room,
  packed,
  weighs_moves,
  spreads,
  own
};

/// One entry of the closed set.
struct ReasonInfo {
  ReasonCode code{};
  std::string_view name{};  // as machines read it
  // With {fact} where a fact goes, in this order, and {fact|one|many} where a word follows its number: "{to} {to|GPU|GPUs}".
  std::string_view sentence{};
};

/// All codes in the order of the enum.
[[nodiscard]] std::span<const ReasonInfo> reason_codes();

[[nodiscard]] const ReasonInfo& info_of(ReasonCode code);

/// One step of the reasoning that led to a size.
struct Reason {
  ReasonCode code{};
  std::vector<Fact> facts{};  // those that the sentence of the code names, in its order
  std::string sentence{};     // of code `own`, with {fact} where a fact goes; empty for all others
  bool operator==(const Reason&) const = default;
};

/// Where a job stands in the order in which a policy serves.
struct Rank {
  std::size_t place = 0;  // 1 for the first
  std::size_t of = 0;     // how many jobs there are
  bool operator==(const Rank&) const = default;
};

/// What would have to change; the kinds that are tried.
enum class ChangeKind : std::uint8_t {
  more_gpus,    // the pool has more GPUs
  own_minimum,  // the job asks for another minimum, request or maximum
  own_request,
  own_maximum,
  holder_gone,  // another job that holds GPUs is not there
  later,        // the policy decides again at an instant that it named itself
  option,       // one option of the policy has another value
  more_nodes    // of places: the pool has more empty nodes, as large as its largest
};

/// As machines read it: "more_gpus".
[[nodiscard]] std::string_view name_of(ChangeKind kind);

/// The smallest change of its kind that helps a job, found by deciding again.
struct Change {
  ChangeKind kind{};
  std::vector<Fact> facts{};           // what changes, and to what; empty when none was found
  std::optional<GpuCount> gpus{};      // what it would hold; none: nothing within the bounds helps
  std::optional<std::size_t> nodes{};  // of places: on how many nodes
  bool operator==(const Change&) const = default;
};

/// A job that holds GPUs which another one lacks.
struct Holder {
  JobIndex job{};
  GpuCount gpus = 0;
  bool operator==(const Holder&) const = default;
};

/// Why a job got what it got.
struct Explanation {
  JobIndex job{};
  GpuCount gpus = 0;
  std::optional<Rank> rank{};     // absent where the policy has no order
  std::vector<Fact> keys{};       // what the order looks at, the most important first
  std::vector<Reason> reasons{};  // from the first step to the bound that stopped it, never empty
  std::vector<Holder>
      holders{};  // the fewest jobs that hold what it lacks, the largest first; empty when it lacks nothing
  std::vector<Change> changes{};  // one of each kind that was tried
};

/// Why the workers of a job are where they are, or why there was no place for them.
struct PlaceExplanation {
  JobIndex job{};
  std::vector<Reason> reasons{};  // the placer's rule first, never empty
  std::vector<Change> changes{};  // one of each kind that was tried
};

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/policy/impl/explanation_inl.hpp"
#endif
