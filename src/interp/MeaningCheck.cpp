// Runs before and after passes, and the comparison of the two (see MeaningCheck.hpp). What was
// undefined before may become anything, and a NaN any NaN.
#include "airlite/interp/MeaningCheck.hpp"

#include "airlite/dialect/Func.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/interp/Interpreter.hpp"
#include "airlite/ir/Diagnostic.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <set>

namespace airlite::interp {

namespace {

constexpr int64_t kOpenSize = 8;
constexpr int64_t kMaxElements = 1 << 20;

// -- Arguments ------------------------------------------------------------------------------------

uint64_t nextRandom(uint64_t& state) {
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

/// Floats in [-1, 1) that most formats hold, integers from -8 to 7, sizes and counts from 1 to 8.
Scalar randomScalar(Type type, uint64_t& state) {
  uint64_t bits = nextRandom(state);
  if (type.isFloat())
    return {floatToBits(type.cast<FloatType>().floatKind(),
                        static_cast<double>(bits >> 57) / 64 - 1.0)};
  if (type.isIndex()) return {1 + (bits >> 61)};
  unsigned width = type.bitWidth();
  uint64_t value = (bits >> 60) - 8;
  return {width >= 64 ? value : value & ((uint64_t(1) << width) - 1)};
}

bool isNumber(Type type) { return type.isIntOrIndexOrFloat() && type.bitWidth() <= 64; }

/// The memory that holds an argument of this type: that of a memref, or the contents of a tensor;
/// null for others.
MemRefType memoryOf(Type type) {
  if (auto tensor = type.dynCast<RankedTensorType>())
    return MemRefType::get(type.context(), tensor.shape(), tensor.elementType());
  return type.dynCast<MemRefType>();
}

bool isSupported(Type type) {
  if (isNumber(type)) return true;
  if (auto vector = type.dynCast<VectorType>())
    return isNumber(vector.elementType()) && vector.hasStaticShape() &&
           vector.numElements() <= kMaxElements;
  MemRefType memref = memoryOf(type);
  if (!memref || !isNumber(memref.elementType())) return false;
  std::optional<StridedForm> form = memref.stridedForm();
  if (!form) return false;
  int64_t count = 1, last = form->offset == kDynamic ? 0 : form->offset;
  for (size_t i = 0; i < form->strides.size(); ++i) {
    int64_t size = memref.isDynamicDim(i) ? kOpenSize : memref.dim(i), reach = 0;
    int64_t stride = form->strides[i] == kDynamic ? 1 : form->strides[i];
    bool fits = stride >= 0 && !__builtin_mul_overflow(size, stride, &reach) &&
                !__builtin_add_overflow(last, reach, &last) &&
                !__builtin_mul_overflow(count, size, &count);
    if (!fits || count > kMaxElements || last > kMaxElements) return false;
  }
  return last >= 0;
}

/// Memory that a strided type points into, as small as it can be.
MemRef makeMemRef(MemRefType type) {
  MemRef memref = allocate(type, std::vector<int64_t>(type.shape().size(), kOpenSize));
  StridedForm form = *type.stridedForm();
  int64_t last = 0;
  for (size_t i = 0; i < memref.sizes.size(); ++i) {
    if (form.strides[i] != kDynamic) memref.strides[i] = form.strides[i];
    last += std::max<int64_t>(memref.sizes[i] - 1, 0) * memref.strides[i];
  }
  memref.offset = form.offset == kDynamic ? 0 : form.offset;
  size_t bytes = static_cast<size_t>(memref.offset + last + 1) * elementBytes(type.elementType());
  memref.memory->data.resize(std::max(bytes, memref.memory->data.size()));
  memref.memory->known.assign(memref.memory->data.size(), 1);
  return memref;
}

Datum makeArgument(Type type, uint64_t& seed) {
  if (auto vector = type.dynCast<VectorType>()) {
    std::vector<Scalar> lanes(static_cast<size_t>(vector.numElements()));
    for (Scalar& lane : lanes)
      lane = randomScalar(vector.elementType(), seed);
    return lanes;
  }
  MemRefType memref = memoryOf(type);
  if (!memref) return randomScalar(type, seed);
  MemRef memory = makeMemRef(memref);
  for (size_t i = 0, count = numElements(memory); i < count; ++i)
    writeElement(memory, memref.elementType(), i, randomScalar(memref.elementType(), seed));
  return memory;
}

std::vector<Datum> makeArguments(FunctionType type, uint64_t seed) {
  std::vector<Datum> arguments;
  for (Type input : type.inputs())
    arguments.push_back(makeArgument(input, seed));
  return arguments;
}

// -- Comparison -----------------------------------------------------------------------------------

/// What can be seen of a run: every element of every argument and result, in order.
struct Trace {
  Outcome outcome;
  std::vector<Scalar> elements;
  // First element of each argument and result, then of the calls of functions that are not there.
  std::vector<std::pair<size_t, Type>> parts;
};

void addPart(Trace& trace, const Datum& datum, Type type) {
  Type element = elementTypeOrSelf(type);
  trace.parts.push_back({trace.elements.size(), element});
  if (!isNumber(elementTypeOrSelf(element))) return;  // a token
  if (auto* memref = std::get_if<MemRef>(&datum)) {
    // What is in memory that has been freed does not matter; that it is freed does.
    if (memref->memory->freed)
      return void(
          trace.elements.insert(trace.elements.end(), numElements(*memref), Scalar{0, true}));
    for (size_t i = 0, count = numElements(*memref); i < count; ++i)
      trace.elements.push_back(readElement(*memref, element, i));
  } else if (auto* lanes = std::get_if<std::vector<Scalar>>(&datum)) {
    trace.elements.insert(trace.elements.end(), lanes->begin(), lanes->end());
  } else {
    trace.elements.push_back(std::get<Scalar>(datum));
  }
}

bool isNaN(Type type, uint64_t bits) {
  return type.isFloat() && std::isnan(floatFromBits(type.cast<FloatType>().floatKind(), bits));
}

bool refines(Scalar before, Scalar after, Type type) {
  if (before.poison) return true;
  if (after.poison) return false;
  return before.bits == after.bits || (isNaN(type, before.bits) && isNaN(type, after.bits));
}

std::string shown(Scalar scalar, Type type) {
  if (scalar.poison) return "no defined value";
  if (type.isFloat())
    return fmt::format("{}", floatFromBits(type.cast<FloatType>().floatKind(), scalar.bits));
  unsigned shift = 64 - type.bitWidth();
  return std::to_string(static_cast<int64_t>(scalar.bits << shift) >> shift);
}

/// "" or the first difference.
std::string difference(const Trace& before, const Trace& after, size_t arguments) {
  if (before.elements.size() != after.elements.size()) return "its results have another shape";
  size_t part = 0;
  for (size_t i = 0; i < before.elements.size(); ++i) {
    while (part + 1 < before.parts.size() && before.parts[part + 1].first <= i)
      ++part;
    auto [first, type] = before.parts[part];
    if (refines(before.elements[i], after.elements[i], type)) continue;
    if (part + 1 == before.parts.size()) return "other functions are called, or in another way";
    bool isResult = part >= arguments;
    return fmt::format("element {} of {} {} was {} and is {}", i - first,
                       isResult ? "result" : "argument", isResult ? part - arguments : part,
                       shown(before.elements[i], type), shown(after.elements[i], type));
  }
  return "";
}

bool handsOutUndefined(const Trace& trace) {
  return std::any_of(trace.elements.begin(), trace.elements.end(),
                     [](const Scalar& element) { return element.poison; });
}

std::string_view statusText(RunStatus status) {
  switch (status) {
    case RunStatus::Failed: return "it fails";
    case RunStatus::Deadlock: return "it hangs";
    case RunStatus::Unsupported: return "the interpreter does not support it";
    default: return "it takes too many steps";
  }
}

}  // namespace

struct MeaningCheck::Impl {
  struct Function {
    FunctionType type;
    std::vector<Trace> traces;  // one for each set of arguments
  };

