// The scalar code of named linalg ops.
#include "LinalgBody.hpp"

#include "LinalgInternal.hpp"

namespace airlite::linalg {

BodyBuilder::BodyBuilder(Block& block, Location location, const NamedAttrList& attributes)
    : block_(block), builder_(Builder::atEnd(block)), location_(location) {
  Attribute cast = attributes.get("cast"), fun = attributes.get("fun");
  if (!fun) fun = attributes.get(kKindAttr);
  unsignedCast_ = cast.isa<DialectAttr>() && cast.cast<DialectAttr>().keyword() == "cast_unsigned";
  if (fun.isa<DialectAttr>()) function_ = fun.cast<DialectAttr>().keyword();
}

void BodyBuilder::yield(Value value) { builder_.create(location_, "linalg.yield", {value}, {}); }

Value BodyBuilder::emit(std::string_view op, std::initializer_list<Value> operands, Type type) {
  return builder_.create(location_, op, operands, {type})->result();
}

Value BodyBuilder::fail(std::string_view what, Value value) {
  if (problem_.empty()) problem_ = std::string(what) + " of '" + value.type().str() + "'";
  return value;
}

// -- Conversions --------------------------------------------------------------------------------

/// The op that converts; "" when the types are the same, "?" when there is none.
std::string_view BodyBuilder::conversion(Type from, Type to, bool isUnsigned) {
  if (from == to) return "";
  if (from.isFloat() && to.isFloat()) {
    if (from.bitWidth() == to.bitWidth()) return "?";
    return from.bitWidth() < to.bitWidth() ? "arith.extf" : "arith.truncf";
  }
  if (from.isFloat() && to.isInteger()) return isUnsigned ? "arith.fptoui" : "arith.fptosi";
  // A bool is 0 or 1 whatever the sign.
  if (from.isInteger() && to.isFloat())
    return isUnsigned || from.isInteger(1) ? "arith.uitofp" : "arith.sitofp";
  if (from.isIndex() != to.isIndex() && from.isIntOrIndex() && to.isIntOrIndex())
    return isUnsigned ? "arith.index_castui" : "arith.index_cast";
  if (!from.isInteger() || !to.isInteger()) return "?";
  if (from.bitWidth() == to.bitWidth()) return "?";
  if (from.bitWidth() > to.bitWidth()) return "arith.trunci";
  return isUnsigned ? "arith.extui" : "arith.extsi";
}

Value BodyBuilder::convert(Value value, Type type, bool isUnsigned) {
  if (value.type().isIndex() && type.isFloat())
    value = convert(value, builder_.intType(64), isUnsigned);
  std::string_view op = conversion(value.type(), type, isUnsigned);
  if (op.empty()) return value;
  if (op == "?") return fail("no conversion to '" + type.str() + "'", value);
  return emit(op, {value}, type);
}

// -- Arithmetic ---------------------------------------------------------------------------------

Value BodyBuilder::byKind(Value a, Value b, std::string_view floatOp, std::string_view intOp) {
  if (a.type() != b.type()) return fail("expected elements of one type, found one", b);
  std::string_view op = a.type().isFloat() ? floatOp : a.type().isIntOrIndex() ? intOp : "";
  if (op.empty()) return fail("not supported: arithmetic on elements", a);
  return emit(op, {a, b}, a.type());
}

Value BodyBuilder::add(Value a, Value b) {
  return byKind(a, b, "arith.addf", a.type().isInteger(1) ? "arith.ori" : "arith.addi");
}
Value BodyBuilder::sub(Value a, Value b) {
  if (a.type().isInteger(1)) return fail("not supported: difference", a);
  return byKind(a, b, "arith.subf", "arith.subi");
}
Value BodyBuilder::mul(Value a, Value b) {
  return byKind(a, b, "arith.mulf", a.type().isInteger(1) ? "arith.andi" : "arith.muli");
}

Value BodyBuilder::select(Value condition, Value a, Value b) {
  if (!condition.type().isInteger(1))
    return fail("expected a condition of 'i1', found one", condition);
  if (a.type() != b.type()) return fail("expected elements of one type, found one", b);
  return emit("arith.select", {condition, a, b}, a.type());
}

Value BodyBuilder::onFloat(Value v, std::string_view op) {
  if (v.type().isFloat()) return emit(op, {v}, v.type());
  return fail("expected floating-point elements for '" + std::string(op) + "', found one", v);
}

Value BodyBuilder::square(Value v) {
  return v.type().isFloat() ? mul(v, v) : fail("expected floating-point elements, found one", v);
}

Value BodyBuilder::reciprocal(Value v) {
  if (!v.type().isFloat()) return fail("expected floating-point elements, found one", v);
  Value one = builder_.constant(location_, FloatAttr::get(v.type(), 1.0));
  return emit("arith.divf", {one, v}, v.type());
}

// -- By name ------------------------------------------------------------------------------------

Value BodyBuilder::namedUnary(Value v) {
  struct Entry {
    std::string_view name;
    Value (BodyBuilder::*fn)(Value);
  };
  constexpr Entry kFunctions[] = {
      {"exp", &BodyBuilder::exp},     {"log", &BodyBuilder::log},
      {"abs", &BodyBuilder::abs},     {"ceil", &BodyBuilder::ceil},
      {"floor", &BodyBuilder::floor}, {"negf", &BodyBuilder::negf},
      {"round", &BodyBuilder::round}, {"sqrt", &BodyBuilder::sqrt},
      {"rsqrt", &BodyBuilder::rsqrt}, {"square", &BodyBuilder::square},
      {"tanh", &BodyBuilder::tanh},   {"reciprocal", &BodyBuilder::reciprocal},
      {"erf", &BodyBuilder::erf},
  };
  for (const Entry& entry : kFunctions)
    if (entry.name == (function_.empty() ? "exp" : function_)) return (this->*entry.fn)(v);
  return fail("takes one input, but not for '" + function_ + "'", v);
}

Value BodyBuilder::namedBinary(Value a, Value b) {
  struct Entry {
    std::string_view name;
    Value (BodyBuilder::*fn)(Value, Value);
  };
  constexpr Entry kFunctions[] = {
      {"add", &BodyBuilder::add},
      {"mul", &BodyBuilder::mul},
      {"max_signed", &BodyBuilder::max},
      {"min_signed", &BodyBuilder::min},
      {"sub", &BodyBuilder::sub},
      {"max_unsigned", &BodyBuilder::maxUnsigned},
      {"min_unsigned", &BodyBuilder::minUnsigned},
      {"div", &BodyBuilder::div},
      {"div_unsigned", &BodyBuilder::divUnsigned},
      {"powf", &BodyBuilder::powf},
  };
  for (const Entry& entry : kFunctions)
    if (entry.name == (function_.empty() ? "add" : function_)) return (this->*entry.fn)(a, b);
  return fail("takes two inputs, but not for '" + function_ + "'", a);
}

Value BodyBuilder::namedTernary(Value a, Value b, Value c) {
  if (function_ == "select") return select(a, b, c);
  return fail("takes three inputs, but not for '" + function_ + "'", a);
}

// -- Whole bodies -------------------------------------------------------------------------------

std::string inputsText(const NamedOp& row) {
  return row.inputs ? std::to_string(row.inputs) : "1 to 3";
}

LogicalResult buildNamedBody(Context& context, Location location, const NamedOp& row,
                             const NamedAttrList& attributes, std::span<const Value> operands,
                             Region& region) {
  Block& block = region.addBlock(context);
  for (Value operand : operands)
    block.addArgument(elementTypeOrSelf(operand.type()), location);
  const bool areAsMany =
      row.inputs ? operands.size() == row.inputs + 1 : operands.size() >= 2 && operands.size() <= 4;
  if (!areAsMany)
    return emitError(context, location)
           << "'linalg." << row.mnemonic << "' op expected " << inputsText(row)
           << " inputs and one output, found " << operands.size() << " operands";
  BodyBuilder body(block, location, attributes);
  row.body(body);
  if (body.problem().empty()) return success();
  return emitError(context, location) << "'linalg." << row.mnemonic << "' op " << body.problem();
}

}  // namespace airlite::linalg
