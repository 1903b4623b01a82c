// air-fast-floats: floats of herds as the vector unit computes them.
//
// Matches arith and math ops on f32 and bf16 in air.herd, those in the bodies of structured
// ops included; a named op with one becomes a linalg.generic. They become ops that the unit has for
// lanes: products of f32 in pieces of bf16 (math.fma with air.bf16_pieces), integers, sums.
//
//   mulf, divf; a mulf whose only use is an addf: one math.fma, as those of bf16 and vector.fma are
//   negf, absf, maximumf, minimumf, maxnumf, minnumf, cmpf
//   exp, exp2, expm1, log, log2, log10, log1p, tanh, erf, sin, cos, sqrt, rsqrt, powf
//   floor, ceil, trunc, roundeven, round: exactly
//
// Products and quotients of f32, and roots that are factors of them, have the accuracy of bf16 where
// the result is rounded to bf16. Factors of a square that is marked (RootsOfSums.hpp) are rounded to bf16: the root of the sum
// is wrong by 2^-8 of itself at most, where all of them are rounded alike.
//
// Results differ from those of the program before by the errors that FastFloat.hpp gives. Numbers
// that are not finite may become others: a factor of f32 that is infinite gives NaN, comparisons
// take a NaN for a number beyond infinity of its sign, but those of a number with itself that ask for NaN, a quotient by 0 is NaN, the larger or lesser of a bf16 and a NaN is NaN.
//
// Vectors of such numbers are computed in the same way.
//
// Products of matrices are marked for the matrix unit (linalg::kSumDepth, kBf16Pieces) instead.
//
// Declines: other functions, other types; they stay exact.
#include "FastFloat.hpp"
#include "RootsOfSums.hpp"
#include "airlite/device/AieDevices.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Arith.hpp"
#include "airlite/dialect/Evaluate.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/pass/Pass.hpp"
#include "airlite/support/Bf16Pieces.hpp"
#include "airlite/transform/FloatUnits.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace airlite {

