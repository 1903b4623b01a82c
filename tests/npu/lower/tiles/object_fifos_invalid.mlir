// RUN: airlite-opt %s -split-input-file -verify-diagnostics --aie-objectfifo-to-locks

aie.device(npu1) {
  %a = aie.tile(0, 2)
  %b = aie.tile(2, 4)
  // expected-error @+1 {{'aie.objectfifo' op does not fit: 'repeat_count' is 40, for 2 objects, and locks count from 1 to 63}}
  aie.objectfifo @f(%a, {%b}, 2 : i32) {repeat_count = 40 : i32} : !aie.objectfifo<memref<16xi32>>
}

// -----

aie.device(xcvc1902) {
  %a = aie.tile(1, 2)
  %b = aie.tile(4, 4)
  // expected-error @+1 {{'aie.objectfifo' op not supported: object FIFOs on devices of the first generation}}
  aie.objectfifo @f(%a, {%b}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
}

// -----

aie.device(npu1) {
  %a = aie.tile(0, 2)
  %b = aie.tile(2, 4)
  aie.objectfifo @f(%a, {%b}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.core(%b) {
    %s = aie.objectfifo.acquire @f(Consume, 1) : !aie.objectfifosubview<memref<16xi32>>
    // expected-error @+1 {{'aie.objectfifo.release' op gives back 2 objects, but the core holds 1 here}}
    aie.objectfifo.release @f(Consume, 2)
    aie.end
  }
}

// -----

aie.device(npu1) {
  %a = aie.tile(0, 2)
  %b = aie.tile(2, 4)
  aie.objectfifo @f(%a, {%b}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.core(%b) {
    // expected-error @+1 {{'aie.objectfifo.acquire' op asks for 3 objects, but there are 2 on its tile}}
    %s = aie.objectfifo.acquire @f(Consume, 3) : !aie.objectfifosubview<memref<16xi32>>
    aie.end
  }
}

// -----

aie.device(npu1) {
  %a = aie.tile(0, 2)
  %b = aie.tile(2, 4)
  aie.objectfifo @f(%a, {%b}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.core(%b) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    // expected-error @+1 {{'scf.for' op not supported: it begins with 0 objects of @f held and ends with 1; release as many as are acquired in it}}
    scf.for %i = %c0 to %c2 step %c1 {
      %s = aie.objectfifo.acquire @f(Consume, 1) : !aie.objectfifosubview<memref<16xi32>>
    }
    aie.end
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %a = aie.tile(0, 2)
  %b = aie.tile(2, 4)
  aie.objectfifo @in(%s, {%m}, 2 : i32) : !aie.objectfifo<memref<32xi32>>
  aie.objectfifo @a(%m, {%a}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @b(%m, {%b}, 2 : i32) : !aie.objectfifo<memref<12xi32>>
  // expected-error @+1 {{'aie.objectfifo.link' op not supported: parts that do not follow each other: one begins at element 20, the one before ends at 16}}
  aie.objectfifo.link [@in] -> [@a, @b]([] [0, 20])
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %a = aie.tile(0, 2)
  aie.objectfifo @in(%s, {%m}, 2 : i32) : !aie.objectfifo<memref<32xi32>>
  aie.objectfifo @a(%m, {%a}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  // expected-error @+1 {{'aie.objectfifo.link' op not supported: the parts have 16 elements, the object has 32}}
  aie.objectfifo.link [@in] -> [@a]([] [])
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %a = aie.tile(0, 2)
  aie.objectfifo @x(%s, {%a}, 2 : i32) : !aie.objectfifo<memref<32xi32>>
  aie.objectfifo @y(%s, {%a}, 2 : i32) : !aie.objectfifo<memref<32xi32>>
  // expected-error @+1 {{'aie.objectfifo' op does not fit: its producer needs another MM2S channel of a tile that has 2}}
  aie.objectfifo @z(%s, {%a}, 2 : i32) : !aie.objectfifo<memref<32xi32>>
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %a = aie.tile(0, 2)
  // expected-note @+1 {{@x needs its DMA}}
  aie.objectfifo @x(%s, {%a}, 2 : i32) : !aie.objectfifo<memref<32xi32>>
  // expected-error @+1 {{'aie.mem' op not supported: a DMA program on a tile with object FIFOs}}
  aie.mem(%a) {
    aie.end
  }
}

// -----

// What holds the objects has to be seen: a block argument is not.
aie.device(npu1) {
  %a = aie.tile(0, 2)
  %b = aie.tile(2, 4)
  aie.objectfifo @f(%a, {%b}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.core(%b) {
    %s = aie.objectfifo.acquire @f(Consume, 1) : !aie.objectfifosubview<memref<16xi32>>
    aie.objectfifo.release @f(Consume, 1)
    // expected-error @+1 {{'cf.br' op not supported: objects of a FIFO that are passed on}}
    cf.br ^next(%s : !aie.objectfifosubview<memref<16xi32>>)
  ^next(%t: !aie.objectfifosubview<memref<16xi32>>):
    aie.end
  }
}

// -----

aie.device(npu1) {
  %a = aie.tile(0, 0)
  %b = aie.tile(2, 4)
  // expected-error @+1 {{'aie.objectfifo' op not supported: 'repeat_count' of objects of the host}}
  aie.objectfifo @f(%a, {%b}, 2 : i32) {repeat_count = 2 : i32} : !aie.objectfifo<memref<16xi32>>
}

// -----

aie.device(npu1) {
  %a = aie.tile(0, 0)
  %b = aie.tile(2, 4)
  // expected-error @+1 {{'aie.objectfifo' op not supported: 'init_values' of objects that its producer does not have alone}}
  aie.objectfifo @f(%a, {%b}, 1 : i32) : !aie.objectfifo<memref<2xi32>> = [dense<[1, 2]> : memref<2xi32>]
}

// -----

aie.device(npu1) {
  %a = aie.tile(0, 2)
  %b = aie.tile(2, 4)
  // expected-error @+1 {{'aie.objectfifo' op does not fit: its depth is 2147483647, and locks count to 63}}
  aie.objectfifo @f(%a, {%b}, [2, 2147483647]) : !aie.objectfifo<memref<16xi32>>
}

// -----

aie.device(npu1) {
  %a = aie.tile(0, 2)
  %m = aie.tile(0, 1)
  %b = aie.tile(2, 4)
  aie.objectfifo @f(%a, {%m}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @g(%m, {%b}, 2 : i32) : !aie.objectfifo<memref<32xi32>>
  // expected-error @+1 {{'aie.objectfifo.link' op links an end twice}}
  aie.objectfifo.link [@f, @f] -> [@g]([0, 16] [])
}

// -----

aie.device(npu1) {
  %a = aie.tile(0, 2)
  %m = aie.tile(0, 0)
  %b = aie.tile(2, 4)
  aie.objectfifo @f(%a, {%m}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @g(%m, {%b}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  // expected-error @+1 {{'aie.objectfifo.link' op not supported: a link on a tile without memory}}
  aie.objectfifo.link [@f] -> [@g]([] [])
}

// -----

aie.device(npu1) {
  %a = aie.tile(0, 0)
  %b = aie.tile(2, 4)
  // expected-error @+2 {{'aie.buffer' op of 400000 bytes is larger than the 65536 bytes of a core tile}}
  // expected-error @+1 {{'aie.dma_bd' op length of 100000 words exceeds the limit of 16383}}
  aie.objectfifo @f(%a, {%b}, 1 : i32) : !aie.objectfifo<memref<100000xi32>>
}

// -----

aie.device(npu1) {
  %a = aie.tile(0, 0)
  %b = aie.tile(2, 4)
  // expected-error @+1 {{'aie.dma_bd' op}}
  aie.objectfifo @f(%a, {%b dimensionsFromStream [<size = 3, stride = 7>, <size = 5, stride = 1>]}, 1 : i32) : !aie.objectfifo<memref<16xi32>>
}
