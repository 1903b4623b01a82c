// Tensors that are made element by element (generate, pad, splat), out of several (concat), or by
// positions that another tensor holds (gather, scatter); and where tensors meet buffers.
#include "Access.hpp"
#include "airlite/dialect/Tensor.hpp"
#include "dialect/ConstantFolding.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace airlite::interp {

namespace {

Type tensorElementOf(Value value) { return elementTypeOrSelf(value.type()); }

bool compileShapeOnly(Builder&, Operation&) { return true; }

bool compileTensorView(Builder& b, Operation& op) {
  b.move(op, {b.use(op.operand(0))}, {b.defineResults(op)});
  return true;
}

// -- Element by element ---------------------------------------------------------------------------

/// Goes to `jump` inside of a box. in: the index, where the box begins, its size; of each
/// dimension.
Step doSkipInside(Run& run, const Inst& inst) {
  int64_t numbers[3 * kMaxRank];
  if (Step s = readNumbers(run, inst, 0, inst.numIn, numbers, "an index"); s != Step::Next)
    return s;
  for (uint32_t i = 0; i < inst.numIn; i += 3)
    if (numbers[i] < numbers[i + 1] || numbers[i] >= numbers[i + 1] + numbers[i + 2])
      return Step::Next;
  run.pc = inst.jump;
  return Step::Next;
}

/// The body says what stands at each position of a tensor; positions in a box are left out.
class ByPosition {
 public:
  ByPosition(Builder& b, Operation& op, Builder::Registers sizes)
      : b_(b), op_(op), body_(op.region(0).front()), sizes_(std::move(sizes)) {}

  void leaveOut(Builder::Registers begin, Builder::Registers size) {
    begin_ = std::move(begin);
    size_ = std::move(size);
  }

  void emit(uint32_t out) {
    out_ = out;
    zero_ = b_.constant(op_, 0);
    one_ = b_.constant(op_, 1);
    nest(0);
  }

 private:
  void nest(unsigned depth) {
    if (depth == sizes_.size()) return element();
    counters_.push_back(b_.define(body_.argument(depth)));
    b_.forLoop(op_, zero_, sizes_[depth], one_, 64, counters_[depth], [&] { nest(depth + 1); });
  }

  void element() {
    std::optional<uint32_t> skip;
    if (!begin_.empty()) {
      Builder::Registers in;
      for (size_t i = 0; i < counters_.size(); ++i)
        in.insert(in.end(), {counters_[i], begin_[i], size_[i]});
      b_.emit(doSkipInside, op_, in);
      skip = b_.here() - 1;
    }
    b_.block(body_, [&](Operation& end) {
      emitStore(b_, end, b_.use(end.operand(0)), out_, counters_, tensorElementOf(op_.result()));
    });
    if (skip) b_.patch(*skip);
  }

