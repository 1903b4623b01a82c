// Maps and sets with their operands: composition with affine.apply, constants, symbols, unused and
// repeated operands, and the usual form of expressions.
#include "AffineInternal.hpp"

#include <algorithm>
#include <numeric>

namespace airlite::affine {

// -- Expressions as sums -------------------------------------------------------------------------

namespace {

/// A sum of integer multiples. `terms` are what is not linear, in the order they were met.
struct LinearForm {
  std::vector<int64_t> inputs;  // coefficients of dims, then symbols
  struct Term {
    AffineExpr expr;
    int64_t factor;
  };
  std::vector<Term> terms;
  int64_t constant = 0;
  bool overflow = false;

  void addMultiple(const LinearForm& other, int64_t factor) {
    overflow = overflow || other.overflow;
    for (size_t i = 0; i < inputs.size(); ++i)
      accumulate(inputs[i], other.inputs[i], factor);
    for (const Term& term : other.terms)
      addTerm(term.expr, term.factor, factor);
    accumulate(constant, other.constant, factor);
  }
  void addTerm(AffineExpr expr, int64_t times, int64_t factor) {
    auto it = std::find_if(terms.begin(), terms.end(),
                           [&](const Term& term) { return term.expr == expr; });
    if (it == terms.end()) it = terms.insert(terms.end(), Term{expr, 0});
    accumulate(it->factor, times, factor);
  }
  void accumulate(int64_t& sum, int64_t value, int64_t factor) {
    int64_t product = 0;
    overflow = overflow || __builtin_mul_overflow(value, factor, &product) ||
               __builtin_add_overflow(sum, product, &sum);
  }
  bool isConstant() const {
    auto zero = [](int64_t c) { return c == 0; };
    return std::all_of(inputs.begin(), inputs.end(), zero) &&
           std::all_of(terms.begin(), terms.end(), [](const Term& t) { return t.factor == 0; });
  }
  /// The greatest divisor of `with` and of everything here.
  uint64_t commonDivisor(int64_t with) const {
    auto magnitude = [](int64_t v) {
      return v < 0 ? uint64_t{0} - static_cast<uint64_t>(v) : static_cast<uint64_t>(v);
    };
    uint64_t divisor = std::gcd(magnitude(with), magnitude(constant));
    for (int64_t c : inputs)
      divisor = std::gcd(divisor, magnitude(c));
    for (const Term& term : terms)
      divisor = std::gcd(divisor, magnitude(term.factor));
    return divisor;
  }
  void divideBy(int64_t divisor) {
    for (int64_t& c : inputs)
      c /= divisor;
    for (Term& term : terms)
      term.factor /= divisor;
    constant /= divisor;
  }
};

/// Brings an expression into a linear form and back.
class Linearizer {
 public:
  Linearizer(Context& context, unsigned numDims, unsigned numSymbols)
      : context_(context), numDims_(numDims), numSymbols_(numSymbols) {}

  AffineExpr simplify(AffineExpr expr) {
    LinearForm form = read(expr);
    return form.overflow ? expr : write(form);
  }

  LinearForm read(AffineExpr expr) {
    LinearForm form = zero();
    switch (expr.kind()) {
      case AffineKind::Constant: form.constant = expr.value(); break;
      case AffineKind::Dim: readInput(form, expr, expr.position()); break;
      case AffineKind::Symbol: readInput(form, expr, numDims_ + expr.position()); break;
      case AffineKind::Add:
        form = read(expr.lhs());
        form.addMultiple(read(expr.rhs()), 1);
        break;
      case AffineKind::Mul: form = readProduct(expr); break;
      default: form = readDivision(expr); break;
    }
    return form;
  }

  AffineExpr write(const LinearForm& form) {
    AffineExpr sum = AffineExpr::constant(context_, 0);
    for (unsigned i = 0; i < form.inputs.size(); ++i) {
      if (form.inputs[i] == 0) continue;
      AffineExpr input =
          i < numDims_ ? AffineExpr::dim(context_, i) : AffineExpr::symbol(context_, i - numDims_);
      sum = sum + input * form.inputs[i];
    }
    for (const LinearForm::Term& term : form.terms)
      if (term.factor != 0) sum = sum + term.expr * term.factor;
    return sum + form.constant;
  }

 private:
  LinearForm zero() const {
    LinearForm form;
    form.inputs.assign(numDims_ + numSymbols_, 0);
    return form;
  }
  void readInput(LinearForm& form, AffineExpr expr, unsigned position) {
    if (position < form.inputs.size())
      form.inputs[position] = 1;
    else
      form.addTerm(expr, 1, 1);
  }

  LinearForm term(AffineExpr expr) {
    LinearForm form = zero();
    form.addTerm(expr, 1, 1);
    return form;
  }

