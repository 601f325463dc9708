#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "command_line/report/byte_text.hpp"
#include "command_line/report/html_text.hpp"
#include "command_line/report/job_histories.hpp"
#include "command_line/report/record_plan.hpp"
#include "command_line/report/report_data.hpp"
#include "command_line/report/timeline.hpp"
#include "support/report_reader.hpp"

namespace voda::test {
namespace report_parts_test {

using command_line::append_number;
using command_line::base64_text;
using command_line::ChangeKind;
using command_line::ClusterLoad;
using command_line::html_text;
using command_line::JobHistories;
using command_line::RecordPlan;
using command_line::steps_of;
using command_line::Timeline;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

// RFC 4648, section 10.
TEST(ByteText, Base64IsThatOfTheStandard) {
  const std::vector<std::pair<std::string, std::string>> vectors{{"", ""},
                                                                 {"f", "Zg=="},
                                                                 {"fo", "Zm8="},
                                                                 {"foo", "Zm9v"},
                                                                 {"foob", "Zm9vYg=="},
                                                                 {"fooba", "Zm9vYmE="},
                                                                 {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : vectors)
    EXPECT_EQ(base64_text(bytes), text);
}

// DWARF 5, table 7.7: unsigned LEB128.
TEST(ByteText, NumbersAreThoseOfDwarf) {
  std::string bytes;
  for (const std::uint64_t number : {2U, 127U, 128U, 129U, 12857U})
    append_number(bytes, number);

  EXPECT_EQ(bytes, std::string("\x02\x7f\x80\x01\x81\x01\xb9\x64", 8));
}

RC_GTEST_PROP(ByteText, NumbersComeBack, (const std::vector<std::uint64_t>& numbers)) {
  std::string bytes;
  for (const std::uint64_t number : numbers)
    append_number(bytes, number);

  RC_ASSERT(numbers_of(base64_text(bytes)) == numbers);
}

TEST(HtmlText, EscapesMarkup) {
  EXPECT_EQ(html_text("<a href=\"x\">'&amp;'</a>"),
            "&lt;a href=&quot;x&quot;&gt;&#39;&amp;amp;&#39;&lt;/a&gt;");
}

TEST(HtmlText, ReplacesWhatIsNoTextOrTurnsTextAround) {
  EXPECT_EQ(html_text(std::string_view("a\0b\n\x7f", 5)), "a\uFFFDb\uFFFD\uFFFD");
  EXPECT_EQ(html_text("\xFFz\xC3"), "\uFFFDz\uFFFD");
  EXPECT_EQ(html_text("x\u202Ey\u2066z\u2028"), "x\uFFFDy\uFFFDz\uFFFD");
  EXPECT_EQ(html_text("\u05D0\u2013\u00D7\u2605"), "\u05D0\u2013\u00D7\u2605");
}

TEST(StepsOf, AFewValuesAreAllThere) {
  EXPECT_THAT(steps_of({}), IsEmpty());
  EXPECT_THAT(steps_of({3, 1, 2}), ElementsAre(Pair(1U, 1), Pair(2U, 2), Pair(3U, 3)));
}

TEST(StepsOf, ManyValuesEndWithTheirLargest) {
  std::vector<double> values(100'000);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<double>(values.size() - i);  // the k-th smallest is k

  const auto steps = steps_of(values);

  EXPECT_LE(steps.size(), 280U);
  EXPECT_EQ(steps.back().second, 100'000);
  EXPECT_EQ(steps[steps.size() - 2].second, 99'999);
  for (const auto& [rank, value] : steps)
    EXPECT_EQ(static_cast<double>(rank), value);
}

/// Loads one after the other, each for some microseconds.
using Course = std::vector<std::pair<std::int64_t, std::int64_t>>;  // lasts, waiting jobs

Course random_course() {
  return *rc::gen::container<Course>(
      rc::gen::pair(rc::gen::oneOf(rc::gen::inRange<std::int64_t>(0, 5000),
                                   rc::gen::inRange<std::int64_t>(0, 50'000'000)),
                    rc::gen::inRange<std::int64_t>(0, 100)));
}

RC_GTEST_PROP(Timeline, BinsHoldExactIntegrals, ()) {
  const Course course = random_course();
  Timeline timeline{TimePoint{}};
  std::int64_t now = 0;
  for (const auto& [lasts, waiting] : course) {
    timeline.count(ChangeKind::resize, TimePoint(Duration(now)), 1);
    now += lasts;
    timeline.pass({.waiting = waiting}, TimePoint(Duration(now)));
  }

  // By definition: each load's overlap with each bin.
  const std::int64_t width = timeline.width().count();
  std::vector<std::int64_t> integral(timeline.bins().size());
  std::vector<std::int64_t> most(timeline.bins().size());
  std::vector<std::int64_t> changes(timeline.bins().size());
  now = 0;
  for (const auto& [lasts, waiting] : course) {
    ++changes.at(static_cast<std::size_t>(now / width));
    for (std::size_t bin = 0; bin < integral.size(); ++bin) {
      const auto begin = static_cast<std::int64_t>(bin) * width;
      const auto overlap = std::min(now + lasts, begin + width) - std::max(now, begin);
      if (overlap > 0) {
        integral[bin] += waiting * overlap;
        most[bin] = std::max(most[bin], waiting);
      }
    }
    now += lasts;
  }
  RC_ASSERT(timeline.bins().size() <= Timeline::most_bins);
  for (std::size_t bin = 0; bin < integral.size(); ++bin) {
    RC_ASSERT(timeline.bins()[bin].waiting_time == integral[bin]);
    RC_ASSERT(timeline.bins()[bin].most_waiting == most[bin]);
    RC_ASSERT(timeline.bins()[bin].changes[1] == changes[bin]);
  }
}

TEST(Timeline, HoldsTheLongestTimesThereAre) {
  Timeline timeline{TimePoint(Duration(-1'000'000'000'000'000'000))};
  timeline.pass({.capacity = 1'000'000'000}, TimePoint(Duration(1'000'000'000'000'000'000)));

  Timeline::WideTime total = 0;
  for (const Timeline::Bin& bin : timeline.bins())
    total += bin.capacity_time;
  EXPECT_TRUE(total == Timeline::WideTime{2'000'000'000'000'000'000} * 1'000'000'000);
  EXPECT_GT(timeline.bins().size(), Timeline::most_bins / 2);
}

Trace trace_of(int jobs) {
  Trace trace;
  for (int job = 0; job < jobs; ++job)
    trace.jobs.push_back({.id = {std::to_string(job)}, .submitted = TimePoint(Duration(job))});
  return trace;
}

TEST(RecordPlan, TicksFollowTheArrivals) {
  Trace trace = trace_of(2);
  EXPECT_EQ(RecordPlan(trace, {}, 1).tick(), Duration(1000));

  trace.jobs[1].submitted = TimePoint(std::chrono::hours(24 * 71));  // 6.1e12 us / 2^24 = 3.7e5
  EXPECT_EQ(RecordPlan(trace, {}, 1).tick(), Duration(1'000'000));
}

TEST(RecordPlan, ThinsByPowersOfTwo) {
  const Trace trace = trace_of(200'000);
  const RecordPlan plan(trace, {}, 1);

  EXPECT_EQ(plan.stride(), 4U);
  EXPECT_EQ(plan.shown_jobs(), 50'000U);
  EXPECT_EQ(plan.position_of({"8"}), 2U);
  EXPECT_EQ(plan.position_of({"9"}), std::nullopt);
}

TEST(JobHistories, ThinWhenTheyOutgrowTheirBytes) {
  const Trace trace = trace_of(4);
  const RecordPlan plan(trace, {}, 1000);  // 16,000 bytes each
  JobHistories histories(plan);

  for (int change = 0; change < 2000; ++change) {
    for (std::size_t job = 0; job < 4; ++job)
      histories.add(job, TimePoint(Duration(1000 * change)), 1 + change % 2, {});
  }

  // Three bytes a change: 24,000 for four jobs, 12,000 for every second.
  EXPECT_EQ(histories.stride(), 2U);
  EXPECT_EQ(histories.bytes().size(), 2U * (2 + 6000));
}

TEST(JobHistories, AreDroppedWhenOneIsTooLarge) {
  const Trace trace = trace_of(2);
  const RecordPlan plan(trace, {}, 1000);
  JobHistories histories(plan);

  for (int change = 0; change < 6000; ++change)
    histories.add(0, TimePoint(Duration(1000 * change)), 1 + change % 2, {});

  EXPECT_EQ(histories.stride(), 0U);
  EXPECT_THAT(histories.bytes(), IsEmpty());
}

}  // namespace report_parts_test
}  // namespace voda::test
