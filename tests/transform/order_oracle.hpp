// An independent judge of what air-dependency makes: runs the control flow of a program with
// concrete numbers, notes for each op that touches memory which elements it touches and which
// events it waits for, and says which conflicting accesses nothing orders. It shares no code with
// the analysis that it judges: footprints are enumerated element by element.
#pragma once

#include "airlite/ir/Operation.hpp"

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace airlite::order {

struct Verdict {
  unsigned events = 0;
  unsigned conflicts = 0;                          // pairs that have to be ordered
  std::vector<std::string> missing;                // pairs that are not ordered: what and where
  std::set<std::pair<unsigned, unsigned>> places;  // of them: in the text
  std::string unsupported;                         // an op that the judge does not know
};

/// Runs `@f` of the module: memref arguments are distinct buffers, index arguments 3, the rest
/// numbers that nobody looks at. Accesses of different instances of a parallel loop or hierarchy op
/// need no order.
Verdict judge(Operation& module);

}  // namespace airlite::order
