// Attributes as text.
#include "DenseReader.hpp"
#include "Indexer.hpp"
#include "Literals.hpp"
#include "ParserState.hpp"
#include "airlite/ir/Resources.hpp"
#include "airlite/ir/Symbols.hpp"
#include "airlite/support/Text.hpp"
#include "airlite/text/AttrParser.hpp"

#include <algorithm>

namespace airlite {

using text::ParserState;
using text::Token;
using text::TokenKind;

namespace {

/// One class: attributes nest in each other, each kind in a few lines.
class AttributeReader : public AttrParser {
 public:
  AttributeReader(ParserState& state, Type type) : AttrParser(state), type_(type) {}

  LogicalResult read(Attribute& attribute) {
    ParserState::Nesting nesting(state_);
    if (failed(nesting.check())) return failure();
    const Token& token = state_.token();
    switch (token.kind) {
      case TokenKind::Integer:
      case TokenKind::Float: return readNumber(attribute, false);
      case TokenKind::String: return readString(attribute);
      case TokenKind::Symbol: return readSymbol(attribute);
      case TokenKind::AttrAlias: return readDialect(attribute);
      case TokenKind::Word: return readWord(attribute);
      case TokenKind::TypeAlias: return readType(attribute);
      case TokenKind::Punctuation: return readPunctuation(attribute);
      default: return emitError() << "expected an attribute value";
    }
  }

 private:
  LogicalResult readPunctuation(Attribute& attribute) {
    if (nextIs("[")) return readArray(attribute);
    if (nextIs("{")) return readDictionary(attribute);
    if (nextIs("(")) return readType(attribute);
    if (!parseOptional("-"))
      return emitError() << "expected an attribute value, found '" << state_.token().text << "'";
    return readNumber(attribute, true);
  }

  LogicalResult readType(Attribute& attribute) {
    Type type;
    if (failed(parseType(type))) return failure();
    attribute = TypeAttr::get(type);
    return success();
  }

  LogicalResult readString(Attribute& attribute) {
    std::string text;
    if (failed(parseString(text))) return failure();
    attribute = StringAttr::get(context(), text);
    return success();
  }

  LogicalResult readSymbol(Attribute& attribute) {
    std::string root;
    if (failed(parseSymbolName(root))) return failure();
    std::vector<std::string> nested;
    while (parseOptional("::"))
      if (failed(parseSymbolName(nested.emplace_back()))) return failure();
    std::vector<std::string_view> views(nested.begin(), nested.end());
    attribute = SymbolRefAttr::get(context(), root, views);
    return success();
  }

  LogicalResult readArray(Attribute& attribute) {
    std::vector<Attribute> elements;
    LogicalResult list =
        parseList(Delimiter::Square, [&] { return parseAttribute(elements.emplace_back()); });
    if (failed(list)) return failure();
    attribute = ArrayAttr::get(context(), elements);
    return success();
  }

  LogicalResult readDictionary(Attribute& attribute) {
    NamedAttrList entries;
    if (failed(parseAttrDict(entries))) return failure();
    attribute = entries.dictionary(context());
    return success();
  }

  LogicalResult readNumber(Attribute& attribute, bool negative) {
    Location where = location();
    Token token = state_.token();
    bool isFloat = token.is(TokenKind::Float);
    if (!isFloat && !token.is(TokenKind::Integer))
      return emitError() << "expected an integer or a float after '-'";
    state_.advance();
    Type type = type_;
    if (!type && parseOptional(":") && failed(parseType(type))) return failure();
    if (!type)
      type = isFloat ? Type(FloatType::get(context(), FloatKind::F64))
                     : Type(IntegerType::get(context(), 64));
    if (type.isFloat()) return makeFloat(attribute, where, token, type, negative);
    if (isFloat) return emitError(where) << "floating point value not valid for type " << type;
    return makeInteger(attribute, where, token, type, negative);
  }

