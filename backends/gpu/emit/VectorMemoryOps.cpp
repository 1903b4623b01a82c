// vector: loads, stores and transfers.
#include "FunctionEmitter.hpp"
#include "airlite/dialect/Vector.hpp"

#include <algorithm>

namespace airlite::gpu {
namespace {

/// Rows of a vector that lie in memory one after the other: the index of each row's first element
/// in the flat vector and in memory.
struct Row {
  int64_t first;
  llvm::Value* address;
};

bool isConstant(llvm::Value* value, uint64_t number) {
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value);
  return constant && constant->getValue() == number;
}

// -- vector.load and vector.store ----------------------------------------------------------------

/// A vector of rank n covers the last n dims. Rows are `count` elements along the last one.
std::vector<Row> rowsOf(FunctionEmitter& e, const MemRefParts& parts, Type number, VectorType type,
                        llvm::Value* start, int64_t& count) {
  const auto shape = type.shape();
  count = shape.empty() ? 1 : shape.back();
  std::vector<Row> rows;
  const auto skipped = parts.strides.size() - shape.size();
  for (int64_t first = 0; first < type.numElements(); first += count) {
    auto* linear = start;
    int64_t rest = first / count;
    for (size_t i = shape.size(); i-- > 1;) {
      const auto at = rest % shape[i - 1];
      rest /= shape[i - 1];
      linear = e.builder.CreateAdd(linear,
                                   e.builder.CreateMul(e.i64(at), parts.strides[skipped + i - 1]));
    }
    rows.push_back({first, e.elementAddress(number, parts, linear)});
  }
  return rows;
}

LogicalResult checkAccess(Operation& op, MemRefType base, VectorType type,
                          const MemRefParts& parts) {
  if (base.elementType().isa<VectorType>()) return success();
  if (base.shape().size() < type.shape().size())
    return unsupported(op, "a vector of higher rank than its memref");
  if (type.shape().empty() || isConstant(parts.strides.back(), 1)) return success();
  return unsupported(op, std::string(op.name()) + " along a dim whose stride is not 1");
}

/// What the program says of the address; 0: nothing.
uint64_t alignmentOf(Operation& op) {
  return static_cast<uint64_t>(constantInt(op.attr("alignment")).value_or(0));
}

LogicalResult emitVectorLoad(FunctionEmitter& e, Operation& op) {
  const vector::LoadOp load(&op);
  const auto& parts = e.memref(load.base());
  const auto base = load.baseType();
  const auto type = load.vectorType();
  if (failed(checkAccess(op, base, type, parts))) return failure();
  auto* start = e.linearIndex(parts, e.getAll(load.indices()));
  if (base.elementType().isa<VectorType>())
    return e.setResult(op, e.load(type, e.elementAddress(type, parts, start)));
  int64_t count = 0;
  const auto rows = rowsOf(e, parts, type.elementType(), type, start, count);
  const auto rowType = VectorType::get(type.context(), {&count, 1}, type.elementType());
  if (rows.size() == 1) return e.setResult(op, e.load(rowType, rows[0].address, alignmentOf(op)));
  llvm::Value* made = llvm::PoisonValue::get(e.convert(type));
  for (const auto& row : rows) {
    auto* values = e.load(rowType, row.address);
    for (int64_t i = 0; i < count; ++i)
      made = e.builder.CreateInsertElement(made, e.builder.CreateExtractElement(values, e.i64(i)),
                                           e.i64(row.first + i));
  }
  return e.setResult(op, made);
}

LogicalResult emitVectorStore(FunctionEmitter& e, Operation& op) {
  const vector::StoreOp store(&op);
  const auto& parts = e.memref(store.base());
  const auto base = store.baseType();
  const auto type = store.vectorType();
  if (failed(checkAccess(op, base, type, parts))) return failure();
  auto* start = e.linearIndex(parts, e.getAll(store.indices()));
  auto* value = e.get(store.value());
  if (base.elementType().isa<VectorType>()) {
    e.store(type, value, e.elementAddress(type, parts, start));
    return success();
  }
  int64_t count = 0;
  const auto rows = rowsOf(e, parts, type.elementType(), type, start, count);
  const auto rowType = VectorType::get(type.context(), {&count, 1}, type.elementType());
  for (const auto& row : rows) {
    std::vector<int> mask;
    for (int64_t i = 0; i < count; ++i)
      mask.push_back(static_cast<int>(row.first + i));
    auto* part = rows.size() == 1 ? value : e.builder.CreateShuffleVector(value, mask);
    e.store(rowType, part, row.address, rows.size() == 1 ? alignmentOf(op) : 0);
  }
  return success();
}

// -- Transfers -----------------------------------------------------------------------------------

/// One element of a transfer: its position in memory and whether it takes part.
struct Access {
  llvm::Value* address;
  llvm::Value* isActive;  // null: always
};

/// Elements are visited one by one; LLVM joins what lies side by side.
class Transfer {
 public:
  Transfer(FunctionEmitter& emitter, vector::TransferOp op)
      : e_(emitter),
        op_(op),
        parts_(emitter.memref(op.source())),
        map_(op.permutationMap()),
        start_(emitter.getAll(op.indices())),
        type_(op.vectorType()) {}

