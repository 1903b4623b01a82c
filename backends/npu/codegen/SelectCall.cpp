// Functions and calls: values travel in the registers of the public compilers' convention
// (isa/Abi.hpp).
#include "Select.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/npu/isa/Abi.hpp"

#include <algorithm>

namespace airlite::npu::codegen {

using isa::Reg;

std::span<const Selector::OpRow> Selector::callOps() {
  static constexpr OpRow kRows[] = {
      {"func.call", &Selector::selectCall},
      {"func.return", &Selector::selectReturn},
  };
  return kRows;
}

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

}  // namespace

std::optional<std::vector<Reg>> Selector::argumentPlaces(Operation& op, std::span<const Type> types,
                                                         std::span<const Type> results) {
  std::array<size_t, kRegClassCount> taken{};
  for (Type type : results)
    if (auto regClass = checkedClass(op, type)) ++taken[static_cast<size_t>(*regClass)];
  return places(op, types, false, taken);
}

std::optional<std::vector<Reg>> Selector::resultPlaces(Operation& op, std::span<const Type> types) {
  return places(op, types, true, {});
}

std::optional<std::vector<Reg>> Selector::places(Operation& op, std::span<const Type> types,
                                                 bool areResults,
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

bool Selector::takeArguments(Operation& op) {
  func::FuncOp function(&op);
  const FunctionType type = function.functionType();
  auto from = argumentPlaces(op, type.inputs(), type.results());
  if (!from) return false;
  for (unsigned i = 0; i < from->size(); ++i)
    copy(define(function.argument(i)), Operand::of((*from)[i]),
         *classOf(function.argument(i).type()));
  return true;
}

bool Selector::selectCall(Operation& op) {
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
                         ? extended(value, !value.type().isInteger(1))
                         : reg(value));
  for (size_t i = 0; i < values.size(); ++i)
    copy(Operand::of((*arguments)[i]), values[i], *classOf(inputs[i]));
  Terminator terminator;
  terminator.kind = Terminator::Kind::Call;
  terminator.callee = state_.calleeNumber(*callee.op());
  terminator.reads = *arguments;
  uint32_t behind = newBlock();
  terminator.otherwise = behind;
  end(terminator);
  function_.calls = true;
  enter(behind);
  for (unsigned i = 0; i < op.numResults(); ++i)
    copy(define(op.result(i)), Operand::of((*results)[i]), *classOf(outputs[i]));
  return true;
}

bool Selector::selectReturn(Operation& op) {
  std::vector<Type> types = op.operandTypes();
  auto to = resultPlaces(op, types);
  if (!to) return false;
  std::vector<Operand> values;
  for (Value value : op.operands())
    values.push_back(reg(value));
  for (size_t i = 0; i < values.size(); ++i)
    copy(Operand::of((*to)[i]), values[i], *classOf(types[i]));
  Terminator terminator;
  terminator.kind = Terminator::Kind::Return;
  terminator.reads = *to;
  end(terminator);
  return true;
}

}  // namespace airlite::npu::codegen
