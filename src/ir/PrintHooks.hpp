// What ir/ asks the text room for: text of single types, attributes and operations. Defined in
// text/, so that ir/ includes nothing of it.
#pragma once

#include "airlite/ir/Attribute.hpp"
#include "airlite/ir/Type.hpp"

#include <string>

namespace airlite {

class Operation;

std::string printTypeToString(Type type);
std::string printAttributeToString(Attribute attribute);
std::string printAffineToString(AffineExpr expr);
std::string printAffineToString(AffineMap map);
std::string printAffineToString(IntegerSet set);
/// The op as the printer writes it, without a newline at the end.
std::string printOperationToString(const Operation& op);

}  // namespace airlite
