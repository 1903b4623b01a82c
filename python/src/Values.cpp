// Values and their uses as Python sees them.
#include "Convert.hpp"
#include "Errors.hpp"

#include <pybind11/stl.h>
#include <variant>

namespace airlite::python {
namespace {

using Owner = std::variant<std::shared_ptr<OpHandle>, std::shared_ptr<BlockHandle>>;

Owner ownerOf(const ValueHandle& value) {
  value.value();
  if (value.op) return value.op;
  return value.block;
}

py::list usesOf(const ValueHandle& value) {
  py::list uses;
  for (OpOperand& use : value.value().uses()) {
    const std::shared_ptr<Tree> tree = value.state().treeOf(use.owner());
    uses.append(py::make_tuple(handleOf(tree, use.owner()), use.index()));
  }
  return uses;
}

void replaceUsesOfValue(const ValueHandle& handle, py::handle given) {
  Value value = handle.value();
  const Value other = valueOf(handle.state(), given);
  if (value != other) value.replaceAllUsesWith(other);
}

std::string reprOfValue(const ValueHandle& value) {
  const std::string what = value.op ? "result " : "argument ";
  const std::string of = value.op ? " of " + std::string(value.op->op().name()) : "";
  return "<airlite.Value " + what + std::to_string(value.value().index()) + of + " : " +
         value.value().type().str() + ">";
}

}  // namespace

Value valueOf(State& state, py::handle given) {
  if (py::isinstance<ValueHandle>(given)) {
    const auto& handle = given.cast<const ValueHandle&>();
    if (&handle.state() != &state) fail("the value is of another context");
    return handle.value();
  }
  if (!py::isinstance<OpHandle>(given))
    throw py::type_error("expected a Value or an Operation with one result, got " +
                         typeName(given));
  const auto handle = given.cast<std::shared_ptr<OpHandle>>();
  Operation& op = handle->op();
  if (&handle->state() != &state) fail("the operation is of another context");
  if (op.numResults() == 1) return op.result();
  fail("'" + std::string(op.name()) + "' has " + std::to_string(op.numResults()) +
       " results: give one of them as an operand");
}

void bindValues(py::module_& module) {
  py::class_<ValueHandle>(module, "Value", "A result of an operation, or an argument of a block.")
      .def_property(
          "type",
          [](const ValueHandle& v) {
            return TypeHandle{v.tree()->state(), v.value().type()};
          },
          [](const ValueHandle& v, py::handle type) {
            Value value = v.value();
            value.setType(typeOf(v.state(), type));
          },
          "Its type.")
      .def_property_readonly("owner", ownerOf,
                             "The Operation of a result, the Block of an argument.")
      .def_property_readonly(
          "index", [](const ValueHandle& v) { return v.value().index(); },
          "Its number among the results or arguments.")
      .def_property_readonly("uses", usesOf, "(operation, number of the operand) of each use.")
      .def_property_readonly(
          "is_argument", [](const ValueHandle& v) { return v.value().isBlockArgument(); },
          "Whether it is an argument of a block, not a result.")
      .def("replace_all_uses_with", replaceUsesOfValue, py::arg("value"))
      .def_property_readonly(
          "context", [](const ValueHandle& v) { return v.tree()->state(); },
          "The Context of the program.")
      .def("__eq__",
           [](const ValueHandle& a, py::handle b) {
             return py::isinstance<ValueHandle>(b) && a.raw == b.cast<const ValueHandle&>().raw;
           })
      .def("__hash__", [](const ValueHandle& v) { return std::hash<Value>()(v.raw); })
      .def("__repr__", reprOfValue);
}

}  // namespace airlite::python
