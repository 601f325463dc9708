#pragma once

#include "command_line/json_text.hpp"
#include "command_line/result_sheet.hpp"

namespace voda::command_line {

/// The answer of `voda decide` as rows: one for each job and node, one without a node for a job that is on none.
[[nodiscard]] ResultSheet decision_sheet(const Json& answer);

}  // namespace voda::command_line
