// air-aie-soft-float: scalar floats of cores by integers.
//
// Matches scalar arith and math ops on f32 and bf16 in the programs of cores. They become calls of
// routines (SoftFloat.hpp; added to the device when one is used), or a few integer ops in place.
// The results are those of the interpreter, bit by bit. An op on bf16 computes in f32 and rounds
// once more, which is the same as rounding once: f32 has more than twice the bits and two more.
//
// Sums of products and integers of 64 bits are cut so that it is, before they are rounded to bf16.
//
// Declines, with an error at the op: f16, f64, other rounding modes, functions of math that have no
// routine.
#include "CoreScope.hpp"
#include "LegalizePasses.hpp"
#include "Routines.hpp"
#include "SoftFloat.hpp"
#include "SoftWord.hpp"
#include "airlite/dialect/Evaluate.hpp"
#include "airlite/dialect/Vector.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/support/UnitFunctions.hpp"

namespace airlite::npu {

namespace {

using soft::IrMachine;
using Word = IrMachine::Word;

/// Ops that give the same for every NaN: what they read need not be the one that computing gives.
constexpr std::string_view kArithmetic[] = {"arith.addf",     "arith.subf",    "arith.mulf",
                                            "arith.divf",     "arith.cmpf",    "arith.maximumf",
                                            "arith.minimumf", "arith.maxnumf", "arith.minnumf"};

bool isArithmetic(const Operation& op) {
  for (std::string_view name : kArithmetic)
    if (op.is(name)) return true;
  return false;
}

/// What a predicate of arith.cmpf accepts, by its number.
uint32_t acceptedBy(arith::CmpFPredicate predicate) {
  using namespace soft;
  constexpr uint32_t kOrdered = kLess | kEqual | kGreater;
  constexpr uint32_t kAccepted[] = {0,
                                    kEqual,
                                    kGreater,
                                    kGreater | kEqual,
                                    kLess,
                                    kLess | kEqual,
                                    kLess | kGreater,
                                    kOrdered,
                                    kUnordered | kEqual,
                                    kUnordered | kGreater,
                                    kUnordered | kGreater | kEqual,
                                    kUnordered | kLess,
                                    kUnordered | kLess | kEqual,
                                    kUnordered | kLess | kGreater,
                                    kUnordered,
                                    kUnordered | kOrdered};
  return kAccepted[static_cast<unsigned>(predicate)];
}

class FloatLowering {
 public:
  FloatLowering(Operation& op, Operation& table, std::string_view routine)
      : op_(op),
        table_(table),
        routine_(routine),
        rewriter_(op.context()),
        machine_(rewriter_, op.location(), table),
        floats_(machine_) {
    rewriter_.setBefore(op);
  }

  // -- Ways to write an op ------------------------------------------------------------------------

  Value call(std::string_view name, std::vector<Value> operands) {
    return soft::callRoutine(rewriter_, op_.location(), table_, name, operands)->result();
  }

  /// A value as f32. A NaN of bf16 keeps its bits.
  Value wide(Value value) { return value.type().isF32() ? value : f32Of(bits(value) << 16); }
  std::vector<Value> wideOperands() {
    std::vector<Value> values;
    for (Value operand : op_.operands())
      values.push_back(wide(operand));
    return values;
  }
  void replaceByF32(Value value) {
    bool isNarrow = op_.result().type().isBF16();
    rewriter_.replaceOp(op_, isNarrow ? call("__air_bf16_from_f32", {value}) : value);
  }

  /// The bits of a float, zero-extended.
  Word bits(Value value) {
    unsigned width = value.type().bitWidth();
    Value integer = cast("arith.bitcast", value, rewriter_.intType(width));
    return machine_.wordOf(width == 32 ? integer
                                       : cast("arith.extui", integer, rewriter_.intType(32)));
  }
  Value f32Of(Word word) { return cast("arith.bitcast", word.value, rewriter_.f32()); }
  void replaceByBits(Word word) {
    Type type = op_.result().type();
    Value value = word.value;
    if (type.bitWidth() < 32) value = cast("arith.trunci", value, rewriter_.intType(16));
    rewriter_.replaceOp(op_, cast("arith.bitcast", value, type));
  }
  Value cast(std::string_view name, Value value, Type type) {
    if (value.type() == type) return value;
    return rewriter_.create(op_.location(), name, {value}, {type})->result();
  }
  Word signOf(Type type) { return machine_.word(type.bitWidth() == 32 ? soft::kSign : 0x8000u); }

