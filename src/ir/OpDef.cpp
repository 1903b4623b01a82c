// How an op definition is filled, and questions to it.
#include "airlite/ir/OpDef.hpp"

namespace airlite {
namespace {

int positionOf(std::span<const ValueDef> defs, std::string_view name) {
  // Names of one op often begin alike: sizes and last letters tell most apart.
  for (size_t i = 0; i < defs.size(); ++i) {
    std::string_view own = defs[i].name;
    bool mayBe = own.size() == name.size() && (own.empty() || own.back() == name.back());
    if (mayBe && own == name) return static_cast<int>(i);
  }
  return -1;
}

OpDef& add(OpDef& def, std::vector<ValueDef>& list, const ValueDef& value) {
  list.push_back(value);
  return def;
}

}  // namespace

// -- Filling ------------------------------------------------------------------------------------

OpDef& OpDef::operand(std::string_view n, const TypeConstraint& t) {
  return add(*this, operands, {n, &t, Arity::Single});
}

OpDef& OpDef::optionalOperand(std::string_view n, const TypeConstraint& t) {
  ++flexibleOperands;
  return add(*this, operands, {n, &t, Arity::Optional});
}

OpDef& OpDef::variadicOperand(std::string_view n, const TypeConstraint& t) {
  ++flexibleOperands;
  return add(*this, operands, {n, &t, Arity::Variadic});
}

OpDef& OpDef::result(std::string_view n, const TypeConstraint& t) {
  return add(*this, results, {n, &t, Arity::Single});
}

OpDef& OpDef::optionalResult(std::string_view n, const TypeConstraint& t) {
  ++flexibleResults;
  return add(*this, results, {n, &t, Arity::Optional});
}

OpDef& OpDef::variadicResult(std::string_view n, const TypeConstraint& t) {
  ++flexibleResults;
  return add(*this, results, {n, &t, Arity::Variadic});
}

OpDef& OpDef::attr(std::string_view n, const AttrConstraint& c) {
  attributes.push_back({n, &c});
  return *this;
}

OpDef& OpDef::optionalAttr(std::string_view n, const AttrConstraint& c) {
  attributes.push_back({n, &c, true});
  return *this;
}

OpDef& OpDef::defaultAttr(std::string_view n, const AttrConstraint& c, std::string_view text) {
  attributes.push_back({n, &c, true, text});
  return *this;
}

OpDef& OpDef::region(std::string_view n) {
  regions.push_back({n, false});
  return *this;
}

OpDef& OpDef::variadicRegion(std::string_view n) {
  regions.push_back({n, true});
  return *this;
}

OpDef& OpDef::successor(std::string_view n) {
  successors.push_back({n, false});
  return *this;
}

OpDef& OpDef::variadicSuccessor(std::string_view n) {
  successors.push_back({n, true});
  return *this;
}

OpDef& OpDef::sameType(std::initializer_list<std::string_view> names) {
  sameTypes.emplace_back(names);
  return *this;
}

OpDef& OpDef::typeFrom(std::string_view target, std::string_view source, Type (*compute)(Type),
                       std::string_view summary) {
  typeRules.push_back({target, source, compute, summary});
  return *this;
}

OpDef& OpDef::effects(std::initializer_list<EffectDef> list) {
  effectDefs.assign(list);
  hasEffectInfo = true;
  return *this;
}

OpDef& OpDef::parent(std::initializer_list<std::string_view> names) {
  parents.assign(names);
  return *this;
}

OpDef& OpDef::canonicalize(std::string_view n, RewriteFn fn) {
  patterns.push_back({n, fn});
  return *this;
}

OpDef& OpDef::canonicalizeLate(std::string_view n, RewriteFn fn) {
  patterns.push_back({n, fn, true});
  return *this;
}

// -- Questions ----------------------------------------------------------------------------------

std::string OpDef::exampleOrNone() const {
  return exampleFn ? exampleFn(name()) : std::string(exampleText);
}

int OpDef::operandIndex(std::string_view operandName) const {
  return positionOf(operands, operandName);
}

int OpDef::resultIndex(std::string_view resultName) const {
  return positionOf(results, resultName);
}

const AttrDef* OpDef::findAttr(std::string_view attrName) const {
  for (const AttrDef& attr : attributes)
    if (attr.name == attrName) return &attr;
  return nullptr;
}

}  // namespace airlite
