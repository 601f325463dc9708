#pragma once

#include <functional>
#include <iosfwd>
#include <optional>
#include <string>

#include "voda/io/record.hpp"

namespace voda::command_line {

/// Gives the entries of a record to `take` until it says no; returns what was cut at the end, if it was reached. What `take` throws
/// for an entry is told with the entry's place. `name` is the record's in messages. Throws InvalidInput.
std::optional<TornTail> for_each_entry(std::istream& in,
                                       const std::string& name,
                                       const std::function<bool(const RecordEntry&)>& take);

}  // namespace voda::command_line
