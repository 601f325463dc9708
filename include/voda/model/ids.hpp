#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>

namespace voda {

/// Name of a job, unique among the jobs of a scheduler; compared as text.
struct JobId {
  std::string value{};
  auto operator<=>(const JobId&) const = default;
};

/// Name of a node, unique among the nodes of a scheduler; compared as text.
struct NodeId {
  std::string value{};
  auto operator<=>(const NodeId&) const = default;
};

/// A job's slot in its pool; does not move while the job lives, is used again afterwards.
enum class JobIndex : std::uint32_t {};

/// A node's position in its pool, in the order in which the nodes joined.
enum class NodeIndex : std::uint32_t {};

/// Returns the plain number inside a strong index.
template <class Index>
[[nodiscard]] constexpr std::size_t position(Index index) noexcept {
  return static_cast<std::size_t>(index);
}

}  // namespace voda
