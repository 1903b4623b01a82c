#include "Sim.hpp"

#include "../../common/Session.hpp"
#include "../run/Deliver.hpp"
#include "Profile.hpp"
#include "SimReport.hpp"
#include "ViewPage.hpp"
#include "Xrt.hpp"
#include "airlite/npu/isa/Generations.hpp"
#include "airlite/npu/sim/array/Array.hpp"
#include "airlite/npu/sim/array/Recorder.hpp"
#include "airlite/npu/sim/array/Statistics.hpp"
#include "airlite/npu/sim/core/Core.hpp"
#include "airlite/support/Text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
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

Result<void> readPositions(const char* option, const std::vector<std::string>& texts,
                           const std::vector<std::string>& names, Positions& positions) {
  for (const std::string& text : texts)
    if (auto added = addPosition(option, byNumber(text, names), positions); !added) return added;
  return {};
}

// -- Buffers that no manifest names ---------------------------------------------------------------

/// "4x8xi32".
Result<ArgLayout> layoutOfText(const std::string& text) {
  std::vector<int64_t> shape;
  const size_t last = text.rfind('x');
  const std::string element = last == std::string::npos ? text : text.substr(last + 1);
  if (last != std::string::npos)
    for (const std::string_view piece : split(std::string_view(text).substr(0, last), 'x')) {
      int64_t size = 0;
      const auto [end, code] = std::from_chars(piece.data(), piece.data() + piece.size(), size);
      if (code != std::errc() || end != piece.data() + piece.size() || size < 0)
        shape.clear();
      else
        shape.push_back(size);
    }
  ArgLayout layout = bufferLayout(element, shape);
  if (!layout.type.empty() && !shape.empty()) return layout;
  return Error{fmt::format("expected a shape and a type such as 4x8xi32, got '{}'", text)};
}

Result<ArgLayout> layoutOfFile(const std::string& path) {
  const auto array = readNpy(path);
  if (!array) return array.error();
  return bufferLayout(std::string(npyTypeName(array->type)), array->shape);
}

Result<ArgLayout> layoutOf(const ArgumentRequest& request, unsigned number) {
  const auto shape = request.shapes.find(number), input = request.inputs.find(number),
             expected = request.expects.find(number);
  if (shape != request.shapes.end()) return layoutOfText(shape->second);
  if (input != request.inputs.end()) return layoutOfFile(input->second);
  if (expected != request.expects.end()) return layoutOfFile(expected->second);
  return Error{fmt::format(
      "give --input or --shape, such as --shape {}=4x8xi32: there is no manifest", number)};
}

/// Without a manifest: each buffer from its file, its --shape, or the file it is compared with.
Result<void> makeSignature(ArgumentRequest& request, HostFunction& signature) {
  unsigned count = 0;
  for (const auto* positions :
       {&request.inputs, &request.shapes, &request.outputs, &request.expects})
    if (!positions->empty()) count = std::max(count, positions->rbegin()->first + 1);
  for (unsigned i = 0; i < count && i < 64; ++i) {
    auto layout = layoutOf(request, i);
    if (!layout) return Error{fmt::format("argument {}: {}", i, layout.error().message)};
    signature.params.push_back(std::move(*layout));
  }
  request.shapes.clear();
  return {};
}

// -- The run --------------------------------------------------------------------------------------

class Simulation {
 public:
  Simulation(const NpuDesign& design, SimRequest request)
      : design_(design),
        request_(std::move(request)),
        signature_(design.signature),
        record_(*design.device, request_.estimates ? "model" : "sim") {}

  int run() {
    ArgumentRequest& wanted = request_.arguments;
    if (const auto read = readAllPositions(request_, design_.names, wanted); !read)
      return failRun(read.error().message);
    if (!design_.hasSignature)
      if (const auto signature = makeSignature(wanted, signature_); !signature)
        return failRun(signature.error().message);
    auto made = makeArguments(signature_, wanted);
    if (!made) return failRun(made.error().message);
    arguments_ = std::move(*made);
    const std::vector<Argument> before = request_.check ? arguments_ : std::vector<Argument>();
    int code = writeRecord(runAll());
    if (code != kSuccess) return code;
    if (request_.estimates) {
      std::cout << fmt::format("about {} cycles on {}, by the performance model\n", cycles_,
                               design_.device->name);
      return code;
    }
    if (request_.check) code = request_.check(before, arguments_);
    return std::max(code, deliver({signature_, arguments_, {}}, wanted, request_.tolerance));
  }

 private:
  /// Each run has the array to itself, as after a driver has loaded another image.
  int runAll() {
    std::vector<unsigned> all;
    for (const NpuScratch& buffer : design_.scratch) {
      auto& bytes = scratch_.emplace_back(size_t(buffer.size.value));
      std::memcpy(bytes.data(), buffer.contents.data(), buffer.contents.size());
    }
    for (unsigned i = 0; i < arguments_.size() + scratch_.size(); ++i)
      all.push_back(i);
    for (const NpuRun& run : design_.runs)
      if (int code = runOne(run, design_.hasSignature ? run.buffers : all); code != kSuccess)
        return code;
    if (request_.verbose && !request_.onDevice && !request_.estimates)
      std::cerr << fmt::format("airlite-run: {} cycles on the simulated {}\n", cycles_,
                               design_.device->name);
    return kSuccess;
  }

  int runOne(const NpuRun& run, const std::vector<unsigned>& buffers) {
    return request_.onDevice ? submit(run, buffers) : simulate(run, buffers);
  }

