// Configurations as text: what is chosen where the design leaves it open, what stays as written.
#include "ConfigTesting.hpp"

using namespace airlite;
using namespace airlite::npu;
using namespace airlite::npu::tests;
using Catch::Matchers::Contains;

namespace {

std::string printed(const std::string& members, const CoreCompiler& compile = {}) {
  DesignText text(design(members));
  return print(configured(text, compile));
}

}  // namespace

TEST_CASE("a passthrough by a memory tile", "[npu][lower]") {
  const std::string text = printed(R"(
    %shim = aie.tile(0, 0)
    %mem = aie.tile(0, 1)
    %buf = aie.buffer(%mem) {sym_name = "buf"} : memref<64xi32>
    %free = aie.lock(%mem) {init = 1 : i32}
    %full = aie.lock(%mem) {init = 0 : i32}
    aie.memtile_dma(%mem) {
      aie.dma_start(S2MM, 0, ^in, ^next)
    ^in:
      aie.use_lock(%free, AcquireGreaterEqual)
      aie.dma_bd(%buf : memref<64xi32>)
      aie.use_lock(%full, Release)
      aie.next_bd ^in
    ^next:
      aie.dma_start(MM2S, 1, ^out, ^end, repeat_count = 3)
    ^out:
      aie.use_lock(%full, AcquireGreaterEqual)
      aie.dma_bd(%buf : memref<64xi32>)
      aie.use_lock(%free, Release)
      aie.next_bd ^end
    ^end:
      aie.end
    }
    aie.flow(%shim, DMA : 0, %mem, DMA : 0)
    aie.flow(%mem, DMA : 1, %shim, DMA : 1)
    aie.shim_dma_allocation @in(%shim, MM2S, 0)
    aie.shim_dma_allocation @out(%shim, S2MM, 1)
  )");
  CHECK_THAT(text, Contains(R"(memory (0,1)
  buffer buf: 256 bytes at 0x0
  lock 0 = 1
  lock 1 = 0
  bd 0: Buffer_Length=64 Base_Address=131072 Use_Next_BD=1 Lock_Acq_Enable=1 Lock_Acq_ID=64 Lock_Acq_Value=-1 Lock_Rel_ID=65 Lock_Rel_Value=1
  bd 24: Buffer_Length=64 Base_Address=131072 Lock_Acq_Enable=1 Lock_Acq_ID=65 Lock_Acq_Value=-1 Lock_Rel_ID=64 Lock_Rel_Value=1
  start S2MM 0 at bd 0
  start MM2S 1 at bd 24, 3 times more
)"));
  CHECK_THAT(text, Contains("in: DMA0 of (0,0) -> DMA0 of (0,1)\n") &&
                       Contains("out: DMA1 of (0,1) -> DMA1 of (0,0)\n") &&
                       Contains("tokens of (0,0): CTRL0 of (0,0) -> SOUTH0 of (0,0)\n"));
  CHECK_THAT(text, Contains("shim in: MM2S 0 of (0,0)\nshim out: S2MM 1 of (0,0)\n"));
}

TEST_CASE("open tiles share a tile: channels, locks and descriptors move", "[npu][lower]") {
  const std::string text = printed(R"(
    %core = aie.tile(2, 3)
    %a = aie.logical_tile<MemTile>(?, ?)
    %b = aie.logical_tile<MemTile>(?, ?)
    %lock_a = aie.lock(%a, 0) {init = 1 : i32}
    %lock_b = aie.lock(%b, 0) {init = 2 : i32}
    %buf_a = aie.buffer(%a) {sym_name = "a"} : memref<16xi32>
    %buf_b = aie.buffer(%b) {sym_name = "b"} : memref<16xi32>
    aie.memtile_dma(%a) {
      aie.dma_start(MM2S, 0, ^bd, ^end)
    ^bd:
      aie.use_lock(%lock_a, AcquireGreaterEqual)
      aie.dma_bd(%buf_a : memref<16xi32>) {bd_id = 3 : i32}
      aie.next_bd ^end
    ^end:
      aie.end
    }
    aie.memtile_dma(%b) {
      aie.dma_start(MM2S, 0, ^bd, ^end)
    ^bd:
      aie.use_lock(%lock_b, AcquireGreaterEqual)
      aie.dma_bd(%buf_b : memref<16xi32>) {bd_id = 3 : i32}
      aie.next_bd ^end
    ^end:
      aie.end
    }
    aie.flow(%a, DMA : 0, %core, DMA : 0)
    aie.flow(%b, DMA : 0, %core, DMA : 1)
  )");
  CHECK_THAT(text, Contains(R"(memory (2,1)
  buffer a: 64 bytes at 0x0
  buffer b: 64 bytes at 0x40
  lock 0 = 1
  lock 1 = 2
  bd 3: Buffer_Length=16 Base_Address=131072 Lock_Acq_Enable=1 Lock_Acq_ID=64 Lock_Acq_Value=-1
  bd 24: Buffer_Length=16 Base_Address=131088 Lock_Acq_Enable=1 Lock_Acq_ID=65 Lock_Acq_Value=-1
  start MM2S 0 at bd 3
  start MM2S 1 at bd 24
)"));
}

TEST_CASE("buffers of a core: the stack, addresses, banks, and the rest spread", "[npu][lower]") {
  const std::string text = printed(R"(
    %core = aie.tile(1, 2)
    %a = aie.buffer(%core) {sym_name = "a"} : memref<8xi32>
    %b = aie.buffer(%core) {sym_name = "b"} : memref<8xi32>
    %c = aie.buffer(%core) {sym_name = "c", address = 2048 : i32} : memref<8xi32>
    %d = aie.buffer(%core) {sym_name = "d", mem_bank = 3 : i32} : memref<8xi32>
    %e = aie.buffer(%core) {sym_name = "e"} : memref<5xi8> = dense<[1, 2, 3, 4, -1]>
    aie.core(%core) {
      aie.end
    } {stack_size = 2048 : i32}
  )",
                                   assembling("done\n" + repeat("nop\n", 6)));
  CHECK_THAT(text, Contains(R"(core (1,2)
  buffer a: 32 bytes at 0x4000
  buffer b: 32 bytes at 0x8000
  buffer c: 32 bytes at 0x800
  buffer d: 32 bytes at 0xc000
  buffer e: 5 bytes at 0x4020 = 2 words
  stack: 2048 bytes at 0x0
  program: )"));
}

TEST_CASE("buffers that are too large for a bank are packed", "[npu][lower]") {
  const std::string text = printed(R"(
    %core = aie.tile(1, 2)
    %a = aie.buffer(%core) {sym_name = "a"} : memref<5000xi32>
    %b = aie.buffer(%core) {sym_name = "b"} : memref<2000xi32>
    %c = aie.buffer(%core) {sym_name = "c"} : memref<9384xi32>
  )");
  CHECK_THAT(text, Contains("a: 20000 bytes at 0x92a0") && Contains("b: 8000 bytes at 0xe0c0") &&
                       Contains("c: 37536 bytes at 0x0"));
}

TEST_CASE("a buffer larger than a bank begins with one, beside the stack", "[npu][lower]") {
  const std::string text = printed(R"(
    %core = aie.tile(1, 2)
    %a = aie.buffer(%core) {sym_name = "a"} : memref<1024xi32>
    %b = aie.buffer(%core) {sym_name = "b"} : memref<8192xi32>
    aie.core(%core) {
      aie.end
    } {stack_size = 1024 : i32}
  )",
                                   assembling("done\n" + repeat("nop\n", 6)));
  CHECK_THAT(text, Contains("b: 32768 bytes at 0x4000") && Contains("a: 4096 bytes at 0xc000"));
}

TEST_CASE("accesses: sub-words, wide elements, single elements, padding", "[npu][lower]") {
  const std::string text = printed(R"(
    %mem = aie.tile(0, 1)
    %i8 = aie.buffer(%mem) {address = 0 : i32} : memref<64x16xi8>
    %i64 = aie.buffer(%mem) {address = 1024 : i32} : memref<32xi64>
    %i32 = aie.buffer(%mem) {address = 2048 : i32} : memref<64xi32>
    aie.memtile_dma(%mem) {
      aie.dma_start(MM2S, 0, ^a, ^end)
    ^a:
      aie.dma_bd(%i8 : memref<64x16xi8> offset = 16 len = 128 sizes = [8, 16] strides = [32, 1])
      aie.next_bd ^b
    ^b:
      aie.dma_bd(%i64 : memref<32xi64> len = 8 sizes = [4, 2] strides = [8, 1])
      aie.next_bd ^c
    ^c:
      aie.dma_bd(%i32 : memref<64xi32> len = 8 sizes = [1, 8, 1] strides = [99, 8, 1])
      aie.next_bd ^d
    ^d:
      aie.dma_bd(%i32 : memref<64xi32> len = 16 sizes = [2, 8] strides = [8, 1])
      aie.next_bd ^e
    ^e:
      aie.dma_bd(%i32 : memref<64xi32> len = 40 sizes = [2, 8] strides = [16, 1] pad [<const_pad_before = 1, const_pad_after = 1>, <const_pad_before = 0, const_pad_after = 2>])
      aie.next_bd ^end
    ^end:
      aie.end
    }
  )");
  CHECK_THAT(text, Contains("bd 0: Buffer_Length=32 Base_Address=131076 D1_Stepsize=8 D0_Wrap=4 "
                            "D1_Wrap=8 Next_BD=1"));
  CHECK_THAT(text, Contains("bd 1: Buffer_Length=16 Base_Address=131328 D1_Stepsize=16 D0_Wrap=4 "
                            "D1_Wrap=4 Next_BD=2"));
  CHECK_THAT(text, Contains("bd 2: Buffer_Length=8 Base_Address=131584 D0_Stepsize=8 D0_Wrap=8 "
                            "Next_BD=3"));
  CHECK_THAT(text, Contains("bd 3: Buffer_Length=16 Base_Address=131584 Next_BD=4"));
  CHECK_THAT(text, Contains("bd 4: Buffer_Length=40 Base_Address=131584 D1_Stepsize=16 D0_Wrap=8 "
                            "D1_Wrap=2 D1_Zero_Before=1 D0_Zero_After=2 D1_Zero_After=1\n"));
}

TEST_CASE("a memory tile uses memory and locks of its neighbours", "[npu][lower]") {
  const std::string text = printed(R"(
    %west = aie.tile(0, 1)
    %mem = aie.tile(1, 1)
    %c3 = arith.constant 3 : i32
    %buf = aie.buffer(%west) {address = 64 : i32} : memref<16xi32>
    %lock = aie.lock(%west, 5) {init = 0 : i32}
    aie.memtile_dma(%mem) {
      aie.dma_start(MM2S, 2, ^a, ^end)
    ^a:
      aie.use_lock(%lock, Acquire, %c3)
      aie.dma_bd(%buf : memref<16xi32>) {packet = #aie.packet_info<pkt_type = 2, pkt_id = 9>}
      aie.next_bd ^end
    ^end:
      aie.end
    }
  )");
  CHECK_THAT(text, Contains("memory (1,1)\n  bd 0: Buffer_Length=16 Base_Address=16 "
                            "Enable_Packet=1 Packet_Type=2 Packet_ID=9 Lock_Acq_Enable=1 "
                            "Lock_Acq_ID=5 Lock_Acq_Value=3\n"));
}

TEST_CASE("waiting for at least 0 is not waiting", "[npu][lower]") {
  const std::string text = printed(R"(
    %mem = aie.tile(1, 1)
    %c0 = arith.constant 0 : i32
    %buf = aie.buffer(%mem) : memref<16xi32>
    %lock = aie.lock(%mem, 5)
    aie.memtile_dma(%mem) {
      aie.dma_start(MM2S, 2, ^a, ^end)
    ^a:
      aie.use_lock(%lock, AcquireGreaterEqual, %c0)
      aie.dma_bd(%buf : memref<16xi32>)
      aie.use_lock(%lock, Release, %c0)
      aie.next_bd ^end
    ^end:
      aie.end
    }
  )");
  CHECK_THAT(text, Contains("bd 0: Buffer_Length=16 Base_Address=131072\n"));
}

TEST_CASE("what a core sees of its neighbours", "[npu][lower]") {
  DesignText text(design(R"(
    %own = aie.tile(1, 3)
    %south = aie.tile(1, 2)
    %west = aie.tile(0, 3)
    %north = aie.tile(1, 4)
    %east = aie.tile(2, 3)
    %a = aie.buffer(%own) {address = 1024 : i32} : memref<4xi32>
    %b = aie.buffer(%south) {address = 32 : i32} : memref<4xi32>
    %c = aie.buffer(%west) {address = 64 : i32} : memref<4xi32>
    %d = aie.buffer(%north) {address = 96 : i32} : memref<4xi32>
    %e = aie.buffer(%east) : memref<4xi32>
    %la = aie.lock(%own, 1)
    %lb = aie.lock(%south, 2)
    %lc = aie.lock(%west, 3)
    %ld = aie.lock(%north, 4)
    aie.core(%own) {
      aie.end
    }
  )"));
  codegen::CoreSurroundings seen;
  const auto none = [&](Operation&, const codegen::CoreSurroundings& around) {
    seen = around;
    return std::optional(codegen::CoreCode{});
  };
  const auto config = configured(text, none);
  std::vector<uint32_t> addresses;
  for (auto& [value, address] : seen.buffers)
    addresses.push_back(address);
  std::ranges::sort(addresses);
  CHECK(addresses == std::vector<uint32_t>{0x40020, 0x50040, 0x60060, 0x70400});
  std::vector<unsigned> locks;
  for (auto& [value, number] : seen.locks)
    locks.push_back(number);
  std::ranges::sort(locks);
  CHECK(locks == std::vector<unsigned>{2, 16 + 3, 32 + 4, 48 + 1});
  CHECK(seen.stackAddress == 0x70000);
  CHECK(seen.stackSize == Bytes(1024));
  CHECK(seen.constantsAddress == 0x70440);
  CHECK(seen.constantsSize == Bytes(0x10000 - 0x440));
}

TEST_CASE("cascades", "[npu][lower]") {
  const std::string text = printed(R"(
    %a = aie.tile(1, 3)
    %b = aie.tile(1, 2)
    %c = aie.tile(2, 2)
    aie.cascade_flow(%a, %b)
    aie.cascade_flow(%b, %c)
  )");
  CHECK_THAT(text, Contains("core (1,2)\n  cascade: from north to east\n") &&
                       Contains("core (1,3)\n  cascade: from north to south\n") &&
                       Contains("core (2,2)\n  cascade: from west to south\n"));
}

TEST_CASE("broadcasts are one flow, packets one for each source", "[npu][lower]") {
  const std::string text = printed(R"(
    %mem = aie.tile(0, 1)
    %a = aie.tile(0, 2)
    %b = aie.tile(0, 3)
    aie.flow(%mem, DMA : 0, %a, DMA : 0)
    aie.flow(%mem, DMA : 0, %b, DMA : 0)
    aie.packet_flow(3) {
      aie.packet_source<%a, DMA : 0>
      aie.packet_dest<%mem, DMA : 1>
    }
    aie.packet_flow(4) {
      aie.packet_source<%b, DMA : 0>
      aie.packet_dest<%mem, DMA : 1>
    }
  )");
  CHECK_THAT(text, Contains("flow_0: DMA0 of (0,1) -> DMA0 of (0,2), DMA0 of (0,3)\n"));
  CHECK_THAT(text, Contains("flow_1: DMA0 of (0,2) -> DMA1 of (0,1) [packets 3]\n") &&
                       Contains("flow_2: DMA0 of (0,3) -> DMA1 of (0,1) [packets 4]\n"));
}

TEST_CASE("tasks of a channel stand in its queue in order", "[npu][lower]") {
  const std::string text = printed(R"(
    %mem = aie.tile(1, 1)
    %buf = aie.buffer(%mem) : memref<16xi32>
    aie.memtile_dma(%mem) {
      aie.dma_start(MM2S, 0, ^a, ^second, repeat_count = 2)
    ^a:
      aie.dma_bd(%buf : memref<16xi32>)
      aie.next_bd ^end
    ^second:
      aie.dma_start(MM2S, 0, ^b, ^third)
    ^b:
      aie.dma_bd(%buf : memref<16xi32> len = 8)
      aie.next_bd ^end
    ^third:
      aie.dma_start(MM2S, 0, ^a, ^end)
    ^end:
      aie.end
    }
  )");
  CHECK_THAT(text, Contains("  start MM2S 0 at bd 0, 2 times more\n"
                            "  start MM2S 0 at bd 1\n  start MM2S 0 at bd 0\n"));
}

TEST_CASE("a channel out of order has descriptors with the numbers that packets name",
          "[npu][lower]") {
  const std::string text = printed(R"(
    %mem = aie.tile(1, 1)
    %buf = aie.buffer(%mem) : memref<16xi32>
    aie.memtile_dma(%mem) {
      aie.dma_start(S2MM, 0, ^a, ^next, repeat_count = 5) {out_of_order}
    ^a:
      aie.dma_bd(%buf : memref<16xi32> len = 8) {bd_id = 9 : i32}
      aie.next_bd ^b
    ^b:
      aie.dma_bd(%buf : memref<16xi32> offset = 8 len = 8) {bd_id = 4 : i32}
      aie.next_bd ^a
    ^next:
      aie.dma_start(MM2S, 0, ^c, ^end)
    ^c:
      aie.dma_bd(%buf : memref<16xi32>) {packet = #aie.packet_info<pkt_type = 0, pkt_id = 2>, out_of_order_id = 33 : i32}
      aie.next_bd ^end
    ^end:
      aie.end
    }
  )");
  CHECK_THAT(text, Contains("  bd 4: Buffer_Length=8 Base_Address=131080\n"));
  CHECK_THAT(text, Contains("  bd 9: Buffer_Length=8 Base_Address=131072\n"));
  CHECK_THAT(text, Contains("Out_Of_Order_BD_ID=33"));
  CHECK_THAT(text, Contains("  start S2MM 0 out of order, 6 packets\n"));
}

TEST_CASE("a core that names no size of its stack gets what its program needs", "[npu][lower]") {
  const std::string core =
      "%c = aie.tile(0, 2)\n%b = aie.buffer(%c) {sym_name = \"b\"} : memref<8xi32>\n"
      "aie.core(%c) {\n aie.end\n}";
  std::vector<int64_t> sizes;
  const CoreCompiler deep = [&](Operation& op, const codegen::CoreSurroundings& around) {
    sizes.push_back(around.stackSize.value);
    auto code = assembling("nop\n")(op, around);
    code->stackUsed = Bytes(1056);
    return code;
  };
  const std::string text = printed(core, deep);
  CHECK(sizes == std::vector<int64_t>{1024, 1088});
  CHECK_THAT(text, Contains("stack: 1088 bytes at 0x0\n"));

  DesignText full(design("%c = aie.tile(0, 2)\n%b = aie.buffer(%c) : memref<16128xi32>\n"
                         "aie.core(%c) {\n aie.end\n}"));
  CHECK_FALSE(configure(full.device(), deep));
  CHECK_THAT(full.errors(),
             Contains("3: 'aie.buffer' op of 64512 bytes finds no place on (0,2): 1 buffer and a "
                      "stack of 1088 bytes need 65600 bytes, a core tile has 65536"));
}

TEST_CASE("a design without its programs has the same places", "[npu][lower]") {
  const std::string members = "%c = aie.tile(0, 2)\n%b = aie.buffer(%c) : memref<8xi32>\n"
                              "%l = aie.lock(%c)\naie.core(%c) {\n aie.end\n}";
  DesignText text(design(members));
  const auto places = configureWithoutPrograms(text.device());
  REQUIRE(places);
  CHECK_FALSE(places->tiles.front().core);
  const ArrayConfig whole = configured(text, assembling("nop\n"));
  CHECK(whole.tiles.front().buffers.front().offset == places->tiles.front().buffers.front().offset);

  DesignText full(design("%c = aie.tile(0, 2)\n%b = aie.buffer(%c) : memref<16200xi32>\n"
                         "aie.core(%c) {\n aie.end\n}"));
  CHECK_FALSE(configureWithoutPrograms(full.device()));
  CHECK_THAT(full.errors(), Contains("finds no place on (0,2)"));
}
