// Reads an op by its compiled format, then works out the types that the text leaves out.
#include "FormatImpl.hpp"
#include "ParserState.hpp"
#include "airlite/support/Text.hpp"

#include <algorithm>

namespace airlite {

/// What has been read of an op so far, by group.
struct FormatValues::Impl {
  explicit Impl(OpParser& parser, OperationState& state)
      : parser(parser),
        state(state),
        def(*state.def),
        operands(def.operands.size()),
        operandTypes(def.operands.size()),
        operandTypesKnown(def.operands.size()),
        resultTypes(def.results.size()),
        resultTypesKnown(def.results.size()),
        successors(def.successors.size()) {
    for (size_t i = 0; i < def.regions.size(); ++i)
      if (!def.regions[i].variadic) state.addRegion();
  }

  OpParser& parser;
  OperationState& state;
  const OpDef& def;
  std::vector<std::vector<UnresolvedOperand>> operands;
  std::vector<std::vector<Type>> operandTypes;
  std::vector<bool> operandTypesKnown;
  std::vector<std::vector<Type>> resultTypes;
  std::vector<bool> resultTypesKnown;
  std::vector<std::vector<Block*>> successors;
  bool allOperandsTogether = false;
  std::vector<UnresolvedOperand> flatOperands;
  std::vector<Type> flatTypes;
  bool flatTypesKnown = false;
};

std::vector<UnresolvedOperand>& FormatValues::operands(std::string_view name) {
  return impl_.operands.at(static_cast<size_t>(impl_.def.operandIndex(name)));
}
std::vector<Type>& FormatValues::types(std::string_view name) {
  if (int i = impl_.def.operandIndex(name); i >= 0) {
    impl_.operandTypesKnown[static_cast<size_t>(i)] = true;
    return impl_.operandTypes[static_cast<size_t>(i)];
  }
  size_t i = static_cast<size_t>(impl_.def.resultIndex(name));
  impl_.resultTypesKnown.at(i) = true;
  return impl_.resultTypes[i];
}
NamedAttrList& FormatValues::attributes() { return impl_.state.attributes; }
Region& FormatValues::region(std::string_view name) {
  for (size_t i = 0; i < impl_.def.regions.size(); ++i)
    if (impl_.def.regions[i].name == name) return *impl_.state.regions.at(i);
  throw std::logic_error("custom directive asks for an unknown region");
}

namespace text {
namespace {

using Impl = FormatValues::Impl;
using Kind = FormatNode::Kind;

/// One class: the nodes of a format nest in each other, each kind in a few lines.
class FormatReader {
 public:
  explicit FormatReader(Impl& values) : v_(values), p_(values.parser) {}

  LogicalResult readAll(std::span<const FormatNode> nodes) {
    for (const FormatNode& node : nodes)
      if (failed(read(node))) return failure();
    return success();
  }

 private:
  LogicalResult read(const FormatNode& node) {
    size_t index = static_cast<size_t>(node.index);
    switch (node.kind) {
      case Kind::Literal: return readLiteral(node.text);
      case Kind::Space: return success();
      case Kind::Operand: return readOperand(index);
      case Kind::Attribute: return readAttribute(v_.def.attributes[index], true);
      case Kind::Region: return readRegion(index);
      case Kind::Successor: return readSuccessor(index);
      case Kind::OperandType: return readOperandType(index);
      case Kind::ResultType: return readResultType(index);
      case Kind::AllOperands: return readAllOperands();
      case Kind::AllOperandTypes: return readAllOperandTypes();
      case Kind::AllResultTypes: return readAllResultTypes();
      case Kind::AllRegions: return readAllRegions();
      case Kind::AllSuccessors: return readAllSuccessors();
      case Kind::FunctionalType: return readFunctionalType(node);
      case Kind::AttrDict: return readDictionary();
      case Kind::AttrDictWithKeyword:
        return p_.nextIsKeyword("attributes") ? readKeywordDictionary() : success();
      case Kind::Optional: return readOptional(node);
      case Kind::Custom: return readCustom(node);
    }
    return failure();
  }

