#include "command_line/output_format.hpp"

#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "command_line/command.hpp"
#include "command_line/described_command.hpp"
#include "support/command_runner.hpp"
#include "voda/io/csv.hpp"

namespace voda::test {
namespace output_format_test {

using command_line::Detail;
using command_line::escaped;
using command_line::Json;
using command_line::ResultSheet;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// Two nodes of 4; a wants 3 of them on one node, b the rest, c more than there is.
const std::string snapshot = R"({"version": 1,
  "nodes": [{"id": "n0", "gpus": 4}, {"id": "n1", "gpus": 4}], "jobs": [
    {"id": "a", "submitted": 0, "requested_gpus": 4, "max_gpus": 4, "current": {"n0": 4}},
    {"id": "b", "submitted": 1, "requested_gpus": 3, "max_gpus": 3},
    {"id": "c", "submitted": 2, "requested_gpus": 8, "min_gpus": 8, "max_gpus": 8}]})";

std::string printed(const std::vector<std::string>& arguments,
                    const std::string& input = snapshot) {
  const auto result = run_command(arguments, input);
  EXPECT_EQ(result.status, 0) << result.err;
  return result.out;
}

TEST(OutputFormat, OfAllocations) {
  EXPECT_EQ(printed({"allocate", "--policy", "fifo", "-o", "table", "-"}),
            "job  gpus\n"
            "a       4\n"
            "b       3\n"
            "c       0\n\n"
            "the policy need not look again before something happens\n");
  EXPECT_EQ(printed({"allocate", "--policy", "fifo", "-o", "wide", "-"}),
            "job  gpus  is_reset\n"
            "a       4  false\n"
            "b       3  false\n"
            "c       0  false\n\n"
            "the policy need not look again before something happens\n");
  EXPECT_EQ(printed({"allocate", "--policy", "fifo", "-o", "csv", "-"}),
            "job,gpus,is_reset\na,4,false\nb,3,false\nc,0,false\n");
  const std::string document =
      "{\"gpus\":{\"a\":4,\"b\":3,\"c\":0},\"review_at\":null,\"resets\":[]}\n";
  EXPECT_EQ(printed({"allocate", "--policy", "fifo", "-"}), document);
  EXPECT_EQ(printed({"allocate", "--policy", "fifo", "--json", "-"}), document);
  EXPECT_EQ(printed({"allocate", "--policy", "fifo", "--output=json", "-"}), document);
}

TEST(OutputFormat, OfDecisions) {
  EXPECT_EQ(printed({"decide", "--policy", "fifo", "-o", "csv", "-"}),
            "job,gpus,action,node,gpus_on_node,gpus_before,capped_to,unplaced\n"
            "a,4,,n0,4,4,,\n"
            "b,3,start,n1,3,0,,\n"
            "c,0,,,,0,,\n");
  EXPECT_THAT(printed({"decide", "--policy", "fifo", "-o", "table", "-"}),
              testing::StartsWith("job  gpus  action  node  gpus_on_node\n"
                                  "a       4  -       n0               4\n"
                                  "b       3  start   n1               3\n"
                                  "c       0  -       -                -\n"));
  // Without a placer there are no nodes to tell.
  EXPECT_EQ(printed({"decide", "--placer", "none", "--policy", "fifo", "-o", "csv", "-"}),
            "job,gpus,action,node,gpus_on_node,gpus_before,capped_to,unplaced\n"
            "a,4,,,,4,,\nb,3,start,,,0,,\nc,0,,,,0,,\n");
}

TEST(OutputFormat, OfPlacements) {
  const std::string allocated =
      R"({"version": 1, "nodes": [{"id": "n0", "gpus": 2}, {"id": "n1", "gpus": 2}],
    "jobs": [{"id": "a", "requested_gpus": 4, "max_gpus": 4}, {"id": "b"}], "allocation": {"a": 4, "b": 1}})";

  EXPECT_EQ(printed({"place", "-o", "csv", "-"}, allocated),
            "job,node,gpus,unplaced\n"
            "a,n0,2,\n"
            "a,n1,2,\n"
            "b,,0,no capacity: 0 GPUs are free on nodes that it may use\n");
}

