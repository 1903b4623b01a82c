// air-shrink-core-slabs: L1 memory of a segment in which each core uses a part of its own becomes
// memory of the size of one part, of which each core has its own.
//
// Matches an allocation in L1 in front of herds whose first dimensions are indexed by the ids of
// the core in every use, in herds of these sizes: acc[x, y, ...]. Uses are subviews that linalg ops,
// loads, stores, vector transfers and copies use, and DMAs, puts and gets. The dimensions get the
// size 1, and the indices 0. Memory that cores hand to each other (HandOver.hpp) is no such memory.
//
// Declines, with a remark at the allocation: other uses, dimensions of other sizes.
#include "airlite/analysis/HandOver.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/pass/Pass.hpp"

#include <algorithm>
#include <optional>

namespace airlite {

namespace {

using air::HerdOp;
using air::IndexEntry;

std::vector<IndexEntry> entriesOf(const std::vector<memref::MixedIndex>& mixed) {
  std::vector<IndexEntry> entries;
  for (const memref::MixedIndex& index : mixed)
    entries.push_back({index.isConstant() ? index.constant : 0, index.value});
  return entries;
}

/// An op that takes any layout of a memref, and gives none on.
bool takesAnyLayout(const Operation& op) {
  return linalg::asStructured(const_cast<Operation*>(&op)) || op.is("memref.load") ||
         op.is("memref.store") || op.is("memref.copy") || op.is("vector.transfer_read") ||
         op.is("vector.transfer_write");
}

class Slab {
 public:
  explicit Slab(memref::AllocOp alloc)
      : alloc_(alloc), type_(alloc->result().type().cast<MemRefType>()) {}

  /// Why it stays as it is; empty when it is one slab for each core.
  std::string_view obstacle() {
    for (OpOperand& use : alloc_->result().uses()) {
      Operation* user = use.owner();
      if (user->is("memref.dealloc")) continue;
      HerdOp herd = dynCast<HerdOp>(user);
      if (!herd || !herd.constantSizes()) return "stays: something else than herds uses it";
      for (unsigned i = 0; i < herd.numKernelOperands(); ++i)
        if (herd.kernelOperands()[i] == alloc_->result()) arguments_.push_back({herd, i});
    }
    if (arguments_.empty()) return "stays: no herd uses it";
    for (const Argument& argument : arguments_)
      for (OpOperand& use : argument.value().uses())
        if (const std::string_view why = addUse(argument.herd, *use.owner(), argument.value());
            !why.empty())
          return why;
    if (!ids_ || ids_->empty()) return "stays: its first dimensions are not the cores of the herd";
    const analysis::HandOver uses = analysis::handOverOf(alloc_->result());
    return uses.isShared || uses.lost ? "stays: cores share it" : std::string_view();
  }

  void shrink() {
    std::vector<int64_t> shape(type_.shape().begin(), type_.shape().end());
    std::fill_n(shape.begin(), ids_->size(), 1);
    const MemRefType type = MemRefType::get(type_.context(), shape, type_.elementType(),
                                            Attribute(), type_.memorySpace());
    alloc_->result().setType(type);
    for (const Argument& argument : arguments_) {
      Value value = argument.value();
      std::vector<Operation*> users;
      for (OpOperand& use : value.uses())
        if (std::ranges::count(users, use.owner()) == 0) users.push_back(use.owner());
      value.setType(type);
      for (Operation* user : users)
        rewrite(argument.herd, *user, value);
    }
  }

 private:
  struct Argument {
    HerdOp herd;
    unsigned number;
    Value value() const { return herd.kernelArgument(number); }
  };

  std::string_view addUse(HerdOp herd, Operation& op, Value memory) {
    if (isa<memref::SubViewOp>(&op)) {
      memref::SubViewOp view(&op);
      for (OpOperand& use : op.result().uses())
        if (!takesAnyLayout(*use.owner())) return "stays: a view of it is passed on";
      const bool isFull = view.resultType().shape().size() == type_.shape().size();
      return isFull ? addAccess(herd, entriesOf(view.offsets()), entriesOf(view.sizes()))
                    : "stays: a view of it has fewer dimensions";
    }
    if (op.is("air.dma_memcpy_nd")) {
      const air::DmaMemcpyNdOp dma(&op);
      if (dma.dst().memref == dma.src().memref) return "stays: a copy within it";
      const air::Access access = dma.dst().memref == memory ? dma.dst() : dma.src();
      return addAccess(herd, access.offsets, access.sizes);
    }
    if (air::isChannelAccess(op)) {
      const air::Access access = air::ChannelAccessOp(&op).access();
      return addAccess(herd, access.offsets, access.sizes);
    }
    return "stays: something else than views and transfers uses it";
  }

