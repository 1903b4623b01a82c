#include "KernelTable.hpp"

#include "airlite/gpu/object/KernelCode.hpp"

#include <fmt/format.h>

namespace airlite::tools {
namespace {

using gpu::CodeCounts;
using gpu::CodeKind;
using gpu::KernelCode;

std::string countsText(const CodeCounts& counts) {
  struct Named {
    CodeKind kind;
    const char* name;
  };
  constexpr Named kKinds[] = {
      {CodeKind::Matrix, "matrix"},           {CodeKind::Fma, "fma"},
      {CodeKind::Vector, "other vector"},     {CodeKind::Scalar, "scalar"},
      {CodeKind::GlobalLoad, "global loads"}, {CodeKind::GlobalStore, "global stores"},
      {CodeKind::LdsRead, "LDS reads"},       {CodeKind::LdsWrite, "LDS writes"},
      {CodeKind::Barrier, "barriers"},        {CodeKind::Wait, "waits"},
      {CodeKind::Branch, "branches"}};
  std::string text = fmt::format("{} instructions", counts.instructions);
  const char* separator = ": ";
  for (const Named& named : kKinds) {
    if (counts.count(named.kind) == 0) continue;
    text += fmt::format("{}{} {}", separator, counts.count(named.kind), named.name);
    separator = ", ";
  }
  return text;
}

std::string loopText(const KernelCode& code) {
  if (code.mainLoop.instructions == 0) return "  main loop  none\n";
  std::string text = fmt::format("  main loop  {}\n", countsText(code.mainLoop));
  text += fmt::format("  bytes      of a lane: {} loaded, {} read from LDS, {} written to LDS\n",
                      code.mainLoop.globalBytes, code.mainLoop.ldsReadBytes,
                      code.mainLoop.ldsWriteBytes);
  if (code.mainLoop.matrixCycles == 0) return text;
  return text +
         fmt::format("  matrix     {} cycles of the matrix unit in a round: {:.1f} % of the issue "
                     "slots of a wave alone, {:.1f} % with {} waves\n",
                     code.mainLoop.matrixCycles, 100 * code.matrixShare(1),
                     100 * code.matrixShare(code.wavesPerSimd), code.wavesPerSimd);
}

/// A line for each loop that accesses LDS, and for what is outside of all.
std::string ldsText(const gpu::CompiledKernel& kernel) {
  std::string text;
  for (const gpu::LdsLoop& loop : kernel.lds) {
    text += fmt::format("  banks      {}: {} reads in {} cycles of LDS, {} of them by conflicts; "
                        "{} writes in {}, {}",
                        loop.depth == 0   ? "outside of loops"
                        : loop.depth == 1 ? "in a loop"
                                          : fmt::format("in {} loops", loop.depth),
                        loop.reads, loop.readCycles, loop.readConflicts, loop.writes,
                        loop.writeCycles, loop.writeConflicts);
    if (loop.unknown) text += fmt::format("; {} accesses not known", loop.unknown);
    text += "\n";
  }
  return text;
}

std::string kernelText(const gpu::CompiledKernel& kernel, const gpu::HsacoKernel& object,
                       const KernelCode& code) {
  std::string text = fmt::format("kernel {}\n", kernel.name);
  text += fmt::format("  workgroup  {} x {} x {} work-items, waves of {}\n", kernel.block[0],
                      kernel.block[1], kernel.block[2], kernel.waveSize);
  if (kernel.grid)
    text += fmt::format("  grid       {} x {} x {} workgroups\n", (*kernel.grid)[0],
                        (*kernel.grid)[1], (*kernel.grid)[2]);
  text += fmt::format(
      "  registers  {} vector ({} of them AGPRs), {} scalar; {} bytes of scratch, {} of LDS\n",
      object.vgprCount, object.agprCount, object.sgprCount, object.privateBytes, object.ldsBytes);
  if (code.wavesPerSimd)
    text += fmt::format("  occupancy  {} waves in a SIMD, limited by {}\n", code.wavesPerSimd,
                        code.limitedBy);
  text += fmt::format("  code       {} bytes, {}\n", object.codeBytes, countsText(code.whole));
  return text + loopText(code) + ldsText(kernel);
}

}  // namespace

Result<std::string> kernelTable(const gpu::CompiledKernels& compiled, const std::string& target) {
  std::string text = fmt::format("target {}\n", target);
  for (const gpu::CompiledModule& module : compiled.modules) {
    const auto codes = gpu::readKernelCode(module.hsaco, module.info);
    if (!codes) return Error{"gpu.module @" + module.name + ": " + codes.error().message};
    for (const KernelCode& code : *codes)
      if (const gpu::CompiledKernel* kernel = module.find(code.name))
        text += kernelText(*kernel, *module.info.find(code.name), code);
  }
  return text;
}

}  // namespace airlite::tools
