#include "Errors.hpp"

#include "airlite/support/Text.hpp"

#include <nlohmann/json.hpp>

#include <pybind11/stl.h>

namespace airlite::python {
namespace {

namespace py = pybind11;

/// Owned by the module as well.
PyObject* errorClass = nullptr;

Report reportOf(const nlohmann::json& json) {
  Report report;
  report.severity = json.value("severity", "");
  report.message = json.value("message", "");
  if (json["file"].is_string()) report.file = json["file"];
  report.line = json.value("line", 0u);
  report.column = json.value("column", 0u);
  for (const auto& note : json.value("notes", nlohmann::json::array()))
    report.notes.push_back(reportOf(note));
  return report;
}

/// The one place that knows how a location is followed to a file is the JSON of a diagnostic.
Report reportOf(const Context& context, const Diagnostic& diagnostic) {
  Report report = reportOf(nlohmann::json::parse(diagnosticToJson(context, diagnostic)));
  report.text = formatDiagnostic(context, diagnostic);
  while (report.text.ends_with('\n'))
    report.text.pop_back();
  return report;
}

py::object noneIf(bool isNone, py::object value) { return isNone ? py::none() : value; }

void setError(const Failure& failure) {
  const Report none;
  const Report* first = &none;
  for (const Report& report : failure.reports())
    if (report.severity == "error" && first == &none) first = &report;
  py::object error = py::reinterpret_borrow<py::object>(errorClass)(failure.what());
  error.attr("file") = noneIf(first->file.empty(), py::str(first->file));
  error.attr("line") = noneIf(first->line == 0, py::int_(first->line));
  error.attr("column") = noneIf(first->column == 0, py::int_(first->column));
  error.attr("diagnostics") = py::cast(failure.reports());
  PyErr_SetObject(errorClass, error.ptr());
}

void makeErrorClass(py::module_& module) {
  errorClass = PyErr_NewExceptionWithDoc("airlite.Error",
                                         "What airlite cannot do, and why.\n\n"
                                         "The message has the place, the source line and a caret "
                                         "where there are such. `file`, `line`\n"
                                         "and `column` are those of the first error, or None; "
                                         "`diagnostics` has all that was reported.",
                                         PyExc_Exception, nullptr);
  if (!errorClass) throw py::error_already_set();
  py::object type = py::reinterpret_borrow<py::object>(errorClass);
  for (const char* name : {"file", "line", "column"})
    type.attr(name) = py::none();
  type.attr("diagnostics") = py::tuple();
  module.add_object("Error", type);
}

}  // namespace

void fail(std::string message) { throw Failure(std::move(message)); }

std::vector<Report> Reports::all() const {
  std::vector<Report> reports;
  for (const Diagnostic& diagnostic : collector_.diagnostics())
    reports.push_back(reportOf(context_, diagnostic));
  return reports;
}

void Reports::raise(const std::string& otherwise) const {
  std::vector<Report> reports = all();
  std::string text;
  for (const Report& report : reports)
    if (report.severity == "error") text += (text.empty() ? "" : "\n") + report.text;
  throw Failure(text.empty() ? otherwise : text, std::move(reports));
}

void bindErrors(py::module_& module) {
  makeErrorClass(module);
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const Failure& failure) {
      setError(failure);
    }
  });
  py::class_<Report>(module, "Diagnostic", "An error, warning or remark; `str()` shows its line.")
      .def_readonly("severity", &Report::severity, "'error', 'warning', 'remark' or 'note'.")
      .def_readonly("message", &Report::message, "What is wrong, without the place.")
      .def_property_readonly(
          "file", [](const Report& r) { return noneIf(r.file.empty(), py::str(r.file)); },
          "The file, or None.")
      .def_property_readonly(
          "line", [](const Report& r) { return noneIf(r.line == 0, py::int_(r.line)); },
          "The line from 1 on, or None.")
      .def_property_readonly(
          "column", [](const Report& r) { return noneIf(r.column == 0, py::int_(r.column)); },
          "The column from 1 on, or None.")
      .def_readonly("notes", &Report::notes, "Diagnostics that belong to it.")
      .def("__str__", [](const Report& r) { return r.text.empty() ? r.message : r.text; })
      .def("__repr__", [](const Report& r) {
        return "<airlite.Diagnostic " + r.severity + ": " + r.message + ">";
      });
}

}  // namespace airlite::python
