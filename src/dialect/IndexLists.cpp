// Lists of constants and index values (see the header).
#include "IndexLists.hpp"

#include "airlite/text/Format.hpp"

namespace airlite {

namespace {

LogicalResult parseIndexLists(OpParser& parser, FormatValues& values,
                              std::span<const std::string_view> names) {
  for (size_t i = 0; i + 1 < names.size(); i += 2) {
    std::vector<int64_t> statics;
    if (failed(parser.parseDynamicIndexList(values.operands(names[i]), statics))) return failure();
    values.attributes().set(Identifier::get(parser.context(), names[i + 1]),
                            DenseArrayAttr::getI64(parser.context(), statics));
  }
  return success();
}

void printIndexLists(OpPrinter& printer, Operation& op, std::span<const std::string_view> names) {
  for (size_t i = 0; i + 1 < names.size(); i += 2) {
    if (i) printer << ' ';
    printIndexList(printer, op.operandGroup(names[i]), op.attrOf<DenseArrayAttr>(names[i + 1]));
  }
}

}  // namespace

void printIndexList(OpPrinter& printer, OperandRange values, DenseArrayAttr statics) {
  printer << '[';
  if (statics)
    printer.printDynamicIndexList(values, statics.values());
  else
    printer << values;
  printer << ']';
}

void registerIndexLists() {
  registerCustomDirective({"IndexLists", parseIndexLists, printIndexLists});
}

}  // namespace airlite
