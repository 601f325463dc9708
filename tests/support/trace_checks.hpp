#pragma once

#include <cstddef>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "support/io_checks.hpp"
#include "voda/io/trace_reader.hpp"

namespace voda::test {

[[nodiscard]] inline TraceReadResult read_text(const std::string& text,
                                               const std::string& format,
                                               const TraceOptions& options = {}) {
  std::istringstream in(text);
  return read_trace(in, "t.csv", format, options);
}

/// What is said of a trace that is refused.
[[nodiscard]] inline std::string refusal_of(const std::string& text,
                                            const std::string& format,
                                            const TraceOptions& options = {}) {
  return message_of([&] { return read_text(text, format, options); });
}

/// Whether a trace that is written in the format `voda` is read back with equal jobs.
[[nodiscard]] inline testing::AssertionResult survives_the_voda_format(const Trace& trace) {
  std::stringstream file;
  write_trace(file, trace);
  const Trace again = read_trace(file, "written", "voda").trace;
  if (again.jobs.size() != trace.jobs.size())
    return testing::AssertionFailure() << again.jobs.size() << " jobs of " << trace.jobs.size();
  for (std::size_t i = 0; i < trace.jobs.size(); ++i) {
    const Job& job = trace.jobs[i];
    const Job& copy = again.jobs[i];
    if (copy.id != job.id || copy.submitted != job.submitted || copy.spec != job.spec ||
        copy.work != job.work)
      return testing::AssertionFailure() << "job " << job.id.value << " is another one";
  }
  if (again.profiles != trace.profiles)
    return testing::AssertionFailure() << "the profiles are other ones";
  return testing::AssertionSuccess();
}

}  // namespace voda::test
