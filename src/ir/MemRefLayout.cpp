// Strides and offset of memrefs: row-major, strided layouts and affine layouts that are linear.
#include "Storage.hpp"
#include "airlite/ir/Attribute.hpp"
#include "airlite/ir/Context.hpp"

namespace airlite {
namespace {

int64_t dynamicMul(int64_t a, int64_t b) {
  int64_t product;
  if (a == kDynamic || b == kDynamic || __builtin_mul_overflow(a, b, &product)) return kDynamic;
  return product;
}

int64_t constantOrDynamic(AffineExpr expr) { return expr.constantValue().value_or(kDynamic); }

StridedForm rowMajor(std::span<const int64_t> shape) {
  StridedForm form;
  form.strides.resize(shape.size());
  int64_t stride = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    form.strides[i] = stride;
    stride = dynamicMul(stride, shape[i]);
  }
  return form;
}

/// A linear expression taken apart: one (symbolic) factor per dim and a rest.
class LinearForm {
 public:
  LinearForm(Context& context, unsigned numDims)
      : rest(AffineExpr::constant(context, 0)), strides(numDims, rest) {}

  /// Adds `expr * factor`; false when it is not linear in the dims. Sums are walked along their
  /// left side, since they may be long; what stands on the right is as deep as brackets were.
  bool add(AffineExpr expr, AffineExpr factor) {
    for (; expr.kind() == AffineKind::Add; expr = expr.lhs())
      if (!add(expr.rhs(), factor)) return false;
    if (expr.isSymbolicOrConstant()) {
      rest = rest + expr * factor;
      return true;
    }
    if (expr.kind() == AffineKind::Dim) return addDim(expr.position(), factor);
    bool scaled = expr.kind() == AffineKind::Mul && expr.rhs().isSymbolicOrConstant();
    return scaled && add(expr.lhs(), factor * expr.rhs());
  }

  AffineExpr rest;
  std::vector<AffineExpr> strides;

 private:
  bool addDim(unsigned position, AffineExpr factor) {
    if (position >= strides.size()) return false;
    strides[position] = strides[position] + factor;
    return true;
  }
};

std::optional<StridedForm> fromLinearMap(AffineMap map) {
  LinearForm linear(map.context(), map.numDims());
  if (!linear.add(map.result(0), AffineExpr::constant(map.context(), 1))) return std::nullopt;
  StridedForm form;
  for (AffineExpr stride : linear.strides)
    form.strides.push_back(constantOrDynamic(stride));
  form.offset = constantOrDynamic(linear.rest);
  return form;
}

/// What is added to dim `dim` in `expr`; null when `expr` is anything else.
AffineExpr shiftOfDim(AffineExpr expr, unsigned dim) {
  AffineExpr theDim = AffineExpr::dim(expr.context(), dim);
  auto isTheDim = [theDim](AffineExpr e) { return e == theDim; };
  if (isTheDim(expr)) return AffineExpr::constant(expr.context(), 0);
  bool shifted =
      expr.kind() == AffineKind::Add && isTheDim(expr.lhs()) && expr.rhs().isSymbolicOrConstant();
  return shifted ? expr.rhs() : AffineExpr();
}

// `(d0 + s0, d1)`: rows further down the same row-major buffer. A shift of any other dim would
// widen the rows, so their strides would not follow from the shape.
std::optional<StridedForm> fromShiftedIdentity(AffineMap map, std::span<const int64_t> shape) {
  if (map.numResults() != shape.size()) return std::nullopt;
  StridedForm form = rowMajor(shape);
  for (unsigned i = 0; i < map.numResults(); ++i) {
    AffineExpr shift = shiftOfDim(map.result(i), i);
    if (!shift || (i > 0 && !shift.isConstant(0))) return std::nullopt;
    if (i == 0) form.offset = dynamicMul(constantOrDynamic(shift), form.strides[0]);
  }
  return form;
}

std::optional<StridedForm> fromMap(AffineMap map, std::span<const int64_t> shape) {
  if (map.numDims() != shape.size()) return std::nullopt;
  return map.numResults() == 1 ? fromLinearMap(map) : fromShiftedIdentity(map, shape);
}

}  // namespace

std::optional<StridedForm> MemRefType::stridedForm() const {
  Attribute attribute = layout();
  if (!attribute) return rowMajor(shape());
  if (auto map = attribute.dynCast<AffineMapAttr>()) return fromMap(map.value(), shape());
  auto strided = attribute.dynCast<StridedLayoutAttr>();
  if (!strided) return std::nullopt;
  return StridedForm{{strided.strides().begin(), strided.strides().end()}, strided.offset()};
}

bool MemRefType::hasIdentityLayout() const {
  if (!layout()) return true;
  std::optional<StridedForm> form = stridedForm();
  if (!form || form->offset != 0) return false;
  for (int64_t stride : form->strides)
    if (stride == kDynamic) return false;
  return form->strides == rowMajor(shape()).strides;
}

}  // namespace airlite
