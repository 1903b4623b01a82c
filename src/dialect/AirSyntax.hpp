// Syntax, verifiers and rewrites of the air dialect, shared by its source files.
#pragma once

#include "airlite/dialect/Air.hpp"
#include "airlite/text/Format.hpp"

namespace airlite::air {

/// Registers the directives AirAsync, AirAccess and AirTokenLists.
void registerAirDirectives();

LogicalResult parseHierarchy(OpParser& parser, OperationState& state);
void printHierarchy(OpPrinter& printer, Operation& op);
LogicalResult parseExecute(OpParser& parser, OperationState& state);
void printExecute(OpPrinter& printer, Operation& op);
LogicalResult parseCustom(OpParser& parser, OperationState& state);
void printCustom(OpPrinter& printer, Operation& op);

LogicalResult verifyHierarchy(Operation& op);
LogicalResult verifyDma(Operation& op);
LogicalResult verifyChannel(Operation& op);
LogicalResult verifyChannelAccess(Operation& op);
LogicalResult verifyExecute(Operation& op);
LogicalResult verifyTokens(Operation& op);

/// Adds the canonicalizations of one op.
void addAirPatterns(OpDef& def);

}  // namespace airlite::air
