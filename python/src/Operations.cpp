// Operations as Python sees them.
#include "Building.hpp"
#include "Convert.hpp"
#include "Errors.hpp"
#include "airlite/ir/Verifier.hpp"
#include "airlite/text/GraphDump.hpp"
#include "airlite/text/Json.hpp"
#include "airlite/text/Printer.hpp"

#include <optional>
#include <pybind11/stl.h>

namespace airlite::python {
namespace {

using Handle = std::shared_ptr<OpHandle>;

/// The attributes of an operation, like a dict.
struct AttributeMap {
  Handle op;
};

std::string quoted(const Operation& op) { return "'" + std::string(op.name()) + "'"; }

// -- Parts

py::tuple operandsOf(const Handle& handle) {
  Operation& op = handle->op();
  py::tuple values(op.numOperands());
  for (unsigned i = 0; i < op.numOperands(); ++i) {
    const Value value = op.operand(i);
    values[i] = value ? py::cast(handleOf(handle->state(), value)) : py::none();
  }
  return values;
}

py::tuple resultsOf(const Handle& handle) {
  Operation& op = handle->op();
  py::tuple values(op.numResults());
  for (unsigned i = 0; i < op.numResults(); ++i)
    values[i] = py::cast(ValueHandle{handle, nullptr, op.result(i)});
  return values;
}

ValueHandle resultOf(const Handle& handle) {
  Operation& op = handle->op();
  if (op.numResults() != 1)
    fail(quoted(op) + " has " + std::to_string(op.numResults()) + " results, not one");
  return {handle, nullptr, op.result()};
}

py::tuple regionsOf(const Handle& handle) {
  const unsigned count = handle->op().numRegions();
  py::tuple regions(count);
  for (unsigned i = 0; i < count; ++i)
    regions[i] = py::cast(RegionHandle{handle, i});
  return regions;
}

py::tuple successorsOf(const Handle& handle) {
  Operation& op = handle->op();
  py::tuple blocks(op.numSuccessors());
  for (unsigned i = 0; i < op.numSuccessors(); ++i)
    blocks[i] = py::cast(handleOf(handle->tree(), op.successor(i)));
  return blocks;
}

std::shared_ptr<BlockHandle> bodyOf(const Handle& handle) {
  Operation& op = handle->op();
  if (op.numRegions() != 1 || op.region().empty())
    fail(quoted(op) + " has no body: it needs one region with a block");
  return handleOf(handle->tree(), &op.region().front());
}

py::list groupOf(const Handle& handle, const std::string& name) {
  Operation& op = handle->op();
  if (op.def().operandIndex(name) < 0) fail(quoted(op) + " has no operands called '" + name + "'");
  const Reports reports(op.context());
  if (failed(verifyOpShape(op))) reports.raise(quoted(op) + " is wrong");
  py::list values;
  for (const Value value : op.operandGroup(name))
    values.append(handleOf(handle->state(), value));
  return values;
}

// -- Changes

void setOperandGroup(const Handle& handle, const std::string& name, py::handle given) {
  Operation& op = handle->op();
  const int group = op.def().operandIndex(name);
  if (group < 0) fail(quoted(op) + " has no operands called '" + name + "'");
  const ValueDef& def = op.def().operands[size_t(group)];
  std::vector<Value> values;
  for (const py::handle one : given)
    values.push_back(valueOf(handle->state(), one));
  const bool isMany = def.arity == Arity::Variadic;
  if (!isMany && (values.size() > 1 || (values.empty() && def.arity == Arity::Single)))
    fail("'" + name + "' of " + quoted(op) + " is one operand, got " +
         std::to_string(values.size()));
  const Reports reports(op.context());
  if (failed(verifyOpShape(op))) reports.raise(quoted(op) + " is wrong");
  op.setOperandGroup(unsigned(group), values);
}

void setOperand(const Handle& handle, unsigned index, py::handle given) {
  Operation& op = handle->op();
  const Value value = valueOf(handle->state(), given);
  if (index >= op.numOperands())
    fail(quoted(op) + " has " + std::to_string(op.numOperands()) + " operands, there is no " +
         std::to_string(index));
  op.setOperand(index, value);
}

void replaceUsesOfResults(const Handle& handle, py::handle given) {
  Operation& op = handle->op();
  std::vector<Value> values;
  if (py::isinstance<py::list>(given) || py::isinstance<py::tuple>(given))
    for (const py::handle one : given)
      values.push_back(valueOf(handle->state(), one));
  else
    values.push_back(valueOf(handle->state(), given));
  if (values.size() != op.numResults())
    fail(quoted(op) + " has " + std::to_string(op.numResults()) + " results, got " +
         std::to_string(values.size()) + " values");
  op.replaceAllUsesWith(values);
}

void erase(const Handle& handle) {
  Operation& op = handle->op();
  if (hasUsesOutside(op)) fail(quoted(op) + " cannot be erased: its values are used");
  const std::shared_ptr<Tree> tree = handle->tree();
  State& state = handle->state();
  state.invalidate(op);
  const bool isRoot = tree->root() == &op;
  if (!isRoot) return op.erase();
  tree->release();
  op.destroy();
}

void removeFromParent(const Handle& handle) {
  Operation& op = handle->op();
  if (!op.block()) fail(quoted(op) + " is in no block");
  op.removeFromBlock();
  handle->state().move(op, handle->state().adopt(&op));
}

Handle cloneOf(const Handle& handle) {
  return adopt(handle->tree()->state(), handle->op().clone());
}

Insertion placeBefore(const Handle& other, Operation* before) {
  Block* block = other->op().block();
  if (!block) fail(quoted(other->op()) + " is in no block");
  return {handleOf(other->tree(), block), handleOf(other->tree(), before)};
}

// -- Text, checks, walks

std::string textOf(const Handle& handle, const std::string& form, bool locations) {
  Operation& op = handle->op();
  if (form == "json") return printJson(op);
  if (form == "dot") return dumpGraph(op, GraphFormat::Dot);
  if (form != "text" && form != "generic")
    fail("the forms are 'text', 'generic', 'json' and 'dot', got '" + form + "'");
  // A program under construction may be broken: what is, is shown in the generic form.
  const DiagnosticCollector ignored(op.context());
  return printToString(op, {.generic = form == "generic",
                            .debugInfo = locations,
                            .localScope = op.parentOp() != nullptr,
                            .assumeVerified = false});
}

void verifyOrRaise(const Handle& handle) {
  Operation& op = handle->op();
  const Reports reports(op.context());
  if (failed(verify(op)) || reports.hasErrors()) reports.raise(quoted(op) + " does not verify");
}

std::vector<Handle> walk(const Handle& handle, const std::optional<std::string>& name,
                         const std::string& order) {
  if (order != "pre" && order != "post")
    fail("the orders are 'pre' and 'post', got '" + order + "'");
  std::vector<Handle> found;
  handle->op().walk(
      [&](Operation& op) {
        if (!name || op.is(*name)) found.push_back(handleOf(handle->tree(), &op));
      },
      order == "pre" ? WalkOrder::PreOrder : WalkOrder::PostOrder);
  return found;
}

std::string reprOfOp(const Handle& handle) {
  if (!handle->isValid()) return "<airlite.Operation that does not exist any more>";
  return "<airlite.Operation " + std::string(handle->op().name()) + ">";
}

// -- Attributes

AttrHandle getAttribute(const AttributeMap& map, const std::string& name) {
  const Attribute attribute = map.op->op().attr(name);
  if (!attribute) throw py::key_error(name);
  return {map.op->tree()->state(), attribute};
}

std::vector<std::string> attributeNames(const AttributeMap& map) {
  std::vector<std::string> names;
  for (const NamedAttribute& entry : map.op->op().attributes().value())
    names.emplace_back(entry.name.str());
  return names;
}

void bindAttributeMap(py::module_& module) {
  py::class_<AttributeMap>(module, "AttributeMap",
                           "The attributes of an operation, like a dict. What is set may be an\n"
                           "Attribute, or anything that Attribute.of takes.")
      .def("__getitem__", getAttribute)
      .def(
          "get",
          [](const AttributeMap& map, const std::string& name, py::object otherwise) {
            return map.op->op().hasAttr(name) ? py::cast(getAttribute(map, name)) : otherwise;
          },
          py::arg("name"), py::arg("default") = py::none())
      .def("__setitem__",
           [](const AttributeMap& map, const std::string& name, py::handle value) {
             map.op->op().setAttr(name, attributeOf(map.op->state(), value));
           })
      .def("__delitem__",
           [](const AttributeMap& map, const std::string& name) {
             getAttribute(map, name);
             map.op->op().removeAttr(name);
           })
      .def("__contains__", [](const AttributeMap& map,
                              const std::string& name) { return map.op->op().hasAttr(name); })
      .def("__len__", [](const AttributeMap& map) { return map.op->op().attributes().size(); })
      .def("__iter__",
           [](const AttributeMap& map) { return py::iter(py::cast(attributeNames(map))); })
      .def("keys", attributeNames)
      .def("items", [](const AttributeMap& map) {
        py::list items;
        for (const std::string& name : attributeNames(map))
          items.append(py::make_tuple(name, getAttribute(map, name)));
        return items;
      });
}

using OpClass = py::class_<OpHandle, std::shared_ptr<OpHandle>>;

void bindParts(OpClass& op) {
  op.def_property_readonly(
        "name", [](const Handle& h) { return std::string(h->op().name()); }, "As 'air.herd'.")
      .def_property_readonly("operands", operandsOf, "The values it uses.")
      .def_property_readonly("results", resultsOf, "The values it makes.")
      .def_property_readonly("result", resultOf,
                             "The only result; an error when there is another "
                             "number of them.")
      .def_property_readonly(
          "attributes", [](const Handle& h) { return AttributeMap{h}; },
          "Its attributes by name, which can be set and deleted.")
      .def_property_readonly("regions", regionsOf, "Its regions.")
      .def_property_readonly("successors", successorsOf, "The blocks it may go to.")
      .def_property_readonly("body", bodyOf, "The first block of the only region.")
      .def("operand_group", groupOf, py::arg("name"),
           "The operands that the definition of the op gives this name.")
      .def_property_readonly(
          "block", [](const Handle& h) { return handleOf(h->tree(), h->op().block()); },
          "The block that it is in, or None.")
      .def_property_readonly(
          "parent", [](const Handle& h) { return handleOf(h->tree(), h->op().parentOp()); },
          "The operation around it, or None.")
      .def_property_readonly(
          "next", [](const Handle& h) { return handleOf(h->tree(), h->op().next()); },
          "The operation after it in its block, or None.")
      .def_property(
          "location",
          [](const Handle& h) {
            return LocationHandle{h->tree()->state(), h->op().location()};
          },
          [](const Handle& h, py::handle location) {
            h->op().setLocation(locationOf(h->state(), location));
          },
          "Where it comes from.")
      .def_property_readonly(
          "context", [](const Handle& h) { return h->tree()->state(); },
          "The Context of the program.")
      .def_property_readonly(
          "is_valid", [](const Handle& h) { return h->isValid(); }, "False after it was erased.");
}

void bindChanges(OpClass& op) {
  op.def("set_operand", setOperand, py::arg("index"), py::arg("value"))
      .def("set_operand_group", setOperandGroup, py::arg("name"), py::arg("values"),
           "Replaces the operands that the definition of the op gives this name.")
      .def("replace_all_uses_with", replaceUsesOfResults, py::arg("values"),
           "Makes all that use its results use these values: one, or a list.")
      .def("erase", erase, "An error while its values are used.")
      .def("remove_from_parent", removeFromParent, "Takes it out of its block.")
      .def("clone", cloneOf, "A deep copy that is in no block.")
      .def(
          "move_before",
          [](const Handle& h, const Handle& o) { moveTo(placeBefore(o, &o->op()), h); },
          py::arg("op"))
      .def(
          "move_after",
          [](const Handle& h, const Handle& o) { moveTo(placeBefore(o, o->op().next()), h); },
          py::arg("op"));
}

}  // namespace

void bindOperations(py::module_& module) {
  bindAttributeMap(module);
  OpClass op(module, "Operation",
             "An operation of a program. It is made by create() or by reading a program. When it\n"
             "was erased, each use of it is an airlite.Error.");
  bindParts(op);
  bindChanges(op);
  op.def("text", textOf, py::arg("form") = "text", py::arg("locations") = false,
         "As 'text', 'generic' text, 'json', or a 'dot' graph.")
      .def("verify", verifyOrRaise, "Raises airlite.Error with all that is wrong.")
      .def("walk", walk, py::arg("name") = py::none(), py::arg("order") = "post",
           "It and all operations inside, of this name if one is given; 'post' has inner ones "
           "first.")
      .def("__str__", [](const Handle& h) { return textOf(h, "text", false); })
      .def("__repr__", reprOfOp)
      .def("__eq__",
           [](const Handle& h, py::handle other) {
             return py::isinstance<OpHandle>(other) && other.cast<Handle>() == h;
           })
      .def("__hash__", [](const Handle& h) { return std::hash<const void*>()(h.get()); });
}

}  // namespace airlite::python
