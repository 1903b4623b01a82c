// How many of its random inputs a test runs. Sanitizers make a run ten times as slow, and what they
// look for shows in few programs: there a quarter has to do.
#pragma once

namespace airlite::testing {

constexpr unsigned inputs(unsigned wanted) {
#ifdef __SANITIZE_ADDRESS__
  return wanted / 4;
#else
  return wanted;
#endif
}

}  // namespace airlite::testing
