// A small evaluator of functions over arith, scf, memref, affine and cf, to ask whether a pass has
// kept what a program means. One function, one thread; scalars up to 64 bits, memrefs with strides.
// Undefined behaviour ends the run and is named: such a program may become anything.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "airlite/ir/Operation.hpp"

namespace airlite::evaluation {

/// An integer (zero-extended), the bits of a float, or poison.
struct Scalar {
  uint64_t bits = 0;
  bool poison = false;
  bool operator==(const Scalar&) const = default;
};

struct Buffer {
  std::vector<Scalar> cells;
  bool freed = false;
};

/// A strided window on a buffer, in elements.
struct View {
  std::shared_ptr<Buffer> buffer;
  int64_t offset = 0;
  std::vector<int64_t> sizes;
  std::vector<int64_t> strides;
};

using Datum = std::variant<Scalar, View>;

struct Outcome {
  enum class Status { Done, Undefined, Unsupported, TooLong } status = Status::Done;
  std::string why;  // unless Done: what happened, at which op
  std::vector<Datum> results;
  std::vector<Scalar> trace;  // what external functions were called with, in order
};

struct Limits {
  uint64_t maxOps = 20000;
  /// Sums and products of affine maps may not overflow in a program; but what replaces one that
  /// does not may, on the way to a result that wraps back (`s mod 2` as `s - s floordiv 2 * 2`).
  bool affineWraps = false;
};

/// Runs `function` (func.func) on `arguments`. Calls of declared functions are recorded in the
/// trace.
Outcome evaluate(Operation& function, std::vector<Datum> arguments, Limits limits = {});

}  // namespace airlite::evaluation
