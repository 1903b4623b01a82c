// How fast the IR is read, checked, printed and simplified, phase by phase, in one process:
// operations and bytes per second for each program given. bench/run.py makes the programs.
#include "airlite/dialect/Dialects.hpp"
#include "airlite/ir/Context.hpp"
#include "airlite/ir/Operation.hpp"
#include "airlite/ir/Verifier.hpp"
#include "airlite/pass/Pass.hpp"
#include "airlite/pass/Pipeline.hpp"
#include "airlite/text/Json.hpp"
#include "airlite/text/Parser.hpp"
#include "airlite/text/Printer.hpp"
#include "airlite/transform/Passes.hpp"

#include <benchmark/benchmark.h>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

using namespace airlite;

namespace {

/// One program: its text, and what is derived from it once, outside the measured time.
struct Program {
  std::string name;
  std::string text;
  std::string json;
  int64_t ops = 0;
};

struct Loaded {
  Context context;
  OwningOp module;

  explicit Loaded(const Program& program, bool verify = true) {
    registerAllDialects(context);
    ParseOptions options;
    options.verify = verify;
    module = parseSource(context, program.text, program.name, options);
    if (!module) throw std::runtime_error(program.name + " does not parse");
  }
};

void report(benchmark::State& state, const Program& program, size_t bytes) {
  state.SetItemsProcessed(state.iterations() * program.ops);
  if (bytes) state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(bytes));
}

void parse(benchmark::State& state, const Program& program) {
  for (auto _ : state) {
    auto loaded = std::make_unique<Loaded>(program, false);
    state.PauseTiming();
    loaded.reset();
    state.ResumeTiming();
  }
  report(state, program, program.text.size());
}

void print(benchmark::State& state, const Program& program, bool generic) {
  Loaded loaded(program);
  PrintOptions options;
  options.generic = generic;
  size_t bytes = 0;
  for (auto _ : state)
    bytes = printToString(*loaded.module, options).size();
  report(state, program, bytes);
}

void check(benchmark::State& state, const Program& program) {
  Loaded loaded(program);
  for (auto _ : state)
    if (failed(verify(*loaded.module))) state.SkipWithError("does not verify");
  report(state, program, 0);
}

void writeJson(benchmark::State& state, const Program& program) {
  Loaded loaded(program);
  for (auto _ : state)
    benchmark::DoNotOptimize(printJson(*loaded.module));
  report(state, program, program.json.size());
}

void readJson(benchmark::State& state, const Program& program) {
  ParseOptions options;
  options.limits.maxBytes = program.json.size() + 1;
  for (auto _ : state) {
    Context context;
    registerAllDialects(context);
    OwningOp module = parseJson(context, program.json, program.name, options);
    if (!module) state.SkipWithError("the JSON form does not parse");
    state.PauseTiming();
    module = OwningOp();
    state.ResumeTiming();
  }
  report(state, program, program.json.size());
}

void runPasses(benchmark::State& state, const Program& program, const char* pipelineText) {
  PassRegistry registry;
  registerAllPasses(registry);
  PipelineOptions options;
  options.verifyEach = false;
  options.countEffects = false;
  for (auto _ : state) {
    state.PauseTiming();
    auto loaded = std::make_unique<Loaded>(program, false);
    Pipeline pipeline;
    if (!parsePipeline(loaded->context, registry, pipelineText, pipeline)) return;
    state.ResumeTiming();
    if (runPipeline(*loaded->module, pipeline, options).result == PassResult::Failed)
      state.SkipWithError("the pipeline failed");
    state.PauseTiming();
    loaded.reset();
    state.ResumeTiming();
  }
  report(state, program, 0);
}

Program load(const char* path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(std::string("cannot read ") + path);
  std::stringstream text;
  text << file.rdbuf();
  std::string name = path;
  Program program{name.substr(name.rfind('/') + 1), text.str(), "", 0};
  Loaded loaded(program);
  loaded.module->walk([&](Operation&) { ++program.ops; });
  program.json = printJson(*loaded.module);
  return program;
}

template <class Phase> void add(const Program& program, const char* phase, Phase run) {
  benchmark::RegisterBenchmark((std::string(phase) + "/" + program.name).c_str(),
                               [&program, run](benchmark::State& state) { run(state, program); })
      ->Unit(benchmark::kMillisecond);
}

void addAll(const Program& program) {
  using State = benchmark::State;
  add(program, "parse", parse);
  add(program, "verify", check);
  add(program, "print", [](State& s, const Program& p) { print(s, p, false); });
  add(program, "print-generic", [](State& s, const Program& p) { print(s, p, true); });
  add(program, "canonicalize", [](State& s, const Program& p) { runPasses(s, p, "canonicalize"); });
  add(program, "cse", [](State& s, const Program& p) { runPasses(s, p, "cse"); });
  add(program, "json-write", writeJson);
  add(program, "json-read", readJson);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (argc < 2) {
    std::cerr << "usage: airlite_bench_ir_speed [--benchmark_...] PROGRAM.mlir...\n";
    return 2;
  }
  try {
    std::vector<Program> programs;
    for (int i = 1; i < argc; ++i)
      programs.push_back(load(argv[i]));
    for (const Program& program : programs)
      addAll(program);
    benchmark::RunSpecifiedBenchmarks();
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
  return 0;
}
