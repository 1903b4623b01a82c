// A long chain that uses each value twice before a condition: the proof does not follow it, and takes no time that doubles at each step.
// RUN: not airlite-opt %s --air-verify-program=target=npu --emit=none 2>&1 | FileCheck %s
// CHECK: error: it cannot be shown that 'air.channel.put' does not hang
air.channel @in []
air.channel @out []
func.func @f(%a: memref<32xi32>, %b: memref<32xi32>) {
  %c1 = arith.constant 1 : index
  %p = air.channel.put async @in[] (%a[] [] []) : (memref<32xi32>)
  %g = air.channel.get async @out[] (%b[] [] []) : (memref<32xi32>)
  air.herd @h tile (%x, %y) in (%sx = %c1, %sy = %c1) {
    %i0 = arith.constant 0 : index
    %z = arith.constant 7 : i32
    %m = memref.alloc() : memref<32xi32, 2>
    air.channel.get @in[] (%m[] [] []) : (memref<32xi32, 2>)
    %v0 = memref.load %m[%i0] : memref<32xi32, 2>
    %v1 = arith.muli %v0, %v0 : i32
    %v2 = arith.muli %v1, %v1 : i32
    %v3 = arith.muli %v2, %v2 : i32
    %v4 = arith.muli %v3, %v3 : i32
    %v5 = arith.muli %v4, %v4 : i32
    %v6 = arith.muli %v5, %v5 : i32
    %v7 = arith.muli %v6, %v6 : i32
    %v8 = arith.muli %v7, %v7 : i32
    %v9 = arith.muli %v8, %v8 : i32
    %v10 = arith.muli %v9, %v9 : i32
    %v11 = arith.muli %v10, %v10 : i32
    %v12 = arith.muli %v11, %v11 : i32
    %v13 = arith.muli %v12, %v12 : i32
    %v14 = arith.muli %v13, %v13 : i32
    %v15 = arith.muli %v14, %v14 : i32
    %v16 = arith.muli %v15, %v15 : i32
    %v17 = arith.muli %v16, %v16 : i32
    %v18 = arith.muli %v17, %v17 : i32
    %v19 = arith.muli %v18, %v18 : i32
    %v20 = arith.muli %v19, %v19 : i32
    %v21 = arith.muli %v20, %v20 : i32
    %v22 = arith.muli %v21, %v21 : i32
    %v23 = arith.muli %v22, %v22 : i32
    %v24 = arith.muli %v23, %v23 : i32
    %v25 = arith.muli %v24, %v24 : i32
    %v26 = arith.muli %v25, %v25 : i32
    %v27 = arith.muli %v26, %v26 : i32
    %v28 = arith.muli %v27, %v27 : i32
    %v29 = arith.muli %v28, %v28 : i32
    %v30 = arith.muli %v29, %v29 : i32
    %v31 = arith.muli %v30, %v30 : i32
    %v32 = arith.muli %v31, %v31 : i32
    %v33 = arith.muli %v32, %v32 : i32
    %v34 = arith.muli %v33, %v33 : i32
    %v35 = arith.muli %v34, %v34 : i32
    %v36 = arith.muli %v35, %v35 : i32
    %v37 = arith.muli %v36, %v36 : i32
    %v38 = arith.muli %v37, %v37 : i32
    %v39 = arith.muli %v38, %v38 : i32
    %v40 = arith.muli %v39, %v39 : i32
    %v41 = arith.muli %v40, %v40 : i32
    %v42 = arith.muli %v41, %v41 : i32
    %v43 = arith.muli %v42, %v42 : i32
    %v44 = arith.muli %v43, %v43 : i32
    %v45 = arith.muli %v44, %v44 : i32
    %v46 = arith.muli %v45, %v45 : i32
    %v47 = arith.muli %v46, %v46 : i32
    %v48 = arith.muli %v47, %v47 : i32
    %v49 = arith.muli %v48, %v48 : i32
    %v50 = arith.muli %v49, %v49 : i32
    %v51 = arith.muli %v50, %v50 : i32
    %v52 = arith.muli %v51, %v51 : i32
    %v53 = arith.muli %v52, %v52 : i32
    %v54 = arith.muli %v53, %v53 : i32
    %v55 = arith.muli %v54, %v54 : i32
    %v56 = arith.muli %v55, %v55 : i32
    %v57 = arith.muli %v56, %v56 : i32
    %v58 = arith.muli %v57, %v57 : i32
    %v59 = arith.muli %v58, %v58 : i32
    %v60 = arith.muli %v59, %v59 : i32
    %v61 = arith.muli %v60, %v60 : i32
    %v62 = arith.muli %v61, %v61 : i32
    %v63 = arith.muli %v62, %v62 : i32
    %v64 = arith.muli %v63, %v63 : i32
    %q = arith.cmpi ne, %v64, %z : i32
    scf.if %q {
      air.channel.put @out[] (%m[] [] []) : (memref<32xi32, 2>)
    }
    memref.dealloc %m : memref<32xi32, 2>
  }
  return
}
