// Compiled designs of an NPU: simulated, or on the device of this machine.
#include "Interrupts.hpp"
#include "Progress.hpp"
#include "Run.hpp"
#include "airlite/npu/isa/Generations.hpp"
#include "airlite/npu/sim/array/Array.hpp"
#include "airlite/npu/sim/array/Statistics.hpp"
#include "airlite/npu/sim/core/Core.hpp"
#include "airlite/support/Text.hpp"
#include "targets/npu/SimReport.hpp"
#include "targets/npu/Xrt.hpp"

#include <chrono>
#include <cstring>

namespace airlite::python {
namespace {

using tools::NpuDesign;
using tools::NpuRun;

/// A buffer that a run takes, whoever owns it.
struct Buffer {
  std::byte* data = nullptr;
  size_t size = 0;
};

/// The arguments, then results, then the scratch buffers of a design.
class Buffers {
 public:
  Buffers(const NpuDesign& design, unsigned inputs, const py::args& values) {
    const auto& params = design.signature.params;
    if (!design.hasSignature) fail("the design says nothing of its arguments: it has no manifest");
    if (values.size() < inputs || values.size() > params.size())
      fail("the program takes " + std::to_string(inputs ? inputs : params.size()) +
           " arguments, got " + std::to_string(values.size()));
    given_ = values.size();
    arguments_.reserve(params.size());
    for (unsigned i = 0; i < params.size(); ++i)
      if (i < given_)
        arguments_.emplace_back(i, params[i], values[i]);
      else
        arguments_.emplace_back(i, params[i]);
    for (const tools::NpuScratch& buffer : design.scratch) {
      auto& bytes = scratch_.emplace_back(size_t(buffer.size.value));
      std::memcpy(bytes.data(), buffer.contents.data(), buffer.contents.size());
    }
  }

  Buffer at(unsigned number) {
    if (number < arguments_.size()) return {arguments_[number].data(), arguments_[number].size()};
    auto& bytes = scratch_[number - arguments_.size()];
    return {bytes.data(), bytes.size()};
  }

  /// Writes what was changed; the arrays that were not given.
  py::list finish() {
    py::list results;
    for (Given& argument : arguments_)
      argument.finish();
    for (size_t i = given_; i < arguments_.size(); ++i)
      results.append(arguments_[i].object());
    return results;
  }

 private:
  size_t given_ = 0;
  std::vector<Given> arguments_;
  std::vector<std::vector<std::byte>> scratch_;
};

/// All runs of a design, each with the array to itself. Nothing here is of Python.
class Simulation {
 public:
  Simulation(const NpuDesign& design, const SimulationRequest& request, Buffers& buffers,
             Interrupts& interrupts)
      : design_(design), request_(request), buffers_(buffers), interrupts_(interrupts) {}

  /// Ends early when it is interrupted.
  void run() {
    for (const NpuRun& run : design_.runs) {
      simulate(run);
      if (interrupts_.happened()) return;
    }
  }

  uint64_t cycles() const { return cycles_; }
  const std::vector<std::string>& statistics() const { return statistics_; }
  const std::vector<std::string>& reports() const { return reports_; }
  const std::vector<std::string>& traces() const { return traces_; }
  const std::string& stoppedAt() const { return stoppedAt_; }

 private:
  void simulate(const NpuRun& run) {
    npu::sim::Statistics statistics;
    npu::sim::TraceWriter trace;
    npu::sim::Observers observers;
    if (request_.statistics) observers.add(statistics);
    if (request_.trace) observers.add(trace);
    npu::sim::ArrayOptions options;
    options.reversesTileOrder = request_.reverseTiles;
    options.wantsStop = [this](uint64_t cycles) {
      progress_.show(cycles_ + cycles);
      return interrupts_.wanted();
    };
    if (request_.cycleLimit) options.cycleLimit = request_.cycleLimit;
    if (!observers.isEmpty()) options.observer = &observers;
    const auto cores =
        npu::sim::makeCoreFactory(*npu::isa::instructionSetOf(design_.device->generation));
    npu::sim::Array array(*design_.device, options, cores.get());
    if (const auto fault = array.load(run.image))
      fail("the image cannot be loaded: " + tools::faultText(*fault, run.locations));
    for (const unsigned number : run.buffers)
      fill(array, buffers_.at(number));
    const npu::sim::RunResult result =
        request_.estimates ? array.estimate(run.stream) : array.run(run.stream);
    cycles_ += result.cycles;
    statistics.finish(array.cycle());
    if (request_.statistics) {
      statistics_.push_back(reportJson(statistics, array, result.cycles));
      reports_.push_back(report(statistics, array, result.cycles));
    }
    if (request_.trace) traces_.push_back(trace.finish(array.cycle()));
    const bool isStopped = result.outcome == npu::sim::Outcome::Stopped;
    if (isStopped) stoppedAt_ = tools::runText(result, run.locations);
    if (!result && !isStopped) fail(tools::runText(result, run.locations));
    if (request_.estimates) return;
    for (unsigned i = 0; i < run.buffers.size(); ++i) {
      const Buffer buffer = buffers_.at(run.buffers[i]);
      std::memcpy(buffer.data, array.buffer(i).data(), buffer.size);
    }
  }

