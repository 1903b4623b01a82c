// Reads arithmetic as polynomials (see SymbolicValues.hpp): sums by LinearReader, the rest here.
#include "SymbolicValues.hpp"

#include "ChannelPlaces.hpp"
#include "ReceivedData.hpp"
#include "airlite/dialect/Arith.hpp"
#include "airlite/dialect/IndexValues.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace airlite::analysis {

namespace {

constexpr unsigned kDeepestSymbolic = 200;
/// Longest list of operands of what is an atom by its operands.
constexpr unsigned kMostOperands = 4;
/// Such ops of integers one upon the other: what uses each value twice doubles at each step.
constexpr unsigned kHighestPure = 8;

bool isCondition(Value value) {
  IntegerType integer = value.type().dynCast<IntegerType>();
  return integer && integer.width() == 1;
}

/// Of integers, but not of conditions and of index, which are what most of a program computes with.
std::string widthText(Type type) {
  const unsigned width = type.isIndex() ? 0 : numberWidth(type);
  return width > 1 ? " i" + std::to_string(width) : std::string();
}

}  // namespace

Polynomial SymbolicValues::read(Value value, unsigned depth) {
  if (auto known = known_.find(value); known != known_.end()) return known->second;
  if (depth > kDeepestSymbolic) return atoms_.of(value);
  Polynomial result;
  bool isNumber = value.type().isIndex() || value.type().isa<IntegerType>();
  if (isCondition(value) || !isNumber) {
    std::optional<int64_t> constant = isNumber ? constantIntOf(value) : std::nullopt;
    result = constant ? Polynomial::constant(*constant != 0) : readSymbol(value, depth + 1);
  } else {
    LinearSum sum = linear_.read(value);
    result = Polynomial::constant(sum.constant);
    for (const LinearSum::Term& term : sum.terms) {
      Polynomial symbol =
          term.symbol == value ? readSymbol(value, depth + 1) : read(term.symbol, depth + 1);
      result = atoms_.sum(result, symbol, term.coefficient);
    }
    if (!result.isKnown) result = atoms_.of(value);
  }
  known_[value] = result;
  return result;
}

/// What LinearReader does not follow.
Polynomial SymbolicValues::readSymbol(Value value, unsigned depth) {
  if (value.isBlockArgument()) {
    air::HierarchyOp level = air::asHierarchy(value.argumentBlock()->parentOp());
    Value outside = level ? level.tiedOperand(value) : Value();
    return outside ? read(outside, depth) : atoms_.of(value);
  }
  Operation& op = *value.definingOp();
  if (isa<air::ExecuteOp>(&op) && value.index() > 0) {
    Operation* end = op.region().front().terminator();
    bool has = end && value.index() <= end->numOperands();
    return has ? read(end->operand(value.index() - 1), depth) : atoms_.of(value);
  }
  std::optional<Polynomial> read = op.numResults() == 1 ? readOp(op, depth) : std::nullopt;
  return read && read->isKnown ? *read : atoms_.of(value);
}

std::optional<Polynomial> SymbolicValues::readOp(Operation& op, unsigned depth) {
  if (isCondition(op.result()))
    if (std::optional<Polynomial> logic = readLogic(op, depth)) return logic;
  if (op.result().type().isIndex())
    if (std::optional<Polynomial> index = readIndexOp(op, depth)) return index;
  if (op.is("memref.load")) return readReceived(op, depth);
  if (const auto number = op.attrOf<FloatAttr>("value"); number && op.is("arith.constant"))
    return atoms_.make(AtomKind::Pure, {}, fmt::format("{:a}", number.value()));
  return readPure(op, depth);
}

/// An element of one message: cores that get the same one read the same.
std::optional<Polynomial> SymbolicValues::readReceived(Operation& load, unsigned depth) {
  const std::optional<Received> data = findReceived(load);
  if (!data) return std::nullopt;
  const std::vector<int64_t> shape = shapeOf(data->get.channel(), true);
  const OperandRange indices = data->get.indices();
  std::vector<Polynomial> operands;
  for (unsigned i = 0; i < indices.size(); ++i)
    if (shape[shape.size() - indices.size() + i] != 1) operands.push_back(read(indices[i], depth));
  Polynomial round;
  for (const scf::ForOp loop : data->loops) {
    const Polynomial done = atoms_.make(
        AtomKind::FloorDiv,
        {atoms_.difference(read(loop.inductionVar(), depth), read(loop.lowerBound(), depth)),
         read(loop.step(), depth)});
    round = atoms_.sum(atoms_.product(round, Polynomial::constant(*loop.tripCount())), done);
  }
  operands.push_back(round);
  for (unsigned i = 1; i < load.numOperands(); ++i)
    operands.push_back(read(load.operand(i), depth));
  return atoms_.make(AtomKind::Pure, std::move(operands), "data of " + data->form());
}

