#include "voda/io/record.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>

#include "support/record_bytes.hpp"
#include "voda/model/error.hpp"

namespace {

/// Frames that are whole, with contents from the input: kind, length (2 bytes), contents, and so on.
std::string frames_of(std::string_view rest) {
  std::string record;
  while (rest.size() >= 3) {
    const auto byte = [&rest](std::size_t i) { return static_cast<unsigned char>(rest[i]); };
    const std::size_t length = std::size_t{byte(1)} + 256 * std::size_t{byte(2)};
    record += voda::test::frame_of(std::string(rest.substr(3, length)),
                                   {.at = record.size(), .kind = byte(0)});
    rest.remove_prefix(std::min(rest.size(), 3 + length));
  }
  return record;
}

/// The entries of a record as bytes, up to the first that is refused.
std::string rewritten(const std::string& bytes, bool& is_refused) {
  std::istringstream in(bytes);
  std::ostringstream out;
  voda::RecordWriter writer(out);
  try {
    voda::RecordReader reader(in, "fuzz");
    while (const auto entry = reader.next())
      std::visit([&writer](const auto& value) { writer.add(value); }, *entry);
    if (reader.tail() && reader.tail()->at + reader.tail()->bytes != bytes.size())
      std::abort();
  } catch (const voda::InvalidInput&) {
    is_refused = true;
  }
  return out.str();
}

}  // namespace

/// The first byte selects a file as it is, or whole frames; what can be read is written back equal.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0)
    return 0;
  const std::string rest(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  bool is_refused = false;
  const std::string once = rewritten(bytes[0] % 2 == 0 ? rest : frames_of(rest), is_refused);
  if (once.empty())
    return 0;
  is_refused = false;
  if (rewritten(once, is_refused) != once || is_refused)
    std::abort();
  return 0;
}
