#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace voda::command_line {

/// Appends a number in 7 bits a byte, the low ones first, the top bit set on all but the last
/// (LEB128): small numbers are short.
void append_number(std::string& bytes, std::uint64_t number);

/// The same for numbers of both signs: 0, -1, 1, -2, ... are written as 0, 1, 2, 3, ...
void append_signed(std::string& bytes, std::int64_t number);

/// Bytes as text of letters, digits, '+', '/' and '=' (RFC 4648).
[[nodiscard]] std::string base64_text(std::string_view bytes);

}  // namespace voda::command_line