  Builder& b_;
  Operation& op_;
  Block& body_;
  Builder::Registers sizes_, begin_, size_, counters_;
  uint32_t out_ = 0, zero_ = 0, one_ = 0;
};

Builder::Registers sizesOf(Builder& b, Operation& op, OperandRange open) {
  auto type = op.result().type().cast<RankedTensorType>();
  return mixedRegisters(b, op, memref::mixedIndices(type.shape(), open));
}

bool compileGenerate(Builder& b, Operation& op) {
  Builder::Registers sizes = sizesOf(b, op, op.operands());
  uint32_t out = b.defineResults(op);
  if (!op.region(0).hasOneBlock() || !emitEmpty(b, op, sizes, tensorElementOf(op.result()), out))
    return false;
  ByPosition(b, op, sizes).emit(out);
  return true;
}

/// in: the value, the tensor.
Step doFill(Run& run, const Inst& inst) {
  const auto& layout = *static_cast<const ElementLayout*>(inst.data);
  const Slot& slot = run.in(inst, 1);
  if (slot.kind() != SlotKind::View) return Step::Retry;
  const View& view = slot.as<View>();
  for (int64_t i = 0, end = product(view.sizes); i < end; ++i)
    if (!storeSlot(run, view, static_cast<size_t>(i) * layout.stride(), layout, run.in(inst, 0)))
      return Step::Retry;
  return Step::Next;
}

bool compileSplat(Builder& b, Operation& op) {
  Builder::Registers sizes =
      sizesOf(b, op, op.operands().slice(1, static_cast<unsigned>(op.numOperands() - 1)));
  uint32_t out = b.defineResults(op);
  Type element = tensorElementOf(op.result());
  if (!emitEmpty(b, op, sizes, element, out)) return false;
  b.emit(doFill, op, {b.use(op.operand(0)), out}).data =
      b.arena().make<ElementLayout>(layoutOf(element));
  return true;
}

// -- Parts of a larger tensor ---------------------------------------------------------------------

Step doSum(Run& run, const Inst& inst) {
  int64_t sum = 0;
  for (uint32_t i = 0; i < inst.numIn; ++i) {
    int64_t number = 0;
    if (Step s = readNumbers(run, inst, i, 1, &number, "a size"); s != Step::Next) return s;
    if (!__builtin_add_overflow(sum, number, &sum)) continue;
    run.machine.error(run, *inst.op) << "the sum of sizes overflows";
    return Step::Fail;
  }
  run.out(inst).setBits(static_cast<uint64_t>(sum));
  return Step::Next;
}

uint32_t emitSum(Builder& b, Operation& op, const Builder::Registers& in) {
  uint32_t out = b.temporary();
  b.emit(doSum, op, in, out);
  return out;
}

/// Copies the tensor `part`, of these sizes, into `whole`.
void emitPart(Builder& b, Operation& op, uint32_t part, uint32_t whole,
              const Builder::Registers& begin, const Builder::Registers& size) {
  Builder::Registers lists = begin;
  lists.insert(lists.end(), size.begin(), size.end());
  lists.insert(lists.end(), size.size(), b.constant(op, 1));
  uint32_t window = b.temporary();
  emitWindow(b, op, whole, lists, std::vector<bool>(size.size(), false), window);
  emitCopy(b, op, part, window, tensorElementOf(op.result()));
}

Builder::Registers allSizes(Builder& b, Operation& op, uint32_t tensor, size_t rank) {
  Builder::Registers sizes;
  for (unsigned i = 0; i < rank; ++i)
    sizes.push_back(emitSizeOf(b, op, tensor, i));
  return sizes;
}

bool compilePad(Builder& b, Operation& op) {
  tensor::PadOp pad(&op);
  auto rank = static_cast<size_t>(pad.sourceType().rank());
  if (rank > kMaxRank || !op.region(0).hasOneBlock()) return false;
  uint32_t source = b.use(pad.source()), out = b.defineResults(op);
  Builder::Registers low = mixedRegisters(b, op, pad.low()),
                     high = mixedRegisters(b, op, pad.high()),
                     inner = allSizes(b, op, source, rank), sizes;
  for (size_t i = 0; i < rank; ++i)
    sizes.push_back(emitSum(b, op, {low[i], inner[i], high[i]}));
  if (!emitEmpty(b, op, sizes, tensorElementOf(op.result()), out)) return false;
  ByPosition around(b, op, sizes);
  around.leaveOut(low, inner);
  around.emit(out);
  emitPart(b, op, source, out, low, inner);
  return true;
}

bool compileConcat(Builder& b, Operation& op) {
  auto rank = static_cast<size_t>(op.result().type().cast<RankedTensorType>().rank());
  auto dim = static_cast<size_t>(op.attrOf<IntegerAttr>("dim").value());
  if (rank > kMaxRank || dim >= rank) return false;
  Builder::Registers inputs = b.useAll(op.operands());
  std::vector<Builder::Registers> sizes;
  Builder::Registers lengths;
  for (uint32_t input : inputs) {
    sizes.push_back(allSizes(b, op, input, rank));
    lengths.push_back(sizes.back()[dim]);
  }
  Builder::Registers whole = sizes[0];
  whole[dim] = emitSum(b, op, lengths);
  uint32_t out = b.defineResults(op);
  if (!emitEmpty(b, op, whole, tensorElementOf(op.result()), out)) return false;
  Builder::Registers begin(rank, b.constant(op, 0));
  for (size_t i = 0; i < inputs.size(); ++i) {
    emitPart(b, op, inputs[i], out, begin, sizes[i]);
    begin[dim] = emitSum(b, op, {begin[dim], lengths[i]});
  }
  return true;
}

/// The elements of a slice need not be dense.
bool compileTensorReshape(Builder& b, Operation& op) {
  if (!layoutOf(tensorElementOf(op.operand(0))).bytes) return false;
  uint32_t dense = emitCopyTensor(b, op, b.use(op.operand(0)), op.operand(0).type(), b.temporary());
  return emitReshape(b, op, dense, b.defineResults(op));
}

// -- Positions that a tensor holds ----------------------------------------------------------------

/// Slices of size 1 in the dimensions `dims` of `whole`, one for each position. `parts` has the
/// dimensions of the positions first, then those of a slice, with or without `dims`.
struct TensorPicking {
  ElementLayout layout, positions;
  std::vector<int64_t> dims;
  bool isScatter = false;
};

class TensorPicker {
 public:
  TensorPicker(Run& run, const Inst& inst) : run_(run), inst_(inst) {}

