// air-split-outputs: elementwise ops with many operands become one op for each result.
//
// Matches, in a function, a linalg.generic on buffers of the host without reductions and with several outputs, such as a step of an
// optimizer that updates weights and two moments, which moves more matrices than the channels of all columns can take, where
// its parts move clearly fewer, and all of them together not many more. What a part reads of another result comes from memory.
//
//   m, v, w = f(g, m), h(g, v), w - m' / v'  ->  m = f(g, m); v = h(g, v); w = w - m / v
//
// Declines: few elements, whose runs cost more than that saves; outputs that lie differently, or may share memory, and those of which each needs what another one was.
#include "OutputsApart.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/ir/Type.hpp"
#include "airlite/pass/Pass.hpp"

#include <algorithm>
#include <vector>

namespace airlite {

namespace {

using linalg::StructuredOp;

/// Matrices that an op reads and writes without losing columns of cores, with the two channels that a shim has in each direction.
constexpr size_t kMostMoved = 5;
/// A part has to move so many fewer than the op.
constexpr size_t kLeastGain = 2;
/// What each matrix costs more where columns are lost, as measured on steps of optimizers.
constexpr double kLostColumns = 1.5;
/// All columns together.
constexpr double kBytesOfCycle = 16;
/// Of the start of one more run.
constexpr double kCyclesOfRun = 6000;

size_t movedBy(StructuredOp op) {
  size_t moved = op.numInputs() + op.numOutputs();
  for (unsigned output = 0; output < op.numOutputs(); ++output)
    moved += op.readsOutput(output);
  return moved;
}

size_t movedBy(StructuredOp op, const tiling::OutputPart& part) {
  const bool readsItself = op.readsOutput(part.output);
  return part.inputs.size() + part.before.size() + part.after.size() + readsItself + 1;
}

/// Of a matrix that the op moves; 0: not known.
double bytesOfOne(StructuredOp op) {
  const auto memref = op.outputs()[0].type().cast<MemRefType>();
  if (!memref.hasStaticShape()) return 0;
  return static_cast<double>(memref.numElements() * memref.elementType().bitWidth()) / 8;
}

bool isWorthIt(StructuredOp op, const std::vector<tiling::OutputPart>& parts) {
  const auto moved = static_cast<double>(movedBy(op));
  if (movedBy(op) <= kMostMoved) return false;
  size_t movedByParts = 0;
  for (const tiling::OutputPart& part : parts) {
    if (movedBy(op, part) + kLeastGain > movedBy(op)) return false;
    movedByParts += movedBy(op, part);
  }
  const double saved = kLostColumns * moved - static_cast<double>(movedByParts);
  return saved * bytesOfOne(op) / kBytesOfCycle >
         kCyclesOfRun * static_cast<double>(parts.size() - 1);
}

class SplitOutputs : public Pass {
 public:
  SplitOutputs() : Pass("air-split-outputs", "Makes one op for each result of those with many") {
    anchor("func.func");
    example("airlite-opt --air-split-outputs in.mlir");
  }

  PassResult run(Operation& function, PassContext& context) override {
    std::vector<StructuredOp> found;
    function.walk([&](Operation& op) {
      const StructuredOp structured = linalg::asStructured(&op);
      if (structured && op.parentOp() == &function && op.is("linalg.generic"))
        found.push_back(structured);
    });
    bool changed = false;
    Rewriter rewriter(function.context());
    for (StructuredOp op : found) {
      const auto parts = tiling::elementsApart(op);
      if (!parts || !isWorthIt(op, *parts)) continue;
      context.remark(*op.op(),
                     "one op for each of its " + std::to_string(parts->size()) + " results");
      tiling::writeApart(rewriter, op, *parts);
      changed = true;
    }
    return changedIf(changed);
  }
};

}  // namespace

void registerSplitOutputs(PassRegistry& registry) { registry.add<SplitOutputs>(); }

}  // namespace airlite
