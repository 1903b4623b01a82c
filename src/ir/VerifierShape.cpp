// One op against its definition: counts, groups, attributes, types, traits. The wording of the
// messages is what users of MLIR tools know.
#include "ContextImpl.hpp"
#include "OperandGroups.hpp"
#include "airlite/ir/Context.hpp"
#include "airlite/ir/Symbols.hpp"
#include "airlite/ir/Verifier.hpp"
#include "airlite/support/Text.hpp"

#include <algorithm>

namespace airlite {
namespace {

std::string quoted(Type type) { return "'" + type.str() + "'"; }

// ---------------------------------------------------------------------------------------------
// Counts
// ---------------------------------------------------------------------------------------------

LogicalResult verifyRegionCount(Operation& op) {
  const auto& defs = op.def().regions;
  if (defs.empty() && !op.numRegions()) return success();
  auto isFixed = [](const RegionDef& def) { return !def.variadic; };
  size_t fixed = static_cast<size_t>(std::count_if(defs.begin(), defs.end(), isFixed));
  size_t found = op.numRegions();
  if (fixed != defs.size()) {
    if (found >= fixed) return success();
    return op.emitOpError() << "expected " << fixed << " or more regions";
  }
  if (found == fixed) return success();
  if (fixed == 0) return op.emitOpError() << "requires zero regions";
  if (fixed == 1) return op.emitOpError() << "requires one region";
  return op.emitOpError() << "expected " << fixed << " regions";
}

LogicalResult verifySuccessorCount(Operation& op) {
  const auto& defs = op.def().successors;
  if (defs.empty() && !op.numSuccessors()) return success();
  auto isFixed = [](const SuccessorDef& def) { return !def.variadic; };
  size_t fixed = static_cast<size_t>(std::count_if(defs.begin(), defs.end(), isFixed));
  size_t found = op.numSuccessors();
  bool atLeast = fixed != defs.size();
  if (found == fixed || (atLeast && found > fixed)) return success();
  return op.emitOpError() << "requires " << (atLeast ? "at least " : "") << fixed << " successor"
                          << (fixed == 1 ? "" : "s") << " but found " << found;
}

LogicalResult verifyResultCount(Operation& op) {
  detail::Groups groups = detail::resultGroups(op.def());
  unsigned found = op.numResults();
  unsigned fixed = groups.fixed();
  if (found == fixed || (groups.flexible && found > fixed)) return success();
  if (groups.flexible) return op.emitOpError() << "expected " << fixed << " or more results";
  if (fixed == 0) return op.emitOpError() << "requires zero results";
  if (fixed == 1) return op.emitOpError() << "requires one result";
  return op.emitOpError() << "expected " << fixed << " results";
}

LogicalResult verifyOperandCount(Operation& op) {
  detail::Groups groups = detail::operandGroups(op.def());
  unsigned found = op.numOperands();
  unsigned fixed = groups.fixed();
  if (found == fixed || (groups.flexible && found > fixed)) return success();
  if (groups.flexible)
    return op.emitOpError() << "expected " << fixed << " or more operands, but found " << found;
  if (fixed == 0) return op.emitOpError() << "requires zero operands";
  if (fixed == 1) return op.emitOpError() << "requires a single operand";
  return op.emitOpError() << "expected " << fixed << " operands, but found " << found;
}

// ---------------------------------------------------------------------------------------------
// Groups
// ---------------------------------------------------------------------------------------------

/// Operands or results, as the checks below see them.
struct Side {
  Operation& op;
  bool isOperands;
  std::string_view word;       // "operand"
  std::string_view sizesName;  // "operandSegmentSizes"
  detail::Groups groups;
  unsigned total;
  bool sized;
  Attribute sizes;  // null: absent, or not sized

