// Without HIP or a device, --on=hip says so. (With one, the examples run there: scripts/demo.sh.)
// REQUIRES: gpu
// RUN: (airlite-run %s --on=hip; echo "exit $?") 2>&1 | FileCheck %s
// CHECK: {{there is no HIP on this machine|HIP finds no device on this machine|exit 0}}
func.func @main() {
  return
}
