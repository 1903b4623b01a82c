// Affine expressions, maps and sets as text.
#include "PrinterState.hpp"

#include <limits>

namespace airlite::text {

namespace {

using PrintInput = FunctionRef<void(bool isSymbol, unsigned position)>;

bool isNegation(AffineExpr expr) {
  return expr.kind() == AffineKind::Mul && expr.rhs().isConstant(-1);
}

/// Prints one expression. `tight`: it stands where only a product's factor may, so sums and
/// products are put in parentheses. Flat sums may be very long: only the right side recurses.
class ExprWriter {
 public:
  ExprWriter(std::string& out, PrintInput input) : out_(out), input_(input) {}

  void write(AffineExpr expr, bool tight) {
    std::vector<Open> spine;
    for (; expr.isBinary(); expr = expr.lhs()) {
      spine.push_back({expr, tight});
      if (tight) out_ += '(';
      if (isNegation(expr)) out_ += '-';
      tight = expr.kind() != AffineKind::Add;
    }
    writeLeaf(expr);
    for (; !spine.empty(); spine.pop_back()) {
      writeRight(spine.back().expr);
      if (spine.back().tight) out_ += ')';
    }
  }

 private:
  struct Open {
    AffineExpr expr;
    bool tight;
  };

  void writeLeaf(AffineExpr expr) {
    if (expr.kind() == AffineKind::Constant) return appendInteger(out_, expr.value());
    input_(expr.kind() == AffineKind::Symbol, expr.position());
  }

  static std::string_view spelling(AffineKind kind) {
    switch (kind) {
      case AffineKind::Mul: return " * ";
      case AffineKind::Mod: return " mod ";
      case AffineKind::FloorDiv: return " floordiv ";
      case AffineKind::CeilDiv: return " ceildiv ";
      default: return " + ";
    }
  }

  void writeRight(AffineExpr expr) {
    if (expr.kind() == AffineKind::Add) return writeAdded(expr.rhs());
    if (isNegation(expr)) return;
    out_ += spelling(expr.kind());
    write(expr.rhs(), true);
  }

  /// Negative, with a magnitude that can be written.
  static bool canSubtract(std::optional<int64_t> value) {
    return value && *value < 0 && *value != std::numeric_limits<int64_t>::min();
  }

  // a + b * -c reads better as a - b * c.
  void writeAdded(AffineExpr added) {
    std::optional<int64_t> factor;
    if (added.kind() == AffineKind::Mul) factor = added.rhs().constantValue();
    bool isDifference = canSubtract(factor) || canSubtract(added.constantValue());
    out_ += isDifference ? " - " : " + ";
    if (!isDifference) return write(added, false);
    if (!factor) return appendInteger(out_, -added.value());
    write(added.lhs(), *factor != -1 || added.lhs().kind() == AffineKind::Add);
    if (*factor == -1) return;
    out_ += " * ";
    appendInteger(out_, -*factor);
  }

  std::string& out_;
  PrintInput input_;
};

void appendInputName(std::string& out, bool isSymbol, unsigned position) {
  out += isSymbol ? 's' : 'd';
  out += std::to_string(position);
}

void appendPlainExpr(std::string& out, AffineExpr expr) {
  printAffineExpr(out, expr, [&](bool isSymbol, unsigned position) {
    appendInputName(out, isSymbol, position);
  });
}

void appendInputs(std::string& out, bool symbols, unsigned count) {
  out += symbols ? '[' : '(';
  for (unsigned i = 0; i < count; ++i) {
    if (i) out += ", ";
    appendInputName(out, symbols, i);
  }
  out += symbols ? ']' : ')';
}

void appendHeader(std::string& out, unsigned numDims, unsigned numSymbols) {
  appendInputs(out, false, numDims);
  if (numSymbols) appendInputs(out, true, numSymbols);
}

}  // namespace

void printAffineExpr(std::string& out, AffineExpr expr, PrintInput printInput) {
  if (!expr) {
    out += "<<NULL AFFINE EXPRESSION>>";
    return;
  }
  ExprWriter(out, printInput).write(expr, false);
}

void printAffineMap(std::string& out, AffineMap map) {
  appendHeader(out, map.numDims(), map.numSymbols());
  out += " -> (";
  for (unsigned i = 0; i < map.numResults(); ++i) {
    if (i) out += ", ";
    appendPlainExpr(out, map.result(i));
  }
  out += ')';
}

void printIntegerSet(std::string& out, IntegerSet set) {
  appendHeader(out, set.numDims(), set.numSymbols());
  out += " : (";
  std::span<const AffineExpr> constraints = set.constraints();
  for (unsigned i = 0; i < constraints.size(); ++i) {
    if (i) out += ", ";
    appendPlainExpr(out, constraints[i]);
    out += set.isEquality(i) ? " == 0" : " >= 0";
  }
  out += ')';
}

}  // namespace airlite::text

namespace airlite {

std::string printAffineToString(AffineExpr expr) {
  std::string out;
  text::appendPlainExpr(out, expr);
  return out;
}

std::string printAffineToString(AffineMap map) {
  std::string out;
  text::printAffineMap(out, map);
  return out;
}

std::string printAffineToString(IntegerSet set) {
  std::string out;
  text::printIntegerSet(out, set);
  return out;
}

}  // namespace airlite
