// Programs compiled for a device, in memory.
#include "airlite/npu/compile/Compile.hpp"

#include "Compiled.hpp"
#include "Convert.hpp"
#include "Gpu.hpp"
#include "Interrupts.hpp"
#include "airlite/device/AieDevices.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/ir/Verifier.hpp"
#include "airlite/npu/compile/Entry.hpp"
#include "common/WriteFiles.hpp"
#include "targets/Passes.hpp"
#include "targets/npu/Tuner.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <pybind11/stl.h>

namespace airlite::python {
namespace {

using Handle = std::shared_ptr<OpHandle>;

struct CompileRequest {
  std::string target, function, passes;
  std::vector<std::string> emit, objectFolders;
  std::map<unsigned, py::object> numbers;  ///< arguments that become constants
  bool verifyProgram = true, exact = false, remarks = false, asyncTransfers = false;

  bool emits(std::string_view kind) const { return std::ranges::count(emit, kind) != 0; }
};

std::vector<std::string> npuDevices() {
  std::vector<std::string> names;
  for (const aie::Device& device : aie::kDevices)
    if (device.isTarget()) names.emplace_back(device.name);
  return names;
}

void checkKinds(const CompileRequest& request, const std::vector<std::string>& known) {
  std::string all;
  for (const std::string& kind : known)
    all += (all.empty() ? "'" : ", '") + kind + "'";
  for (const std::string& kind : request.emit)
    if (std::ranges::count(known, kind) == 0)
      fail("emit='" + kind + "' is not for " + request.target + ": it has " + all);
}

npu::Outputs outputsOf(const CompileRequest& request) {
  checkKinds(request, {"images", "air", "aie", "config", "floorplan", "report"});
  return {.air = request.emits("air"),
          .aie = request.emits("aie"),
          .images = request.emits("images"),
          .config = request.emits("config"),
          .floorplan = request.emits("floorplan"),
          .report = request.emits("report")};
}

/// Attributes for the numbers of `function`; under the GIL.
std::map<unsigned, Attribute> constantsOf(Operation& function,
                                          const std::map<unsigned, py::object>& numbers) {
  const FunctionType type = func::FuncOp(&function).functionType();
  std::map<unsigned, Attribute> constants;
  for (const auto& [position, number] : numbers) {
    if (position >= type.inputs().size())
      fail("there is no argument " + std::to_string(position) + ": the function has " +
           std::to_string(type.inputs().size()));
    const Type wanted = type.inputs()[position];
    if (!wanted.isIntOrIndexOrFloat())
      fail("argument " + std::to_string(position) + " of type '" + wanted.str() +
           "' is not a number");
    constants[position] = numberOf(wanted, number);
  }
  return constants;
}

/// Leaves the function that is asked for, with its numbers.
void chooseFunction(Operation& module, const CompileRequest& request) {
  if (request.function.empty() && request.numbers.empty()) return;
  Operation* entry = func::findEntry(module, request.function).op();
  if (!entry || !npu::keepOnly(module, *entry))
    fail("there is no function '" + (request.function.empty() ? "main" : request.function) +
         "' with a body to compile");
  npu::fixScalars(*entry, constantsOf(*entry, request.numbers));
}

/// Arguments up to the last array: numbers after it that nobody has given a value are not used.
unsigned inputsOf(Operation& module, const std::string& function) {
  Operation* entry = func::findEntry(module, function).op();
  if (!entry) return 0;
  const FunctionType type = func::FuncOp(entry).functionType();
  size_t count = type.inputs().size();
  while (count > 0 && type.inputs()[count - 1].isIntOrIndexOrFloat())
    --count;
  return unsigned(count);
}

/// Runs passes as the compiler does between its steps; Ctrl-C ends it after one of them.
PipelineOutcome runStep(Operation& module, const Pipeline& passes, Interrupts& interrupts,
                        bool remarks) {
  PipelineOptions options;
  options.remarks = remarks;
  options.reproducerOnInternalError = false;
  options.checkEach = [&](Operation&, const Pass&) { return !interrupts.wanted(); };
  return runPipeline(module, passes, options);
}

void readPasses(Context& context, const std::string& text, Pipeline& pipeline,
                const Reports& reports) {
  if (!parsePipeline(context, tools::allPasses(), text, pipeline))
    reports.raise("'" + text + "' is not a pipeline");
}

void compileNpu(Operation& module, const CompileRequest& request, const npu::Outputs& outputs,
                const Reports& reports, Interrupts& interrupts, Compiled& compiled) {
  npu::CompileOptions options{.target = request.target,
                              .outputs = outputs,
                              .verifyProgram = request.verifyProgram,
                              .exact = request.exact,
                              .remarks = request.remarks,
                              .objectFolders = request.objectFolders};
  Pipeline recipe;
  if (!request.passes.empty()) {
    const std::string around = pipelineText({npu::checkBeforeRecipe(request.target)}) + "," +
                               request.passes + "," +
                               pipelineText({npu::checkAfterRecipe(request.target)});
    readPasses(module.context(), request.verifyProgram ? around : request.passes, recipe, reports);
    options.recipe = &recipe;
  }
  options.runPasses = [&](Operation& op, const Pipeline& passes) {
    return runStep(op, passes, interrupts, request.remarks);
  };
  auto made = npu::compileForNpu(module, options);
  if (interrupts.happened()) return;
  if (!made)
    reports.raise(made.error().message.empty() ? "the program cannot be compiled"
                                               : made.error().message);
  compiled.files = std::move(made->files);
  compiled.table = std::move(made->table);
}

void compileGpu(Operation& module, const CompileRequest& request, const Reports& reports,
                Compiled& compiled) {
  const auto support = gpuSupport();
  if (!support) reports.raise(support.error().message);
  auto made =
      (*support)->compile(module, request.target, request.verifyProgram,
                          {request.emits("ll"), request.emits("asm"), request.emits("images"),
                           request.emits("images"), request.emits("air")});
  if (!made)
    reports.raise(made.error().message.empty() ? "the program cannot be compiled"
                                               : made.error().message);
  compiled.files = std::move(*made);
}

void addDesign(Compiled& compiled) {
  const auto read = [&](const std::string& name) -> Result<std::string> {
    const auto file = std::ranges::find(compiled.files, name, &Artifact::name);
    if (file == compiled.files.end()) return Error{"there is no " + name};
    return file->bytes;
  };
  const auto manifest = read("manifest.json");
  if (!manifest) fail(manifest.error().message);
  auto design = tools::designOfManifest(*manifest, read);
  if (!design) fail("what was compiled cannot be loaded: " + design.error().message);
  compiled.design = std::move(*design);
}

/// What belongs in front of both: a program that verifies, with tokens if they are asked for.
void prepare(Operation& module, const CompileRequest& request, const Reports& reports,
             Interrupts& interrupts) {
  if (failed(verify(module))) reports.raise("the program does not verify");
  if (!request.asyncTransfers) return;
  for (const std::string_view passes : tools::kAsyncTransfers) {
    if (!tools::hasTransfersToOrder(module)) return;
    Pipeline pipeline;
    readPasses(module.context(), std::string(passes), pipeline, reports);
    if (runStep(module, pipeline, interrupts, false).result == PassResult::Failed)
      reports.raise("a pass has failed");
  }
}

bool isNpu(const std::string& target) { return std::ranges::count(npuDevices(), target) != 0; }

/// None where there is no support of GPUs.
std::vector<std::string> gpuDevices() {
  const auto support = gpuSupport();
  return support ? (*support)->devices() : std::vector<std::string>();
}

void checkTarget(const std::string& target) {
  if (isNpu(target)) return;
  // LLVM knows more GPUs than those that airlite tests, and says which.
  if (target.starts_with("gfx")) {
    if (const auto support = gpuSupport(); !support) fail(support.error().message);
    return;
  }
  std::vector<std::string> all = gpuDevices();
  std::ranges::copy(npuDevices(), std::back_inserter(all));
  std::string text;
  for (const std::string& name : all)
    text += (text.empty() ? "" : ", ") + name;
  fail("there is no target '" + target + "' in this build: it has " + text);
}

void refuseNpuOptions(const CompileRequest& request) {
  if (!request.numbers.empty() || !request.passes.empty() || !request.objectFolders.empty() ||
      !request.function.empty() || request.exact)
    fail("function, numbers, passes, exact and object_folders are for NPUs, not for " +
         request.target);
}

/// What follows a step of a search: a function of Python is called with it, and may raise an error.
class Watcher {
 public:
  Watcher(py::object function, Interrupts& interrupts)
      : function_(std::move(function)), interrupts_(interrupts) {}

