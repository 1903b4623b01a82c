// Element evaluation (what folders and the interpreter compute with) against a second arithmetic
// that shares nothing with it, on many random and on all difficult operands.
#include "airlite/dialect/Evaluate.hpp"

#include "ReferenceArith.hpp"
#include "airlite/dialect/Dialects.hpp"
#include "airlite/support/Bf16Pieces.hpp"
#include "airlite/text/Parser.hpp"
#include "support/catch_all.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>
#include <utility>

using namespace airlite;

namespace {

using Random = std::mt19937_64;

uint64_t randomBits(Random& random, Type type) {
  unsigned width = type.bitWidth();
  uint64_t mask = width >= 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
  uint64_t top = uint64_t(1) << (width - 1);
  const uint64_t special[] = {0, 1, 2, mask, top, top - 1, top + 1, mask - 1, 7, width};
  if (type.isFloat()) {
    static constexpr double kNumbers[] = {0.0,    -0.0,     1.0,       -1.5, 1e30,
                                          -1e-30, INFINITY, -INFINITY, NAN,  3e9};
    if (random() % 2)
      return floatToBits(type.cast<FloatType>().floatKind(), kNumbers[random() % 10]);
    return floatToBits(type.cast<FloatType>().floatKind(),
                       static_cast<double>(static_cast<int64_t>(random())) / 65536);
  }
  return (random() % 3 ? special[random() % std::size(special)] : random()) & mask;
}

bool isNaN(Type type, uint64_t bits) {
  return type.isFloat() && std::isnan(floatFromBits(type.cast<FloatType>().floatKind(), bits));
}

/// The reference's answer: undefined is told by an exception.
Evaluation reference(Operation& op, std::span<const reference::Scalar> in,
                     std::vector<reference::Scalar>& out) {
  try {
    out = reference::compute(op, in);
  } catch (const reference::Undefined&) {
    return Evaluation::Undefined;
  }
  return out[0].poison ? Evaluation::Poison : Evaluation::Value;
}

void compareOn(Operation& op, Random& random, unsigned runs) {
  std::optional<ElementOp> element = elementOp(op);
  REQUIRE(element);
  for (unsigned run = 0; run < runs; ++run) {
    uint64_t in[3] = {}, out[2] = {};
    std::vector<reference::Scalar> operands, expected;
    for (unsigned i = 0; i < op.numOperands(); ++i) {
      in[i] = randomBits(random, op.operand(i).type());
      operands.push_back({in[i], false});
    }
    Evaluation wanted = reference(op, operands, expected);
    // The remainder of the quotient that overflows is 0 here, as the folder says.
    if (op.is("arith.remsi") && wanted == Evaluation::Undefined && in[1] != 0) continue;
    Evaluation got = element->compute(*element, in, out);
    INFO(op.str() << fmt::format(" on {:#x}, {:#x}", in[0], in[1]));
    REQUIRE(got == wanted);
    for (unsigned r = 0; got == Evaluation::Value && r < op.numResults(); ++r) {
      Type type = op.result(r).type();
      bool same =
          out[r] == expected[r].bits || (isNaN(type, out[r]) && isNaN(type, expected[r].bits));
      INFO(fmt::format("result {}: {:#x}, expected {:#x}", r, out[r], expected[r].bits));
      REQUIRE(same);
    }
  }
}

void addBinary(std::string& text, std::string_view names, std::string_view type) {
  for (size_t at = 0; at < names.size();) {
    size_t end = std::min(names.find(' ', at), names.size());
    text +=
        fmt::format("  %{0}{1} = arith.{0} %a{1}, %b{1} : {1}\n", names.substr(at, end - at), type);
    at = end + 1;
  }
}

}  // namespace

