// Whole operands of a herd in memory that is nearer to its cores.
#include "StageOperands.hpp"

#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace airlite::air {

namespace {

constexpr unsigned kKernelOperandsOfHerd = 2;

MemRefType atLevel(MemRefType type, MemoryLevel level) {
  Context& context = type.context();
  const Attribute space =
      IntegerAttr::get(IntegerType::get(context, 64), static_cast<int64_t>(level));
  return MemRefType::get(context, type.shape(), type.elementType(), Attribute(), space);
}

/// What the copies of a herd do with one of its arguments.
struct ArgumentUse {
  unsigned number = 0;  ///< of the kernel operand
  bool isWritten = false;
};

bool isFartherThan(MemoryLevel level, Type type) {
  const auto memref = type.dynCast<MemRefType>();
  const auto own = memref ? memoryLevel(memref) : std::nullopt;
  return own && static_cast<int>(*own) < static_cast<int>(level);
}

bool isPadded(DmaMemcpyNdOp dma) { return !dma.padBefore().empty() || !dma.padAfter().empty(); }

/// Why the argument stays where it is; empty when it can be brought nearer.
std::string_view obstacleTo(HerdOp herd, ArgumentUse& use) {
  const Value argument = herd.kernelArgument(use.number);
  const auto type = argument.type().cast<MemRefType>();
  if (!type.hasStaticShape() || type.layout() || type.shape().empty())
    return "an operand stays where it is: its shape or layout is open";
  if (!argument.hasUses()) return "an operand stays where it is: no core uses it";
  for (OpOperand& user : argument.uses()) {
    const auto dma = dynCast<DmaMemcpyNdOp>(user.owner());
    if (!dma) return "an operand stays where it is: the cores do not only copy it";
    if (dma.src().memref == dma.dst().memref)
      return "an operand stays where it is: a copy within it";
    if (isPadded(dma)) return "an operand stays where it is: a copy pads it";
    use.isWritten |= dma.dst().memref == argument;
  }
  const Value buffer = bufferSource(herd.kernelOperands()[use.number]);
  for (unsigned other = 0; other < herd.numKernelOperands(); ++other) {
    const Value operand = herd.kernelOperands()[other];
    const bool isAlias =
        other != use.number && operand.type().isa<MemRefType>() && bufferSource(operand) == buffer;
    if (isAlias && use.isWritten) return "an operand stays where it is: the herd has it twice";
  }
  return {};
}

/// Operands that can be brought to `level`, from any level outside of it.
std::vector<ArgumentUse> farOperands(HerdOp herd, MemoryLevel level, PassContext& context) {
  std::vector<ArgumentUse> uses;
  for (unsigned number = 0; number < herd.numKernelOperands(); ++number) {
    if (!isFartherThan(level, herd.kernelArgument(number).type())) continue;
    ArgumentUse use{number};
    if (const std::string_view why = obstacleTo(herd, use); !why.empty())
      context.remark(*herd.op(), why);
    else
      uses.push_back(use);
  }
  return uses;
}

/// A copy of all of `from` to all of `to`.
void copyWhole(Builder& builder, Location location, Value from, Value to) {
  memref::CopyOp::create(builder, location, from, to);
}

// -- Copies in the memory of one core -------------------------------------------------------------

/// One side of a copy whose lists are written out.
struct Walk {
  Value flat;   ///< the memory as one row
  Value first;  ///< the place of its first element there
  std::vector<Value> sizes, strides;
};

class CoreCopy {
 public:
  CoreCopy(Builder& builder, Location location) : builder_(builder), location_(location) {}

  void write(const Access& from, const Access& to) {
    const Walk source = walkOf(from), target = walkOf(to);
    std::vector<Value> counters;
    for (const Value size : source.sizes) {
      auto loop = scf::ForOp::create(builder_, location_, number(0), size, number(1));
      counters.push_back(loop.inductionVar());
      builder_.setBefore(loop.body().back());
    }
    const Value position = positionOf(counters, source.sizes);
    const Value at[] = {addressOf(source, counters)};
    const Value element = memref::LoadOp::create(builder_, location_, source.flat, at).result();
    const Value toAt[] = {addressOf(target, countersAt(position, target.sizes))};
    memref::StoreOp::create(builder_, location_, element, target.flat, toAt);
  }

 private:
  Value number(int64_t value) { return builder_.constantIndex(location_, value); }

  Value compute(std::string_view op, Value a, Value b) {
    return builder_.create(location_, op, {a, b}, {builder_.indexType()})->result();
  }

  Walk walkOf(const Access& access) {
    const auto type = access.memref.type().cast<MemRefType>();
    const std::vector<int64_t> rows = type.stridedForm()->strides;
    Walk walk{flatten(access.memref, type), number(0), {}, {}};
    const auto valueOf = [&](const IndexEntry& entry) {
      return entry.value ? entry.value : number(entry.constant);
    };
    for (size_t i = 0; access.isWhole() && i < rows.size(); ++i) {
      walk.sizes.push_back(number(type.shape()[i]));
      walk.strides.push_back(number(rows[i]));
    }
    for (const IndexEntry& size : access.sizes)
      walk.sizes.push_back(valueOf(size));
    for (const IndexEntry& stride : access.strides)
      walk.strides.push_back(valueOf(stride));
    // Offsets belong to the dimensions of the lists, or to those of the memory.
    const bool areOfLists = access.offsets.size() == access.strides.size();
    for (size_t i = 0; i < access.offsets.size(); ++i)
      walk.first = compute("arith.addi", walk.first,
                           compute("arith.muli", valueOf(access.offsets[i]),
                                   areOfLists ? walk.strides[i] : number(rows[i])));
    return walk;
  }

