#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "support/allocation_builders.hpp"
#include "voda/allocators/builtin.hpp"
#include "voda/policy/policy_spec.hpp"
#include "voda/scheduler/policy_tables.hpp"

namespace voda::test {

/// A built-in policy as a person writes it: "fifo:size=minimum".
[[nodiscard]] inline std::shared_ptr<const Allocator> policy(std::string_view text) {
  return make_allocator({.allocators = builtin_allocators(), .wrappers = builtin_wrappers()}, text);
}

/// What that policy gives to each job of a case.
[[nodiscard]] inline GpusById gpus_given(std::string_view text, const AllocationCase& from) {
  const AllocationProblem problem = problem_of(from);
  return gpus_by_id(problem, policy(text)->allocate(problem));
}

/// The names of all built-in policies.
[[nodiscard]] inline std::vector<std::string> policy_names() {
  std::vector<std::string> names;
  const auto registry = builtin_allocators();
  for (const auto& entry : registry.entries())
    names.push_back(entry.name);
  return names;
}

}  // namespace voda::test
