// Passes keep what a program means: random programs run before and after, and results, memory and
// calls have to be the same. AIRLITE_MEANING_RUNS=N runs that many programs instead of a few,
// AIRLITE_MEANING_SEED=N begins elsewhere. A program that fails is shown as small as it gets.
#include "Generate.hpp"
#include "airlite/dialect/Dialects.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/interp/Interpreter.hpp"
#include "airlite/pass/Pipeline.hpp"
#include "airlite/text/Parser.hpp"
#include "airlite/text/Printer.hpp"
#include "airlite/transform/Passes.hpp"
#include "support/catch_all.hpp"
#include "support/pass_support.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>

using namespace airlite;
using namespace airlite::evaluation;
using interp::Datum;
using interp::MemRef;
using interp::Outcome;
using interp::RunStatus;
using interp::Scalar;

namespace {

using tests::corePasses;
using tests::shown;

constexpr const char* kPipelines[] = {
    "canonicalize",
    "cse",
    "canonicalize,cse,canonicalize",
    "lower-affine",
    "lower-affine,canonicalize,cse",
    "lower-affine,convert-scf-to-cf",
    "lower-affine,convert-scf-to-cf,canonicalize,cse",
    "canonicalize,lower-affine,cse,convert-scf-to-cf,canonicalize",
};

Operation* findFunction(Operation& module) {
  for (Operation& op : module.region().front().ops())
    if (op.is("func.func") && !func::FuncOp(&op).isDeclaration()) return &op;
  return nullptr;
}
Operation& functionOf(Operation& module) { return *findFunction(module); }

// -- Arguments ------------------------------------------------------------------------------------

Scalar randomScalar(Random& random, std::string_view type) {
  static constexpr double kNumbers[] = {0.0, -0.0, 1.0, -1.0, 0.5, 3.0, 1e10, -7.25, INFINITY, NAN};
  if (type == "f32") return {std::bit_cast<uint32_t>(static_cast<float>(kNumbers[random() % 10]))};
  if (type == "f64") return {std::bit_cast<uint64_t>(kNumbers[random() % 10])};
  unsigned width =
      type == "index" ? 64 : static_cast<unsigned>(std::stoul(std::string(type.substr(1))));
  bool small = random() % 100 < 80;
  uint64_t bits = small ? static_cast<uint64_t>(static_cast<int64_t>(random() % 24) - 8) : random();
  return {width >= 64 ? bits : bits & ((uint64_t(1) << width) - 1)};
}

/// All cells of the memory that a memref views, those outside of its shape too.
MemRef cellsOf(const MemRef& memref, Type element) {
  auto count = static_cast<int64_t>(memref.memory->data.size() / interp::elementBytes(element));
  return {memref.memory, 0, {count}, {1}};
}

/// Row-major in a buffer that is larger, from an offset.
MemRef randomMemory(Random& random, const Parameter& parameter, Type element) {
  bool strided = std::string_view(parameter.type).find("strided") != std::string_view::npos;
  MemRef view{std::make_shared<interp::Memory>(), strided ? 3 : 0, parameter.sizes, {}};
  int64_t stride = 1;
  view.strides.resize(view.sizes.size());
  for (size_t i = view.sizes.size(); i-- > 0;) {
    view.strides[i] = stride;
    stride *= view.sizes[i] + (strided ? 1 : 0);
  }
  size_t bytes = static_cast<size_t>(stride + view.offset) * interp::elementBytes(element);
  view.memory->data.resize(bytes);
  view.memory->known.resize(bytes);
  MemRef cells = cellsOf(view, element);
  for (size_t i = 0; i < interp::numElements(cells); ++i)
    interp::writeElement(cells, element, i, randomScalar(random, parameter.element));
  return view;
}

using Arguments = std::vector<Datum>;

/// @param seed  the same seed gives the same arguments, in memory of their own
Arguments makeArguments(uint64_t seed, FunctionType type) {
  Random random(seed);
  Arguments arguments;
  std::map<std::string_view, size_t> ofType;
  for (const Parameter& parameter : parameters()) {
    auto [first, fresh] = ofType.emplace(parameter.type, arguments.size());
    if (!parameter.element)
      arguments.push_back(randomScalar(random, parameter.type));
    else if (!fresh && random() % 3 == 0)
      arguments.push_back(arguments[first->second]);  // aliases
    else
      arguments.push_back(
          randomMemory(random, parameter, elementTypeOrSelf(type.inputs()[arguments.size()])));
  }
  return arguments;
}

// -- Comparison -----------------------------------------------------------------------------------

bool isNaN(Scalar scalar, std::string_view type) {
  if (type == "f32") return std::isnan(std::bit_cast<float>(static_cast<uint32_t>(scalar.bits)));
  return type == "f64" && std::isnan(std::bit_cast<double>(scalar.bits));
}

/// Poison may become anything, and a NaN any NaN.
bool refines(Scalar before, Scalar after, std::string_view type) {
  if (before.poison) return true;
  if (after.poison) return false;
  return before.bits == after.bits || (isNaN(before, type) && isNaN(after, type));
}

struct Run {
  Arguments arguments;
  Outcome outcome;
};

FunctionType typeOf(Operation& module) { return func::FuncOp(&functionOf(module)).functionType(); }

constexpr uint64_t kMaxSteps = 60000;

Run runOn(Operation& module, uint64_t seed, uint64_t maxSteps = kMaxSteps,
          bool affineWraps = false) {
  Run run{makeArguments(seed, typeOf(module)), {}};
  interp::RunOptions options;
  options.maxSteps = maxSteps;
  options.affineWraps = affineWraps;
  options.recordCalls = true;
  run.outcome = interp::Program(module).run(functionOf(module), run.arguments, options);
  return run;
}

std::string written(Scalar scalar) {
  return scalar.poison ? "poison" : fmt::format("{:#x}", scalar.bits);
}

std::string compareMemory(const Run& before, const Run& after, FunctionType type) {
  for (size_t i = 0; i < parameters().size(); ++i) {
    const Parameter& parameter = parameters()[i];
    if (!parameter.element) continue;
    Type element = elementTypeOrSelf(type.inputs()[i]);
    MemRef old = cellsOf(std::get<MemRef>(before.arguments[i]), element);
    MemRef now = cellsOf(std::get<MemRef>(after.arguments[i]), element);
    for (size_t cell = 0; cell < interp::numElements(old); ++cell) {
      Scalar was = interp::readElement(old, element, cell);
      Scalar is = interp::readElement(now, element, cell);
      if (!refines(was, is, parameter.element))
        return fmt::format("{} cell {}: {} became {}", parameter.name, cell, written(was),
                           written(is));
    }
  }
  return "";
}

/// "" when `after` does what `before` did; otherwise what differs.
std::string compare(const Run& before, const Run& after, FunctionType type) {
  std::span<const Type> types = type.results();
  if (after.outcome.status != RunStatus::Done) return "it ends: " + after.outcome.message;
  for (size_t i = 0; i < types.size(); ++i) {
    Scalar old = std::get<Scalar>(before.outcome.results[i]);
    Scalar now = std::get<Scalar>(after.outcome.results[i]);
    if (!refines(old, now, types[i].str()))
      return fmt::format("result {}: {} became {}", i, written(old), written(now));
  }
  const auto& old = before.outcome.calls;
  const auto& now = after.outcome.calls;
  if (old.size() != now.size()) return fmt::format("{} calls became {}", old.size(), now.size());
  for (size_t i = 0; i < old.size(); ++i)
    if (!refines(old[i], now[i], "i32"))
      return fmt::format("call {}: {} became {}", i, written(old[i]), written(now[i]));
  return compareMemory(before, after, type);
}

// -- One program ----------------------------------------------------------------------------------

struct Tally {
  unsigned compared = 0;
  std::map<std::string, unsigned> skipped;  // by what the program did
};

constexpr unsigned kArguments = 4;  // sets per program

/// What is wrong with `text` after `pipeline`, or nothing. Nothing, too, when it is not a program.
std::optional<std::string> problemWith(const std::string& text, const std::string& pipelineText,
                                       uint64_t seed, Tally* tally = nullptr) {
  Context context;
  registerAllDialects(context);
  DiagnosticCollector collector(context);
  OwningOp before = parseSource(context, text, "random.mlir");
  OwningOp after = before ? parseSource(context, text, "random.mlir") : OwningOp();
  bool program = after && findFunction(*after) &&
                 func::FuncOp(findFunction(*after)).numArguments() == parameters().size();
  if (!program)
    return tally ? std::optional("it is not a program: " + shown(context, collector))
                 : std::nullopt;
  Pipeline pipeline;
  if (!parsePipeline(context, corePasses(), pipelineText, pipeline)) return "wrong pipeline";
  PipelineOptions options;
  options.reproducerOnInternalError = false;
  if (runPipeline(*after, pipeline, options).result == PassResult::Failed)
    return "a pass fails: " + shown(context, collector);
  FunctionType type = typeOf(*before);
  for (unsigned i = 0; i < kArguments; ++i) {
    Run first = runOn(*before, seed + i);
    if (first.outcome.status != RunStatus::Done) {
      if (first.outcome.status == RunStatus::Unsupported) return first.outcome.message;
      if (tally) ++tally->skipped[first.outcome.message];
      continue;
    }
    if (tally) ++tally->compared;
    // Lowered programs take more and smaller steps.
    std::string difference = compare(first, runOn(*after, seed + i, 20 * kMaxSteps, true), type);
    if (!difference.empty()) return difference + "\n" + printToString(*after);
  }
  return std::nullopt;
}

std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    size_t end = text.find('\n', at);
    lines.push_back(text.substr(at, end - at + 1));
    at = end + 1;
  }
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines)
    out += line;
  return out;
}

