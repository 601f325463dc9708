#include "naive_policies.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <locale>
#include <ranges>
#include <sstream>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace naive {

// Section 0. `volatile` keeps a product apart from the addition after it: one fused operation
// rounds differently from two.

std::int64_t microseconds(double seconds) {
  // "seconds at every border, read as floor(x * 1e6 + 0.5)"
  const volatile double scaled = seconds * 1e6;
  return static_cast<std::int64_t>(std::floor(scaled + 0.5));
}

int minimum(const Job& job) {
  // "With `gpus_per_worker` = p > 1: m is rounded up ... to multiples of p"
  const int p = job.gpus_per_worker;
  return (job.min_gpus + p - 1) / p * p;
}

std::vector<int> allowed_sizes(const Job& job) {
  // "every integer in [m, M] ... a step (m, m+s, m+2s, ...) or powers of two in [m, M]; m itself is
  // always allowed"; with p > 1 "M down to multiples of p (m > M: an invalid job), sizes are formed
  // from that m and those that are no multiples dropped"
  const int m = minimum(job);
  std::vector<int> sizes;
  for (int n = m; n <= job.max_gpus; ++n) {
    const bool is_power_of_two = (n & (n - 1)) == 0;
    const bool is_formed = n == m || job.sizes == Job::Sizes::every ||
                           (job.sizes == Job::Sizes::step && (n - m) % job.step == 0) ||
                           (job.sizes == Job::Sizes::powers_of_two && is_power_of_two);
    if (is_formed && n % job.gpus_per_worker == 0) {
      sizes.push_back(n);
    }
  }
  if (sizes.empty()) {
    throw std::invalid_argument("job '" + job.id + "': no allowed size in [minimum, maximum]");
  }
  return sizes;
}

int requested(const Job& job) {
  // "r is rounded down to an allowed size >= m"; "the largest size <= r, or m if none"
  int largest = minimum(job);
  for (const int size : allowed_sizes(job)) {
    if (size <= job.requested_gpus) {
      largest = size;
    }
  }
  return largest;
}

namespace {

constexpr double units_per_speed = 16777216.0;  // 2^24

using Order = std::vector<std::size_t>;  // positions of jobs

double rounded_speed(double x) {
  // "rounded to floor(x * 2^24 + 0.5) / 2^24"
  const volatile double scaled = x * units_per_speed;
  return std::floor(scaled + 0.5) / units_per_speed;
}

std::optional<int> next_size(const Job& job, int n) {
  // "the smallest allowed size > n; next(0) = m; none at the last size"
  for (const int size : allowed_sizes(job)) {
    if (size > n) {
      return size;
    }
  }
  return std::nullopt;
}

bool is_faster(const Job& job, int n, int larger) {
  // "no policy moves a job from n to n' > n when S(n') <= S(n)"
  return speed(job, larger) > speed(job, n);
}

double remaining_time(const Job& job, int n) {
  // "R(n) = w / S(n)"
  return job.work_s.value() / speed(job, n);
}

double remaining_gpu_time(const Job& job, int n) {
  // "products with it are computed as n * (w / S(n))"
  return n * remaining_time(job, n);
}

void require_work(const std::string& policy, const Problem& problem) {
  // "required by srjf, elastic_srjf and afs_l (absent: an error that names job and policy)"
  for (const Job& job : problem.jobs) {
    if (!job.work_s) {
      throw std::invalid_argument(policy + ": job '" + job.id + "' has no remaining work");
    }
  }
}

Order arrival_order(const Problem& problem) {
  // "(submitted, id) ascending; ids compare as text"
  Order order;
  for (std::size_t j = 0; j < problem.jobs.size(); ++j) {
    order.push_back(j);
  }
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    const Job& left = problem.jobs[a];
    const Job& right = problem.jobs[b];
    return std::tie(left.submitted_us, left.id) < std::tie(right.submitted_us, right.id);
  });
  return order;
}

