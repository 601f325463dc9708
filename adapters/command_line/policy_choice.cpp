#include "command_line/policy_choice.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "command_line/status.hpp"
#include "voda/model/number_text.hpp"
#include "voda/policy/policy_spec.hpp"

namespace voda::command_line {
namespace {

template <class Policy>
void refuse_foreign(const Registry<Policy>& registry, const PolicySpec& spec) {
  const auto is_named = [&spec](const auto& entry) { return entry.name == spec.name; };
  if (spec.name.starts_with("py:") && std::ranges::none_of(registry.entries(), is_named)) {
    throw UsageError(
        fmt::format("'{}' is a policy in Python, which only the Python entry point can load; "
                    "expected a name from `voda policies`",
                    spec.name));
  }
}

/// `make(text)` makes what the text names, `registry` lists what it may name.
template <class Policy, class Make>
std::shared_ptr<const Policy> choose(const Registry<Policy>& registry,
                                     std::string_view option,
                                     const std::string& text,
                                     Make make) {
  try {
    if (find_invalid_utf8(text))
      throw UsageError(fmt::format("'{}'; expected UTF-8 text", shown(text)));
    refuse_foreign(registry, parse_policy_spec(text));
    return make(text);
  } catch (const Error& error) {
    throw UsageError(fmt::format("{}: {}", option, error.what()));
  }
}

}  // namespace

void add_policy_option(CLI::App& app, std::string& policy) {
  app.add_option(
         "--policy", policy, "Who gets how many GPUs: NAME[:option=value,...], see `voda policies`")
      ->type_name("POLICY")
      ->capture_default_str();
}

bool has_nodes(const ClusterImage& state) {
  return std::ranges::any_of(state.pools,
                             [](const PoolImage& pool) { return !pool.nodes.empty(); });
}

PolicyChanged deciding_policy(PolicyChanged named,
                              const std::string& policy,
                              const std::string& placer,
                              bool has_nodes) {
  const auto choose = [](std::string& name, const std::string& asked, const char* otherwise) {
    if (!asked.empty()) {
      name = asked;
    } else if (name.empty()) {
      name = otherwise;
    }
  };
  choose(named.allocator, policy, "elastic_fifo");
  choose(named.placer, placer, has_nodes ? "steady" : "none");
  return named;
}

std::shared_ptr<const Allocator> choose_allocator(const PolicyTables& tables,
                                                  const std::string& text) {
  return choose(tables.allocators, "--policy", text, [&tables](const std::string& policy) {
    return make_allocator(tables, policy);
  });
}

NamedPolicy named_policy(const PolicyTables& tables, const std::string& text) {
  const PolicySpec spec = parse_policy_spec(text);
  NamedPolicy result{.entry = &tables.allocators.find(spec.name), .options = spec.options};
  if (!spec.wrappers.empty()) {
    result.wrap = [&tables, spec](std::shared_ptr<const Allocator> inner) {
      return wrapped(tables, spec, std::move(inner));
    };
  }
  return result;
}

std::shared_ptr<const Placer> choose_placer(const PolicyTables& tables, const std::string& text) {
  if (text == "none")
    return nullptr;
  return choose(tables.placers, "--placer", text, [&tables](const std::string& placer) {
    return make_placer(tables, placer);
  });
}

}  // namespace voda::command_line
