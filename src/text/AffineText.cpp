// Affine expressions, maps and sets as text.
#include "PrinterState.hpp"

namespace airlite::text {

namespace {

using PrintInput = FunctionRef<void(bool isSymbol, unsigned position)>;

/// Prints one expression. `tight`: it stands where only a product's factor may, so sums and
/// products are put in parentheses.
class ExprWriter {
 public:
  ExprWriter(std::string& out, PrintInput input) : out_(out), input_(input) {}

  void write(AffineExpr expr, bool tight) {
    if (!expr.isBinary()) return writeLeaf(expr);
    if (tight) out_ += '(';
    if (expr.kind() == AffineKind::Add) writeSum(expr);
    else writeProduct(expr);
    if (tight) out_ += ')';
  }

 private:
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

  void writeProduct(AffineExpr expr) {
    if (expr.kind() == AffineKind::Mul && expr.rhs().isConstant(-1)) {
      out_ += '-';
      return write(expr.lhs(), true);
    }
    write(expr.lhs(), true);
    out_ += spelling(expr.kind());
    write(expr.rhs(), true);
  }

  // a + b * -c reads better as a - b * c.
  void writeSum(AffineExpr expr) {
    write(expr.lhs(), false);
    AffineExpr added = expr.rhs();
    std::optional<int64_t> constant = added.constantValue();
    if (constant && *constant < 0) return writeNegated(*constant, " - ");
    bool product = added.kind() == AffineKind::Mul;
    std::optional<int64_t> factor = product ? added.rhs().constantValue() : std::nullopt;
    if (factor && *factor < 0) return writeDifference(added.lhs(), *factor);
    out_ += " + ";
    write(added, false);
  }

  void writeDifference(AffineExpr base, int64_t factor) {
    out_ += " - ";
    write(base, factor != -1 || base.kind() == AffineKind::Add);
    if (factor != -1) writeNegated(factor, " * ");
  }

  void writeNegated(int64_t value, std::string_view before) {
    out_ += before;
    out_ += std::to_string(uint64_t(0) - static_cast<uint64_t>(value));
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
