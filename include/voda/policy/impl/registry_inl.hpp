#pragma once

#include "voda/policy/registry.hpp"

#include <fmt/format.h>

#include "voda/model/error.hpp"
#include "voda/model/nearest_names.hpp"
#include "voda/model/number_text.hpp"

namespace voda::registry_detail {

VODA_INLINE void refuse_repeated(std::string_view kind, std::string_view name) {
  throw InvalidInput(fmt::format("{} '{}': the name is taken; expected a new one", kind, name));
}

VODA_INLINE void refuse_unknown(std::string_view kind,
                                std::string_view name,
                                std::span<const std::string> known) {
  throw UnknownName(fmt::format("unknown {} '{}'; expected one of {}{}",
                                kind,
                                shown(name),
                                fmt::join(known, ", "),
                                did_you_mean(name, known)));
}

}  // namespace voda::registry_detail