  LogicalResult readDictionary() { return p_.parseOptionalAttrDict(v_.state.attributes); }
  LogicalResult readKeywordDictionary() {
    return p_.parseOptionalAttrDictWithKeyword(v_.state.attributes);
  }

  LogicalResult readLiteral(std::string_view text) {
    return isWordStart(text[0]) ? p_.parseKeyword(text) : p_.parse(text);
  }
  bool startsLiteral(std::string_view text) const {
    return isWordStart(text[0]) ? p_.nextIsKeyword(text) : p_.nextIs(text);
  }

  LogicalResult readOperand(size_t index) {
    std::vector<UnresolvedOperand>& group = v_.operands[index];
    Arity arity = v_.def.operands[index].arity;
    if (arity == Arity::Single) return p_.parseOperand(group.emplace_back());
    if (arity == Arity::Variadic) return p_.parseOperandList(group);
    return p_.nextIsOperand() ? p_.parseOperand(group.emplace_back()) : success();
  }

  LogicalResult readOperandType(size_t index) {
    v_.operandTypesKnown[index] = true;
    return readTypes(v_.def.operands[index].arity, v_.operandTypes[index]);
  }
  LogicalResult readResultType(size_t index) {
    v_.resultTypesKnown[index] = true;
    return readTypes(v_.def.results[index].arity, v_.resultTypes[index]);
  }
  LogicalResult readTypes(Arity arity, std::vector<Type>& types) {
    if (arity == Arity::Single) return p_.parseType(types.emplace_back());
    LogicalResult status = success();
    Type first;
    if (!p_.parseOptionalType(first, status)) return success();
    types.push_back(first);
    if (arity == Arity::Optional || failed(status)) return status;
    while (p_.parseOptional(","))
      if (failed(p_.parseType(types.emplace_back()))) return failure();
    return success();
  }

  LogicalResult readAllOperands() {
    v_.allOperandsTogether = true;
    return p_.parseOperandList(v_.flatOperands);
  }
  LogicalResult readAllOperandTypes() {
    v_.flatTypesKnown = true;
    return readTypes(Arity::Variadic, v_.flatTypes);
  }
  LogicalResult readAllResultTypes() {
    std::vector<Type> types;
    if (failed(readTypes(Arity::Variadic, types))) return failure();
    return setAllResults(types);
  }
  LogicalResult setAllResults(std::span<const Type> types) {
    size_t variadic = v_.def.results.size();
    for (size_t i = 0; i < v_.def.results.size(); ++i)
      if (v_.def.results[i].arity != Arity::Single) variadic = i;
    size_t fixed = v_.def.results.size() - (variadic < v_.def.results.size() ? 1 : 0);
    bool fits = variadic < v_.def.results.size() ? types.size() >= fixed : types.size() == fixed;
    if (!fits)
      return p_.emitError() << "expected " << fixed << " result types, found " << types.size();
    size_t next = 0;
    for (size_t i = 0; i < v_.def.results.size(); ++i) {
      size_t count = i == variadic ? types.size() - fixed : 1;
      v_.resultTypes[i].assign(types.begin() + next, types.begin() + next + count);
      v_.resultTypesKnown[i] = true;
      next += count;
    }
    return success();
  }

  LogicalResult readRegion(size_t index) {
    if (v_.def.regions[index].variadic) return readAllRegions();
    return p_.parseRegion(*v_.state.regions[index]);
  }
  LogicalResult readAllRegions() {
    if (!p_.nextIs("{")) return success();
    return p_.parseList(Delimiter::None, [&] { return p_.parseRegion(v_.state.addRegion()); });
  }
  LogicalResult readSuccessor(size_t index) {
    if (v_.def.successors[index].variadic) return readAllSuccessors();
    return p_.parseSuccessor(v_.state.successors.emplace_back());
  }
  LogicalResult readAllSuccessors() {
    return p_.parseList(Delimiter::None,
                        [&] { return p_.parseSuccessor(v_.state.successors.emplace_back()); });
  }

