#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "voda/config.hpp"
#include "voda/policy/options.hpp"

namespace voda {

/// A policy or placer by name with its options, as a person writes it.
struct PolicySpec {
  struct Wrapper {
    std::string name{};
    Options options{};
  };

  std::vector<Wrapper> wrappers{};  // outermost first
  std::string name{};
  Options options{};
};

/// Reads `name[:option=value,...]` behind any number of wrappers `name(option=value,...)/`; lists inside a value use `/`.
/// `py:module:Class[:option=value,...]` is read as the name `py:module:Class`.
///
/// Throws InvalidInput that quotes the text and says what was expected where. The grammar is in docs/grammar.md.
[[nodiscard]] PolicySpec parse_policy_spec(std::string_view text);

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/policy/impl/policy_spec_inl.hpp"
#endif
