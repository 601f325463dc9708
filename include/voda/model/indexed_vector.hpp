#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

#include "voda/config.hpp"
#include "voda/model/ids.hpp"

namespace voda {

/// A vector that only its own strong index can address, so that jobs and nodes cannot be mixed up.
template <class Index, class T>
class IndexedVector {
 public:
  using value_type = T;
  using iterator = typename std::vector<T>::iterator;
  using const_iterator = typename std::vector<T>::const_iterator;

  IndexedVector() = default;

  explicit IndexedVector(std::size_t size, const T& value = T{}) : items_(size, value) {}

  IndexedVector(std::initializer_list<T> items) : items_(items) {}

  explicit IndexedVector(std::vector<T> items) : items_(std::move(items)) {}

  [[nodiscard]] T& operator[](Index index) {
    VODA_ASSERT(position(index) < items_.size(), "an index lies inside its column");
    return items_[position(index)];
  }

  [[nodiscard]] const T& operator[](Index index) const {
    VODA_ASSERT(position(index) < items_.size(), "an index lies inside its column");
    return items_[position(index)];
  }

  [[nodiscard]] std::size_t size() const noexcept { return items_.size(); }

  [[nodiscard]] bool empty() const noexcept { return items_.empty(); }

  [[nodiscard]] bool contains(Index index) const noexcept {
    return position(index) < items_.size();
  }

  void push_back(T value) { items_.push_back(std::move(value)); }

  void resize(std::size_t size, const T& value = T{}) { items_.resize(size, value); }

  void assign(std::size_t size, const T& value) { items_.assign(size, value); }

  [[nodiscard]] iterator begin() noexcept { return items_.begin(); }

  [[nodiscard]] iterator end() noexcept { return items_.end(); }

  [[nodiscard]] const_iterator begin() const noexcept { return items_.begin(); }

  [[nodiscard]] const_iterator end() const noexcept { return items_.end(); }

  /// The index of the item at a plain position.
  [[nodiscard]] static constexpr Index index_of(std::size_t at) noexcept {
    return static_cast<Index>(static_cast<std::uint32_t>(at));
  }

  /// The items as a plain vector, for NumPy and for serialisation.
  [[nodiscard]] const std::vector<T>& items() const noexcept { return items_; }

  bool operator==(const IndexedVector&) const = default;

 private:
  std::vector<T> items_{};
};

}  // namespace voda