  std::pair<unsigned, unsigned> bounds(unsigned group) const {
    return detail::groupBounds(groups, total, sized, sizes, group);
  }
  Type type(unsigned i) const { return isOperands ? op.operand(i).type() : op.result(i).type(); }
};

Side operandSide(Operation& op) {
  bool sized = op.hasTrait(Trait::AttrSizedOperandSegments);
  return {op,
          true,
          "operand",
          detail::kOperandSegments,
          detail::operandGroups(op.def()),
          op.numOperands(),
          sized,
          sized ? op.operandSegments() : Attribute()};
}

Side resultSide(Operation& op) {
  bool sized = op.hasTrait(Trait::AttrSizedResultSegments);
  return {op,
          false,
          "result",
          detail::kResultSegments,
          detail::resultGroups(op.def()),
          op.numResults(),
          sized,
          sized ? op.attributes().get(op.context().impl().resultSegments) : Attribute()};
}

LogicalResult verifySegmentSum(const Side& side, std::span<const int64_t> sizes) {
  int64_t sum = 0;
  for (int64_t size : sizes)
    sum += std::min<int64_t>(size, INT32_MAX);
  if (sum == side.total) return success();
  return side.op.emitOpError() << side.word << " count (" << side.total
                               << ") does not match with the total size (" << sum
                               << ") specified in attribute '" << side.sizesName << "'";
}

LogicalResult verifySegments(const Side& side) {
  if (!side.sizes) return verifySegmentSum(side, {});
  DenseArrayAttr sizes = side.sizes.dynCast<DenseArrayAttr>();
  if (!sizes || !sizes.elementType().isSignlessInteger(32))
    return side.op.emitOpError() << "attribute '" << side.sizesName
                                 << "' failed to satisfy constraint: i32 dense array attribute";
  std::span<const int64_t> values = sizes.values();
  if (std::any_of(values.begin(), values.end(), [](int64_t v) { return v < 0; }))
    return side.op.emitOpError() << "'" << side.sizesName
                                 << "' attribute cannot have negative elements";
  if (failed(verifySegmentSum(side, values))) return failure();
  if (values.size() == side.groups.defs.size()) return success();
  return side.op.emitOpError() << "'" << side.sizesName << "' attribute for specifying "
                               << side.word << " segments must have " << side.groups.defs.size()
                               << " elements, but got " << values.size();
}

LogicalResult verifyEvenShare(const Side& side) {
  unsigned flexible = side.groups.flexible;
  unsigned shared = side.total - side.groups.fixed();
  if (flexible < 2 || shared % flexible == 0) return success();
  return side.op.emitOpError() << "expected " << flexible << " " << side.word
                               << " groups of the same size, but found " << shared
                               << " values for them";
}

LogicalResult verifyGroupSize(const Side& side, unsigned group) {
  auto [start, size] = side.bounds(group);
  Arity arity = side.groups.defs[group].arity;
  if (arity == Arity::Variadic || size == 1 || (arity == Arity::Optional && !size))
    return success();
  return side.op.emitOpError() << side.word << " group starting at #" << start << " requires "
                               << (arity == Arity::Optional ? "0 or 1" : "1")
                               << " element, but found " << size;
}

LogicalResult verifyGroups(const Side& side) {
  if (!side.sized && !side.groups.flexible) return success();  // the count has said it
  if (failed(side.sized ? verifySegments(side) : verifyEvenShare(side))) return failure();
  for (unsigned i = 0; i < side.groups.defs.size(); ++i)
    if (failed(verifyGroupSize(side, i))) return failure();
  return success();
}

LogicalResult verifyTypesOfGroup(const Side& side, unsigned group) {
  const ValueDef& def = side.groups.defs[group];
  if (!def.type || !def.type->accepts) return success();
  auto [start, size] = side.bounds(group);
  for (unsigned i = start; i < start + size; ++i) {
    if (def.type->accepts(side.type(i))) continue;
    return side.op.emitOpError() << side.word << " #" << i << " must be "
                                 << (def.arity == Arity::Variadic ? "variadic of " : "")
                                 << def.type->summary << ", but got " << quoted(side.type(i));
  }
  return success();
}

LogicalResult verifyTypes(const Side& side) {
  for (unsigned i = 0; i < side.groups.defs.size(); ++i)
    if (failed(verifyTypesOfGroup(side, i))) return failure();
  return success();
}

// ---------------------------------------------------------------------------------------------
// Attributes
// ---------------------------------------------------------------------------------------------

LogicalResult verifyAttribute(Operation& op, const AttrDef& def) {
  Attribute value = op.attr(def.name);
  if (!value) {
    if (def.optional) return success();
    return op.emitOpError() << "requires attribute '" << def.name << "'";
  }
  if (!def.constraint || !def.constraint->accepts || def.constraint->accepts(value))
    return success();
  return op.emitOpError() << "attribute '" << def.name
                          << "' failed to satisfy constraint: " << def.constraint->summary;
}

constexpr size_t kShortestMisspelling = 4;  // `id` and `ids` are two names, not one misspelt

bool isNearName(std::string_view written, std::string_view declared) {
  size_t longer = std::max(written.size(), declared.size());
  size_t shorter = std::min(written.size(), declared.size());
  if (shorter < kShortestMisspelling || longer - shorter > 2) return false;
  return editDistance(written, declared) <= (longer < 8 ? 1u : 2u);
}

/// Other attributes may be attached to any op, but one that is nearly called like an attribute that
/// the op knows, and that is absent, was meant to be it.
bool warnOfMisspelling(Operation& op, std::string_view name) {
  if (name.find('.') != std::string_view::npos || op.def().findAttr(name)) return false;
  if (name == detail::kOperandSegments || name == detail::kResultSegments) return false;
  for (const AttrDef& def : op.def().attributes) {
    if (!isNearName(name, def.name) || op.hasAttr(def.name)) continue;
    op.emitWarning() << "'" << op.name() << "' op has no attribute '" << name << "'; did you mean '"
                     << def.name << "'?";
    return true;
  }
  return false;
}

const detail::DictionaryAttrStorage& dictionaryOf(const Operation& op) {
  return static_cast<const detail::DictionaryAttrStorage&>(*op.attributes().storage());
}

/// After the attributes were found right: each op has its warnings.
bool warnsOfAttributes(const Operation& op) { return dictionaryOf(op).goodFor != &op.def(); }

/// What is wrong with the attributes is a matter of the definition and the dictionary alone, and
/// most dictionaries stand at many ops.
LogicalResult verifyAttributes(Operation& op) {
  const auto& defs = op.def().attributes;
  const detail::DictionaryAttrStorage& dictionary = dictionaryOf(op);
  if (dictionary.goodFor == &op.def()) return success();
  for (const AttrDef& def : defs) {
    if (succeeded(verifyAttribute(op, def))) continue;
    for (const NamedAttribute& attr : op.attributes().value())
      warnOfMisspelling(op, attr.name);
    return failure();
  }
  bool warned = false;
  for (const NamedAttribute& attr : op.attributes().value())
    warned |= !defs.empty() && warnOfMisspelling(op, attr.name);
  if (!warned) dictionary.goodFor = &op.def();
  return success();
}

// ---------------------------------------------------------------------------------------------
// Relations between types
// ---------------------------------------------------------------------------------------------

/// The types of what the definition calls `name`: operands, results, or one typed attribute.
void forEachTypeOf(Operation& op, std::string_view name, FunctionRef<void(Type)> callback) {
  int operand = op.def().operandIndex(name);
  int result = op.def().resultIndex(name);
  if (operand < 0 && result < 0) {
    Attribute attr = op.attr(name);
    if (Type type = attr ? attributeType(attr) : Type()) callback(type);
    return;
  }
  Side side = operand >= 0 ? operandSide(op) : resultSide(op);
  auto [start, size] = side.bounds(static_cast<unsigned>(operand >= 0 ? operand : result));
  for (unsigned i = start; i < start + size; ++i)
    callback(side.type(i));
}

std::string joined(std::span<const std::string_view> names) {
  std::string text;
  for (std::string_view name : names)
    (text += text.empty() ? "" : ", ") += name;
  return text;
}

LogicalResult verifySameTypes(Operation& op, const SameTypes& names) {
  Type first;
  bool same = true;
  for (std::string_view name : names)
    forEachTypeOf(op, name, [&](Type type) {
      if (!first) first = type;
      same &= type == first;
    });
  if (same) return success();
  return op.emitOpError() << "failed to verify that all of {" << joined(names)
                          << "} have same type";
}

LogicalResult emitRuleError(Operation& op, const TypeRule& rule) {
  InFlightDiagnostic diagnostic = op.emitOpError();
  diagnostic << "failed to verify that ";
  if (rule.summary.find(" match") != std::string_view::npos) return diagnostic << rule.summary;
  if (op.def().resultIndex(rule.target) >= 0)
    return diagnostic << rule.target << " type matches " << rule.summary;
  return diagnostic << "type of '" << rule.target << "' matches " << rule.summary;
}

LogicalResult verifyTypeRule(Operation& op, const TypeRule& rule) {
  Type source;
  forEachTypeOf(op, rule.source, [&](Type type) { source = source ? source : type; });
  Type expected = source ? rule.compute(source) : Type();
  if (!expected) return success();
  bool matches = true;
  forEachTypeOf(op, rule.target, [&](Type type) { matches &= type == expected; });
  return matches ? success() : emitRuleError(op, rule);
}

LogicalResult verifySameOperandsAndResultType(Operation& op) {
  Type first = op.numOperands() ? op.operand(0).type() : Type();
  for (Value value : op.operands())
    if (value.type() != first)
      return op.emitOpError() << "requires the same type for all operands and results";
  for (unsigned i = 0; i < op.numResults(); ++i)
    if (first && op.result(i).type() != first)
      return op.emitOpError() << "requires the same type for all operands and results";
  return success();
}

LogicalResult verifySameTypeOperands(Operation& op) {
  for (Value value : op.operands())
    if (value.type() != op.operand(0).type())
      return op.emitOpError() << "requires all operands to have the same type";
  return success();
}

bool sameShape(ShapedType a, ShapedType b) {
  if (a.kind() != b.kind() || a.hasRank() != b.hasRank()) return false;
  return std::ranges::equal(a.shape(), b.shape());
}

/// Vectors, tensors and memrefs among the operands and results have one shape, and a scalar result
/// does not come of them.
LogicalResult verifyElementwise(Operation& op) {
  ShapedType first;
  bool same = true;
  bool shapedResult = false;
  auto visit = [&](Type type) {
    ShapedType shaped = type.dynCast<ShapedType>();
    if (!shaped) return;
    if (!first) first = shaped;
    same &= sameShape(first, shaped);
  };
  for (Value value : op.operands())
    visit(value.type());
  bool shapedOperand = static_cast<bool>(first);
  for (unsigned i = 0; i < op.numResults(); ++i) {
    visit(op.result(i).type());
    shapedResult |= op.result(i).type().isa<ShapedType>();
  }
  if (!same) return op.emitOpError() << "requires the same shape for all operands and results";
  if (shapedOperand && !shapedResult && op.numResults())
    return op.emitOpError()
           << "if an operand is non-scalar, then there must be at least one non-scalar result";
  return success();
}

LogicalResult verifyTypeRelations(Operation& op) {
  for (const SameTypes& names : op.def().sameTypes)
    if (failed(verifySameTypes(op, names))) return failure();
  for (const TypeRule& rule : op.def().typeRules)
    if (failed(verifyTypeRule(op, rule))) return failure();
  if (op.hasTrait(Trait::SameOperandsAndResultType) && failed(verifySameOperandsAndResultType(op)))
    return failure();
  if (op.hasTrait(Trait::SameTypeOperands) && failed(verifySameTypeOperands(op))) return failure();
  return op.hasTrait(Trait::Elementwise) ? verifyElementwise(op) : success();
}

// ---------------------------------------------------------------------------------------------
// Place
// ---------------------------------------------------------------------------------------------

LogicalResult verifyParent(Operation& op) {
  const auto& parents = op.def().parents;
  if (parents.empty()) return success();
  Operation* parent = op.parentOp();
  if (parent && std::find(parents.begin(), parents.end(), parent->name()) != parents.end())
    return success();
  return op.emitOpError() << "expects parent op " << (parents.size() > 1 ? "to be one of '" : "'")
                          << joined(parents) << "'";
}

LogicalResult verifyIsLast(Operation& op) {
  if (!op.hasTrait(Trait::Terminator) || !op.next()) return success();
  return op.emitOpError() << "must be the last operation in the parent block";
}

LogicalResult verifyVisibility(Operation& op) {
  Attribute attr = op.attr("sym_visibility");
  if (!attr) return success();
  StringAttr text = attr.dynCast<StringAttr>();
  if (!text)
    return op.emitOpError() << "requires visibility attribute 'sym_visibility' to be a string "
                               "attribute, but got "
                            << attr.str();
  if (text.value() == "public" || text.value() == "private" || text.value() == "nested")
    return success();
  return op.emitOpError() << "visibility expected to be one of [\"public\", \"private\", "
                             "\"nested\"], but got "
                          << attr.str();
}

LogicalResult verifySymbol(Operation& op) {
  if (!op.hasTrait(Trait::Symbol)) return success();
  const AttrDef* def = op.def().findAttr(kSymbolName);
  bool mayBeNameless = def && def->optional;
  if (mayBeNameless && !op.hasAttr(kSymbolName)) return success();
  if (!op.attrOf<StringAttr>(kSymbolName))
    return op.emitOpError() << "requires string attribute '" << kSymbolName << "'";
  if (failed(verifyVisibility(op))) return failure();
  Operation* parent = op.parentOp();
  if (!parent || !parent->isRegistered() || parent->hasTrait(Trait::SymbolTable)) return success();
  return op.emitOpError() << "symbol's parent must have the SymbolTable trait";
}

}  // namespace

static LogicalResult verifyWholeShape(Operation& op) {
  if (failed(verifyRegionCount(op)) || failed(verifyResultCount(op)) ||
      failed(verifySuccessorCount(op)) || failed(verifyOperandCount(op)))
    return failure();
  if (failed(verifyParent(op)) || failed(verifyAttributes(op))) return failure();
  Side operands = operandSide(op);
  Side results = resultSide(op);
  if (failed(verifyGroups(operands)) || failed(verifyTypes(operands))) return failure();
  if (failed(verifyGroups(results)) || failed(verifyTypes(results))) return failure();
  if (failed(verifyTypeRelations(op)) || failed(verifyIsLast(op))) return failure();
  return verifySymbol(op);
}

/// What is left to ask of an op whose counts and types are known to fit.
static LogicalResult verifyRest(Operation& op, bool areAttributesKnown) {
  if (failed(verifyParent(op))) return failure();
  if (!areAttributesKnown && failed(verifyAttributes(op))) return failure();
  if (failed(verifyIsLast(op))) return failure();
  return verifySymbol(op);
}

/// The shape of an op that is not known to be right. One with warnings does not become so either:
/// it has them each time.
static LogicalResult verifyUnknownShape(Operation& op) {
  detail::ShapeCache& known = op.context().impl().shapes;
  detail::OpShape shape;
  bool isSmall = shape.read(op);
  bool hasAttributes = isSmall && shape.hasAttributes(op);
  if (isSmall && known.contains(shape)) {
    if (failed(verifyRest(op, hasAttributes))) return failure();
    if (hasAttributes || !warnsOfAttributes(op)) op.setVerified(Operation::Verified::Shape);
    return success();
  }
  if (failed(verifyWholeShape(op))) return failure();
  bool warns = warnsOfAttributes(op);
  if (isSmall && !(hasAttributes && warns)) known.add(shape);
  if (!warns) op.setVerified(Operation::Verified::Shape);
  return success();
}

LogicalResult verifyOpShape(Operation& op) {
  if (!op.isRegistered()) return success();
  bool isKnown =
      op.verified() != Operation::Verified::Nothing && !op.context().impl().hasRedefinitions;
  return isKnown ? verifyRest(op, true) : verifyUnknownShape(op);
}

}  // namespace airlite
