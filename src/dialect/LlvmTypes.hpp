// The types of the llvm dialect: pointers, arrays, structs and the types of functions.
#pragma once

#include "airlite/ir/Context.hpp"
#include "airlite/ir/OpDef.hpp"

#include <span>
#include <vector>

namespace airlite::llvm {

bool isPointer(Type type);
/// What has a size: numbers, vectors, pointers and aggregates.
bool hasSize(Type type);
extern const TypeConstraint pointer, sized, aggregate;

/// `!llvm.func<result (arguments, ...)>`.
struct FunctionSignature {
  Type result;  // null: void
  std::vector<Type> arguments;
  bool isVariadic = false;
};
Type functionType(Context& context, const FunctionSignature& signature);
bool isFunctionType(Type type);
FunctionSignature signatureOf(Type functionType);

Type arrayType(Context& context, int64_t count, Type element);
/// What stands at `position` inside an aggregate, one number per level; null when there is nothing.
Type elementAt(Type aggregate, std::span<const int64_t> position);

void defineTypes(Dialect& dialect);

}  // namespace airlite::llvm
