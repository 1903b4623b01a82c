// Routines as functions: their names, types and bodies.
#include "Routines.hpp"

#include "SoftFloat.hpp"
#include "SoftWord.hpp"
#include "airlite/ir/Symbols.hpp"

#include <cassert>

namespace airlite::npu::soft {

namespace {

using Word = IrMachine::Word;
using F = Float<IrMachine>;

/// `types`: of the arguments and, behind `>`, of the result: f32, bf16 (b), i32.
struct Routine {
  std::string_view name, types;
  Word (*body)(F& f, const Word* in);
};

constexpr Routine kRoutines[] = {
    {"__air_f32_add", "ff>f", [](F& f, const Word* in) { return f.add(in[0], in[1]); }},
    {"__air_f32_mul", "ff>f", [](F& f, const Word* in) { return f.multiply(in[0], in[1]); }},
    {"__air_f32_div", "ff>f", [](F& f, const Word* in) { return f.divide(in[0], in[1]); }},
    {"__air_f32_compare", "ff>i", [](F& f, const Word* in) { return f.compare(in[0], in[1]); }},
    {"__air_f32_max", "ff>f", [](F& f, const Word* in) { return f.extreme(in[0], in[1], true); }},
    {"__air_f32_min", "ff>f", [](F& f, const Word* in) { return f.extreme(in[0], in[1], false); }},
    {"__air_f32_maxnum", "ff>f",
     [](F& f, const Word* in) { return f.extremeNumber(in[0], in[1], true); }},
    {"__air_f32_minnum", "ff>f",
     [](F& f, const Word* in) { return f.extremeNumber(in[0], in[1], false); }},
    {"__air_f32_from_unsigned", "i>f", [](F& f, const Word* in) { return f.fromUnsigned(in[0]); }},
    {"__air_f32_from_signed", "i>f", [](F& f, const Word* in) { return f.fromSigned(in[0]); }},
    {"__air_f32_to_integer", "f>i", [](F& f, const Word* in) { return f.toInteger(in[0]); }},
    {"__air_bf16_from_f32", "f>b", [](F& f, const Word* in) { return f.toBf16(in[0]); }},
};

const Routine& findRoutine(std::string_view name) {
  for (const Routine& routine : kRoutines)
    if (routine.name == name) return routine;
  assert(false && "no such routine");
  return kRoutines[0];
}

Type typeOf(Context& context, char letter) {
  if (letter == 'i') return IntegerType::get(context, 32);
  return FloatType::get(context, letter == 'b' ? FloatKind::BF16 : FloatKind::F32);
}

std::vector<Type> typesOf(Context& context, std::string_view letters) {
  std::vector<Type> types;
  for (char letter : letters)
    types.push_back(typeOf(context, letter));
  return types;
}

Value cast(Builder& builder, Location location, std::string_view name, Value value, Type type) {
  if (value.type() == type) return value;
  return builder.create(location, name, {value}, {type})->result();
}

void fillBody(Builder& builder, func::FuncOp function, const Routine& routine) {
  Location location = function->location();
  Type i32 = builder.intType(32);
  Type result = function.functionType().results()[0];
  builder.setToEnd(function.entry());
  IrMachine machine(builder, location);
  std::vector<Word> words;
  for (Value argument : function.entry().arguments())
    words.push_back(machine.wordOf(cast(builder, location, "arith.bitcast", argument, i32)));
  F floats(machine);
  Value value = routine.body(floats, words.data()).value;
  if (result.isBF16()) value = cast(builder, location, "arith.trunci", value, builder.intType(16));
  value = cast(builder, location, "arith.bitcast", value, result);
  builder.create(location, "func.return", {value}, {});
}

}  // namespace

func::FuncOp routineIn(Operation& table, std::string_view name) {
  if (Operation* known = lookupSymbolIn(table, name)) return func::FuncOp(known);
  const Routine& routine = findRoutine(name);
  Context& context = table.context();
  Block& block = table.region().front();
  Builder builder = Builder::atEnd(block);
  if (block.terminator()) builder.setBefore(block.back());
  size_t arrow = routine.types.find('>');
  auto type = FunctionType::get(context, typesOf(context, routine.types.substr(0, arrow)),
                                typesOf(context, routine.types.substr(arrow + 1)));
  func::FuncOp function = func::FuncOp::create(builder, table.location(), name, type);
  function->setAttr("sym_visibility", builder.stringAttr("private"));
  fillBody(builder, function, routine);
  return function;
}

}  // namespace airlite::npu::soft
