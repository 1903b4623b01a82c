// Which buffer a memref is a part of and where in it, and the pieces that ops take of memrefs.
#include "airlite/analysis/Access.hpp"
#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <algorithm>

namespace airlite::analysis {

// -- Where a memref is ----------------------------------------------------------------------------

Buffer AccessReader::bufferOf(Value memref) { return placeOf(memref).buffer; }

const AccessReader::Place& AccessReader::placeOf(Value memref) {
  auto known = places_.find(memref);
  if (known != places_.end()) return known->second;
  // A chain of that many views is a program made to be slow.
  constexpr unsigned kDeepest = 1000;
  Place place{Buffer::any(), std::nullopt};
  ++depth_;
  if (depth_ < kDeepest) place = findPlace(memref);
  --depth_;
  return places_[memref] = std::move(place);
}

AccessReader::Place AccessReader::findPlace(Value memref) {
  return memref.isBlockArgument() ? placeOfArgument(memref)
                                  : placeOfResult(*memref.definingOp(), memref);
}

AccessReader::Place AccessReader::placeOfArgument(Value memref) {
  Block& block = *memref.argumentBlock();
  Operation* owner = block.parentOp();
  if (!owner || !block.isEntry()) return {Buffer::any(), std::nullopt};
  if (owner->hasTrait(Trait::Function)) return {Buffer{memref}, LinearSum()};
  if (air::HierarchyOp hierarchy = air::asHierarchy(owner)) {
    Value outside = hierarchy.tiedOperand(memref);
    return outside ? placeOf(outside) : Place{Buffer::any(), std::nullopt};
  }
  scf::ForOp loop = dynCast<scf::ForOp>(owner);
  if (!loop || memref.index() == 0) return {Buffer::any(), std::nullopt};
  // One buffer only when the loop hands on what it got.
  unsigned i = memref.index() - 1;
  if (loop.yielded(i) != memref) return {Buffer::any(), std::nullopt};
  return placeOf(loop.initArgs()[i]);
}

AccessReader::Place AccessReader::placeOfResult(Operation& op, Value memref) {
  if (op.hasTrait(Trait::ViewLike) || op.is("memref.assume_alignment"))
    return placeOfView(op, placeOf(op.operand(0)));
  if (isa<air::ExecuteOp>(&op)) return placeOfExecuted(op, memref);
  if (isa<memref::GetGlobalOp>(&op)) {
    std::string name(memref::GetGlobalOp(&op).name().root());
    Value first = globals_.try_emplace(name, memref).first->second;
    return {Buffer{first, Buffer::Kind::Global}, LinearSum()};
  }
  if (scf::ForOp loop = dynCast<scf::ForOp>(&op)) {
    Value argument = loop.regionIterArg(memref.index());
    return loop.yielded(memref.index()) == argument ? placeOf(loop.initArgs()[memref.index()])
                                                    : Place{Buffer::any(), std::nullopt};
  }
  std::vector<EffectInstance> effects;
  bool allocates = effectsOf(op, effects) &&
                   std::any_of(effects.begin(), effects.end(), [&](const EffectInstance& effect) {
                     return effect.effect == Effect::Allocate && effect.value == memref;
                   });
  if (allocates) return {Buffer{memref}, LinearSum()};
  return {Buffer::any(), std::nullopt};
}

AccessReader::Place AccessReader::placeOfExecuted(Operation& execute, Value memref) {
  Operation* terminator = execute.region().front().terminator();
  bool has = memref.index() > 0 && terminator && memref.index() <= terminator->numOperands();
  if (!has) return {Buffer::any(), std::nullopt};
  return placeOf(terminator->operand(memref.index() - 1));
}

namespace {

std::optional<StridedForm> staticForm(Type type) {
  MemRefType memref = type.dynCast<MemRefType>();
  return memref ? memref.stridedForm() : std::nullopt;
}

/// Views whose first element is that of their source.
bool keepsStart(const Operation& op) {
  return op.is("memref.cast") || op.is("memref.memory_space_cast") || op.is("memref.transpose") ||
         op.is("memref.expand_shape") || op.is("memref.collapse_shape") ||
         op.is("memref.reshape") || op.is("memref.assume_alignment");
}

}  // namespace

AccessReader::Place AccessReader::placeOfView(Operation& op, Place source) {
  if (keepsStart(op) || !source.start) return source;
  std::optional<LinearSum> start = std::exchange(source.start, std::nullopt);
  if (isa<memref::ReinterpretCastOp>(&op)) {
    // Counts from where the allocation begins, which is known of buffers without an offset.
    std::optional<StridedForm> form =
        source.buffer.isKnown() ? staticForm(source.buffer.value.type()) : std::nullopt;
    std::vector<memref::MixedIndex> offsets = memref::ReinterpretCastOp(&op).offsets();
    if (!form || form->offset != 0 || offsets.size() != 1) return source;
    source.start =
        offsets[0].value ? indices_.read(offsets[0].value) : LinearSum{offsets[0].constant, {}};
    return source;
  }
  memref::SubViewOp view = dynCast<memref::SubViewOp>(&op);
  std::optional<StridedForm> form = view ? staticForm(view.source().type()) : std::nullopt;
  std::vector<memref::MixedIndex> offsets =
      form ? view.offsets() : std::vector<memref::MixedIndex>();
  if (!form || offsets.size() != form->strides.size()) return source;
  for (size_t i = 0; i < offsets.size(); ++i) {
    LinearSum offset =
        offsets[i].value ? indices_.read(offsets[i].value) : LinearSum{offsets[i].constant, {}};
    if (offset == LinearSum()) continue;
    if (form->strides[i] == kDynamic || !start->add(offset, form->strides[i])) return source;
  }
  source.start = std::move(start);
  return source;
}

// -- Pieces ---------------------------------------------------------------------------------------

namespace {

constexpr int64_t kLargestStride = int64_t{1} << 50;

bool isUsable(int64_t count, int64_t stride) {
  return count >= 0 && count <= kLargestStride && stride <= kLargestStride &&
         stride >= -kLargestStride;
}

}  // namespace

/// `region` counts from the first element of `memref`; the result from that of its buffer.
std::optional<StridedRegion> AccessReader::placed(Value memref, StridedRegion region) {
  const Place& place = placeOf(memref);
  if (!place.start || !region.start.add(*place.start, 1)) return std::nullopt;
  return region;
}

std::optional<StridedRegion> AccessReader::wholeOf(Value memref) {
  if (bufferOf(memref).value == memref) return std::nullopt;
  MemRefType type = memref.type().dynCast<MemRefType>();
  std::optional<StridedForm> form = staticForm(memref.type());
  // A memref without dimensions that is a view is handed to kernels as a bare pointer.
  if (!form || type.rank() == 0) return std::nullopt;
  StridedRegion region;
  for (size_t i = 0; i < form->strides.size(); ++i) {
    int64_t size = type.shape()[i];
    if (size == kDynamic || form->strides[i] == kDynamic) return std::nullopt;
    if (!isUsable(size, form->strides[i])) return std::nullopt;
    region.dims.push_back({size, form->strides[i]});
  }
  return placed(memref, std::move(region));
}

std::optional<StridedRegion> AccessReader::elementsOf(Value memref) {
  if (bufferOf(memref).value != memref) return wholeOf(memref);
  MemRefType type = memref.type().dynCast<MemRefType>();
  std::optional<StridedForm> form = staticForm(memref.type());
  if (!form || form->offset != 0) return std::nullopt;
  StridedRegion region;
  for (size_t i = 0; i < form->strides.size(); ++i) {
    if (type.shape()[i] == kDynamic || form->strides[i] == kDynamic) return std::nullopt;
    region.dims.push_back({type.shape()[i], form->strides[i]});
  }
  return region;
}

/// One element at `indices`, or a vector of that shape along the last dimensions.
std::optional<StridedRegion> AccessReader::regionOfIndices(Value memref,
                                                           std::span<const LinearSum> indices,
                                                           std::span<const int64_t> shape) {
  std::optional<StridedForm> form = staticForm(memref.type());
  size_t rank = form ? form->strides.size() : 0;
  if (!form || indices.size() != rank || shape.size() > rank) return std::nullopt;
  StridedRegion region;
  for (size_t i = 0; i < rank; ++i) {
    bool isVector = i + shape.size() >= rank;
    bool isNeeded = isVector || indices[i] != LinearSum();
    if (form->strides[i] == kDynamic && isNeeded) return std::nullopt;
    if (form->strides[i] != kDynamic && !region.start.add(indices[i], form->strides[i]))
      return std::nullopt;
    int64_t count = isVector ? shape[i + shape.size() - rank] : 1;
    if (isVector && !isUsable(count, form->strides[i])) return std::nullopt;
    if (isVector) region.dims.push_back({count, form->strides[i]});
  }
  return placed(memref, std::move(region));
}

std::optional<StridedRegion> AccessReader::regionAt(Value memref, OperandRange indices,
                                                    std::span<const int64_t> shape) {
  std::vector<LinearSum> sums;
  for (Value index : indices)
    sums.push_back(indices_.read(index));
  return regionOfIndices(memref, sums, shape);
}

namespace {

/// Shape of the vector that a vector op moves; null when it is not fixed.
std::optional<std::span<const int64_t>> vectorShape(Operation& op, AccessKind kind) {
  Type type = kind == AccessKind::Write ? op.operand(0).type() : op.result().type();
  VectorType vector = type.dynCast<VectorType>();
  return vector ? std::optional(vector.shape()) : std::nullopt;
}

/// The map takes the last dimensions in their order.
bool isMinorIdentity(Operation& op) {
  AffineMapAttr map = op.attrOf<AffineMapAttr>("permutation_map");
  if (!map) return true;
  unsigned results = map.value().numResults(), dims = map.value().numDims();
  for (unsigned i = 0; i < results; ++i)
    if (map.value().result(i) != AffineExpr::dim(op.context(), dims - results + i)) return false;
  return true;
}

bool movesVector(const Operation& op) {
  return op.is("vector.load") || op.is("vector.store") || op.is("vector.transfer_read") ||
         op.is("vector.transfer_write");
}

}  // namespace

std::optional<StridedRegion> AccessReader::regionOfMap(affine::AccessOp op) {
  affine::Application access = op.access();
  std::vector<LinearSum> sums;
  for (AffineExpr expr : access.map.results()) {
    std::optional<LinearSum> sum = indices_.readExpr(expr, access.dims(), access.symbols());
    if (!sum) return wholeOf(op.memref());
    sums.push_back(*sum);
  }
  return regionOfIndices(op.memref(), sums, {});
}

/// What `op` takes of the memref, as a refinement of its effect on it.
std::optional<StridedRegion> AccessReader::regionOf(Operation& op, const EffectInstance& effect) {
  bool isAccess = effect.effect == Effect::Read || effect.effect == Effect::Write;
  if (!isAccess) return std::nullopt;  // it is made or freed as a whole
  Value memref = effect.value;
  AccessKind kind = effect.effect == Effect::Read ? AccessKind::Read : AccessKind::Write;
  if (isa<air::DmaMemcpyNdOp>(&op) || isa<air::ChannelPutOp>(&op) || isa<air::ChannelGetOp>(&op))
    return regionOfLists(op, kind);
  if (memref::LoadOp load = dynCast<memref::LoadOp>(&op))
    return regionAt(memref, load.indices(), {});
  if (memref::StoreOp store = dynCast<memref::StoreOp>(&op))
    return regionAt(memref, store.indices(), {});
  if (isa<affine::LoadOp>(&op) || isa<affine::StoreOp>(&op))
    return regionOfMap(affine::AccessOp(&op));
  if (movesVector(op)) {
    auto shape = vectorShape(op, kind);
    if (!shape || !isMinorIdentity(op)) return wholeOf(memref);
    return regionAt(memref, op.operandGroup("indices"), *shape);
  }
  return wholeOf(memref);
}

namespace {

/// Accesses to elements that are told by indices, all of them there.
bool isElementAccess(const Operation& op) {
  return op.is("memref.load") || op.is("memref.store") || op.is("affine.load") ||
         op.is("affine.store") || op.is("vector.load") || op.is("vector.store");
}

air::Access listsOf(Operation& op, AccessKind kind) {
  if (!isa<air::DmaMemcpyNdOp>(&op)) return air::ChannelAccessOp(&op).access();
  air::DmaMemcpyNdOp dma(&op);
  return kind == AccessKind::Write ? dma.dst() : dma.src();
}

}  // namespace

/// The region is what is touched, and not only where that is: transfers and single accesses say
/// which elements, what does not must be a computation on all of a memref.
bool AccessReader::touchesAll(Operation& op, const EffectInstance& effect) {
  if (effect.effect != Effect::Read && effect.effect != Effect::Write) return true;
  std::optional<StridedRegion> region = regionOf(op, effect);
  bool isBounded = region && std::none_of(region->dims.begin(), region->dims.end(),
                                          [](StridedDim dim) { return dim.count == kUnbounded; });
  AccessKind kind = effect.effect == Effect::Read ? AccessKind::Read : AccessKind::Write;
  bool isTransfer =
      isa<air::DmaMemcpyNdOp>(&op) || isa<air::ChannelPutOp>(&op) || isa<air::ChannelGetOp>(&op);
  if (isTransfer && !listsOf(op, kind).isWhole()) return isBounded;
  if (isElementAccess(op)) return isBounded;
  bool isWhole = isTransfer || op.is("memref.copy") || op.name().substr(0, 7) == "linalg.";
  bool isWholeBuffer = bufferOf(effect.value).value == effect.value;
  return isWhole && (isWholeBuffer || isBounded);
}

LinearSum AccessReader::readEntry(const air::IndexEntry& entry) {
  return entry.value ? indices_.read(entry.value) : LinearSum{entry.constant, {}};
}

/// Sizes and strides of a transfer; null when a stride is not known.
std::optional<std::vector<StridedDim>> AccessReader::dimsOf(const air::Access& access) {
  if (access.sizes.size() != access.strides.size()) return std::nullopt;
  std::vector<StridedDim> dims;
  for (size_t i = 0; i < access.strides.size(); ++i) {
    LinearSum stride = readEntry(access.strides[i]), size = readEntry(access.sizes[i]);
    int64_t count = size.isConstant() ? size.constant : kUnbounded;
    if (!stride.isConstant() || !isUsable(size.isConstant() ? count : 0, stride.constant))
      return std::nullopt;
    dims.push_back({count, stride.constant});
  }
  return dims;
}

/// The lists of a transfer. As many offsets, sizes and strides: element offset is the sum of offset
/// times stride. Otherwise, with an offset for each dimension of the memref: coordinates.
std::optional<StridedRegion> AccessReader::regionOfLists(Operation& op, AccessKind kind) {
  air::Access access = listsOf(op, kind);
  if (op.hasAttr("pad_before") || op.hasAttr("pad_after")) return std::nullopt;
  if (access.isWhole()) return wholeOf(access.memref);
  std::optional<std::vector<StridedDim>> dims = dimsOf(access);
  if (!dims) return std::nullopt;
  std::vector<int64_t> strides;
  for (const StridedDim& dim : *dims)
    strides.push_back(dim.stride);
  if (!access.offsets.empty() && access.offsets.size() != strides.size()) {
    std::optional<StridedForm> form = staticForm(access.memref.type());
    if (!form || form->strides.size() != access.offsets.size()) return std::nullopt;
    strides = form->strides;
  }
  StridedRegion region{LinearSum(), std::move(*dims)};
  for (size_t i = 0; i < access.offsets.size(); ++i) {
    LinearSum offset = readEntry(access.offsets[i]);
    if (offset == LinearSum()) continue;
    if (strides[i] == kDynamic || !region.start.add(offset, strides[i])) return std::nullopt;
  }
  return placed(access.memref, std::move(region));
}

}  // namespace airlite::analysis
