// Types as text.
#include "Indexer.hpp"
#include "ParserState.hpp"
#include "airlite/support/Text.hpp"
#include "airlite/text/AttrParser.hpp"

namespace airlite {

using text::ParserState;
using text::Token;
using text::TokenKind;

namespace {

/// Reads one type; one object per type so that the steps stay short.
class TypeReader : public AttrParser {
 public:
  using AttrParser::AttrParser;

  LogicalResult read(Type& type) {
    ParserState::Nesting nesting(state_);
    if (failed(nesting.check())) return failure();
    if (failed(readNonFunction(type))) return failure();
    return success();
  }

 private:
  LogicalResult readNonFunction(Type& type) {
    const Token& token = state_.token();
    if (token.isPunctuation("(")) return readFunction(type);
    if (token.is(TokenKind::TypeAlias)) return readDialect(type);
    if (token.is(TokenKind::Word)) return readWord(type);
    return emitError() << "expected a type, found '" << token.text.substr(0, 40) << "'";
  }

  LogicalResult readFunction(Type& type) {
    std::vector<Type> inputs, results;
    LogicalResult list =
        parseList(Delimiter::Paren, [&] { return parseType(inputs.emplace_back()); });
    if (failed(list) || failed(parse("->"))) return failure();
    if (nextIs("(")) {
      list = parseList(Delimiter::Paren, [&] { return parseType(results.emplace_back()); });
      if (failed(list)) return failure();
    } else if (failed(parseType(results.emplace_back()))) {
      return failure();
    }
    type = FunctionType::get(context(), inputs, results);
    return success();
  }

  LogicalResult readWord(Type& type) {
    std::string_view word = state_.token().text;
    if (std::optional<FloatKind> kind = FloatType::parseName(word))
      return take(type, FloatType::get(context(), *kind));
    if (word == "index") return take(type, IndexType::get(context()));
    if (word == "none") return take(type, NoneType::get(context()));
    if (word == "memref") return readMemRef(type);
    if (word == "vector") return readVector(type);
    if (word == "tensor") return readTensor(type);
    if (word == "tuple") return readTuple(type);
    if (word == "complex") return readComplex(type);
    return readIntegerType(word, type);
  }

  LogicalResult take(Type& type, Type value) {
    type = value;
    state_.advance();
    return success();
  }

  LogicalResult readIntegerType(std::string_view word, Type& type) {
    Signedness signedness = Signedness::Signless;
    std::string_view digits = word;
    if (word.starts_with("si")) signedness = Signedness::Signed;
    if (word.starts_with("ui")) signedness = Signedness::Unsigned;
    digits.remove_prefix(signedness == Signedness::Signless ? 1 : 2);
    bool isInteger = (word[0] == 'i' || signedness != Signedness::Signless) && !digits.empty() &&
                     digits.find_first_not_of("0123456789") == std::string_view::npos;
    if (!isInteger) return unknownType(word);
    unsigned width = 0;
    for (char c : digits)
      width = width > IntegerType::kMaxWidth ? width : width * 10 + (c - '0');
    if (width == 0 || width > IntegerType::kMaxWidth)
      return emitError() << "invalid integer width: 1 to " << IntegerType::kMaxWidth << " bits";
    return take(type, IntegerType::get(context(), width, signedness));
  }

  LogicalResult unknownType(std::string_view word) {
    static constexpr std::string_view kTypes[] = {"index", "memref", "vector", "tensor", "tuple",
                                                  "none",  "f16",    "bf16",   "f32",    "f64",
                                                  "i1",    "i8",     "i16",    "i32",    "i64"};
    return emitError() << "expected a type, found '" << word << "'" << didYouMean(word, kTypes);
  }

  LogicalResult readElement(Type& element, std::string_view container) {
    Location where = location();
    if (failed(parseType(element))) return failure();
    bool fine =
        element.isIntOrIndexOrFloat() || element.kind() == TypeKind::Complex ||
        element.kind() == TypeKind::Dialect || element.kind() == TypeKind::Opaque ||
        (element.kind() == TypeKind::Vector && container != "vector") ||
        (container == "memref" && element.isa<ShapedType>() && !element.isa<RankedTensorType>());
    if (fine) return success();
    return emitError(where) << "invalid " << container << " element type: " << element;
  }

