#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string_view>

#include "voda/io/workload_profile_reader.hpp"
#include "voda/model/error.hpp"
#include "voda/simulator/workload.hpp"

/// What is read is written as it is, and makes a valid workload or says why it cannot.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  voda::WorkloadProfile profile;
  try {
    profile = voda::read_workload_profile(text, "profile");
  } catch (const voda::InvalidInput&) {
    return 0;
  }
  std::stringstream written;
  voda::write_workload_profile(written, profile);
  if (profile != voda::read_workload_profile(written.str(), "written"))
    std::abort();
  try {
    check(generate_workload(with_profile({.jobs = 20}, profile)));
  } catch (const voda::InvalidInput&) {
    return 0;
  }
  return 0;
}
