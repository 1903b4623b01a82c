// transform.air.hoist_static_alloc: buffers of known size leave the loops that make them anew.
//
// Matches a memref.alloc and its memref.dealloc directly in the body of an scf.for or affine.for,
// which run to their end in each iteration: one buffer serves all of them. They go in front of the
// loop and after it, as far out as such loops reach; what an iteration reads before it writes was
// undefined and still is. Declines, with a remark: computed sizes, no dealloc in the same body, a
// buffer that cannot be followed, uses that are not over at the end of the body.
#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "analysis/BufferUses.hpp"
#include "analysis/RunOrder.hpp"
#include "transform/script/ScriptRewrites.hpp"

#include <algorithm>

namespace airlite {

namespace {

bool isLoop(Operation* op) { return isa<scf::ForOp>(op) || isa<affine::ForOp>(op); }

std::string_view hoist(Operation& alloc) {
  if (alloc.numOperands() > 0) return "stays: its size is computed";
  air::BufferUses uses(alloc.result());
  if (uses.escapes) return "stays: it is passed on to where it cannot be followed";
  bool isFreed = uses.deallocs.size() == 1 && uses.deallocs[0]->block() == alloc.block();
  if (!isFreed) return "stays: no dealloc stands beside it";
  Operation& dealloc = *uses.deallocs[0];
  while (isLoop(alloc.parentOp())) {
    Block& body = *alloc.block();
    for (Operation* use : uses.accesses)
      if (!air::RunOrder::blocks(*use, body)) return "stays: a use may not be over at the end";
    Operation& loop = *alloc.parentOp();
    alloc.moveBefore(&loop);
    dealloc.moveAfter(&loop);
  }
  return {};
}

}  // namespace

void hoistStaticAllocs(Operation& root, PassContext& context) {
  std::vector<Operation*> allocs;
  root.walk([&](Operation& op) {
    if (isa<memref::AllocOp>(&op) && isLoop(op.parentOp())) allocs.push_back(&op);
  });
  for (Operation* alloc : allocs)
    if (std::string_view obstacle = hoist(*alloc); !obstacle.empty())
      context.remark(*alloc, obstacle);
}

}  // namespace airlite
