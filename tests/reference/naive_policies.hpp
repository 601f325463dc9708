#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// A second, slow implementation of the eight allocation policies, made from the written
/// specification alone and sharing no line with the library, so that the two can be compared.
/// Comments between double quotes are sentences of the specification; "section" numbers are its.
namespace naive {

/// What is known of one job: the columns of the table in section 0.
struct Job {
  enum class Sizes : std::uint8_t { every, step, powers_of_two };

  std::string id{};
  std::int64_t submitted_us = 0;
  int min_gpus = 1;
  int requested_gpus = 1;
  int max_gpus = 1;
  Sizes sizes = Sizes::every;
  int step = 1;                            // read only with Sizes::step
  int gpus_per_worker = 1;                 // p
  std::optional<double> work_s{};          // w: seconds on one GPU that remain at `now`
  std::map<int, double> speedup_points{};  // as given; empty: linear
  std::int64_t service_us = 0;             // GPU-microseconds since arrival or promotion
  std::int64_t executed_us = 0;            // likewise, microseconds with GPUs
  std::int64_t waited_us = 0;              // likewise, microseconds without
  std::optional<std::int64_t> last_started_us{};
  int current = 0;  // GPUs held before this decision
};

struct Problem {
  std::int64_t now_us = 0;
  int gpus = 0;  // K
  std::vector<Job> jobs{};
};

struct Answer {
  std::vector<int> gpus{};  // one per job, in the order of the problem
  std::optional<std::int64_t> review_at_us{};
  std::vector<std::string> resets{};
};

/// Answers `problem` with the policy written as on the command line, `name:option=value,...`.
/// Throws std::invalid_argument on an unknown name, option or value, on a job without an allowed
/// size, and on a job without work where the policy needs it.
[[nodiscard]] Answer allocate(const std::string& policy_with_options, const Problem& problem);

/// Lists the sizes besides 0 that the job may hold, ascending; throws when there is none.
[[nodiscard]] std::vector<int> allowed_sizes(const Job& job);

/// Returns m rounded up to whole workers.
[[nodiscard]] int minimum(const Job& job);

/// Returns r rounded down to an allowed size.
[[nodiscard]] int requested(const Job& job);

/// Returns S(n), a whole multiple of 2^-24.
[[nodiscard]] double speed(const Job& job, int n);

/// Sums S over the jobs in units of 2^-24.
[[nodiscard]] std::int64_t total_speed_units(const Problem& problem, const std::vector<int>& gpus);

/// Reads seconds as whole microseconds, the way of every border.
[[nodiscard]] std::int64_t microseconds(double seconds);

}  // namespace naive
