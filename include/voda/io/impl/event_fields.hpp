#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "voda/io/impl/state_fields.hpp"
#include "voda/model/event.hpp"

/// The fields of events in their order, once for both directions; see state_fields.hpp.
namespace voda::state_detail {

template <class Archive>
void carry(Archive& archive, Field<Archive, JobSubmitted>& event) {
  carry<Archive>(archive, event.job);
  carry<Archive>(archive, event.held);
  carry<Archive>(archive, event.node_of_worker);
}

template <class Archive>
void carry(Archive& archive, Field<Archive, JobFinished>& event) {
  carry<Archive>(archive, event.job);
}

template <class Archive>
void carry(Archive& archive, Field<Archive, JobChanged>& event) {
  carry<Archive>(archive, event.job);
  carry<Archive>(archive, event.spec);
}

template <class Archive>
void carry(Archive& archive, Field<Archive, JobMeasured>& event) {
  carry<Archive>(archive, event.job);
  carry_optional(archive, event.remaining_s);
  carry_optional(archive, event.stalled_until);
  carry_optional(archive, event.speedup);
}

template <class Archive>
void carry(Archive& archive, Field<Archive, WorkersSeen>& event) {
  carry<Archive>(archive, event.job);
  carry<Archive>(archive, event.node_of_worker);
}

template <class Archive>
void carry(Archive& archive, Field<Archive, WorkerFailed>& event) {
  carry<Archive>(archive, event.job);
  carry<Archive>(archive, event.node);
}

template <class Archive>
void carry(Archive& archive, Field<Archive, NodeJoined>& event) {
  carry<Archive>(archive, event.node);
}

template <class Archive>
void carry(Archive& archive, Field<Archive, NodeChanged>& event) {
  carry<Archive>(archive, event.node);
}

template <class Archive>
void carry(Archive& archive, Field<Archive, NodeLeft>& event) {
  carry<Archive>(archive, event.node);
}

template <class Archive>
void carry(Archive& archive, Field<Archive, CapacityChanged>& event) {
  carry<Archive>(archive, event.gpu_type);
  carry<Archive>(archive, event.gpus);
}

template <class Archive>
void carry(Archive& archive, Field<Archive, PolicyChanged>& event) {
  carry<Archive>(archive, event.allocator);
  carry<Archive>(archive, event.placer);
}

template <class Archive>
void carry(Archive& archive, Field<Archive, Holding>& holding) {
  carry<Archive>(archive, holding.job);
  carry<Archive>(archive, holding.gpus);
  carry<Archive>(archive, holding.node_of_worker);
}

template <class Archive>
void carry(Archive& archive, Field<Archive, Decided>& event) {
  carry<Archive>(archive, event.gpu_type);
  carry_list(archive, event.changed);
  carry_list(archive, event.resets);
  carry_optional(archive, event.review_at);
}

/// A body of a kind that is known by its place in EventBody; new kinds join at the end.
template <std::size_t Kind = 0>
[[nodiscard]] EventBody body_of(std::uint8_t kind, Reader& reader) {
  if constexpr (Kind == std::variant_size_v<EventBody>) {
    reader.fail(fmt::format("an event of kind {}; expected 0 to {}", kind, Kind - 1));
  } else {
    if (kind != Kind)
      return body_of<Kind + 1>(kind, reader);
    std::variant_alternative_t<Kind, EventBody> body;
    carry<Reader>(reader, body);
    return body;
  }
}

inline void write_event(Writer& writer, const Event& event) {
  carry<Writer>(writer, event.at);
  writer.number(static_cast<std::uint8_t>(event.body.index()));
  std::visit([&writer](const auto& body) { carry<Writer>(writer, body); }, event.body);
}

[[nodiscard]] inline Event read_event(Reader& reader) {
  Event event;
  carry<Reader>(reader, event.at);
  std::uint8_t kind = 0;
  reader.number(kind);
  event.body = body_of(kind, reader);
  return event;
}

}  // namespace voda::state_detail