  /// in: the whole, the positions, the parts. Each is there.
  Step run() {
    std::vector<int64_t> dense = rowMajorStrides(parts_.sizes);
    Step result = Step::Next;
    forEachOffset(parts_.sizes, dense, 0, [&](int64_t at) {
      std::vector<int64_t> index(parts_.sizes.size());
      for (size_t d = 0; d < index.size(); ++d) {
        index[d] = at / dense[d];
        at %= dense[d];
      }
      result = element(index);
      return result == Step::Next;
    });
    return result;
  }

 private:
  const View& viewAt(uint32_t i) const { return run_.in(inst_, i).as<View>(); }

  Step addressIn(const View& view, const std::vector<int64_t>& index, uint32_t stride,
                 size_t& address) const {
    int64_t at = 0;
    if (Step s = checkIndices(run_, inst_, view, index, at); s != Step::Next) return s;
    return addressOf(run_, inst_, view, at, stride, address);
  }

  /// Coordinate `k` of the position that `index` begins with.
  Step coordinate(const std::vector<int64_t>& index, size_t k, int64_t& number) const {
    std::vector<int64_t> at(index.begin(), index.begin() + static_cast<ptrdiff_t>(batch_));
    at.push_back(static_cast<int64_t>(k));
    size_t address = 0;
    if (Step s = addressIn(positions_, at, picking_.positions.stride(), address); s != Step::Next)
      return s;
    Slot slot;
    loadSlot(run_, inst_, positions_, address, picking_.positions, slot);
    if (slot.isPoison()) return run_.machine.poisonError(run_, inst_, slot, "a position");
    number = folding::signExtend(slot.bits(), picking_.positions.bytes * 8);
    return Step::Next;
  }

  Step element(const std::vector<int64_t>& index) const {
    size_t rank = whole_.sizes.size();
    std::vector<int64_t> at(rank, -1);
    for (size_t k = 0; k < picking_.dims.size(); ++k)
      if (Step s = coordinate(index, k, at[static_cast<size_t>(picking_.dims[k])]); s != Step::Next)
        return s;
    bool keepsDims = index.size() - batch_ == rank;
    std::set<int64_t> chosen(picking_.dims.begin(), picking_.dims.end());
    size_t next = batch_;
    for (size_t d = 0; d < rank; ++d) {
      bool isChosen = chosen.contains(static_cast<int64_t>(d));
      if (!isChosen) at[d] = index[next];
      if (!isChosen || keepsDims) ++next;
    }
    return move(at, index);
  }

