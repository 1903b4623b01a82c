// The symbolic run of a host function: loops of constant bounds are run, conditions decided.
#include "HostRun.hpp"

#include "HerdLoads.hpp"
#include "HostArguments.hpp"
#include "HostValues.hpp"
#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/ir/Symbols.hpp"

#include <algorithm>
#include <deque>
#include <set>

namespace airlite::npu {

namespace {

using Designs = std::vector<std::unique_ptr<HostDesign>>;
constexpr std::string_view kEndMark = "air.launch_end", kIterationMark = "air.iteration_end";

/// What an event stands for.
using Pending = std::vector<std::pair<SequenceWriter*, Task*>>;

void addOnce(Pending& all, const Pending& more) {
  for (const auto& entry : more)
    if (std::find(all.begin(), all.end(), entry) == all.end()) all.push_back(entry);
}

bool hasDeviceEffect(Operation& op) {
  bool found = false;
  op.walk([&](Operation& inner) {
    found |= isa<airrt::DmaMemcpyNdOp>(&inner) || isa<airrt::HerdLoadOp>(&inner) ||
             isa<airrt::SegmentLoadOp>(&inner) || inner.hasAttr(kEndMark) ||
             inner.hasAttr(kIterationMark);
  });
  return found;
}

/// A sequence that is being written. Those of one launch run one after the other, whole, in the
/// order in which they were begun.
struct OpenSequence {
  SequenceRun run;
  bool isOpen = true;
  bool isIdle = false;      // its launch is over, and no other has used the design since
  std::set<Task*> running;  // that nobody has waited for
  std::unique_ptr<SequenceWriter> writer;
  std::unique_ptr<HostValues> values;
  HerdLoads loads;
};

class HostRun {
 public:
  HostRun(const HostProgram& program, const Designs& designs, const HostOptions& options,
          Operation& module)
      : program_(program), designs_(designs), options_(options), module_(module) {}

  std::optional<std::vector<SequenceRun>> run() {
    if (failed(arguments_.read(*program_.function))) return std::nullopt;
    open(*program_.designs[0]);
    runBlock(program_.function->region().front());
    if (failed(result_)) return std::nullopt;
    for (OpenSequence& sequence : sequences_)
      close(sequence);
    std::vector<SequenceRun> runs;
    for (const OpenSequence& sequence : sequences_)
      runs.push_back(sequence.run);
    return runs;
  }

 private:
  OpenSequence& current() { return sequences_[current_]; }
  HostValues& values() { return *current().values; }

  InFlightDiagnostic refuse(Operation& op) {
    result_ = failure();
    return op.emitOpError();
  }

  // -- Sequences
  // ------------------------------------------------------------------------------------

