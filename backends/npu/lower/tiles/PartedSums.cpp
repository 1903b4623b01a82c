#include "PartedSums.hpp"

#include "../core/ProductParts.hpp"
#include "airlite/dialect/IndexValues.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/npu/device/MatrixUnit.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <unordered_set>
#include <utility>

namespace airlite::npu {

namespace {

using linalg::StructuredOp;

constexpr int64_t kMostParts = 4;
/// Cycles between the last product of a loop of the matrix unit and the first one of the next.
constexpr int64_t kCyclesOfStart = 80;

// -- Locks and descriptors ------------------------------------------------------------------------

bool usesLockOnce(Operation& op, aie::LockAction action) {
  const auto use = dynCast<aie::UseLockOp>(&op);
  return use && use.lock() && use.action() == action && use.value().isConstant() &&
         use.value().constant == 1;
}
bool takesLock(Operation& op) { return usesLockOnce(op, aie::LockAction::AcquireGreaterEqual); }
bool givesLock(Operation& op) { return usesLockOnce(op, aie::LockAction::Release); }

/// The use of the lock of `use` beside it: null unless it has two uses in all.
Operation* otherUse(Operation& use) {
  Operation* other = nullptr;
  size_t count = 0;
  for (OpOperand& operand : use.operand(0).uses())
    if (++count; operand.owner() != &use) other = operand.owner();
  return count == 2 ? other : nullptr;
}

/// Of a descriptor that alone is a ring.
bool isRing(Block& descriptor) {
  return descriptor.back().is("aie.next_bd") && descriptor.back().successor(0) == &descriptor &&
         isa<aie::MemOp>(descriptor.parentOp());
}

bool sendsAll(aie::DmaBdOp bd, MemRefType type) {
  const auto length = bd.length();
  const bool isWhole = !length || (length->isConstant() && length->constant == type.numElements());
  return isWhole && bd.offset().isConstant() && bd.offset().constant == 0 && bd.dims().empty() &&
         bd.padding().empty() && !bd.packet() && !bd.bdId() && !bd.outOfOrderId();
}

// -- Products -------------------------------------------------------------------------------------

/// Whether the op runs along a dimension of its output side by side, and its inputs have that loop as a dimension or not at all.
bool runsAlong(StructuredOp op, unsigned dim) {
  const std::vector<AffineMap> maps = op.indexingMaps();
  const AffineExpr along = maps.back().result(dim);
  if (along.kind() != AffineKind::Dim || op.usesIndices() || op.numOutputs() != 1 ||
      op.iterators()[along.position()] != linalg::IteratorKind::Parallel)
    return false;
  return std::ranges::all_of(maps, [&](const AffineMap& map) {
    return std::ranges::all_of(map.results(), [&](AffineExpr result) {
      return result == along || !result.usesDim(along.position());
    });
  });
}

bool endsWith(Value memory, int64_t rows, int64_t columns) {
  const std::span<const int64_t> shape = memory.type().cast<MemRefType>().shape();
  return shape.size() >= 2 && shape[shape.size() - 2] == rows && shape.back() == columns;
}

/// A product that the matrix unit makes of its factors as they lie.
struct UnitProduct {
  int64_t cycles = 0;
  int64_t tilesOfBlock = 0;  // along the parts: what a body of the unit adds to at once
};

/// What loops of an op run over, in tiles.
class TileCounts {
 public:
  TileCounts(StructuredOp op, const MatrixShape& shape)
      : maps_(op.indexingMaps()),
        sizes_(op.loopSizes()),
        iterators_(op.iterators()),
        shape_(shape) {}

  int64_t rows() const { return count(0) / shape_.rows; }
  int64_t columns() const { return count(1) / shape_.columns; }
  int64_t depth() const {
    int64_t product = 1;
    for (unsigned loop = 0; loop < sizes_.size(); ++loop)
      if (iterators_[loop] == linalg::IteratorKind::Reduction) product *= sizes_[loop];
    return product / shape_.depth;
  }
  bool isOfRows(unsigned loop) const { return isIn(0, loop); }

 private:
  bool isIn(unsigned operand, unsigned loop) const {
    return std::ranges::any_of(maps_[operand].results(),
                               [&](AffineExpr result) { return result.usesDim(loop); });
  }
  int64_t count(unsigned operand) const {
    int64_t product = 1;
    for (unsigned loop = 0; loop < sizes_.size(); ++loop)
      if (iterators_[loop] == linalg::IteratorKind::Parallel && isIn(operand, loop))
        product *= sizes_[loop];
    return product;
  }

