#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "voda/config.hpp"
#include "voda/model/speedup_curve.hpp"
#include "voda/model/units.hpp"

namespace voda {

/// What was measured of a model.
struct MeasuredModel {
  std::map<GpuCount, double> values{};  // by number of GPUs: steps per second, or seconds of a run
  SpeedupCurve speedup{};               // that follows from them, as read_speedups() scales it
};

/// Measurements by name: of a job type, or of an application with its batch size.
using MeasuredModels = std::map<std::string, MeasuredModel, std::less<>>;

/// Steps per second of each job type, by type of GPU.
using Throughputs = std::map<std::string, MeasuredModels, std::less<>>;

/// Reads Gavel's measurements: `{"v100": {"('ResNet-18 (batch size 64)', 2)": {"null": 15.2, ...}}}`,
/// steps per second of a job type on so many GPUs that it has for itself. What it does beside another
/// job is passed over; 0 means not measured.
///
/// Throws InvalidInput with the path of what is wrong: other forms, numbers that are no speeds from
/// 0 to 10^12.
[[nodiscard]] Throughputs read_throughputs(std::string_view text, const std::string& source);

/// The same of a file; throws InvalidInput when it cannot be read.
[[nodiscard]] Throughputs read_throughputs_file(const std::filesystem::path& path);

/// Reads `application,batch_size,num_replicas,run_time_s`: the seconds that a whole run takes, for
/// models named `application/batch_size`.
///
/// Throws InvalidInput with the line of what is wrong: a bad header, bad numbers, a run that is
/// there twice.
[[nodiscard]] MeasuredModels read_run_times(std::string_view text, const std::string& source);

/// The same of a file; throws InvalidInput when it cannot be read.
[[nodiscard]] MeasuredModels read_run_times_file(const std::filesystem::path& path);

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/io/impl/throughputs_reader_inl.hpp"
#endif
