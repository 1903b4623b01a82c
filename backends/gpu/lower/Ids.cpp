// Ids of work-items at the start of a kernel, and the buffers that memrefs stand for.
#include "Kernel.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/OpDef.hpp"

#include <algorithm>

namespace airlite::gpu {
namespace {

/// Creates index arithmetic and remembers it.
class IdBuilder {
 public:
  explicit IdBuilder(Kernel& kernel)
      : kernel_(kernel), builder_(kernel.func->context()), location_(kernel.func->location()) {
    Operation* first = &kernel.body().front();
    while (first->is("memref.alloc") || first->is("memref.alloca"))
      first = first->next();
    builder_.setBefore(*first);
  }

  Value thread(Dimension dim) {
    return keep(IndexOp::create(builder_, location_, "gpu.thread_id", dim));
  }
  Value constant(int64_t value) { return keep(builder_.constantIndex(location_, value)); }
  Value binary(std::string_view name, Value lhs, Value rhs) {
    return keep(builder_.create(location_, name, {lhs, rhs}, {builder_.indexType()})->result());
  }

 private:
  Value keep(Value value) {
    kernel_.idOps.push_back(value.definingOp());
    return value;
  }
  Kernel& kernel_;
  Builder builder_;
  Location location_;
};

}  // namespace

void createIds(Kernel& kernel) {
  IdBuilder ids(kernel);
  const BlockShape& shape = kernel.shape;
  kernel.itemX = ids.thread(Dimension::X);
  kernel.itemY = shape.y > 1 ? ids.thread(Dimension::Y) : ids.constant(0);
  kernel.lane = kernel.item = kernel.itemX;
  Value wave = ids.constant(shape.wave);
  kernel.waveX = shape.x > 1 ? ids.binary("arith.divui", kernel.itemX, wave) : ids.constant(0);
  if (shape.x > 1) kernel.lane = ids.binary("arith.remui", kernel.itemX, wave);
  if (shape.y == 1) return;
  Value row = ids.binary("arith.muli", kernel.itemY, ids.constant(shape.itemsX()));
  kernel.item = ids.binary("arith.addi", row, kernel.itemX);
}

void removeUnusedIds(Kernel& kernel) {
  for (size_t i = kernel.idOps.size(); i-- > 0;)
    if (!kernel.idOps[i]->hasResultUses()) kernel.idOps[i]->erase();
  kernel.idOps.clear();
}

bool Kernel::coversBlock(air::HerdOp herd) const {
  auto sizes = herd.constantSizes();
  int64_t y = sizes->size() > 1 ? (*sizes)[1] : 1;
  return (*sizes)[0] == shape.x && y == shape.y;
}

bool mayWrite(Operation& op, Value memref) {
  std::vector<EffectInstance> effects;
  if (!effectsOf(op, effects)) return true;
  return std::ranges::any_of(effects, [&](const EffectInstance& effect) {
    const bool isMeant = !memref || !effect.value || effect.value == memref;
    return effect.effect == Effect::Write && isMeant;
  });
}

bool isLeaf(const Operation& op) {
  return op.numRegions() == 0 || op.def().dialect == "linalg" ||
         op.is("memref.generic_atomic_rmw") || op.is("scf.reduce");
}

Value rootOf(const Kernel& kernel, Value memref) {
  Value root = memref::viewSource(memref);
  auto alias = kernel.aliases.find(root);
  if (alias != kernel.aliases.end()) return alias->second;
  if (root.isBlockArgument()) return root.argumentBlock() == &kernel.body() ? root : Value();
  return root.definingOp()->is("memref.alloc") || root.definingOp()->is("memref.alloca") ? root
                                                                                         : Value();
}

}  // namespace airlite::gpu
