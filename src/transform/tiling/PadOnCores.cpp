// air-pad-on-cores: copies into a filled buffer, to places that no DMA reaches, become loops, which cores run.
//
// Matches, in a function, a copy of a buffer of the host into a subview of another one that the function has filled with a constant before anything else, as programs pad images, where the rows of the subview begin or end inside of words of 4 bytes. The rounds of the outer
// loop each fill and copy what one element of a dimension has; air-share-loops shares them out.
//
//   fill P, 0; copy X -> P[0, 1, 1, 0] [1, 32, 32, 3]   ->   fill P, 0; for i: (fill P[:, i + 1], 0; copy X[:, i] -> P[:, i + 1, 1:33])
//
// The dimension has enough elements for all cores where there is one, and nothing around them that is filled.
//
// Declines, with a remark: where no dimension has parts of whole words that have room in L1. Without one: rows of whole words, which
// DMAs copy.
#include "FilledCopy.hpp"
#include "RowMover.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/pass/Pass.hpp"
#include "airlite/transform/ArrayDefaults.hpp"

#include <numeric>
#include <optional>
#include <tuple>
#include <vector>

namespace airlite {

namespace {

/// Along which dimension cores share the copy: enough rounds for all of them, and those that fill nothing beside them, else the most. None: no
/// rounds can be moved.
std::optional<tiling::FilledCopy> loopsOf(const tiling::Padding& padding, int64_t l1Bytes) {
  constexpr int64_t kCores = 8;
  const auto type = padding.from.type().cast<MemRefType>();
  const auto shape = padding.to.type().cast<MemRefType>().shape();
  std::vector<int64_t> dims(type.rank());
  std::iota(dims.begin(), dims.end(), 0);
  std::optional<tiling::FilledCopy> best;
  std::tuple<bool, bool, int64_t> merits;
  for (unsigned dim = 0; dim < type.rank(); ++dim) {
    const tiling::FilledCopy copy{
        padding.from, dims, padding.offsets(), {shape.begin(), shape.end()}, dim};
    const bool isMany = type.dim(dim) >= kCores;
    const std::tuple own(isMany, isMany && copy.fillsAll(), type.dim(dim));
    if (!copy.canShare(l1Bytes) || (best && own <= merits)) continue;
    best = copy;
    merits = own;
  }
  return best;
}

class PadOnCores : public Pass {
 public:
  PadOnCores() : Pass("air-pad-on-cores", "Cores pad what DMAs cannot") {
    anchor("func.func");
    option("l1-bytes", l1Bytes_, "memory of a core that buffers may take");
    example("airlite-opt --air-pad-on-cores in.mlir");
  }

  PassResult run(Operation& function, PassContext& context) override {
    std::vector<Operation*> copies;
    if (function.region().empty()) return PassResult::Unchanged;  // only declared
    for (Operation& op : function.region().front().ops())
      if (op.is("linalg.copy") || op.is("memref.copy")) copies.push_back(&op);
    bool changed = false;
    for (Operation* op : copies) {
      const auto padding = tiling::paddingOf(*op);
      if (!padding || tiling::isInWords(padding->view.resultType())) continue;
      const std::optional<tiling::FilledCopy> loops = loopsOf(*padding, l1Bytes_);
      if (!loops) {
        context.remark(*op,
                       "no DMA pads it, and no dimension has parts of whole words with room in L1");
        continue;
      }
      context.declareEffectChange(CountedEffect::Store, "cores pad");
      Builder builder = Builder::before(*op);
      tiling::writeFilledCopy(*loops, padding->to, padding->fill->operand(0), builder,
                              op->location());
      op->erase();
      memref::SubViewOp(padding->view)->erase();
      if (loops->fillsAll()) padding->fill->erase();
      changed = true;
    }
    return changedIf(changed);
  }

 private:
  int64_t l1Bytes_ = tileBytes(aie::defaultNpu());
};

}  // namespace

void registerPadOnCores(PassRegistry& registry) { registry.add<PadOnCores>(); }

}  // namespace airlite
