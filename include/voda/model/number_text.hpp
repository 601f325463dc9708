#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "voda/config.hpp"

namespace voda {

/// Reads a whole text as a finite decimal number, whatever the locale; nothing for anything else:
/// "", " 1", "+1", "0x10", "nan", "inf", "1e999".
[[nodiscard]] std::optional<double> parse_number(std::string_view text);

/// Reads a whole text as a whole number; "4.0" and "1e3" are whole numbers too. Nothing when it is
/// none or beyond 64 bits.
[[nodiscard]] std::optional<std::int64_t> parse_whole_number(std::string_view text);

/// Position of the first byte that is not part of well-formed UTF-8, or nothing when all of it is.
[[nodiscard]] std::optional<std::size_t> find_invalid_utf8(std::string_view text);

/// True when a text holds a character below the space or the delete character, which no name may
/// have.
[[nodiscard]] bool has_control_characters(std::string_view text);

/// A number of things, one of which is a `noun`: "1 GPU", "2 GPUs", "0 GPUs".
[[nodiscard]] std::string counted(std::int64_t count, std::string_view noun);

/// A text for messages: at most 80 bytes, the rest replaced by dots, broken UTF-8 and everything that
/// a terminal obeys (control characters, marks that turn the direction of writing) by '?'.
[[nodiscard]] std::string shown(std::string_view text);

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/model/impl/number_text_inl.hpp"
#endif
