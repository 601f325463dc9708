#pragma once

#include <functional>
#include <string>

#include "command_line/command.hpp"
#include "command_line/json_text.hpp"
#include "command_line/output_format.hpp"
#include "voda/io/snapshot.hpp"

namespace voda::command_line {

/// Where problems come from, how many there are, and how answers are printed.
struct ProblemSource {
  std::string path{};
  bool is_lines = false;  // --jsonl: a problem a line
  OutputChoice output{.format = "json"};
};

/// Adds FILE, --jsonl and -o.
void add_problem_source(CLI::App& app, ProblemSource& source);

/// Answers a text with a JSON document; throws Error for what it refuses. `source` names the text
/// in messages.
using TextAnswer = std::function<Json(const std::string& text, const std::string& source)>;

/// An answer as rows, for tables and CSV.
using SheetView = std::function<ResultSheet(const Json& answer)>;

/// Answers one problem, or with --jsonl each line as it comes: memory does not grow with the number
/// of lines. A line that is refused becomes {"error": ..., "line": n} and the rest goes on.
/// Throws UsageError for --jsonl with another output than JSON.
[[nodiscard]] ExitStatus answer_problems(const ProblemSource& source,
                                         const Context& context,
                                         const TextAnswer& answer,
                                         const SheetView& view);

/// Answers a snapshot with a JSON document; throws Error for what it refuses.
using SnapshotAnswer = std::function<Json(const Snapshot& snapshot)>;

/// As answer_problems(), for snapshots; messages name their source.
[[nodiscard]] ExitStatus answer_snapshots(const ProblemSource& source,
                                          const Context& context,
                                          const SnapshotAnswer& answer,
                                          const SheetView& view);

}  // namespace voda::command_line