  // -- Ops ----------------------------------------------------------------------------------------

  /// One that AIE2P has, or a routine.
  void function() {
    if (op_.hasAttr(kBf16Result)) return byLanes();
    byRoutine();
  }
  void byRoutine() { replaceByF32(call(routine_, wideOperands())); }

  void multiplyAdd() {
    if (bf16PiecesOf(op_)) return byLanes();
    bool isNarrow = op_.result().type().isBF16();
    replaceByF32(call(isNarrow ? "__air_f32_odd_fma" : "__air_f32_fma", wideOperands()));
  }
  /// By the vector unit: all lanes do the same, and one counts.
  void byLanes() {
    const int64_t lanes = 16, position[] = {0};
    Type row = VectorType::get(op_.context(), {&lanes, 1}, op_.result().type());
    OperationState state(op_.location(), op_.def());
    for (Value operand : op_.operands())
      state.operands.push_back(
          rewriter_.create(op_.location(), "vector.broadcast", {operand}, {row})->result());
    state.resultTypes = {row};
    state.attributes = NamedAttrList(op_.attributes());
    Value result = rewriter_.create(state)->result();
    rewriter_.replaceOp(
        op_, vector::ExtractOp::create(rewriter_, op_.location(), result, position).result());
  }
  void add() {
    if (op_.result().type().isF32()) return byLanes();
    byRoutine();
  }
  void subtract() {
    if (op_.result().type().isF32()) return byLanes();
    std::vector<Value> values = wideOperands();
    values[1] = f32Of(bits(values[1]) ^ soft::kSign);
    replaceByF32(call("__air_f32_add", values));
  }
  void negate() { replaceByBits(bits(op_.operand(0)) ^ signOf(op_.operand(0).type())); }
  void absolute() { replaceByBits(bits(op_.operand(0)) & (signOf(op_.operand(0).type()) - 1)); }
  void copySign() {
    Word sign = signOf(op_.operand(0).type());
    replaceByBits((bits(op_.operand(0)) & (sign - 1)) | (bits(op_.operand(1)) & sign));
  }

  void compare() {
    uint32_t accepted = acceptedBy(arith::CmpFOp(&op_).predicate());
    if (accepted == 0 || accepted == 15) {
      Attribute known = IntegerAttr::getBool(op_.context(), accepted != 0);
      return rewriter_.replaceOp(op_, rewriter_.constant(op_.location(), known));
    }
    Word order = machine_.wordOf(call("__air_f32_compare", wideOperands()));
    IrMachine::Bit isOther = machine_.equal(order & accepted, machine_.word(0));
    rewriter_.replaceOp(op_, (!isOther).value);
  }

  void extend() {
    Word word = bits(op_.operand(0)) << 16;
    bool anyNaN = true;
    for (OpOperand& use : op_.result().uses())
      anyNaN &= isArithmetic(*use.owner());
    rewriter_.replaceOp(op_, f32Of(anyNaN ? word : floats_.canonical(word)));
  }
  void truncate() { rewriter_.replaceOp(op_, call("__air_bf16_from_f32", {op_.operand(0)})); }