  LogicalResult readFunctionalType(const FormatNode& node) {
    FunctionType type;
    if (failed(p_.parseFunctionType(type))) return failure();
    if (node.arguments[1] == "results") {
      if (failed(setAllResults(type.results()))) return failure();
    } else {
      size_t result = static_cast<size_t>(v_.def.resultIndex(node.arguments[1]));
      v_.resultTypes.at(result).assign(type.results().begin(), type.results().end());
      v_.resultTypesKnown[result] = true;
    }
    if (node.arguments[0] == "operands") {
      v_.flatTypesKnown = true;
      v_.flatTypes.assign(type.inputs().begin(), type.inputs().end());
      return success();
    }
    size_t operand = static_cast<size_t>(v_.def.operandIndex(node.arguments[0]));
    v_.operandTypes.at(operand).assign(type.inputs().begin(), type.inputs().end());
    v_.operandTypesKnown[operand] = true;
    return success();
  }

  // -- Attributes -----------------------------------------------------------------------------

  LogicalResult store(const AttrDef& def, Attribute value) {
    v_.state.addAttribute(p_.context(), def.name, value);
    return success();
  }

  LogicalResult readAttribute(const AttrDef& def, bool required) {
    switch (def.constraint->syntax) {
      case AttrSyntax::UnitFlag: return store(def, UnitAttr::get(p_.context()));
      case AttrSyntax::SymbolName: return readSymbolName(def, required);
      case AttrSyntax::Keyword: return readKeyword(def, required);
      case AttrSyntax::Type: return readTypeAttribute(def);
      case AttrSyntax::Integer:
      case AttrSyntax::Any: return readAnyAttribute(def, required && !def.optional);
    }
    return failure();
  }

  LogicalResult readSymbolName(const AttrDef& def, bool required) {
    std::string name;
    if (!required || def.optional) {
      if (!p_.parseOptionalSymbolName(name)) return success();
    } else if (failed(p_.parseSymbolName(name))) {
      return failure();
    }
    return store(def, StringAttr::get(p_.context(), name));
  }

  LogicalResult wrongKeyword(const AttrDef& def, Location where, std::string_view word) {
    std::string words;
    for (std::string_view each : def.constraint->cases)
      (words += words.empty() ? "" : ", ") += each;
    InFlightDiagnostic diagnostic = p_.emitError(where);
    diagnostic << "expected string or keyword containing one of the following enum values for "
               << "attribute '" << def.name << "' [" << words << "]";
    if (word.empty()) return diagnostic;
    return diagnostic << ", found '" << word << "'" << didYouMean(word, def.constraint->cases);
  }

  LogicalResult readKeyword(const AttrDef& def, bool required) {
    Location where = p_.location();
    std::string word;
    if (!p_.parseOptionalAnyKeyword(word) && !p_.parseOptionalString(word)) {
      return required && !def.optional ? wrongKeyword(def, where, {}) : success();
    }
    Attribute value = def.constraint->fromKeyword(p_.context(), word);
    if (!value) return wrongKeyword(def, where, word);
    return store(def, value);
  }

  LogicalResult readTypeAttribute(const AttrDef& def) {
    Type type;
    if (failed(p_.parseType(type))) return failure();
    return store(def, TypeAttr::get(type));
  }

  LogicalResult readAnyAttribute(const AttrDef& def, bool required) {
    Type type = def.constraint->build ? def.constraint->build(p_.context()) : Type();
    Attribute value;
    if (required) {
      if (failed(p_.parseAttribute(value, type))) return failure();
      return store(def, value);
    }
    LogicalResult status = success();
    if (!p_.parseOptionalAttribute(value, status, type)) return success();
    return failed(status) ? failure() : store(def, value);
  }

  // -- Groups ---------------------------------------------------------------------------------

  /// Does the text continue with this element?
  bool starts(const FormatNode& node) const {
    size_t index = static_cast<size_t>(node.index);
    switch (node.kind) {
      case Kind::Literal: return startsLiteral(node.text);
      case Kind::Operand:
      case Kind::AllOperands: return p_.nextIsOperand();
      case Kind::Region:
      case Kind::AllRegions: return p_.nextIs("{");
      case Kind::AttrDictWithKeyword: return p_.nextIsKeyword("attributes");
      case Kind::AttrDict: return p_.nextIs("{");
      case Kind::Attribute: return startsAttribute(v_.def.attributes[index]);
      default: return true;
    }
  }

