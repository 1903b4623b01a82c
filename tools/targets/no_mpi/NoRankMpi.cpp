// The build without MPI (see RankMpi.hpp).
#include "../run/RankMpi.hpp"

namespace airlite::tools {

Result<std::unique_ptr<interp::RankTransport>> startMpi(bool) {
  return Error{"--ranks=mpi: this airlite-run was built without MPI; install libopenmpi-dev and "
               "openmpi-bin, and configure with -DAIRLITE_MPI=ON"};
}

}  // namespace airlite::tools
