#include "voda/io/checkpoint.hpp"

#include <filesystem>
#include <string>

#include "support/checkpoint_bytes.hpp"
#include "support/full_state.hpp"
#include "support/io_checks.hpp"
#include "voda/io/text_file.hpp"

namespace voda {
namespace checkpoint_test {

using test::at_us;
using test::full_image;
using test::full_job;
using test::message_of;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::size_t header_size = 28;

[[nodiscard]] std::string refusal_of(const std::string& bytes) {
  return message_of([&] { return read_checkpoint(bytes, "c.bin"); });
}

TEST(Checkpoint, GivesBackEveryField) {
  const ClusterImage image = full_image();

  const ClusterImage again = read_checkpoint(write_checkpoint(image), "c.bin");

  EXPECT_EQ(again.now, image.now);
  EXPECT_EQ(again.observation, image.observation);
  EXPECT_EQ(again.policy.allocator, "srjf");
  EXPECT_EQ(again.policy.placer, "steady");
  ASSERT_EQ(again.pools.size(), 2u);
  const PoolImage& pool = again.pools[0];
  EXPECT_EQ(pool.gpu_type, "v100");
  EXPECT_EQ(pool.nodes.at(0).node, image.pools[0].nodes[0].node);
  EXPECT_TRUE(pool.nodes.at(0).is_lost);
  EXPECT_EQ(pool.counted_gpus, 12);
  EXPECT_EQ(pool.review_at, at_us(456));
  EXPECT_TRUE(pool.is_due);
  EXPECT_EQ(pool.pacer, image.pools[0].pacer);
  ASSERT_EQ(pool.jobs.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    const JobImage& read = pool.jobs[i];
    const JobImage& written = image.pools[0].jobs[i];
    EXPECT_EQ(read.job.id, written.job.id);
    EXPECT_EQ(read.job.submitted, written.job.submitted);
    EXPECT_EQ(read.job.spec, written.job.spec);
    EXPECT_EQ(read.job.progress, written.job.progress);
    EXPECT_EQ(read.job.work, written.job.work);
    EXPECT_EQ(read.job.speedup, written.job.speedup);
    EXPECT_EQ(read.lifetime_before, written.lifetime_before);
    EXPECT_EQ(read.clock, written.clock);
    EXPECT_EQ(read.held, written.held);
    EXPECT_EQ(read.node_of_worker, written.node_of_worker);
    EXPECT_EQ(read.observed_node_of_worker, written.observed_node_of_worker);
    EXPECT_EQ(read.span, written.span);
  }
  EXPECT_FALSE(again.pools[1].counted_gpus);
}

TEST(Checkpoint, EqualStatesGiveEqualBytes) {
  const std::string bytes = write_checkpoint(full_image());
  EXPECT_EQ(bytes, write_checkpoint(full_image()));
  EXPECT_EQ(bytes, write_checkpoint(read_checkpoint(bytes, "c.bin")));
}

TEST(Checkpoint, JobsShareTheirCurveAgain) {
  const ClusterImage again = read_checkpoint(write_checkpoint(full_image()), "c.bin");
  EXPECT_TRUE(
      again.pools[0].jobs[0].job.speedup.shares_table_with(again.pools[0].jobs[1].job.speedup));
}

TEST(Checkpoint, HasTheDocumentedHeader) {
  const std::string bytes = write_checkpoint(full_image());
  EXPECT_EQ(bytes, test::checkpoint_of(bytes.substr(header_size)));
  EXPECT_EQ(test::crc64("123456789"), 0x995DC9BBDF1939FAu);
}

TEST(Checkpoint, RefusesEveryTruncation) {
  const std::string bytes = write_checkpoint(full_image());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const std::string message = refusal_of(bytes.substr(0, size));
    EXPECT_THAT(message,
                size == 0 ? StartsWith("c.bin: not a checkpoint")
                          : StartsWith("c.bin: truncated checkpoint"));
  }
}

TEST(Checkpoint, RefusesEveryTruncationUnderAValidChecksum) {
  const std::string contents = write_checkpoint(full_image()).substr(header_size);
  for (std::size_t size = 0; size < contents.size(); ++size) {
    EXPECT_THAT(refusal_of(test::checkpoint_of(contents.substr(0, size))),
                StartsWith("c.bin: damaged checkpoint: "));
  }
}

TEST(Checkpoint, RefusesEveryFlippedByte) {
  const std::string bytes = write_checkpoint(full_image());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x20);
    EXPECT_THAT(refusal_of(damaged), StartsWith("c.bin: ")) << i;
  }
}

