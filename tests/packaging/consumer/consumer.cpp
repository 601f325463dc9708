// What a user of the library writes first; the packaging tests compile it against each way of getting voda.
#include <chrono>
#include <cstdio>

#include "voda/voda.hpp"

int main() {
  const auto policies = voda::builtin_allocators();
  for (const auto& policy : policies.entries()) {
    std::printf("%s: %s\n", policy.name.c_str(), policy.summary.c_str());
  }
  bool is_refused = false;
  try {
    static_cast<void>(policies.make("no_such_policy"));
  } catch (const voda::UnknownName& error) {
    std::printf("%s\n", error.what());
    is_refused = true;
  }
  const bool is_hour = voda::duration_from_seconds(3600.0, "hour") == std::chrono::hours(1);
  return policies.entries().size() >= 8 && is_refused && is_hour ? 0 : 1;
}
