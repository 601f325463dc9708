#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "voda/io/node_events_reader.hpp"
#include "voda/io/trace_reader.hpp"
#include "voda/model/error.hpp"

namespace {

/// Times beyond 2^32 s are written less exactly than to the microsecond.
bool are_equal(const voda::Job& job, const voda::Job& copy) {
  constexpr std::int64_t exact_us = (INT64_C(1) << 32) * 1000000;
  const std::int64_t us = job.submitted.time_since_epoch().count();
  if (us > exact_us || us < -exact_us || job.spec.deadline)
    return true;
  return copy.id == job.id && copy.submitted == job.submitted && copy.spec == job.spec &&
         copy.work == job.work;
}

/// What formats without durations need.
voda::TraceOptions options_of(const voda::TraceFormat& format, voda::BadRows bad_rows) {
  voda::TraceOptions options{.bad_rows = bad_rows};
  if (format.measured == voda::Measured::run_times) {
    options.run_times = voda::read_run_times(
        "application,batch_size,num_replicas,run_time_s\nncf,8,1,9\nncf,8,4,3\n", "run times");
  }
  if (format.measured == voda::Measured::throughputs) {
    options.throughputs = voda::read_throughputs(
        R"json({"v100": {"('A3C', 1)": {"null": 4}, "('A3C', 4)": {"null": 9.5}}})json",
        "throughputs");
  }

  return options;
}

void read_and_write(const std::string& text,
                    const voda::TraceFormat& format,
                    voda::BadRows bad_rows) {
  std::istringstream in(text);
  const auto result = voda::read_trace(in, "fuzz", format.name, options_of(format, bad_rows));
  voda::check(result.trace);
  std::stringstream written;
  voda::write_trace(written, result.trace);
  const auto again = voda::read_trace(written, "written", "voda").trace;
  if (again.jobs.size() != result.trace.jobs.size())
    std::abort();
  if (again.profiles != result.trace.profiles)
    std::abort();
  for (std::size_t i = 0; i < again.jobs.size(); ++i) {
    if (!are_equal(result.trace.jobs[i], again.jobs[i]))
      std::abort();
  }
}

}  // namespace

/// The first byte selects the format (node events after the traces) and what happens to bad rows;
/// the rest is the file.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0)
    return 0;
  const auto formats = voda::trace_formats();
  const std::string text(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  const std::size_t which = (bytes[0] / 2) % (formats.size() + 1);
  const auto bad_rows = bytes[0] % 2 == 0 ? voda::BadRows::refuse : voda::BadRows::skip;
  try {
    if (which < formats.size()) {
      read_and_write(text, formats[which], bad_rows);
    } else {
      std::istringstream in(text);
      static_cast<void>(voda::read_node_events(in, "fuzz"));
    }
  } catch (const voda::InvalidInput&) {
    return 0;
  }
  return 0;
}
