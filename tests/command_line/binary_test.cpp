#include <csignal>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/command_runner.hpp"
#include "support/shell_runner.hpp"

namespace voda::test {
namespace binary_test {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

TEST(Binary, WorksInAPipe) {
  const TestDirectory directory;

  const auto result = run_shell(
      directory,
      R"("$VODA" generate --jobs 30 --gpus 16 | "$VODA" compare - --cluster 4x4 --all-policies)");

  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("30 jobs on 16 GPUs"), HasSubstr("afs_l")));
}

TEST(Binary, FullStandardOutputIsAnError) {
  const TestDirectory directory;

  const auto result = run_shell(directory, R"("$VODA" generate --jobs 1000 >/dev/full)");

  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("voda: "));
}

TEST(Binary, FileThatGrowsTooLargeIsAnErrorAndNothingIsLeft) {
  const TestDirectory directory;
  ASSERT_EQ(run_shell(directory, R"("$VODA" generate --jobs 500 --gpus 16 --out trace.csv)").status,
            0);

  // One block of 512 or 1024 bytes: neither trace nor results fit.
  const auto generated = run_shell(
      directory,
      R"((ulimit -f 1; GCOV_PREFIX=/dev/null exec "$VODA" generate --jobs 500 --out late.csv))");
  EXPECT_EQ(generated.status, 1);
  const auto simulated = run_shell(
      directory,
      R"((ulimit -f 1; GCOV_PREFIX=/dev/null exec "$VODA" simulate trace.csv --cluster 4x4 --out results))");
  EXPECT_EQ(simulated.status, 1);
  EXPECT_THAT(simulated.err, HasSubstr("File too large"));

  EXPECT_THAT(directory.files(), UnorderedElementsAre("trace.csv", "out.txt", "err.txt"));
}

class Interrupts : public testing::TestWithParam<int> {};

INSTANTIATE_TEST_SUITE_P(Binary, Interrupts, testing::Values(SIGINT, SIGTERM, SIGHUP));

/// What the program does about a signal when it starts.
enum class Disposition : std::uint8_t { unset, ignored };

/// Runs a simulation with a signal pending, blocked, from before the program begins, so that it comes at the run's first
/// look; returns the exit status.
int simulate_with_pending(int signal, Disposition disposition, const TestDirectory& directory) {
  const std::string trace = directory / "trace.csv";
  const std::string results = directory / "results";
  const pid_t child = fork();
  if (child == 0) {
    if (disposition == Disposition::ignored)
      std::signal(signal, SIG_IGN);
    sigset_t interrupts;
    sigemptyset(&interrupts);
    sigaddset(&interrupts, signal);
    sigprocmask(SIG_BLOCK, &interrupts, nullptr);
    kill(getpid(), signal);
    execl(VODA_PROGRAM,
          "voda",
          "simulate",
          trace.c_str(),
          "--cluster",
          "4x4",
          "--out",
          results.c_str(),
          nullptr);
    _exit(127);
  }
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_P(Interrupts, EndARunWithItsRowsInPlace) {
  const TestDirectory directory;
  ASSERT_EQ(
      run_shell(directory, R"("$VODA" generate --jobs 2000 --gpus 16 --out trace.csv)").status, 0);

  EXPECT_EQ(simulate_with_pending(GetParam(), Disposition::unset, directory), 130);
  EXPECT_FALSE(std::filesystem::exists(directory / "results/summary.json"));
  EXPECT_FALSE(std::filesystem::exists(directory / "results/jobs.csv.partial"));
  EXPECT_THAT(bytes_of(directory / "results/jobs.csv"), testing::StartsWith("id,submitted,"));
}

// As under nohup.
TEST_P(Interrupts, DoNothingWhenTheyAreIgnored) {
  const TestDirectory directory;
  ASSERT_EQ(run_shell(directory, R"("$VODA" generate --jobs 200 --gpus 16 --out trace.csv)").status,
            0);

  EXPECT_EQ(simulate_with_pending(GetParam(), Disposition::ignored, directory), 0);
  EXPECT_TRUE(std::filesystem::exists(directory / "results/summary.json"));
}

TEST(Binary, WhatCannotBeReadIsAnError) {
  const TestDirectory directory;
  ASSERT_EQ(run_shell(directory, R"("$VODA" generate --jobs 5 --gpus 16 --out trace.csv)").status,
            0);
  const std::string simulate = R"("$VODA" simulate trace.csv )";
  const std::vector<std::pair<std::string, std::string>> cases{
      {R"("$VODA" allocate - <&-)", "standard input: cannot be read to its end"},
      {R"("$VODA" allocate --jsonl - <&-)", "standard input: cannot be read to its end"},
      {R"("$VODA" assign - <&-)", "standard input: cannot be read to its end"},
      {R"("$VODA" simulate - --cluster 4x4 <&-)", "standard input:1: the file cannot be read"},
      {R"("$VODA" simulate - --cluster 4x4 --lenient <&-)", "standard input:1: the file cannot be"},
      {simulate + "--cluster 4x4 --speedups /proc/self/mem",
       "/proc/self/mem: cannot be read to its end"},
      {simulate + "--cluster /proc/self/mem", "/proc/self/mem: cannot be read to its end"},
      {simulate + "--cluster 4x4 --node-events /proc/self/mem",
       "/proc/self/mem: cannot be read to its end"}};
  for (const auto& [line, message] : cases) {
    const auto result = run_shell(directory, line);

    EXPECT_EQ(result.status, 1) << line;
    EXPECT_THAT(result.err, HasSubstr("voda: " + message)) << line;
  }
}

TEST(Binary, ResultsThatCannotAllBeWrittenAreAllGone) {
  const TestDirectory directory;
  const auto result = run_shell(directory, R"("$VODA" generate --jobs 5 --gpus 16 --out trace.csv
      mkdir results; ln -s /dev/full results/allocations.csv
      "$VODA" simulate trace.csv --cluster 4x4 --out results)");

  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("No space left on device"));
  EXPECT_FALSE(std::filesystem::exists(directory / "results/jobs.csv"));
}

TEST(Binary, AnswersALineBeforeTheNextComes) {
  const TestDirectory directory;
  // The second line is sent only after the first answer was read back through the pipe.
  const auto result = run_shell(directory, R"(mkfifo to from
    "$VODA" allocate --jsonl - <to >from & exec 3>to 4<from
    echo '{"version": 1, "gpus": 1, "jobs": [{"id": "a"}]}' >&3; read -r first <&4; echo "$first"
    echo '{"version": 1, "gpus": 0, "jobs": [{"id": "a"}]}' >&3; read -r second <&4; echo "$second"
    exec 3>&-; wait)");

  EXPECT_EQ(result.out,
            "{\"gpus\":{\"a\":1},\"review_at\":null,\"resets\":[]}\n{\"gpus\":{\"a\":0},\"review_"
            "at\":null,\"resets\":[]}\n");
  EXPECT_THAT(result.err, IsEmpty());
}

}  // namespace binary_test
}  // namespace voda::test
