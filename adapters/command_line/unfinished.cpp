#include "command_line/unfinished.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <ostream>
#include <set>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "command_line/messages.hpp"
#include "voda/model/number_text.hpp"

namespace voda::command_line {
namespace {

/// Why a job did not finish, with the first jobs that share the reason.
struct WhyUnfinished {
  std::string_view text{};
  std::size_t jobs = 0;
  std::vector<std::string> examples{};

  void add(std::string example) {
    constexpr std::size_t most_shown = 3;
    if (++jobs <= most_shown)
      examples.push_back(std::move(example));
  }

  [[nodiscard]] std::string summary() const {
    return fmt::format("{} {} ({}{})",
                       jobs,
                       text,
                       fmt::join(examples, ", "),
                       jobs > examples.size() ? ", ..." : "");
  }
};

/// The most GPUs that there may be of each type at one instant.
std::map<std::string, std::int64_t> most_gpus_by_type(const SimulationOptions& options) {
  std::map<NodeId, GpuCount> largest;
  std::set<NodeId> uncordoned;
  for (const NodeEvent& event : options.node_events) {
    if (event.kind == NodeEvent::Kind::resize)
      largest[event.node] = std::max(largest[event.node], event.gpus);
    if (event.kind == NodeEvent::Kind::uncordon)
      uncordoned.insert(event.node);
  }
  std::map<std::string, std::int64_t> result;
  for (const Node& node : options.nodes) {
    const bool is_ever_schedulable = node.schedulable || uncordoned.contains(node.id);
    result[node.gpu_type] += is_ever_schedulable ? std::max(node.gpus, largest[node.id]) : 0;
  }
  return result;
}

/// Sorts unfinished jobs by reason.
class Diagnosis {
 public:
  explicit Diagnosis(const PreparedRun& run) : most_gpus_(most_gpus_by_type(run.options)) {
    for (const Job& job : run.trace.jobs)
      specs_.emplace(job.id, &job.spec);
  }

  void add(const JobOutcome& outcome) {
    const std::string name = shown(outcome.id.value);
    const JobSpec& spec = *specs_.at(outcome.id);
    const auto pool = pool_of(spec);
    if (pool == most_gpus_.end()) {
      foreign_.add(fmt::format("'{}': {}", name, shown(spec.gpu_type)));
    } else if (spec.min_gpus > pool->second) {
      too_large_.add(
          fmt::format("'{}' needs {} of {}", name, counted(spec.min_gpus, "GPU"), pool->second));
    } else if (!outcome.first_started) {
      never_started_.add(fmt::format("'{}'", name));
    } else {
      cut_off_.add(fmt::format("'{}'", name));
    }
  }

  [[nodiscard]] std::string summary() const {
    std::vector<std::string> parts;
    for (const WhyUnfinished* reason :
         std::array{&foreign_, &too_large_, &never_started_, &cut_off_}) {
      if (reason->jobs > 0)
        parts.push_back(reason->summary());
    }
    return fmt::format("{}", fmt::join(parts, "; "));
  }

 private:
  using Pools = std::map<std::string, std::int64_t>;

  [[nodiscard]] Pools::const_iterator pool_of(const JobSpec& spec) const {
    const bool is_in_the_only_pool = spec.gpu_type.empty() && most_gpus_.size() == 1;
    return is_in_the_only_pool ? most_gpus_.begin() : most_gpus_.find(spec.gpu_type);
  }

  Pools most_gpus_{};
  std::map<JobId, const JobSpec*> specs_{};
  WhyUnfinished foreign_{.text = "of a gpu_type that no node has"};
  WhyUnfinished too_large_{.text = "too large for the cluster"};
  WhyUnfinished never_started_{.text = "never started before the end"};
  WhyUnfinished cut_off_{.text = "started and not done at the end"};
};

/// Why the run came to an end before its jobs did; empty when nothing was left to happen.
std::string reason_of_end(const PreparedRun& run, SimulationEnd end) {
  if (end == SimulationEnd::time_limit)
    return fmt::format("ended at --max-time {}; ", to_seconds(*run.options.max_time));
  if (end != SimulationEnd::no_progress)
    return "";
  return fmt::format(
      "given up: {} instants passed in which no job arrived, ended or got nearer to its end for "
      "good; ",
      run.options.patience);
}

}  // namespace

void warn_of_unfinished(const PreparedRun& run,
                        const SimulationResult& result,
                        const std::string& policy,
                        const Context& context) {
  if (result.end == SimulationEnd::stopped || result.summary.unfinished == 0)
    return;
  Diagnosis diagnosis(run);
  for (const JobOutcome& outcome : result.outcomes) {
    if (outcome.status == JobStatus::unfinished)
      diagnosis.add(outcome);
  }
  warn(context,
       fmt::format("{}: {}{} of {} never finished and {} left out of the means: {}",
                   policy,
                   reason_of_end(run, result.end),
                   result.summary.unfinished,
                   counted(result.summary.jobs, "job"),
                   result.summary.unfinished == 1 ? "is" : "are",
                   diagnosis.summary()));
}

}  // namespace voda::command_line