/// Leaves out runs of lines as long as what is left is still wrong.
std::string shrunk(const std::string& text, const std::string& pipeline, uint64_t seed) {
  std::vector<std::string> lines = linesOf(text);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t length = std::min<size_t>(lines.size(), 16); length > 0; --length)
      for (size_t at = 0; at + length <= lines.size();) {
        std::vector<std::string> fewer = lines;
        fewer.erase(fewer.begin() + static_cast<ptrdiff_t>(at),
                    fewer.begin() + static_cast<ptrdiff_t>(at + length));
        if (problemWith(joined(fewer), pipeline, seed)) {
          lines = fewer;
          changed = true;
        } else {
          ++at;
        }
      }
  }
  return joined(lines);
}

size_t fromEnvironment(const char* name, size_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::stoul(text) : otherwise;
}

#ifdef __SANITIZE_ADDRESS__
constexpr size_t kPrograms = 150;
#else
constexpr size_t kPrograms = 1000;
#endif

Tally checkPrograms(bool blocks) {
  size_t runs = fromEnvironment("AIRLITE_MEANING_RUNS", kPrograms);
  uint64_t first = fromEnvironment("AIRLITE_MEANING_SEED", 1);
  Tally tally;
  for (uint64_t seed = first; seed < first + runs; ++seed) {
    Random random(seed);
    std::string text = randomProgram(random, blocks);
    std::string pipeline = kPipelines[random() % std::size(kPipelines)];
    std::optional<std::string> problem = problemWith(text, pipeline, seed, &tally);
    if (!problem) continue;
    std::string small = shrunk(text, pipeline, seed);
    FAIL_CHECK("seed " << seed << ", pipeline '" << pipeline << "': "
                       << problemWith(small, pipeline, seed).value_or(*problem) << "\n-- of --\n"
                       << small);
  }
  return tally;
}

