// RUN: airlite-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{expected hex string blob for key 'b'}}
{-# dialect_resources: { builtin: { b: "0x0400000001zz" } } #-}

// -----

// expected-error@+1 {{expected hex string blob for key 'b'}}
{-# dialect_resources: { builtin: { b: "0x040000001" } } #-}

// -----

// expected-error@+1 {{expected hex string blob for key 'b'}}
{-# dialect_resources: { builtin: { b: true } } #-}

// -----

// expected-error@+1 {{expected hex string blob for key 'b' to encode alignment in first 4 bytes}}
{-# dialect_resources: { builtin: { b: "0x040000" } } #-}

// -----

// expected-error@+1 {{expected hex string blob for key 'b' to encode alignment in first 4 bytes, but got non-power-of-2 value: 3}}
{-# dialect_resources: { builtin: { b: "0x0300000001" } } #-}

// -----

// expected-error@+1 {{non-power-of-2 value: 0}}
{-# dialect_resources: { builtin: { b: "0x0000000001" } } #-}

// -----

// expected-error@+1 {{dialect 'bla' is unknown}}
{-# dialect_resources: { bla: { b: "0x0400000001" } } #-}

// -----

// expected-error@+1 {{unexpected 'resource' section for dialect 'arith'}}
{-# dialect_resources: { arith: {} } #-}

// -----

// expected-error@+1 {{unknown key 'dialect_resource' in file metadata dictionary; did you mean 'dialect_resources'?}}
{-# dialect_resource: {} #-}

// -----

// expected-error@+1 {{duplicate key 'b' in 'resource'}}
{-# dialect_resources: { builtin: { b: "0x04000000", b: "0x04000000" } } #-}

// -----

// expected-error@+1 {{expected identifier key for 'resource' entry}}
{-# dialect_resources: { builtin: { "b": "0x04000000" } } #-}

// -----

// expected-error@+1 {{expected string value for key 'b'}}
{-# external_resources: { tool: { b: 5 } } #-}

// -----

// expected-error@+1 {{expected hex string blob for key 'b'}}
{-# external_resources: { tool: { b: "0x5" } } #-}

// -----

// expected-error@+1 {{expected ',' or '#-}' in the file metadata dictionary}}
{-# external_resources: { tool: {} } module {}

// -----

// expected-error@+1 {{`dense_resource` expected a shaped type, found 'i32'}}
module attributes {test.x = dense_resource<b> : i32} {}

// -----

// expected-error@+1 {{write it as 'dense_resource<key> : type'}}
module attributes {test.x = #builtin.dense_resource<b>} {}

// -----

// expected-error@+1 {{initial value expected to be of type 'tensor<2xi32>', but was of type 'tensor<3xi32>'}}
"memref.global"() <{sym_name = "g", type = memref<2xi32>, initial_value = dense_resource<b> : tensor<3xi32>}> : () -> ()

// -----

// expected-error@+1 {{expected an operation}}
module { {-# external_resources: {} #-} }
