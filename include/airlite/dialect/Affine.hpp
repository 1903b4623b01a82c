// Typed views of the affine dialect, and which values may be a dim or symbol of its ops.
//
//   affine::Application sum{map, operands};
//   affine::composeAndSimplify(sum);  // what computes its operands is part of its map now
#pragma once

#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace airlite::affine {

/// A map with what it is applied to: dims, then symbols.
struct Application {
  AffineMap map;
  std::vector<Value> operands;

  std::span<const Value> dims() const { return std::span(operands).first(map.numDims()); }
  std::span<const Value> symbols() const { return std::span(operands).subspan(map.numDims()); }
  bool operator==(const Application&) const = default;
};

/// Body of the nearest op around `op` that has the trait AffineScope; null when there is none.
Region* affineScope(Operation* op);
/// `value` is an index that may be a dim of an affine op: a symbol, a loop variable of affine.for
/// or affine.parallel, or an affine.apply of dims.
bool isValidDim(Value value);
bool isValidDim(Value value, Region* scope);
/// `value` is an index that does not change in its affine scope: defined at its top, a constant, an
/// affine.apply of symbols, or the size of such a memref.
bool isValidSymbol(Value value);
bool isValidSymbol(Value value, Region* scope);

/// Writes affine.apply operands into the map as long as there are some, folds constant operands
/// in, turns dims that are valid symbols into symbols, drops unused and repeated operands and
/// simplifies the results. Returns true when something changed.
bool composeAndSimplify(Application& application);
/// An equal expression as a sum: dims, symbols, divisions and products in the order of their
/// positions, then the constant. What is not affine is kept as it is.
AffineExpr simplifyExpr(AffineExpr expr, unsigned numDims, unsigned numSymbols);
AffineMap simplifyMap(AffineMap map);
/// The same for a set and its operands.
bool composeAndSimplify(IntegerSet& set, std::vector<Value>& operands);

/// Computes `expr` with arith operations on index, rounding towards minus infinity (towards plus
/// infinity for ceildiv) whatever the sign of the left side. The right side of a division must be
/// positive; null, reported at `location`, when it is a constant that is not.
Value expandExpr(Builder& builder, Location location, AffineExpr expr, std::span<const Value> dims,
                 std::span<const Value> symbols);
/// Each result of the map; empty after a reported error.
std::optional<std::vector<Value>> expandMap(Builder& builder, Location location,
                                            const Application& application);

class YieldOp : public OpView {
 public:
  using OpView::OpView;
  OperandRange values() const { return op_->operands(); }
};

/// affine.apply, affine.min and affine.max.
class MapOp : public OpView {
 public:
  using OpView::OpView;
  AffineMap map() const { return op_->attrOf<AffineMapAttr>("map").value(); }
  OperandRange mapOperands() const { return op_->operands(); }
  Application application() const { return {map(), mapOperands().vec()}; }
};
class ApplyOp : public MapOp {
 public:
  using MapOp::MapOp;
  static ApplyOp create(Builder& builder, Location location, const Application& application);
};
class MinOp : public MapOp {
 public:
  using MapOp::MapOp;
};
class MaxOp : public MapOp {
 public:
  using MapOp::MapOp;
};

class ForOp : public OpView {
 public:
  using OpView::OpView;
  AffineMap lowerBoundMap() const { return op_->attrOf<AffineMapAttr>("lowerBoundMap").value(); }
  AffineMap upperBoundMap() const { return op_->attrOf<AffineMapAttr>("upperBoundMap").value(); }
  OperandRange lowerBoundOperands() const { return op_->operandGroup(0u); }
  OperandRange upperBoundOperands() const { return op_->operandGroup(1u); }
  OperandRange inits() const { return op_->operandGroup(2u); }
  Application lowerBound() const { return {lowerBoundMap(), lowerBoundOperands().vec()}; }
  Application upperBound() const { return {upperBoundMap(), upperBoundOperands().vec()}; }
  int64_t step() const { return op_->attrOf<IntegerAttr>("step").value(); }
  Region& region() const { return op_->region(0); }
  Block& body() const { return region().front(); }
  Value inductionVar() const { return body().argument(0); }
  Value regionIterArg(unsigned i) const { return body().argument(i + 1); }
  YieldOp yield() const { return YieldOp(&body().back()); }
  std::optional<int64_t> constantLowerBound() const;
  std::optional<int64_t> constantUpperBound() const;
  /// Times that the body runs when both bounds are constant.
  std::optional<int64_t> tripCount() const;
  /// Without inits the body ends with an empty affine.yield, otherwise the caller adds the yield.
  static ForOp create(Builder& builder, Location location, const Application& lower,
                      const Application& upper, int64_t step, std::span<const Value> inits = {});
};

