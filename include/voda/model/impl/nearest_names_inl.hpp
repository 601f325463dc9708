#pragma once

#include "voda/model/nearest_names.hpp"

#include <algorithm>
#include <array>

#include "voda/model/number_text.hpp"

namespace voda {
namespace nearest_names_detail {

inline constexpr std::size_t longest = 64;
inline constexpr std::size_t most_suggested = 3;

/// A byte as it is compared.
[[nodiscard]] inline unsigned char folded(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 'A' && byte <= 'Z' ? static_cast<unsigned char>(byte - 'A' + 'a') : byte;
}

/// A table of distances between the beginnings of two texts.
class Distances {
 public:
  Distances(std::size_t rows, std::size_t columns) : columns_(columns), cells_(rows * columns) {}

  [[nodiscard]] std::size_t& at(std::size_t row, std::size_t column) {
    return cells_[row * columns_ + column];
  }

 private:
  std::size_t columns_ = 0;
  std::vector<std::size_t> cells_{};
};

}  // namespace nearest_names_detail

VODA_INLINE std::size_t edit_distance(std::string_view a, std::string_view b) {
  using nearest_names_detail::folded;
  nearest_names_detail::Distances distance(a.size() + 1, b.size() + 1);
  for (std::size_t i = 0; i <= a.size(); ++i)
    distance.at(i, 0) = i;
  for (std::size_t j = 0; j <= b.size(); ++j)
    distance.at(0, j) = j;
  std::array<std::size_t, 256>
      last_in_a{};  // the last position of each byte in the rows so far, from 1; 0: none
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t last_match = 0;  // in this row, from 1; 0: none
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool is_equal = folded(a[i - 1]) == folded(b[j - 1]);
      std::size_t best = std::min({distance.at(i - 1, j) + 1,
                                   distance.at(i, j - 1) + 1,
                                   distance.at(i - 1, j - 1) + (is_equal ? 0 : 1)});
      const std::size_t row = last_in_a.at(folded(b[j - 1]));
      if (row > 0 &&
          last_match > 0) {  // the two are swapped, and what lies between them goes or comes
        best = std::min(
            best, distance.at(row - 1, last_match - 1) + (i - row - 1) + 1 + (j - last_match - 1));
      }
      distance.at(i, j) = best;
      if (is_equal)
        last_match = j;
    }
    last_in_a.at(folded(a[i - 1])) = i;
  }
  return distance.at(a.size(), b.size());
}

VODA_INLINE std::vector<std::string_view> nearest_names(std::string_view name,
                                                        std::span<const std::string_view> known) {
  namespace detail = nearest_names_detail;
  std::vector<std::string_view> result;
  std::size_t fewest = detail::longest;
  if (name.size() > detail::longest)
    return result;
  for (const std::string_view candidate : known) {
    const std::size_t longer = std::max(name.size(), candidate.size());
    const std::size_t shorter = std::min(name.size(), candidate.size());
    const std::size_t bound = std::min(fewest, longer / 3);
    if (longer > detail::longest || longer - shorter > bound)
      continue;
    const std::size_t edits = edit_distance(name, candidate);
    if (edits > bound)
      continue;
    if (edits < fewest)
      result.clear();
    fewest = edits;
    if (result.size() < detail::most_suggested &&
        std::ranges::find(result, candidate) == result.end())
      result.push_back(candidate);
  }
  return result;
}

VODA_INLINE std::string did_you_mean(std::string_view name,
                                     std::span<const std::string_view> known) {
  const auto near = nearest_names(name, known);
  std::string result;
  for (std::size_t i = 0; i < near.size(); ++i) {
    result += i == 0 ? "; did you mean '" : i + 1 < near.size() ? "', '" : "' or '";
    result += shown(near[i]);
  }
  return result.empty() ? result : result + "'?";
}

}  // namespace voda