/// Orders the jobs by `key`, ascending. "All comparisons of computed doubles are plain `<` ... Ties
/// end at arrival order": jobs enter in arrival order, each goes behind its equals.
template <typename Key>
Order order_by(const Problem& problem, const Key& key) {
  Order order;
  for (const std::size_t j : arrival_order(problem)) {
    auto place = order.end();
    while (place != order.begin() && key(problem.jobs[j]) < key(problem.jobs[*(place - 1)])) {
      --place;
    }
    order.insert(place, j);
  }
  return order;
}

int free_gpus(const Problem& problem, const std::vector<int>& gpus) {
  int left = problem.gpus;
  for (const int n : gpus) {
    left -= n;
  }
  return left;
}

Answer nothing_given(const Problem& problem) {
  Answer answer;
  answer.gpus.assign(problem.jobs.size(), 0);
  return answer;
}

// How a policy and its options are written: `name:option=value,...`

using Options = std::map<std::string, std::string>;

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::pair<std::string, Options> read_policy(const std::string& text) {
  const std::size_t colon = text.find(':');
  Options options;
  if (colon == std::string::npos) {
    return {text, options};
  }
  for (const std::string& item : split(text.substr(colon + 1), ',')) {
    const std::size_t equals = item.find('=');
    if (equals == std::string::npos) {
      throw std::invalid_argument(std::string("'")
                                      .append(text)
                                      .append("': expected option=value, not '")
                                      .append(item)
                                      .append("'"));
    }
    if (!options.emplace(item.substr(0, equals), item.substr(equals + 1)).second) {
      throw std::invalid_argument(std::string("'")
                                      .append(text)
                                      .append("': option given twice in '")
                                      .append(item)
                                      .append("'"));
    }
  }
  return {text.substr(0, colon), options};
}

/// Takes one option out of `options`; the first of the known values is the default.
std::string take(Options& options, const std::string& name, const std::vector<std::string>& known) {
  const auto given = options.find(name);
  if (given == options.end()) {
    return known.front();
  }
  const std::string value = given->second;
  options.erase(given);
  if (std::ranges::find(known, value) == known.end()) {
    throw std::invalid_argument("option '" + name + "' has no value '" + value + "'");
  }
  return value;
}

template <typename Number>
Number read_number(const std::string& option, const std::string& text) {
  std::istringstream in(text);
  in.imbue(std::locale::classic());
  Number number = 0;
  if (!(in >> std::noskipws >> number) || in.peek() != std::istringstream::traits_type::eof() ||
      number < 0) {
    throw std::invalid_argument("option '" + option + "': '" + text + "' is no number >= 0");
  }
  return number;
}

std::string take_text(Options& options, const std::string& name, const std::string& otherwise) {
  const auto given = options.find(name);
  const std::string text = given == options.end() ? otherwise : given->second;
  options.erase(name);
  return text;
}

void refuse_rest(const std::string& policy, const Options& options) {
  if (!options.empty()) {
    throw std::invalid_argument(policy + ": unknown option '" + options.begin()->first + "'");
  }
}

int rigid_size(const Job& job, const std::string& size) {
  return size == "minimum" ? minimum(job) : requested(job);
}

// Section 1

Answer fifo(const Problem& problem, Options options) {
  const std::string size = take(options, "size", {"requested", "minimum"});
  const std::string blocked = take(options, "blocked", {"skip", "wait"});
  const std::string preempt = take(options, "preempt", {"false", "true"});
  refuse_rest("fifo", options);
  Answer answer = nothing_given(problem);
  int left = problem.gpus;
  if (preempt == "false") {
    // "jobs that hold GPUs first, in arrival order, each with the size of option `size` whatever it
    // holds now, skipping what does not fit"
    for (const std::size_t j : arrival_order(problem)) {
      const int n = rigid_size(problem.jobs[j], size);
      if (problem.jobs[j].current > 0 && n <= left) {
        answer.gpus[j] = n;
        left -= n;
      }
    }
  }
  // "then, in arrival order, all jobs still at 0, where `wait` applies"; preempt=true: "one pass"
  for (const std::size_t j : arrival_order(problem)) {
    const int n = rigid_size(problem.jobs[j], size);
    if (answer.gpus[j] > 0) {
      continue;
    }
    if (n <= left) {
      answer.gpus[j] = n;
      left -= n;
    } else if (blocked == "wait") {
      break;  // "the first job that does not fit blocks all that come after it"
    }
  }
  return answer;
}

