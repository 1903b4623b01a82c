// The dlti dialect: attributes that describe data layouts and targets as entries `key = value`.
#include "airlite/dialect/Dialects.hpp"
#include "airlite/ir/Context.hpp"
#include "airlite/text/AttrParser.hpp"
#include "airlite/text/AttrPrinter.hpp"

#include <algorithm>
#include <array>

namespace airlite {
namespace {

// Parameters of all of them: key, value, key, value, ... A key is a TypeAttr or a StringAttr.

LogicalResult parseKey(AttrParser& parser, Attribute& key) {
  std::string text;
  if (parser.parseOptionalString(text)) {
    key = StringAttr::get(parser.context(), text);
    return success();
  }
  Type type;
  if (failed(parser.parseType(type))) return failure();
  key = TypeAttr::get(type);
  return success();
}

LogicalResult add(AttrParser& parser, Location where, Attribute key, Attribute value,
                  std::vector<Attribute>& parameters) {
  for (size_t i = 0; i < parameters.size(); i += 2)
    if (parameters[i] == key)
      return parser.emitError(where) << "repeated layout entry key: " << key.str();
  parameters.insert(parameters.end(), {key, value});
  return success();
}

/// `index = 32 : i64`, or as it was written once, `#dlti.dl_entry<index, 32 : i64>`.
LogicalResult parseItem(AttrParser& parser, std::vector<Attribute>& parameters) {
  Location where = parser.location();
  LogicalResult status = success();
  Attribute entry, key, value;
  if (parser.parseOptionalAttribute(entry, status) && failed(status)) return failure();
  if (DialectAttr old = entry.dynCast<DialectAttr>(); old && old.name() == "dlti.dl_entry")
    return add(parser, where, old.parameters()[0], old.parameters()[1], parameters);
  bool isKey = entry.isa<StringAttr>() || entry.isa<TypeAttr>();
  if (entry && !isKey) return parser.emitError(where) << "expected a type or a string as key";
  key = entry;
  if (!key && failed(parseKey(parser, key))) return failure();
  if (failed(parser.parse("=")) || failed(parser.parseAttribute(value))) return failure();
  return add(parser, where, key, value, parameters);
}

LogicalResult parseItems(AttrParser& parser, std::vector<Attribute>& parameters) {
  return parser.parseList(Delimiter::OptionalAngle, [&] { return parseItem(parser, parameters); });
}

LogicalResult parseEntry(AttrParser& parser, std::vector<Attribute>& parameters) {
  Attribute key, value;
  if (failed(parser.parse("<")) || failed(parseKey(parser, key)) || failed(parser.parse(",")) ||
      failed(parser.parseAttribute(value)) || failed(parser.parse(">")))
    return failure();
  parameters = {key, value};
  return success();
}

void printPairs(AttrPrinter& printer, DialectAttr attribute, std::string_view between) {
  std::span<const Attribute> parameters = attribute.parameters();
  if (parameters.empty()) return;
  printer << "<";
  for (size_t i = 0; i + 1 < parameters.size(); i += 2)
    printer << (i ? ", " : "") << parameters[i] << between << parameters[i + 1];
  printer << ">";
}

void printItems(AttrPrinter& printer, DialectAttr attribute) {
  printPairs(printer, attribute, " = ");
}

void printEntry(AttrPrinter& printer, DialectAttr attribute) {
  printPairs(printer, attribute, ", ");
}

}  // namespace

void registerDlti(Context& context) {
  Dialect d(context, "dlti", "Data layouts and targets, as attributes of modules.");
  d.attr({"dlti.dl_entry",
          "One entry of a data layout: a type or an identifier, and a value.",
          {},
          parseEntry,
          printEntry});
  d.attr({"dlti.dl_spec", "Entries of a data layout.", {}, parseItems, printItems});
  d.attr({"dlti.map", "Entries without a meaning of their own.", {}, parseItems, printItems});
  d.attr({"dlti.target_device_spec", "Properties of one device.", {}, parseItems, printItems});
  d.attr({"dlti.target_system_spec", "Devices by their identifiers.", {}, parseItems, printItems});
}

}  // namespace airlite
