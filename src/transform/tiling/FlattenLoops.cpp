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
// Declines, with a remark: elementwise ops that use loop indices or broadcast, operands
// of dynamic or strided shape, and numbers of elements without a divisor that makes good tiles.
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/pass/Pass.hpp"
#include "airlite/transform/ArrayDefaults.hpp"
#include "transform/tiling/TileHints.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace airlite {

namespace {

using linalg::StructuredOp;

struct FlattenOptions {
  int64_t columns = aie::defaultNpu().columns, rows = aie::defaultNpu().coreRows();
  int64_t startCycles = 3050;  // of a transfer, for the host
  int64_t l1Bytes = aie::defaultNpu().limits(aie::TileKind::Core).memoryBytes;
};

/// Elements that a DMA moves in whole words and cores in whole vectors.
constexpr int64_t kVectorBytes = 64;
/// A stream moves as many in a cycle.
constexpr int64_t kStreamBytes = aie::kWordBytes;
/// Rounds of a core after which the first and last transfer, which nothing overlaps, are short.
constexpr int64_t kRounds = 8;
/// A shorter tile is not worth its descriptors.
constexpr int64_t kLeastTileBytes = 256;

/// What is known of an elementwise op.
struct Elementwise {
  int64_t elements = 1;
  int64_t inputs = 0, outputs = 0;     // transfers of a core
  int64_t widest = 0, narrowest = 64;  // bytes of an element
  int64_t bytes = 0;                   // of the elements of all transfers
  double cycles = 0;                   // that a core computes for an element, roughly
};

/// Rows of the flat op, cores along each, elements of a tile.
struct FlatShape {
  int64_t columns = 1, rows = 1, tile = 0;
};

/// Contiguous, whole bytes, in memory of the host.
bool isFlat(MemRefType type) {
  Type element = type.elementType();
  const bool isWhole = element.isIntOrIndexOrFloat() && !element.isIndex() && element.bitWidth() % 8 == 0;
  return isWhole && type.hasStaticShape() && type.hasIdentityLayout() && type.rank() > 0 &&
         air::memoryLevel(type) == air::MemoryLevel::L3;
}

/// Of vectors of the core. Functions of f32 take many steps, its products several.
double cyclesOf(Operation& op) {
  if (op.numResults() != 1 || op.is("arith.constant")) return 0;
  const bool isWide = elementTypeOrSelf(op.result().type()).isF32();
  const bool isFunction = op.name().starts_with("math.") || op.is("arith.divf");
  if (isFunction) return isWide ? 10 : 1.5;
  return isWide ? 1 : 0.1;
}

bool usesIndices(Operation& op) {
  bool found = false;
  op.walk([&](Operation& inner) { found |= inner.is("linalg.index"); });
  return found;
}

/// The reason why an op stays as it is; empty when `known` says all of it.
std::string readOp(StructuredOp op, Elementwise& known) {
  if (op->numResults() || !op.onBuffers()) return "it is not on memrefs";
  if (usesIndices(*op.op())) return "it uses the indices of its loops";
  if (op->hasAttr("permutation") || op->hasAttr("dimensions")) return "it moves dimensions";
  const std::vector<AffineMap> maps = op.indexingMaps();
  std::vector<int64_t> shape;
  std::unordered_set<Value> counted;
  for (unsigned i = 0; i < op->numOperands(); ++i) {
    auto type = op->operand(i).type().dynCast<MemRefType>();
    if (!type) continue;
    if (!isFlat(type)) return "an operand is not contiguous memory of the host";
    if (!maps[i].isIdentity()) return "an operand is not indexed by the loops as they are";
    shape.assign(type.shape().begin(), type.shape().end());
    const bool isOutput = i >= op.numInputs();
    const bool isRead = !isOutput || op.readsOutput(i - op.numInputs());
    const int64_t bytes = type.elementType().bitWidth() / 8;
    known.inputs += isRead && counted.insert(op->operand(i)).second;
    known.outputs += isOutput;
    known.widest = std::max(known.widest, bytes);
    known.narrowest = std::min(known.narrowest, bytes);
    known.bytes += bytes;
  }
  for (int64_t size : shape)
    known.elements *= size;
  for (Operation& inner : op.body().ops())
    known.cycles += cyclesOf(inner);
  return known.elements > 1 ? "" : "it has one element";
}

/// Cores of one column whose transfers the channels of a memory tile serve.
int64_t coresOfColumn(const Elementwise& op, int64_t most) {
  constexpr int64_t kChannels =
      aie::limitsOf(aie::Generation::Aie2, aie::TileKind::Mem).channels;
  int64_t cores = most;
  if (op.inputs) cores = std::min(cores, (kChannels - op.outputs) / op.inputs);
  return std::max<int64_t>(1, std::min(cores, (kChannels - op.inputs) / op.outputs));
}

/// The greatest divisor of `size` up to `most` that is a multiple of `unit`; 0 when there is none.
int64_t divisorUpTo(int64_t size, int64_t most, int64_t unit) {
  for (int64_t at = std::min(size, most) / unit * unit; at > 0; at -= unit)
    if (size % at == 0) return at;
  return 0;
}

/// The tile for `columns` and `rows`; 0 when the elements have no good one.
int64_t tileFor(const Elementwise& op, int64_t columns, int64_t rows,
                const FlattenOptions& options) {
  if (op.elements % (columns * rows)) return 0;
  const int64_t share = op.elements / (columns * rows);
  const int64_t least = options.startCycles * kStreamBytes / rows / op.widest;
  const int64_t most =
      std::min(std::max(least, share / kRounds), options.l1Bytes / 2 / op.bytes);
  const int64_t words = aie::kWordBytes / std::min<int64_t>(aie::kWordBytes, op.narrowest);
  int64_t tile = divisorUpTo(share, most, kVectorBytes / op.narrowest);
  if (!tile) tile = divisorUpTo(share, most, words);
  return tile == share || tile * op.widest >= kLeastTileBytes ? tile : 0;
}

/// Cycles until the last column is through.
double cyclesFor(const Elementwise& op, const FlatShape& shape, const FlattenOptions& options) {
  const double columns = static_cast<double>(shape.columns);
  const double elements = static_cast<double>(op.elements) / columns;
  const double starts = static_cast<double>(options.startCycles * (op.inputs + op.outputs));
  const double moves = elements * static_cast<double>(op.widest) / kStreamBytes;
  return starts * columns + std::max(moves, elements * op.cycles / static_cast<double>(shape.rows));
}

/// No tile when there is no good shape.
FlatShape chooseShape(const Elementwise& op, const FlattenOptions& options) {
  FlatShape best;
  const int64_t most = coresOfColumn(op, options.rows);
  for (int64_t columns = 1; columns <= options.columns; ++columns)
    for (int64_t rows = most; rows > 0; --rows) {
      const FlatShape shape{columns, rows, tileFor(op, columns, rows, options)};
      if (!shape.tile) continue;
      if (!best.tile || cyclesFor(op, shape, options) < cyclesFor(op, best, options)) best = shape;
      break;  // fewer cores of a column are not better
    }
  return best;
}

/// `memory` as `rows` rows.
Value flatten(Builder& builder, Location location, Value memory, int64_t rows) {
  auto type = memory.type().cast<MemRefType>();
  if (type.rank() > 1) {
    memref::Reassociation all(1);
    for (int64_t dim = 0; dim < type.rank(); ++dim)
      all[0].push_back(dim);
    memory = memref::CollapseShapeOp::create(builder, location, memory, all).result();
  }
  auto flat = memory.type().cast<MemRefType>();
  const std::vector<int64_t> shape = {rows, flat.dim(0) / rows};
  return memref::ExpandShapeOp::create(builder, location, memory, shape, {{0, 1}}).result();
}

void rewrite(StructuredOp op, const FlatShape& shape) {
  Context& context = op->context();
  Builder builder = Builder::before(*op.op());
  const std::vector<AffineMap> maps = op.indexingMaps();
  std::unordered_map<Value, Value> flat;  // memory that occurs twice stays one value
  std::vector<Attribute> newMaps;
  for (unsigned i = 0; i < op->numOperands(); ++i) {
    Value operand = op->operand(i);
    const bool isMemory = operand.type().isa<MemRefType>();
    newMaps.push_back(AffineMapAttr::get(isMemory ? AffineMap::identity(context, 2)
                                                  : AffineMap::get(context, 2, 0, {})));
    if (!isMemory) continue;
    auto [entry, isNew] = flat.try_emplace(operand, Value());
    if (isNew) entry->second = flatten(builder, op->location(), operand, shape.columns);
    op->setOperand(i, entry->second);
  }
  if (op->hasAttr("indexing_maps")) op->setAttr("indexing_maps", ArrayAttr::get(context, newMaps));
  if (auto kinds = op->attrOf<ArrayAttr>("iterator_types"))
    op->setAttr("iterator_types",
                ArrayAttr::get(context, std::vector<Attribute>(2, kinds[0])));
  const int64_t herd[] = {shape.columns, shape.rows}, tile[] = {1, shape.tile};
  op->setAttr(tiling::kHerdHint, DenseArrayAttr::getI64(context, herd));
  op->setAttr(tiling::kTileHint, DenseArrayAttr::getI64(context, tile));
}

class FlattenLoops : public Pass {
 public:
  FlattenLoops()
      : Pass("air-flatten-loops", "Makes rows of elementwise ops, one for each column of cores") {
    anchor("func.func");
    option("herd", herd_, "columns and rows of cores, at most");
    option("start-cycles", options_.startCycles, "cycles in which the host starts one transfer");
    option("l1-bytes", options_.l1Bytes, "L1 memory of a core that tiles may take");
    example("airlite-opt --air-flatten-loops in.mlir");
  }

