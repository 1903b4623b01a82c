// What the verifiers and the reader of the affine dialect reject.
// RUN: airlite-opt --allow-unregistered --split-input-file --verify-diagnostics %s

func.func @f(%a: index, %f: f32) { 
 // expected-error@+1 {{expected step to be representable as a positive signed integer}}
 affine.for %i = 0 to 10 step 0 { }
  return
}

// -----

func.func @f(%a: index, %f: f32) { 
 // expected-error@+1 {{expected step to be representable as a positive signed integer}}
 affine.for %i = 0 to 10 step -1 { }
  return
}

// -----

#m = affine_map<(d0)->(d0, 3)>
func.func @f(%a: index, %f: f32) { 
 // expected-error@+1 {{lower loop bound affine map with multiple results requires 'max' prefix}}
 affine.for %i = #m(%a) to 10 { }
  return
}

// -----

#m = affine_map<(d0)->(d0, 3)>
func.func @f(%a: index, %f: f32) { 
 // expected-error@+1 {{upper loop bound affine map with multiple results requires 'min' prefix}}
 affine.for %i = 0 to #m(%a) { }
  return
}

// -----

#m = affine_map<(d0)->(d0, 3)>
func.func @f(%a: index, %f: f32) { 
 // expected-error@+1 {{dim operand count and affine map dim count must match}}
 affine.for %i = 0 to min #m(%a, %a) { }
  return
}

// -----

#m = affine_map<(d0)->(d0, 3)>
func.func @f(%a: index, %f: f32) { 
 // expected-error@+1 {{dim operand count and affine map dim count must match}}
 affine.for %i = 0 to min #m()[%a] { }
  return
}

// -----

func.func @f(%a: index, %f: i32) { 
 // expected-error@+1 {{use of value '%f' expects different type than prior uses: 'index' vs 'i32'}}
 affine.for %i = 0 to %f { }
  return
}

// -----

func.func @f(%a: index, %f: i32) { 
 // expected-error@+1 {{'affine.for' op expected upper bound map to have at least one result}}
 affine.for %i = 0 to affine_map<()->()>() { }
  return
}

// -----

func.func @f(%a: index, %f: i32) { 
 // expected-error@+1 {{'affine.yield' op parent of yield must have same number of results as the yield operands}}
 %0 = affine.for %i = 0 to 3 iter_args(%x = %f) -> (i32) { }
  return
}

// -----

func.func @f(%a: index, %f: i32) { 
 // expected-error@+1 {{'affine.yield' op types mismatch between yield op and its parent}}
 %0 = affine.for %i = 0 to 3 iter_args(%x = %f) -> (i32) { affine.yield %a : index }
  return
}

// -----

func.func @f(%a: index, %f: i32) { 
 // expected-error@+1 {{mismatch between the number of loop-carried values and results}}
 %0 = affine.for %i = 0 to 3 iter_args(%x = %f) -> (i32, i32) { affine.yield %f : i32 }
  return
}

// -----

func.func @f(%m: memref<4xindex>) { 
 // expected-error@+1 {{'affine.for' op operand cannot be used as a symbol}}
 scf.execute_region { %a = affine.load %m[0] : memref<4xindex> affine.for %i = 0 to %a { } scf.yield }
  return
}

// -----

func.func @f(%m: memref<4xindex>) { 
 // expected-error@+1 {{'affine.for' op operand cannot be used as a symbol}}
 scf.execute_region { %a = affine.load %m[0] : memref<4xindex> affine.for %i = 0 to affine_map<()[s]->(s)>()[%a] { } scf.yield }
  return
}

// -----

func.func @f(%m: memref<4xindex>) { 
 // expected-error@+1 {{'affine.load' op index must be a valid dimension or symbol identifier}}
 affine.for %i = 0 to 3 { %a = affine.load %m[0] : memref<4xindex> %b = affine.load %m[%a] : memref<4xindex> }
  return
}

// -----

func.func @f(%m: memref<4xindex>) { 
 // expected-error@+1 {{'affine.store' op index must be a valid dimension or symbol identifier}}
 affine.for %i = 0 to 3 { %a = affine.load %m[0] : memref<4xindex> affine.store %a, %m[%a] : memref<4xindex> }
  return
}

// -----

func.func @f(%m: memref<4xindex>) { 
 // expected-error@+1 {{'affine.load' op affine map num results must equal memref rank}}
 %a = affine.load %m[0, 1] : memref<4xindex>
  return
}

