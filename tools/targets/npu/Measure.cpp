#include "Measure.hpp"

#include "../run/Arguments.hpp"
#include "SimReport.hpp"
#include "airlite/npu/isa/Generations.hpp"
#include "airlite/npu/sim/array/Array.hpp"
#include "airlite/npu/sim/core/Core.hpp"

namespace airlite::tools {
namespace {

using npu::Bytes;
using npu::sim::Outcome;
using npu::sim::RunResult;

constexpr Bytes wholeWords(uint64_t bytes) { return Bytes(int64_t((bytes + 3) / 4 * 4)); }

RunResult runOnce(const NpuDesign& design, const NpuRun& run, const std::vector<Bytes>& sizes,
                  const npu::sim::ArrayOptions& options, bool bySimulator) {
  const auto cores =
      npu::sim::makeCoreFactory(*npu::isa::instructionSetOf(design.device->generation));
  npu::sim::Array array(*design.device, options, cores.get());
  if (auto fault = array.load(run.image)) return {Outcome::Faulted, 0, std::move(fault), {}};
  for (const unsigned buffer : run.buffers)
    array.addBuffer(sizes[buffer]);
  return bySimulator ? array.run(run.stream) : array.estimate(run.stream);
}

}  // namespace

Result<std::optional<uint64_t>> measureCycles(const NpuDesign& design,
                                              const MeasureRequest& request) {
  ArgumentRequest zeros;
  zeros.init = InitKind::Zero;
  const auto arguments = makeArguments(design.signature, zeros);
  if (!arguments) return arguments.error();
  std::vector<Bytes> sizes;
  for (const Argument& argument : *arguments)
    sizes.push_back(wholeWords(argument.array.data.size()));
  for (const NpuScratch& scratch : design.scratch)
    sizes.push_back(wholeWords(uint64_t(scratch.size.value)));
  uint64_t cycles = 0;
  for (const NpuRun& run : design.runs) {
    npu::sim::ArrayOptions options;
    options.timing = request.timing;
    if (request.mostCycles && cycles >= request.mostCycles) return std::optional<uint64_t>();
    if (request.mostCycles) options.cycleLimit = request.mostCycles - cycles + 1;
    if (request.wantsStop) options.wantsStop = [&](uint64_t) { return request.wantsStop(); };
    const RunResult result = runOnce(design, run, sizes, options, request.bySimulator);
    if (result.outcome == Outcome::OutOfCycles || result.outcome == Outcome::Stopped)
      return std::optional<uint64_t>();
    if (!result) return Error{runText(result, run.locations)};
    cycles += result.cycles;
  }
  return std::optional(cycles);
}

}  // namespace airlite::tools
