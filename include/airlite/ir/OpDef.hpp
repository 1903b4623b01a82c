// The definition of an operation: one value that says everything about it. Generic code (verifier,
// parser, printer, JSON, docs page) reads these definitions; nothing is retyped elsewhere.
//
// A dialect is a function that registers definitions:
//
//   void registerArith(Context& context) {
//     Dialect d(context, "arith", "Arithmetic on integers and floats.");
//     d.op("addi")
//         .doc("Integer addition, wraps around.")
//         .operand("lhs", types::integerLike)
//         .operand("rhs", types::integerLike)
//         .result("result", types::integerLike)
//         .traits(Trait::Pure | Trait::Commutative | Trait::SameOperandsAndResultType)
//         .format("$lhs `,` $rhs attr-dict `:` type($result)")
//         .example("%2 = arith.addi %0, %1 : i32")
//         .fold(foldAddi);
//   }
#pragma once

#include "airlite/ir/Operation.hpp"

#include <cstdint>
#include <deque>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace airlite {

class Context;
class OpParser;
class OpPrinter;
class Rewriter;
class AttrParser;
class AttrPrinter;
struct CompiledFormat;

// ---------------------------------------------------------------------------------------------
// Traits
// ---------------------------------------------------------------------------------------------

enum class Trait : uint64_t {
  None = 0,
  /// No effects and may be executed speculatively.
  Pure = 1ull << 0,
  Commutative = 1ull << 1,
  Terminator = 1ull << 2,
  /// Returns values to the op around it or to the caller.
  ReturnLike = 1ull << 3,
  IsolatedFromAbove = 1ull << 4,
  SymbolTable = 1ull << 5,
  /// Has a `sym_name`.
  Symbol = 1ull << 6,
  SingleBlock = 1ull << 7,
  /// Blocks in its regions need no terminator.
  NoTerminator = 1ull << 8,
  /// Folds to the attribute `value`.
  ConstantLike = 1ull << 9,
  SameOperandsAndResultType = 1ull << 10,
  SameTypeOperands = 1ull << 11,
  /// Shapes agree element for element; element types may differ.
  Elementwise = 1ull << 12,
  /// Dims of affine ops may be defined at the top of its region.
  AffineScope = 1ull << 13,
  /// Stack allocations inside end with it.
  AllocationScope = 1ull << 14,
  /// Its effects are those of the ops inside.
  RecursiveEffects = 1ull << 15,
  /// Several variadic operand groups: `operandSegmentSizes` holds their sizes.
  AttrSizedOperandSegments = 1ull << 16,
  AttrSizedResultSegments = 1ull << 17,
  /// Regions execute any number of times in sequence (for, while).
  LoopLike = 1ull << 18,
  /// Instances of the body may run at the same time (parallel, forall, hierarchy ops).
  ParallelLoop = 1ull << 19,
  /// A view of its first operand's memory: no copy.
  ViewLike = 1ull << 20,
  /// Has an entry block with arguments and is called by symbol.
  Function = 1ull << 21,
  /// No terminator is written in text, an empty one is implied (see OpDef::implicitTerminator).
  ImplicitTerminator = 1ull << 22,
  /// Result 0, when present, may be an async token.
  AsyncOp = 1ull << 23,
  /// launch, segment, herd, rank.
  Hierarchy = 1ull << 24,
  /// No results or not pure, but safe to execute early (no undefined behaviour).
  AlwaysSpeculatable = 1ull << 25,
  /// Regions are graph regions: no dominance inside.
  GraphRegion = 1ull << 26,
};
constexpr Trait operator|(Trait a, Trait b) {
  return static_cast<Trait>(static_cast<uint64_t>(a) | static_cast<uint64_t>(b));
}
constexpr bool any(Trait set, Trait of) {
  return (static_cast<uint64_t>(set) & static_cast<uint64_t>(of)) != 0;
}

// ---------------------------------------------------------------------------------------------
// Shapes: operands, results, attributes, regions
// ---------------------------------------------------------------------------------------------

/// What types a value may have. `build` gives the type when there is only one, so that it need not
/// be written in text.
struct TypeConstraint {
  std::string_view summary;  // "index", "signless integer or index", as error messages say it
  bool (*accepts)(Type);
  Type (*build)(Context&) = nullptr;
};

enum class Arity : uint8_t { Single, Optional, Variadic };

