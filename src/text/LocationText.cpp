// Locations as text: printed and read.
#include "LocationAliases.hpp"
#include "ParserState.hpp"
#include "PrinterState.hpp"

namespace airlite {

namespace text {

// -- Printing ---------------------------------------------------------------------------------

static void appendPlace(std::string& out, std::string_view file, unsigned line, unsigned column) {
  appendQuoted(out, file);
  out += ':' + std::to_string(line) + ':' + std::to_string(column);
}

void PrinterState::appendNestedLocation(Context& context, Location location) {
  if (!aliases.useLocation(context, location, out)) appendLocation(context, location);
}

void PrinterState::appendNameLocation(Context& context, const ComposedLocation& location) {
  appendQuoted(out, location.name);
  if (location.children.empty() || location.children[0].isUnknown()) return;
  out += '(';
  appendNestedLocation(context, location.children[0]);
  out += ')';
}

void PrinterState::appendCallSite(Context& context, const ComposedLocation& location) {
  out += "callsite(";
  appendNestedLocation(context, location.children.at(0));
  out += " at ";
  appendNestedLocation(context, location.children.at(1));
  out += ')';
}

void PrinterState::appendFused(Context& context, const ComposedLocation& location) {
  out += "fused";
  if (location.metadata) {
    out += '<';
    appendAttribute(location.metadata, TypeSuffix::Always);
    out += '>';
  }
  std::string_view separator = "[";
  for (Location child : location.children) {
    out += separator;
    appendNestedLocation(context, child);
    separator = ", ";
  }
  out += location.children.empty() ? "[]" : "]";
}

void PrinterState::appendComposed(Context& context, const ComposedLocation& location) {
  switch (location.kind) {
    case ComposedLocation::Kind::FileLineCol:
      return appendPlace(out, location.name, location.line, location.column);
    case ComposedLocation::Kind::Name: return appendNameLocation(context, location);
    case ComposedLocation::Kind::CallSite: return appendCallSite(context, location);
    case ComposedLocation::Kind::Fused: return appendFused(context, location);
  }
}

void PrinterState::appendLocation(Context& context, Location location) {
  if (location.isComposed()) return appendComposed(context, context.composed(location));
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
  appendNestedLocation(*context_, location);
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
    location = context().fileLineCol(file, static_cast<unsigned>(line),
                                     static_cast<unsigned>(column));
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
    LogicalResult list =
        parseList(Delimiter::Square, [&] { return read(parts.emplace_back()); });
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
