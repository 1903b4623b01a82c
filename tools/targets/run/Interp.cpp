// Arguments for the interpreter, its results, and the comparison of schedules.
#include "Interp.hpp"

#include "airlite/dialect/Func.hpp"

#include <fmt/format.h>

#include <cstring>

namespace airlite::tools {

namespace {

using interp::Datum;
using interp::MemRef;
using interp::Scalar;

/// The bytes of an argument: those of its array, or of its strided memory.
std::vector<std::byte>& bytesOf(Argument& argument) {
  return argument.strided.empty() ? argument.array.data : argument.strided;
}

Datum datumOf(Argument& argument) {
  const HostValue& value = argument.value;
  if (argument.layout.kind != ArgKind::MemRef) {
    Scalar scalar;
    std::memcpy(&scalar.bits, argument.array.data.data(), npyElementBytes(argument.array.type));
    return scalar;
  }
  MemRef memref;
  memref.memory = std::make_shared<interp::Memory>();
  memref.memory->data = bytesOf(argument);
  memref.memory->known.assign(memref.memory->data.size(), 1);
  memref.offset = value.offset;
  memref.sizes = value.shape;
  memref.strides = value.strides;
  if (!memref.strides.empty() || memref.sizes.empty()) return memref;
  memref.strides.assign(memref.sizes.size(), 1);
  for (size_t i = memref.sizes.size(); i-- > 1;)
    memref.strides[i - 1] = memref.strides[i] * std::max<int64_t>(memref.sizes[i], 1);
  return memref;
}

/// Memory, results and how the run went.
struct Schedule {
  std::vector<Datum> arguments;
  interp::Outcome outcome;
};

Schedule runOnce(interp::Program& program, Operation& function, std::vector<Argument>& arguments,
                 const interp::RunOptions& options) {
  Schedule schedule;
  for (Argument& argument : arguments)
    schedule.arguments.push_back(datumOf(argument));
  schedule.outcome = program.run(function, schedule.arguments, options);
  return schedule;
}

std::string indexText(const std::vector<int64_t>& shape, size_t position) {
  std::string text;
  for (size_t d = shape.size(); d-- > 0;) {
    auto size = static_cast<size_t>(shape[d]);
    text = std::to_string(position % size) + (text.empty() ? "" : ", ") + text;
    position /= size;
  }
  return shape.empty() ? "" : " at [" + text + "]";
}

// -- Elements -------------------------------------------------------------------------------------

std::string shownValue(Type element, Scalar scalar) {
  if (scalar.poison) return "no defined value";
  if (element.isFloat())
    return fmt::format("{}", floatFromBits(element.cast<FloatType>().floatKind(), scalar.bits));
  unsigned width = element.bitWidth();
  if (width == 1) return std::to_string(scalar.bits);
  return std::to_string(static_cast<int64_t>(scalar.bits << (64 - width)) >> (64 - width));
}

size_t countOf(const Datum& datum) {
  if (auto* lanes = std::get_if<std::vector<Scalar>>(&datum)) return lanes->size();
  auto* memref = std::get_if<MemRef>(&datum);
  return memref ? interp::numElements(*memref) : 1;
}

Scalar elementAt(const Datum& datum, Type element, size_t i) {
  if (auto* memref = std::get_if<MemRef>(&datum)) return interp::readElement(*memref, element, i);
  if (auto* lanes = std::get_if<std::vector<Scalar>>(&datum)) return (*lanes)[i];
  return std::get<Scalar>(datum);
}

const std::vector<int64_t>& shapeOf(const Datum& datum) {
  static const std::vector<int64_t> kScalar;
  auto* memref = std::get_if<MemRef>(&datum);
  return memref ? memref->sizes : kScalar;
}

std::string nameOf(size_t number, size_t arguments) {
  if (number < arguments) return fmt::format("argument {}", number);
  return fmt::format("result {}", number - arguments);
}

/// Everything that can be seen after a run: arguments, then results.
std::vector<const Datum*> allOf(const Schedule& schedule) {
  std::vector<const Datum*> all;
  for (const Datum& datum : schedule.arguments)
    all.push_back(&datum);
  for (const Datum& datum : schedule.outcome.results)
    all.push_back(&datum);
  return all;
}

bool isFreed(const Datum& datum) {
  auto* memref = std::get_if<MemRef>(&datum);
  return memref && memref->memory->freed;
}

/// "" or what differs first.
std::string difference(const Schedule& a, const Schedule& b, std::span<const Type> types,
                       const std::string& nameA, const std::string& nameB) {
  std::vector<const Datum*> left = allOf(a), right = allOf(b);
  for (size_t n = 0; n < left.size(); ++n) {
    Type element = elementTypeOrSelf(types[n]);
    if (!element.isIntOrIndexOrFloat()) continue;  // the number of a token means nothing
    if (isFreed(*left[n]) || isFreed(*right[n])) continue;
    std::string who = nameOf(n, a.arguments.size());
    if (shapeOf(*left[n]) != shapeOf(*right[n]))
      return fmt::format("{} has another shape with {} than with {}", who, nameB, nameA);
    for (size_t i = 0, count = countOf(*left[n]); i < count; ++i) {
      Scalar x = elementAt(*left[n], element, i), y = elementAt(*right[n], element, i);
      if (x == y || (x.poison && y.poison)) continue;
      return fmt::format("{}{} depends on the schedule: {} with {}, {} with {}", who,
                         indexText(shapeOf(*left[n]), i), shownValue(element, x), nameA,
                         shownValue(element, y), nameB);
    }
  }
  return "";
}

/// "" or the first element without a value, or a result that is gone.
std::string undefinedElement(const Schedule& schedule, std::span<const Type> types) {
  for (size_t n = 0; n < schedule.outcome.results.size(); ++n)
    if (isFreed(schedule.outcome.results[n]))
      return fmt::format("result {} is memory that has been freed", n);
  std::vector<const Datum*> all = allOf(schedule);
  for (size_t n = 0; n < all.size(); ++n) {
    if (isFreed(*all[n]) || !elementTypeOrSelf(types[n]).isIntOrIndexOrFloat()) continue;
    for (size_t i = 0, count = countOf(*all[n]); i < count; ++i)
      if (elementAt(*all[n], elementTypeOrSelf(types[n]), i).poison)
        return fmt::format("{}{} has no defined value at the end",
                           nameOf(n, schedule.arguments.size()), indexText(shapeOf(*all[n]), i));
  }
  return "";
}

// -- Results --------------------------------------------------------------------------------------

HostValue hostValueOf(const ArgLayout& layout, const Datum& datum) {
  if (auto* memref = std::get_if<MemRef>(&datum))
    return HostValue::buffer(memref->memory->data.data(), memref->sizes, memref->strides,
                             memref->offset);
  auto* given = std::get_if<Scalar>(&datum);
  if (!given) return {};  // a vector, which no file can hold
  Scalar scalar = *given;
  if (layout.kind == ArgKind::Float)
    return HostValue::ofFloat(
        floatFromBits(*FloatType::parseName(layout.elementType), scalar.bits));
  unsigned shift = 64 - std::min(64u, layout.elementBits);
  return HostValue::ofInteger(static_cast<int64_t>(scalar.bits << shift) >> shift);
}

std::vector<Type> allTypes(func::FuncOp function) {
  FunctionType type = function.functionType();
  std::vector<Type> types(type.inputs().begin(), type.inputs().end());
  types.insert(types.end(), type.results().begin(), type.results().end());
  return types;
}

}  // namespace

std::vector<InterpSchedule> schedulesOfSeeds(const interp::RunOptions& run, unsigned count) {
  std::vector<InterpSchedule> schedules;
  for (unsigned i = 0; i < count; ++i) {
    InterpSchedule& schedule = schedules.emplace_back(InterpSchedule{run, ""});
    schedule.run.seed = run.seed + i;
    schedule.name = fmt::format("seed {}", schedule.run.seed);
  }
  return schedules;
}

ArgLayout interpLayout(Type type) {
  auto tensor = type.dynCast<RankedTensorType>();
  return layoutOfArgument(
      tensor ? MemRefType::get(type.context(), tensor.shape(), tensor.elementType()) : type);
}

Result<InterpOutcome> runOnInterpreter(Operation& module, Operation& function,
                                       std::vector<Argument>& arguments,
                                       const InterpRequest& request) {
  interp::Program program(module);
  std::vector<Type> types = allTypes(func::FuncOp(&function));
  const InterpSchedule& plain = request.schedules.front();
  Schedule first = runOnce(program, function, arguments, plain.run);
  if (first.outcome.status == interp::RunStatus::TooLong) return Error{first.outcome.message};
  if (first.outcome.status != interp::RunStatus::Done) return Error{};
  for (const InterpSchedule& schedule : std::span(request.schedules).subspan(1)) {
    Schedule other = runOnce(program, function, arguments, schedule.run);
    if (other.outcome.status != interp::RunStatus::Done)
      return Error{fmt::format("{} with {}; the run with {} is fine",
                               other.outcome.status == interp::RunStatus::TooLong
                                   ? other.outcome.message
                                   : "the run fails",
                               schedule.name, plain.name)};
    if (std::string why = difference(first, other, types, plain.name, schedule.name); !why.empty())
      return Error{why};
  }
  if (std::string why = undefinedElement(first, types); !why.empty()) return Error{why};
  InterpOutcome outcome;
  outcome.steps = first.outcome.steps;
  outcome.processes = first.outcome.processes;
  for (size_t i = 0; i < arguments.size(); ++i)
    if (auto* memref = std::get_if<MemRef>(&first.arguments[i]))
      if (!memref->memory->freed)
        std::memcpy(bytesOf(arguments[i]).data(), memref->memory->data.data(),
                    memref->memory->data.size());
  outcome.memory = std::move(first.outcome.results);
  for (size_t i = 0; i < outcome.memory.size(); ++i)
    outcome.results.push_back(
        hostValueOf(interpLayout(types[arguments.size() + i]), outcome.memory[i]));
  return outcome;
}

}  // namespace airlite::tools
