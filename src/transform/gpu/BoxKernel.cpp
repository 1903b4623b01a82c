// The kernel of an op that brings memory into another order: a workgroup reads a box of the loops along the rows of what
// it reads, 16 bytes of a work-item at a time, keeps it in LDS in that order, and takes the elements out in the order of
// the result.
#include "BoxKernel.hpp"

#include "GridWriter.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/support/Divisors.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace airlite::gpu {
namespace {

using linalg::StructuredOp;

/// Of a run of memory that a box covers at least, where sizes allow: a line of the cache.
constexpr int64_t kRunBytes = 128;
/// Of a box, with which a workgroup has enough to do, and of LDS at most.
constexpr int64_t kGoodBoxBytes = 8192, kMostBoxBytes = 16384;

int64_t elementBytes(Value operand) {
  return static_cast<int64_t>(elementTypeOrSelf(operand.type()).bitWidth()) / 8;
}

/// The loops in the order of memory, the innermost first.
std::vector<unsigned> orderOf(AffineMap map) {
  std::vector<unsigned> loops;
  for (unsigned i = map.numResults(); i-- > 0;)
    loops.push_back(map.result(i).position());
  return loops;
}

/// The operand in memory that the op reads; none: there are several, or the op is none for boxes.
std::optional<unsigned> movedOperand(StructuredOp op) {
  if (!op.onBuffers() || op->numResults() || op.numOutputs() != 1 || op.readsOutput(0) ||
      op.numLoops() < 2 || !hasWideBody(op))
    return std::nullopt;
  std::optional<unsigned> moved;
  const auto maps = op.indexingMaps();
  for (unsigned i = 0; i < op->numOperands(); ++i) {
    const auto memref = op->operand(i).type().dynCast<MemRefType>();
    if (!memref) continue;
    const bool isOutput = i >= op.numInputs();
    if (!memref.hasIdentityLayout() || !memref.hasStaticShape() ||
        memref.elementType().bitWidth() % 8 || !maps[i].isPermutation() || (!isOutput && moved))
      return std::nullopt;
    if (!isOutput) moved = i;
  }
  if (!moved || !maps.back().isIdentity() || maps[*moved].isIdentity()) return std::nullopt;
  return moved;
}

int64_t powerIn(int64_t number) {
  return int64_t(1) << std::countr_zero(static_cast<uint64_t>(number));
}

class BoxPlanner {
 public:
  BoxPlanner(StructuredOp op, unsigned moved)
      : sizes_(op.loopSizes()),
        reads_(orderOf(op.indexingMaps()[moved])),
        writes_(orderOf(op.indexingMaps().back())),
        readBytes_(elementBytes(op->operand(moved))),
        writeBytes_(elementBytes(op.outputs()[0])) {
    plan_.sizes.assign(sizes_.size(), 1);
  }

  std::optional<BoxPlan> run(int64_t computeUnits) {
    if (std::ranges::count(sizes_, 0)) return std::nullopt;
    cover(writes_, kRunBytes / writeBytes_);
    cover(reads_, kRunBytes / readBytes_);
    grow(computeUnits);
    plan_.readWidth = widthAlong(reads_, readBytes_);
    plan_.writeWidth = widthAlong(writes_, writeBytes_);
    plan_.bytes = std::min(plan_.readWidth * readBytes_, plan_.writeWidth * writeBytes_);
    return elements() * readBytes_ <= kMostBoxBytes ? std::optional(plan_) : std::nullopt;
  }

  /// Of an access of a work-item that has a point each, or some next to each other.
  int64_t bytesOfPoints() const {
    if (reads_[0] != writes_[0]) return std::min(readBytes_, writeBytes_);
    const int64_t bytes = std::max(readBytes_, writeBytes_);
    return std::min(powerIn(sizes_[reads_[0]]), kAccessBytes / bytes) * bytes;
  }

 private:
  int64_t elements() const {
    return std::accumulate(plan_.sizes.begin(), plan_.sizes.end(), int64_t(1), std::multiplies());
  }

  void cover(const std::vector<unsigned>& order, int64_t elements) {
    int64_t run = 1;
    for (unsigned loop : order) {
      if (run >= elements) return;
      int64_t& size = plan_.sizes[loop];
      size = std::max(size, divisorUpTo(sizes_[loop], (elements + run - 1) / run));
      if (size != sizes_[loop]) return;
      run *= size;
    }
  }

  void grow(int64_t computeUnits) {
    int64_t groups = 1;
    for (size_t i = 0; i < sizes_.size(); ++i)
      groups *= sizes_[i] / plan_.sizes[i];
    const int64_t bytes = std::max(readBytes_, writeBytes_);
    for (const auto* order : {&writes_, &reads_})
      for (unsigned loop : *order)
        for (int64_t factor = 2; factor <= sizes_[loop] / plan_.sizes[loop]; ++factor)
          while (sizes_[loop] / plan_.sizes[loop] % factor == 0 &&
                 groups / factor >= computeUnits && elements() * bytes * factor <= kGoodBoxBytes) {
            plan_.sizes[loop] *= factor;
            groups /= factor;
          }
  }