  void open(const HostDesign& design) {
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

  void close(OpenSequence& sequence) {
    if (sequence.isOpen) sequence.writer->finish();
    sequence.isOpen = false;
  }

  void bindVariables() {
    values().forget();
    for (auto [value, constant] : variables_)
      values().bind(value, {constant, Value()});
  }

  SequenceOptions optionsFor(const HostDesign& design) const {
    SequenceOptions options;
    bool isIterated = program_.launchEnds > 1;
    options.hasIterations = isIterated || options_.outputElf;
    options.coalesces = options_.coalesces;
    options.endsWithReload = program_.designs.size() > 1;
    if (options_.outputElf && needsReset(design, program_.launchEnds))
      options.resetDevice = resetName(design);
    return options;
  }

  Operation* createSequence(const HostDesign& design) {
    bool isWhole = program_.designs.size() == 1 && !(options_.outputElf && canReload(design) &&
                                                     !needsReset(design, program_.launchEnds));
    std::string name(isWhole ? symbolName(*program_.function)
                             : std::string(symbolName(*design.device)) + "_sequence");
    bool isInside = program_.function->parentOp() == design.device.op();
    if (!isInside) name = SymbolMap(*design.device).unusedName(name);
    Builder builder = isInside ? Builder::before(*program_.function)
                               : Builder::before(design.device.body().back());
    OperationState state(module_.context(), program_.function->location(), "aie.runtime_sequence");
    state.addAttribute(module_.context(), kSymbolName, builder.stringAttr(name));
    Block& body = state.addRegion().addBlock(module_.context());
    for (Type type : arguments_.types())
      body.addArgument(type, program_.function->location());
    addContents(state);
    return builder.create(state);
  }

  void addContents(OperationState& state) const {
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

  /// What follows is for `design`. Where its sequence has been left for another one it goes on,
  /// before that one then, so nothing of that one may have been waited for. If it was, and nothing
  /// of this design was under way, it is loaded anew.
  void switchTo(const HostDesign* design, Operation& op) {
    if (!design || design == current().run.design) return;
    if (loopDepth_ != 0) {
      refuse(*program_.function) << "not supported: a loop over several designs";
      return;
    }
    auto isIt = [&](const OpenSequence& sequence) {
      return sequence.isOpen && sequence.run.design == design;
    };
    auto found = std::find_if(sequences_.rbegin(), sequences_.rend(), isIt);
    if (found == sequences_.rend()) return open(*design);
    size_t number = sequences_.size() - 1 - static_cast<size_t>(found - sequences_.rbegin());
    if (number < earliest_ && found->running.empty()) return open(*design);
    current_ = number;
    bindVariables();
    if (number >= earliest_) return;
    refuse(op) << "not supported: it comes after something of '@"
               << sequences_[earliest_].run.design->device.name() << "', which is loaded when '@"
               << design->device.name() << "' is done";
  }

  /// What follows comes after these.
  void comeAfter(const Pending& pending) {
    for (auto [writer, task] : pending)
      for (size_t i = earliest_; i < sequences_.size(); ++i)
        if (sequences_[i].writer.get() == writer) earliest_ = i;
  }

  void endLaunch(const Pending& pending, Location location) {
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

  // -- Control flow
  // ---------------------------------------------------------------------------------

  void runBlock(Block& block) {
    for (Operation& op : block.ops())
      if (succeeded(result_)) runOp(op);
  }

  void runOp(Operation& op) {
    if (isa<airrt::DmaMemcpyNdOp>(&op)) return runTransfer(airrt::DmaMemcpyNdOp(&op));
    if (isa<airrt::WaitAllOp>(&op)) return runWait(airrt::WaitAllOp(&op));
    if (isa<airrt::SegmentLoadOp>(&op) || isa<airrt::HerdLoadOp>(&op)) return runLoad(op);
    if (isa<affine::ForOp>(&op)) return runAffineFor(affine::ForOp(&op));
    if (isa<scf::ForOp>(&op)) return runFor(scf::ForOp(&op));
    if (isa<scf::ParallelOp>(&op)) return runParallel(scf::ParallelOp(&op));
    if (isa<scf::IfOp>(&op) || isa<affine::IfOp>(&op) || isa<scf::IndexSwitchOp>(&op))
      return runChoice(op);
    bool isGone = op.is("airrt.alloc") || op.is("airrt.dealloc") || op.is("memref.dealloc") ||
                  op.is("memref.alloc") || isRenaming(op) || arguments_.isResult(op);
    if (isGone || op.hasTrait(Trait::Terminator) || isPure(op)) return;
    refuse(op) << "not supported: in a runtime sequence";
  }

  void bindVariable(Value variable, int64_t constant) {
    variables_[variable] = constant;
    values().forget();
    values().bind(variable, {constant, Value()});
  }

  const Pending& pendingOf(Value event) { return pending_[event]; }

  /// What a region yields for its op; loops: what the next run begins with.
  void passOn(OperandRange yielded, std::span<const Value> targets) {
    std::vector<Pending> values;
    for (unsigned i = 0; i < targets.size() && i < yielded.size(); ++i)
      values.push_back(pendingOf(yielded[i]));
    for (size_t i = 0; i < values.size(); ++i)
      pending_[targets[i]] = values[i];
  }

  static std::vector<Value> iterArguments(Block& body) {
    std::vector<Value> arguments = body.arguments();
    arguments.erase(arguments.begin());
    return arguments;
  }

  /// The body for each value of the variable.
  void unroll(Operation& op, Block& body, OperandRange inits, int64_t lower, int64_t upper,
              int64_t step) {
    std::vector<Value> carried = iterArguments(body), results = op.resultValues();
    passOn(inits, carried);
    passOn(inits, results);
    for (int64_t i = lower; i < upper && succeeded(result_); i += step) {
      bindVariable(body.argument(0), i);
      runBlock(body);
      passOn(body.back().operands(), results);
      passOn(body.back().operands(), carried);
    }
  }

  void runAffineFor(affine::ForOp loop) {
    auto lower = bound(loop.lowerBound(), true), upper = bound(loop.upperBound(), false);
    if (!lower || !upper) {
      refuse(*loop.op()) << "not supported: bounds that are only known when the sequence runs";
      return;
    }
    if (!hasDeviceEffect(*loop.op())) *upper = std::min(*upper, *lower + 1);
    unroll(*loop.op(), loop.body(), loop.inits(), *lower, *upper, loop.step());
  }

  std::optional<int64_t> bound(const affine::Application& application, bool isLower) {
    std::vector<int64_t> operands;
    for (Value operand : application.operands) {
      auto constant = values().constant(operand);
      if (!constant) return std::nullopt;
      operands.push_back(*constant);
    }
    size_t numDims = application.map.numDims();
    auto results = application.map.evaluate(std::span(operands).first(numDims),
                                            std::span(operands).subspan(numDims));
    if (!results || results->empty()) return std::nullopt;
    return isLower ? *std::max_element(results->begin(), results->end())
                   : *std::min_element(results->begin(), results->end());
  }

  void runFor(scf::ForOp loop) {
    auto lower = values().constant(loop.lowerBound());
    auto upper = values().constant(loop.upperBound());
    auto step = values().constant(loop.step());
    bool isConstant = lower && upper && step && *step > 0;
    bool hasEffect = hasDeviceEffect(*loop.op());
    if (!hasEffect) return unroll(*loop.op(), loop.body(), loop.initArgs(), 0, 1, 1);
    if (isConstant && options_.unrollsLoops)
      return unroll(*loop.op(), loop.body(), loop.initArgs(), *lower, *upper, *step);
    runRolled(loop);
  }

  /// Stays a loop, whose tasks are waited for in each run.
  void runRolled(scf::ForOp loop) {
    Location location = loop->location();
    SequenceWriter& writer = *current().writer;
    waitForOutside(loop);
    std::vector<Value> bounds;
    for (unsigned i = 0; i < 3; ++i) {
      auto found = values().find(loop->operand(i));
      if (!found) {
        refuse(*loop.op()) << "not supported: bounds that a sequence cannot know";
        return;
      }
      bounds.push_back(values().materialize(*found, loop->operand(i).type(), location));
    }
    Value variable = writer.enterLoop(bounds[0], bounds[1], bounds[2], tasksIn(loop), location);
    values().forget();
    values().bind(loop.inductionVar(), {0, variable});
    ++loopDepth_;
    runBlock(loop.body());
    --loopDepth_;
    writer.leaveLoop();
    values().forget();
    for (Value result : loop->resultValues())
      pending_[result] = {};
  }

  /// What the body waits for is waited for once, before the loop.
  void waitForOutside(scf::ForOp loop) {
    loop->walk([&](Operation& op) {
      if (!isa<airrt::WaitAllOp>(&op) || op.numResults()) return;
      for (Value event : op.operands())
        if (auto known = pending_.find(event); known != pending_.end())
          waitFor(known->second, op.location());
    });
  }

  /// Their channels and memory; where in it is not known.
  std::vector<Task> tasksIn(scf::ForOp loop) {
    std::vector<Task> tasks;
    loop->walk([&](Operation& op) {
      if (!isa<airrt::DmaMemcpyNdOp>(&op)) return;
      Task task;
      task.transfer = &op;
      auto name = op.attrOf<SymbolRefAttr>("metadata");
      task.port = name ? current().run.design->ports.find(name.root()) : nullptr;
      const auto memory = arguments_.find(airrt::DmaMemcpyNdOp(&op).memref());
      if (memory) task.buffer = bufferOf(*memory);
      task.offset.value = task.buffer;
      if (task.port && task.buffer) tasks.push_back(task);
    });
    return tasks;
  }

  /// One iteration after the other; what they wait for together is waited for.
  void runParallel(scf::ParallelOp loop) {
    std::vector<int64_t> lower, upper, steps;
    for (unsigned i = 0; i < loop.numLoops(); ++i) {
      auto from = values().constant(loop.lowerBounds()[i]);
      auto to = values().constant(loop.upperBounds()[i]);
      auto by = values().constant(loop.steps()[i]);
      if (!from || !to || !by || *by <= 0) {
        refuse(*loop.op()) << "not supported: bounds that are only known when the sequence runs";
        return;
      }
      lower.push_back(*from), upper.push_back(*to), steps.push_back(*by);
    }
    passOn(loop.initVals(), loop->resultValues());
    if (!hasDeviceEffect(*loop.op())) upper = lower;
    runIterations(loop, lower, upper, steps, 0);
  }

  void runIterations(scf::ParallelOp loop, std::span<const int64_t> lower,
                     std::span<const int64_t> upper, std::span<const int64_t> steps, unsigned dim) {
    if (dim < loop.numLoops()) {
      for (int64_t i = lower[dim]; i < upper[dim] && succeeded(result_); i += steps[dim]) {
        bindVariable(loop.inductionVars()[dim], i);
        runIterations(loop, lower, upper, steps, dim + 1);
      }
      return;
    }
    runBlock(loop.body());
    OperandRange reduced = loop.reduce().values();
    for (unsigned i = 0; i < reduced.size(); ++i)
      addOnce(pending_[loop->result(i)], Pending(pendingOf(reduced[i])));
  }

  /// A branch that is known, or all of them where none does anything.
  void runChoice(Operation& op) {
    auto chosen = chooseRegion(op);
    if (!chosen && hasDeviceEffect(op)) {
      refuse(op) << "not supported: a condition that is only known when the sequence runs";
      return;
    }
    for (unsigned i = 0; i < op.numRegions(); ++i) {
      if ((chosen && *chosen != i) || op.region(i).empty()) continue;
      Block& block = op.region(i).front();
      runBlock(block);
      for (unsigned k = 0; k < op.numResults(); ++k)
        addOnce(pending_[op.result(k)], Pending(pendingOf(block.back().operand(k))));
    }
  }

  std::optional<unsigned> chooseRegion(Operation& op) {
    for (Value result : op.resultValues())
      pending_[result] = {};
    if (isa<affine::IfOp>(&op)) return chooseAffine(affine::IfOp(&op));
    auto condition = values().constant(op.operand(0));
    if (!condition) return std::nullopt;
    if (isa<scf::IfOp>(&op)) return *condition != 0 ? 0u : 1u;
    std::span<const int64_t> cases = scf::IndexSwitchOp(&op).cases();
    auto found = std::find(cases.begin(), cases.end(), *condition);
    return found == cases.end() ? 0u : static_cast<unsigned>(found - cases.begin()) + 1;
  }

  std::optional<unsigned> chooseAffine(affine::IfOp choice) {
    std::vector<int64_t> operands;
    for (Value operand : choice.setOperands()) {
      auto constant = values().constant(operand);
      if (!constant) return std::nullopt;
      operands.push_back(*constant);
    }
    size_t numDims = choice.condition().numDims();
    auto holds = choice.condition().contains(std::span(operands).first(numDims),
                                             std::span(operands).subspan(numDims));
    return holds ? std::optional(*holds ? 0u : 1u) : std::nullopt;
  }

  // -- What the device sees
  // -------------------------------------------------------------------------

  static std::vector<Task*> tasksOf(const Pending& pending, const OpenSequence& sequence) {
    std::vector<Task*> tasks;
    for (auto [writer, task] : pending)
      if (writer == sequence.writer.get()) tasks.push_back(task);
    return tasks;
  }

  void waitFor(const Pending& pending, Location location) {
    comeAfter(pending);
    for (OpenSequence& sequence : sequences_) {
      if (!sequence.isOpen) continue;
      std::vector<Task*> tasks = tasksOf(pending, sequence);
      sequence.writer->wait(tasks, location);
      for (Task* task : tasks)
        sequence.running.erase(task);
    }
  }

  void runWait(airrt::WaitAllOp op) {
    Pending all;
    for (Value event : op.events())
      addOnce(all, Pending(pendingOf(event)));
    if (op.event()) pending_[op.event()] = all;
    if (op->hasAttr(kEndMark)) return endLaunch(all, op->location());
    bool endsIteration = op->hasAttr(kIterationMark);
    for (OpenSequence& sequence : sequences_)
      if (endsIteration && sequence.isOpen) sequence.writer->endIteration();
    if (!endsIteration && !op.event()) waitFor(all, op->location());
  }

  const HostDesign* designNamed(std::string_view name) const {
    for (const auto& design : designs_)
      if (design->device.name() == name) return design.get();
    return nullptr;
  }

  void runLoad(Operation& op) {
    std::string_view name = symbolName(op);
    if (auto segment = op.attrOf<StringAttr>("segment_name")) name = segment.value();
    if (program_.designs.size() > 1) switchTo(designNamed(name), op);
    OpenSequence& sequence = current();
    sequence.isIdle = false;
    if (failed(result_) || !isa<airrt::HerdLoadOp>(&op)) return;
    result_ = sequence.loads.run(airrt::HerdLoadOp(&op), *sequence.run.design->device, module_,
                                 *sequence.values, *sequence.writer);
  }

  Value bufferOf(const HostMemory& memory) {
    return current().run.sequence->region().front().argument(memory.argument);
  }

  bool choosePort(airrt::DmaMemcpyNdOp op, Transfer& transfer) {
    auto name = op->attrOf<SymbolRefAttr>("metadata");
    if (!name) return refuse(*op.op()) << "has no metadata: which shim channel is it for?", false;
    transfer.port = current().run.design->ports.find(name.root());
    for (const auto& design : designs_) {
      if (transfer.port) break;
      if (!design->ports.find(name.root())) continue;
      switchTo(design.get(), *op.op());
      transfer.port = design->ports.find(name.root());
    }
    if (transfer.port) return succeeded(result_);
    refuse(*op.op()) << name << " is not the name of a shim channel";
    return false;
  }

  bool readList(Operation& op, std::span<const airrt::ListEntry> entries,
                std::array<MaybeStatic, 4>& list) {
    for (size_t i = 0; i < list.size(); ++i) {
      list[i] = {entries[i].constant, Value()};
      if (!entries[i].value) continue;
      auto found = values().find(entries[i].value);
      if (!found) {
        refuse(op) << "not supported: a number that a sequence cannot know";
        return false;
      }
      list[i] = *found;
    }
    return true;
  }

  void runTransfer(airrt::DmaMemcpyNdOp op) {
    Transfer transfer;
    transfer.op = op.op();
    if (!choosePort(op, transfer)) return;
    current().isIdle = false;
    const auto memory = arguments_.find(op.memref());
    if (!memory) {
      refuse(*op.op()) << "not supported: memory that is neither an argument nor an allocation of "
                          "the function";
      return;
    }
    if (arguments_.contents()[memory->argument] && !transfer.port->sends)
      return void(refuse(*op.op()) << "would write to a constant");
    transfer.buffer = bufferOf(*memory);
    transfer.start = memory->start;
    if (!readList(*op.op(), op.offsets(), transfer.offsets) ||
        !readList(*op.op(), op.lengths(), transfer.lengths) ||
        !readList(*op.op(), op.strides(), transfer.strides))
      return;
    std::vector<Task> tasks;
    SequenceWriter& writer = *current().writer;
    if (failed(makeTasks(transfer, writer.builder(), tasks))) return void(result_ = failure());
    Pending started;
    for (Task& task : tasks) {
      // Without ends of launches, what the device sends is waited for at the end of the sequence.
      task.isAwaitedFor = !op.event() || op.event().hasUses() || program_.launchEnds == 0;
      started.push_back({&writer, writer.start(std::move(task))});
    }
    if (!op.event()) return comeAfter(started);
    pending_[op.event()] = started;
    for (auto [_, task] : started)
      current().running.insert(task);
  }

  const HostProgram& program_;
  const Designs& designs_;
  HostOptions options_;
  Operation& module_;
  LogicalResult result_ = success();
  HostArguments arguments_;
  std::unordered_map<Value, int64_t> variables_;
  std::unordered_map<Value, Pending> pending_;
  std::deque<OpenSequence> sequences_;
  size_t current_ = 0;
  size_t earliest_ = 0;  // what follows in the program belongs to this sequence or a later one
  unsigned loopDepth_ = 0;
};

}  // namespace

std::optional<std::vector<SequenceRun>> writeSequences(const HostProgram& program,
                                                       const Designs& designs,
                                                       const HostOptions& options,
                                                       Operation& module) {
  return HostRun(program, designs, options, module).run();
}

}  // namespace airlite::npu