  MeaningCheckOptions options;
  std::map<std::string, Function, std::less<>> functions;
  std::vector<Diagnostic> problems;  // of the last run

  unsigned unitFloats = 0;  // linalg::UnitFloats, of the program that is compared with

  void log(std::string_view name, std::string_view why) const {
    if (options.log) options.log(fmt::format("'@{}' is not compared: {}", name, why));
  }

  Trace run(Program& program, Operation& function, unsigned set, unsigned schedule,
            uint64_t maxSteps) {
    FunctionType type = func::FuncOp(&function).functionType();
    std::vector<Datum> arguments = makeArguments(type, options.seed + set);
    RunOptions how;
    how.seed = options.seed + schedule;
    how.maxSteps = maxSteps;
    how.affineWraps = true;
    how.recordCalls = true;
    DiagnosticCollector collector(function.context());
    Trace trace;
    trace.outcome = program.run(function, arguments, how);
    problems = collector.diagnostics();
    if (trace.outcome.status != RunStatus::Done) return trace;
    for (size_t i = 0; i < arguments.size(); ++i)
      addPart(trace, arguments[i], type.inputs()[i]);
    for (size_t i = 0; i < trace.outcome.results.size(); ++i)
      addPart(trace, trace.outcome.results[i], type.results()[i]);
    trace.parts.push_back({trace.elements.size(), IntegerType::get(function.context(), 64)});
    trace.elements.insert(trace.elements.end(), trace.outcome.calls.begin(),
                          trace.outcome.calls.end());
    return trace;
  }