// Sections 2 and 4: the same three ways to grow, in another order

void grow_in_order(const Problem& problem, const Order& order, std::vector<int>& gpus) {
  // "one pass ... each job takes the fastest allowed size that fits, the smallest of equals"
  for (const std::size_t j : order) {
    const Job& job = problem.jobs[j];
    const int left = free_gpus(problem, gpus);
    for (const int size : allowed_sizes(job)) {
      if (size <= left && is_faster(job, gpus[j], size)) {
        gpus[j] = size;
      }
    }
  }
}

bool take_one_step(const Problem& problem, std::size_t j, std::vector<int>& gpus) {
  // "a job at n moves to next(n) if that costs no more than what is left and S(next(n)) > S(n)"
  const Job& job = problem.jobs[j];
  const std::optional<int> next = next_size(job, gpus[j]);
  if (!next || *next - gpus[j] > free_gpus(problem, gpus) || !is_faster(job, gpus[j], *next)) {
    return false;
  }
  gpus[j] = *next;
  return true;
}

Answer grow(const Problem& problem, const Order& order, const std::string& how) {
  Answer answer = nothing_given(problem);
  std::vector<int>& gpus = answer.gpus;
  if (how == "in_order") {
    grow_in_order(problem, order, gpus);
    return answer;
  }
  // "Phase 1: in arrival order give m when it fits (skip what does not fit)"; next(0) = m
  Order holders;  // "A job that got nothing in phase 1 gets nothing in phase 2"
  for (const std::size_t j : order) {
    if (take_one_step(problem, j, gpus)) {
      holders.push_back(j);
    }
  }
  // "Phase 2: passes over the jobs that hold GPUs ...; stop after a pass that moved nobody";
  // greedy: "each job grows as far as it can before the next one"
  bool has_moved = true;
  while (has_moved) {
    has_moved = false;
    for (const std::size_t j : holders) {
      while (take_one_step(problem, j, gpus)) {
        has_moved = true;
        if (how == "round_robin") {
          break;
        }
      }
    }
  }
  return answer;
}

Answer elastic_fifo(const Problem& problem, Options options) {
  const std::string how = take(options, "grow", {"round_robin", "greedy", "in_order"});
  refuse_rest("elastic_fifo", options);
  return grow(problem, arrival_order(problem), how);
}

Answer elastic_srjf(const Problem& problem, Options options) {
  const std::string how = take(options, "grow", {"round_robin", "greedy", "in_order"});
  const std::string rank = take(options, "rank", {"work", "time", "gpu_time"});
  refuse_rest("elastic_srjf", options);
  require_work("elastic_srjf", problem);
  // "`work` (default, w) | `time` (R(r)) | `gpu_time` (r * R(r))"
  const Order order = order_by(problem, [&](const Job& job) {
    if (rank == "work") {
      return job.work_s.value();
    }
    return rank == "time" ? remaining_time(job, requested(job))
                          : remaining_gpu_time(job, requested(job));
  });
  return grow(problem, order, how);
}

// Section 3

Answer give_in_order(const Problem& problem, const Order& order, const std::string& size) {
  // "give r when it fits, skip what does not"
  Answer answer = nothing_given(problem);
  for (const std::size_t j : order) {
    const int n = rigid_size(problem.jobs[j], size);
    if (n <= free_gpus(problem, answer.gpus)) {
      answer.gpus[j] = n;
    }
  }
  return answer;
}

Answer srjf(const Problem& problem, Options options) {
  const std::string rank = take(options, "rank", {"time", "gpu_time"});
  const std::string size = take(options, "size", {"requested", "minimum"});
  refuse_rest("srjf", options);
  require_work("srjf", problem);
  // "Rank by R(r) ascending, then arrival order"; `gpu_time`: "r * R(r)"; "`size` as in FIFO (then
  // the rank uses that size)"
  const Order order = order_by(problem, [&](const Job& job) {
    const int n = rigid_size(job, size);
    return rank == "time" ? remaining_time(job, n) : remaining_gpu_time(job, n);
  });
  return give_in_order(problem, order, size);
}

