#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/command_runner.hpp"

namespace voda::test {
namespace simulate_command_test {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;
using testing::UnorderedElementsAre;

// a runs on 2 of 4 GPUs from 0 to 10; b needs all 4, waits from 4 to 10 and runs until 20.
const std::string two_jobs = "id,submitted,requested_gpus,work_s\na,0,2,20\nb,4,4,40\n";

/// A job every second, each a second long on the only GPU.
std::string many_jobs(int count) {
  std::string text = "id,submitted,requested_gpus,work_s\n";
  for (int i = 0; i < count; ++i)
    text += std::to_string(i) + "," + std::to_string(i) + ",1,1\n";
  return text;
}

TEST(SimulateCommand, WritesWhatHappened) {
  const TestDirectory directory;

  const auto result = run_command({"simulate",
                                   "-",
                                   "--cluster",
                                   "1x4",
                                   "--policy",
                                   "fifo",
                                   "--placer",
                                   "steady",
                                   "--out",
                                   directory / "out"},
                                  two_jobs);

  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(bytes_of(directory / "out/jobs.csv"),
            "id,submitted,first_started,finished,jct_s,waited_s,executed_s,gpu_seconds,stalled_s,"
            "resizes,migrations,"
            "starts,status\n"
            "a,0.000000,0.000000,10.000000,10.000000,0.000000,10.000000,20.000000,0.000000,0,0,1,"
            "finished\n"
            "b,4.000000,10.000000,20.000000,16.000000,6.000000,10.000000,40.000000,0.000000,0,0,1,"
            "finished\n");
  EXPECT_EQ(bytes_of(directory / "out/allocations.csv"),
            "time,id,gpus\n0.000000,a,2\n10.000000,a,0\n10.000000,b,4\n20.000000,b,0\n");
  EXPECT_EQ(
      bytes_of(directory / "out/placements.csv"),
      "time,id,node,gpus\n0.000000,a,n0,2\n10.000000,a,n0,0\n10.000000,b,n0,4\n20.000000,b,n0,0\n");
}

TEST(SimulateCommand, SummaryFollowsFromTheRows) {
  const TestDirectory directory;

  const auto result = run_command({"simulate",
                                   "-",
                                   "--cluster",
                                   "1x4",
                                   "--policy",
                                   "fifo",
                                   "--json",
                                   "--out",
                                   directory / "out"},
                                  two_jobs);

  // JCT 10 and 16, waiting 0 and 6; 60 of 4 * 20 GPU-seconds held and useful.
  const auto json = nlohmann::json::parse(bytes_of(directory / "out/summary.json"));
  EXPECT_EQ(json["policy"], "fifo");
  EXPECT_EQ(json["finished"], 2);
  EXPECT_EQ(json["jct_s"]["mean"], 13.0);
  EXPECT_EQ(json["jct_s"]["p50"], 10.0);
  EXPECT_EQ(json["jct_s"]["max"], 16.0);
  EXPECT_EQ(json["waited_s"]["mean"], 3.0);
  EXPECT_EQ(json["makespan_s"], 20.0);
  EXPECT_EQ(json["utilization_held"], 0.75);
  EXPECT_EQ(json["utilization_useful"], 0.75);
  EXPECT_EQ(json.count("time_per_decision_s"), 0U);
  EXPECT_EQ(result.json().count("time_per_decision_s"), 1U);
  EXPECT_EQ(result.json()["jct_s"]["mean"], 13.0);
}

TEST(SimulateCommand, PlacementRowsShowEveryNodeThatChanges) {
  const TestDirectory directory;
  // Two nodes of 2: a takes 3 GPUs on both and, when b comes at 5, keeps what elastic_fifo leaves
  // it: 4 GPUs for a until 5, then 2 each; a's workers 2 and 3 leave n1, b goes there.
  const std::string trace =
      "id,submitted,min_gpus,requested_gpus,max_gpus,work_s\na,0,1,4,4,30\nb,5,2,2,2,20\n";

  const auto result = run_command({"simulate",
                                   "-",
                                   "--cluster",
                                   "2x2",
                                   "--policy",
                                   "elastic_fifo",
                                   "--placer",
                                   "steady",
                                   "--out",
                                   directory / "out"},
                                  trace);

  // a: 20 of 30 done at 5, the rest takes 5 s on 2 GPUs; b runs from 5 to 15.
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(
      bytes_of(directory / "out/placements.csv"),
      "time,id,node,gpus\n0.000000,a,n0,2\n0.000000,a,n1,2\n5.000000,a,n1,0\n5.000000,b,n1,2\n"
      "10.000000,a,n0,0\n15.000000,b,n1,0\n");
}

TEST(SimulateCommand, PlainTextNamesTheFigures) {
  const auto result =
      run_command({"simulate", "-", "--cluster", "1x4", "--policy", "fifo"}, two_jobs);

  EXPECT_THAT(
      result.out,
      AllOf(
          HasSubstr("2 of 2 jobs finished in 20 s"), HasSubstr("held 75.0 %"), HasSubstr("13 s")));
}

TEST(SimulateCommand, SaysWhyJobsNeverFinished) {
  const TestDirectory directory;
  // The only node goes for good at 5: a was running, w was waiting; x asks for a type that is not
  // there, and four jobs are too large.
  const std::string events = directory.write("events.csv", "time_s,node,event\n5,n0,down\n");

  const auto result = run_command(
      {"simulate", "-", "--cluster", "1x4:v100", "--policy", "fifo", "--node-events", events},
      "id,submitted,requested_gpus,work_s,gpu_type\na,0,4,40,\nw,1,1,1,v100\nx,0,1,1,a100\n"
      "p,1,5,1,\nq,2,6,1,\nr,3,7,1,\ns,4,8,1,\n");

  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err,
            "voda: warning: fifo: 7 of 7 jobs never finished and are left out of the means: "
            "1 of a gpu_type that no node has ('x': a100); "
            "4 too large for the cluster ('p' needs 5 GPUs of 4, 'q' needs 6 GPUs of 4, "
            "'r' needs 7 GPUs of 4, ...); "
            "1 never started before the end ('w'); "
            "1 started and not done at the end ('a')\n");
}

TEST(SimulateCommand, BadInputLeavesNoDirectory) {
  const TestDirectory directory;
  const std::string events = directory.write("events.csv", "time_s,node,event\n5,n7,down\n");
  const auto refusal = [&directory](std::vector<std::string> arguments, const std::string& trace) {
    for (const char* word : {"--out", ""})
      arguments.emplace_back(word);
    arguments.back() = directory / "deep/er";
    const auto result = run_command(arguments, trace);
    EXPECT_EQ(result.status, 1);
    EXPECT_THAT(directory.files(), UnorderedElementsAre("events.csv"));
    return result.err;
  };

  EXPECT_THAT(
      refusal({"simulate", "-", "--cluster", "1x4", "--node-events", events}, two_jobs),
      HasSubstr("events.csv:2: column 'node': 'n7'; expected the cluster's only node, 'n0'"));
  EXPECT_THAT(refusal({"simulate", "-", "--cluster", "1x4:a+1x4:b"}, two_jobs),
              HasSubstr("standard input:2: job 'a': it names no gpu_type; expected one of"));
  EXPECT_THAT(refusal({"simulate", "-", "--cluster", "1x4"}, two_jobs + "c,0,1,x\n"),
              HasSubstr("standard input:4: column 'work_s': 'x'"));
  // Found only while the simulation runs: 10^12 s of work at 2^-24 of the speed of one GPU.
  const std::string slow = directory.write("events.csv", "model,gpus,speedup\nslow,1,6e-8\n");
  EXPECT_THAT(refusal({"simulate", "-", "--cluster", "1x4", "--speedups", slow},
                      "id,submitted,requested_gpus,work_s,profile\na,0,1,1e12,slow\n"),
              HasSubstr("ends beyond what a clock can hold"));
}

TEST(SimulateCommand, WarnsOfJobsThatNeverFinish) {
  const auto result = run_command({"simulate", "-", "--cluster", "1x4", "--policy", "fifo"},
                                  "id,submitted,requested_gpus,work_s\na,0,2,20\nbig,4,5,40\n");

  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(
      result.err,
      HasSubstr("voda: warning: fifo: 1 of 2 jobs never finished and is left out of the means: 1 "
                "too large for the cluster ('big' needs 5 GPUs of 4)\n"));
}

TEST(SimulateCommand, NamesTheJobsThatATimeLimitCutsOff) {
  const TestDirectory directory;

  const auto result = run_command({"simulate",
                                   "-",
                                   "--cluster",
                                   "1x4",
                                   "--policy",
                                   "fifo",
                                   "--max-time",
                                   "15",
                                   "--out",
                                   directory / "out"},
                                  two_jobs + "c,30,1,1\n");

  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(
      result.err,
      HasSubstr("fifo: ended at --max-time 15; 2 of 3 jobs never finished and are left out of the "
                "means: 1 never started before the end ('c'); 1 started and not done at the end "
                "('b')\n"));
  EXPECT_THAT(bytes_of(directory / "out/jobs.csv"),
              AllOf(HasSubstr("\nb,4.000000,10.000000,,,6.000000,5.000000,20.000000,"),
                    HasSubstr("\nc,30.000000,,,,0.000000,0.000000,0.000000,")));
}

// The only node fails every second or so for an hour, and a restart takes a day.
TEST(SimulateCommand, GivesUpARunThatGetsNowhere) {
  const auto result = run_command({"simulate",
                                   "-",
                                   "--cluster",
                                   "1x1",
                                   "--policy",
                                   "fifo",
                                   "--mtbf",
                                   "1,3600",
                                   "--resize-cost",
                                   "stall:86400"},
                                  "id,submitted,requested_gpus,work_s\na,0,1,1000\n");

  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("fifo: given up: 100000 instants passed in which no job arrived"),
                    HasSubstr("1 of 1 job never finished"),
                    HasSubstr("1 started and not done at the end ('a')\n")));
}