void report(const Tally& tally) {
  unsigned skipped = 0;
  for (const auto& [why, count] : tally.skipped)
    skipped += count;
  UNSCOPED_INFO(tally.compared << " runs compared, " << skipped << " skipped");
  for (const auto& [why, count] : tally.skipped)
    UNSCOPED_INFO("  " << count << " " << why);
  // Most programs have to mean something for the comparison to be worth anything.
  CHECK(tally.compared > 2 * skipped);
  if (std::getenv("AIRLITE_MEANING_RUNS"))
    WARN(tally.compared << " runs compared, " << skipped << " skipped");
}

}  // namespace

TEST_CASE("meaning: structured programs", "[meaning]") { report(checkPrograms(false)); }

TEST_CASE("meaning: programs of blocks and branches", "[meaning]") { report(checkPrograms(true)); }

// The checker itself has to see a difference.
TEST_CASE("meaning: a wrong program is noticed", "[meaning]") {
  Context context;
  registerAllDialects(context);
  auto program = [&](std::string_view body) {
    std::string text = "func.func @f(";
    for (const Parameter& parameter : parameters())
      text +=
          fmt::format("{}{}: {}", text.back() == '(' ? "" : ", ", parameter.name, parameter.type);
    return parseSource(context, text + ") -> i32 {\n" + std::string(body) + "}\n", "in.mlir");
  };
  auto differs = [](Operation& a, Operation& b) {
    return compare(runOn(a, 7), runOn(b, 7), typeOf(a)) != "";
  };
  OwningOp plain = program("  return %i0 : i32\n");
  OwningOp result = program("  %1 = arith.constant 1 : i32\n  %2 = arith.addi %i0, %1 : i32\n"
                            "  return %2 : i32\n");
  OwningOp memory =
      program("  %c0 = arith.constant 0 : index\n  %1 = memref.load %m0[%c0] : memref<8xi32>\n"
              "  %c1 = arith.constant 1 : i32\n  %2 = arith.addi %1, %c1 : i32\n"
              "  memref.store %2, %m0[%c0] : memref<8xi32>\n  return %i0 : i32\n");
  OwningOp undefined = program("  %0 = arith.constant 0 : i32\n  %1 = arith.divsi %i0, %0 : i32\n"
                               "  return %i0 : i32\n");
  CHECK_FALSE(differs(*plain, *plain));
  CHECK(differs(*plain, *result));
  CHECK(differs(*plain, *memory));
  CHECK(differs(*plain, *undefined));
  CHECK(runOn(*undefined, 7).outcome.message ==
        "'arith.divsi' is undefined on these operands: division by zero");
}
