#include "FunctionEmitter.hpp"

#include <llvm/ADT/StringSet.h>

#include <algorithm>
#include <unordered_set>

namespace airlite::gpu {
namespace {

const EmitTable& tableOf(Place place) {
  static const auto make = [](Place of) {
    EmitTable table;
    for (auto* add : {addArithOps, addCastOps, addMathOps, addMemRefOps, addViewOps, addVectorOps,
                      addVectorMemoryOps, addControlOps})
      add(table);
    of == Place::Kernel ? addKernelOps(table) : addHostOps(table);
    if (of == Place::Kernel) addMatrixOps(table);
    return table;
  };
  static const EmitTable kernel = make(Place::Kernel);
  static const EmitTable host = make(Place::Host);
  return place == Place::Kernel ? kernel : host;
}

}  // namespace

/// Why `op` cannot compute what it is given in floats of eight bits; empty when it can, or has no such numbers.
static std::string float8Obstacle(const Operation& op) {
  static const llvm::StringSet<> moving = {"arith.constant", "arith.extf", "arith.truncf",
                                           "arith.bitcast", "arith.select"};
  static const llvm::StringSet<> computing = {
      "vector.reduction",    "vector.multi_reduction", "vector.fma",    "vector.contract",
      "vector.outerproduct", "memref.atomic_rmw",      "gpu.all_reduce"};
  const std::string_view text = op.name();
  const llvm::StringRef name(text.data(), text.size());
  const bool computes = (name.starts_with("arith.") || name.starts_with("math."))
                            ? !moving.contains(name)
                            : computing.contains(name);
  if (!computes) return {};
  const auto isNarrow = [](Type type) { return elementTypeOrSelf(type).isFloat8(); };
  for (Value operand : op.operands())
    if (isNarrow(operand.type()))
      return std::string(text) + " on " + elementTypeOrSelf(operand.type()).str() +
             "; convert to f32 with arith.extf, and the result with arith.truncf";
  for (Type type : op.resultTypes())
    if (isNarrow(type)) return std::string(text) + " to " + elementTypeOrSelf(type).str();
  return {};
}

LogicalResult unsupported(Operation& op, std::string_view what) {
  return op.emitError() << "not supported: " << what;
}

// -- The body ------------------------------------------------------------------------------------

LogicalResult FunctionEmitter::emitBody(Region& body,
                                        llvm::function_ref<LogicalResult()> bindArguments) {
  const auto order = reachable(body);
  for (Block* block : order)
    blocks_[block] = newBlock(block->isEntry() ? "entry" : "bb");
  for (Block* block : order)
    if (!block->isEntry() && failed(createPhis(*block))) return failure();
  builder.SetInsertPoint(blocks_[order.front()]);
  if (failed(bindArguments())) return failure();
  for (Block* block : order)
    if (failed(emitBlock(*block))) return failure();
  return success();
}

/// Reverse post-order: what a block uses is emitted before it.
std::vector<Block*> FunctionEmitter::reachable(Region& body) {
  struct Visit {
    Block* block;
    std::vector<Block*> successors;
  };
  std::vector<Block*> order;
  std::unordered_set<Block*> seen = {&body.front()};
  std::vector<Visit> stack = {{&body.front(), body.front().successors()}};
  while (!stack.empty()) {
    auto& [block, successors] = stack.back();
    if (successors.empty()) {
      order.push_back(block);
      stack.pop_back();
      continue;
    }
    Block* next = successors.back();
    successors.pop_back();
    if (seen.insert(next).second) stack.push_back({next, next->successors()});
  }
  std::reverse(order.begin(), order.end());
  return order;
}

LogicalResult FunctionEmitter::createPhis(Block& block) {
  builder.SetInsertPoint(blocks_[&block]);
  std::vector<llvm::Type*> types;
  for (Value argument : block.arguments()) {
    const auto why = owner.obstacle(argument.type());
    if (!why.empty()) return unsupported(*block.parentOp(), why);
    owner.slotTypes(argument.type(), types);
  }
  auto& phis = phis_[&block];
  LlvmValues slots;
  for (auto* type : types) {
    phis.push_back(builder.CreatePHI(type, 2));
    slots.push_back(phis.back());
  }
  unsigned next = 0;
  for (Value argument : block.arguments())
    bind(argument, slots, next);
  return success();
}

LogicalResult FunctionEmitter::emitBlock(Block& block) {
  if (!block.isEntry()) builder.SetInsertPoint(blocks_[&block]);
  for (Operation& op : block.ops())
    if (failed(emitOp(op))) return failure();
  return success();
}

LogicalResult FunctionEmitter::checkTypes(Operation& op) {
  for (Type type : op.resultTypes()) {
    const auto why = owner.obstacle(type);
    if (!why.empty()) return unsupported(op, why);
  }
  return success();
}

LogicalResult FunctionEmitter::emitOp(Operation& op) {
  const auto& table = tableOf(owner.place());
  const auto found = table.find(op.name());
  if (found == table.end())
    return unsupported(op, "'" + std::string(op.name()) + "' in a " +
                               (isKernelSide() ? "kernel" : "host function"));
  if (failed(checkTypes(op))) return failure();
  if (const auto why = float8Obstacle(op); !why.empty()) return unsupported(op, why);
  return found->second(*this, op);
}

// -- Values --------------------------------------------------------------------------------------

LlvmValues FunctionEmitter::getAll(OperandRange values) const {
  LlvmValues all;
  for (Value value : values)
    all.push_back(get(value));
  return all;
}

static void appendOpen(llvm::ArrayRef<llvm::Value*> values, std::span<const int64_t> known,
                       LlvmValues& into) {
  for (size_t i = 0; i < known.size(); ++i)
    if (known[i] == kDynamic) into.push_back(values[i]);
}

void FunctionEmitter::flatten(Value value, LlvmValues& into) const {
  const auto type = value.type().dynCast<MemRefType>();
  if (!type) {
    if (auto found = scalars_.find(value); found != scalars_.end()) into.push_back(found->second);
    return;  // a token has no value
  }
  const auto& parts = memref(value);
  const auto form = type.stridedForm();
  into.push_back(parts.base);
  if (form->offset == kDynamic) into.push_back(parts.offset);
  appendOpen(parts.sizes, type.shape(), into);
  appendOpen(parts.strides, form->strides, into);
}

void FunctionEmitter::bind(Value value, llvm::ArrayRef<llvm::Value*> slots, unsigned& next) {
  if (value.type().isa<DialectType>()) return;
  const auto type = value.type().dynCast<MemRefType>();
  if (!type) return set(value, slots[next++]);
  const auto form = type.stridedForm();
  const auto take = [&](int64_t known) { return known == kDynamic ? slots[next++] : i64(known); };
  MemRefParts parts;
  parts.base = slots[next++];
  parts.offset = take(form->offset);
  for (int64_t size : type.shape())
    parts.sizes.push_back(take(size));
  for (int64_t stride : form->strides)
    parts.strides.push_back(take(stride));
  set(value, std::move(parts));
}

// -- Memory --------------------------------------------------------------------------------------

void FunctionEmitter::setMemref(Value value, MemRefParts parts) {
  const auto type = value.type().cast<MemRefType>();
  const auto form = type.stridedForm();
  if (form->offset != kDynamic) parts.offset = i64(form->offset);
  for (size_t i = 0; i < form->strides.size(); ++i) {
    if (!type.isDynamicDim(i)) parts.sizes[i] = i64(type.dim(i));
    if (form->strides[i] != kDynamic) parts.strides[i] = i64(form->strides[i]);
  }
  set(value, std::move(parts));
}

llvm::Value* FunctionEmitter::linearIndex(const MemRefParts& parts,
                                          llvm::ArrayRef<llvm::Value*> indices) {
  auto* sum = parts.offset;
  for (size_t i = 0; i < indices.size(); ++i)
    sum = builder.CreateAdd(sum, builder.CreateMul(indices[i], parts.strides[i]));
  return sum;
}

llvm::Value* FunctionEmitter::elementAddress(Type elementType, const MemRefParts& parts,
                                             llvm::Value* linear) {
  auto* step = owner.inMemory(elementType);
  // A vector's own size may be padded, an array's is not.
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(step))
    step = llvm::ArrayType::get(vector->getElementType(), vector->getNumElements());
  return builder.CreateInBoundsGEP(step, parts.base, linear);
}

