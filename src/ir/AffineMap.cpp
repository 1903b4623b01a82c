// Affine maps and integer sets.
#include "ContextImpl.hpp"
#include "PrintHooks.hpp"
#include "airlite/ir/Affine.hpp"

#include <algorithm>
#include <cassert>

namespace airlite {

using namespace detail;

namespace {

template <class T> bool sameItems(std::span<const T> a, std::span<const T> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

bool isDim(AffineExpr expr) { return expr.kind() == AffineKind::Dim; }

std::vector<AffineExpr> makeDims(Context& context, unsigned count) {
  std::vector<AffineExpr> dims;
  for (unsigned i = 0; i < count; ++i)
    dims.push_back(AffineExpr::dim(context, i));
  return dims;
}

}  // namespace

// ---------------------------------------------------------------------------------------------
// Maps
// ---------------------------------------------------------------------------------------------

AffineMap AffineMap::get(Context& context, unsigned numDims, unsigned numSymbols,
                         std::span<const AffineExpr> results) {
  Arena& arena = context.impl().arena;
  return AffineMap(context.impl().affineMaps.findOrMake(
      Hasher().add(numDims).add(numSymbols).addAll(results).value(),
      [&](const AffineMapStorage& other) {
        return other.numDims == numDims && other.numSymbols == numSymbols &&
               sameItems(other.results, results);
      },
      [&] {
        return arena.make<AffineMapStorage>(&context, numDims, numSymbols, arena.copy(results));
      }));
}

AffineMap AffineMap::identity(Context& context, unsigned numDims) {
  return get(context, numDims, 0, makeDims(context, numDims));
}

AffineMap AffineMap::constant(Context& context, int64_t value) {
  AffineExpr result = AffineExpr::constant(context, value);
  return get(context, 0, 0, {&result, 1});
}

AffineMap AffineMap::permutation(Context& context, unsigned numDims,
                                 std::span<const unsigned> positions) {
  std::vector<AffineExpr> results;
  for (unsigned position : positions)
    results.push_back(AffineExpr::dim(context, position));
  return get(context, numDims, 0, results);
}

Context& AffineMap::context() const { return *storage_->context; }
unsigned AffineMap::numDims() const { return storage_->numDims; }
unsigned AffineMap::numSymbols() const { return storage_->numSymbols; }
std::span<const AffineExpr> AffineMap::results() const { return storage_->results; }
bool AffineMap::isKnownSimple() const { return storage_->isKnownSimple; }
void AffineMap::noteSimple() const { storage_->isKnownSimple = true; }

bool AffineMap::isIdentity() const {
  if (numDims() != numResults()) return false;
  for (unsigned i = 0; i < numResults(); ++i)
    if (!isDim(result(i)) || result(i).position() != i) return false;
  return true;
}

bool AffineMap::isProjectedPermutation() const {
  if (numSymbols() > 0 || numResults() > numDims()) return false;
  std::vector<bool> seen(numDims());
  for (AffineExpr expr : results()) {
    if (!isDim(expr) || expr.position() >= numDims() || seen[expr.position()]) return false;
    seen[expr.position()] = true;
  }
  return true;
}

bool AffineMap::isPermutation() const {
  return numDims() == numResults() && isProjectedPermutation();
}

std::optional<int64_t> AffineMap::constantResult() const {
  return numResults() == 1 ? result(0).constantValue() : std::nullopt;
}

AffineMap AffineMap::compose(AffineMap other) const {
  Context& ctx = context();
  std::vector<AffineExpr> replacements;
  for (AffineExpr expr : other.results())
    replacements.push_back(expr.shiftSymbols(other.numSymbols(), numSymbols()));
  std::vector<AffineExpr> composed;
  for (AffineExpr expr : results())
    composed.push_back(expr.replace(replacements, {}));
  return get(ctx, other.numDims(), numSymbols() + other.numSymbols(), composed);
}

AffineMap AffineMap::inversePermutation() const {
  if (numSymbols() > 0) return {};
  std::vector<AffineExpr> solved(numDims());
  for (unsigned i = 0; i < numResults(); ++i) {
    AffineExpr expr = result(i);
    bool first = isDim(expr) && expr.position() < numDims() && !solved[expr.position()];
    if (first) solved[expr.position()] = AffineExpr::dim(context(), i);
  }
  bool complete = std::all_of(solved.begin(), solved.end(), [](AffineExpr e) { return bool(e); });
  return complete ? get(context(), numResults(), 0, solved) : AffineMap();
}

std::optional<std::vector<int64_t>> AffineMap::evaluate(std::span<const int64_t> dims,
                                                        std::span<const int64_t> symbols) const {
  std::vector<int64_t> values;
  for (AffineExpr expr : results()) {
    std::optional<int64_t> value = expr.evaluate(dims, symbols);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

std::string AffineMap::str() const { return storage_ ? printAffineToString(*this) : ""; }

// ---------------------------------------------------------------------------------------------
// Sets
// ---------------------------------------------------------------------------------------------

IntegerSet IntegerSet::get(Context& context, unsigned numDims, unsigned numSymbols,
                           std::span<const AffineExpr> constraints,
                           const std::vector<bool>& equality) {
  std::vector<uint8_t> flags(equality.begin(), equality.end());
  flags.resize(constraints.size());
  std::span<const uint8_t> equal = flags;
  Arena& arena = context.impl().arena;
  return IntegerSet(context.impl().integerSets.findOrMake(
      Hasher().add(numDims).add(numSymbols).addAll(constraints).addAll(equal).value(),
      [&](const IntegerSetStorage& other) {
        return other.numDims == numDims && other.numSymbols == numSymbols &&
               sameItems(other.constraints, constraints) && sameItems(other.equality, equal);
      },
      [&] {
        return arena.make<IntegerSetStorage>(&context, numDims, numSymbols, arena.copy(constraints),
                                             arena.copy(equal));
      }));
}

Context& IntegerSet::context() const { return *storage_->context; }
unsigned IntegerSet::numDims() const { return storage_->numDims; }
unsigned IntegerSet::numSymbols() const { return storage_->numSymbols; }
std::span<const AffineExpr> IntegerSet::constraints() const { return storage_->constraints; }
bool IntegerSet::isEquality(unsigned i) const { return storage_->equality[i] != 0; }

std::optional<bool> IntegerSet::contains(std::span<const int64_t> dims,
                                         std::span<const int64_t> symbols) const {
  bool inside = true;
  for (unsigned i = 0; i < constraints().size(); ++i) {
    std::optional<int64_t> value = constraints()[i].evaluate(dims, symbols);
    if (!value) return std::nullopt;
    inside = inside && (isEquality(i) ? *value == 0 : *value >= 0);
  }
  return inside;
}

std::string IntegerSet::str() const { return storage_ ? printAffineToString(*this) : ""; }

// ---------------------------------------------------------------------------------------------
// Unused and equal operands
// ---------------------------------------------------------------------------------------------

namespace {

std::vector<bool> usedInputs(AffineMap map) {
  std::vector<bool> used(map.numInputs());
  std::vector<AffineExpr> open(map.results().begin(), map.results().end());
  while (!open.empty()) {
    AffineExpr expr = open.back();
    open.pop_back();
    if (expr.isBinary()) {
      open.push_back(expr.lhs());
      open.push_back(expr.rhs());
    } else if (expr.kind() != AffineKind::Constant) {
      unsigned input = expr.position() + (expr.kind() == AffineKind::Symbol ? map.numDims() : 0);
      if (input < used.size()) used[input] = true;
    }
  }
  return used;
}

/// Renumbers the used inputs [begin, end) of a map: operands of one class become one input.
struct InputMerger {
  std::span<const unsigned> operandClass;
  const std::vector<bool>& used;
  std::vector<unsigned>& kept;

  std::vector<AffineExpr> merge(unsigned begin, unsigned end,
                                AffineExpr (*make)(Context&, unsigned), Context& context) {
    std::vector<AffineExpr> replacements(end - begin);
    size_t first = kept.size();
    for (unsigned i = begin; i < end; ++i) {
      if (!used[i]) continue;
      auto sameClass = [&](unsigned k) { return operandClass[k] == operandClass[i]; };
      auto at = std::find_if(kept.begin() + static_cast<ptrdiff_t>(first), kept.end(), sameClass);
      auto position = static_cast<size_t>(at - kept.begin()) - first;
      if (at == kept.end()) kept.push_back(i);
      replacements[i - begin] = make(context, static_cast<unsigned>(position));
    }
    return replacements;
  }
};

}  // namespace

AffineSimplification dropUnusedOperands(AffineMap map, std::span<const unsigned> operandClass) {
  assert(operandClass.size() == map.numInputs());
  Context& context = map.context();
  std::vector<bool> used = usedInputs(map);
  AffineSimplification result;
  InputMerger merger{operandClass, used, result.keptOperands};
  auto dims = merger.merge(0, map.numDims(), &AffineExpr::dim, context);
  auto numDims = static_cast<unsigned>(result.keptOperands.size());
  auto symbols = merger.merge(map.numDims(), map.numInputs(), &AffineExpr::symbol, context);
  auto numSymbols = static_cast<unsigned>(result.keptOperands.size()) - numDims;
  std::vector<AffineExpr> exprs;
  for (AffineExpr expr : map.results())
    exprs.push_back(expr.replace(dims, symbols));
  result.map = AffineMap::get(context, numDims, numSymbols, exprs);
  return result;
}

}  // namespace airlite
