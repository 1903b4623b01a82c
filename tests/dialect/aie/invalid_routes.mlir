// What flows, switches, cascades and object FIFOs must not be.
// RUN: airlite-opt %s --verify-diagnostics --split-input-file

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  // expected-error@+1 {{source DMA:2 does not exist: tile (0, 2) has 2 DMA ports into its stream switch}}
  aie.flow(%t, DMA : 2, %u, DMA : 0)
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  // expected-error@+1 {{destination Core:0 does not exist: tile (0, 1) has 0 Core ports out of its stream switch}}
  aie.flow(%t, DMA : 0, %m, Core : 0)
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  %x = aie.logical_tile<CoreTile>(?, ?)
  // expected-error@+1 {{destination Core:1 does not exist: logical tile has 1 Core port out of its stream switch}}
  aie.flow(%t, DMA : 0, %x, Core : 1)
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  // expected-error@+1 {{expected string or keyword containing one of the following enum values for attribute 'source_bundle' [Core, DMA, FIFO, South, West, North, East, PLIO, NOC, Trace, TileControl], found 'Nort'; did you mean 'North'?}}
  aie.flow(%t, Nort : 0, %u, DMA : 0)
}

// -----

func.func @f(%t: index) {
  // expected-error@+1 {{expects its tile to be made by aie.tile or aie.logical_tile}}
  aie.flow(%t, DMA : 0, %t, DMA : 1)
  return
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  // expected-error@+1 {{packet id (32) must be between 0 and 31}}
  aie.packet_flow(32) {
    aie.packet_source<%t, DMA : 0>
    aie.packet_dest<%u, DMA : 0>
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  // expected-error@+1 {{has no aie.packet_source}}
  aie.packet_flow(1) {
    aie.packet_dest<%u, DMA : 0>
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  // expected-error@+1 {{has no aie.packet_dest}}
  aie.packet_flow(1) {
    aie.packet_source<%u, DMA : 0>
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  aie.packet_flow(1) {
    aie.packet_source<%t, DMA : 0>
  // expected-error@+1 {{destination DMA:2 does not exist: tile (0, 3) has 2 DMA ports out of its stream switch}}
    aie.packet_dest<%u, DMA : 2>
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  aie.packet_flow(1) {
    aie.packet_source<%t, DMA : 0>
  // expected-error@+1 {{cannot be inside aie.packet_flow}}
    %l = aie.lock(%t, 1)
    aie.packet_dest<%u, DMA : 0>
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  %v = aie.tile(0, 5)
  // expected-error@+1 {{tiles must be adjacent}}
  aie.cascade_flow(%v, %t)
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  // expected-error@+1 {{memTile row has no cascade stream interface}}
  aie.cascade_flow(%t, %m)
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  // expected-error@+1 {{shimTile row has no cascade stream interface}}
  aie.cascade_flow(%s, %t)
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  // expected-error@+1 {{input direction must be North or West, found South}}
  aie.configure_cascade(%t, South, East)
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  // expected-error@+1 {{output direction must be South or East, found North}}
  aie.configure_cascade(%t, West, North)
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  // expected-error@+1 {{channel index (2) must be between 0 and 1}}
  aie.shim_dma_allocation @a(%s, MM2S, 2)
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  // expected-error@+1 {{expects a shim tile with a DMA, but tile (0, 2) is a core tile}}
  aie.shim_dma_allocation @a(%t, MM2S, 0)
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  %0 = aie.switchbox(%t) {
  // expected-error@+1 {{source DMA:2 does not exist: there are 2 DMA ports into this switch}}
    aie.connect<DMA : 2, North : 0>
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  %0 = aie.switchbox(%t) {
  // expected-error@+1 {{destination North:6 does not exist: there are 6 North ports out of this switch}}
    aie.connect<DMA : 0, North : 6>
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  %0 = aie.switchbox(%t) {
    aie.connect<DMA : 0, North : 0>
  // expected-error@+1 {{destination North:0 is used more than once}}
    aie.connect<DMA : 1, North : 0>
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  %0 = aie.switchbox(%t) {
  // expected-error@+1 {{the switch of a core tile cannot connect DMA:0 to DMA:1}}
    aie.connect<DMA : 0, DMA : 1>
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  %0 = aie.switchbox(%m) {
  // expected-error@+1 {{the switch of a memory tile cannot connect Trace:0 to DMA:0}}
    aie.connect<Trace : 0, DMA : 0>
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  %0 = aie.switchbox(%t) {
  // expected-error@+1 {{arbiter (6) must be between 0 and 5}}
    %1 = aie.amsel<6> (0)
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  %0 = aie.switchbox(%t) {
  // expected-error@+1 {{msel (4) must be between 0 and 3}}
    %1 = aie.amsel<0> (4)
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  %0 = aie.switchbox(%t) {
    %1 = aie.amsel<0> (0)
    %2 = aie.amsel<1> (0)
  // expected-error@+1 {{a master port can only be tied to one arbiter}}
    %3 = aie.masterset(North : 0, %1, %2)
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  %0 = aie.switchbox(%t) {
  // expected-error@+1 {{expects operands made by aie.amsel}}
    %3 = aie.masterset(North : 0, %t)
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  %0 = aie.switchbox(%t) {
  // expected-error@+1 {{expects an aie.amsel}}
    %3 = "aie.masterset"() {dest_bundle = 5 : i32, dest_channel = 0 : i32} : () -> index
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  %0 = aie.switchbox(%t) {
    %1 = aie.amsel<0> (0)
    aie.connect<South : 0, North : 0>
  // expected-error@+1 {{source South:0 has circuit connections}}
    aie.packet_rules(South : 0) {
      aie.rule(31, 1, %1)
    }
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  %0 = aie.switchbox(%t) {
    %1 = aie.amsel<0> (0)
    aie.packet_rules(South : 0) {
      aie.rule(31, 1, %1)
    }
  // expected-error@+1 {{source South:0 has packet rules}}
    aie.connect<South : 0, North : 0>
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  %0 = aie.switchbox(%t) {
    %1 = aie.amsel<0> (0)
  // expected-error@+1 {{has 5 rules, but a port holds 4}}
    aie.packet_rules(South : 0) {
      aie.rule(31, 1, %1)
      aie.rule(31, 1, %1)
      aie.rule(31, 1, %1)
      aie.rule(31, 1, %1)
      aie.rule(31, 1, %1)
    }
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  %0 = aie.switchbox(%t) {
    %1 = aie.amsel<0> (0)
    aie.packet_rules(South : 0) {
  // expected-error@+1 {{mask (32) must be between 0 and 31}}
      aie.rule(32, 1, %1)
    }
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  %0 = aie.switchbox(%t) {
    aie.packet_rules(South : 0) {
  // expected-error@+1 {{expects an operand made by aie.amsel}}
      aie.rule(31, 1, %t)
    }
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  %0 = aie.switchbox(%t) {
  // expected-error@+1 {{cannot be inside aie.switchbox}}
    %l = aie.lock(%t, 1)
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  %0 = aie.shim_mux(%s) {
  // expected-error@+1 {{source South:0 does not exist: there are 0 South ports into this switch}}
    aie.connect<South : 0, DMA : 0>
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  %0 = aie.shim_mux(%s) {
  // expected-error@+1 {{cannot connect DMA:0 to DMA:1}}
    aie.connect<DMA : 0, DMA : 1>
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  %0 = aie.shim_mux(%s) {
  // expected-error@+1 {{cannot be inside aie.shim_mux}}
    %l = aie.lock(%t, 1)
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  // expected-error@+1 {{expected the memref that one object is, found 'i32'}}
  aie.objectfifo @a(%s, {%t}, 2 : i32) : !aie.objectfifo<i32>
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  // expected-error@+1 {{expected a !aie.objectfifo type, found 'memref<4xi32>'}}
  aie.objectfifo @a(%s, {%t}, 2 : i32) : memref<4xi32>
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  // expected-error@+1 {{expects at least one consumer}}
  aie.objectfifo @a(%s, {}, 2 : i32) : !aie.objectfifo<memref<4xi32>>
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  // expected-error@+1 {{expects its depth to be a positive integer or a list of them}}
  aie.objectfifo @a(%s, {%t}, 0 : i32) : !aie.objectfifo<memref<4xi32>>
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  // expected-error@+1 {{expects as many depths as ends (2), found 3}}
  aie.objectfifo @a(%s, {%t}, [1 : i32, 2 : i32, 2 : i32]) : !aie.objectfifo<memref<4xi32>>
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  // expected-error@+1 {{expects an initial value for each of its 2 objects, found 1}}
  aie.objectfifo @a(%t, {%u}, 2 : i32) : !aie.objectfifo<memref<4xi32>> = [dense<0>]
}

// -----

module {
  aie.device(npu1) {
    %l = arith.constant 1 : index
  // expected-error@+1 {{expects its tiles to be made by aie.tile or aie.logical_tile}}
    aie.objectfifo @a(%l, {%l}, 2 : i32) : !aie.objectfifo<memref<4xi32>>
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  aie.objectfifo @in(%s, {%m}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @out(%m, {%t}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @out2(%m, {%u}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @in2(%t, {%m}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  // expected-error@+1 {{@none is not an object FIFO}}
  aie.objectfifo.link [@in] -> [@none] ([] [])
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  aie.objectfifo @in(%s, {%m}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @out(%m, {%t}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @out2(%m, {%u}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @in2(%t, {%m}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  // expected-error@+1 {{expects an object FIFO on each side}}
  aie.objectfifo.link [@in] -> [] ([] [])
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  aie.objectfifo @in(%s, {%m}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @out(%m, {%t}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @out2(%m, {%u}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @in2(%t, {%m}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  // expected-error@+1 {{cannot join and distribute at the same time}}
  aie.objectfifo.link [@in, @in2] -> [@out, @out2] ([0, 8] [0, 8])
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  aie.objectfifo @in(%s, {%m}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @out(%m, {%t}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @out2(%m, {%u}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @in2(%t, {%m}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  // expected-error@+1 {{@out and @out2 do not share a tile}}
  aie.objectfifo.link [@out] -> [@out2] ([] [])
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  aie.objectfifo @in(%s, {%m}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @out(%m, {%t}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @out2(%m, {%u}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @in2(%t, {%m}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  // expected-error@+1 {{expects 2 offsets in 'dst_offsets', found 1}}
  aie.objectfifo.link [@in] -> [@out, @out2] ([] [0])
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  aie.objectfifo @in(%s, {%m}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @out(%m, {%t}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @out2(%m, {%u}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @in2(%t, {%m}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  %0 = aie.core(%t) {
  // expected-error@+1 {{@none is not an object FIFO}}
    aie.objectfifo.release @none(Consume, 1)
    aie.end
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  aie.objectfifo @in(%s, {%m}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @out(%m, {%t}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @out2(%m, {%u}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @in2(%t, {%m}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  %0 = aie.core(%t) {
  // expected-error@+1 {{expects at least one object}}
    aie.objectfifo.release @out(Consume, 0)
    aie.end
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  aie.objectfifo @in(%s, {%m}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @out(%m, {%t}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @out2(%m, {%u}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @in2(%t, {%m}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  %0 = aie.core(%t) {
  // expected-error@+1 {{the tile of this core is not a producer of @out}}
    aie.objectfifo.release @out(Produce, 1)
    aie.end
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  aie.objectfifo @in(%s, {%m}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @out(%m, {%t}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @out2(%m, {%u}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @in2(%t, {%m}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  %0 = aie.core(%t) {
  // expected-error@+1 {{the tile of this core is not a consumer of @out2}}
    aie.objectfifo.release @out2(Consume, 1)
    aie.end
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  aie.objectfifo @in(%s, {%m}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @out(%m, {%t}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @out2(%m, {%u}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @in2(%t, {%m}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  %0 = aie.core(%t) {
  // expected-error@+1 {{expects objects of type 'memref<16xi32>', found '!aie.objectfifosubview<memref<8xi32>>'}}
    %1 = aie.objectfifo.acquire @out(Consume, 1) : !aie.objectfifosubview<memref<8xi32>>
    aie.end
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  aie.objectfifo @in(%s, {%m}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @out(%m, {%t}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @out2(%m, {%u}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @in2(%t, {%m}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  %0 = aie.core(%t) {
    %1 = aie.objectfifo.acquire @out(Consume, 1) : !aie.objectfifosubview<memref<16xi32>>
  // expected-error@+1 {{index 1 is out of bounds of the objects held}}
    %2 = aie.objectfifo.subview.access %1[1] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
    aie.end
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  aie.objectfifo @in(%s, {%m}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @out(%m, {%t}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @out2(%m, {%u}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @in2(%t, {%m}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  %0 = aie.core(%t) {
    %1 = aie.objectfifo.acquire @out(Consume, 1) : !aie.objectfifosubview<memref<16xi32>>
  // expected-error@+1 {{expects a result of type 'memref<16xi32>', found 'memref<8xi32>'}}
    %2 = aie.objectfifo.subview.access %1[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<8xi32>
    aie.end
  }
}

// -----

aie.device(npu1) {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  aie.objectfifo @in(%s, {%m}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @out(%m, {%t}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @out2(%m, {%u}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @in2(%t, {%m}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  // expected-error@+1 {{expects to be inside an aie.core}}
  aie.objectfifo.release @out(Consume, 1)
}

// -----

// A core that takes of a FIFO whose producer is no tile.
aie.device(npu1) {
  %a = aie.tile(0, 2)
  %b = aie.tile(0, 3)
  %z = arith.constant 1 : index
  // expected-error@+1 {{expects its tiles to be made by aie.tile or aie.logical_tile}}
  aie.objectfifo @f(%z, {%b}, 2 : i32) : !aie.objectfifo<memref<4xi32>>
  aie.core(%b) {
    // expected-error@+1 {{the tile of this core is not a producer of @f}}
    %s = aie.objectfifo.acquire @f(Produce, 1) : !aie.objectfifosubview<memref<4xi32>>
    aie.end
  }
}