  /// Whole loops that are powers of two, and a part of the next one.
  int64_t widthAlong(const std::vector<unsigned>& order, int64_t bytes) const {
    int64_t width = 1;
    for (unsigned loop : order) {
      const int64_t size = plan_.sizes[loop];
      width *= std::min(powerIn(size), kAccessBytes / bytes / width);
      if (size != sizes_[loop] || powerIn(size) != size) break;
    }
    return width;
  }

  std::vector<int64_t> sizes_;
  std::vector<unsigned> reads_, writes_;
  int64_t readBytes_, writeBytes_;
  BoxPlan plan_;
};

/// One side of the copy: memory, in the order of which vectors are numbered.
struct Side {
  Value memory;                  ///< one row of all elements
  std::vector<unsigned> order;   ///< of the loops, the innermost first
  std::vector<int64_t> strides;  ///< of the loops in memory
  std::vector<int64_t> covered;  ///< of each loop by a vector
  int64_t width = 1;
};

class BoxWriter : public GridWriter {
 public:
  BoxWriter(StructuredOp op, const BoxPlan& plan, const amdgpu::GpuDevice& device)
      : GridWriter(op, device),
        plan_(plan),
        moved_(*movedOperand(op)),
        elements_(
            std::accumulate(plan.sizes.begin(), plan.sizes.end(), int64_t(1), std::multiplies())),
        element_(elementTypeOrSelf(op->operand(moved_).type())),
        chunk_(kAccessBytes / elementBytes(op->operand(moved_))) {}

  void write() {
    int64_t groups = 1;
    for (unsigned loop = 0; loop < op_.numLoops(); ++loop)
      groups *= op_.loopSizes()[loop] / plan_.sizes[loop];
    const int64_t vectors = elements_ / std::max(plan_.readWidth, plan_.writeWidth);
    const int64_t waves = std::clamp<int64_t>(vectors / device_.wave, 1, kWavesOfGroup);
    openGroups(index(groups));
    const int64_t shape[] = {(elements_ + rowOfLds() - 1) / rowOfLds() * rowOfLds()};
    lds_ = memref::AllocOp::create(
               builder_, location(),
               MemRefType::get(context(), shape, element_, Attribute(), builder_.i64Attr(1)))
               .result();
    openWaves(waves, false);
    const Value lane =
        builder_.create(location(), "gpu.lane_id", {}, {builder_.indexType()})->result();
    item_ = binary("arith.addi", times(waveOfGroup(), device_.wave), lane);
    items_ = waves * device_.wave;
    startBox();
    const auto maps = op_.indexingMaps();
    const Side from = sideOf(op_->operand(moved_), maps[moved_], plan_.readWidth);
    const Side to = sideOf(op_.outputs()[0], maps.back(), plan_.writeWidth);
    boxStrides_ = stridesOf(from.order, plan_.sizes);
    readBox(from);
    workgroupBarrier();
    writeBox(to);
    close();
  }

 private:
  /// Boxes are numbered in the order of the result.
  void startBox() {
    Value rest = group();
    starts_.resize(op_.numLoops());
    for (unsigned loop = op_.numLoops(); loop-- > 0;) {
      const int64_t count = op_.loopSizes()[loop] / plan_.sizes[loop];
      starts_[loop] = count == 1 ? index(0) : times(remainder(rest, count), plan_.sizes[loop]);
      rest = quotient(rest, count);
    }
  }

  static std::vector<int64_t> stridesOf(const std::vector<unsigned>& order,
                                        const std::vector<int64_t>& sizes) {
    std::vector<int64_t> strides(sizes.size());
    int64_t stride = 1;
    for (unsigned loop : order) {
      strides[loop] = stride;
      stride *= sizes[loop];
    }
    return strides;
  }

  Side sideOf(Value memory, AffineMap map, int64_t width) {
    Side side{memory, orderOf(map), {}, std::vector<int64_t>(op_.numLoops(), 1), width};
    side.strides = stridesOf(side.order, op_.loopSizes());
    std::vector<int64_t> all(op_.numLoops());
    std::iota(all.begin(), all.end(), 0);
    const memref::Reassociation row = {all};
    side.memory = memref::CollapseShapeOp::create(builder_, location(), memory, row).result();
    for (unsigned loop : side.order) {
      side.covered[loop] = std::min(width, powerIn(plan_.sizes[loop]));
      width /= side.covered[loop];
    }
    return side;
  }

  /// Where vector `number` of a side begins in the box.
  std::vector<Value> placeOf(const Side& side, Value number) {
    std::vector<Value> place(op_.numLoops());
    for (unsigned loop : side.order) {
      const int64_t count = plan_.sizes[loop] / side.covered[loop];
      place[loop] = count == 1 ? index(0) : times(remainder(number, count), side.covered[loop]);
      number = quotient(number, count);
    }
    return place;
  }

