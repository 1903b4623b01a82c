// What the custom syntax of an op is read with.
//
//   LogicalResult parse(OpParser& parser, OperationState& state) {  // %x : type
//     UnresolvedOperand operand;
//     Type type;
//     if (failed(parser.parseOperand(operand)) || failed(parser.parseColonType(type)))
//       return failure();
//     return parser.resolve(operand, type, state.operands);
//   }
#pragma once

#include "airlite/text/AttrParser.hpp"

#include <optional>

namespace airlite {

/// An operand as it is written (`%x`, `%x#1`), before its type is known.
struct UnresolvedOperand {
  Location location;
  std::string_view name;  // without the %
  unsigned number = 0;    // the N of %x#N
};

/// A block argument as it is written: `%x`, `%x: type`, `%x: type {attrs}`.
struct ParsedArgument {
  UnresolvedOperand name;  // an empty name: an argument that text does not name
  Type type;
  NamedAttrList attributes;
  Location location;
};

class OpParser : public AttrParser {
 public:
  using AttrParser::AttrParser;

  /// Full name of the op being read, and its location.
  std::string_view opName() const;
  Location opLocation() const;
  /// Number of results that the text names (`%a:2 = ...` gives 2, `%a = ` 1, none 0).
  unsigned numWrittenResults() const;

  LogicalResult parseOperand(UnresolvedOperand& operand);
  bool parseOptionalOperand(UnresolvedOperand& operand, LogicalResult& status);
  /// True when the next token is `%name`.
  bool nextIsOperand() const;
  LogicalResult parseOperandList(std::vector<UnresolvedOperand>& operands,
                                 Delimiter delimiter = Delimiter::None);
  /// Type of the value called so when it is defined already; null otherwise.
  Type typeOf(const UnresolvedOperand& operand) const;
  /// The value called so, of this type; a name that comes later is fine.
  LogicalResult resolve(const UnresolvedOperand& operand, Type type, std::vector<Value>& values);
  LogicalResult resolve(std::span<const UnresolvedOperand> operands, Type type,
                        std::vector<Value>& values);
  /// One type per operand; a different number is an error at `location`.
  LogicalResult resolve(std::span<const UnresolvedOperand> operands, std::span<const Type> types,
                        Location location, std::vector<Value>& values);

  LogicalResult parseArgument(ParsedArgument& argument, bool withType, bool withAttributes = false);
  LogicalResult parseArgumentList(std::vector<ParsedArgument>& arguments, Delimiter delimiter,
                                  bool withTypes, bool withAttributes = false);
  /// `%a = %b, %c = %d`: arguments and the operands they start as, in `delimiter`.
  LogicalResult parseAssignments(std::vector<ParsedArgument>& arguments,
                                 std::vector<UnresolvedOperand>& operands, Delimiter delimiter);

  /// `{ ... }` with `arguments` (types set) as the arguments of the entry block. An absent
  /// terminator is added for ops with an implicit one.
  LogicalResult parseRegion(Region& region, std::span<const ParsedArgument> arguments = {});
  /// Returns false when there is no `{`.
  bool parseOptionalRegion(Region& region, LogicalResult& status,
                           std::span<const ParsedArgument> arguments = {});
  /// `^bb1` or `^bb1(%x, %y : t, t)`: the operands are appended to `operands`.
  LogicalResult parseSuccessor(Block*& block);
  LogicalResult parseSuccessorWithOperands(Block*& block, std::vector<Value>& operands);

  /// A map application: `#map(%i, %j)[%s]` after the map attribute has been read.
  LogicalResult parseDimAndSymbolOperands(std::vector<UnresolvedOperand>& operands,
                                          unsigned& numDims);
  /// Affine expressions over SSA names: `[%i + 1, %j * 2]`. Gives the map and its operands (dims
  /// first). `symbol(%x)` makes a symbol operand.
  LogicalResult parseAffineMapOfSsaIds(AffineMap& map, std::vector<UnresolvedOperand>& dims,
                                       std::vector<UnresolvedOperand>& symbols,
                                       Delimiter delimiter = Delimiter::Square);
  /// One such expression, without brackets; new names are added to `dims` and `symbols`.
  LogicalResult parseAffineExprOfSsaIds(AffineExpr& expr, std::vector<UnresolvedOperand>& dims,
                                        std::vector<UnresolvedOperand>& symbols);

  /// Mixed static and dynamic list: `[1, %x, 2]` or `[[..]]`-free form used by memref.subview.
  /// Static entries go to `statics`, dynamic ones are kDynamic there and appended to `operands`.
  LogicalResult parseDynamicIndexList(std::vector<UnresolvedOperand>& operands,
                                      std::vector<int64_t>& statics,
                                      Delimiter delimiter = Delimiter::Square);

  /// Reads the generic form after the name, for an op whose syntax contains it. Few ops need this.
  LogicalResult parseGenericBody(OperationState& state);
};

/// A hook that formats call as `custom<Name>(...)`. See Format.hpp in src/text.
}  // namespace airlite
