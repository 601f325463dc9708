#include "command_line/report/report_data.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "command_line/json_text.hpp"
#include "command_line/report/byte_text.hpp"
#include "command_line/summary.hpp"
#include "voda/config.hpp"

namespace voda::command_line {
namespace {

/// JSON that no HTML parser can mistake for a tag: ASCII only, '<', '>' and '&' escaped.
std::string embedded_text(const Json& value) {
  const std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  std::string result;
  result.reserve(text.size());
  for (const char c : text) {
    if (c == '<' || c == '>' || c == '&') {
      result += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      result.push_back(c);
    }
  }
  return result;
}

/// Distinct texts, numbered in order of appearance; the empty one is 0.
class TextTable {
 public:
  std::size_t number_of(const std::string& text) {
    const auto [entry, is_new] = numbers_.emplace(text, texts_.size());
    if (is_new)
      texts_.push_back(text);
    return entry->second;
  }

  [[nodiscard]] const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::vector<std::string> texts_{""};
  std::map<std::string, std::size_t> numbers_{{"", 0}};
};

/// Columns of numbers, one after the other.
class ColumnBytes {
 public:
  template <class Row, class Value>
  void add(const std::vector<Row>& rows, Value value) {
    for (const Row& row : rows)
      append_number(bytes_, static_cast<std::uint64_t>(value(row)));
  }

  [[nodiscard]] std::string text() const { return base64_text(bytes_); }

