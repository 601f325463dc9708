#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <istream>
#include <map>
#include <optional>
#include <sstream>
#include <streambuf>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <cereal/archives/portable_binary.hpp>
#include <fmt/format.h>

#include "voda/model/error.hpp"
#include "voda/model/speedup_curve.hpp"

namespace voda::state_detail {

using Points = std::map<GpuCount, double>;
using Factors = std::map<std::int32_t, double>;

/// Of the fields that carry() goes through; each form says which version it holds.
/// 2: the latest changes of a job's size.
inline constexpr std::uint16_t fields_version = 2;

/// Writes values; carry() of state_fields.hpp says which, for both directions.
class Writer {
 public:
  static constexpr bool is_reading = false;

  [[nodiscard]] static constexpr std::uint16_t fields_version() {
    return state_detail::fields_version;
  }

  template <class Number>
  void number(const Number& value) {
    archive_(value);
  }

  void flag(const bool& value) { number(static_cast<std::uint8_t>(value ? 1 : 0)); }

  void text(const std::string& value) {
    number(static_cast<std::uint64_t>(value.size()));
    archive_(cereal::binary_data(value.data(), value.size()));
  }

  /// The number of elements of a list; each takes at least one byte.
  std::size_t count(std::size_t size) {
    number(static_cast<std::uint64_t>(size));
    return size;
  }

  /// A curve that was written before is a number only.
  void curve(const SpeedupCurve& curve) {
    const auto [entry, is_new] = number_of_curve_.emplace(
        std::pair(curve.points(), curve.span_factors()), number_of_curve_.size());
    number(static_cast<std::uint64_t>(entry->second));
    if (!is_new)
      return;
    table(entry->first.first);
    table(entry->first.second);
  }

  [[nodiscard]] std::string take() && { return std::move(bytes_).str(); }

 private:
  void table(const std::map<std::int32_t, double>& values) {
    count(values.size());
    for (const auto& [at, value] : values) {
      number(at);
      number(value);
    }
  }

  std::ostringstream bytes_{};
  cereal::PortableBinaryOutputArchive archive_{
      bytes_, cereal::PortableBinaryOutputArchive::Options::LittleEndian()};
  std::map<std::pair<Points, Factors>, std::uint64_t> number_of_curve_{};
};

/// Gives out bytes that lie elsewhere, without a copy, and knows how many are left.
class ByteSource final : public std::streambuf {
 public:
  explicit ByteSource(std::string_view bytes) {
    char* begin =
        const_cast<char*>(bytes.data());  // streambuf has no const form; nothing writes through it
    setg(begin, begin, begin + bytes.size());
  }

  [[nodiscard]] std::uint64_t left() const { return static_cast<std::uint64_t>(egptr() - gptr()); }
};

/// Curves that were read lately, so that jobs of one profile share theirs although each brings its
/// own; of bounded size.
class CurvePool {
 public:
  [[nodiscard]] SpeedupCurve shared(const SpeedupCurve& curve) {
    if (curves_.size() >= most_curves)
      curves_.clear();
    return curves_.try_emplace(std::pair(curve.points(), curve.span_factors()), curve)
        .first->second;
  }

 private:
  static constexpr std::size_t most_curves = 4096;
  std::map<std::pair<Points, Factors>, SpeedupCurve> curves_{};
};

/// Reads values; a size is believed only as far as the bytes that are left can bear it out.
class Reader {
 public:
  static constexpr bool is_reading = true;

  /// `source` is how messages call what is read, `fields` the version that it holds; `pool` may be
  /// null.
  Reader(std::string_view bytes,
         std::string source,
         std::uint16_t fields,
         CurvePool* pool = nullptr)
      : source_(std::move(source)),
        fields_(fields),
        bytes_(bytes),
        in_(&bytes_),
        archive_(in_),
        pool_(pool) {}

  [[nodiscard]] std::uint16_t fields_version() const { return fields_; }

  [[noreturn]] void fail(std::string_view message) const {
    throw InvalidInput(fmt::format("{}: {}", source_, message));
  }

  template <class Number>
  void number(Number& value) {
    if (bytes_.left() < sizeof(Number))
      fail("it ends inside a value");
    archive_(value);
    if constexpr (std::is_floating_point_v<Number>) {
      if (!std::isfinite(value))
        fail(fmt::format("{} in place of a finite number", value));
    }
  }

  void flag(bool& value) {
    std::uint8_t byte = 0;
    number(byte);
    if (byte > 1)
      fail(fmt::format("{} in place of true or false", byte));
    value = byte == 1;
  }

  void text(std::string& value) {
    value.resize(count(0));
    archive_(cereal::binary_data(value.data(), value.size()));
  }

  std::size_t count(std::size_t) {
    std::uint64_t size = 0;
    number(size);
    if (size > bytes_.left()) {
      fail(fmt::format("a size of {} with {} bytes left", size, bytes_.left()));
    }
    return static_cast<std::size_t>(size);
  }

  void curve(SpeedupCurve& curve) {
    std::uint64_t at = 0;
    number(at);
    if (at > curves_.size())
      fail(fmt::format("curve {} of {}", at, curves_.size()));
    if (at == curves_.size())
      add_curve();
    curve = curves_[static_cast<std::size_t>(at)];
  }

  void finish() const {
    if (bytes_.left() > 0)
      fail(fmt::format("{} bytes after its end", bytes_.left()));
  }

 private:
  void add_curve() {
    const auto points = table();
    const auto factors = table();
    try {
      SpeedupCurve curve(points, factors);
      curves_.push_back(pool_ == nullptr ? std::move(curve) : pool_->shared(curve));
    } catch (const InvalidInput& error) {
      fail(error.what());
    }
  }

  [[nodiscard]] std::map<std::int32_t, double> table() {
    std::map<std::int32_t, double> result;
    for (std::size_t left = count(0); left > 0; --left) {
      std::int32_t at = 0;
      double value = 0;
      number(at);
      number(value);
      if (!result.emplace(at, value).second)
        fail(fmt::format("point {} of a curve is there twice", at));
    }
    return result;
  }

  std::string source_{};
  std::uint16_t fields_ = 0;
  ByteSource bytes_;
  std::istream in_;
  cereal::PortableBinaryInputArchive archive_;
  CurvePool* pool_ = nullptr;
  std::vector<SpeedupCurve> curves_{};
};

}  // namespace voda::state_detail
