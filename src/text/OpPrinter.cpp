// Operations, blocks and regions as text.
#include "airlite/text/OpPrinter.hpp"

#include "FormatImpl.hpp"
#include "ParserState.hpp"
#include "PrinterState.hpp"

#include <algorithm>

namespace airlite {

using text::PrinterState;

namespace {

constexpr unsigned kIndent = 2;

bool isSegmentSizes(std::string_view name) {
  return name == "operandSegmentSizes" || name == "resultSegmentSizes";
}

/// Belongs to the op by its definition: written in `<{...}>`.
bool isInherent(const Operation& op, const NamedAttribute& entry) {
  const OpDef& def = op.def();
  std::string_view name = entry.name;
  if (!def.registered) return name == kUnknownProperties && entry.value.isa<DictionaryAttr>();
  return def.findAttr(name) ||
         (name == "operandSegmentSizes" && def.has(Trait::AttrSizedOperandSegments)) ||
         (name == "resultSegmentSizes" && def.has(Trait::AttrSizedResultSegments));
}

std::vector<NamedAttribute> attributesOf(Operation& op, bool inherent) {
  std::vector<NamedAttribute> entries;
  if (op.attributes().empty()) return entries;
  entries.reserve(op.attributes().size());
  for (const NamedAttribute& entry : op.attributes().value())
    if (isInherent(op, entry) == inherent) entries.push_back(entry);
  return entries;
}

/// What `<{...}>` shows: the op's own attributes and the defaults of those that it leaves out.
std::vector<NamedAttribute> properties(Operation& op) {
  std::vector<NamedAttribute> entries = attributesOf(op, true);
  for (const AttrDef& def : op.def().attributes)
    if (isProperty(def) && !op.hasAttr(def.name))
      entries.push_back(
          {Identifier::get(op.context(), def.name), defaultAttribute(op.context(), def)});
  auto byName = [](const NamedAttribute& a, const NamedAttribute& b) {
    return a.name.str() < b.name.str();
  };
  std::sort(entries.begin(), entries.end(), byName);
  return entries;
}

void printUnknownProperties(PrinterState& state, Operation& op) {
  auto properties = op.attrOf<DictionaryAttr>(kUnknownProperties);
  if (!properties) return;
  state.out += " <";
  state.appendAttribute(properties, text::TypeSuffix::Always);
  state.out += '>';
}

bool equalsDefault(Operation& op, const NamedAttribute& entry) {
  const AttrDef* def = op.def().findAttr(entry.name);
  if (!def || def->defaultText.empty()) return false;
  return defaultAttribute(op.context(), *def) == entry.value;
}

/// What the dictionary of the custom form shows.
std::vector<NamedAttribute> shownAttributes(Operation& op,
                                            std::span<const std::string_view> elided) {
  std::vector<NamedAttribute> entries;
  if (op.attributes().empty()) return entries;
  for (const NamedAttribute& entry : op.attributes().value()) {
    std::string_view name = entry.name;
    bool hidden = isSegmentSizes(name) && isInherent(op, entry);
    hidden = hidden || std::find(elided.begin(), elided.end(), name) != elided.end();
    if (!hidden && !equalsDefault(op, entry)) entries.push_back(entry);
  }
  return entries;
}

void appendBraced(PrinterState& state, std::string_view open,
                  std::span<const NamedAttribute> entries, std::string_view close) {
  if (entries.empty()) return;
  state.out += open;
  state.appendEntries(entries);
  state.out += close;
}

/// One block of a region, at the indentation of its label.
class BlockWriter {
 public:
  BlockWriter(OpPrinter& printer, PrinterState& state) : printer_(printer), state_(state) {}

  void write(Block& block, bool label, bool terminator) {
    if (label) writeLabel(block);
    state_.indent += kIndent;
    for (Operation& op : block.ops()) {
      bool last = &op == &block.back();
      if (last && !terminator && op.hasTrait(Trait::Terminator)) break;
      writeLine(op);
    }
    state_.indent -= kIndent;
  }

 private:
  void writeLine(Operation& op) {
    state_.out.append(state_.indent, ' ');
    printer_.printOp(op);
    state_.appendTrailingLocation(op.location());
    state_.out += '\n';
  }

  void writeLabel(Block& block) {
    state_.out.append(state_.indent, ' ');
    state_.appendBlock(&block);
    for (unsigned i = 0; i < block.numArguments(); ++i) {
      state_.out += i ? ", " : "(";
      printer_.printArgument(block.argument(i));
    }
    state_.out += block.numArguments() ? "):\n" : ":\n";
  }

