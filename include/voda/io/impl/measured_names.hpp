#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>

#include "voda/io/throughputs_reader.hpp"
#include "voda/model/number_text.hpp"

namespace voda::trace_formats_detail {

/// The numbers of GPUs of which something was measured, for messages.
[[nodiscard]] inline std::string measured_counts(const MeasuredModel& model) {
  std::vector<GpuCount> counts;
  counts.reserve(model.values.size());
  for (const auto& entry : model.values)
    counts.push_back(entry.first);
  return shown(fmt::format("{}", fmt::join(counts, ", ")));
}

/// The names of what was measured, for messages.
[[nodiscard]] inline std::string measured_names(const MeasuredModels& models) {
  std::vector<std::string> names;
  names.reserve(models.size());
  for (const auto& entry : models)
    names.push_back(entry.first);
  return shown(fmt::format("{}", fmt::join(names, ", ")));
}

}  // namespace voda::trace_formats_detail
