// aie-objectfifo-to-locks: object FIFOs of a design become buffers, locks, DMA programs and flows.
//
// Objects are buffers, as many as the FIFO says, on the tile of each end. Between cores that reach a
// common memory they are there once; between other tiles DMAs move them, to all consumers at once. A
// link makes the objects of two FIFOs the same: with several on a side, each has its part of an object,
// with locks of its own. An end on a shim is the host's memory: `aie.shim_dma_allocation` with the name
// of the FIFO. In cores, `acquire` waits for the objects that the core does not hold yet, `release`
// gives the oldest back, and `subview.access` is the buffer of an object.
//
// Objects that are sent several times (`repeat_count`) are counted by the locks as often. Objects with
// `init_values` are full at first.
//
// Not supported, each an error at the op: padding, FIFOs without synchronization, parts of objects that do not follow each other, a DMA program on a tile with FIFOs,
// loops and branches that hold another number of objects at their end than at their start, devices of the
// first generation.
#include "ObjectFifos.hpp"
#include "airlite/ir/Verifier.hpp"
#include "airlite/npu/lower/Passes.hpp"

namespace airlite::npu {

namespace {

bool isFifoOp(const Operation& op) {
  return op.is("aie.objectfifo") || op.is("aie.objectfifo.link");
}

std::vector<Operation*> fifoOpsOf(aie::DeviceOp device) {
  std::vector<Operation*> ops;
  for (Operation& op : device.body().ops())
    if (isFifoOp(op)) ops.push_back(&op);
  return ops;
}

LogicalResult lowerFifos(aie::DeviceOp device, const std::vector<Operation*>& ops) {
  if (device.device().generation == aie::Generation::Aie1)
    return ops.front()->emitOpError()
           << "not supported: object FIFOs on devices of the first generation";
  fifo::Plan plan;
  if (failed(fifo::planFifos(device, plan))) return failure();
  fifo::createFifoTiles(plan);
  for (Operation& op : device.body().ops())
    if (auto core = dynCast<aie::CoreOp>(&op); core && failed(fifo::rewriteFifoCore(plan, core)))
      return failure();
  for (Operation* op : ops)
    op->erase();
  // Limits of memory and descriptors: the messages stand at the FIFOs.
  return verify(*device);
}

class ObjectFifoToLocks : public Pass {
 public:
  ObjectFifoToLocks()
      : Pass("aie-objectfifo-to-locks",
             "Makes object FIFOs buffers, locks, DMA programs and flows") {
    anchor("builtin.module");
    example("airlite-opt --aie-objectfifo-to-locks in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    context.declareEffectChange(CountedEffect::Store, "cores count whose turn it is");
    bool changed = false;
    for (Operation& op : module.region().front().ops()) {
      auto device = dynCast<aie::DeviceOp>(&op);
      if (!device) continue;
      const std::vector<Operation*> ops = fifoOpsOf(device);
      if (ops.empty()) continue;
      if (failed(lowerFifos(device, ops))) return PassResult::Failed;
      changed = true;
    }
    return changedIf(changed);
  }
};

}  // namespace

void registerObjectFifos(PassRegistry& registry) { registry.add<ObjectFifoToLocks>(); }

}  // namespace airlite::npu
