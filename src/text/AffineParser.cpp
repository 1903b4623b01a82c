// Affine expressions, maps and sets as text; also with SSA names in place of dims (`[%i + 1]`).
#include "Literals.hpp"
#include "ParserState.hpp"
#include "airlite/support/Text.hpp"
#include "airlite/text/OpParser.hpp"

namespace airlite {

using text::ParserState;
using text::TokenKind;

namespace {

/// Precedence climbing: sums of products of atoms. `atom` reads what is not an expression itself.
class ExprReader : public AttrParser {
 public:
  /// Reads a name (dim, symbol, SSA operand); returns false when there is none.
  using NameFn = FunctionRef<bool(AffineExpr&, LogicalResult&)>;
  ExprReader(ParserState& state, NameFn name) : AttrParser(state), name_(name) {}

  LogicalResult readSum(AffineExpr& expr) {
    ParserState::Nesting nesting(state_);
    if (failed(nesting.check()) || failed(readProduct(expr))) return failure();
    while (nextIs("+") || nextIs("-")) {
      bool minus = nextIs("-");
      AffineExpr rhs;
      if (failed(countOperator(location()))) return failure();
      state_.advance();
      if (failed(readProduct(rhs))) return failure();
      expr = minus ? expr - rhs : expr + rhs;
    }
    return success();
  }

 private:
  LogicalResult readProduct(AffineExpr& expr) {
    if (failed(readAtom(expr))) return failure();
    while (true) {
      Location where = location();
      AffineKind kind;
      if (parseOptional("*"))
        kind = AffineKind::Mul;
      else if (parseOptionalKeyword("floordiv"))
        kind = AffineKind::FloorDiv;
      else if (parseOptionalKeyword("ceildiv"))
        kind = AffineKind::CeilDiv;
      else if (parseOptionalKeyword("mod"))
        kind = AffineKind::Mod;
      else
        return success();
      AffineExpr rhs;
      if (failed(countOperator(where)) || failed(readAtom(rhs))) return failure();
      if (failed(combine(where, kind, rhs, expr))) return failure();
    }
  }

  /// A chain of operators is as deep as it is long, and what works on expressions recurses.
  LogicalResult countOperator(Location where) {
    if (++numOperators_ <= kMaxOperators) return success();
    state_.giveUp();
    return emitError(where) << "affine expression has more operators than the limit of "
                            << kMaxOperators;
  }

  LogicalResult combine(Location where, AffineKind kind, AffineExpr rhs, AffineExpr& expr) {
    if (kind == AffineKind::Mul && !expr.isSymbolicOrConstant() && !rhs.isSymbolicOrConstant())
      return emitError(where) << "non-affine expression: at least one of the multiply operands "
                                 "has to be either a constant or symbolic";
    if (kind != AffineKind::Mul && !rhs.isSymbolicOrConstant())
      return emitError(where) << "non-affine expression: right operand of "
                              << (kind == AffineKind::Mod        ? "mod"
                                  : kind == AffineKind::FloorDiv ? "floordiv"
                                                                 : "ceildiv")
                              << " has to be either a constant or symbolic";
    std::optional<int64_t> divisor = rhs.constantValue();
    if (kind != AffineKind::Mul && divisor && *divisor < 1)
      return emitError(where) << "divisor must be positive, found " << *divisor;
    expr = AffineExpr::binary(kind, expr, rhs);
    return success();
  }

  LogicalResult readAtom(AffineExpr& expr) {
    LogicalResult status = success();
    if (name_(expr, status)) return status;
    Location start = location();
    if (parseOptional("-")) return readNegative(start, expr);
    if (parseOptional("(")) {
      if (failed(readSum(expr))) return failure();
      return parse(")");
    }
    int64_t value = 0;
    if (!parseOptionalInteger(value, status))
      return emitError() << "expected affine expression, found '" << state_.token().text << "'";
    expr = AffineExpr::constant(context(), value);
    return status;
  }

  /// What stands behind a minus sign at `start`.
  LogicalResult readNegative(Location start, AffineExpr& expr) {
    if (state_.token().is(TokenKind::Integer)) {
      std::optional<int64_t> value = text::parseSigned(true, state_.token().text);
      if (!value) return emitError(start) << "integer value too large: 64 bits at most";
      state_.advance();
      expr = AffineExpr::constant(context(), *value);
      return success();
    }
    ParserState::Nesting nesting(state_);
    if (failed(nesting.check()) || failed(readAtom(expr))) return failure();
    expr = -expr;
    return success();
  }