// Section 5

struct TiresiasRules {
  std::vector<std::int64_t> thresholds{};  // GPU-microseconds
  double knob = 0;
};

TiresiasRules take_tiresias_rules(Options& options) {
  // "Defaults: Q = 2, t_0 = 3600 ... (written `1000/5000`...)"; "Default knob 8"
  TiresiasRules rules;
  for (const std::string& part : split(take_text(options, "thresholds", "3600"), '/')) {
    rules.thresholds.push_back(microseconds(read_number<double>("thresholds", part)));
    const std::size_t last = rules.thresholds.size() - 1;
    if (last > 0 && !(rules.thresholds[last - 1] < rules.thresholds[last])) {
      throw std::invalid_argument("option 'thresholds': '" + part + "' does not ascend");
    }
  }
  rules.knob = read_number<double>("knob", take_text(options, "knob", "8"));
  return rules;
}

std::size_t queue_of(const Job& job, const TiresiasRules& rules) {
  // "a job is in the first queue i with service < t_i, else in Q-1"
  std::size_t queue = 0;
  while (queue < rules.thresholds.size() && !(job.service_us < rules.thresholds[queue])) {
    ++queue;
  }
  return queue;
}

/// Returns the wait that promotes the job; none: never.
std::optional<std::int64_t> promoting_wait(const Job& job, const TiresiasRules& rules) {
  // "ceil(knob * executed) (product in double, then a whole number of microseconds)"; "`knob = 0`
  // switches promotion off"; a job in queue 0 is never promoted
  const double wait = std::ceil(rules.knob * static_cast<double>(job.executed_us));
  constexpr double past_all_time = 4e18;  // near the end of 64-bit integers
  if (rules.knob == 0 || queue_of(job, rules) == 0 || wait > past_all_time) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(wait);
}

/// Resets the counters of the promoted jobs in `problem` and returns their ids.
std::vector<std::string> promote(Problem& problem, const TiresiasRules& rules) {
  // "a job without GPUs, in a queue > 0, with waited >= ceil(knob * executed) ... has the three
  // counters reset to 0"; "`resets` lists the promoted jobs, ids ascending as text"
  std::vector<std::string> resets;
  for (Job& job : problem.jobs) {
    const std::optional<std::int64_t> wait = promoting_wait(job, rules);
    if (job.current == 0 && wait && job.waited_us >= *wait) {
      job.service_us = 0;
      job.executed_us = 0;
      job.waited_us = 0;
      resets.push_back(job.id);
    }
  }
  std::ranges::sort(resets);
  return resets;
}

Order tiresias_order(const Problem& problem, const TiresiasRules& rules) {
  // "Order: queue; in a queue, jobs that hold GPUs before jobs that wait; each group by
  // last_started (never started: last), then arrival"
  return order_by(problem, [&](const Job& job) {
    const bool is_waiting = job.current == 0;
    const bool is_new = !job.last_started_us;
    return std::make_tuple(
        queue_of(job, rules), is_waiting, is_new, job.last_started_us.value_or(0));
  });
}

std::optional<std::int64_t> review_at(const Problem& problem,
                                      const std::vector<int>& gpus,
                                      const TiresiasRules& rules) {
  // "the earliest instant strictly after now at which, under the allocation just given, a job that
  // holds GPUs reaches the next threshold (now + ceil((t_i - service) / GPUs)) or a job without
  // GPUs in a queue > 0 satisfies the promotion rule"
  std::optional<std::int64_t> earliest;
  for (std::size_t j = 0; j < problem.jobs.size(); ++j) {
    const Job& job = problem.jobs[j];
    const std::size_t queue = queue_of(job, rules);
    std::optional<std::int64_t> wait;
    if (gpus[j] > 0 && queue < rules.thresholds.size()) {
      const std::int64_t missing = rules.thresholds[queue] - job.service_us;
      wait = missing / gpus[j] + (missing % gpus[j] > 0 ? 1 : 0);
    } else if (gpus[j] == 0 && promoting_wait(job, rules)) {
      wait = *promoting_wait(job, rules) - job.waited_us;
    }
    // "A promotion already due for a job that loses its GPUs in this decision is not reported"
    if (wait && *wait > 0 && (!earliest || problem.now_us + *wait < *earliest)) {
      earliest = problem.now_us + *wait;
    }
  }
  return earliest;
}

