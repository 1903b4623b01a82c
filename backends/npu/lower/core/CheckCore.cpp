// air-aie-check-core: nothing is left in a core that docs/npu_core_ir.md does not have.
//
// Looks at every op of the programs of cores, changes nothing. An op that is not on the page, or
// has a type that is not, is an error there.
#include "CoreScope.hpp"
#include "LegalizePasses.hpp"
#include "ViewPlace.hpp"
#include "airlite/dialect/Func.hpp"

#include <algorithm>
#include <limits>

namespace airlite::npu {

namespace {

// Types: what a value of an op may be.
enum Kind : unsigned {
  kInteger = 1,  // up to 32 bits, index
  kFloat = 2,    // f32 and bf16, as bits
  kMemory = 4,
  kIntegers = 8,  // vectors
  kFloats = 16,
  kBools = 32,  // of vectors
  kTiles = 64,  // operands and sums of products of matrices
  kAnyValue = kInteger | kFloat | kMemory | kIntegers | kFloats | kBools | kTiles,
  kOther = 128,  // locks and the like
};

unsigned kindOfNumber(Type type) {
  if (type.isIndex()) return kInteger;
  if (type.isF32() || type.isBF16()) return kFloat;
  for (unsigned width : {1u, 8u, 16u, 32u})
    if (type.isSignlessInteger(width)) return kInteger;
  return 0;
}

/// 256 or 512 bits of i8, i16, i32, f32 or bf16; a bool for each of them.
unsigned kindOfVector(VectorType type) {
  Type element = type.elementType();
  unsigned kind = kindOfNumber(element);
  if (!type.hasStaticShape() || element.isIndex()) return 0;
  int64_t lanes = type.numElements(), bits = lanes * element.bitWidth();
  bool isSum = bits == 1024 && (element.isInteger(32) || element.isInteger(64));
  bool isOperand = type.rank() == 2 && kind && (bits == 256 || bits == 512);
  if (isSum || isOperand) return kTiles;
  if (type.rank() != 1) return 0;
  if (element.isInteger(1)) return lanes >= 8 && lanes <= 64 ? unsigned(kBools) : 0u;
  if (bits != 256 && bits != 512) return 0;
  if (kind == kInteger) return kIntegers;
  return kind == kFloat ? unsigned(kFloats) : 0u;
}

/// Seen as words through a cast.
bool isOfDoubleWords(MemRefType type) {
  Type element = type.elementType();
  return type.rank() == 1 && flatType(type) && (element.isSignlessInteger(64) || element.isF64());
}

unsigned kindOf(Type type) {
  if (auto vector = type.dynCast<VectorType>()) return kindOfVector(vector);
  if (auto memref = type.dynCast<MemRefType>()) {
    if (isOfDoubleWords(memref)) return kMemory;
    unsigned element = kindOf(memref.elementType());
    bool isRow = memref.rank() == 1 && flatType(memref) && element;
    return isRow && !(element & (kMemory | kBools)) ? unsigned(kMemory) : 0u;
  }
  if (type.isIntOrIndexOrFloat()) return kindOfNumber(type);
  return type.isa<ShapedType>() ? 0u : unsigned(kOther);
}

struct Allowed {
  std::string_view name;
  unsigned kinds = kAnyValue;
};
constexpr unsigned kInts = kInteger | kIntegers, kBits = kInteger | kIntegers | kBools;
constexpr Allowed kAllowed[] = {
    {"cf.br"},
    {"cf.cond_br"},
    {"scf.for"},
    {"scf.if"},
    {"scf.while"},
    {"scf.execute_region"},
    {"scf.yield"},
    {"scf.condition"},
    {"func.call"},
    {"func.return"},
    {"aie.end"},
    {"arith.constant"},
    {"arith.select"},
    {"arith.bitcast", kInteger | kFloat | kIntegers | kFloats},
    {"arith.addi", kInts},
    {"arith.subi", kInts},
    {"arith.muli", kInts},
    {"arith.divsi", kInteger},
    {"arith.divui", kInteger},
    {"arith.remsi", kInteger},
    {"arith.remui", kInteger},
    {"arith.andi", kBits},
    {"arith.ori", kBits},
    {"arith.xori", kBits},
    {"arith.shli", kInts},
    {"arith.shrsi", kInts},
    {"arith.shrui", kInts},
    {"arith.cmpi", kBits},
    {"arith.minsi", kInts},
    {"arith.maxsi", kInts},
    {"math.ctlz", kInteger},
    {"arith.minui", kInts},
    {"arith.maxui", kInts},
    {"arith.extsi", kInts | kTiles},
    {"arith.extui", kInts},
    {"arith.trunci", kInts | kTiles},
    {"arith.index_cast", kInteger},
    {"arith.index_castui", kInteger},
    {"memref.load"},
    {"memref.store"},
    {"memref.get_global"},
    {"builtin.unrealized_conversion_cast", kMemory},
    {"aie.use_lock", kInteger | kOther},
    {"aie.get_stream", kInteger},
    {"aie.get_cascade"},
    {"aie.put_cascade"},
    {"vector.load"},
    {"vector.store"},
    {"vector.broadcast"},
    {"vector.shuffle", kIntegers | kFloats},
    {"vector.extract_strided_slice", kIntegers | kFloats},
    {"vector.bitcast", kIntegers | kFloats},
    {"vector.extract", kInteger | kFloat | kIntegers | kFloats},
    {"vector.contract", kTiles},
    {"vector.shape_cast", kIntegers | kFloats | kTiles},
    {"arith.addf", kFloats},
    {"arith.subf", kFloats},
    {"arith.mulf", kFloats},
    {"math.fma", kFloats},
    {"arith.maximumf", kFloats},
    {"arith.minimumf", kFloats},
    {"arith.extf", kFloats},
    {"arith.truncf", kFloats},
};

const Allowed* allowance(const Operation& op) {
  auto found = std::find_if(std::begin(kAllowed), std::end(kAllowed),
                            [&](const Allowed& entry) { return op.is(entry.name); });
  return found == std::end(kAllowed) ? nullptr : found;
}

class CoreCheck {
 public:
  LogicalResult check(Operation& root) {
    LogicalResult result = success();
    for (Operation* op : opsInside(root)) {
      result |= checkOp(*op);
      for (Region& region : op->regions())
        result |= checkArguments(region);
    }
    return result |= checkArguments(root.region());
  }