namespace {

using arith::CmpFPredicate;
using arith::CmpIPredicate;

bool isBf16(Type type) { return elementTypeOrSelf(type).isBF16(); }
bool isF32(Type type) { return elementTypeOrSelf(type).isF32(); }
bool isFloat(Type type) {
  return (isF32(type) || isBf16(type)) && (type.isa<VectorType>() || type.isFloat());
}

// -- Single ops -----------------------------------------------------------------------------------

using Unary = Value (FastFloat::*)(Value);
using Binary = Value (FastFloat::*)(Value, Value);
struct Row {
  std::string_view name;
  Unary unary = nullptr;
  Binary binary = nullptr;
};
constexpr Row kRows[] = {
    {"arith.negf", &FastFloat::negate},
    {"math.absf", &FastFloat::magnitude},
    {"math.exp", &FastFloat::exponential},
    {"math.tanh", &FastFloat::tangent},
    {"math.erf", &FastFloat::errorFunction},
    {"math.exp2", &FastFloat::powerOfTwo},
    {"math.expm1", &FastFloat::exponentialLessOne},
    {"math.log", &FastFloat::logarithm},
    {"math.log2", &FastFloat::binaryLogarithm},
    {"math.log10", &FastFloat::decimalLogarithm},
    {"math.log1p", &FastFloat::logarithmOfOneMore},
    {"math.sin", &FastFloat::sine},
    {"math.cos", &FastFloat::cosine},
    {"math.floor", &FastFloat::roundedDown},
    {"math.ceil", &FastFloat::roundedUp},
    {"math.trunc", &FastFloat::roundedToZero},
    {"math.roundeven", &FastFloat::roundedToEven},
    {"math.round", &FastFloat::roundedFromZero},
    {"math.sqrt", &FastFloat::root},
    {"math.rsqrt", &FastFloat::reciprocalRoot},
    {"arith.mulf", nullptr, &FastFloat::multiply},
    {"arith.divf", nullptr, &FastFloat::divide},
    {"math.powf", nullptr, &FastFloat::power},
    {"arith.maximumf", nullptr, &FastFloat::larger},
    {"arith.maxnumf", nullptr, &FastFloat::larger},
    {"arith.minimumf", nullptr, &FastFloat::smaller},
    {"arith.minnumf", nullptr, &FastFloat::smaller},
};

const Row* rowOf(const Operation& op) {
  for (const Row& row : kRows)
    if (op.is(row.name) && isFloat(op.result().type())) return &row;
  return nullptr;
}

/// Of either sign.
bool isAnyZero(Value value) {
  auto number = floatConstantOf(value);
  return number && *number == 0;
}

/// What an op on bf16 is as one on its bits: a name and the second operand.
struct BitRow {
  std::string_view name, onBits;
  int16_t with;
};
constexpr BitRow kBitRows[] = {
    {"arith.negf", "arith.xori", INT16_MIN},
    {"math.absf", "arith.andi", INT16_MAX},
    {"arith.maximumf", "arith.maxsi", 0},  // with 0
    {"arith.maxnumf", "arith.maxsi", 0},
};

bool isExtreme(const Operation& op) {
  return op.is("arith.maximumf") || op.is("arith.maxnumf") || op.is("arith.minimumf") ||
         op.is("arith.minnumf");
}

/// The op that gives NaN for NaN, which the vector unit has for bf16, in place of one that does not; empty for others.
std::string_view nameWithNan(const Operation& op) {
  if (!isBf16(op.result().type())) return {};
  if (op.is("arith.maxnumf")) return "arith.maximumf";
  return op.is("arith.minnumf") ? "arith.minimumf" : "";
}

const BitRow* bitRowOf(Operation& op) {
  if (op.numResults() != 1 || !isBf16(op.result().type())) return nullptr;
  for (const BitRow& row : kBitRows)
    if (op.is(row.name) && (!isExtreme(op) || isAnyZero(op.operand(0)) || isAnyZero(op.operand(1))))
      return &row;
  return nullptr;
}

/// The orders that a difference tells; the others are known of numbers, or ask for NaN.
bool isOfNumbers(CmpFPredicate predicate) {
  switch (predicate) {
    case CmpFPredicate::AlwaysFalse:
    case CmpFPredicate::AlwaysTrue:
    case CmpFPredicate::ORD:
    case CmpFPredicate::UNO: return false;
    default: return true;
  }
}

CmpIPredicate integerPredicate(CmpFPredicate predicate) {
  switch (predicate) {
    case CmpFPredicate::OLT:
    case CmpFPredicate::ULT: return CmpIPredicate::slt;
    case CmpFPredicate::OGT:
    case CmpFPredicate::UGT: return CmpIPredicate::sgt;
    case CmpFPredicate::OGE:
    case CmpFPredicate::UGE: return CmpIPredicate::sge;
    case CmpFPredicate::OLE:
    case CmpFPredicate::ULE: return CmpIPredicate::sle;
    case CmpFPredicate::ONE:
    case CmpFPredicate::UNE: return CmpIPredicate::ne;
    default: return CmpIPredicate::eq;
  }
}

/// Whether the comparison asks if its one operand is NaN, or is none.
bool asksForNan(Operation& op) {
  if (op.operand(0) != op.operand(1)) return false;
  switch (arith::CmpFOp(&op).predicate()) {
    case CmpFPredicate::UNO:
    case CmpFPredicate::UNE:
    case CmpFPredicate::ORD:
    case CmpFPredicate::OEQ: return true;
    default: return false;
  }
}

/// A comparison of floats that one of integers can be made of.
bool isComparison(Operation& op) {
  return op.is("arith.cmpf") && isFloat(op.operand(0).type()) &&
         (asksForNan(op) || isOfNumbers(arith::CmpFOp(&op).predicate()));
}

bool isWholeFma(const Operation& op) {
  return op.is("math.fma") && isF32(op.result().type()) && !op.hasAttr(kBf16Pieces);
}

bool isReplaced(Operation& op) {
  if (op.numResults() != 1) return false;
  // Of two bf16 the vector unit finds the larger one exactly, or NaN.
  if (isExtreme(op) && isBf16(op.result().type()))
    return bitRowOf(op) != nullptr || !nameWithNan(op).empty();
  return rowOf(op) || isComparison(op) || isWholeFma(op);
}

/// Products and quotients: their relative errors add up to that of a product of them.
bool isProduct(const Operation& op) { return op.is("arith.mulf") || op.is("arith.divf"); }

/// Is the value only rounded to bf16, or a factor of what is? Errors of a few steps stay below that
/// of the rounding.
bool isRoundedToBf16(Value value, unsigned steps = 3) {
  return value.hasUses() && std::ranges::all_of(value.uses(), [&](OpOperand& use) {
           Operation& user = *use.owner();
           if (user.is("arith.truncf")) return isBf16(user.result().type());
           return steps && isProduct(user) && isRoundedToBf16(user.result(), steps - 1);
         });
}

FloatQuality qualityOf(Operation& op) {
  if (isBf16(op.operand(0).type())) return FloatQuality::Bf16;
  const bool canBeRough = isProduct(op) || op.is("math.sqrt") || op.is("math.rsqrt");
  return canBeRough && isRoundedToBf16(op.result()) ? FloatQuality::Bf16 : FloatQuality::F32;
}

/// Replaces one op; what is left without a use goes with canonicalization.
class Replacement {
 public:
  Replacement(Operation& op, Rewriter& rewriter, bool hasUnitFunctions)
      : op_(op),
        rewriter_(rewriter),
        isNarrow_(isBf16(op.operand(0).type())),
        floats_(rewriter, op.location(), qualityOf(op), op.operand(0).type()) {
    if (hasUnitFunctions) floats_.useUnitFunctions();
  }

