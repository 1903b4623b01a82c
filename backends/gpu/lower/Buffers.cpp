// L2 buffers become LDS and L1 buffers private memory: one of each kind for the whole kernel,
// allocated at the start of its body, never given back. L1 of herds that whole waves run (WaveHerds.cpp) becomes LDS
// of which each wave has a part. Where L2 takes much, buffers whose ops follow each other, in a loop too, have the same part of LDS.
#include "IndexMath.hpp"
#include "Kernel.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/gpu/lower/Lower.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace airlite::gpu {
namespace {

constexpr int64_t kLdsSpace = 3, kPrivateSpace = 5;

int64_t bytesOf(Type element) {
  if (auto vector = element.dynCast<VectorType>())
    return vector.numElements() * bytesOf(vector.elementType());
  return (element.bitWidth() + 7) / 8;
}

class BufferHoister {
 public:
  explicit BufferHoister(Kernel& kernel) : kernel_(kernel) {}

  LogicalResult run() {
    std::vector<Operation*> allocations, frees;
    kernel_.func->walk(
        [&](Operation& op) {
          if (op.is("memref.alloc") || op.is("memref.alloca")) allocations.push_back(&op);
          if (op.is("memref.dealloc")) frees.push_back(&op);
        },
        WalkOrder::PreOrder);
    LogicalResult result = success();
    for (Operation* op : frees)
      result |= dropFree(*op);
    shareSlots(allocations);
    for (Operation* op : allocations)
      result |= hoist(*op);
    return result;
  }

 private:
  LogicalResult dropFree(Operation& op) {
    if (isLevel(op.operand(0), air::MemoryLevel::L3) &&
        memref::viewSource(op.operand(0)).isBlockArgument())
      return op.emitOpError() << "not supported: freeing L3 memory in a GPU kernel";
    op.erase();
    return success();
  }

  LogicalResult hoist(Operation& op) {
    auto type = op.result().type().cast<MemRefType>();
    bool isPrivate = op.is("memref.alloca") && levelOf(type) == air::MemoryLevel::L3;
    auto level = isPrivate ? air::MemoryLevel::L1 : levelOf(type);
    if (failed(check(op, type, level))) return failure();
    MemRefType fixed = staticType(op, type);
    if (!fixed.hasStaticShape())
      return op.emitOpError()
             << "not supported: a buffer whose size is not constant in a GPU kernel";
    if (isPrivate)
      fixed = fixed.withMemorySpace(IntegerAttr::get(IntegerType::get(op.context(), 64), 2));
    if (const auto slot = slotOf_.find(&op);
        slot != slotOf_.end() && slots_[slot->second].buffers > 1)
      return placeInSlot(op, fixed, slots_[slot->second]);
    if (level == air::MemoryLevel::L2 && failed(addLds(op, fixed))) return failure();
    replace(op, fixed, *level);
    return success();
  }

  LogicalResult check(Operation& op, MemRefType type, std::optional<air::MemoryLevel> level) {
    if (!level)
      return op.emitOpError() << "not supported: memory space " << type.memorySpace()
                              << " in a GPU kernel";
    if (*level == air::MemoryLevel::L3)
      return op.emitOpError() << "not supported: an L3 allocation inside a launch";
    if (*level == air::MemoryLevel::L2 && op.parentOf<air::HerdOp>())
      return op.emitOpError() << "not supported: an L2 allocation inside a herd";
    if (!type.hasIdentityLayout())
      return op.emitOpError() << "not supported: a buffer with a layout in a GPU kernel: " << type;
    return checkEscape(op);
  }

  /// One buffer stands for the allocations of all iterations: none may reach the next one.
  LogicalResult checkEscape(Operation& op) {
    for (OpOperand& use : op.result().uses()) {
      Operation* user = use.owner();
      if (!user->hasTrait(Trait::Terminator) || !user->parentOp()->hasTrait(Trait::LoopLike))
        continue;
      return (op.emitOpError() << "not supported: a buffer that outlives the iteration that "
                                  "allocates it")
                 .note(user->location())
             << "handed to the next iteration here";
    }
    return success();
  }

  /// The type with sizes that are constants filled in.
  MemRefType staticType(Operation& op, MemRefType type) {
    std::vector<int64_t> shape(type.shape().begin(), type.shape().end());
    OperandRange sizes = op.operandGroup(0u);
    unsigned next = 0;
    for (int64_t& dim : shape)
      if (dim == kDynamic && next < sizes.size())
        dim = constantIntOf(sizes[next++]).value_or(kDynamic);
    return MemRefType::get(op.context(), shape, type.elementType(), Attribute(),
                           type.memorySpace());
  }

  // -- Memory that several L2 buffers have one after the other -------------------------------------

  /// Part of LDS, and the last of the ops of the kernel, in their order, that uses it so far.
  struct Slot {
    int64_t bytes = 0;
    size_t lastUse = 0, buffers = 0;
    Value memory;
  };