  std::vector<AffineMap> maps_;
  std::vector<int64_t> sizes_;
  std::vector<linalg::IteratorKind> iterators_;
  const MatrixShape& shape_;
};

/// None for other products: what is prepared for a product would be prepared for each part. `dim`: of the sums, along which parts are.
std::optional<UnitProduct> unitProductOf(StructuredOp op, unsigned dim) {
  std::string why;
  if (!op.onBuffers() || !linalg::isMultiplyAdd(op)) return std::nullopt;
  const std::optional<ProductParts> parts = productPartsOf(op, why);
  if (!parts || !parts->isWhole()) return std::nullopt;
  const MatrixShape& shape = *parts->shape;
  if (shape.stepDepth || shape.elements.areBlocks ||
      !endsWith(op->operand(0), shape.rows, shape.depth) ||
      !endsWith(op->operand(1), shape.depth, shape.columns))
    return std::nullopt;
  const TileCounts tiles(op, shape);
  const unsigned sumBits = elementTypeOrSelf(op.outputs()[0].type()).bitWidth();
  const SumBlock block = bestBlock(shape, tiles.rows(), tiles.columns(), sumBits, tiles.depth());
  const bool isOfRows = tiles.isOfRows(op.indexingMaps().back().result(dim).position());
  return UnitProduct{tiles.rows() * tiles.columns() * tiles.depth(),
                     isOfRows ? block.rows : block.columns};
}

// -- The parts ------------------------------------------------------------------------------------

/// Into how many parts sums go, where that saves time.
class PartChoice {
 public:
  PartChoice(PartedSums& sums, const std::vector<StructuredOp>& products,
             const std::vector<memref::SubViewOp>& views)
      : sums_(sums), products_(products), views_(views) {}

  /// Along the outermost dimension of more than one element, if all products run along it side by side.
  bool choose() {
    const std::span<const int64_t> shape = sums_.buffer.type().shape();
    while (sums_.dim < shape.size() && shape[sums_.dim] == 1)
      ++sums_.dim;
    if (sums_.dim == shape.size() || !sums_.buffer.bytes()) return false;
    auto isAlong = [&](StructuredOp op) { return runsAlong(op, sums_.dim); };
    if (!std::ranges::all_of(products_, isAlong) || !std::ranges::all_of(sums_.epilogue, isAlong))
      return false;
    int64_t cycles = INT64_MAX;
    for (const StructuredOp& op : products_) {
      const std::optional<UnitProduct> product = unitProductOf(op, sums_.dim);
      if (!product) return false;
      cycles = std::min(cycles, product->cycles);
      unit_ = std::lcm(unit_, product->tilesOfBlock);
    }
    return sums_.results ? choosePartsOfResults(cycles) : choosePartsOfBuffer(cycles);
  }

 private:
  bool choosePartsOfResults(int64_t cycles) {
    sums_.parts = sums_.results.tripCount().value_or(0);
    return gainOf(sums_.parts, cycles) > 0 && makesResultsInOrder();
  }

  bool choosePartsOfBuffer(int64_t cycles) {
    int64_t best = 0;
    for (int64_t parts = 2; parts <= std::min(kMostParts, freeDescriptors() + 1); ++parts) {
      const bool isWords = *sums_.buffer.bytes() / parts % 4 == 0;
      const int64_t gain = isWords ? gainOf(parts, cycles) : 0;
      if (gain > best) best = gain, sums_.parts = parts;
    }
    return best > 0;
  }

  /// Cycles of a product of `cycles` that nothing waits for any more, less what the loops of its parts take.
  int64_t gainOf(int64_t parts, int64_t cycles) const {
    if (parts < 2 || sums_.buffer.type().shape()[sums_.dim] % (parts * unit_)) return 0;
    const int64_t sent = *sums_.buffer.bytes() / 4;
    return std::min(cycles, sent) / parts * (parts - 1) - parts * kCyclesOfStart;
  }

  int64_t freeDescriptors() const {
    int64_t used = 0;
    sums_.descriptor->parentOp()->walk([&](Operation& op) { used += op.is("aie.dma_bd"); });
    return aie::deviceOf(*sums_.buffer.op()).limits(aie::TileKind::Core).bds - used;
  }

  /// What index values are in one round of a loop.
  struct RoundValues {
    Value variable;
    int64_t number = 0;
    std::optional<int64_t> operator()(Value value) const {
      return value == variable ? number : computeNumber(value, *this);
    }
    std::optional<int64_t> operator()(const memref::MixedIndex& index) const {
      return index.value ? (*this)(index.value) : index.constant;
    }
  };

