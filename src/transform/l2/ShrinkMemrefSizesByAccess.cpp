// air-shrink-memref-sizes-by-access: a buffer is as large as what is used of it.
//
// Matches allocations in L2 and L1, of constant shape and without a layout, of which puts, gets,
// loads, stores and views with constant sizes use a box only: in each dimension the same place,
// plus a range that does not depend on where the buffer was made. The place may be another one in
// each iteration of a loop around the allocation, or on each core. The buffer becomes as large as
// the box, offsets lose the place, strides and the types of views become those of the new shape.
// `air.shrinkage = true` on the allocation says so to air-verify-hierarchy-locality.
//
// Declines, with a remark:
//  - a buffer that is passed on, to a herd or a call, or used through views other than subviews
//  - accesses whose places differ by more than a number, or are not known
//  - lists that can not be split into steps along the dimensions of the buffer
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/pass/Pass.hpp"
#include "analysis/BufferBoxes.hpp"
#include "analysis/BufferUses.hpp"
#include "transform/channels/AccessLists.hpp"
#include "transform/dependency/TokenMoves.hpp"

#include <algorithm>
#include <numeric>

namespace airlite::air {

namespace {

using analysis::AccessList;
using analysis::LinearReader;
using analysis::LinearSum;
using memref::MixedIndex;

// Operand groups of put and get.
constexpr unsigned kAccessOffsetGroup = 3, kAccessStrideGroup = 5;

constexpr std::string_view kUnknownPlace = "where an access reads or writes is not known";

/// An access, as the sums that make up its place: those of a list, or the indices along the
/// dimensions.
struct Use {
  Operation* op = nullptr;
  AccessList list;  // of a put or get
  bool isList = false;
  BufferBox box;  // symbols are those that have one value for each buffer
};

/// One class: finding the uses of one buffer and rewriting them go over the same list.
class Shrinker {
 public:
  /// `made`: the allocation, or the execute around it.
  Shrinker(memref::AllocOp alloc, Operation& made)
      : alloc_(alloc), made_(made), shape_(shapeOf(alloc.type())) {}

  /// Empty when the buffer was made smaller or is as small as can be, else why not.
  std::string_view run(IndexConstants& constants, bool& changed) {
    if (std::string_view why = collect(); !why.empty()) return why;
    if (uses_.empty()) return {};
    if (std::string_view why = findBox(); !why.empty()) return why;
    if (size_ == shape_) return {};
    for (Use& use : uses_)
      if (!canMove(use)) return "an offset would become negative";
    for (Use& use : uses_)
      rewrite(use, constants);
    setTypes();
    dropViews();
    changed = true;
    return {};
  }

 private:
  // -- Reading

  std::string_view collect() {
    BufferUses all(alloc_.result());
    Value result = forwarded();
    if (all.escapes || isHandedOn(alloc_.result()) || (result && isHandedOn(result)))
      return "the buffer is passed on";
    for (Operation* op : all.accesses) {
      if (isThroughView(*op)) {
        if (!isIndifferent(*op)) return "a user of a view may need its layout";
        continue;
      }
      Use use{op, {}, false, {}};
      std::string_view why = read(use);
      if (!why.empty()) return why;
      if (!use.box.bindAll([&](Value symbol) { return isInner(symbol); }, reader_))
        return kUnknownPlace;
      uses_.push_back(std::move(use));
    }
    return {};
  }

  /// The buffer as a result of the execute around its allocation; null without.
  Value forwarded() const {
    for (OpOperand& use : alloc_.result().uses()) {
      Operation& end = *use.owner();
      if (end.parentOp() == &made_ && end.hasTrait(Trait::Terminator))
        return made_.result(made_.numResults() - end.numOperands() + use.index());
    }
    return Value();
  }
  /// An execute other than that of the allocation has it as a result.
  bool isHandedOn(Value memref) const {
    UseRange uses = memref.uses();
    return std::any_of(uses.begin(), uses.end(), [&](OpOperand& use) {
      return use.owner()->hasTrait(Trait::Terminator) && use.owner()->parentOp() != &made_;
    });
  }

  /// The op uses a subview of the buffer, not the buffer.
  bool isThroughView(Operation& op) const {
    return std::none_of(op.operands().begin(), op.operands().end(),
                        [&](Value value) { return isBuffer(value); });
  }
  bool isBuffer(Value value) const {
    while (value && value != alloc_.result()) {
      Operation* def = value.definingOp();
      value = def && isa<ExecuteOp>(def) ? bufferBefore(value) : Value();
    }
    return static_cast<bool>(value);
  }

