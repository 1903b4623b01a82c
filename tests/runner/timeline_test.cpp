// Random asynchronous programs on machines: what holds of every timeline, whatever the program is.
#include "airlite/runner/Timeline.hpp"

#include "airlite/dialect/Dialects.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/ir/Diagnostic.hpp"
#include "airlite/runner/Choice.hpp"
#include "airlite/runner/Machine.hpp"
#include "airlite/support/SplitMix64.hpp"
#include "airlite/testing/Generate.hpp"
#include "airlite/text/Parser.hpp"
#include "support/catch_all.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace airlite::runner {
namespace {

Machine machineOf(SplitMix64& random) {
  const auto ports = [&] {
    return PortGroup{1 + random.next() % 4, double(1 + random.next() % 8) * 1e9};
  };
  const auto both = [&] { return MemoryPorts{ports(), ports()}; };
  Machine machine{.name = "random", .clock = 1e9};
  for (const auto& [type, bytes] : {std::pair("i8", 1),
                                    {"i16", 2},
                                    {"i32", 4},
                                    {"i64", 8},
                                    {"bf16", 2},
                                    {"f16", 2},
                                    {"f32", 4},
                                    {"f64", 8},
                                    {"index", 8}})
    machine.bytesOfType[type] = uint64_t(bytes);
  machine.l3 = both(), machine.l2 = both(), machine.l1 = both();
  machine.units = {8, 8};
  machine.tiles = {4, 4};
  return machine;
}

/// Times of events, and what they use, in the order of their ends.
std::string textOf(const Timeline& timeline) {
  std::string text = std::to_string(timeline.cycles);
  for (const TimedEvent& event : timeline.events)
    text += " " + event.name + "@" + std::to_string(event.begin) + "-" + std::to_string(event.end);
  return text;
}

TEST_CASE("a timeline is as long as its resources and its longest event need", "[runner]") {
  size_t ran = 0;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    Context context;
    registerAllDialects(context);
    DiagnosticCollector collector(context);
    const std::string program = testing::generateProgram(seed, {.size = 2});
    OwningOp module = parseSource(context, program, "program.mlir");
    REQUIRE(module);
    Operation* function = nullptr;
    for (Operation& op : module->region().front().ops())
      if (const auto found = dynCast<func::FuncOp>(&op); found && found.symName() == "f")
        function = &op;
    REQUIRE(function);
    SplitMix64 random(seed);
    const Machine machine = machineOf(random);
    const auto timeline = runOnMachine(*function, machine);
    INFO("seed " << seed << ": "
                 << (collector.diagnostics().empty() ? "" : collector.diagnostics()[0].message));
    // Affinity lists and computations of open length are refused by name, and nothing else is.
    if (!timeline) {
      REQUIRE_FALSE(collector.diagnostics().empty());
      CHECK(collector.diagnostics()[0].message.find("not supported") != std::string::npos);
      continue;
    }
    ++ran;
    uint64_t sum = 0;
    for (const TimedEvent& event : timeline->events) {
      CHECK(event.begin < event.end);
      CHECK(event.end <= timeline->cycles);
      sum += event.end - event.begin;
    }
    CHECK(timeline->cycles <= sum);
    for (const ResourceUse& use : timeline->resources)
      CHECK(use.busy <= timeline->cycles * use.count);
    CHECK(std::ranges::is_sorted(timeline->events, {}, &TimedEvent::end));
    CHECK(std::ranges::is_sorted(timeline->launchEnds));
    CHECK(textOf(*runOnMachine(*function, machine)) == textOf(*timeline));
  }
  CHECK(ran >= 30);
}

TEST_CASE("a choice is read as it was written", "[runner]") {
  Context context;
  const Choice choice{"npu1", programKey("a program"), "air-npu{herd=2,2 device=\"x\"}", "sim", 12,
                      34};
  const auto read = parseChoice(context, "c.json", choiceText(choice));
  REQUIRE(read);
  CHECK(*read == choice);
  CHECK(programKey("a program") != programKey("a program "));
}

TEST_CASE("a choice without its members is an error", "[runner]") {
  Context context;
  DiagnosticCollector collector(context);
  for (const char* text :
       {"", "[]", "{}", R"({"format": "airlite-choice"})",
        R"({"format": "airlite-choice", "version": 2, "target": "npu1"})",
        R"({"format": "other", "version": 1, "target": "npu1"})",
        R"({"format": "airlite-choice", "version": 1, "target": 1})",
        R"({"format": "airlite-choice", "version": 1, "target": "n", "cycles": -1})"}) {
    const size_t before = collector.diagnostics().size();
    CHECK_FALSE(parseChoice(context, "c.json", text));
    CHECK(collector.diagnostics().size() > before);
  }
}

}  // namespace
}  // namespace airlite::runner
