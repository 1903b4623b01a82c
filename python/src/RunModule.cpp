// Programs that run without being compiled for a device: in the interpreter, and on this processor.
#include "Convert.hpp"
#include "Gpu.hpp"
#include "Interrupts.hpp"
#include "Progress.hpp"
#include "Run.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/interp/Interpreter.hpp"
#include "airlite/ir/Verifier.hpp"
#include "targets/run/Interp.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <pybind11/stl.h>

namespace airlite::python {
namespace {

using Handle = std::shared_ptr<OpHandle>;
using interp::Datum;
using interp::MemRef;
using interp::Scalar;

Operation& entryOf(Operation& module, const std::string& function) {
  if (!module.is("builtin.module") || module.region().empty()) fail("a module is run, not a part");
  if (Operation* entry = func::findEntry(module, function).op()) return *entry;
  if (function.empty()) fail("there is no function to run: main, or one that is alone");
  fail("there is no function '" + function + "' with a body");
}

std::vector<ArgLayout> layoutsOf(std::span<const Type> types, bool forInterp) {
  std::vector<ArgLayout> layouts;
  for (const Type type : types) {
    layouts.push_back(forInterp ? tools::interpLayout(type) : layoutOfArgument(type));
  }
  return layouts;
}

// -- The interpreter ------------------------------------------------------------------------------

Datum datumOf(Given& given) {
  if (!given.isArray()) return Scalar{given.bits(), false};
  MemRef memref;
  memref.memory = std::make_shared<interp::Memory>();
  memref.memory->data.assign(given.data(), given.data() + given.size());
  memref.memory->known.assign(given.size(), 1);
  memref.sizes = given.shape();
  memref.strides.assign(memref.sizes.size(), 1);
  for (size_t i = memref.sizes.size(); i-- > 1;)
    memref.strides[i - 1] = memref.strides[i] * std::max<int64_t>(memref.sizes[i], 1);
  return memref;
}

/// What the memory of an argument holds now. Memory that the program has freed is left as it was.
void takeBack(const Datum& datum, Given& given) {
  const auto* memref = std::get_if<MemRef>(&datum);
  if (!memref || memref->memory->freed || given.size() == 0) return;
  std::memcpy(given.data(), memref->memory->data.data(), given.size());
}

py::object returnedObject(const ArgLayout& layout, const Datum& datum, unsigned number) {
  const std::string name = "result " + std::to_string(number);
  if (const auto* memref = std::get_if<MemRef>(&datum)) {
    if (memref->memory->freed) fail(name + " is memory that has been freed");
    if (layout.slots.empty())
      fail(name + ": values of type " + layout.type + " cannot be returned");
    return resultObject(layout, HostValue::buffer(memref->memory->data.data(), memref->sizes,
                                                  memref->strides, memref->offset));
  }
  const auto* scalar = std::get_if<Scalar>(&datum);
  if (!scalar || layout.slots.empty())
    fail(name + ": values of type " + layout.type + " cannot be returned");
  if (scalar->poison) fail(name + " has no defined value");
  if (layout.kind == ArgKind::Float)
    return py::float_(floatFromBits(*FloatType::parseName(layout.elementType), scalar->bits));
  const unsigned shift = 64 - std::min(64u, layout.elementBits);
  return resultObject(layout,
                      HostValue::ofInteger(static_cast<int64_t>(scalar->bits << shift) >> shift));
}

struct InterpRequest {
  std::string function, levels;
  uint64_t seed = 0, maxSteps = 0;
};

interp::LevelRule levelRule(const std::string& name) {
  if (name == "free") return interp::LevelRule::Free;
  if (name == "outer") return interp::LevelRule::Outer;
  if (name == "strict") return interp::LevelRule::Strict;
  fail("levels are 'free', 'outer' or 'strict', got '" + name + "'");
}

py::dict runInterpreted(const Handle& handle, const py::args& values,
                        const InterpRequest& request) {
  Operation& module = handle->op();
  Operation& entry = entryOf(module, request.function);
  const FunctionType type = func::FuncOp(&entry).functionType();
  std::vector<Given> arguments = bindArguments(layoutsOf(type.inputs(), true), values);
  const std::vector<ArgLayout> results = layoutsOf(type.results(), true);
  Interrupts interrupts;
  Progress progress("steps");
  const auto wantsStop = [&](uint64_t steps) {
    progress.show(steps);
    return interrupts.wanted();
  };
  interp::RunOptions options{.seed = request.seed,
                             .maxSteps = request.maxSteps,
                             .levels = levelRule(request.levels),
                             .wantsStop = wantsStop};
  interp::Outcome outcome;
  std::vector<Datum> data;
  for (Given& given : arguments)
    data.push_back(datumOf(given));
  const auto begin = std::chrono::steady_clock::now();
  {
    const Job job(handle->tree()->state());
    const Reports reports(job.context());
    if (failed(verify(module))) reports.raise("the program does not verify");
    interp::Program program(module);
    outcome = program.run(entry, data, options);
    const bool ends = outcome.status == interp::RunStatus::Done || interrupts.happened();
    if (!ends) reports.raise(outcome.message.empty() ? "the run fails" : outcome.message);
  }
  py::dict run;
  run["seconds"] = secondsSince(begin);
  run["steps"] = outcome.steps;
  run["processes"] = outcome.processes;
  for (size_t i = 0; i < arguments.size(); ++i)
    takeBack(data[i], arguments[i]);
  finishArguments(arguments);
  interrupts.raise(run);
  py::list returned;
  for (size_t i = 0; i < results.size(); ++i)
    returned.append(returnedObject(results[i], outcome.results[i], unsigned(i)));
  run["results"] = returned;
  return run;
}

// -- This processor -------------------------------------------------------------------------------

std::unique_ptr<HostRunner> hostRunner(const Handle& handle) {
  Operation& module = handle->op();
  const Job job(handle->tree()->state());
  const Reports reports(job.context());
  const OwningOp copy(module.clone());
  if (failed(verify(*copy))) reports.raise("the program does not verify");
  const auto support = gpuSupport();
  if (!support) reports.raise(support.error().message);
  auto runner = (*support)->compileForHost(*copy);
  if (runner) return std::move(*runner);
  reports.raise(runner.error().message.empty() ? "the program cannot be compiled"
                                               : runner.error().message);
}

py::dict runOnHost(const Handle& handle, const py::args& values, const std::string& function,
                   unsigned threads) {
  Operation& entry = entryOf(handle->op(), function);
  const std::string name(func::FuncOp(&entry).symName());
  const FunctionType type = func::FuncOp(&entry).functionType();
  std::vector<Given> arguments = bindArguments(layoutsOf(type.inputs(), false), values);
  const std::vector<ArgLayout> results = layoutsOf(type.results(), false);
  const std::unique_ptr<HostRunner> runner = hostRunner(handle);
  std::vector<HostValue> given;
  for (Given& argument : arguments)
    given.push_back(argument.hostValue());
  Result<HostOutcome> outcome = Error{};
  {
    const py::gil_scoped_release release;
    outcome = runner->run(name, given, threads);
  }
  if (!outcome) fail(outcome.error().message);
  finishArguments(arguments);
  py::dict run;
  run["seconds"] = outcome->seconds;
  run["launches"] = outcome->launches;
  run["workgroups"] = outcome->workgroups;
  run["leaked_buffers"] = outcome->leakedBuffers;
  py::list returned;
  for (size_t i = 0; i < results.size(); ++i)
    returned.append(resultObject(results[i], outcome->results[i]));
  run["results"] = returned;
  return run;
}

/// (position, text of the type) of the arguments that are numbers, which a design is made for.
py::list numberPositions(const Handle& handle, const std::string& function) {
  const FunctionType type = func::FuncOp(&entryOf(handle->op(), function)).functionType();
  py::list numbers;
  for (unsigned i = 0; i < type.inputs().size(); ++i)
    if (type.inputs()[i].isIntOrIndexOrFloat()) numbers.append(i);
  return numbers;
}

SimulationRequest simulationRequest(bool statistics, bool trace, bool reverseTiles,
                                    uint64_t cycleLimit) {
  SimulationRequest request;
  request.statistics = statistics, request.trace = trace;
  request.reverseTiles = reverseTiles, request.cycleLimit = cycleLimit;
  return request;
}

}  // namespace

std::vector<Given> bindArguments(const std::vector<ArgLayout>& params, const py::args& values) {
  if (values.size() != params.size())
    fail("the function takes " + std::to_string(params.size()) + " arguments, got " +
         std::to_string(values.size()));
  std::vector<Given> arguments;
  arguments.reserve(params.size());
  for (unsigned i = 0; i < params.size(); ++i)
    arguments.emplace_back(i, params[i], values[i]);
  return arguments;
}

void finishArguments(std::vector<Given>& arguments) {
  for (Given& argument : arguments)
    argument.finish();
}

void bindRunning(py::module_& module) {
  module.def(
      "_run_interp",
      [](const Handle& handle, const py::args& values, const std::string& function, uint64_t seed,
         uint64_t maxSteps, const std::string& levels) {
        return runInterpreted(handle, values, {function, levels, seed, maxSteps});
      },
      py::arg("module"), py::kw_only(), py::arg("function") = "", py::arg("seed") = 0,
      py::arg("max_steps") = 0, py::arg("levels") = "outer");
  module.def(
      "_run_host",
      [](const Handle& handle, const py::args& values, const std::string& function,
         unsigned threads) { return runOnHost(handle, values, function, threads); },
      py::arg("module"), py::kw_only(), py::arg("function") = "", py::arg("threads") = 0);
  module.def(
      "_run_sim",
      [](const Compiled& compiled, const py::args& values, bool statistics, bool trace,
         bool reverseTiles, uint64_t cycleLimit) {
        return runSimulated(compiled, values,
                            simulationRequest(statistics, trace, reverseTiles, cycleLimit));
      },
      py::arg("compiled"), py::kw_only(), py::arg("statistics") = false, py::arg("trace") = false,
      py::arg("reverse_tiles") = false, py::arg("cycle_limit") = 0);
  module.def(
      "_run_model",
      [](const Compiled& compiled, const py::args& values, bool statistics, bool trace,
         uint64_t cycleLimit) {
        SimulationRequest request = simulationRequest(statistics, trace, false, cycleLimit);
        request.estimates = true;
        return runSimulated(compiled, values, request);
      },
      py::arg("compiled"), py::kw_only(), py::arg("statistics") = false, py::arg("trace") = false,
      py::arg("cycle_limit") = 0);
  module.def(
      "_run_xrt",
      [](const Compiled& compiled, const py::args& values, const std::string& library) {
        return runOnDevice(compiled, values, {.xrtLibrary = library});
      },
      py::arg("compiled"), py::kw_only(), py::arg("xrt_library") = "");
  module.def("_number_positions", numberPositions, py::arg("module"), py::arg("function") = "");
}

}  // namespace airlite::python
