// The symbolic run of a host function: loops of constant bounds are run, conditions decided.
#include "HostRun.hpp"

#include "HostControl.hpp"
#include "OpenSequences.hpp"
#include "airlite/dialect/Arith.hpp"
#include "airlite/dialect/IndexValues.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/ir/Symbols.hpp"

#include <algorithm>

namespace airlite::npu {

namespace {

void addOnce(Pending& all, const Pending& more) {
  for (const auto& entry : more)
    if (std::find(all.begin(), all.end(), entry) == all.end()) all.push_back(entry);
}

LogicalResult readList(Operation& op, std::span<const airrt::ListEntry> entries, HostValues& values,
                       std::array<MaybeStatic, 4>& list) {
  for (size_t i = 0; i < list.size(); ++i) {
    list[i] = {entries[i].constant, Value()};
    if (!entries[i].value) continue;
    auto found = values.find(entries[i].value);
    if (!found) return op.emitOpError() << "not supported: a number that a sequence cannot know";
    list[i] = *found;
  }
  return success();
}

/// Where the transfer starts, and how it continues.
LogicalResult readLists(airrt::DmaMemcpyNdOp op, HostValues& values, Transfer& transfer) {
  if (failed(readList(*op.op(), op.offsets(), values, transfer.offsets)) ||
      failed(readList(*op.op(), op.lengths(), values, transfer.lengths)))
    return failure();
  return readList(*op.op(), op.strides(), values, transfer.strides);
}

/// Runs the ops of a function one by one. One class, since what an op does depends on all that ran
/// before it: which tasks an event means, which sequence is current, whether a loop is around it.
class HostRun {
 public:
  HostRun(const HostProgram& program, const Designs& designs, const HostOptions& options,
          Operation& module)
      : program_(program),
        designs_(designs),
        options_(options),
        module_(module),
        sequences_(program_, options_, arguments_, module_) {}

  std::optional<std::vector<SequenceRun>> run() {
    if (failed(arguments_.read(*program_.function))) return std::nullopt;
    sequences_.open(*program_.designs[0]);
    runBlock(program_.function->region().front());
    if (failed(result_)) return std::nullopt;
    return sequences_.finish();
  }

 private:
  OpenSequence& current() { return sequences_.current(); }
  HostValues& values() { return sequences_.values(); }

  InFlightDiagnostic refuse(Operation& op) {
    result_ = failure();
    return op.emitOpError();
  }

  // -- Control flow
  // ---------------------------------------------------------------------------------

  void runBlock(Block& block) {
    for (Operation& op : block.ops())
      if (succeeded(result_)) runOp(op);
  }

  void runOp(Operation& op) {
    constexpr int64_t kOpsOfTransfer = 100;  // arithmetic, waits and loads around it
    if (++ops_ / kOpsOfTransfer > options_.maxTransfers)
      return void(refuse(op) << "not supported: a sequence of so many steps (max-transfers of "
                                "airrt-to-npu is "
                             << options_.maxTransfers << ")");
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
    if (isGone || op.hasTrait(Trait::Terminator) || isPure(op) || arith::dividesIntegers(op))
      return;
    refuse(op)
        << "not supported: in a runtime sequence; what a launch computes has to be in a herd";
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
  void unroll(Operation& op, Block& body, OperandRange inits, LoopRange range) {
    std::vector<Value> carried = iterArguments(body), results = op.resultValues();
    passOn(inits, carried);
    passOn(inits, results);
    for (int64_t i = range.lower; i < range.upper && succeeded(result_); i += range.step) {
      sequences_.bindVariable(body.argument(0), i);
      runBlock(body);
      passOn(body.back().operands(), results);
      passOn(body.back().operands(), carried);
    }
  }

  void runAffineFor(affine::ForOp loop) {
    auto range = rangeOf(loop, values());
    if (!range) return refuseBounds(*loop.op());
    if (!hasDeviceEffect(*loop.op())) range->upper = std::min(range->upper, range->lower + 1);
    unroll(*loop.op(), loop.body(), loop.inits(), *range);
  }

  void refuseBounds(Operation& loop) {
    refuse(loop) << "not supported: bounds that are only known when the sequence runs";
  }

  void runFor(scf::ForOp loop) {
    if (!hasDeviceEffect(*loop.op()))
      return unroll(*loop.op(), loop.body(), loop.initArgs(), {0, 1, 1});
    // A sequence is for one design: rounds that need several are runs one after the other.
    const bool unrolls = options_.unrollsLoops || program_.designs.size() > 1;
    auto range = unrolls ? rangeOf(loop, values()) : std::nullopt;
    if (range) return unroll(*loop.op(), loop.body(), loop.initArgs(), *range);
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
          sequences_.waitFor(known->second, op.location());
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
      if (memory) task.buffer = sequences_.bufferOf(*memory);
      task.offset.value = task.buffer;
      if (task.port && task.buffer) tasks.push_back(task);
    });
    return tasks;
  }

  /// One iteration after the other; what they wait for together is waited for.
  void runParallel(scf::ParallelOp loop) {
    auto ranges = rangesOf(loop, values());
    if (!ranges) return refuseBounds(*loop.op());
    passOn(loop.initVals(), loop->resultValues());
    if (!hasDeviceEffect(*loop.op()))
      for (LoopRange& range : *ranges)
        range.upper = range.lower;
    runIterations(loop, *ranges, 0);
  }

