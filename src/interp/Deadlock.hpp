// Says why nothing can continue.
#pragma once

namespace airlite::interp {

class Machine;

/// Every process waits: reports who waits for whom, as a cycle where there is one, or up to what
/// nobody is left to do.
void reportDeadlock(Machine& machine);

}  // namespace airlite::interp
