// air-decompose-packs: linalg.pack and linalg.unpack become transposes of views.
//
// Matches linalg.pack and linalg.unpack between buffers of known shapes, outside of launches, segments and herds
// (inside, air-copy-to-dma makes DMAs of them). The unpacked side is seen with two dimensions for each one that has
// tiles, how many and the tile (memref.expand_shape), and linalg.transpose brings them into their order. Where the last
// tiles are not full, a buffer of all of them is between: a pack fills it with the padding value and copies the
// source into it; of an unpack the part that is there is copied out of it.
//
// Declines, with a remark: sizes or tiles that are only known at run time, and layouts without strides.
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/pass/Pass.hpp"
#include "transform/hierarchy/Hierarchy.hpp"

#include <algorithm>

namespace airlite {

namespace {

class PackDecomposition {
 public:
  explicit PackDecomposition(Operation& op)
      : op_(op), pack_(&op), builder_(Builder::before(op)), packs_(op.is("linalg.pack")) {}

  /// Why the op has to stay; empty when it need not.
  std::string_view obstacle() {
    for (Value side : {pack_.source(), pack_.dest()})
      if (const auto type = side.type().dynCast<MemRefType>(); !type || !type.hasStaticShape())
        return "stays: it is not between buffers of known shapes";
    tiles_ = pack_.innerTiles();
    if (std::ranges::count(tiles_, kDynamic)) return "stays: the size of a tile is not known";
    planDims();
    if (!isFull() || memref::ExpandShapeOp::inferType(typeOf(unpacked()), expanded_, groups_))
      return {};
    return "stays: a buffer has no strides";
  }

  void run() {
    const Value all = isFull() ? unpacked() : allocate();
    if (packs_ && all != unpacked()) {
      fill(all, op_.operandGroup("padding_value")[0]);
      copy(unpacked(), insideOf(all));
    }
    const Value view =
        memref::ExpandShapeOp::create(builder_, location(), all, expanded_, groups_).result();
    if (packs_)
      linalg::createTranspose(builder_, location(), view, pack_.dest(), order_);
    else
      linalg::createTranspose(builder_, location(), pack_.source(), view,
                              linalg::inversePermutation(order_));
    if (!packs_ && all != unpacked()) copy(insideOf(all), unpacked());
    if (all != unpacked()) memref::DeallocOp::create(builder_, location(), all);
    op_.erase();
  }

 private:
  static MemRefType typeOf(Value value) { return value.type().cast<MemRefType>(); }
  Location location() const { return op_.location(); }
  Value unpacked() const { return packs_ ? pack_.source() : pack_.dest(); }
  bool isFull() const { return std::ranges::equal(full_, typeOf(unpacked()).shape()); }

  /// The view of the unpacked side, and which of its dimensions is each of the packed side.
  void planDims() {
    const auto shape = typeOf(unpacked()).shape();
    const std::vector<int64_t> tiled = pack_.innerDims(), outer = pack_.outerPermutation();
    full_.assign(shape.begin(), shape.end());
    std::vector<int64_t> counts, inner(tiled.size());
    for (size_t dim = 0; dim < shape.size(); ++dim) {
      counts.push_back(std::ssize(expanded_));
      groups_.push_back({counts.back()});
      expanded_.push_back(shape[dim]);
      const auto at = static_cast<size_t>(std::ranges::find(tiled, int64_t(dim)) - tiled.begin());
      if (at == tiled.size()) continue;
      expanded_.back() = (shape[dim] + tiles_[at] - 1) / tiles_[at];
      full_[dim] = expanded_.back() * tiles_[at];
      inner[at] = std::ssize(expanded_);
      groups_.back().push_back(inner[at]);
      expanded_.push_back(tiles_[at]);
    }
    for (int64_t dim : outer)
      order_.push_back(counts[static_cast<size_t>(dim)]);
    order_.insert(order_.end(), inner.begin(), inner.end());
  }

  /// A buffer of full tiles.
  Value allocate() {
    const MemRefType like = typeOf(unpacked());
    const auto type =
        MemRefType::get(op_.context(), full_, like.elementType(), Attribute(), like.memorySpace());
    return memref::AllocOp::create(builder_, location(), type).result();
  }

  Value insideOf(Value all) {
    const auto shape = typeOf(unpacked()).shape();
    const std::vector<memref::MixedIndex> starts(shape.size(), memref::MixedIndex(0)),
        sizes(shape.begin(), shape.end()), ones(shape.size(), memref::MixedIndex(1));
    return memref::SubViewOp::create(builder_, location(), all, starts, sizes, ones).result();
  }

  void fill(Value all, Value number) {
    linalg::createNamedOp(builder_, location(), "linalg.fill", std::span(&number, 1),
                          std::span(&all, 1));
  }
  void copy(Value from, Value to) {
    linalg::createNamedOp(builder_, location(), "linalg.copy", std::span(&from, 1),
                          std::span(&to, 1));
  }

  Operation& op_;
  linalg::PackView pack_;
  Builder builder_;
  bool packs_;
  std::vector<int64_t> tiles_;
  std::vector<int64_t> full_;      ///< shape of the unpacked side, its last tiles full
  std::vector<int64_t> expanded_;  ///< the same with two dimensions for each one of tiles
  memref::Reassociation groups_;
  std::vector<int64_t> order_;  ///< for each dimension of the packed side, that of the view
};

class DecomposePacks : public Pass {
 public:
  DecomposePacks()
      : Pass("air-decompose-packs",
             "Turns linalg.pack and linalg.unpack into transposes of views") {
    anchor("func.func");
    example("airlite-opt --air-decompose-packs in.mlir");
  }

  PassResult run(Operation& function, PassContext& context) override {
    std::vector<Operation*> ops;
    function.walk([&](Operation& op) {
      if ((op.is("linalg.pack") || op.is("linalg.unpack")) && !air::isInHierarchy(op))
        ops.push_back(&op);
    });
    bool changed = false;
    for (Operation* op : ops) {
      PackDecomposition decomposition(*op);
      if (const std::string_view why = decomposition.obstacle(); !why.empty()) {
        context.remark(*op, why);
        continue;
      }
      decomposition.run();
      changed = true;
    }
    if (changed) context.declareEffectChange(CountedEffect::Store, "a pack is several ops");
    return changedIf(changed);
  }
};

}  // namespace

void registerDecomposePacks(PassRegistry& registry) { registry.add<DecomposePacks>(); }

}  // namespace airlite