/// The first frame of tests/io/golden/version_1.rec holds full_image() as version 2 wrote it.
TEST(Checkpoint, TheVersionBeforeIsRead) {
  const std::string record =
      read_text_file(std::string(VODA_TESTS_DIR) + "/io/golden/version_1.rec");
  const auto byte = [&record](std::size_t i) { return static_cast<unsigned char>(record[i]); };
  const std::string contents = record.substr(24, std::size_t{byte(8)} + 256 * std::size_t{byte(9)});
  ClusterImage expected = full_image();
  test::forget_what_version_1_lacks(expected);

  const ClusterImage image = read_checkpoint(test::checkpoint_of(contents, 2), "c.bin");

  EXPECT_EQ(write_checkpoint(image), write_checkpoint(expected));
}

TEST(Checkpoint, SaysWhatIsWrong) {
  const std::string bytes = write_checkpoint(full_image());
  std::string newer = bytes;
  newer[8] = 4;
  std::string older = bytes;
  older[8] = 1;
  std::string damaged = bytes;
  damaged.back() ^= 1;
  EXPECT_EQ(refusal_of("{\"version\": 1}"),
            "c.bin: not a checkpoint: it begins with '{\"versio'; expected 'VODACKPT'");
  EXPECT_EQ(refusal_of(newer), "c.bin: checkpoint of version 4; expected 2 to 3");
  EXPECT_EQ(refusal_of(older), "c.bin: checkpoint of version 1; expected 2 to 3");
  EXPECT_EQ(refusal_of(bytes + "x"),
            "c.bin: 1 bytes after the end of the checkpoint; expected none");
  EXPECT_THAT(refusal_of(damaged), HasSubstr("c.bin: damaged checkpoint: checksum "));
}

TEST(Checkpoint, DoesNotBelieveSizesThatItsBytesCannotBearOut) {
  // One byte of cereal's for the byte order, `now`, the observation, then the length of the
  // allocator's name.
  const std::string start = std::string(1, '\1') + test::little_endian(0, 8) + std::string(1, '\0');
  const std::string huge = start + test::little_endian(UINT64_MAX, 8);
  const std::string many_pools =
      start + std::string(16, '\0') + test::little_endian(std::uint64_t{1} << 40, 8);
  EXPECT_EQ(refusal_of(test::checkpoint_of(huge)),
            "c.bin: damaged checkpoint: a size of 18446744073709551615 with 0 bytes left");
  EXPECT_EQ(refusal_of(test::checkpoint_of(many_pools)),
            "c.bin: damaged checkpoint: a size of 1099511627776 with 0 bytes left");
}

TEST(Checkpoint, RefusesJobsThatNoWriterMakes) {
  ClusterImage image = full_image();
  image.pools[0].jobs[1].job.spec.requested_gpus = 1;
  EXPECT_EQ(refusal_of(write_checkpoint(image)),
            "c.bin: damaged checkpoint: job 'b': requested_gpus 1 < min_gpus 2");
}

TEST(Checkpoint, ReplacesAFileAsAWhole) {
  const auto path = std::filesystem::temp_directory_path() / "voda_checkpoint_test.bin";
  ClusterImage image = full_image();
  save_checkpoint(path, image);
  image.now = at_us(777);
  save_checkpoint(path, image);

  const ClusterImage again = load_checkpoint(path);
  std::filesystem::remove(path);

  EXPECT_EQ(again.now, at_us(777));
  EXPECT_FALSE(std::filesystem::exists(path.string() + ".new"));
}

TEST(Checkpoint, NamesTheFileThatCannotBeWritten) {
  try {
    save_checkpoint("no/such/folder/c.bin", full_image());
    FAIL() << "expected Error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(),
                StartsWith("no/such/folder/c.bin.new: the checkpoint could not be written"));
  }
}

}  // namespace checkpoint_test
}  // namespace voda
