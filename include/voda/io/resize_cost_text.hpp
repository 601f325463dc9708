#pragma once

#include <string>
#include <string_view>

#include "voda/config.hpp"
#include "voda/simulator/resize_cost.hpp"

namespace voda {

/// Reads `none`, `stall:S` or `restart:A,B`, seconds; throws InvalidInput that quotes the text.
[[nodiscard]] ResizeCost parse_resize_cost(std::string_view text);

/// The text that parse_resize_cost() reads back as the same cost.
[[nodiscard]] std::string to_text(const ResizeCost& cost);

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/io/impl/resize_cost_text_inl.hpp"
#endif