llvm::Value* FunctionEmitter::fromMemory(Type type, llvm::Value* value) {
  auto* wanted = convert(type);
  if (value->getType() == wanted) return value;
  if (!wanted->getScalarType()->isIntegerTy(1)) return builder.CreateTrunc(value, wanted);
  return builder.CreateICmpNE(value, llvm::Constant::getNullValue(value->getType()));
}

llvm::Value* FunctionEmitter::toMemory(Type type, llvm::Value* value) {
  return builder.CreateZExt(value, owner.inMemory(type));
}

llvm::Value* FunctionEmitter::load(Type type, llvm::Value* address, std::uint64_t alignment) {
  const llvm::Align align(alignment ? alignment : owner.alignmentOf(type));
  return fromMemory(type, builder.CreateAlignedLoad(owner.inMemory(type), address, align));
}

void FunctionEmitter::store(Type type, llvm::Value* value, llvm::Value* address,
                            std::uint64_t alignment) {
  auto* stored = elementTypeOrSelf(type).isFloat() ? value : toMemory(type, value);
  const llvm::Align align(alignment ? alignment : owner.alignmentOf(type));
  builder.CreateAlignedStore(stored, address, align);
}

MemRefParts FunctionEmitter::rowMajor(llvm::Value* base, LlvmValues sizes) {
  MemRefParts parts{base, i64(0), std::move(sizes), {}};
  parts.strides.resize(parts.sizes.size());
  llvm::Value* stride = i64(1);
  for (size_t i = parts.sizes.size(); i-- > 0;) {
    parts.strides[i] = stride;
    stride = builder.CreateMul(stride, parts.sizes[i]);
  }
  return parts;
}