TEST(SimulateCommand, UnfinishedJobsHaveARowWithoutAnEnd) {
  const TestDirectory directory;

  const auto result = run_command(
      {"simulate", "-", "--cluster", "1x4", "--policy", "fifo", "--out", directory / "out"},
      "id,submitted,requested_gpus,work_s\nbig,4,5,40\n");

  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(bytes_of(directory / "out/jobs.csv"),
              AllOf(HasSubstr("\nbig,4.000000,,,,"), HasSubstr(",unfinished\n")));
}

TEST(SimulateCommand, EqualSeedsGiveEqualBytes) {
  const TestDirectory directory;
  const std::string trace =
      run_command({"generate", "--jobs", "60", "--gpus", "16", "--seed", "5"}).out;
  const auto simulate_into = [&](const std::string& out, const std::string& seed) {
    return run_command({"simulate",
                        "-",
                        "--cluster",
                        "4x4",
                        "--policy",
                        "afs_l",
                        "--placer",
                        "steady",
                        "--mtbf",
                        "40000,3600",
                        "--checkpoint",
                        "600",
                        "--resize-cost",
                        "restart:10,5",
                        "--seed",
                        seed,
                        "--out",
                        out},
                       trace)
        .status;
  };

  ASSERT_EQ(simulate_into(directory / "a", "1"), 0);
  ASSERT_EQ(simulate_into(directory / "b", "1"), 0);
  ASSERT_EQ(simulate_into(directory / "c", "2"), 0);

  for (const char* file : {"jobs.csv", "allocations.csv", "placements.csv", "summary.json"}) {
    EXPECT_EQ(bytes_of((directory / "a/") + file), bytes_of((directory / "b/") + file)) << file;
  }
  EXPECT_NE(bytes_of(directory / "a/jobs.csv"), bytes_of(directory / "c/jobs.csv"));
}

