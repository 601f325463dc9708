#pragma once

#include <string>

#include "command_line/json_text.hpp"
#include "command_line/result_sheet.hpp"
#include "voda/scheduler/replay.hpp"

namespace voda::command_line {

/// How a decision that was made again differs from the recorded one: `at`, `gpu_type`, `jobs` with
/// what they were given in either, `review_at` and `resets` where those differ, or `failure`.
[[nodiscard]] Json difference_json(const ReplayedDecision& decision);

/// Columns for differences, a row for each job that was given something else.
[[nodiscard]] ResultSheet difference_sheet();

void append_rows(const Json& difference, ResultSheet& sheet);

/// The same for people.
[[nodiscard]] std::string difference_text(const Json& difference);

}  // namespace voda::command_line