  int submit(const NpuRun& run, const std::vector<unsigned>& buffers) {
    std::vector<std::vector<std::byte>*> data;
    for (const unsigned buffer : buffers)
      data.push_back(&bytesOf(buffer));
    const auto done = runOnXrt(run, request_.xrtLibrary, data);
    return done ? int(kSuccess) : failRun(done.error().message);
  }

  int simulate(const NpuRun& run, const std::vector<unsigned>& buffers) {
    npu::sim::ArrayOptions options;
    options.timing = request_.timing;
    options.reversesTileOrder = request_.reverseTiles;
    options.sanitizes = request_.sanitize;
    options.profiles = request_.profile;
    if (request_.cycles != 0) options.cycleLimit = request_.cycles;
    Watchers watchers;
    if (request_.stats || request_.wantsRecord()) watchers.all.add(watchers.statistics);
    if (!request_.trace.empty()) watchers.all.add(watchers.trace);
    if (request_.wantsRecord()) watchers.all.add(watchers.recorder);
    if (!watchers.all.isEmpty()) options.observer = &watchers.all;
    const auto cores =
        npu::sim::makeCoreFactory(*npu::isa::instructionSetOf(design_.device->generation));
    Array array(*design_.device, options, cores.get());
    if (const auto fault = array.load(run.image))
      return failRun("the image cannot be loaded: " + faultText(*fault, run.locations));
    for (const unsigned buffer : buffers)
      fill(array, bytesOf(buffer));
    const auto result = request_.estimates ? array.estimate(run.stream) : array.run(run.stream);
    cycles_ += result.cycles;
    for (const npu::sim::Fault& warning : result.warnings)
      std::cerr << "airlite-run: warning: " << faultText(warning, run.locations) << "\n";
    // A run that hangs is what they are most wanted for.
    if (const int code = tell(run, array, result, watchers); code != kSuccess) return code;
    if (!result) return failRun(runText(result, run.locations));
    for (unsigned i = 0; i < buffers.size(); ++i)
      std::memcpy(bytesOf(buffers[i]).data(), array.buffer(i).data(), bytesOf(buffers[i]).size());
    return kSuccess;
  }

  std::vector<std::byte>& bytesOf(unsigned buffer) {
    return buffer < arguments_.size() ? arguments_[buffer].array.data
                                      : scratch_[buffer - arguments_.size()];
  }

  /// Buffers of the host are whole words.
  static void fill(Array& array, const std::vector<std::byte>& data) {
    const auto size = (int64_t(data.size()) + 3) / 4 * 4;
    const unsigned buffer = array.addBuffer(Bytes(size));
    std::memcpy(array.buffer(buffer).data(), data.data(), data.size());
  }

  /// Who looks on during one run.
  struct Watchers {
    npu::sim::Statistics statistics;
    npu::sim::TraceWriter trace;
    npu::sim::Recorder recorder;
    npu::sim::Observers all;
  };

  int tell(const NpuRun& run, const Array& array, const npu::sim::RunResult& result,
           Watchers& watchers) {
    const auto number = size_t(&run - design_.runs.data());
    watchers.statistics.finish(array.cycle());
    const bool reports = request_.stats || request_.profile;
    if (reports && design_.runs.size() > 1) std::cout << fmt::format("run {}\n", number);
    if (request_.stats)
      std::cout << npu::sim::report(watchers.statistics, array, result.cycles) << std::flush;
    if (request_.profile)
      std::cout << profileText(*design_.device, array, run.locations, request_.program)
                << std::flush;
    watchers.recorder.finish(array.cycle());
    if (request_.wantsRecord())
      record_.add({run, array, result, watchers.statistics, watchers.recorder});
    if (request_.trace.empty()) return kSuccess;
    const auto written = writeOutput(traceName(number), watchers.trace.finish(array.cycle()));
    return written ? static_cast<int>(kSuccess) : failRun(written.error().message);
  }

  /// Of runs that fail, too. The exit code: `code`, unless a file cannot be written.
  int writeRecord(int code) {
    if (!request_.wantsRecord() || record_.isEmpty()) return code;
    const std::string text = record_.text(request_.program);
    Result<void> written;
    if (!request_.record.empty()) written = writeOutput(request_.record, text);
    if (written && !request_.view.empty()) written = writeOutput(request_.view, viewPage(text));
    return written ? code : failRun(written.error().message);
  }

  /// Of several runs each has its file: trace.json, trace.1.json, trace.2.json.
  std::string traceName(size_t number) const {
    if (number == 0) return request_.trace;
    std::filesystem::path path = request_.trace;
    const std::string ending = path.extension().string();
    return path.replace_extension(std::to_string(number) + ending).string();
  }

  const NpuDesign& design_;
  SimRequest request_;
  HostFunction signature_;
  std::vector<Argument> arguments_;
  std::vector<std::vector<std::byte>> scratch_;
  RunRecord record_;
  uint64_t cycles_ = 0;  ///< of all runs
};

}  // namespace

Result<void> readAllPositions(const SimRequest& request, const std::vector<std::string>& names,
                              ArgumentRequest& arguments) {
  auto read = readPositions("--input", request.inputs, names, arguments.inputs);
  if (read) read = readPositions("--shape", request.shapes, names, arguments.shapes);
  if (read) read = readPositions("--output", request.outputs, names, arguments.outputs);
  if (read) read = readPositions("--expect", request.expects, names, arguments.expects);
  return read;
}

int runDesign(const NpuDesign& design, SimRequest request) {
  return Simulation(design, std::move(request)).run();
}

}  // namespace airlite::tools
