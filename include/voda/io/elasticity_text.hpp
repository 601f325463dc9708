#pragma once

#include <string>
#include <string_view>

#include "voda/config.hpp"
#include "voda/simulator/trace.hpp"

namespace voda {

/// Reads MIN:MAX, each a number of GPUs (`4`) or a multiple of the request (`0.5x`); throws
/// InvalidInput that quotes it.
[[nodiscard]] Elasticity parse_elasticity(std::string_view text);

/// The text that parse_elasticity() reads back as the same elasticity.
[[nodiscard]] std::string to_text(const Elasticity& elasticity);

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/io/impl/elasticity_text_inl.hpp"
#endif
