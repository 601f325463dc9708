#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>
#include <string_view>

#include "voda/config.hpp"
#include "voda/simulator/workload_profile.hpp"

namespace voda {

/// Reads a workload profile in JSON (docs/trace-formats.md, "Workload profiles"); `source` names the
/// text in messages.
///
/// A speedup profile without a curve gets the shipped one of its name, or is linear. Throws
/// InvalidInput that names source, path, value and expectation for anything that is not understood:
/// a missing or unknown field, another version, a bad number or share.
[[nodiscard]] WorkloadProfile read_workload_profile(std::string_view text,
                                                    const std::string& source);

/// Reads a file; throws as read_workload_profile(), and InvalidInput when it cannot be read.
[[nodiscard]] WorkloadProfile read_workload_profile_file(const std::filesystem::path& path);

/// Writes a profile as JSON, which read_workload_profile() reads back as it is.
///
/// Throws InvalidInput for a profile that check() refuses, Error when the stream fails.
void write_workload_profile(std::ostream& out, const WorkloadProfile& profile);

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/io/impl/workload_profile_reader_inl.hpp"
#endif
