#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "voda/io/elasticity_text.hpp"
#include "voda/io/impl/curve_json.hpp"
#include "voda/simulator/workload.hpp"
#include "voda/simulator/workload_profile.hpp"

/// How a workload profile stands in JSON.
namespace voda::workload_profile_json_detail {

using OrderedJson = nlohmann::ordered_json;

/// Appends a member whose key is known to be new; operator[] would look for it among all members.
inline void append(OrderedJson& object, const std::string& key, OrderedJson value) {
  object.get_ref<OrderedJson::object_t&>().push_back({key, std::move(value)});
}

[[nodiscard]] inline OrderedJson shares_json(const Shares& shares) {
  OrderedJson result = OrderedJson::object();
  for (const auto& [name, share] : shares)
    append(result, name, share);
  return result;
}

[[nodiscard]] inline OrderedJson quantiles_json(const Quantiles& quantiles) {
  OrderedJson result = OrderedJson::object();
  for (std::size_t i = 0; i < quantiles.values.size(); ++i)
    append(result, fmt::format("{}", quantiles.probabilities[i]), quantiles.values[i]);
  return result;
}

[[nodiscard]] inline OrderedJson demand_json(const std::vector<DemandClass>& demand) {
  OrderedJson result = OrderedJson::array();
  for (const DemandClass& entry : demand) {
    OrderedJson gpus = OrderedJson::object();
    for (const auto& [size, share] : entry.sizes)
      append(gpus, std::to_string(size), share);
    result.push_back({{"gpus", std::move(gpus)}, {"run_s", quantiles_json(entry.run_s)}});
  }
  return result;
}

/// A curve is left out where the reader would find the same one by itself.
[[nodiscard]] inline OrderedJson profiles_json(
    const std::map<std::string, ProfileShare, std::less<>>& profiles) {
  const Profiles shipped = workload_profiles();
  OrderedJson result = OrderedJson::object();
  for (const auto& [name, entry] : profiles) {
    const auto known = shipped.find(name);
    const SpeedupCurve found = known == shipped.end() ? SpeedupCurve() : known->second;
    OrderedJson member{{"share", entry.share}};
    if (!(entry.speedup == found))
      member["speedup"] = json_detail::to_json(entry.speedup);
    append(result, name, std::move(member));
  }
  return result;
}

[[nodiscard]] inline OrderedJson arrivals_json(const ArrivalModel& arrivals) {
  OrderedJson result = OrderedJson::object();
  if (arrivals.mean_gap_s)
    result["mean_gap_s"] = *arrivals.mean_gap_s;
  result["hour_of_day"] = arrivals.hour_of_day;
  result["day_of_week"] = arrivals.day_of_week;
  if (arrivals.gaps) {
    result["gaps"] = quantiles_json(*arrivals.gaps);
  } else {
    result["squared_variation"] = arrivals.squared_variation;
  }
  return result;
}

[[nodiscard]] inline OrderedJson profile_json(const WorkloadProfile& profile) {
  OrderedJson result{{"version", 1}};
  if (!profile.description.empty())
    result["description"] = profile.description;
  result["demand"] = demand_json(profile.demand);
  if (profile.arrivals)
    result["arrivals"] = arrivals_json(*profile.arrivals);
  if (profile.profiles)
    result["profiles"] = profiles_json(*profile.profiles);
  if (profile.elastic) {
    result["elastic"] = {{"share", profile.elastic->share},
                         {"sizes", to_text(profile.elastic->sizes)}};
  }
  if (profile.deadlines) {
    result["deadlines"] = {{"share", profile.deadlines->share},
                           {"slack", quantiles_json(profile.deadlines->slack)}};
  }
  const LabelShares& labels = profile.labels;
  const auto add = [&result](const char* name, const Shares& shares) {
    if (!shares.empty())
      result[name] = shares_json(shares);
  };
  add("gpu_types", labels.gpu_types);
  add("users", labels.users);
  add("queues", labels.queues);
  add("virtual_clusters", labels.virtual_clusters);
  return result;
}

}  // namespace voda::workload_profile_json_detail
