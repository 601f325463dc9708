#pragma once

#include <iosfwd>

#include "command_line/report/report_source.hpp"

namespace voda::command_line {

/// Writes a report as one HTML page that needs nothing else: tables and key figures as they are,
/// charts drawn by its script. Nothing but that script can run in it (Content-Security-Policy).
void write_report(std::ostream& out, const ReportSource& source);

}  // namespace voda::command_line
