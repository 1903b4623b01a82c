// Syntax, verifiers and rewrites of the air dialect, shared by its source files.
#pragma once

#include "airlite/dialect/Air.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/text/Format.hpp"

namespace airlite::air {

/// What the definitions call a list of an access: its values, and its static part.
struct ListNames {
  std::string_view values, statics;
};
/// What they call the buffer and the lists of one side of a transfer.
struct AccessNames {
  std::string_view memref;
  ListNames offsets, sizes, strides;
};
inline constexpr AccessNames kDst{"dst",
                                  {"dst_offsets", "static_dst_offsets"},
                                  {"dst_sizes", "static_dst_sizes"},
                                  {"dst_strides", "static_dst_strides"}};
inline constexpr AccessNames kSrc{"src",
                                  {"src_offsets", "static_src_offsets"},
                                  {"src_sizes", "static_src_sizes"},
                                  {"src_strides", "static_src_strides"}};

/// The operand group of the buffer; those of its offsets, sizes and strides follow.
inline unsigned firstGroupOf(const Operation& op, const AccessNames& names) {
  return static_cast<unsigned>(op.def().operandIndex(names.memref));
}

/// One list of an access as the op holds it.
struct ListParts {
  OperandRange values;
  DenseArrayAttr statics;  // null: none
  std::span<const int64_t> entries() const {
    return statics ? statics.values() : std::span<const int64_t>();
  }
  /// How many entries views of the op see, when the two fit together.
  size_t length() const { return statics ? statics.size() : values.size(); }
};
/// One side of a transfer as the op holds it, found in one go.
struct AccessParts {
  Value memref;
  ListParts offsets, sizes, strides;
};
AccessParts partsOf(Operation& op, const AccessNames& names);

/// Registers the directives AirAsync, AirAccess and AirTokenLists.
void registerAirDirectives();

LogicalResult parseHierarchy(OpParser& parser, OperationState& state);
void printHierarchy(OpPrinter& printer, Operation& op);
LogicalResult parseExecute(OpParser& parser, OperationState& state);
void printExecute(OpPrinter& printer, Operation& op);
LogicalResult parseCustom(OpParser& parser, OperationState& state);
void printCustom(OpPrinter& printer, Operation& op);

LogicalResult verifyHierarchy(Operation& op);
LogicalResult verifyDmaAlone(Operation& op);
LogicalResult verifyDma(Operation& op);
LogicalResult verifyChannel(Operation& op);
LogicalResult verifyChannelAccessAlone(Operation& op);
LogicalResult verifyChannelAccess(Operation& op);
LogicalResult verifyExecute(Operation& op);
LogicalResult verifyTokens(Operation& op);

/// Kernel operands that the body does not use go; one that is passed twice is passed once.
LogicalResult dropUnusedArgs(Operation& op, Rewriter& rewriter);

/// Views of memory move into the access lists; lists that say "everything" become empty.
LogicalResult composeDmaViews(Operation& op, Rewriter& rewriter);
LogicalResult composeChannelViews(Operation& op, Rewriter& rewriter);

/// Joins are listed by what they join; repeated, implied and needless dependencies go.
LogicalResult simplifyDependencies(Operation& op, Rewriter& rewriter);
/// Before `join`, an air.wait_all, goes: what is known of other ops stays, it touches no memory.
void keepFootprintsWithout(Operation& join, Rewriter& rewriter);
/// Tokens from outside that a loop in the body of `op` waits for enter it as iteration arguments.
LogicalResult carryTokensThroughLoops(Operation& op, Rewriter& rewriter);

/// After a change: ops that make `values`, when nothing uses them any more, are looked at in the
/// same round.
void noteUnused(std::span<const Value> values, Rewriter& rewriter);

/// Adds the canonicalizations of one op other than the hierarchy ones.
void addAirPatterns(OpDef& def);

}  // namespace airlite::air
