#include "voda/io/cluster_text.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "voda/io/elasticity_text.hpp"
#include "voda/io/resize_cost_text.hpp"
#include "voda/io/snapshot.hpp"
#include "voda/model/error.hpp"
#include "voda/policy/policy_spec.hpp"

namespace {

void read(int grammar, std::string_view text) {
  switch (grammar) {
    case 0: {
      const auto nodes = voda::parse_cluster(text);
      if (nodes.empty())
        std::abort();
      return;
    }
    case 1: {
      const auto elasticity = voda::parse_elasticity(text);
      if (voda::parse_elasticity(voda::to_text(elasticity)) != elasticity)
        std::abort();
      return;
    }
    case 2: {
      const auto cost = voda::parse_resize_cost(text);
      if (voda::parse_resize_cost(voda::to_text(cost)) != cost)
        std::abort();
      if (cost.price(48) < voda::Duration(0))
        std::abort();
      return;
    }
    case 3: {
      const auto spec = voda::parse_policy_spec(text);
      if (spec.name.empty())
        std::abort();
      return;
    }
    default: {
      if (voda::cluster_from_json(text, "fuzz").empty())
        std::abort();
      return;
    }
  }
}

}  // namespace

/// The first byte selects one of the small grammars of the command line; the rest is the text.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0)
    return 0;
  try {
    read(bytes[0] % 5, {reinterpret_cast<const char*>(bytes) + 1, size - 1});
  } catch (const voda::InvalidInput&) {
    return 0;
  }
  return 0;
}
