// The words of runtime streams: those of other tools where they are known, and one example of each
// instruction.
#include "RuntimeTesting.hpp"

using namespace airlite;
using namespace airlite::npu;
using namespace airlite::npu::tests;

namespace {

using Words32 = std::vector<uint32_t>;

void isWrite(const TxnOp& op, uint32_t address, uint32_t value) {
  CHECK(op == txnWrite(address, value));
}

const std::string constants = "%c0 = arith.constant 0 : i32\n%c1 = arith.constant 1 : i32\n"
                              "%c5 = arith.constant 5 : i32\n%c8 = arith.constant 8 : i32\n";

}  // namespace

TEST_CASE("golden words: a copy of other tools", "[npu][lower][runtime]") {
  // Vector rt_dma_memcpy_nd_npu1.
  const auto result = loweredOps(
      "aiex.npu.dma_memcpy_nd(%a[1, 0, 0, 0][1, 2, 32, 32][4096, 2048, 64, 1]) {id = 0 : i64, "
      "metadata = @in} : memref<2x64x64xi32>\n",
      "memref<2x64x64xi32>");
  REQUIRE(result.ops().size() == 3);
  const Words32 bd{0x800, 0, 0, 0x02000000, 0x8200003F, 0x020007FF, 0, 0x02000000};
  CHECK(result.ops()[0] == txnBlockWrite(0x1D000, bd));
  CHECK(result.ops()[1] == txnPatch(0x1D004, 0, 16384));
  isWrite(result.ops()[2], 0x1D214, 0);
}

TEST_CASE("golden words: iteration, repeats and a token", "[npu][lower][runtime]") {
  // The example of docs/hardware/formats.md 9.2, from a real stream: 2 runs of 32768 words.
  const auto result = loweredOps(
      "aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][2, 4, 256, 32][131072, 128, 512, 1]) {id = 0 : i64, "
      "metadata = @out} : memref<512x512xi32>\naiex.npu.dma_wait {symbol = @out}\n",
      "memref<512x512xi32>");
  REQUIRE(result.ops().size() == 4);
  const Words32 bd{0x8000, 0, 0, 0x02000000, 0x900001FF, 0x0200007F, 0x0011FFFF, 0x02000000};
  CHECK(result.ops()[0] == txnBlockWrite(0x1D000, bd));
  isWrite(result.ops()[2], 0x1D204, 0x80010000);
  CHECK(result.ops()[3] == txnSync({.tile = shimTile}));
}

TEST_CASE("golden words: patches fold from argument 5 on", "[npu][lower][runtime]") {
  // Vectors txn_patch_arg4 and txn_patch_arg5_fold.
  const auto text = [](unsigned argument) {
    return "aie.device(npu1) {\naie.runtime_sequence @run(%a: memref<4xi32>, %b: memref<4xi32>, "
           "%c: memref<4xi32>, %d: memref<4xi32>, %e: memref<4xi32>, %f: memref<4xi32>) {\n"
           "%c256 = arith.constant 256 : i32\naiex.npu.address_patch(%c256 : i32) {addr = 74560 : "
           "ui32, arg_idx = " +
           std::to_string(argument) + " : i32}\n}\n}\n";
  };
  CHECK(lowered(text(4)).ops()[0] == txnPatch(0x12340, 4, 0x100));
  CHECK(lowered(text(5)).ops()[0] == txnPatch(0x12340, 5, 0x80000100));
  CHECK(lowered(text(6)).messages.front() ==
        "'aiex.npu.address_patch' op names argument 6 of a sequence that has 6");
}

TEST_CASE("golden words: an empty sequence", "[npu][lower][runtime]") {
  const auto bytes = writeTxn(loweredOps("").stream->txn);
  const std::vector<uint8_t> header{0, 1, 3, 6, 4, 1, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0};
  CHECK(std::vector<uint8_t>(bytes.begin(), bytes.end()) == header);
}

TEST_CASE("writes to registers, buffers and locks", "[npu][lower][runtime]") {
  const auto ops =
      loweredOps(constants +
                 "aiex.npu.write32(%c8, %c5) : i32, i32\n"
                 "aiex.npu.write32(%c8, %c5) {column = 1 : i32, row = 2 : i32} : i32, i32\n"
                 "aiex.npu.write32(%c1, %c5) {buffer = @rtp} : i32, i32\n"
                 "aiex.npu.maskwrite32(%c8, %c5, %c1) {column = 0 : i32, row = 0 : i32} : i32, "
                 "i32, i32\n"
                 "aiex.npu.rtp_write(@rtp, 3, %c5) : i32\n"
                 "aiex.set_lock(%go, 2)\n"
                 "aiex.npu.preempt {level = 1 : ui8}\n"
                 "aiex.npu.push_queue(0, 0, MM2S : 1) bd_id %c5 repeat %c1 {issue_token = true} : "
                 "i32, i32\n"
                 "aiex.npu.sync(%c0, %c0, %c1, %c1, %c1, %c1) : i32, i32, i32, i32, i32, i32\n")
          .ops();
  REQUIRE(ops.size() == 9);
  isWrite(ops[0], 8, 5);
  isWrite(ops[1], 0x2200008, 5);
  isWrite(ops[2], 0x200404, 5);
  CHECK(ops[3] == txnMaskWrite(8, 5, 1));
  isWrite(ops[4], 0x20040C, 5);
  isWrite(ops[5], 0x21F030, 2);
  CHECK(ops[6].code == uint8_t(TxnCode::Preempt));
  isWrite(ops[7], 0x1D21C, 0x80010005);
  CHECK(ops[8] == txnSync({shimTile, DmaDirection::Mm2s, 1, 1, 1}));
}