  /// The words of an integer of 64 bits; air-aie-split-words finds them again.
  std::vector<Value> wordsOf(Value number) {
    Type i32 = rewriter_.intType(32), i64 = rewriter_.intType(64);
    Value by = rewriter_.constant(op_.location(), IntegerAttr::get(i64, 32));
    Value high = rewriter_.create(op_.location(), "arith.shrui", {number, by}, {i64})->result();
    return {cast("arith.trunci", number, i32), cast("arith.trunci", high, i32)};
  }
  void fromWide(bool isSigned) {
    bool isNarrow = op_.result().type().isBF16();
    std::string_view name = isNarrow
                                ? isSigned ? "__air_f32_odd_from_i64" : "__air_f32_odd_from_u64"
                            : isSigned ? "__air_f32_from_i64"
                                       : "__air_f32_from_u64";
    replaceByF32(call(name, wordsOf(op_.operand(0))));
  }
  void toWide() {
    Operation* words =
        soft::callRoutine(rewriter_, op_.location(), table_, "__air_i64_from_f32", wideOperands());
    Type i64 = rewriter_.intType(64);
    Value low = cast("arith.extui", words->result(0), i64);
    Value high = cast("arith.extui", words->result(1), i64);
    Value by = rewriter_.constant(op_.location(), IntegerAttr::get(i64, 32));
    high = rewriter_.create(op_.location(), "arith.shli", {high, by}, {i64})->result();
    rewriter_.replaceOp(
        op_, rewriter_.create(op_.location(), "arith.ori", {low, high}, {i64})->result());
  }

  template <bool isSigned> void fromInteger() {
    Value number = op_.operand(0);
    if (number.type().isInteger(64)) return fromWide(isSigned);
    Type i32 = rewriter_.intType(32);
    if (number.type() != i32) number = cast(isSigned ? "arith.extsi" : "arith.extui", number, i32);
    bool mayRoundTwice = op_.result().type().isBF16() && op_.operand(0).type() == i32;
    Word word = machine_.wordOf(number);
    if (mayRoundTwice) word = isSigned ? floats_.narrowed(word) : floats_.narrowedUnsigned(word);
    std::string_view name = isSigned ? "__air_f32_from_signed" : "__air_f32_from_unsigned";
    replaceByF32(call(name, {word.value}));
  }
  void toInteger() {
    if (op_.result().type().isInteger(64)) return toWide();
    Value number = call("__air_f32_to_integer", wideOperands());
    rewriter_.replaceOp(op_, cast("arith.trunci", number, op_.result().type()));
  }

