#pragma once

#include "voda/io/workload_profile_reader.hpp"

#include <algorithm>
#include <map>
#include <ostream>
#include <utility>

#include <fmt/format.h>

#include "voda/io/impl/json_reader.hpp"
#include "voda/io/impl/workload_profile_json.hpp"
#include "voda/io/text_file.hpp"
#include "voda/model/error.hpp"
#include "voda/model/number_text.hpp"

namespace voda {
namespace workload_profile_json_detail {

using json_detail::Cursor;

inline constexpr RealRange share_range{.min = WorkloadProfile::least_share, .max = 1};

[[nodiscard]] inline Shares read_shares(const Cursor& cursor) {
  Shares result;
  cursor.for_each_member([&result](const std::string& name, const Cursor& member) {
    if (has_control_characters(name))
      member.fail("a name with control characters; expected one without");
    result.emplace(name, member.number(share_range));
  });
  if (result.empty())
    cursor.refuse("at least one name, or no field");
  return result;
}

/// Reads {"0": 5, "0.5": 60, "1": 900}.
[[nodiscard]] inline Quantiles read_quantiles(const Cursor& cursor, RealRange range) {
  std::map<double, double> values;
  cursor.for_each_member([&](const std::string& key, const Cursor& member) {
    const auto probability = parse_number(key);
    if (!probability || !(*probability >= 0 && *probability <= 1))
      member.fail("unknown key; expected a probability from 0 to 1");
    if (!values.emplace(*probability, member.number(range)).second)
      member.fail(fmt::format("the probability {} is there twice; expected it once", *probability));
  });
  Quantiles result;
  for (const auto& [probability, value] : values) {
    result.probabilities.push_back(probability);
    result.values.push_back(value);
  }
  return result;
}

[[nodiscard]] inline DemandClass read_demand_class(const Cursor& cursor) {
  cursor.check_fields({"gpus", "run_s"});
  DemandClass result;
  cursor.require("gpus").for_each_member([&result](const std::string& key, const Cursor& member) {
    const auto gpus = json_detail::count_key(member, key, "a number of GPUs");
    result.sizes.emplace(gpus, member.number(share_range));
  });
  result.run_s =
      read_quantiles(cursor.require("run_s"), {.min = 0, .max = WorkloadProfile::longest_run_s});
  return result;
}

[[nodiscard]] inline std::map<std::string, ProfileShare, std::less<>> read_profiles(
    const Cursor& cursor) {
  const Profiles shipped = workload_profiles();
  std::map<std::string, ProfileShare, std::less<>> result;
  cursor.for_each_member([&](const std::string& name, const Cursor& member) {
    if (has_control_characters(name))
      member.fail("a name with control characters; expected one without");
    member.check_fields({"share", "speedup"});
    ProfileShare entry{.share = member.require("share").number(share_range)};
    const auto curve = member.find("speedup");
    const auto known = shipped.find(name);
    if (curve && name.empty())
      curve->fail("a curve of jobs without a profile; expected none, they are linear");
    if (curve) {
      entry.speedup = json_detail::read_curve(*curve);
    } else if (known != shipped.end()) {
      entry.speedup = known->second;
    }
    result.emplace(name, std::move(entry));
  });
  return result;
}

template <std::size_t n>
void read_rates(const Cursor& cursor, const char* field, std::array<double, n>& rates) {
  const auto found = cursor.find(field);
  if (!found)
    return;
  if (!found->value().is_array() || found->value().size() != n)
    found->refuse(fmt::format("an array of {} rates", n));
  std::size_t next = 0;
  found->for_each_element(
      [&](const Cursor& rate) { rates.at(next++) = rate.number({.min = 0, .max = 1e6}); });
}

[[nodiscard]] inline ArrivalModel read_arrivals(const Cursor& cursor) {
  cursor.check_fields({"mean_gap_s", "hour_of_day", "day_of_week", "gaps", "squared_variation"});
  ArrivalModel result;
  if (const auto mean = cursor.find("mean_gap_s"))
    result.mean_gap_s = mean->number({.min = 1e-6, .max = max_seconds});
  read_rates(cursor, "hour_of_day", result.hour_of_day);
  read_rates(cursor, "day_of_week", result.day_of_week);
  if (const auto gaps = cursor.find("gaps"))
    result.gaps = read_quantiles(*gaps, {.min = 0, .max = max_seconds});
  if (const auto variation = cursor.find("squared_variation")) {
    if (result.gaps)
      variation->fail("it stands beside gaps; expected one of the two");
    result.squared_variation = variation->number({.min = 0, .max = 1e6});
  }
  return result;
}

[[nodiscard]] inline ElasticModel read_elastic(const Cursor& cursor) {
  cursor.check_fields({"share", "sizes"});
  ElasticModel result{.share = cursor.require("share").number({.min = 0, .max = 1})};
  const Cursor sizes = cursor.require("sizes");
  try {
    result.sizes = parse_elasticity(sizes.text());
  } catch (const InvalidInput& error) {
    sizes.fail(error.what());
  }
  return result;
}

[[nodiscard]] inline DeadlineModel read_deadlines(const Cursor& cursor) {
  cursor.check_fields({"share", "slack"});
  constexpr double most = WorkloadProfile::most_slack;
  return {.share = cursor.require("share").number({.min = 0, .max = 1}),
          .slack = read_quantiles(cursor.require("slack"), {.min = -most, .max = most})};
}

[[nodiscard]] inline WorkloadProfile read_profile(const Cursor& cursor) {
  cursor.check_fields({"version",
                       "description",
                       "demand",
                       "arrivals",
                       "profiles",
                       "elastic",
                       "deadlines",
                       "gpu_types",
                       "users",
                       "queues",
                       "virtual_clusters"});
  static_cast<void>(cursor.require("version").whole_number({.min = 1, .max = 1}));
  WorkloadProfile result;
  if (const auto description = cursor.find("description"))
    result.description = description->text();
  cursor.require("demand").for_each_element(
      [&result](const Cursor& element) { result.demand.push_back(read_demand_class(element)); });
  if (const auto arrivals = cursor.find("arrivals"))
    result.arrivals = read_arrivals(*arrivals);
  if (const auto profiles = cursor.find("profiles"))
    result.profiles = read_profiles(*profiles);
  if (const auto elastic = cursor.find("elastic"))
    result.elastic = read_elastic(*elastic);
  if (const auto deadlines = cursor.find("deadlines"))
    result.deadlines = read_deadlines(*deadlines);
  const auto read_label = [&cursor](const char* field, Shares& shares) {
    if (const auto found = cursor.find(field))
      shares = read_shares(*found);
  };
  read_label("gpu_types", result.labels.gpu_types);
  read_label("users", result.labels.users);
  read_label("queues", result.labels.queues);
  read_label("virtual_clusters", result.labels.virtual_clusters);
  return result;
}

}  // namespace workload_profile_json_detail

VODA_INLINE WorkloadProfile read_workload_profile(std::string_view text,
                                                  const std::string& source) {
  namespace detail = workload_profile_json_detail;
  const auto document = json_detail::parse(text, source);
  const json_detail::Cursor cursor(document, source);
  WorkloadProfile result = detail::read_profile(cursor);
  try {
    check(result);
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{}: {}", source, error.what()));
  }
  return result;
}

VODA_INLINE WorkloadProfile read_workload_profile_file(const std::filesystem::path& path) {
  return read_workload_profile(read_text_file(path), path.string());
}

VODA_INLINE void write_workload_profile(std::ostream& out, const WorkloadProfile& profile) {
  check(profile);
  out << workload_profile_json_detail::profile_json(profile).dump(2) << '\n';
  out.flush();
  if (!out)
    throw Error("the workload profile could not be written to its end; expected room for it");
}

}  // namespace voda
