// Attention in a program: two products of matrices with a softmax between them.
#pragma once

#include "GpuModule.hpp"

#include <optional>
#include <string>

namespace airlite::gpu {

/// A select in the body of `op` that leaves query m the keys n < m + offset and makes all other scores
/// minus infinity.
struct CausalLimit {
  linalg::StructuredOp op{nullptr};
  Value comparison;       ///< of the body
  bool isInside = false;  ///< the comparison is true for the keys that are left
  int64_t offset = 0;
  std::optional<int64_t> first;  ///< query m has no keys before m + first (a window)
};

/// An elementwise op on scores; `source` is the operand that holds them.
struct ScoreOp {
  linalg::StructuredOp op{nullptr};
  unsigned source = 0;
};

/// O[.., m, e] (+)= sum over n of softmax over n of f(sum over d of Q[.., m, d] * K[.., n, d]) * V[.., n, e].
/// Loops have one numbering: the dimensions of the scores, then d, then e. Operands may have their
/// dimensions in any order and lack those of the batch.
struct Attention {
  linalg::StructuredOp scores{nullptr}, result{nullptr};  ///< the two products
  std::vector<ScoreOp> onScores;                          ///< what f is, in this order
  std::vector<linalg::StructuredOp> after;  ///< elementwise ops on O, one after the other
  std::optional<CausalLimit> limit;
  unsigned rank = 0, m = 0, n = 0;
  Value q, k, v, o;
  AffineMap mapQ, mapK, mapV, mapO;
  std::vector<int64_t> sizes;   ///< of the loops; kDynamic where open
  Type factor, value, sum;      ///< elements that Q and K, and V, are multiplied in; of O
  bool startsAtZero = false;    ///< O holds zeros before
  std::vector<Operation*> ops;  ///< all that it replaces, from the first to the last
  std::vector<Value> buffers;   ///< memory that nobody else uses

  unsigned d() const { return rank; }
  unsigned e() const { return rank + 1; }
  Operation& last() const { return after.empty() ? *result : *after.back(); }
  bool isBatch(unsigned loop) const { return loop < rank && loop != m && loop != n; }
};

/// Whether `op` is the second product of an attention. `why`: what a softmax before it lacks to be part of
/// one; empty where there is no softmax.
std::optional<Attention> attentionOf(linalg::StructuredOp op, std::string& why);

}  // namespace airlite::gpu
