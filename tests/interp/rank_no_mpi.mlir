// A build without MPI says what is missing.
// UNSUPPORTED: mpi
// RUN: not airlite-run %s --on=interp --ranks=mpi 2>&1 | FileCheck %s
// CHECK: --ranks=mpi: this airlite-run was built without MPI; install libopenmpi-dev and openmpi-bin, and configure with -DAIRLITE_MPI=ON
func.func @main() {
  return
}
