// The proof by random programs (docs/checking.md): correct programs compute the same under every
// schedule and after air-dependency, and the checker is silent; of wrong ones, what the interpreter
// can make fail is counted against what the checker says.
//
// AIRLITE_PROOF_RUNS=N takes that many programs instead of a few, AIRLITE_PROOF_SEED=N begins
// elsewhere, AIRLITE_PROOF_SCHEDULES=N runs each mutant so often. scripts/prove.py does it on all
// cores and sums up.
#include "airlite/dialect/Dialects.hpp"
#include "airlite/interp/MeaningCheck.hpp"
#include "airlite/ir/Verifier.hpp"
#include "airlite/pass/Pipeline.hpp"
#include "airlite/testing/Generate.hpp"
#include "airlite/testing/Mutate.hpp"
#include "airlite/text/Parser.hpp"
#include "airlite/text/Printer.hpp"
#include "airlite/transform/Passes.hpp"
#include "support/catch_all.hpp"
#include "support/pass_support.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <iostream>

using namespace airlite;

namespace {

using tests::corePasses;
using tests::setting;
using tests::shown;

#ifdef __SANITIZE_ADDRESS__
constexpr uint64_t kPrograms = 20, kMutated = 5;
#else
constexpr uint64_t kPrograms = 150, kMutated = 30;
#endif
uint64_t firstSeed() { return setting("AIRLITE_PROOF_SEED", 1); }
bool isProof() { return std::getenv("AIRLITE_PROOF_RUNS") != nullptr; }

/// Sizes 1 to 4, by the seed.
testing::GenerateOptions sizeOf(uint64_t seed) {
  testing::GenerateOptions options;
  options.size = static_cast<unsigned>(1 + seed % 4);
  return options;
}

PassResult run(Operation& module, std::string_view text, interp::MeaningCheck* meaning = nullptr) {
  Pipeline pipeline;
  REQUIRE(parsePipeline(module.context(), corePasses(), text, pipeline));
  PipelineOptions options;
  options.reproducerOnInternalError = false;
  if (meaning)
    options.checkEach = [&](Operation& whole, const Pass& pass) {
      return meaning->check(whole, pass.name());
    };
  return runPipeline(module, pipeline, options).result;
}

/// What the checker says: errors and warnings. A program without is silent.
bool isReported(Operation& module, std::string* text = nullptr) {
  DiagnosticCollector collector(module.context());
  OwningOp copy(module.clone());
  bool failed = run(*copy, "air-verify-program") == PassResult::Failed;
  for (const Diagnostic& diagnostic : collector.diagnostics())
    failed = failed || diagnostic.severity <= Severity::Warning;
  if (text) *text = shown(module.context(), collector);
  return failed;
}

interp::MeaningCheckOptions runsOf(unsigned schedules, std::string& why) {
  interp::MeaningCheckOptions options;
  options.argumentSets = 1;
  options.schedules = schedules;
  options.log = [&](std::string_view text) { why = text; };
  return options;
}

/// What is wrong with the program of a seed, or "".
std::string problemOf(uint64_t seed, std::string& alarm) {
  Context context;
  registerAllDialects(context);
  DiagnosticCollector collector(context);
  OwningOp module =
      parseSource(context, testing::generateProgram(seed, sizeOf(seed)), "random.mlir");
  if (!module) return "it does not verify: " + shown(context, collector);
  std::string why, said;
  interp::MeaningCheckOptions options = runsOf(6, why);
  options.argumentSets = 2;
  interp::MeaningCheck meaning(options);
  meaning.begin(*module);
  if (!why.empty()) return why;
  if (isReported(*module, &said)) alarm = said;
  // What the program ordered through one place of a channel gets its tokens one pass later.
  bool kept = run(*module, "canonicalize,cse", &meaning) != PassResult::Failed &&
              run(*module, "air-dependency,air-enforce-channel-fifo-order") != PassResult::Failed &&
              meaning.check(*module, "air-enforce-channel-fifo-order") &&
              run(*module, "air-dependency-canonicalize,canonicalize,cse", &meaning) !=
                  PassResult::Failed &&
              why.empty();
  if (!kept) return why + shown(context, collector);
  if (alarm.empty() && isReported(*module, &said)) alarm = "after the passes: " + said;
  return "";
}

// -- Mutants --------------------------------------------------------------------------------------

enum Behaviour { Hangs, Fails, Depends, Differs, Same, kBehaviours };
constexpr const char* kNames[] = {"hangs", "fails", "depends on the schedule", "computes another",
                                  "never fails"};

Behaviour behaviourOf(Operation& original, Operation& mutant, unsigned schedules) {
  DiagnosticCollector silence(mutant.context());
  std::string why;
  interp::MeaningCheckOptions options = runsOf(schedules, why);
  options.undefinedFails = true;
  interp::MeaningCheck alone(options);
  alone.begin(mutant);
  if (why.find("hangs") != why.npos) return Hangs;
  if (why.find("depends") != why.npos) return Depends;
  if (!why.empty()) return Fails;
  interp::MeaningCheck both(runsOf(1, why));
  both.begin(original);
  return both.check(mutant, "the mistake") ? Same : Differs;
}

struct Table {
  uint64_t cells[16][kBehaviours][2] = {};  // kind, what it does, reported
};

void countMutant(uint64_t seed, size_t kind, unsigned schedules, Table& table) {
  Context context;
  registerAllDialects(context);
  DiagnosticCollector collector(context);
  std::string text = testing::generateProgram(seed, sizeOf(seed));
  OwningOp original = parseSource(context, text, "random.mlir");
  REQUIRE(original);
  OwningOp mutant(original->clone());
  if (!testing::mutate(*mutant, testing::allMutations()[kind], seed)) return;
  INFO("seed " << seed << ", " << testing::mutationName(testing::allMutations()[kind]));
  REQUIRE(succeeded(verify(*mutant)));
  Behaviour behaviour = behaviourOf(*original, *mutant, schedules);
  bool reported = isReported(*mutant);
  ++table.cells[kind][behaviour][reported];
  // The programs to look at, one after the other.
  bool isMiss = behaviour < Differs && !reported, isAlarm = behaviour == Same && reported;
  if (std::getenv("AIRLITE_PROOF_LIST") && (isMiss || isAlarm))
    std::cout << fmt::format("{} {}: --generate={} --generate-size={} --mutate={}:{}\n",
                             isMiss ? "missed" : "alarm", kNames[behaviour], seed,
                             sizeOf(seed).size,
                             testing::mutationName(testing::allMutations()[kind]), seed);
}

/// `mutants KIND | BEHAVIOUR | reported | silent`, one line each: scripts/prove.py adds them up.
void print(const Table& table) {
  for (size_t kind = 0; kind < testing::allMutations().size(); ++kind)
    for (size_t b = 0; b < kBehaviours; ++b)
      std::cout << fmt::format("mutants {} | {} | {} | {}\n",
                               testing::mutationName(testing::allMutations()[kind]), kNames[b],
                               table.cells[kind][b][1], table.cells[kind][b][0]);
}

}  // namespace

