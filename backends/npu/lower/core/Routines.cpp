// Routines as functions: their names, types and bodies.
#include "Routines.hpp"

#include "SoftFloat.hpp"
#include "SoftFma.hpp"
#include "SoftMath.hpp"
#include "SoftPower.hpp"
#include "SoftSine.hpp"
#include "SoftTanhErf.hpp"
#include "SoftWide.hpp"
#include "SoftWord.hpp"
#include "airlite/ir/Symbols.hpp"

#include <cassert>

namespace airlite::npu::soft {

namespace {

using Word = IrMachine::Word;
using F = Float<IrMachine>;
using M = Math<IrMachine>;
using W = Wide<IrMachine>;
using Fma = FusedMultiplyAdd<IrMachine>;
using Log = Logarithms<IrMachine>;
using Pow = Powers<IrMachine>;
using Sin = Sines<IrMachine>;

void put(W::Pair pair, Word* out) { out[0] = pair.low, out[1] = pair.high; }

/// `types`: of the arguments and, after `>`, of the results: f32, bf16 (b), i32.
struct Routine {
  std::string_view name, types;
  void (*body)(IrMachine& m, const Word* in, Word* out);
};

constexpr Routine kRoutines[] = {
    {"__air_f32_add", "ff>f",
     [](IrMachine& m, const Word* in, Word* out) { out[0] = F(m).add(in[0], in[1]); }},
    {"__air_f32_mul", "ff>f",
     [](IrMachine& m, const Word* in, Word* out) { out[0] = F(m).multiply(in[0], in[1]); }},
    {"__air_f32_div", "ff>f",
     [](IrMachine& m, const Word* in, Word* out) { out[0] = F(m).divide(in[0], in[1]); }},
    {"__air_f32_compare", "ff>i",
     [](IrMachine& m, const Word* in, Word* out) { out[0] = F(m).compare(in[0], in[1]); }},
    {"__air_f32_max", "ff>f",
     [](IrMachine& m, const Word* in, Word* out) { out[0] = F(m).extreme(in[0], in[1], true); }},
    {"__air_f32_min", "ff>f",
     [](IrMachine& m, const Word* in, Word* out) { out[0] = F(m).extreme(in[0], in[1], false); }},
    {"__air_f32_maxnum", "ff>f",
     [](IrMachine& m, const Word* in, Word* out) {
       out[0] = F(m).extremeNumber(in[0], in[1], true);
     }},
    {"__air_f32_minnum", "ff>f",
     [](IrMachine& m, const Word* in, Word* out) {
       out[0] = F(m).extremeNumber(in[0], in[1], false);
     }},
    {"__air_f32_from_unsigned", "i>f",
     [](IrMachine& m, const Word* in, Word* out) { out[0] = F(m).fromUnsigned(in[0]); }},
    {"__air_f32_from_signed", "i>f",
     [](IrMachine& m, const Word* in, Word* out) { out[0] = F(m).fromSigned(in[0]); }},
    {"__air_f32_to_integer", "f>i",
     [](IrMachine& m, const Word* in, Word* out) { out[0] = F(m).toInteger(in[0]); }},
    {"__air_bf16_from_f32", "f>b",
     [](IrMachine& m, const Word* in, Word* out) { out[0] = F(m).toBf16(in[0]); }},
    {"__air_f32_floor", "f>f",
     [](IrMachine& m, const Word* in, Word* out) { out[0] = F(m).whole(in[0], F::Whole::Floor); }},
    {"__air_f32_ceil", "f>f",
     [](IrMachine& m, const Word* in, Word* out) { out[0] = F(m).whole(in[0], F::Whole::Ceil); }},
    {"__air_f32_trunc", "f>f",
     [](IrMachine& m, const Word* in, Word* out) { out[0] = F(m).whole(in[0], F::Whole::Trunc); }},
    {"__air_f32_round", "f>f",
     [](IrMachine& m, const Word* in, Word* out) { out[0] = F(m).whole(in[0], F::Whole::Round); }},
    {"__air_f32_roundeven", "f>f",
     [](IrMachine& m, const Word* in, Word* out) {
       out[0] = F(m).whole(in[0], F::Whole::RoundEven);
     }},
    {"__air_f32_exp", "f>f",
     [](IrMachine& m, const Word* in, Word* out) { out[0] = M(m).exponential(in[0]); }},
    {"__air_f32_sqrt", "f>f",
     [](IrMachine& m, const Word* in, Word* out) { out[0] = M(m).squareRoot(in[0]); }},
    {"__air_f32_rsqrt", "f>f",
     [](IrMachine& m, const Word* in, Word* out) { out[0] = M(m).reciprocalRoot(in[0]); }},
    {"__air_mul64", "iiii>ii",
     [](IrMachine& m, const Word* in, Word* out) {
       M::Wide product = M::upperProduct(m, {in[0], in[1]}, {in[2], in[3]});
       out[0] = product.high, out[1] = product.low;
     }},
    {"__air_exp2_64", "ii>ii",
     [](IrMachine& m, const Word* in, Word* out) {
       M::Wide power = M::powerOfTwo(m, {in[0], in[1]});
       out[0] = power.high, out[1] = power.low;
     }},
    {"__air_f32_fma", "fff>f",
     [](IrMachine& m, const Word* in, Word* out) { out[0] = Fma(m).compute(in[0], in[1], in[2]); }},
    {"__air_f32_odd_fma", "fff>f",
     [](IrMachine& m, const Word* in, Word* out) {
       out[0] = Fma(m).compute(in[0], in[1], in[2], true);
     }},
    {"__air_f32_log", "f>f",
     [](IrMachine& m, const Word* in, Word* out) { out[0] = Log(m).compute(in[0], LogBase::E); }},
    {"__air_f32_log2", "f>f",
     [](IrMachine& m, const Word* in, Word* out) { out[0] = Log(m).compute(in[0], LogBase::Two); }},
    {"__air_f32_log10", "f>f",
     [](IrMachine& m, const Word* in, Word* out) { out[0] = Log(m).compute(in[0], LogBase::Ten); }},
    {"__air_f32_pow", "ff>f",
     [](IrMachine& m, const Word* in, Word* out) { out[0] = Pow(m).compute(in[0], in[1]); }},
    {"__air_f32_exp2", "f>f",
     [](IrMachine& m, const Word* in, Word* out) { out[0] = Pow(m).ofTwo(in[0]); }},
    {"__air_f32_sin", "f>f",
     [](IrMachine& m, const Word* in, Word* out) { out[0] = Sin(m).compute(in[0], false); }},
    {"__air_f32_cos", "f>f",
     [](IrMachine& m, const Word* in, Word* out) { out[0] = Sin(m).compute(in[0], true); }},
    {"__air_f32_tanh", "f>f",
     [](IrMachine& m, const Word* in, Word* out) { out[0] = Tanh(m).compute(in[0]); }},
    {"__air_f32_erf", "f>f",
     [](IrMachine& m, const Word* in, Word* out) { out[0] = Erf(m).compute(in[0]); }},
    // Numbers of 64 bits are two words, the low one first.
    {"__air_i64_mul", "iiii>ii",
     [](IrMachine& m, const Word* in, Word* out) {
       put(W(m).multiply({in[0], in[1]}, {in[2], in[3]}), out);
     }},
    {"__air_i64_div", "iiii>ii",
     [](IrMachine& m, const Word* in, Word* out) {
       put(W(m).divideUnsigned({in[0], in[1]}, {in[2], in[3]}), out);
     }},
    {"__air_f32_from_i64", "ii>f",
     [](IrMachine& m, const Word* in, Word* out) {
       out[0] = W(m).toFloatSigned({in[0], in[1]}, false);
     }},
    {"__air_f32_from_u64", "ii>f",
     [](IrMachine& m, const Word* in, Word* out) {
       out[0] = W(m).toFloat({in[0], in[1]}, false);
     }},
    {"__air_f32_odd_from_i64", "ii>f",
     [](IrMachine& m, const Word* in, Word* out) {
       out[0] = W(m).toFloatSigned({in[0], in[1]}, true);
     }},
    {"__air_f32_odd_from_u64", "ii>f",
     [](IrMachine& m, const Word* in, Word* out) {
       out[0] = W(m).toFloat({in[0], in[1]}, true);
     }},
    {"__air_i64_from_f32", "f>ii",
     [](IrMachine& m, const Word* in, Word* out) { put(W(m).fromFloat(in[0]), out); }},
    {"__air_fraction64", "iiii>ii",
     [](IrMachine& m, const Word* in, Word* out) {
       put(W(m).fraction({in[0], in[1]}, {in[2], in[3]}), out);
     }},
    {"__air_i64_shl", "iii>ii",
     [](IrMachine& m, const Word* in, Word* out) {
       put(W(m).shiftLeft({in[0], in[1]}, in[2]), out);
     }},
    {"__air_i64_shru", "iii>ii",
     [](IrMachine& m, const Word* in, Word* out) {
       put(W(m).shiftRight({in[0], in[1]}, in[2]), out);
     }},
    {"__air_i64_shrs", "iii>ii",
     [](IrMachine& m, const Word* in, Word* out) {
       put(W(m).shiftRightSigned({in[0], in[1]}, in[2]), out);
     }},
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

/// The lower bits of a word as a value of `type`.
Value typed(Builder& builder, Location location, Value word, Type type) {
  if (type.isBF16()) word = cast(builder, location, "arith.trunci", word, builder.intType(16));
  return cast(builder, location, "arith.bitcast", word, type);
}

constexpr size_t kMaxResults = 2;

void fillBody(Operation& table, func::FuncOp function, const Routine& routine) {
  Location location = function->location();
  Builder builder = Builder::atEnd(function.entry());
  IrMachine machine(builder, location, table);
  std::vector<Word> words;
  for (Value argument : function.entry().arguments())
    words.push_back(
        machine.wordOf(cast(builder, location, "arith.bitcast", argument, builder.intType(32))));
  Word results[kMaxResults];
  routine.body(machine, words.data(), results);
  std::vector<Value> returned;
  for (size_t i = 0; Type type : function.functionType().results())
    returned.push_back(typed(builder, location, results[i++].value, type));
  builder.create(location, "func.return", returned, {});
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
  fillBody(table, function, routine);
  return function;
}

Operation* callRoutine(Builder& builder, Location location, Operation& table, std::string_view name,
                       std::span<const Value> operands) {
  func::FuncOp routine = routineIn(table, name);
  std::span<const Type> results = routine.functionType().results();
  NamedAttribute callee =
      builder.named("callee", SymbolRefAttr::get(table.context(), routine.symName()));
  return builder.create(location, "func.call", operands, results, std::span(&callee, 1));
}

}  // namespace airlite::npu::soft
