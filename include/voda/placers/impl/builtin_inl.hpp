#pragma once

#include "voda/placers/builtin.hpp"

#include <memory>

#include "voda/placers/repack.hpp"
#include "voda/placers/spread.hpp"
#include "voda/placers/steady.hpp"

namespace voda {
namespace placers_detail {

/// The options of a placer that has none.
struct NoOptions {
  void read(OptionReader&) {}
};

}  // namespace placers_detail

VODA_INLINE Registry<Placer> builtin_placers() {
  Registry<Placer> placers("placer");
  placers.add({.name = "steady",
               .summary = "stays where workers are, moves only where that saves nodes (default)",
               .options = describe_options<SteadyOptions>(),
               .make = [](const Options& options) -> std::unique_ptr<Placer> {
                 return std::make_unique<Steady>(
                     options_from<SteadyOptions>("placer 'steady'", options));
               }});
  placers.add({.name = "repack",
               .summary = "packs everything anew, then keeps as many workers as possible",
               .make = [](const Options& options) -> std::unique_ptr<Placer> {
                 static_cast<void>(
                     options_from<placers_detail::NoOptions>("placer 'repack'", options));
                 return std::make_unique<Repack>();
               }});
  placers.add({.name = "spread",
               .summary = "fewest workers of a job per node",
               .make = [](const Options& options) -> std::unique_ptr<Placer> {
                 static_cast<void>(
                     options_from<placers_detail::NoOptions>("placer 'spread'", options));
                 return std::make_unique<Spread>();
               }});
  return placers;
}

}  // namespace voda