  void run() {
    rewriter_.setBefore(op_);
    if (const BitRow* row = bitRowOf(op_)) return rewriter_.replaceOp(op_, ofBits(*row));
    if (const std::string_view name = nameWithNan(op_); !name.empty())
      return rewriter_.replaceOp(
          op_,
          rewriter_
              .create(op_.location(), name, {op_.operand(0), op_.operand(1)}, {op_.result().type()})
              ->result());
    if (isWholeFma(op_))
      return rewriter_.replaceOp(
          op_, floats_.multiplyAdd(op_.operand(0), op_.operand(1), op_.operand(2)));
    if (const Row* row = rowOf(op_)) return rewriter_.replaceOp(op_, narrowed(valueOf(*row)));
    compare();
  }

 private:
  Value wide(unsigned operand) {
    Value value = op_.operand(operand);
    if (!isNarrow_) return value;
    return rewriter_
        .create(op_.location(), "arith.extf", {value}, {floats_.shaped(rewriter_.f32())})
        ->result();
  }
  Value narrowed(Value value) {
    if (!isNarrow_) return value;
    return rewriter_.create(op_.location(), "arith.truncf", {value}, {op_.result().type()})
        ->result();
  }

  Value ofBits(const BitRow& row) {
    const Type bits = floats_.shaped(rewriter_.intType(16));
    Value with = floats_.constant(IntegerAttr::get(rewriter_.intType(16), row.with));
    const unsigned at = isExtreme(op_) && isAnyZero(op_.operand(0)) ? 1 : 0;
    Value value =
        rewriter_.create(op_.location(), "arith.bitcast", {op_.operand(at)}, {bits})->result();
    value = rewriter_.create(op_.location(), row.onBits, {value, with}, {bits})->result();
    return rewriter_.create(op_.location(), "arith.bitcast", {value}, {op_.result().type()})
        ->result();
  }

  Value valueOf(const Row& row) {
    if (row.unary) return (floats_.*row.unary)(wide(0));
    return (floats_.*row.binary)(wide(0), wide(1));
  }

  Value constantBits(int64_t bits) {
    return floats_.constant(IntegerAttr::get(rewriter_.intType(width()), bits));
  }
  unsigned width() const { return isNarrow_ ? 16 : 32; }
  int64_t signBit() const { return isNarrow_ ? INT16_MIN : INT32_MIN; }
  Value bitsOf(unsigned operand) {
    return floats_.converted("arith.bitcast", op_.operand(operand), rewriter_.intType(width()));
  }
  Value compareBits(CmpIPredicate predicate, Value a, Value b) {
    return floats_.compare(static_cast<uint8_t>(predicate), a, b);
  }

  /// A number that grows with the operand, the same for both zeros. NaNs are greater or less than all numbers, by their signs.
  Value orderOf(unsigned operand) {
    Value number = bitsOf(operand);
    Value isNegative = compareBits(CmpIPredicate::slt, number, constantBits(0));
    return floats_.select(isNegative, floats_.binary("arith.subi", constantBits(signBit()), number),
                          number);
  }

