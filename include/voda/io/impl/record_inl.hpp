#pragma once

#include "voda/io/record.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <ostream>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "voda/io/impl/bytes.hpp"
#include "voda/io/impl/event_fields.hpp"
#include "voda/io/impl/record_frames.hpp"
#include "voda/io/impl/state_fields.hpp"
#include "voda/model/error.hpp"

namespace voda {

VODA_INLINE void RecordWriter::add_frame(std::uint8_t kind, const std::string& contents) {
  if (contents.size() > std::numeric_limits<std::uint32_t>::max()) {
    throw Error(
        fmt::format("record: a frame of {} bytes; expected less than 4 GiB", contents.size()));
  }
  std::string frame(record_detail::magic);
  bytes_detail::append(frame, record_version);
  bytes_detail::append(frame, kind);
  bytes_detail::append(frame, std::uint8_t{0});
  bytes_detail::append(frame, static_cast<std::uint32_t>(contents.size()));
  bytes_detail::append(frame, record_detail::header_checksum(frame, offset_));
  bytes_detail::append(frame, bytes_detail::checksum(contents));
  frame += contents;
  out_->write(frame.data(), static_cast<std::streamsize>(frame.size()));
  if (!*out_)
    throw Error("record: a frame could not be written; expected room for it");
  offset_ += frame.size();
}

VODA_INLINE void RecordWriter::add(const ClusterImage& state) {
  state_detail::Writer writer;
  state_detail::carry<state_detail::Writer>(writer, state);
  add_frame(record_detail::state_kind, std::move(writer).take());
}

VODA_INLINE void RecordWriter::add(const Event& event) {
  state_detail::Writer writer;
  state_detail::write_event(writer, event);
  add_frame(record_detail::event_kind, std::move(writer).take());
}

VODA_INLINE void RecordWriter::flush() {
  if (!out_->flush())
    throw Error("record: it could not be written; expected room for it");
}

/// The frames of a stream and what they hold.
class RecordReader::Frames {
 public:
  Frames(std::istream& in, std::string source) : frames_(in, std::move(source)) {}

  [[nodiscard]] bool move_on() { return frames_.next(); }

  [[nodiscard]] RecordEntry decoded() {
    const record_detail::Frame& frame = frames_.frame();
    const std::string name =
        fmt::format("{}: damaged record: frame at byte {}", frames_.source(), frame.at);
    try {
      state_detail::Reader reader(frame.contents, name, frame.version, &curves_);
      RecordEntry entry = frame.kind == record_detail::state_kind
                              ? RecordEntry(read_state(reader))
                              : RecordEntry(state_detail::read_event(reader));
      reader.finish();
      return entry;
    } catch (const cereal::Exception& error) {
      throw InvalidInput(fmt::format("{}: {}", name, error.what()));
    }
  }

  [[nodiscard]] const record_detail::FrameReader& frames() const { return frames_; }

 private:
  [[nodiscard]] static ClusterImage read_state(state_detail::Reader& reader) {
    ClusterImage image;
    state_detail::carry<state_detail::Reader>(reader, image);
    state_detail::check_jobs(image, reader);
    return image;
  }

  record_detail::FrameReader frames_;
  state_detail::CurvePool curves_{};
};

VODA_INLINE RecordReader::RecordReader(std::istream& in, std::string source)
    : frames_(std::make_unique<Frames>(in, std::move(source))) {}

VODA_INLINE RecordReader::~RecordReader() = default;

VODA_INLINE std::optional<RecordEntry> RecordReader::next() {
  if (!frames_->move_on())
    return std::nullopt;
  return frames_->decoded();
}

VODA_INLINE bool RecordReader::skip() {
  return frames_->move_on();
}

VODA_INLINE const std::optional<TornTail>& RecordReader::tail() const {
  return frames_->frames().tail();
}

VODA_INLINE std::uint64_t RecordReader::offset() const {
  return frames_->frames().offset();
}

namespace record_detail {

/// Cuts what is torn at the end of a record; nothing to do where there is no file yet.
[[nodiscard]] inline std::optional<TornTail> cut_tail(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error) || std::filesystem::file_size(path, error) == 0)
    return std::nullopt;
  std::ifstream in(path, std::ios::binary);
  if (!in)
    throw Error(fmt::format("{}: cannot be opened; expected a record", path.string()));
  RecordReader reader(in, path.string());
  while (reader.skip()) {
  }
  if (!reader.tail())
    return std::nullopt;
  std::filesystem::resize_file(path, reader.tail()->at, error);
  if (error)
    throw Error(
        fmt::format("{}: its torn end could not be cut: {}", path.string(), error.message()));
  return reader.tail();
}

[[nodiscard]] inline std::uint64_t size_of(const std::filesystem::path& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  return error ? 0 : size;
}

}  // namespace record_detail

VODA_INLINE RecordFile::RecordFile(const std::filesystem::path& path)
    : cut_(record_detail::cut_tail(path)),
      file_(path, std::ios::binary | std::ios::app),
      writer_(file_, record_detail::size_of(path)) {
  if (!file_)
    throw Error(fmt::format("{}: cannot be opened for appending", path.string()));
}

}  // namespace voda