struct ValueDef {
  std::string_view name;
  const TypeConstraint* type;
  Arity arity = Arity::Single;
  std::string_view doc = {};
};

/// How an attribute is written where a format says `$name`.
enum class AttrSyntax : uint8_t {
  Any,         // as an attribute, with its type
  SymbolName,  // @name, stored as a string
  Integer,     // bare number, the type is known (see AttrConstraint::build)
  Keyword,     // one of `cases`; stored as decided by `fromKeyword`
  Type,        // a type, stored as TypeAttr
  UnitFlag,    // presence
};

struct AttrConstraint {
  std::string_view summary;
  bool (*accepts)(Attribute);
  AttrSyntax syntax = AttrSyntax::Any;
  Type (*build)(Context&) = nullptr;             // Integer: the type that is left out
  std::span<const std::string_view> cases = {};  // Keyword: what may be written
  Attribute (*fromKeyword)(Context&, std::string_view) = nullptr;
  std::string_view (*toKeyword)(Attribute) = nullptr;
};

struct AttrDef {
  std::string_view name;
  const AttrConstraint* constraint;
  bool optional = false;
  /// Value that an absent attribute stands for, written as attribute text ("0 : i64"); it is not
  /// printed when it is written out. Empty: no default.
  std::string_view defaultText = {};
  std::string_view doc = {};
  mutable Attribute parsedDefault = {};  // of defaultText, filled by text/ at the first question
};

struct RegionDef {
  std::string_view name;
  bool variadic = false;
  std::string_view doc = {};
};

struct SuccessorDef {
  std::string_view name;
  bool variadic = false;
};

/// "these values have one type": names of operands or results.
using SameTypes = std::vector<std::string_view>;

/// "the type of `target` is `compute(type of source)`": used to infer and to verify.
struct TypeRule {
  std::string_view target;
  std::string_view source;
  Type (*compute)(Type);
  std::string_view summary;  // "element type of 'memref'", for messages
};

// ---------------------------------------------------------------------------------------------
// Effects
// ---------------------------------------------------------------------------------------------

enum class Effect : uint8_t {
  Read,
  Write,
  Allocate,
  Free,
  Send,     // puts data into a channel
  Receive,  // takes data out of a channel
  Sync,     // waits for or signals something else (barrier, wait_all, lock)
};

/// One effect of an op. `value` is what it acts on; null: on something that no operand names.
struct EffectInstance {
  Effect effect;
  Value value;
};

/// As a definition says it: the name of an operand or result (every value of a group), or "".
struct EffectDef {
  Effect effect;
  std::string_view on;
};

/// Direct effects of `op` (not of the ops inside). Returns false when the op may do anything
/// (unregistered, or a call).
bool effectsOf(Operation& op, std::vector<EffectInstance>& effects);
/// No effects, nested ones included.
bool isMemoryEffectFree(Operation& op);
bool isPure(Operation& op);
/// No uses and erasing it loses nothing: no effects beyond reading or allocating its own result.
bool isTriviallyDead(Operation& op);

// ---------------------------------------------------------------------------------------------
// Hooks
// ---------------------------------------------------------------------------------------------

/// What a result folds to: a constant attribute or an existing value.
struct FoldResult {
  Attribute attribute;
  Value value;
  FoldResult() = default;
  FoldResult(Attribute a) : attribute(a) {}  // NOLINT
  FoldResult(Value v) : value(v) {}          // NOLINT
  explicit operator bool() const { return attribute || value; }
};

/// `operands[i]` is the constant of operand i, or null. Success with `results` filled (one per
/// result) replaces the op; success with none means that it was changed in place.
using FoldFn = LogicalResult (*)(Operation& op, std::span<const Attribute> operands,
                                 std::vector<FoldResult>& results);
/// A rewrite rooted at this op: success when it changed something.
using RewriteFn = LogicalResult (*)(Operation& op, Rewriter& rewriter);
using VerifyFn = LogicalResult (*)(Operation& op);
using ParseFn = LogicalResult (*)(OpParser& parser, OperationState& state);
using PrintFn = void (*)(OpPrinter& printer, Operation& op);
using InferTypesFn = LogicalResult (*)(Context& context, OperationState& state);
using EffectsFn = bool (*)(Operation& op, std::vector<EffectInstance>& effects);
/// Suggests the printed name of a result: `suggest(op.result(0), "c0")`.
using NameResultsFn = void (*)(Operation& op, FunctionRef<void(Value, std::string_view)> suggest);
using NameArgumentsFn = void (*)(Region& region,
                                 FunctionRef<void(Value, std::string_view)> suggest);

