// transform.air.convert_memref_copy_to_linalg_copy: memref.copy becomes linalg.copy, which tiling
// and vectorizing know as they know other linalg ops.
//
// Declines, with a remark: buffers without a rank, and elements of two types.
//
// air-copy-to-linalg: the same for copies between buffers of the host: the device makes them.
//
// Matches memref.copy in a function, outside of launches, herds and parallel loops, between two
// buffers of L3 with static shapes.
//
// Declines: a buffer of the function that is copied into an argument which nothing else uses; the
// back-end has one buffer for the two.
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/pass/Pass.hpp"
#include "transform/script/ScriptRewrites.hpp"

namespace airlite {

namespace {

bool isPossible(memref::CopyOp copy) {
  auto from = copy.source().type().dynCast<MemRefType>();
  auto to = copy.target().type().dynCast<MemRefType>();
  return from && to && from.elementType() == to.elementType();
}

void makeLinalg(memref::CopyOp copy) {
  Builder builder = Builder::before(*copy.op());
  Value source = copy.source(), target = copy.target();
  linalg::createNamedOp(builder, copy->location(), "linalg.copy", std::span(&source, 1),
                        std::span(&target, 1));
  copy->erase();
}

bool isOfHost(Value buffer) {
  auto type = buffer.type().dynCast<MemRefType>();
  return type && type.hasStaticShape() && air::memoryLevel(type) == air::MemoryLevel::L3;
}

/// What the function made goes out.
bool isResult(memref::CopyOp copy) {
  Operation* made = copy.source().definingOp();
  return made && isa<memref::AllocOp>(made) && copy.target().isBlockArgument() &&
         copy.target().hasOneUse();
}

class CopyToLinalg : public Pass {
 public:
  CopyToLinalg() : Pass("air-copy-to-linalg", "Turns copies between buffers of the host into ops") {
    anchor("func.func");
    example("airlite-opt --air-copy-to-linalg in.mlir");
  }

  PassResult run(Operation& function, PassContext& context) override {
    std::vector<Operation*> copies;
    function.walk([&](Operation& op) {
      const bool isCopy = isa<memref::CopyOp>(&op) && op.parentOp() == &function;
      if (isCopy && isPossible(memref::CopyOp(&op))) copies.push_back(&op);
    });
    bool changed = false;
    for (Operation* op : copies) {
      memref::CopyOp copy(op);
      if (!isOfHost(copy.source()) || !isOfHost(copy.target()) || isResult(copy)) continue;
      makeLinalg(copy);
      changed = true;
    }
    if (changed) context.declareEffectChange(CountedEffect::Store, "copies become linalg ops");
    return changedIf(changed);
  }
};

}  // namespace

void registerCopyToLinalg(PassRegistry& registry) { registry.add<CopyToLinalg>(); }

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
    erased.insert(op);
    makeLinalg(copy);
  }
}

}  // namespace airlite