// -----

func.func @f(%m: memref<4xindex>) { 
 // expected-error@+1 {{'affine.load' op result type must match element type of memref}}
 %a = "affine.load"(%m) <{map = affine_map<()->(0)>}> : (memref<4xindex>) -> f32
  return
}

// -----

func.func @f(%m: memref<4xindex>, %f: f32) { 
 // expected-error@+1 {{'affine.store' op value to store must have the same type as memref element type}}
 "affine.store"(%f, %m) <{map = affine_map<()->(0)>}> : (f32, memref<4xindex>) -> ()
  return
}

// -----

func.func @f(%m: memref<4xindex>, %f: f32) { 
 // expected-error@+1 {{'affine.store' op operand #2 must be variadic of index, but got 'f32'}}
 "affine.store"(%f, %m, %f) <{map = affine_map<()->(0)>}> : (f32, memref<4xindex>, f32) -> ()
  return
}

// -----

func.func @f(%m: memref<4xindex>, %f: index) { 
 // expected-error@+1 {{'affine.load' op expects as many subscripts as affine map inputs}}
 "affine.load"(%m, %f) <{map = affine_map<()->(0)>}> : (memref<4xindex>, index) -> (index)
  return
}

// -----

func.func @f(%m: memref<4xf32>, %f: index) { 
 // expected-error@+1 {{'affine.vector_load' op requires memref and vector types of the same elemental type}}
 %0 = affine.vector_load %m[0] : memref<4xf32>, vector<4xf16>
  return
}

// -----

func.func @f(%m: memref<4xf32>, %f: index) { 
 // expected-error@+1 {{'affine.apply' op mapping must produce one value}}
 %0 = affine.apply affine_map<(d0)->(d0, d0)>(%f)
  return
}

// -----

func.func @f(%m: memref<4xf32>, %f: index) { 
 // expected-error@+1 {{dimension or symbol index mismatch}}
 %0 = affine.apply affine_map<(d0)->(d0)>(%f)[%f]
  return
}

// -----

func.func @f(%m: memref<4xf32>, %f: index) { 
 // expected-error@+1 {{'affine.apply' op operand count and affine map dimension and symbol count must match}}
 %0 = "affine.apply"(%f, %f) {map = affine_map<(d0)->(d0)>} : (index, index) -> index
  return
}

// -----

func.func @f(%m: memref<4xf32>, %f: index) { 
 // expected-error@+1 {{'affine.min' op operand count and affine map dimension and symbol count must match}}
 %0 = affine.min affine_map<(d0)->(d0)>(%f, %f)
  return
}

// -----

func.func @f(%m: memref<4xf32>, %f: index) { 
 // expected-error@+1 {{'affine.min' op affine map expect at least one result}}
 %0 = affine.min affine_map<(d0)->()>(%f)
  return
}

// -----

func.func @f(%m: memref<4xf32>, %f: index) { 
 // expected-error@+1 {{dim operand count and integer set dim count must match}}
 affine.if affine_set<(d0) : (d0 >= 0)>(%f, %f) { }
  return
}

// -----

func.func @f(%m: memref<4xf32>, %f: index) { 
 // expected-error@+1 {{invalid kind of attribute specified}}
 affine.if affine_map<(d0) -> (d0)>(%f) { }
  return
}

// -----

func.func @f(%m: memref<4xf32>, %f: index) { 
 // expected-error@+1 {{'affine.if' op requires an integer set attribute named 'condition'}}
 "affine.if"(%f) ({affine.yield},{}) : (index) -> ()
  return
}

// -----

func.func @f(%m: memref<4xf32>, %f: index) { 
 // expected-error@+1 {{'affine.if' op  region control flow edge from parent operands to parent results: source has 0 operands, but target successor needs 1}}
 %0 = affine.if affine_set<(d0) : (d0 >= 0)>(%f) -> index { affine.yield %f : index }
  return
}

// -----

func.func @f(%m: memref<4xf32>, %f: index, %g : i32) { 
 // expected-error@+1 {{'affine.yield' op types mismatch between yield op and its parent}}
 %0 = affine.if affine_set<(d0) : (d0 >= 0)>(%f) -> index { affine.yield %f : index } else { affine.yield %g : i32}
  return
}

// -----

