// Index arithmetic that folds what is known while it builds.
#include "IndexMath.hpp"

#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Arith.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <numeric>

namespace airlite::gpu {

Index::Index(Value v) {
  auto known = constantIntOf(v);
  if (known)
    constant = *known;
  else
    value = v;
}

Value IndexMath::value(Index index) const {
  return index.value ? index.value : builder_.constantIndex(location_, index.constant);
}

Value IndexMath::binary(std::string_view name, Index a, Index b) const {
  Value lhs = value(a), rhs = value(b);
  return builder_.create(location_, name, {lhs, rhs}, {builder_.indexType()})->result();
}

/// Wraps around, as arith does.
static int64_t wrap(uint64_t value) { return static_cast<int64_t>(value); }

Index IndexMath::add(Index a, Index b) const {
  uint64_t x = static_cast<uint64_t>(a.constant), y = static_cast<uint64_t>(b.constant);
  if (a.isConstant() && b.isConstant()) return Index(wrap(x + y));
  if (a.is(0)) return b;
  return b.is(0) ? a : Index(binary("arith.addi", a, b));
}

Index IndexMath::mul(Index a, Index b) const {
  uint64_t x = static_cast<uint64_t>(a.constant), y = static_cast<uint64_t>(b.constant);
  if (a.isConstant() && b.isConstant()) return Index(wrap(x * y));
  if (a.is(0) || b.is(0)) return Index(0);
  if (a.is(1)) return b;
  return b.is(1) ? a : Index(binary("arith.muli", a, b));
}

Index IndexMath::div(Index a, Index b) const {
  if (b.is(1)) return a;
  if (a.isConstant() && b.isConstant() && b.constant > 0) return Index(a.constant / b.constant);
  return Index(binary("arith.divui", a, b));
}

Index IndexMath::rem(Index a, Index b) const {
  if (b.is(1)) return Index(0);
  if (a.isConstant() && b.isConstant() && b.constant > 0) return Index(a.constant % b.constant);
  return Index(binary("arith.remui", a, b));
}

Value IndexMath::compare(arith::CmpIPredicate predicate, Index a, Index b) const {
  Attribute number = builder_.i64Attr(static_cast<int64_t>(predicate));
  Value lhs = value(a), rhs = value(b);
  return builder_
      .create(location_, "arith.cmpi", {lhs, rhs}, {builder_.intType(1)},
              {builder_.named("predicate", number)})
      ->result();
}

// -- Divisors -----------------------------------------------------------------------------------

namespace {

constexpr unsigned kMaxDepth = 16;
/// More than any vector access asks for.
constexpr int64_t kEnough = 1 << 16;

int64_t divisorOf(Value value, unsigned depth);

int64_t magnitude(int64_t value) { return value == INT64_MIN ? 1 : std::abs(value); }

int64_t product(int64_t a, int64_t b) { return std::gcd(a, kEnough) * std::gcd(b, kEnough); }

int64_t divisorOf(AffineExpr expr, std::span<const int64_t> dims,
                  std::span<const int64_t> symbols) {
  auto side = [&](AffineExpr e) { return divisorOf(e, dims, symbols); };
  switch (expr.kind()) {
    case AffineKind::Constant: return magnitude(expr.value());
    case AffineKind::Dim: return dims[expr.position()];
    case AffineKind::Symbol: return symbols[expr.position()];
    case AffineKind::Add: return std::gcd(side(expr.lhs()), side(expr.rhs()));
    case AffineKind::Mul: return product(side(expr.lhs()), side(expr.rhs()));
    case AffineKind::Mod: return std::gcd(side(expr.lhs()), side(expr.rhs()));
    default: return 1;
  }
}

int64_t divisorOfApply(Operation& op, unsigned depth) {
  AffineMap map = op.attrOf<AffineMapAttr>("map").value();
  if (map.numResults() != 1 || map.numInputs() != op.numOperands()) return 1;
  std::vector<int64_t> known;
  for (Value operand : op.operands())
    known.push_back(divisorOf(operand, depth + 1));
  std::span<const int64_t> all = known;
  return divisorOf(map.result(0), all.first(map.numDims()), all.subspan(map.numDims()));
}

int64_t divisorOfArgument(Value value, unsigned depth) {
  Operation* owner = value.argumentBlock()->parentOp();
  if (value.index() != 0 || !isa<scf::ForOp>(owner)) return 1;
  scf::ForOp loop(owner);
  return std::gcd(divisorOf(loop.lowerBound(), depth + 1), divisorOf(loop.step(), depth + 1));
}

int64_t divisorOf(Value value, unsigned depth) {
  if (auto constant = constantIntOf(value)) return magnitude(*constant);
  if (depth > kMaxDepth) return 1;
  Operation* op = value.definingOp();
  if (!op) return divisorOfArgument(value, depth);
  if (op->is("affine.apply")) return divisorOfApply(*op, depth);
  if (op->is("arith.index_cast")) return divisorOf(op->operand(0), depth + 1);
  bool sum = op->is("arith.addi") || op->is("arith.subi");
  if (!sum && !op->is("arith.muli")) return 1;
  int64_t lhs = divisorOf(op->operand(0), depth + 1), rhs = divisorOf(op->operand(1), depth + 1);
  return sum ? std::gcd(lhs, rhs) : product(lhs, rhs);
}

}  // namespace

int64_t knownDivisor(Value value) { return divisorOf(value, 0); }

int64_t knownDivisor(Index index) {
  return index.value ? knownDivisor(index.value) : magnitude(index.constant);
}

}  // namespace airlite::gpu
