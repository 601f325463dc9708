#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "voda/config.hpp"
#include "voda/model/event.hpp"
#include "voda/scheduler/cluster_image.hpp"

namespace voda {

/// The version of the frames that this library writes. Every older one is read.
inline constexpr std::uint16_t record_version = 2;  // 2: with the latest changes of size

/// One frame of a record: a whole state, from which the events after it go on, or an event. A
/// record begins with a state; later ones are written when a scheduler starts again.
using RecordEntry = std::variant<ClusterImage, Event>;

/// Writes a record frame by frame, as things happen.
///
/// A frame is the word `VREC`, version (2 bytes), kind (1: state, 2: event), a zero byte, length of
/// the contents (4), the low half of the CRC-64/XZ of those 12 bytes and the frame's offset in the
/// record (8) (4), the CRC-64/XZ of the contents (8), all little endian, then the contents in
/// cereal's portable binary form. Frames need nothing of earlier ones. Equal entries give equal
/// bytes on every machine.
class RecordWriter {
 public:
  /// The stream must outlive the writer and be open in binary mode; `offset` bytes of the record
  /// are there already.
  explicit RecordWriter(std::ostream& out, std::uint64_t offset = 0)
      : out_(&out), offset_(offset) {}

  /// Appends a frame; throws Error when the stream failed, or when the contents are longer than a
  /// frame can hold (4 GiB).
  void add(const ClusterImage& state);
  void add(const Event& event);

  /// Hands what is buffered to the operating system; throws Error when that fails.
  void flush();

 private:
  void add_frame(std::uint8_t kind, const std::string& contents);

  std::ostream* out_;
  std::uint64_t offset_ = 0;
};

/// What stands behind the last good frame of a record.
struct TornTail {
  std::uint64_t at = 0;     // offset of the first byte that belongs to no good frame
  std::uint64_t bytes = 0;  // from there to the end
  std::string reason{};
};

/// Reads a record entry by entry, holding one frame at a time.
///
/// A frame at the end that was not written whole ends the record: tail() tells how much was cut.
/// Everything else that is wrong throws InvalidInput with the offset: no record, no state at its
/// beginning, a newer version, contents that no writer makes, damage before a frame that is whole
/// (cutting there would lose it).
class RecordReader {
 public:
  /// `in` must outlive the reader and be open in binary mode; `source` names it in messages.
  RecordReader(std::istream& in, std::string source);
  RecordReader(const RecordReader&) = delete;
  RecordReader& operator=(const RecordReader&) = delete;
  ~RecordReader();

  /// The next entry; nothing after the last good one.
  [[nodiscard]] std::optional<RecordEntry> next();

  /// Moves on without decoding the next entry; false after the last good one.
  [[nodiscard]] bool skip();

  /// What was cut, once the end was reached; nothing for a record that ends with a whole frame.
  [[nodiscard]] const std::optional<TornTail>& tail() const;

  /// The offset behind the last entry.
  [[nodiscard]] std::uint64_t offset() const;

 private:
  class Frames;
  std::unique_ptr<Frames> frames_;
};

/// A record in a file, open for appending.
class RecordFile {
 public:
  /// Opens `path`, or creates it. What is torn at its end is cut off. Throws InvalidInput as
  /// RecordReader does, and Error when the file cannot be opened or cut.
  explicit RecordFile(const std::filesystem::path& path);

  RecordFile(const RecordFile&) = delete;
  RecordFile& operator=(const RecordFile&) = delete;

  /// What was cut off when the file was opened.
  [[nodiscard]] const std::optional<TornTail>& cut() const { return cut_; }

  [[nodiscard]] RecordWriter& writer() { return writer_; }

 private:
  std::optional<TornTail> cut_{};
  std::ofstream file_{};
  RecordWriter writer_;
};

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/io/impl/record_inl.hpp"
#endif
