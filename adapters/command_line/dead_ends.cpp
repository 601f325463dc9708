#include "command_line/dead_ends.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <ranges>
#include <set>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "command_line/messages.hpp"
#include "voda/model/nearest_names.hpp"
#include "voda/model/number_text.hpp"

namespace voda::command_line {
namespace {

/// The first job with some defect and how many have it.
struct Finding {
  std::string first{};
  std::size_t jobs = 0;

  void add(const std::string& example) {
    if (jobs++ == 0)
      first = example;
  }

  [[nodiscard]] std::string text() const {
    return jobs == 1 ? first
                     : fmt::format("{} (and {} like it)",
                                   first,
                                   counted(static_cast<std::int64_t>(jobs) - 1, "more job"));
  }
};

class Inspection {
 public:
  explicit Inspection(const Snapshot& snapshot) : has_nodes_(!snapshot.nodes.empty()) {
    for (const Node& node : snapshot.nodes) {
      type_of_node_.emplace(node.id.value, node.gpu_type);
      types_.insert(node.gpu_type);
    }
  }

  void look_at(std::size_t index, const JobSpec& spec, const JobId& id) {
    const std::string job = fmt::format("jobs[{}] '{}'", index, shown(id.value));
    if (has_nodes_ && !types_.contains(spec.gpu_type)) {
      foreign_[spec.gpu_type].add(fmt::format(
          "{}: gpu_type '{}' is on no node, so it gets no GPUs", job, shown(spec.gpu_type)));
      return;
    }
    if (spec.eligible)
      look_at_eligible(job, spec);
  }

  [[nodiscard]] std::vector<std::string> findings() const {
    std::vector<std::string> result;
    result.reserve(foreign_.size() + 2);
    for (const auto& [type, finding] : foreign_)
      result.push_back(finding.text());
    for (const Finding* finding : {&unknown_, &nowhere_}) {
      if (finding->jobs > 0)
        result.push_back(finding->text());
    }
    return result;
  }

 private:
  void look_at_eligible(const std::string& job, const JobSpec& spec) {
    const auto is_unknown = [this](const NodeId& node) {
      return !type_of_node_.contains(node.value);
    };
    const auto may_hold = [this, &spec](const NodeId& node) {
      const auto found = type_of_node_.find(node.value);
      return found != type_of_node_.end() && found->second == spec.gpu_type;
    };
    const auto unknown = std::ranges::find_if(*spec.eligible, is_unknown);
    if (unknown != spec.eligible->end()) {
      unknown_.add(fmt::format("{}: eligible names '{}', which is no node of the snapshot{}",
                               job,
                               shown(unknown->value),
                               did_you_mean(unknown->value, std::views::keys(type_of_node_))));
    }
    if (has_nodes_ && std::ranges::none_of(*spec.eligible, may_hold)) {
      nowhere_.add(fmt::format(
          "{}: eligible names no node with its gpu_type, so it can be placed nowhere", job));
    }
  }

  bool has_nodes_ = false;
  std::map<std::string, std::string_view, std::less<>> type_of_node_{};
  std::set<std::string, std::less<>> types_{};
  std::map<std::string, Finding> foreign_{};
  Finding unknown_{};
  Finding nowhere_{};
};

}  // namespace

void warn_of_dead_ends(const Snapshot& snapshot,
                       const std::string& source,
                       const Context& context) {
  Inspection inspection(snapshot);
  for (std::size_t i = 0; i < snapshot.jobs.size(); ++i)
    inspection.look_at(i, snapshot.jobs[i].job.spec, snapshot.jobs[i].job.id);
  for (const std::string& finding : inspection.findings())
    warn(context, fmt::format("{}: {}", source, finding));
}

}  // namespace voda::command_line