  Access at(int64_t flat) {
    auto indices = start_;
    llvm::Value* isActive = nullptr;
    int64_t rest = flat;
    for (size_t d = type_.shape().size(); d-- > 0;) {
      const auto within = rest % type_.dim(d);
      rest /= type_.dim(d);
      if (op_.isBroadcastDim(static_cast<unsigned>(d))) continue;
      const auto dim = map_.result(static_cast<unsigned>(d)).position();
      indices[dim] = e_.builder.CreateAdd(indices[dim], e_.i64(within));
      if (!op_.isInBounds(static_cast<unsigned>(d)))
        isActive = both(isActive, inside(indices[dim], parts_.sizes[dim]));
    }
    if (op_.mask()) isActive = both(isActive, maskBit(flat));
    auto* address = e_.elementAddress(type_.elementType(), parts_, e_.linearIndex(parts_, indices));
    return {address, isActive};
  }

  /// The whole vector is one row of memory that lies inside.
  bool isPlainRow() { return op_.isAllInBounds() && type_.shape().size() == 1 && isRow(); }

  /// Elements of the vector lie one after the other in memory.
  bool isRow() {
    if (op_.mask()) return false;
    for (size_t d = 0; d < type_.shape().size(); ++d) {
      if (op_.isBroadcastDim(static_cast<unsigned>(d))) return false;
      const auto stride = parts_.strides[map_.result(static_cast<unsigned>(d)).position()];
      if (type_.dim(d) != 1 && !isConstant(stride, 1)) return false;
    }
    return std::ranges::count_if(type_.shape(), [](int64_t size) { return size != 1; }) <= 1;
  }

  /// Whether a row is inside as a whole: its ends are.
  llvm::Value* isRowInside() {
    auto* first = at(0).isActive;
    auto* last = at(type_.numElements() - 1).isActive;
    return first && last ? e_.builder.CreateAnd(first, last) : e_.builder.getTrue();
  }

 private:
  llvm::Value* both(llvm::Value* a, llvm::Value* b) { return a ? e_.builder.CreateAnd(a, b) : b; }

  /// 0 <= index < size.
  llvm::Value* inside(llvm::Value* index, llvm::Value* size) {
    return e_.builder.CreateICmpULT(index, size);
  }

  llvm::Value* maskBit(int64_t flat) {
    return e_.builder.CreateExtractElement(e_.get(op_.mask()), static_cast<uint64_t>(flat));
  }

