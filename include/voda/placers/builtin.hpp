#pragma once

#include "voda/config.hpp"
#include "voda/policy/placer.hpp"
#include "voda/policy/registry.hpp"

namespace voda {

/// Every placer of this library by name; a fresh value, add yours to your copy.
[[nodiscard]] Registry<Placer> builtin_placers();

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/placers/impl/builtin_inl.hpp"
#endif