  /// Works on any layout.
  static bool isIndifferent(Operation& op) {
    if (isChannelAccess(op)) return ChannelAccessOp(&op).access().isWhole();
    return linalg::asStructured(&op) || isa<memref::LoadOp>(&op) || isa<memref::StoreOp>(&op);
  }

  /// More than one value while the buffer lives.
  bool isInner(Value symbol) const {
    Block* block = symbol.parentBlock();
    for (Block* up = made_.block(); up; up = up->parentOp() ? up->parentOp()->block() : nullptr)
      if (up == block) return false;
    return true;
  }

  std::string_view read(Use& use) {
    Operation& op = *use.op;
    if (isChannelAccess(op)) return readList(use, ChannelAccessOp(&op).access());
    if (isa<memref::SubViewOp>(&op)) return readView(use, memref::SubViewOp(&op));
    if (isa<memref::LoadOp>(&op)) return readIndices(use, memref::LoadOp(&op).indices());
    if (isa<memref::StoreOp>(&op)) return readIndices(use, memref::StoreOp(&op).indices());
    if (linalg::asStructured(&op)) return readWhole(use);
    return "something else than transfers, loads, stores and subviews uses the buffer";
  }

  std::string_view readList(Use& use, const Access& access) {
    auto list = analysis::readAccessList(access, reader_);
    std::optional<BufferBox> box = list ? boxOf(*list, shape_) : std::nullopt;
    if (!box) return kUnknownPlace;
    use.list = std::move(*list);
    use.isList = true;
    use.box = std::move(*box);
    return {};
  }

  std::string_view readView(Use& use, memref::SubViewOp view) {
    if (isHandedOn(view.result())) return "a view is passed on";
    std::span<const int64_t> strides = view.staticStrides(), sizes = view.staticSizes();
    for (size_t dim = 0; dim < sizes.size(); ++dim)
      if (strides[dim] != 1 || sizes[dim] < 1) return "a subview has strides or open sizes";
    for (const MixedIndex& offset : view.offsets())
      use.box.start.push_back(offset.value ? reader_.read(offset.value)
                                           : LinearSum{offset.constant, {}});
    for (unsigned dim = 0; dim < sizes.size(); ++dim)
      addTerm(use.box, dim, sizes[dim]);
    return {};
  }

  std::string_view readIndices(Use& use, OperandRange indices) {
    for (Value index : indices)
      use.box.start.push_back(reader_.read(index));
    return {};
  }

  std::string_view readWhole(Use& use) const {
    use.box.start.resize(shape_.size());
    for (unsigned dim = 0; dim < shape_.size(); ++dim)
      addTerm(use.box, dim, shape_[dim]);
    return {};
  }

  static void addTerm(BufferBox& box, unsigned dim, int64_t size) {
    BoxTerm term{std::vector<int64_t>(box.rank(), 0), size};
    term.step[dim] = 1;
    box.terms.push_back(std::move(term));
  }

  // -- The box around all accesses

  std::string_view findBox() {
    const Use& first = uses_.front();
    for (unsigned dim = 0; dim < shape_.size(); ++dim) {
      std::optional<int64_t> low, high;
      for (const Use& use : uses_) {
        const LinearSum& start = use.box.start[dim];
        LinearSum place = start;
        if (!place.add(first.box.start[dim], -1) || !place.isConstant())
          return "accesses are in different places of the buffer";
        int64_t least = start.constant + use.box.below(dim);
        low = std::min(low.value_or(least), least);
        high = std::max(high.value_or(least), least + use.box.extent(dim));
      }
      // Coordinates tell elements apart as long as they stay in their dimension.
      if (*high - *low > shape_[dim]) return "an access goes beyond a dimension";
      low_.push_back(*low);
      size_.push_back(*high - *low);
    }
    return {};
  }

  // -- Writing

  /// The sum without the place of the buffer: what has more than one value while it lives.
  LinearSum inner(const LinearSum& sum) const {
    LinearSum rest{sum.constant, {}};
    for (const LinearSum::Term& term : sum.terms)
      if (isInner(term.symbol)) rest.terms.push_back(term);
    return rest;
  }

  /// The dimension of the list that steps through `dim` alone, element by element; -1: none.
  int alongOnly(const AccessList& list, unsigned dim) const {
    for (size_t i = 0; i < list.dims.size(); ++i) {
      std::vector<int64_t> steps = coordinatesOf(list.dims[i].stride, shape_);
      bool isOnly = steps[dim] == 1;
      for (unsigned other = 0; other < steps.size(); ++other)
        isOnly = isOnly && (other == dim || steps[other] == 0);
      if (isOnly) return static_cast<int>(i);
    }
    return -1;
  }