/// `opName` is "linalg.matmul".
using ExampleFn = std::string (*)(std::string_view opName);

struct RewritePattern {
  std::string_view name;  // for remarks and --debug
  RewriteFn apply;
  bool isLate = false;  // dear: tried when nothing else is left to do
};

// ---------------------------------------------------------------------------------------------
// The definition
// ---------------------------------------------------------------------------------------------

struct OpDef {
  Identifier identifier;
  std::string_view dialect;  // "air"
  bool registered = true;
  ViewId view = nullptr;
  Trait traitSet = Trait::None;

  std::string_view docText;
  std::string_view exampleText;
  ExampleFn exampleFn = nullptr;
  std::vector<ValueDef> operands;
  std::vector<ValueDef> results;
  std::vector<AttrDef> attributes;
  std::vector<RegionDef> regions;
  std::vector<SuccessorDef> successors;
  std::vector<SameTypes> sameTypes;
  std::vector<TypeRule> typeRules;
  std::vector<EffectDef> effectDefs;
  std::vector<std::string_view> parents;  // allowed direct parents; empty: any
  std::string_view implicitTerminator;    // op name
  std::string_view resultName;            // suggested name of a single result
  std::string_view formatText;
  mutable const CompiledFormat* compiledFormat = nullptr;  // made at first use by text/

  VerifyFn verifyFn = nullptr;
  VerifyFn verifyAloneFn = nullptr;
  ParseFn parseFn = nullptr;
  PrintFn printFn = nullptr;
  FoldFn foldFn = nullptr;
  InferTypesFn inferFn = nullptr;
  EffectsFn effectsFn = nullptr;
  NameResultsFn nameResultsFn = nullptr;
  NameArgumentsFn nameArgumentsFn = nullptr;
  std::vector<RewritePattern> patterns;
  unsigned flexibleOperands = 0;  // operand groups that are not Single
  unsigned flexibleResults = 0;
  bool hasEffectInfo = false;
  bool legacy = false;  // read from old programs, nothing in airlite makes it

  std::string_view name() const { return identifier.str(); }
  bool has(Trait trait) const { return any(traitSet, trait); }
  bool hasCustomSyntax() const { return parseFn || !formatText.empty(); }
  /// Position among the named operands / results, or -1.
  int operandIndex(std::string_view operandName) const;
  int resultIndex(std::string_view resultName) const;
  const AttrDef* findAttr(std::string_view attrName) const;

