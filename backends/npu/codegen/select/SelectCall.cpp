#include "SelectCall.hpp"

#include "airlite/dialect/Func.hpp"
#include "airlite/npu/isa/Abi.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

namespace airlite::npu::codegen {

using isa::Reg;

namespace {

/// The registers of a kind of value, in the order in which they are taken.
struct Places {
  std::span<const Reg> registers;
  std::string_view what;
};

Places placesOf(RegClass regClass, bool areResults) {
  // Results come back in the first registers of their kind; of pointers and vectors there is one.
  size_t few = areResults ? 1 : 12;
  auto cut = [&](std::span<const Reg> all) { return all.first(std::min(all.size(), few)); };
  switch (regClass) {
    case RegClass::Pointer: return {cut(isa::abi::kPointerArguments), "memrefs"};
    case RegClass::Vector: return {cut(isa::abi::kVector512Arguments), "vectors"};
    default: return {isa::abi::kIntegerArguments, "scalars"};
  }
}

std::optional<std::vector<Reg>> places(Operation& op, std::span<const Type> types, bool areResults,
                                       std::array<size_t, kRegClassCount> taken) {
  std::vector<Reg> found;
  for (Type type : types) {
    auto regClass = checkedClass(op, type);
    if (!regClass) return std::nullopt;
    Places room = placesOf(*regClass, areResults);
    size_t& next = taken[static_cast<size_t>(*regClass)];
    if (next >= room.registers.size()) {
      op.emitOpError() << "has more than " << room.registers.size() << " " << room.what << " as "
                       << (areResults ? "results" : "arguments")
                       << "; on the stack is not supported";
      return std::nullopt;
    }
    found.push_back(room.registers[next++]);
  }
  return found;
}

/// The registers that arguments of these types travel in; none after an error at `op`. The first
/// registers of a kind are the results', arguments take the next ones.
std::optional<std::vector<Reg>> argumentPlaces(Operation& op, std::span<const Type> types,
                                               std::span<const Type> results) {
  std::array<size_t, kRegClassCount> taken{};
  for (Type type : results)
    if (auto regClass = checkedClass(op, type)) ++taken[static_cast<size_t>(*regClass)];
  return places(op, types, false, taken);
}

std::optional<std::vector<Reg>> resultPlaces(Operation& op, std::span<const Type> types) {
  return places(op, types, true, {});
}

}  // namespace

bool CallSelector::takeArguments(Operation& op) {
  func::FuncOp function(&op);
  const FunctionType type = function.functionType();
  auto from = argumentPlaces(op, type.inputs(), type.results());
  if (!from) return false;
  for (unsigned i = 0; i < from->size(); ++i)
    emitter_.copy(values_.define(function.argument(i)), Operand::of((*from)[i]),
                  *classOf(function.argument(i).type()));
  return true;
}

bool CallSelector::selectCall(Operation& op) {
  func::FuncOp callee = func::CallOp(&op).function();
  if (!callee) {
    op.emitOpError() << "calls no function that is known here";
    return false;
  }
  std::vector<Type> inputs = op.operandTypes(), outputs = op.resultTypes();
  auto arguments = argumentPlaces(op, inputs, outputs), results = resultPlaces(op, outputs);
  if (!arguments || !results) return false;
  std::vector<Operand> values;
  for (Value value : op.operands())  // narrow ones travel with 32 bits
    values.push_back(*classOf(value.type()) == RegClass::Gpr && !value.type().isFloat()
                         ? values_.extended(value, !value.type().isInteger(1))
                         : values_.reg(value));
  for (size_t i = 0; i < values.size(); ++i)
    emitter_.copy(Operand::of((*arguments)[i]), values[i], *classOf(inputs[i]));
  Terminator terminator;
  terminator.kind = Terminator::Kind::Call;
  terminator.callee = state_.calleeNumber(*callee.op());
  terminator.reads = *arguments;
  uint32_t after = emitter_.newBlock();
  terminator.otherwise = after;
  emitter_.end(terminator);
  emitter_.markCalling();
  emitter_.enter(after);
  for (unsigned i = 0; i < op.numResults(); ++i)
    emitter_.copy(values_.define(op.result(i)), Operand::of((*results)[i]), *classOf(outputs[i]));
  return true;
}

bool CallSelector::selectReturn(Operation& op) {
  std::vector<Type> types = op.operandTypes();
  auto to = resultPlaces(op, types);
  if (!to) return false;
  std::vector<Operand> values;
  for (Value value : op.operands())
    values.push_back(values_.reg(value));
  for (size_t i = 0; i < values.size(); ++i)
    emitter_.copy(Operand::of((*to)[i]), values[i], *classOf(types[i]));
  Terminator terminator;
  terminator.kind = Terminator::Kind::Return;
  terminator.reads = *to;
  emitter_.end(terminator);
  return true;
}

}  // namespace airlite::npu::codegen
