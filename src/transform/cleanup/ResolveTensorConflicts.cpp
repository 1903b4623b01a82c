// air-resolve-tensor-opoperand-conflicts: linalg ops write no tensor that they read as an input.
//
// Matches linalg ops on tensors with an output that is also one of their inputs. The output becomes a
// bufferization.alloc_tensor, so that bufferization gives the op a buffer of its own to write. It
// holds a copy of the tensor where the op reads its output, or where a size is not known.
//
// Declines nothing.
#include "airlite/dialect/Linalg.hpp"
#include "airlite/pass/Pass.hpp"

#include <algorithm>

namespace airlite {

namespace {

using linalg::StructuredOp;

Value tensorLike(Builder& builder, Location location, Value tensor, bool needsCopy) {
  OperationState state(builder.context(), location, "bufferization.alloc_tensor");
  if (needsCopy) state.operands = {tensor};
  const int32_t groups[] = {0, needsCopy ? 1 : 0, 0};
  state.setOperandSegments(builder.context(), groups);
  state.resultTypes = {tensor.type()};
  return builder.create(state)->result();
}

bool hasUnknownSize(Type type) {
  auto tensor = type.dynCast<RankedTensorType>();
  return !tensor || std::ranges::find(tensor.shape(), kDynamic) != tensor.shape().end();
}

bool resolve(StructuredOp op) {
  bool changed = false;
  const std::vector<Value> inputs = op.inputs().vec();
  for (unsigned i = 0; i < op.numOutputs(); ++i) {
    const Value output = op.outputs()[i];
    if (std::ranges::find(inputs, output) == inputs.end()) continue;
    Builder builder = Builder::before(*op);
    const bool needsCopy = op.readsOutput(i) || hasUnknownSize(output.type());
    op->setOperand(op.numInputs() + i, tensorLike(builder, op->location(), output, needsCopy));
    changed = true;
  }
  return changed;
}

class ResolveTensorConflicts : public Pass {
 public:
  ResolveTensorConflicts()
      : Pass("air-resolve-tensor-opoperand-conflicts",
             "Gives linalg ops that write a tensor which they read another one to write") {
    anchor("func.func");
    example("airlite-opt --air-resolve-tensor-opoperand-conflicts in.mlir");
  }

  PassResult run(Operation& function, PassContext&) override {
    bool changed = false;
    function.walk([&](Operation& op) {
      StructuredOp structured = linalg::asStructured(&op);
      if (structured && structured->numResults() > 0) changed |= resolve(structured);
    });
    return changedIf(changed);
  }
};

}  // namespace

void registerResolveTensorConflicts(PassRegistry& registry) {
  registry.add<ResolveTensorConflicts>();
}

}  // namespace airlite
