// airlite-opt: reads a program, runs passes, prints it. No policy of its own.
#include "../common/CommandLine.hpp"
#include "Docs.hpp"
#include "Lists.hpp"
#include "OptRun.hpp"
#include "airlite/gpu/lower/Lower.hpp"
#include "airlite/npu/lower/Passes.hpp"
#include "airlite/transform/Passes.hpp"

#include <iostream>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace airlite::tools {
namespace {

/// Passes of the core, and of the backends those that need no LLVM.
void registerPasses(PassRegistry& registry) {
  registerAllPasses(registry);
  gpu::registerGpuPasses(registry);
  npu::registerNpuPasses(registry);
}

int show(const std::string& text) {
  std::cout << text;
  return kSuccess;
}

int toolMain(int argc, char** argv) {
  PassRegistry registry;
  registerPasses(registry);
  Options options;
  if (std::optional<int> code = parseCommandLine(argc, argv, registry, options)) return *code;
  if (options.listPasses) return listPasses(registry);
  if (options.listOps) return listOps();
  if (options.dumpOpDocs) return show(operationReference());
  if (options.dumpPassDocs) return show(passReference(registry));
  if (!options.helpPass.empty()) return helpPass(registry, options.helpPass);
  return runOpt(registry, options);
}

/// What a run frees, it soon needs again: memory that is given back to the system comes back page
/// fault by page fault.
void keepFreedMemory() {
#ifdef __GLIBC__
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_TOP_PAD, 1 << 20);
  mallopt(M_MMAP_THRESHOLD, 32 << 20);  // what is larger still comes and goes by itself
#endif
}

}  // namespace
}  // namespace airlite::tools

int main(int argc, char** argv) {
  airlite::tools::keepFreedMemory();
  return airlite::tools::guardedMain("airlite-opt",
                                     [&] { return airlite::tools::toolMain(argc, argv); });
}
