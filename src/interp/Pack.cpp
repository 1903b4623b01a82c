// linalg.pack and linalg.unpack on full tiles: one copy that walks the plain side tile by tile. On
// tensors the result is a copy of the destination that is written so.
#include "airlite/dialect/Linalg.hpp"

#include "Access.hpp"

namespace airlite::interp {

namespace {

struct Packing {
  ElementLayout layout;
  bool packs = true;
  std::vector<int64_t> innerDims, innerTiles, outerOrder;
};

/// The plain side in the order of the packed one: outer dimensions, then the tiles. Empty when the
/// last tile of a dimension is not full.
std::optional<Window> walkOf(const View& plain, const Packing& packing) {
  std::vector<int64_t> sizes = plain.sizes, strides = plain.strides;
  Window inner;
  for (size_t i = 0; i < packing.innerTiles.size(); ++i) {
    auto dim = static_cast<size_t>(packing.innerDims[i]);
    int64_t tile = packing.innerTiles[i];
    if (sizes[dim] % tile) return std::nullopt;
    inner.sizes.push_back(tile);
    inner.strides.push_back(plain.strides[dim]);
    sizes[dim] /= tile;
    strides[dim] *= tile;
  }
  Window walk;
  for (int64_t dim : packing.outerOrder) {
    walk.sizes.push_back(sizes[static_cast<size_t>(dim)]);
    walk.strides.push_back(strides[static_cast<size_t>(dim)]);
  }
  walk.sizes.insert(walk.sizes.end(), inner.sizes.begin(), inner.sizes.end());
  walk.strides.insert(walk.strides.end(), inner.strides.begin(), inner.strides.end());
  return walk;
}

/// in: source, destination.
Step doPack(Run& run, const Inst& inst) {
  const auto& packing = *static_cast<const Packing*>(inst.data);
  if (run.in(inst, 0).kind() != SlotKind::View || run.in(inst, 1).kind() != SlotKind::View)
    return Step::Retry;
  const View &from = run.in(inst, 0).as<View>(), &to = run.in(inst, 1).as<View>();
  if (Step s = checkMemory(run, inst, from, false); s != Step::Next) return s;
  if (Step s = checkMemory(run, inst, to, true); s != Step::Next) return s;
  const View &plain = packing.packs ? from : to, &packed = packing.packs ? to : from;
  std::optional<Window> walk = walkOf(plain, packing);
  if (!walk) {
    run.machine.error(run, *inst.op) << "not supported by the interpreter: a last tile that is "
                                        "not full";
    return Step::Fail;
  }
  if (walk->sizes != packed.sizes) {
    run.machine.error(run, *inst.op) << "the packed side is of shape " << indexText(packed.sizes)
                                     << ", not " << indexText(walk->sizes);
    return Step::Fail;
  }
  Window whole{packed.sizes, packed.strides, 0};
  const Window &source = packing.packs ? *walk : whole, &target = packing.packs ? whole : *walk;
  Piece piece;
  if (Step s = readPiece(run, inst, from, source, packing.layout.stride(), piece);
      s != Step::Next)
    return s;
  return writePiece(run, inst, to, target, packing.layout.stride(), piece);
}

bool compilePack(Builder& b, Operation& op) {
  linalg::PackView view(&op);
  Packing packing{layoutOf(elementTypeOrSelf(view.dest().type())), op.is("linalg.pack"),
                  view.innerDims(), view.innerTiles(), view.outerPermutation()};
  bool isStatic = std::find(packing.innerTiles.begin(), packing.innerTiles.end(), kDynamic) ==
                  packing.innerTiles.end();
  if (!packing.layout.bytes || !isStatic) return false;
  uint32_t target = b.use(view.dest());
  if (op.numResults())
    target = emitCopyTensor(b, op, target, view.dest().type(), b.defineResults(op));
  b.emit(doPack, op, {b.use(view.source()), target}).data =
      b.arena().make<Packing>(std::move(packing));
  return true;
}

}  // namespace

void addPack(CompileTable& table) {
  table["linalg.pack"] = compilePack;
  table["linalg.unpack"] = compilePack;
}

}  // namespace airlite::interp
