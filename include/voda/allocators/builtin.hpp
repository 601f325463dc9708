#pragma once

#include "voda/config.hpp"
#include "voda/policy/allocator.hpp"
#include "voda/policy/registry.hpp"

namespace voda {

/// The eight policies by name, with Voda's spellings as aliases: a fresh value, add yours to your copy.
[[nodiscard]] Registry<Allocator> builtin_allocators();

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/allocators/impl/builtin_inl.hpp"
#endif
