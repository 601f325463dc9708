#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "voda/model/allowed_sizes.hpp"
#include "voda/model/ids.hpp"
#include "voda/model/speedup_curve.hpp"

namespace voda::allocators_detail {

/// What follows from a curve, the allowed sizes and one number; jobs that have all three in common share it.
template <class Value>
class CurveCache {
 public:
  /// Forgets everything once more than a few entries per slot came together; references do not survive it.
  void begin(std::size_t slots) {
    constexpr std::size_t entries_per_slot = 4;
    constexpr std::size_t always_kept = 4096;
    if (entries_.size() > always_kept + entries_per_slot * slots) {
      entries_.clear();
      entry_of_slot_.clear();
    }
    entry_of_slot_.resize(slots, nullptr);
  }

  /// The value of a job; `make()` is called when it is not known yet. Valid until begin().
  template <class Make>
  [[nodiscard]] const Value& of(JobIndex job,
                                const SpeedupCurve& curve,
                                const AllowedSizes& sizes,
                                GpuCount number,
                                Make make) {
    const Entry*& entry = entry_of_slot_[position(job)];
    if (entry == nullptr || !entry->first.is(curve, sizes, number)) {
      const auto [found, is_new] =
          entries_.try_emplace(Key{.curve = curve, .sizes = sizes, .number = number});
      if (is_new)
        found->second = make();
      entry = &*found;
    }
    return entry->second;
  }

 private:
  struct Key {
    SpeedupCurve curve{};  // keeps the table alive, so that no other curve takes its address
    AllowedSizes sizes{};
    GpuCount number = 0;

    [[nodiscard]] bool is(const SpeedupCurve& a_curve,
                          const AllowedSizes& some_sizes,
                          GpuCount a_number) const {
      return number == a_number && sizes == some_sizes && curve.shares_table_with(a_curve);
    }

    bool operator==(const Key& other) const { return is(other.curve, other.sizes, other.number); }
  };

  struct Hash {
    std::size_t operator()(const Key& key) const {
      std::size_t result = key.curve.table_hash();
      for (const GpuCount part : {key.sizes.min, key.sizes.max, key.sizes.step, key.number})
        result = (result ^ static_cast<std::uint32_t>(part)) * 0x9e3779b97f4a7c15U;
      return result ^ (result >> 32);
    }
  };

  using Entry = typename std::unordered_map<Key, Value, Hash>::value_type;

  std::unordered_map<Key, Value, Hash> entries_{};
  std::vector<const Entry*> entry_of_slot_{};
};

}  // namespace voda::allocators_detail
