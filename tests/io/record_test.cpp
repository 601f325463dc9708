#include "voda/io/record.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "support/full_state.hpp"
#include "support/io_checks.hpp"
#include "support/record_bytes.hpp"
#include "voda/io/checkpoint.hpp"
#include "voda/io/text_file.hpp"

namespace voda {
namespace record_test {

using test::at_us;
using test::events_of_all_kinds;
using test::frame_of;
using test::message_of;
using ::testing::HasSubstr;
using ::testing::StartsWith;

[[nodiscard]] ClusterImage some_state() {
  ClusterImage image{.now = at_us(5), .policy = {.allocator = "fifo", .placer = "none"}};
  image.pools.push_back({.gpu_type = "v100", .counted_gpus = 8});
  return image;
}

[[nodiscard]] std::string record_of(const std::vector<Event>& events) {
  std::ostringstream out;
  RecordWriter writer(out);
  writer.add(some_state());
  for (const Event& event : events)
    writer.add(event);
  writer.flush();
  return out.str();
}

[[nodiscard]] std::string bytes_of(const std::vector<RecordEntry>& entries) {
  std::ostringstream out;
  RecordWriter writer(out);
  for (const RecordEntry& entry : entries)
    std::visit([&writer](const auto& value) { writer.add(value); }, entry);
  return out.str();
}

struct ReadRecord {
  std::vector<RecordEntry> entries{};
  std::optional<TornTail> tail{};
  std::uint64_t offset = 0;
};

[[nodiscard]] ReadRecord read(const std::string& bytes) {
  std::istringstream in(bytes);
  RecordReader reader(in, "r.rec");
  ReadRecord result;
  while (auto entry = reader.next())
    result.entries.push_back(std::move(*entry));
  result.tail = reader.tail();
  result.offset = reader.offset();
  return result;
}

[[nodiscard]] std::string refusal_of(const std::string& bytes) {
  return message_of([&] { return read(bytes); });
}

/// Where the frames of a record end, one after the other.
[[nodiscard]] std::vector<std::uint64_t> ends_of_frames(const std::string& bytes) {
  std::istringstream in(bytes);
  RecordReader reader(in, "r.rec");
  std::vector<std::uint64_t> ends;
  while (reader.skip())
    ends.push_back(reader.offset());
  return ends;
}

void expect_equal(const Job& read, const Job& written) {
  EXPECT_EQ(read.id, written.id);
  EXPECT_EQ(read.submitted, written.submitted);
  EXPECT_EQ(read.spec, written.spec);
  EXPECT_EQ(read.progress, written.progress);
  EXPECT_EQ(read.work, written.work);
  EXPECT_EQ(read.speedup, written.speedup);
}

template <class Body>
[[nodiscard]] const Body& body_of(const RecordEntry& entry) {
  return std::get<Body>(std::get<Event>(entry).body);
}

TEST(Record, GivesBackEveryFieldOfEveryEvent) {
  const std::vector<Event> events = events_of_all_kinds();

  const ReadRecord again = read(record_of(events));

  ASSERT_EQ(again.entries.size(), events.size() + 1);
  EXPECT_EQ(write_checkpoint(std::get<ClusterImage>(again.entries[0])),
            write_checkpoint(some_state()));
  for (std::size_t i = 0; i < events.size(); ++i) {
    const auto& event = std::get<Event>(again.entries[i + 1]);
    EXPECT_EQ(event.at, events[i].at);
    EXPECT_EQ(event.body.index(), events[i].body.index());
  }
  const auto written = [&events](std::size_t i) { return RecordEntry(events[i]); };
  const std::vector<RecordEntry>& entries = again.entries;
  EXPECT_EQ(body_of<NodeJoined>(entries[1]).node, body_of<NodeJoined>(written(0)).node);
  const auto& submitted = body_of<JobSubmitted>(entries[2]);
  expect_equal(submitted.job, std::get<JobSubmitted>(events[1].body).job);
  EXPECT_EQ(submitted.held, 2);
  EXPECT_EQ(submitted.node_of_worker, std::vector<NodeId>{{"n0"}});
  EXPECT_EQ(body_of<JobChanged>(entries[3]).job.value, "a");
  EXPECT_EQ(body_of<JobChanged>(entries[3]).spec, std::get<JobChanged>(events[2].body).spec);
  const auto& measured = body_of<JobMeasured>(entries[4]);
  EXPECT_EQ(measured.remaining_s, 0.1);
  EXPECT_EQ(measured.stalled_until, at_us(9));
  EXPECT_EQ(measured.speedup, submitted.job.speedup);
  EXPECT_EQ(body_of<WorkersSeen>(entries[5]).node_of_worker, (std::vector<NodeId>{{"n0"}, {"n1"}}));
  EXPECT_EQ(body_of<WorkerFailed>(entries[6]).node.value, "n0");
  EXPECT_FALSE(body_of<NodeChanged>(entries[7]).node.schedulable);
  EXPECT_EQ(body_of<NodeLeft>(entries[8]).node.value, "n0");
  EXPECT_EQ(body_of<CapacityChanged>(entries[9]).gpus, 12);
  EXPECT_EQ(body_of<PolicyChanged>(entries[10]).placer, "none");
  EXPECT_EQ(body_of<Decided>(entries[11]), std::get<Decided>(events[10].body));
  EXPECT_EQ(body_of<JobFinished>(entries[12]).job.value, "a");
  EXPECT_FALSE(again.tail);
}

TEST(Record, FramesAreAsDocumented) {
  // by hand: cereal's byte for little endian, the instant, the kind (JobFinished is number 1), the
  // length of the name, the name
  const std::string contents = std::string("\x01", 1) + test::little_endian(11, 8) +
                               test::little_endian(1, 1) + test::little_endian(1, 8) + "a";
  const std::string start = record_of({});

  const std::string whole = record_of({{.at = at_us(11), .body = JobFinished{.job = {"a"}}}});

  EXPECT_EQ(whole, start + frame_of(contents, {.at = start.size()}));
}

/// tests/io/golden holds a record of each version, of full_image() and events_of_all_kinds() as
/// that version knew them. They were written once and stay.
TEST(Record, RecordsOfEveryVersionAreRead) {
  for (int version = 1; version <= record_version; ++version) {
    std::vector<RecordEntry> expected{test::full_image()};
    for (const Event& event : events_of_all_kinds())
      expected.emplace_back(event);
    if (version < 2) {
      for (RecordEntry& entry : expected)
        std::visit([](auto& value) { test::forget_what_version_1_lacks(value); }, entry);
    }

    const std::string path = fmt::format("{}/io/golden/version_{}.rec", VODA_TESTS_DIR, version);
    const ReadRecord again = read(read_text_file(path));

    EXPECT_EQ(bytes_of(again.entries), bytes_of(expected)) << path;
  }
}

TEST(Record, JobsOfOneProfileShareItsCurveAgain) {
  const SpeedupCurve curve({{1, 1}, {2, 1.5}});
  const Job a{.id = {"a"}, .speedup = curve};
  const Job b{.id = {"b"}, .speedup = curve};

  const ReadRecord again = read(record_of({{.at = at_us(6), .body = JobSubmitted{.job = a}},
                                           {.at = at_us(6), .body = JobSubmitted{.job = b}}}));

  EXPECT_TRUE(
      body_of<JobSubmitted>(again.entries.at(1))
          .job.speedup.shares_table_with(body_of<JobSubmitted>(again.entries.at(2)).job.speedup));
}

TEST(Record, ATornEndIsCutAtTheLastWholeFrameWhereverItTears) {
  const std::string whole = record_of(events_of_all_kinds());
  const std::vector<std::uint64_t> ends = ends_of_frames(whole);
  ASSERT_EQ(ends.back(), whole.size());

  for (std::size_t size = 1; size < whole.size(); ++size) {
    const ReadRecord again = read(whole.substr(0, size));

    const auto frames =
        static_cast<std::size_t>(std::ranges::upper_bound(ends, size) - ends.begin());
    const std::uint64_t good = frames == 0 ? 0 : ends[frames - 1];
    ASSERT_EQ(again.entries.size(), frames) << size;
    ASSERT_EQ(again.offset, good) << size;
    ASSERT_EQ(again.tail.has_value(), size != good) << size;
    if (again.tail) {
      ASSERT_EQ(again.tail->at, good) << size;
      ASSERT_EQ(again.tail->bytes, size - good) << size;
    }
  }
}

TEST(Record, AnyChangedBitIsSeen) {
  const std::string whole = record_of({{.at = at_us(6), .body = JobFinished{.job = {"a"}}},
                                       {.at = at_us(7), .body = JobFinished{.job = {"b"}}}});
  const std::vector<std::uint64_t> ends = ends_of_frames(whole);

  for (std::size_t bit = 0; bit < whole.size() * 8; ++bit) {
    std::string damaged = whole;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    if (bit / 8 >= ends[1]) {
      // only the last frame: it counts as torn
      const ReadRecord again = read(damaged);
      ASSERT_EQ(again.entries.size(), 2u) << bit;
      ASSERT_EQ(again.tail.value().at, ends[1]) << bit;
    } else {
      ASSERT_THAT(refusal_of(damaged), StartsWith("r.rec: ")) << bit;
    }
  }
}

TEST(Record, DamageBeforeWholeFramesIsNotCut) {
  std::string bytes = record_of({{.at = at_us(6), .body = JobFinished{.job = {"a"}}},
                                 {.at = at_us(7), .body = JobFinished{.job = {"b"}}}});
  const std::vector<std::uint64_t> ends = ends_of_frames(bytes);
  bytes[ends[1] - 1] ^= 1;

  EXPECT_EQ(refusal_of(bytes),
            fmt::format("r.rec: damaged record: a frame with another checksum than its contents at "
                        "byte {}, and frames after byte {}; expected whole frames up to the end or "
                        "up to a torn one",
                        ends[0],
                        ends[1]));
}

TEST(Record, ATornFrameThatHoldsTheBytesOfAFrameIsTornAllTheSame) {
  const std::string start = record_of({});
  const std::string inner = record_of({{.at = at_us(7), .body = JobFinished{.job = {"b"}}}});
  const std::string whole = record_of({{.at = at_us(6), .body = JobFinished{.job = {inner}}}});

  const ReadRecord again = read(whole.substr(0, whole.size() - 1));

  EXPECT_EQ(again.entries.size(), 1u);
  EXPECT_EQ(again.tail.value().at, start.size());
}

TEST(Record, WhatIsNoRecordIsRefused) {
  EXPECT_EQ(refusal_of(""), "r.rec: not a record: it begins with ''; expected 'VREC'");
  EXPECT_EQ(refusal_of("id,submitted\n"),
            "r.rec: not a record: it begins with 'id,s'; expected 'VREC'");
}

TEST(Record, FramesThatNoWriterMakesAreRefused) {
  const std::string start = record_of({});
  const auto after_start = [&start](const std::string& contents, test::FrameFields fields) {
    fields.at = start.size();
    return start + frame_of(contents, fields);
  };

  EXPECT_EQ(refusal_of(after_start("", {.version = 3})),
            fmt::format("r.rec: frame at byte {} of version 3; expected 1 to 2", start.size()));
  EXPECT_EQ(refusal_of(after_start("", {.kind = 3})),
            fmt::format("r.rec: frame at byte {} of kind 3; expected 1 or 2", start.size()));
  EXPECT_EQ(refusal_of(frame_of("", {.kind = 2})),
            "r.rec: frame at byte 0 of kind 2; expected 1, a state");
  EXPECT_THAT(refusal_of(after_start("", {})),
              StartsWith(fmt::format("r.rec: damaged record: frame at byte {}: ", start.size())));
  const std::string unknown_kind =
      std::string("\x01", 1) + test::little_endian(11, 8) + test::little_endian(12, 1);
  EXPECT_THAT(refusal_of(after_start(unknown_kind, {})),
              HasSubstr("an event of kind 12; expected 0 to 11"));
  const std::string too_long = std::string("\x01", 1) + test::little_endian(11, 8) +
                               test::little_endian(1, 1) + test::little_endian(1, 8) + "ab";
  EXPECT_THAT(refusal_of(after_start(too_long, {})), HasSubstr("1 bytes after its end"));
  const std::string huge_name = std::string("\x01", 1) + test::little_endian(11, 8) +
                                test::little_endian(1, 1) + test::little_endian(1ULL << 60, 8);
  EXPECT_THAT(refusal_of(after_start(huge_name, {})), HasSubstr("with 0 bytes left"));
}

class RecordFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    path_ = std::filesystem::path(::testing::TempDir()) /
            fmt::format("voda_record_{}.rec",
                        ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::remove(path_);
  }

