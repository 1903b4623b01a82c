// Operations made by Python, and the places where they are inserted.
#include "Building.hpp"

#include "Convert.hpp"
#include "Errors.hpp"
#include "airlite/ir/Builder.hpp"

#include <optional>
#include <pybind11/stl.h>

namespace airlite::python {
namespace {

/// Places of the `with` blocks that a thread is in.
thread_local std::vector<Insertion> insertionsOfThread;

Insertion atEnd(std::shared_ptr<BlockHandle> block) {
  block->block();
  return {std::move(block), nullptr};
}

Insertion beforeOp(const std::shared_ptr<OpHandle>& op, Operation* before) {
  Block* block = op->op().block();
  if (!block) fail("'" + std::string(op->op().name()) + "' is in no block");
  return {handleOf(op->tree(), block), handleOf(op->tree(), before)};
}

Insertion atStart(const std::shared_ptr<BlockHandle>& handle) {
  Block& block = handle->block();
  return {handle, block.empty() ? nullptr : handleOf(handle->tree(), &block.front())};
}

Insertion atTerminator(const std::shared_ptr<BlockHandle>& handle) {
  return {handle, handleOf(handle->tree(), handle->block().terminator())};
}

Insertion insertionOf(py::handle given) {
  if (py::isinstance<Insertion>(given)) return given.cast<Insertion>();
  if (py::isinstance<BlockHandle>(given)) return atEnd(given.cast<std::shared_ptr<BlockHandle>>());
  throw py::type_error("expected an InsertionPoint or a Block, got " + typeName(given));
}

// -- What a call of create() says

bool isList(py::handle given) {
  return py::isinstance<py::list>(given) || py::isinstance<py::tuple>(given);
}

/// Operands, or lists of them: the groups of the definition.
void addOperands(State& state, py::handle given, OperationState& made) {
  bool hasGroups = false;
  std::vector<int32_t> sizes;
  for (const py::handle one : given) {
    const size_t before = made.operands.size();
    if (isList(one)) {
      hasGroups = true;
      for (const py::handle inner : one)
        made.operands.push_back(valueOf(state, inner));
    } else if (!one.is_none()) {
      made.operands.push_back(valueOf(state, one));
    }
    hasGroups |= one.is_none();  // a group that is absent
    sizes.push_back(int32_t(made.operands.size() - before));
  }
  if (!hasGroups) return;
  if (sizes.size() != made.def->operands.size())
    fail("'" + std::string(made.def->name()) + "' has " +
         std::to_string(made.def->operands.size()) + " groups of operands, got " +
         std::to_string(sizes.size()));
  if (made.def->has(Trait::AttrSizedOperandSegments))
    made.setOperandSegments(state.context(), sizes);
}

/// Hooks that infer types read the operands that a definition names.
void checkOperands(const OperationState& made) {
  const OpDef& def = *made.def;
  const size_t least = def.operands.size() - def.flexibleOperands, given = made.operands.size();
  if (!def.registered || given == least || (def.flexibleOperands && given > least)) return;
  fail("'" + std::string(def.name()) + "' has " + (def.flexibleOperands ? "at least " : "") +
       std::to_string(least) + " operands, got " + std::to_string(given));
}

/// A number of empty regions, or for each the types of the arguments of its block.
void addRegions(State& state, py::handle given, OperationState& made) {
  if (given.is_none()) {
    for (const RegionDef& region : made.def->regions)
      if (!region.variadic) made.addRegion();
    return;
  }
  if (py::isinstance<py::int_>(given)) {
    const int64_t count = given.cast<int64_t>();
    if (count < 0 || count > 4096) fail("an operation has 0 to 4096 regions");
    for (int64_t i = 0; i < count; ++i)
      made.addRegion();
    return;
  }
  for (const py::handle types : given) {
    Region& region = made.addRegion();
    if (types.is_none()) continue;
    const std::vector<Type> arguments = typesOf(state, types);
    Block& block = region.addBlock(state.context());
    for (const Type type : arguments)
      block.addArgument(type, made.location);
  }
}

void addSuccessors(State& state, py::handle given, OperationState& made) {
  for (const py::handle one : given) {
    auto block = one.cast<std::shared_ptr<BlockHandle>>();
    if (&block->state() != &state) fail("the successor is of another context");
    made.successors.push_back(&block->block());
  }
}

void addAttributes(State& state, const py::dict& given, OperationState& made) {
  for (const auto& [name, value] : given)
    made.addAttribute(state.context(), name.cast<std::string>(), attributeOf(state, value));
}

bool wantsResults(const OpDef& def) {
  for (const ValueDef& result : def.results)
    if (result.arity == Arity::Single) return true;
  return false;
}

/// Result types follow from the definition.
Operation* createInferred(State& state, OperationState& made) {
  const Reports reports(state.context());
  Operation* op = Builder(state.context()).create(made);
  if (op->numResults() != 0 || !wantsResults(op->def())) return op;
  const std::string name(op->name());
  op->destroy();
  reports.raise("the result types of '" + name +
                "' do not follow from its operands and attributes: give results=[...]");
}

const OpDef& definitionOf(State& state, const std::string& name) {
  Context& context = state.context();
  if (const OpDef* def = context.findOp(name)) return *def;
  if (context.allowUnregistered()) return context.opDef(name);
  fail("there is no op '" + name + "': Context.allow_unregistered = True accepts any");
}

/// The context that an operation is made in: that of its place, or of its first operand.
std::shared_ptr<State> stateFor(const std::optional<Insertion>& at, py::handle operands) {
  if (at) return at->block->tree()->state();
  for (const py::handle one : operands)
    if (py::isinstance<ValueHandle>(one)) return one.cast<const ValueHandle&>().tree()->state();
  return currentState();
}

std::shared_ptr<OpHandle> create(const std::string& name, py::handle operands, py::handle results,
                                 const std::optional<py::dict>& attributes, py::handle regions,
                                 py::handle successors, py::handle location, py::handle at) {
  std::optional<Insertion> place;
  if (!at.is_none())
    place = insertionOf(at);
  else if (!insertionsOfThread.empty())
    place = insertionsOfThread.back();
  if (place) place->block->block();
  const std::shared_ptr<State> state = stateFor(place, operands);
  OperationState made(locationOf(*state, location), definitionOf(*state, name));
  addOperands(*state, operands, made);
  checkOperands(made);
  if (attributes) addAttributes(*state, *attributes, made);
  addSuccessors(*state, successors, made);
  if (!results.is_none()) made.addTypes(typesOf(*state, results));
  addRegions(*state, regions, made);
  Operation* op =
      results.is_none() ? createInferred(*state, made) : Operation::create(state->context(), made);
  if (!place) return adopt(state, op);
  Operation* before = place->before ? &place->before->op() : nullptr;
  if (before && before->block() != &place->block->block()) {
    op->destroy();
    fail("the operation that the insertion point stands before has moved");
  }
  place->block->block().insert(op, before);
  return handleOf(place->block->tree(), op);
}

void bindInsertionPoint(py::module_& module) {
  py::class_<Insertion>(module, "InsertionPoint",
                        "Where operations are inserted: at the end of a block, or before an "
                        "operation. In a `with` block, create() inserts there.")
      .def(py::init(&atEnd), py::arg("block"), "At the end of a block.")
      .def_static("at_start", atStart, py::arg("block"))
      .def_static("at_terminator", atTerminator, py::arg("block"),
                  "Before the terminator of a block; at its end when it has none.")
      .def_static(
          "before", [](const std::shared_ptr<OpHandle>& op) { return beforeOp(op, &op->op()); },
          py::arg("op"))
      .def_static(
          "after",
          [](const std::shared_ptr<OpHandle>& op) { return beforeOp(op, op->op().next()); },
          py::arg("op"))
      .def_static(
          "current",
          []() -> std::optional<Insertion> {
            if (insertionsOfThread.empty()) return std::nullopt;
            return insertionsOfThread.back();
          },
          "That of the innermost `with` block of the thread, or None.")
      .def_readonly("block", &Insertion::block, "The block that operations are inserted into.")
      .def("insert", insertAt, py::arg("op"), "Inserts an operation that is in no block.")
      .def("__enter__",
           [](const Insertion& point) {
             insertionsOfThread.push_back(point);
             return point;
           })
      .def("__exit__", [](const Insertion&, const py::args&) {
        if (insertionsOfThread.empty()) fail("there is no insertion point to leave");
        insertionsOfThread.pop_back();
      });
}

}  // namespace

void insertAt(const Insertion& at, const std::shared_ptr<OpHandle>& handle) {
  Operation& op = handle->op();
  if (op.block()) fail("'" + std::string(op.name()) + "' is in a block already");
  return moveTo(at, handle);
}

void moveTo(const Insertion& at, const std::shared_ptr<OpHandle>& handle) {
  Operation& op = handle->op();
  Block& block = at.block->block();
  Operation* before = at.before ? &at.before->op() : nullptr;
  if (before && before->block() != &block) fail("the insertion point has moved");
  if (&at.block->state() != &handle->state()) fail("the operation is of another context");
  for (Operation* outer = block.parentOp(); outer; outer = outer->parentOp())
    if (outer == &op) fail("an operation cannot be inside of itself");
  if (before == &op) return;
  const std::shared_ptr<Tree> from = handle->tree(), to = at.block->tree();
  const bool wasRoot = from->root() == &op;
  if (!wasRoot) op.removeFromBlock();
  block.insert(&op, before);
  if (from == to) return;
  if (wasRoot) from->release();
  to->state()->move(op, to);
}

void bindBuilding(py::module_& module) {
  bindInsertionPoint(module);
  module.def(
      "create", create, py::arg("name"), py::arg("operands") = py::tuple(),
      py::arg("results") = py::none(), py::arg("attributes") = py::none(),
      py::arg("regions") = py::none(), py::arg("successors") = py::tuple(),
      py::arg("location") = py::none(), py::arg("at") = py::none(),
      "Makes an operation, and inserts it at `at` or at the innermost insertion point.\n\n"
      "operands    values, or operations with one result. A list or None among them makes each a\n"
      "            group of the definition: [[], [x], None].\n"
      "results     types; without them they follow from the definition of the op.\n"
      "attributes  by name; see Attribute.of for what they may be.\n"
      "regions     how many empty ones, or for each the types of the arguments of its block "
      "(None:\n"
      "            no block); without it, empty ones as in the definition.\n"
      "location    without it, the line of Python that calls.");
}

}  // namespace airlite::python