TEST_CASE("a block of words comes from a global", "[npu][lower][runtime]") {
  const auto result =
      lowered(designWith("%d = memref.get_global @words : memref<3xi32>\n"
                         "aiex.npu.blockwrite(%d) {address = 256 : ui32, column = 0 : i32, row = 2 "
                         ": i32} : memref<3xi32>\n",
                         "memref<4xi32>",
                         "memref.global \"private\" constant @words : memref<3xi32> = dense<[1, "
                         "-1, 7]>\n"));
  CHECK(result.ops()[0] == txnBlockWrite(0x200100, {1, 0xFFFFFFFF, 7}));
}

TEST_CASE("a descriptor by its fields", "[npu][lower][runtime]") {
  // Vector txn_npu_instgen of iree-amd-aie has these fields for BD 6 of column 3.
  const auto result = loweredOps(
      "aiex.npu.writebd {bd_id = 6 : i32, buffer_length = 1 : i32, buffer_offset = 4 : i32, column "
      "= 3 : i32, row = 0 : i32, d0_size = 5 : i32, d0_stride = 6 : i32, d0_zero_after = 0 : i32, "
      "d0_zero_before = 0 : i32, d1_size = 7 : i32, d1_stride = 8 : i32, d1_zero_after = 0 : i32, "
      "d1_zero_before = 0 : i32, d2_size = 0 : i32, d2_stride = 9 : i32, d2_zero_after = 0 : i32, "
      "d2_zero_before = 0 : i32, enable_packet = 0 : i32, iteration_current = 10 : i32, "
      "iteration_size = 11 : i32, iteration_stride = 12 : i32, lock_acq_enable = 1 : i32, "
      "lock_acq_id = 1 : i32, lock_acq_val = 2 : i32, lock_rel_id = 3 : i32, lock_rel_val = 4 : "
      "i32, next_bd = 13 : i32, out_of_order_id = 0 : i32, packet_id = 0 : i32, packet_type = 0 : "
      "i32, use_next_bd = 1 : i32, valid_bd = 1 : i32}\n");
  const TxnOp& op = result.ops()[0];
  CHECK(op.at(TxnField::AddressLow) == 0x601D0C0);
  const auto bd = decodeBd(TileKind::Shim, op.data);
  REQUIRE(bool(bd));
  CHECK(op.data[1] == 4);
  CHECK(bd->get(BdField::D0Wrap) == 5);
  CHECK(bd->get(BdField::D0Step) == 7);
  CHECK(bd->get(BdField::D2Step) == 10);
  CHECK(bd->get(BdField::IterationWrap) == 12);
  CHECK(bd->get(BdField::LockAcquireValue) == 2);
  CHECK(bd->get(BdField::NextBd) == 13);
}

TEST_CASE("tokens get the packet id of their route", "[npu][lower][runtime]") {
  const std::string ops = "aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 8][0, 0, 0, 1]) {id = 0 "
                          ": i64, metadata = @out} : memref<4096xi32>\n"
                          "aiex.npu.dma_wait {symbol = @out}\n";
  const auto result = loweredOps(ops + ops, "memref<4096xi32>", [](ArrayConfig& config) {
    config.flows.push_back({.name = "tokens",
                            .source = {shimTile, {Bundle::Ctrl, 0}},
                            .destinations = {{shimTile, {Bundle::South, 0}}},
                            .packetIds = {15}});
  });
  REQUIRE(result.count(TxnCode::MaskWrite) == 1);
  CHECK(result.ops()[2] == txnMaskWrite(0x1D200, 0xF00, 0x1F00));
}

TEST_CASE("tasks on memory tiles count their own memory and locks", "[npu][lower][runtime]") {
  const auto result =
      lowered(designWith("%c2 = arith.constant 2 : i32\n"
                         "%t = aiex.dma_configure_task(%mem, MM2S, 1) {\n"
                         "  aie.use_lock(%full, AcquireGreaterEqual)\n"
                         "  aie.dma_bd(%l2 : memref<64xi32, 1> offset = 16 len = 32)\n"
                         "  aie.use_lock(%full, Release, %c2)\n  aie.end\n} {issue_token = true}\n"
                         "aiex.dma_start_task(%t)\naiex.dma_await_task(%t)\n",
                         "memref<4xi32>", "%full = aie.lock(%mem, 5) {init = 0 : i32}\n"));
  // Odd channels have the descriptors from 24 on.
  CHECK(result.ops()[0].at(TxnField::AddressLow) == 0x1A0000 + 24 * 0x20);
  const auto bd = decodeBd(TileKind::Mem, result.ops()[0].data);
  REQUIRE(bool(bd));
  CHECK(bd->get(BdField::Base) == (0x80000 + 4096 + 64) / 4);
  CHECK(bd->get(BdField::LockAcquireId) == 69);
  CHECK(bd->get(BdField::LockAcquireValue) == -1);
  CHECK(bd->get(BdField::LockReleaseValue) == 2);
  CHECK(result.ops()[1] == txnWrite(0x1A063C, 0x80000018));
}