  bool startsAttribute(const AttrDef& def) const {
    auto isNext = [this](std::string_view word) { return p_.nextIsKeyword(word); };
    std::span<const std::string_view> words = def.constraint->cases;
    switch (def.constraint->syntax) {
      case AttrSyntax::SymbolName: return p_.nextIsSymbolName();
      case AttrSyntax::Keyword: return std::any_of(words.begin(), words.end(), isNext);
      default: return p_.nextIsAttribute() && !isAttrDict(def);
    }
  }

  /// A `{` that cannot start the attribute starts the dictionary of the op.
  bool isAttrDict(const AttrDef& def) const {
    return p_.nextIs("{") && !def.constraint->accepts(DictionaryAttr::get(p_.context(), {}));
  }

  LogicalResult readOptional(const FormatNode& node) {
    const FormatNode* first = nullptr;
    for (const FormatNode& child : node.children) {
      if (child.kind == Kind::Space) continue;
      first = &child;
      break;
    }
    if (first && starts(*first)) return readGroup(node);
    return readAll(node.otherwise);
  }

  LogicalResult readGroup(const FormatNode& node) {
    for (const FormatNode& child : node.children) {
      if (failed(read(child))) return failure();
    }
    return success();
  }

  LogicalResult readCustom(const FormatNode& node) {
    const CustomDirective* directive = findCustomDirective(node.text);
    if (!directive)
      throw std::logic_error("unknown directive custom<" + std::string(node.text) + ">");
    FormatValues values(v_);
    return directive->parse(p_, values, node.arguments);
  }

  Impl& v_;
  OpParser& p_;
};

// -- Types that the text leaves out ---------------------------------------------------------------

/// Fills in types from constraints, "same type" sets and type rules until nothing changes.
class TypeSolver {
 public:
  explicit TypeSolver(Impl& values) : v_(values) {}

  void solve() {
    for (size_t i = 0; i < v_.def.operands.size(); ++i)
      useBuilder(i, true);
    for (size_t i = 0; i < v_.def.results.size(); ++i)
      useBuilder(i, false);
    for (bool changed = true; changed;) {
      changed = false;
      for (const SameTypes& set : v_.def.sameTypes)
        changed |= spread(set);
      if (v_.def.has(Trait::SameOperandsAndResultType)) changed |= spread(allNames(true));
      if (v_.def.has(Trait::SameTypeOperands)) changed |= spread(allNames(false));
      for (const TypeRule& rule : v_.def.typeRules)
        changed |= apply(rule);
    }
  }

 private:
  struct Slot {
    std::vector<Type>* types = nullptr;
    size_t index = 0;
    bool isOperand = false;
  };

  bool known(const Slot& slot) const {
    return slot.isOperand ? v_.operandTypesKnown[slot.index] : v_.resultTypesKnown[slot.index];
  }
  size_t wanted(const Slot& slot) const {
    if (slot.isOperand) return v_.operands[slot.index].size();
    return v_.def.results[slot.index].arity == Arity::Single ? 1 : 0;
  }
  Slot slotOf(std::string_view name) const {
    if (int i = v_.def.operandIndex(name); i >= 0)
      return {&v_.operandTypes[static_cast<size_t>(i)], static_cast<size_t>(i), true};
    int i = v_.def.resultIndex(name);
    if (i < 0) return {};
    return {&v_.resultTypes[static_cast<size_t>(i)], static_cast<size_t>(i), false};
  }
  void set(const Slot& slot, Type type) {
    slot.types->assign(wanted(slot), type);
    if (slot.isOperand)
      v_.operandTypesKnown[slot.index] = true;
    else
      v_.resultTypesKnown[slot.index] = true;
  }

  void useBuilder(size_t index, bool operand) {
    const ValueDef& def = operand ? v_.def.operands[index] : v_.def.results[index];
    Slot slot = slotOf(def.name);
    if (known(slot) || !def.type->build) return;
    if (!operand && def.arity != Arity::Single) return;
    set(slot, def.type->build(v_.parser.context()));
  }

  SameTypes allNames(bool withResults) const {
    SameTypes names;
    for (const ValueDef& def : v_.def.operands)
      names.push_back(def.name);
    if (withResults)
      for (const ValueDef& def : v_.def.results)
        names.push_back(def.name);
    return names;
  }

