#include "airlite/runner/Timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace airlite::runner {

/// A process for each place. Events of a place that overlap have threads of their own: each takes the
/// first one that is free.
std::string traceOf(const Timeline& timeline) {
  std::vector<const TimedEvent*> sorted;
  for (const TimedEvent& event : timeline.events)
    sorted.push_back(&event);
  std::ranges::stable_sort(sorted, {}, [](const TimedEvent* event) { return event->begin; });
  std::string text;
  const auto add = [&](std::string event) {
    text += (text.empty() ? "\n" : ",\n") + std::move(event);
  };
  for (size_t i = 0; i < timeline.places.size(); ++i)
    add(fmt::format(R"json({{"ph":"M","name":"process_name","pid":{},"args":{{"name":"{}"}}}})json",
                    i + 1, timeline.places[i]));
  std::map<uint32_t, std::vector<uint64_t>> freeFrom;
  for (const TimedEvent* event : sorted) {
    std::vector<uint64_t>& threads = freeFrom[event->place];
    auto thread = std::ranges::find_if(threads, [&](uint64_t end) { return end <= event->begin; });
    if (thread == threads.end()) thread = threads.insert(threads.end(), 0);
    *thread = event->end;
    add(fmt::format(
        R"json({{"ph":"X","name":"{}","cat":"work","pid":{},"tid":{},"ts":{},"dur":{}}})json",
        event->name, event->place + 1, thread - threads.begin() + 1, event->begin,
        event->end - event->begin));
  }
  return "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [" + text + "\n]}\n";
}

}  // namespace airlite::runner
