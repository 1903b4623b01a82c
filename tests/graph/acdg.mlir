// The graph of tokens and channels: levels, loops with tokens, a parallel loop, a conditional,
// blocking ops, channels by place and as a whole, groups of affinity and concurrency.
// RUN: airlite-opt %s --emit=none --dump-graph=acdg:%t.dot && cat %t.dot | %{golden:DOT}
// RUN: airlite-opt %s --emit=none --dump-graph=acdg:%t.json && cat %t.json | %{golden:JSON}
// RUN: airlite-opt %s --emit=none --dump-graph=acdg:%t.graphml && cat %t.graphml | %{golden:GRAPHML}

// RUN: (airlite-opt %s --dump-graph=acdg:%t.graphm; test $? = 2) 2>&1 | FileCheck %s --check-prefix=SUFFIX
// SUFFIX: airlite-opt: error: --dump-graph: expected a file name that ends with '.dot', '.json' or '.graphml', found '{{.*}}.graphm'; did you mean '.graphml'?
// RUN: (airlite-opt %s --dump-graph=%t.graphml; test $? = 2) 2>&1 | FileCheck %s --check-prefix=PLAIN
// PLAIN: expected a file name that ends with '.dot' or '.json', found '{{.*}}.graphml'{{$}}
// RUN: (airlite-opt %s --dump-graph=acdg:%T/none/g.dot; test $? = 1) 2>&1 | FileCheck %s --check-prefix=WRITE
// WRITE: airlite-opt: error: cannot write '{{.*}}none/g.dot'

module {
  air.channel @pairs [2]
  air.channel @whole [2, 2]
  func.func private @declared(memref<64xf32>)
  func.func @f(%in: memref<64xf32>, %go: !air.async.token, %yes: i1) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %0 = air.launch async [%go] (%x) in (%sx = %c2) args(%a = %in) : memref<64xf32> {
      %l0 = arith.constant 0 : index
      %l1 = arith.constant 1 : index
      %l4 = arith.constant 4 : index
      %p0 = air.channel.put async @pairs[%l0] (%a[] [] []) : (memref<64xf32>)
      %p1 = air.channel.put async [%p0] @pairs[%l1] (%a[] [] []) : (memref<64xf32>)
      %together = air.token.alloc : !air.token
      %s0 = air.segment @work async concurrency = [%together] {
        %s0c = arith.constant 0 : index
        %s1c = arith.constant 1 : index
        %s2c = arith.constant 2 : index
        %same = air.token.alloc : !air.token
        %t0, %buf = air.execute -> (memref<64xf32, 1>) {
          %m = memref.alloc() : memref<64xf32, 1>
          air.execute_terminator %m : memref<64xf32, 1>
        }
        %loop:2 = scf.for %i = %s0c to %s2c step %s1c iter_args(%ping = %t0, %pong = %t0)
            -> (!air.async.token, !air.async.token) {
          %g = air.channel.get async [%ping] @pairs[%s0c] (%buf[] [] []) : (memref<64xf32, 1>)
          %g1 = air.channel.get async [%g] @pairs[%s1c] (%buf[] [] []) : (memref<64xf32, 1>)
          scf.yield %pong, %g1 : !air.async.token, !air.async.token
        }
        %h0 = air.herd @left async [%loop#0] tile (%hx, %hy) in (%hsx = %s2c, %hsy = %s2c)
            args(%b = %buf) : memref<64xf32, 1> affinity = [%same] {
          air.channel.put @whole[%hx, %hy] (%b[] [] []) : (memref<64xf32, 1>)
        }
        %h1 = air.herd @right async [%loop#1] tile (%hx, %hy) in (%hsx = %s2c, %hsy = %s2c)
            args(%b = %buf) : memref<64xf32, 1> affinity = [%same] {
          %r = memref.alloc() : memref<64xf32, 2>
          air.channel.get @whole[%hx, %hy] (%r[] [] []) : (memref<64xf32, 2>)
          memref.dealloc %r : memref<64xf32, 2>
        }
      }
      %par = scf.parallel (%i) = (%l0) to (%l4) step (%l1) init (%p1) -> !air.async.token {
        %w = air.wait_all async [%p1]
        scf.reduce(%w : !air.async.token) {
        ^bb0(%u: !air.async.token, %v: !air.async.token):
          %j = air.wait_all async [%u, %v]
          scf.reduce.return %j : !air.async.token
        }
      }
      %after = air.segment @more async [%par] concurrency = [%together] {
      }
    }
    %if = scf.if %yes -> (!air.async.token) {
      %then = air.wait_all async [%0]
      scf.yield %then : !air.async.token
    } else {
      scf.yield %go : !air.async.token
    }
    air.wait_all [%if]
    call @declared(%in) : (memref<64xf32>) -> ()
    return
  }
}