llvm::Value* FunctionEmitter::entryAlloca(llvm::Type* type, llvm::Align align) {
  const llvm::IRBuilderBase::InsertPointGuard guard(builder);
  auto& entry = function.getEntryBlock();
  builder.SetInsertPoint(&entry, entry.begin());
  auto* slot = builder.CreateAlloca(type, isKernelSide() ? 5 : 0);
  slot->setAlignment(align);
  return slot;
}

// -- Control flow --------------------------------------------------------------------------------

llvm::BasicBlock* FunctionEmitter::newBlock(const char* name) {
  return llvm::BasicBlock::Create(owner.context(), name, &function);
}

void FunctionEmitter::addIncoming(Block* target, OperandRange operands, llvm::BasicBlock* from) {
  LlvmValues slots;
  for (Value operand : operands)
    flatten(operand, slots);
  auto& phis = phis_[target];
  for (size_t i = 0; i < phis.size(); ++i)
    phis[i]->addIncoming(slots[i], from);
}

void FunctionEmitter::loopNest(llvm::ArrayRef<llvm::Value*> sizes,
                               llvm::function_ref<void(llvm::ArrayRef<llvm::Value*>)> body) {
  struct Loop {
    llvm::BasicBlock *header, *exit;
    llvm::PHINode* index;
  };
  llvm::SmallVector<Loop, 4> loops;
  LlvmValues indices;
  for (auto* size : sizes) {
    Loop loop{newBlock("loop"), newBlock("done"), nullptr};
    auto* enter = newBlock("each");
    auto* from = builder.GetInsertBlock();
    builder.CreateBr(loop.header);
    builder.SetInsertPoint(loop.header);
    loop.index = builder.CreatePHI(builder.getInt64Ty(), 2);
    loop.index->addIncoming(i64(0), from);
    builder.CreateCondBr(builder.CreateICmpSLT(loop.index, size), enter, loop.exit);
    builder.SetInsertPoint(enter);
    indices.push_back(loop.index);
    loops.push_back(loop);
  }
  body(indices);
  for (const auto& loop : llvm::reverse(loops)) {
    loop.index->addIncoming(builder.CreateNSWAdd(loop.index, i64(1)), builder.GetInsertBlock());
    builder.CreateBr(loop.header);
    builder.SetInsertPoint(loop.exit);
  }
}

void FunctionEmitter::when(llvm::Value* condition, llvm::function_ref<void()> body) {
  auto* then = newBlock("then");
  auto* end = newBlock("end");
  builder.CreateCondBr(condition, then, end);
  builder.SetInsertPoint(then);
  body();
  builder.CreateBr(end);
  builder.SetInsertPoint(end);
}

}  // namespace airlite::gpu
