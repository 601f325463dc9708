#include "command_line/what_if_answer.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "command_line/holding_text.hpp"
#include "command_line/time_text.hpp"
#include "voda/model/number_text.hpp"

namespace voda::command_line {
namespace {

/// What each job holds after the next decision.
std::map<JobId, Holding> holdings(const WhatIfCase& from) {
  std::map<JobId, Holding> result;
  for (const PoolDecision& decided : from.decision->pools) {
    const PoolState& pool = from.state->pools()[decided.pool];
    for (const JobIndex job : pool.arrival_order()) {
      Holding holding{.job = pool.jobs().id[job], .gpus = decided.allocation.gpus[job]};
      if (decided.placement) {
        for (const NodeIndex node : decided.placement->placement[job])
          holding.node_of_worker.push_back(pool.nodes().id[node]);
      }
      result.emplace(holding.job, std::move(holding));
    }
  }
  return result;
}

/// Null for a job that is not there in that case.
Json given(const std::map<JobId, Holding>& holdings, const JobId& job) {
  const auto found = holdings.find(job);
  return found == holdings.end() ? Json(nullptr) : holding_json(found->second);
}

Json decision_json(const WhatIfCase& as_is, const WhatIfCase& changed) {
  const auto before = holdings(as_is);
  const auto after = holdings(changed);
  std::map<JobId, Holding> all = before;
  all.insert(after.begin(), after.end());
  Json result = Json::object();
  for (const auto& [job, holding] : all) {
    Json was = given(before, job);
    Json is = given(after, job);
    if (was != is)
      append(result, job.value, {{"as_is", std::move(was)}, {"changed", std::move(is)}});
  }
  return result;
}

Json spread_json(const FutureValue& spread) {
  if (spread.futures == 0)
    return nullptr;
  return {
      {"p10", spread.p10}, {"p50", spread.p50}, {"p90", spread.p90}, {"futures", spread.futures}};
}

Json figures_json(const Futures& futures) {
  return {{"futures", futures.runs},
          {"mean_jct_s", spread_json(futures.mean_jct_s)},
          {"mean_waited_s", spread_json(futures.mean_waited_s)},
          {"last_end", spread_json(futures.last_end)},
          {"unfinished", spread_json(futures.unfinished)}};
}

std::map<JobId, const JobFuture*> by_job(const Futures& futures) {
  std::map<JobId, const JobFuture*> result;
  for (const JobFuture& job : futures.jobs)
    result.emplace(job.job, &job);
  return result;
}

Json job_json(const std::map<JobId, const JobFuture*>& futures, const JobId& job) {
  const auto found = futures.find(job);
  if (found == futures.end())
    return nullptr;
  return {{"first_started", spread_json(found->second->first_started)},
          {"finished", spread_json(found->second->finished)}};
}

Json future_json(const WhatIfCase& as_is, const WhatIfCase& changed) {
  if (!as_is.futures || !changed.futures)
    return nullptr;
  const auto before = by_job(*as_is.futures);
  const auto after = by_job(*changed.futures);
  auto all = before;
  all.insert(after.begin(), after.end());
  Json jobs = Json::object();
  for (const auto& [job, future] : all)
    append(jobs, job.value, {{"as_is", job_json(before, job)}, {"changed", job_json(after, job)}});
  return {{"as_is", figures_json(*as_is.futures)},
          {"changed", figures_json(*changed.futures)},
          {"jobs", std::move(jobs)}};
}

std::string shown_holding(const Json& holding) {
  return holding.is_null() ? "is not there" : holding_text(holding);
}

/// A quantity in both cases: `1 h 2 min (50 min to 2 h)`.
std::string length_text(const Json& spread) {
  if (spread.is_null())
    return "-";
  const auto value = [&spread](const char* quantile) {
    return duration_text(spread[quantile].get<double>());
  };
  if (spread["p10"] == spread["p90"])
    return value("p50");
  return fmt::format("{} ({} to {})", value("p50"), value("p10"), value("p90"));
}

std::string instant_text(const Json& spread) {
  if (spread.is_null())
    return "never";
  if (spread["p10"] == spread["p90"])
    return fmt::format("{} s", spread["p50"].dump());
  return fmt::format(
      "{} s ({} to {} s)", spread["p50"].dump(), spread["p10"].dump(), spread["p90"].dump());
}

/// The median end of a job; infinite where it has none.
double median_end(const Json& job) {
  if (job.is_null() || job["finished"].is_null())
    return HUGE_VAL;
  return job["finished"]["p50"].get<double>();
}

/// The jobs whose median end differs, the largest difference first.
std::vector<std::string> moved_jobs(const Json& jobs) {
  std::vector<std::pair<double, std::string>> differences;
  for (const auto& [id, job] : jobs.items()) {
    const double before = median_end(job["as_is"]);
    const double after = median_end(job["changed"]);
    if (before != after)
      differences.emplace_back(-std::abs(after - before), id);
  }
  std::ranges::sort(differences);
  std::vector<std::string> result;
  result.reserve(differences.size());
  for (const auto& [difference, id] : differences)
    result.push_back(id);
  return result;
}

std::string end_text(const Json& job) {
  return job.is_null() ? "is not there" : "ends at " + instant_text(job["finished"]);
}

std::string future_text(const Json& future) {
  constexpr std::size_t most_shown = 10;
  const Json& before = future["as_is"];
  const Json& after = future["changed"];
  std::string text = fmt::format("future, median (10 to 90 %) of {}:\n",
                                 counted(after["futures"].get<std::int64_t>(), "run"));
  const auto add = [&](const char* name, const char* field, auto to_text) {
    text += fmt::format("  {:<10} {:>34}   instead of {:>34}\n",
                        name,
                        to_text(after[field]),
                        to_text(before[field]));
  };
  add("mean JCT", "mean_jct_s", length_text);
  add("mean wait", "mean_waited_s", length_text);
  add("last end", "last_end", instant_text);
  const std::vector<std::string> moved = moved_jobs(future["jobs"]);
  for (std::size_t i = 0; i < std::min(most_shown, moved.size()); ++i) {
    const Json& job = future["jobs"][moved[i]];
    text += fmt::format(
        "  job {} {} instead of {}\n",
        shown(moved[i]),
        end_text(job["changed"]),
        job["as_is"].is_null() ? "not being there" : instant_text(job["as_is"]["finished"]));
  }
  if (moved.size() > most_shown)
    text += fmt::format("  and {} more jobs end at another time\n", moved.size() - most_shown);
  return text;
}

/// GPUs where the next decision differs, and the instants of the futures.
void append_case(const Json& answer,
                 const std::string& job,
                 const char* which,
                 std::vector<Json>& row) {
  const Json& decision = answer["decision"];
  row.push_back(decision.contains(job) ? Json(shown_holding(decision[job][which])) : Json(nullptr));
  const auto quantile = [&](const char* what, const char* name) -> Json {
    if (answer["future"].is_null() || !answer["future"]["jobs"].contains(job))
      return nullptr;
    const Json& ends = answer["future"]["jobs"][job][which];
    return ends.is_null() || ends[what].is_null() ? Json(nullptr) : ends[what][name];
  };
  row.push_back(quantile("first_started", "p50"));
  for (const char* const name : {"p10", "p50", "p90"})
    row.push_back(quantile("finished", name));
}

}  // namespace

Json what_if_json(const WhatIfCase& as_is, const WhatIfCase& changed) {
  return {{"at", to_seconds(as_is.decision->at)},
          {"as_is", {{"policy", as_is.policy.allocator}, {"placer", as_is.policy.placer}}},
          {"changed", {{"policy", changed.policy.allocator}, {"placer", changed.policy.placer}}},
          {"decision", decision_json(as_is, changed)},
          {"future", future_json(as_is, changed)}};
}

ResultSheet what_if_sheet(const Json& answer) {
  ResultSheet sheet{.columns = {{.name = "job"}}};
  std::set<std::string> jobs;
  for (const auto& [job, holdings] : answer["decision"].items())
    jobs.insert(job);
  const Json& future = answer["future"];
  if (!future.is_null()) {
    for (const auto& [job, ends] : future["jobs"].items())
      jobs.insert(job);
  }
  for (const char* const which : {"as_is", "changed"}) {
    for (const char* const what :
         {"gpus", "first_started_p50", "finished_p10", "finished_p50", "finished_p90"})
      sheet.columns.push_back({.name = std::string(which) + "." + what});
  }
  for (const std::string& job : jobs) {
    std::vector<Json> row{job};
    for (const char* const which : {"as_is", "changed"})
      append_case(answer, job, which, row);
    sheet.rows.push_back(std::move(row));
  }
  return sheet;
}

std::string what_if_text(const Json& answer, const std::string& no_future) {
  const Json& decision = answer["decision"];
  std::string text = fmt::format("at {} s, under {} with placer {} instead of {} with {}\n",
                                 answer["at"].dump(),
                                 shown(answer["changed"]["policy"].get<std::string>()),
                                 shown(answer["changed"]["placer"].get<std::string>()),
                                 shown(answer["as_is"]["policy"].get<std::string>()),
                                 shown(answer["as_is"]["placer"].get<std::string>()));
  text += decision.empty() ? "the next decision is the same\n" : "next decision:\n";
  for (const auto& [job, holdings] : decision.items()) {
    text += fmt::format("  job {}: {} instead of {}\n",
                        shown(job),
                        shown_holding(holdings["changed"]),
                        shown_holding(holdings["as_is"]));
  }
  if (answer["future"].is_null())
    return text + "no future: " + no_future + "\n";
  return text + future_text(answer["future"]);
}

}  // namespace voda::command_line
