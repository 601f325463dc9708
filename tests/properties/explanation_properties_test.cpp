#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/allocation_builders.hpp"
#include "support/case_text.hpp"
#include "support/policies.hpp"
#include "support/random_problems.hpp"
#include "voda/policy/explain.hpp"
#include "voda/policy/explanation_text.hpp"
#include "voda/policy/reasons.hpp"

// What holds for the explanations of every policy: they are complete and true, and each change does what it says.

namespace explanation_properties_test {

using voda::AllocationDecision;
using voda::AllocationProblem;
using voda::Change;
using voda::ChangeKind;
using voda::Explanation;
using voda::Fact;
using voda::GpuCount;
using voda::JobIndex;
using voda::Reason;
using voda::ReasonCode;
using voda::test::AllocationCase;
using voda::test::AskingJob;
using voda::test::policy;
using voda::test::problem_of;
using voda::test::RandomProblems;

constexpr voda::ExplainBounds few{
    .more_gpus = 10, .own_sizes = 6, .holders = 6, .reviews = 3, .option_values = 6};

std::vector<std::string> every_policy() {
  std::vector<std::string> result = voda::test::policy_names();
  for (const char* spec : {"fifo:blocked=wait,preempt=true",
                           "fifo:blocked=wait",
                           "elastic_fifo:grow=greedy",
                           "elastic_fifo:grow=in_order",
                           "elastic_srjf:grow=in_order,rank=time",
                           "srjf:size=minimum",
                           "tiresias:thresholds=1000/5000,knob=0.5",
                           "elastic_tiresias:compact_above=0,thresholds=1000"})
    result.emplace_back(spec);
  return result;
}

/// A problem, its answer and the explanation of one of its jobs.
struct Scene {
  AllocationCase from{};
  AllocationProblem problem{};
  AllocationDecision decision{};
  JobIndex job{};
  Explanation explanation{};
};

class EveryExplanation : public testing::TestWithParam<std::string> {
 protected:
  /// Checks `holds(scene)` for random problems and jobs.
  template <class Holds>
  void for_all(Holds holds) {
    const auto registry = voda::builtin_allocators();
    const auto spec = voda::parse_policy_spec(GetParam());
    const voda::NamedPolicy named{.entry = &registry.find(spec.name), .options = spec.options};
    const auto allocator = policy(GetParam());
    const bool is_true = rc::check([&] {
      RandomProblems random(*rc::gen::arbitrary<std::uint64_t>());
      Scene scene{.from = random.draw(12)};
      RC_LOG() << voda::test::case_text(scene.from);
      RC_PRE(!scene.from.jobs.empty());
      scene.problem = problem_of(scene.from);
      scene.decision = allocator->allocate(scene.problem);
      scene.job = (*scene.problem.arrival_order)[static_cast<std::size_t>(
          random.between(0, static_cast<int>(scene.from.jobs.size()) - 1))];
      scene.explanation =
          voda::explain_size(*allocator, scene.problem, scene.decision, scene.job, few, &named);
      RC_LOG() << voda::to_text(scene.explanation, *scene.problem.columns);
      holds(scene);
    });
    EXPECT_TRUE(is_true);
  }
};

INSTANTIATE_TEST_SUITE_P(
    Policies, EveryExplanation, testing::ValuesIn(every_policy()), [](const auto& tested) {
      std::string name = tested.param;
      std::erase_if(name, [](char c) { return c == '.'; });
      std::ranges::replace_if(
          name, [](char c) { return std::string(":=,/-").find(c) != std::string::npos; }, '_');
      return name;
    });

std::int64_t number(const Reason& reason, const std::string& name) {
  const auto found = std::ranges::find(reason.facts, name, &Fact::name);
  return found == reason.facts.end() ? -1 : std::get<std::int64_t>(found->value);
}

/// GPUs that are missing by the last reason; 0 when it speaks of something else.
std::int64_t lacking(const Scene& scene) {
  const Reason& reason = scene.explanation.reasons.back();
  const bool lacks = reason.code == ReasonCode::no_capacity ||
                     reason.code == ReasonCode::not_admitted || reason.code == ReasonCode::outbid;
  return lacks ? number(reason, "needed") - number(reason, "free") : 0;
}

/// The names of facts in braces, in order; words that follow a number ({to|GPU|GPUs}) are none.
std::vector<std::string> names_in(std::string_view sentence) {
  std::vector<std::string> result;
  for (std::size_t open = sentence.find('{'); open != std::string_view::npos;
       open = sentence.find('{', open + 1)) {
    const std::string_view braces = sentence.substr(open + 1, sentence.find('}', open) - open - 1);
    if (braces.find('|') == std::string_view::npos)
      result.emplace_back(braces);
  }
  return result;
}

TEST_P(EveryExplanation, SaysWhatItsSentencesNeedAndNothingElse) {
  for_all([](const Scene& scene) {
    RC_ASSERT(!scene.explanation.reasons.empty());
    for (const Reason& reason : scene.explanation.reasons) {
      std::vector<std::string> names;
      for (const Fact& fact : reason.facts)
        names.push_back(fact.name);
      auto wanted = names_in(voda::info_of(reason.code).sentence);
      std::ranges::sort(wanted);
      std::ranges::sort(names);
      RC_ASSERT(names == wanted);
    }
  });
}

/// The size that the reasons lead to, step by step; -1 where a step does not begin where the last one ended.
GpuCount size_told(const Explanation& explanation) {
  std::int64_t size = 0;
  for (const Reason& reason : explanation.reasons) {
    const bool moves =
        reason.code == ReasonCode::grew || reason.code == ReasonCode::compaction_shrunk;
    const bool starts = reason.code == ReasonCode::started || reason.code == ReasonCode::chosen ||
                        reason.code == ReasonCode::compaction_started;
    if ((moves && number(reason, "from") != size) || (starts && size != 0))
      return -1;
    if (moves)
      size = number(reason, "to");
    if (starts)
      size = number(reason, "gpus");
  }
  return static_cast<GpuCount>(size);
}

TEST_P(EveryExplanation, TellsHowTheJobCameToItsSize) {
  for_all([](const Scene& scene) {
    RC_ASSERT(scene.explanation.gpus == scene.decision.gpus[scene.job]);
    RC_ASSERT(size_told(scene.explanation) == scene.decision.gpus[scene.job]);
  });
}

/// Whether the last reason is a true bound of the job's size.
bool is_true_bound(const Scene& scene) {
  const auto& columns = *scene.problem.columns;
  const Reason& reason = scene.explanation.reasons.back();
  const GpuCount gpus = scene.decision.gpus[scene.job];
  const auto& sizes = columns.sizes[scene.job];
  const auto& speed = columns.speedup[scene.job];
  const auto speed_at = [&](const std::string& name) {
    return speed(static_cast<GpuCount>(number(reason, name)));
  };
  switch (reason.code) {
    case ReasonCode::at_maximum:
      return gpus == sizes.max;
    case ReasonCode::no_larger_size:
      return gpus < sizes.max && voda::next_size(sizes, gpus) == 0;
    case ReasonCode::no_gain:
      return number(reason, "from") == gpus && !(speed_at("to") > speed(gpus));
    case ReasonCode::no_progress:
      return gpus == 0 && !(speed_at("gpus") > 0);
    case ReasonCode::no_capacity:
    case ReasonCode::not_admitted:
    case ReasonCode::outbid:
      return number(reason, "needed") > number(reason, "free") &&
             number(reason, "free") >= voda::left_over(scene.problem, scene.decision) &&
             voda::is_allowed(sizes, gpus + static_cast<GpuCount>(number(reason, "needed")));
    case ReasonCode::exceeds_pool:
      return number(reason, "needed") > scene.problem.capacity;
    case ReasonCode::rigid:
      return number(reason, "gpus") == gpus && gpus > 0;
    case ReasonCode::blocked:
      return gpus == 0 && scene.decision.gpus[std::get<JobIndex>(reason.facts[0].value)] == 0;
    case ReasonCode::compaction_shrunk:
      return number(reason, "to") == gpus && gpus < columns.requested[scene.job];
    case ReasonCode::costs_total_speed:
      return std::get<double>(reason.facts[2].value) > 0 && speed_at("to") > speed(gpus);
    case ReasonCode::saves_gpus:
      return speed_at("to") > speed(gpus);
    default:
      return false;  // no bound, or the shrug policy_choice
  }
}

TEST_P(EveryExplanation, EndsWithATrueBound) {
  for_all([](const Scene& scene) { RC_ASSERT(is_true_bound(scene)); });
}

TEST_P(EveryExplanation, NamesTheFewestHoldersOfWhatIsMissing) {
  for_all([](const Scene& scene) {
    const auto& holders = scene.explanation.holders;
    std::int64_t held = 0;
    for (const auto& holder : holders) {
      RC_ASSERT(holder.job != scene.job);
      RC_ASSERT(holder.gpus == scene.decision.gpus[holder.job]);
      held += holder.gpus;
    }
    for (const JobIndex other : *scene.problem.arrival_order) {
      const bool is_named = std::ranges::find(holders, other, &voda::Holder::job) != holders.end();
      if (other != scene.job && !is_named && !holders.empty())
        RC_ASSERT(scene.decision.gpus[other] <= holders.back().gpus);
    }
    RC_ASSERT((lacking(scene) > 0) == !holders.empty());
    RC_ASSERT(held >= lacking(scene));
    if (!holders.empty())
      RC_ASSERT(held - holders.back().gpus < lacking(scene));
  });
}

TEST_P(EveryExplanation, RanksAreAPermutation) {
  const auto allocator = policy(GetParam());
  for_all([&](const Scene& scene) {
    std::set<std::size_t> places;
    for (const JobIndex job : *scene.problem.arrival_order) {
      const auto rank = allocator->explain(scene.problem, scene.decision, job).rank;
      if (!rank)
        continue;
      RC_ASSERT(rank->of == scene.from.jobs.size());
      RC_ASSERT((rank->place >= 1 && rank->place <= rank->of));
      places.insert(rank->place);
    }
    RC_ASSERT((places.empty() || places.size() == scene.from.jobs.size()));
  });
}

/// The job as it was written.
AskingJob& asking(AllocationCase& from, const Scene& scene) {
  const std::string& id = scene.problem.columns->id[scene.job].value;
  return *std::ranges::find(from.jobs, id, &AskingJob::id);
}

GpuCount gpus_of_job(const std::string& spec, const AllocationCase& from, const Scene& scene) {
  return voda::test::gpus_given(spec, from).at(scene.problem.columns->id[scene.job].value);
}

const Change& change_of(const Scene& scene, ChangeKind kind) {
  return *std::ranges::find(scene.explanation.changes, kind, &Change::kind);
}

// Written down anew instead of edited in columns, so that both ways are compared.
TEST_P(EveryExplanation, MoreGpusAreTheFewestThatHelp) {
  for_all([&](const Scene& scene) {
    const Change& change = change_of(scene, ChangeKind::more_gpus);
    const GpuCount before = scene.decision.gpus[scene.job];
    const GpuCount more = change.gpus
                              ? static_cast<GpuCount>(std::get<std::int64_t>(change.facts[0].value))
                              : few.more_gpus + 1;
    for (GpuCount k = 1; k <= std::min(more, few.more_gpus); ++k) {
      AllocationCase from = scene.from;
      from.gpus += k;
      const GpuCount gpus = gpus_of_job(GetParam(), from, scene);
      RC_ASSERT((gpus > before) == (k == more));
      if (k == more)
        RC_ASSERT(gpus == *change.gpus);
    }
  });
}

TEST_P(EveryExplanation, ItsOwnSizesWouldHelpAsSaid) {
  for_all([&](const Scene& scene) {
    for (const ChangeKind kind :
         {ChangeKind::own_minimum, ChangeKind::own_request, ChangeKind::own_maximum}) {
      const Change& change = change_of(scene, kind);
      if (!change.gpus)
        continue;
      const auto value = static_cast<GpuCount>(std::get<std::int64_t>(change.facts[0].value));
      AllocationCase from = scene.from;
      AskingJob& job = asking(from, scene);
      const auto& columns = *scene.problem.columns;
      job.min = columns.sizes[scene.job].min;
      job.requested = columns.requested[scene.job];
      (kind == ChangeKind::own_minimum   ? job.min
       : kind == ChangeKind::own_request ? job.requested
                                         : job.max) = value;
      const GpuCount gpus = gpus_of_job(GetParam(), from, scene);
      RC_ASSERT(gpus == *change.gpus);
      RC_ASSERT(gpus > scene.decision.gpus[scene.job]);
    }
  });
}

TEST_P(EveryExplanation, OneHolderGoneWouldHelpAsSaid) {
  for_all([&](const Scene& scene) {
    const Change& change = change_of(scene, ChangeKind::holder_gone);
    const GpuCount before = scene.decision.gpus[scene.job];
    std::vector<GpuCount> helpful;  // GPUs of the holders without which the job would get more
    std::size_t holders = 0;
    for (const JobIndex other : *scene.problem.arrival_order) {
      if (other == scene.job || scene.decision.gpus[other] == 0)
        continue;
      ++holders;
      AllocationCase from = scene.from;
      std::erase_if(from.jobs, [&](const AskingJob& job) {
        return job.id == scene.problem.columns->id[other].value;
      });
      const GpuCount gpus = gpus_of_job(GetParam(), from, scene);
      if (gpus > before)
        helpful.push_back(scene.decision.gpus[other]);
      if (change.gpus && change.facts[0].value == voda::FactValue(other))
        RC_ASSERT((gpus == *change.gpus && gpus > before));
    }
    if (!change.gpus) {
      RC_ASSERT((helpful.empty() || holders > few.holders));
      return;
    }
    const GpuCount found = scene.decision.gpus[std::get<JobIndex>(change.facts[0].value)];
    for (const GpuCount gpus : helpful)
      RC_ASSERT((found >= lacking(scene) ? gpus >= found || gpus < lacking(scene) : gpus <= found));
  });
}

TEST_P(EveryExplanation, OptionsWouldHelpAsSaid) {
  const auto registry = voda::builtin_allocators();
  const auto spec = voda::parse_policy_spec(GetParam());
  for_all([&](const Scene& scene) {
    for (const Change& change : scene.explanation.changes) {
      if (change.kind != ChangeKind::option || !change.gpus)
        continue;
      voda::Options options = spec.options;
      options.insert_or_assign(std::get<std::string>(change.facts[0].value),
                               voda::OptionValue(std::get<std::string>(change.facts[1].value)));
      const auto decision = registry.make(spec.name, options)->allocate(scene.problem);
      RC_ASSERT(decision.gpus[scene.job] == *change.gpus);
      RC_ASSERT(*change.gpus > scene.decision.gpus[scene.job]);
    }
  });
}

TEST(ReasonCodes, HaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (const auto& info : voda::reason_codes()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_EQ(voda::info_of(info.code).name, info.name);
    EXPECT_EQ(info.sentence.empty(), info.code == ReasonCode::own) << info.name;
  }
}

}  // namespace explanation_properties_test
