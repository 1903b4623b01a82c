// Attributes as text.
#include <algorithm>

#include "DenseReader.hpp"
#include "Literals.hpp"
#include "ParserState.hpp"
#include "airlite/support/Text.hpp"
#include "airlite/text/AttrParser.hpp"

namespace airlite {

using text::ParserState;
using text::Token;
using text::TokenKind;

namespace {

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
    if (!type) type = isFloat ? Type(FloatType::get(context(), FloatKind::F64))
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
    if (!value)
      return emitError(where) << "hexadecimal float does not fit in type " << type;
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
    if (word == "sparse" || word == "dense_resource" || word == "distinct")
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
    if (failed(parseOptionalLocation(value))) return failure();
    attribute = LocationAttr::get(context(), value);
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
    auto alias = state_.attrAliases.find(name);
    if (alias != state_.attrAliases.end()) {
      if (failed(state_.expand(alias->second))) return failure();
      attribute = alias->second.value;
      state_.advance();
      return success();
    }
    if (const DialectAttrDef* def = context().findAttr(name)) return readRegistered(*def, attribute);
    bool pretty = name.find('.') != std::string_view::npos;
    bool wrapped = state_.text().substr(state_.token().end(), 1) == "<";
    if (!pretty && wrapped) return readWrapped(name, attribute);
    if (!pretty) return emitError() << "undefined attribute alias '#" << name << "'";
    if (context().hasDialect(name.substr(0, name.find('.')))) return unknownDialectAttr(name);
    return readOpaque(name, attribute);
  }

  // `#dialect<mnemonic ...>` is the long spelling of `#dialect.mnemonic...`.
  LogicalResult readWrapped(std::string_view dialect, Attribute& attribute) {
    uint32_t start = state_.token().end() + 1;
    uint32_t end = start;
    while (end < state_.text().size() && text::isWordChar(state_.text()[end])) ++end;
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
    for (const DialectAttrDef* def : context().attrDefs()) known.push_back(def->name);
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
    uint32_t start = state_.token().offset + 1;
    uint32_t end = state_.token().end();
    state_.advance();
    std::string_view inside;
    if (nextIs("<") && state_.token().offset == end) {
      if (failed(parseBalancedAngles(inside))) return failure();
      end = static_cast<uint32_t>(inside.data() - state_.text().data() + inside.size() + 1);
    }
    attribute = OpaqueAttr::get(context(), state_.text().substr(start, end - start));
    return success();
  }

  Type type_;
};

}  // namespace

LogicalResult AttrParser::parseAttribute(Attribute& attribute, Type type) {
  return AttributeReader(state_, type).read(attribute);
}

bool AttrParser::parseOptionalAttribute(Attribute& attribute, LogicalResult& status, Type type) {
  const Token& token = state_.token();
  bool starts = token.is(TokenKind::Integer) || token.is(TokenKind::Float) ||
                token.is(TokenKind::String) || token.is(TokenKind::Symbol) ||
                token.is(TokenKind::AttrAlias) || token.is(TokenKind::TypeAlias) ||
                token.isPunctuation("[") || token.isPunctuation("{") || token.isPunctuation("-");
  if (token.is(TokenKind::Word)) {
    static constexpr std::string_view kWords[] = {"true", "false", "unit", "affine_map",
                                                  "affine_set", "dense", "array", "strided"};
    for (std::string_view word : kWords) starts |= token.text == word;
    if (!starts) {
      Type parsed;
      if (!parseOptionalType(parsed, status)) return false;
      if (succeeded(status)) attribute = TypeAttr::get(parsed);
      return true;
    }
  }
  if (!starts) return false;
  status = parseAttribute(attribute, type);
  return true;
}