  OpPrinter& printer_;
  PrinterState& state_;
};

/// The name of a custom form, without the prefix that the region implies.
std::string_view shortName(const Operation& op, std::string_view defaultDialect) {
  std::string_view name = op.name();
  size_t dot = name.find('.');
  bool implied = !defaultDialect.empty() && name.substr(0, dot) == defaultDialect &&
                 name.find('.', dot + 1) == std::string_view::npos;
  return implied ? name.substr(dot + 1) : name;
}

/// Puts the visits of aliases in a generic op in their order: regions, types, then attributes by
/// name. `marks`: where the visits of inherent attributes, regions, other attributes and types
/// begin.
void reorderVisits(PrinterState& state, Operation& op, const size_t (&marks)[4]) {
  text::Aliases& aliases = state.aliases;
  bool inOrder = marks[0] == marks[1] && marks[2] == marks[3];
  if (inOrder) return;
  std::vector<uint32_t> order = aliases.visits(marks[1], marks[2]);
  std::vector<uint32_t> types = aliases.visits(marks[3], aliases.numVisits());
  order.insert(order.end(), types.begin(), types.end());
  aliases.setVisits(marks[0], std::move(order));
  size_t length = state.out.size();
  size_t uses = aliases.numUses();
  state.appendEntries(op.attributes().value());  // for the visits alone
  state.out.resize(length);
  aliases.dropUses(uses);
}

}  // namespace

OpPrinter& OpPrinter::operator<<(Value value) {
  state_.appendValue(value);
  return *this;
}

OpPrinter& OpPrinter::operator<<(OperandRange values) {
  printList(values, [&](Value value) { state_.appendValue(value); });
  return *this;
}

OpPrinter& OpPrinter::operator<<(Block* successor) {
  state_.appendBlock(successor);
  return *this;
}

void OpPrinter::printOperands(std::span<const Value> values) {
  printList(values, [&](Value value) { state_.appendValue(value); });
}

void OpPrinter::printOptionalAttrDict(Operation& op,
                                      std::initializer_list<std::string_view> elided) {
  printOptionalAttrDict(op, std::span<const std::string_view>(elided.begin(), elided.size()));
}

void OpPrinter::printOptionalAttrDict(Operation& op, std::span<const std::string_view> elided) {
  appendBraced(state_, " {", shownAttributes(op, elided), "}");
}

void OpPrinter::printOptionalAttrDictWithKeyword(Operation& op,
                                                 std::span<const std::string_view> elided) {
  appendBraced(state_, " attributes {", shownAttributes(op, elided), "}");
}

// Callers may have written the blank before it or not.
void OpPrinter::printDictionary(DictionaryAttr dictionary) {
  if (!dictionary || dictionary.empty()) return;
  bool separate = !state_.out.empty() && state_.out.back() != ' ';
  appendBraced(state_, separate ? " {" : "{", dictionary.value(), "}");
}

void OpPrinter::printRegion(Region& region, bool entryArguments, bool terminator, bool emptyBlock) {
  state_.out += "{\n";
  Operation* parent = region.parentOp();
  state_.defaultDialects.push_back(parent ? text::defaultDialectOf(parent->name()) : "");
  BlockWriter writer(*this, state_);
  bool entry = true;
  for (Block& block : region.blocks()) {
    bool label =
        !entry || (emptyBlock && block.empty()) || (entryArguments && block.numArguments() != 0);
    writer.write(block, label, !entry || terminator);
    entry = false;
  }
  state_.defaultDialects.pop_back();
  state_.out.append(state_.indent, ' ');
  state_.out += '}';
}

void OpPrinter::printArgument(Value argument, DictionaryAttr attributes) {
  state_.appendValue(argument);
  if (!argument) return;
  state_.out += ": ";
  state_.appendType(argument.type());
  state_.visitLocation(argument.location(), true);
  // As in the MLIR tools, its attributes are not a reason for an alias.
  state_.aliases.setVisiting(false);
  printDictionary(attributes);
  state_.aliases.setVisiting(true);
  state_.appendArgumentLocation(argument.location());
}

void OpPrinter::printSuccessor(Block* block) { state_.appendBlock(block); }

void OpPrinter::printSuccessorWithOperands(Block* block, std::span<const Value> operands) {
  state_.appendBlock(block);
  if (operands.empty()) return;
  state_.out += '(';
  printOperands(operands);
  state_.out += " : ";
  printList(operands, [&](Value value) { state_.appendType(value.type()); });
  state_.out += ')';
}

void OpPrinter::printDynamicIndexList(OperandRange dynamic, std::span<const int64_t> statics) {
  unsigned next = 0;
  printList(statics, [&](int64_t value) {
    if (value != kDynamic)
      text::appendInteger(state_.out, value);
    else
      state_.appendValue(next < dynamic.size() ? dynamic[next++] : Value());
  });
}

void OpPrinter::printDimAndSymbolOperands(std::span<const Value> operands, unsigned numDims) {
  size_t dims = std::min<size_t>(numDims, operands.size());
  state_.out += '(';
  printOperands(operands.first(dims));
  state_.out += ')';
  if (dims == operands.size()) return;
  state_.out += '[';
  printOperands(operands.subspan(dims));
  state_.out += ']';
}

void OpPrinter::printAffineMapOfSsaIds(AffineMap map, std::span<const Value> operands) {
  if (!map) {
    state_.out += "<<NULL AFFINE MAP>>";
    return;
  }
  size_t dims = std::min<size_t>(map.numDims(), operands.size());
  printList(map.results(), [&](AffineExpr expr) {
    printAffineExprOfSsaIds(expr, operands.first(dims), operands.subspan(dims));
  });
}

void OpPrinter::printAffineExprOfSsaIds(AffineExpr expr, std::span<const Value> dims,
                                        std::span<const Value> symbols) {
  std::string& out = state_.out;
  text::printAffineExpr(out, expr, [&](bool isSymbol, unsigned position) {
    std::span<const Value> values = isSymbol ? symbols : dims;
    if (isSymbol) out += "symbol(";
    state_.appendValue(position < values.size() ? values[position] : Value());
    if (isSymbol) out += ')';
  });
}

void OpPrinter::printFunctionalType(Operation& op) {
  state_.out += '(';
  printList(op.operands(), [&](Value value) { state_.appendType(value ? value.type() : Type()); });
  state_.out += ") -> ";
  Type only = op.numResults() == 1 ? op.result().type() : Type();
  if (only)
    state_.appendResultTypes(std::span(&only, 1));
  else
    state_.appendResultTypes(op.resultTypes());
}

void OpPrinter::printOp(Operation& op) {
  state_.visitLocation(op.location(), false);
  if (op.numResults()) {
    state_.appendResults(op);
    state_.out += " = ";
  }
  const OpDef& def = op.def();
  bool custom = def.registered && (def.printFn || !def.formatText.empty());
  if (!custom || state_.options.generic) return printGeneric(op);
  state_.out += shortName(op, state_.defaultDialects.back());
  if (def.printFn)
    def.printFn(*this, op);
  else
    printWithFormat(*this, op);
}

void OpPrinter::newline() { state_.appendNewline(); }

void OpPrinter::indentBy(int columns) {
  state_.indent = static_cast<unsigned>(static_cast<int>(state_.indent) + columns);
}

void OpPrinter::printGeneric(Operation& op, bool withName) {
  std::string& out = state_.out;
  if (withName) text::appendQuoted(out, op.name());
  out += '(';
  *this << op.operands();
  out += ')';
  for (unsigned i = 0; i < op.numSuccessors(); ++i) {
    out += i ? ", " : "[";
    state_.appendBlock(op.successor(i));
  }
  if (op.numSuccessors()) out += ']';
  size_t marks[4] = {state_.aliases.numVisits()};
  state_.appendOnce(op, PrinterState::Inherent, [&] {
    if (op.isRegistered())
      appendBraced(state_, " <{", properties(op), "}>");
    else
      printUnknownProperties(state_, op);
  });
  marks[1] = state_.aliases.numVisits();
  for (unsigned i = 0; i < op.numRegions(); ++i) {
    out += i ? ", " : " (";
    printRegion(op.region(i), true, true, true);
  }
  if (op.numRegions()) out += ')';
  marks[2] = state_.aliases.numVisits();
  state_.appendOnce(op, PrinterState::Others,
                    [&] { appendBraced(state_, " {", attributesOf(op, false), "}"); });
  marks[3] = state_.aliases.numVisits();
  out += " : ";
  printFunctionalType(op);
  reorderVisits(state_, op, marks);
}

}  // namespace airlite