  void TearDown() override { std::filesystem::remove(path_); }

  std::filesystem::path path_{};
};

TEST_F(RecordFileTest, GoesOnBehindTheLastWholeFrame) {
  const std::vector<Event> events = events_of_all_kinds();
  const std::string bytes = record_of({events[0], events[1]});
  const std::string first = record_of({events[0]});
  std::ofstream(path_, std::ios::binary) << bytes.substr(0, bytes.size() - 3);

  {
    RecordFile file(path_);
    ASSERT_TRUE(file.cut());
    EXPECT_EQ(file.cut()->at, first.size());
    EXPECT_EQ(file.cut()->bytes, bytes.size() - 3 - first.size());
    file.writer().add(events[1]);
    file.writer().flush();
  }

  EXPECT_EQ(read_text_file(path_), bytes);
}

TEST_F(RecordFileTest, ANewFileBeginsAtItsBeginning) {
  {
    RecordFile file(path_);
    EXPECT_FALSE(file.cut());
    file.writer().add(some_state());
  }

  EXPECT_EQ(read_text_file(path_), record_of({}));
}

TEST_F(RecordFileTest, AFileThatIsNoRecordStaysAsItIs) {
  std::ofstream(path_) << "notes";

  EXPECT_THROW(RecordFile{path_}, InvalidInput);

  EXPECT_EQ(read_text_file(path_), "notes");
}

}  // namespace record_test
}  // namespace voda
