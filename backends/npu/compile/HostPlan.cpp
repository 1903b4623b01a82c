#include "HostPlan.hpp"

#include "airlite/dialect/Aie.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Symbols.hpp"

#include <algorithm>
#include <iterator>

namespace airlite::npu {
namespace {

std::vector<Operation*> sequencesOf(Operation& module) {
  std::vector<Operation*> found;
  for (Operation* design : designsOf(module))
    for (Operation& op : design->region().front().ops())
      if (airlite::isa<aie::RuntimeSequenceOp>(&op)) found.push_back(&op);
  return found;
}

bool loadsDesigns(Operation& sequence) {
  return std::ranges::any_of(sequence.region().front().ops(),
                             [](Operation& op) { return op.is("aiex.configure"); });
}

/// The sequence that runs those of other designs, or the only one. Null after an error.
Operation* entryOf(const std::vector<Operation*>& sequences) {
  std::vector<Operation*> roots;
  std::ranges::copy_if(sequences, std::back_inserter(roots),
                       [](Operation* sequence) { return loadsDesigns(*sequence); });
  if (roots.empty()) roots = sequences;
  if (roots.size() == 1) return roots[0];
  InFlightDiagnostic error = roots[1]->emitOpError();
  error << "not supported: a second runtime sequence that nothing runs; --function says which "
           "function to compile";
  error.note(roots[0]->location()) << "the first one is here";
  return nullptr;
}

/// Adds what `load` (an aiex.configure) runs.
LogicalResult addSteps(Operation& load, std::vector<HostStep>& steps) {
  Operation* device = lookupSymbol(&load, load.attrOf<SymbolRefAttr>("symbol"));
  if (!airlite::isa<aie::DeviceOp>(device)) return load.emitOpError() << "names no design";
  for (Operation& op : load.region().front().ops()) {
    if (!op.is("aiex.run")) return op.emitOpError() << "not supported between the runs of designs";
    Operation* sequence =
        lookupSymbolIn(*device, op.attrOf<SymbolRefAttr>("runtime_sequence_symbol").root());
    if (!airlite::isa<aie::RuntimeSequenceOp>(sequence))
      return op.emitOpError() << "names no sequence";
    HostStep step{device, sequence, {}};
    for (Value operand : op.operands()) {
      if (!operand.isBlockArgument()) return op.emitOpError() << "not supported: part of a buffer";
      step.arguments.push_back(operand.index());
    }
    steps.push_back(std::move(step));
  }
  return success();
}

LogicalResult planSteps(Operation& entry, std::vector<HostStep>& steps) {
  if (!loadsDesigns(entry)) {
    HostStep step{entry.parentOp(), &entry, {}};
    for (unsigned i = 0; i < entry.region().front().numArguments(); ++i)
      step.arguments.push_back(i);
    steps.push_back(std::move(step));
    return success();
  }
  for (Operation& op : entry.region().front().ops())
    if (!op.is("aiex.configure"))
      return op.emitOpError() << "not supported between the runs of designs";
    else if (failed(addSteps(op, steps)))
      return failure();
  return success();
}

}  // namespace

std::vector<Operation*> designsOf(Operation& module) {
  std::vector<Operation*> found;
  for (Operation& op : module.region().front().ops())
    if (airlite::isa<aie::DeviceOp>(&op)) found.push_back(&op);
  return found;
}

LogicalResult planHost(Operation& module, HostPlan& plan) {
  const std::vector<Operation*> sequences = sequencesOf(module);
  if (sequences.empty()) {
    for (Operation* design : designsOf(module))
      plan.steps.push_back({design, nullptr, {}});
    return success();
  }
  plan.entry = entryOf(sequences);
  if (!plan.entry || failed(planSteps(*plan.entry, plan.steps))) return failure();
  for (Value argument : plan.entry->region().front().arguments()) {
    plan.arguments.push_back(argument);
    plan.contents.push_back(aie::RuntimeSequenceOp(plan.entry).contentsOf(argument.index()));
  }
  plan.numArguments = plan.arguments.size();
  return success();
}

}  // namespace airlite::npu