  PassResult run(Operation& function, PassContext& context) override {
    if (herd_.size() != 2 || herd_[0] < 1 || herd_[1] < 1)
      return emitError(function.context(), function.location())
                 << "air-flatten-loops: 'herd' must be two positive numbers",
             PassResult::Failed;
    options_.columns = herd_[0];
    options_.rows = herd_[1];
    std::vector<Operation*> ops;
    function.walk([&](Operation& op) {
      if (linalg::asStructured(&op) && !op.is("linalg.fill") && op.parentOp() == &function)
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
    Elementwise known;
    const std::string obstacle = readOp(op, known);
    const FlatShape shape = obstacle.empty() ? chooseShape(known, options_) : FlatShape();
    if (!shape.tile) {
      context.remark(*op.op(), "not flattened: " + (obstacle.empty()
                                                        ? std::to_string(known.elements) +
                                                              " elements have no divisor for tiles"
                                                        : obstacle));
      return false;
    }
    context.remark(*op.op(), "flattened: " + std::to_string(shape.columns) + " columns of " +
                                 std::to_string(shape.rows) + " cores, tiles of " +
                                 std::to_string(shape.tile) + " elements");
    rewrite(op, shape);
    return true;
  }

  std::vector<int64_t> herd_ = wholeHerd(aie::defaultNpu());
  FlattenOptions options_;
};

}  // namespace

void registerFlattenLoops(PassRegistry& registry) { registry.add<FlattenLoops>(); }

}  // namespace airlite
