#pragma once

#include "voda/allocators/builtin.hpp"

#include <memory>
#include <string>
#include <string_view>

#include "voda/allocators/afs_l.hpp"
#include "voda/allocators/elastic_fifo.hpp"
#include "voda/allocators/elastic_srjf.hpp"
#include "voda/allocators/elastic_tiresias.hpp"
#include "voda/allocators/ffdl.hpp"
#include "voda/allocators/fifo.hpp"
#include "voda/allocators/hysteresis.hpp"
#include "voda/allocators/srjf.hpp"
#include "voda/allocators/tiresias.hpp"

namespace voda {
namespace allocators_detail {

template <class Policy, class PolicyOptions>
[[nodiscard]] Registry<Allocator>::Entry entry(std::string_view alias, std::string_view summary) {
  const std::string owner = "policy '" + std::string(Policy::name) + "'";
  return {.name = std::string(Policy::name),
          .summary = std::string(summary),
          .aliases = {std::string(alias)},
          .options = describe_options<PolicyOptions>(),
          .make = [owner](const Options& options) -> std::unique_ptr<Allocator> {
            return std::make_unique<Policy>(options_from<PolicyOptions>(owner, options));
          }};
}

}  // namespace allocators_detail

VODA_INLINE Registry<Allocator> builtin_allocators() {
  using allocators_detail::entry;
  Registry<Allocator> registry("policy");
  registry.add(entry<Fifo, FifoOptions>("FIFO", "arrival order at the requested size"))
      .add(entry<ElasticFifo, ElasticFifoOptions>(
          "ElasticFIFO", "minimums in arrival order, then growth where it speeds up"))
      .add(entry<Srjf, SrjfOptions>("SRJF", "shortest remaining job first at the requested size"))
      .add(entry<ElasticSrjf, ElasticSrjfOptions>("ElasticSRJF",
                                                  "as elastic_fifo in the order of remaining work"))
      .add(entry<Tiresias, TiresiasOptions>(
          "Tiresias", "least attained service in queues, at the requested size"))
      .add(entry<ElasticTiresias, ElasticTiresiasOptions>(
          "ElasticTiresias", "tiresias with compaction and expansion by gain"))
      .add(entry<Ffdl, FfdlOptions>("FfDLOptimizer", "largest total speed, exactly optimal"))
      .add(entry<AfsL, AfsLOptions>("AFS-L", "elastic shares for known job lengths"));
  return registry;
}

VODA_INLINE Registry<AllocatorWrapper> builtin_wrappers() {
  Registry<AllocatorWrapper> registry("wrapper");
  registry.add({.name = std::string(Hysteresis::name),
                .summary = "keeps the size of running jobs where a change does not pay",
                .options = describe_options<HysteresisOptions>(),
                .make = [](const Options& options) -> std::unique_ptr<AllocatorWrapper> {
                  return std::make_unique<HysteresisWrapper>(
                      options_from<HysteresisOptions>("wrapper 'hysteresis'", options));
                }});
  return registry;
}

}  // namespace voda
