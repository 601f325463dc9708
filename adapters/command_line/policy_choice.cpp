#include "command_line/policy_choice.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "command_line/status.hpp"
#include "voda/model/number_text.hpp"
#include "voda/policy/policy_spec.hpp"

namespace voda::command_line {
namespace {

template <class Policy>
void refuse_foreign(const Registry<Policy>& registry, const PolicySpec& spec) {
  if (!spec.wrappers.empty()) {
    throw UsageError(fmt::format("unknown wrapper '{}'; expected a policy without wrappers",
                                 spec.wrappers.front().name));
  }
  const auto is_named = [&spec](const auto& entry) { return entry.name == spec.name; };
  if (spec.name.starts_with("py:") && std::ranges::none_of(registry.entries(), is_named)) {
    throw UsageError(
        fmt::format("'{}' is a policy in Python, which only the Python entry point can load; "
                    "expected a name from `voda policies`",
                    spec.name));
  }
}

template <class Policy>
std::shared_ptr<const Policy> choose(const Registry<Policy>& registry,
                                     std::string_view option,
                                     const std::string& text) {
  try {
    if (find_invalid_utf8(text))
      throw UsageError(fmt::format("'{}'; expected UTF-8 text", shown(text)));
    const PolicySpec spec = parse_policy_spec(text);
    refuse_foreign(registry, spec);
    return registry.make(spec.name, spec.options);
  } catch (const Error& error) {
    throw UsageError(fmt::format("{}: {}", option, error.what()));
  }
}

}  // namespace

std::shared_ptr<const Allocator> choose_allocator(const PolicyTables& tables,
                                                  const std::string& text) {
  return choose(tables.allocators, "--policy", text);
}

NamedPolicy named_policy(const PolicyTables& tables, const std::string& text) {
  const PolicySpec spec = parse_policy_spec(text);
  return {.entry = &tables.allocators.find(spec.name), .options = spec.options};
}

std::shared_ptr<const Placer> choose_placer(const PolicyTables& tables, const std::string& text) {
  if (text == "none")
    return nullptr;
  return choose(tables.placers, "--placer", text);
}

}  // namespace voda::command_line
