// Prints an op by its compiled format.
#include "FormatImpl.hpp"
#include "ParserState.hpp"

namespace airlite {

namespace {

using Kind = FormatNode::Kind;

bool isPlainTerminator(Operation& op) {
  return op.attributes().empty() && op.numOperands() == 0 && op.numResults() == 0;
}

class FormatWriter {
 public:
  FormatWriter(OpPrinter& printer, Operation& op, const CompiledFormat& format)
      : p_(printer), op_(op), def_(op.def()), format_(format) {}

  void writeAll(std::span<const FormatNode> nodes) {
    for (const FormatNode& node : nodes)
      write(node);
  }

 private:
  void write(const FormatNode& node) {
    switch (node.kind) {
      case Kind::Literal: return writeLiteral(node.text);
      case Kind::Space: return writeSpace(node.text);
      case Kind::Optional: return writeAll(present(node) ? node.children : node.otherwise);
      case Kind::AttrDict:
      case Kind::AttrDictWithKeyword: return writeDictionary(node.kind);
      case Kind::Attribute:
        if (def_.attributes[static_cast<size_t>(node.index)].constraint->syntax ==
            AttrSyntax::UnitFlag)
          return;
        break;
      default: break;
    }
    if (emitSpace_ || !punctuation_) p_ << " ";
    punctuation_ = false;
    emitSpace_ = true;
    writeValue(node);
  }

  // A blank stands between two elements unless one of them is a bracket or a comma; the rules are
  // those that readers of this syntax are used to.
  static bool blankBefore(std::string_view literal, bool afterPunctuation) {
    if (literal.size() != 1 && literal != "->") return true;
    std::string_view tight = afterPunctuation ? ">)}]," : "<>(){}[],";
    return tight.find(literal[0]) == std::string_view::npos;
  }

  void writeLiteral(std::string_view text) {
    if (emitSpace_ && blankBefore(text, punctuation_)) p_ << " ";
    p_ << text;
    emitSpace_ =
        text.size() != 1 || std::string_view("<({[").find(text[0]) == std::string_view::npos;
    punctuation_ = !text::isWordStart(text[0]);
  }

  void writeSpace(std::string_view text) {
    if (text == "\n") p_.newline();
    if (text == " ") p_ << " ";
    punctuation_ = text.empty();
    emitSpace_ = false;
  }

  void writeDictionary(Kind kind) {
    std::vector<std::string_view> elided(format_.writtenAttributes);
    if (def_.has(Trait::AttrSizedOperandSegments)) elided.push_back("operandSegmentSizes");
    if (def_.has(Trait::AttrSizedResultSegments)) elided.push_back("resultSegmentSizes");
    if (kind == Kind::AttrDict)
      p_.printOptionalAttrDict(op_, elided);
    else
      p_.printOptionalAttrDictWithKeyword(op_, elided);
    punctuation_ = false;
  }

  OperandRange group(const FormatNode& node) const {
    return op_.operandGroup(static_cast<unsigned>(node.index));
  }

  std::vector<Type> resultTypes(unsigned group) const {
    auto [start, size] = op_.resultGroupBounds(group);
    std::vector<Type> types;
    for (unsigned i = 0; i < size; ++i)
      types.push_back(op_.result(start + i).type());
    return types;
  }
  static std::vector<Type> typesOf(OperandRange values) {
    std::vector<Type> types;
    for (Value value : values)
      types.push_back(value.type());
    return types;
  }
  std::vector<Type> namedTypes(std::string_view name) const {
    if (name == "operands") return op_.operandTypes();
    if (name == "results") return op_.resultTypes();
    if (int i = def_.operandIndex(name); i >= 0)
      return typesOf(op_.operandGroup(static_cast<unsigned>(i)));
    return resultTypes(static_cast<unsigned>(def_.resultIndex(name)));
  }

  void writeValue(const FormatNode& node) {
    switch (node.kind) {
      case Kind::Operand: p_ << group(node); return;
      case Kind::Attribute: return writeAttribute(def_.attributes[static_cast<size_t>(node.index)]);
      case Kind::Region: return writeRegion(node);
      case Kind::Successor: return writeSuccessors(node);
      case Kind::OperandType: p_.printTypes(typesOf(group(node))); return;
      case Kind::ResultType: p_.printTypes(resultTypes(static_cast<unsigned>(node.index))); return;
      case Kind::AllOperands: p_ << op_.operands(); return;
      case Kind::AllOperandTypes: p_.printTypes(op_.operandTypes()); return;
      case Kind::AllResultTypes: p_.printTypes(op_.resultTypes()); return;
      case Kind::AllRegions: return writeRegions();
      case Kind::AllSuccessors: return writeAllSuccessors();
      case Kind::FunctionalType: return writeFunctionalType(node);
      case Kind::Custom: return writeCustom(node);
      default: return;
    }
  }

