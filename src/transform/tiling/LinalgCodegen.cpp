// air-linalg-codegen: linalg ops on buffers become loops over tiles that are copied to L2 and L1.
//
// Matches structured ops on buffers of known size, other than fills and copies, outside of herds: those
// without a label (`__internal_linalg_transform__`), or with `input-filter` those with this label, which
// goes away. With `l2-tile-size` an op is first split into tiles of L2, then into tiles of L1, each in
// an scf.parallel over the parallel loops with an scf.for for each other loop inside. The operands of a
// tile are copied to buffers in front of it, and results back after it. Without `l1-tile-size` tiles
// grow from one element on, always in the loop where they are shortest, while their buffers together
// have `l1-size` bytes at most, and in ops that add up to 32 elements in each loop.
//
// Afterwards it simplifies what is left of views, copies and buffers (TileBuffers.hpp); with
// `test-patterns` it does only that, and also leaves sums in their buffers for all rounds of a loop.
//
// Declines, with a remark: sizes that are not known, linalg.index, several outputs, an input that may be
// the output, more tile sizes than loops.
// Fails: given sizes that do not divide a loop, or tiles that are larger than `l1-size`.
#include "airlite/analysis/Access.hpp"
#include "airlite/analysis/LoopIndex.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/pass/Pass.hpp"
#include "transform/script/LinalgParts.hpp"
#include "transform/tiling/TileBuffers.hpp"

#include <algorithm>
#include <map>

namespace airlite {

namespace {

using linalg::IteratorKind;
using linalg::StructuredOp;

constexpr std::string_view kLinalgLabel = "__internal_linalg_transform__";
constexpr int64_t kTileOfSums = 32;

/// How ops are split for one level of the memory.
struct LevelTiles {
  air::MemoryLevel level = air::MemoryLevel::L1;
  std::vector<int64_t> sizes = {};     // elements in each loop; 0: all; empty: as many as fit
  std::vector<int64_t> operands = {};  // which are copied; empty: all
  bool copies = true;
};

bool isAtLevel(Value memref, air::MemoryLevel level) {
  return air::memoryLevel(memref.type()) == level;
}

/// Of the buffers that hold what a tile uses.
int64_t bytesOfTile(StructuredOp op, std::span<const int64_t> tile, air::MemoryLevel level) {
  int64_t bytes = 0;
  const std::vector<AffineMap> maps = op.indexingMaps();
  for (unsigned i = 0; i < op->numOperands(); ++i) {
    auto type = op->operand(i).type().dynCast<MemRefType>();
    if (!type || isAtLevel(op->operand(i), level)) continue;
    int64_t elements = 1;
    for (AffineExpr index : maps[i].results())
      elements *= analysis::readLoopIndex(index, op.numLoops())->extent(tile);
    bytes += elements * ((type.elementType().bitWidth() + 7) / 8);
  }
  return bytes;
}

int64_t smallestFactor(int64_t number) {
  for (int64_t d = 2; d <= number / d; ++d)
    if (number % d == 0) return d;
  return number;
}

bool addsUp(StructuredOp op) {
  return std::ranges::any_of(op.iterators(),
                             [](IteratorKind kind) { return kind != IteratorKind::Parallel; });
}

/// Grows the tile of an op in a tile `around` it, where it is shortest, while it fits into `room` bytes.
class TileChoice {
 public:
  TileChoice(StructuredOp op, std::span<const int64_t> around, air::MemoryLevel level, int64_t room)
      : op_(op),
        kinds_(op.iterators()),
        around_(around.begin(), around.end()),
        tile_(around.size(), 1),
        isDone_(around.size(), false),
        level_(level),
        room_(room) {}

  std::vector<int64_t> run() {
    while (const std::optional<size_t> loop = shortest())
      grow(*loop);
    return tile_;
  }

 private:
  /// Numbers are added in the order of the op only when what is inside of a tile of sums is whole.
  bool mayGrow(size_t loop) const {
    if (isDone_[loop]) return false;
    if (kinds_[loop] == IteratorKind::Parallel) return true;
    for (size_t inner = loop + 1; inner < tile_.size(); ++inner)
      if (kinds_[inner] != IteratorKind::Parallel && tile_[inner] != around_[inner]) return false;
    return true;
  }

  std::optional<size_t> shortest() const {
    std::optional<size_t> found;
    for (size_t loop = 0; loop < tile_.size(); ++loop)
      if (mayGrow(loop) && (!found || tile_[loop] < tile_[*found])) found = loop;
    return found;
  }

