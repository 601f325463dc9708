#include "command_line/record_entries.hpp"

#include <cstdint>
#include <istream>

#include <fmt/format.h>

#include "voda/model/error.hpp"

namespace voda::command_line {

std::optional<TornTail> for_each_entry(std::istream& in,
                                       const std::string& name,
                                       const std::function<bool(const RecordEntry&)>& take) {
  RecordReader reader(in, name);
  std::int64_t entries = 0;
  while (const auto entry = reader.next()) {
    ++entries;
    try {
      if (!take(*entry))
        return std::nullopt;
    } catch (const Error& error) {
      throw InvalidInput(fmt::format("{}: frame {}: {}", name, entries, error.what()));
    }
  }
  return reader.tail();
}

}  // namespace voda::command_line
