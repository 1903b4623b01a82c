// air-aie-sink-broadcasts: vectors whose lanes are one number are made where a loop uses them.
//
// Matches, in the programs of cores, an innermost loop that uses more vectors from outside than registers can keep beside what its
// rounds hold, as the weights of a window. Those that are one number in all lanes (vector.broadcast, widened or sliced) are made again
// in each round: the number stays in a scalar register, and the vector takes one instruction. Else rounds that could
// overlap wait for registers, or load the vectors from the stack.
//
// Runs after the passes that move ops out of loops.
#include "CoreScope.hpp"
#include "LegalizePasses.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace airlite::npu {

namespace {

/// Bits of vectors from outside that a loop may use: of twelve registers less than half.
constexpr int64_t kBitsOfVector = 512, kMostBits = 5 * kBitsOfVector;

bool isVector(Value value) { return value.type().isa<VectorType>(); }

/// The vector of which `value` is lanes, widened or not: what registers hold of it.
Value sourceOf(Value value) {
  Operation* op = value.definingOp();
  while (op && (op->is("arith.extsi") || op->is("arith.extui") ||
                op->is("vector.extract_strided_slice"))) {
    value = op->operand(0);
    op = value.definingOp();
  }
  return value;
}

bool isOneNumber(Value vector) {
  Operation* op = vector.definingOp();
  return op && op->is("vector.broadcast") && !isVector(op->operand(0));
}

class LoopVectors {
 public:
  explicit LoopVectors(scf::ForOp loop) : loop_(loop) {}

  bool sinkBroadcasts() {
    std::vector<OpOperand*> uses;
    for (Operation& op : loop_.body().ops())
      for (unsigned i = 0; i < op.numOperands(); ++i)
        if (isVector(op.operand(i)) && isOutside(op.operand(i))) uses.push_back(&op.opOperand(i));
    if (bitsOf(uses) <= kMostBits) return false;
    std::erase_if(uses, [](OpOperand* use) { return !isOneNumber(sourceOf(use->get())); });
    std::vector<Value> outside;
    for (OpOperand* use : uses) {
      if (std::ranges::find(outside, use->get()) == outside.end()) outside.push_back(use->get());
      use->owner()->setOperand(use->index(), madeInside(use->get(), *use->owner()));
    }
    for (Value value : outside)
      eraseUnused(value);
    return !uses.empty();
  }

 private:
  bool isOutside(Value value) const { return value.parentBlock() != &loop_.body(); }

  static int64_t bitsOf(const std::vector<OpOperand*>& uses) {
    std::vector<Value> sources;
    int64_t bits = 0;
    for (const OpOperand* use : uses) {
      const Value source = sourceOf(use->get());
      if (std::ranges::find(sources, source) != sources.end()) continue;
      sources.push_back(source);
      const auto type = source.type().cast<VectorType>();
      bits +=
          isOneNumber(source) ? kBitsOfVector : type.numElements() * type.elementType().bitWidth();
    }
    return bits;
  }

  static void eraseUnused(Value value) {
    while (isVector(value) && !value.hasUses()) {
      Operation& op = *value.definingOp();
      value = op.operand(0);
      op.erase();
    }
  }

  /// Once, where the first op needs it.
  Value madeInside(Value value, Operation& user) {
    if (isVector(value) && made_.contains(value)) return made_.at(value);
    if (!isVector(value)) return value;
    Operation& op = *value.definingOp();
    const Value source = madeInside(op.operand(0), user);
    Rewriter rewriter(op.context());
    rewriter.setBefore(user);
    Operation* copy = rewriter.clone(op);
    copy->setOperand(0, source);
    return made_[value] = copy->result();
  }

  scf::ForOp loop_;
  std::unordered_map<Value, Value> made_;
};

class SinkBroadcasts : public CorePass {
 public:
  SinkBroadcasts()
      : CorePass("air-aie-sink-broadcasts", "Makes vectors of one number where a loop uses them") {
    example("airlite-opt --air-aie-sink-broadcasts design.mlir");
  }

  PassResult run(Operation& module, PassContext&) override {
    bool changed = false;
    for (const CoreRoot& program : roots(module))
      for (Operation* op : opsInside(*program.root))
        if (auto loop = dynCast<scf::ForOp>(op); loop && isInnermost(*op))
          changed |= LoopVectors(loop).sinkBroadcasts();
    return changedIf(changed);
  }
};

}  // namespace

void registerSinkBroadcasts(PassRegistry& registry) { registry.add<SinkBroadcasts>(); }

}  // namespace airlite::npu
