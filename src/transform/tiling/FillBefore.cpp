// See FillBefore.hpp.
#include "FillBefore.hpp"

#include "airlite/analysis/Access.hpp"

#include <algorithm>
#include <vector>

namespace airlite::tiling {

using linalg::StructuredOp;

namespace {

bool mayTouch(analysis::AccessReader& reader, Operation& op, const analysis::Buffer& buffer) {
  std::vector<analysis::BufferAccess> accesses = reader.all(op);
  return std::any_of(accesses.begin(), accesses.end(), [&](const analysis::BufferAccess& access) {
    return reader.mayOverlap(access, {buffer, analysis::AccessKind::Write});
  });
}

}  // namespace

bool readsOutput(StructuredOp op) { return op.numOutputs() == 1 && op.readsOutput(0); }

Operation* fillBefore(StructuredOp op) {
  if (!readsOutput(op) || !op.onBuffers()) return nullptr;
  const Value output = op.outputs()[0];
  analysis::AccessReader reader;
  analysis::Buffer buffer = reader.bufferOf(output);
  for (Value input : op.inputs())
    if (input.type().isa<MemRefType>() && reader.mayOverlap({reader.bufferOf(input)}, {buffer}))
      return nullptr;
  Operation* before = op->prev();
  while (before && !mayTouch(reader, *before, buffer))
    before = before->prev();
  bool isFill = before && before->is("linalg.fill") && StructuredOp(before).outputs()[0] == output;
  return isFill ? before : nullptr;
}

}  // namespace airlite::tiling