TEST_CASE("proof: correct programs", "[proof]") {
  uint64_t runs = setting("AIRLITE_PROOF_RUNS", kPrograms), first = firstSeed();
  for (uint64_t seed = first; seed < first + runs; ++seed) {
    std::string alarm, problem = problemOf(seed, alarm);
    std::string command =
        fmt::format("airlite-opt --generate={} --generate-size={}", seed, sizeOf(seed).size);
    if (!problem.empty()) FAIL_CHECK(command << ": " << problem);
    if (!alarm.empty()) FAIL_CHECK(command << ": the checker is not silent: " << alarm);
  }
  if (isProof()) std::cout << fmt::format("proof programs {}\n", runs);
}

TEST_CASE("proof: mutants", "[mutants]") {
  uint64_t runs = setting("AIRLITE_PROOF_RUNS", kMutated), first = firstSeed();
  auto schedules = static_cast<unsigned>(setting("AIRLITE_PROOF_SCHEDULES", isProof() ? 200 : 20));
  Table table;
  for (uint64_t seed = first; seed < first + runs; ++seed)
    for (size_t kind = 0; kind < testing::allMutations().size(); ++kind)
      countMutant(seed, kind, schedules, table);
  if (isProof()) return print(table);
  // Mistakes have to be mistakes for the comparison to be worth anything.
  uint64_t hanging = 0, depending = 0;
  for (auto& kind : table.cells)
    hanging += kind[Hangs][0] + kind[Hangs][1], depending += kind[Depends][0] + kind[Depends][1];
  CHECK(hanging > 0);
  CHECK(depending > 0);
}

TEST_CASE("generate: the same text for the same seed", "[generate]") {
  CHECK(testing::generateProgram(7) == testing::generateProgram(7));
  CHECK(testing::generateProgram(7) != testing::generateProgram(8));
  CHECK(testing::generateProgram(7, {.size = 1}) != testing::generateProgram(7, {.size = 4}));
}
