// What the custom syntax of an op is printed with. The op name and the results are printed already;
// the print function starts with its own blank.
//
//   void print(OpPrinter& printer, Operation& op) {
//     printer << " " << op.operand(0) << " : " << op.operand(0).type();
//   }
#pragma once

#include "airlite/text/AttrPrinter.hpp"

#include <initializer_list>

namespace airlite {

class OpPrinter : public AttrPrinter {
 public:
  using AttrPrinter::AttrPrinter;

  /// What an AttrPrinter prints; the result is an OpPrinter, so that values may follow.
  template <class T>
  requires requires(AttrPrinter& printer, const T& item) { printer << item; }
  OpPrinter& operator<<(const T& item) {
    AttrPrinter::operator<<(item);
    return *this;
  }
  OpPrinter& operator<<(Value value);
  OpPrinter& operator<<(OperandRange values);
  OpPrinter& operator<<(Block* successor);

  void printOperands(std::span<const Value> values);
  /// ` {a = 1}` unless empty; names in `elided` are left out, and attributes that equal the
  /// default of the definition too.
  void printOptionalAttrDict(Operation& op, std::initializer_list<std::string_view> elided = {});
  void printOptionalAttrDict(Operation& op, std::span<const std::string_view> elided);
  /// ` attributes {...}`.
  void printOptionalAttrDictWithKeyword(Operation& op, std::span<const std::string_view> elided);
  /// The dictionary of something that is not the op (argument attributes).
  void printDictionary(DictionaryAttr dictionary);

  /// `{ ... }`. The entry block's arguments are printed as a `^bb0(...)` line unless
  /// `entryArguments` is false; the terminator is left out when `terminator` is false.
  void printRegion(Region& region, bool entryArguments = true, bool terminator = true,
                   bool emptyBlock = false);
  /// `%x: type {attrs}`, with its location when locations are printed.
  void printArgument(Value argument, DictionaryAttr attributes = {});
  void printSuccessor(Block* block);
  /// `^bb1(%x, %y : t, t)`.
  void printSuccessorWithOperands(Block* block, std::span<const Value> operands);
  /// `[%x, 4, %y]` of a mixed list, without the brackets.
  void printDynamicIndexList(OperandRange dynamic, std::span<const int64_t> statics);
  /// `(%d0, %d1)[%s0]`.
  void printDimAndSymbolOperands(std::span<const Value> operands, unsigned numDims);
  /// Results of the map with its operands written in: `%i + 1, %j`.
  void printAffineMapOfSsaIds(AffineMap map, std::span<const Value> operands);
  void printAffineExprOfSsaIds(AffineExpr expr, std::span<const Value> dims,
                               std::span<const Value> symbols);
  /// `(t1, t2) -> t3` of operands and results.
  void printFunctionalType(Operation& op);
  /// A whole op on its own (no newline), custom form.
  void printOp(Operation& op);
  void newline();
  /// Moves the indentation of the lines that follow.
  void indentBy(int columns);
  /// In the generic form.
  void printGeneric(Operation& op, bool withName = true);
};

}  // namespace airlite