  void runIterations(scf::ParallelOp loop, std::span<const LoopRange> ranges, unsigned dim) {
    if (dim < loop.numLoops()) {
      auto [lower, upper, step] = ranges[dim];
      for (int64_t i = lower; i < upper && succeeded(result_); i += step) {
        sequences_.bindVariable(loop.inductionVars()[dim], i);
        runIterations(loop, ranges, dim + 1);
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
    for (Value result : op.resultValues())
      pending_[result] = {};
    Region* taken = takenRegion(op, values());
    if (!taken && hasDeviceEffect(op)) {
      refuse(op) << "not supported: a condition that is only known when the sequence runs";
      return;
    }
    for (Region& region : op.regions()) {
      if ((taken && taken != &region) || region.empty()) continue;
      Block& block = region.front();
      runBlock(block);
      for (unsigned k = 0; k < op.numResults(); ++k)
        addOnce(pending_[op.result(k)], Pending(pendingOf(block.back().operand(k))));
    }
  }

  // -- What the device sees
  // -------------------------------------------------------------------------

  void runWait(airrt::WaitAllOp op) {
    Pending all;
    for (Value event : op.events())
      addOnce(all, Pending(pendingOf(event)));
    if (op.event()) pending_[op.event()] = all;
    if (op->hasAttr(kEndMark)) return sequences_.endLaunch(all, op->location());
    if (op->hasAttr(kIterationMark)) return sequences_.endIteration();
    if (!op.event()) sequences_.waitFor(all, op->location());
  }

  /// What follows, `op` first, is for `design`.
  void switchTo(const HostDesign& design, Operation& op) {
    if (&design == current().run.design) return;
    if (loopDepth_ == 0) return void(result_ = sequences_.switchTo(design, op));
    refuse(*program_.function) << "not supported: a loop over several designs";
  }

  const HostDesign* designNamed(std::string_view name) const {
    for (const auto& design : designs_)
      if (design->device.name() == name) return design.get();
    return nullptr;
  }

  void runLoad(Operation& op) {
    std::string_view name = symbolName(op);
    if (auto segment = op.attrOf<StringAttr>("segment_name")) name = segment.value();
    const HostDesign* design = program_.designs.size() > 1 ? designNamed(name) : nullptr;
    if (design) switchTo(*design, op);
    OpenSequence& sequence = current();
    sequence.isIdle = false;
    if (failed(result_) || !isa<airrt::HerdLoadOp>(&op)) return;
    result_ = sequence.loads.run(airrt::HerdLoadOp(&op), *sequence.run.design->device, module_,
                                 *sequence.values, *sequence.writer);
  }

  bool choosePort(airrt::DmaMemcpyNdOp op, Transfer& transfer) {
    auto name = op->attrOf<SymbolRefAttr>("metadata");
    if (!name) return refuse(*op.op()) << "has no metadata: which shim channel is it for?", false;
    transfer.port = current().run.design->ports.find(name.root());
    for (const auto& design : designs_) {
      if (transfer.port) break;
      if (!design->ports.find(name.root())) continue;
      switchTo(*design, *op.op());
      transfer.port = design->ports.find(name.root());
    }
    if (transfer.port) return succeeded(result_);
    refuse(*op.op()) << name << " is not the name of a shim channel";
    return false;
  }

  /// The places of parts of memory, as far as they are known.
  LogicalResult readIndices(airrt::DmaMemcpyNdOp op,
                            std::span<const std::pair<Value, int64_t>> indices,
                            Transfer& transfer) {
    for (auto [index, stride] : indices) {
      auto found = values().find(index);
      if (!found)
        return op->emitOpError()
               << "not supported: a part of memory at a place that a sequence cannot know";
      if (found->isConstant()) {
        transfer.start += found->constant * stride;
        continue;
      }
      Builder& builder = current().writer->builder();
      Value wide =
          builder.create(op->location(), "arith.index_cast", {found->value}, {builder.intType(64)})
              ->result();
      transfer.indices.emplace_back(wide, stride);
    }
    return success();
  }

  void runTransfer(airrt::DmaMemcpyNdOp op) {
    if (++transfers_ > options_.maxTransfers)
      return void(refuse(*op.op())
                  << "not supported: more than " << options_.maxTransfers
                  << " transfers of the host (max-transfers of airrt-to-npu): each becomes "
                     "instructions of the sequence");
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
    transfer.buffer = sequences_.bufferOf(*memory);
    transfer.start = memory->start;
    if (failed(readIndices(op, memory->indices, transfer)) ||
        failed(readLists(op, values(), transfer)))
      return void(result_ = failure());
    std::vector<Task> tasks;
    SequenceWriter& writer = *current().writer;
    if (failed(makeTasks(transfer, writer.builder(), tasks))) return void(result_ = failure());
    Pending started;
    for (Task& task : tasks) {
      // Without ends of launches, what the device sends is waited for at the end of the sequence.
      task.isAwaitedFor = !op.event() || op.event().hasUses() || program_.launchEnds == 0;
      started.push_back({&writer, writer.start(std::move(task))});
    }
    if (!op.event()) return sequences_.comeAfter(started);
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
  std::unordered_map<Value, Pending> pending_;
  OpenSequences sequences_;
  unsigned loopDepth_ = 0;
  int64_t transfers_ = 0, ops_ = 0;  // so far
};

}  // namespace

std::optional<std::vector<SequenceRun>> writeSequences(const HostProgram& program,
                                                       const Designs& designs,
                                                       const HostOptions& options,
                                                       Operation& module) {
  return HostRun(program, designs, options, module).run();
}

}  // namespace airlite::npu
