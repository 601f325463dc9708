#pragma once

#include <cstddef>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "voda/config.hpp"

namespace voda {

/// The fewest edits that turn `a` into `b`: a byte inserted, removed or replaced, or two neighbours swapped; upper and lower
/// ASCII letters count as equal. Damerau-Levenshtein distance without restrictions (Lowrance and Wagner, JACM 1975), in time
/// and memory proportional to |a| |b|.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// The known names that `name` may have been meant for: those with the fewest edits, which are at most a third of the longer
/// of the two texts; of several as near the first three, in the order of `known`. A text of more than 64 bytes is near nothing.
[[nodiscard]] std::vector<std::string_view> nearest_names(std::string_view name,
                                                          std::span<const std::string_view> known);

/// The end of a message about an unknown name: `; did you mean 'a', 'b' or 'c'?`, or nothing when no name is near.
[[nodiscard]] std::string did_you_mean(std::string_view name,
                                       std::span<const std::string_view> known);

/// The same for any range of texts, which lives as long as the call.
template <std::ranges::input_range Names>
  requires std::ranges::common_range<const Names>
[[nodiscard]] std::string did_you_mean(std::string_view name, const Names& known) {
  const std::vector<std::string_view> views(std::ranges::begin(known), std::ranges::end(known));
  return did_you_mean(name, std::span<const std::string_view>(views));
}

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/model/impl/nearest_names_inl.hpp"
#endif
