#pragma once

#include "voda/io/elasticity_text.hpp"

#include <fmt/format.h>

#include "voda/model/error.hpp"
#include "voda/model/number_text.hpp"

namespace voda {
namespace elasticity_text_detail {

[[noreturn]] inline void refuse(std::string_view text, std::string_view expected) {
  throw InvalidInput(fmt::format("elastic '{}': expected {}", shown(text), expected));
}

[[nodiscard]] inline SizeBound bound(std::string_view text, std::string_view part) {
  const bool is_factor = part.ends_with('x');
  const auto value = parse_number(is_factor ? part.substr(0, part.size() - 1) : part);
  if (!value) {
    refuse(text,
           fmt::format("a number of GPUs like 4 or a multiple of the request like 0.5x in "
                       "place of '{}'",
                       shown(part)));
  }
  return {.kind = is_factor ? SizeBound::Kind::factor : SizeBound::Kind::gpus, .value = *value};
}

[[nodiscard]] inline std::string text_of(SizeBound bound) {
  return fmt::format("{}{}", bound.value, bound.kind == SizeBound::Kind::factor ? "x" : "");
}

}  // namespace elasticity_text_detail

VODA_INLINE Elasticity parse_elasticity(std::string_view text) {
  namespace detail = elasticity_text_detail;
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos)
    detail::refuse(text, "MIN:MAX, as in 0.5x:4x or 1:16");
  const Elasticity result{.min = detail::bound(text, text.substr(0, colon)),
                          .max = detail::bound(text, text.substr(colon + 1))};
  try {
    check(result);
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("elastic '{}': {}", shown(text), error.what()));
  }
  return result;
}

VODA_INLINE std::string to_text(const Elasticity& elasticity) {
  return fmt::format("{}:{}",
                     elasticity_text_detail::text_of(elasticity.min),
                     elasticity_text_detail::text_of(elasticity.max));
}

}  // namespace voda
