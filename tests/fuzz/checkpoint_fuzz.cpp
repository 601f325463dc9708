#include "voda/io/checkpoint.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "support/checkpoint_bytes.hpp"
#include "voda/model/error.hpp"

/// The first byte selects whole files, or contents under a header that fits them; what can be read
/// is written back equal.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0)
    return 0;
  const std::string rest(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  const std::string file = bytes[0] % 2 == 0 ? rest : voda::test::checkpoint_of(rest);
  std::string written;
  try {
    written = voda::write_checkpoint(voda::read_checkpoint(file, "fuzz"));
  } catch (const voda::InvalidInput&) {
    return 0;
  }
  if (written != voda::write_checkpoint(voda::read_checkpoint(written, "written")))
    std::abort();
  return 0;
}
