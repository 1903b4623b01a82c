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
// With `herds` instead: copies of a core between two of its buffers, each a linalg.generic. Of that the core makes one row of vectors where
// elements lie alike in both, of memref.copy loops over the dimensions.
//
// Declines: a buffer of the function that is copied into an argument which nothing else uses; the
// back-end has one buffer for the two.
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/pass/Pass.hpp"
#include "transform/script/ScriptRewrites.hpp"
#include "transform/tiling/CollapsedViews.hpp"

namespace airlite {

namespace {

bool isPossible(memref::CopyOp copy) {
  auto from = copy.source().type().dynCast<MemRefType>();
  auto to = copy.target().type().dynCast<MemRefType>();
  return from && to && from.elementType() == to.elementType();
}

Operation* makeLinalg(memref::CopyOp copy) {
  Builder builder = Builder::before(*copy.op());
  Value source = copy.source(), target = copy.target();
  Operation* made = linalg::createNamedOp(builder, copy->location(), "linalg.copy",
                                          std::span(&source, 1), std::span(&target, 1));
  copy->erase();
  return made;
}

bool isAt(Value buffer, air::MemoryLevel level) {
  auto type = buffer.type().dynCast<MemRefType>();
  return type && type.hasStaticShape() && air::memoryLevel(type) == level;
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
    option("herds", herds_, "copies between buffers of cores, in herds");
    example("airlite-opt --air-copy-to-linalg in.mlir");
  }

  PassResult run(Operation& function, PassContext& context) override {
    std::vector<Operation*> copies;
    function.walk([&](Operation& op) {
      if (isa<memref::CopyOp>(&op) && isWanted(op, function)) copies.push_back(&op);
    });
    for (Operation* op : copies) {
      Operation* made = makeLinalg(memref::CopyOp(op));
      if (herds_) tiling::generalized(linalg::StructuredOp(made));
    }
    const bool changed = !copies.empty();
    if (changed) context.declareEffectChange(CountedEffect::Store, "copies become linalg ops");
    return changedIf(changed);
  }

 private:
  bool isWanted(Operation& op, const Operation& function) const {
    const memref::CopyOp copy(&op);
    const bool isHere =
        herds_ ? static_cast<bool>(op.parentOf<air::HerdOp>()) : op.parentOp() == &function;
    const air::MemoryLevel level = herds_ ? air::MemoryLevel::L1 : air::MemoryLevel::L3;
    return isHere && isPossible(copy) && isAt(copy.source(), level) && isAt(copy.target(), level) &&
           (herds_ || !isResult(copy));
  }

  bool herds_ = false;
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
