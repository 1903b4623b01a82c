// Rows of f32 from rows of whole numbers, and back, for which the vector unit has no instruction: a whole
// number is put into the fraction of a float whose exponent makes it what it is.
#pragma once

#include "airlite/ir/Rewriter.hpp"

#include <cstdint>
#include <string_view>

namespace airlite::npu {

/// Makes ops on rows of any length whose elements have 32 bits.
class FloatWords {
 public:
  FloatWords(Rewriter& rewriter, Location location) : rewriter_(rewriter), location_(location) {}

  /// Of numbers below 2^22; exact.
  Value floatsOfShort(Value numbers);
  /// Of any; rounded once.
  Value floatsOfWords(Value numbers, bool areSigned);
  /// The whole part of floats.
  Value wholePart(Value floats, bool areSigned);

 private:
  struct Split {
    Value whole, asFloats;
  };
  /// The whole multiples of the last bit of a float `base` that are in a number, counted and as a
  /// float.
  Split split(Value floats, uint32_t base);
  Value binary(std::string_view name, Value a, Value b);
  Value with(std::string_view name, Value words, uint32_t bits);
  /// A constant row, as long as `like`.
  Value words(uint32_t bits, Value like);
  Value asFloats(Value words);
  Value asWords(Value floats);

  Rewriter& rewriter_;
  Location location_;
};

}  // namespace airlite::npu
