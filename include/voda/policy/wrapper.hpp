#pragma once

#include <memory>

#include "voda/policy/allocator.hpp"

namespace voda {

/// Makes a policy out of another one, whichever it is.
class AllocatorWrapper {
 public:
  virtual ~AllocatorWrapper() = default;

  /// The policy around `inner`; throws InvalidInput when `inner` is null.
  [[nodiscard]] virtual std::shared_ptr<const Allocator> wrap(
      std::shared_ptr<const Allocator> inner) const = 0;

 protected:
  AllocatorWrapper() = default;
  AllocatorWrapper(const AllocatorWrapper&) = default;
  AllocatorWrapper& operator=(const AllocatorWrapper&) = default;
};

}  // namespace voda