class ParallelOp : public OpView {
 public:
  using OpView::OpView;
  unsigned numDims() const { return op_->attrOf<ArrayAttr>("steps").size(); }
  AffineMap lowerBoundsMap() const { return op_->attrOf<AffineMapAttr>("lowerBoundsMap").value(); }
  AffineMap upperBoundsMap() const { return op_->attrOf<AffineMapAttr>("upperBoundsMap").value(); }
  OperandRange lowerBoundsOperands() const {
    return op_->operands().slice(0, lowerBoundsMap().numInputs());
  }
  OperandRange upperBoundsOperands() const {
    return op_->operands().slice(lowerBoundsMap().numInputs(), upperBoundsMap().numInputs());
  }
  /// The results of the bound map that belong to dim `i`: the bound is their max (min).
  Application lowerBound(unsigned i) const;
  Application upperBound(unsigned i) const;
  int64_t step(unsigned i) const;
  /// How result `i` is combined, as arith::AtomicRMWKind numbers it ("addf" is 0).
  int64_t reduction(unsigned i) const;
  Region& region() const { return op_->region(0); }
  Block& body() const { return region().front(); }
  Value inductionVar(unsigned i) const { return body().argument(i); }
};

class IfOp : public OpView {
 public:
  using OpView::OpView;
  IntegerSet condition() const { return op_->attrOf<IntegerSetAttr>("condition").value(); }
  OperandRange setOperands() const { return op_->operands(); }
  Region& thenRegion() const { return op_->region(0); }
  Region& elseRegion() const { return op_->region(1); }
  Block& thenBlock() const { return thenRegion().front(); }
  bool hasElse() const { return !elseRegion().empty(); }
  Block& elseBlock() const { return elseRegion().front(); }
};

/// An op that accesses a memref at a map of its operands: affine.load, store, vector_load,
/// vector_store, prefetch. The memref is operand `memrefIndex()`, what follows are map operands.
class AccessOp : public OpView {
 public:
  using OpView::OpView;
  unsigned memrefIndex() const;
  Value memref() const { return op_->operand(memrefIndex()); }
  MemRefType memrefType() const { return memref().type().cast<MemRefType>(); }
  AffineMap map() const { return op_->attrOf<AffineMapAttr>("map").value(); }
  OperandRange mapOperands() const {
    return op_->operands().slice(memrefIndex() + 1, op_->numOperands() - memrefIndex() - 1);
  }
  Application access() const { return {map(), mapOperands().vec()}; }
};
class LoadOp : public AccessOp {
 public:
  using AccessOp::AccessOp;
  Value result() const { return op_->result(); }
};
class StoreOp : public AccessOp {
 public:
  using AccessOp::AccessOp;
  Value value() const { return op_->operand(0); }
};
class VectorLoadOp : public AccessOp {
 public:
  using AccessOp::AccessOp;
  Value result() const { return op_->result(); }
};
class VectorStoreOp : public AccessOp {
 public:
  using AccessOp::AccessOp;
  Value value() const { return op_->operand(0); }
};
class PrefetchOp : public AccessOp {
 public:
  using AccessOp::AccessOp;
};

/// The basis of affine.delinearize_index and affine.linearize_index: the outermost first.
class DelinearizeIndexOp : public OpView {
 public:
  using OpView::OpView;
  Value linearIndex() const { return op_->operand(0); }
  OperandRange dynamicBasis() const { return op_->operands().slice(1, op_->numOperands() - 1); }
  /// kDynamic where there is a dynamic operand.
  std::vector<int64_t> staticBasis() const;
  /// The first basis element bounds the index but divides nothing.
  bool hasOuterBound() const { return staticBasis().size() == op_->numResults(); }
};
class LinearizeIndexOp : public OpView {
 public:
  using OpView::OpView;
  OperandRange multiIndex() const { return op_->operandGroup(0u); }
  OperandRange dynamicBasis() const { return op_->operandGroup(1u); }
  std::vector<int64_t> staticBasis() const;
  bool hasOuterBound() const { return staticBasis().size() == multiIndex().size(); }
};

/// A transfer with a tag to wait on. Operands: source, its map operands, destination, its map
/// operands, tag, its map operands, number of elements, optionally stride and elements per stride.
class DmaStartOp : public OpView {
 public:
  using OpView::OpView;
  AffineMap map(std::string_view name) const { return op_->attrOf<AffineMapAttr>(name).value(); }
  unsigned sourceIndex() const { return 0; }
  unsigned destIndex() const { return 1 + map("src_map").numInputs(); }
  unsigned tagIndex() const { return destIndex() + 1 + map("dst_map").numInputs(); }
  unsigned numElementsIndex() const { return tagIndex() + 1 + map("tag_map").numInputs(); }
  bool isStrided() const { return op_->numOperands() == numElementsIndex() + 3; }
};
class DmaWaitOp : public OpView {
 public:
  using OpView::OpView;
  AffineMap tagMap() const { return op_->attrOf<AffineMapAttr>("tag_map").value(); }
  unsigned numElementsIndex() const { return 1 + tagMap().numInputs(); }
};

}  // namespace airlite::affine
