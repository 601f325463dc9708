#pragma once

#include "voda/io/resize_cost_text.hpp"

#include <array>

#include <fmt/format.h>

#include "voda/model/error.hpp"
#include "voda/model/nearest_names.hpp"
#include "voda/model/number_text.hpp"

namespace voda {
namespace resize_cost_text_detail {

inline constexpr std::array<std::string_view, 3> kinds{"none", "stall", "restart"};

[[noreturn]] inline void refuse(std::string_view text, std::string_view expected) {
  throw InvalidInput(fmt::format("resize cost '{}': expected {}", shown(text), expected));
}

[[nodiscard]] inline double seconds(std::string_view text, std::string_view part) {
  const auto value = parse_number(part);
  if (!value || !(*value >= 0 && *value <= ResizeCost::largest_s)) {
    refuse(
        text,
        fmt::format("seconds from 0 to {} in place of '{}'", ResizeCost::largest_s, shown(part)));
  }
  return *value;
}

}  // namespace resize_cost_text_detail

VODA_INLINE ResizeCost parse_resize_cost(std::string_view text) {
  namespace detail = resize_cost_text_detail;
  constexpr std::string_view stall = "stall:";
  constexpr std::string_view restart = "restart:";
  if (text == "none")
    return {};
  if (text.starts_with(stall)) {
    return {.kind = ResizeCost::Kind::stall,
            .fixed_s = detail::seconds(text, text.substr(stall.size()))};
  }
  if (!text.starts_with(restart))
    detail::refuse(text,
                   "none, stall:S or restart:A,B" +
                       did_you_mean(text.substr(0, text.find(':')), detail::kinds));
  const std::string_view numbers = text.substr(restart.size());
  const std::size_t comma = numbers.find(',');
  if (comma == std::string_view::npos)
    detail::refuse(text, "two numbers: restart:A,B");
  return {.kind = ResizeCost::Kind::restart,
          .fixed_s = detail::seconds(text, numbers.substr(0, comma)),
          .per_doubling_s = detail::seconds(text, numbers.substr(comma + 1))};
}

VODA_INLINE std::string to_text(const ResizeCost& cost) {
  switch (cost.kind) {
    case ResizeCost::Kind::none:
      return "none";
    case ResizeCost::Kind::stall:
      return fmt::format("stall:{}", cost.fixed_s);
    case ResizeCost::Kind::restart:
      return fmt::format("restart:{},{}", cost.fixed_s, cost.per_doubling_s);
  }
  return "";
}

}  // namespace voda
