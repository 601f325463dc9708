#include "command_line/run_record_files.hpp"

#include <ostream>
#include <variant>

#include "command_line/plan_answer.hpp"
#include "voda/model/error.hpp"

namespace voda::command_line {

RunRecordFiles::RunRecordFiles(const std::string& record,
                               const std::string& plans,
                               const PolicyChanged& policy) {
  if (!plans.empty())
    plans_.emplace(plans);
  if (record.empty())
    return;
  record_.emplace(record, Appears::at_once);
  writer_.emplace(record_->stream());
  this->record(ClusterImage{.now = TimePoint::min(), .policy = policy});
}

void RunRecordFiles::record(const RecordEntry& entry) {
  try {
    std::visit([this](const auto& value) { writer_->add(value); }, entry);
  } catch (const Error&) {
    record_->check();  // says why, if it was the file
    throw;
  }
}

EventSink RunRecordFiles::sink() {
  if (!record_)
    return {};
  return [this](const Event& event) { record(event); };
}

void RunRecordFiles::decided(const Scheduler& scheduler, const Decision& decision) {
  if (plans_)
    plans_->stream() << plan_lines(scheduler.state(), decision);
}

void RunRecordFiles::check() {
  if (record_)
    record_->check();
  if (plans_)
    plans_->check();
}

void RunRecordFiles::finish() {
  if (record_)
    record_->finish();
  if (plans_)
    plans_->finish();
}

}  // namespace voda::command_line
