#include "command_line/estimate_source.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <istream>
#include <sstream>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "command_line/dead_ends.hpp"
#include "command_line/input_file.hpp"
#include "command_line/policy_choice.hpp"
#include "command_line/progress.hpp"
#include "command_line/record_entries.hpp"
#include "command_line/record_warning.hpp"
#include "command_line/snapshot_state.hpp"
#include "command_line/status.hpp"
#include "voda/io/snapshot.hpp"
#include "voda/scheduler/cluster_state.hpp"

namespace voda::command_line {
namespace {

WaitForecaster forecaster_of(const EstimateOptions& options,
                             const PolicyChanged& policy,
                             const Context& context) {
  const PolicyTables& tables = context.environment->policies;
  return WaitForecaster({.simulation = {.allocator = choose_allocator(tables, policy.allocator),
                                        .placer = choose_placer(tables, policy.placer),
                                        .resize_cost = options.resize_cost,
                                        .seed = options.seed},
                         .futures = options.futures,
                         .memory = options.memory});
}

/// The instant of an entry.
TimePoint instant_of(const RecordEntry& entry) {
  if (const auto* const event = std::get_if<Event>(&entry))
    return event->at;
  return std::get<ClusterImage>(entry).now;
}

/// What has to be known of a record before it is learned from.
struct Overview {
  std::int64_t submissions = 0;
  PolicyChanged policy{};  // the last
  bool has_nodes = false;

  void take(const RecordEntry& entry) {
    const PolicyChanged* chosen = nullptr;
    if (const auto* const image = std::get_if<ClusterImage>(&entry)) {
      chosen = &image->policy;
      has_nodes = has_nodes || command_line::has_nodes(*image);
    } else {
      const EventBody& body = std::get<Event>(entry).body;
      submissions += std::holds_alternative<JobSubmitted>(body) ? 1 : 0;
      has_nodes = has_nodes || std::holds_alternative<NodeJoined>(body);
      chosen = std::get_if<PolicyChanged>(&body);
    }
    if (chosen != nullptr && !chosen->allocator.empty())
      policy.allocator = chosen->allocator;
    if (chosen != nullptr && !chosen->placer.empty())
      policy.placer = chosen->placer;
  }
};

/// Follows a record; forecasts every k-th job once all that happened at its submission is known.
class Learner {
 public:
  /// `policy` decides in the forecasts, of `submissions` there are about `learn`.
  Learner(PolicyChanged policy,
          std::int64_t submissions,
          std::int64_t learn,
          WaitForecaster& forecaster)
      : policy_(std::move(policy)), forecaster_(&forecaster) {
    if (learn > 0)
      apart_ = submissions / learn + (submissions % learn == 0 ? 0 : 1);
  }

  void take(const ClusterImage& image) {
    forecaster_->resume(image);
    state_ = ClusterState::from_image(image);
    asked_.clear();
  }

  void take(const Event& event) {
    if (event.at > state_.now())
      ask();
    forecaster_->observe(event, state_);
    state_.apply(event);
    if (const auto* const submission = std::get_if<JobSubmitted>(&event.body)) {
      if (apart_ > 0 && submissions_ % apart_ == 0)
        asked_.push_back(submission->job.id);
      ++submissions_;
    }
  }

  [[nodiscard]] const ClusterState& state() const { return state_; }

  [[nodiscard]] std::int64_t submissions() const { return submissions_; }

 private:
  /// What another policy decided teaches nothing about the one that decides now.
  [[nodiscard]] bool is_own_policy() const {
    const PolicyChanged& recorded = state_.policy();
    return (recorded.allocator.empty() || recorded.allocator == policy_.allocator) &&
           (recorded.placer.empty() || recorded.placer == policy_.placer);
  }

  void ask() {
    std::erase_if(asked_, [this](const JobId& job) { return !state_.find(job); });
    if (!asked_.empty() && is_own_policy()) {
      if (const auto forecasts = forecaster_->forecast(state_.image(), asked_)) {
        for (std::size_t i = 0; i < asked_.size(); ++i)
          forecaster_->follow(asked_[i], (*forecasts)[i], state_.now());
      }
    }
    asked_.clear();
  }

  PolicyChanged policy_{};
  WaitForecaster* forecaster_;
  ClusterState state_{};
  std::vector<JobId> asked_{};
  std::int64_t apart_ = 0;  // 0: no job is asked about
  std::int64_t submissions_ = 0;
};

/// A record that is read twice: a file again, what comes through a pipe from memory.
class RereadRecord {
 public:
  RereadRecord(const std::string& path, InputFile& input, const Context& context)
      : path_(path), context_(&context), name_(input.name()) {
    std::error_code ignored;
    if (path == "-" || !std::filesystem::is_regular_file(path, ignored))
      text_ = input.text();
  }

  std::optional<TornTail> read(const std::function<bool(const RecordEntry&)>& take) const {
    if (text_) {
      std::istringstream in(*text_);
      return for_each_entry(in, name_, take);
    }
    InputFile input(path_, *context_);
    return for_each_entry(input.stream(), name_, take);
  }

  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  std::string path_{};
  const Context* context_;
  std::string name_{};
  std::optional<std::string> text_{};
};

EstimateSource learn(const RereadRecord& record,
                     const EstimateOptions& options,
                     const Context& context) {
  const auto is_later = [&](const RecordEntry& entry) {
    return options.at && instant_of(entry) > *options.at;
  };
  Overview overview;
  const auto cut = record.read([&](const RecordEntry& entry) {
    if (is_later(entry))
      return false;
    overview.take(entry);
    return true;
  });
  warn_of_cut(cut, record.name(), context);
  const PolicyChanged policy =
      deciding_policy(overview.policy, options.policy, options.placer, overview.has_nodes);
  EstimateSource result{.forecaster = forecaster_of(options, policy, context), .has_past = true};
  Learner learner(policy, overview.submissions, options.learn, result.forecaster);
  ProgressBar bar(context);
  (void)record.read([&](const RecordEntry& entry) {
    if (is_later(entry))
      return false;
    std::visit([&learner](const auto& value) { learner.take(value); }, entry);
    bar.show(learner.submissions(), overview.submissions);
    return true;
  });
  result.state = learner.state().image();
  result.state.policy = policy;
  if (options.at)
    result.state.now = std::max(result.state.now, *options.at);
  return result;
}

}  // namespace

EstimateSource read_estimate_source(const std::string& path,
                                    const EstimateOptions& options,
                                    const Context& context) {
  InputFile input(path, context);
  if (input.stream().peek() == 'V')
    return learn(RereadRecord(path, input, context), options, context);
  if (options.at)
    throw UsageError("--at: only a record has more than one moment; expected none for a snapshot");
  const Snapshot snapshot = read_snapshot(input.text(), input.name());
  warn_of_dead_ends(snapshot, input.name(), context);
  ClusterImage state = state_of(snapshot).image();
  state.policy = deciding_policy(state.policy, options.policy, options.placer, has_nodes(state));
  EstimateSource result{.forecaster = forecaster_of(options, state.policy, context)};
  result.forecaster.resume(state);
  result.state = std::move(state);
  return result;
}

}  // namespace voda::command_line
