// Asks after each pass whether the functions of a module still compute what they did: they run on
// random arguments, under several schedules, before the first pass and after every other.
//
//   interp::MeaningCheck meaning;
//   meaning.begin(*module);
//   runMyPass(*module);
//   if (!meaning.check(*module, "my-pass")) return 1;  // what differs has been reported
#pragma once

#include "airlite/ir/Operation.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

namespace airlite::interp {

struct MeaningCheckOptions {
  unsigned argumentSets = 2;
  unsigned schedules = 4;
  uint64_t seed = 1;
  uint64_t maxSteps = 5'000'000;  // of a run before the passes
  /// A function fails that leaves an element of an argument or result without a defined value.
  bool undefinedFails = false;
  /// Told which functions are not compared, and why.
  std::function<void(std::string_view)> log;
};

/// Functions with a body are compared when their arguments are scalars and memrefs of numbers, and
/// when they run without an error and without depending on the schedule in the first place. An open
/// size is 8.
class MeaningCheck {
 public:
  explicit MeaningCheck(MeaningCheckOptions options = {});
  ~MeaningCheck();

  /// Notes what the functions of `module` compute.
  void begin(Operation& module);
  /// False, and an error at the function, when one computes something else, fails or hangs now.
  bool check(Operation& module, std::string_view pass);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace airlite::interp
