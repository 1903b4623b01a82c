// Which numbers are tried for the values that a program leaves open (arguments, what is loaded from memory), round by round.
//
//   TriedNumbers tried(8);
//   for (unsigned round = 0; round < tried.numRounds(); ++round) {
//     tried.begin(round);
//     unfold.assume = [&](Value value) { return tried(value); };
//   }
#pragma once

#include "airlite/ir/Value.hpp"

#include <cstdint>
#include <map>
#include <vector>

namespace airlite::analysis {

/// Numbers around those at which a comparison of `value`, or of what is computed from it, with a constant changes its answer.
std::vector<int64_t> comparedNumbers(Value value);

/// The first rounds are the plain ones: everything 1 or true, everything 0 or false, then small numbers. Values that the
/// program compares with constants get the numbers around these in further rounds.
class TriedNumbers {
 public:
  explicit TriedNumbers(unsigned plainRounds) : plainRounds_(plainRounds) {}

  void begin(unsigned round);
  int64_t operator()(Value value);
  /// Those that the values asked for so far need.
  unsigned numRounds() const;
  bool isPlain() const { return round_ < plainRounds_; }

 private:
  uint64_t random();

  unsigned plainRounds_, round_ = 0;
  uint64_t state_ = 0;
  size_t mostCompared_ = 0, numCompared_ = 0;
  std::map<const detail::ValueImpl*, std::vector<int64_t>> compared_;
};

}  // namespace airlite::analysis