  void grow(size_t loop) {
    std::vector<int64_t> larger = tile_;
    larger[loop] *= smallestFactor(around_[loop] / tile_[loop]);
    const int64_t most = addsUp(op_) ? kTileOfSums : INT64_MAX;
    const bool grows =
        larger != tile_ && larger[loop] <= most && bytesOfTile(op_, larger, level_) <= room_;
    isDone_[loop] = !grows;
    if (grows) tile_ = larger;
  }

  StructuredOp op_;
  std::vector<IteratorKind> kinds_;
  std::vector<int64_t> around_, tile_;
  std::vector<bool> isDone_;
  air::MemoryLevel level_;
  int64_t room_;
};

/// Index constants in front of an op, one for each number.
class IndexConstants {
 public:
  explicit IndexConstants(Operation& before) : before_(before) {}

  Value operator()(int64_t number) {
    Value& value = values_[number];
    if (!value) {
      Builder builder = Builder::before(first_ ? *first_ : before_);
      value = builder.constantIndex(before_.location(), number);
    }
    return value;
  }
  /// Constants stand in front of this op from now on.
  void setFirst(Operation& op) {
    if (!first_) first_ = &op;
  }

 private:
  Operation& before_;
  Operation* first_ = nullptr;
  std::map<int64_t, Value> values_;
};

/// Splits one op for one level.
class LevelTiler {
 public:
  LevelTiler(StructuredOp op, const LevelTiles& how, IndexConstants& constants)
      : op_(op), how_(how), constants_(constants), part_(wholeOf(op)) {}

  /// The op on a tile, in the place of the whole one.
  Operation* run(std::span<const int64_t> tile) {
    Builder builder = Builder::before(*op_);
    makeParallel(builder, tile);
    makeLoops(builder, tile);
    Operation* made = emitPart(op_, part_, builder);
    op_->erase();
    if (how_.copies) copyOperands(*made);
    return made;
  }

 private:
  /// The loop writes other elements in each of its rounds.
  bool runsInParallel(unsigned loop) const {
    const std::vector<AffineMap> maps = op_.indexingMaps();
    if (op_.iterators()[loop] != IteratorKind::Parallel) return false;
    for (unsigned i = op_.numInputs(); i < maps.size(); ++i)
      if (std::ranges::count(maps[i].results(), AffineExpr::dim(op_->context(), loop)) == 0)
        return false;
    return true;
  }

  bool isSplit(unsigned loop, std::span<const int64_t> tile) const {
    return tile[loop] != part_.sizes[loop];
  }

  void enter(unsigned loop, Value variable, std::span<const int64_t> tile) {
    part_.origins[loop] = variable;
    part_.sizes[loop] = tile[loop];
  }

  void makeParallel(Builder& builder, std::span<const int64_t> tile) {
    std::vector<unsigned> loops;
    std::vector<Value> lower, upper, steps;
    for (unsigned loop = 0; loop < tile.size(); ++loop) {
      if (!runsInParallel(loop) || !isSplit(loop, tile)) continue;
      loops.push_back(loop);
      lower.push_back(constants_(0));
      upper.push_back(constants_(part_.sizes[loop]));
      steps.push_back(constants_(tile[loop]));
    }
    if (loops.empty()) return;
    auto nest = scf::ParallelOp::create(builder, op_->location(), lower, upper, steps);
    constants_.setFirst(*nest.op());
    for (size_t i = 0; i < loops.size(); ++i)
      enter(loops[i], nest.inductionVars()[i], tile);
    builder.setBefore(nest.body().back());
  }

  void makeLoops(Builder& builder, std::span<const int64_t> tile) {
    for (unsigned loop = 0; loop < tile.size(); ++loop) {
      if (runsInParallel(loop) || !isSplit(loop, tile)) continue;
      const Value lower = constants_(0), upper = constants_(part_.sizes[loop]);
      auto nest =
          scf::ForOp::create(builder, op_->location(), lower, upper, constants_(tile[loop]));
      constants_.setFirst(*nest.op());
      enter(loop, nest.inductionVar(), tile);
      builder.setBefore(nest.body().back());
    }
  }

  bool isCopied(Operation& tile, unsigned operand) const {
    const bool isAsked = how_.operands.empty() ||
                         std::ranges::count(how_.operands, static_cast<int64_t>(operand)) != 0;
    return isAsked && tile.operand(operand).type().isa<MemRefType>() &&
           !isAtLevel(tile.operand(operand), how_.level);
  }