  LogicalResult readMemRef(Type& type) {
    state_.advance();
    if (failed(parse("<"))) return failure();
    bool unranked = nextIs("*");
    std::vector<int64_t> shape;
    if (unranked && failed(readUnrankedPrefix())) return failure();
    if (!unranked && failed(parseDimensionList(shape))) return failure();
    Type element;
    if (failed(readElement(element, "memref"))) return failure();
    Attribute layout, space;
    while (parseOptional(","))
      if (failed(readMemRefPart(shape.size(), unranked, layout, space))) return failure();
    if (failed(parse(">"))) return failure();
    type = unranked ? Type(UnrankedMemRefType::get(context(), element, space))
                    : Type(MemRefType::get(context(), shape, element, layout, space));
    return success();
  }

  LogicalResult readMemRefPart(size_t rank, bool unranked, Attribute& layout, Attribute& space) {
    Location where = location();
    Attribute part;
    if (failed(parseAttribute(part))) return failure();
    bool isLayout = part.isa<StridedLayoutAttr>() || part.isa<AffineMapAttr>();
    if (!isLayout) {
      if (space) return emitError(where) << "multiple memory spaces specified in memref type";
      space = part;
      return success();
    }
    if (unranked) return emitError(where) << "cannot have affine map for unranked memref type";
    if (layout) return emitError(where) << "multiple layouts specified in memref type";
    if (space) return emitError(where) << "expected memory space to be last in memref type";
    layout = part;
    return checkLayout(where, rank, layout);
  }

  LogicalResult checkLayout(Location where, size_t rank, Attribute layout) {
    size_t layoutRank = layout.isa<AffineMapAttr>()
                            ? layout.cast<AffineMapAttr>().value().numDims()
                            : layout.cast<StridedLayoutAttr>().strides().size();
    if (layoutRank == rank) return success();
    return emitError(where) << "memref layout mismatch between rank and affine map: " << rank
                            << " != " << layoutRank;
  }

  LogicalResult readUnrankedPrefix() {
    state_.advance();
    const Token& token = state_.token();
    if (!token.is(TokenKind::Word) || token.text[0] != 'x')
      return emitError() << "expected 'x' after '*'";
    state_.restartAt(token.offset + 1);
    return success();
  }

  LogicalResult readVector(Type& type) {
    state_.advance();
    if (failed(parse("<"))) return failure();
    if (nextIs("[")) return emitError() << "not supported: scalable vectors";
    Location where = location();
    std::vector<int64_t> shape;
    if (failed(parseDimensionList(shape, false))) return failure();
    if (nextIs("[")) return emitError() << "not supported: scalable vectors";
    for (int64_t size : shape)
      if (size == 0) return emitError(where) << "vector types must have positive constant sizes";
    Type element;
    if (failed(readElement(element, "vector")) || failed(parse(">"))) return failure();
    type = VectorType::get(context(), shape, element);
    return success();
  }

  LogicalResult readTensor(Type& type) {
    state_.advance();
    if (failed(parse("<"))) return failure();
    bool unranked = nextIs("*");
    std::vector<int64_t> shape;
    if (unranked && failed(readUnrankedPrefix())) return failure();
    if (!unranked && failed(parseDimensionList(shape))) return failure();
    Type element;
    if (failed(readElement(element, "tensor"))) return failure();
    Attribute encoding;
    if (parseOptional(",") && failed(parseAttribute(encoding))) return failure();
    if (failed(parse(">"))) return failure();
    type = unranked ? Type(UnrankedTensorType::get(context(), element))
                    : Type(RankedTensorType::get(context(), shape, element, encoding));
    return success();
  }

  LogicalResult readTuple(Type& type) {
    state_.advance();
    std::vector<Type> types;
    LogicalResult list =
        parseList(Delimiter::Angle, [&] { return parseType(types.emplace_back()); });
    if (failed(list)) return failure();
    type = TupleType::get(context(), types);
    return success();
  }

  LogicalResult readComplex(Type& type) {
    state_.advance();
    Type element;
    if (failed(parse("<"))) return failure();
    Location where = location();
    if (failed(parseType(element)) || failed(parse(">"))) return failure();
    if (!element.isInteger() && !element.isFloat())
      return emitError(where) << "invalid element type for complex: " << element;
    type = ComplexType::get(context(), element);
    return success();
  }

