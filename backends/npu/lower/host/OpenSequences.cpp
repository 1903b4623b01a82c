#include "OpenSequences.hpp"

#include "airlite/dialect/Func.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Symbols.hpp"
#include "airlite/transform/AnyShape.hpp"

#include <algorithm>

namespace airlite::npu {

namespace {

std::vector<Task*> tasksOf(const Pending& pending, const OpenSequence& sequence) {
  std::vector<Task*> tasks;
  for (auto [writer, task] : pending)
    if (writer == sequence.writer.get()) tasks.push_back(task);
  return tasks;
}

void close(OpenSequence& sequence) {
  if (sequence.isOpen) sequence.writer->finish();
  sequence.isOpen = false;
}

}  // namespace

Value OpenSequences::bufferOf(const HostMemory& memory) {
  return current().run.sequence->region().front().argument(memory.argument);
}

// -- Beginning and end ---------------------------------------------------------------------------

void OpenSequences::open(const HostDesign& design) {
  for (OpenSequence& other : sequences_)
    if (other.isIdle) close(other);
  OpenSequence sequence;
  sequence.run = {&design, createSequence(design)};
  Block& body = sequence.run.sequence->region().front();
  sequence.writer = std::make_unique<SequenceWriter>(body, optionsFor(design));
  sequence.values = std::make_unique<HostValues>(sequence.writer->builder());
  Block& entry = program_.function->region().front();
  for (unsigned i = 0; i < entry.numArguments(); ++i)
    sequence.values->bind(entry.argument(i), {0, body.argument(i)});
  sequences_.push_back(std::move(sequence));
  current_ = sequences_.size() - 1;
  bindVariables();
}

std::vector<SequenceRun> OpenSequences::finish() {
  std::vector<SequenceRun> runs;
  for (OpenSequence& sequence : sequences_) {
    close(sequence);
    runs.push_back(sequence.run);
  }
  return runs;
}

SequenceOptions OpenSequences::optionsFor(const HostDesign& design) const {
  SequenceOptions options;
  bool isIterated = program_.launchEnds > 1;
  options.hasIterations = isIterated || options_.outputElf;
  options.coalesces = options_.coalesces;
  options.joins = options_.joins;
  options.keepsOrder = options_.keepsOrder;
  options.endsWithReload = program_.designs.size() > 1;
  if (options_.outputElf && needsReset(design, program_.launchEnds))
    options.resetDevice = resetName(design);
  return options;
}

std::string OpenSequences::nameFor(const HostDesign& design, bool isInside) const {
  bool isWhole = program_.designs.size() == 1 && !(options_.outputElf && canReload(design) &&
                                                   !needsReset(design, program_.launchEnds));
  std::string name(isWhole ? symbolName(*program_.function)
                           : std::string(symbolName(*design.device)) + "_sequence");
  return isInside ? name : SymbolMap(*design.device).unusedName(name);
}

Operation* OpenSequences::createSequence(const HostDesign& design) {
  bool isInside = program_.function->parentOp() == design.device.op();
  Builder builder =
      isInside ? Builder::before(*program_.function) : Builder::before(design.device.body().back());
  OperationState state(module_.context(), program_.function->location(), "aie.runtime_sequence");
  state.addAttribute(module_.context(), kSymbolName, builder.stringAttr(nameFor(design, isInside)));
  Block& body = state.addRegion().addBlock(module_.context());
  for (Type type : arguments_.types())
    body.addArgument(type, program_.function->location());
  addContents(state);
  addShapes(state);
  return builder.create(state);
}

void OpenSequences::addContents(OperationState& state) const {
  Context& context = module_.context();
  bool hasAny = false;
  std::vector<Attribute> names;
  for (Operation* global : arguments_.contents()) {
    hasAny |= global != nullptr;
    names.push_back(global ? Attribute(SymbolRefAttr::get(context, symbolName(*global)))
                           : Attribute(UnitAttr::get(context)));
  }
  if (!hasAny) return;
  state.addAttribute(context, aie::RuntimeSequenceOp::kContents, ArrayAttr::get(context, names));
}

/// Arguments whose shape is for the caller to choose.
void OpenSequences::addShapes(OperationState& state) const {
  const func::FuncOp function(program_.function);
  std::vector<int64_t> numbers;
  for (unsigned i = 0; i < function.numArguments(); ++i)
    if (function.argAttr(i, kAnyShape)) numbers.push_back(i);
  if (numbers.empty()) return;
  Context& context = module_.context();
  state.addAttribute(context, kAnyShape,
                     DenseArrayAttr::get(IntegerType::get(context, 64), numbers));
}

LogicalResult OpenSequences::switchTo(const HostDesign& design, Operation& op) {
  auto isIt = [&](const OpenSequence& sequence) {
    return sequence.isOpen && sequence.run.design == &design;
  };
  auto found = std::find_if(sequences_.rbegin(), sequences_.rend(), isIt);
  size_t number = static_cast<size_t>(sequences_.rend() - found);  // counted from 1; 0: none
  bool isLoadedAnew = number == 0 || (number - 1 < earliest_ && found->running.empty());
  if (isLoadedAnew) {
    open(design);
    return success();
  }
  current_ = number - 1;
  bindVariables();
  if (current_ >= earliest_) return success();
  return op.emitOpError() << "not supported: it comes after something of '@"
                          << sequences_[earliest_].run.design->device.name()
                          << "', which is loaded when '@" << design.device.name() << "' is done";
}

// -- Variables and time --------------------------------------------------------------------------

void OpenSequences::bindVariables() {
  values().forget();
  for (auto [value, constant] : variables_)
    values().bind(value, {constant, Value()});
}

void OpenSequences::bindVariable(Value variable, int64_t constant) {
  variables_[variable] = constant;
  values().forget();
  values().bind(variable, {constant, Value()});
}

void OpenSequences::comeAfter(const Pending& pending) {
  for (auto [writer, task] : pending)
    for (size_t i = earliest_; i < sequences_.size(); ++i)
      if (sequences_[i].writer.get() == writer) earliest_ = i;
}

void OpenSequences::waitFor(const Pending& pending, Location location) {
  comeAfter(pending);
  for (OpenSequence& sequence : sequences_) {
    if (!sequence.isOpen) continue;
    std::vector<Task*> tasks = tasksOf(pending, sequence);
    sequence.writer->wait(tasks, location);
    for (Task* task : tasks)
      sequence.running.erase(task);
  }
}

void OpenSequences::endIteration() {
  for (OpenSequence& sequence : sequences_)
    if (sequence.isOpen) sequence.writer->endIteration();
}

void OpenSequences::endLaunch(const Pending& pending, Location location) {
  for (OpenSequence& sequence : sequences_) {
    if (!sequence.isOpen) continue;
    sequence.writer->endLaunch(tasksOf(pending, sequence), location);
    sequence.loads.endLaunch();
    sequence.running.clear();
    sequence.isIdle = &sequence == &sequences_.back();
    if (!sequence.isIdle) close(sequence);
  }
  current_ = earliest_ = sequences_.size() - 1;
  bindVariables();
}

}  // namespace airlite::npu
