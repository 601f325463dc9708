#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "voda/model/number_text.hpp"
#include "voda/policy/explain.hpp"
#include "voda/policy/options.hpp"

namespace voda::explain_detail {

/// What an option is set to, as its author would write it.
[[nodiscard]] inline std::string value_of(const NamedPolicy& policy,
                                          const OptionDescription& option) {
  const auto found = policy.options.find(option.name);
  return found == policy.options.end() ? option.default_value : to_text(found->second);
}

/// Twice, half, four times, a quarter ... of a list of numbers; whole ones are rounded down.
[[nodiscard]] inline std::vector<std::string> multiples(const OptionDescription& option,
                                                        const std::string& value,
                                                        int tries) {
  std::vector<double> numbers;
  for (std::size_t begin = 0; begin <= value.size();) {
    const std::size_t end = std::min(value.find('/', begin), value.size());
    const auto number = parse_number(value.substr(begin, end - begin));
    if (!number)
      return {};
    numbers.push_back(*number);
    begin = end + 1;
  }
  std::vector<std::string> result;
  for (int i = 0; i < tries; ++i) {
    const double factor = std::pow(2.0, i % 2 == 0 ? i / 2 + 1 : -(i / 2 + 1));
    std::vector<double> changed;
    for (const double number : numbers) {
      const double product =
          number == 0 && numbers.size() == 1 && factor > 1 ? factor / 2 : number * factor;
      changed.push_back(option.kind == OptionKind::whole ? std::floor(product) : product);
    }
    const auto is_allowed = [&](double number) {
      return number >= option.range.min && number <= option.range.max;
    };
    std::string text = fmt::format("{}", fmt::join(changed, "/"));
    if (std::ranges::all_of(changed, is_allowed) && text != value &&
        std::ranges::find(result, text) == result.end())
      result.push_back(std::move(text));
  }
  return result;
}

/// Other values of an option, near ones first, at most `tries` of them.
[[nodiscard]] inline std::vector<std::string> other_values(const OptionDescription& option,
                                                           const std::string& value,
                                                           int tries) {
  if (option.kind == OptionKind::number || option.kind == OptionKind::whole ||
      option.kind == OptionKind::numbers)
    return multiples(option, value, tries);
  std::vector<std::string> result = option.words;
  std::erase(result, value);
  result.resize(std::min(result.size(), static_cast<std::size_t>(std::max(0, tries))));
  return result;
}

}  // namespace voda::explain_detail
