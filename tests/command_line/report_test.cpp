#include <cstddef>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/command_runner.hpp"
#include "support/report_reader.hpp"

namespace voda::test {
namespace report_test {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// a holds 2 of 4 GPUs from 0 to 10; b needs all 4, waits from 4 to 10 and runs until 20.
const std::string two_jobs = "id,submitted,requested_gpus,work_s\na,0,2,20\nb,4,4,40\n";

// A long job of 4 GPUs, then a short one: fifo lets the short one wait (JCT 100 and 109), srjf does
// not (JCT 110 and 10).
const std::string long_then_short =
    "id,submitted,requested_gpus,work_s\nlong,0,4,400\nshort,1,4,40\n";

/// The page of a run of the program with these arguments.
std::string page_of(std::vector<std::string> arguments, const std::string& trace) {
  const TestDirectory directory;
  arguments.insert(arguments.end(), {"--report", directory / "report.html"});
  const auto result = run_command(arguments, trace);
  EXPECT_EQ(result.status, 0) << result.err;
  return bytes_of(directory / "report.html");
}

std::string page_of_two_jobs(const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{"compare", "-", "--cluster", "1x4", "--policy", "fifo"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return page_of(arguments, two_jobs);
}

nlohmann::ordered_json report_of(const std::string& page) {
  return nlohmann::ordered_json::parse(data_of(page, "report"));
}

TEST(Report, ComparisonIsThatOfTheTable) {
  const TestDirectory directory;
  const auto result = run_command(
      {"compare", "-", "--cluster", "1x4", "--all-policies", "--report", directory / "report.html"},
      long_then_short);
  const auto shown = table_of(bytes_of(directory / "report.html"), "Policies compared");

  std::istringstream lines(result.out);
  std::string line;
  for (int skipped = 0; skipped < 3; ++skipped)
    std::getline(lines, line);
  for (std::size_t row = 0; row < 8; ++row) {
    ASSERT_TRUE(std::getline(lines, line));
    std::istringstream words(line);
    for (std::string cell : shown.at(row)) {
      std::string word;
      words >> word;
      if (cell.ends_with(" best"))
        cell.replace(cell.size() - 5, 5, "*");
      EXPECT_EQ(cell, word) << line;
    }
  }
}

TEST(Report, FiguresAreThoseOfJson) {
  const std::vector<std::string> arguments{
      "compare", "-", "--cluster", "1x4", "--policy", "srjf", "--policy", "fifo"};
  const auto report = report_of(page_of(arguments, long_then_short));

  ASSERT_EQ(report["policies"].size(), 2U);
  EXPECT_EQ(report["policies"][0]["name"], "srjf");
  EXPECT_EQ(report["policies"][0]["summary"]["jct_s"]["mean"], 60.0);   // (110 + 10) / 2
  EXPECT_EQ(report["policies"][1]["summary"]["jct_s"]["mean"], 104.5);  // (100 + 109) / 2
  EXPECT_EQ(report["policies"][0]["jct"], nlohmann::json::parse("[[1, 10.0], [2, 110.0]]"));
  EXPECT_EQ(report["policies"][1]["waited"], nlohmann::json::parse("[[1, 0.0], [2, 99.0]]"));
}

TEST(Report, JobsAndTheirOutcomesAreThere) {
  const std::string page = page_of_two_jobs();

  EXPECT_EQ(nlohmann::json::parse(data_of(page, "names")), nlohmann::json({"a", "b"}));
  EXPECT_EQ(report_of(page)["tick_s"], 0.001);
  // Submitted (differences), min, requested, max, work, then five texts.
  EXPECT_THAT(numbers_of(data_of(page, "jobs")),
              ElementsAre(0, 4000, 2, 4, 2, 4, 2, 4, 20, 40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
  // Finished; to the first start, JCT, waited, stalled, GPU time; three counts; fairness.
  // a: alone on all 4 GPUs until 4, then one of two: on its minimum, as fast as alone. b: stays 16,
  // would take 10.
  EXPECT_THAT(
      numbers_of(data_of(page, "outcomes-0")),
      ElementsAre(
          2, 2, 0, 6000, 10000, 16000, 0, 6000, 0, 0, 20000, 40000, 0, 0, 0, 0, 0, 0, 1000, 1600));
  EXPECT_THAT(numbers_of(data_of(page, "histories-0")),
              ElementsAre(2, 0, 2, 0, 10000, 0, 0, 2, 6000, 4, 0, 10000, 0, 0));
}

TEST(Report, HistoriesNameNodes) {
  const std::string page = page_of_two_jobs({"--placer", "steady"});

  EXPECT_EQ(report_of(page)["nodes"], nlohmann::json({"n0"}));
  EXPECT_THAT(numbers_of(data_of(page, "histories-0")),
              ElementsAre(2, 0, 2, 1, 0, 2, 10000, 0, 0, 2, 6000, 4, 1, 0, 4, 10000, 0, 0));
}

TEST(Report, CourseHoldsExactMeans) {
  const auto timeline = report_of(page_of_two_jobs())["policies"][0]["timeline"];

  // 20 s in at most 512 bins of 1 ms * 2^n: 313 of 64 ms.
  EXPECT_EQ(timeline["width_s"], 0.064);
  EXPECT_EQ(timeline["lasted_s"], 20.0);
  ASSERT_EQ(timeline["bins"], 313);
  const auto numbers = numbers_of(timeline["columns"].get<std::string>());
  ASSERT_EQ(numbers.size(), 9U * 313U);
  const auto column = [&](std::size_t which, std::size_t bin) {
    return numbers[which * 313 + bin];
  };
  EXPECT_EQ(column(0, 0), 400U);    // capacity
  EXPECT_EQ(column(1, 0), 200U);    // held
  EXPECT_EQ(column(1, 312), 400U);  // held, in the last bin, which is cut off at 20 s
  // Bin 62 is 3.968 to 4.032: b waits for half of it. Bin 156 is 9.984 to 10.048: a ends after 1/4.
  EXPECT_EQ(column(3, 62), 50U);
  EXPECT_EQ(column(4, 62), 1U);
  EXPECT_EQ(column(1, 156), 350U);
  EXPECT_EQ(column(5, 0), 1U);  // a starts
  EXPECT_EQ(column(5, 156), 1U);
  for (std::size_t bin = 0; bin < 313; ++bin)
    EXPECT_EQ(column(8, bin), 0U) << "an end is no preemption";
}

TEST(Report, CourseReachesTheTimeLimit) {
  const auto report = report_of(page_of_two_jobs({"--max-time", "12"}));

  EXPECT_EQ(report["policies"][0]["timeline"]["lasted_s"], 12.0);
  EXPECT_EQ(report["policies"][0]["summary"]["unfinished"], 1);
  EXPECT_EQ(report["policies"][0]["jct"], nlohmann::json::parse("[[1, 10.0]]"));
}

TEST(Report, SimulateWritesOneToo) {
  const std::string page =
      page_of({"simulate", "-", "--cluster", "1x4", "--policy", "fifo"}, two_jobs);

  EXPECT_THAT(page, HasSubstr("<h1>2 jobs, <bdi>fifo</bdi> on 4 GPUs</h1>"));
  EXPECT_EQ(report_of(page)["policies"].size(), 1U);
}

TEST(Report, EmptyTraceHasAPage) {
  const std::string page = page_of({"compare", "-", "--cluster", "1x4", "--policy", "fifo"},
                                   "id,submitted,requested_gpus,work_s\n");

  EXPECT_EQ(report_of(page)["jobs"], 0);
  EXPECT_THAT(page, HasSubstr("No job finished under any policy."));
}

TEST(Report, ThreadsDoNotChangeIt) {
  const std::vector<std::string> one{
      "compare", "-", "--cluster", "1x4", "--all-policies", "--jobs", "1"};
  std::vector<std::string> four = one;
  four.back() = "4";

  EXPECT_EQ(page_of(one, long_then_short), page_of(four, long_then_short));
}

TEST(Report, HostileNamesStayData) {
  const std::string markup = "</script><script>alert(1)</script><!--";
  const std::string separators = "line\u2028para\u2029\u202Eright & <b>\"";
  const std::string lengthy(100'000, 'x');
  const std::string page = page_of({"compare", "-", "--cluster", "1x4", "--policy", "fifo"},
                                   "id,submitted,requested_gpus,work_s,user\n" + markup +
                                       ",0,1,1,<i>\n\"line\u2028para\u2029"
                                       "\u202Eright & <b>\"\"\",1,1,1,'\n" +
                                       lengthy + ",2,1,1,\n");

  EXPECT_EQ(nlohmann::json::parse(data_of(page, "names")),
            nlohmann::json({markup, separators, lengthy}));
  EXPECT_EQ(report_of(page)["texts"][1], "<i>");
  EXPECT_THAT(page, AllOf(Not(HasSubstr("alert(1)</script>")), Not(HasSubstr("<i>"))));
  EXPECT_THAT(page, AllOf(Not(HasSubstr("\u2028")), Not(HasSubstr("\u202E"))));
  // One script runs, the others hold data: names, jobs, report, outcomes, histories.
  std::size_t scripts = 0;
  for (auto at = page.find("<script"); at != page.npos; at = page.find("<script", at + 1))
    ++scripts;
  EXPECT_EQ(scripts, 6U);
}

TEST(Report, HostileFileNameStaysText) {
  const TestDirectory directory;
  const std::string trace = directory / "<img src=x onerror=alert(1)>.csv";
  std::ofstream(trace) << two_jobs;
  const std::string page = page_of({"compare", trace, "--cluster", "1x4", "--policy", "fifo"}, "");

  EXPECT_THAT(page,
              AllOf(Not(HasSubstr("<img")), HasSubstr("&lt;img src=x onerror=alert(1)&gt;.csv")));
}

TEST(Report, OnlyItsOwnScriptMayRun) {
  EXPECT_THAT(page_of_two_jobs(),
              testing::ContainsRegex("default-src 'none'; script-src 'sha256-[A-Za-z0-9+/]{43}='; "
                                     "style-src 'sha256-[A-Za-z0-9+/]{43}='"));
}

TEST(Report, SaysThatNothingWasLeftOut) {
  EXPECT_THAT(page_of_two_jobs(), HasSubstr("Nothing was left out"));
}

TEST(Report, ThinsJobsOfLargeTracesAndSaysSo) {
  std::string trace = "id,submitted,requested_gpus,work_s\n";
  for (int job = 0; job < 70'000; ++job)
    trace += std::to_string(job) + "," + std::to_string(job) + ",1,1\n";
  const std::string page = page_of({"compare", "-", "--cluster", "1x1", "--policy", "fifo"}, trace);

  EXPECT_THAT(
      page, AllOf(HasSubstr("Of 70,000 jobs, every 2nd job"), Not(HasSubstr("Nothing was left"))));
  const auto names = nlohmann::json::parse(data_of(page, "names"));
  ASSERT_EQ(names.size(), 35'000U);
  EXPECT_EQ(names[1], "00002");
  EXPECT_EQ(report_of(page)["policies"][0]["jct"].back()[0], 70'000);
}

[[nodiscard]] CommandResult run_with_report(const std::string& report,
                                            const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{
      "compare", "-", "--cluster", "1x4", "--policy", "fifo", "--report", report};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_command(arguments, two_jobs);
}

TEST(Report, StandardOutputIsRefused) {
  const auto result = run_with_report("-");

  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("--report: '-'"));
  EXPECT_THAT(result.out, IsEmpty());
}

TEST(Report, FileThatCannotBeMadeIsAnError) {
  const TestDirectory directory;
  const auto result = run_with_report(directory / "missing/report.html");

  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("missing/report.html: cannot be created"));
  EXPECT_THAT(result.out, IsEmpty());
}

TEST(Report, NothingIsLeftAfterAnError) {
  const TestDirectory directory;
  const auto result =
      run_with_report(directory / "report.html", {"--node-events", directory / "missing.csv"});

  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(std::filesystem::is_empty(directory / "."));
}

}  // namespace report_test
}  // namespace voda::test
