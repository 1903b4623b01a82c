// Emits the body of one function as LLVM IR. What an op becomes stands in the *Ops.cpp files, one
// per dialect; this class holds what they share.
#pragma once

#include "ModuleEmitter.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Operation.hpp"
#include "airlite/ir/Type.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <string>
#include <string_view>
#include <unordered_map>

namespace airlite::gpu {

using LlvmValues = llvm::SmallVector<llvm::Value*, 4>;

/// A memref in registers: everything that its type may know is a constant. All numbers are i64,
/// in elements.
struct MemRefParts {
  llvm::Value* base = nullptr;
  llvm::Value* offset = nullptr;
  LlvmValues sizes;
  LlvmValues strides;
};

/// One class: it is the interface of all *Ops.cpp files to the function that is emitted: what
/// values became, its blocks, and its memory.
class FunctionEmitter {
 public:
  FunctionEmitter(ModuleEmitter& owner, llvm::Function& function)
      : owner(owner), function(function), builder(owner.context()) {}

  /// Emits all blocks that can be reached. `bindArguments` gives the entry block's arguments their
  /// values; code that it builds comes first.
  LogicalResult emitBody(Region& body, llvm::function_ref<LogicalResult()> bindArguments);

  // -- Values ------------------------------------------------------------------------------------
  llvm::Value* get(Value value) const { return scalars_.at(value); }
  const MemRefParts& memref(Value value) const { return memrefs_.at(value); }
  void set(Value value, llvm::Value* to) { scalars_[value] = to; }
  void set(Value value, MemRefParts to) { memrefs_[value] = std::move(to); }
  LogicalResult setResult(Operation& op, llvm::Value* to) {
    set(op.result(), to);
    return success();
  }
  LlvmValues getAll(OperandRange values) const;
  /// The machine values that stand for a value where it crosses a block or call border.
  void flatten(Value value, LlvmValues& into) const;
  /// The reverse: takes as many of `slots` from `next` on as the value needs.
  void bind(Value value, llvm::ArrayRef<llvm::Value*> slots, unsigned& next);

  // -- Types and constants -----------------------------------------------------------------------
  llvm::Type* convert(Type type) const { return owner.convert(type); }
  llvm::Value* i64(int64_t value) { return builder.getInt64(static_cast<uint64_t>(value)); }
  llvm::Constant* constant(Attribute value, Type type) { return owner.constant(value, type); }

  // -- Memory ------------------------------------------------------------------------------------
  /// Fills what the type of `value` knows in with constants and remembers the result.
  void setMemref(Value value, MemRefParts parts);
  /// offset + sum of index * stride.
  llvm::Value* linearIndex(const MemRefParts& parts, llvm::ArrayRef<llvm::Value*> indices);
  /// Address of an element; it must lie inside of the buffer.
  llvm::Value* elementAddress(Type elementType, const MemRefParts& parts, llvm::Value* linear);
  /// Loads a value of type `type` (scalar or vector) from a multiple of `alignment` bytes; 0: with
  /// the alignment of one number.
  llvm::Value* load(Type type, llvm::Value* address, std::uint64_t alignment = 0);
  void store(Type type, llvm::Value* value, llvm::Value* address, std::uint64_t alignment = 0);
  /// Between the forms that a value has in memory and in registers.
  llvm::Value* fromMemory(Type type, llvm::Value* value);
  llvm::Value* toMemory(Type type, llvm::Value* value);
  /// Parts of a fresh buffer at `base`: row-major with these sizes.
  MemRefParts rowMajor(llvm::Value* base, LlvmValues sizes);
  /// In the function's entry block.
  llvm::Value* entryAlloca(llvm::Type* type, llvm::Align align);

  // -- Control flow ------------------------------------------------------------------------------
  llvm::BasicBlock* newBlock(const char* name);
  llvm::BasicBlock* blockOf(Block* block) const { return blocks_.at(block); }
  /// Adds the operands of the edge to the phis of `target`.
  void addIncoming(Block* target, OperandRange operands, llvm::BasicBlock* from);
  /// Nested loops from 0 to `sizes`; `body` gets the indices and may add blocks.
  void loopNest(llvm::ArrayRef<llvm::Value*> sizes,
                llvm::function_ref<void(llvm::ArrayRef<llvm::Value*>)> body);
  /// Runs `body` when `condition` holds.
  void when(llvm::Value* condition, llvm::function_ref<void()> body);

  bool isKernelSide() const { return owner.place() == Place::Kernel; }

  ModuleEmitter& owner;
  llvm::Function& function;
  llvm::IRBuilder<> builder;
  /// Host functions: the run that they belong to, their first parameter.
  llvm::Value* runContext = nullptr;
  /// Kernels: what is known about them.
  EmittedKernel* kernel = nullptr;

 private:
  LogicalResult emitBlock(Block& block);
  LogicalResult emitOp(Operation& op);
  LogicalResult checkTypes(Operation& op);
  LogicalResult createPhis(Block& block);
  std::vector<Block*> reachable(Region& body);

  std::unordered_map<Value, llvm::Value*> scalars_;
  std::unordered_map<Value, MemRefParts> memrefs_;
  std::unordered_map<Block*, llvm::BasicBlock*> blocks_;
  std::unordered_map<Block*, llvm::SmallVector<llvm::PHINode*, 4>> phis_;
};

using EmitFn = LogicalResult (*)(FunctionEmitter& emitter, Operation& op);
using EmitTable = std::unordered_map<std::string_view, EmitFn>;

void addArithOps(EmitTable& table);
void addCastOps(EmitTable& table);
void addMathOps(EmitTable& table);
void addMemRefOps(EmitTable& table);
void addViewOps(EmitTable& table);
void addVectorOps(EmitTable& table);
void addVectorMemoryOps(EmitTable& table);
void addControlOps(EmitTable& table);
void addKernelOps(EmitTable& table);
void addMatrixOps(EmitTable& table);
void addHostOps(EmitTable& table);

/// `not supported: <what>`, reported at the op.
LogicalResult unsupported(Operation& op, std::string_view what);

/// Gives a memref value with a static shape and no layout a buffer of its own: LDS or private.
LogicalResult emitBuffer(FunctionEmitter& emitter, Operation& op, Value buffer);

/// The sizes of a static shape.
LlvmValues staticSizes(FunctionEmitter& emitter, MemRefType type);
/// Element by element; both have the same sizes.
void copyElements(FunctionEmitter& emitter, Type element, const MemRefParts& from,
                  const MemRefParts& to);

/// Applies fastmath flags to a value that is an instruction.
llvm::Value* withFastMath(Operation& op, llvm::Value* value);
/// Combines as a vector.kind or an atomic says: add, mul, minui, ..., maximumf. Null when unknown.
llvm::Value* combine(llvm::IRBuilder<>& builder, std::string_view kind, llvm::Value* lhs,
                     llvm::Value* rhs);

}  // namespace airlite::gpu