TEST(OutputFormat, OfAssignments) {
  // Rows take 1 and 0; column 2 stays free. Prices by hand are not unique: only what follows from the costs is compared.
  const std::string table = printed({"assign", "-o", "table", "-"}, "4,1,9\n2,8,9\n");
  EXPECT_EQ(table, "row  column\n  0       1\n  1       0\n  -       2\n\nobjective 3\n");
  EXPECT_THAT(printed({"assign", "-o", "csv", "-"}, "4,1,9\n2,8,9\n"),
              testing::StartsWith("row,column,row_price,column_price\n0,1,"));
}

TEST(OutputFormat, OfExplanations) {
  const std::string csv = printed({"explain", "--job", "c", "--policy", "fifo", "-o", "csv", "-"});
  EXPECT_THAT(csv, testing::StartsWith("job,about,kind,code,text\nc,size,gpus,,0 GPUs\n"));
  EXPECT_THAT(csv, HasSubstr("\nc,size,reason,no_capacity,\"needs 8 more GPUs, 1 was left\"\n"));
  EXPECT_THAT(csv, HasSubstr("\nc,size,holder,a,holds 4 GPUs that it lacks\n"));
  EXPECT_EQ(printed({"explain", "--job", "c", "-o", "json", "-"}),
            printed({"explain", "--job", "c", "--json", "-"}));
}

const std::string trace = "id,submitted,requested_gpus,work_s\na,0,2,100\nb,10,4,400\n";

/// The cells of CSV by column; one row.
std::string cell(const std::string& csv, const std::string& column, std::size_t row) {
  std::istringstream in(csv);
  CsvReader reader(in, "csv");
  EXPECT_TRUE(reader.next());
  const std::vector<std::string> header(reader.cells().begin(), reader.cells().end());
  for (std::size_t i = 0; i <= row; ++i)
    EXPECT_TRUE(reader.next());
  const auto found = std::ranges::find(header, column);
  EXPECT_NE(found, header.end()) << column;
  return reader.cells()[static_cast<std::size_t>(found - header.begin())];
}

TEST(OutputFormat, OfRuns) {
  // a runs 50 s on 2 GPUs, b 100 s on 4: both fit.
  const std::vector<std::string> run{"simulate", "-", "--cluster", "2x4", "--policy", "fifo", "-o"};
  const auto with = [&run](const std::string& format) {
    auto arguments = run;
    arguments.push_back(format);
    return printed(arguments, trace);
  };

  EXPECT_EQ(cell(with("csv"), "jct_s.mean", 0), "75.0");
  EXPECT_EQ(cell(with("csv"), "makespan_s", 0), "110.0");
  EXPECT_EQ(cell(with("csv"), "policy", 0), "fifo");
  EXPECT_THAT(with("wide"), testing::StartsWith(with("table").substr(0, 40)));
  EXPECT_THAT(with("wide"), testing::ContainsRegex("\njct_s.mean +75.0\n"));
  EXPECT_THAT(with("table"), Not(HasSubstr("jct_s.mean")));
}

TEST(OutputFormat, OfComparisons) {
  const std::vector<std::string> run{"compare",
                                     "-",
                                     "--cluster",
                                     "2x4",
                                     "--policy",
                                     "srjf",
                                     "--policy",
                                     "fifo:size=minimum",
                                     "-o"};
  const auto with = [&run](const std::string& format) {
    auto arguments = run;
    arguments.push_back(format);
    return printed(arguments, trace);
  };

  EXPECT_EQ(cell(with("csv"), "policy", 1), "fifo:size=minimum");
  EXPECT_EQ(cell(with("csv"), "jct_s.max", 0), "100.0");
  EXPECT_THAT(with("wide"), HasSubstr("migrations"));
  EXPECT_THAT(with("table"), Not(HasSubstr("migrations")));
}

