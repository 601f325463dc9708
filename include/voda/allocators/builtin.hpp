#pragma once

#include "voda/config.hpp"
#include "voda/policy/allocator.hpp"
#include "voda/policy/registry.hpp"
#include "voda/policy/wrapper.hpp"

namespace voda {

/// The eight policies by name, with Voda's spellings as aliases: a fresh value, add yours to your copy.
[[nodiscard]] Registry<Allocator> builtin_allocators();

/// What can be put around any policy, by name: a fresh value.
[[nodiscard]] Registry<AllocatorWrapper> builtin_wrappers();

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/allocators/impl/builtin_inl.hpp"
#endif