std::optional<Polynomial> SymbolicValues::readIndexOp(Operation& op, unsigned depth) {
  auto in = [&](unsigned i) { return read(op.operand(i), depth); };
  if (op.is("arith.muli")) return atoms_.product(in(0), in(1));
  if (op.is("arith.minsi")) return atoms_.make(AtomKind::Min, {in(0), in(1)});
  if (op.is("arith.maxsi")) return atoms_.make(AtomKind::Max, {in(0), in(1)});
  if (op.is("arith.select")) {
    Polynomial condition = in(0);
    return atoms_.sum(atoms_.product(condition, in(1)),
                      atoms_.product(atoms_.negated(condition), in(2)));
  }
  if (isa<affine::ApplyOp>(&op)) {
    affine::Application application = affine::ApplyOp(&op).application();
    return readExpr(application.map.result(0), application.dims(), application.symbols(), depth);
  }
  if (isa<affine::MinOp>(&op) || isa<affine::MaxOp>(&op))
    return readExtreme(affine::MapOp(&op).application(), isa<affine::MaxOp>(&op), depth);
  bool isDivision = op.is("arith.divui") || op.is("arith.divsi") || op.is("arith.floordivsi") ||
                    op.is("arith.ceildivsi") || op.is("arith.ceildivui");
  bool isRest = op.is("arith.remui") || op.is("arith.remsi");
  if (!isDivision && !isRest) return std::nullopt;
  // Signed, unsigned, rounded down or to zero: the same where nothing is negative.
  std::optional<int64_t> divisor = in(1).asConstant();
  bool isExact = op.is("arith.floordivsi") || op.is("arith.ceildivsi");
  if (!divisor || *divisor <= 0 || !(isExact || atoms_.isNonNegative(in(0)))) return std::nullopt;
  bool isUp = op.is("arith.ceildivsi") || op.is("arith.ceildivui");
  return atoms_.make(isRest ? AtomKind::Mod
                     : isUp ? AtomKind::CeilDiv
                            : AtomKind::FloorDiv,
                     {in(0), in(1)});
}

std::optional<Polynomial> SymbolicValues::readLogic(Operation& op, unsigned depth) {
  if (isa<arith::CmpIOp>(&op)) return readCompare(op, depth);
  bool isKnown = op.is("arith.andi") || op.is("arith.ori") || op.is("arith.xori");
  if (!isKnown) return std::nullopt;
  Polynomial a = read(op.operand(0), depth), b = read(op.operand(1), depth);
  Polynomial both = atoms_.product(a, b);
  if (op.is("arith.andi")) return both;
  return atoms_.sum(atoms_.sum(a, b), both, op.is("arith.ori") ? -1 : -2);
}

Polynomial SymbolicValues::readCompare(Operation& op, unsigned depth) {
  arith::CmpIOp compare(&op);
  using Predicate = arith::CmpIPredicate;
  Predicate predicate = compare.predicate();
  Polynomial a = read(compare.lhs(), depth), b = read(compare.rhs(), depth);
  if (isCondition(compare.lhs())) return readPure(op, depth).value_or(Polynomial::unknown());
  bool isUnsigned = predicate >= Predicate::ult;
  if (isUnsigned && !(atoms_.isNonNegative(a) && atoms_.isNonNegative(b)))
    return readPure(op, depth).value_or(Polynomial::unknown());
  auto isBelow = [&](const Polynomial& x, const Polynomial& y) {
    return atoms_.make(AtomKind::Negative, {atoms_.difference(x, y)});
  };
  switch (predicate) {
    case Predicate::eq: return atoms_.make(AtomKind::Equal, {atoms_.difference(a, b)});
    case Predicate::ne:
      return atoms_.negated(atoms_.make(AtomKind::Equal, {atoms_.difference(a, b)}));
    case Predicate::slt:
    case Predicate::ult: return isBelow(a, b);
    case Predicate::sge:
    case Predicate::uge: return atoms_.negated(isBelow(a, b));
    case Predicate::sgt:
    case Predicate::ugt: return isBelow(b, a);
    case Predicate::sle:
    case Predicate::ule: return atoms_.negated(isBelow(b, a));
  }
  return Polynomial::unknown();
}

