#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>

#include "voda/config.hpp"

namespace voda {

/// The bytes of a file; throws InvalidInput that names the file and the reason when it cannot be
/// read.
[[nodiscard]] std::string read_text_file(const std::filesystem::path& path);

/// Everything that is left in a stream; throws InvalidInput that names `source` when reading fails.
[[nodiscard]] std::string read_to_end(std::istream& in, const std::string& source);

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/io/impl/text_file_inl.hpp"
#endif