  LogicalResult makeInteger(Attribute& attribute, Location where, const Token& token, Type type,
                            bool negative) {
    if (!type.isIntOrIndex())
      return emitError(where) << "integer literal not valid for type " << type;
    std::optional<int64_t> value = text::integerFor(type, token.text, negative);
    if (!value)
      return emitError(where) << "integer constant out of range for attribute of type " << type;
    attribute = IntegerAttr::get(type, *value);
    return success();
  }

  LogicalResult makeFloat(Attribute& attribute, Location where, const Token& token, Type type,
                          bool negative) {
    std::optional<double> value = text::floatFor(type.cast<FloatType>(), token.text, negative);
    if (!value) return emitError(where) << "hexadecimal float does not fit in type " << type;
    attribute = FloatAttr::get(type, *value);
    return success();
  }

  LogicalResult readWord(Attribute& attribute) {
    std::string_view word = state_.token().text;
    if (word == "true" || word == "false") {
      attribute = IntegerAttr::getBool(context(), word == "true");
      state_.advance();
      return success();
    }
    if (word == "unit") {
      attribute = UnitAttr::get(context());
      state_.advance();
      return success();
    }
    if (word == "affine_map") return readMap(attribute);
    if (word == "affine_set") return readSet(attribute);
    if (word == "dense") return text::readDenseElements(*this, state_, type_, attribute);
    if (word == "array") return text::readDenseArray(*this, state_, attribute);
    if (word == "strided") return readStrided(attribute);
    if (word == "loc") return readLocation(attribute);
    if (word == "dense_resource") return readDenseResource(attribute);
    if (word == "sparse" || word == "distinct")
      return emitError() << "not supported: '" << word << "' attributes";
    return readType(attribute);
  }

  LogicalResult readMap(Attribute& attribute) {
    AffineMap map;
    if (failed(parseAffineMap(map))) return failure();
    attribute = AffineMapAttr::get(map);
    return success();
  }

  LogicalResult readSet(Attribute& attribute) {
    IntegerSet set;
    if (failed(parseIntegerSet(set))) return failure();
    attribute = IntegerSetAttr::get(set);
    return success();
  }

  LogicalResult readLocation(Attribute& attribute) {
    Location value;
    if (failed(text::parseLocation(state_, false, value))) return failure();
    attribute = LocationAttr::get(context(), value);
    return success();
  }

  LogicalResult readDenseResource(Attribute& attribute) {
    state_.advance();
    std::string key;
    Type type = type_;
    if (failed(parse("<")) || failed(parseAnyKeyword(key)) || failed(parse(">"))) return failure();
    if (!type && failed(parse(":"))) return failure();
    Location where = location();
    if (!type && failed(parseType(type))) return failure();
    if (!type.isa<ShapedType>())
      return emitError(where) << "`dense_resource` expected a shaped type, found " << type;
    attribute = DenseResourceAttr::get(type.cast<ShapedType>(), key);
    return success();
  }

  LogicalResult readStride(int64_t& value) {
    if (!parseOptional("?")) return parseInteger(value);
    value = kDynamic;
    return success();
  }

  LogicalResult readStrided(Attribute& attribute) {
    state_.advance();
    std::vector<int64_t> strides;
    int64_t offset = 0;
    if (failed(parse("<"))) return failure();
    LogicalResult list =
        parseList(Delimiter::Square, [&] { return readStride(strides.emplace_back()); });
    if (failed(list)) return failure();
    if (parseOptional(",") &&
        (failed(parseKeyword("offset")) || failed(parse(":")) || failed(readStride(offset))))
      return failure();
    if (failed(parse(">"))) return failure();
    attribute = StridedLayoutAttr::get(context(), offset, strides);
    return success();
  }

