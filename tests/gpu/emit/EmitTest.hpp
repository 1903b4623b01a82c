// What the tests of the emitter share: parse a program, compile it for every cpu, run it.
#pragma once

#include "airlite/dialect/Dialects.hpp"
#include "airlite/gpu/emit/Compile.hpp"
#include "airlite/gpu/emit/HostProgram.hpp"
#include "airlite/text/Parser.hpp"
#include "support/catch_all.hpp"

#include <memory>
#include <string>
#include <vector>

namespace airlite::gpu::test {

/// A parsed program with the diagnostics that came up so far.
struct Program {
  Context context;
  std::unique_ptr<DiagnosticCollector> problems;
  OwningOp module;

  /// `aliases`: what stands before the module.
  explicit Program(const std::string& text, const std::string& aliases = "") {
    registerAllDialects(context);
    problems = std::make_unique<DiagnosticCollector>(context);
    module = parseSource(context,
                         aliases + "module attributes {gpu.container_module} {\n" + text + "}\n",
                         "test.mlir");
    INFO(messages());
    REQUIRE(module);
  }

  std::string messages() const {
    std::string all;
    for (const auto& problem : problems->diagnostics())
      all += formatDiagnostic(context, problem);
    return all;
  }
};

inline CompiledKernels compileFor(Program& program, const std::string& cpu,
                                  const CompileOptions& options = {}) {
  GpuTargetOptions target;
  target.cpu = cpu;
  auto compiled = compileForGpu(*program.module, target, options);
  INFO(program.messages() << compiled.error().message);
  REQUIRE(compiled);
  return std::move(*compiled);
}

/// Every cpu that airlite supports takes the program.
inline void compileForAll(Program& program) {
  for (auto cpu : GpuTarget::supportedCpus()) {
    INFO("cpu " << cpu);
    for (const auto& module : compileFor(program, std::string(cpu)).modules)
      CHECK(module.kernels.size() == module.info.kernels.size());
  }
}

inline HostProgram hostOf(Program& program) {
  auto host = HostProgram::create(*program.module);
  INFO(program.messages() << host.error().message);
  REQUIRE(host);
  return std::move(*host);
}

inline HostRun runMain(const HostProgram& program, std::vector<HostValue> args,
                       const RunOptions& options = {}) {
  auto run = program.run("main", args, options);
  INFO(run.error().message);
  REQUIRE(run);
  return std::move(*run);
}

template <class T> HostValue bufferOf(std::vector<T>& data, std::vector<std::int64_t> shape) {
  return HostValue::buffer(data.data(), std::move(shape));
}
template <class T> HostValue bufferOf(std::vector<T>& data) {
  return bufferOf(data, {static_cast<std::int64_t>(data.size())});
}

/// A program whose main launches `body` as a kernel of one group of `block` work-items with main's
/// arguments, written "%a: type, %b: type".
inline std::string oneKernel(const std::string& args, const std::string& body, int block = 1) {
  std::string passed;
  for (size_t at = 0; at < args.size();) {
    const auto percent = args.find('%', at);
    const auto next = args.find(", %", percent);
    auto one = args.substr(percent, next == std::string::npos ? next : next - percent);
    const auto colon = one.find(':');
    passed += (passed.empty() ? "" : ", ") + one.substr(0, colon) + " : " + one.substr(colon + 1);
    at = next == std::string::npos ? args.size() : next + 2;
  }
  const auto size = std::to_string(block);
  return "gpu.module @k {\n gpu.func @kernel(" + args +
         ") kernel attributes {known_block_size = array<i32: " + size +
         ", 1, 1>, airlite.wave_size = 64 : i32} {\n" + body +
         "\n gpu.return\n }\n}\nfunc.func @main(" + args +
         ") {\n %one = arith.constant 1 : index\n %block = arith.constant " + size +
         " : index\n gpu.launch_func @k::@kernel blocks in (%one, %one, %one) threads in (%block, "
         "%one, %one) args(" +
         passed + ")\n return\n}\n";
}

/// Ops that store `values`, one after the other, to `%out[0]`, `%out[1]` ... of type `type`; `tail`
/// is what follows the number in the brackets.
inline std::string storeEach(const std::vector<std::string>& values, const std::string& type,
                             const std::string& tail = "") {
  std::string text;
  for (size_t k = 0; k < values.size(); ++k) {
    const auto row = "%row" + std::to_string(k);
    text += "\n" + row + " = arith.constant " + std::to_string(k) + " : index\nmemref.store " +
            values[k] + ", %out[" + row + tail + "] : " + type;
  }
  return text;
}

}  // namespace airlite::gpu::test
