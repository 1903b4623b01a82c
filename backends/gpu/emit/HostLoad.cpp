#include "HostLoad.hpp"

#include "../jit/HalfRuntime.hpp"
#include "../jit/MathRuntime.hpp"
#include "../target/Codegen.hpp"

#include <llvm/ExecutionEngine/Orc/ExecutionUtils.h>
#include <llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>

namespace airlite::gpu {
namespace {

using llvm::orc::JITTargetMachineBuilder;

std::string text(llvm::Error error) { return llvm::toString(std::move(error)); }

void initialiseHost() {
  static const bool initialised = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)initialised;
}

/// As for kernels (see jit/HostJit.cpp): no contraction, no units that flush or round differently.
Result<JITTargetMachineBuilder> describeHost() {
  initialiseHost();
  auto host = JITTargetMachineBuilder::detectHost();
  if (!host) return Error{"cannot detect the host cpu: " + text(host.takeError())};
  host->getOptions().AllowFPOpFusion = llvm::FPOpFusion::Strict;
  host->setRelocationModel(llvm::Reloc::PIC_);
  host->setCodeGenOptLevel(llvm::CodeGenOptLevel::Default);
  if (host->getTargetTriple().isX86())
    host->addFeatures({"-avx512fp16", "-avx512bf16", "-avxneconvert"});
  return std::move(*host);
}

Result<std::string> compile(llvm::Module& module) {
  auto host = describeHost();
  if (!host) return host.error();
  auto machine = host->createTargetMachine();
  if (!machine) return Error{"no code generator for this host: " + text(machine.takeError())};
  module.setTargetTriple((*machine)->getTargetTriple().str());
  module.setDataLayout((*machine)->createDataLayout());
  if (auto optimised = runO3(**machine, module); !optimised) return optimised.error();
  return emitCode(**machine, module, CodeFile::Object);
}

Result<void> addSymbols(llvm::orc::LLJIT& jit, const std::vector<HostSymbol>& symbols) {
  llvm::orc::SymbolMap map;
  const auto add = [&](const std::string& name, void* address) {
    map[jit.mangleAndIntern(name)] = {llvm::orc::ExecutorAddr::fromPtr(address),
                                      llvm::JITSymbolFlags::Exported};
  };
  for (const auto& symbol : symbols)
    add(symbol.name, symbol.address);
  for (const auto& symbol : halfRuntime())
    add(std::string(symbol.name), symbol.address);
  for (const auto& symbol : mathRuntime())
    add(std::string(symbol.name), symbol.address);
  auto& library = jit.getMainJITDylib();
  if (auto error = library.define(llvm::orc::absoluteSymbols(std::move(map))))
    return Error{"JIT: " + text(std::move(error))};
  auto process = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      jit.getDataLayout().getGlobalPrefix());
  if (!process) return Error{"JIT: " + text(process.takeError())};
  library.addGenerator(std::move(*process));
  return {};
}

Result<std::unique_ptr<llvm::orc::LLJIT>> makeJit() {
  auto host = describeHost();
  if (!host) return host.error();
  auto jit = llvm::orc::LLJITBuilder()
                 .setJITTargetMachineBuilder(std::move(*host))
                 .setPlatformSetUp(llvm::orc::setUpInactivePlatform)
                 .create();
  if (!jit) return Error{"cannot start the JIT: " + text(jit.takeError())};
  return std::move(*jit);
}

}  // namespace

Result<std::unique_ptr<llvm::orc::LLJIT>> loadHostModule(llvm::Module& module,
                                                         const std::vector<HostSymbol>& symbols) {
  auto object = compile(module);
  if (!object) return object.error();
  auto jit = makeJit();
  if (!jit) return jit;
  if (auto added = addSymbols(**jit, symbols); !added) return added.error();
  auto buffer = llvm::MemoryBuffer::getMemBufferCopy(*object, "airlite host functions");
  if (auto error = (*jit)->addObjectFile(std::move(buffer)))
    return Error{"JIT: " + text(std::move(error))};
  return jit;
}

Result<void*> findHostSymbol(llvm::orc::LLJIT& jit, const std::string& name) {
  auto symbol = jit.lookup(name);
  if (!symbol) return Error{"JIT: " + text(symbol.takeError())};
  return symbol->toPtr<void*>();
}

}  // namespace airlite::gpu