  /// Buffers of the array are whole words.
  static void fill(npu::sim::Array& array, const Buffer& from) {
    const unsigned number = array.addBuffer(npu::Bytes(int64_t(from.size + 3) / 4 * 4));
    if (from.size) std::memcpy(array.buffer(number).data(), from.data, from.size);
  }

  const NpuDesign& design_;
  const SimulationRequest& request_;
  Buffers& buffers_;
  Interrupts& interrupts_;
  Progress progress_{"cycles"};
  uint64_t cycles_ = 0;
  std::vector<std::string> statistics_, reports_, traces_;
  std::string stoppedAt_;
};

py::list listOf(const std::vector<std::string>& texts) {
  py::list list;
  for (const std::string& text : texts)
    list.append(py::str(text));
  return list;
}

/// XRT takes whole buffers of its own.
void submit(const NpuRun& run, const std::string& library, Buffers& buffers) {
  std::vector<std::vector<std::byte>> copies;
  std::vector<std::vector<std::byte>*> data;
  for (const unsigned number : run.buffers) {
    const Buffer buffer = buffers.at(number);
    copies.emplace_back(buffer.data, buffer.data + buffer.size);
  }
  for (auto& copy : copies)
    data.push_back(&copy);
  if (const auto done = tools::runOnXrt(run, library, data); !done) fail(done.error().message);
  for (size_t i = 0; i < run.buffers.size(); ++i)
    std::memcpy(buffers.at(run.buffers[i]).data, copies[i].data(), copies[i].size());
}

const NpuDesign& designOrFail(const Compiled& compiled) {
  if (compiled.design) return *compiled.design;
  fail("what was compiled for " + compiled.target + " is no design with images for an NPU");
}

}  // namespace

py::dict runSimulated(const Compiled& compiled, const py::args& values,
                      const SimulationRequest& request) {
  const NpuDesign& design = designOrFail(compiled);
  Buffers buffers(design, compiled.inputs, values);
  Interrupts interrupts;
  Simulation simulation(design, request, buffers, interrupts);
  const auto begin = std::chrono::steady_clock::now();
  {
    const py::gil_scoped_release release;
    simulation.run();
  }
  py::dict outcome;
  outcome["seconds"] = secondsSince(begin);
  outcome["results"] = buffers.finish();
  outcome["cycles"] = simulation.cycles();
  outcome["statistics"] = listOf(simulation.statistics());
  outcome["reports"] = listOf(simulation.reports());
  outcome["traces"] = listOf(simulation.traces());
  if (!simulation.stoppedAt().empty()) outcome["stopped"] = simulation.stoppedAt();
  interrupts.raise(outcome);
  return outcome;
}

py::dict runOnDevice(const Compiled& compiled, const py::args& values,
                     const SimulationRequest& request) {
  const NpuDesign& design = designOrFail(compiled);
  Buffers buffers(design, compiled.inputs, values);
  const auto begin = std::chrono::steady_clock::now();
  {
    const py::gil_scoped_release release;
    for (const NpuRun& run : design.runs)
      submit(run, request.xrtLibrary, buffers);
  }
  py::dict outcome;
  outcome["seconds"] = secondsSince(begin);
  outcome["results"] = buffers.finish();
  return outcome;
}

}  // namespace airlite::python
