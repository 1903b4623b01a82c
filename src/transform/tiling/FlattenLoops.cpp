// air-flatten-loops: an elementwise op on contiguous memory becomes one on rows, one row for each
// column of cores that takes part. A row is a contiguous part of every operand, cores take contiguous
// parts of rows, and launches follow each other in memory: one long transfer brings all of a column.
//
//   linalg.exp on memref<64x256xbf16>   ->   on memref<1x16384xbf16>: {air.herd = [1, 4],
//                                             air.l1_tile = [1, 2048]}
//
// How many columns: the host starts the transfers of each column one after the other
// (`start-cycles` each), while the columns move and compute at the same time. How many cores of a
// column: as many as its memory tile has DMA channels for. air-tile-linalg reads the two attributes.
//
// What an op reads of its output becomes an input.
//
// A number of elements without a divisor that makes good tiles is split: the last elements are a second op,
// for one core.
//
// Declines, with a remark: elementwise ops that use loop indices or broadcast, operands
// of dynamic or strided shape, and so few elements without a divisor that nothing would be left.
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/pass/Pass.hpp"
#include "airlite/transform/TileHints.hpp"
#include "transform/tiling/RowShares.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace airlite {

namespace {

using linalg::StructuredOp;
using tiling::RowShares;
using tiling::RowWork;

/// Contiguous, whole bytes, in memory of the host.
bool isFlat(MemRefType type) {
  Type element = type.elementType();
  const bool isWhole =
      element.isIntOrIndexOrFloat() && !element.isIndex() && element.bitWidth() % 8 == 0;
  return isWhole && type.hasStaticShape() && type.hasIdentityLayout() && type.rank() > 0 &&
         air::memoryLevel(type) == air::MemoryLevel::L3;
}

/// A buffer that a core updates in place neither comes nor leaves while the core computes. So what an output held comes in as an
/// input, to a buffer of its own; the op is gone then.
StructuredOp withReadsAsInputs(StructuredOp op) {
  std::vector<Value> inputs = op.inputs().vec();
  std::vector<AffineMap> maps = op.indexingMaps();
  std::vector<std::pair<unsigned, unsigned>> read;  // operand, the input that stands for it
  for (unsigned i = 0; i < op.numOutputs(); ++i) {
    if (!op.readsOutput(i)) continue;
    const unsigned operand = op.numInputs() + i;
    read.emplace_back(operand, static_cast<unsigned>(inputs.size()));
    maps.insert(maps.begin() + static_cast<std::ptrdiff_t>(inputs.size()),
                maps[operand + read.size() - 1]);
    inputs.push_back(op->operand(operand));
  }
  if (read.empty()) return op;
  Builder builder = Builder::before(*op.op());
  StructuredOp made = linalg::createGeneric(builder, op->location(), inputs, op.outputs().vec(),
                                            maps, op.iterators());
  IRMapping mapping;
  for (unsigned i = 0; i < op.numInputs(); ++i)
    mapping.map(op.bodyArgument(i), made.bodyArgument(i));
  for (auto [operand, input] : read)
    mapping.map(op.bodyArgument(operand), made.bodyArgument(input));
  linalg::copyDialectAttributes(op, made);
  Builder body = Builder::atEnd(made.body());
  for (Operation& inner : op.body().ops())
    body.clone(inner, mapping);
  op->erase();
  return made;
}

/// One number, which all elements need.
bool isNumber(StructuredOp op, unsigned operand) {
  auto type = op->operand(operand).type().dynCast<MemRefType>();
  return operand < op.numInputs() && type && type.rank() == 0 &&
         type.elementType().isIntOrIndexOrFloat() && air::memoryLevel(type) == air::MemoryLevel::L3;
}

/// The reason why an op stays as it is; empty when `work` says all of it.
std::string readOp(StructuredOp op, RowWork& work) {
  if (op->numResults() || !op.onBuffers()) return "it is not on memrefs";
  if (op.usesIndices()) return "it uses the indices of its loops";
  if (op->hasAttr("permutation") || op->hasAttr("dimensions")) return "it moves dimensions";
  const std::vector<AffineMap> maps = op.indexingMaps();
  std::vector<int64_t> shape;
  std::unordered_set<Value> counted;
  int64_t narrowest = tiling::kVectorBytes;
  for (unsigned i = 0; i < op->numOperands(); ++i) {
    auto type = op->operand(i).type().dynCast<MemRefType>();
    if (!type) continue;
    if (isNumber(op, i)) {
      ++work.broadcasts;
      continue;
    }
    if (!isFlat(type)) return "an operand is not contiguous memory of the host";
    if (!maps[i].isIdentity()) return "an operand is not indexed by the loops as they are";
    shape.assign(type.shape().begin(), type.shape().end());
    const bool isOutput = i >= op.numInputs();
    const bool isRead = !isOutput || op.readsOutput(i - op.numInputs());
    const int64_t bytes = type.elementType().bitWidth() / 8;
    work.inputs += isRead && counted.insert(op->operand(i)).second;
    work.outputs += isOutput;
    work.streamBytes = std::max(work.streamBytes, bytes);
    work.l1Bytes += isOutput && isRead ? 2 * bytes : bytes;  // withReadsAsInputs
    narrowest = std::min(narrowest, bytes);
  }
  for (int64_t size : shape)
    work.rows *= size;
  work.cycles = tiling::cyclesOfElement(op);
  work.unit = tiling::kVectorBytes / narrowest;
  work.words = aie::kWordBytes / std::min<int64_t>(aie::kWordBytes, narrowest);
  return work.rows > 1 ? "" : "it has one element";
}

/// Elements that follow each other in all operands.
struct Range {
  int64_t begin = 0, size = 0;
};

/// A range of `memory` as `rows` rows.
Value flatten(Builder& builder, Location location, Value memory, Range range, int64_t rows) {
  auto type = memory.type().cast<MemRefType>();
  if (type.rank() > 1) {
    memref::Reassociation all(1);
    for (int64_t dim = 0; dim < type.rank(); ++dim)
      all[0].push_back(dim);
    memory = memref::CollapseShapeOp::create(builder, location, memory, all).result();
  }
  if (range.size != type.numElements()) {
    const memref::MixedIndex begin[] = {range.begin}, size[] = {range.size}, step[] = {int64_t{1}};
    memory = memref::SubViewOp::create(builder, location, memory, begin, size, step).result();
  }
  const std::vector<int64_t> shape = {rows, range.size / rows};
  return memref::ExpandShapeOp::create(builder, location, memory, shape, {{0, 1}}).result();
}

void rewrite(StructuredOp op, Range range, const RowShares& shape) {
  Context& context = op->context();
  Builder builder = Builder::before(*op.op());
  const std::vector<AffineMap> maps = op.indexingMaps();
  std::unordered_map<Value, Value> flat;  // memory that occurs twice stays one value
  std::vector<Attribute> newMaps;
  for (unsigned i = 0; i < op->numOperands(); ++i) {
    Value operand = op->operand(i);
    const bool isMemory = operand.type().isa<MemRefType>() && !isNumber(op, i);
    newMaps.push_back(AffineMapAttr::get(isMemory ? AffineMap::identity(context, 2)
                                                  : AffineMap::get(context, 2, 0, {})));
    if (!isMemory) continue;
    auto [entry, isNew] = flat.try_emplace(operand, Value());
    if (isNew) entry->second = flatten(builder, op->location(), operand, range, shape.columns);
    op->setOperand(i, entry->second);
  }
  if (op->hasAttr("indexing_maps")) op->setAttr("indexing_maps", ArrayAttr::get(context, newMaps));
  if (auto kinds = op->attrOf<ArrayAttr>("iterator_types"))
    op->setAttr("iterator_types", ArrayAttr::get(context, std::vector<Attribute>(2, kinds[0])));
  const int64_t herd[] = {shape.columns, shape.cores}, tile[] = {1, shape.tile};
  op->setAttr(tiling::kHerdHint, DenseArrayAttr::getI64(context, herd));
  op->setAttr(tiling::kTileHint, DenseArrayAttr::getI64(context, tile));
}

/// Whether an op fills what the next structured op goes on with: these are tiled together.
bool startsAnother(Operation& op) {
  if (!op.is("linalg.fill")) return false;
  const Value memory = op.operand(1);
  for (Operation* later = op.next(); later; later = later->next()) {
    const auto operands = later->operands();
    if (std::ranges::find(operands, memory) != operands.end())
      return bool(linalg::asStructured(later));
  }
  return false;
}

class FlattenLoops : public Pass {
 public:
  FlattenLoops()
      : Pass("air-flatten-loops", "Makes rows of elementwise ops, one for each column of cores") {
    anchor("func.func");
    option("herd", herd_, "columns and rows of cores, at most");
    option("start-cycles", limits_.startCycles, "cycles in which the host starts one transfer");
    option("l1-bytes", limits_.l1Bytes, "L1 memory of a core that tiles may take");
    example("airlite-opt --air-flatten-loops in.mlir");
  }