  LogicalResult readDialect(Type& type) {
    std::string_view name = state_.token().text.substr(1);
    auto alias = state_.typeAliases.find(name);
    if (alias != state_.typeAliases.end()) {
      if (state_.indexer)
        state_.indexer->mention(SourceIndex::NameKind::TypeAlias, state_.nameSpan());
      if (failed(state_.expand(alias->second))) return failure();
      return take(type, alias->second.value);
    }
    if (const DialectTypeDef* def = context().findType(name)) return readRegistered(*def, type);
    size_t dot = name.find('.');
    bool nested =
        dot == std::string_view::npos && state_.text().substr(state_.token().end(), 1) == "<";
    if (dot == std::string_view::npos && !nested)
      return emitError() << "undefined type alias '!" << name << "'";
    if (!nested && context().hasDialect(name.substr(0, dot))) return unknownDialectType(name);
    if (!context().allowUnregistered())
      return emitError() << "unknown type '!" << name << "': its dialect is not registered "
                         << "(--allow-unregistered keeps it as it is)";
    return readOpaque(type);
  }

  LogicalResult unknownDialectType(std::string_view name) {
    std::vector<std::string_view> known;
    for (const DialectTypeDef* def : context().typeDefs())
      known.push_back(def->name);
    return emitError() << "unknown type '!" << name << "'" << didYouMean(name, known);
  }

  LogicalResult readRegistered(const DialectTypeDef& def, Type& type) {
    state_.advance();
    std::vector<Attribute> parameters;
    if (def.parse && failed(def.parse(*this, parameters))) return failure();
    type = DialectType::get(context(), def, parameters);
    return success();
  }

  LogicalResult readOpaque(Type& type) {
    std::string symbol;
    if (failed(text::readOpaqueSymbol(*this, state_, symbol))) return failure();
    type = OpaqueType::get(context(), symbol);
    return success();
  }
};

}  // namespace

/// A text at `start` that may be all of a type: `word`, `!word` or one of them with `<...>` after
/// it; when it starts with something else, the rest of the line. Empty: too long to be met again.
static std::string_view textOfType(std::string_view source, uint32_t start) {
  constexpr size_t kLongest = 256;
  std::string_view text = source.substr(start, kLongest);
  if (text.starts_with('(')) {
    size_t end = std::min(text.find('\n'), text.size());
    return end < kLongest ? text.substr(0, end) : std::string_view();
  }
  size_t at = text.starts_with('!') ? 1 : 0;
  while (at < text.size() && text::isWordChar(text[at]))
    ++at;
  if (at == text.size() || text[at] != '<') return text.substr(0, at);
  int depth = 0;
  for (; at < text.size() && text[at] != '\n'; ++at) {
    if (text[at] == '<') ++depth;
    bool closes = text[at] == '>' && text[at - 1] != '-';
    if (closes && --depth == 0) return text.substr(0, at + 1);
  }
  return {};
}

// A module has few types: what a text stood for, it stands for again.
LogicalResult AttrParser::parseType(Type& type) {
  uint32_t start = state_.token().offset;
  std::string_view spelling = textOfType(state_.text(), start);
  if (const Type* known = spelling.empty() ? nullptr : state_.typesByText.find(spelling)) {
    type = *known;
    state_.restartAt(start + static_cast<uint32_t>(spelling.size()));
    return success();
  }
  uint64_t expanded = state_.expandedBytes();
  if (failed(TypeReader(state_).read(type))) return failure();
  // What an alias stands for is counted at each use.
  if (expanded != state_.expandedBytes()) return success();
  bool whole = !spelling.empty() && state_.previousEnd() == start + spelling.size();
  if (whole) state_.typesByText.insert(spelling, type);
  return success();
}

bool AttrParser::parseOptionalType(Type& type, LogicalResult& status) {
  const Token& token = state_.token();
  bool starts = token.is(TokenKind::TypeAlias) || token.isPunctuation("(");
  if (token.is(TokenKind::Word)) {
    std::string_view word = token.text;
    bool named = word == "index" || word == "none" || word == "memref" || word == "vector" ||
                 word == "tensor" || word == "tuple" || word == "complex";
    bool number = (word[0] == 'i' || word.starts_with("si") || word.starts_with("ui")) &&
                  word.size() > 1 && word.back() >= '0' && word.back() <= '9';
    starts = named || FloatType::parseName(word) ||
             (number && word.find_first_not_of("sui0123456789") == std::string_view::npos);
  }
  if (!starts) return false;
  status = parseType(type);
  return true;
}

}  // namespace airlite
