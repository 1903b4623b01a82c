// air-segment-work-to-herds: what a segment computes on L2 memory, a core does.
//
// Matches, in segments and outside of their herds, ops that compute on L2 memory (structured ops, loops, conditionals,
// loads and stores), one after the other or in an air.execute, and copies from L2 memory to L2 memory. They become the
// work of a herd with one core. It brings the memory into L1, and back what is written. It waits for what the
// ops waited for, and what waited for them waits for the herd. A copy goes through L1 of the core.
//
// A memory tile moves data and cannot compute, so no other form of such a program fits an NPU.
//
// Declines, with a remark: results that the segment needs, memory that is no allocation or argument of a static
// row-major shape or that a loop or branch decides on, padded copies, and what takes more L1 memory than `l1-bytes`.
#include "Hierarchy.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/pass/Pass.hpp"
#include "airlite/transform/ArrayDefaults.hpp"
#include "transform/channels/AccessLists.hpp"

#include <algorithm>
#include <vector>

namespace airlite {

namespace {

bool isL2(Type type) {
  return type.isa<MemRefType>() && air::memoryLevel(type) == air::MemoryLevel::L2;
}

bool touchesL2(Operation& op) { return std::ranges::any_of(op.operandTypes(), isL2); }

bool isElementAccess(const Operation& op) {
  return isa<memref::LoadOp>(&op) || isa<memref::StoreOp>(&op) || op.is("affine.load") ||
         op.is("affine.store");
}

bool isPlainControl(const Operation& op) {
  return op.is("scf.for") || op.is("scf.if") || op.is("scf.while") || op.is("scf.parallel") ||
         op.is("affine.for") || op.is("affine.if") || op.is("scf.index_switch");
}

bool isOfStructuredOp(Operation& op) {
  return op.parentOp() && linalg::asStructured(op.parentOp());
}

bool computes(Operation& op) { return isElementAccess(op) || linalg::asStructured(&op); }

/// A memref that shows a part of another one.
bool isView(Operation& op) {
  return op.numResults() == 1 && op.numOperands() > 0 && isPure(op) && isL2(op.result().type()) &&
         isL2(op.operand(0).type());
}

bool isCopyInL2(Operation& op) {
  return op.is("memref.copy") && isL2(op.operand(0).type()) && isL2(op.operand(1).type());
}

/// All of it can run on a core whose memory is that of the segment.
bool isL2Work(Operation& root) {
  bool isAllowed = true, works = false;
  root.walk([&](Operation& op) {
    isAllowed &= computes(op) || isPlainControl(op) || isPure(op) || isCopyInL2(op) ||
                 op.hasTrait(Trait::Terminator) || isOfStructuredOp(op);
    works |= computes(op) && touchesL2(op);
  });
  return isAllowed && works;
}

bool isTransferInL2(Operation& op) {
  const auto dma = dynCast<air::DmaMemcpyNdOp>(&op);
  return dma && isL2(dma.dst().memref.type()) && isL2(dma.src().memref.type());
}

/// An air.execute that hands out nothing but its token, and computes.
bool isExecutedWork(Operation& op) {
  const auto execute = dynCast<air::ExecuteOp>(&op);
  if (!execute || op.numResults() != 1) return false;
  bool works = false;
  for (Operation& inner : execute.body().ops()) {
    const bool isWork = isL2Work(inner) || isCopyInL2(inner);
    if (!isWork && !isPure(inner) && !inner.hasTrait(Trait::Terminator)) return false;
    works |= isWork;
  }
  return works;
}

/// Ops that become one herd. Of an air.execute, those inside of it.
struct Work {
  std::vector<Operation*> ops;
  Operation* execute = nullptr;