 private:
  static LogicalResult checkOp(Operation& op) {
    const Allowed* allowed = allowance(op);
    if (!allowed) return op.emitOpError() << "not supported in a core";
    for (const std::vector<Type>& types : {op.operandTypes(), op.resultTypes()})
      for (Type type : types)
        if (!(kindOf(type) & allowed->kinds))
          return op.emitOpError() << "not supported in a core: " << type;
    return op.is("arith.constant") ? checkConstant(op) : success();
  }

  /// An index is a word there.
  static LogicalResult checkConstant(Operation& op) {
    auto number = op.attrOf<IntegerAttr>("value");
    if (!number || !op.result().type().isIndex()) return success();
    int64_t value = number.value();
    if (value == static_cast<int32_t>(value)) return success();
    return op.emitOpError() << "an index of a core has 32 bits: " << value;
  }

  static LogicalResult checkArguments(Region& region) {
    for (Block& block : region.blocks())
      for (Value argument : block.arguments())
        if (!(kindOf(argument.type()) & kAnyValue))
          return region.parentOp()->emitOpError()
                 << "not supported in a core: an argument of type " << argument.type();
    return success();
  }
};

class CheckCore : public CorePass {
 public:
  CheckCore() : CorePass("air-aie-check-core", "Refuses what no code can be generated for") {
    example("airlite-opt --air-aie-check-core design.mlir");
  }

  PassResult run(Operation& module, PassContext&) override {
    LogicalResult result = success();
    for (const CoreRoot& program : roots(module))
      result |= CoreCheck().check(*program.root);
    return failed(result) ? PassResult::Failed : PassResult::Unchanged;
  }
};

}  // namespace

void registerCheckCore(PassRegistry& registry) { registry.add<CheckCore>(); }

}  // namespace airlite::npu
