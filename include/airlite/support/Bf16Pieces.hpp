// Products of f32 by the bf16 multipliers of AIE2: each factor is split into pieces of bf16, and
// the products of pieces are summed as the matrix unit sums (support/Bf16Sum.hpp). Of the simulated
// core's code generator, and of the interpreter for a math.fma that says so (kBf16Pieces).
//
// Of three pieces each the six largest products count: the result differs from the exact one by
// less than 2^-21 of the largest term. Of two pieces: by less than 2^-14; 16 bits of a factor count.
// AIE2P adds one product of pieces at a time, each rounded to f32: a little is lost in each step, which
// is less than 2^-24 of the sum.
//
// A factor that is infinite, or so large that it rounds to an infinite bf16, gives NaN when it is
// split; a factor of one piece is rounded to bf16 and may be infinite.
//
//   uint32_t bits = bf16PiecesSum(a, b, c, {.a = 3, .b = 3});  // a * b + c, all as bits of f32
#pragma once

#include "airlite/support/Bf16Sum.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace airlite {

/// A discardable attribute of a math.fma on f32, `array<i64: A, B>`: its factors are split into so
/// many pieces; `array<i64: A, B, 1>`: and their products are added one after the other. Also of a structured multiply-add whose sums are made at once (linalg::kSumDepth).
inline constexpr std::string_view kBf16Pieces = "air.bf16_pieces";

/// How many pieces the factors of a product have.
struct Bf16PieceCounts {
  unsigned a = 0, b = 0;
  unsigned products = 2;  ///< that one instruction adds, at most
  bool operator==(const Bf16PieceCounts&) const = default;
};

/// Two products that one instruction adds to the sum: of piece a of the first factor with piece b
/// of the second. Piece 0 is the largest.
struct Bf16Step {
  struct Term {
    uint8_t a, b;
  };
  std::array<Term, 2> terms;
  unsigned count = 2;  ///< 1: only the first
};

namespace bf16_pieces {

constexpr Bf16Step pair(uint8_t a, uint8_t b, uint8_t c, uint8_t d) {
  return {{{{a, b}, {c, d}}}, 2};
}
constexpr Bf16Step alone(uint8_t a, uint8_t b) { return {{{{a, b}, {0, 0}}}, 1}; }

struct Row {
  Bf16PieceCounts counts;
  std::array<Bf16Step, 6> steps;
  size_t size;
};
inline constexpr Row kRows[] = {
    {{1, 1}, {alone(0, 0)}, 1},
    {{1, 2}, {pair(0, 1, 0, 0)}, 1},
    {{2, 1}, {pair(1, 0, 0, 0)}, 1},
    {{1, 3}, {pair(0, 1, 0, 0), alone(0, 2)}, 2},
    {{3, 1}, {pair(1, 0, 0, 0), alone(2, 0)}, 2},
    {{2, 2}, {pair(0, 1, 1, 0), pair(0, 0, 1, 1)}, 2},
    {{3, 3}, {pair(0, 1, 1, 0), pair(0, 0, 1, 1), pair(0, 2, 2, 0)}, 3},
    // One after the other, small ones first as far as the pieces are known.
    {{1, 1, 1}, {alone(0, 0)}, 1},
    {{1, 2, 1}, {alone(0, 1), alone(0, 0)}, 2},
    {{2, 1, 1}, {alone(1, 0), alone(0, 0)}, 2},
    {{1, 3, 1}, {alone(0, 2), alone(0, 1), alone(0, 0)}, 3},
    {{3, 1, 1}, {alone(2, 0), alone(1, 0), alone(0, 0)}, 3},
    {{2, 2, 1}, {alone(1, 1), alone(0, 1), alone(1, 0), alone(0, 0)}, 4},
    {{3, 3, 1}, {alone(0, 2), alone(2, 0), alone(1, 1), alone(0, 1), alone(1, 0), alone(0, 0)}, 6},
};

}  // namespace bf16_pieces

/// The instructions of a product, in their order: those with the first pieces come first, since the
/// other pieces are known later. Empty for counts that are not supported: those of kRows are.
inline std::span<const Bf16Step> bf16Steps(Bf16PieceCounts counts) {
  for (const bf16_pieces::Row& row : bf16_pieces::kRows)
    if (row.counts == counts) return std::span(row.steps).first(row.size);
  return {};
}

/// The pairs of pieces whose products count, in the order in which a sum of many products is made
/// for one pair after the other: small terms come first.
inline std::vector<Bf16Step::Term> bf16Terms(Bf16PieceCounts counts) {
  std::vector<Bf16Step::Term> terms;
  for (const Bf16Step& step : bf16Steps(counts))
    terms.insert(terms.end(), step.terms.begin(), step.terms.begin() + step.count);
  std::ranges::stable_sort(terms, [](auto x, auto y) { return x.a + x.b > y.a + y.b; });
  return terms;
}

namespace bf16_pieces {

/// Rounded to nearest, ties to even; NaN stays NaN.
inline uint16_t rounded(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  if (std::isnan(value)) return 0x7fc0;
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

inline float widened(uint16_t bits) { return std::bit_cast<float>(uint32_t{bits} << 16); }

using Pieces = std::array<uint16_t, 3>;

inline Pieces split(uint32_t bits, unsigned count) {
  Pieces pieces{};
  auto rest = std::bit_cast<float>(bits);
  for (unsigned i = 0; i < count; ++i) {
    pieces[i] = rounded(rest);
    if (i + 1 < count) rest -= widened(pieces[i]);
  }
  return pieces;
}

}  // namespace bf16_pieces

namespace bf16_pieces {

/// The sum with one product, rounded to f32.
inline uint32_t plusProduct(uint32_t sum, uint16_t a, uint16_t b) {
  const float total = std::bit_cast<float>(sum) + widened(a) * widened(b);
  return std::isnan(total) ? 0x7fc00000 : std::bit_cast<uint32_t>(total);
}

}  // namespace bf16_pieces

/// a * b + c of f32 bits, with the factors in pieces.
inline uint32_t bf16PiecesSum(uint32_t a, uint32_t b, uint32_t c, Bf16PieceCounts counts) {
  const bf16_pieces::Pieces as = bf16_pieces::split(a, counts.a),
                            bs = bf16_pieces::split(b, counts.b);
  for (const Bf16Step& step : bf16Steps(counts)) {
    if (counts.products == 1) {
      c = bf16_pieces::plusProduct(c, as[step.terms[0].a], bs[step.terms[0].b]);
      continue;
    }
    std::array<Bf16Product, 2> products{};
    for (unsigned i = 0; i < step.count; ++i)
      products[i] = {as[step.terms[i].a], bs[step.terms[i].b]};
    c = bf16Sum(std::span(products).first(step.count), false, {&c, 1});
  }
  return c;
}

}  // namespace airlite