  /// Whether round i of the loop of results reads part i of the sums.
  bool makesResultsInOrder() const {
    const std::optional<int64_t> lower = constantIntOf(sums_.results.lowerBound()),
                                 step = constantIntOf(sums_.results.step());
    if (!lower || !step) return false;
    for (int64_t part = 0; part < sums_.parts; ++part) {
      const RoundValues values{sums_.results.inductionVar(), *lower + part * *step};
      auto isInPart = [&](memref::SubViewOp view) { return this->isInPart(view, part, values); };
      if (!std::ranges::all_of(views_, isInPart)) return false;
    }
    return true;
  }

  bool isInPart(memref::SubViewOp view, int64_t part, const RoundValues& values) const {
    const auto first = values(view.offsets()[sums_.dim]), size = values(view.sizes()[sums_.dim]),
               stride = values(view.strides()[sums_.dim]);
    const int64_t begin = part * sums_.partSize();
    return first && size && stride == 1 && *first >= begin &&
           *first + *size <= begin + sums_.partSize();
  }

  PartedSums& sums_;
  const std::vector<StructuredOp>& products_;
  const std::vector<memref::SubViewOp>& views_;
  int64_t unit_ = 1;  // of parts, which are whole blocks of the matrix unit
};

// -- The program of the core ----------------------------------------------------------------------

class Finder {
 public:
  explicit Finder(aie::BufferOp buffer) : sums_{.buffer = buffer} {}

  std::optional<PartedSums> find() {
    if (!readUses() || !(descriptor_ ? readDescriptor() : readResults()) || !readCore() ||
        !PartChoice(sums_, products_, views_).choose())
      return std::nullopt;
    return std::move(sums_);
  }

 private:
  /// A fill, products, whose results the buffer is, and a descriptor or views; besides a descriptor ops at the end.
  bool readUses() {
    for (OpOperand& use : sums_.buffer->result().uses()) {
      Operation* user = use.owner();
      const StructuredOp structured = linalg::asStructured(user);
      if (user->is("aie.dma_bd")) {
        if (descriptor_) return false;
        descriptor_ = aie::DmaBdOp(user);
      } else if (auto view = dynCast<memref::SubViewOp>(user)) {
        views_.push_back(view);
      } else if (user->is("linalg.fill")) {
        if (sums_.fill) return false;
        sums_.fill = user;
      } else if (structured) {
        users_.insert(user);
      } else {
        return false;
      }
    }
    return sums_.fill && static_cast<bool>(descriptor_) == views_.empty();
  }

  bool readDescriptor() {
    sums_.descriptor = descriptor_->block();
    if (!isRing(*sums_.descriptor) || !sendsAll(descriptor_, sums_.buffer.type())) return false;
    Operation* taken = nullptr;
    Operation* given = nullptr;
    for (Operation& op : sums_.descriptor->ops()) {
      if (takesLock(op)) taken = &op;
      if (givesLock(op)) given = &op;
    }
    if (!taken || !given) return false;
    sums_.taken = otherUse(*given), sums_.given = otherUse(*taken);
    return sums_.taken && sums_.given && takesLock(*sums_.taken) && givesLock(*sums_.given) &&
           aie::UseLockOp(sums_.taken).lock().init() == 1 &&
           aie::UseLockOp(sums_.given).lock().init() == 0;
  }

  bool readResults() {
    Operation* nest = views_.front()->parentOp();
    if (!isa<scf::ForOp>(nest)) return false;
    sums_.results = scf::ForOp(nest);
    return sums_.results.numIterArgs() == 0 &&
           std::ranges::all_of(views_,
                               [&](memref::SubViewOp view) { return view->parentOp() == nest; });
  }

  /// Takes the buffer, fills it, adds to it, and gives it or makes results of it.
  bool readCore() {
    Operation* op = sums_.taken ? sums_.taken : sums_.fill;
    Operation* last = sums_.given ? sums_.given : sums_.results.op();
    bool isFilled = false;
    for (; op && (op == sums_.taken || op == sums_.fill || isMemoryEffectFree(*op));
         op = op->next())
      isFilled |= op == sums_.fill;
    if (!op || op == last || !isFilled) return false;
    Operation* end = isa<scf::ForOp>(op) ? readLoop(scf::ForOp(op)) : readProducts(op, last);
    for (; end && end != last; end = end->next())
      if (!readEnd(*end)) return false;
    return end && products_.size() == sums_.segments.size() &&
           products_.size() + sums_.epilogue.size() == users_.size() &&
           std::ranges::all_of(sums_.segments, isAlone) && !useFactors();
  }