  /// "" when the function runs and all schedules agree.
  std::string observe(Program& program, Operation& op, Function& function) {
    for (Type type : function.type.inputs())
      if (!isSupported(type)) return "no values are made for arguments of type " + type.str();
    for (unsigned set = 0; set < options.argumentSets; ++set) {
      for (unsigned i = 0; i < options.schedules; ++i) {
        Trace trace = run(program, op, set, i, options.maxSteps);
        if (trace.outcome.status != RunStatus::Done)
          return fmt::format("{}: {}", statusText(trace.outcome.status), trace.outcome.message);
        if (options.undefinedFails && handsOutUndefined(trace))
          return "it hands out what has no defined value";
        if (i == 0)
          function.traces.push_back(std::move(trace));
        else if (!difference(function.traces.back(), trace, function.type.inputs().size()).empty())
          return "it depends on the schedule";
      }
    }
    return "";
  }

  void reportDifference(Operation& op, std::string_view pass, std::string_view name,
                        const std::string& what, unsigned set, unsigned schedule) {
    InFlightDiagnostic error = op.emitError();
    error << "pass '" << pass << "' changes what '@" << name << "' computes: " << what
          << " (argument set " << set << ", schedule " << schedule << ")";
    for (const Diagnostic& problem : problems)
      if (problem.severity == Severity::Error) error.note(problem.location) << problem.message;
  }

  /// False: reported. A function that cannot be run any more is not compared from here on.
  bool compare(Program& program, Operation& op, std::string_view name, Function& function,
               std::string_view pass, bool& keep) {
    for (unsigned set = 0; set < function.traces.size(); ++set) {
      const Trace& before = function.traces[set];
      uint64_t maxSteps = 1'000'000 + 20 * before.outcome.steps;
      for (unsigned i = 0; i < options.schedules; ++i) {
        Trace after = run(program, op, set, i, maxSteps);
        if (after.outcome.status == RunStatus::Unsupported) {
          log(name, fmt::format("after '{}' {}", pass, after.outcome.message));
          keep = false;
          return true;
        }
        std::string what = after.outcome.status == RunStatus::Done
                               ? difference(before, after, function.type.inputs().size())
                               : std::string(statusText(after.outcome.status)) + " now";
        if (what.empty()) continue;
        reportDifference(op, pass, name, what, set, i);
        return false;
      }
    }
    return true;
  }
};

MeaningCheck::MeaningCheck(MeaningCheckOptions options) : impl_(new Impl{std::move(options)}) {}
MeaningCheck::~MeaningCheck() = default;

void MeaningCheck::begin(Operation& module) {
  impl_->functions.clear();
  impl_->unitFloats = linalg::unitFloats(module);
  Program program(module);
  for (Operation& op : module.region().front().ops()) {
    auto function = dynCast<func::FuncOp>(&op);
    if (!function || function.isDeclaration() || function.isPrivate()) continue;
    Impl::Function noted{function.functionType(), {}};
    std::string why = impl_->observe(program, op, noted);
    if (!why.empty())
      impl_->log(function.symName(), why);
    else
      impl_->functions.emplace(function.symName(), std::move(noted));
  }
}

bool MeaningCheck::check(Operation& module, std::string_view pass) {
  if (linalg::unitFloats(module) & ~impl_->unitFloats) {
    if (impl_->options.log)
      impl_->options.log(fmt::format("'{}' is not checked: its floats are computed as the units of "
                                     "the machine do, on purpose; later "
                                     "passes are compared with the program that it has made",
                                     pass));
    begin(module);
    return true;
  }
  Program program(module);
  for (auto at = impl_->functions.begin(); at != impl_->functions.end();) {
    auto& [name, function] = *at;
    Operation* op = program.find(name);
    bool keep = op && func::FuncOp(op).functionType() == function.type;
    if (!keep)
      impl_->log(name, fmt::format("after '{}' there is no such function any more", pass));
    else if (!impl_->compare(program, *op, name, function, pass, keep))
      return false;
    at = keep ? std::next(at) : impl_->functions.erase(at);
  }
  return true;
}

}  // namespace airlite::interp
