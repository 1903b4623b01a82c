// Hooks of the linalg dialect that its definitions (Linalg.cpp) refer to. Private to dialect/.
#pragma once

#include "airlite/dialect/Linalg.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/text/OpParser.hpp"
#include "airlite/text/OpPrinter.hpp"

namespace airlite::linalg {

/// Builds the body of a named op at the end of a block.
class BodyBuilder;
using BodyFn = void (*)(BodyBuilder& body);

/// What kind of maps a named op has.
enum class MapRule {
  Table,        // as `maps` says
  Given,        // as the attribute `indexing_maps` of the op says; `maps` is an example
  Elementwise,  // identity for all operands
  Fill,         // no dims for a scalar input, identity for the output
};

struct NamedOp {
  std::string_view mnemonic;
  std::string_view doc;
  unsigned inputs;  // 0: as many as the function that `kind` names takes
  MapRule rule;
  std::string_view iterators;  // one letter for each loop: p, r
  /// Operands separated by ';', dims by ',': "d0, d1*s0+d4*t0; d4; d0, d1". s0, s1: strides,
  /// t0, t1: dilations.
  std::string_view maps;
  BodyFn body;
};

inline constexpr std::string_view kMapsAttr = "indexing_maps";
inline constexpr std::string_view kKindAttr = "kind";  // of linalg.elementwise
/// Those of this attribute, as far as it has maps.
std::vector<AffineMap> givenMaps(const Operation& op);
/// The op has an attribute `indexing_maps`: it must, or it may have maps in the place of those of the table.
bool takesMaps(const NamedOp& row);
/// Rank of the strides and dilations of a convolution; 0 for other ops.
unsigned windowRank(const NamedOp& op);
/// `linalg.matmul ins(...) outs(...)` for the name of a row of namedOps() with its dialect.
std::string namedExample(std::string_view opName);
std::span<const NamedOp> namedOps();
/// Those of an op that gives none.
std::vector<AffineMap> usualMaps(const NamedOp& row, const Operation& op);
std::vector<AffineMap> namedMaps(const NamedOp& row, const Operation& op);
std::vector<IteratorKind> namedIterators(const NamedOp& row, const Operation& op);
/// How many inputs the op takes.
std::string inputsText(const NamedOp& row);
/// Makes the body of `state` for its operands; `region` is empty. Fails with an error when the
/// types do not allow it.
LogicalResult buildNamedBody(Context& context, Location location, const NamedOp& row,
                             const NamedAttrList& attributes, std::span<const Value> operands,
                             Region& region);

// -- Attributes (Linalg.cpp)
Attribute iteratorAttr(Context& context, IteratorKind kind);
std::string_view iteratorName(IteratorKind kind);
/// Null for text that names no kind of iterator.
Attribute iteratorFromText(Context& context, std::string_view text);

// -- Syntax (LinalgSyntax.cpp)
LogicalResult parseNamed(OpParser& parser, OperationState& state);
void printNamed(OpPrinter& printer, Operation& op);
LogicalResult parseGeneric(OpParser& parser, OperationState& state);
void printGeneric(OpPrinter& printer, Operation& op);
LogicalResult parseMap(OpParser& parser, OperationState& state);
void printMap(OpPrinter& printer, Operation& op);
LogicalResult parseReduce(OpParser& parser, OperationState& state);
void printReduce(OpPrinter& printer, Operation& op);
LogicalResult parseTranspose(OpParser& parser, OperationState& state);
void printTranspose(OpPrinter& printer, Operation& op);
LogicalResult parseBroadcast(OpParser& parser, OperationState& state);
void printBroadcast(OpPrinter& printer, Operation& op);
LogicalResult parseSoftmax(OpParser& parser, OperationState& state);
void printSoftmax(OpPrinter& printer, Operation& op);
LogicalResult parsePack(OpParser& parser, OperationState& state);
void printPack(OpPrinter& printer, Operation& op);

// -- Verifiers (LinalgVerify.cpp, LinalgPack.cpp)
LogicalResult verifyStructured(Operation& op);
LogicalResult verifyNamed(Operation& op);
LogicalResult verifyMap(Operation& op);
LogicalResult verifyReduce(Operation& op);
LogicalResult verifyTranspose(Operation& op);
LogicalResult verifyBroadcast(Operation& op);
LogicalResult verifyIndex(Operation& op);
LogicalResult verifyYield(Operation& op);
LogicalResult verifySoftmax(Operation& op);
LogicalResult verifyPack(Operation& op);
LogicalResult verifyUnpack(Operation& op);

// -- Effects, folders, rewrites (Linalg.cpp, LinalgCanonicalize.cpp)
bool structuredEffects(Operation& op, std::vector<EffectInstance>& effects);
bool inOutEffects(Operation& op, std::vector<EffectInstance>& effects);
LogicalResult foldPack(Operation& op, std::span<const Attribute> operands,
                       std::vector<FoldResult>& results);
LogicalResult eraseEmpty(Operation& op, Rewriter& rewriter);
LogicalResult eraseIdentityGeneric(Operation& op, Rewriter& rewriter);
LogicalResult eraseSelfCopy(Operation& op, Rewriter& rewriter);
LogicalResult eraseRepeatedFill(Operation& op, Rewriter& rewriter);
LogicalResult foldCopyOfFill(Operation& op, Rewriter& rewriter);
LogicalResult foldTensorCasts(Operation& op, Rewriter& rewriter);
LogicalResult foldTransposes(Operation& op, Rewriter& rewriter);

}  // namespace airlite::linalg