  /// Before it are the tile buffers and the copies in, after it the copies out.
  void copyOperands(Operation& tile) {
    StructuredOp op = linalg::asStructured(&tile);
    std::vector<std::pair<unsigned, Value>> copied;  // number and what was there
    Builder before = Builder::before(tile);
    for (unsigned i = 0; i < tile.numOperands(); ++i) {
      if (!isCopied(tile, i)) continue;
      copied.push_back({i, tile.operand(i)});
      tile.setOperand(i,
                      allocate(before, tile.location(), tile.operand(i).type().cast<MemRefType>()));
    }
    for (const auto& [i, whole] : copied)
      if (isRead(op, i)) memref::CopyOp::create(before, tile.location(), whole, tile.operand(i));
    Builder after = Builder::after(tile);
    for (const auto& [i, whole] : copied)
      if (i >= op.numInputs())
        memref::CopyOp::create(after, tile.location(), tile.operand(i), whole);
    for (const auto& [i, whole] : copied)
      memref::DeallocOp::create(after, tile.location(), tile.operand(i));
  }

  /// Elements that the op does not write are copied out again as well.
  static bool isRead(StructuredOp op, unsigned operand) {
    return operand < op.numInputs() || op.readsOutput(operand - op.numInputs()) ||
           !op.indexingMaps()[operand].isProjectedPermutation();
  }

  Value allocate(Builder& builder, Location location, MemRefType like) const {
    const Attribute space = builder.i32Attr(static_cast<int64_t>(how_.level));
    const MemRefType type =
        MemRefType::get(builder.context(), like.shape(), like.elementType(), {}, space);
    return memref::AllocOp::create(builder, location, type).result();
  }

