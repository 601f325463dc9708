#pragma once

#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "voda/io/impl/state_archive.hpp"
#include "voda/model/error.hpp"
#include "voda/model/job.hpp"
#include "voda/model/job_columns.hpp"
#include "voda/model/node.hpp"
#include "voda/scheduler/cluster_image.hpp"

/// The fields of a cluster state in their order, once for both directions: carry(archive, value)
/// writes or reads a value.
namespace voda::state_detail {

/// The type of a value when `Archive` reads it, or writes it.
template <class Archive, class T>
using Field = std::conditional_t<Archive::is_reading, T, const T>;

template <class Archive, class Number>
  requires(std::is_arithmetic_v<Number> && !std::is_same_v<std::remove_const_t<Number>, bool>)
void carry(Archive& archive, Number& value) {
  archive.number(value);
}

template <class Archive>
void carry(Archive& archive, Field<Archive, bool>& value) {
  archive.flag(value);
}

template <class Archive>
void carry(Archive& archive, Field<Archive, std::string>& value) {
  archive.text(value);
}

template <class Archive>
void carry(Archive& archive, Field<Archive, JobId>& value) {
  archive.text(value.value);
}

template <class Archive>
void carry(Archive& archive, Field<Archive, NodeId>& value) {
  archive.text(value.value);
}

template <class Archive>
void carry(Archive& archive, Field<Archive, Duration>& value) {
  Duration::rep count = value.count();
  archive.number(count);
  if constexpr (Archive::is_reading)
    value = Duration(count);
}

template <class Archive>
void carry(Archive& archive, Field<Archive, TimePoint>& value) {
  Duration since_zero = value.time_since_epoch();
  carry<Archive>(archive, since_zero);
  if constexpr (Archive::is_reading)
    value = TimePoint(since_zero);
}

template <class Archive>
void carry(Archive& archive, Field<Archive, GpuTime>& value) {
  archive.number(value.gpu_microseconds);
}

template <class Archive>
void carry(Archive& archive, Field<Archive, SpeedupCurve>& value) {
  archive.curve(value);
}

/// An enum as its number, at most that of `last`.
template <class Archive, class Enum>
void carry_enum(Archive& archive, Enum& value, std::remove_const_t<Enum> last) {
  using Number = std::underlying_type_t<std::remove_const_t<Enum>>;
  auto number = static_cast<Number>(value);
  archive.number(number);
  if constexpr (Archive::is_reading) {
    if (number > static_cast<Number>(last))
      archive.fail(fmt::format("an enumerator of {}", number));
    value = static_cast<Enum>(number);
  }
}

template <class Archive>
void carry(Archive& archive, Field<Archive, std::vector<std::string>>& list);
template <class Archive>
void carry(Archive& archive, Field<Archive, std::vector<NodeId>>& list);

/// A list element by element; it grows as bytes are read, never by a size that is merely claimed.
template <class Archive, class List>
void carry_list(Archive& archive, List& list) {
  const std::size_t count = archive.count(list.size());
  for (std::size_t i = 0; i < count; ++i) {
    if constexpr (Archive::is_reading)
      list.emplace_back();
    carry<Archive>(archive, list[i]);
  }
}

template <class Archive>
void carry(Archive& archive, Field<Archive, std::vector<std::string>>& list) {
  carry_list(archive, list);
}

template <class Archive>
void carry(Archive& archive, Field<Archive, std::vector<NodeId>>& list) {
  carry_list(archive, list);
}

template <class Archive, class Optional>
void carry_optional(Archive& archive, Optional& value) {
  bool has_value = value.has_value();
  archive.flag(has_value);
  if (!has_value)
    return;
  if constexpr (Archive::is_reading)
    value.emplace();
  carry<Archive>(archive, *value);
}

template <class Archive>
void carry(Archive& archive, Field<Archive, JobSpec>& spec) {
  carry<Archive>(archive, spec.min_gpus);
  carry<Archive>(archive, spec.requested_gpus);
  carry<Archive>(archive, spec.max_gpus);
  carry_enum(archive, spec.sizes.kind, SizeRule::Kind::powers_of_two);
  carry<Archive>(archive, spec.sizes.step);
  carry<Archive>(archive, spec.gpus_per_worker);
  carry<Archive>(archive, spec.priority);
  carry<Archive>(archive, spec.gpu_type);
  carry<Archive>(archive, spec.queue);
  carry<Archive>(archive, spec.user);
  carry<Archive>(archive, spec.virtual_cluster);
  carry<Archive>(archive, spec.preemptible);
  carry_optional(archive, spec.deadline);
  carry_optional(archive, spec.eligible);
}

template <class Archive>
void carry(Archive& archive, Field<Archive, Counters>& counters) {
  carry<Archive>(archive, counters.service);
  carry<Archive>(archive, counters.executed);
  carry<Archive>(archive, counters.waited);
}

template <class Archive>
void carry(Archive& archive, Field<Archive, JobProgress>& progress) {
  carry<Archive>(archive, progress.lifetime);
  carry<Archive>(archive, progress.since_promotion);
  carry_optional(archive, progress.first_started);
  carry_optional(archive, progress.last_started);
  if (archive.fields_version() >= 2) {
    carry_optional(archive, progress.last_changed);
    carry_list(archive, progress.resized);
  }
}

template <class Archive>
void carry(Archive& archive, Field<Archive, RemainingWork>& work) {
  carry<Archive>(archive, work.left_s);
  carry<Archive>(archive, work.since);
  carry<Archive>(archive, work.rate);
  carry<Archive>(archive, work.stalled_until);
}

template <class Archive>
void carry(Archive& archive, Field<Archive, Job>& job) {
  carry<Archive>(archive, job.id);
  carry<Archive>(archive, job.submitted);
  carry<Archive>(archive, job.spec);
  carry<Archive>(archive, job.progress);
  carry_optional(archive, job.work);
  carry<Archive>(archive, job.speedup);
}

template <class Archive>
void carry(Archive& archive, Field<Archive, JobClock>& clock) {
  carry<Archive>(archive, clock.since_promotion);
  carry<Archive>(archive, clock.counted_at);
  carry<Archive>(archive, clock.running);
}

template <class Archive>
void carry(Archive& archive, Field<Archive, JobImage>& image) {
  carry<Archive>(archive, image.job);
  carry<Archive>(archive, image.lifetime_before);
  carry<Archive>(archive, image.clock);
  carry<Archive>(archive, image.held);
  carry<Archive>(archive, image.node_of_worker);
  carry<Archive>(archive, image.observed_node_of_worker);
  carry<Archive>(archive, image.span);
}

template <class Archive>
void carry(Archive& archive, Field<Archive, Node>& node) {
  carry<Archive>(archive, node.id);
  carry<Archive>(archive, node.gpu_type);
  carry<Archive>(archive, node.gpus);
  carry<Archive>(archive, node.domains);
  carry<Archive>(archive, node.schedulable);
}

template <class Archive>
void carry(Archive& archive, Field<Archive, NodeImage>& image) {
  carry<Archive>(archive, image.node);
  carry<Archive>(archive, image.is_lost);
}

template <class Archive>
void carry(Archive& archive, Field<Archive, PacerState>& pacer) {
  carry_optional(archive, pacer.decided_at);
  carry_optional(archive, pacer.due);
}

template <class Archive>
void carry(Archive& archive, Field<Archive, PoolImage>& pool) {
  carry<Archive>(archive, pool.gpu_type);
  carry_list(archive, pool.nodes);
  carry_optional(archive, pool.counted_gpus);
  carry_list(archive, pool.jobs);
  carry_optional(archive, pool.review_at);
  carry<Archive>(archive, pool.is_due);
  carry<Archive>(archive, pool.pacer);
}

template <class Archive>
void carry(Archive& archive, Field<Archive, ClusterImage>& image) {
  carry<Archive>(archive, image.now);
  carry_enum(archive, image.observation, Observation::reported);
  carry<Archive>(archive, image.policy.allocator);
  carry<Archive>(archive, image.policy.placer);
  carry_list(archive, image.pools);
}

/// What the parts of a job say must fit together; whether jobs, nodes and pools do is for
/// ClusterState to check.
inline void check_jobs(const ClusterImage& image, const Reader& reader) {
  for (const PoolImage& pool : image.pools) {
    for (const JobImage& job : pool.jobs) {
      try {
        check(job.job.spec, job.job.id);
      } catch (const InvalidInput& error) {
        reader.fail(error.what());
      }
    }
  }
}

}  // namespace voda::state_detail
