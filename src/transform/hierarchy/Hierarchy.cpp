// Building hierarchy ops, isolating their bodies, and naming them.
#include "Hierarchy.hpp"

#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Dominance.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Symbols.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace airlite::air {

namespace {

// Operand groups of launch, segment and herd: dependencies, sizes, kernel operands, affinity,
// concurrency.
constexpr unsigned kKernelOperandGroup = 2;

/// Defined outside and used inside, in the order of first use.
std::vector<Value> captures(Region& region) {
  std::vector<Value> result;
  std::unordered_set<Value> seen;
  for (Block& block : region.blocks())
    for (Operation& op : block.ops())
      op.walk(
          [&](Operation& inner) {
            for (Value operand : inner.operands())
              if (!isInside(operand, region) && seen.insert(operand).second)
                result.push_back(operand);
          },
          WalkOrder::PreOrder);
  return result;
}

void replaceInside(Value from, Value to, Region& region) {
  from.replaceUsesIf(to, [&](OpOperand& use) { return isInside(*use.owner(), region); });
}

bool isConstant(Value value) {
  Operation* op = value.definingOp();
  return op && (op->hasTrait(Trait::ConstantLike) || op->is("ub.poison"));
}

/// `base`, with the first number that `taken` does not hold yet; adds it there.
std::string freeName(std::string_view base, std::unordered_set<std::string>& taken) {
  for (unsigned i = 0;; ++i) {
    std::string name = std::string(base) + "_" + std::to_string(i);
    if (taken.insert(name).second) return name;
  }
}

template <class Op>
std::vector<Operation*> collect(Operation& module, std::unordered_set<std::string>& names) {
  std::vector<Operation*> ops;
  module.walk([&](Operation& op) {
    if (!isa<Op>(&op)) return;
    ops.push_back(&op);
    if (std::string_view name = symbolName(op); !name.empty()) names.emplace(name);
  });
  return ops;
}

void setName(Operation& op, std::string_view name) {
  op.setAttr(kSymbolName, StringAttr::get(op.context(), name));
}

/// Buffers in L1 that a herd is given.
std::vector<Value> sharedBuffers(HerdOp herd) {
  std::vector<Value> result;
  for (Value operand : herd.kernelOperands())
    if (memorySpaceOf(operand.type()) && memoryLevel(operand.type()) == MemoryLevel::L1)
      result.push_back(memref::viewSource(operand));
  return result;
}

}  // namespace

HierarchyOp createHierarchy(Builder& builder, Location location, std::string_view opName,
                            std::span<const Value> sizes, const std::vector<Value>* dependencies) {
  Context& context = builder.context();
  OperationState state(context, location, opName);
  if (dependencies) {
    state.addOperands(*dependencies);
    // What waits for tokens of the machine gives one.
    Type token = DialectType::get(context, "air.async.token");
    for (Value dependency : *dependencies)
      if (dependency.type() != token) token = dependency.type();
    state.resultTypes.push_back(token);
  }
  int32_t numDependencies = static_cast<int32_t>(state.operands.size());
  state.addOperands(sizes);
  int32_t segments[] = {numDependencies, static_cast<int32_t>(sizes.size()), 0, 0, 0};
  state.setOperandSegments(context, segments);
  Block& body = state.addRegion().addBlock(context);
  for (size_t i = 0; i < 2 * sizes.size(); ++i)
    body.addArgument(builder.indexType(), location);
  HierarchyOp op(builder.create(state));
  Builder::atEnd(op.body()).create(location, op->def().implicitTerminator, {}, {});
  return op;
}

void copyAttributes(HierarchyOp from, HierarchyOp to) {
  constexpr std::string_view kOperandSegments = "operandSegmentSizes";
  for (const NamedAttribute& attribute : from->attributes().value())
    if (attribute.name.str() != kOperandSegments)
      to->setAttr(attribute.name.str(), attribute.value);
}

unsigned addKernelOperands(HierarchyOp op, std::span<const Value> values) {
  unsigned first = op.body().numArguments();
  std::vector<Value> operands = op.kernelOperands().vec();
  operands.insert(operands.end(), values.begin(), values.end());
  op->setOperandGroup(kKernelOperandGroup, operands);
  for (Value value : values)
    op.body().addArgument(value.type(), op->location());
  return first;
}

void isolate(HierarchyOp op, std::span<const Value> first) {
  Region& region = op->region();
  std::vector<Value> values, all = captures(region);
  for (Value value : first)
    if (std::find(all.begin(), all.end(), value) != all.end()) values.push_back(value);
  Builder top = Builder::atStart(op.body());
  for (Value value : all) {
    if (std::find(first.begin(), first.end(), value) != first.end()) continue;
    if (!isConstant(value)) {
      values.push_back(value);
      continue;
    }
    replaceInside(value, top.clone(*value.definingOp())->result(value.index()), region);
  }
  unsigned argument = addKernelOperands(op, values);
  for (Value value : values)
    replaceInside(value, op.body().argument(argument++), region);
}