  static constexpr unsigned kMaxOperators = 4096;

  NameFn name_;
  unsigned numOperators_ = 0;
};

class MapReader : public AttrParser {
 public:
  using AttrParser::AttrParser;

  LogicalResult readMap(AffineMap& map) {
    if (state_.token().is(TokenKind::AttrAlias)) {
      Attribute attribute;
      Location where = location();
      if (failed(parseAttribute(attribute))) return failure();
      if (!attribute.isa<AffineMapAttr>()) return emitError(where) << "expected an affine map";
      map = attribute.cast<AffineMapAttr>().value();
      return success();
    }
    bool wrapped = parseOptionalKeyword("affine_map");
    if (wrapped && failed(parse("<"))) return failure();
    std::vector<AffineExpr> results;
    if (failed(readHeader()) || failed(parse("->"))) return failure();
    LogicalResult list =
        parseList(Delimiter::Paren, [&] { return readExpr(results.emplace_back()); });
    if (failed(list) || (wrapped && failed(parse(">")))) return failure();
    map = AffineMap::get(context(), numDims_, numSymbols_, results);
    return success();
  }

  LogicalResult readSet(IntegerSet& set) {
    if (state_.token().is(TokenKind::AttrAlias)) {
      Attribute attribute;
      Location where = location();
      if (failed(parseAttribute(attribute))) return failure();
      if (!attribute.isa<IntegerSetAttr>()) return emitError(where) << "expected an integer set";
      set = attribute.cast<IntegerSetAttr>().value();
      return success();
    }
    bool wrapped = parseOptionalKeyword("affine_set");
    if (wrapped && failed(parse("<"))) return failure();
    std::vector<AffineExpr> constraints;
    std::vector<bool> equality;
    if (failed(readHeader()) || failed(parse(":"))) return failure();
    LogicalResult list = parseList(Delimiter::Paren, [&] {
      bool isEquality = false;
      LogicalResult one = readConstraint(constraints.emplace_back(), isEquality);
      equality.push_back(isEquality);
      return one;
    });
    if (failed(list) || (wrapped && failed(parse(">")))) return failure();
    set = IntegerSet::get(context(), numDims_, numSymbols_, constraints, equality);
    return success();
  }

 private:
  LogicalResult readHeader() {
    if (failed(readNames(Delimiter::Paren, true, numDims_))) return failure();
    return nextIs("[") ? readNames(Delimiter::Square, false, numSymbols_) : success();
  }

  LogicalResult readExpr(AffineExpr& expr) { return parseAffineExpr(names_, expr); }

  LogicalResult readConstraint(AffineExpr& expr, bool& equality) {
    Location where = location();
    if (failed(readExpr(expr))) return failure();
    bool greater = parseOptional(">");
    bool less = !greater && parseOptional("<");
    equality = !greater && !less;
    if (failed(parse("="))) return failure();
    if (equality && failed(parse("="))) return failure();
    AffineExpr rhs;
    if (failed(readExpr(rhs))) return failure();
    // e <= f and e == f are stored against zero.
    if (!rhs || !expr) return emitError(where) << "expected an affine constraint";
    expr = less ? rhs - expr : rhs.isConstant(0) ? expr : expr - rhs;
    return success();
  }

  LogicalResult readNames(Delimiter delimiter, bool dims, unsigned& count) {
    return parseList(delimiter, [&]() -> LogicalResult {
      if (!state_.token().is(TokenKind::Word)) return emitError() << "expected bare identifier";
      std::string_view name = state_.token().text;
      for (auto& [known, expr] : names_)
        if (known == name) return emitError() << "redefinition of identifier '" << name << "'";
      names_.emplace_back(
          name, dims ? AffineExpr::dim(context(), count) : AffineExpr::symbol(context(), count));
      ++count;
      state_.advance();
      return success();
    });
  }