  /// Offsets of a list must not be negative; what is taken from them needs a dimension of its own.
  bool canMove(Use& use) const {
    if (!use.isList) return true;
    AccessList moved = use.list;
    for (analysis::ListDim& dim : moved.dims)
      dim.offset = inner(dim.offset);
    for (unsigned dim = 0; dim < shape_.size(); ++dim) {
      if (low_[dim] == 0) continue;
      int at = alongOnly(moved, dim);
      if (at < 0) return false;
      moved.dims[static_cast<size_t>(at)].offset.constant -= low_[dim];
    }
    for (analysis::ListDim& dim : moved.dims)
      if (least(dim.offset) < 0) return false;
    use.list = std::move(moved);
    return true;
  }

  /// Of a sum of inner symbols, whose ranges are known.
  int64_t least(const LinearSum& sum) const {
    int64_t value = sum.constant;
    for (const LinearSum::Term& term : sum.terms) {
      analysis::SymbolRange range = *LinearReader().rangeOf(term.symbol);
      int64_t last = range.lower + range.step * (range.count - 1);
      value += term.coefficient * (term.coefficient < 0 ? last : range.lower);
    }
    return value;
  }

  void rewrite(Use& use, IndexConstants& constants) {
    if (use.isList) return rewriteList(use, constants);
    if (isa<memref::SubViewOp>(use.op)) return rewriteView(memref::SubViewOp(use.op), constants);
    OperandRange indices = isa<memref::LoadOp>(use.op) ? memref::LoadOp(use.op).indices()
                                                       : memref::StoreOp(use.op).indices();
    unsigned group = isa<memref::LoadOp>(use.op) ? 1 : 2;
    std::vector<Value> values = indices.vec();
    for (unsigned dim = 0; dim < values.size(); ++dim)
      if (auto index = moved(values[dim], dim, *use.op, constants)) values[dim] = *index;
    use.op->setOperandGroup(group, values);
  }

  /// Index `value` along `dim` in the new buffer; nothing when it stays.
  std::optional<Value> moved(Value value, unsigned dim, Operation& op, IndexConstants& constants) {
    LinearSum sum = reader_.read(value), rest = inner(sum);
    rest.constant -= low_[dim];
    if (rest == sum) return std::nullopt;
    return materialize(rest, op, constants);
  }

  void rewriteList(Use& use, IndexConstants& constants) {
    ChannelAccessOp op(use.op);
    Access access = op.access();
    AccessList old = *analysis::readAccessList(access, reader_);
    std::vector<int64_t> steps, strides = stridesOf(size_);
    for (size_t i = 0; i < use.list.dims.size(); ++i) {
      analysis::ListDim& dim = use.list.dims[i];
      steps = coordinatesOf(dim.stride, shape_);
      dim.stride = std::inner_product(steps.begin(), steps.end(), strides.begin(), int64_t{0});
      if (!(dim.offset == old.dims[i].offset)) dim.source = Value();
    }
    use.list.volume = 0;
    bool isOneToOne = access.offsets.size() == access.sizes.size();
    if (!isOneToOne) return writeAccessList(op, use.list, *op, constants);
    std::vector<MixedIndex> offsets, newStrides;
    for (size_t i = 0; i < use.list.dims.size(); ++i) {
      const analysis::ListDim& dim = use.list.dims[i];
      offsets.push_back(offsetOf(dim, *op, constants));
      newStrides.push_back(MixedIndex(dim.stride));
    }
    bool isPut = op.isPut();
    writeEntries(*op, kAccessOffsetGroup, isPut ? "static_src_offsets" : "static_dst_offsets",
                 offsets);
    writeEntries(*op, kAccessStrideGroup, isPut ? "static_src_strides" : "static_dst_strides",
                 newStrides);
  }

  static MixedIndex offsetOf(const analysis::ListDim& dim, Operation& op,
                             IndexConstants& constants) {
    if (dim.source) return MixedIndex(dim.source);
    if (dim.offset.isConstant()) return MixedIndex(dim.offset.constant);
    return MixedIndex(materialize(dim.offset, op, constants));
  }

  static void writeEntries(Operation& op, unsigned group, std::string_view statics,
                           const std::vector<MixedIndex>& entries) {
    std::vector<int64_t> numbers;
    std::vector<Value> values;
    memref::splitMixed(entries, numbers, values);
    op.setAttr(statics, DenseArrayAttr::getI64(op.context(), numbers));
    op.setOperandGroup(group, values);
  }

