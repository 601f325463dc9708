#pragma once

#include <string>
#include <vector>

#include "command_line/report/report_source.hpp"

namespace voda::command_line {

/// Text for the inside of an element of the page that holds no script; `id` finds it.
struct DataBlock {
  std::string id{};
  std::string type{};  // as a media type
  std::string text{};  // without '<', '>' and '&', ASCII only
};

/// What the script of a report draws: `report` (JSON: figures, distributions, load over time),
/// `names` (JSON: job ids), and in base64 `jobs`, `outcomes-N` and `histories-N` for policy N. The
/// layout is described in docs/report.md.
[[nodiscard]] std::vector<DataBlock> data_blocks(const ReportSource& source);

/// Values in ascending order as [how many are at most so large, value]: all of them up to 256,
/// otherwise evenly spaced ones and ever closer ones towards the largest.
[[nodiscard]] std::vector<std::pair<std::size_t, double>> steps_of(std::vector<double> values);

}  // namespace voda::command_line
