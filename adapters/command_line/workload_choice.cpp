#include "command_line/workload_choice.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "command_line/option_values.hpp"
#include "command_line/status.hpp"
#include "voda/io/workload_profile_reader.hpp"
#include "voda/model/error.hpp"
#include "voda/model/number_text.hpp"

namespace voda::command_line {
namespace {

/// The part of a text before the first comma; the rest stays in `text`.
std::string_view take_part(std::string_view& text) {
  const std::size_t comma = text.find(',');
  const std::string_view part = text.substr(0, comma);
  text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
  return part;
}

}  // namespace

WorkloadOptions choose_workload(std::string_view option,
                                const std::string& text,
                                WorkloadOptions options) {
  if (text == "philly" || text == "itp") {
    options.demand = text == "itp" ? DemandProfile::itp : DemandProfile::philly;
    return options;
  }
  const bool is_file = text.ends_with(".json") || text.find('/') != std::string::npos;
  if (!is_file)
    refuse_value(option, text, "philly | itp | a file, FILE.json or DIRECTORY/FILE");
  return with_profile(std::move(options), read_workload_profile_file(text));
}

Shares read_shares(std::string_view option, const std::string& text) {
  Shares result;
  std::string_view rest = text;
  do {
    const std::string_view part = take_part(rest);
    const std::size_t colon = part.rfind(':');
    const auto share =
        colon == std::string_view::npos ? std::nullopt : parse_number(part.substr(colon + 1));
    if (!share || colon == 0)
      refuse_value(option, text, "NAME:SHARE,NAME:SHARE,..., as in a100:0.3,v100:0.7");
    if (!result.emplace(part.substr(0, colon), *share).second)
      refuse_value(option, text, "every name once");
  } while (!rest.empty());
  try {
    check(result, option);
  } catch (const InvalidInput& error) {
    throw UsageError(error.what());
  }
  return result;
}

DeadlineModel read_deadlines(std::string_view option, const std::string& text) {
  std::string_view rest = text;
  const auto share = parse_number(take_part(rest));
  const std::size_t colon = std::min(rest.find(':'), rest.size());
  const auto least = parse_number(rest.substr(0, colon));
  const auto most = colon == rest.size() ? std::nullopt : parse_number(rest.substr(colon + 1));
  if (!share || !least || !most)
    refuse_value(option, text, "SHARE,MIN:MAX, as in 0.5,1.2:3");
  DeadlineModel result{.share = *share,
                       .slack = {.probabilities = {0, 1}, .values = {*least, *most}}};
  try {
    check(result);
  } catch (const InvalidInput& error) {
    refuse_value(option, text, error.what());
  }
  return result;
}

}  // namespace voda::command_line