 private:
  std::string bytes_{};
};

std::vector<const Job*> shown_jobs(const RecordPlan& plan) {
  std::vector<const Job*> result;
  for (std::size_t job = 0; job < plan.trace().jobs.size(); job += plan.stride())
    result.push_back(&plan.trace().jobs[job]);
  return result;
}

std::string jobs_text(const RecordPlan& plan, TextTable& texts) {
  const std::vector<const Job*> jobs = shown_jobs(plan);
  ColumnBytes columns;
  std::uint64_t last = 0;
  columns.add(jobs, [&](const Job* job) {
    const std::uint64_t now = plan.ticks(job->submitted);
    return now - std::exchange(last, now);
  });
  columns.add(jobs, [](const Job* job) { return job->spec.min_gpus; });
  columns.add(jobs, [](const Job* job) { return job->spec.requested_gpus; });
  columns.add(jobs, [](const Job* job) { return job->spec.max_gpus; });
  columns.add(jobs, [](const Job* job) { return std::floor(job->work->left_s); });
  columns.add(jobs, [&](const Job* job) {
    const auto profile = plan.trace().profiles.find(job->id);
    return texts.number_of(profile == plan.trace().profiles.end() ? "" : profile->second);
  });
  columns.add(jobs, [&](const Job* job) { return texts.number_of(job->spec.gpu_type); });
  columns.add(jobs, [&](const Job* job) { return texts.number_of(job->spec.queue); });
  columns.add(jobs, [&](const Job* job) { return texts.number_of(job->spec.user); });
  columns.add(jobs, [&](const Job* job) { return texts.number_of(job->spec.virtual_cluster); });
  return columns.text();
}

/// The outcomes of the shown jobs, in order of arrival.
std::vector<const JobOutcome*> shown_outcomes(const RecordPlan& plan,
                                              const SimulationResult& result) {
  std::vector<const JobOutcome*> outcomes(plan.shown_jobs());
  for (const JobOutcome& outcome : result.outcomes) {
    if (const auto position = plan.position_of(outcome.id))
      outcomes[*position] = &outcome;
  }
  return outcomes;
}

std::string outcomes_text(const RecordPlan& plan, const SimulationResult& result) {
  using Outcome = const JobOutcome*;
  const std::vector<Outcome> outcomes = shown_outcomes(plan, result);
  const auto gpu_ticks = [&plan](Outcome o) {
    return o->gpu_time.gpu_microseconds / plan.tick().count();
  };
  const auto thousandths = [](Outcome o) {
    return std::llround(std::min(1e12, o->fairness) * 1000);
  };
  ColumnBytes columns;
  columns.add(outcomes, [](Outcome o) { return o->finished ? 2 : o->first_started ? 1 : 0; });
  columns.add(outcomes, [&](Outcome o) {
    return o->first_started ? plan.ticks(*o->first_started) - plan.ticks(o->submitted) : 0;
  });
  columns.add(outcomes, [&](Outcome o) {
    return o->finished ? plan.ticks(*o->finished) - plan.ticks(o->submitted) : 0;
  });
  columns.add(outcomes, [&](Outcome o) { return plan.ticks(o->waited); });
  columns.add(outcomes, [&](Outcome o) { return plan.ticks(o->stalled); });
  columns.add(outcomes, gpu_ticks);
  columns.add(outcomes, [](Outcome o) { return o->resizes; });
  columns.add(outcomes, [](Outcome o) { return o->migrations; });
  columns.add(outcomes, [](Outcome o) { return o->preemptions; });
  columns.add(outcomes, thousandths);
  return columns.text();
}

/// The bins that time went by in; what changed at the very end counts in the last one.
std::vector<Timeline::Bin> passed_bins(const Timeline& timeline, Duration lasted) {
  std::vector<Timeline::Bin> bins = timeline.bins();
  const Duration width = timeline.width();
  const auto passed =
      static_cast<std::size_t>(lasted / width + (lasted % width == Duration{} ? 0 : 1));
  while (bins.size() > std::max<std::size_t>(1, passed)) {
    const Timeline::Bin last = bins.back();
    bins.pop_back();
    bins.back().merge(last);
  }
  return bins;
}

Json timeline_json(const Timeline& timeline, TimePoint start) {
  using Bin = Timeline::Bin;
  const Duration lasted = timeline.end() - start;
  const std::vector<Bin> bins = passed_bins(timeline, lasted);
  std::vector<std::size_t> places(bins.size());
  for (std::size_t i = 0; i < places.size(); ++i)
    places[i] = i;
  ColumnBytes columns;
  const auto add_hundredths = [&](Timeline::WideTime Bin::* integral) {
    columns.add(places, [&](std::size_t i) {
      const std::int64_t width = timeline.width().count();
      const std::int64_t elapsed =
          std::min(width, lasted.count() - static_cast<std::int64_t>(i) * width);
      return elapsed > 0 ? bins[i].*integral * 100 / elapsed : 0;
    });
  };
  add_hundredths(&Bin::capacity_time);
  add_hundredths(&Bin::held_time);
  add_hundredths(&Bin::running_time);
  add_hundredths(&Bin::waiting_time);
  columns.add(bins, [](const Bin& bin) { return bin.most_waiting; });
  for (std::size_t kind = 0; kind < 4; ++kind)
    columns.add(bins, [kind](const Bin& bin) { return bin.changes[kind]; });
  return {{"width_s", to_seconds(timeline.width())},
          {"lasted_s", to_seconds(lasted)},
          {"bins", bins.size()},
          {"columns", columns.text()}};
}

template <class Value>
std::vector<double> values_of(const SimulationResult& result, Value value) {
  std::vector<double> values;
  for (const JobOutcome& outcome : result.outcomes) {
    if (outcome.finished)
      values.push_back(value(outcome));
  }
  return values;
}

Json policy_json(const ReportSource& source, std::size_t i) {
  const SimulationResult& result = source.results[i];
  Json summary = summary_json(result.summary);
  append(summary, "time_per_decision_s", time_per_decision_s(result.summary));
  return {
      {"name", source.policies[i]},
      {"summary", std::move(summary)},
      {"timeline", timeline_json(source.recorders[i]->timeline(), source.plan->start())},
      {"jct", steps_of(values_of(result, [](const auto& o) { return to_seconds(o.jct()); }))},
      {"waited", steps_of(values_of(result, [](const auto& o) { return to_seconds(o.waited); }))},
      {"fairness", steps_of(values_of(result, [](const auto& o) { return o.fairness; }))},
      {"history_stride", source.recorders[i]->histories().stride()}};
}

Json report_json(const ReportSource& source, const TextTable& texts) {
  Json policies = Json::array();
  for (std::size_t i = 0; i < source.policies.size(); ++i)
    policies.push_back(policy_json(source, i));
  return {{"voda", VODA_VERSION},
          {"start_s", to_seconds(source.plan->start())},
          {"tick_s", to_seconds(source.plan->tick())},
          {"jobs", source.plan->trace().jobs.size()},
          {"shown_jobs", source.plan->shown_jobs()},
          {"stride", source.plan->stride()},
          {"gpus", gpus_of(source.nodes)},
          {"nodes", source.plan->nodes()},
          {"texts", texts.texts()},
          {"policies", std::move(policies)}};
}

Json names_json(const RecordPlan& plan) {
  Json names = Json::array();
  for (const Job* job : shown_jobs(plan))
    names.push_back(job->id.value);
  return names;
}

}  // namespace

std::vector<std::pair<std::size_t, double>> steps_of(std::vector<double> values) {
  constexpr std::size_t even_steps = 256;
  std::ranges::sort(values);
  const std::size_t count = values.size();
  if (count == 0)
    return {};
  std::vector<std::size_t> ranks;
  for (std::size_t i = 0; i <= std::min(count, even_steps); ++i)
    ranks.push_back(std::max<std::size_t>(1, i * count / std::min(count, even_steps)));
  for (std::size_t above = 0; above < count; above = 2 * above + 1)
    ranks.push_back(count - above);
  std::ranges::sort(ranks);
  ranks.erase(std::ranges::unique(ranks).begin(), ranks.end());
  std::vector<std::pair<std::size_t, double>> result;
  result.reserve(ranks.size());
  for (const std::size_t rank : ranks)
    result.emplace_back(rank, values[rank - 1]);
  return result;
}

std::vector<DataBlock> data_blocks(const ReportSource& source) {
  TextTable texts;
  const std::string json = "application/json";
  const std::string base64 = "text/plain";
  std::vector<DataBlock> result{{.id = "jobs", .type = base64, .text = ""},
                                {.id = "names", .type = json, .text = ""}};
  result[0].text = jobs_text(*source.plan, texts);
  result[1].text = embedded_text(names_json(*source.plan));
  result.push_back(
      {.id = "report", .type = json, .text = embedded_text(report_json(source, texts))});
  for (std::size_t i = 0; i < source.results.size(); ++i) {
    result.push_back({.id = fmt::format("outcomes-{}", i),
                      .type = base64,
                      .text = outcomes_text(*source.plan, source.results[i])});
    result.push_back({.id = fmt::format("histories-{}", i),
                      .type = base64,
                      .text = base64_text(source.recorders[i]->histories().bytes())});
  }
  return result;
}

}  // namespace voda::command_line
