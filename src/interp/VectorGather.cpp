// Vectors whose elements lie apart (gather, scatter, expandload, compressstore), and bitcasts.
#include "VectorInternal.hpp"
#include "dialect/ConstantFolding.hpp"

namespace airlite::interp {

namespace {

// -- Elements that a mask selects -----------------------------------------------------------------

/// Operands: the memref, its indices, how far from there each element is (of gather and scatter),
/// the mask, what is stored or stands for elements that are not read.
struct Picking {
  ElementLayout layout;
  uint32_t rank = 0;
  unsigned width = 0;  // of the distances; 0: elements that are selected follow each other
  bool isRead = false;
  uint32_t distances() const { return rank + 1; }
};

Step poisonLane(Run& run, const Inst& inst, Lane lane, std::string_view use) {
  Slot slot;
  slot.setPoison(lane.origin);
  return run.machine.poisonError(run, inst, slot, use);
}

class Picker {
 public:
  Picker(Run& run, const Inst& inst) : run_(run), inst_(inst) {}

  Step run() {
    const View& view = run_.in(inst_, 0).as<View>();
    if (Step s = readNumbers(run_, inst_, 1, picking_.rank, start_, "an index"); s != Step::Next)
      return s;
    if (Step s = checkMemory(run_, inst_, view, !picking_.isRead); s != Step::Next) return s;
    size_t count = mask_.as<Array>().lanes.size();
    for (size_t i = 0; i < count; ++i)
      if (Step s = element(view, i); s != Step::Next) return s;
    if (picking_.isRead) setLanes(run_.out(inst_), std::move(lanes_), true);
    return Step::Next;
  }

 private:
  Step element(const View& view, size_t i) {
    Lane chosen = laneOf(mask_, i);
    if (chosen.origin) return poisonLane(run_, inst_, chosen, "the mask");
    lanes_.push_back(laneOf(value_, i));
    if (!chosen.bits) return Step::Next;
    int64_t distance = taken_++;
    if (picking_.width) {
      Lane lane = laneOf(run_.in(inst_, picking_.distances()), i);
      if (lane.origin) return poisonLane(run_, inst_, lane, "an index");
      distance = folding::signExtend(lane.bits, picking_.width);
    }
    return move(view, i, distance);
  }

  Step move(const View& view, size_t i, int64_t distance) {
    int64_t index[kMaxRank], at = 0;
    size_t address = 0;
    std::copy_n(start_, picking_.rank, index);
    index[picking_.rank - 1] += distance;
    if (Step s = checkIndices(run_, inst_, view, {index, picking_.rank}, at); s != Step::Next)
      return s;
    if (Step s = addressOf(run_, inst_, view, at, picking_.layout.stride(), address);
        s != Step::Next)
      return s;
    if (!picking_.isRead) {
      storeLane(*view.memory, address, picking_.layout.bytes, lanes_[i]);
      return Step::Next;
    }
    Slot read;
    loadSlot(run_, inst_, view, address, picking_.layout, read);
    lanes_[i] = laneOf(read, 0);
    return Step::Next;
  }

  Run& run_;
  const Inst& inst_;
  const Picking& picking_ = *static_cast<const Picking*>(inst_.data);
  const Slot &mask_ = run_.in(inst_, inst_.numIn - 2), &value_ = run_.in(inst_, inst_.numIn - 1);
  int64_t start_[kMaxRank];
  int64_t taken_ = 0;
  std::vector<Lane> lanes_;
};

Step doPick(Run& run, const Inst& inst) {
  const auto& picking = *static_cast<const Picking*>(inst.data);
  if (run.in(inst, 0).kind() != SlotKind::View) return Step::Retry;
  for (uint32_t i = picking.distances(); i < inst.numIn; ++i)
    if (run.in(inst, i).kind() != SlotKind::Array) return Step::Retry;
  return Picker(run, inst).run();
}

bool compilePick(Builder& b, Operation& op) {
  bool hasDistances = op.is("vector.gather") || op.is("vector.scatter");
  Picking picking;
  picking.layout = layoutOf(elementTypeOrSelf(op.operand(0).type()));
  picking.rank = op.operandGroup(1u).size();
  picking.isRead = op.numResults() == 1;
  if (hasDistances)
    picking.width = elementTypeOrSelf(op.operand(picking.distances()).type()).bitWidth();
  if (!picking.layout.bytes || picking.layout.isVector || picking.rank == 0 ||
      picking.rank > kMaxRank)
    return false;
  Builder::Registers in = b.useAll(op.operands());
  b.emit(doPick, op, in, b.defineResults(op)).data = b.arena().make<Picking>(picking);
  return true;
}

/// On a tensor scatter makes a new one; not every version of the op has this form.
bool compileScatter(Builder& b, Operation& op) {
  return op.numResults() == 0 && compilePick(b, op);
}

// -- The same bits --------------------------------------------------------------------------------

struct Widths {
  unsigned from = 0, to = 0;
};

/// Low bits stand first.
Step doBitcast(Run& run, const Inst& inst) {
  const auto& widths = *static_cast<const Widths*>(inst.data);
  if (!hasLanes(run.in(inst, 0))) return Step::Retry;
  const std::vector<Lane> from = run.in(inst, 0).as<Array>().lanes;
  std::vector<Lane> to(from.size() * widths.from / widths.to);
  for (size_t bit = 0, end = to.size() * widths.to; bit < end; ++bit) {
    const Lane& source = from[bit / widths.from];
    Lane& target = to[bit / widths.to];
    if (source.origin) target.origin = source.origin;
    target.bits |= (source.bits >> (bit % widths.from) & 1) << (bit % widths.to);
  }
  setLanes(run.out(inst), std::move(to), true);
  return Step::Next;
}

bool compileBitcast(Builder& b, Operation& op) {
  Widths widths{elementTypeOrSelf(op.operand(0).type()).bitWidth(),
                elementTypeOrSelf(op.result().type()).bitWidth()};
  if (widths.from == 0 || widths.to == 0 || widths.from > 64 || widths.to > 64) return false;
  b.emit(doBitcast, op, {b.use(op.operand(0))}, b.defineResults(op)).data =
      b.arena().make<Widths>(widths);
  return true;
}

/// What is printed is seen by nobody here.
bool compilePrint(Builder&, Operation&) { return true; }

}  // namespace

void addVectorGather(CompileTable& table) {
  for (std::string_view name : {"vector.gather", "vector.expandload", "vector.compressstore"})
    table[name] = compilePick;
  table["vector.scatter"] = compileScatter;
  table["vector.bitcast"] = compileBitcast;
  table["vector.print"] = compilePrint;
}

}  // namespace airlite::interp