  Value flatten(Value memory, MemRefType type) {
    if (type.shape().size() == 1) return memory;
    int64_t count = 1;
    for (const int64_t size : type.shape())
      count *= size;
    const int64_t shape[] = {count};
    const MemRefType row = MemRefType::get(builder_.context(), shape, type.elementType(),
                                           Attribute(), type.memorySpace());
    const memref::MixedIndex size[] = {count}, step[] = {1};
    return memref::ReinterpretCastOp::create(builder_, location_, memory, 0, size, step, row)
        .result();
  }

  Value addressOf(const Walk& walk, const std::vector<Value>& counters) {
    Value sum = walk.first;
    for (size_t i = 0; i < counters.size(); ++i)
      sum = compute("arith.addi", sum, compute("arith.muli", counters[i], walk.strides[i]));
    return sum;
  }

  /// How many elements come before this one.
  Value positionOf(const std::vector<Value>& counters, const std::vector<Value>& sizes) {
    Value position = number(0);
    for (size_t i = 0; i < counters.size(); ++i)
      position = compute("arith.addi", compute("arith.muli", position, sizes[i]), counters[i]);
    return position;
  }

  std::vector<Value> countersAt(Value position, const std::vector<Value>& sizes) {
    std::vector<Value> counters(sizes.size());
    for (size_t i = sizes.size(); i-- > 0;) {
      counters[i] = i == 0 ? position : compute("arith.remsi", position, sizes[i]);
      if (i > 0) position = compute("arith.divsi", position, sizes[i]);
    }
    return counters;
  }

  Builder& builder_;
  Location location_;
};

/// What offsets without sizes mean is not known.
bool isRowMajor(const Access& access) {
  const auto type = access.memref.type().dynCast<MemRefType>();
  if (access.sizes.empty() && !access.isWhole()) return false;
  return type && type.hasStaticShape() && !type.layout() && !type.shape().empty();
}

/// Copies between the core's own memories, after one of them has been brought there.
void copyInCore(DmaMemcpyNdOp dma) {
  Builder builder = Builder::before(*dma.op());
  CoreCopy(builder, dma->location()).write(dma.src(), dma.dst());
  dma->erase();
}

}  // namespace

bool stageInL2(HerdOp herd, PassContext& context) {
  const std::vector<ArgumentUse> uses = farOperands(herd, MemoryLevel::L2, context);
  std::vector<Value> operands = herd.kernelOperands().vec();
  std::unordered_map<Value, Value> staged;  // one buffer for what the herd has twice
  Builder before = Builder::before(*herd.op()), after = Builder::after(*herd.op());
  const Location location = herd->location();
  for (const ArgumentUse& use : uses) {
    const Value memory = operands[use.number];
    const MemRefType type = atLevel(memory.type().cast<MemRefType>(), MemoryLevel::L2);
    Value& buffer = staged[memory];
    if (!buffer) {
      buffer = memref::AllocOp::create(before, location, type).result();
      copyWhole(before, location, memory, buffer);
      if (use.isWritten) copyWhole(after, location, buffer, memory);
      memref::DeallocOp::create(after, location, buffer);
    }
    operands[use.number] = buffer;
    herd.kernelArgument(use.number).setType(type);
  }
  if (!uses.empty()) herd->setOperandGroup(kKernelOperandsOfHerd, operands);
  return !uses.empty();
}

bool stageInL1(HerdOp herd, PassContext& context) {
  bool changed = false;
  for (const ArgumentUse& use : farOperands(herd, MemoryLevel::L1, context)) {
    const Value memory = herd.kernelArgument(use.number);
    std::vector<DmaMemcpyNdOp> copies;
    for (OpOperand& user : memory.uses())
      copies.emplace_back(user.owner());
    const bool canLoop = std::ranges::all_of(
        copies, [](DmaMemcpyNdOp dma) { return isRowMajor(dma.src()) && isRowMajor(dma.dst()); });
    if (!canLoop) {
      context.remark(*herd.op(),
                     "an operand stays where it is: a copy of memory with an open layout or size");
      continue;
    }
    Builder start = Builder::atStart(herd.body()), end = Builder::before(herd.body().back());
    const MemRefType type = atLevel(memory.type().cast<MemRefType>(), MemoryLevel::L1);
    const Value buffer = memref::AllocOp::create(start, herd->location(), type).result();
    for (DmaMemcpyNdOp dma : copies)
      for (unsigned i = 0; i < dma->numOperands(); ++i)
        if (dma->operand(i) == memory) dma->setOperand(i, buffer);
    for (DmaMemcpyNdOp dma : copies)
      copyInCore(dma);
    copyWhole(start, herd->location(), memory, buffer);
    if (use.isWritten) copyWhole(end, herd->location(), buffer, memory);
    memref::DeallocOp::create(end, herd->location(), buffer);
    changed = true;
  }
  return changed;
}

}  // namespace airlite::air
