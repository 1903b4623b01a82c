// Questions to an op definition.
#include "airlite/ir/OpDef.hpp"

namespace airlite {
namespace {

int positionOf(std::span<const ValueDef> defs, std::string_view name) {
  for (size_t i = 0; i < defs.size(); ++i)
    if (defs[i].name == name) return static_cast<int>(i);
  return -1;
}

}  // namespace

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
