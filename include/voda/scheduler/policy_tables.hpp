#pragma once

#include <memory>
#include <string_view>

#include "voda/config.hpp"
#include "voda/policy/allocator.hpp"
#include "voda/policy/placer.hpp"
#include "voda/policy/policy_spec.hpp"
#include "voda/policy/registry.hpp"
#include "voda/policy/wrapper.hpp"

namespace voda {

/// The policies that can be chosen by name.
struct PolicyTables {
  Registry<Allocator> allocators{"policy"};
  Registry<Placer> placers{"placer"};
  Registry<AllocatorWrapper> wrappers{"wrapper"};
};

/// The policy that a text of docs/grammar.md names. Throws InvalidInput for a text or options that
/// make no sense, and UnknownName for a name that the tables lack.
[[nodiscard]] std::shared_ptr<const Allocator> make_allocator(const PolicyTables& tables,
                                                              std::string_view text);

/// The wrappers of `spec` around a policy; as make_allocator().
[[nodiscard]] std::shared_ptr<const Allocator> wrapped(const PolicyTables& tables,
                                                       const PolicySpec& spec,
                                                       std::shared_ptr<const Allocator> inner);

/// The same for a placer; null for `none`, which counts GPUs only.
[[nodiscard]] std::shared_ptr<const Placer> make_placer(const PolicyTables& tables,
                                                        std::string_view text);

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/scheduler/impl/policy_tables_inl.hpp"
#endif