Answer tiresias(const Problem& given, Options options) {
  const TiresiasRules rules = take_tiresias_rules(options);
  refuse_rest("tiresias", options);
  Problem problem = given;
  const std::vector<std::string> resets = promote(problem, rules);
  Answer answer = give_in_order(problem, tiresias_order(problem, rules), "requested");
  answer.review_at_us = review_at(problem, answer.gpus, rules);
  answer.resets = resets;
  return answer;
}

// Section 6

int shrunk_size(const Job& job, int n, int missing) {
  // "towards m and only as far as needed (to the largest allowed size that frees enough; if even m
  // does not, to m ...)"
  int size = minimum(job);
  for (const int smaller : allowed_sizes(job)) {
    if (smaller <= n && n - smaller >= missing) {
      size = smaller;
    }
  }
  return size;
}

/// Returns whether each job was shrunk in step 2.
std::vector<bool> compact(const Problem& problem,
                          const TiresiasRules& rules,
                          std::vector<int>& gpus) {
  const Order order = tiresias_order(problem, rules);
  std::vector<bool> is_started(gpus.size(), false);
  std::vector<bool> is_shrunk(gpus.size(), false);
  // "serve the jobs that hold nothing in Tiresias order; each may start at m if the free GPUs plus
  // what can be freed suffices"
  for (const std::size_t j : order) {
    const int m = minimum(problem.jobs[j]);
    if (gpus[j] > 0 || !is_faster(problem.jobs[j], 0, m)) {
      continue;
    }
    std::vector<int> trial = gpus;
    // "by shrinking jobs of queues >= 1, never of queue 0, last job in Tiresias order first";
    // "Jobs started in this step are not shrunk in it"
    for (const std::size_t donor : std::ranges::reverse_view(order)) {
      const Job& job = problem.jobs[donor];
      const int missing = m - free_gpus(problem, trial);
      if (missing > 0 && trial[donor] > 0 && queue_of(job, rules) >= 1 && !is_started[donor]) {
        trial[donor] = shrunk_size(job, trial[donor], missing);
      }
    }
    if (m > free_gpus(problem, trial)) {
      continue;  // "A job that cannot start frees nothing, and the next one is tried"
    }
    for (std::size_t donor = 0; donor < gpus.size(); ++donor) {
      is_shrunk[donor] = is_shrunk[donor] || trial[donor] < gpus[donor];
    }
    gpus = trial;
    gpus[j] = m;
    is_started[j] = true;
  }
  return is_shrunk;
}

struct Growth {
  double gain = 0;
  int cost = 0;
  std::size_t job = 0;
};

/// Finds the best growth there is room for; gain 0: none.
Growth best_growth(const Problem& problem,
                   const Order& order,
                   const std::vector<bool>& is_shrunk,
                   const std::vector<int>& gpus) {
  // "over all jobs and every allowed size n' > n whose cost n' - n is free, take the largest gain
  // (S(n') - S(n)) / (n' - n); ties to the smaller cost, then Tiresias order"
  Growth best;
  for (const std::size_t j : order) {
    if (is_shrunk[j]) {
      continue;  // "Jobs shrunk in step 2 take no part"
    }
    const Job& job = problem.jobs[j];
    for (const int size : allowed_sizes(job)) {
      const int cost = size - gpus[j];
      if (cost <= 0 || cost > free_gpus(problem, gpus)) {
        continue;
      }
      const double gain = (speed(job, size) - speed(job, gpus[j])) / cost;
      if (best.gain < gain || (gain > 0 && !(gain < best.gain) && cost < best.cost)) {
        best = {.gain = gain, .cost = cost, .job = j};
      }
    }
  }
  return best;
}