  std::vector<std::pair<std::string_view, AffineExpr>> names_;
  unsigned numDims_ = 0, numSymbols_ = 0;
};

}  // namespace

LogicalResult AttrParser::parseAffineExpr(
    std::span<const std::pair<std::string_view, AffineExpr>> names, AffineExpr& expr) {
  auto name = [&](AffineExpr& result, LogicalResult& status) {
    if (!state_.token().is(TokenKind::Word)) return false;
    std::string_view word = state_.token().text;
    for (auto& [known, value] : names)
      if (known == word) {
        result = value;
        state_.advance();
        return true;
      }
    status = emitError() << "use of undeclared identifier '" << word << "'";
    return true;
  };
  return ExprReader(state_, name).readSum(expr);
}

/// `affine_map<` or, in places that allow it, the bare map.
LogicalResult AttrParser::parseAffineMap(AffineMap& map) { return MapReader(state_).readMap(map); }

LogicalResult AttrParser::parseIntegerSet(IntegerSet& set) {
  return MapReader(state_).readSet(set);
}

namespace {

/// Gives each different SSA name a dim (or a symbol inside `symbol(...)`).
class SsaNames {
 public:
  SsaNames(OpParser& parser, std::vector<UnresolvedOperand>& dims,
           std::vector<UnresolvedOperand>& symbols)
      : parser_(parser), dims_(dims), symbols_(symbols) {}

  bool read(AffineExpr& expr, LogicalResult& status) {
    bool symbol = parser_.nextIsKeyword("symbol");
    if (!symbol && !parser_.nextIsOperand()) return false;
    status = symbol ? readSymbol(expr) : readDim(expr);
    return true;
  }

 private:
  static unsigned position(std::vector<UnresolvedOperand>& known, const UnresolvedOperand& name) {
    for (unsigned i = 0; i < known.size(); ++i)
      if (known[i].name == name.name && known[i].number == name.number) return i;
    known.push_back(name);
    return static_cast<unsigned>(known.size() - 1);
  }

  LogicalResult readDim(AffineExpr& expr) {
    UnresolvedOperand name;
    if (failed(parser_.parseOperand(name))) return failure();
    expr = AffineExpr::dim(parser_.context(), position(dims_, name));
    return success();
  }

  LogicalResult readSymbol(AffineExpr& expr) {
    UnresolvedOperand name;
    if (failed(parser_.parseKeyword("symbol")) || failed(parser_.parse("(")) ||
        failed(parser_.parseOperand(name)) || failed(parser_.parse(")")))
      return failure();
    expr = AffineExpr::symbol(parser_.context(), position(symbols_, name));
    return success();
  }

  OpParser& parser_;
  std::vector<UnresolvedOperand>& dims_;
  std::vector<UnresolvedOperand>& symbols_;
};

}  // namespace

LogicalResult OpParser::parseAffineMapOfSsaIds(AffineMap& map, std::vector<UnresolvedOperand>& dims,
                                               std::vector<UnresolvedOperand>& symbols,
                                               Delimiter delimiter) {
  SsaNames names(*this, dims, symbols);
  auto name = [&](AffineExpr& expr, LogicalResult& status) { return names.read(expr, status); };
  ExprReader reader(state_, name);
  std::vector<AffineExpr> results;
  LogicalResult list = parseList(delimiter, [&] { return reader.readSum(results.emplace_back()); });
  if (failed(list)) return failure();
  map = AffineMap::get(context(), static_cast<unsigned>(dims.size()),
                       static_cast<unsigned>(symbols.size()), results);
  return success();
}

LogicalResult OpParser::parseAffineExprOfSsaIds(AffineExpr& expr,
                                                std::vector<UnresolvedOperand>& dims,
                                                std::vector<UnresolvedOperand>& symbols) {
  SsaNames names(*this, dims, symbols);
  auto name = [&](AffineExpr& atom, LogicalResult& status) { return names.read(atom, status); };
  return ExprReader(state_, name).readSum(expr);
}

LogicalResult OpParser::parseDimAndSymbolOperands(std::vector<UnresolvedOperand>& operands,
                                                  unsigned& numDims) {
  if (failed(parseOperandList(operands, Delimiter::Paren))) return failure();
  numDims = static_cast<unsigned>(operands.size());
  return parseOperandList(operands, Delimiter::OptionalSquare);
}

}  // namespace airlite
