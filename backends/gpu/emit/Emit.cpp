#include "airlite/gpu/emit/Emit.hpp"

#include "../target/Codegen.hpp"
#include "Lower.hpp"
#include "ModuleEmitter.hpp"
#include "airlite/gpu/target/GpuTarget.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Symbols.hpp"

#include <llvm/IR/Module.h>

namespace airlite::gpu {
namespace {

/// Triple and data layout, so that constants fold with the device's pointer sizes.
Result<void> describeDevice(llvm::Module& module) {
  static const auto layout = [] {
    const auto target = GpuTarget::create({});
    return target ? Result<std::string>(target->dataLayout()) : target.error();
  }();
  if (!layout) return layout.error();
  const auto triple = GpuTarget::triple();
  module.setTargetTriple({triple.data(), triple.size()});
  module.setDataLayout(*layout);
  return {};
}

Error inModule(const std::string& name, const std::string& what) {
  return {"gpu.module @" + name + ": " + what};
}

Result<EmittedModule> emitOne(Operation& gpuModule, llvm::LLVMContext& context) {
  const std::string name(symbolName(gpuModule));
  ModuleEmitter emitter(context, name, Place::Kernel);
  if (auto described = describeDevice(emitter.module()); !described) return described.error();
  if (failed(emitter.emitGpuModule(gpuModule))) return inModule(name, "cannot be compiled");
  if (auto valid = verifyIr(emitter.module()); !valid)
    return inModule(name, "internal error: bad LLVM IR: " + valid.error().message);
  return EmittedModule{name, emitter.takeModule(), std::move(emitter.kernels)};
}

/// The gpu.modules to emit: those of the copy, or the one that stands for `op`.
std::vector<Operation*> chosenModules(Operation& copy, Operation& op) {
  auto modules = membersOf(copy, "gpu.module");
  if (!op.is("gpu.module")) return modules;
  std::erase_if(modules, [&](Operation* m) { return symbolName(*m) != symbolName(op); });
  return op.parentOp() ? modules : std::vector<Operation*>{&copy};
}

}  // namespace

Result<std::vector<EmittedModule>> emitKernels(Operation& op, llvm::LLVMContext& context) {
  const auto copy = lowerForEmission(op);
  if (!copy) return Error{"the program cannot be lowered to blocks and branches"};
  std::vector<EmittedModule> modules;
  for (Operation* gpuModule : chosenModules(*copy, op)) {
    auto emitted = emitOne(*gpuModule, context);
    if (!emitted) return emitted.error();
    modules.push_back(std::move(*emitted));
  }
  return modules;
}

Result<EmittedHost> emitHost(Operation& module, llvm::LLVMContext& context) {
  const auto copy = lowerForEmission(module);
  if (!copy) return Error{"the program cannot be lowered to blocks and branches"};
  ModuleEmitter emitter(context, "host", Place::Host);
  if (failed(emitter.emitHostModule(*copy))) return Error{"the host functions cannot be compiled"};
  if (auto valid = verifyIr(emitter.module()); !valid)
    return Error{"internal error: bad LLVM IR of host functions: " + valid.error().message};
  return EmittedHost{emitter.takeModule(), std::move(emitter.hostFunctions),
                     std::move(emitter.launches)};
}

}  // namespace airlite::gpu
