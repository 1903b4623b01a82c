// Types, attributes and locations inside the strings of the JSON form.
#include "JsonInput.hpp"
#include "ParserState.hpp"

namespace airlite::text {

/// What is wrong in the text of a string, said at its place in the JSON text.
LogicalResult JsonTexts::reportInString(JsonNode node, std::span<const Diagnostic> diagnostics) {
  for (const Diagnostic& inner : diagnostics) {
    if (inner.severity != Severity::Error) continue;
    std::string_view json = in_.context.sources().text(in_.source());
    uint32_t at = offsetInString(json, in_.tree.offset(node), inner.location.offset());
    InFlightDiagnostic outer =
        in_.errorAt(Location::inSource(in_.source(), at), node, shortened(inner.message, 400));
    if (at < json.size() && json[at] == '"') outer.underline(1);
    return outer;
  }
  return in_.error(node, "expected a type or an attribute");
}

template <class T>
LogicalResult JsonTexts::readText(JsonNode node, std::string_view what, Parse<T> parse,
                                  Known<T>& known, T& result) {
  std::string_view text;
  if (failed(in_.readString(node, what, text))) return failure();
  auto it = known.find(text);
  if (it != known.end()) {
    result = it->second;
    return success();
  }
  DiagnosticCollector collector(in_.context);
  result = parse(in_.context, text);
  if (result) {
    known.emplace(text, result);
    return success();
  }
  problems_ = collector.diagnostics();
  return failure();
}

template <class T>
LogicalResult JsonTexts::readParsed(JsonNode node, std::string_view what, Parse<T> parse,
                                    Known<T>& known, T& result) {
  problems_.clear();
  unsigned before = in_.numErrors();
  if (succeeded(readText(node, what, parse, known, result))) return success();
  return in_.numErrors() > before ? failure() : reportInString(node, problems_);
}

LogicalResult JsonTexts::readType(JsonNode node, Type& type) {
  return readParsed(node, "the text of a type", parseType, types_, type);
}

LogicalResult JsonTexts::readAttribute(JsonNode node, Attribute& attribute) {
  return readParsed(node, "the text of an attribute", parseAttribute, attributes_, attribute);
}

LogicalResult JsonTexts::readPlace(JsonNode node, Location& location) {
  if (in_.tree.numChildren(node) != 3)
    return in_.error(node, "expected a location of the form [file, line, column]");
  JsonNode file = in_.tree.firstChild(node);
  JsonNode line = in_.tree.next(file);
  std::string_view name;
  uint64_t lineNumber = 0, column = 0;
  if (failed(in_.readString(file, "the name of a file", name)) ||
      failed(in_.readNatural(line, "a line number", UINT32_MAX, lineNumber)) ||
      failed(in_.readNatural(in_.tree.next(line), "a column number", UINT32_MAX, column)))
    return failure();
  location = in_.context.fileLineCol(name, static_cast<unsigned>(lineNumber),
                                     static_cast<unsigned>(column));
  return success();
}

LogicalResult JsonTexts::readLocation(JsonNode node, Location& location) {
  if (node == kNoNode) return success();
  if (in_.tree.kind(node) == JsonKind::Array) return readPlace(node, location);
  Attribute attribute;
  if (in_.tree.kind(node) != JsonKind::String)
    return in_.expected(node, "a location: [file, line, column] or the text of one");
  if (failed(readAttribute(node, attribute))) return failure();
  if (!attribute.isa<LocationAttr>())
    return in_.error(node, "expected a location such as 'loc(unknown)'");
  location = attribute.cast<LocationAttr>().value();
  return success();
}

}  // namespace airlite::text