TEST(SimulateCommand, BadRowsAreRefusedOrCounted) {
  const std::string trace = "id,submitted,requested_gpus,work_s\na,0,2,20\nb,x,4,40\nc,1,0,40\n";

  const auto refused = run_command({"simulate", "-", "--cluster", "1x4"}, trace);
  EXPECT_EQ(refused.status, 1);
  EXPECT_THAT(refused.err,
              AllOf(HasSubstr("standard input:3"), HasSubstr("submitted"), HasSubstr("'x'")));

  const auto skipped = run_command({"simulate", "-", "--cluster", "1x4", "--lenient"}, trace);
  EXPECT_EQ(skipped.status, 0);
  EXPECT_THAT(skipped.err,
              AllOf(HasSubstr("standard input:3"),
                    HasSubstr("standard input:4"),
                    HasSubstr("2 rows skipped")));
}

TEST(SimulateCommand, WrongOptionsAreUsage) {
  const std::vector<std::vector<std::string>> cases{
      {},
      {"--cluster", "0x4"},
      {"--cluster", "4"},
      {"--cluster", "1x4", "--format", "xls"},
      {"--cluster", "1x4", "--resize-cost", "free"},
      {"--cluster", "1x4", "--mtbf", "100"},
      {"--cluster", "1x4", "--mtbf", "0,5"},
      {"--cluster", "1x4", "--checkpoint", "-1"},
      {"--cluster", "1x4", "--max-time", "0"},
      {"--cluster", "1x4", "--rate-limit", "nan"},
      {"--cluster", "1x4", "--round", "0"},
      {"--cluster", "1x4", "--elastic", "4:1x:2"},
      {"--cluster", "1x4", "--seed", "-1"},
      {"--cluster", "1x4", "--seed", "18446744073709551616"},
      {"--cluster", "1x4", "--placer", "lost"},
      {"--cluster", "1x4", "--policy", "fifo", "--policy", "srjf"}};
  for (std::vector<std::string> arguments : cases) {
    arguments.insert(arguments.begin(), {"simulate", "-"});

    const auto result = run_command(arguments, two_jobs);

    EXPECT_EQ(result.status, 2) << testing::PrintToString(arguments);
    EXPECT_THAT(result.err, StartsWith("voda: "));
    EXPECT_THAT(result.out, IsEmpty());
  }
}