  /// A comparison of integers: of the orders of floats, or of bits with those of infinity.
  void compare() {
    const CmpFPredicate asked = arith::CmpFOp(&op_).predicate();
    if (!asksForNan(op_)) {
      Value a = orderOf(0), b = orderOf(1);
      return rewriter_.replaceOp(op_, compareBits(integerPredicate(asked), a, b));
    }
    const int64_t infinity = isNarrow_ ? 0x7f80 : 0x7f800000;
    Value size = floats_.binary("arith.andi", bitsOf(0), constantBits(~signBit()));
    const bool wantsNan = asked == CmpFPredicate::UNO || asked == CmpFPredicate::UNE;
    rewriter_.replaceOp(op_, compareBits(wantsNan ? CmpIPredicate::sgt : CmpIPredicate::sle, size,
                                         constantBits(infinity)));
  }

  Operation& op_;
  Rewriter& rewriter_;
  const bool isNarrow_;
  FastFloat floats_;
};

/// a * b + c of f32 with one rounding less; false where there is no such pair.
bool joinSum(Operation& sum, Rewriter& rewriter) {
  if (!sum.is("arith.addf") || !isF32(sum.result().type())) return false;
  for (unsigned at : {0u, 1u}) {
    Operation* product = sum.operand(at).definingOp();
    if (!product || !product->is("arith.mulf") || product->block() != sum.block() ||
        !product->result().hasOneUse())
      continue;
    rewriter.setBefore(sum);
    const bool isRough = product->hasAttr(kForRoundedRoots);
    FastFloat floats(rewriter, sum.location(), isRough ? FloatQuality::Bf16 : FloatQuality::F32,
                     sum.result().type());
    Value a = product->operand(0), b = product->operand(1), c = sum.operand(1 - at);
    rewriter.replaceOp(sum, isRough ? floats.roughSum(a, b, c) : floats.multiplyAdd(a, b, c));
    rewriter.eraseOp(*product);
    return true;
  }
  return false;
}

/// a * b + c with one rounding, as vectors have it, or of bf16.
bool isOtherFma(const Operation& op) {
  return (op.is("vector.fma") || op.is("math.fma")) && isFloat(op.result().type()) &&
         (op.is("vector.fma") || isBf16(op.result().type()));
}

/// As math.fma of f32; products of bf16 are made there without error, sums rounded twice.
void rewriteFma(Operation& op, Rewriter& rewriter) {
  const Type type = op.result().type();
  rewriter.setBefore(op);
  const auto make = [&](std::string_view name, std::initializer_list<Value> operands, Type result) {
    return rewriter.create(op.location(), name, operands, {result});
  };
  if (isF32(type)) {
    rewriter.replaceOp(op, *make("math.fma", {op.operand(0), op.operand(1), op.operand(2)}, type));
    return;
  }
  const Type wide =
      FloatOps(rewriter, op.location(), FloatQuality::F32, type).shaped(rewriter.f32());
  const auto widened = [&](unsigned i) {
    return make("arith.extf", {op.operand(i)}, wide)->result();
  };
  const Value a = widened(0), b = widened(1), c = widened(2);
  const Value product = make("arith.mulf", {a, b}, wide)->result();
  const Value sum = make("arith.addf", {product, c}, wide)->result();
  rewriter.replaceOp(op, *make("arith.truncf", {sum}, type));
}

// -- Structured ops -------------------------------------------------------------------------------

/// Whether the op is left as it is, with its body, for the matrix unit.
bool isForMatrixUnit(Operation& op) { return linalg::sumDepth(op) != 0; }

/// A product of matrices of floats that nobody has marked yet.
bool isUnmarkedProduct(Operation& op) {
  linalg::StructuredOp structured = linalg::asStructured(&op);
  return structured && !isForMatrixUnit(op) && linalg::unitSumsOf(structured).depth;
}

bool isNamedWithFloats(Operation& op) {
  linalg::StructuredOp structured = linalg::asStructured(&op);
  if (!structured || op.is("linalg.generic") || op.numRegions() == 0 || isForMatrixUnit(op))
    return false;
  return structured.onBuffers() &&
         std::ranges::any_of(structured.body().ops(),
                             [](Operation& inner) { return isReplaced(inner); });
}

void generalize(Operation& op, Rewriter& rewriter) {
  rewriter.setBefore(op);
  linalg::createGeneric(rewriter, linalg::StructuredOp(&op));
  rewriter.eraseOp(op);
}

// -- The pass -------------------------------------------------------------------------------------

class FastFloats : public Pass {
 public:
  FastFloats() : Pass("air-fast-floats", "Computes floats of herds as the vector unit does") {
    option("everywhere", everywhere_, "not only in herds");
    option("device", device_, "whose vector unit; that of AIE2P adds one product at a time");
    option("unit-functions", unitFunctions_,
           "AIE2P: exp, exp2 and tanh of bf16 by its instructions, whose rounding is assumed");
    option("float-blocks", blocks_, "multiply matrices of bf16 in blocks that share exponents");
    example("airlite-opt --air-fast-floats in.mlir");
  }

