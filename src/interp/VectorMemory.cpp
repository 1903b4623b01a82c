// Vectors from and to memory: load, store, transfers, masked accesses.
#include "VectorInternal.hpp"
#include "airlite/dialect/Vector.hpp"

namespace airlite::interp {

namespace {

/// Which elements an access names. Operands: the vector (of a write), the memref at `memref`, its
/// indices, then what replaces missing elements (of a read), then the mask.
struct VectorAccess {
  ElementLayout layout;
  std::vector<int64_t> shape;  // of the vector
  std::vector<int> memrefDim;  // of each dimension of the vector; -1: one element repeated
  std::vector<bool> inBounds;  // of each dimension of the vector
  uint32_t memref = 0, rank = 0;
  bool hasFill = false, hasMask = false, isMasked1D = false;
  uint32_t fill() const { return memref + 1 + rank; }
  uint32_t mask(const Inst& inst) const { return inst.numIn - 1; }
};

struct MaskedPosition {
  std::vector<int64_t> index;  // in the memref
  bool inside = true;
};

MaskedPosition positionOf(const VectorAccess& access, const View& view,
                          std::span<const int64_t> start, const std::vector<int64_t>& at) {
  MaskedPosition position{{start.begin(), start.end()}, true};
  for (size_t d = 0; d < at.size(); ++d) {
    if (access.memrefDim[d] < 0) continue;
    auto dim = static_cast<size_t>(access.memrefDim[d]);
    position.index[dim] += at[d];
    bool fits = position.index[dim] >= 0 && position.index[dim] < view.sizes[dim];
    if (!fits && !access.inBounds[d]) position.inside = false;
  }
  return position;
}

bool isMaskedOut(Run& run, const Inst& inst, const VectorAccess& access, size_t lane) {
  return access.hasMask && laneOf(run.in(inst, access.mask(inst)), lane).bits == 0;
}

/// Calls `element(lane, address)` for what is read or written, `missing(lane)` for the rest.
template <class Element, class Missing>
Step forEachLane(Run& run, const Inst& inst, const VectorAccess& access, bool writes,
                 Element element, Missing missing) {
  const Slot& slot = run.in(inst, access.memref);
  if (slot.kind() != SlotKind::View) return Step::Retry;
  for (uint32_t i = 0; i < inst.numIn; ++i)
    if (run.in(inst, i).kind() == SlotKind::Pending) return Step::Retry;
  const View& view = slot.as<View>();
  int64_t start[kMaxRank];
  if (Step s = readNumbers(run, inst, access.memref + 1, access.rank, start, "an index");
      s != Step::Next)
    return s;
  if (Step s = checkMemory(run, inst, view, writes); s != Step::Next) return s;
  std::vector<int64_t> at(access.shape.size(), 0);
  for (size_t lane = 0, count = static_cast<size_t>(product(access.shape)); lane < count; ++lane) {
    MaskedPosition position = positionOf(access, view, {start, access.rank}, at);
    if (!position.inside || isMaskedOut(run, inst, access, lane)) {
      missing(lane);
    } else {
      int64_t linear = 0;
      size_t address = 0;
      if (Step s = checkIndices(run, inst, view, position.index, linear); s != Step::Next) return s;
      if (Step s = addressOf(run, inst, view, linear, access.layout.stride(), address);
          s != Step::Next)
        return s;
      element(lane, address);
    }
    for (size_t d = at.size(); d-- > 0;) {
      if (++at[d] < access.shape[d]) break;
      at[d] = 0;
    }
  }
  return Step::Next;
}

Step doRead(Run& run, const Inst& inst) {
  const auto& access = *static_cast<const VectorAccess*>(inst.data);
  std::vector<Lane> lanes(static_cast<size_t>(product(access.shape)));
  auto read = [&](size_t lane, size_t address) {
    Slot value;
    loadSlot(run, inst, run.in(inst, access.memref).as<View>(), address, access.layout, value);
    lanes[lane] = laneOf(value, 0);
  };
  auto fill = [&](size_t lane) { lanes[lane] = laneOf(run.in(inst, access.fill()), lane); };
  if (Step s = forEachLane(run, inst, access, false, read, fill); s != Step::Next) return s;
  setLanes(run.out(inst), std::move(lanes), true);
  return Step::Next;
}

Step doWrite(Run& run, const Inst& inst) {
  const auto& access = *static_cast<const VectorAccess*>(inst.data);
  auto write = [&](size_t lane, size_t address) {
    storeLane(*run.in(inst, access.memref).as<View>().memory, address, access.layout.bytes,
              laneOf(run.in(inst, 0), lane));
  };
  return forEachLane(run, inst, access, true, write, [](size_t) {});
}

/// The innermost dimensions, all of which must be there.
VectorAccess minorAccess(Type memref, Type vector, uint32_t rank) {
  VectorAccess access;
  access.layout = layoutOf(elementTypeOrSelf(memref));
  access.shape = vectorShape(vector);
  access.rank = rank;
  auto dims = static_cast<int>(access.shape.size());
  for (int d = 0; d < dims; ++d) {
    access.memrefDim.push_back(static_cast<int>(rank) - dims + d);
    access.inBounds.push_back(true);
  }
  return access;
}

bool isKnown(const VectorAccess& access) {
  bool fits = access.layout.bytes && !access.layout.isVector && access.rank <= kMaxRank;
  for (int dim : access.memrefDim)
    fits = fits && dim >= -1 && dim < static_cast<int>(access.rank);
  return fits;
}

bool emitAccess(Builder& b, Operation& op, VectorAccess access, const Builder::Registers& in,
                bool isRead, uint32_t out) {
  if (!isKnown(access)) return false;
  b.emit(isRead ? doRead : doWrite, op, in, out).data = b.arena().make<VectorAccess>(access);
  return true;
}

bool compileVectorLoad(Builder& b, Operation& op) {
  vector::LoadOp load(&op);
  VectorAccess access = minorAccess(load.base().type(), op.result().type(), load.indices().size());
  Builder::Registers in{b.use(load.base())};
  for (Value index : load.indices())
    in.push_back(b.use(index));
  return emitAccess(b, op, access, in, true, b.defineResults(op));
}

bool compileVectorStore(Builder& b, Operation& op) {
  vector::StoreOp store(&op);
  VectorAccess access =
      minorAccess(store.base().type(), store.value().type(), store.indices().size());
  access.memref = 1;
  Builder::Registers in{b.use(store.value()), b.use(store.base())};
  for (Value index : store.indices())
    in.push_back(b.use(index));
  return emitAccess(b, op, access, in, false, 0);
}

bool compileAffine(Builder& b, Operation& op) {
  bool isRead = op.numResults() == 1;
  affine::AccessOp view(&op);
  Builder::Registers indices = applyMap(b, op, view.access()), in;
  Type vector = isRead ? op.result().type() : op.operand(0).type();
  VectorAccess access =
      minorAccess(view.memref().type(), vector, static_cast<uint32_t>(indices.size()));
  if (!isRead) in.push_back(b.use(op.operand(0)));
  access.memref = isRead ? 0 : 1;
  in.push_back(b.use(view.memref()));
  in.insert(in.end(), indices.begin(), indices.end());
  return emitAccess(b, op, access, in, isRead, isRead ? b.defineResults(op) : 0);
}

bool compileTransfer(Builder& b, Operation& op) {
  vector::TransferOp transfer(&op);
  bool isRead = transfer.isRead();
  VectorAccess access;
  access.layout = layoutOf(transfer.shapedType().elementType());
  access.shape = vectorShape(transfer.vectorType());
  access.rank = transfer.indices().size();
  access.memref = isRead ? 0 : 1;
  access.hasFill = isRead;
  AffineMap map = transfer.permutationMap();
  for (unsigned d = 0; d < map.numResults(); ++d) {
    bool isDim = map.result(d).kind() == AffineKind::Dim;
    if (!isDim && !isRead) return false;
    access.memrefDim.push_back(isDim ? static_cast<int>(map.result(d).position()) : -1);
    access.inBounds.push_back(transfer.isInBounds(d));
  }
  // The mask of a transposed transfer has the order of the memref.
  access.hasMask = static_cast<bool>(transfer.mask());
  if (access.hasMask && !std::is_sorted(access.memrefDim.begin(), access.memrefDim.end()))
    return false;
  Builder::Registers in;
  uint32_t out = b.defineResults(op), memory = b.use(transfer.source());
  if (!isRead) in.push_back(b.use(op.operand(0)));
  if (!isRead && op.numResults())
    memory = emitCopyTensor(b, op, memory, transfer.shapedType(), out);
  in.push_back(memory);
  for (Value index : transfer.indices())
    in.push_back(b.use(index));
  if (isRead) in.push_back(b.use(vector::TransferReadOp(&op).padding()));
  if (access.hasMask) in.push_back(b.use(transfer.mask()));
  return emitAccess(b, op, access, in, isRead, out);
}

/// in, as the ops have it: base, indices, mask, pass_thru (or the value to store).
bool compileMasked(Builder& b, Operation& op) {
  bool isRead = op.numResults() == 1;
  uint32_t rank = op.operandGroup(1u).size();
  Value mask = op.operand(rank + 1), value = op.operand(rank + 2);
  VectorAccess access = minorAccess(op.operand(0).type(), value.type(), rank);
  access.hasMask = true;
  access.memref = isRead ? 0 : 1;
  Builder::Registers in;
  if (!isRead) in.push_back(b.use(value));
  for (unsigned i = 0; i <= rank; ++i)
    in.push_back(b.use(op.operand(i)));
  if (isRead) in.push_back(b.use(value));
  in.push_back(b.use(mask));
  for (size_t d = 0; d < access.inBounds.size(); ++d)
    access.inBounds[d] = false;
  return emitAccess(b, op, access, in, isRead, isRead ? b.defineResults(op) : 0);
}

}  // namespace

void addVectorMemory(CompileTable& table) {
  table["vector.load"] = compileVectorLoad;
  table["vector.store"] = compileVectorStore;
  table["vector.maskedload"] = compileMasked;
  table["vector.maskedstore"] = compileMasked;
  table["vector.transfer_read"] = compileTransfer;
  table["vector.transfer_write"] = compileTransfer;
  table["affine.vector_load"] = compileAffine;
  table["affine.vector_store"] = compileAffine;
}

}  // namespace airlite::interp
