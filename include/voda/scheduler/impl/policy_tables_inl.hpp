#pragma once

#include "voda/scheduler/policy_tables.hpp"

#include <ranges>
#include <utility>

#include <fmt/format.h>

#include "voda/model/error.hpp"
#include "voda/policy/policy_spec.hpp"

namespace voda {
VODA_INLINE std::shared_ptr<const Allocator> make_allocator(const PolicyTables& tables,
                                                            std::string_view text) {
  const PolicySpec spec = parse_policy_spec(text);
  return wrapped(tables, spec, tables.allocators.make(spec.name, spec.options));
}

VODA_INLINE std::shared_ptr<const Allocator> wrapped(const PolicyTables& tables,
                                                     const PolicySpec& spec,
                                                     std::shared_ptr<const Allocator> inner) {
  for (const auto& wrapper : spec.wrappers | std::views::reverse)
    inner = tables.wrappers.make(wrapper.name, wrapper.options)->wrap(std::move(inner));
  return inner;
}

VODA_INLINE std::shared_ptr<const Placer> make_placer(const PolicyTables& tables,
                                                      std::string_view text) {
  if (text == "none")
    return nullptr;
  const PolicySpec spec = parse_policy_spec(text);
  if (!spec.wrappers.empty()) {
    throw UnknownName(
        fmt::format("unknown wrapper '{}' in '{}'; expected a placer without wrappers",
                    spec.wrappers.front().name,
                    text));
  }
  return tables.placers.make(spec.name, spec.options);
}

}  // namespace voda