TEST(SimulateCommand, BadFilesAreRefused) {
  const TestDirectory directory;
  const auto cluster = directory.write("cluster.json", R"({"nodes": []})");
  const auto events = directory.write("events.csv", "time_s,node,event\n1,n0,explode\n");
  const auto speedups = directory.write("speedups.csv", "model,gpus,speedup\nm,1,0\n");
  const std::vector<std::vector<std::string>> cases{
      {"--cluster", cluster},
      {"--cluster", "missing/cluster.json"},
      {"--cluster", "1x4", "--node-events", events},
      {"--cluster", "1x4", "--speedups", speedups},
      {"--cluster", "1x4", "--speedups", directory / "missing.csv"}};
  for (std::vector<std::string> arguments : cases) {
    arguments.insert(arguments.begin(), {"simulate", "-"});

    const auto result = run_command(arguments, two_jobs);

    EXPECT_EQ(result.status, 1) << testing::PrintToString(arguments);
    EXPECT_THAT(result.err, StartsWith("voda: "));
  }
}

TEST(SimulateCommand, EmptyTraceIsRefused) {
  const auto result = run_command({"simulate", "-", "--cluster", "1x4"}, "");

  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("standard input"));
}

TEST(SimulateCommand, RefusedInputLeavesNoFiles) {
  const TestDirectory directory;

  const auto result = run_command({"simulate", "-", "--cluster", "1x4", "--out", directory / "out"},
                                  "id,submitted\na,0\n");

  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(directory.files(), IsEmpty());
}

TEST(SimulateCommand, OutputDirectoryThatIsAFileIsAnError) {
  const TestDirectory directory;
  const auto file = directory.write("out", "mine");

  const auto result = run_command({"simulate", "-", "--cluster", "1x4", "--out", file}, two_jobs);

  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr(file));
  EXPECT_EQ(bytes_of(file), "mine");
}