  /// The leading dimensions that this use indexes by ids have to be those of all others.
  std::string_view addAccess(HerdOp herd, const std::vector<IndexEntry>& offsets,
                             const std::vector<IndexEntry>& sizes) {
    constexpr std::string_view kOther = "stays: its first dimensions are not the cores of the herd";
    if (offsets.size() != type_.shape().size() || sizes.size() != offsets.size()) return kOther;
    std::vector<unsigned> ids;
    for (unsigned dim = 0; dim < offsets.size(); ++dim) {
      const std::optional<unsigned> id = idOf(herd, offsets[dim].value);
      const bool isOne = sizes[dim].known() == 1;
      if (!id || !isOne || (*herd.constantSizes())[*id] != type_.shape()[dim]) break;
      ids.push_back(*id);
    }
    for (size_t dim = ids.size(); dim < offsets.size(); ++dim)
      if (offsets[dim].value && idOf(herd, offsets[dim].value)) return kOther;
    if (!ids_) ids_ = ids;
    return *ids_ == ids ? std::string_view() : kOther;
  }

  static std::optional<unsigned> idOf(HerdOp herd, Value value) {
    for (unsigned i = 0; value && i < herd.numDims(); ++i)
      if (value == herd.id(i)) return i;
    return std::nullopt;
  }

  void rewrite(HerdOp herd, Operation& op, Value memory) const {
    if (isa<memref::SubViewOp>(&op)) return rewriteView(memref::SubViewOp(&op));
    const bool isDma = op.is("air.dma_memcpy_nd");
    const bool isTarget =
        isDma ? air::DmaMemcpyNdOp(&op).dst().memref == memory : op.is("air.channel.get");
    Builder builder = Builder::before(op);
    const std::string_view name = isTarget ? "dst_offsets" : "src_offsets";
    const auto [start, size] =
        op.operandGroupBounds(static_cast<unsigned>(op.def().operandIndex(name)));
    for (unsigned i = start; i < start + size; ++i)
      if (idOf(herd, op.operand(i))) op.setOperand(i, builder.constantIndex(op.location(), 0));
  }

  void rewriteView(memref::SubViewOp view) const {
    Builder builder = Builder::before(*view.op());
    std::vector<memref::MixedIndex> offsets = view.offsets();
    std::fill_n(offsets.begin(), ids_->size(), memref::MixedIndex(0));
    auto made = memref::SubViewOp::create(builder, view->location(), view.source(), offsets,
                                          view.sizes(), view.strides());
    view.result().replaceAllUsesWith(made.result());
    view->erase();
  }

  memref::AllocOp alloc_;
  MemRefType type_;
  std::vector<Argument> arguments_;
  std::optional<std::vector<unsigned>> ids_;  // the id that indexes each of the first dimensions
};

class ShrinkCoreSlabs : public Pass {
 public:
  ShrinkCoreSlabs()
      : Pass("air-shrink-core-slabs", "Gives each core the part of L1 memory that it uses") {
    anchor("func.func");
    example("airlite-opt --air-shrink-core-slabs in.mlir");
  }

  PassResult run(Operation& function, PassContext& context) override {
    std::vector<memref::AllocOp> allocs;
    function.walk([&](Operation& op) {
      auto alloc = dynCast<memref::AllocOp>(&op);
      if (!alloc || alloc->parentOfName("air.herd")) return;
      const auto type = alloc->result().type().cast<MemRefType>();
      if (air::memoryLevel(type) == air::MemoryLevel::L1 && type.hasStaticShape() && !type.layout())
        allocs.push_back(alloc);
    });
    bool changed = false;
    for (memref::AllocOp alloc : allocs) {
      Slab slab(alloc);
      if (const std::string_view why = slab.obstacle(); !why.empty()) {
        context.remark(*alloc.op(), why);
        continue;
      }
      slab.shrink();
      changed = true;
    }
    return changedIf(changed);
  }
};

}  // namespace

void registerShrinkCoreSlabs(PassRegistry& registry) { registry.add<ShrinkCoreSlabs>(); }

}  // namespace airlite