  LogicalResult readDialect(Attribute& attribute) {
    std::string_view name = state_.token().text.substr(1);
    if (state_.attrAliases.contains(name)) return readAlias(attribute);
    if (const DialectAttrDef* def = context().findAttr(name))
      return readRegistered(*def, attribute);
    bool pretty = name.find('.') != std::string_view::npos;
    bool wrapped = state_.text().substr(state_.token().end(), 1) == "<";
    if (!pretty && wrapped) return readWrapped(name, attribute);
    if (!pretty) return emitError() << "undefined attribute alias '#" << name << "'";
    if (context().hasDialect(name.substr(0, name.find('.')))) return unknownDialectAttr(name);
    return readOpaque(name, attribute);
  }

  LogicalResult readAlias(Attribute& attribute) {
    Token token = state_.token();
    if (state_.indexer)
      state_.indexer->mention(SourceIndex::NameKind::AttrAlias, state_.nameSpan());
    const text::Alias<Attribute>& alias = state_.attrAliases.at(token.text.substr(1));
    if (failed(state_.expand(alias))) return failure();
    attribute = alias.value;
    state_.advance();
    auto location = attribute.dynCast<LocationAttr>();
    if (!location || !state_.deferredLocations.isIn(location.value())) return success();
    return emitError(state_.locationOf(token.offset))
           << "location alias '" << token.text << "' is used before all of it is defined";
  }

  // `#dialect<mnemonic ...>` is the long spelling of `#dialect.mnemonic...`.
  LogicalResult readWrapped(std::string_view dialect, Attribute& attribute) {
    uint32_t start = state_.token().end() + 1;
    uint32_t end = start;
    while (end < state_.text().size() && text::isWordChar(state_.text()[end]))
      ++end;
    std::string full =
        std::string(dialect) + "." + std::string(state_.text().substr(start, end - start));
    const DialectAttrDef* def = context().findAttr(full);
    if (!def) return readOpaque(dialect, attribute);
    state_.restartAt(start);
    if (failed(readRegistered(*def, attribute))) return failure();
    return parse(">");
  }

  LogicalResult unknownDialectAttr(std::string_view name) {
    std::vector<std::string_view> known;
    for (const DialectAttrDef* def : context().attrDefs())
      known.push_back(def->name);
    return emitError() << "unknown attribute '#" << name << "'" << didYouMean(name, known);
  }

  LogicalResult readRegistered(const DialectAttrDef& def, Attribute& attribute) {
    state_.advance();
    std::vector<Attribute> parameters;
    LogicalResult result = def.parse              ? def.parse(*this, parameters)
                           : def.keywords.empty() ? success()
                                                  : readKeywords(def, parameters);
    if (failed(result)) return failure();
    attribute = DialectAttr::get(context(), def, parameters);
    return success();
  }

  LogicalResult readKeywords(const DialectAttrDef& def, std::vector<Attribute>& parameters) {
    if (failed(parse("<"))) return failure();
    do {
      Location where = location();
      std::string word;
      if (failed(parseAnyKeyword(word))) return failure();
      bool known = std::find(def.keywords.begin(), def.keywords.end(), word) != def.keywords.end();
      if (!known)
        return emitError(where) << "unknown keyword '" << word << "' in '#" << def.name << "'"
                                << didYouMean(word, def.keywords);
      parameters.push_back(StringAttr::get(context(), word));
    } while (parseOptional(",") || parseOptional("|"));
    return parse(">");
  }

  LogicalResult readOpaque(std::string_view name, Attribute& attribute) {
    if (!context().allowUnregistered())
      return emitError() << "unknown attribute '#" << name << "': its dialect is not registered "
                         << "(--allow-unregistered keeps it as it is)";
    std::string symbol;
    if (failed(text::readOpaqueSymbol(*this, state_, symbol))) return failure();
    attribute = OpaqueAttr::get(context(), symbol);
    return success();
  }