  PassResult run(Operation& module, PassContext&) override {
    bool changed = false;
    const aie::Device* device = aie::findDevice(device_);
    if (!device) {
      emitError(module.context(), module.location())
          << "air-fast-floats: 'device' is none that is known";
      return PassResult::Failed;
    }
    const bool addsAlone = device->generation == aie::Generation::Aie2p;
    if (blocks_ && !addsAlone) {
      emitError(module.context(), module.location())
          << "air-fast-floats: not supported: 'float-blocks' on " << device_;
      return PassResult::Failed;
    }
    if (!hasFloats(module)) return PassResult::Unchanged;
    for (Operation* op : find(module, isUnmarkedProduct)) {
      linalg::setUnitSums(*op, linalg::unitSumsOf(linalg::StructuredOp(op),
                                                  floatUnitOf(device->generation, blocks_)));
      changed = true;
    }
    std::vector<Operation*> named = find(module, isNamedWithFloats);
    Rewriter rewriter(module.context());
    for (Operation* op : named)
      generalize(*op, rewriter);
    changed |= !named.empty();
    auto inOpenBody = [](Operation& op) {
      return !op.parentOp() || !isForMatrixUnit(*op.parentOp());
    };
    for (Operation* op :
         find(module, [&](Operation& op) { return isOtherFma(op) && inOpenBody(op); })) {
      rewriteFma(*op, rewriter);
      changed = true;
    }
    for (Operation* op :
         find(module, [&](Operation& op) { return op.is("arith.addf") && inOpenBody(op); }))
      changed |= joinSum(*op, rewriter);
    for (Operation* op :
         find(module, [&](Operation& op) { return isReplaced(op) && inOpenBody(op); })) {
      Replacement(*op, rewriter, addsAlone && unitFunctions_).run();
      changed = true;
    }
    if (addsAlone)
      for (Operation* op : find(module, [](Operation& op) { return op.is("math.fma"); }))
        addProductsAlone(*op);
    return changedIf(changed);
  }

 private:
  bool isMeant(Operation& op) const { return everywhere_ || op.parentOf<air::HerdOp>(); }

  /// A program of integers is walked once.
  bool hasFloats(Operation& module) const {
    const auto isFloat = [](Value value) { return elementTypeOrSelf(value.type()).isFloat(); };
    const WalkResult walked = module.walkWith([&](Operation& op) {
      const bool found = std::ranges::any_of(op.operands(), isFloat) ||
                         std::ranges::any_of(op.resultValues(), isFloat);
      return found && isMeant(op) ? WalkResult::Interrupt : WalkResult::Advance;
    });
    return walked == WalkResult::Interrupt;
  }

  template <class Predicate> std::vector<Operation*> find(Operation& module, Predicate wanted) {
    std::vector<Operation*> found;
    module.walk([&](Operation& op) {
      if (isMeant(op) && wanted(op)) found.push_back(&op);
    });
    return found;
  }

  /// Of a product in pieces: one after the other.
  static void addProductsAlone(Operation& op) {
    const auto counts = bf16PiecesOf(op);
    if (!counts) return;
    const std::array<int64_t, 3> alone = {counts->a, counts->b, 1};
    op.setAttr(kBf16Pieces, DenseArrayAttr::getI64(op.context(), alone));
  }

  bool everywhere_ = false, blocks_ = false, unitFunctions_ = true;
  std::string device_{aie::defaultNpu().name};
};

}  // namespace

void registerFastFloats(PassRegistry& registry) { registry.add<FastFloats>(); }

}  // namespace airlite
