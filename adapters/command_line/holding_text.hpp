#pragma once

#include <string>

#include "command_line/json_text.hpp"
#include "voda/model/event.hpp"

namespace voda::command_line {

/// What a job holds, as plans write it: GPUs by node, or their number where the place is unknown.
[[nodiscard]] Json holding_json(const Holding& holding);

/// The same for people, from its JSON.
[[nodiscard]] std::string holding_text(const Json& holding);

}  // namespace voda::command_line
