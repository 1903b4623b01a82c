// What ops that look like func.func share: text and checks of a signature with a body. They have
// the attributes of func.func and one region. In Func.cpp.
#pragma once

#include "airlite/text/OpParser.hpp"
#include "airlite/text/OpPrinter.hpp"

namespace airlite::func {

LogicalResult parseFunction(OpParser& parser, OperationState& state);
void printFunction(OpPrinter& printer, Operation& op);
/// Argument and result attributes, and that the entry block has the arguments of the type.
LogicalResult verifySignature(Operation& op);

}  // namespace airlite::func
