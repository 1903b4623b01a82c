// air-aie-check-core: nothing is left in a core that docs/npu_core_ir.md does not have.
//
// Looks at every op of the programs of cores, changes nothing. An op without a row in
// npu/device/CoreOps.hpp, or with a type that the row does not have, is an error there.
#include "CoreScope.hpp"
#include "LegalizePasses.hpp"
#include "ViewPlace.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/npu/device/CoreOps.hpp"

#include <algorithm>
#include <limits>

namespace airlite::npu {

namespace {

unsigned kindOfNumber(Type type) {
  if (type.isIndex()) return CoreValue::Integer;
  if (type.isF32() || type.isBF16()) return CoreValue::Float;
  for (unsigned width : {1u, 8u, 16u, 32u})
    if (type.isSignlessInteger(width)) return CoreValue::Integer;
  return 0;
}

/// 256 or 512 bits of i8, i16, i32, f32 or bf16; a bool for each of them.
unsigned kindOfVector(VectorType type) {
  Type element = type.elementType();
  unsigned kind = kindOfNumber(element);
  if (!type.hasStaticShape() || element.isIndex()) return 0;
  int64_t lanes = type.numElements(), bits = lanes * element.bitWidth();
  const bool isAccumulator = bits == 1024 || bits == 2048;  // of AIE2, of AIE2P
  bool isSum = isAccumulator && (element.isInteger(32) || element.isInteger(64));
  bool isOperand = type.rank() == 2 && kind && (bits == 256 || bits == 512);
  // Of AIE2P: rows of 16 bits that become sums as they are loaded.
  isSum |= element.isInteger(16) && bits == 1024;
  // Of AIE2P: sums, tiles that become blocks, columns of tiles.
  const bool isOfFloats = (element.isF32() && bits == 2048) || (element.isBF16() && bits == 1024) ||
                          (element.isBF16() && type.rank() == 2 && type.dim(1) == 1);
  if (isSum || isOperand || isOfFloats) return CoreValue::Tiles;
  if (type.rank() != 1) return 0;
  if (element.isInteger(1)) return lanes >= 8 && lanes <= 64 ? unsigned(CoreValue::Bools) : 0u;
  if (bits != 256 && bits != 512) return 0;
  if (kind == CoreValue::Integer) return CoreValue::Integers;
  return kind == CoreValue::Float ? unsigned(CoreValue::Floats) : 0u;
}

/// Seen as words through a cast.
bool isOfDoubleWords(MemRefType type) {
  Type element = type.elementType();
  return type.rank() == 1 && flatType(type) && (element.isSignlessInteger(64) || element.isF64());
}

unsigned kindOf(Type type) {
  if (auto vector = type.dynCast<VectorType>()) return kindOfVector(vector);
  if (auto memref = type.dynCast<MemRefType>()) {
    if (isOfDoubleWords(memref)) return CoreValue::Memory;
    unsigned element = kindOf(memref.elementType());
    bool isRow = memref.rank() == 1 && flatType(memref) && element;
    return isRow && !(element & (CoreValue::Memory | CoreValue::Bools))
               ? unsigned(CoreValue::Memory)
               : 0u;
  }
  if (type.isIntOrIndexOrFloat()) return kindOfNumber(type);
  return type.isa<ShapedType>() ? 0u : unsigned(CoreValue::Other);
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
    const CoreOp* allowed = findCoreOp(op.name());
    if (!allowed) return op.emitOpError() << "not supported in a core";
    for (const std::vector<Type>& types : {op.operandTypes(), op.resultTypes()})
      for (Type type : types)
        if (!(kindOf(type) & allowed->values))
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
        if (!(kindOf(argument.type()) & CoreValue::kAny))
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
