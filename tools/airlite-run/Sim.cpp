#include "Sim.hpp"

#include "../common/Session.hpp"
#include "Deliver.hpp"
#include "SimReport.hpp"
#include "Xrt.hpp"
#include "airlite/npu/sim/array/Array.hpp"
#include "airlite/npu/sim/array/Statistics.hpp"
#include "airlite/npu/sim/core/Core.hpp"
#include "airlite/support/Text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <iostream>

namespace airlite::tools {
namespace {

using npu::Bytes;
using npu::sim::Array;

/// `A=...` becomes `0=...` where A is the name of an argument.
std::string byNumber(const std::string& text, const std::vector<std::string>& names) {
  const size_t equals = text.find('=');
  const auto found = std::ranges::find(names, text.substr(0, equals));
  if (equals == std::string::npos || found == names.end()) return text;
  return std::to_string(found - names.begin()) + text.substr(equals);
}

bool readPositions(const char* option, const std::vector<std::string>& texts,
                   const std::vector<std::string>& names, Positions& positions,
                   std::string& error) {
  for (const std::string& text : texts)
    if (!addPosition(option, byNumber(text, names), positions, error)) return false;
  return true;
}

bool readAllPositions(const SimRequest& request, const std::vector<std::string>& names,
                      ArgumentRequest& arguments, std::string& error) {
  return readPositions("--input", request.inputs, names, arguments.inputs, error) &&
         readPositions("--shape", request.shapes, names, arguments.shapes, error) &&
         readPositions("--output", request.outputs, names, arguments.outputs, error) &&
         readPositions("--expect", request.expects, names, arguments.expects, error);
}

// -- Buffers that no manifest names ---------------------------------------------------------------

/// "4x8xi32".
bool layoutOfText(const std::string& text, gpu::ArgLayout& layout, std::string& error) {
  std::vector<int64_t> shape;
  const size_t last = text.rfind('x');
  const std::string element = last == std::string::npos ? text : text.substr(last + 1);
  if (last != std::string::npos)
    for (const std::string_view piece : split(std::string_view(text).substr(0, last), 'x')) {
      int64_t size = 0;
      const auto [end, code] = std::from_chars(piece.data(), piece.data() + piece.size(), size);
      if (code != std::errc() || end != piece.data() + piece.size() || size < 0) shape.clear();
      else shape.push_back(size);
    }
  layout = bufferLayout(element, shape);
  if (!layout.type.empty() && !shape.empty()) return true;
  error = fmt::format("expected a shape and a type such as 4x8xi32, got '{}'", text);
  return false;
}

bool layoutOfFile(const std::string& path, gpu::ArgLayout& layout, std::string& error) {
  const auto array = readNpy(path, error);
  if (array) layout = bufferLayout(std::string(npyTypeName(array->type)), array->shape);
  return array.has_value();
}

/// Without a manifest: each buffer from its file, its --shape, or the file it is compared with.
bool makeSignature(ArgumentRequest& request, gpu::HostFunction& signature, std::string& error) {
  unsigned count = 0;
  for (const auto* positions :
       {&request.inputs, &request.shapes, &request.outputs, &request.expects})
    if (!positions->empty()) count = std::max(count, positions->rbegin()->first + 1);
  for (unsigned i = 0; i < count && i < 64; ++i) {
    gpu::ArgLayout layout;
    const auto shape = request.shapes.find(i), input = request.inputs.find(i),
               expected = request.expects.find(i);
    const bool fine = shape != request.shapes.end() ? layoutOfText(shape->second, layout, error)
                      : input != request.inputs.end()
                          ? layoutOfFile(input->second, layout, error)
                      : expected != request.expects.end()
                          ? layoutOfFile(expected->second, layout, error)
                          : (error = "give --input or --shape, such as --shape " +
                                     std::to_string(i) + "=4x8xi32: there is no manifest",
                             false);
    if (!fine) {
      error = fmt::format("argument {}: {}", i, error);
      return false;
    }
    signature.params.push_back(layout);
  }
  request.shapes.clear();
  return true;
}

// -- The run --------------------------------------------------------------------------------------

class Simulation {
 public:
  Simulation(const NpuDesign& design, SimRequest request)
      : design_(design), request_(std::move(request)), signature_(design.signature) {}

  int run() {
    std::string error;
    ArgumentRequest& wanted = request_.arguments;
    if (!readAllPositions(request_, design_.names, wanted, error) ||
        (!design_.hasSignature && !makeSignature(wanted, signature_, error)))
      return failRun(error);
    auto made = makeArguments(signature_, wanted, error);
    if (!made) return failRun(error);
    arguments_ = std::move(*made);
    const std::vector<Argument> before = request_.check ? arguments_ : std::vector<Argument>();
    int code = request_.onDevice ? submit() : simulate();
    if (code != kSuccess) return code;
    if (request_.check) code = request_.check(before, arguments_);
    return std::max(code, deliver({signature_, arguments_, {}}, wanted, request_.tolerance));
  }

 private:
  int submit() {
    std::string error;
    if (!runOnXrt(design_, request_.xrtLibrary, arguments_, error)) return failRun(error);
    return kSuccess;
  }

  int simulate() {
    npu::sim::ArrayOptions options;
    options.reversesTileOrder = request_.reverseTiles;
    if (request_.cycles != 0) options.cycleLimit = request_.cycles;
    if (request_.stats) observers_.add(statistics_);
    if (!request_.trace.empty()) observers_.add(trace_);
    if (!observers_.isEmpty()) options.observer = &observers_;
    const auto cores = npu::sim::makeAie2CoreFactory();
    Array array(*design_.device, options, cores.get());
    if (const auto fault = array.load(design_.image))
      return failRun("the image cannot be loaded: " + faultText(*fault, design_.locations));
    for (const Argument& argument : arguments_)
      fill(array, argument);
    const auto result = array.run(design_.stream);
    // A run that hangs is what they are most wanted for.
    if (const int code = tell(array, result.cycles); code != kSuccess) return code;
    if (!result) return failRun(runText(result, design_.locations));
    for (unsigned i = 0; i < arguments_.size(); ++i)
      std::memcpy(arguments_[i].array.data.data(), array.buffer(i).data(),
                  arguments_[i].array.data.size());
    if (request_.verbose)
      std::cerr << fmt::format("airlite-run: {} cycles on the simulated {}\n", result.cycles,
                               design_.device->name);
    return kSuccess;
  }

  /// Buffers of the host are whole words.
  static void fill(Array& array, const Argument& argument) {
    const auto& data = argument.array.data;
    const auto size = (int64_t(data.size()) + 3) / 4 * 4;
    const unsigned buffer = array.addBuffer(Bytes(size));
    std::memcpy(array.buffer(buffer).data(), data.data(), data.size());
  }

  int tell(const Array& array, uint64_t cycles) {
    std::string error;
    statistics_.finish(array.cycle());
    if (request_.stats) std::cout << npu::sim::report(statistics_, array, cycles) << std::flush;
    if (!request_.trace.empty() &&
        !writeOutput(request_.trace, trace_.finish(array.cycle()), error))
      return failRun(error);
    return kSuccess;
  }

  const NpuDesign& design_;
  SimRequest request_;
  gpu::HostFunction signature_;
  std::vector<Argument> arguments_;
  npu::sim::Statistics statistics_;
  npu::sim::TraceWriter trace_;
  npu::sim::Observers observers_;
};

}  // namespace

int runDesign(const NpuDesign& design, SimRequest request) {
  return Simulation(design, std::move(request)).run();
}

}  // namespace airlite::tools
