// See VectorUnit.hpp.
#include "VectorUnit.hpp"

#include "airlite/dialect/Aie.hpp"
#include "airlite/dialect/Arith.hpp"
#include "airlite/dialect/Evaluate.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/dialect/Vector.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/npu/device/CoreOps.hpp"
#include "airlite/npu/device/MatrixUnit.hpp"
#include "airlite/npu/device/ShuffleModes.hpp"
#include "airlite/support/UnitFunctions.hpp"

#include <algorithm>
#include <bit>

namespace airlite::npu {

namespace {

constexpr int64_t kAnyPower = int64_t(1) << 20;  // what an address has

// -- What is known of an index --------------------------------------------------------------------

int64_t powerIn(int64_t number) {
  if (number == 0) return kAnyPower;
  uint64_t bits = static_cast<uint64_t>(number);
  return std::min(kAnyPower, int64_t(1) << std::countr_zero(bits));
}

/// The loop whose variable `value` is; null when it is something else.
Operation* loopOf(Value value) {
  if (!value.isBlockArgument() || value.index() != 0) return nullptr;
  Operation* parent = value.argumentBlock()->parentOp();
  return parent && parent->is("scf.for") ? parent : nullptr;
}

int64_t divisorOfIndex(memref::MixedIndex index) {
  return index.isConstant() ? powerIn(index.constant) : divisorOf(index.value);
}

std::optional<IndexRange> rangeOfLoop(scf::ForOp loop) {
  auto first = rangeOf(loop.lowerBound());
  auto count = loop.tripCount();
  auto step = constantIntOf(loop.step());
  if (!first || !count || !step || *count < 1) return std::nullopt;
  return IndexRange{first->least, first->most + (*count - 1) * *step};
}

// -- Ops ------------------------------------------------------------------------------------------

unsigned elementsOf(Type type) {
  if (type.isF32()) return LaneElement::F32;
  if (type.isBF16()) return LaneElement::Bf16;
  bool isInt =
      type.isSignlessInteger(8) || type.isSignlessInteger(16) || type.isSignlessInteger(32);
  return isInt ? unsigned(LaneElement::Integers) : 0u;
}

bool isShift(Operation& op) {
  return op.is("arith.shli") || op.is("arith.shrsi") || op.is("arith.shrui");
}

bool isKnownShift(Operation& op) {
  const std::optional<int64_t> bits = shiftOf(op);
  const int64_t width = elementTypeOrSelf(op.result().type()).bitWidth();
  return bits && *bits >= 0 && *bits < width;
}

bool isLanewise(Operation& op) {
  if (!isLaneOp(op)) return false;
  auto fits = [&](Type type) {
    return isUnitVector(type) &&
           (!lanesOf(op) || type.cast<VectorType>().numElements() == lanesOf(op));
  };
  return std::ranges::all_of(op.operandTypes(), fits) && fits(op.result().type());
}

unsigned laneBits(Type type) { return elementTypeOrSelf(type).bitWidth(); }

/// The mask of a comparison is made where it selects lanes of the same width, and nowhere else.
bool isMask(Operation& compare) {
  if (!compare.is("arith.cmpi") || !isUnitVector(compare.operand(0).type())) return false;
  for (OpOperand& use : compare.result().uses()) {
    Operation& user = *use.owner();
    if (!user.is("arith.select") || use.index() != 0 || !isUnitVector(user.result().type()) ||
        laneBits(user.result().type()) != laneBits(compare.operand(0).type()))
      return false;
  }
  return true;
}

bool isUnitSelect(Operation& op) {
  if (!isUnitVector(op.result().type())) return false;
  Value condition = op.operand(0);
  if (!condition.type().isa<VectorType>()) return true;
  Operation* compare = condition.definingOp();
  return compare && isMask(*compare);
}

bool isUnitConstant(Operation& op) {
  auto lanes = op.attrOf<DenseElementsAttr>("value");
  return lanes && lanes.isSplat() && isUnitVector(op.result().type());
}

// -- Products of matrices (MatrixUnit.cpp) --

/// (m, n, k) -> (m, k), (k, n), (m, n), summed up; of blocks (n, k) in the middle.
bool isPlainProduct(Operation& op) {
  vector::ContractOp contract(&op);
  const bool areBlocks = op.hasAttr(linalg::kBlockFloats);
  const unsigned kDims[3][2] = {{0, 2}, {areBlocks ? 1u : 2u, areBlocks ? 2u : 1u}, {0, 1}};
  std::vector<AffineMap> maps = contract.indexingMaps();
  if (maps.size() != 3 || contract.kind() != "add") return false;
  for (unsigned i = 0; i < 3; ++i) {
    if (maps[i].numDims() != 3 || maps[i].numResults() != 2) return false;
    for (unsigned r = 0; r < 2; ++r)
      if (maps[i].result(r).kind() != AffineKind::Dim ||
          maps[i].result(r).position() != kDims[i][r])
        return false;
  }
  return true;
}

bool isVectorOf(Type type, int64_t lanes, unsigned bits) {
  auto vector = type.dynCast<VectorType>();
  return vector && vector.hasStaticShape() && vector.numElements() == lanes &&
         vector.elementType().isSignlessInteger(bits);
}

/// None for elements that the matrix unit does not multiply.
std::optional<MatrixElements> matrixElementsOf(Type left, Type right) {
  if (left.isBF16() && right.isBF16()) return MatrixElements::bf16();
  auto isNumber = [](Type type) { return type.isSignlessInteger(8) || type.isSignlessInteger(16); };
  if (!isNumber(left) || !isNumber(right)) return std::nullopt;
  return MatrixElements::integers(left.bitWidth(), right.bitWidth());
}

bool isMatrixProduct(Operation& op) {
  if (!op.is("vector.contract") || !isPlainProduct(op)) return false;
  auto a = op.operand(0).type().dynCast<VectorType>(),
       b = op.operand(1).type().dynCast<VectorType>();
  auto elements = a && b ? matrixElementsOf(a.elementType(), b.elementType()) : std::nullopt;
  if (!elements) return false;
  elements->areBlocks = op.hasAttr(linalg::kBlockFloats);
  const MatrixShape* shape = findMatrixShape(aie::deviceOf(op).generation, *elements, a.dim(0),
                                             a.dim(1), b.dim(elements->areBlocks ? 0 : 1));
  Type sum = elementTypeOrSelf(op.result().type());
  if (!shape) return false;
  return elements->areFloats ? linalg::sumDepth(op) == shape->sumDepth && sum.isF32()
                             : sum.isSignlessInteger(shape->sumBits);
}

bool areForProducts(Value value) {
  return value.hasUses() && std::ranges::all_of(value.uses(), [](OpOperand& use) {
           return isMatrixProduct(*use.owner());
         });
}

/// Zeros that products are added to: nothing has to hold them.
bool isZeroSum(Operation& op) {
  return isZero(op.result()) && std::ranges::all_of(op.result().uses(), [](OpOperand& use) {
           return isMatrixProduct(*use.owner()) && use.index() == 2;
         });
}

/// A column of a tile of A, next to which a row of B stands in a product.
bool isTileColumn(Operation& op) {
  if (!op.is("vector.extract_strided_slice") || !areForProducts(op.result())) return false;
  auto column = op.result().type().dynCast<VectorType>(),
       tile = op.operand(0).type().dynCast<VectorType>();
  return column && tile && column.rank() == 2 && column.dim(1) == 1 &&
         column.dim(0) == tile.dim(0) && tile.numElements() * tile.elementType().bitWidth() == 512;
}

/// A row of elements as a tile of a product, or the other way round.
bool isTileCast(Operation& op) {
  if (!op.is("vector.shape_cast")) return false;
  Operation* maker = op.operand(0).definingOp();
  if (maker && isMatrixProduct(*maker)) return true;
  if (!op.result().hasUses()) return false;
  return std::ranges::all_of(op.result().uses(), [](OpOperand& use) {
    return isMatrixProduct(*use.owner()) || isTileColumn(*use.owner());
  });
}

/// Whether loads and stores of sums change rows of `narrow` and `wide` lanes into each other.
bool areSumWidths(aie::Generation generation, Type narrow, Type wide) {
  const bool isAie2p = generation == aie::Generation::Aie2p;
  const int64_t lanes = isAie2p ? 64 : isVectorOf(wide, 16, 64) ? 16 : 32;
  if (lanes != 16 && !isVectorOf(wide, lanes, 32)) return false;
  return isVectorOf(narrow, lanes, 16) || (lanes != 16 && isVectorOf(narrow, lanes, 8));
}

/// Numbers that become sums as they are loaded for a product, or sums of one that become numbers as they are stored. Words
/// and sums of 64 bits do so anywhere.
bool isSumCast(Operation& op) {
  const bool widens = op.is("arith.extsi");
  if (!widens && !op.is("arith.trunci")) return false;
  const Type from = op.operand(0).type(), to = op.result().type();
  const Type narrow = widens ? from : to, wide = widens ? to : from;
  if (isVectorOf(narrow, 16, 32) && isVectorOf(wide, 16, 64)) return true;
  if (!areSumWidths(aie::deviceOf(op).generation, narrow, wide)) return false;
  Operation* maker = op.operand(0).definingOp();
  if (!maker || !op.operand(0).hasOneUse() || !op.result().hasOneUse()) return false;
  Operation& user = *(*op.result().uses().begin()).owner();
  return widens ? maker->is("vector.load") && isTileCast(user)
                : isTileCast(*maker) && user.is("vector.store");
}

bool isOfProduct(Operation* op) { return op && (isTileCast(*op) || isSumCast(*op)); }

/// What an accumulator holds goes to memory and comes from there as a whole.
bool isSumAccess(Operation& op) {
  const bool isAie2p = aie::deviceOf(op).generation == aie::Generation::Aie2p;
  auto isSum = [&](Type type) {
    auto vector = type.dynCast<VectorType>();
    if (!isAie2p) return isVectorOf(type, 32, 32);
    return isVectorOf(type, 64, 32) || isVectorOf(type, 64, 16) ||
           (vector && vector.hasStaticShape() && vector.numElements() == 64 &&
            vector.elementType().isF32());
  };
  // What becomes blocks has twice as many bits as a vector register.
  auto isFactor = [&](Type type) {
    auto vector = type.dynCast<VectorType>();
    return isAie2p && vector && vector.hasStaticShape() && vector.numElements() == 64 &&
           vector.elementType().isBF16();
  };
  if (op.is("vector.store"))
    return isSum(op.operand(0).type()) && isOfProduct(op.operand(0).definingOp());
  if (!op.is("vector.load") || !(isSum(op.result().type()) || isFactor(op.result().type())))
    return false;
  return op.result().hasUses() && std::ranges::all_of(op.result().uses(), [](OpOperand& use) {
           return isOfProduct(use.owner());
         });
}

bool isRow(Operation& op, const VectorAccess& access) {
  auto type = access.memory.type().cast<MemRefType>();
  auto form = type.stridedForm();
  if (!form || type.rank() == 0 || form->strides.back() != 1) return false;
  if (!(isUnitVector(access.type) || isSumAccess(op)) ||
      type.elementType() != access.type.elementType())
    return false;
  if (!op.is("vector.transfer_read") && !op.is("vector.transfer_write")) return true;
  vector::TransferOp transfer(&op);
  return !transfer.mask() && !transfer.isBroadcastDim(0) && transfer.isMinorIdentity() &&
         staysInside(op, 0);
}

}  // namespace

std::optional<int64_t> shiftOf(const Operation& op) {
  Operation* amount = op.operand(1).definingOp();
  if (amount && amount->is("vector.broadcast")) amount = amount->operand(0).definingOp();
  if (!amount || !amount->is("arith.constant")) return std::nullopt;
  const auto lanes = amount->attrOf<DenseElementsAttr>("value");
  if (lanes && !lanes.isSplat()) return std::nullopt;
  const auto bits =
      lanes ? lanes.splatValue().dynCast<IntegerAttr>() : amount->attrOf<IntegerAttr>("value");
  return bits ? std::optional(bits.value()) : std::nullopt;
}

bool isLaneOp(Operation& op) {
  if (op.numResults() != 1 || op.attr("roundingmode")) return false;
  const CoreOp* row = findCoreOp(op.name());
  if (!row || !(row->lanes & elementsOf(elementTypeOrSelf(op.result().type())))) return false;
  for (Type type : op.operandTypes())
    if (!elementsOf(elementTypeOrSelf(type))) return false;
  if (op.is("math.fma")) {
    const auto counts = bf16PiecesOf(op);
    const bool addsAlone = aie::deviceOf(op).generation == aie::Generation::Aie2p;
    return counts && (counts->products == 1) == addsAlone;
  }
  if (isUnitFunction(op.name()))
    return op.hasAttr(kBf16Result) && aie::deviceOf(op).generation == aie::Generation::Aie2p;
  return isShift(op) ? isKnownShift(op) : true;
}

int64_t alignmentOf(Operation& op, int64_t bytes) {
  constexpr int64_t kLeast = 32;
  if (aie::deviceOf(op).generation != aie::Generation::Aie2p) return kLeast;
  return std::clamp<int64_t>(bytes, kLeast, 2 * kLeast);
}

int64_t lanesOf(const Operation& op) {
  return op.is("math.fma") || isUnitFunction(op.name()) ? 16 : 0;
}

bool isUnitVector(Type type) {
  auto vector = type.dynCast<VectorType>();
  if (!vector || vector.rank() != 1 || !vector.hasStaticShape()) return false;
  Type element = vector.elementType();
  bool isLane = element.isF32() || element.isBF16() || element.isSignlessInteger(8) ||
                element.isSignlessInteger(16) || element.isSignlessInteger(32);
  int64_t bits = isLane ? vector.numElements() * element.bitWidth() : 0;
  return bits == 256 || bits == 512;
}

int64_t divisorOf(Value index) {
  if (auto number = constantIntOf(index)) return powerIn(*number);
  if (Operation* op = loopOf(index)) {
    scf::ForOp loop(op);
    return std::min(divisorOf(loop.lowerBound()), divisorOf(loop.step()));
  }
  Operation* op = index.definingOp();
  if (!op) return 1;
  if (op->is("arith.addi") || op->is("arith.subi"))
    return std::min(divisorOf(op->operand(0)), divisorOf(op->operand(1)));
  if (op->is("arith.muli"))
    return std::min(kAnyPower, divisorOf(op->operand(0)) * divisorOf(op->operand(1)));
  if (op->is("arith.andi")) return std::max(divisorOf(op->operand(0)), divisorOf(op->operand(1)));
  return 1;
}

std::optional<IndexRange> rangeOf(Value index) {
  if (auto number = constantIntOf(index)) return IndexRange{*number, *number};
  if (Operation* loop = loopOf(index)) return rangeOfLoop(scf::ForOp(loop));
  Operation* op = index.definingOp();
  if (op && op->is("arith.andi"))
    if (const auto mask = constantIntOf(op->operand(1)); mask && *mask >= 0)
      return IndexRange{0, *mask};
  if (!op || !(op->is("arith.addi") || op->is("arith.muli"))) return std::nullopt;
  auto a = rangeOf(op->operand(0)), b = rangeOf(op->operand(1));
  if (!a || !b) return std::nullopt;
  if (op->is("arith.addi")) return IndexRange{a->least + b->least, a->most + b->most};
  if (a->least < 0 || b->least < 0) return std::nullopt;
  return IndexRange{a->least * b->least, a->most * b->most};
}

std::optional<int64_t> mostOf(Value index) {
  const auto range = rangeOf(index);
  return range ? std::optional(range->most) : std::nullopt;
}

bool isWholeParts(MemRefType type) {
  return type.hasStaticShape() &&
         type.numElements() * elementTypeOrSelf(type).bitWidth() % (8 * kShiftedBytes) == 0;
}

std::optional<VectorAccess> vectorAccessOf(Operation& op) {
  bool isTransfer = op.is("vector.transfer_read") || op.is("vector.transfer_write");
  bool isRead = op.is("vector.load") || op.is("vector.transfer_read");
  if (!isTransfer && !isRead && !op.is("vector.store")) return std::nullopt;
  VectorAccess access;
  access.memory = op.operand(isRead ? 0 : 1);
  if (!access.memory.type().isa<MemRefType>()) return std::nullopt;
  access.type = (isRead ? op.result() : op.operand(0)).type().cast<VectorType>();
  OperandRange indices = op.operandGroup("indices");
  access.indices.assign(indices.begin(), indices.end());
  return access;
}

bool staysInside(Operation& op, unsigned dim) {
  vector::TransferOp transfer(&op);
  if (transfer.isInBounds(dim) || transfer.isBroadcastDim(dim)) return true;
  AffineExpr place = transfer.permutationMap().result(dim);
  if (place.kind() != AffineKind::Dim) return false;
  unsigned at = place.position();
  auto range = rangeOf(transfer.indices()[at]);
  int64_t size = transfer.shapedType().dim(at), count = transfer.vectorType().dim(dim);
  return range && size != kDynamic && range->least >= 0 && range->most + count <= size;
}

bool VectorUnit::isAligned(Operation& op) {
  const auto access = vectorAccessOf(op);
  return access && isAligned(op, *access);
}

bool VectorUnit::isAligned(Operation& op, const VectorAccess& access) {
  std::string why;
  const Place* place = places_.find(access.memory, why);
  if (!place) return false;
  int64_t divisor = kAnyPower;
  for (const Place::Term& term : place->offset)
    divisor = std::min(divisor, divisorOfIndex(term.factor) * divisorOfIndex(term.stride));
  for (size_t i = 0; i < access.indices.size(); ++i)
    divisor = std::min(divisor, divisorOf(access.indices[i]) * divisorOfIndex(place->strides[i]));
  const int64_t element = access.type.elementType().bitWidth() / 8;
  return divisor * element % alignmentOf(op, access.type.numElements() * element) == 0;
}

/// Whether the parts of memory around the access, from where a vector may begin, lie in it: they are shifted (UnalignedVectors.cpp).
bool VectorUnit::isShifted(Operation& op, const VectorAccess& access) {
  if (!op.is("vector.load") && !op.is("vector.store")) return false;
  const int64_t bytes = access.type.elementType().bitWidth() / 8;
  auto type = access.memory.type().cast<MemRefType>();
  if ((op.is("vector.store") && access.type.numElements() * bytes != kShiftedBytes) ||
      access.indices.size() != 1 || !type.hasStaticShape())
    return false;
  const auto range = rangeOf(access.indices[0]);
  std::string why;
  if (!range || range->least < 0 || !places_.find(access.memory, why)) return false;
  if (op.is("vector.load") && isWholeParts(type))
    return range->most + access.type.numElements() <= type.dim(0);
  return range->most + (access.type.numElements() * bytes + kShiftedBytes) / bytes <= type.dim(0);
}

bool VectorUnit::hasAccess(Operation& op) {
  auto access = vectorAccessOf(op);
  return access && isRow(op, *access) && (isAligned(op, *access) || isShifted(op, *access));
}

namespace {

bool isFirstLane(Operation& op) {
  auto position = op.attrOf<DenseArrayAttr>("static_position");
  return op.is("vector.extract") && isUnitVector(op.operand(0).type()) && position &&
         position.size() == 1 && position.values()[0] == 0;
}

int64_t lanesIn(Type type) { return type.cast<VectorType>().numElements(); }
int64_t bitsOfVector(Type type) { return lanesIn(type) * laneBits(type); }

/// All 512 bits turn, each lane is that of one of two registers, or lanes of both go where a mode of the unit puts them.
bool isUnitShuffle(Operation& op) {
  if (!op.is("vector.shuffle") || !isUnitVector(op.result().type()) ||
      !isUnitVector(op.operand(0).type()) || !isUnitVector(op.operand(1).type()))
    return false;
  if (vector::rotationOf(op) || vector::isConcatenation(op))
    return bitsOfVector(op.result().type()) == 512;
  if (vector::blendOf(op)) return true;
  const Type first = op.operand(0).type();
  return findShuffleMode(aie::deviceOf(op).generation, laneBits(first) / 8, vector::maskOf(op),
                         lanesIn(first))
      .has_value();
}

/// One half of a register.
bool isUnitSlice(Operation& op) {
  return op.is("vector.extract_strided_slice") && isUnitVector(op.operand(0).type()) &&
         isUnitVector(op.result().type()) && bitsOfVector(op.operand(0).type()) == 512 &&
         bitsOfVector(op.result().type()) == 256;
}

bool isUnitBitCast(Operation& op) {
  return op.is("vector.bitcast") && isUnitVector(op.operand(0).type()) &&
         isUnitVector(op.result().type());
}

}  // namespace

bool VectorUnit::has(Operation& op) {
  if (isFirstLane(op) || isUnitShuffle(op) || isUnitSlice(op) || isUnitBitCast(op)) return true;
  if (op.is("arith.constant")) return isUnitConstant(op) || isZeroSum(op);
  if (op.is("vector.broadcast"))
    return !op.operand(0).type().isa<VectorType>() && isUnitVector(op.result().type());
  if (op.is("arith.cmpi")) return isMask(op);
  if (op.is("arith.select")) return isUnitSelect(op);
  return isLanewise(op) || isMatrixProduct(op) || isTileColumn(op) || isTileCast(op) ||
         isSumCast(op) || hasAccess(op);
}

}  // namespace airlite::npu