  StructuredOp op_;
  const LevelTiles& how_;
  IndexConstants& constants_;
  LinalgPart part_;
};

class LinalgCodegen : public Pass {
 public:
  LinalgCodegen()
      : Pass("air-linalg-codegen", "Splits linalg ops into tiles that are copied to L2 and L1") {
    anchor("builtin.module");
    option("l1-tile-size", l1_.sizes,
           "elements of a tile of L1 in each loop, 0 for all; none: chosen");
    option("l2-tile-size", l2_.sizes,
           "elements of a tile of L2 in each loop, 0 for all; none: no tiles");
    option("l1-promote", l1_.copies, "copy tiles to L1");
    option("l2-promote", l2_.copies, "copy tiles to L2");
    option("l1-promote-operands", l1_.operands, "numbers of the operands to copy; none: all");
    option("l2-promote-operands", l2_.operands, "numbers of the operands to copy; none: all");
    option("l1-size", l1Size_, "bytes of L1 for a tile");
    option("input-filter", filter_, "split only ops with this label; none: those without one");
    option("test-patterns", onlySimplifies_, "split nothing, simplify buffers and copies");
    example(
        "airlite-opt --air-linalg-codegen='l2-tile-size=64,64,64 l1-tile-size=32,32,32' in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    bool changed = false;
    if (!onlySimplifies_) {
      std::vector<Operation*> ops;
      module.walk([&](Operation& op) {
        if (isMeant(op)) ops.push_back(&op);
      });
      for (Operation* op : ops) {
        const PassResult result = splitOp(*op, context);
        if (result == PassResult::Failed) return result;
        changed |= result == PassResult::Changed;
      }
    }
    changed |= simplifyTileBuffers(module, context);
    if (onlySimplifies_) changed |= hoistAccumulators(module, context);
    return changedIf(changed);
  }

 private:
  bool isMeant(Operation& op) const {
    StructuredOp linalg = linalg::asStructured(&op);
    if (!linalg || !linalg.onBuffers() || op.is("linalg.fill") || op.is("linalg.copy"))
      return false;
    auto label = op.attrOf<StringAttr>(kLinalgLabel);
    return filter_.empty() ? !op.hasAttr(kLinalgLabel) : label && label.value() == filter_;
  }

  static std::string obstacleTo(StructuredOp op) {
    if (op->parentOfName("air.herd")) return "it is in a herd";
    if (std::string obstacle = partObstacle(op); !obstacle.empty()) return obstacle;
    if (std::ranges::count(op.loopSizes(), 0) != 0) return "it has a loop without rounds";
    if (op.numOutputs() != 1) return "it has several outputs";
    analysis::AccessReader reader;
    for (Value output : op.outputs())
      for (unsigned i = 0; i < op.numInputs(); ++i)
        if (mayMeet(op, i, output, reader)) return "an input may be the output";
    return {};
  }

  /// Whether the input may have elements of the output, other than one at a time, as it is written.
  static bool mayMeet(StructuredOp op, unsigned input, Value output,
                      analysis::AccessReader& reader) {
    const Value value = op.inputs()[input];
    if (!value.type().isa<MemRefType>()) return false;
    const std::vector<AffineMap> maps = op.indexingMaps();
    const bool isSame =
        value == output && maps[input] == maps.back() && !addsUp(op) && maps.back().isPermutation();
    const analysis::Buffer a = reader.bufferOf(value), b = reader.bufferOf(output);
    const bool isOther =
        isOlder(value, output) || isOlder(output, value) || (a.isKnown() && b.isKnown() && a != b);
    return !isSame && !isOther;
  }

  /// Whether the memory is new, and the other one was there before.
  static bool isOlder(Value old, Value memory) {
    Operation* alloc = memref::viewSource(memory).definingOp();
    if (!alloc || !alloc->is("memref.alloc")) return false;
    Operation* made = old.definingOp();
    if (!made) return old.argumentBlock() == alloc->block();
    return made->block() == alloc->block() && made->isBeforeInBlock(alloc);
  }

  PassResult splitOp(Operation& op, PassContext& context) {
    StructuredOp linalg = linalg::asStructured(&op);
    if (const std::string obstacle = obstacleTo(linalg); !obstacle.empty()) {
      context.remark(op, obstacle);
      return PassResult::Unchanged;
    }
    if (std::max(l1_.sizes.size(), l2_.sizes.size()) > linalg.numLoops()) {
      context.remark(op, "it has fewer loops than there are sizes of a tile");
      return PassResult::Unchanged;
    }
    const std::vector<int64_t> whole = linalg.loopSizes();
    const std::optional<std::vector<int64_t>> l2 = givenTile(op, l2_, whole);
    if (!l2) return PassResult::Failed;
    const std::optional<std::vector<int64_t>> l1 =
        l1_.sizes.empty() ? TileChoice(linalg, *l2, l1_.level, l1Size_).run()
                          : givenTile(op, l1_, *l2);
    if (!l1 || !fits(linalg, *l1)) return PassResult::Failed;
    if (addsInAnotherOrder(linalg, *l2) || addsInAnotherOrder(linalg, *l1))
      context.remark(op, "its tiles add numbers in another order");
    op.removeAttr(kLinalgLabel);
    IndexConstants constants(op);
    Operation* tile = &op;
    if (!l2_.sizes.empty()) tile = LevelTiler(linalg, l2_, constants).run(*l2);
    LevelTiler(linalg::asStructured(tile), l1_, constants).run(*l1);
    context.declareEffectChange(CountedEffect::Store, "tiles are copied to buffers and back");
    return PassResult::Changed;
  }

  /// The sizes that the option gives, of a tile inside of one `around` it; none after an error.
  static std::optional<std::vector<int64_t>> givenTile(Operation& op, const LevelTiles& how,
                                                       std::vector<int64_t> around) {
    for (size_t loop = 0; loop < how.sizes.size(); ++loop) {
      const int64_t size = how.sizes[loop];
      if (size == 0) continue;
      if (size < 0 || around[loop] % size != 0) {
        op.emitOpError() << "not supported: a tile of " << size << " does not divide the "
                         << around[loop] << " rounds of loop " << loop;
        return std::nullopt;
      }
      around[loop] = size;
    }
    return around;
  }

  bool fits(StructuredOp op, std::span<const int64_t> tile) const {
    const int64_t bytes = bytesOfTile(op, tile, l1_.level);
    if (!l1_.copies || bytes <= l1Size_) return true;
    op->emitOpError() << "does not fit: a tile of L1 takes " << bytes << " bytes, and l1-size is "
                      << l1Size_;
    return false;
  }

  /// Whether a sum that is split has another one around it of which a tile takes several rounds.
  static bool addsInAnotherOrder(StructuredOp op, std::span<const int64_t> tile) {
    const std::vector<IteratorKind> kinds = op.iterators();
    const std::vector<int64_t> whole = op.loopSizes();
    bool takesSeveral = false;
    for (size_t loop = 0; loop < tile.size(); ++loop) {
      if (kinds[loop] == IteratorKind::Parallel) continue;
      if (takesSeveral && tile[loop] != whole[loop]) return true;
      takesSeveral |= tile[loop] > 1;
    }
    return false;
  }

  LevelTiles l1_, l2_{.level = air::MemoryLevel::L2};
  int64_t l1Size_ = 32768;
  std::string filter_;
  bool onlySimplifies_ = false;
};

}  // namespace

void registerLinalgCodegen(PassRegistry& registry) { registry.add<LinalgCodegen>(); }

}  // namespace airlite