  Type type_;
};

}  // namespace

LogicalResult AttrParser::parseAttribute(Attribute& attribute, Type type) {
  return AttributeReader(state_, type).read(attribute);
}

bool AttrParser::nextIsAttribute() const {
  static constexpr std::string_view kPunctuation[] = {"[", "{", "-"};
  static constexpr std::string_view kWords[] = {"true",           "false",      "unit",
                                                "affine_map",     "affine_set", "dense",
                                                "dense_resource", "array",      "strided"};
  const Token& token = state_.token();
  auto isToken = [&](std::string_view text) { return token.text == text; };
  switch (token.kind) {
    case TokenKind::Integer:
    case TokenKind::Float:
    case TokenKind::String:
    case TokenKind::Symbol:
    case TokenKind::AttrAlias: return true;
    case TokenKind::Word: return std::any_of(std::begin(kWords), std::end(kWords), isToken);
    case TokenKind::Punctuation:
      return std::any_of(std::begin(kPunctuation), std::end(kPunctuation), isToken);
    default: return false;
  }
}

bool AttrParser::parseOptionalAttribute(Attribute& attribute, LogicalResult& status, Type type) {
  if (nextIsAttribute()) {
    status = parseAttribute(attribute, type);
    return true;
  }
  Type parsed;
  if (!parseOptionalType(parsed, status)) return false;
  if (succeeded(status)) attribute = TypeAttr::get(parsed);
  return true;
}

/// The generic form writes the name of a symbol as a string.
static void indexSymbolName(ParserState& state) {
  const Token& token = state.token();
  if (!token.is(TokenKind::String)) return;
  state.indexer->mention(SourceIndex::NameKind::Symbol, {token.offset + 1, token.end() - 1});
}

static LogicalResult readAttrDict(AttrParser& parser, ParserState& state,
                                  NamedAttrList& attributes) {
  return parser.parseList(Delimiter::Braces, [&]() -> LogicalResult {
    Location where = parser.location();
    std::string name;
    if (failed(parser.parseKeywordOrString(name))) return failure();
    if (name.empty()) return parser.emitError(where) << "expected valid attribute name";
    if (failed(text::checkName(state, where, name))) return failure();
    if (attributes.get(name))
      return parser.emitError(where) << "duplicate key '" << name << "' in dictionary attribute";
    Attribute value = UnitAttr::get(parser.context());
    if (parser.parseOptional("=")) {
      if (state.indexer && name == kSymbolName) indexSymbolName(state);
      if (failed(parser.parseAttribute(value))) return failure();
    }
    attributes.append(Identifier::get(parser.context(), name), value);
    return success();
  });
}

// A module writes few dictionaries, each often: what the text up to a brace stood for, it stands for
// again.
LogicalResult AttrParser::parseAttrDict(NamedAttrList& attributes) {
  constexpr size_t kLongest = 1024;  // beyond, a dictionary is hardly written twice
  if (!attributes.empty() || state_.indexer) return readAttrDict(*this, state_, attributes);
  uint32_t start = state_.token().offset;
  std::string_view text = state_.text().substr(start, kLongest);
  text = text.substr(0, text.find('}') + 1);  // empty: not that short
  if (const DictionaryAttr* known = text.empty() ? nullptr : state_.dictionaries.find(text)) {
    attributes = *known;
    state_.restartAt(start + static_cast<uint32_t>(text.size()));
    return success();
  }
  uint64_t expanded = state_.expandedBytes();
  if (failed(readAttrDict(*this, state_, attributes))) return failure();
  // What an alias stands for is counted at each use.
  bool whole = state_.previousEnd() == start + text.size();
  if (whole && expanded == state_.expandedBytes())
    state_.dictionaries.insert(text, attributes.dictionary(context()));
  return success();
}

LogicalResult AttrParser::parseOptionalAttrDict(NamedAttrList& attributes) {
  return nextIs("{") ? parseAttrDict(attributes) : success();
}

LogicalResult AttrParser::parseOptionalAttrDictWithKeyword(NamedAttrList& attributes) {
  return parseOptionalKeyword("attributes") ? parseAttrDict(attributes) : success();
}

}  // namespace airlite