LogicalResult AttrParser::parseAttrDict(NamedAttrList& attributes) {
  return parseList(Delimiter::Braces, [&]() -> LogicalResult {
    Location where = location();
    std::string name;
    if (failed(parseKeywordOrString(name))) return failure();
    if (name.empty()) return emitError(where) << "expected valid attribute name";
    if (failed(text::checkName(state_, where, name))) return failure();
    if (attributes.get(name))
      return emitError(where) << "duplicate key '" << name << "' in dictionary attribute";
    Attribute value = UnitAttr::get(context());
    if (parseOptional("=") && failed(parseAttribute(value))) return failure();
    attributes.append(Identifier::get(context(), name), value);
    return success();
  });
}

LogicalResult AttrParser::parseOptionalAttrDict(NamedAttrList& attributes) {
  return nextIs("{") ? parseAttrDict(attributes) : success();
}

LogicalResult AttrParser::parseOptionalAttrDictWithKeyword(NamedAttrList& attributes) {
  return parseOptionalKeyword("attributes") ? parseAttrDict(attributes) : success();
}

namespace {

class LocationReader : public AttrParser {
 public:
  using AttrParser::AttrParser;

  LogicalResult read(Location& location) {
    ParserState::Nesting nesting(state_);
    if (failed(nesting.check())) return failure();
    if (parseOptionalKeyword("unknown")) {
      location = Location();
      return success();
    }
    if (nextIsKeyword("callsite")) return readCallSite(location);
    if (nextIsKeyword("fused")) return readFused(location);
    if (state_.token().is(TokenKind::AttrAlias)) return readAlias(location);
    std::string name;
    if (failed(parseString(name))) return failure();
    return parseOptional(":") ? readPosition(location, name) : readName(location, name);
  }

 private:
  LogicalResult readAlias(Location& location) {
    Attribute attribute;
    if (failed(parseAttribute(attribute))) return failure();
    if (!attribute.isa<LocationAttr>()) return emitError() << "expected a location alias";
    location = attribute.cast<LocationAttr>().value();
    return success();
  }

  LogicalResult readPosition(Location& location, const std::string& file) {
    int64_t line = 0, column = 0;
    if (failed(parseInteger(line)) || failed(parse(":")) || failed(parseInteger(column)))
      return failure();
    bool fits = line >= 0 && column >= 0 && line <= UINT32_MAX && column <= UINT32_MAX;
    if (!fits) return emitError() << "line or column is out of range";
    location = context().fileLineCol(file, static_cast<unsigned>(line),
                                     static_cast<unsigned>(column));
    return success();
  }

  LogicalResult readName(Location& location, const std::string& name) {
    ComposedLocation composed;
    composed.kind = ComposedLocation::Kind::Name;
    composed.name = Identifier::get(context(), name);
    if (parseOptional("(") && (failed(read(composed.children.emplace_back())) || failed(parse(")"))))
      return failure();
    location = context().composedLocation(std::move(composed));
    return success();
  }

  LogicalResult readCallSite(Location& location) {
    state_.advance();
    ComposedLocation composed;
    composed.kind = ComposedLocation::Kind::CallSite;
    if (failed(parse("(")) || failed(read(composed.children.emplace_back())) ||
        failed(parseKeyword("at")) || failed(read(composed.children.emplace_back())) ||
        failed(parse(")")))
      return failure();
    location = context().composedLocation(std::move(composed));
    return success();
  }

  LogicalResult readFused(Location& location) {
    state_.advance();
    ComposedLocation composed;
    composed.kind = ComposedLocation::Kind::Fused;
    if (parseOptional("<") && (failed(parseAttribute(composed.metadata)) || failed(parse(">"))))
      return failure();
    LogicalResult list =
        parseList(Delimiter::Square, [&] { return read(composed.children.emplace_back()); });
    if (failed(list)) return failure();
    location = context().composedLocation(std::move(composed));
    return success();
  }
};

}  // namespace

LogicalResult AttrParser::parseOptionalLocation(Location& where) {
  if (!parseOptionalKeyword("loc")) return success();
  if (failed(parse("(")) || failed(LocationReader(state_).read(where))) return failure();
  return parse(")");
}

}  // namespace airlite
