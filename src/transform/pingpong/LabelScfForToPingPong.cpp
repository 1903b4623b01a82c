// air-label-scf-for-to-ping-pong: marks loops whose buffers may be doubled.
//
// Matches scf.for with an allocation directly in its body or in an air.execute there. The loop gets
// `unroll = 2 : i32`, each such memref.alloc `hoist_alloc = true`; air-ping-pong-transform reads
// them. Of nested loops that match only the innermost are marked.
//
// Declines, with a remark:
//  - a loop that has `unroll`, or air.disable_ping_pong on it or on a loop inside
//  - a launch inside: two copies of it would be two designs that share channels
//  - an allocation in the memory that `omit-memory-space` names
//  - more than one get in an iteration into one buffer: two gets that are not in different branches
//    of one if, or a get in an inner loop that does not run exactly once
//  - a call that is given a buffer of the iteration before a get, a DMA or a full write has filled
//    it: it may read what the iteration before has left there
//  - a call that is given an L1 buffer from outside of the herd: others see it, and it stays single
//  - L1 memory that cores share: each iteration is a turn (docs/interpreter.md)
//  - an inner loop to which one of the last three applies
#include "airlite/analysis/HandOver.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/pass/Pass.hpp"

#include <algorithm>
#include <unordered_set>

namespace airlite {

namespace {

/// Allocations of one iteration.
std::vector<Operation*> directAllocs(scf::ForOp loop) {
  std::vector<Operation*> allocs;
  for (Operation& op : loop.body().ops()) {
    if (isa<memref::AllocOp>(&op)) allocs.push_back(&op);
    if (!isa<air::ExecuteOp>(&op)) continue;
    for (Operation& inner : air::ExecuteOp(&op).body().ops())
      if (isa<memref::AllocOp>(&inner)) allocs.push_back(&inner);
  }
  return allocs;
}

bool isCall(const Operation& op) { return isa<func::CallOp>(&op) || op.is("func.call_indirect"); }

bool givesBuffer(Operation& call, Value buffer) {
  return std::any_of(call.operands().begin(), call.operands().end(),
                     [&](Value operand) { return air::bufferSource(operand) == buffer; });
}

/// Writes `buffer` whatever was in it before.
bool fills(Operation& op, Value buffer) {
  if (isa<air::ChannelGetOp>(&op))
    return air::bufferSource(air::ChannelAccessOp(&op).access().memref) == buffer;
  if (isa<air::DmaMemcpyNdOp>(&op))
    return air::bufferSource(air::DmaMemcpyNdOp(&op).dst().memref) == buffer;
  linalg::StructuredOp structured = linalg::asStructured(&op);
  if (!structured) return false;
  for (unsigned i = 0; i < structured.numOutputs(); ++i)
    if (structured.outputs()[i] == buffer || air::bufferSource(structured.outputs()[i]) == buffer)
      return !structured.readsOutput(i);
  return false;
}

bool isSharedWithHerd(Value buffer) {
  if (!buffer.isBlockArgument() || !buffer.type().isa<MemRefType>()) return false;
  Operation* owner = buffer.argumentBlock()->parentOp();
  return owner && isa<air::HerdOp>(owner) && memorySpaceOf(buffer.type()) &&
         air::memoryLevel(buffer.type()) == air::MemoryLevel::L1;
}

/// Whether an iteration launches: the loop is the host's.
bool launches(scf::ForOp loop) {
  bool found = false;
  loop->walk([&](Operation& op) { found |= isa<air::LaunchOp>(&op); });
  return found;
}

/// Why the body must not run on two copies of its own buffers; empty when it may.
std::string_view obstacleToCopies(scf::ForOp loop) {
  std::vector<Value> unfilled;
  for (Operation* alloc : directAllocs(loop))
    unfilled.push_back(alloc->result());
  std::string_view obstacle;
  loop->walkWith([&](Operation& op) {
    if (isCall(op)) {
      for (Value buffer : unfilled)
        if (givesBuffer(op, buffer))
          obstacle = "a call may read what the iteration before left in a buffer";
      for (Value operand : op.operands())
        if (isSharedWithHerd(air::bufferSource(operand)))
          obstacle = "a call is given an L1 buffer that the herd shares";
    }
    for (Value operand : op.operands())
      if (obstacle.empty() && analysis::isSharedByCores(operand))
        obstacle = "cores take turns with L1 memory in each of its rounds";
    std::erase_if(unfilled, [&](Value buffer) { return fills(op, buffer); });
    return obstacle.empty() ? WalkResult::Advance : WalkResult::Interrupt;
  });
  return obstacle;
}

/// The ancestors of `op` below `loop`, outermost first, `op` last.
std::vector<Operation*> pathTo(Operation& op, scf::ForOp loop) {
  std::vector<Operation*> path;
  for (Operation* up = &op; up != loop.op(); up = up->parentOp())
    path.push_back(up);
  std::reverse(path.begin(), path.end());
  return path;
}

/// At most one of the two runs: they are in different branches of one if.
bool exclude(const std::vector<Operation*>& a, const std::vector<Operation*>& b) {
  size_t common = 0;
  while (common < a.size() && common < b.size() && a[common] == b[common])
    ++common;
  if (common == 0 || common == a.size() || common == b.size()) return false;
  Operation* fork = a[common - 1];
  return (fork->is("affine.if") || fork->is("scf.if") || fork->is("scf.index_switch")) &&
         a[common]->parentRegion() != b[common]->parentRegion();
}

/// Runs once in each iteration of the outer loop, as far as the loops on the path say.
bool runsOnce(const std::vector<Operation*>& path) {
  for (Operation* op : path) {
    if (isa<scf::ForOp>(op)) {
      if (scf::ForOp(op).tripCount() != 1) return false;
    } else if (op->hasTrait(Trait::LoopLike) || op->hasTrait(Trait::ParallelLoop)) {
      return false;
    }
  }
  return true;
}

std::string_view obstacleOfFills(scf::ForOp loop, Value buffer) {
  std::vector<std::vector<Operation*>> gets;
  loop->walk([&](Operation& op) {
    if (isa<air::ChannelGetOp>(&op) && fills(op, buffer)) gets.push_back(pathTo(op, loop));
  });
  for (size_t i = 0; i < gets.size(); ++i) {
    if (!runsOnce(gets[i])) return "a get in an inner loop fills a buffer several times";
    for (size_t j = 0; j < i; ++j)
      if (!exclude(gets[i], gets[j])) return "two gets fill one buffer in an iteration";
  }
  return {};
}

class LabelPingPong : public Pass {
 public:
  LabelPingPong()
      : Pass("air-label-scf-for-to-ping-pong", "Marks loops whose buffers may be doubled") {
    anchor("builtin.module");
    option("omit-memory-space", omit_, "leave loops alone that allocate here: L1 or L2",
           {"", "L1", "L2"});
    example("airlite-opt --air-label-scf-for-to-ping-pong='omit-memory-space=L2' in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    // Post-order: inner loops come before the loops around them.
    std::vector<Operation*> suitable;
    module.walk([&](Operation& op) {
      if (!isa<scf::ForOp>(&op)) return;
      scf::ForOp loop(&op);
      if (directAllocs(loop).empty()) return;
      std::string_view why = obstacle(loop);
      if (why.empty())
        suitable.push_back(&op);
      else
        context.remark(op, why);
    });
    std::unordered_set<Operation*> around;
    for (Operation* loop : suitable) {
      if (!around.contains(loop))
        label(scf::ForOp(loop));
      else
        context.remark(*loop, "an inner loop is marked");
      for (Operation* up = loop->parentOp(); up; up = up->parentOp())
        around.insert(up);
    }
    return changedIf(!suitable.empty());
  }

 private:
  std::string_view obstacle(scf::ForOp loop) const {
    if (loop->hasAttr("unroll")) return "it has an unroll factor";
    if (launches(loop)) return "a launch in it would be there twice";
    std::string_view inner;
    loop->walk([&](Operation& op) {
      if (!isa<scf::ForOp>(&op)) return;
      if (op.hasAttr("air.disable_ping_pong"))
        inner = "air.disable_ping_pong asks for it";
      else if (inner.empty())
        inner = obstacleToCopies(scf::ForOp(&op));
    });
    if (!inner.empty()) return inner;
    for (Operation* alloc : directAllocs(loop)) {
      std::optional<air::MemoryLevel> level = air::memoryLevel(alloc->result().type());
      if (level && air::levelName(*level) == omit_) return "it allocates in the omitted memory";
      std::string_view fill = obstacleOfFills(loop, alloc->result());
      if (!fill.empty()) return fill;
    }
    return {};
  }

  static void label(scf::ForOp loop) {
    Builder builder(loop->context());
    loop->setAttr("unroll", builder.i32Attr(2));
    for (Operation* alloc : directAllocs(loop))
      alloc->setAttr("hoist_alloc", IntegerAttr::getBool(builder.context(), true));
  }

  std::string omit_;
};

}  // namespace

void registerLabelPingPong(PassRegistry& registry) { registry.add<LabelPingPong>(); }

}  // namespace airlite
