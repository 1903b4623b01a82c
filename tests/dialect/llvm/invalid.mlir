// RUN: airlite-opt --split-input-file --verify-diagnostics %s

// expected-error@+1 {{#llvm.loop_unroll has no 'times'}}
#u = #llvm.loop_unroll<times = 3 : i32>

// -----

// expected-error@+1 {{'disable' is given twice}}
#u = #llvm.loop_unroll<disable = true, disable = false>

// -----

// expected-error@+1 {{expected bool for 'disable', found 3 : i32}}
#u = #llvm.loop_unroll<disable = 3 : i32>

// -----

#u = #llvm.loop_unroll<disable = true>
// expected-error@+1 {{expected #llvm.loop_vectorize for 'vectorize', found #llvm.loop_unroll<disable = true>}}
#a = #llvm.loop_annotation<vectorize = #u>

// -----

// expected-error@+1 {{expected an address space from 0 to 16777215, found -1}}
func.func @space(%p: !llvm.ptr<-1>) { return }

// -----

func.func @ordering(%p: !llvm.ptr) {
  // expected-error@+1 {{unknown ordering 'later'}}
  %0 = llvm.load %p atomic later {alignment = 4 : i64} : !llvm.ptr -> i32
  return
}

// -----

func.func @operation(%p: !llvm.ptr, %v: i32) {
  // expected-error@+1 {{unknown bin_op 'mul'}}
  %0 = llvm.atomicrmw mul %p, %v release : !llvm.ptr, i32
  return
}

// -----

func.func @number(%p: !llvm.ptr, %v: i32) {
  // expected-error@+1 {{expected 2 operands, found 1}}
  llvm.store %p : i32, !llvm.ptr
  return
}

// -----

func.func @one(%p: !llvm.ptr, %v: i32) {
  // expected-error@+1 {{expected 1 operands, found 2}}
  %0 = llvm.load %p, %p : !llvm.ptr -> i32
  return
}

// -----

func.func @scope(%p: !llvm.ptr) {
  // expected-error@+1 {{'llvm.load' op expected syncscope to be null for non-atomic access}}
  %0 = "llvm.load"(%p) {syncscope = "agent"} : (!llvm.ptr) -> i32
  return
}

// -----

func.func @load_release(%p: !llvm.ptr) {
  // expected-error@+1 {{'llvm.load' op unsupported ordering 'release'}}
  %0 = llvm.load %p atomic release {alignment = 4 : i64} : !llvm.ptr -> i32
  return
}

// -----

func.func @store_acquire(%p: !llvm.ptr, %v: i32) {
  // expected-error@+1 {{'llvm.store' op unsupported ordering 'acquire'}}
  llvm.store %v, %p atomic acquire {alignment = 4 : i64} : i32, !llvm.ptr
  return
}

// -----

func.func @alignment(%p: !llvm.ptr) {
  // expected-error@+1 {{'llvm.load' op expected alignment for atomic access}}
  %0 = llvm.load %p atomic acquire : !llvm.ptr -> i32
  return
}

// -----

func.func @float(%p: !llvm.ptr, %v: i32) {
  // expected-error@+1 {{'llvm.atomicrmw' op expected LLVM IR floating point type}}
  %0 = llvm.atomicrmw fadd %p, %v release : !llvm.ptr, i32
  return
}

// -----

func.func @integer(%p: !llvm.ptr, %v: f32) {
  // expected-error@+1 {{'llvm.atomicrmw' op expected LLVM IR integer type}}
  %0 = llvm.atomicrmw add %p, %v release : !llvm.ptr, f32
  return
}

// -----

func.func @weak(%p: !llvm.ptr, %v: i32) {
  // expected-error@+1 {{'llvm.atomicrmw' op expected at least 'monotonic' ordering}}
  %0 = llvm.atomicrmw add %p, %v unordered : !llvm.ptr, i32
  return
}

// -----

func.func @result(%p: !llvm.ptr, %v: i32) {
  // expected-error@+1 {{'llvm.atomicrmw' op expected the result to be of type 'i32', found 'i64'}}
  %0 = "llvm.atomicrmw"(%p, %v) {bin_op = 1 : i64, ordering = 4 : i64} : (!llvm.ptr, i32) -> i64
  return
}

// -----

func.func @kind(%p: !llvm.ptr, %v: i32) {
  // expected-error@+1 {{attribute 'bin_op' failed to satisfy constraint: atomic operation}}
  %0 = "llvm.atomicrmw"(%p, %v) {bin_op = 99 : i64, ordering = 4 : i64} : (!llvm.ptr, i32) -> i32
  return
}