  Value sumOf(std::span<const Value> places, std::span<const int64_t> strides) {
    Value sum;
    for (size_t i = 0; i < places.size(); ++i) {
      const Value part = times(places[i], strides[i]);
      sum = sum ? binary("arith.addi", sum, part) : part;
    }
    return sum;
  }

  Value addressOf(const Side& side, std::span<const Value> place) {
    std::vector<Value> all;
    for (size_t i = 0; i < place.size(); ++i)
      all.push_back(binary("arith.addi", starts_[i], place[i]));
    return sumOf(all, side.strides);
  }

  /// All vectors of a side, one after the other of a work-item.
  template <typename Body> void forVectors(const Side& side, Body body) {
    const int64_t vectors = elements_ / side.width;
    for (int64_t first = 0; first < vectors; first += items_) {
      const Value number = plus(item_, first);
      if (first + items_ <= vectors) {
        body(number);
        continue;
      }
      scf::IfOp guard =
          scf::IfOp::create(builder_, location(), {}, isBelow(number, index(vectors)));
      builder_.setBefore(guard.thenBlock().back());
      body(number);
      builder_.setAfter(*guard.op());
    }
  }

  // -- LDS: rows of all banks, whose chunks of 16 bytes turn from row to row and once more from one group of rows to the
  // -- next, so that what work-items read across, some rows apart, lies in different banks.

  int64_t rowOfLds() const { return chunk_ * kRunBytes / kAccessBytes; }

  Value placeInLds(Value number) {
    constexpr int64_t kChunks = kRunBytes / kAccessBytes;
    const Value row = quotient(number, rowOfLds()), inRow = remainder(number, rowOfLds());
    const std::array turns = {quotient(inRow, chunk_), row, quotient(row, chunk_)};
    const Value turned = sumOf(turns, std::array<int64_t, 3>{1, 1, 1});
    return sumOf(std::array{row, remainder(turned, kChunks), remainder(inRow, chunk_)},
                 std::array{rowOfLds(), chunk_, int64_t(1)});
  }

  void readBox(const Side& from) {
    const Type type = vectorType({from.width}, element_);
    forVectors(from, [&](Value number) {
      const Value address = addressOf(from, placeOf(from, number));
      const Value vector =
          builder_.create(location(), "vector.load", {from.memory, address}, {type})->result();
      const int64_t bytes = from.width * elementBytes(from.memory);
      builder_.create(location(), "vector.store",
                      {vector, lds_, placeInLds(times(number, from.width))}, {},
                      {builder_.named("alignment", builder_.i64Attr(bytes))});
    });
  }

  void writeBox(const Side& to) {
    forVectors(to, [&](Value number) {
      const std::vector<Value> place = placeOf(to, number);
      const Value first = sumOf(place, boxStrides_);
      std::vector<Value> elements;
      for (int64_t i = 0; i < to.width; ++i)
        elements.push_back(
            memref::LoadOp::create(builder_, location(), lds_,
                                   std::vector{placeInLds(plus(first, distanceOf(to, i)))})
                .result());
      const Type types[] = {vectorType({to.width}, element_)};
      std::vector<Value> arguments(op_->numOperands());
      for (unsigned i = 0; i < op_.numInputs(); ++i)
        arguments[i] = op_->operand(i);
      arguments[moved_] =
          builder_.create(location(), "vector.from_elements", elements, types)->result();
      const Value made = applyBody(op_, arguments, {{to.width}})[0];
      builder_.create(location(), "vector.store", {made, to.memory, addressOf(to, place)}, {});
    });
  }

  /// Of element `i` of a vector from its first one, in the box as it was read.
  int64_t distanceOf(const Side& side, int64_t i) const {
    int64_t distance = 0;
    for (unsigned loop : side.order) {
      distance += i % side.covered[loop] * boxStrides_[loop];
      i /= side.covered[loop];
    }
    return distance;
  }

  const BoxPlan& plan_;
  unsigned moved_;
  int64_t elements_;
  Type element_;
  int64_t chunk_;  ///< elements of 16 bytes
  Value lds_, item_;
  int64_t items_ = 0;  ///< of a workgroup
  std::vector<Value> starts_;
  std::vector<int64_t> boxStrides_;
};

}  // namespace

std::optional<BoxPlan> planBoxes(StructuredOp op, const amdgpu::GpuDevice& device) {
  const auto moved = movedOperand(op);
  if (!moved) return std::nullopt;
  BoxPlanner planner(op, *moved);
  const auto plan = planner.run(device.computeUnits);
  return plan && plan->bytes > planner.bytesOfPoints() ? plan : std::nullopt;
}

void createBoxLaunch(StructuredOp op, const BoxPlan& plan, const amdgpu::GpuDevice& device) {
  BoxWriter(op, plan, device).write();
}

}  // namespace airlite::gpu
