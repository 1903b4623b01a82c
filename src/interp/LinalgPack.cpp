// linalg.pack, linalg.unpack and linalg.softmax: one instruction each. On tensors the result is a
// copy of the destination that is written so.
#include "Access.hpp"
#include "airlite/dialect/Evaluate.hpp"
#include "airlite/dialect/Linalg.hpp"

namespace airlite::interp {

namespace {

/// Calls `visit(index)` for each point of a box, in row-major order, until it does not say Next.
template <class Visit> Step forEachPackIndex(const std::vector<int64_t>& sizes, Visit visit) {
  for (int64_t size : sizes)
    if (size <= 0) return Step::Next;
  std::vector<int64_t> index(sizes.size(), 0);
  for (;;) {
    if (Step s = visit(index); s != Step::Next) return s;
    size_t d = sizes.size();
    while (d > 0 && ++index[d - 1] == sizes[d - 1])
      index[--d] = 0;
    if (d == 0) return Step::Next;
  }
}

/// Two views, element by element.
class Elements {
 public:
  Elements(Run& run, const Inst& inst, const ElementLayout& layout)
      : run_(run), inst_(inst), layout_(layout) {}

  Step load(const View& view, const std::vector<int64_t>& index, Slot& out) const {
    size_t address = 0;
    if (Step s = find(view, index, address); s != Step::Next) return s;
    loadSlot(run_, inst_, view, address, layout_, out);
    return Step::Next;
  }

  Step store(const View& view, const std::vector<int64_t>& index, const Slot& value) const {
    size_t address = 0;
    if (Step s = find(view, index, address); s != Step::Next) return s;
    return storeSlot(run_, view, address, layout_, value) ? Step::Next : Step::Retry;
  }

 private:
  Step find(const View& view, const std::vector<int64_t>& index, size_t& address) const {
    int64_t at = 0;
    if (Step s = checkIndices(run_, inst_, view, index, at); s != Step::Next) return s;
    return addressOf(run_, inst_, view, at, layout_.stride(), address);
  }

  Run& run_;
  const Inst& inst_;
  const ElementLayout& layout_;
};

const View* viewAt(Run& run, const Inst& inst, uint32_t i) {
  const Slot& slot = run.in(inst, i);
  return slot.kind() == SlotKind::View ? &slot.as<View>() : nullptr;
}

/// Both are there, and may be touched.
Step checkBoth(Run& run, const Inst& inst, const View*& from, const View*& to) {
  from = viewAt(run, inst, 0), to = viewAt(run, inst, 1);
  if (!from || !to) return Step::Retry;
  if (Step s = checkMemory(run, inst, *from, false); s != Step::Next) return s;
  return checkMemory(run, inst, *to, true);
}

/// The register that is written: the destination, or a copy of the tensor that it is.
uint32_t written(Builder& b, Operation& op, Value dest) {
  uint32_t reg = b.use(dest);
  if (op.numResults() == 0) return reg;
  return emitCopyTensor(b, op, reg, dest.type(), b.defineResults(op));
}

// -- pack and unpack ------------------------------------------------------------------------------

struct Packing {
  ElementLayout layout;
  std::vector<int64_t> innerDims, permutation;

  /// The element of the unpacked side that stands at `packed`, whose last sizes are the tiles.
  std::vector<int64_t> unpacked(const std::vector<int64_t>& packed,
                                const std::vector<int64_t>& sizes) const {
    size_t rank = permutation.size();
    std::vector<int64_t> index(rank);
    for (size_t i = 0; i < rank; ++i)
      index[static_cast<size_t>(permutation[i])] = packed[i];
    for (size_t k = 0; k < innerDims.size(); ++k) {
      int64_t& at = index[static_cast<size_t>(innerDims[k])];
      at = at * sizes[rank + k] + packed[rank + k];
    }
    return index;
  }
};

bool isInside(const std::vector<int64_t>& index, const View& view) {
  for (size_t i = 0; i < index.size(); ++i)
    if (index[i] < 0 || index[i] >= view.sizes[i]) return false;
  return true;
}

bool fits(const Packing& packing, const View& unpacked, const View& packed) {
  return unpacked.sizes.size() == packing.permutation.size() &&
         packed.sizes.size() == packing.permutation.size() + packing.innerDims.size();
}

Step badShapes(Run& run, const Inst& inst, const View& from, const View& to) {
  run.machine.error(run, *inst.op)
      << "'" << inst.op->name() << "' from the shape " << indexText(from.sizes) << " to the shape "
      << indexText(to.sizes);
  return Step::Fail;
}

/// in: source, destination, the padding value where there is one.
Step doPack(Run& run, const Inst& inst) {
  const auto& packing = *static_cast<const Packing*>(inst.data);
  const View *from = nullptr, *to = nullptr;
  if (Step s = checkBoth(run, inst, from, to); s != Step::Next) return s;
  if (!fits(packing, *from, *to)) return badShapes(run, inst, *from, *to);
  Elements elements(run, inst, packing.layout);
  return forEachPackIndex(to->sizes, [&](const std::vector<int64_t>& index) {
    std::vector<int64_t> at = packing.unpacked(index, to->sizes);
    if (!isInside(at, *from))
      return inst.numIn > 2 ? elements.store(*to, index, run.in(inst, 2))
                            : badShapes(run, inst, *from, *to);
    Slot value;
    if (Step s = elements.load(*from, at, value); s != Step::Next) return s;
    return elements.store(*to, index, value);
  });
}

/// in: source, destination. The padding is not copied.
Step doUnpack(Run& run, const Inst& inst) {
  const auto& packing = *static_cast<const Packing*>(inst.data);
  const View *from = nullptr, *to = nullptr;
  if (Step s = checkBoth(run, inst, from, to); s != Step::Next) return s;
  if (!fits(packing, *to, *from)) return badShapes(run, inst, *from, *to);
  Elements elements(run, inst, packing.layout);
  return forEachPackIndex(from->sizes, [&](const std::vector<int64_t>& index) {
    std::vector<int64_t> at = packing.unpacked(index, from->sizes);
    if (!isInside(at, *to)) return Step::Next;
    Slot value;
    if (Step s = elements.load(*from, index, value); s != Step::Next) return s;
    return elements.store(*to, at, value);
  });
}

bool compilePack(Builder& b, Operation& op) {
  linalg::PackView view(&op);
  bool isPack = op.is("linalg.pack") || op.is("tensor.pack");
  Packing packing{layoutOf(elementTypeOrSelf(view.source().type())), view.innerDims(),
                  view.outerPermutation()};
  if (!packing.layout.bytes) return false;
  Builder::Registers in{b.use(view.source())};
  Builder::Registers padding =
      isPack ? b.useAll(op.operandGroup("padding_value")) : Builder::Registers();
  in.push_back(written(b, op, view.dest()));
  in.insert(in.end(), padding.begin(), padding.end());
  b.emit(isPack ? doPack : doUnpack, op, in).data = b.arena().make<Packing>(packing);
  return true;
}

// -- softmax --------------------------------------------------------------------------------------

struct Softmax {
  ElementLayout layout;
  size_t dim = 0;
  ElementOp max, sub, exp, add, div;
};

/// Elements along the dimension, in its order: the greatest, exp(x - greatest), their sum.
class SoftmaxRun {
 public:
  SoftmaxRun(const Softmax& ops, const Elements& elements) : ops_(ops), elements_(elements) {}