  bool wantsStop() { return interrupts_.wanted(); }

  bool told(const tools::TuneStep& step) {
    const py::gil_scoped_acquire acquire;
    try {
      function_(step.number, step.recipe, step.cycles, step.isSlower);
    } catch (py::error_already_set& error) {
      error_.emplace(std::move(error));
    }
    return !error_;
  }

  void raise() {
    if (error_) throw py::error_already_set(*error_);
  }

 private:
  py::object function_;
  Interrupts& interrupts_;
  std::optional<py::error_already_set> error_;
};

/// What search() takes besides the program.
struct SearchRequest {
  bool bySimulator = false;
  unsigned most = 0;
  double seconds = 0;
  std::string first;
  py::object onStep;
};

/// (passes, cycles, cycles of the compiler's own way) of the fastest way that was found.
py::tuple search(const Handle& handle, const CompileRequest& request, const SearchRequest& wanted) {
  if (!isNpu(request.target))
    fail("ways are searched for an NPU, got target '" + request.target + "'");
  const std::shared_ptr<State>& state = handle->tree()->state();
  Interrupts interrupts;
  Watcher watcher(wanted.onStep, interrupts);
  OwningOp copy(handle->op().clone());
  {
    const Reports reports(state->context());
    chooseFunction(*copy, request);
  }
  std::optional<Result<tools::Tuned>> tuned;
  {
    const Job job(state);
    const Reports reports(job.context());
    const OwningOp module(copy.release());
    prepare(*module, request, reports, interrupts);
    tuned =
        tools::tune(*module, {.compile = {.target = request.target,
                                          .exact = request.exact,
                                          .objectFolders = request.objectFolders},
                              .bySimulator = wanted.bySimulator,
                              .most = wanted.most,
                              .seconds = wanted.seconds,
                              .first = wanted.first,
                              .wantsStop = [&] { return watcher.wantsStop(); },
                              .onStep = [&](const tools::TuneStep& step,
                                            const tools::Tuned&) { return watcher.told(step); }});
    if (!*tuned && !interrupts.happened())
      reports.raise(tuned->error().message.empty() ? "the program cannot be compiled"
                                                   : tuned->error().message);
  }
  watcher.raise();
  interrupts.raise();
  const tools::Tuned& best = **tuned;
  return py::make_tuple(best.recipe, best.cycles, best.defaultCycles);
}

/// The program that was given stays as it is: a copy of it is compiled.
std::shared_ptr<Compiled> compile(const Handle& handle, const CompileRequest& request) {
  checkTarget(request.target);
  if (!handle->op().is("builtin.module")) fail("a module is compiled, not a part of one");
  const std::shared_ptr<State>& state = handle->tree()->state();
  const bool forNpu = isNpu(request.target);
  const npu::Outputs outputs = forNpu ? outputsOf(request) : npu::Outputs();
  if (!forNpu) refuseNpuOptions(request);
  if (!forNpu) checkKinds(request, {"images", "air", "ll", "asm"});
  auto compiled = std::make_shared<Compiled>(Compiled{.target = request.target});
  Interrupts interrupts;
  OwningOp copy(handle->op().clone());
  {
    // Numbers are objects of Python.
    const Reports reports(state->context());
    chooseFunction(*copy, request);
  }
  compiled->inputs = inputsOf(*copy, request.function);
  {
    const Job job(state);
    const Reports reports(job.context());
    const OwningOp module(copy.release());
    prepare(*module, request, reports, interrupts);
    if (!interrupts.happened() && forNpu)
      compileNpu(*module, request, outputs, reports, interrupts, *compiled);
    else if (!interrupts.happened())
      compileGpu(*module, request, reports, *compiled);
    compiled->diagnostics = reports.all();
    if (forNpu && outputs.images && !interrupts.happened()) addDesign(*compiled);
  }
  interrupts.raise();
  return compiled;
}

py::dict filesOf(const Compiled& compiled) {
  py::dict files;
  for (const Artifact& file : compiled.files)
    files[py::str(file.name)] = py::bytes(file.bytes);
  return files;
}

void save(const Compiled& compiled, const std::string& folder) {
  if (const auto written = tools::writeArtifacts(folder, compiled.files); !written)
    fail(written.error().message);
}

}  // namespace

tools::NpuDesign designOf(const std::string& path) {
  auto design = tools::readDesign(path, "");
  if (!design) fail(design.error().message);
  return std::move(*design);
}

void bindCompiling(py::module_& module) {
  py::class_<Compiled, std::shared_ptr<Compiled>>(
      module, "Compiled", "A program compiled for a device: files in memory.")
      .def_readonly("target", &Compiled::target, "The device that it was compiled for.")
      .def_property_readonly("files", filesOf, "The bytes of each file by its name.")
      .def_readonly("table", &Compiled::table, "Resources as a table, of emit='report'.")
      .def_readonly("diagnostics", &Compiled::diagnostics, "Warnings, and remarks if asked for.")
      .def("save", save, py::arg("folder"), "Writes all files into a folder, or none.")
      .def_static(
          "load",
          [](const std::string& path) {
            auto design = designOf(path);
            auto compiled = std::make_shared<Compiled>();
            compiled->target = std::string(design.device->name);
            compiled->design = std::move(design);
            return compiled;
          },
          py::arg("path"), "A folder of files for an NPU that was saved, to run it.")
      .def("__repr__", [](const Compiled& c) {
        return "<airlite.Compiled for " + c.target + ", " + std::to_string(c.files.size()) +
               " files>";
      });
  module.def(
      "compile",
      [](const Handle& handle, const std::string& target, const std::string& function,
         const std::map<unsigned, py::object>& numbers, const std::vector<std::string>& emit,
         const std::string& passes, bool verifyProgram, bool exact, bool remarks,
         bool asyncTransfers, const std::vector<std::string>& objectFolders) {
        return compile(handle, {target, function, passes, emit, objectFolders, numbers,
                                verifyProgram, exact, remarks, asyncTransfers});
      },
      py::arg("module"), py::arg("target") = "npu1", py::kw_only(), py::arg("function") = "",
      py::arg("numbers") = py::dict(), py::arg("emit") = std::vector<std::string>{"images"},
      py::arg("passes") = "", py::arg("verify_program") = true, py::arg("exact") = false,
      py::arg("remarks") = false, py::arg("async_transfers") = false,
      py::arg("object_folders") = std::vector<std::string>{},
      "Compiles a program for a device; the module stays as it is.\n\n"
      "function         the one to compile; without it main, or the only public one\n"
      "numbers          {position: value} of arguments that become constants\n"
      "emit             of an NPU 'images', 'air', 'aie', 'config', 'floorplan' and 'report', of "
      "a\n"
      "                 GPU 'images', 'air', 'll' and 'asm'\n"
      "passes           a pipeline in place of the recipe of an NPU\n"
      "verify_program   refuses programs that hang or race\n"
      "exact            floats keep the bits that the program says\n"
      "async_transfers  transfers without tokens do not wait for each other\n"
      "object_folders   where the objects lie that cores link with");
  module.def(
      "_tune",
      [](const Handle& handle, const std::string& target, const std::string& function,
         const std::map<unsigned, py::object>& numbers, bool exact, bool asyncTransfers,
         const std::vector<std::string>& objectFolders, bool bySimulator, unsigned most,
         double seconds, const std::string& first, const py::object& onStep) {
        CompileRequest request{.target = target, .function = function, .numbers = numbers};
        request.objectFolders = objectFolders;
        request.exact = exact, request.asyncTransfers = asyncTransfers;
        return search(handle, request, {bySimulator, most, seconds, first, onStep});
      },
      py::arg("module"), py::arg("target"), py::kw_only(), py::arg("function"), py::arg("numbers"),
      py::arg("exact"), py::arg("async_transfers"), py::arg("object_folders"),
      py::arg("by_simulator"), py::arg("most"), py::arg("seconds"), py::arg("first"),
      py::arg("on_step"));
  module.def(
      "targets",
      [] {
        std::vector<std::string> all = npuDevices();
        for (std::string& name : gpuDevices())
          all.push_back(std::move(name));
        return all;
      },
      "Devices that programs can be compiled for.");
}

}  // namespace airlite::python