// Of the bounds that support/Bf16Pieces.hpp gives, and of what rounding after each product adds.
TEST_CASE("evaluate: products in pieces keep their error bounds", "[evaluate]") {
  Random random(3);
  auto number = [&] {
    const double mantissa = 1 + static_cast<double>(random() % 0x800000) / 0x800000;
    return static_cast<float>(
        std::ldexp(random() % 2 ? mantissa : -mantissa, static_cast<int>(random() % 16) - 8));
  };
  for (unsigned products : {2u, 1u})
    for (auto [pieces, bound] : {std::pair{3u, 0x1p-21}, std::pair{2u, 0x1p-14}})
      for (int i = 0; i < 20000; ++i) {
        const float a = number(), b = number(), c = number();
        const uint32_t bits = bf16PiecesSum(std::bit_cast<uint32_t>(a), std::bit_cast<uint32_t>(b),
                                            std::bit_cast<uint32_t>(c), {pieces, pieces, products});
        const double exact = double{a} * b + c, found = std::bit_cast<float>(bits);
        const double largest = std::max(std::abs(double{a} * b), std::abs(double{c}));
        const double added = products == 1 ? pieces * (pieces + 1) / 2.0 * 0x1p-23 : 0x1p-24;
        INFO(a << " * " << b << " + " << c << ", pieces " << pieces << ", products " << products);
        REQUIRE(std::abs(found - exact) <= (bound + added) * largest * 2);
      }
}

TEST_CASE("evaluate: elements are what a second arithmetic says", "[evaluate]") {
  std::string text = "func.func @f(";
  for (const char* type : {"i1", "i8", "i13", "i32", "i64", "index", "f32", "f64"})
    text +=
        fmt::format("{}%a{}: {}, %b{}: {}", text.back() == '(' ? "" : ", ", type, type, type, type);
  text += ") {\n";
  for (const char* type : {"i8", "i13", "i32", "i64", "index"}) {
    addBinary(text,
              "addi subi muli divsi divui remsi remui ceildivsi ceildivui floordivsi andi ori xori "
              "shli shrsi shrui maxsi minsi maxui minui",
              type);
    for (const char* predicate :
         {"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"})
      text += fmt::format("  %{0}{1} = arith.cmpi {0}, %a{1}, %b{1} : {1}\n", predicate, type);
    for (const char* op : {"addi", "subi", "muli", "shli"})
      text += fmt::format("  %{0}flags{1} = arith.{0} %a{1}, %b{1} overflow<nsw, nuw> : {1}\n", op,
                          type);
    text += fmt::format("  %ae{0}, %ac{0} = arith.addui_extended %a{0}, %b{0} : {0}, i1\n", type);
    text += fmt::format("  %se{0}, %sc{0} = arith.mulsi_extended %a{0}, %b{0} : {0}\n", type);
    text += fmt::format("  %ue{0}, %uc{0} = arith.mului_extended %a{0}, %b{0} : {0}\n", type);
  }
  for (const char* type : {"f32", "f64"}) {
    addBinary(text, "addf subf mulf divf remf maximumf minimumf maxnumf minnumf", type);
    text += fmt::format("  %negf{0} = arith.negf %a{0} : {0}\n", type);
    for (const char* to : {"i8", "i32", "i64"})
      text += fmt::format(
          "  %s{0}{1} = arith.fptosi %a{0} : {0} to {1}\n  %u{0}{1} = arith.fptoui %a{0} : {0} to "
          "{1}\n"
          "  %t{0}{1} = arith.sitofp %a{1} : {1} to {0}\n  %v{0}{1} = arith.uitofp %a{1} : {1} to "
          "{0}\n",
          type, to);
    for (const char* predicate : {"oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt",
                                  "uge", "ult", "ule", "une", "uno"})
      text += fmt::format("  %{0}{1} = arith.cmpf {0}, %a{1}, %b{1} : {1}\n", predicate, type);
  }
  text +=
      "  %x0 = arith.extsi %ai8 : i8 to i32\n  %x1 = arith.extui %ai13 : i13 to i64\n"
      "  %x2 = arith.trunci %ai64 : i64 to i13\n  %x3 = arith.index_cast %ai32 : i32 to index\n"
      "  %x4 = arith.index_castui %aindex : index to i8\n  %x5 = arith.extf %af32 : f32 to f64\n"
      "  %x6 = arith.truncf %af64 : f64 to f32\n  %x7 = arith.bitcast %af32 : f32 to i32\n  "
      "return\n}\n";
  Context context;
  registerAllDialects(context);
  OwningOp module = parseSource(context, text, "ops.mlir");
  REQUIRE(module);
  Random random(7);
  unsigned ops = 0;
  module->walk([&](Operation& op) {
    if (op.def().dialect != "arith") return;
    compareOn(op, random, 400);
    ++ops;
  });
  CHECK(ops > 250);
}
