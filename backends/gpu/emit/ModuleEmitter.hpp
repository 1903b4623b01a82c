// Emits the functions of one LLVM module: the kernels of a gpu.module, or the host functions of a
// program.
#pragma once

#include "airlite/gpu/emit/Emit.hpp"
#include "airlite/support/LogicalResult.hpp"

#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace llvm {
class Constant;
class Function;
class GlobalVariable;
class Type;
}  // namespace llvm

namespace airlite::gpu {

enum class Place { Kernel, Host };

/// One class: a function or global of the LLVM module is declared when a body first asks for it, and
/// its own body, emitted later, asks for more.
class ModuleEmitter {
 public:
  ModuleEmitter(llvm::LLVMContext& context, std::string_view name, Place place);
  ~ModuleEmitter();

  /// Emits the kernels of a gpu.module and what they call.
  LogicalResult emitGpuModule(Operation& gpuModule);
  /// Emits every func.func with a body that is not private or that one of these calls, and an
  /// entry for each of the former that run-time values can be passed to.
  LogicalResult emitHostModule(Operation& module);

  llvm::LLVMContext& context() const { return context_; }
  llvm::Module& module() const { return *module_; }
  Place place() const { return place_; }
  std::unique_ptr<llvm::Module> takeModule() { return std::move(module_); }

  /// The register type of a scalar or vector; null when there is none.
  llvm::Type* convert(Type type) const;
  /// As it lies in memory: numbers of whole bytes.
  llvm::Type* inMemory(Type type) const;
  /// A constant of a scalar or vector type from an integer, float or dense attribute; null when the
  /// attribute is none of them.
  llvm::Constant* constant(Attribute value, Type type) const;
  /// LLVM's address space of a memref; empty when its memory space means nothing here.
  std::optional<unsigned> addressSpace(MemRefType memref) const;
  /// The alignment of one number of the type in memory, in bytes.
  unsigned alignmentOf(Type type) const;
  /// Why values of the type cannot be emitted; empty when they can.
  std::string obstacle(Type type) const;
  /// Types of the machine values that stand for a value of the type.
  void slotTypes(Type type, std::vector<llvm::Type*>& into) const;

  /// The LLVM function of a func.func or gpu.func; its body is emitted later. Null, after a report
  /// at `user`, when it has none.
  llvm::Function* functionFor(Operation& callee, Operation& user);
  /// The global variable of a memref.global. Null after a report at `user`.
  llvm::GlobalVariable* globalFor(Operation& global, Operation& user);
  /// An LDS variable of this kernel module.
  llvm::GlobalVariable* addLds(llvm::Type* type, std::uint64_t align);

  std::vector<EmittedKernel> kernels;
  std::vector<EmittedLaunch> launches;
  std::vector<HostFunction> hostFunctions;

 private:
  struct Call {
    Operation* callee;
    Operation* user;
  };

  LogicalResult emitKernel(Operation& func);
  LogicalResult emitPending();
  LogicalResult emitFunction(Operation& func, llvm::Function& into);
  LogicalResult checkTypes(Operation& func, std::span<const Type> types) const;
  LogicalResult checkRecursion(Operation& func, std::vector<Operation*>& path);
  llvm::Function* createKernel(Operation& func, EmittedKernel& kernel);
  llvm::Function* declare(Operation& func);
  llvm::Type* returnType(std::span<const Type> results) const;
  void emitEntry(Operation& func, llvm::Function& callee);

  llvm::LLVMContext& context_;
  Place place_;
  std::unique_ptr<llvm::Module> module_;
  std::unordered_map<Operation*, llvm::Function*> functions_;
  std::unordered_map<Operation*, llvm::GlobalVariable*> globals_;
  std::unordered_map<Operation*, std::vector<Call>> calls_;
  std::deque<Operation*> pending_;
};

}  // namespace airlite::gpu
