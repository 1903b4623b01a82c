// RUN: not airlite-opt %s --air-pipeline-reduce='pipeline-depth=1' 2>&1 | FileCheck %s
// RUN: not airlite-opt %s --air-pipeline-reduce='tile-size=-4' 2>&1 | FileCheck %s --check-prefix=TILE
// RUN: not airlite-opt %s --air-pipeline-reduce='pipeline-direction=down' 2>&1 | FileCheck %s --check-prefix=DOWN

// CHECK: error: air-pipeline-reduce needs a pipeline-depth from 2 to 256 and a tile-size of at least 0, not 1 and 0
// TILE: error: air-pipeline-reduce needs {{.*}}, not 4 and -4
// DOWN: error: {{.*}}pipeline-direction
func.func @f() {
  return
}