  void writeAttribute(const AttrDef& def) {
    Attribute value = op_.attr(def.name);
    if (!value) return;
    switch (def.constraint->syntax) {
      case AttrSyntax::SymbolName: return p_.printSymbolName(value.cast<StringAttr>().value());
      case AttrSyntax::Keyword: return p_.printKeywordOrString(def.constraint->toKeyword(value));
      case AttrSyntax::Type: p_ << value.cast<TypeAttr>().value(); return;
      case AttrSyntax::Integer: return p_.printWithoutType(value);
      default: break;
    }
    if (def.constraint->build) return p_.printWithoutType(value);
    p_ << value;
  }

  void writeOneRegion(Region& region) {
    bool terminator = true;
    if (!def_.implicitTerminator.empty() && !region.empty()) {
      Operation* last = region.back().terminator();
      terminator = !last || !last->is(def_.implicitTerminator) || !isPlainTerminator(*last);
    }
    p_.printRegion(region, true, terminator);
  }
  void writeRegion(const FormatNode& node) {
    if (def_.regions[static_cast<size_t>(node.index)].variadic) return writeRegions();
    writeOneRegion(op_.region(static_cast<unsigned>(node.index)));
  }
  void writeRegions() {
    p_.printList(op_.regions(), [&](Region& region) { writeOneRegion(region); });
  }

  void writeSuccessors(const FormatNode& node) {
    if (def_.successors[static_cast<size_t>(node.index)].variadic) return writeAllSuccessors();
    p_.printSuccessor(op_.successor(static_cast<unsigned>(node.index)));
  }
  void writeAllSuccessors() {
    for (unsigned i = 0; i < op_.numSuccessors(); ++i) {
      if (i) p_ << ", ";
      p_.printSuccessor(op_.successor(i));
    }
  }

  void writeFunctionalType(const FormatNode& node) {
    std::vector<Type> results = namedTypes(node.arguments[1]);
    p_ << "(";
    p_.printTypes(namedTypes(node.arguments[0]));
    p_ << ") -> ";
    bool parens = results.size() != 1 || results[0].isa<FunctionType>();
    if (parens) p_ << "(";
    p_.printTypes(results);
    if (parens) p_ << ")";
  }

  void writeCustom(const FormatNode& node) {
    const CustomDirective* directive = findCustomDirective(node.text);
    if (directive) directive->print(p_, op_, node.arguments);
  }

  /// Is the anchor of an optional group there?
  bool present(const FormatNode& group) const {
    for (const FormatNode& node : group.children)
      if (node.anchor) return presentAnchor(node);
    return false;
  }

  bool presentAnchor(const FormatNode& node) const {
    switch (node.kind) {
      case Kind::Operand:
      case Kind::OperandType: return !group(node).empty();
      case Kind::ResultType: return !resultTypes(static_cast<unsigned>(node.index)).empty();
      case Kind::AllOperands:
      case Kind::AllOperandTypes: return op_.numOperands() != 0;
      case Kind::AllResultTypes: return op_.numResults() != 0;
      case Kind::Attribute:
        return presentAttribute(def_.attributes[static_cast<size_t>(node.index)]);
      case Kind::Region: return !op_.region(static_cast<unsigned>(node.index)).empty();
      case Kind::AllRegions: return op_.numRegions() != 0;
      case Kind::Successor:
      case Kind::AllSuccessors: return op_.numSuccessors() != 0;
      case Kind::Custom: return presentCustom(node);
      default: return false;
    }
  }

  bool presentAttribute(const AttrDef& def) const {
    Attribute value = op_.attr(def.name);
    return value && (def.defaultText.empty() || defaultValue(def) != value);
  }
  Attribute defaultValue(const AttrDef& def) const;

  bool presentCustom(const FormatNode& node) const {
    for (std::string_view name : node.arguments) {
      if (int i = def_.operandIndex(name); i >= 0)
        if (!op_.operandGroup(static_cast<unsigned>(i)).empty()) return true;
      if (const AttrDef* attr = def_.findAttr(name); attr && presentAttribute(*attr)) return true;
    }
    return false;
  }

  OpPrinter& p_;
  Operation& op_;
  const OpDef& def_;
  const CompiledFormat& format_;
  bool emitSpace_ = true;
  bool punctuation_ = false;
};

Attribute FormatWriter::defaultValue(const AttrDef& def) const {
  return defaultAttribute(op_.context(), def);
}

}  // namespace

void printWithFormat(OpPrinter& printer, Operation& op) {
  const CompiledFormat& format = compiledFormat(op.def());
  FormatWriter(printer, op, format).writeAll(format.nodes);
}

}  // namespace airlite