  /// A buffer, from the first to the last op of the kernel that has to do with it. In a loop that allocates it, this is so in
  /// each round: nothing of it goes to the next one.
  struct Lifetime {
    Operation* op = nullptr;
    int64_t bytes = 0;
    size_t first = 0, last = 0;
  };

  /// Where L2 takes more than half of LDS, buffers that are never needed at the same time have one place.
  void shareSlots(const std::vector<Operation*>& allocations) {
    std::vector<Lifetime> lifetimes;
    int64_t all = 0;
    number(kernel_.body());
    for (Operation* op : allocations)
      if (auto lifetime = lifetimeOf(*op)) {
        all += alignedForLds(lifetime->bytes);
        lifetimes.push_back(*lifetime);
      }
    if (all <= amdgpu::kMaxLdsBytes / 2) return;
    std::ranges::stable_sort(lifetimes, {}, &Lifetime::first);
    for (const Lifetime& lifetime : lifetimes) {
      const size_t slot = slotFor(lifetime);
      slots_[slot].bytes = std::max(slots_[slot].bytes, lifetime.bytes);
      slots_[slot].lastUse = lifetime.last;
      ++slots_[slot].buffers;
      slotOf_[lifetime.op] = slot;
    }
  }

  /// One that is free again, of a size as near as possible, or a new one.
  size_t slotFor(const Lifetime& lifetime) {
    size_t best = slots_.size();
    const auto waste = [&](size_t slot) { return std::abs(slots_[slot].bytes - lifetime.bytes); };
    for (size_t i = 0; i < slots_.size(); ++i)
      if (slots_[i].lastUse < lifetime.first && (best == slots_.size() || waste(i) < waste(best)))
        best = i;
    if (best == slots_.size()) slots_.emplace_back();
    return best;
  }

  /// None for what is no L2 buffer of known size, or goes to other ops as a value.
  std::optional<Lifetime> lifetimeOf(Operation& op) const {
    const auto type = op.result().type().cast<MemRefType>();
    const auto bytes =
        type.hasStaticShape() && op.is("memref.alloc") && levelOf(type) == air::MemoryLevel::L2
            ? bytesOfBuffer(type)
            : std::nullopt;
    if (!bytes) return std::nullopt;
    Lifetime lifetime{&op, *bytes, numbers_.at(&op).first, numbers_.at(&op).first};
    return extend(lifetime, op.result()) ? std::optional(lifetime) : std::nullopt;
  }

  bool extend(Lifetime& lifetime, Value memref) const {
    for (OpOperand& use : memref.uses()) {
      Operation& user = *use.owner();
      if (user.hasTrait(Trait::Terminator) || user.hasTrait(Trait::LoopLike)) return false;
      const auto end = endOf(user, *lifetime.op->block());
      if (!end) return false;
      lifetime.last = std::max(lifetime.last, *end);
      for (Value result : user.resultValues())
        if (result.type().isa<MemRefType>() && !extend(lifetime, result)) return false;
    }
    return true;
  }

  /// Each op has its number, and the last one of those inside of it.
  void number(Block& block) {
    for (Operation& op : block.ops()) {
      const size_t first = next_++;
      for (Region& region : op.regions())
        for (Block& inner : region.blocks())
          number(inner);
      numbers_[&op] = {first, next_ - 1};
    }
  }

  /// The last number of the op of `block` that holds `op`; none: a block after it does.
  std::optional<size_t> endOf(Operation& op, const Block& block) const {
    const Operation* at = &op;
    while (at && at->block() != &block)
      at = at->parentOp();
    return at ? std::optional(numbers_.at(at).second) : std::nullopt;
  }

  /// The memory of a buffer that has it with others.
  LogicalResult placeInSlot(Operation& op, MemRefType type, Slot& slot) {
    if (!slot.memory) {
      const auto bytes = MemRefType::get(op.context(), std::span(&slot.bytes, 1),
                                         IntegerType::get(op.context(), 8))
                             .withMemorySpace(type.memorySpace());
      if (failed(addLds(op, bytes))) return failure();
      slot.memory = create(op, "memref.alloc", bytes);
    }
    Builder start = Builder::after(*last_);
    const Value zero = start.constantIndex(op.location(), 0);
    last_ = start.create(op.location(), "memref.view", {slot.memory, zero}, {type});
    op.result().replaceAllUsesWith(last_->result());
    op.erase();
    return success();
  }

  LogicalResult addLds(Operation& op, MemRefType type) {
    const auto bytes = bytesOfBuffer(type);
    int64_t start = alignedForLds(ldsBytes_);
    if (bytes && *bytes <= amdgpu::kMaxLdsBytes - start) {
      ldsBytes_ = start + *bytes;
      return success();
    }
    return op.emitOpError() << "needs " << bytes.value_or(std::numeric_limits<int64_t>::max())
                            << " bytes of LDS where "
                            << std::max<int64_t>(0, amdgpu::kMaxLdsBytes - start) << " of "
                            << amdgpu::kMaxLdsBytes << " are left";
  }

