#include "command_line/result_files.hpp"

#include <ostream>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "command_line/time_text.hpp"
#include "voda/io/csv.hpp"
#include "voda/model/error.hpp"

namespace voda::command_line {
namespace {

std::string text_of(TimePoint time) {
  return seconds_text(time.time_since_epoch().count());
}

std::string text_of(const std::optional<TimePoint>& time) {
  return time ? text_of(*time) : std::string();
}

}  // namespace

ResultDirectory::ResultDirectory(const std::filesystem::path& path)
    : path_(std::filesystem::absolute(path)) {
  std::error_code error;
  for (auto missing = path_; !missing.empty() && !std::filesystem::exists(missing, error);
       missing = missing.parent_path()) {
    created_.push_back(missing);
  }
  std::filesystem::create_directories(path_, error);
  if (error) {
    std::error_code ignored;
    for (const auto& made : created_)
      std::filesystem::remove(made, ignored);
    throw Error(fmt::format(
        "{}: cannot be created: {}; expected a directory", path.string(), error.message()));
  }
}

ResultDirectory::~ResultDirectory() {
  std::error_code ignored;  // what is not empty stays
  for (const auto& path : created_)
    std::filesystem::remove(path, ignored);
}

ResultFiles::ResultFiles(const std::filesystem::path& directory)
    : directory_(directory),
      jobs_(directory_ / "jobs.csv"),
      allocations_(directory_ / "allocations.csv"),
      placements_(directory_ / "placements.csv") {
  jobs_.stream() << "id,submitted,first_started,finished,jct_s,waited_s,executed_s,gpu_seconds,"
                    "stalled_s,resizes,"
                    "migrations,starts,status\n";
  allocations_.stream() << "time,id,gpus\n";
  placements_.stream() << "time,id,node,gpus\n";
}

void ResultFiles::add(const JobOutcome& outcome) {
  const std::string jct = outcome.finished ? seconds_text(outcome.jct().count()) : std::string();
  jobs_.stream() << fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{}\n",
                                csv_cell(outcome.id.value),
                                text_of(outcome.submitted),
                                text_of(outcome.first_started),
                                text_of(outcome.finished),
                                jct,
                                seconds_text(outcome.waited.count()),
                                seconds_text(outcome.executed.count()),
                                seconds_text(outcome.gpu_time.gpu_microseconds),
                                seconds_text(outcome.stalled.count()),
                                outcome.resizes,
                                outcome.migrations,
                                outcome.starts,
                                name_of(outcome.status));
}

void ResultFiles::add(TimePoint at, const JobId& job, GpuCount gpus, const WorkerMap& workers) {
  Holding& holding = holding_of_[job];
  if (gpus != holding.gpus) {
    allocations_.stream() << fmt::format("{},{},{}\n", text_of(at), csv_cell(job.value), gpus);
  }
  add_moves(at, job, holding.workers, workers);
  holding = {.gpus = gpus, .workers = workers};
  if (gpus == 0)
    holding_of_.erase(job);
}

void ResultFiles::add_moves(TimePoint at,
                            const JobId& job,
                            const WorkerMap& before,
                            const WorkerMap& after) {
  WorkerMap changed;
  for (const auto& [node, gpus] : before) {
    if (gpus != 0 && !after.contains(node))
      changed.emplace(node, 0);
  }
  for (const auto& [node, gpus] : after) {
    const auto found = before.find(node);
    const GpuCount held = found == before.end() ? 0 : found->second;
    if (gpus != held)
      changed.emplace(node, gpus);
  }
  for (const auto& [node, gpus] : changed) {
    placements_.stream() << fmt::format(
        "{},{},{},{}\n", text_of(at), csv_cell(job.value), csv_cell(node.value), gpus);
  }
}

void ResultFiles::check() {
  jobs_.check();
  allocations_.check();
  placements_.check();
}

void ResultFiles::write_rows() {
  jobs_.write();
  allocations_.write();
  placements_.write();
}

void ResultFiles::put_rows_in_place() {
  std::error_code ignored;
  std::filesystem::remove(directory_ / "summary.json",
                          ignored);  // of an earlier run: it would not fit the rows
  jobs_.finish();
  allocations_.finish();
  placements_.finish();
}

void ResultFiles::finish(const Json& summary) {
  OutputFile file(directory_ / "summary.json");
  file.stream() << document_text(summary);
  file.write();
  write_rows();
  put_rows_in_place();
  file.finish();
}

void ResultFiles::interrupt() {
  write_rows();
  put_rows_in_place();
}

}  // namespace voda::command_line
