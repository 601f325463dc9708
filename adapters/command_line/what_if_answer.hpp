#pragma once

#include <optional>
#include <string>

#include "command_line/json_text.hpp"
#include "command_line/result_sheet.hpp"
#include "voda/scheduler/scheduler.hpp"
#include "voda/simulator/future.hpp"

namespace voda::command_line {

/// One of the two cases that are compared.
struct WhatIfCase {
  PolicyChanged policy{};
  const ClusterState* state = nullptr;
  const Decision* decision = nullptr;  // the next one
  std::optional<Futures> futures{};    // nothing where the work of a job is unknown
};

/// `at`, `policy`, `placer`, `decision`: what jobs are given in either case where that differs, and `future`: figures and
/// jobs in either case, or null.
[[nodiscard]] Json what_if_json(const WhatIfCase& as_is, const WhatIfCase& changed);

/// A row for each job: what it is given, and when it starts and ends, in either case.
[[nodiscard]] ResultSheet what_if_sheet(const Json& answer);

/// The same for people; `no_future` says why there is none.
[[nodiscard]] std::string what_if_text(const Json& answer, const std::string& no_future);

}  // namespace voda::command_line