  Operation& place() const { return execute ? *execute : *ops.back(); }
};

/// What becomes a herd, in `block` and the blocks inside that are the segment's.
void findWork(Block& block, std::vector<Work>& found, std::vector<Operation*>& transfers) {
  Work run;
  const auto close = [&] {
    if (!run.ops.empty()) found.push_back(std::move(run));
    run = {};
  };
  for (Operation& op : block.ops()) {
    if (isL2Work(op) || isCopyInL2(op)) {
      run.ops.push_back(&op);
      continue;
    }
    if (isPure(op)) continue;
    close();
    if (isTransferInL2(op)) transfers.push_back(&op);
    if (isExecutedWork(op)) {
      Work work{{}, &op};
      for (Operation& inner : air::ExecuteOp(&op).body().ops())
        if (!inner.hasTrait(Trait::Terminator)) work.ops.push_back(&inner);
      found.push_back(std::move(work));
      continue;
    }
    if (air::asHierarchy(&op)) continue;
    for (unsigned i = 0; i < op.numRegions(); ++i)
      for (Block& inner : op.region(i).blocks())
        findWork(inner, found, transfers);
  }
  close();
}

/// A buffer of the segment that work uses.
struct Buffer {
  Value value;
  bool isWritten = false, isRead = true;
};

bool ownsItsShape(Value buffer) {
  const auto type = buffer.type().cast<MemRefType>();
  if (!type.hasStaticShape() || !type.hasIdentityLayout() || type.elementType().isIndex())
    return false;
  Operation* made = buffer.definingOp();
  const bool isOwn = !made || isa<memref::AllocOp>(made) || isa<air::ExecuteOp>(made);
  return type.elementType().bitWidth() % 8 == 0 && isOwn;
}

int64_t bytesInL1(MemRefType type) {
  return type.numElements() * (type.elementType().bitWidth() / 8);
}

Value allocate(Builder& builder, Location location, std::span<const int64_t> shape, Type element) {
  Context& context = builder.context();
  const Attribute level = IntegerAttr::get(IntegerType::get(context, 64), 2);
  const auto type = MemRefType::get(context, shape, element).withMemorySpace(level);
  return memref::AllocOp::create(builder, location, type).result();
}

/// Whether `op` may write operand `i`, a memref.
bool writes(Operation& op, unsigned i) {
  if (isView(op) || isa<memref::LoadOp>(&op) || op.is("affine.load")) return false;
  if (op.is("memref.copy")) return i == 1;
  const linalg::StructuredOp structured = linalg::asStructured(&op);
  return !structured || i >= structured.numInputs();
}

class SegmentWorkToHerds : public Pass {
 public:
  SegmentWorkToHerds()
      : Pass("air-segment-work-to-herds", "Lets a core do what a segment computes on L2 memory") {
    anchor("func.func");
    option("l1-bytes", l1Bytes_, "L1 memory that the buffers of a herd may take");
    example("airlite-opt --air-segment-work-to-herds in.mlir");
  }

  PassResult run(Operation& function, PassContext& context) override {
    context_ = &context;
    std::vector<Work> found;
    std::vector<Operation*> transfers;
    function.walk([&](Operation& op) {
      if (const auto segment = dynCast<air::SegmentOp>(&op))
        findWork(segment.body(), found, transfers);
    });
    bool changed = false;
    for (Work& work : found)
      changed |= move(work);
    for (Operation* transfer : transfers)
      changed |= carry(*transfer);
    if (!changed) return PassResult::Unchanged;
    for (const CountedEffect effect : {CountedEffect::Dma, CountedEffect::Store})
      context.declareEffectChange(effect, "L2 memory goes to a core and back");
    return PassResult::Changed;
  }

 private:
  bool declines(Operation& op, std::string_view why) {
    context_->remark(op, why);
    return false;
  }

  // -- Computation --------------------------------------------------------------------------------