 private:
  Operation& op_;
  Operation& table_;
  std::string_view routine_;  // of the table below
  Rewriter rewriter_;
  IrMachine machine_;
  soft::Float<IrMachine> floats_;
};

struct FloatReplacement {
  std::string_view name;
  void (FloatLowering::*lower)();
  std::string_view routine = {};
};
constexpr FloatReplacement kFloatReplacements[] = {
    {"arith.addf", &FloatLowering::add, "__air_f32_add"},
    {"arith.subf", &FloatLowering::subtract},
    {"arith.mulf", &FloatLowering::byRoutine, "__air_f32_mul"},
    {"arith.divf", &FloatLowering::byRoutine, "__air_f32_div"},
    {"arith.maximumf", &FloatLowering::byRoutine, "__air_f32_max"},
    {"arith.minimumf", &FloatLowering::byRoutine, "__air_f32_min"},
    {"arith.maxnumf", &FloatLowering::byRoutine, "__air_f32_maxnum"},
    {"arith.minnumf", &FloatLowering::byRoutine, "__air_f32_minnum"},
    {"arith.negf", &FloatLowering::negate},
    {"arith.cmpf", &FloatLowering::compare},
    {"arith.extf", &FloatLowering::extend},
    {"arith.truncf", &FloatLowering::truncate},
    {"arith.sitofp", &FloatLowering::fromInteger<true>},
    {"arith.uitofp", &FloatLowering::fromInteger<false>},
    {"arith.fptosi", &FloatLowering::toInteger},
    {"arith.fptoui", &FloatLowering::toInteger},
    {"math.absf", &FloatLowering::absolute},
    {"math.copysign", &FloatLowering::copySign},
    {"math.floor", &FloatLowering::byRoutine, "__air_f32_floor"},
    {"math.ceil", &FloatLowering::byRoutine, "__air_f32_ceil"},
    {"math.trunc", &FloatLowering::byRoutine, "__air_f32_trunc"},
    {"math.round", &FloatLowering::byRoutine, "__air_f32_round"},
    {"math.roundeven", &FloatLowering::byRoutine, "__air_f32_roundeven"},
    {"math.exp", &FloatLowering::byRoutine, "__air_f32_exp"},
    {"math.fma", &FloatLowering::multiplyAdd},
    {"math.log", &FloatLowering::byRoutine, "__air_f32_log"},
    {"math.log2", &FloatLowering::byRoutine, "__air_f32_log2"},
    {"math.log10", &FloatLowering::byRoutine, "__air_f32_log10"},
    {"math.powf", &FloatLowering::byRoutine, "__air_f32_pow"},
    {"math.exp2", &FloatLowering::function, "__air_f32_exp2"},
    {"math.sin", &FloatLowering::byRoutine, "__air_f32_sin"},
    {"math.cos", &FloatLowering::byRoutine, "__air_f32_cos"},
    {"math.tanh", &FloatLowering::function, "__air_f32_tanh"},
    {"math.erf", &FloatLowering::byRoutine, "__air_f32_erf"},
    {"math.sqrt", &FloatLowering::byRoutine, "__air_f32_sqrt"},
    {"math.rsqrt", &FloatLowering::byRoutine, "__air_f32_rsqrt"},
};

const FloatReplacement* replacementOf(const Operation& op) {
  for (const FloatReplacement& lowering : kFloatReplacements)
    if (op.is(lowering.name)) return &lowering;
  return nullptr;
}

bool isKnownType(Type type) {
  return type.isF32() || type.isBF16() || type.isInteger(64) ||
         (type.isInteger() && type.bitWidth() <= 32);
}

bool isRoundedOtherwise(const Operation& op) {
  auto mode = op.attrOf<IntegerAttr>("roundingmode");
  return op.hasAttr("roundingmode") && !(mode && mode.value() == 0);
}

/// Vectors stay: the core has them.
bool isScalarFloatOp(const Operation& op) {
  if (op.def().dialect != "arith" && op.def().dialect != "math") return false;
  if (op.is("arith.constant") || op.is("arith.select") || op.is("arith.bitcast")) return false;
  bool hasFloat = false;
  for (Value operand : op.operands()) {
    if (operand.type().isa<ShapedType>()) return false;
    hasFloat |= operand.type().isFloat();
  }
  for (unsigned i = 0; i < op.numResults(); ++i)
    hasFloat |= op.result(i).type().isFloat();
  return hasFloat;
}

LogicalResult check(Operation& op) {
  for (Type type : op.operandTypes())
    if (!isKnownType(type)) return op.emitOpError() << "not supported in a core: " << type;
  for (Type type : op.resultTypes())
    if (!isKnownType(type)) return op.emitOpError() << "not supported in a core: " << type;
  if (isRoundedOtherwise(op)) return op.emitOpError() << "not supported in a core: rounding mode";
  if (!replacementOf(op))
    return op.emitOpError() << "not supported in a core: no routine for floats";
  return success();
}

class SoftFloat : public CorePass {
 public:
  SoftFloat() : CorePass("air-aie-soft-float", "Computes scalar floats of cores by integers") {
    example("airlite-opt --air-aie-soft-float design.mlir");
  }

  PassResult run(Operation& module, PassContext&) override {
    bool changed = false;
    for (const CoreRoot& program : roots(module))
      for (Operation* op : opsInside(*program.root)) {
        if (!isScalarFloatOp(*op)) continue;
        if (failed(check(*op))) return PassResult::Failed;
        const FloatReplacement& lowering = *replacementOf(*op);
        (FloatLowering(*op, *program.table, lowering.routine).*lowering.lower)();
        changed = true;
      }
    return changedIf(changed);
  }
};

}  // namespace

void registerSoftFloat(PassRegistry& registry) { registry.add<SoftFloat>(); }

}  // namespace airlite::npu