TEST(SimulateCommand, ShippedProfilesNeedNoSpeedupFile) {
  // voda/vgg on 2 GPUs runs slower than linearly, so the job takes longer than 10 s; an unknown name is
  // linear, with a warning.
  const std::string header = "id,submitted,requested_gpus,work_s,profile\n";
  const std::vector<std::string> arguments{"simulate", "-", "--cluster", "1x4", "--json"};

  const auto shipped = run_command(arguments, header + "a,0,2,20,voda/vgg\n");
  const auto unknown = run_command(arguments, header + "a,0,2,20,my_model\n");

  EXPECT_GT(shipped.json()["makespan_s"], 10.0);
  EXPECT_THAT(shipped.err, IsEmpty());
  EXPECT_EQ(unknown.json()["makespan_s"], 10.0);
  EXPECT_THAT(unknown.err, HasSubstr("my_model"));
}

TEST(SimulateCommand, SpeedupFileReplacesShippedProfiles) {
  const TestDirectory directory;
  const auto speedups =
      directory.write("speedups.csv", "model,gpus,speedup\nvgg,1,1\nvgg,2,1.25\n");

  const auto result =
      run_command({"simulate", "-", "--cluster", "1x4", "--json", "--speedups", speedups},
                  "id,submitted,requested_gpus,work_s,profile\na,0,2,20,vgg\n");

  EXPECT_EQ(result.json()["makespan_s"], 16.0);  // 20 / 1.25
}

TEST(SimulateCommand, ElasticMakesRigidJobsGrow) {
  const auto result =
      run_command({"simulate", "-", "--cluster", "1x4", "--json", "--elastic", "1:2x"},
                  "id,submitted,requested_gpus,work_s\na,0,2,20\n");

  EXPECT_EQ(result.json()["makespan_s"], 5.0);  // 4 GPUs instead of 2
}

/// Says from the first look on that Ctrl-C was pressed.
class PressedAtOnce final : public command_line::InterruptWatch {
 public:
  [[nodiscard]] bool has_come() override { return true; }
};

TEST(SimulateCommand, InterruptLeavesFinishedRowsAndNoSummary) {
  const TestDirectory directory;
  auto environment = command_line::plain_environment();
  environment.watch_interrupts = [] { return std::make_unique<PressedAtOnce>(); };
  std::filesystem::create_directories(directory / "out");
  static_cast<void>(directory.write("out/summary.json", "of an earlier run"));

  const auto result = run_command(
      {"simulate", "-", "--cluster", "1x1", "--policy", "fifo", "--out", directory / "out"},
      many_jobs(1000),
      environment);

  EXPECT_EQ(result.status, 130);
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_THAT(result.err, HasSubstr("interrupted"));
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(directory / "out"))
    names.push_back(entry.path().filename());
  EXPECT_THAT(names, UnorderedElementsAre("jobs.csv", "allocations.csv", "placements.csv"));
  const std::string rows = bytes_of(directory / "out/jobs.csv");
  EXPECT_THAT(rows, HasSubstr("\n000,0.000000,0.000000,1.000000,"));
  EXPECT_LT(std::ranges::count(rows, '\n'), 1000);
  EXPECT_TRUE(rows.ends_with("\n"));
}

TEST(SimulateCommand, ProgressIsShownOnATerminalAfterASecond) {
  auto environment = command_line::plain_environment();
  environment.errors_are_terminal = true;
  environment.stopwatch = [now = Duration{}]() mutable {
    return now += std::chrono::milliseconds(20);
  };
  const std::vector<std::string> arguments{"simulate", "-", "--cluster", "1x1", "--policy", "fifo"};

  const auto slow = run_command(arguments, many_jobs(1000), environment);
  EXPECT_THAT(slow.err, AllOf(HasSubstr("of 1000 jobs"), HasSubstr("\r[###")));
  EXPECT_TRUE(slow.err.ends_with("\r\x1b[K"));

  environment.stopwatch = [] { return Duration{}; };
  EXPECT_THAT(run_command(arguments, many_jobs(1000), environment).err, IsEmpty());

  environment.errors_are_terminal = false;
  EXPECT_THAT(run_command(arguments, many_jobs(1000), environment).err, Not(HasSubstr("jobs")));
}

}  // namespace simulate_command_test
}  // namespace voda::test