  bool move(Work& work) {
    takeViews(work);
    std::vector<Buffer> buffers;
    if (const std::string_view why = obstacle(work, buffers); !why.empty())
      return declines(work.place(), why);
    air::HierarchyOp herd = createHerd(work.place(), work.execute);
    for (Operation* op : work.ops)
      op->moveBefore(&herd.body().back());
    for (const Buffer& buffer : buffers)
      bring(buffer, herd);
    if (work.execute) replace(*work.execute, herd);
    air::isolate(herd);
    return true;
  }

  /// Views of memory, which nothing but the work needs, come with it.
  static void takeViews(Work& work) {
    for (size_t i = 0; i < work.ops.size(); ++i)
      for (Value operand : work.ops[i]->operands().vec()) {
        Operation* view = operand.definingOp();
        if (!view || !isView(*view) || isOfWork(*view, work)) continue;
        Builder builder = Builder::before(*work.ops[i]);
        Operation* own = builder.clone(*view);
        for (Operation* op : work.ops)
          op->walk([&](Operation& inner) { inner.replaceUsesOfWith(operand, own->result()); });
        work.ops.insert(work.ops.begin() + static_cast<ptrdiff_t>(i), own);
        i = static_cast<size_t>(-1);  // it may be a view of another one
        break;
      }
  }

  static bool isOfWork(Operation& op, const Work& work) {
    return std::ranges::any_of(
        work.ops, [&](Operation* root) { return root == &op || root->isProperAncestor(&op); });
  }

  /// Why the segment keeps it; empty: `buffers` are those that it uses.
  std::string_view obstacle(const Work& work, std::vector<Buffer>& buffers) const {
    for (Operation* op : work.ops)
      for (unsigned i = 0; i < op->numResults(); ++i)
        for (OpOperand& use : op->result(i).uses())
          if (!isOfWork(*use.owner(), work)) return "stays: the segment needs a result of it";
    for (Operation* op : work.ops)
      if (passesMemoryOn(*op)) return "stays: which memory it uses a loop or branch decides";
    for (Operation* op : work.ops)
      op->walk([&](Operation& inner) { addBuffers(inner, work, buffers); }, WalkOrder::PreOrder);
    int64_t bytes = 0;
    for (const Buffer& buffer : buffers) {
      if (!isL2(buffer.value.type())) return "stays: it uses other memory than L2";
      if (!ownsItsShape(buffer.value)) return "stays: its memory has no static shape of its own";
      bytes += bytesInL1(buffer.value.type().cast<MemRefType>());
    }
    return bytes > l1Bytes_ ? "stays: its memory does not fit into L1" : "";
  }

  /// Whether a loop or branch in it, or itself, has memory as an operand, an argument of a block or a result.
  static bool passesMemoryOn(Operation& op) {
    const auto isMemory = [](Value value) { return value.type().isa<MemRefType>(); };
    bool passes = false;
    op.walk([&](Operation& inner) {
      if (inner.numRegions() == 0 || linalg::asStructured(&inner)) return;
      passes |= std::ranges::any_of(inner.operands(), isMemory) ||
                std::ranges::any_of(inner.resultValues(), isMemory);
      for (Region& region : inner.regions())
        for (Block& block : region.blocks())
          passes |= std::ranges::any_of(block.arguments(), isMemory);
    });
    return passes;
  }

  static void addBuffers(Operation& op, const Work& work, std::vector<Buffer>& buffers) {
    for (unsigned i = 0; i < op.numOperands(); ++i) {
      const Value value = op.operand(i);
      if (!value.type().isa<MemRefType>()) continue;
      const Value source = sourceOf(value, work);
      Operation* made = source.definingOp();
      if (made && isOfWork(*made, work)) continue;
      auto known = std::ranges::find(buffers, source, &Buffer::value);
      if (known == buffers.end()) {
        const bool isFilled = op.is("linalg.fill") && source == value && isOfWork(op, work) &&
                              std::ranges::find(work.ops, &op) != work.ops.end();
        known = buffers.insert(known, {source, false, !isFilled});
      }
      known->isWritten |= writes(op, i);
    }
  }

