#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>

#include "voda/io/speedups_reader.hpp"
#include "voda/model/error.hpp"

/// The first byte selects the name under which the text is read, as it names the profiles of a
/// table by batch size.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0)
    return 0;
  const std::string source = bytes[0] % 2 == 0 ? "folder/model.csv" : "";
  const std::string_view text(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  voda::Profiles profiles;
  std::stringstream written;
  try {
    profiles = voda::read_speedups(text, source);
    voda::write_speedups(written, profiles);
  } catch (const voda::InvalidInput&) {
    return 0;
  }
  if (profiles != voda::read_speedups(written.str(), "written"))
    std::abort();
  return 0;
}