Answer elastic_tiresias(const Problem& given, Options options) {
  const TiresiasRules rules = take_tiresias_rules(options);
  const int compact_above =
      read_number<int>("compact_above", take_text(options, "compact_above", "10"));
  refuse_rest("elastic_tiresias", options);
  Problem problem = given;
  const std::vector<std::string> resets = promote(problem, rules);
  const Order order = tiresias_order(problem, rules);
  // "1. Base: as Tiresias, at r."
  Answer answer = give_in_order(problem, order, "requested");
  // "2. Compaction, only if more than N jobs hold nothing after step 1"
  std::vector<bool> is_shrunk(problem.jobs.size(), false);
  if (std::count(answer.gpus.begin(), answer.gpus.end(), 0) > compact_above) {
    is_shrunk = compact(problem, rules, answer.gpus);
  }
  // "3. Expansion: repeat: ... stop when no gain is > 0"
  Growth growth = best_growth(problem, order, is_shrunk, answer.gpus);
  while (growth.gain > 0) {
    answer.gpus[growth.job] += growth.cost;
    growth = best_growth(problem, order, is_shrunk, answer.gpus);
  }
  answer.review_at_us = review_at(problem, answer.gpus, rules);
  answer.resets = resets;
  return answer;
}

// Section 7

std::int64_t speed_units(const Job& job, int n) {
  // "S is a whole number of 2^-24: add integers"
  return static_cast<std::int64_t>(speed(job, n) * units_per_speed);
}

Answer ffdl(const Problem& problem, const Options& options) {
  refuse_rest("ffdl", options);
  // "in arrival order admit a job if its m still fits next to the minimums of those admitted"
  Order admitted;
  int minimums = 0;
  for (const std::size_t j : arrival_order(problem)) {
    if (minimums + minimum(problem.jobs[j]) <= problem.gpus) {
      minimums += minimum(problem.jobs[j]);
      admitted.push_back(j);
    }
  }
  // total[k][g]: the largest sum of S of the first k admitted jobs on exactly g GPUs, "never 0" for
  // any of them; size[k][g]: what the k-th of them holds there
  constexpr std::int64_t impossible = -1;
  const auto places = static_cast<std::size_t>(std::max(problem.gpus, 0)) + 1;
  std::vector<std::vector<std::int64_t>> total(admitted.size() + 1,
                                               std::vector<std::int64_t>(places, impossible));
  std::vector<std::vector<int>> size(admitted.size() + 1, std::vector<int>(places, 0));
  total[0][0] = 0;
  for (std::size_t k = 1; k <= admitted.size(); ++k) {
    const Job& job = problem.jobs[admitted[k - 1]];
    for (const int n : allowed_sizes(job)) {
      const std::int64_t units = speed_units(job, n);
      for (auto g = static_cast<std::size_t>(n); g < places; ++g) {
        const std::int64_t before = total[k - 1][g - static_cast<std::size_t>(n)];
        if (before != impossible && before + units > total[k][g]) {
          total[k][g] = before + units;
          size[k][g] = n;
        }
      }
    }
  }
  // "Among the optimal answers prefer fewer GPUs in total": the first of the largest
  const std::vector<std::int64_t>& last = total[admitted.size()];
  auto g = static_cast<std::size_t>(std::ranges::max_element(last) - last.begin());
  Answer answer = nothing_given(problem);
  for (std::size_t k = admitted.size(); k > 0; --k) {
    answer.gpus[admitted[k - 1]] = size[k][g];
    g -= static_cast<std::size_t>(size[k][g]);
  }
  return answer;
}

// Section 8

double present_remaining_time(const Job& job, int n) {
  // "remaining time at its present size (0 GPUs: infinite)"
  return n == 0 ? std::numeric_limits<double>::infinity() : remaining_time(job, n);
}

bool stays_in_contest(const Job& job, int n, int left) {
  // "A job leaves the contest when it has no next(n), when that step costs more than what is left,
  // or when S(next(n)) <= S(n)"
  const std::optional<int> next = next_size(job, n);
  return next && *next - n <= left && is_faster(job, n, *next);
}