  /// The memory of which a view in the work shows a part.
  static Value sourceOf(Value value, const Work& work) {
    for (Operation* made = value.definingOp(); made && isView(*made) && isOfWork(*made, work);
         made = value.definingOp())
      value = made->operand(0);
    return value;
  }

  static air::HierarchyOp createHerd(Operation& place, Operation* async) {
    Builder builder = Builder::before(place);
    const Value one = builder.constantIndex(place.location(), 1);
    const std::vector<Value> sizes = {one, one};
    std::vector<Value> dependencies;
    if (async) dependencies = air::AsyncOp(async).dependencies().vec();
    return air::createHierarchy(builder, place.location(), "air.herd", sizes,
                                async ? &dependencies : nullptr);
  }

  static void replace(Operation& op, air::HierarchyOp herd) {
    if (Value token = air::AsyncOp(&op).token()) token.replaceAllUsesWith(herd.token());
    op.erase();
  }

  /// Into L1 before the work, and back after it when it is written.
  static void bring(const Buffer& buffer, air::HierarchyOp herd) {
    Operation& first = herd.body().front();
    const Location location = first.location();
    const auto type = buffer.value.type().cast<MemRefType>();
    std::vector<Operation*> ops;
    for (Operation& op : herd.body().ops())
      ops.push_back(&op);
    Builder builder = Builder::before(first);
    const Value local = allocate(builder, location, type.shape(), type.elementType());
    if (buffer.isRead) memref::CopyOp::create(builder, location, buffer.value, local);
    for (Operation* op : ops)
      op->walk([&](Operation& inner) { inner.replaceUsesOfWith(buffer.value, local); });
    retypeViews(local);
    builder.setBefore(herd.body().back());
    if (buffer.isWritten) memref::CopyOp::create(builder, location, local, buffer.value);
    memref::DeallocOp::create(builder, location, local);
  }

  static void retypeViews(Value memory) {
    const Attribute level = memory.type().cast<MemRefType>().memorySpace();
    for (OpOperand& use : memory.uses()) {
      Operation& op = *use.owner();
      if (!isPure(op) || op.numResults() != 1 || !op.result().type().isa<MemRefType>()) continue;
      Value view = op.result();
      view.setType(view.type().cast<MemRefType>().withMemorySpace(level));
      retypeViews(view);
    }
  }

  // -- Copies -------------------------------------------------------------------------------------

  bool carry(Operation& transfer) {
    const air::DmaMemcpyNdOp dma(&transfer);
    const std::optional<int64_t> count = air::elementsOf(dma.src());
    if (!count) return declines(transfer, "stays: how much it copies is not known");
    if (!dma.padBefore().empty() || !dma.padAfter().empty())
      return declines(transfer, "stays: it pads");
    const Type element = dma.src().memref.type().cast<MemRefType>().elementType();
    if (*count * (element.bitWidth() / 8) > l1Bytes_)
      return declines(transfer, "stays: what it copies does not fit into L1");
    air::HierarchyOp herd = createHerd(transfer, dma.token() ? &transfer : nullptr);
    Builder builder = Builder::before(herd.body().back());
    const Value local = allocate(builder, transfer.location(), std::span(&*count, 1), element);
    const air::Access near{local, {}, {}, {}};
    for (Operation* copy : {air::createDma(builder, transfer, near, dma.src(), false),
                            air::createDma(builder, transfer, dma.dst(), near, false)})
      air::AsyncOp(copy).setDependencies({});
    memref::DeallocOp::create(builder, transfer.location(), local);
    replace(transfer, herd);
    air::isolate(herd);
    return true;
  }

  int64_t l1Bytes_ = tileBytes(aie::defaultNpu());
  PassContext* context_ = nullptr;
};

}  // namespace

void registerSegmentWorkToHerds(PassRegistry& registry) { registry.add<SegmentWorkToHerds>(); }

}  // namespace airlite
