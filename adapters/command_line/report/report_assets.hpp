#pragma once

#include <string_view>

namespace voda::command_line {

/// The page, its style and its script as CMake embeds them (report_assets.cpp.in), and the hashes
/// by which the page allows them: `sha256-...`.
extern const std::string_view report_html;
extern const std::string_view report_css;
extern const std::string_view report_css_hash;
extern const std::string_view report_script;
extern const std::string_view report_script_hash;

}  // namespace voda::command_line
