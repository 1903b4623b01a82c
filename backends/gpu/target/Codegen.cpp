#include "Codegen.hpp"

#include "LlvmGuard.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>

namespace airlite::gpu {
namespace {

/// The pass builder with its four analysis managers, which must outlive the pipeline.
struct Pipelines {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager callGraph;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;

  /// `machine` may be null: then the passes know no target.
  explicit Pipelines(llvm::TargetMachine* machine) : builder(machine) {
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(callGraph);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, callGraph, modules);
  }
};

std::string trimmed(std::string text) {
  while (!text.empty() && text.back() == '\n')
    text.pop_back();
  return text;
}

}  // namespace

Result<void> verifyIr(const llvm::Module& module) {
  std::string report;
  llvm::raw_string_ostream stream(report);
  if (!llvm::verifyModule(module, &stream)) return {};
  return Error{"invalid LLVM IR: " + trimmed(stream.str())};
}

Result<void> runO3(llvm::TargetMachine& machine, llvm::Module& module) {
  return runLlvm(module.getContext(), [&] {
    Pipelines pipelines(&machine);
    pipelines.builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3)
        .run(module, pipelines.modules);
  });
}

Result<void> runAlwaysInline(llvm::Module& module) {
  return runLlvm(module.getContext(), [&] {
    Pipelines pipelines(nullptr);
    llvm::ModulePassManager manager;
    manager.addPass(llvm::AlwaysInlinerPass(/*InsertLifetime=*/false));
    manager.run(module, pipelines.modules);
  });
}

Result<std::string> emitCode(llvm::TargetMachine& machine, llvm::Module& module, CodeFile kind) {
  llvm::SmallVector<char, 0> code;
  bool canEmit = true;
  const auto fileType = kind == CodeFile::Object ? llvm::CodeGenFileType::ObjectFile
                                                 : llvm::CodeGenFileType::AssemblyFile;
  auto done = runLlvm(module.getContext(), [&] {
    llvm::raw_svector_ostream stream(code);
    llvm::legacy::PassManager passes;
    canEmit = !machine.addPassesToEmitFile(passes, stream, nullptr, fileType);
    if (canEmit) passes.run(module);
  });
  if (!done) return done.error();
  if (!canEmit) return Error{"this LLVM has no code emitter for the target"};
  return std::string(code.begin(), code.end());
}

}  // namespace airlite::gpu
