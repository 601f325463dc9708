#pragma once

#include <string>

#include "voda/config.hpp"
#include "voda/model/job_columns.hpp"
#include "voda/policy/explanation.hpp"

namespace voda {

/// A value for people: numbers in their shortest form, instants and durations in seconds, jobs by their quoted id.
[[nodiscard]] std::string to_text(const FactValue& value, const JobColumns& jobs);

/// The sentence of a reason with its facts: "needs 4 more GPUs, 2 were left".
[[nodiscard]] std::string to_text(const Reason& reason, const JobColumns& jobs);

/// "with 2 more GPUs in the pool it would get 4 GPUs"; for one that was not found, that nothing of the kind helps.
[[nodiscard]] std::string to_text(const Change& change, const JobColumns& jobs);

/// The whole explanation, a line for what it gets, for each reason, for the holders, for each change that would help and for
/// the kinds that would not.
/// `jobs` must be those of the problem that was explained.
[[nodiscard]] std::string to_text(const Explanation& explanation, const JobColumns& jobs);

/// The same for a place.
[[nodiscard]] std::string to_text(const PlaceExplanation& explanation, const JobColumns& jobs);

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/policy/impl/explanation_text_inl.hpp"
#endif
