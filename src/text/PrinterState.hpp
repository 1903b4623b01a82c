// The state that all printing functions of one text share: the text so far, names, aliases.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "../ir/PrintHooks.hpp"
#include "Aliases.hpp"
#include "SsaNames.hpp"
#include "airlite/text/OpPrinter.hpp"
#include "airlite/text/Printer.hpp"

namespace airlite::text {

/// Whether a number says its type: always, unless it is the usual one (i64, f64), never.
enum class TypeSuffix { Always, UnlessUsual, Never };

class PrinterState {
 public:
  /// For single types and attributes: no names, no aliases.
  PrinterState() : aliases(false) {}
  PrinterState(Operation& root, const PrintOptions& printOptions, bool withAliases)
      : options(printOptions), aliases(withAliases), context_(&root.context()),
        names_(root, printOptions.generic), cachesTypes_(true) {}

  std::string out;
  PrintOptions options;
  Aliases aliases;
  unsigned indent = 0;
  /// Innermost last: the dialect whose prefix the ops of the current region leave out.
  std::vector<std::string_view> defaultDialects{"builtin"};

  void appendValue(Value value) { names_.append(out, value); }
  void appendResults(const Operation& op) { names_.appendResults(out, op); }
  void appendBlock(const Block* block) { names_.appendBlock(out, block); }
  void appendNewline() {
    out += '\n';
    out.append(indent, ' ');
  }
  void appendType(Type type);
  void appendAttribute(Attribute attribute, TypeSuffix suffix);
  /// `a = 1, b` without braces.
  void appendEntries(std::span<const NamedAttribute> entries);
  void appendTypes(std::span<const Type> types);
  /// `t`, or `(t1, t2)`, `()`, `((t1) -> t2)`.
  void appendResultTypes(std::span<const Type> types);
  /// ` loc(...)` when locations are wanted.
  void appendTrailingLocation(Location location);

 private:
  struct CachedText {
    size_t start = 0;
    size_t size = 0;
  };
  void appendTypeUncached(Type type);
  void appendFunctionType(FunctionType type);
  void appendMemRef(MemRefType type);
  void appendTensor(RankedTensorType type);
  void appendUnrankedMemRef(UnrankedMemRefType type);
  void appendDialectType(DialectType type);
  void appendNumber(IntegerAttr attribute, TypeSuffix suffix);
  void appendNumber(FloatAttr attribute, TypeSuffix suffix);
  void appendArray(ArrayAttr attribute);
  void appendSymbolRef(SymbolRefAttr attribute);
  void appendDenseElements(DenseElementsAttr attribute, TypeSuffix suffix);
  void appendDialectAttr(DialectAttr attribute);

  const Context* context_ = nullptr;
  SsaNames names_;
  bool cachesTypes_ = false;
  detail::FlatMap<const void*, CachedText> typeTexts_;  // where in typeText_ the text of a type stands
  std::string typeText_;
};

bool isBareWord(std::string_view text);
void appendInteger(std::string& out, int64_t value);
void appendQuoted(std::string& out, std::string_view text);
void appendWord(std::string& out, std::string_view text);  // bare, or quoted when it must be
void appendSymbolName(std::string& out, std::string_view name);
void appendDimensions(std::string& out, std::span<const int64_t> dims, bool trailingX);
void appendStrided(std::string& out, StridedLayoutAttr layout);
void appendDenseArray(std::string& out, DenseArrayAttr attribute);
/// The inside of `dense<...>`.
void appendDenseBody(std::string& out, DenseElementsAttr attribute);

void printAffineExpr(std::string& out, AffineExpr expr,
                     FunctionRef<void(bool isSymbol, unsigned position)> printInput);
void printAffineMap(std::string& out, AffineMap map);
void printIntegerSet(std::string& out, IntegerSet set);
void printLocation(std::string& out, const Context& context, Location location);

}  // namespace airlite::text
