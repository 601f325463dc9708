// The scheduler inside a foreign event loop: the host owns the clock, the timers, the threads and the log.
//
// Worker threads report what happens to a mailbox; one thread owns the scheduler, takes events out of the mailbox, decides
// when the pacer says so, and hands the plan to an executor. A node lends two of its GPUs to others for a while.
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "voda/voda.hpp"

namespace {

using LogSink = std::function<void(const std::string& line)>;

/// Host time: an hour of the cluster passes in 0.36 s.
class HostClock {
 public:
  [[nodiscard]] voda::TimePoint now() const {
    const auto passed = std::chrono::steady_clock::now() - start_;
    return voda::TimePoint(std::chrono::duration_cast<voda::Duration>(passed) * 10000);
  }

  [[nodiscard]] std::chrono::steady_clock::time_point wall(voda::TimePoint at) const {
    return start_ + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                        at.time_since_epoch() / 10000);
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// What other threads report; the instant is stamped by the owner when it takes the report out, so time never goes back.
class Mailbox {
 public:
  void put(voda::EventBody body) {
    const std::lock_guard lock(mutex_);
    bodies_.push_back(std::move(body));
    arrived_.notify_one();
  }

  /// Waits for a report until `deadline`.
  [[nodiscard]] std::optional<voda::EventBody> take_until(
      std::chrono::steady_clock::time_point deadline) {
    std::unique_lock lock(mutex_);
    if (!arrived_.wait_until(lock, deadline, [this] { return !bodies_.empty(); }))
      return std::nullopt;
    voda::EventBody body = std::move(bodies_.front());
    bodies_.pop_front();
    return body;
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<voda::EventBody> bodies_;
};

/// Owns the scheduler; the only thread that touches it.
class SchedulingLoop {
 public:
  SchedulingLoop(HostClock clock, Mailbox& mailbox, LogSink log)
      : clock_(clock),
        mailbox_(&mailbox),
        log_(std::move(log)),
        scheduler_(voda::builtin_allocators().make("elastic_tiresias"),
                   voda::builtin_placers().make("steady")),
        pacer_({.rate_limit = std::chrono::seconds(30), .is_eager = true}) {}

  /// Runs until `jobs` jobs have finished.
  void run(int jobs) {
    while (finished_ < jobs) {
      const auto next = next_timer();
      if (auto body = mailbox_->take_until(clock_.wall(next)))
        observe(std::move(*body));
      finish_due_jobs();
      if (pacer_.due() && *pacer_.due() <= clock_.now())
        decide();
    }
  }

 private:
  [[nodiscard]] voda::TimePoint next_timer() const {
    voda::TimePoint next = clock_.now() + std::chrono::hours(1);
    if (pacer_.due())
      next = std::min(next, *pacer_.due());
    for (const auto& [job, at] : completions_)
      next = std::min(next, at);
    return next;
  }

  void observe(voda::EventBody body) {
    try {
      scheduler_.observe({.at = clock_.now(), .body = std::move(body)});
      pacer_.trigger(clock_.now(), voda::Trigger::change);
    } catch (const voda::Error& error) {
      log_(std::string("refused: ") + error.what());  // a bad report costs nothing but itself
    }
  }

  void finish_due_jobs() {
    for (auto it = completions_.begin(); it != completions_.end();) {
      if (it->second > clock_.now()) {
        ++it;
        continue;
      }
      log_("finished " + it->first.value);
      observe(voda::JobFinished{it->first});
      it = completions_.erase(it);
      ++finished_;
    }
  }

  void decide() {
    const voda::TimePoint now = clock_.now();
    voda::Plan plan;  // whole: its actions say where workers go by its nodes
    try {
      plan = scheduler_.decide(now).pools[0].plan;
      scheduler_.commit();
    } catch (const voda::Error& error) {
      log_(std::string("no decision: ") + error.what());  // what is assigned stays
    }
    pacer_.decided(now, scheduler_.review_at());
    for (const voda::Action& action : plan.actions)
      execute(action);
  }

  /// A real host would start and stop processes here and report with WorkersSeen.
  void execute(const voda::Action& action) {
    const voda::PoolState& pool = scheduler_.state().pools()[0];
    const voda::JobId& id = pool.jobs().id[action.job];
    log_(std::string(name_of(action.kind())) + " " + id.value + ": " +
         std::to_string(action.gpus_before) + " -> " + std::to_string(action.gpus_after));
    completions_.erase(id);
    if (action.gpus_after > 0)
      completions_[id] = pool.job(action.job, clock_.now()).work->done_at();
  }

  HostClock clock_;
  Mailbox* mailbox_;
  LogSink log_;
  voda::Scheduler scheduler_;
  voda::DecisionPacer pacer_;
  std::map<voda::JobId, voda::TimePoint> completions_;
  int finished_ = 0;
};

voda::Job training_job(std::string name, double hours_on_one_gpu, const HostClock& clock) {
  return {.id = {std::move(name)},
          .submitted = clock.now(),
          .spec = {.min_gpus = 1, .requested_gpus = 2, .max_gpus = 8},
          .work = voda::RemainingWork{.left_s = hours_on_one_gpu * 3600},
          .speedup = voda::SpeedupCurve({{1, 1.0}, {2, 1.9}, {4, 3.5}, {8, 6.0}})};
}

}  // namespace

int main() {
  const HostClock clock;
  Mailbox mailbox;
  mailbox.put(voda::NodeJoined{{.id = {"gpu-box"}, .gpus = 8}});
  std::jthread users([&] {
    for (const char* name : {"alpha", "beta", "gamma"}) {
      mailbox.put(voda::JobSubmitted{.job = training_job(name, 2, clock)});
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
    }
    mailbox.put(voda::JobFinished{{"nobody"}});  // a confused client
  });
  std::jthread others([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    mailbox.put(voda::NodeChanged{{.id = {"gpu-box"}, .gpus = 6}});  // somebody else took two GPUs
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    mailbox.put(voda::NodeChanged{{.id = {"gpu-box"}, .gpus = 8}});
  });
  SchedulingLoop loop(clock, mailbox, [](const std::string& line) { std::puts(line.c_str()); });
  loop.run(3);
}
