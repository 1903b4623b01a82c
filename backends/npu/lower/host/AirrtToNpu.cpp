// airrt-to-npu: what a host function does, as runtime sequences of the devices that it uses.
//
// Runs after air-to-std. A function with transfers, or loads of segments and herds, is run
// symbolically: loops with constant bounds are unrolled but for scf.for, conditions are decided,
// and each airrt.dma_memcpy_nd becomes a task of its shim channel: aiex.dma_configure_task_for with
// the descriptors (HostTasks.hpp, makeTasks), and aiex.dma_start_task. Waits free the tasks that
// send and await those that receive; SequenceWriter.hpp says what else is waited for, and when.
// Loads of herds write their parameters and set their locks (HerdLoads.hpp).
//
// The sequence stands in the device, has the name of the function, its arguments, and one for each
// L3 allocation; memory that is copied into an argument at the end is that argument. The function
// is gone. A program that uses several designs gets a sequence in each, and one in a device of its
// own that loads the designs and runs their sequences one after the other (aiex.configure,
// aiex.run). With `output-elf` a program for the second generation of NPUs always does that, and
// designs whose DMAs stop after some rounds are reset at the end of each launch: a copy of the
// design without programs is loaded.
//
// `trace-size` switches on the trace units of tiles whose trace a packet flow takes to a shim
// (Trace.hpp).
//
// A function without any of these loses its airrt ops, and loops that do nothing.
#include "HostRun.hpp"
#include "MainDevice.hpp"
#include "Trace.hpp"
#include "airlite/dialect/Affine.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Symbols.hpp"
#include "airlite/npu/lower/Passes.hpp"
#include "airlite/pass/Pass.hpp"

#include <algorithm>

