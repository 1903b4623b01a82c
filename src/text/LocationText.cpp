// Locations as text: printed and read.
#include "Indexer.hpp"
#include "LocationAliases.hpp"
#include "ParserState.hpp"
#include "PrinterState.hpp"

namespace airlite {

namespace text {

// -- Printing ---------------------------------------------------------------------------------

namespace {

void appendPlace(std::string& out, std::string_view file, unsigned line, unsigned column) {
  appendQuoted(out, file);
  out += ':' + std::to_string(line) + ':' + std::to_string(column);
}

void appendNestedLocation(PrinterState& state, Context& context, Location location) {
  if (!state.aliases.useLocation(context, location, state.out))
    state.appendLocation(context, location);
}

void appendNameLocation(PrinterState& state, Context& context, const ComposedLocation& location) {
  appendQuoted(state.out, location.name);
  if (location.children.empty() || location.children[0].isUnknown()) return;
  state.out += '(';
  appendNestedLocation(state, context, location.children[0]);
  state.out += ')';
}

void appendCallSite(PrinterState& state, Context& context, const ComposedLocation& location) {
  state.out += "callsite(";
  appendNestedLocation(state, context, location.children.at(0));
  state.out += " at ";
  appendNestedLocation(state, context, location.children.at(1));
  state.out += ')';
}

void appendFused(PrinterState& state, Context& context, const ComposedLocation& location) {
  state.out += "fused";
  if (location.metadata) {
    state.out += '<';
    state.appendAttribute(location.metadata, TypeSuffix::Always);
    state.out += '>';
  }
  std::string_view separator = "[";
  for (Location child : location.children) {
    state.out += separator;
    appendNestedLocation(state, context, child);
    separator = ", ";
  }
  state.out += location.children.empty() ? "[]" : "]";
}

void appendComposed(PrinterState& state, Context& context, const ComposedLocation& location) {
  switch (location.kind) {
    case ComposedLocation::Kind::FileLineCol:
      return appendPlace(state.out, location.name, location.line, location.column);
    case ComposedLocation::Kind::Name: return appendNameLocation(state, context, location);
    case ComposedLocation::Kind::CallSite: return appendCallSite(state, context, location);
    case ComposedLocation::Kind::Fused: return appendFused(state, context, location);
  }
}

}  // namespace

void PrinterState::appendLocation(Context& context, Location location) {
  if (location.isComposed()) return appendComposed(*this, context, context.composed(location));
  if (location.isUnknown()) {
    out += "unknown";
    return;
  }
  LineColumn place = context.sources().lineColumn(location);
  appendPlace(out, context.sources().name(location.source()), place.line, place.column);
}

void PrinterState::visitLocation(Location location, bool inFront) {
  if (options.debugInfo && context_) aliases.visitLocation(*context_, location, inFront);
}

void PrinterState::appendTrailingLocation(Location location) {
  if (!options.debugInfo || !context_) return;
  out += " loc(";
  appendNestedLocation(*this, *context_, location);
  out += ')';
}

// The alias of an argument's own location is defined and not used: MLIR does so.
void PrinterState::appendArgumentLocation(Location location) {
  if (!options.debugInfo || !context_) return;
  out += " loc(";
  appendLocation(*context_, canonicalLocation(*context_, location));
  out += ')';
}

}  // namespace text

// -- Reading ----------------------------------------------------------------------------------

namespace {

using text::TokenKind;

class LocationReader : public AttrParser {
 public:
  /// `mayDefer`: names that are defined later are allowed.
  LocationReader(text::ParserState& state, bool mayDefer)
      : AttrParser(state), mayDefer_(mayDefer) {}

  LogicalResult read(Location& location) {
    text::ParserState::Nesting nesting(state_);
    if (failed(nesting.check())) return failure();
    location = Location();
    if (parseOptionalKeyword("unknown")) return success();
    if (nextIsKeyword("callsite")) return readCallSite(location);
    if (nextIsKeyword("fused")) return readFused(location);
    if (state_.token().is(TokenKind::AttrAlias)) return readAlias(location);
    std::string name;
    if (failed(parseString(name))) return failure();
    return parseOptional(":") ? readPosition(location, name) : readName(location, name);
  }

 private:
  LogicalResult readAlias(Location& location) {
    std::string_view name = state_.token().text;
    if (state_.indexer)
      state_.indexer->mention(SourceIndex::NameKind::AttrAlias, state_.nameSpan());
    auto alias = state_.attrAliases.find(name.substr(1));
    bool isKnown = alias != state_.attrAliases.end();
    if (mayDefer_ && !isKnown && name.find('.') == std::string_view::npos) {
      location = state_.deferredLocations.defer(name, this->location());
      state_.advance();
      return success();
    }
    Location where = this->location();
    Attribute attribute;
    if (isKnown && mayDefer_) {
      if (failed(state_.expand(alias->second))) return failure();
      attribute = alias->second.value;
      state_.advance();
    } else if (failed(parseAttribute(attribute))) {
      return failure();
    }
    if (!attribute.isa<LocationAttr>()) return emitError(where) << "expected a location alias";
    location = attribute.cast<LocationAttr>().value();
    return success();
  }

  LogicalResult readPosition(Location& location, const std::string& file) {
    int64_t line = 0, column = 0;
    if (failed(parseInteger(line)) || failed(parse(":")) || failed(parseInteger(column)))
      return failure();
    bool fits = line >= 0 && column >= 0 && line <= UINT32_MAX && column <= UINT32_MAX;
    if (!fits) return emitError() << "line or column is out of range";
    location =
        context().fileLineCol(file, static_cast<unsigned>(line), static_cast<unsigned>(column));
    return success();
  }

  LogicalResult readName(Location& location, const std::string& name) {
    ComposedLocation composed;
    composed.kind = ComposedLocation::Kind::Name;
    composed.name = Identifier::get(context(), name);
    Location child;
    if (parseOptional("(") && (failed(read(child)) || failed(parse(")")))) return failure();
    if (!child.isUnknown()) composed.children.push_back(child);
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
    Attribute metadata;
    std::vector<Location> parts;
    if (parseOptional("<") && (failed(parseAttribute(metadata)) || failed(parse(">"))))
      return failure();
    LogicalResult list = parseList(Delimiter::Square, [&] { return read(parts.emplace_back()); });
    if (failed(list)) return failure();
    location = text::fusedLocation(context(), metadata, parts);
    return success();
  }

  bool mayDefer_;
};

}  // namespace

LogicalResult text::parseLocation(ParserState& state, bool mayDefer, Location& location) {
  AttrParser parser(state);
  if (failed(parser.parseKeyword("loc")) || failed(parser.parse("("))) return failure();
  if (failed(LocationReader(state, mayDefer).read(location))) return failure();
  return parser.parse(")");
}

LogicalResult AttrParser::parseOptionalLocation(Location& where) {
  return nextIsKeyword("loc") ? text::parseLocation(state_, true, where) : success();
}

}  // namespace airlite
