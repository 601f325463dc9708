#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "voda/config.hpp"
#include "voda/policy/options.hpp"

namespace voda {

namespace registry_detail {

[[noreturn]] void refuse_repeated(std::string_view kind, std::string_view name);
[[noreturn]] void refuse_unknown(std::string_view kind,
                                 std::string_view name,
                                 std::span<const std::string> known);

}  // namespace registry_detail

/// Policies by name: a value, built from one visible table (builtin_allocators(), builtin_placers()); copy it and add yours.
template <class Interface>
class Registry {
 public:
  using Factory = std::function<std::unique_ptr<Interface>(const Options&)>;

  struct Entry {
    std::string name{};
    std::string summary{};
    std::vector<std::string> aliases{};
    std::vector<OptionDescription> options{};
    Factory make{};
  };

  /// `kind` is the word for messages: "policy", "placer".
  explicit Registry(std::string kind) : kind_(std::move(kind)) {}

  /// Throws InvalidInput when the name or an alias is taken.
  Registry& add(Entry entry) {
    if (lookup(entry.name) != nullptr)
      registry_detail::refuse_repeated(kind_, entry.name);
    for (const auto& alias : entry.aliases) {
      if (lookup(alias) != nullptr)
        registry_detail::refuse_repeated(kind_, alias);
    }
    entries_.push_back(std::move(entry));
    return *this;
  }

  /// Throws UnknownName, listing the known names, or InvalidInput for options that do not fit.
  [[nodiscard]] std::unique_ptr<Interface> make(std::string_view name,
                                                const Options& options = {}) const {
    return find(name).make(options);
  }

  /// The entry of a name or alias; throws UnknownName, listing the known names.
  [[nodiscard]] const Entry& find(std::string_view name) const& {
    if (const Entry* entry = lookup(name))
      return *entry;
    std::vector<std::string> known;
    known.reserve(entries_.size());
    for (const auto& entry : entries_)
      known.push_back(entry.name);
    registry_detail::refuse_unknown(kind_, name, known);
  }

  /// In the order added.
  [[nodiscard]] std::span<const Entry> entries() const& { return entries_; }

  // Both would dangle: keep the registry in a variable.
  const Entry& find(std::string_view name) && = delete;
  std::span<const Entry> entries() && = delete;

 private:
  [[nodiscard]] const Entry* lookup(std::string_view name) const {
    const auto has_name = [name](const Entry& entry) {
      return entry.name == name || std::ranges::find(entry.aliases, name) != entry.aliases.end();
    };
    const auto found = std::ranges::find_if(entries_, has_name);
    return found == entries_.end() ? nullptr : &*found;
  }

  std::string kind_{};
  std::vector<Entry> entries_{};
};

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/policy/impl/registry_inl.hpp"
#endif
