#pragma once

#include <algorithm>
#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "voda/io/impl/bytes.hpp"
#include "voda/io/record.hpp"
#include "voda/model/error.hpp"
#include "voda/model/number_text.hpp"

namespace voda::record_detail {

inline constexpr std::string_view magic = "VREC";
inline constexpr std::size_t header_size = 4 + 2 + 1 + 1 + 4 + 4 + 8;
inline constexpr std::uint8_t state_kind = 1;
inline constexpr std::uint8_t event_kind = 2;

/// One frame as it lies in a record.
struct Frame {
  std::uint64_t at = 0;
  std::uint16_t version = 0;
  std::uint8_t kind = 0;
  std::string contents{};
};

struct Header {
  std::uint16_t version = 0;
  std::uint8_t kind = 0;
  std::uint32_t length = 0;
  std::uint64_t checksum = 0;  // of the contents
};

/// Where a frame lies is part of its checksum, so that bytes that look like a frame within another
/// one, a job's name say, are not taken for one.
[[nodiscard]] inline std::uint32_t header_checksum(std::string_view front, std::uint64_t at) {
  std::string bytes(front);
  bytes_detail::append(bytes, at);
  return static_cast<std::uint32_t>(bytes_detail::checksum(bytes));
}

/// The header at the front of some bytes, which lie at `at` in the record; nothing when there is
/// none that is whole.
[[nodiscard]] inline std::optional<Header> header_at(std::string_view bytes, std::uint64_t at) {
  if (bytes.size() < header_size || !bytes.starts_with(magic))
    return std::nullopt;
  const auto expected = header_checksum(bytes.substr(0, 12), at);
  bytes.remove_prefix(magic.size());
  Header header{.version = bytes_detail::take<std::uint16_t>(bytes),
                .kind = bytes_detail::take<std::uint8_t>(bytes)};
  bytes.remove_prefix(1);
  header.length = bytes_detail::take<std::uint32_t>(bytes);
  if (bytes_detail::take<std::uint32_t>(bytes) != expected)
    return std::nullopt;
  header.checksum = bytes_detail::take<std::uint64_t>(bytes);
  return header;
}

/// Frame after frame of a stream, with a window on its bytes that is as long as a frame needs.
class FrameReader {
 public:
  FrameReader(std::istream& in, std::string source) : in_(&in), source_(std::move(source)) {}

  /// Moves on to the next frame that is whole; false at the end.
  [[nodiscard]] bool next() {
    if (tail_)
      return false;
    drop(frame_size_);
    frame_size_ = 0;
    if (!fill(1) && offset_ > 0)
      return false;
    const auto header = fill(header_size) ? header_at(window(), offset_) : std::nullopt;
    if (!header) {
      refuse_what_is_no_record();
      cut("no whole header");
      return false;
    }
    const std::uint64_t size = header_size + header->length;
    if (!fill(size)) {
      cut(fmt::format("{} of the {} bytes of a frame", window().size(), size));
      return false;
    }
    if (!is_whole(*header)) {
      cut("a frame with another checksum than its contents");
      return false;
    }
    take(*header, static_cast<std::size_t>(size));
    return true;
  }

  [[nodiscard]] const Frame& frame() const { return frame_; }

  [[nodiscard]] const std::string& source() const { return source_; }

  [[nodiscard]] const std::optional<TornTail>& tail() const { return tail_; }

  /// Behind the current frame.
  [[nodiscard]] std::uint64_t offset() const { return offset_ + frame_size_; }

 private:
  static constexpr std::size_t chunk = std::size_t{1} << 16;
  static constexpr std::uint64_t most_checked = std::uint64_t{1} << 28;  // bytes, bounds the time

  [[nodiscard]] std::string_view window() const { return std::string_view(bytes_).substr(begin_); }

  /// Reads until the window holds `size` bytes; false when the stream ends before. A size is
  /// believed only as far as bytes come.
  [[nodiscard]] bool fill(std::uint64_t size) {
    while (bytes_.size() - begin_ < size && *in_) {
      if (begin_ > chunk) {
        bytes_.erase(0, begin_);
        begin_ = 0;
      }
      const std::size_t old = bytes_.size();
      bytes_.resize(old + chunk);
      in_->read(bytes_.data() + old, static_cast<std::streamsize>(chunk));
      bytes_.resize(old + static_cast<std::size_t>(in_->gcount()));
    }
    if (in_->bad())
      throw InvalidInput(fmt::format("{}: could not be read to its end", source_));
    return bytes_.size() - begin_ >= size;
  }

  void drop(std::size_t size) {
    begin_ += size;
    offset_ += size;
  }

  [[nodiscard]] bool is_whole(const Header& header) const {
    return bytes_detail::checksum(window().substr(header_size, header.length)) == header.checksum;
  }

  void take(const Header& header, std::size_t size) {
    if (header.version == 0 || header.version > record_version) {
      throw InvalidInput(fmt::format("{}: frame at byte {} of version {}; expected 1 to {}",
                                     source_,
                                     offset_,
                                     header.version,
                                     record_version));
    }
    if (header.kind != state_kind && (header.kind != event_kind || offset_ == 0)) {
      throw InvalidInput(fmt::format("{}: frame at byte {} of kind {}; expected {}",
                                     source_,
                                     offset_,
                                     header.kind,
                                     offset_ == 0 ? "1, a state" : "1 or 2"));
    }
    frame_ = {.at = offset_, .version = header.version, .kind = header.kind};
    frame_.contents = window().substr(header_size, header.length);
    frame_size_ = size;
  }

  void refuse_what_is_no_record() const {
    const std::string_view begin = window().substr(0, magic.size());
    if (offset_ == 0 && (begin.empty() || !magic.starts_with(begin))) {
      throw InvalidInput(fmt::format(
          "{}: not a record: it begins with '{}'; expected '{}'", source_, shown(begin), magic));
    }
  }

  /// The rest is torn, unless a frame that is whole comes after it: that one would be lost.
  void cut(std::string reason) {
    TornTail tail{.at = offset_, .reason = std::move(reason)};
    std::uint64_t checked = 0;
    drop(std::min<std::size_t>(1, window().size()));
    while (fill(header_size)) {
      const std::size_t candidate = window().find(magic);
      if (candidate != 0) {
        drop(std::min(candidate, window().size() - (magic.size() - 1)));
        continue;
      }
      const auto header = header_at(window(), offset_);
      if (header && fill(header_size + std::uint64_t{header->length})) {
        checked += header->length;
        if (is_whole(*header) || checked > most_checked)
          refuse_damage(tail);
      }
      drop(1);
    }
    offset_ += window().size();
    tail.bytes = offset_ - tail.at;
    offset_ = tail.at;
    tail_ = std::move(tail);
  }

  [[noreturn]] void refuse_damage(const TornTail& tail) const {
    throw InvalidInput(
        fmt::format("{}: damaged record: {} at byte {}, and frames after byte {}; expected whole "
                    "frames up to the end or up to a torn one",
                    source_,
                    tail.reason,
                    tail.at,
                    offset_));
  }

  std::istream* in_;
  std::string source_;
  std::string bytes_{};
  std::size_t begin_ = 0;       // of the window
  std::uint64_t offset_ = 0;    // of the window in the stream
  std::size_t frame_size_ = 0;  // of the current frame, at the front of the window
  Frame frame_{};
  std::optional<TornTail> tail_{};
};

}  // namespace voda::record_detail
