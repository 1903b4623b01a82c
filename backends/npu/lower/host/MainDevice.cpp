// Devices that hold a program together.
#include "MainDevice.hpp"

#include "airlite/ir/Symbols.hpp"
#include "airlite/transform/AnyShape.hpp"

#include <unordered_set>

namespace airlite::npu {

namespace {

Block& addDevice(Operation& module, Operation& like) {
  Context& context = module.context();
  OperationState state(context, like.location(), "aie.device");
  state.addAttribute(context, "device", like.attr("device"));
  std::string name = SymbolMap(module).unusedName(aie::DeviceOp::kDefaultName);
  state.addAttribute(context, kSymbolName, StringAttr::get(context, name));
  Block& body = state.addRegion().addBlock(context);
  Builder::atEnd(module.region().front()).create(state);
  Builder::atEnd(body).create(like.location(), "aie.end", {}, {});
  return body;
}

SymbolRefAttr nameOf(Operation& op) { return SymbolRefAttr::get(op.context(), symbolName(op)); }

}  // namespace

void createMainDevice(Operation& module, std::span<const SequenceRun> runs, std::string_view name) {
  Operation& first = *runs[0].sequence;
  Builder builder = Builder::before(addDevice(module, *runs[0].design->device.op()).back());
  OperationState state(module.context(), first.location(), "aie.runtime_sequence");
  state.addAttribute(module.context(), kSymbolName, builder.stringAttr(name));
  for (const std::string_view name : {aie::RuntimeSequenceOp::kContents, kAnyShape})
    if (Attribute attr = first.attr(name)) state.addAttribute(module.context(), name, attr);
  Block& body = state.addRegion().addBlock(module.context());
  for (Value argument : first.region().front().arguments())
    body.addArgument(argument.type(), first.location());
  builder.create(state);
  builder.setToEnd(body);
  for (const SequenceRun& run : runs) {
    OperationState load(module.context(), run.sequence->location(), "aiex.configure");
    load.addAttribute(module.context(), "symbol", nameOf(*run.design->device.op()));
    Block& inside = load.addRegion().addBlock(module.context());
    builder.create(load);
    Builder::atEnd(inside).create(
        run.sequence->location(), "aiex.run", body.arguments(), {},
        std::vector{builder.named("runtime_sequence_symbol", nameOf(*run.sequence))});
  }
}

void createResetDevice(const HostDesign& design) {
  Operation& device = *design.device.op();
  Builder builder = Builder::before(device);
  Operation* copy = builder.clone(device);
  copy->setAttr(kSymbolName, builder.stringAttr(resetName(design)));
  std::vector<Operation*> sequences;
  for (Operation& op : copy->region().front().ops()) {
    if (isa<aie::RuntimeSequenceOp>(&op) || op.is("func.func")) sequences.push_back(&op);
    if (!isa<aie::CoreOp>(&op)) continue;
    for (std::string_view attr : {"link_with", "elf_file"})
      op.removeAttr(attr);
    op.region().clear();
    Builder::atEnd(op.region().addBlock()).create(op.location(), "aie.end", {}, {});
  }
  for (Operation* sequence : sequences)
    sequence->erase();
}

bool wrapSequences(Operation& module) {
  std::unordered_set<std::string> used;
  std::vector<Operation*> sequences;
  module.walk([&](Operation& op) {
    if (op.is("aiex.configure"))
      used.insert(std::string(op.attrOf<SymbolRefAttr>("symbol").root()));
    if (op.is("aiex.configure")) used.insert(std::string(symbolName(*op.parentOp()->parentOp())));
    if (isa<aie::RuntimeSequenceOp>(&op)) sequences.push_back(&op);
  });
  bool changed = false;
  for (Operation* sequence : sequences) {
    Operation& device = *sequence->parentOp();
    HostDesign design(device);
    if (used.count(std::string(design.device.name())) || !canReload(design)) continue;
    if (needsReset(design, 1)) continue;
    std::string name(symbolName(*sequence));
    sequence->setAttr(
        kSymbolName,
        StringAttr::get(module.context(), std::string(design.device.name()) + "_sequence"));
    SequenceRun run{&design, sequence};
    createMainDevice(module, std::span(&run, 1), name);
    changed = true;
  }
  return changed;
}

}  // namespace airlite::npu