  /// What follows the loop of products; null for other loops.
  Operation* readLoop(scf::ForOp loop) {
    const std::optional<int64_t> rounds = loop.tripCount();
    if (!rounds || *rounds < 1 || loop.numIterArgs() != 0 || loop.inductionVar().hasUses())
      return nullptr;
    sums_.loop = loop;
    readSegments(&loop.body().front(), loop.yield().op());
    return loop->next();
  }

  /// What follows the last product and the locks that are given for its factors.
  Operation* readProducts(Operation* op, Operation* last) {
    Operation* end = op;
    for (Operation* next = op; next && next != last; next = next->next())
      if (isProduct(*next)) end = next->next();
    while (end && end != last && (givesLock(*end) || end->is("arith.constant")))
      end = end->next();
    readSegments(op, end);
    return end;
  }

  /// Of other memory, into the buffer.
  bool isProduct(Operation& op) const {
    const StructuredOp structured(users_.contains(&op) ? &op : nullptr);
    const Value sums = sums_.buffer->result();
    return structured && structured.reduces() && structured.numOutputs() == 1 &&
           structured.outputs()[0] == sums &&
           std::ranges::none_of(structured.inputs(), [&](Value input) { return input == sums; });
  }

  void readSegments(Operation* op, Operation* end) {
    Segment segment;
    for (; op && op != end; op = op->next()) {
      if (op->is("arith.constant")) continue;
      if ((isProduct(*op) || takesLock(*op)) && products_.size() > sums_.segments.size()) {
        sums_.segments.push_back(std::move(segment));
        segment.clear();
      }
      if (isProduct(*op)) products_.emplace_back(op);
      segment.push_back(op);
    }
    sums_.segments.push_back(std::move(segment));
  }

  /// After the products: ops that know nothing of the sums, ops on the sums, locks that are given.
  bool readEnd(Operation& op) {
    if (op.is("arith.constant")) return true;
    if (users_.contains(&op)) {
      sums_.epilogue.emplace_back(&op);
      return sums_.after.empty() && sums_.descriptor && isOfSumsAlone(sums_.epilogue.back());
    }
    if (givesLock(op)) return sums_.after.push_back(&op), true;
    sums_.before.push_back(&op);
    return sums_.epilogue.empty() && sums_.after.empty();
  }

  /// Whether it makes of each sum another one.
  bool isOfSumsAlone(StructuredOp op) const {
    if (op.numOutputs() != 1 || op.outputs()[0] != sums_.buffer->result() || op.reduces())
      return false;
    const std::vector<AffineMap> maps = op.indexingMaps();
    for (unsigned i = 0; i < op.numInputs(); ++i)
      if (op->operand(i) == sums_.buffer->result() && maps[i] != maps.back()) return false;
    return maps.back().isPermutation();
  }

  /// Whether nothing else uses what a segment makes.
  static bool isAlone(const Segment& segment) {
    return std::ranges::all_of(segment, [&](Operation* op) {
      return std::ranges::all_of(op->resultValues(), [&](Value result) {
        return std::ranges::all_of(result.uses(), [&](OpOperand& use) {
          return std::ranges::any_of(
              segment, [&](Operation* user) { return user->isAncestor(use.owner()); });
        });
      });
    });
  }

  /// Whether something after the products touches the factors of the last product, which will be made after it.
  bool useFactors() const {
    std::unordered_set<Value> factors;
    for (const StructuredOp& op : products_)
      for (Value input : op.inputs())
        factors.insert(memref::viewSource(input));
    auto isUser = [&](Operation& op) {
      const bool found = std::ranges::any_of(
          op.operands(), [&](Value value) { return factors.contains(memref::viewSource(value)); });
      return found ? WalkResult::Interrupt : WalkResult::Advance;
    };
    auto anyIn = [&](Operation* op) { return op->walkWith(isUser) == WalkResult::Interrupt; };
    return std::ranges::any_of(sums_.before, anyIn) ||
           std::ranges::any_of(sums_.epilogue, anyIn, &StructuredOp::op) ||
           (sums_.results && anyIn(sums_.results.op()));
  }

  PartedSums sums_;
  aie::DmaBdOp descriptor_;
  std::unordered_set<Operation*> users_;  // structured ops beside the fill
  std::vector<StructuredOp> products_;
  std::vector<memref::SubViewOp> views_;
};

}  // namespace

std::optional<PartedSums> findPartedSums(aie::BufferOp buffer) { return Finder(buffer).find(); }

}  // namespace airlite::npu
