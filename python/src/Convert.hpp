// What Python code may give where a type, an attribute, a value or a place is wanted.
#pragma once

#include "State.hpp"

#include <pybind11/pybind11.h>
#include <string>
#include <vector>

namespace airlite::python {

/// A Type, or its text.
Type typeOf(State& state, py::handle given);
std::vector<Type> typesOf(State& state, py::handle given);
Type parseTypeText(State& state, const std::string& text);
Attribute parseAttributeText(State& state, const std::string& text);

/// An Attribute, or: bool (i1), int (i64), float (f64), str, None (unit), list, dict, Type.
Attribute attributeOf(State& state, py::handle given);
/// A float, an int, or what converts itself to one: no text.
double floatOf(py::handle given);
/// An attribute for a number of this type.
Attribute numberOf(Type type, py::handle given);
/// As Python has it: a number, a string, a list ...
py::object pythonOf(const std::shared_ptr<State>& state, Attribute attribute);

/// A Value, or an Operation with one result.
Value valueOf(State& state, py::handle given);

/// Where an operation comes from.
struct LocationHandle {
  std::shared_ptr<State> state;
  Location location;
};
/// `given`, or for None the line of Python that runs: the innermost one outside of airlite.
Location locationOf(State& state, py::handle given);
/// Lines of files in these folders are not where operations come from.
void setInternalFolders(std::vector<std::string> folders);

std::string typeName(py::handle object);

void bindTypes(py::module_& module);
void bindAttributes(py::module_& module);
void bindLocations(py::module_& module);
void bindContexts(py::module_& module);
void bindOperations(py::module_& module);
void bindBlocks(py::module_& module);
void bindValues(py::module_& module);
void bindBuilding(py::module_& module);
void bindModules(py::module_& module);
void bindPasses(py::module_& module);
void bindCompiling(py::module_& module);
void bindRunning(py::module_& module);

}  // namespace airlite::python