  LinearForm readProduct(AffineExpr expr) {
    LinearForm lhs = read(expr.lhs()), rhs = read(expr.rhs());
    LinearForm form = zero();
    if (rhs.isConstant())
      form.addMultiple(lhs, rhs.constant);
    else if (lhs.isConstant())
      form.addMultiple(rhs, lhs.constant);
    else if (lhs.overflow || rhs.overflow)
      form.overflow = true;
    else
      form = term(write(lhs) * write(rhs));
    return form;
  }

  /// mod becomes lhs - c * (lhs floordiv c); building the sum turns it back where it stands alone.
  LinearForm readDivision(AffineExpr expr) {
    LinearForm lhs = read(expr.lhs()), rhs = read(expr.rhs());
    bool plain = rhs.isConstant() && rhs.constant > 0 && !rhs.overflow && !lhs.overflow;
    if (!plain) {
      if (lhs.overflow || rhs.overflow) return lhs.overflow ? lhs : rhs;
      return term(AffineExpr::binary(expr.kind(), write(lhs), write(rhs)));
    }
    if (expr.kind() != AffineKind::Mod) return quotient(lhs, rhs.constant, expr.kind());
    LinearForm form = lhs;
    form.addMultiple(quotient(lhs, rhs.constant, AffineKind::FloorDiv), -rhs.constant);
    return form;
  }

  LinearForm quotient(LinearForm lhs, int64_t divisor, AffineKind kind) {
    auto common = static_cast<int64_t>(lhs.commonDivisor(divisor));
    lhs.divideBy(common);
    divisor /= common;
    if (divisor == 1) return lhs;
    AffineExpr by = AffineExpr::constant(context_, divisor);
    AffineExpr result = AffineExpr::binary(kind, write(lhs), by);
    // Building may have found something simpler; a division again is a term of its own.
    if (result.kind() == kind || !result.isBinary()) return atom(result);
    return read(result);
  }

  LinearForm atom(AffineExpr expr) {
    if (expr.isBinary()) return term(expr);
    return read(expr);
  }

  Context& context_;
  unsigned numDims_;
  unsigned numSymbols_;
};

bool isSimpleEnough(AffineExpr expr, unsigned& budget) {
  if (budget == 0) return false;
  --budget;
  if (!expr.isBinary()) return true;
  return isSimpleEnough(expr.lhs(), budget) && isSimpleEnough(expr.rhs(), budget);
}

}  // namespace

AffineExpr simplifyExpr(AffineExpr expr, unsigned numDims, unsigned numSymbols) {
  // Expressions share parts, so a short text may stand for a huge tree.
  unsigned budget = 4096;
  if (!isSimpleEnough(expr, budget)) return expr;
  return Linearizer(expr.context(), numDims, numSymbols).simplify(expr);
}

AffineMap simplifyMap(AffineMap map) {
  std::vector<AffineExpr> results;
  for (AffineExpr expr : map.results())
    results.push_back(simplifyExpr(expr, map.numDims(), map.numSymbols()));
  return AffineMap::get(map.context(), map.numDims(), map.numSymbols(), results);
}

std::optional<std::vector<int64_t>> linearCoefficients(AffineExpr expr, unsigned numDims,
                                                       unsigned numSymbols) {
  unsigned budget = 4096;
  if (!isSimpleEnough(expr, budget)) return std::nullopt;
  LinearForm form = Linearizer(expr.context(), numDims, numSymbols).read(expr);
  bool linear = std::all_of(form.terms.begin(), form.terms.end(),
                            [](const LinearForm::Term& term) { return term.factor == 0; });
  if (!linear || form.overflow) return std::nullopt;
  form.inputs.push_back(form.constant);
  return form.inputs;
}

// -- Operands ------------------------------------------------------------------------------------

namespace {

/// Expressions over operands that are being renumbered. Null operands are used by no expression.
struct Working {
  Context& context;
  std::vector<AffineExpr> exprs;
  std::vector<Value> dims;
  std::vector<Value> symbols;