  void replace(Operation& op, MemRefType type, air::MemoryLevel level) {
    std::string_view name = level == air::MemoryLevel::L2 ? "memref.alloc" : "memref.alloca";
    Value buffer = create(op, name, type);
    if (op.parentOf<air::HerdOp>()) kernel_.herdBuffers.insert(last_);
    if (type != op.result().type() && type.shape().size() && hasDynamicResult(op)) {
      Builder here = Builder::before(op);
      auto wanted = op.result().type().cast<MemRefType>().withMemorySpace(type.memorySpace());
      buffer = memref::CastOp::create(here, op.location(), buffer, wanted)->result();
    }
    op.result().replaceAllUsesWith(buffer);
    op.erase();
  }

  /// An allocation for that of `op`, at the start of the body.
  Value create(Operation& op, std::string_view name, MemRefType type) {
    OperationState state(op.context(), op.location(), name);
    state.resultTypes.push_back(type);
    const int32_t sizes[] = {0, 0};
    state.setOperandSegments(op.context(), sizes);
    if (Attribute alignment = op.attr("alignment"))
      state.addAttribute(op.context(), "alignment", alignment);
    Builder start = last_ ? Builder::after(*last_) : Builder::atStart(kernel_.body());
    last_ = start.create(state);
    return last_->result();
  }

  static bool hasDynamicResult(Operation& op) {
    return !op.result().type().cast<MemRefType>().hasStaticShape();
  }

  Kernel& kernel_;
  Operation* last_ = nullptr;
  int64_t ldsBytes_ = 0;
  std::vector<Slot> slots_;
  size_t next_ = 0;
  std::unordered_map<const Operation*, std::pair<size_t, size_t>>
      numbers_;  // of the ops of the kernel, while lifetimes are read
  std::unordered_map<Operation*, size_t> slotOf_;
};

MemRefType inSpace(MemRefType memref, int64_t space) {
  return memref.withMemorySpace(IntegerAttr::get(IntegerType::get(memref.context(), 64), space));
}

/// The memref type as a kernel has it.
Type mapped(Type type) {
  auto memref = type.dynCast<MemRefType>();
  if (!memref) return type;
  auto level = levelOf(memref);
  if (!level || *level == air::MemoryLevel::L3) return type;
  return inSpace(memref, *level == air::MemoryLevel::L2 ? kLdsSpace : kPrivateSpace);
}

/// A part of `bytes` (LDS of all waves) that starts at `start`.
Value viewAt(Builder& builder, Value bytes, Value start, MemRefType type) {
  OperationState state(builder.context(), bytes.location(), "memref.view");
  state.operands = {bytes, start};
  state.resultTypes.push_back(inSpace(type, kLdsSpace));
  return builder.create(state)->result();
}

/// Views of what lies in LDS lie there too.
void moveViews(Value memref) {
  for (OpOperand& use : memref.uses()) {
    Operation& user = *use.owner();
    if (!user.hasTrait(Trait::ViewLike)) continue;
    for (Value result : user.resultValues())
      if (auto type = result.type().dynCast<MemRefType>()) {
        result.setType(inSpace(type, kLdsSpace));
        moveViews(result);
      }
  }
}

}  // namespace

std::optional<int64_t> bytesOfBuffer(MemRefType type) {
  int64_t bytes = 0;
  const bool wraps =
      __builtin_mul_overflow(type.numElements(), bytesOf(type.elementType()), &bytes);
  if (wraps || bytes < 0) return std::nullopt;
  return bytes;
}

void moveToLds(Kernel& kernel) {
  if (kernel.waveBuffers.empty()) return;
  Context& context = kernel.func->context();
  const int64_t all[] = {kernel.waveBytes * kernel.shape.x * kernel.shape.y};
  const MemRefType type =
      inSpace(MemRefType::get(context, all, IntegerType::get(context, 8)), kLdsSpace);
  OperationState state(context, kernel.func->location(), "memref.alloc");
  state.resultTypes.push_back(type);
  const int32_t groups[] = {0, 0};
  state.setOperandSegments(context, groups);
  const Value bytes = Builder::atStart(kernel.body()).create(state)->result();

  Builder builder = Builder::after(*kernel.idOps.back());
  const IndexMath math(builder, kernel.func->location());
  const Index wave = math.add(math.mul(Index(kernel.itemY), kernel.shape.x), Index(kernel.waveX));
  const Index first = math.mul(wave, kernel.waveBytes);
  for (const auto& [buffer, start] : kernel.waveBuffers) {
    const auto memref = buffer->result().type().cast<MemRefType>();
    const Value view = viewAt(builder, bytes, math.value(math.add(first, start)), memref);
    buffer->result().replaceAllUsesWith(view);
    buffer->erase();
    moveViews(view);
  }
}

LogicalResult hoistBuffers(Kernel& kernel) { return BufferHoister(kernel).run(); }

void mapMemorySpaces(Kernel& kernel) {
  kernel.func->walk([](Operation& op) {
    for (Value result : op.resultValues())
      result.setType(mapped(result.type()));
    for (Region& region : op.regions())
      for (Block& block : region.blocks())
        for (Value argument : block.arguments())
          argument.setType(mapped(argument.type()));
  });
}

}  // namespace airlite::gpu
