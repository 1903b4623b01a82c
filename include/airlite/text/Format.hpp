// Hooks for `custom<Name>(...)` in declarative formats (OpDef::format).
//
// Formats are those of MLIR's op definitions, interpreted: literals in backquotes, `$name` of an
// operand, attribute, region or successor, `type($name)`, `operands`, `type(operands)`, `results`,
// `type(results)`, `regions`, `successors`, `functional-type(...)`, `attr-dict`,
// `attr-dict-with-keyword`, optional groups `( ... $anchor^ ... )?` with `: ( ... )` as else, and
// `custom<Name>($a, type($b))`.
//
//   d.op("load").operand("memref", types::anyMemRef).operands("indices", types::index)
//       .format("$memref `[` $indices `]` attr-dict `:` type($memref)");
#pragma once

#include "airlite/text/OpParser.hpp"
#include "airlite/text/OpPrinter.hpp"

#include <span>
#include <string_view>

namespace airlite {

/// What a `custom<>` hook reads into: the groups of the op under construction, by name.
class FormatValues {
 public:
  std::vector<UnresolvedOperand>& operands(std::string_view name);
  std::vector<Type>& types(std::string_view name);  // of an operand or result group
  NamedAttrList& attributes();
  Region& region(std::string_view name);

  struct Impl;
  explicit FormatValues(Impl& impl) : impl_(impl) {}

 private:
  Impl& impl_;
};

/// `arguments` are the names written between the parentheses of `custom<Name>(...)`, with the
/// wrapping `type(...)` / `ref(...)` removed.
struct CustomDirective {
  std::string_view name;
  LogicalResult (*parse)(OpParser& parser, FormatValues& values,
                         std::span<const std::string_view> arguments);
  void (*print)(OpPrinter& printer, Operation& op, std::span<const std::string_view> arguments);
};

/// Registers a directive for all formats of this process; the same name again is ignored.
void registerCustomDirective(const CustomDirective& directive);

}  // namespace airlite
