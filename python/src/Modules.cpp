// Programs: read, made, looked into.
#include "Convert.hpp"
#include "Errors.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/Symbols.hpp"
#include "airlite/text/Json.hpp"
#include "airlite/text/Parser.hpp"
#include "common/Session.hpp"

#include <pybind11/stl.h>

namespace airlite::python {
namespace {

using Handle = std::shared_ptr<OpHandle>;

enum class Form { Text, Json };

Form formOf(const std::string& form, const std::string& text, const std::string& name) {
  if (form == "text") return Form::Text;
  if (form == "json") return Form::Json;
  if (form != "auto") fail("the forms are 'auto', 'text' and 'json', got '" + form + "'");
  const size_t first = text.find_first_not_of(" \t\r\n");
  const bool isObject = first != std::string::npos && text[first] == '{';
  return name.ends_with(".json") || isObject ? Form::Json : Form::Text;
}

Handle parseProgram(std::string text, const std::string& name, const std::string& form,
                    bool verify) {
  const std::shared_ptr<State> state = currentState();
  const Form kind = formOf(form, text, name);
  Operation* root = nullptr;
  {
    const Job job(state);
    const Reports reports(job.context());
    const ParseOptions options{.verify = verify};
    OwningOp module = kind == Form::Json
                          ? parseJson(job.context(), std::move(text), name, options)
                          : parseSource(job.context(), std::move(text), name, options);
    if (!module) reports.raise("'" + name + "' is not a program");
    root = module.release();
  }
  return adopt(state, root);
}

Handle loadProgram(const std::string& path, const std::string& form, bool verify) {
  const auto text = tools::readInput(path);
  if (!text) fail(text.error().message);
  return parseProgram(*text, path, form, verify);
}

Handle makeModule(py::handle location) {
  const std::shared_ptr<State>& state = currentState();
  OperationState made(state->context(), locationOf(*state, location), "builtin.module");
  made.addRegion().addBlock(state->context());
  return adopt(state, Operation::create(state->context(), made));
}

IntrusiveRange<Operation> membersOf(const Handle& module) {
  Operation& op = module->op();
  if (op.numRegions() != 1 || op.region().empty()) return {};
  return op.region().front().ops();
}

std::vector<Handle> functionsOf(const Handle& module) {
  std::vector<Handle> functions;
  for (Operation& op : membersOf(module))
    if (op.is("func.func")) functions.push_back(handleOf(module->tree(), &op));
  return functions;
}

Handle findSymbol(const Handle& module, const std::string& name) {
  for (Operation& op : membersOf(module))
    if (symbolName(op) == name) return handleOf(module->tree(), &op);
  return nullptr;
}

}  // namespace

void bindModules(py::module_& module) {
  py::class_<ModuleHandle, OpHandle, std::shared_ptr<ModuleHandle>>(
      module, "Module", "A program: an Operation with the functions of it.")
      .def(py::init([] { return std::static_pointer_cast<ModuleHandle>(makeModule(py::none())); }),
           "An empty program in the current context.")
      .def_property_readonly("functions", functionsOf, "Its func.func.")
      .def("find", findSymbol, py::arg("symbol"), "The operation of this name in it, or None.");
  module.def("parse", parseProgram, py::arg("text"), py::arg("name") = "<string>",
             py::arg("form") = "auto", py::arg("verify") = true,
             "Reads a program. `name` is what errors call it; the form is 'text' or 'json', or "
             "'auto'.");
  module.def("load", loadProgram, py::arg("path"), py::arg("form") = "auto",
             py::arg("verify") = true, "Reads a program from a file.");
}

}  // namespace airlite::python