  PassResult run(Operation& function, PassContext& context) override {
    if (herd_.size() != 2 || herd_[0] < 1 || herd_[1] < 1)
      return emitError(function.context(), function.location())
                 << "air-flatten-loops: 'herd' must be two positive numbers",
             PassResult::Failed;
    limits_.columns = herd_[0];
    limits_.cores = herd_[1];
    std::vector<Operation*> ops;
    function.walk([&](Operation& op) {
      if (linalg::asStructured(&op) && !startsAnother(op) && op.parentOp() == &function)
        ops.push_back(&op);
    });
    bool changed = false;
    for (Operation* op : ops)
      changed |= flattenOp(StructuredOp(op), context);
    return changedIf(changed);
  }

 private:
  bool flattenOp(StructuredOp op, PassContext& context) const {
    for (linalg::IteratorKind kind : op.iterators())
      if (kind != linalg::IteratorKind::Parallel) return false;
    RowWork work;
    const std::string obstacle = readOp(op, work);
    const tiling::SplitShares split =
        obstacle.empty() ? tiling::splitRows(work, limits_) : tiling::SplitShares();
    if (!split.shares.tile) {
      context.remark(*op.op(), "not flattened: " + (obstacle.empty()
                                                        ? std::to_string(work.rows) +
                                                              " elements have no divisor for tiles"
                                                        : obstacle));
      return false;
    }
    op = withReadsAsInputs(op);
    const int64_t rest = work.rows - split.head;
    context.remark(*op.op(), "flattened: " + std::to_string(split.shares.columns) + " columns of " +
                                 std::to_string(split.shares.cores) + " cores, tiles of " +
                                 std::to_string(split.shares.tile) + " elements" +
                                 (rest ? ", and " + std::to_string(rest) + " elements" : ""));
    if (rest)
      rewrite(StructuredOp(Builder::before(*op->next()).clone(*op.op())), {split.head, rest},
              {1, 1, rest});
    rewrite(op, {0, split.head}, split.shares);
    return true;
  }

  std::vector<int64_t> herd_ = wholeHerd(aie::defaultNpu());
  tiling::RowLimits limits_;
};

}  // namespace

void registerFlattenLoops(PassRegistry& registry) { registry.add<FlattenLoops>(); }

}  // namespace airlite