/// The same op on the same operands gives the same.
std::optional<Polynomial> SymbolicValues::readPure(Operation& op, unsigned depth) {
  Type type = op.result().type();
  bool isFit = (numberWidth(type) > 0 || type.isa<MemRefType>()) && isPure(op) &&
               op.numRegions() == 0 && op.numOperands() > 0 && op.numOperands() <= kMostOperands;
  if (!isFit) return std::nullopt;
  std::vector<Polynomial> operands;
  std::string name(op.name());
  for (Value operand : op.operands()) {
    operands.push_back(read(operand, depth));
    name += widthText(operand.type());
  }
  unsigned height = 0;
  for (Value operand : op.operands())
    if (const auto known = heights_.find(operand); known != heights_.end())
      height = std::max(height, known->second);
  if (!widthText(type).empty() && height >= kHighestPure) return std::nullopt;
  heights_[op.result()] = height + 1;
  if (const std::string width = widthText(type); !width.empty()) name += " to" + width;
  if (isa<arith::CmpIOp>(&op))
    name += " " + std::string(arith::predicateName(arith::CmpIOp(&op).predicate()));
  else if (!op.attributes().empty())
    return std::nullopt;
  return atoms_.make(AtomKind::Pure, std::move(operands), std::move(name));
}

// -- Affine ---------------------------------------------------------------------------------------

Polynomial SymbolicValues::readExpr(AffineExpr expr, std::span<const Value> dims,
                                    std::span<const Value> symbols, unsigned depth) {
  if (depth > kDeepestSymbolic) return Polynomial::unknown();
  if (std::optional<int64_t> constant = expr.constantValue())
    return Polynomial::constant(*constant);
  if (expr.kind() == AffineKind::Dim) return read(dims[expr.position()], depth + 1);
  if (expr.kind() == AffineKind::Symbol) return read(symbols[expr.position()], depth + 1);
  Polynomial a = readExpr(expr.lhs(), dims, symbols, depth + 1);
  Polynomial b = readExpr(expr.rhs(), dims, symbols, depth + 1);
  switch (expr.kind()) {
    case AffineKind::Add: return atoms_.sum(a, b);
    case AffineKind::Mul: return atoms_.product(a, b);
    case AffineKind::Mod: return atoms_.make(AtomKind::Mod, {a, b});
    case AffineKind::FloorDiv: return atoms_.make(AtomKind::FloorDiv, {a, b});
    default: return atoms_.make(AtomKind::CeilDiv, {a, b});
  }
}

Polynomial SymbolicValues::readExtreme(const affine::Application& application, bool isMax,
                                       unsigned depth) {
  std::vector<Polynomial> results;
  for (AffineExpr expr : application.map.results())
    results.push_back(readExpr(expr, application.dims(), application.symbols(), depth));
  if (results.size() == 1) return results[0];
  return atoms_.make(isMax ? AtomKind::Max : AtomKind::Min, std::move(results));
}

Polynomial SymbolicValues::trips(Value lower, Value upper, Value step) {
  return atoms_.make(AtomKind::Trips, {atoms_.difference(read(upper), read(lower)), read(step)});
}

Polynomial SymbolicValues::trips(affine::ForOp loop) {
  Polynomial lower = readExtreme(loop.lowerBound(), true, 0);
  Polynomial upper = readExtreme(loop.upperBound(), false, 0);
  return atoms_.make(AtomKind::Trips,
                     {atoms_.difference(upper, lower), Polynomial::constant(loop.step())});
}

Polynomial SymbolicValues::contains(affine::IfOp branch) {
  IntegerSet set = branch.condition();
  std::vector<Value> operands = branch.setOperands().vec();
  std::span<const Value> dims = std::span(operands).first(set.numDims());
  std::span<const Value> symbols = std::span(operands).subspan(set.numDims());
  Polynomial all = Polynomial::constant(1);
  for (unsigned i = 0; i < set.constraints().size(); ++i) {
    Polynomial value = readExpr(set.constraints()[i], dims, symbols, 0);
    bool isEqual = set.isEquality(i);
    Polynomial atom = atoms_.make(isEqual ? AtomKind::Equal : AtomKind::Negative, {value});
    all = atoms_.product(all, isEqual ? atom : atoms_.negated(atom));
  }
  return all;
}

Polynomial SymbolicValues::isEqual(Value value, int64_t number) {
  return atoms_.make(AtomKind::Equal,
                     {atoms_.difference(read(value), Polynomial::constant(number))});
}

}  // namespace airlite::analysis