  void rewriteView(memref::SubViewOp view, IndexConstants& constants) {
    std::vector<MixedIndex> offsets = view.offsets();
    for (unsigned dim = 0; dim < offsets.size(); ++dim) {
      MixedIndex& offset = offsets[dim];
      if (!offset.value) {
        offset.constant -= low_[dim];
      } else {
        LinearSum sum = reader_.read(offset.value), rest = inner(sum);
        rest.constant -= low_[dim];
        if (rest.isConstant())
          offset = MixedIndex(rest.constant);
        else if (!(rest == sum))
          offset = MixedIndex(materialize(rest, *view, constants));
      }
    }
    std::vector<int64_t> statics;
    std::vector<Value> values;
    auto dropped = view.droppedDims();
    memref::splitMixed(offsets, statics, values);
    view->setAttr("static_offsets", DenseArrayAttr::getI64(view->context(), statics));
    view->setOperandGroup(1, values);
    setViewType(view, statics, *dropped);
    views_.push_back(view);
  }

  /// Views of all of the buffer.
  void dropViews() {
    for (memref::SubViewOp view : views_) {
      bool isWhole = std::equal(size_.begin(), size_.end(), view.resultType().shape().begin(),
                                view.resultType().shape().end());
      for (int64_t offset : view.staticOffsets())
        isWhole = isWhole && offset == 0;
      if (!isWhole) continue;
      view.result().replaceAllUsesWith(view.source());
      view->erase();
    }
  }

  void setViewType(memref::SubViewOp view, std::span<const int64_t> offsets,
                   const std::vector<bool>& dropped) {
    MemRefType type =
        memref::SubViewOp::inferType(newType(), offsets, view.staticSizes(), view.staticStrides());
    std::vector<int64_t> shape, strides;
    StridedForm form = *type.stridedForm();
    for (size_t dim = 0; dim < dropped.size(); ++dim) {
      if (dropped[dim]) continue;
      shape.push_back(type.shape()[dim]);
      strides.push_back(form.strides[dim]);
    }
    Attribute layout = StridedLayoutAttr::get(view->context(), form.offset, strides);
    view.result().setType(
        MemRefType::get(view->context(), shape, type.elementType(), layout, type.memorySpace()));
  }

  MemRefType newType() const {
    MemRefType type = alloc_.type();
    return MemRefType::get(alloc_->context(), size_, type.elementType(), Attribute(),
                           type.memorySpace());
  }

  void setTypes() {
    MemRefType type = newType();
    alloc_.result().setType(type);
    alloc_->setAttr("air.shrinkage", IntegerAttr::getBool(alloc_->context(), true));
    if (Value result = forwarded()) result.setType(type);
  }

  memref::AllocOp alloc_;
  Operation& made_;
  std::vector<int64_t> shape_, low_, size_;
  LinearReader reader_{LinearReader::Reach::Body};
  std::vector<Use> uses_;
  std::vector<memref::SubViewOp> views_;
};

class ShrinkMemrefs : public Pass {
 public:
  ShrinkMemrefs()
      : Pass("air-shrink-memref-sizes-by-access",
             "Buffers become as large as what is used of them") {
    example("airlite-opt --air-loop-fusion --air-shrink-memref-sizes-by-access in.mlir");
  }

  PassResult run(Operation& root, PassContext& context) override {
    std::vector<Operation*> allocs;
    root.walk([&](Operation& op) {
      if (isMatch(op)) allocs.push_back(&op);
    });
    bool changed = false;
    IndexConstants constants;
    for (Operation* op : allocs) {
      Operation* around = op->parentOp();
      bool isWrapped = isa<ExecuteOp>(around) && onlyOp(*around) == op;
      Shrinker shrinker(memref::AllocOp(op), isWrapped ? *around : *op);
      std::string_view why = shrinker.run(constants, changed);
      if (!why.empty()) context.remark(*op, why);
    }
    return changedIf(changed);
  }

 private:
  static bool isMatch(Operation& op) {
    if (!isa<memref::AllocOp>(&op)) return false;
    MemRefType type = op.result().type().cast<MemRefType>();
    std::optional<MemoryLevel> level = memoryLevel(type);
    return level && level != MemoryLevel::L3 && type.hasStaticShape() && type.hasIdentityLayout() &&
           type.numElements() > 0;
  }
};

}  // namespace

}  // namespace airlite::air

namespace airlite {

void registerShrinkMemrefs(PassRegistry& registry) { registry.add<air::ShrinkMemrefs>(); }

}  // namespace airlite
