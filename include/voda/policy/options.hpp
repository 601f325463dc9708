#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "voda/config.hpp"

namespace voda {

/// The value of an option; text is read as whatever the policy expects.
using OptionValue = std::variant<bool, std::int64_t, double, std::string>;

/// Options by name, as written on the command line or in a notebook.
using Options = std::map<std::string, OptionValue, std::less<>>;

/// Which numbers an option accepts.
struct NumberRange {
  double min = 0;
  double max = 1e15;
};

/// What kind of value an option takes.
enum class OptionKind : std::uint8_t { word, whole, number, numbers };

/// One option of a policy, for help, for error messages and for trying other values.
struct OptionDescription {
  std::string name{};
  std::string default_value{};
  std::string expected{};  // "a number >= 0", "requested | minimum"
  std::string summary{};
  OptionKind kind = OptionKind::word;
  std::vector<std::string> words{};  // that it accepts, besides numbers
  NumberRange range{};               // of its numbers
};

/// Copies named options into typed fields and describes them on the way; finish() rejects names that nobody read.
///
/// One read function per options struct serves both: reading with values, and describing with none.
class OptionReader {
 public:
  /// `owner` is named in messages: "policy 'fifo'".
  OptionReader(std::string owner, Options options);

  /// Each read() leaves `field` alone when the option is absent, throws InvalidInput when its value does not fit.
  OptionReader& read(std::string_view name, bool& field, std::string_view summary);
  OptionReader& read(std::string_view name,
                     std::int64_t& field,
                     NumberRange range,
                     std::string_view summary);
  OptionReader& read(std::string_view name,
                     double& field,
                     NumberRange range,
                     std::string_view summary);
  OptionReader& read(std::string_view name,
                     std::optional<double>& field,
                     NumberRange range,
                     std::string_view summary);

  /// A list of numbers, written 1000/5000, not empty.
  OptionReader& read(std::string_view name,
                     std::vector<double>& field,
                     NumberRange range,
                     std::string_view summary);

  /// One of several words.
  template <class Enum>
    requires std::is_enum_v<Enum>
  OptionReader& read(std::string_view name,
                     Enum& field,
                     std::initializer_list<std::pair<std::string_view, Enum>> words,
                     std::string_view summary);

  /// Throws InvalidInput when an option was given that nobody read; lists the known ones.
  void finish() const;

  [[nodiscard]] const std::vector<OptionDescription>& descriptions() const { return descriptions_; }

 private:
  [[nodiscard]] const OptionValue* find(std::string_view name);
  void describe(OptionDescription description);
  [[nodiscard]] std::size_t word_position(std::string_view name,
                                          const OptionValue& value,
                                          std::span<const std::string_view> words) const;
  [[nodiscard]] double number(std::string_view name,
                              const OptionValue& value,
                              NumberRange range) const;
  [[noreturn]] void refuse(std::string_view name,
                           const OptionValue& value,
                           std::string_view expected) const;

  std::string owner_{};
  Options options_{};
  std::vector<OptionDescription> descriptions_{};
};

/// An option value as its author would write it.
[[nodiscard]] std::string to_text(const OptionValue& value);

/// Reads a struct of options that has a member `void read(OptionReader&)`; throws InvalidInput.
template <class PolicyOptions>
[[nodiscard]] PolicyOptions options_from(std::string owner, const Options& options) {
  PolicyOptions result{};
  OptionReader reader(std::move(owner), options);
  result.read(reader);
  reader.finish();
  return result;
}

/// Describes the options of such a struct, with their defaults.
template <class PolicyOptions>
[[nodiscard]] std::vector<OptionDescription> describe_options() {
  PolicyOptions defaults{};
  OptionReader reader("", {});
  defaults.read(reader);
  return reader.descriptions();
}

template <class Enum>
  requires std::is_enum_v<Enum>
OptionReader& OptionReader::read(std::string_view name,
                                 Enum& field,
                                 std::initializer_list<std::pair<std::string_view, Enum>> words,
                                 std::string_view summary) {
  std::vector<std::string_view> names;
  OptionDescription description{.name = std::string(name), .summary = std::string(summary)};
  for (const auto& [word, value] : words) {
    names.push_back(word);
    if (value == field)
      description.default_value = word;
    description.expected += (description.expected.empty() ? "" : " | ") + std::string(word);
    description.words.emplace_back(word);
  }
  describe(std::move(description));
  if (const OptionValue* value = find(name)) {
    field = (words.begin() + word_position(name, *value, names))->second;
  }
  return *this;
}

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/policy/impl/options_inl.hpp"
#endif
