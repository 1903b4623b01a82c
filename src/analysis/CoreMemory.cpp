// What cores of an NPU touch directly has to be in their own memory.
//
// Loads and stores, computations on buffers, copies and calls of kernels: each memref is followed to
// the buffer that it is a part of, through views, arguments and calls. A transfer (air.dma_memcpy_nd,
// channels) is done by a DMA, which reaches all levels.
#include "Findings.hpp"
#include "airlite/dialect/Func.hpp"

#include <algorithm>
#include <unordered_map>

namespace airlite::analysis {

namespace {

class CoreMemoryChecker {
 public:
  explicit CoreMemoryChecker(air::HerdOp herd) : herd_(herd) {}

  bool check() {
    walk(*herd_.op());
    return isFine_;
  }

 private:
  void walk(Operation& around) {
    around.walkWith([&](Operation& op) {
      if (&op == &around) return WalkResult::Advance;
      if (air::asHierarchy(&op)) return WalkResult::Skip;  // it is checked itself
      visit(op);
      return WalkResult::Advance;
    });
  }

  void visit(Operation& op) {
    if (isa<func::CallOp>(&op)) return visitCall(op);
    if (isTransfer(op) || op.is("memref.dealloc") || op.is("memref.reshape")) return;
    std::vector<EffectInstance> effects;
    if (!effectsOf(op, effects)) return;
    for (const EffectInstance& effect : effects) {
      const bool touches = effect.effect == Effect::Read || effect.effect == Effect::Write;
      if (touches && effect.value && isForeign(effect.value)) return report(op, effect.value);
    }
  }

  static bool isTransfer(Operation& op) {
    return isa<air::DmaMemcpyNdOp>(&op) || isa<air::ChannelPutOp>(&op) ||
           isa<air::ChannelGetOp>(&op);
  }

  void visitCall(Operation& op) {
    const func::FuncOp callee = func::CallOp(&op).function();
    if (!callee || callee.isDeclaration()) {
      for (Value operand : op.operands())
        if (isForeign(operand)) return report(op, operand);
      return;
    }
    const bool isKnown = std::find(calls_.begin(), calls_.end(), &op) != calls_.end();
    if (isKnown || calls_.size() == kMostCalls) return;
    for (unsigned i = 0; i < op.numOperands(); ++i)
      outside_[callee.argument(i)] = op.operand(i);
    calls_.push_back(&op);
    walk(*callee.op());
    calls_.pop_back();
  }

  /// The buffer that `memref` is a part of, as far as that can be followed.
  Value sourceOf(Value memref) {
    constexpr unsigned kMostViews = 1000;
    for (unsigned i = 0; i < kMostViews; ++i) {
      if (const auto call = outside_.find(memref); call != outside_.end()) {
        memref = call->second;
        continue;
      }
      Value source = reader_.bufferOf(memref).value;
      if (!source || source == memref) return memref;
      memref = source;
    }
    return memref;
  }

  bool isForeign(Value memref) {
    if (!memref.type().isa<MemRefType>() && !memref.type().isa<UnrankedMemRefType>()) return false;
    const auto level = air::memoryLevel(sourceOf(memref).type());
    return level && *level != air::MemoryLevel::L1;
  }

  void report(Operation& op, Value memref) {
    isFine_ = false;
    const Value source = sourceOf(memref);
    const std::string_view level = air::levelName(*air::memoryLevel(source.type()));
    InFlightDiagnostic error = op.emitOpError();
    if (isa<func::CallOp>(&op))
      error << "inside 'air.herd' hands memory of " << level << " to code of a core";
    else if (op.is("memref.copy"))
      error << "inside 'air.herd' copies memory of " << level << ", which only a DMA moves";
    else
      error << "inside 'air.herd' accesses memref with memory_space " << level;
    error << "; AIE core tiles can only access L1 or more local memory directly. Use "
             "air.dma_memcpy_nd to stage data first. (A GPU program says so with the module "
             "attribute airlite.wave_size.)";
    error.note(source.location()) << "the memory is this one: " << source.type();
    for (size_t i = calls_.size(); i-- > 0;)
      error.note(calls_[i]->location()) << "it is called here";
  }

  static constexpr size_t kMostCalls = 32;
  air::HerdOp herd_;
  AccessReader reader_;
  std::unordered_map<Value, Value> outside_;  // arguments of functions -> operands of calls
  std::vector<Operation*> calls_;             // that are being followed
  bool isFine_ = true;
};

}  // namespace

bool checkCoreMemory(Operation& module) {
  bool isFine = true;
  module.walk([&](Operation& op) {
    if (isa<air::HerdOp>(&op)) isFine &= CoreMemoryChecker(air::HerdOp(&op)).check();
  });
  return isFine;
}

}  // namespace airlite::analysis
