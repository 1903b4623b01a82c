// Questions to an op definition.
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
