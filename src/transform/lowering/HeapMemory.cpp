#include "HeapMemory.hpp"

#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"

namespace airlite {

Value moveToHeap(Operation& alloca) {
  Builder builder = Builder::before(alloca);
  const auto type = alloca.result().type().cast<MemRefType>();
  const Value memory = memref::AllocOp::create(builder, alloca.location(), type).result();
  builder.setBefore(alloca.block()->back());
  memref::DeallocOp::create(builder, alloca.location(), memory);
  alloca.result().replaceAllUsesWith(memory);
  alloca.erase();
  return memory;
}

}  // namespace airlite
