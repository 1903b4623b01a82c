// Sums and products over atoms, in one normal form.
//
// One class: atoms are made while polynomials over them are computed, and the other way round.
#include "airlite/analysis/Polynomial.hpp"

#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Scf.hpp"

#include <algorithm>

namespace airlite::analysis {

namespace {

/// Larger ones are not followed: programs whose counts are so involved are tried with numbers.
constexpr size_t kMostTerms = 64;
constexpr size_t kHighestDegree = 8;
constexpr int64_t kLargestCoefficient = int64_t{1} << 50;

void normalize(Polynomial& a) {
  std::sort(a.terms.begin(), a.terms.end(),
            [](const Monomial& x, const Monomial& y) { return x.atoms < y.atoms; });
  std::vector<Monomial> merged;
  for (Monomial& term : a.terms) {
    if (!merged.empty() && merged.back().atoms == term.atoms)
      merged.back().coefficient += term.coefficient;  // both are below kLargestCoefficient
    else
      merged.push_back(std::move(term));
  }
  std::erase_if(merged, [](const Monomial& term) { return term.coefficient == 0; });
  a.terms = std::move(merged);
  bool isLarge = a.terms.size() > kMostTerms;
  for (const Monomial& term : a.terms)
    isLarge |= term.coefficient > kLargestCoefficient || term.coefficient < -kLargestCoefficient ||
               term.atoms.size() > kHighestDegree;
  if (isLarge) a = Polynomial::unknown();
}

int64_t floorDiv(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

/// `a` / `divisor` where that leaves no rest, term by term.
std::optional<Polynomial> dividedExactly(const Polynomial& a, int64_t divisor) {
  Polynomial quotient = a;
  for (Monomial& term : quotient.terms) {
    if (term.coefficient % divisor != 0) return std::nullopt;
    term.coefficient /= divisor;
  }
  return quotient;
}

void encode(const Polynomial& a, std::vector<int64_t>& key) {
  key.push_back(static_cast<int64_t>(a.terms.size()));
  for (const Monomial& term : a.terms) {
    key.push_back(term.coefficient);
    key.push_back(static_cast<int64_t>(term.atoms.size()));
    key.insert(key.end(), term.atoms.begin(), term.atoms.end());
  }
}

}  // namespace

Polynomial Polynomial::constant(int64_t number) {
  if (number > kLargestCoefficient || number < -kLargestCoefficient) return unknown();
  return number == 0 ? Polynomial() : Polynomial{{{{}, number}}, true};
}

std::optional<int64_t> Polynomial::asConstant() const {
  if (!isKnown || terms.size() > 1) return std::nullopt;
  if (terms.empty()) return 0;
  return terms[0].atoms.empty() ? std::optional(terms[0].coefficient) : std::nullopt;
}

// -- Arithmetic -----------------------------------------------------------------------------------

Polynomial Atoms::sum(const Polynomial& a, const Polynomial& b, int64_t factorOfB) {
  if (!a.isKnown || !b.isKnown) return Polynomial::unknown();
  Polynomial result = a;
  for (Monomial term : b.terms) {
    if (__builtin_mul_overflow(term.coefficient, factorOfB, &term.coefficient) ||
        term.coefficient > kLargestCoefficient || term.coefficient < -kLargestCoefficient)
      return Polynomial::unknown();
    result.terms.push_back(std::move(term));
  }
  normalize(result);
  return result;
}

Polynomial Atoms::product(const Polynomial& a, const Polynomial& b) {
  if (!a.isKnown || !b.isKnown) return Polynomial::unknown();
  if (a.terms.size() * b.terms.size() > kMostTerms * 4) return Polynomial::unknown();
  Polynomial result;
  for (const Monomial& x : a.terms)
    for (const Monomial& y : b.terms) {
      Monomial term{x.atoms, 0};
      term.atoms.insert(term.atoms.end(), y.atoms.begin(), y.atoms.end());
      std::sort(term.atoms.begin(), term.atoms.end());
      // A condition is 0 or 1: it is its own square.
      auto repeated = [&](AtomId p, AtomId q) { return p == q && isCondition(p); };
      term.atoms.erase(std::unique(term.atoms.begin(), term.atoms.end(), repeated),
                       term.atoms.end());
      if (__builtin_mul_overflow(x.coefficient, y.coefficient, &term.coefficient) ||
          term.coefficient > kLargestCoefficient || term.coefficient < -kLargestCoefficient)
        return Polynomial::unknown();
      result.terms.push_back(std::move(term));
    }
  normalize(result);
  return result;
}

// -- Atoms ----------------------------------------------------------------------------------------

AtomId Atoms::intern(Atom atom) {
  std::vector<int64_t> key{static_cast<int64_t>(atom.kind)};
  key.push_back(atom.value ? static_cast<int64_t>(reinterpret_cast<intptr_t>(atom.value.impl()))
                           : 0);
  for (const Polynomial& operand : atom.operands)
    encode(operand, key);
  auto [found, isNew] =
      ids_.try_emplace({atom.name, std::move(key)}, static_cast<AtomId>(atoms_.size()));
  if (isNew) atoms_.push_back(std::move(atom));
  return found->second;
}

AtomId Atoms::atomOf(Value value) { return intern({AtomKind::Value, value, {}, {}}); }

Polynomial Atoms::of(Value value) { return {{{{atomOf(value)}, 1}}, true}; }

Polynomial Atoms::make(AtomKind kind, std::vector<Polynomial> operands, std::string name) {
  for (const Polynomial& operand : operands)
    if (!operand.isKnown) return Polynomial::unknown();
  if (std::optional<Polynomial> folded = fold(kind, operands)) return *folded;
  return {{{{intern({kind, {}, std::move(name), std::move(operands)})}, 1}}, true};
}

std::optional<Polynomial> Atoms::fold(AtomKind kind, std::vector<Polynomial>& operands) {
  if (operands.empty()) return std::nullopt;
  std::optional<int64_t> number = operands[0].asConstant();
  switch (kind) {
    case AtomKind::Trips: return foldTrips(operands);
    case AtomKind::Equal:
      if (number) return Polynomial::constant(*number == 0);
      if (operands[0].terms.back().coefficient < 0) operands[0] = difference({}, operands[0]);
      return std::nullopt;
    case AtomKind::Negative:
      if (number) return Polynomial::constant(*number < 0);
      return isNonNegative(operands[0]) ? std::optional(Polynomial()) : std::nullopt;
    case AtomKind::FloorDiv:
    case AtomKind::CeilDiv:
    case AtomKind::Mod: return foldDivision(kind, operands);
    case AtomKind::Min:
    case AtomKind::Max: return foldExtreme(kind == AtomKind::Max, operands);
    default: return std::nullopt;
  }
}

std::optional<Polynomial> Atoms::foldTrips(std::vector<Polynomial>& operands) {
  std::optional<int64_t> distance = operands[0].asConstant(), step = operands[1].asConstant();
  if (step && *step <= 0) return Polynomial::unknown();
  if (distance && step) return Polynomial::constant(*scf::constantTripCount(0, *distance, *step));
  if (distance && *distance <= 0) return Polynomial();
  if (!step) return std::nullopt;
  if (std::optional<Polynomial> exact = dividedExactly(operands[0], *step)) {
    operands = {*exact, Polynomial::constant(1)};
    if (isNonNegative(*exact)) return *exact;
  }
  return std::nullopt;
}

std::optional<Polynomial> Atoms::foldDivision(AtomKind kind,
                                              const std::vector<Polynomial>& operands) {
  std::optional<int64_t> a = operands[0].asConstant(), b = operands[1].asConstant();
  if (!b) return std::nullopt;
  if (*b <= 0) return Polynomial::unknown();
  if (kind == AtomKind::Mod) {
    Polynomial quotient = make(AtomKind::FloorDiv, operands);
    return sum(operands[0], quotient, -*b);
  }
  if (a) {
    int64_t down = floorDiv(*a, *b);
    return Polynomial::constant(down + (kind == AtomKind::CeilDiv && *a % *b != 0));
  }
  return dividedExactly(operands[0], *b);
}

std::optional<Polynomial> Atoms::foldExtreme(bool isMax, std::vector<Polynomial>& operands) {
  std::optional<int64_t> extreme;
  std::vector<Polynomial> open;
  for (const Polynomial& operand : operands) {
    std::optional<int64_t> number = operand.asConstant();
    if (!number) {
      if (std::find(open.begin(), open.end(), operand) == open.end()) open.push_back(operand);
      continue;
    }
    extreme = !extreme ? *number
              : isMax  ? std::max(*extreme, *number)
                       : std::min(*extreme, *number);
  }
  std::vector<std::pair<std::vector<int64_t>, Polynomial>> keyed;
  for (Polynomial& operand : open) {
    keyed.emplace_back();
    encode(operand, keyed.back().first);
    keyed.back().second = std::move(operand);
  }
  std::sort(keyed.begin(), keyed.end(),
            [](const auto& x, const auto& y) { return x.first < y.first; });
  operands.clear();
  for (auto& [key, operand] : keyed)
    operands.push_back(std::move(operand));
  if (extreme) operands.push_back(Polynomial::constant(*extreme));
  return operands.size() == 1 ? std::optional(operands[0]) : std::nullopt;
}

// -- Signs ----------------------------------------------------------------------------------------

bool Atoms::isCondition(AtomId id) const {
  const Atom& atom = atoms_[id];
  if (atom.kind == AtomKind::Pure) return atom.name.starts_with("arith.cmp");
  if (atom.kind != AtomKind::Value)
    return atom.kind == AtomKind::Equal || atom.kind == AtomKind::Negative;
  IntegerType integer = atom.value.type().dynCast<IntegerType>();
  return integer && integer.width() == 1;
}

bool Atoms::isNonNegative(AtomId id) const {
  const Atom& atom = atoms_[id];
  auto all = [&] {
    return std::all_of(atom.operands.begin(), atom.operands.end(),
                       [&](const Polynomial& operand) { return isNonNegative(operand); });
  };
  if (isCondition(id)) return true;
  switch (atom.kind) {
    case AtomKind::Trips:
    case AtomKind::Equal:
    case AtomKind::Negative: return true;
    case AtomKind::FloorDiv:
    case AtomKind::CeilDiv:
    case AtomKind::Mod:
    case AtomKind::Min: return all();
    case AtomKind::Max:
      return std::any_of(atom.operands.begin(), atom.operands.end(),
                         [&](const Polynomial& operand) { return isNonNegative(operand); });
    case AtomKind::Pure: return atom.name == "memref.dim";
    case AtomKind::Value: {
      if (!atom.value.isBlockArgument()) return false;
      air::HierarchyOp level = air::asHierarchy(atom.value.argumentBlock()->parentOp());
      return level && atom.value.index() < level.numDims();  // an id
    }
  }
  return false;
}

bool Atoms::isNonNegative(const Polynomial& a) const {
  return a.isKnown && std::all_of(a.terms.begin(), a.terms.end(), [&](const Monomial& term) {
           return term.coefficient > 0 &&
                  std::all_of(term.atoms.begin(), term.atoms.end(),
                              [&](AtomId atom) { return isNonNegative(atom); });
         });
}

bool Atoms::isPositive(const Polynomial& a) const {
  // The constant term comes first.
  return isNonNegative(a) && !a.terms.empty() && a.terms[0].atoms.empty();
}

// -- Substitution ---------------------------------------------------------------------------------

void Atoms::addValues(const Polynomial& a, std::vector<Value>& out) const {
  for (const Monomial& term : a.terms)
    for (AtomId id : term.atoms) {
      const Atom& atom = atoms_[id];
      for (const Polynomial& operand : atom.operands)
        addValues(operand, out);
      bool isNew = atom.value && std::find(out.begin(), out.end(), atom.value) == out.end();
      if (isNew) out.push_back(atom.value);
    }
}

std::vector<Value> Atoms::valuesOf(const Polynomial& a) const {
  std::vector<Value> values;
  addValues(a, values);
  return values;
}

Polynomial Atoms::substitute(const Polynomial& a, const std::map<AtomId, Polynomial>& by) {
  if (!a.isKnown) return a;
  Polynomial result;
  for (const Monomial& term : a.terms) {
    Polynomial replaced = Polynomial::constant(term.coefficient);
    for (AtomId id : term.atoms) {
      Polynomial factor{{{{id}, 1}}, true};
      if (auto found = by.find(id); found != by.end()) {
        factor = found->second;
      } else if (!atoms_[id].operands.empty()) {
        Atom atom = atoms_[id];  // `make` may move them
        for (Polynomial& operand : atom.operands)
          operand = substitute(operand, by);
        factor = make(atom.kind, std::move(atom.operands), atom.name);
      }
      replaced = product(replaced, factor);
    }
    result = sum(result, replaced);
  }
  return result;
}

// -- Text -----------------------------------------------------------------------------------------

std::string Atoms::text(AtomId id, FunctionRef<std::string(Value)> nameOf) const {
  const Atom& atom = atoms_[id];
  std::vector<std::string> in;
  for (const Polynomial& operand : atom.operands)
    in.push_back(text(operand, nameOf));
  std::string list;
  for (const std::string& operand : in)
    list += (list.empty() ? "" : ", ") + operand;
  switch (atom.kind) {
    case AtomKind::Value: return nameOf(atom.value);
    case AtomKind::Trips:
      if (in[1] == "1") return "max(0, " + in[0] + ")";
      return "ceildiv(max(0, " + in[0] + "), " + in[1] + ")";
    case AtomKind::Equal: return "[" + in[0] + " == 0]";
    case AtomKind::Negative: return "[" + in[0] + " < 0]";
    case AtomKind::FloorDiv: return "floordiv(" + list + ")";
    case AtomKind::CeilDiv: return "ceildiv(" + list + ")";
    case AtomKind::Mod: return "mod(" + list + ")";
    case AtomKind::Min: return "min(" + list + ")";
    case AtomKind::Max: return "max(" + list + ")";
    case AtomKind::Pure: return atom.name + "(" + list + ")";
  }
  return "?";
}

std::string Atoms::text(const Polynomial& a, FunctionRef<std::string(Value)> nameOf) const {
  if (!a.isKnown) return "?";
  if (a.terms.empty()) return "0";
  std::string out;
  // The constant last, as people write it.
  for (size_t i = 0; i < a.terms.size(); ++i) {
    const Monomial& term = a.terms[(i + 1) % a.terms.size()];
    const Monomial& shown = a.terms[0].atoms.empty() ? term : a.terms[i];
    int64_t coefficient = shown.coefficient;
    if (!out.empty())
      out += coefficient < 0 ? " - " : " + ";
    else if (coefficient < 0)
      out += "-";
    uint64_t size = static_cast<uint64_t>(coefficient < 0 ? -coefficient : coefficient);
    std::string product;
    if (size != 1 || shown.atoms.empty()) product = std::to_string(size);
    for (AtomId atom : shown.atoms)
      product += (product.empty() ? "" : " * ") + text(atom, nameOf);
    out += product;
  }
  return out;
}

}  // namespace airlite::analysis
