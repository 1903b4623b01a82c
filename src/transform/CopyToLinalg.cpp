// transform.air.convert_memref_copy_to_linalg_copy: memref.copy becomes linalg.copy, which tiling
// and vectorizing know as they know other linalg ops.
//
// Declines, with a remark: buffers without a rank, and elements of two types.
#include "ScriptRewrites.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"

namespace airlite {

namespace {

bool isPossible(memref::CopyOp copy) {
  auto from = copy.source().type().dynCast<MemRefType>();
  auto to = copy.target().type().dynCast<MemRefType>();
  return from && to && from.elementType() == to.elementType();
}

}  // namespace

void copiesToLinalg(Operation& root, PassContext& context, std::unordered_set<Operation*>& erased) {
  std::vector<Operation*> copies;
  root.walk([&](Operation& op) {
    if (isa<memref::CopyOp>(&op)) copies.push_back(&op);
  });
  for (Operation* op : copies) {
    memref::CopyOp copy(op);
    if (!isPossible(copy)) {
      context.remark(*op, "stays: one of its buffers has no rank");
      continue;
    }
    Builder builder = Builder::before(*op);
    Value source = copy.source(), target = copy.target();
    linalg::createNamedOp(builder, op->location(), "linalg.copy", std::span(&source, 1),
                          std::span(&target, 1));
    erased.insert(op);
    op->erase();
  }
}

}  // namespace airlite