func.func @f(%m: memref<4xindex>) { 
 // expected-error@+1 {{'affine.if' op operand cannot be used as a dimension id}}
 affine.for %i = 0 to 3 { %a = affine.load %m[0] : memref<4xindex> affine.if affine_set<(d0) : (d0 >= 0)>(%a) { } }
  return
}

// -----

func.func @f(%m: memref<4xindex>) { 
 // expected-error@+1 {{'affine.parallel' op the number of region arguments (1) and the number of map groups for lower (2) and upper bound (1), and the number of steps (1) must all match}}
 affine.parallel (%i) = (0, 0) to (10) { }
  return
}

// -----

func.func @f(%m: memref<4xindex>) { 
 // expected-error@+1 {{expected step to be a positive integer}}
 affine.parallel (%i) = (0) to (10) step (0) { }
  return
}

// -----

func.func @f(%m: memref<4xindex>, %f: f32) { 
 // expected-error@+1 {{'affine.parallel' op result type cannot match reduction attribute}}
 affine.parallel (%i) = (0) to (10) reduce ("addi") -> (f32) { affine.yield %f : f32 }
  return
}

// -----

func.func @f(%m: memref<4xindex>, %f: f32) { 
 // expected-error@+1 {{invalid reduction value: "addx"}}
 affine.parallel (%i) = (0) to (10) reduce ("addx") -> (f32) { affine.yield %f : f32 }
  return
}

// -----

func.func @f(%m: memref<4xindex>, %f: f32) { 
 // expected-error@+1 {{'affine.parallel' op a reduction must be specified for each output}}
 affine.parallel (%i) = (0) to (10) reduce ("addf") -> (f32, f32) { affine.yield %f, %f : f32, f32 }
  return
}

// -----

func.func @f(%m: memref<4xindex>, %f: f32) { 
 // expected-error@+1 {{'affine.yield' op parent of yield must have same number of results as the yield operands}}
 affine.parallel (%i) = (0) to (10) reduce ("addf") -> (f32) { }
  return
}

// -----

func.func @f(%m: memref<4xindex>, %f: index) { 
 // expected-error@+1 {{'affine.prefetch' op attribute 'localityHint' failed to satisfy constraint: 32-bit signless integer attribute whose minimum value is 0 whose maximum value is 3}}
 affine.prefetch %m[%f], read, locality<4>, data : memref<4xindex>
  return
}

// -----

func.func @f(%m: memref<4xindex>, %f: index) { 
 // expected-error@+1 {{rw specifier has to be 'read' or 'write'}}
 affine.prefetch %m[%f], reads, locality<2>, data : memref<4xindex>
  return
}

// -----

func.func @f(%m: memref<4xindex>, %f: index) { 
 // expected-error@+1 {{cache type has to be 'data' or 'instr'}}
 affine.prefetch %m[%f], read, locality<2>, dat : memref<4xindex>
  return
}

// -----

func.func @f(%m: memref<4xindex>, %f: index) { 
 // expected-error@+1 {{'affine.yield' op only terminates affine.if/for/parallel regions}}
 affine.yield %m : memref<4xindex> }

// -----

func.func @f(%m: memref<4xindex>, %f: index, %g: i32) { 
 // expected-error@+1 {{'affine.dma_start' op expected DMA tag to be of memref type}}
 affine.dma_start %m[%f], %m[0], %g[0], %f : memref<4xindex>, memref<4xindex>, i32
  return
}

// -----

func.func @f(%m: memref<4xindex>, %f: index, %g: i32) { 
 // expected-error@+1 {{'affine.dma_start' op affine map num results must equal memref rank}}
 affine.dma_start %m[%f, 0], %m[0], %m[0], %f : memref<4xindex>, memref<4xindex>, memref<4xindex>
  return
}

// -----

func.func @f(%m: memref<4xindex>, %f: index, %g: i32) { 
 // expected-error@+1 {{'affine.dma_wait' op affine map num results must equal memref rank}}
 affine.dma_wait %m[%f, 0], %f : memref<4xindex>
  return
}

// -----

func.func @f(%m: memref<4xindex>, %f: index, %g: i32) { 
 // expected-error@+1 {{expected two stride related operands}}
 affine.dma_start %m[%f], %m[0], %m[0], %f, %f : memref<4xindex>, memref<4xindex>, memref<4xindex>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{integer value too large: 64 bits at most}}
  %0 = affine.apply affine_map<() -> (-9223372036854775809)>()
  return
}
