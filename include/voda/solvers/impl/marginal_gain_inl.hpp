#pragma once

#include "voda/solvers/marginal_gain.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

namespace voda::marginal_gain_detail {

template <class Number>
struct Offer {
  Number gain = 0;
  std::size_t index = 0;

  /// The order of a heap whose top is the largest gain, and of those the lowest index.
  bool operator<(const Offer& other) const {
    return gain < other.gain || (!(other.gain < gain) && other.index < index);
  }
};

}  // namespace voda::marginal_gain_detail

namespace voda::solvers {

template <Gain F>
std::vector<std::int32_t> add_by_marginal_gain(std::span<const std::int32_t> count,
                                               std::span<const std::int32_t> limit,
                                               std::int64_t budget,
                                               F gain) {
  using Number = std::invoke_result_t<F, std::size_t, std::int32_t>;
  using Offer = marginal_gain_detail::Offer<Number>;
  if (count.size() != limit.size()) {
    throw std::invalid_argument(fmt::format(
        "{} counts and {} limits: expected as many of both", count.size(), limit.size()));
  }
  std::vector<std::int32_t> result(count.begin(), count.end());
  std::vector<Offer> offers{};
  offers.reserve(count.size());
  for (std::size_t index = 0; index < count.size(); ++index) {
    const Number next = count[index] < limit[index] ? gain(index, count[index]) : Number{0};
    if (next > 0) {
      offers.push_back({next, index});
    }
  }
  std::make_heap(offers.begin(), offers.end());
  for (; budget > 0 && !offers.empty(); --budget) {
    std::pop_heap(offers.begin(), offers.end());
    Offer& best = offers.back();
    const std::int32_t now = ++result[best.index];
    best.gain = now < limit[best.index] ? gain(best.index, now) : Number{0};
    if (best.gain > 0) {
      std::push_heap(offers.begin(), offers.end());
    } else {
      offers.pop_back();
    }
  }
  return result;
}

}  // namespace voda::solvers
