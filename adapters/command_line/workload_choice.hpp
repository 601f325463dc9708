#pragma once

#include <string>
#include <string_view>

#include "voda/simulator/workload.hpp"

namespace voda::command_line {

/// Whose workload `--demand` or `--against` means, set into `options`: philly, itp, or a file with a
/// workload profile (its name ends in .json or has a slash).
///
/// Throws UsageError that names the option for another word, InvalidInput for a bad file.
[[nodiscard]] WorkloadOptions choose_workload(std::string_view option,
                                              const std::string& text,
                                              WorkloadOptions options);

/// Reads NAME:SHARE,NAME:SHARE,...; throws UsageError that names the option unless the shares add up
/// to 1.
[[nodiscard]] Shares read_shares(std::string_view option, const std::string& text);

/// Reads SHARE,MIN:MAX, slacks of the deadlines, each as likely as the others; throws UsageError that
/// names the option.
[[nodiscard]] DeadlineModel read_deadlines(std::string_view option, const std::string& text);

}  // namespace voda::command_line