  // -- Builder style: each returns the definition so that calls chain. Names and texts must be
  // string literals (they are not copied). Those that fill a list are in OpDef.cpp: nearly every
  // unit reads this header, and would compile them all.
  OpDef& doc(std::string_view text) {
    docText = text;
    return *this;
  }
  OpDef& example(std::string_view text) {
    exampleText = text;
    return *this;
  }
  /// For an example that is made when it is asked for.
  OpDef& example(ExampleFn fn) {
    exampleFn = fn;
    return *this;
  }
  std::string exampleOrNone() const;
  OpDef& operand(std::string_view n, const TypeConstraint& t);
  OpDef& optionalOperand(std::string_view n, const TypeConstraint& t);
  OpDef& variadicOperand(std::string_view n, const TypeConstraint& t);
  OpDef& result(std::string_view n, const TypeConstraint& t);
  OpDef& optionalResult(std::string_view n, const TypeConstraint& t);
  OpDef& variadicResult(std::string_view n, const TypeConstraint& t);
  OpDef& attr(std::string_view n, const AttrConstraint& c);
  OpDef& optionalAttr(std::string_view n, const AttrConstraint& c);
  OpDef& defaultAttr(std::string_view n, const AttrConstraint& c, std::string_view text);
  OpDef& region(std::string_view n);
  OpDef& variadicRegion(std::string_view n);
  OpDef& successor(std::string_view n);
  OpDef& variadicSuccessor(std::string_view n);
  OpDef& traits(Trait t) {
    traitSet = traitSet | t;
    return *this;
  }
  OpDef& sameType(std::initializer_list<std::string_view> names);
  OpDef& typeFrom(std::string_view target, std::string_view source, Type (*compute)(Type),
                  std::string_view summary);
  /// Declares the effects; with an empty list: none.
  OpDef& effects(std::initializer_list<EffectDef> list);
  OpDef& effects(EffectsFn fn) {
    effectsFn = fn;
    hasEffectInfo = true;
    return *this;
  }
  OpDef& parent(std::initializer_list<std::string_view> names);
  /// Also sets the trait. `terminator` is a full op name.
  OpDef& terminatedBy(std::string_view terminator) {
    implicitTerminator = terminator;
    return traits(Trait::ImplicitTerminator | Trait::SingleBlock);
  }
  OpDef& nameResult(std::string_view suggestion) {
    resultName = suggestion;
    return *this;
  }
  OpDef& nameResults(NameResultsFn fn) {
    nameResultsFn = fn;
    return *this;
  }
  OpDef& nameArguments(NameArgumentsFn fn) {
    nameArgumentsFn = fn;
    return *this;
  }
  /// MLIR's declarative assembly format; airlite/text/Format.hpp says what is understood.
  OpDef& format(std::string_view text) {
    formatText = text;
    return *this;
  }
  OpDef& syntax(ParseFn parse, PrintFn print) {
    parseFn = parse;
    printFn = print;
    return *this;
  }
  OpDef& verify(VerifyFn fn) {
    verifyFn = fn;
    return *this;
  }
  /// For rules about nothing but the op's attributes and the types of its operands and results: not
  /// its place, its regions, or what makes its operands. They are asked again only when one of
  /// these has changed. Comes before `verify`; an op may have both.
  OpDef& verifyAlone(VerifyFn fn) {
    verifyAloneFn = fn;
    return *this;
  }
  OpDef& fold(FoldFn fn) {
    foldFn = fn;
    return *this;
  }
  /// Fills state.resultTypes from operands, attributes and regions.
  OpDef& inferTypes(InferTypesFn fn) {
    inferFn = fn;
    return *this;
  }
  OpDef& canonicalize(std::string_view n, RewriteFn fn);
  /// For one that is dear to try: canonicalize does so when nothing else is left to do.
  OpDef& canonicalizeLate(std::string_view n, RewriteFn fn);
};

/// A type that a dialect adds: `!dialect.mnemonic`, or with parameters `!dialect.mnemonic<...>`.
struct DialectTypeDef {
  std::string_view name;  // "air.async.token"
  std::string_view doc;
  /// Reads and prints what follows the name (the `<...>`); null: no parameters.
  LogicalResult (*parse)(AttrParser& parser, std::vector<Attribute>& parameters) = nullptr;
  void (*print)(AttrPrinter& printer, DialectType type) = nullptr;
};

/// An attribute that a dialect adds: `#dialect.mnemonic<...>`.
struct DialectAttrDef {
  std::string_view name;  // "vector.kind"
  std::string_view doc;
  /// Keyword parameters: `<add>` is accepted when listed here and `parse` is null.
  std::span<const std::string_view> keywords = {};
  LogicalResult (*parse)(AttrParser& parser, std::vector<Attribute>& parameters) = nullptr;
  void (*print)(AttrPrinter& printer, DialectAttr attribute) = nullptr;
};

/// Makes the constant op of a dialect for a folded attribute; null when it cannot.
using MaterializeFn = Operation* (*)(Context& context, Attribute value, Type type,
                                     Location location);

/// Registration handle of one dialect.
class Dialect {
 public:
  Dialect(Context& context, std::string_view name, std::string_view doc);
  /// Starts the definition of `<dialect>.<mnemonic>`.
  OpDef& op(std::string_view mnemonic);
  /// The same, tied to a typed view class.
  template <class View> OpDef& op(std::string_view mnemonic) {
    OpDef& def = op(mnemonic);
    def.view = viewId<View>();
    return def;
  }
  void type(const DialectTypeDef& def);
  void attr(const DialectAttrDef& def);
  void materializer(MaterializeFn fn);
  Context& context() const { return context_; }

 private:
  Context& context_;
  std::string_view name_;
};

inline std::string_view Operation::name() const { return def_->identifier.str(); }
inline bool Operation::isRegistered() const { return def_->registered; }
inline bool Operation::hasTrait(Trait trait) const { return def_->has(trait); }
inline ViewId viewIdOf(const Operation& op) { return op.def().view; }

}  // namespace airlite
