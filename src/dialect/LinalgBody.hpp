// Builds the scalar code of named linalg ops: one element of each operand in, one element out.
// Private to dialect/.
#pragma once

#include "airlite/ir/Builder.hpp"

#include <string>
#include <string_view>

namespace airlite::linalg {

class BodyBuilder {
 public:
  /// Appends to `block`, whose arguments are the elements of the operands; the last is the output.
  BodyBuilder(Block& block, Location location, const NamedAttrList& attributes);

  unsigned numInputs() const { return block_.numArguments() - 1; }
  Value in(unsigned i) const { return block_.argument(i); }
  Value out() const { return block_.argument(block_.numArguments() - 1); }
  Type outType() const { return out().type(); }
  void yield(Value value);

  /// Converts as the attribute `cast` says (signed unless told otherwise).
  Value castAs(Value value, Type type) { return convert(value, type, unsignedCast_); }
  Value castUnsigned(Value value, Type type) { return convert(value, type, true); }

  Value add(Value a, Value b);
  Value sub(Value a, Value b);
  Value mul(Value a, Value b);
  Value div(Value a, Value b) { return byKind(a, b, "arith.divf", "arith.divsi"); }
  Value divUnsigned(Value a, Value b) { return byKind(a, b, "", "arith.divui"); }
  Value max(Value a, Value b) { return byKind(a, b, "arith.maximumf", "arith.maxsi"); }
  Value min(Value a, Value b) { return byKind(a, b, "arith.minimumf", "arith.minsi"); }
  Value maxUnsigned(Value a, Value b) { return byKind(a, b, "arith.maximumf", "arith.maxui"); }
  Value minUnsigned(Value a, Value b) { return byKind(a, b, "arith.minimumf", "arith.minui"); }
  Value powf(Value a, Value b) { return byKind(a, b, "math.powf", ""); }
  Value select(Value condition, Value a, Value b);

  Value exp(Value v) { return onFloat(v, "math.exp"); }
  Value log(Value v) { return onFloat(v, "math.log"); }
  Value abs(Value v) { return onFloat(v, "math.absf"); }
  Value ceil(Value v) { return onFloat(v, "math.ceil"); }
  Value floor(Value v) { return onFloat(v, "math.floor"); }
  Value negf(Value v) { return onFloat(v, "arith.negf"); }
  Value round(Value v) { return onFloat(v, "math.round"); }
  Value sqrt(Value v) { return onFloat(v, "math.sqrt"); }
  Value rsqrt(Value v) { return onFloat(v, "math.rsqrt"); }
  Value tanh(Value v) { return onFloat(v, "math.tanh"); }
  Value erf(Value v) { return onFloat(v, "math.erf"); }
  Value square(Value v);
  Value reciprocal(Value v);

  /// The function that the attribute `fun` or `kind` names.
  Value namedUnary(Value v);
  Value namedBinary(Value a, Value b);
  Value namedTernary(Value a, Value b, Value c);

  /// Why the body cannot be built for these types; empty when it can.
  const std::string& problem() const { return problem_; }

 private:
  Value convert(Value value, Type type, bool isUnsigned);
  std::string_view conversion(Type from, Type to, bool isUnsigned);
  Value onFloat(Value v, std::string_view op);
  Value byKind(Value a, Value b, std::string_view floatOp, std::string_view intOp);
  Value emit(std::string_view op, std::initializer_list<Value> operands, Type type);
  Value fail(std::string_view what, Value value);

  Block& block_;
  Builder builder_;
  Location location_;
  bool unsignedCast_ = false;
  std::string function_;
  std::string problem_;
};

}  // namespace airlite::linalg
