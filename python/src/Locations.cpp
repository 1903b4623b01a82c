// Places of operations: those of sources that were parsed, and lines of Python.
#include "Convert.hpp"
#include "Errors.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <pybind11/stl.h>
#include <string_view>

namespace airlite::python {
namespace {

std::vector<std::string>& internalFolders() {
  static std::vector<std::string> folders;
  return folders;
}

bool isInternal(std::string_view file) {
  return std::ranges::any_of(internalFolders(),
                             [&](const std::string& folder) { return file.starts_with(folder); });
}

/// A frame of Python that the caller owns.
py::object frameOutside() {
  PyFrameObject* frame = PyEval_GetFrame();
  Py_XINCREF(frame);
  while (frame) {
    PyCodeObject* code = PyFrame_GetCode(frame);
    const char* file = PyUnicode_AsUTF8(code->co_filename);
    const bool isInside = file && isInternal(file);
    Py_DECREF(code);
    if (!isInside) break;
    PyFrameObject* back = PyFrame_GetBack(frame);
    Py_DECREF(frame);
    frame = back;
  }
  return py::reinterpret_steal<py::object>(reinterpret_cast<PyObject*>(frame));
}

/// The source that holds a file of Python; 0 when it cannot be read.
uint32_t sourceOf(State& state, const std::string& file) {
  if (const auto found = state.files.find(file); found != state.files.end()) return found->second;
  std::ifstream stream(file, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(stream), {});
  const bool isRead = stream.good() || stream.eof();
  const bool isUsable = isRead && !text.empty();
  const uint32_t source = isUsable ? state.context().sources().add(file, std::move(text)) : 0;
  state.files.emplace(file, source);
  return source;
}

/// The first character of a line that is no blank.
Location lineLocation(State& state, const std::string& file, unsigned line) {
  Context& context = state.context();
  const uint32_t source = sourceOf(state, file);
  if (source == 0) return context.fileLineCol(file, line, 1);
  std::vector<uint32_t>& starts = state.lineStarts[source];
  const std::string_view text = context.sources().text(source);
  if (starts.empty()) {
    starts.push_back(0);
    for (size_t i = 0; i < text.size(); ++i)
      if (text[i] == '\n') starts.push_back(uint32_t(i + 1));
  }
  if (line == 0 || line > starts.size()) return context.fileLineCol(file, line, 1);
  const size_t at = text.find_first_not_of(" \t", starts[line - 1]);
  return Location::inSource(source, at == std::string_view::npos ? starts[line - 1] : uint32_t(at));
}

Location locationOfFrame(State& state) {
  const py::object frame = frameOutside();
  if (!frame) return {};
  auto* raw = reinterpret_cast<PyFrameObject*>(frame.ptr());
  PyCodeObject* code = PyFrame_GetCode(raw);
  const char* name = PyUnicode_AsUTF8(code->co_filename);
  const std::string file = name ? name : "<python>";
  Py_DECREF(code);
  return lineLocation(state, file, unsigned(std::max(PyFrame_GetLineNumber(raw), 0)));
}

nlohmann::json placeOf(const LocationHandle& handle) {
  Diagnostic diagnostic;
  diagnostic.location = handle.location;
  return nlohmann::json::parse(diagnosticToJson(handle.state->context(), diagnostic));
}

py::object fileOf(const LocationHandle& handle) {
  const auto place = placeOf(handle);
  return place["file"].is_string() ? py::object(py::str(place["file"].get<std::string>()))
                                   : py::none();
}

py::object numberOfPlace(const LocationHandle& handle, const char* name) {
  const unsigned number = placeOf(handle).value(name, 0u);
  return number ? py::object(py::int_(number)) : py::none();
}

}  // namespace

void setInternalFolders(std::vector<std::string> folders) {
  internalFolders() = std::move(folders);
}

Location locationOf(State& state, py::handle given) {
  if (given.is_none()) return locationOfFrame(state);
  if (!py::isinstance<LocationHandle>(given))
    throw py::type_error("expected a Location, got " + typeName(given));
  const auto& handle = given.cast<const LocationHandle&>();
  if (handle.state.get() != &state && !handle.location.isUnknown())
    fail("the location is of another context");
  return handle.location;
}

void bindLocations(py::module_& module) {
  py::class_<LocationHandle>(module, "Location", "Where an operation comes from.")
      .def_static("unknown",
                  [] {
                    return LocationHandle{currentState(), {}};
                  })
      .def_static(
          "here",
          [] {
            return LocationHandle{currentState(), locationOfFrame(*currentState())};
          },
          "The line of Python that calls this.")
      .def_static(
          "file_line_column",
          [](const std::string& file, unsigned line, unsigned column) {
            const auto& state = currentState();
            return LocationHandle{state, state->context().fileLineCol(file, line, column)};
          },
          py::arg("file"), py::arg("line"), py::arg("column") = 1)
      .def_property_readonly("file", fileOf, "None when it is unknown.")
      .def_property_readonly(
          "line", [](const LocationHandle& l) { return numberOfPlace(l, "line"); },
          "From 1 on; None when it is unknown.")
      .def_property_readonly(
          "column", [](const LocationHandle& l) { return numberOfPlace(l, "column"); },
          "From 1 on; None when it is unknown.")
      .def("__str__",
           [](const LocationHandle& l) { return formatLocation(l.state->context(), l.location); })
      .def("__repr__", [](const LocationHandle& l) {
        return "Location(" + formatLocation(l.state->context(), l.location) + ")";
      });
  module.def("_set_internal_folders", setInternalFolders, py::arg("folders"));
}

void bindContexts(py::module_& module) {
  py::class_<State, std::shared_ptr<State>>(
      module, "Context",
      "Owns types, attributes and programs. Everything is made in the context of the innermost\n"
      "`with` block of the thread; without one, in one context for the whole process. One thread\n"
      "uses a context at a time, others wait: give threads that compile contexts of their own.")
      .def(py::init([] { return std::make_shared<State>(); }))
      .def_static(
          "current", [] { return currentState(); }, "The one that this thread uses.")
      .def("__enter__",
           [](const std::shared_ptr<State>& state) {
             pushState(state);
             return state;
           })
      .def("__exit__", [](const std::shared_ptr<State>&, const py::args&) { popState(); })
      .def_property(
          "allow_unregistered", [](State& state) { return state.context().allowUnregistered(); },
          [](State& state, bool allow) { state.context().setAllowUnregistered(allow); },
          "Whether programs may have ops of dialects that nobody defines.")
      .def(
          "op_names",
          [](State& state) {
            std::vector<std::string> names;
            for (const std::string_view name : state.context().opNames())
              names.emplace_back(name);
            return names;
          },
          "Names of all ops.");
}

}  // namespace airlite::python