  Step move(const std::vector<int64_t>& inWhole, const std::vector<int64_t>& inPart) const {
    const View &from = picking_.isScatter ? parts_ : whole_,
               &to = picking_.isScatter ? whole_ : parts_;
    size_t source = 0, target = 0;
    uint32_t stride = picking_.layout.stride();
    if (Step s = addressIn(from, picking_.isScatter ? inPart : inWhole, stride, source);
        s != Step::Next)
      return s;
    if (Step s = addressIn(to, picking_.isScatter ? inWhole : inPart, stride, target);
        s != Step::Next)
      return s;
    for (uint32_t i = 0; i < stride; i += picking_.layout.bytes)
      storeLane(*to.memory, target + i, picking_.layout.bytes,
                loadLane(*from.memory, source + i, picking_.layout.bytes));
    return Step::Next;
  }

  Run& run_;
  const Inst& inst_;
  const TensorPicking& picking_ = *static_cast<const TensorPicking*>(inst_.data);
  const View &whole_ = viewAt(0), &positions_ = viewAt(1), &parts_ = viewAt(2);
  size_t batch_ = positions_.sizes.size() - 1;
};

Step doTensorPick(Run& run, const Inst& inst) {
  for (uint32_t i = 0; i < 3; ++i)
    if (run.in(inst, i).kind() != SlotKind::View) return Step::Retry;
  return TensorPicker(run, inst).run();
}

bool pickingOf(Operation& op, Value positions, std::string_view dims, TensorPicking& picking) {
  picking.layout = layoutOf(tensorElementOf(op.result()));
  picking.positions = layoutOf(tensorElementOf(positions));
  auto list = op.attrOf<DenseArrayAttr>(dims);
  if (!list || !picking.layout.bytes || !picking.positions.bytes) return false;
  picking.dims.assign(list.values().begin(), list.values().end());
  return true;
}

int64_t rankOf(Value tensor) { return tensor.type().cast<RankedTensorType>().rank(); }

/// The sizes of the positions but the last, then those of the source; the dimensions that are
/// picked from are 1 there, or left out.
Builder::Registers gatheredSizes(Builder& b, Operation& op, const TensorPicking& picking,
                                 uint32_t whole, uint32_t positions) {
  auto batch = static_cast<size_t>(rankOf(op.operand(1)) - 1);
  Builder::Registers sizes = allSizes(b, op, positions, batch);
  bool keepsDims = rankOf(op.result()) == rankOf(op.operand(0)) + static_cast<int64_t>(batch);
  for (unsigned d = 0; d < rankOf(op.operand(0)); ++d) {
    bool isPicked = std::ranges::find(picking.dims, d) != picking.dims.end();
    if (isPicked && keepsDims) sizes.push_back(b.constant(op, 1));
    if (!isPicked) sizes.push_back(emitSizeOf(b, op, whole, d));
  }
  return sizes;
}

bool compileGather(Builder& b, Operation& op) {
  TensorPicking picking;
  Value source = op.operand(0), positions = op.operand(1);
  if (!pickingOf(op, positions, "gather_dims", picking)) return false;
  uint32_t out = b.defineResults(op), whole = b.use(source), list = b.use(positions);
  if (!emitEmpty(b, op, gatheredSizes(b, op, picking, whole, list), tensorElementOf(op.result()),
                 out))
    return false;
  b.emit(doTensorPick, op, {whole, list, out}).data = b.arena().make<TensorPicking>(picking);
  return true;
}

bool compileTensorScatter(Builder& b, Operation& op) {
  TensorPicking picking;
  picking.isScatter = true;
  Value parts = op.operand(0), dest = op.operand(1), positions = op.operand(2);
  if (!pickingOf(op, positions, "scatter_dims", picking)) return false;
  uint32_t from = b.use(parts), list = b.use(positions);
  uint32_t out = emitCopyTensor(b, op, b.use(dest), dest.type(), b.defineResults(op));
  b.emit(doTensorPick, op, {out, list, from}).data = b.arena().make<TensorPicking>(picking);
  return true;
}

// -- Tensors and buffers --------------------------------------------------------------------------

bool compileAllocTensor(Builder& b, Operation& op) {
  OperandRange copy = op.operandGroup("copy");
  uint32_t out = b.defineResults(op);
  Type element = tensorElementOf(op.result());
  if (copy.empty())
    return emitEmpty(b, op, sizesOf(b, op, op.operandGroup("dynamic_sizes")), element, out);
  if (!layoutOf(element).bytes) return false;
  emitCopyTensor(b, op, b.use(copy[0]), copy[0].type(), out);
  return true;
}

bool compileMaterialize(Builder& b, Operation& op) {
  Value source = op.operand(0);
  if (!layoutOf(tensorElementOf(source)).bytes) return false;
  if (op.numResults() == 0)
    emitCopy(b, op, b.use(source), b.use(op.operand(1)), tensorElementOf(source));
  else
    emitCopyTensor(b, op, b.use(source), source.type(), b.defineResults(op));
  return true;
}

/// in: memrefs, their conditions, the retained memrefs; imm: how many of the first; out: for each
/// of the last, whether it is owned now.
Step doDeallocOwned(Run& run, const Inst& inst) {
  auto count = static_cast<uint32_t>(inst.imm);
  std::set<Memory*> freed, kept;
  std::map<Memory*, bool> owned;
  std::vector<int64_t> condition(count);
  for (uint32_t i = 0; i < inst.numIn; ++i)
    if ((i < count || i >= 2 * count) && run.in(inst, i).kind() != SlotKind::View)
      return Step::Retry;
  if (Step s = readNumbers(run, inst, count, count, condition.data(), "a condition");
      s != Step::Next)
    return s;
  for (uint32_t i = 0; i < count; ++i)
    if (condition[i]) owned[run.in(inst, i).as<View>().memory.get()] = true;
  for (uint32_t i = 2 * count; i < inst.numIn; ++i) {
    Memory* memory = run.in(inst, i).as<View>().memory.get();
    kept.insert(memory);
    run.out(inst, i - 2 * count).setBits(owned.contains(memory) ? 1 : 0);
  }
  for (uint32_t i = 0; i < count; ++i) {
    Memory* memory = run.in(inst, i).as<View>().memory.get();
    if (!condition[i] || kept.contains(memory) || !freed.insert(memory).second) continue;
    if (Step s = freeMemory(run, inst, *memory); s != Step::Next) return s;
  }
  return Step::Next;
}

bool compileDeallocOwned(Builder& b, Operation& op) {
  Inst& inst = b.emit(doDeallocOwned, op, b.useAll(op.operands()), b.defineResults(op));
  inst.imm = op.operandGroup("memrefs").size();
  return true;
}

}  // namespace

void addTensorShapes(CompileTable& table) {
  table["tensor.rank"] = table.at("memref.rank");
  table["tensor.bitcast"] = compileTensorView;
  table["tensor.generate"] = compileGenerate;
  table["tensor.splat"] = compileSplat;
  table["tensor.pad"] = compilePad;
  table["tensor.concat"] = compileConcat;
  table["tensor.reshape"] = compileTensorReshape;
  table["tensor.gather"] = compileGather;
  table["tensor.scatter"] = compileTensorScatter;
  table["bufferization.alloc_tensor"] = compileAllocTensor;
  table["bufferization.materialize_in_destination"] = compileMaterialize;
  table["bufferization.dealloc_tensor"] = compileShapeOnly;
  table["bufferization.dealloc"] = compileDeallocOwned;
}

}  // namespace airlite::interp
