#include "command_line/report/report_page.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <ostream>
#include <string_view>

#include <fmt/format.h>

#include "command_line/comparison_table.hpp"
#include "command_line/report/html_text.hpp"
#include "command_line/report/report_assets.hpp"
#include "command_line/report/report_data.hpp"
#include "command_line/time_text.hpp"
#include "voda/config.hpp"

namespace voda::command_line {
namespace {

using Summary = SimulationSummary;

std::string grouped(std::int64_t number) {
  std::string digits = fmt::format("{}", number);
  for (std::size_t at = digits.size(); at > 3; at -= 3)
    digits.insert(at - 3, 1, ',');
  return digits;
}

/// What was run on what; `name` writes the name of a policy.
std::string heading(const ReportSource& source, std::string (*name)(std::string_view)) {
  const std::size_t policies = source.policies.size();
  return fmt::format(
      "{} jobs, {} on {} GPUs",
      grouped(static_cast<std::int64_t>(source.plan->trace().jobs.size())),
      policies == 1 ? name(source.policies[0]) : fmt::format("{} policies", policies),
      grouped(gpus_of(source.nodes)));
}

std::string settings_list(const ReportSource& source) {
  std::string html;
  for (const auto& [name, value] : source.settings) {
    html += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", html_text(name), html_name(value));
  }
  return html;
}

/// A figure and how it is shown, for the policy that is best at it.
struct KeyFigure {
  std::string_view name{};
  double (*value)(const Summary&) = nullptr;
  std::string (*text)(double) = nullptr;
  Best best = Best::smallest;
};

std::string percent_text(double share) {
  return fmt::format("{:.1f} %", 100 * share);
}

std::string ratio_text(double ratio) {
  return ratio < 1000 ? fmt::format("{:.2f} \u00D7", ratio)
                      : fmt::format("{} \u00D7", grouped(std::llround(std::min(ratio, 1e15))));
}

constexpr std::array<KeyFigure, 5> key_figures{
    {{.name = "Mean completion time",
      .value = [](const Summary& s) { return s.jct_s.mean; },
      .text = duration_text},
     {.name = "Median completion time",
      .value = [](const Summary& s) { return s.jct_s.p50; },
      .text = duration_text},
     {.name = "Mean waiting time",
      .value = [](const Summary& s) { return s.waited_s.mean; },
      .text = duration_text},
     {.name = "Useful work",
      .value = [](const Summary& s) { return s.utilization_useful; },
      .text = percent_text,
      .best = Best::largest},
     {.name = "Worst unfairness",
      .value = [](const Summary& s) { return s.fairness_worst; },
      .text = ratio_text}}};

std::string key_figure(const ReportSource& source, const KeyFigure& figure) {
  std::optional<std::size_t> best;
  std::optional<std::size_t> worst;
  const auto value = [&](std::size_t i) { return figure.value(source.results[i].summary); };
  const auto is_better = [&](std::size_t a, std::size_t b) {
    return figure.best == Best::smallest ? value(a) < value(b) : value(a) > value(b);
  };
  for (std::size_t i = 0; i < source.results.size(); ++i) {
    if (source.results[i].summary.finished == 0)
      continue;
    best = !best || is_better(i, *best) ? i : *best;
    worst = !worst || is_better(*worst, i) ? i : *worst;
  }
  if (!best)
    return "";
  std::string who;
  if (source.results.size() > 1 && is_better(*best, *worst)) {
    who = fmt::format(R"(<span class="who">{}</span><span class="rest">{} under {}</span>)",
                      html_name(source.policies[*best]),
                      figure.text(value(*worst)),
                      html_name(source.policies[*worst]));
  }
  return fmt::format(
      "<div class=\"key\"><dt>{}</dt><dd><span class=\"value\">{}</span>{}</dd></div>\n",
      figure.name,
      figure.text(value(*best)),
      who);
}

std::string key_figure_list(const ReportSource& source) {
  std::string html;
  for (const KeyFigure& figure : key_figures)
    html += key_figure(source, figure);
  if (html.empty())
    return "<p>No job finished under any policy.</p>";
  return fmt::format("<dl class=\"keys\">{}</dl>", html);
}

std::vector<std::string> names_of(const ReportSource& source) {
  return {source.policies.begin(), source.policies.end()};
}

std::string comparison(const ReportSource& source) {
  return html_table({.caption = "Policies compared", .name_header = "policy"},
                    names_of(source),
                    comparison_columns(source.results));
}

std::string distribution_table(const ReportSource& source,
                               std::string_view caption,
                               Distribution Summary::* figure) {
  std::vector<Column> columns;
  const auto add = [&](std::string header, double Distribution::* quantile) {
    columns.push_back(figure_column(source.results,
                                    {.header = std::move(header), .quantity = Quantity::seconds},
                                    [&](const Summary& s) { return s.*figure.*quantile; }));
  };
  add("mean", &Distribution::mean);
  add("p50", &Distribution::p50);
  add("p90", &Distribution::p90);
  add("p95", &Distribution::p95);
  add("p99", &Distribution::p99);
  add("max", &Distribution::max);
  return html_table({.caption = caption, .name_header = "policy"}, names_of(source), columns);
}

/// A column of a figure over the finished jobs of each result.
template <class Figure>
Column outcome_column(const ReportSource& source, Column column, Figure figure) {
  for (const SimulationResult& result : source.results) {
    std::vector<double> values;
    for (const JobOutcome& outcome : result.outcomes) {
      if (outcome.finished)
        values.push_back(outcome.fairness);
    }
    column.values.push_back(values.empty() ? std::nan("") : figure(values));
  }
  return column;
}

std::string fairness(const ReportSource& source) {
  const auto quantile = [&source](std::string header, double Distribution::* which) {
    return outcome_column(
        source,
        {.header = std::move(header), .quantity = Quantity::ratio},
        [which](const std::vector<double>& values) { return distribution_of(values).*which; });
  };
  std::vector<Column> columns{quantile("mean", &Distribution::mean),
                              quantile("p50", &Distribution::p50),
                              quantile("p90", &Distribution::p90),
                              quantile("p99", &Distribution::p99),
                              quantile("worst", &Distribution::max)};
  columns.push_back(outcome_column(
      source,
      {.header = "above 1.01", .quantity = Quantity::percent},
      [](const std::vector<double>& values) {
        const auto above = std::ranges::count_if(values, [](double ratio) { return ratio > 1.01; });
        return static_cast<double>(above) / static_cast<double>(values.size());
      }));
  return html_table(
      {.caption = "Completion time over the time alone on an equal share", .name_header = "policy"},
      names_of(source),
      columns);
}

std::string changes(const ReportSource& source) {
  std::vector<Column> columns;
  const auto add = [&](std::string header, std::int64_t Summary::* figure) {
    columns.push_back(figure_column(source.results,
                                    {.header = std::move(header), .over = Over::all_jobs},
                                    [figure](const Summary& s) { return s.*figure; }));
  };
  add("resizes", &Summary::resizes);
  add("migrations", &Summary::migrations);
  add("preemptions", &Summary::preemptions);
  add("workers moved", &Summary::moved_workers);
  add("workers forced", &Summary::forced_moves);
  return html_table(
      {.caption = "Changes while jobs ran", .name_header = "policy"}, names_of(source), columns);
}

std::string every(std::size_t stride) {
  return fmt::format("every {}{} job", stride, stride == 2 ? "nd" : "th");
}

std::string omissions(const ReportSource& source) {
  const RecordPlan& plan = *source.plan;
  std::string html;
  if (plan.stride() > 1) {
    html += fmt::format(
        "<li><strong>Of {} jobs, {} in order of arrival, {} in all, can be looked at one by "
        "one</strong>, so that the "
        "file stays small. All tables, distributions and courses over time are over all "
        "jobs.</li>\n",
        grouped(static_cast<std::int64_t>(plan.trace().jobs.size())),
        every(plan.stride()),
        grouped(static_cast<std::int64_t>(plan.shown_jobs())));
  }
  for (std::size_t i = 0; i < source.policies.size(); ++i) {
    const std::size_t stride = source.recorders[i]->histories().stride();
    if (stride == 1)
      continue;
    const std::string kept =
        stride == 0 ? std::string("no job") : fmt::format("only {} of those", every(stride));
    html += fmt::format(
        "<li><strong>Under {}, {} comes with its allocations over time</strong>: all would take "
        "more than {} MB.</li>\n",
        html_name(source.policies[i]),
        kept,
        plan.bytes_per_policy() / 1'000'000);
  }
  if (html.empty())
    return "<li>Nothing was left out: every job, with each of its allocations, is in this "
           "file.</li>";
  return html;
}

std::string precision(const ReportSource& source) {
  return duration_text(to_seconds(source.plan->tick()));
}

std::string data_elements(const ReportSource& source) {
  std::string html;
  for (const DataBlock& block : data_blocks(source)) {
    html += fmt::format(
        "<script type=\"{}\" id=\"data-{}\">{}</script>\n", block.type, block.id, block.text);
  }
  return html;
}

/// Writes the page, with what stands at `<!--voda:NAME-->` in place of each mark.
void write_page(std::ostream& out,
                const std::map<std::string_view, std::function<std::string()>>& parts) {
  constexpr std::string_view opening = "<!--voda:";
  constexpr std::string_view closing = "-->";
  std::string_view rest = report_html;
  for (auto at = rest.find(opening); at != rest.npos; at = rest.find(opening)) {
    out << rest.substr(0, at);
    rest.remove_prefix(at + opening.size());
    const auto end = rest.find(closing);
    out << parts.at(rest.substr(0, end))();
    rest.remove_prefix(end + closing.size());
  }
  out << rest;
}

}  // namespace

void write_report(std::ostream& out, const ReportSource& source) {
  const auto text = [](std::string_view value) { return [value] { return std::string(value); }; };
  write_page(
      out,
      {{"style", text(report_css)},
       {"script", text(report_script)},
       {"style-hash", text(report_css_hash)},
       {"script-hash", text(report_script_hash)},
       {"version", text(VODA_VERSION)},
       {"title", [&] { return heading(source, html_text) + " \u2013 voda"; }},
       {"heading", [&] { return heading(source, html_name); }},
       {"settings", [&] { return settings_list(source); }},
       {"keys", [&] { return key_figure_list(source); }},
       {"comparison", [&] { return comparison(source); }},
       {"jct", [&] { return distribution_table(source, "Job completion time", &Summary::jct_s); }},
       {"waited", [&] { return distribution_table(source, "Waiting time", &Summary::waited_s); }},
       {"fairness", [&] { return fairness(source); }},
       {"changes", [&] { return changes(source); }},
       {"omissions", [&] { return omissions(source); }},
       {"precision", [&] { return precision(source); }},
       {"data", [&] { return data_elements(source); }}});
}

}  // namespace voda::command_line