  void replace(std::span<const AffineExpr> newDims, std::span<const AffineExpr> newSymbols) {
    if (isSame(newDims, AffineKind::Dim) && isSame(newSymbols, AffineKind::Symbol)) return;
    for (AffineExpr& expr : exprs)
      expr = expr.replace(newDims, newSymbols);
  }
  /// Each input stands for itself.
  static bool isSame(std::span<const AffineExpr> inputs, AffineKind kind) {
    for (size_t i = 0; i < inputs.size(); ++i)
      if (inputs[i].kind() != kind || inputs[i].position() != i) return false;
    return true;
  }
  AffineExpr dim(size_t i) const { return AffineExpr::dim(context, static_cast<unsigned>(i)); }
  AffineExpr symbol(size_t i) const {
    return AffineExpr::symbol(context, static_cast<unsigned>(i));
  }
};

/// Dims that do not change in their scope become symbols, after those that are there.
void promoteSymbols(Working& work) {
  auto isSymbol = [](Value value) { return isValidSymbol(value); };
  if (std::none_of(work.dims.begin(), work.dims.end(), isSymbol)) return;
  std::vector<AffineExpr> newDims;
  std::vector<Value> dims;
  for (Value value : work.dims) {
    bool promoted = isValidSymbol(value);
    newDims.push_back(promoted ? work.symbol(work.symbols.size()) : work.dim(dims.size()));
    (promoted ? work.symbols : dims).push_back(value);
  }
  work.dims = std::move(dims);
  work.replace(newDims, {});
}

/// New expressions for operands of one kind: unused ones go, equal ones share, constants of
/// symbols are written in.
std::vector<AffineExpr> compact(Working& work, bool areDims) {
  std::vector<Value>& values = areDims ? work.dims : work.symbols;
  std::vector<Value> kept;
  std::vector<AffineExpr> replacement;
  for (unsigned i = 0; i < values.size(); ++i) {
    bool used = std::any_of(work.exprs.begin(), work.exprs.end(), [&](AffineExpr expr) {
      return areDims ? expr.usesDim(i) : expr.usesSymbol(i);
    });
    std::optional<int64_t> constant = areDims || !used ? std::nullopt : constantIntOf(values[i]);
    if (!used || constant) {
      replacement.push_back(AffineExpr::constant(work.context, constant.value_or(0)));
      continue;
    }
    size_t at = static_cast<size_t>(std::find(kept.begin(), kept.end(), values[i]) - kept.begin());
    if (at == kept.size()) kept.push_back(values[i]);
    replacement.push_back(areDims ? work.dim(at) : work.symbol(at));
  }
  values = std::move(kept);
  return replacement;
}

void canonicalizeOperands(Working& work) {
  promoteSymbols(work);
  std::vector<AffineExpr> dims = compact(work, true);
  std::vector<AffineExpr> symbols = compact(work, false);
  work.replace(dims, symbols);
}

/// The value of `apply` as an expression over operands that are added to `work`; its own operands
/// are brought into their usual form first.
AffineExpr addOperandsOf(Working& work, ApplyOp apply) {
  Application inner = apply.application();
  Working own{work.context, {inner.map.result(0)}, {}, {}};
  own.dims.assign(inner.dims().begin(), inner.dims().end());
  own.symbols.assign(inner.symbols().begin(), inner.symbols().end());
  canonicalizeOperands(own);
  std::vector<AffineExpr> dims, symbols;
  for (Value value : own.dims) {
    dims.push_back(work.dim(work.dims.size()));
    work.dims.push_back(value);
  }
  for (Value value : own.symbols) {
    symbols.push_back(work.symbol(work.symbols.size()));
    work.symbols.push_back(value);
  }
  return own.exprs[0].replace(dims, symbols);
}

bool isComposable(Value value) {
  ApplyOp apply = value ? dynCast<ApplyOp>(value.definingOp()) : ApplyOp();
  return apply && apply.map().numResults() == 1 && apply.map().numInputs() == apply->numOperands();
}

/// Writes the first operand that is an affine.apply into the expressions.
bool composeOne(Working& work) {
  bool isDim = true;
  size_t at = 0;
  auto find = [&](std::vector<Value>& values) {
    at = static_cast<size_t>(std::find_if(values.begin(), values.end(), isComposable) -
                             values.begin());
    return at != values.size();
  };
  if (!find(work.dims)) {
    isDim = false;
    if (!find(work.symbols)) return false;
  }
  Value& slot = isDim ? work.dims[at] : work.symbols[at];
  ApplyOp apply(slot.definingOp());
  slot = Value();
  AffineExpr value = addOperandsOf(work, apply);
  std::vector<AffineExpr> replacement;
  for (size_t i = 0; i < at; ++i)
    replacement.push_back(isDim ? work.dim(i) : work.symbol(i));
  replacement.push_back(value);
  if (isDim)
    work.replace(replacement, {});
  else
    work.replace({}, replacement);
  return true;
}

/// Takes out operands that composition has left null.
void dropNulls(Working& work) {
  auto drop = [&](std::vector<Value>& values, bool isDim) {
    std::vector<AffineExpr> replacement;
    std::vector<Value> kept;
    for (Value value : values) {
      AffineExpr same = isDim ? work.dim(kept.size()) : work.symbol(kept.size());
      replacement.push_back(value ? same : AffineExpr::constant(work.context, 0));
      if (value) kept.push_back(value);
    }
    values = std::move(kept);
    return replacement;
  };
  std::vector<AffineExpr> dims = drop(work.dims, true), symbols = drop(work.symbols, false);
  work.replace(dims, symbols);
}

/// Long chains of affine.apply make expressions grow: composition stops at this size.
bool isSmall(const Working& work) {
  unsigned budget = 512;
  return std::all_of(work.exprs.begin(), work.exprs.end(),
                     [&](AffineExpr expr) { return isSimpleEnough(expr, budget); });
}

void simplify(Working& work) {
  while (isSmall(work) && composeOne(work)) {
  }
  dropNulls(work);
  canonicalizeOperands(work);
  auto numDims = static_cast<unsigned>(work.dims.size());
  auto numSymbols = static_cast<unsigned>(work.symbols.size());
  for (AffineExpr& expr : work.exprs)
    expr = simplifyExpr(expr, numDims, numSymbols);
  if (!isSmall(work)) return;
  for (AffineExpr& expr : work.exprs)
    expr = simplifyByLoops(expr, work.dims);
  canonicalizeOperands(work);
}

/// A constant divisor that is not positive has no meaning and no text.
bool hasBadDivisor(AffineExpr expr) {
  if (!expr.isBinary()) return false;
  bool divides = expr.kind() != AffineKind::Add && expr.kind() != AffineKind::Mul;
  if (divides && expr.rhs().constantValue().value_or(1) <= 0) return true;
  return hasBadDivisor(expr.lhs()) || hasBadDivisor(expr.rhs());
}

bool isMeaningful(const Working& work) {
  return std::none_of(work.exprs.begin(), work.exprs.end(), hasBadDivisor);
}

std::vector<Value> joined(const Working& work) {
  std::vector<Value> operands = work.dims;
  operands.insert(operands.end(), work.symbols.begin(), work.symbols.end());
  return operands;
}

Working start(Context& context, std::span<const AffineExpr> exprs, std::span<const Value> operands,
              unsigned numDims) {
  Working work{context, {exprs.begin(), exprs.end()}, {}, {}};
  work.dims.assign(operands.begin(), operands.begin() + numDims);
  work.symbols.assign(operands.begin() + numDims, operands.end());
  return work;
}

}  // namespace

namespace {

bool hasDivision(AffineExpr expr) {
  if (!expr.isBinary()) return false;
  bool divides = expr.kind() != AffineKind::Add && expr.kind() != AffineKind::Mul;
  return divides || hasDivision(expr.lhs()) || hasDivision(expr.rhs());
}

bool hasDivision(AffineMap map) {
  auto divides = [](AffineExpr expr) { return hasDivision(expr); };
  return std::any_of(map.results().begin(), map.results().end(), divides);
}

/// Nothing about these operands calls for a change: not one is an affine.apply, a dim that may be a
/// symbol, a constant symbol, there twice, or a loop's variable that a division may know more of.
bool areSettled(AffineMap map, std::span<const Value> operands) {
  bool overLoop = false;
  for (unsigned i = 0; i < operands.size(); ++i) {
    Value value = operands[i];
    bool isDim = i < map.numDims();
    if (isComposable(value) || isValidSymbol(value) == isDim) return false;
    if (!isDim && constantIntOf(value)) return false;
    for (unsigned j = isDim ? 0 : map.numDims(); j < i; ++j)
      if (operands[j] == value) return false;
    overLoop = overLoop || (isDim && inductionLoop(value));
  }
  return !overLoop || !hasDivision(map);
}

}  // namespace

bool composeAndSimplify(Application& application) {
  AffineMap map = application.map;
  if (application.operands.size() != map.numInputs()) return false;
  // Nearly every application is in its usual form already: seen once, that is known of the map.
  if (map.isKnownSimple() && areSettled(map, application.operands)) return false;
  Working work = start(map.context(), map.results(), application.operands, map.numDims());
  simplify(work);
  if (!isMeaningful(work)) return false;
  Application result{AffineMap::get(map.context(), static_cast<unsigned>(work.dims.size()),
                                    static_cast<unsigned>(work.symbols.size()), work.exprs),
                     joined(work)};
  if (result == application) {
    map.noteSimple();
    return false;
  }
  application = std::move(result);
  return true;
}

bool composeAndSimplify(IntegerSet& set, std::vector<Value>& operands) {
  if (operands.size() != set.numInputs()) return false;
  Working work = start(set.context(), set.constraints(), operands, set.numDims());
  simplify(work);
  if (!isMeaningful(work)) return false;
  std::vector<bool> equality;
  for (unsigned i = 0; i < work.exprs.size(); ++i)
    equality.push_back(set.isEquality(i));
  IntegerSet result =
      IntegerSet::get(set.context(), static_cast<unsigned>(work.dims.size()),
                      static_cast<unsigned>(work.symbols.size()), work.exprs, equality);
  std::vector<Value> kept = joined(work);
  if (result == set && kept == operands) return false;
  set = result;
  operands = std::move(kept);
  return true;
}

}  // namespace airlite::affine