TEST(OutputFormat, OfPolicies) {
  EXPECT_THAT(printed({"policies", "-o", "csv"}), HasSubstr("\npolicy,fifo,blocked,"));
  EXPECT_EQ(cell(printed({"policies", "-o", "csv"}), "default", 0), "requested");
  EXPECT_EQ(cell(printed({"policies", "-o", "csv"}), "expected", 0), "requested | minimum");
}

TEST(OutputFormat, IsTheSameOptionEverywhere) {
  for (const auto& entry : command_line::commands()) {
    const auto described = command_line::describe(entry);
    const auto options = command_line::option_texts(*described.app);
    const auto has = [&options](const std::string& names) {
      return std::ranges::find(options, names, &command_line::OptionText::names) != options.end();
    };
    EXPECT_EQ(has("-o,--output"), has("--json")) << entry.name;
  }
  const auto refused = run_command({"policies", "-o", "jsno"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_EQ(refused.err,
            "voda: --output: 'jsno'; expected table | wide | json | csv; did you mean 'json'?\n");
  EXPECT_EQ(run_command({"policies", "-o", "csv", "--json"}).status, 2);
}

TEST(OutputFormat, LinesAreJsonOnly) {
  const auto result = run_command({"allocate", "--jsonl", "-o", "csv", "-"}, snapshot);

  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.err, "voda: --jsonl: goes with JSON only; expected no -o csv\n");
}

TEST(Escaped, ShowsWhatATerminalWouldObey) {
  EXPECT_EQ(escaped("j\xC3\xB6"
                    "b?"),
            "j\xC3\xB6"
            "b?");
  EXPECT_EQ(escaped("a\x1B[31m"), "a\\x1b[31m");
  EXPECT_EQ(escaped("a\nb\x7F"), "a\\x0ab\\x7f");
  EXPECT_EQ(escaped("\xC2\x9B"
                    "31m"),
            "\\xc2\\x9b31m");  // CSI as one character
  EXPECT_EQ(escaped("\xE2\x80\xAE"
                    "x"),
            "\\xe2\\x80\\xaex");  // turns the direction of writing
  EXPECT_EQ(escaped("\xFF"
                    "a\x80"),
            "\\xffa\\x80");
}

TEST(ResultSheet, NoEscapeSequenceOfANameReachesTheTerminal) {
  const std::string id =
      "\xC2\x9B"
      "2J";
  const auto result = run_command({"allocate", "-o", "table", "-"},
                                  R"({"version": 1, "gpus": 1, "jobs": [{"id": ")" + id + "\"}]}");

  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("\\xc2\\x9b2J"));
  EXPECT_THAT(result.out, Not(HasSubstr(id)));
}

TEST(ResultSheet, AlignsByCharacters) {
  const ResultSheet sheet{
      .columns = {{.name = "job"}, {.name = "n"}, {.name = "x", .detail = Detail::wide}},
      .rows = {{"j\xC3\xB6"
                "b",
                10,
                1},
               {"other", nullptr, 2}}};

  EXPECT_EQ(table_text(sheet, Detail::always, {}),
            "job     n\nj\xC3\xB6"
            "b    10\nother   -\n");
}

TEST(ResultSheet, QuotesCsv) {
  const ResultSheet sheet{.columns = {{.name = "a,b"}, {.name = "c"}},
                          .rows = {{"say \"hi\"", "two\nlines"}, {nullptr, true}}};

  EXPECT_EQ(csv_text(sheet), "\"a,b\",c\n\"say \"\"hi\"\"\",\"two\nlines\"\n,true\n");
}

TEST(ResultSheet, FlattensObjectsThatLackMembers) {
  const ResultSheet sheet = command_line::flattened(
      {Json{{"a", 1}, {"b", {{"c", 2}}}}, Json{{"b", {{"c", 3}, {"d", 4}}}}});

  std::vector<std::string> names;
  for (const auto& column : sheet.columns)
    names.push_back(column.name);
  EXPECT_THAT(names, ElementsAre("a", "b.c", "b.d"));
  EXPECT_EQ(csv_text(sheet), "a,b.c,b.d\n1,2,\n,3,4\n");
}

}  // namespace output_format_test
}  // namespace voda::test
