// What the sources of the transform dialect share: types, ways to define ops, verifiers.
#pragma once

#include "airlite/ir/Constraints.hpp"
#include "airlite/text/OpParser.hpp"
#include "airlite/text/OpPrinter.hpp"

#include <array>
#include <initializer_list>

namespace airlite::transform {

// -- Types ---------------------------------------------------------------------------------------

/// A handle to payload ops: `!transform.any_op` or `!transform.op<"name">`.
bool isOpHandle(Type type);
/// A handle to payload values.
bool isValueHandle(Type type);
/// A parameter: a list of attributes known when the script runs.
bool isParam(Type type);
/// Both handles to ops, both handles to values, or both parameters.
bool isSameKind(Type a, Type b);

extern const TypeConstraint kHandle, kValueHandle, kParam, kAnyHandle, kParamOrHandle,
    kHandleOrValueOrParam, kAnyOp, kAnyValue;

/// A text as a template argument.
template <size_t N> struct Text {
  char characters[N];
  constexpr Text(const char (&text)[N]) { std::copy_n(text, N, characters); }  // NOLINT
  constexpr std::string_view view() const { return {characters, N - 1}; }
};

Type opHandleType(Context& context, std::string_view opName);
bool isHandleTo(Type type, std::string_view opName);

/// The type `!transform.op<"Name">` alone; `Summary` is how messages call it.
template <Text Name, Text Summary>
inline constexpr TypeConstraint kHandleTo{
    Summary.view(), [](Type type) { return isHandleTo(type, Name.view()); },
    [](Context& context) { return opHandleType(context, Name.view()); }};

// -- Attributes ----------------------------------------------------------------------------------

/// A word that is stored as a 32-bit integer: `First` for the first one. `Words` is an array of
/// std::string_view with static storage.
template <const auto& Words, int First = 0> struct WordAsInteger {
  static bool accepts(Attribute a) {
    auto number = a.dynCast<IntegerAttr>();
    return number && number.type().isSignlessInteger(32) && number.value() >= First &&
           number.value() < First + static_cast<int64_t>(Words.size());
  }
  static Attribute fromKeyword(Context& context, std::string_view word) {
    for (size_t i = 0; i < Words.size(); ++i)
      if (Words[i] == word)
        return IntegerAttr::get(IntegerType::get(context, 32), First + static_cast<int64_t>(i));
    return {};
  }
  /// Ops that do not verify are printed too, in messages.
  static std::string_view toKeyword(Attribute a) {
    if (!accepts(a)) return "<<invalid>>";
    return Words[static_cast<size_t>(a.cast<IntegerAttr>().value() - First)];
  }
  static constexpr AttrConstraint constraint(std::string_view summary) {
    return {summary, accepts, AttrSyntax::Keyword, nullptr, Words, fromKeyword, toKeyword};
  }
};

// -- Defining ops --------------------------------------------------------------------------------

/// `%target {attrs} : (types) -> types`, the syntax of most ops.
inline constexpr std::string_view kFunctional =
    "$target attr-dict `:` functional-type(operands, results)";
/// `%target {attrs} : type`, of ops without results.
inline constexpr std::string_view kTyped = "$target attr-dict `:` type($target)";

/// A row of a table of ops that differ in name and meaning alone.
struct OpRow {
  std::string_view name, doc, example;
};

// Effects: a handle that an op invalidates is freed, one that it looks through is read, a result is
// allocated; the payload (no operand names it) is written or read. Called after operands and
// results are stated.

/// Invalidates the operands in `consumed` and changes the payload.
OpDef& consuming(OpDef& def, std::initializer_list<std::string_view> consumed = {"target"});
/// Reads its handles and changes the payload.
OpDef& modifying(OpDef& def);
/// Reads its handles and the payload.
OpDef& reading(OpDef& def);

/// Names the results of an op that has several as its definition calls them.
void nameByDefinition(Operation& op, FunctionRef<void(Value, std::string_view)> suggest);

/// Makes the `custom<Transform...>` directives known.
void registerDirectives();

void defineSequences(Dialect& d);
void defineStructured(Dialect& d);
void defineLoops(Dialect& d);
void definePatterns(Dialect& d);
void defineAir(Dialect& d);

// -- TransformVerify.cpp --------------------------------------------------------------------------

/// The numbers 0 ... n - 1 in some order.
bool isPermutation(std::span<const int64_t> numbers);
/// Of a dense array or an array of integers; of anything else none.
std::vector<int64_t> integersOf(Attribute attribute);
/// An op for the inside of apply_patterns.
bool isPatternSet(const Operation& op);

LogicalResult verifySplitHandle(Operation& op);
LogicalResult verifyPositions(Operation& op);
LogicalResult verifyApplyPatterns(Operation& op);
LogicalResult verifyReplace(Operation& op);
LogicalResult verifyTileUsingFor(Operation& op);
LogicalResult verifyTileUsingForall(Operation& op);
LogicalResult verifyFuse(Operation& op);
LogicalResult verifyVectorSizes(Operation& op);
LogicalResult verifyPack(Operation& op);
LogicalResult verifyPackGreedily(Operation& op);
LogicalResult verifyPackTranspose(Operation& op);
LogicalResult verifyPad(Operation& op);
LogicalResult verifyTranspose(Operation& op);
LogicalResult verifyInterchange(Operation& op);
LogicalResult verifySplit(Operation& op);
LogicalResult verifySimplifyBounded(Operation& op);
LogicalResult verifyLinalgTile(Operation& op);
LogicalResult verifyMemcpyOp(Operation& op);
LogicalResult verifyBufferizeToAllocation(Operation& op);
LogicalResult verifyGridDims(Operation& op);

}  // namespace airlite::transform
