// Ranks as the processes that mpirun has started, on one machine. MPI says who is who, brings them
// together and ends them; what they share is memory without a name, as in RankProcesses.
#pragma once

#include "airlite/interp/RankTransport.hpp"

#include <memory>

namespace airlite::tools {

/// An error in a build without MPI, and where mpirun has started processes on several machines.
/// `tellsNumbers`: which process this rank is goes to standard error.
Result<std::unique_ptr<interp::RankTransport>> startMpi(bool tellsNumbers);

}  // namespace airlite::tools
