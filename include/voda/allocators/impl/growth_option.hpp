#pragma once

#include "voda/allocators/impl/growth.hpp"
#include "voda/policy/options.hpp"

namespace voda::allocators_detail {

/// Reads option `grow` into the enum of a policy, whose words are the same for all.
template <class Grow>
void read_grow(OptionReader& reader, Grow& grow) {
  reader.read(
      "grow",
      grow,
      {{"round_robin", Grow::round_robin}, {"greedy", Grow::greedy}, {"in_order", Grow::in_order}},
      "who gets the GPUs that the minimums leave: one step each in turn, all to the first, "
      "or the fastest size that fits in one pass without minimums");
}

template <class Grow>
[[nodiscard]] Growth growth_of(Grow grow) {
  switch (grow) {
    case Grow::round_robin:
      return Growth::round_robin;
    case Grow::greedy:
      return Growth::greedy;
    case Grow::in_order:
      return Growth::in_order;
  }
  return Growth::round_robin;
}

}  // namespace voda::allocators_detail
