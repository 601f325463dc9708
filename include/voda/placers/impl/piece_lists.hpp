#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace voda::placers_detail {

/// Many short lists in one array, so that building them allocates a handful of times.
template <class T>
class PieceLists {
 public:
  /// `lists` empty lists with room for `room` items each.
  explicit PieceLists(std::size_t lists, std::uint32_t room)
      : ranges_(lists), items_(lists * room) {
    for (std::size_t i = 0; i < lists; ++i) {
      ranges_[i] = {.begin = static_cast<std::uint32_t>(i * room), .count = 0, .room = room};
    }
  }

  /// Lists of these items: list i holds those from begin[i] to begin[i + 1].
  PieceLists(std::span<const std::uint32_t> begin, std::vector<T> items)
      : ranges_(begin.size() - 1), items_(std::move(items)) {
    for (std::size_t i = 0; i < ranges_.size(); ++i) {
      const std::uint32_t count = begin[i + 1] - begin[i];
      ranges_[i] = {.begin = begin[i], .count = count, .room = count};
    }
  }

  /// Empty lists, each with room for so many items and `slack` more.
  PieceLists(std::span<const std::uint32_t> counts, std::uint32_t slack) : ranges_(counts.size()) {
    std::uint32_t begin = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      ranges_[i] = {.begin = begin, .count = 0, .room = counts[i] + slack};
      begin += ranges_[i].room;
    }
    items_.resize(begin);
  }

  [[nodiscard]] std::span<T> operator[](std::size_t list) {
    return std::span(items_).subspan(ranges_[list].begin, ranges_[list].count);
  }

  [[nodiscard]] std::span<const T> operator[](std::size_t list) const {
    return std::span(items_).subspan(ranges_[list].begin, ranges_[list].count);
  }

  void push_back(std::size_t list, const T& item) {
    if (ranges_[list].count == ranges_[list].room)
      grow(list);
    items_[ranges_[list].begin + ranges_[list].count++] = item;
  }

  /// Puts an item before the one at a position.
  void insert(std::size_t list, std::size_t at, const T& item) {
    push_back(list, item);
    const auto items = (*this)[list];
    std::rotate(items.begin() + static_cast<std::ptrdiff_t>(at), items.end() - 1, items.end());
  }

  /// Removes the item at a position; those behind it move up.
  void erase(std::size_t list, std::size_t at) {
    const auto items = (*this)[list];
    std::copy(items.begin() + static_cast<std::ptrdiff_t>(at) + 1,
              items.end(),
              items.begin() + static_cast<std::ptrdiff_t>(at));
    --ranges_[list].count;
  }

 private:
  struct Range {
    std::uint32_t begin = 0;
    std::uint32_t count = 0;
    std::uint32_t room = 0;
  };

  void grow(std::size_t list) {
    Range& range = ranges_[list];
    const auto begin = static_cast<std::uint32_t>(items_.size());
    const std::uint32_t room = std::max<std::uint32_t>(4, 2 * range.room);
    items_.resize(items_.size() + room);
    std::copy_n(items_.begin() + range.begin, range.count, items_.begin() + begin);
    range.begin = begin;
    range.room = room;
  }

  std::vector<Range> ranges_{};
  std::vector<T> items_{};
};

}  // namespace voda::placers_detail
