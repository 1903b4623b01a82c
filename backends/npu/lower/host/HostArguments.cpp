// Which argument of a runtime sequence a memref of the host is.
#include "HostArguments.hpp"

#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Symbols.hpp"

#include <algorithm>

namespace airlite::npu {

/// The layout of a memref whose shape and strides are known.
static std::optional<StridedForm> knownLayout(Type type) {
  const auto memref = type.dynCast<MemRefType>();
  const auto form = memref ? memref.stridedForm() : std::nullopt;
  if (!form || !memref.hasStaticShape() ||
      std::ranges::find(form->strides, kDynamic) != form->strides.end())
    return std::nullopt;
  return *form;
}

/// Other dimensions of the same elements from the same place on: transfers say by themselves how far elements lie apart.
static bool isReshape(Operation& op) {
  if (!op.is("memref.collapse_shape") && !op.is("memref.expand_shape")) return false;
  const auto from = knownLayout(op.operand(0).type()), to = knownLayout(op.result().type());
  return from && to && from->offset != kDynamic && from->offset == to->offset;
}

bool isRenaming(Operation& op) {
  return isReshape(op) || op.is("memref.cast") || op.is("memref.assume_alignment") ||
         op.is("memref.memory_space_cast");
}

/// Adds how many elements after the first one of its source a subview begins.
static bool addDistanceInSource(memref::SubViewOp view, HostMemory& memory) {
  const auto layout = knownLayout(view.source().type());
  if (!layout || !knownLayout(view.resultType())) return false;
  const auto offsets = view.offsets();
  for (size_t dim = 0; dim < offsets.size(); ++dim) {
    if (offsets[dim].isConstant())
      memory.start += offsets[dim].constant * layout->strides[dim];
    else
      memory.indices.emplace_back(offsets[dim].value, layout->strides[dim]);
  }
  return true;
}

/// The place of memory with another layout that is known when the program is compiled.
static std::optional<int64_t> placeOfCast(Operation& op) {
  const auto layout =
      op.is("memref.reinterpret_cast") ? knownLayout(op.result().type()) : std::nullopt;
  if (!layout || layout->offset == kDynamic) return std::nullopt;
  return layout->offset;
}

/// Whether there may be elements before the first one, which a reinterpret_cast counts.
static bool beginsInside(Type type) {
  const auto memref = type.dynCast<MemRefType>();
  const auto form = memref ? memref.stridedForm() : std::nullopt;
  return memref && (!form || form->offset != 0);
}

static Value firstName(Value memref) {
  Operation* source = memref.definingOp();
  return source && isRenaming(*source) ? firstName(source->operand(0)) : memref;
}

static bool isL3Allocation(Operation& op) {
  return op.is("memref.alloc") && air::memoryLevel(op.result().type()) == air::MemoryLevel::L3;
}

void HostArguments::add(Value value) {
  numbers_[value] = static_cast<unsigned>(types_.size());
  types_.push_back(value.type());
  contents_.push_back(nullptr);
}

/// Every mention of one global is one argument: nobody writes to it.
LogicalResult HostArguments::addGlobal(Operation& get) {
  if (air::memoryLevel(get.result().type()) != air::MemoryLevel::L3) return success();
  memref::GlobalOp global(lookupSymbol(&get, get.attrOf<SymbolRefAttr>("name")));
  if (!global || !global.isConstant() || !global.initialValue())
    return get.emitOpError() << "not supported on the host: a global that is not a constant";
  const auto found = std::ranges::find(contents_, global.op());
  if (found == contents_.end()) {
    add(get.result());
    contents_.back() = global.op();
  } else {
    numbers_[get.result()] = static_cast<unsigned>(found - contents_.begin());
  }
  return success();
}

void HostArguments::readResult(Operation& copy) {
  Value source = firstName(copy.operand(0)), target = firstName(copy.operand(1));
  Operation* made = source.definingOp();
  auto found = numbers_.find(target);
  if (!made || !isL3Allocation(*made) || found == numbers_.end()) return;
  if (!target.hasOneUse() || source.type() != target.type()) return;
  numbers_[source] = found->second;
  results_.insert(&copy);
}

LogicalResult HostArguments::read(Operation& function) {
  for (Value argument : function.region().front().arguments()) {
    if (argument.type().isa<MemRefType>() &&
        air::memoryLevel(argument.type()) != air::MemoryLevel::L3)
      return function.emitOpError()
             << "not supported: argument " << argument.index() << " of type " << argument.type()
             << " is memory of the array; the host gives memory of its own, without a memory "
                "space, "
                "and a DMA or channel moves it";
    add(argument);
  }
  function.walk([&](Operation& op) {
    if (op.is("memref.copy")) readResult(op);
  });
  LogicalResult result = success();
  auto addMemory = [&](Operation& op) {
    if (isa<memref::GetGlobalOp>(&op) && op.hasResultUses()) result |= addGlobal(op);
    if (!isL3Allocation(op) || numbers_.count(op.result())) return;
    if (!op.result().type().cast<MemRefType>().hasStaticShape())
      result = op.emitOpError() << "not supported: memory of a size that is open";
    add(op.result());
  };
  function.walk(addMemory, WalkOrder::PreOrder);
  return result;
}

std::optional<HostMemory> HostArguments::find(Value memref) const {
  HostMemory memory;
  bool isFromStart = false;  // a reinterpret_cast counts from the start of the memory
  for (Value name = firstName(memref);; name = firstName(name)) {
    if (const auto found = numbers_.find(name); found != numbers_.end()) {
      if (isFromStart && beginsInside(name.type())) return std::nullopt;
      memory.argument = found->second;
      return memory;
    }
    Operation* view = name.definingOp();
    if (!view) return std::nullopt;
    const auto place = placeOfCast(*view);
    HostMemory more = isFromStart ? HostMemory() : memory;
    if (place)
      more.start += *place;
    else if (!isa<memref::SubViewOp>(view) || !addDistanceInSource(memref::SubViewOp(view), more))
      return std::nullopt;
    if (!isFromStart) memory = std::move(more);
    isFromStart |= place.has_value();
    name = view->operand(0);
  }
}

}  // namespace airlite::npu
