#include "BoundDemands.hpp"

#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Vector.hpp"

namespace airlite::analysis {

namespace {

IndexTerm numberTerm(int64_t number) { return {{number, Value()}, {}, {}, {}}; }
IndexTerm entryTerm(const air::IndexEntry& entry) { return {entry, {}, {}, {}}; }
IndexTerm valueTerm(Value value) { return entryTerm({0, value}); }
IndexTerm mixedTerm(const memref::MixedIndex& index) {
  return index.isConstant() ? numberTerm(index.constant) : valueTerm(index.value);
}

std::vector<IndexTerm> termsOf(OperandRange values) {
  std::vector<IndexTerm> terms;
  for (Value value : values)
    terms.push_back(valueTerm(value));
  return terms;
}

std::vector<IndexTerm> termsOf(const affine::Application& application) {
  std::vector<IndexTerm> terms;
  for (AffineExpr expr : application.map.results())
    terms.push_back({{},
                     expr,
                     {application.dims().begin(), application.dims().end()},
                     {application.symbols().begin(), application.symbols().end()}});
  return terms;
}

/// One demand for each dimension: from its index as many elements as `counts` says.
std::vector<BoundDemand> ofIndices(Operation& op, Value memref, const std::vector<IndexTerm>& terms,
                                   const std::vector<int64_t>& counts, bool isWrite) {
  std::vector<BoundDemand> demands;
  for (unsigned i = 0; i < terms.size(); ++i) {
    BoundDemand demand{&op, memref, i, {}, isWrite};
    demand.reach.start.push_back({terms[i], numberTerm(1)});
    if (counts[i] > 1) demand.reach.dims.push_back({numberTerm(counts[i]), numberTerm(1)});
    demands.push_back(std::move(demand));
  }
  return demands;
}

std::vector<int64_t> ones(size_t rank) { return std::vector<int64_t>(rank, 1); }

/// Elements along the last dimensions that a vector has; single elements otherwise.
std::vector<int64_t> minorCounts(size_t rank, Type moved, Type memref) {
  std::vector<int64_t> counts = ones(rank);
  VectorType vector = moved.dynCast<VectorType>();
  if (!vector || memref.cast<MemRefType>().elementType() == moved) return counts;
  const size_t dims = vector.shape().size();
  for (size_t i = 0; i < dims && dims <= rank; ++i)
    counts[rank - dims + i] = vector.shape()[i];
  return counts;
}

/// Dimensions in which the program says that all is there.
std::vector<BoundDemand> ofTransfer(Operation& op) {
  vector::TransferOp transfer(&op);
  if (!transfer.source().type().isa<MemRefType>() || transfer.mask()) return {};
  const std::vector<IndexTerm> terms = termsOf(transfer.indices());
  std::vector<int64_t> counts = ones(terms.size());
  std::vector<bool> isOpen(terms.size(), false);
  const AffineMap map = transfer.permutationMap();
  for (unsigned d = 0; d < map.numResults(); ++d) {
    if (map.result(d).kind() != AffineKind::Dim) continue;
    const unsigned dim = map.result(d).position();
    counts[dim] = transfer.vectorType().shape()[d];
    if (!transfer.isInBounds(d)) isOpen[dim] = true;
  }
  std::vector<BoundDemand> demands;
  for (BoundDemand& demand : ofIndices(op, transfer.source(), terms, counts, !transfer.isRead()))
    if (!isOpen[*demand.dim]) demands.push_back(std::move(demand));
  return demands;
}

std::vector<BoundDemand> ofSubView(Operation& op) {
  memref::SubViewOp view(&op);
  const auto offsets = view.offsets(), sizes = view.sizes(), strides = view.strides();
  std::vector<BoundDemand> demands;
  for (unsigned i = 0; i < offsets.size(); ++i) {
    BoundDemand demand{&op, view.source(), i, {}, false};
    demand.reach.start.push_back({mixedTerm(offsets[i]), numberTerm(1)});
    demand.reach.dims.push_back({mixedTerm(sizes[i]), mixedTerm(strides[i])});
    demands.push_back(std::move(demand));
  }
  return demands;
}

/// The strides that the type of a memref states; none where one is open.
std::optional<std::vector<int64_t>> statedStrides(Value memref) {
  const MemRefType type = memref.type().dynCast<MemRefType>();
  const auto form = type ? type.stridedForm() : std::nullopt;
  if (!form) return std::nullopt;
  for (int64_t stride : form->strides)
    if (stride == kDynamic) return std::nullopt;
  return form->strides;
}

/// The lists of a transfer (Air.hpp): offsets count in strides of the list where there are as many,
/// else in those of the memref.
void addLists(Operation& op, const air::Access& access, bool isWrite,
              std::vector<BoundDemand>& demands) {
  if (access.isWhole() || access.sizes.size() != access.strides.size()) return;
  BoundDemand demand{&op, access.memref, std::nullopt, {}, isWrite};
  const bool ownOffsets = access.offsets.size() == access.strides.size();
  const auto stated = ownOffsets ? std::nullopt : statedStrides(access.memref);
  const bool isRanked = stated && stated->size() == access.offsets.size();
  if (!ownOffsets && !access.offsets.empty() && !isRanked) return;
  for (size_t i = 0; i < access.offsets.size(); ++i)
    demand.reach.start.push_back({entryTerm(access.offsets[i]), ownOffsets
                                                                    ? entryTerm(access.strides[i])
                                                                    : numberTerm((*stated)[i])});
  for (size_t i = 0; i < access.sizes.size(); ++i)
    demand.reach.dims.push_back({entryTerm(access.sizes[i]), entryTerm(access.strides[i])});
  demands.push_back(std::move(demand));
}

std::vector<BoundDemand> ofLists(Operation& op) {
  std::vector<BoundDemand> demands;
  if (isa<air::DmaMemcpyNdOp>(&op)) {
    addLists(op, air::DmaMemcpyNdOp(&op).src(), false, demands);
    addLists(op, air::DmaMemcpyNdOp(&op).dst(), true, demands);
    return demands;
  }
  const air::ChannelAccessOp transfer(&op);
  addLists(op, transfer.access(), !transfer.isPut(), demands);
  return demands;
}

std::vector<BoundDemand> ofAffine(Operation& op) {
  const affine::AccessOp access(&op);
  const bool isWrite = op.numResults() == 0;
  const Type moved = isWrite ? op.operand(0).type() : op.result().type();
  const std::vector<IndexTerm> terms = termsOf(access.access());
  return ofIndices(op, access.memref(), terms,
                   minorCounts(terms.size(), moved, access.memref().type()), isWrite);
}

}  // namespace

std::vector<BoundDemand> boundDemands(Operation& op) {
  if (memref::LoadOp load = dynCast<memref::LoadOp>(&op))
    return ofIndices(op, op.operand(0), termsOf(load.indices()), ones(load.indices().size()),
                     false);
  if (memref::StoreOp store = dynCast<memref::StoreOp>(&op))
    return ofIndices(op, op.operand(1), termsOf(store.indices()), ones(store.indices().size()),
                     true);
  if (op.is("vector.load")) {
    const vector::LoadOp load(&op);
    const size_t rank = load.indices().size();
    return ofIndices(op, load.base(), termsOf(load.indices()),
                     minorCounts(rank, op.result().type(), load.base().type()), false);
  }
  if (op.is("vector.store")) {
    const vector::StoreOp store(&op);
    const size_t rank = store.indices().size();
    return ofIndices(op, store.base(), termsOf(store.indices()),
                     minorCounts(rank, store.value().type(), store.base().type()), true);
  }
  if (op.is("vector.transfer_read") || op.is("vector.transfer_write")) return ofTransfer(op);
  if (isa<affine::LoadOp>(&op) || isa<affine::StoreOp>(&op) || isa<affine::VectorLoadOp>(&op) ||
      isa<affine::VectorStoreOp>(&op))
    return ofAffine(op);
  if (isa<memref::SubViewOp>(&op)) return ofSubView(op);
  if (isa<air::DmaMemcpyNdOp>(&op) || isa<air::ChannelPutOp>(&op) || isa<air::ChannelGetOp>(&op))
    return ofLists(op);
  return {};
}

}  // namespace airlite::analysis
