#pragma once

#include "voda/policy/policy_spec.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "voda/model/error.hpp"
#include "voda/model/number_text.hpp"

namespace voda {
namespace policy_spec_detail {

[[noreturn]] inline void refuse(std::string_view text, std::string_view expected) {
  throw InvalidInput(fmt::format("policy '{}': expected {}", shown(text), expected));
}

[[nodiscard]] inline bool is_word(std::string_view word) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
  };
  return !word.empty() && std::ranges::all_of(word, fits);
}

[[nodiscard]] inline Options parse_options(std::string_view text, std::string_view list) {
  Options result;
  while (true) {
    const std::string_view item = list.substr(0, list.find(','));
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos || !is_word(item.substr(0, equals)) ||
        equals + 1 == item.size()) {
      refuse(text, fmt::format("option=value in place of '{}'", shown(item)));
    }
    const std::string name(item.substr(0, equals));
    if (!result.emplace(name, std::string(item.substr(equals + 1))).second) {
      refuse(text, fmt::format("option '{}' once", name));
    }
    if (item.size() == list.size())
      return result;
    list.remove_prefix(item.size() + 1);
  }
}

/// Takes `name(options)/` from the front of `rest`.
[[nodiscard]] inline PolicySpec::Wrapper take_wrapper(std::string_view text,
                                                      std::string_view& rest) {
  const std::size_t open = rest.find('(');
  const std::size_t close = rest.find(')');
  PolicySpec::Wrapper result{.name = std::string(rest.substr(0, open))};
  if (!is_word(result.name))
    refuse(text, "a wrapper's name before '('");
  if (close == std::string_view::npos || close < open)
    refuse(text, "')' after '('");
  const std::string_view list = rest.substr(open + 1, close - open - 1);
  if (!list.empty())
    result.options = parse_options(text, list);
  rest.remove_prefix(close + 1);
  if (!rest.starts_with('/'))
    refuse(text, "'/' and a policy after ')'");
  rest.remove_prefix(1);
  return result;
}

/// Length of the name at the front: up to the first ':', or the third for `py:module:Class:`.
[[nodiscard]] inline std::size_t name_length(std::string_view rest) {
  const int colons = rest.starts_with("py:") ? 3 : 1;
  std::size_t end = 0;
  for (int i = 0; i < colons; ++i) {
    end = rest.find(':', i == 0 ? 0 : end + 1);
    if (end == std::string_view::npos)
      return rest.size();
  }
  return end;
}

inline void check_name(std::string_view text, std::string_view name) {
  if (!name.starts_with("py:")) {
    if (!is_word(name))
      refuse(text, "a name made of letters, digits, '_', '-' and '.'");
    return;
  }
  const std::string_view tail = name.substr(3);
  const std::size_t colon = tail.find(':');
  if (colon == std::string_view::npos || !is_word(tail.substr(0, colon)) ||
      !is_word(tail.substr(colon + 1))) {
    refuse(text, "py:module:Class");
  }
}

}  // namespace policy_spec_detail

VODA_INLINE PolicySpec parse_policy_spec(std::string_view text) {
  namespace detail = policy_spec_detail;
  PolicySpec result;
  std::string_view rest = text;
  while (rest.substr(0, rest.find_first_of(":/")).find('(') != std::string_view::npos) {
    result.wrappers.push_back(detail::take_wrapper(text, rest));
  }
  const std::size_t length = detail::name_length(rest);
  result.name = rest.substr(0, length);
  detail::check_name(text, result.name);
  if (length < rest.size())
    result.options = detail::parse_options(text, rest.substr(length + 1));
  return result;
}

}  // namespace voda
