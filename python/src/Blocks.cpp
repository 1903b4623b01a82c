// Blocks and regions as Python sees them.
#include "Building.hpp"
#include "Convert.hpp"
#include "Errors.hpp"

#include <pybind11/stl.h>

namespace airlite::python {
namespace {

using BlockPtr = std::shared_ptr<BlockHandle>;

py::tuple argumentsOf(const BlockPtr& handle) {
  Block& block = handle->block();
  py::tuple values(block.numArguments());
  for (unsigned i = 0; i < block.numArguments(); ++i)
    values[i] = py::cast(ValueHandle{nullptr, handle, block.argument(i)});
  return values;
}

py::list operationsOf(const BlockPtr& handle) {
  py::list ops;
  for (Operation& op : handle->block().ops())
    ops.append(handleOf(handle->tree(), &op));
  return ops;
}

py::object regionOf(const BlockPtr& handle) {
  Region* region = handle->block().parent();
  return py::cast(RegionHandle{handleOf(handle->tree(), region->parentOp()), region->index()});
}

ValueHandle addArgument(const BlockPtr& handle, py::handle type, py::handle location) {
  State& state = handle->state();
  const Type wanted = typeOf(state, type);
  return {nullptr, handle, handle->block().addArgument(wanted, locationOf(state, location))};
}

void eraseArgument(const BlockPtr& handle, unsigned index) {
  Block& block = handle->block();
  if (index >= block.numArguments())
    fail("the block has " + std::to_string(block.numArguments()) + " arguments, there is no " +
         std::to_string(index));
  if (block.argument(index).hasUses())
    fail("argument " + std::to_string(index) + " cannot be erased: it is used");
  block.eraseArgument(index);
}

py::list blocksOf(const BlockPtr& like, const std::vector<Block*>& blocks) {
  py::list list;
  for (Block* block : blocks)
    list.append(handleOf(like->tree(), block));
  return list;
}

void eraseBlock(const BlockPtr& handle) {
  Block& block = handle->block();
  if (!block.hasNoPredecessors()) fail("the block cannot be erased: it is a successor");
  if (hasUsesOutside(block)) fail("the block cannot be erased: its values are used");
  handle->state().invalidate(block);
  block.erase();
}

// -- Regions

py::list blocksOfRegion(const RegionHandle& region) {
  py::list blocks;
  for (Block& block : region.region().blocks())
    blocks.append(handleOf(region.owner->tree(), &block));
  return blocks;
}

BlockPtr addBlock(const RegionHandle& region, py::handle types, py::handle location) {
  State& state = region.owner->state();
  Region& raw = region.region();
  const std::vector<Type> arguments = typesOf(state, types);
  const Location where = locationOf(state, location);
  Block& block = raw.addBlock(state.context());
  for (const Type type : arguments)
    block.addArgument(type, where);
  return handleOf(region.owner->tree(), &block);
}

void bindRegions(py::module_& module) {
  py::class_<RegionHandle>(module, "Region", "A list of blocks that an operation owns.")
      .def_property_readonly("blocks", blocksOfRegion, "Its blocks, the first one is entered.")
      .def_property_readonly(
          "owner", [](const RegionHandle& r) { return r.owner; }, "The operation it belongs to.")
      .def("add_block", addBlock, py::arg("arguments") = py::tuple(),
           py::arg("location") = py::none(), "Adds a block with arguments of these types.")
      .def("__len__", [](const RegionHandle& r) { return r.region().numBlocks(); })
      .def("__iter__", [](const RegionHandle& r) { return py::iter(blocksOfRegion(r)); })
      .def("__eq__", [](const RegionHandle& r, const RegionHandle& o) {
        return r.owner == o.owner && r.index == o.index;
      });
}

}  // namespace

void bindBlocks(py::module_& module) {
  bindRegions(module);
  py::class_<BlockHandle, BlockPtr>(module, "Block", "Operations in order, with arguments.")
      .def_property_readonly("arguments", argumentsOf, "The values that the block begins with.")
      .def_property_readonly("operations", operationsOf, "Its operations, in their order.")
      .def_property_readonly("region", regionOf, "The region it is in, or None.")
      .def_property_readonly(
          "owner", [](const BlockPtr& b) { return handleOf(b->tree(), b->block().parentOp()); },
          "The operation whose region it is in, or None.")
      .def_property_readonly(
          "terminator",
          [](const BlockPtr& b) { return handleOf(b->tree(), b->block().terminator()); },
          "Its last operation where that ends it, or None.")
      .def_property_readonly(
          "successors", [](const BlockPtr& b) { return blocksOf(b, b->block().successors()); },
          "The blocks that its end may go to.")
      .def_property_readonly(
          "predecessors", [](const BlockPtr& b) { return blocksOf(b, b->block().predecessors()); },
          "The blocks that may go to it.")
      .def("add_argument", addArgument, py::arg("type"), py::arg("location") = py::none())
      .def("erase_argument", eraseArgument, py::arg("index"))
      .def(
          "append",
          [](const BlockPtr& b, const std::shared_ptr<OpHandle>& op) {
            insertAt({b, {}}, op);
          },
          py::arg("op"), "Inserts an operation that is in no block at the end.")
      .def("erase", eraseBlock, "An error while its values are used.")
      .def("__iter__", [](const BlockPtr& b) { return py::iter(operationsOf(b)); })
      .def("__len__", [](const BlockPtr& b) { return b->block().numOps(); })
      .def("__eq__",
           [](const BlockPtr& b, py::handle other) {
             return py::isinstance<BlockHandle>(other) && other.cast<BlockPtr>() == b;
           })
      .def("__hash__", [](const BlockPtr& b) { return std::hash<const void*>()(b.get()); });
}

}  // namespace airlite::python
