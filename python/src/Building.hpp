// Where operations are inserted.
#pragma once

#include "State.hpp"

#include <memory>

namespace airlite::python {

/// Before `before`, or at the end of `block`.
struct Insertion {
  std::shared_ptr<BlockHandle> block;
  std::shared_ptr<OpHandle> before;
};

/// Puts an operation that no block holds at that place, or says why not.
void insertAt(const Insertion& at, const std::shared_ptr<OpHandle>& op);
/// The same for one that a block may hold.
void moveTo(const Insertion& at, const std::shared_ptr<OpHandle>& op);

}  // namespace airlite::python
