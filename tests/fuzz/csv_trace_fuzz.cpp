#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "voda/io/node_events_reader.hpp"
#include "voda/io/trace_reader.hpp"
#include "voda/model/error.hpp"

namespace {

void read_and_write(const std::string& text,
                    const voda::TraceFormat& format,
                    voda::BadRows bad_rows) {
  std::istringstream in(text);
  const auto result = voda::read_trace(in, "fuzz", format.name, {.bad_rows = bad_rows});
  voda::check(result.trace);
  std::stringstream written;
  voda::write_trace(written, result.trace);
  const auto again = voda::read_trace(written, "written", "voda").trace;
  if (again.jobs.size() != result.trace.jobs.size())
    std::abort();
  if (again.profiles != result.trace.profiles)
    std::abort();
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
