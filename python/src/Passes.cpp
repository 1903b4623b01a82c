// Passes and pipelines on a module.
#include "targets/Passes.hpp"

#include "Convert.hpp"
#include "Errors.hpp"
#include "Interrupts.hpp"
#include "airlite/interp/MeaningCheck.hpp"
#include "airlite/ir/Verifier.hpp"
#include "airlite/pass/Pipeline.hpp"

#include <pybind11/stl.h>

namespace airlite::python {
namespace {

using Handle = std::shared_ptr<OpHandle>;

const PassRegistry& registry() {
  static const PassRegistry all = tools::allPasses();
  return all;
}

/// What passes have said and done.
struct PassReport {
  bool changed = false;
  std::vector<Report> diagnostics;
  std::string log;
};

struct PassRequest {
  std::string passes;
  bool remarks = false, timing = false, statistics = false, printAfterAll = false;
  bool verifyEach = true, checkEach = false;
  std::string dump;
};

void runAll(Context& context, Operation& module, const PassRequest& request, PassReport& report,
            Interrupts& interrupts) {
  const Reports reports(context);
  Pipeline pipeline;
  if (!parsePipeline(context, registry(), request.passes, pipeline))
    reports.raise("'" + request.passes + "' is not a pipeline");
  if (failed(verify(module))) reports.raise("the program does not verify");
  PipelineOptions options;
  options.remarks = request.remarks;
  options.timing = request.timing;
  options.statistics = request.statistics;
  options.printAfterAll = request.printAfterAll || !request.dump.empty();
  options.printModuleScope = options.printAfterAll;
  options.printTreeDir = request.dump;
  options.verifyEach = request.verifyEach;
  options.reproducerOnInternalError = false;
  options.log = [&](std::string_view text) { report.log += text; };
  interp::MeaningCheckOptions checks;
  checks.log = [&](std::string_view text) { report.log += std::string(text) + "\n"; };
  interp::MeaningCheck meaning(checks);
  if (request.checkEach) meaning.begin(module);
  options.checkEach = [&](Operation& whole, const Pass& pass) {
    if (interrupts.wanted()) return false;
    return !request.checkEach || meaning.check(whole, pass.name());
  };
  const PipelineOutcome outcome = runPipeline(module, pipeline, options);
  if (!interrupts.happened() && outcome.result == PassResult::Failed)
    reports.raise("a pass has failed");
  report.changed = outcome.result == PassResult::Changed;
  report.diagnostics = reports.all();
}

PassReport runPasses(const Handle& handle, const PassRequest& request) {
  Operation& module = handle->op();
  if (handle->tree()->root() != &module || !module.is("builtin.module"))
    fail("passes run on a module that no other operation holds");
  PassReport report;
  Interrupts interrupts;
  // Whatever they did: who knows an operation of before does not know what it is now.
  struct Forget {
    const Handle& handle;
    ~Forget() { handle->state().invalidateInside(*handle->tree()); }
  } const forget{handle};
  {
    const Job job(handle->tree()->state());
    runAll(job.context(), module, request, report, interrupts);
  }
  interrupts.raise();
  return report;
}

py::dict passNames() {
  py::dict passes;
  for (const std::string_view name : registry().names())
    passes[py::str(std::string(name))] = std::string(registry().create(name)->summary());
  for (const std::string_view name : registry().recipeNames())
    passes[py::str(std::string(name))] = std::string(registry().createRecipe(name)->summary());
  return passes;
}

std::string passHelp(const Configurable& pass) {
  std::string text = std::string(pass.name()) + ": " + std::string(pass.summary()) + "\n";
  for (const PassOption& option : pass.options())
    text += "  " + std::string(option.name) + "=" + option.defaultText + "  " +
            std::string(option.doc) + "\n";
  if (!pass.exampleText().empty()) text += "example: " + std::string(pass.exampleText()) + "\n";
  return text;
}

std::string opHelp(const OpDef& def) {
  std::string text = std::string(def.name()) + ": " + std::string(def.docText) + "\n";
  const auto add = [&](const char* what, const std::vector<ValueDef>& values) {
    for (const ValueDef& value : values) {
      const char* many = value.arity == Arity::Single     ? ""
                         : value.arity == Arity::Optional ? " (optional)"
                                                          : " (any number)";
      text += std::string("  ") + what + " " + std::string(value.name) + ": " +
              std::string(value.type->summary) + many + "\n";
    }
  };
  add("operand", def.operands);
  add("result", def.results);
  for (const AttrDef& attribute : def.attributes)
    text += "  attribute " + std::string(attribute.name) + ": " +
            std::string(attribute.constraint->summary) +
            (attribute.optional ? " (optional)\n" : "\n");
  for (const RegionDef& region : def.regions)
    text += "  region " + std::string(region.name) + "\n";
  if (const std::string example = def.exampleOrNone(); !example.empty())
    text += "example:\n" + example + "\n";
  return text;
}

std::string describe(const std::string& name) {
  if (const OpDef* def = currentState()->context().findOp(name)) return opHelp(*def);
  if (const auto pass = registry().create(name)) return passHelp(*pass);
  if (const auto recipe = registry().createRecipe(name)) return passHelp(*recipe);
  fail("there is no op, pass or recipe '" + name + "'");
}

}  // namespace

void bindPasses(py::module_& module) {
  py::class_<PassReport>(module, "PassReport", "What passes have done and said.")
      .def_readonly("changed", &PassReport::changed, "Whether the program is another one now.")
      .def_readonly("diagnostics", &PassReport::diagnostics, "Warnings, and remarks if asked for.")
      .def_readonly("log", &PassReport::log, "What timing, statistics and printing have written.")
      .def("__repr__", [](const PassReport& r) {
        return std::string("<airlite.PassReport ") + (r.changed ? "changed" : "unchanged") + ", " +
               std::to_string(r.diagnostics.size()) + " diagnostics>";
      });
  module.def(
      "run_passes",
      [](const Handle& handle, const std::string& passes, bool remarks, bool timing,
         bool statistics, bool printAfterAll, bool verifyEach, bool checkEach,
         const std::string& dump) {
        return runPasses(handle, {passes, remarks, timing, statistics, printAfterAll, verifyEach,
                                  checkEach, dump});
      },
      py::arg("module"), py::arg("passes"), py::kw_only(), py::arg("remarks") = false,
      py::arg("timing") = false, py::arg("statistics") = false, py::arg("print_after_all") = false,
      py::arg("verify_each") = true, py::arg("check_each") = false, py::arg("dump") = "",
      "Runs a pipeline such as 'canonicalize,func.func(cse)' on a module.\n\n"
      "Operations and blocks that Python holds of the module do not exist any more afterwards:\n"
      "look for them again. check_each runs the program in the interpreter before and after each\n"
      "pass; dump is a folder for the program after each pass.");
  module.def("passes", passNames, "Name and summary of each pass and recipe.");
  module.def("describe", describe, py::arg("name"),
             "What an op, a pass or a recipe is, with operands or options.");
}

}  // namespace airlite::python