namespace airlite::npu {

namespace {

/// Nothing but airrt ops and what has no effects.
bool isIdle(Operation& op) {
  bool isIdle = true;
  op.walk([&](Operation& inner) {
    isIdle = isIdle && (inner.name().starts_with("airrt.") || inner.hasTrait(Trait::Terminator) ||
                        inner.numRegions() != 0 || isPure(inner));
  });
  return isIdle;
}

bool dropIdleOps(Operation& function) {
  bool changed = false;
  Block& body = function.region().front();
  for (Operation* op = body.empty() ? nullptr : &body.back(); op;) {
    Operation* before = op->prev();
    if (!op->hasTrait(Trait::Terminator) && !op->hasResultUses() && isIdle(*op)) {
      op->erase();
      changed = true;
    }
    op = before;
  }
  return changed;
}

bool mentionsAirrt(Operation& function) {
  bool found = false;
  function.walk([&](Operation& op) { found |= op.name().starts_with("airrt."); });
  return found;
}

class AirrtToNpu : public Pass {
 public:
  AirrtToNpu() : Pass("airrt-to-npu", "Turns host functions into runtime sequences of devices") {
    anchor("builtin.module");
    option("output-elf", outputElf_, "the sequence of a program loads its designs itself");
    option("coalesce-shim-dma", coalesces_,
           "join transfers of one channel that keep their order and follow each other in memory");
    option("join-iterations", joins_,
           "join what the iterations of a launch do with one channel, where one descriptor can say "
           "it");
    option(
        "program-order", keepsOrder_,
        "channels with many tasks do not take turns: what has to wait keeps the program's order");
    option("max-transfers", maxTransfers_,
           "transfers of a function at most, those in unrolled loops counted so often");
    option("unroll-loops", unrollsLoops_, "unroll scf.for with constant bounds, too");
    option("trace-size", trace_.size, "bytes of trace, after the last argument; 0: no trace");
    option("trace-offset", trace_.offset, "where trace begins in its buffer, in bytes");
    example("airlite-opt --air-to-aie='device=npu1' --air-to-std --airrt-to-npu in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    if (trace_.size < 0 || trace_.offset < 0 || trace_.size % 4 != 0 || trace_.offset % 4 != 0)
      return module.emitError() << "airrt-to-npu: trace-size and trace-offset count bytes of words",
             PassResult::Failed;
    for (CountedEffect effect : {CountedEffect::ChannelPut, CountedEffect::ChannelGet,
                                 CountedEffect::Dma, CountedEffect::Store})
      context.declareEffectChange(effect, "transfers of the host become tasks of shim channels");
    std::vector<std::unique_ptr<HostDesign>> designs;
    std::vector<Operation*> functions;
    collect(module, designs, functions);
    bool changed = false;
    for (Operation* function : functions) {
      HostProgram program = readHostProgram(*function, designs);
      if (program.designs.empty()) {
        if (program.hasEffects)
          context.remark(*function, "no aie.device has a shim channel that the function names");
        else if (mentionsAirrt(*function))
          changed |= dropIdleOps(*function);
        continue;
      }
      // Of a module in the module, too.
      if (failed(convert(program, designs, *function->parentOp()))) return PassResult::Failed;
      changed = true;
    }
    if (outputElf_) changed |= wrapSequences(module);
    return changedIf(changed);
  }

 private:
  static void collect(Operation& module, std::vector<std::unique_ptr<HostDesign>>& designs,
                      std::vector<Operation*>& functions) {
    module.walkWith([&](Operation& op) {
      if (isa<aie::DeviceOp>(&op)) designs.push_back(std::make_unique<HostDesign>(op));
      if (op.is("aie.core")) return WalkResult::Skip;
      if (!op.is("func.func")) return WalkResult::Advance;
      if (!op.region().empty()) functions.push_back(&op);
      return WalkResult::Skip;
    });
  }

  LogicalResult convert(const HostProgram& program,
                        const std::vector<std::unique_ptr<HostDesign>>& designs,
                        Operation& module) {
    Operation& function = *program.function;
    if (!function.region().hasOneBlock())
      return function.emitOpError() << "not supported: branches in a host function";
    HostOptions options{outputElf_, coalesces_, joins_, unrollsLoops_, keepsOrder_, maxTransfers_};
    auto runs = writeSequences(program, designs, options, module);
    if (!runs) return failure();
    for (const SequenceRun& run : *runs)
      if (trace_.size != 0 && failed(createTrace(*run.sequence, trace_))) return failure();
    bool isMany = program.designs.size() > 1;
    if (isMany) createMainDevice(module, *runs, symbolName(function));
    for (const HostDesign* design : program.designs) {
      bool isReset = outputElf_ && needsReset(*design, program.launchEnds);
      if (isReset) createResetDevice(*design);
      if (!isMany && outputElf_ && canReload(*design) && !isReset)
        createMainDevice(module, *runs, symbolName(function));
    }
    function.erase();
    return success();
  }

  bool outputElf_ = false, coalesces_ = false, joins_ = false, unrollsLoops_ = false;
  bool keepsOrder_ = false;
  int64_t maxTransfers_ = 200'000;
  TraceBuffer trace_;
};

}  // namespace

// -- What a function does -------------------------------------------------------------------------

namespace {

int64_t tripCountOf(Operation& op) {
  auto loop = dynCast<affine::ForOp>(&op);
  return loop ? loop.tripCount().value_or(1) : 1;
}

void countEnds(Block& block, int64_t runs, int64_t& ends) {
  constexpr int64_t kMany = 1 << 20;
  for (Operation& op : block.ops()) {
    if (op.hasAttr("air.launch_end")) ends = std::min(kMany, ends + runs);
    int64_t inner = std::min(kMany, runs * std::min(kMany, tripCountOf(op)));
    for (Region& region : op.regions())
      for (Block& body : region.blocks())
        countEnds(body, inner, ends);
  }
}

}  // namespace

HostProgram readHostProgram(Operation& function,
                            const std::vector<std::unique_ptr<HostDesign>>& designs) {
  HostProgram program;
  program.function = &function;
  auto use = [&](const HostDesign* design) {
    auto& all = program.designs;
    if (design && std::find(all.begin(), all.end(), design) == all.end()) all.push_back(design);
  };
  auto named = [&](std::string_view name) {
    for (const auto& design : designs)
      if (design->device.name() == name) use(design.get());
  };
  auto withPort = [&](std::string_view name) {
    for (const HostDesign* design : program.designs)
      if (design->ports.find(name)) return;
    for (const auto& design : designs)
      if (design->ports.find(name)) return use(design.get());
  };
  for (const auto& design : designs)
    if (function.parentOp() == design->device.op()) use(design.get());
  function.walk(
      [&](Operation& op) {
        bool isTransfer = isa<airrt::DmaMemcpyNdOp>(&op);
        bool isLoad = isa<airrt::SegmentLoadOp>(&op) || isa<airrt::HerdLoadOp>(&op);
        program.hasEffects |= isTransfer || isLoad;
        auto name = op.attrOf<SymbolRefAttr>("metadata");
        if (isTransfer && name) withPort(name.root());
        auto segment = op.attrOf<StringAttr>("segment_name");
        if (isLoad) named(segment ? segment.value() : symbolName(op));
      },
      WalkOrder::PreOrder);
  if (!program.hasEffects) program.designs.clear();
  for (Block& block : function.region().blocks())
    countEnds(block, 1, program.launchEnds);
  return program;
}

// -- What designs need
// ------------------------------------------------------------------------------

bool canReload(const HostDesign& design) {
  return aie::deviceOf(*design.device.op()).generation == aie::Generation::Aie2p;
}

bool needsReset(const HostDesign& design, int64_t launchEnds) {
  if (!canReload(design)) return false;
  bool stops = false, cascades = false;
  design.device.op()->walk([&](Operation& op) {
    if (isa<aie::DmaStartOp>(&op)) stops |= aie::DmaStartOp(&op).repeatCount() > 0;
    cascades |= isa<aie::CascadeFlowOp>(&op);
  });
  return stops || (cascades && launchEnds == 1);
}

std::string resetName(const HostDesign& design) {
  return std::string(design.device.name()) + "_reset";
}

void registerAirrtToNpu(PassRegistry& registry) { registry.add<AirrtToNpu>(); }

}  // namespace airlite::npu