  FunctionEmitter& e_;
  vector::TransferOp op_;
  const MemRefParts& parts_;
  AffineMap map_;
  LlvmValues start_;
  VectorType type_;
};

LogicalResult checkTransfer(Operation& op) {
  const vector::TransferOp transfer(&op);
  const auto memref = transfer.source().type().dynCast<MemRefType>();
  if (!memref) return unsupported(op, "a transfer of a tensor");
  if (memref.elementType().isa<VectorType>())
    return unsupported(op, "a transfer of a memref of vectors");
  const auto mask = transfer.mask();
  if (mask && !transfer.permutationMap().isIdentity())
    return unsupported(op, "a mask of a transfer that permutes");
  return success();
}

/// The element, or the padding without touching memory.
llvm::Value* guardedLoad(FunctionEmitter& e, Type number, const Access& access,
                         llvm::Value* padding) {
  if (!access.isActive) return e.load(number, access.address);
  auto* before = e.builder.GetInsertBlock();
  llvm::Value* loaded = nullptr;
  llvm::BasicBlock* from = nullptr;
  e.when(access.isActive, [&] {
    loaded = e.load(number, access.address);
    from = e.builder.GetInsertBlock();
  });
  auto* phi = e.builder.CreatePHI(loaded->getType(), 2);
  phi->addIncoming(padding, before);
  phi->addIncoming(loaded, from);
  return phi;
}

/// A row that lies inside is read at once.
llvm::Value* choose(FunctionEmitter& e, llvm::Value* condition,
                    llvm::function_ref<llvm::Value*()> yes, llvm::function_ref<llvm::Value*()> no) {
  auto* inside = e.newBlock("inside");
  auto* across = e.newBlock("across");
  auto* after = e.newBlock("after");
  e.builder.CreateCondBr(condition, inside, across);
  llvm::SmallVector<std::pair<llvm::Value*, llvm::BasicBlock*>, 2> made;
  for (auto [block, make] : {std::pair(inside, yes), std::pair(across, no)}) {
    e.builder.SetInsertPoint(block);
    auto* value = make();
    made.push_back({value, e.builder.GetInsertBlock()});
    e.builder.CreateBr(after);
  }
  e.builder.SetInsertPoint(after);
  if (!made[0].first) return nullptr;
  auto* phi = e.builder.CreatePHI(made[0].first->getType(), 2);
  for (auto [value, block] : made)
    phi->addIncoming(value, block);
  return phi;
}

LogicalResult emitTransferRead(FunctionEmitter& e, Operation& op) {
  if (failed(checkTransfer(op))) return failure();
  const vector::TransferReadOp read(&op);
  const auto type = read.vectorType();
  Transfer transfer(e, read);
  if (transfer.isPlainRow()) return e.setResult(op, e.load(type, transfer.at(0).address));
  const auto byElements = [&] {
    llvm::Value* made = llvm::PoisonValue::get(e.convert(type));
    for (int64_t i = 0; i < type.numElements(); ++i) {
      auto* element = guardedLoad(e, type.elementType(), transfer.at(i), e.get(read.padding()));
      made = e.builder.CreateInsertElement(made, element, e.i64(i));
    }
    return made;
  };
  if (type.numElements() == 1 || !transfer.isRow()) return e.setResult(op, byElements());
  return e.setResult(op, choose(
                             e, transfer.isRowInside(),
                             [&] { return e.load(type, transfer.at(0).address); }, byElements));
}

LogicalResult emitTransferWrite(FunctionEmitter& e, Operation& op) {
  if (failed(checkTransfer(op))) return failure();
  const vector::TransferWriteOp write(&op);
  const auto type = write.vectorType();
  auto* value = e.get(write.value());
  Transfer transfer(e, write);
  if (transfer.isPlainRow()) {
    e.store(type, value, transfer.at(0).address);
    return success();
  }
  const auto byElements = [&]() -> llvm::Value* {
    for (int64_t i = 0; i < type.numElements(); ++i) {
      auto* element = e.builder.CreateExtractElement(value, e.i64(i));
      const auto access = transfer.at(i);
      const auto put = [&] { e.store(type.elementType(), element, access.address); };
      access.isActive ? e.when(access.isActive, put) : put();
    }
    return nullptr;
  };
  if (type.numElements() == 1 || !transfer.isRow()) {
    byElements();
    return success();
  }
  const auto atOnce = [&]() -> llvm::Value* {
    e.store(type, value, transfer.at(0).address);
    return nullptr;
  };
  choose(e, transfer.isRowInside(), atOnce, byElements);
  return success();
}

}  // namespace

void addVectorMemoryOps(EmitTable& table) {
  table["vector.load"] = emitVectorLoad;
  table["vector.store"] = emitVectorStore;
  table["vector.transfer_read"] = emitTransferRead;
  table["vector.transfer_write"] = emitTransferWrite;
}

}  // namespace airlite::gpu