  bool spread(const SameTypes& names) {
    Type type;
    for (std::string_view name : names) {
      Slot slot = slotOf(name);
      if (slot.types && known(slot) && !slot.types->empty()) type = slot.types->front();
    }
    if (!type) return false;
    bool changed = false;
    for (std::string_view name : names) {
      Slot slot = slotOf(name);
      if (!slot.types || known(slot)) continue;
      set(slot, type);
      changed = true;
    }
    return changed;
  }

  bool apply(const TypeRule& rule) {
    Slot target = slotOf(rule.target);
    Slot source = slotOf(rule.source);
    if (!target.types || !source.types || known(target) || !known(source) || source.types->empty())
      return false;
    Type type = rule.compute(source.types->front());
    if (!type) return false;
    set(target, type);
    return true;
  }

  Impl& v_;
};

LogicalResult resolveGroup(Impl& v, size_t i) {
  std::vector<Type>& types = v.operandTypes[i];
  const std::vector<UnresolvedOperand>& names = v.operands[i];
  if (!v.operandTypesKnown[i] && !names.empty())
    return v.parser.emitError(names[0].location)
           << "cannot tell the type of operand '" << v.def.operands[i].name << "' from the text";
  Location where = names.empty() ? v.parser.opLocation() : names[0].location;
  return v.parser.resolve(names, types, where, v.state.operands);
}

void setSegments(Impl& v) {
  std::vector<int32_t> sizes;
  if (v.def.has(Trait::AttrSizedOperandSegments)) {
    for (auto& group : v.operands)
      sizes.push_back(static_cast<int32_t>(group.size()));
    v.state.setOperandSegments(v.parser.context(), sizes);
  }
  if (!v.def.has(Trait::AttrSizedResultSegments)) return;
  sizes.clear();
  for (auto& group : v.resultTypes)
    sizes.push_back(static_cast<int32_t>(group.size()));
  v.state.addAttribute(v.parser.context(), "resultSegmentSizes",
                       DenseArrayAttr::getI32(v.parser.context(), sizes));
}

LogicalResult resolveOperands(Impl& v) {
  if (v.allOperandsTogether || v.flatTypesKnown) {
    std::vector<UnresolvedOperand> names = v.flatOperands;
    if (!v.allOperandsTogether)
      for (auto& group : v.operands)
        names.insert(names.end(), group.begin(), group.end());
    if (!v.flatTypesKnown && !v.operandTypes.empty() && v.operandTypesKnown[0] &&
        !v.operandTypes[0].empty())
      v.flatTypes.assign(names.size(), v.operandTypes[0][0]);
    return v.parser.resolve(names, v.flatTypes, v.parser.opLocation(), v.state.operands);
  }
  LogicalResult result = success();
  for (size_t i = 0; i < v.operands.size(); ++i)
    result |= resolveGroup(v, i);
  return result;
}

LogicalResult resolveResults(Impl& v) {
  bool complete = true;
  for (size_t i = 0; i < v.resultTypes.size(); ++i)
    complete = complete && (v.resultTypesKnown[i] || v.def.results[i].arity != Arity::Single);
  if (!complete && v.def.inferFn) return v.def.inferFn(v.parser.context(), v.state);
  for (size_t i = 0; i < v.resultTypes.size(); ++i) {
    if (!v.resultTypesKnown[i] && v.def.results[i].arity == Arity::Single)
      return v.parser.emitError(v.parser.opLocation())
             << "cannot tell the type of result '" << v.def.results[i].name << "' from the text";
    v.state.addTypes(v.resultTypes[i]);
  }
  return success();
}

}  // namespace

LogicalResult parseWithFormat(OpParser& parser, OperationState& state) {
  Impl values(parser, state);
  const CompiledFormat& format = compiledFormat(*state.def);
  if (failed(FormatReader(values).readAll(format.nodes))) return failure();
  TypeSolver(values).solve();
  setSegments(values);
  if (failed(resolveOperands(values))) return failure();
  return resolveResults(values);
}

}  // namespace text
}  // namespace airlite
