// The state that all printing functions of one text share: the text so far, names, aliases.
#pragma once

#include "../ir/PrintHooks.hpp"
#include "Aliases.hpp"
#include "SsaNames.hpp"
#include "airlite/ir/Resources.hpp"
#include "airlite/text/OpPrinter.hpp"
#include "airlite/text/Printer.hpp"

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace airlite::text {

/// Whether a number says its type: always, unless it is the usual one (i64, f64), never.
enum class TypeSuffix { Always, UnlessUsual, Never };

/// One class: everything that is printed is appended to one text and may use one set of names.
class PrinterState {
 public:
  /// For single types and attributes: no names, no aliases.
  PrinterState() : aliases(false) {}
  PrinterState(Operation& root, const PrintOptions& printOptions, bool withAliases)
      : options(printOptions),
        aliases(withAliases),
        context_(&root.context()),
        names_(root, printOptions.generic, printOptions.assumeVerified),
        caches_(true) {}

  std::string out;
  /// Keys of the resources in the text so far, in this order.
  std::vector<std::string_view> usedResources;
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
  /// In full, also when it has an alias.
  void appendUnnamed(Attribute attribute, TypeSuffix suffix);
  /// What `print` appends for the attributes of `op`: those of its definition, `<{...}>`, or the
  /// others. Remembered for the next op of this definition with the same dictionary.
  enum DictionaryPart { Inherent, Others };
  void appendOnce(const Operation& op, DictionaryPart part, FunctionRef<void()> print);
  /// `a = 1, b` without braces.
  void appendEntries(std::span<const NamedAttribute> entries);
  void appendTypes(std::span<const Type> types);
  /// `t`, or `(t1, t2)`, `()`, `((t1) -> t2)`.
  void appendResultTypes(std::span<const Type> types);
  /// The inside of `loc(...)`.
  void appendLocation(Context& context, Location location);
  // When locations are wanted: an op's or argument's counts before what is inside the op is
  // printed, ` loc(#loc)` stands after an op and ` loc("file":1:2)` after an argument. Names for
  // arguments are defined in front of the module, those for ops after it.
  void visitLocation(Location location, bool inFront);
  void appendTrailingLocation(Location location);
  void appendArgumentLocation(Location location);

 private:
  struct CachedText {
    size_t start = 0;
    size_t size = 0;
    const OpDef* def = nullptr;  // dictionaries: of which op
  };
  /// Aliases and resources that the text has used: what adds to them has a text to be made anew.
  size_t numNamesUsed() const { return aliases.numUses() + usedResources.size(); }
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
  void appendDialectAttr(DialectAttr attribute, TypeSuffix suffix);
  void appendDenseResource(DenseResourceAttr attribute, TypeSuffix suffix);

  Context* context_ = nullptr;
  SsaNames names_;
  std::unordered_set<std::string_view> resourceKeys_;
  bool caches_ = false;
  // Where in cachedText_ the text of a type, or of a dictionary by parts, stands.
  detail::FlatMap<const void*, CachedText> typeTexts_;
  detail::FlatMap<const void*, CachedText> dictionaryTexts_[2];
  std::string cachedText_;
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

}  // namespace airlite::text