// -----

func.func @no_ordering(%p: !llvm.ptr) {
  // expected-error@+1 {{attribute 'ordering' failed to satisfy constraint: atomic ordering}}
  %0 = "llvm.load"(%p) {ordering = 3 : i64} : (!llvm.ptr) -> i32
  return
}

// -----

// expected-error@+1 {{not supported: structs with a name}}
func.func @named(%s: !llvm.struct<"point", (i32)>) { return }

// -----

// expected-error@+1 {{invalid array element type: 'index'}}
func.func @element(%s: !llvm.array<2 x index>) { return }

// -----

// expected-error@+1 {{expected '...' to be the last}}
llvm.func @middle(..., i32)

// -----

// expected-error@+1 {{expected names for all arguments or for none}}
llvm.func @mixed(%a: i32, i32)

// -----

// expected-error@+1 {{arguments and results of llvm.func have LLVM types with size}}
llvm.func @buffer(memref<4xi32>)

// -----

llvm.func @f(i32)
func.func @count(%a: i32) {
  // expected-error@+1 {{incorrect number of operands (2) for callee (expecting: 1)}}
  llvm.call @f(%a, %a) : (i32, i32) -> ()
  return
}

// -----

llvm.func @f(i32)
func.func @type(%a: i64) {
  // expected-error@+1 {{operand type mismatch for operand 0: 'i64' != 'i32'}}
  llvm.call @f(%a) : (i64) -> ()
  return
}

// -----

llvm.func @f(i32, ...)
func.func @variadic(%a: i32) {
  // expected-error@+1 {{a call of a variadic function gives its type: vararg('!llvm.func<void (i32, ...)>')}}
  llvm.call @f(%a, %a) : (i32, i32) -> ()
  return
}

// -----

llvm.func @f() -> i32
func.func @result() {
  // expected-error@+1 {{results must be those of the callee's type '!llvm.func<i32 ()>'}}
  llvm.call @f() : () -> ()
  return
}

// -----

func.func private @f()
func.func @callee() {
  // expected-error@+1 {{'f' does not reference an llvm.func}}
  llvm.call @f() : () -> ()
  return
}

// -----

func.func @pointer(%f: !llvm.ptr) {
  // expected-error@+1 {{not supported: calls of what a pointer points to}}
  llvm.call %f() : !llvm.ptr, () -> ()
  return
}

// -----

llvm.func @f() -> i32 {
  // expected-error@+1 {{expected one operand, found 0}}
  llvm.return
}

// -----

llvm.mlir.global internal @g(1 : i32)
// expected-error@+1 {{expected ':' and a type: only strings go without}}
func.func private @f()

// -----

// expected-error@+1 {{requires an i8 array type of the length equal to that of the string attribute}}
llvm.mlir.global internal @g("abc") : !llvm.array<4 x i8>

// -----

func.func @address() {
  // expected-error@+1 {{must reference a global defined by 'llvm.mlir.global' or 'llvm.func'}}
  %0 = llvm.mlir.addressof @nowhere : !llvm.ptr
  return
}

// -----

func.func @position(%s: !llvm.struct<(i32, i64)>) {
  // expected-error@+1 {{there is nothing at this position of '!llvm.struct<(i32, i64)>'}}
  %0 = llvm.extractvalue %s[2] : !llvm.struct<(i32, i64)>
  return
}

// -----

func.func @index(%p: !llvm.ptr) {
  // expected-error@+1 {{index 4294967296 does not fit 32 bits}}
  %0 = llvm.getelementptr %p[4294967296] : (!llvm.ptr) -> !llvm.ptr, f32
  return
}

// -----

func.func @indices(%p: !llvm.ptr, %i: i64) {
  // expected-error@+1 {{expected as many operands as dynamic indices: 0, found 1}}
  %0 = "llvm.getelementptr"(%p, %i) {rawConstantIndices = array<i32: 1>, elem_type = f32} : (!llvm.ptr, i64) -> !llvm.ptr
  return
}

// -----

func.func @bits(%i: i64) {
  // expected-error@+1 {{has no 'f32' with the bits of 'i64'}}
  %0 = llvm.bitcast %i : i64 to f32
  return
}

// -----

func.func @space(%p: !llvm.ptr) {
  // expected-error@+1 {{has no '!llvm.ptr<3>' with the bits of '!llvm.ptr'}}
  %0 = llvm.bitcast %p : !llvm.ptr to !llvm.ptr<3>
  return
}
