#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/command_runner.hpp"

namespace voda::test {
namespace waits_command_test {

using testing::HasSubstr;
using testing::StartsWith;

/// Jobs of 100 s on one GPU, submitted one second apart.
std::string queue_of_six() {
  std::string trace = "id,submitted,requested_gpus,work_s\n";
  for (int i = 0; i < 6; ++i)
    trace += "j" + std::to_string(i) + "," + std::to_string(i) + ",1,100\n";
  return trace;
}

TEST(WaitsCommand, ScoresTheSecondHalf) {
  const auto result =
      run_command({"waits", "-", "--cluster", "1x1", "--policy", "fifo", "--json"}, queue_of_six());
  ASSERT_EQ(result.status, 0) << result.err;
  const auto answer = result.json();
  EXPECT_EQ(answer["forecasts"], 3);
  EXPECT_EQ(answer["open"], 0);
  // Submitted at 3, 4 and 5 s, when j0 had just started and nothing was learned: forecasts 297, 396 and 495 s come true; an interval
  // reaches 1 s and 1 % to either side, and the only wait known was 0.
  const auto& start = answer["start"]["waited"];
  EXPECT_EQ(start["outcomes"], 3);
  EXPECT_EQ(start["coverage"], 1.0);
  EXPECT_NEAR(start["width_s"].get<double>(), 2 * (3.97 + 4.96 + 5.95) / 3, 1e-9);
  EXPECT_NEAR(start["pinball_s"].get<double>(), 0.2 / 3 * (3.97 + 4.96 + 5.95) / 3, 1e-9);
  EXPECT_NEAR(start["plain_pinball_s"].get<double>(), 0.5 * 396, 1e-9);
  const auto& finish = answer["finish"]["all"];
  EXPECT_NEAR(finish["width_s"].get<double>(), 2 * (4.97 + 5.96 + 6.95) / 3, 1e-9);
  EXPECT_NEAR(finish["plain_pinball_s"].get<double>(), 0.5 * 496, 1e-9);
}

TEST(WaitsCommand, PrintsATableAndCsv) {
  const std::vector<std::string> arguments{"waits", "-", "--cluster", "1x1", "--policy", "fifo"};
  const auto table = run_command(arguments, queue_of_six());
  EXPECT_THAT(table.out, HasSubstr("coverage"));
  EXPECT_THAT(table.out, HasSubstr("3 held-back jobs under fifo, 0 of them unfinished"));
  auto as_csv = arguments;
  as_csv.insert(as_csv.end(), {"-o", "csv"});
  const auto csv = run_command(as_csv, queue_of_six());
  EXPECT_THAT(csv.out,
              StartsWith("forecast,jobs,outcomes,coverage,below,above,width_s,pinball_s,"
                         "plain_pinball_s\nstart,all,3,1.0,0,0,"));
}

TEST(WaitsCommand, RefusesBadNumbers) {
  for (const std::string option : {"--forecasts", "--futures", "--memory"}) {
    const auto result = run_command({"waits", "-", "--cluster", "1x1", option, "0"}, "");
    EXPECT_EQ(result.status, 2) << option;
    EXPECT_THAT(result.err, HasSubstr(option));
  }
}

}  // namespace waits_command_test
}  // namespace voda::test
