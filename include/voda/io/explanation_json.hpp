#pragma once

#include <nlohmann/json_fwd.hpp>

#include "voda/config.hpp"
#include "voda/model/job_columns.hpp"
#include "voda/policy/explanation.hpp"

namespace voda {

/// The JSON form of docs/answers.md; instants and durations in seconds, jobs by id, `never` and infinity as null. `jobs` must be those of
/// the problem that was explained.
[[nodiscard]] nlohmann::ordered_json to_json(const Explanation& explanation,
                                             const JobColumns& jobs);

[[nodiscard]] nlohmann::ordered_json to_json(const PlaceExplanation& explanation,
                                             const JobColumns& jobs);

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/io/impl/explanation_json_inl.hpp"
#endif
