// The table of named structured ops: loops, indexing maps and what their bodies compute. Syntax,
// verifier, loops and interpreter all read it.
#include "LinalgBody.hpp"
#include "LinalgInternal.hpp"
#include "airlite/support/Text.hpp"

#include <algorithm>

namespace airlite::linalg {

namespace {

// -- Bodies -------------------------------------------------------------------------------------

// Each op is made in a statement of its own: the order of arguments is not the order of evaluation.
void multiplyAccumulate(BodyBuilder& b) {
  Value lhs = b.castAs(b.in(0), b.outType());
  Value rhs = b.castAs(b.in(1), b.outType());
  b.yield(b.add(b.out(), b.mul(lhs, rhs)));
}
/// Input `i` without its zero point, input `i + 2`.
Value dequantized(BodyBuilder& b, unsigned i) {
  Value value = b.castAs(b.in(i), b.outType());
  Value zero = b.castAs(b.in(i + 2), b.outType());
  return b.sub(value, zero);
}
void quantizedMultiplyAccumulate(BodyBuilder& b) {
  Value lhs = dequantized(b, 0);
  Value rhs = dequantized(b, 1);
  b.yield(b.add(b.out(), b.mul(lhs, rhs)));
}
void poolSum(BodyBuilder& b) { b.yield(b.add(b.out(), b.castAs(b.in(0), b.outType()))); }
void poolMax(BodyBuilder& b) { b.yield(b.max(b.out(), b.castAs(b.in(0), b.outType()))); }
void poolMin(BodyBuilder& b) { b.yield(b.min(b.out(), b.castAs(b.in(0), b.outType()))); }
void poolMaxUnsigned(BodyBuilder& b) {
  b.yield(b.maxUnsigned(b.out(), b.castUnsigned(b.in(0), b.outType())));
}
void poolMinUnsigned(BodyBuilder& b) {
  b.yield(b.minUnsigned(b.out(), b.castUnsigned(b.in(0), b.outType())));
}
void castInput(BodyBuilder& b) { b.yield(b.castAs(b.in(0), b.outType())); }

template <Value (BodyBuilder::*fn)(Value)> void unary(BodyBuilder& b) { b.yield((b.*fn)(b.in(0))); }
template <Value (BodyBuilder::*fn)(Value, Value)> void binary(BodyBuilder& b) {
  b.yield((b.*fn)(b.in(0), b.in(1)));
}
void selectElement(BodyBuilder& b) { b.yield(b.select(b.in(0), b.in(1), b.in(2))); }
void anyUnary(BodyBuilder& b) { b.yield(b.namedUnary(b.castAs(b.in(0), b.outType()))); }
void anyBinary(BodyBuilder& b) {
  Value lhs = b.castAs(b.in(0), b.outType());
  Value rhs = b.castAs(b.in(1), b.outType());
  b.yield(b.namedBinary(lhs, rhs));
}

void elementwise(BodyBuilder& b) {
  switch (b.numInputs()) {
    case 1: return b.yield(b.namedUnary(b.in(0)));
    case 2: return b.yield(b.namedBinary(b.in(0), b.in(1)));
    default: return b.yield(b.namedTernary(b.in(0), b.in(1), b.in(2)));
  }
}

// -- The table ----------------------------------------------------------------------------------

constexpr MapRule kTable = MapRule::Table;
constexpr MapRule kElementwise = MapRule::Elementwise;

#define AIRLITE_UNARY(name, doc, fn) \
  { name, doc, 1, kElementwise, "", "", unary<&BodyBuilder::fn> }
#define AIRLITE_BINARY(name, doc, fn) \
  { name, doc, 2, kElementwise, "", "", binary<&BodyBuilder::fn> }

constexpr NamedOp kNamedOps[] = {
    {"fill", "Writes one value to all elements.", 1, MapRule::Fill, "", "", castInput},
    {"copy", "Copies all elements, converting them.", 1, kElementwise, "", "", castInput},

    // Products of matrices and vectors.
    {"matmul", "C += A B.", 2, kTable, "ppr", "d0,d2; d2,d1; d0,d1", multiplyAccumulate},
    {"matmul_transpose_a", "C += A^T B.", 2, kTable, "ppr", "d2,d0; d2,d1; d0,d1",
     multiplyAccumulate},
    {"matmul_transpose_b", "C += A B^T.", 2, kTable, "ppr", "d0,d2; d1,d2; d0,d1",
     multiplyAccumulate},
    {"batch_matmul", "C[b] += A[b] B[b].", 2, kTable, "pppr", "d0,d1,d3; d0,d3,d2; d0,d1,d2",
     multiplyAccumulate},
    {"batch_matmul_transpose_a", "C[b] += A[b]^T B[b].", 2, kTable, "pppr",
     "d0,d3,d1; d0,d3,d2; d0,d1,d2", multiplyAccumulate},
    {"batch_matmul_transpose_b", "C[b] += A[b] B[b]^T.", 2, kTable, "pppr",
     "d0,d1,d3; d0,d2,d3; d0,d1,d2", multiplyAccumulate},
    {"batch_reduce_matmul", "C += A[b] B[b] for all b.", 2, kTable, "rppr",
     "d0,d1,d3; d0,d3,d2; d1,d2", multiplyAccumulate},
    {"matvec", "y += A x.", 2, kTable, "pr", "d0,d1; d1; d0", multiplyAccumulate},
    {"vecmat", "y += x A.", 2, kTable, "pr", "d1; d1,d0; d0", multiplyAccumulate},
    {"batch_matvec", "y[b] += A[b] x[b].", 2, kTable, "ppr", "d0,d1,d2; d0,d2; d0,d1",
     multiplyAccumulate},
    {"batch_vecmat", "y[b] += x[b] A[b].", 2, kTable, "ppr", "d0,d2; d0,d2,d1; d0,d1",
     multiplyAccumulate},
    {"dot", "s += x y.", 2, kTable, "r", "d0; d0; ", multiplyAccumulate},
    {"mmt4d", "C += A B^T in tiles.", 2, kTable, "pprppr", "d0,d2,d3,d5; d1,d2,d4,d5; d0,d1,d3,d4",
     multiplyAccumulate},
    {"batch_mmt4d", "C[b] += A[b] B[b]^T in tiles.", 2, kTable, "ppprppr",
     "d0,d1,d3,d4,d6; d0,d2,d3,d5,d6; d0,d1,d2,d4,d5", multiplyAccumulate},
    {"contract", "C += A B, the loops and who uses them as its maps say.", 2, MapRule::Given, "ppr",
     "d0,d2; d2,d1; d0,d1", multiplyAccumulate},
    {"quantized_matmul", "C += (A - a0) (B - b0) with zero points.", 4, kTable, "ppr",
     "d0,d2; d2,d1; ; ; d0,d1", quantizedMultiplyAccumulate},
    {"quantized_batch_matmul", "C[b] += (A[b] - a0) (B[b] - b0) with zero points.", 4, kTable,
     "pppr", "d0,d1,d3; d0,d3,d2; ; ; d0,d1,d2", quantizedMultiplyAccumulate},

    // Convolutions: input, filter, output.
    {"conv_1d", "Convolution without channels.", 2, kTable, "pr", "d0+d1; d1; d0",
     multiplyAccumulate},
    {"conv_2d", "Convolution without channels.", 2, kTable, "pprr", "d0+d2,d1+d3; d2,d3; d0,d1",
     multiplyAccumulate},
    {"conv_3d", "Convolution without channels.", 2, kTable, "ppprrr",
     "d0+d3,d1+d4,d2+d5; d3,d4,d5; d0,d1,d2", multiplyAccumulate},
    {"conv_1d_nwc_wcf", "Convolution.", 2, kTable, "ppprr", "d0,d1*s0+d3*t0,d4; d3,d4,d2; d0,d1,d2",
     multiplyAccumulate},
    {"conv_1d_ncw_fcw", "Convolution.", 2, kTable, "ppprr", "d0,d3,d2*s0+d4*t0; d1,d3,d4; d0,d1,d2",
     multiplyAccumulate},
    {"conv_2d_nhwc_hwcf", "Convolution.", 2, kTable, "pppprrr",
     "d0,d1*s0+d4*t0,d2*s1+d5*t1,d6; d4,d5,d6,d3; d0,d1,d2,d3", multiplyAccumulate},
    {"conv_2d_nhwc_fhwc", "Convolution.", 2, kTable, "pppprrr",
     "d0,d1*s0+d4*t0,d2*s1+d5*t1,d6; d3,d4,d5,d6; d0,d1,d2,d3", multiplyAccumulate},
    {"conv_2d_nchw_fchw", "Convolution.", 2, kTable, "pppprrr",
     "d0,d4,d2*s0+d5*t0,d3*s1+d6*t1; d1,d4,d5,d6; d0,d1,d2,d3", multiplyAccumulate},
    {"conv_2d_ngchw_fgchw", "Convolution in groups.", 2, kTable, "ppppprrr",
     "d0,d1,d5,d3*s0+d6*t0,d4*s1+d7*t1; d2,d1,d5,d6,d7; d0,d1,d2,d3,d4", multiplyAccumulate},
    {"conv_2d_ngchw_gfchw", "Convolution in groups.", 2, kTable, "ppppprrr",
     "d0,d1,d5,d3*s0+d6*t0,d4*s1+d7*t1; d1,d2,d5,d6,d7; d0,d1,d2,d3,d4", multiplyAccumulate},
    {"conv_2d_nhwgc_gfhwc", "Convolution in groups.", 2, kTable, "ppppprrr",
     "d0,d1*s0+d5*t0,d2*s1+d6*t1,d3,d7; d3,d4,d5,d6,d7; d0,d1,d2,d3,d4", multiplyAccumulate},
    {"conv_2d_nhwc_hwcf_q", "Convolution with zero points.", 4, kTable, "pppprrr",
     "d0,d1*s0+d4*t0,d2*s1+d5*t1,d6; d4,d5,d6,d3; ; ; d0,d1,d2,d3", quantizedMultiplyAccumulate},
    {"conv_2d_nhwc_fhwc_q", "Convolution with zero points.", 4, kTable, "pppprrr",
     "d0,d1*s0+d4*t0,d2*s1+d5*t1,d6; d3,d4,d5,d6; ; ; d0,d1,d2,d3", quantizedMultiplyAccumulate},
    {"conv_2d_nchw_fchw_q", "Convolution with zero points.", 4, kTable, "pppprrr",
     "d0,d4,d2*s0+d5*t0,d3*s1+d6*t1; d1,d4,d5,d6; ; ; d0,d1,d2,d3", quantizedMultiplyAccumulate},
    {"conv_2d_ngchw_gfchw_q", "Convolution in groups with zero points.", 4, kTable, "ppppprrr",
     "d0,d1,d5,d3*s0+d6*t0,d4*s1+d7*t1; d1,d2,d5,d6,d7; ; ; d0,d1,d2,d3,d4",
     quantizedMultiplyAccumulate},
    {"conv_2d_nhwgc_gfhwc_q", "Convolution in groups with zero points.", 4, kTable, "ppppprrr",
     "d0,d1*s0+d5*t0,d2*s1+d6*t1,d3,d7; d3,d4,d5,d6,d7; ; ; d0,d1,d2,d3,d4",
     quantizedMultiplyAccumulate},
    {"conv_3d_ndhwc_dhwcf", "Convolution.", 2, kTable, "ppppprrrr",
     "d0,d1*s0+d5*t0,d2*s1+d6*t1,d3*s2+d7*t2,d8; d5,d6,d7,d8,d4; d0,d1,d2,d3,d4",
     multiplyAccumulate},
    {"conv_3d_ncdhw_fcdhw", "Convolution.", 2, kTable, "ppppprrrr",
     "d0,d8,d1*s0+d5*t0,d2*s1+d6*t1,d3*s2+d7*t2; d4,d8,d5,d6,d7; d0,d4,d1,d2,d3",
     multiplyAccumulate},
    {"conv_3d_ndhwc_dhwcf_q", "Convolution with zero points.", 4, kTable, "ppppprrrr",
     "d0,d1*s0+d5*t0,d2*s1+d6*t1,d3*s2+d7*t2,d8; d5,d6,d7,d8,d4; ; ; d0,d1,d2,d3,d4",
     quantizedMultiplyAccumulate},
    {"depthwise_conv_1d_nwc_wc", "Convolution of each channel by itself.", 2, kTable, "pppr",
     "d0,d1*s0+d3*t0,d2; d3,d2; d0,d1,d2", multiplyAccumulate},
    {"depthwise_conv_1d_ncw_cw", "Convolution of each channel by itself.", 2, kTable, "pppr",
     "d0,d2,d1*s0+d3*t0; d2,d3; d0,d2,d1", multiplyAccumulate},
    {"depthwise_conv_1d_nwc_wcm", "Convolution of each channel with several filters.", 2, kTable,
     "ppppr", "d0,d1*s0+d4*t0,d2; d4,d2,d3; d0,d1,d2,d3", multiplyAccumulate},
    {"depthwise_conv_2d_nhwc_hwc", "Convolution of each channel by itself.", 2, kTable, "pppprr",
     "d0,d1*s0+d4*t0,d2*s1+d5*t1,d3; d4,d5,d3; d0,d1,d2,d3", multiplyAccumulate},
    {"depthwise_conv_2d_nchw_chw", "Convolution of each channel by itself.", 2, kTable, "pppprr",
     "d0,d3,d1*s0+d4*t0,d2*s1+d5*t1; d3,d4,d5; d0,d3,d1,d2", multiplyAccumulate},
    {"depthwise_conv_2d_nhwc_hwcm", "Convolution of each channel with several filters.", 2, kTable,
     "ppppprr", "d0,d1*s0+d5*t0,d2*s1+d6*t1,d3; d5,d6,d3,d4; d0,d1,d2,d3,d4", multiplyAccumulate},
    {"depthwise_conv_2d_nhwc_hwc_q", "Convolution of each channel by itself with zero points.", 4,
     kTable, "pppprr", "d0,d1*s0+d4*t0,d2*s1+d5*t1,d3; d4,d5,d3; ; ; d0,d1,d2,d3",
     quantizedMultiplyAccumulate},
    {"depthwise_conv_2d_nhwc_hwcm_q",
     "Convolution of each channel with several filters with zero points.", 4, kTable, "ppppprr",
     "d0,d1*s0+d5*t0,d2*s1+d6*t1,d3; d5,d6,d3,d4; ; ; d0,d1,d2,d3,d4", quantizedMultiplyAccumulate},
    {"depthwise_conv_3d_ndhwc_dhwc", "Convolution of each channel by itself.", 2, kTable,
     "ppppprrr", "d0,d1*s0+d5*t0,d2*s1+d6*t1,d3*s2+d7*t2,d4; d5,d6,d7,d4; d0,d1,d2,d3,d4",
     multiplyAccumulate},
    {"depthwise_conv_3d_ncdhw_cdhw", "Convolution of each channel by itself.", 2, kTable,
     "ppppprrr", "d0,d4,d1*s0+d5*t0,d2*s1+d6*t1,d3*s2+d7*t2; d4,d5,d6,d7; d0,d4,d1,d2,d3",
     multiplyAccumulate},
    {"depthwise_conv_3d_ndhwc_dhwcm", "Convolution of each channel with several filters.", 2,
     kTable, "pppppprrr",
     "d0,d1*s0+d6*t0,d2*s1+d7*t1,d3*s2+d8*t2,d4; d6,d7,d8,d4,d5; d0,d1,d2,d3,d4,d5",
     multiplyAccumulate},

    // Pooling: the second operand only gives the size of the window.
    {"pooling_nhwc_sum", "Sum over a window.", 2, kTable, "pppprr",
     "d0,d1*s0+d4*t0,d2*s1+d5*t1,d3; d4,d5; d0,d1,d2,d3", poolSum},
    {"pooling_nchw_sum", "Sum over a window.", 2, kTable, "pppprr",
     "d0,d1,d2*s0+d4*t0,d3*s1+d5*t1; d4,d5; d0,d1,d2,d3", poolSum},
    {"pooling_nhwc_max", "Maximum of a window.", 2, kTable, "pppprr",
     "d0,d1*s0+d4*t0,d2*s1+d5*t1,d3; d4,d5; d0,d1,d2,d3", poolMax},
    {"pooling_nhwc_max_unsigned", "Unsigned maximum of a window.", 2, kTable, "pppprr",
     "d0,d1*s0+d4*t0,d2*s1+d5*t1,d3; d4,d5; d0,d1,d2,d3", poolMaxUnsigned},
    {"pooling_nchw_max", "Maximum of a window.", 2, kTable, "pppprr",
     "d0,d1,d2*s0+d4*t0,d3*s1+d5*t1; d4,d5; d0,d1,d2,d3", poolMax},
    {"pooling_nhwc_min", "Minimum of a window.", 2, kTable, "pppprr",
     "d0,d1*s0+d4*t0,d2*s1+d5*t1,d3; d4,d5; d0,d1,d2,d3", poolMin},
    {"pooling_nhwc_min_unsigned", "Unsigned minimum of a window.", 2, kTable, "pppprr",
     "d0,d1*s0+d4*t0,d2*s1+d5*t1,d3; d4,d5; d0,d1,d2,d3", poolMinUnsigned},
    {"pooling_nwc_sum", "Sum over a window.", 2, kTable, "pppr", "d0,d1*s0+d3*t0,d2; d3; d0,d1,d2",
     poolSum},
    {"pooling_ncw_sum", "Sum over a window.", 2, kTable, "pppr", "d0,d1,d2*s0+d3*t0; d3; d0,d1,d2",
     poolSum},
    {"pooling_nwc_max", "Maximum of a window.", 2, kTable, "pppr",
     "d0,d1*s0+d3*t0,d2; d3; d0,d1,d2", poolMax},
    {"pooling_ncw_max", "Maximum of a window.", 2, kTable, "pppr",
     "d0,d1,d2*s0+d3*t0; d3; d0,d1,d2", poolMax},
    {"pooling_nwc_max_unsigned", "Unsigned maximum of a window.", 2, kTable, "pppr",
     "d0,d1*s0+d3*t0,d2; d3; d0,d1,d2", poolMaxUnsigned},
    {"pooling_nwc_min", "Minimum of a window.", 2, kTable, "pppr",
     "d0,d1*s0+d3*t0,d2; d3; d0,d1,d2", poolMin},
    {"pooling_nwc_min_unsigned", "Unsigned minimum of a window.", 2, kTable, "pppr",
     "d0,d1*s0+d3*t0,d2; d3; d0,d1,d2", poolMinUnsigned},
    {"pooling_ndhwc_sum", "Sum over a window.", 2, kTable, "ppppprrr",
     "d0,d1*s0+d5*t0,d2*s1+d6*t1,d3*s2+d7*t2,d4; d5,d6,d7; d0,d1,d2,d3,d4", poolSum},
    {"pooling_ndhwc_max", "Maximum of a window.", 2, kTable, "ppppprrr",
     "d0,d1*s0+d5*t0,d2*s1+d6*t1,d3*s2+d7*t2,d4; d5,d6,d7; d0,d1,d2,d3,d4", poolMax},
    {"pooling_ndhwc_min", "Minimum of a window.", 2, kTable, "ppppprrr",
     "d0,d1*s0+d5*t0,d2*s1+d6*t1,d3*s2+d7*t2,d4; d5,d6,d7; d0,d1,d2,d3,d4", poolMin},

    // Element by element.
    AIRLITE_UNARY("exp", "e^x of each element.", exp),
    AIRLITE_UNARY("log", "Natural logarithm of each element.", log),
    AIRLITE_UNARY("abs", "Absolute value of each element.", abs),
    AIRLITE_UNARY("ceil", "Each element rounded up.", ceil),
    AIRLITE_UNARY("floor", "Each element rounded down.", floor),
    AIRLITE_UNARY("negf", "Each element negated.", negf),
    AIRLITE_UNARY("reciprocal", "1/x of each element.", reciprocal),
    AIRLITE_UNARY("round", "Each element rounded, halves away from zero.", round),
    AIRLITE_UNARY("sqrt", "Square root of each element.", sqrt),
    AIRLITE_UNARY("rsqrt", "1/sqrt(x) of each element.", rsqrt),
    AIRLITE_UNARY("square", "x*x of each element.", square),
    AIRLITE_UNARY("tanh", "Hyperbolic tangent of each element.", tanh),
    AIRLITE_UNARY("erf", "Error function of each element.", erf),
    AIRLITE_BINARY("add", "Sum of the elements.", add),
    AIRLITE_BINARY("sub", "Difference of the elements.", sub),
    AIRLITE_BINARY("mul", "Product of the elements.", mul),
    AIRLITE_BINARY("div", "Quotient of the elements.", div),
    AIRLITE_BINARY("div_unsigned", "Unsigned quotient of the elements.", divUnsigned),
    AIRLITE_BINARY("max", "The larger of the elements.", max),
    AIRLITE_BINARY("min", "The smaller of the elements.", min),
    AIRLITE_BINARY("powf", "x^y of the elements.", powf),
    {"select", "One of two elements by a condition.", 3, kElementwise, "", "", selectElement},
    {"elementwise", "The function that `kind` names.", 0, kElementwise, "", "", elementwise},
    {"elemwise_unary", "The function that `fun` names.", 1, kElementwise, "", "", anyUnary},
    {"elemwise_binary", "The function that `fun` names.", 2, kElementwise, "", "", anyBinary},
};

#undef AIRLITE_UNARY
#undef AIRLITE_BINARY

// -- Maps from text -----------------------------------------------------------------------------

/// Strides or dilations of an op; 1 where it does not say.
int64_t windowValue(const Operation& op, char letter, unsigned index) {
  auto values = op.attrOf<DenseElementsAttr>(letter == 's' ? "strides" : "dilations");
  if (!values || static_cast<int64_t>(index) >= values.numElements()) return 1;
  return constantInt(values.element(index)).value_or(1);
}

/// `d1` or `d1*s0`.
AffineExpr parseTerm(std::string_view text, const Operation& op) {
  std::vector<std::string_view> factors = split(trim(text), '*');
  AffineExpr expr = AffineExpr::dim(op.context(), static_cast<unsigned>(factors[0][1] - '0'));
  if (factors.size() == 1) return expr;
  return expr * windowValue(op, factors[1][0], static_cast<unsigned>(factors[1][1] - '0'));
}

AffineExpr parseSum(std::string_view text, const Operation& op) {
  AffineExpr sum;
  for (std::string_view term : split(text, '+'))
    sum = sum ? sum + parseTerm(term, op) : parseTerm(term, op);
  return sum;
}

AffineMap parseMapText(std::string_view text, unsigned numDims, const Operation& op) {
  std::vector<AffineExpr> results;
  text = trim(text);
  if (!text.empty())
    for (std::string_view sum : split(text, ','))
      results.push_back(parseSum(sum, op));
  return AffineMap::get(op.context(), numDims, 0, results);
}

unsigned outputRank(const Operation& op) {
  OperandRange outputs = op.operandGroup(1u);
  auto type = outputs.empty() ? ShapedType() : outputs[0].type().dynCast<ShapedType>();
  return type && type.hasRank() ? static_cast<unsigned>(type.rank()) : 0;
}

}  // namespace

std::span<const NamedOp> namedOps() { return kNamedOps; }

const NamedOp* findNamedOp(std::string_view opName) {
  constexpr std::string_view prefix = "linalg.";
  if (!opName.starts_with(prefix)) return nullptr;
  opName.remove_prefix(prefix.size());
  auto found = std::find_if(std::begin(kNamedOps), std::end(kNamedOps),
                            [&](const NamedOp& row) { return row.mnemonic == opName; });
  return found == std::end(kNamedOps) ? nullptr : found;
}

unsigned windowRank(const NamedOp& row) {
  unsigned rank = 0;
  for (char letter : row.maps)
    rank += letter == 's';
  return rank;
}

std::vector<AffineMap> givenMaps(const Operation& op) {
  std::vector<AffineMap> maps;
  auto attr = op.attrOf<ArrayAttr>(kMapsAttr);
  for (size_t i = 0; attr && i < attr.size(); ++i)
    if (auto map = attr[i].dynCast<AffineMapAttr>()) maps.push_back(map.value());
  return maps;
}

bool takesMaps(const NamedOp& row) {
  return row.rule == MapRule::Given || row.mnemonic == "matmul" || row.mnemonic == "batch_matmul" ||
         row.mnemonic == "batch_reduce_matmul" || row.mnemonic == "elementwise";
}

std::vector<AffineMap> usualMaps(const NamedOp& row, const Operation& op) {
  std::vector<AffineMap> maps;
  if (row.rule == MapRule::Table) {
    auto numDims = static_cast<unsigned>(row.iterators.size());
    for (std::string_view text : split(row.maps, ';'))
      maps.push_back(parseMapText(text, numDims, op));
    return maps;
  }
  unsigned rank = outputRank(op);
  for (Value operand : op.operands()) {
    auto type = operand.type().dynCast<ShapedType>();
    bool scalar = row.rule == MapRule::Fill && (!type || (type.hasRank() && type.rank() == 0));
    maps.push_back(scalar ? AffineMap::get(op.context(), rank, 0, {})
                          : AffineMap::identity(op.context(), rank));
  }
  return maps;
}

std::vector<AffineMap> namedMaps(const NamedOp& row, const Operation& op) {
  const bool areGiven = row.rule == MapRule::Given || (takesMaps(row) && op.hasAttr(kMapsAttr));
  return areGiven ? givenMaps(op) : usualMaps(row, op);
}

/// Loops that the output does not use are sums.
static std::vector<IteratorKind> givenIterators(const Operation& op) {
  const std::vector<AffineMap> maps = givenMaps(op);
  if (maps.empty()) return {};
  std::vector<IteratorKind> kinds;
  for (unsigned loop = 0; loop < maps.back().numDims(); ++loop) {
    const bool isOfOutput =
        std::ranges::any_of(maps.back().results(), [&](AffineExpr e) { return e.usesDim(loop); });
    kinds.push_back(isOfOutput ? IteratorKind::Parallel : IteratorKind::Reduction);
  }
  return kinds;
}

std::vector<IteratorKind> namedIterators(const NamedOp& row, const Operation& op) {
  if (row.rule == MapRule::Given) return givenIterators(op);
  if (row.rule != MapRule::Table)
    return std::vector<IteratorKind>(outputRank(op), IteratorKind::Parallel);
  std::vector<IteratorKind> kinds;
  for (char letter : row.iterators)
    kinds.push_back(letter == 'p' ? IteratorKind::Parallel : IteratorKind::Reduction);
  return kinds;
}

}  // namespace airlite::linalg
