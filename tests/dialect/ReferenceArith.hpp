// The arith dialect on scalars a second time, to compare the library with.
#pragma once

#include "airlite/ir/Operation.hpp"

#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace airlite::reference {

/// An integer (zero-extended), the bits of a float, or poison.
struct Scalar {
  uint64_t bits = 0;
  bool poison = false;
  bool operator==(const Scalar&) const = default;
};

/// Base of what ends a run before its end; says at which op.
class Stop : public std::runtime_error {
 public:
  Stop(std::string_view what, Operation& op)
      : std::runtime_error(std::string(what) + " (" + std::string(op.name()) + ")") {}
};
class Undefined : public Stop {
 public:
  using Stop::Stop;
};
class Unsupported : public Stop {
 public:
  explicit Unsupported(Operation& op) : Stop("the evaluator does not know this", op) {}
};
class TooLong : public Stop {
 public:
  explicit TooLong(Operation& op) : Stop("too many steps or too much memory", op) {}
};

/// Bits of an integer or float type; 64 for index.
unsigned widthOf(Type type);
uint64_t truncated(uint64_t bits, unsigned width);
int64_t signExtend(uint64_t bits, unsigned width);

/// The results of an arith op on scalars.
std::vector<Scalar> compute(Operation& op, std::span<const Scalar> operands);

}  // namespace airlite::reference
