#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>
#include <string_view>

#include "voda/config.hpp"
#include "voda/simulator/trace.hpp"

namespace voda {

/// Reads speedup profiles from a text; the header of a CSV, or a brace for JSON, tells which form
/// it is:
///
/// - `model,gpus,us_per_iteration`: S(n) = t(1) / t(n); `model,gpus,speedup`: S as it stands.
/// - `global_batch_size,1,2,4,...`: iterations per second, profiles named `stem/batch`; blank, nan
/// and 0: not measured.
/// - JSON `{"name": {"1": 1.0, "2": 1.9, "span": {"2": 0.92}}}`.
///
/// Where one GPU was not measured, S is scaled so that the smallest measured count n has S(n) = n:
/// no loss up to there. `source` names the text in messages, its stem the profiles of a table by
/// batch size. Throws InvalidInput for malformed rows, counts given twice, a model without any
/// measured count and speeds outside [2^-24, 2^20].
[[nodiscard]] Profiles read_speedups(std::string_view text, const std::string& source);

/// Reads a file, or every *.csv and *.json file of a directory in the order of their names; throws
/// as read_speedups(), and InvalidInput when nothing can be read or two files hold one name.
[[nodiscard]] Profiles read_speedups_file(const std::filesystem::path& path);

/// Writes profiles as `model,gpus,speedup` rows, in order of name and count; read_speedups() gives
/// them back as they are.
///
/// Throws InvalidInput for a profile that rows cannot hold (span factors, no point), Error when the
/// stream fails.
void write_speedups(std::ostream& out, const Profiles& profiles);

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/io/impl/speedups_reader_inl.hpp"
#endif
