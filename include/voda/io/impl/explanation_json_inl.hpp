#pragma once

#include "voda/io/explanation_json.hpp"

#include <cmath>
#include <span>
#include <string>
#include <type_traits>
#include <variant>

#include <nlohmann/json.hpp>

#include "voda/policy/explanation_text.hpp"

namespace voda {
namespace explanation_json_detail {

using Json = nlohmann::ordered_json;

[[nodiscard]] inline Json value_json(const FactValue& value, const JobColumns& jobs) {
  return std::visit(
      [&jobs](const auto& one) -> Json {
        using Value = std::decay_t<decltype(one)>;
        if constexpr (std::is_same_v<Value, JobIndex>)
          return jobs.id[one].value;
        else if constexpr (std::is_same_v<Value, TimePoint>)
          return one == never ? Json(nullptr) : Json(to_seconds(one));
        else if constexpr (std::is_same_v<Value, Duration>)
          return to_seconds(one);
        else if constexpr (std::is_same_v<Value, double>)
          return std::isfinite(one) ? Json(one) : Json(nullptr);
        else
          return one;
      },
      value);
}

[[nodiscard]] inline Json facts_json(std::span<const Fact> facts, const JobColumns& jobs) {
  Json result = Json::object();
  for (const Fact& fact : facts)
    result[fact.name] = value_json(fact.value, jobs);
  return result;
}

[[nodiscard]] inline Json reason_json(const Reason& reason, const JobColumns& jobs) {
  return {{"code", std::string(info_of(reason.code).name)},
          {"facts", facts_json(reason.facts, jobs)},
          {"text", to_text(reason, jobs)}};
}

[[nodiscard]] inline Json change_json(const Change& change, const JobColumns& jobs) {
  Json result{{"kind", std::string(name_of(change.kind))},
              {"facts", facts_json(change.facts, jobs)},
              {"gpus", change.gpus ? Json(*change.gpus) : Json(nullptr)}};
  if (change.nodes)
    result["nodes"] = *change.nodes;
  return result;
}

[[nodiscard]] inline Json reasons_json(std::span<const Reason> reasons, const JobColumns& jobs) {
  Json result = Json::array();
  for (const Reason& reason : reasons)
    result.push_back(reason_json(reason, jobs));
  return result;
}

[[nodiscard]] inline Json changes_json(std::span<const Change> changes, const JobColumns& jobs) {
  Json result = Json::array();
  for (const Change& change : changes)
    result.push_back(change_json(change, jobs));
  return result;
}

}  // namespace explanation_json_detail

VODA_INLINE nlohmann::ordered_json to_json(const Explanation& explanation, const JobColumns& jobs) {
  namespace detail = explanation_json_detail;
  using Json = detail::Json;
  Json holders = Json::array();
  for (const Holder& holder : explanation.holders)
    holders.push_back({{"job", jobs.id[holder.job].value}, {"gpus", holder.gpus}});
  const auto& rank = explanation.rank;
  return {{"job", jobs.id[explanation.job].value},
          {"gpus", explanation.gpus},
          {"rank", rank ? Json{{"place", rank->place}, {"of", rank->of}} : Json(nullptr)},
          {"keys", detail::facts_json(explanation.keys, jobs)},
          {"reasons", detail::reasons_json(explanation.reasons, jobs)},
          {"holders", std::move(holders)},
          {"changes", detail::changes_json(explanation.changes, jobs)}};
}

VODA_INLINE nlohmann::ordered_json to_json(const PlaceExplanation& explanation,
                                           const JobColumns& jobs) {
  namespace detail = explanation_json_detail;
  return {{"reasons", detail::reasons_json(explanation.reasons, jobs)},
          {"changes", detail::changes_json(explanation.changes, jobs)}};
}

}  // namespace voda