bool challenger_beats(const Job& champion,
                      int champion_n,
                      const Job& challenger,
                      int challenger_n) {
  if (champion_n == 0 && challenger_n == 0) {
    // "the one with the smaller R(m) wins; equal: the challenger"
    return !(remaining_time(champion, minimum(champion)) <
             remaining_time(challenger, minimum(challenger)));
  }
  // "let l be the one with the smaller remaining time at its present size ... and h the other;
  // equal: l is the challenger"
  const bool champion_is_l = present_remaining_time(champion, champion_n) <
                             present_remaining_time(challenger, challenger_n);
  const Job& l = champion_is_l ? champion : challenger;
  const Job& h = champion_is_l ? challenger : champion;
  const int l_n = champion_is_l ? champion_n : challenger_n;
  const int h_n = champion_is_l ? challenger_n : champion_n;
  const int l_next = next_size(l, l_n).value();
  const int h_next = next_size(h, h_n).value();
  // "l wins if (S_l(next) - S_l(n)) / (d_l * S_l(n)) > (S_h(next) - S_h(n)) / (d_h * S_h(next))"
  const double l_gain = (speed(l, l_next) - speed(l, l_n)) / ((l_next - l_n) * speed(l, l_n));
  const double h_gain = (speed(h, h_next) - speed(h, h_n)) / ((h_next - h_n) * speed(h, h_next));
  const bool l_wins = l_gain > h_gain;
  return l_wins != champion_is_l;
}

Answer afs_l(const Problem& problem, const Options& options) {
  refuse_rest("afs_l", options);
  require_work("afs_l", problem);
  Answer answer = nothing_given(problem);
  std::vector<int>& gpus = answer.gpus;
  Order contest = arrival_order(problem);  // "All jobs start at 0, in arrival order, all in"
  while (true) {
    Order staying;  // "it leaves before it can be champion"
    for (const std::size_t j : contest) {
      if (stays_in_contest(problem.jobs[j], gpus[j], free_gpus(problem, gpus))) {
        staying.push_back(j);
      }
    }
    contest = staying;
    if (contest.empty()) {
      return answer;
    }
    // "the first contestant is champion, each following one challenges, the winner of each pair
    // goes on"
    std::size_t champion = contest.front();
    for (std::size_t k = 1; k < contest.size(); ++k) {
      const std::size_t j = contest[k];
      if (challenger_beats(problem.jobs[champion], gpus[champion], problem.jobs[j], gpus[j])) {
        champion = j;
      }
    }
    gpus[champion] = next_size(problem.jobs[champion], gpus[champion]).value();
  }
}

}  // namespace

double speed(const Job& job, int n) {
  if (n == 0) {
    return 0;  // "S(0) = 0"
  }
  if (job.speedup_points.empty()) {
    return n;  // "no points given: S(n) = n"
  }
  int a = 0;  // "(0, 0) is always one"
  double at_a = 0;
  for (const auto& [b, at_b] : job.speedup_points) {
    if (n == b) {
      return rounded_speed(at_b);
    }
    if (n < b) {
      // "A + (B - A) * (n - a) / (b - a) with the points as given"
      const volatile double rise = (at_b - at_a) * (n - a) / (b - a);
      return rounded_speed(at_a + rise);
    }
    a = b;
    at_a = at_b;
  }
  return rounded_speed(at_a);  // "flat after the last given point"
}

std::int64_t total_speed_units(const Problem& problem, const std::vector<int>& gpus) {
  std::int64_t total = 0;
  for (std::size_t j = 0; j < problem.jobs.size(); ++j) {
    total += speed_units(problem.jobs[j], gpus[j]);
  }
  return total;
}

Answer allocate(const std::string& policy_with_options, const Problem& problem) {
  using Policy = std::function<Answer(const Problem&, const Options&)>;
  const std::map<std::string, Policy> policies = {{"fifo", fifo},
                                                  {"elastic_fifo", elastic_fifo},
                                                  {"srjf", srjf},
                                                  {"elastic_srjf", elastic_srjf},
                                                  {"tiresias", tiresias},
                                                  {"elastic_tiresias", elastic_tiresias},
                                                  {"ffdl", ffdl},
                                                  {"afs_l", afs_l}};
  const auto [name, options] = read_policy(policy_with_options);
  const auto policy = policies.find(name);
  if (policy == policies.end()) {
    throw std::invalid_argument("unknown policy '" + name + "'");
  }
  return policy->second(problem, options);
}

}  // namespace naive