std::string createChannel(Operation& from, std::span<const int64_t> sizes, std::string_view type) {
  Operation& module = *from.parentOfName("builtin.module");
  std::unordered_set<std::string> names;
  module.walk([&](Operation& op) {
    if (isa<ChannelOp>(&op)) names.emplace(symbolName(op));
  });
  Builder builder = Builder::atStart(module.region().front());
  while (isa<ChannelOp>(builder.insertPoint().before))
    builder.setAfter(*builder.insertPoint().before);
  std::vector<Attribute> dims;
  for (int64_t size : sizes)
    dims.push_back(builder.i64Attr(size));
  std::string name = freeName("channel", names);
  builder.create(from.location(), "air.channel", {}, {},
                 {builder.named(kSymbolName, builder.stringAttr(name)),
                  builder.named("size", ArrayAttr::get(builder.context(), dims)),
                  builder.named("channel_type", builder.stringAttr(type))});
  return name;
}

/// Both have the groups dependencies, indices, memref, offsets, sizes, strides; a put one more.
static Operation* createAccess(Builder& builder, Location location, std::string_view opName,
                               std::string_view channel, std::span<const Value> indices,
                               Value memref, bool isPut, Value after) {
  Context& context = builder.context();
  OperationState state(context, location, opName);
  if (after) {
    state.operands.push_back(after);
    state.resultTypes.push_back(after.type());
  }
  state.addOperands(indices);
  state.operands.push_back(memref);
  std::vector<int32_t> segments{after ? 1 : 0, static_cast<int32_t>(indices.size()), 1, 0, 0, 0};
  if (isPut) segments.push_back(0);
  state.setOperandSegments(context, segments);
  state.addAttribute(context, "chan_name", SymbolRefAttr::get(context, channel));
  return builder.insert(Operation::create(context, state));
}

Operation* createChannelPut(Builder& builder, Location location, std::string_view channel,
                            std::span<const Value> indices, Value memref, Value after) {
  return createAccess(builder, location, "air.channel.put", channel, indices, memref, true, after);
}

Operation* createChannelGet(Builder& builder, Location location, std::string_view channel,
                            std::span<const Value> indices, Value memref, Value after) {
  return createAccess(builder, location, "air.channel.get", channel, indices, memref, false, after);
}

bool isInHierarchy(Operation& op) {
  for (Operation* up = op.parentOp(); up; up = up->parentOp())
    if (asHierarchy(up)) return true;
  return false;
}

int64_t countOps(Operation& root) {
  int64_t count = 0;
  root.walk([&](Operation&) { ++count; });
  return count;
}

std::vector<Operation*> channelAccessesIn(Operation& root) {
  std::vector<Operation*> found;
  root.walk([&](Operation& op) {
    if (isChannelAccess(op)) found.push_back(&op);
  });
  return found;
}

int64_t coresFor(int64_t count, int64_t limit) {
  int64_t cores = std::min(count, std::max<int64_t>(limit, 1));
  while (count % cores)
    --cores;
  return cores;
}

void nameSegments(Operation& module) {
  std::unordered_set<std::string> names;
  for (Operation* segment : collect<SegmentOp>(module, names)) {
    if (!symbolName(*segment).empty()) continue;
    Operation* function = segment->parentOfName("func.func");
    setName(*segment, freeName(function ? symbolName(*function) : "segment", names));
  }
}

void nameHerds(Operation& module) {
  std::unordered_set<std::string> names;
  std::unordered_map<Value, std::string> nameOfBuffer;
  std::vector<Operation*> herds = collect<HerdOp>(module, names);
  auto remember = [&](Operation* herd) {
    for (Value buffer : sharedBuffers(HerdOp(herd)))
      nameOfBuffer.emplace(buffer, symbolName(*herd));
  };
  for (Operation* herd : herds)
    if (!symbolName(*herd).empty()) remember(herd);
  for (Operation* herd : herds) {
    if (!symbolName(*herd).empty()) continue;
    std::string name;
    for (Value buffer : sharedBuffers(HerdOp(herd)))
      if (auto known = nameOfBuffer.find(buffer); name.empty() && known != nameOfBuffer.end())
        name = known->second;
    setName(*herd, name.empty() ? freeName("herd", names) : name);
    remember(herd);
  }
}

}  // namespace airlite::air
