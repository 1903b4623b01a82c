// Rounds of the loops of a linalg op, many by one instruction: most of the time of a run is spent in
// them. What a round computes is a short list of steps on bits. A round that has to say more than
// that, because an element was never written, an index is outside, or a memory is gone, is left to the
// instructions of the loops, which go on from there.
#pragma once

#include "Compiler.hpp"
#include "airlite/analysis/LoopIndex.hpp"
#include "airlite/dialect/Evaluate.hpp"
#include "airlite/dialect/Linalg.hpp"

#include <array>
#include <optional>
#include <variant>
#include <vector>

namespace airlite::interp {

/// A memref or tensor that the rounds touch.
struct RoundOperand {
  uint32_t reg = 0;
  uint32_t bytes = 0;  ///< of an element; 0: it is a scalar, which the body has by its register
  bool isWritten = false;
  std::vector<analysis::LoopIndex> indices;  // of each dimension
};

/// The body of an op, as steps on numbered values.
struct RoundBody {
  struct Compute {
    ElementOp op;
    std::array<uint32_t, 3> in{};
    uint32_t numIn = 0, out = 0, numOut = 1;
  };
  /// A value, and the number of the operand, register or loop that it comes from or goes to.
  struct Link {
    uint32_t value, place;
  };
  std::vector<uint64_t> values;  ///< constants are in their places
  std::vector<Link> loads, scalars, counters, stores;
  std::vector<Compute> steps;
};

/// result + a * b of integers, modulo the width of the result: most bodies of matrix products and
/// convolutions.
struct RoundProducts {
  struct Factor {
    uint32_t operand;
    unsigned width;
    bool isSigned;
  };
  Factor a, b;
  unsigned width;  ///< of operand 2, the result
};

/// Sums of products of operands 0 and 1 that are added to operand 2 (linalg::kSumDepth).
struct RoundSums {
  int64_t depth = 1;
  std::vector<Bf16Step::Term> terms;  ///< empty: the factors are bf16
  linalg::FloatUnit unit = linalg::FloatUnit::EightAtOnce;
  bool isNarrow = false;  ///< the sum is kept as bf16
};

struct Rounds {
  std::vector<uint32_t> counters, sizes;  // registers of the loops
  std::vector<size_t> order, reductions;  // as Nest has them
  std::vector<RoundOperand> operands;     // of the op, all of them
  std::variant<RoundBody, RoundProducts, RoundSums> work;
  uint32_t resume = 0;  ///< the instruction that a round begins with
};

/// The operand with index map `map`; nothing where an index is no sum of counters.
std::optional<RoundOperand> roundOperand(AffineMap map, uint32_t reg, Type type);
/// Nothing where the body of `op` has other ops than those that compute a scalar.
/// `place` of a load or store: the operand of `op`.
std::optional<RoundBody> roundBody(Builder& b, linalg::StructuredOp op);
/// Nothing where the body does anything else.
std::optional<RoundProducts> roundProducts(linalg::StructuredOp op);

/// Emits the rounds; the instructions of the loops follow, and `patchRounds` comes behind them.
uint32_t emitRounds(Builder& b, Operation& op, const Rounds* rounds);
void patchRounds(Builder& b, uint32_t first);

}  // namespace airlite::interp