  Step row(const View& from, const View& to, std::vector<int64_t> index) {
    int64_t count = from.sizes[ops_.dim];
    std::vector<Slot> values(static_cast<size_t>(count));
    for (int64_t i = 0; i < count; ++i) {
      index[ops_.dim] = i;
      if (Step s = elements_.load(from, index, values[static_cast<size_t>(i)]); s != Step::Next)
        return s;
    }
    compute(values);
    for (int64_t i = 0; i < count; ++i) {
      index[ops_.dim] = i;
      if (Step s = elements_.store(to, index, values[static_cast<size_t>(i)]); s != Step::Next)
        return s;
    }
    return Step::Next;
  }

 private:
  void compute(std::vector<Slot>& values) const {
    for (const Slot& value : values)
      if (value.isPoison()) {  // all of the row depends on it
        uint64_t origin = value.bits();
        for (Slot& each : values)
          each.setPoison(origin);
        return;
      }
    uint64_t greatest = values[0].bits(), sum = 0;
    for (size_t i = 1; i < values.size(); ++i)
      greatest = apply(ops_.max, greatest, values[i].bits());
    for (Slot& value : values) {
      value.setBits(apply(ops_.exp, apply(ops_.sub, value.bits(), greatest)));
      sum = apply(ops_.add, sum, value.bits());
    }
    for (Slot& value : values)
      value.setBits(apply(ops_.div, value.bits(), sum));
  }

  static uint64_t apply(const ElementOp& op, uint64_t a, uint64_t b = 0) {
    uint64_t in[] = {a, b}, out[2] = {};
    op.compute(op, in, out);
    return out[0];
  }

  const Softmax& ops_;
  const Elements& elements_;
};

Step doSoftmax(Run& run, const Inst& inst) {
  const auto& ops = *static_cast<const Softmax*>(inst.data);
  const View *from = nullptr, *to = nullptr;
  if (Step s = checkBoth(run, inst, from, to); s != Step::Next) return s;
  if (from->sizes != to->sizes) return badShapes(run, inst, *from, *to);
  std::vector<int64_t> rows = from->sizes;
  if (rows[ops.dim] == 0) return Step::Next;
  rows[ops.dim] = 1;
  Elements elements(run, inst, ops.layout);
  SoftmaxRun softmax(ops, elements);
  return forEachPackIndex(
      rows, [&](const std::vector<int64_t>& index) { return softmax.row(*from, *to, index); });
}

bool compileSoftmax(Builder& b, Operation& op) {
  Type element = elementTypeOrSelf(op.operand(0).type());
  bool isFit = element.isFloat() && element == elementTypeOrSelf(op.operand(1).type());
  auto found = [&](std::string_view name) { return namedElementOp(name, element, element); };
  auto max = found("arith.maxnumf"), sub = found("arith.subf"), exp = found("math.exp"),
       add = found("arith.addf"), div = found("arith.divf");
  if (!isFit || !max || !sub || !exp || !add || !div) return false;
  Softmax softmax{layoutOf(element),
                  static_cast<size_t>(op.attrOf<IntegerAttr>("dimension").value()),
                  *max,
                  *sub,
                  *exp,
                  *add,
                  *div};
  if (!softmax.layout.bytes) return false;
  uint32_t source = b.use(op.operand(0));
  b.emit(doSoftmax, op, {source, written(b, op, op.operand(1))}).data =
      b.arena().make<Softmax>(softmax);
  return true;
}

}  // namespace

void addLinalgPack(CompileTable& table) {
  table["linalg.pack"] = compilePack;
  table["linalg.unpack"] = compilePack;
  table["tensor.pack"] = compilePack;
  table["tensor.unpack"] = compilePack;
  table["linalg.softmax"] = compileSoftmax;
}

}  // namespace airlite::interp
