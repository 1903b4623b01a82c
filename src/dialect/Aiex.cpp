// The aiex dialect: what a runtime sequence does, as tasks on DMA channels and as single
// instructions for the NPU's command processor.
#include "AiexInternal.hpp"
#include "airlite/dialect/Dialects.hpp"

namespace airlite {

namespace aiex {
namespace {

using aie::kDirectionAttr;
using aie::kPacketInfoAttr;
using aie::kUI32Attr;
using aie::kUI64Attr;
using aie::kUI8Attr;

/// An op without results that touches the device, in a sequence.
OpDef& instruction(Dialect& d, std::string_view name) {
  return d.op(name).effects({{Effect::Write, ""}, {Effect::Sync, ""}});
}

// -- DMA tasks ----------------------------------------------------------------------------------

void defineTasks(Dialect& d) {
  d.op<ConfigureTaskOp>("dma_configure_task")
      .doc("A chain of buffer descriptors for a DMA channel of a tile, as a task that can be "
           "started. The descriptors stand in its blocks and end with aie.end.")
      .operand("tile", types::index)
      .optionalOperand("repeat_count_val", types::i32)
      .optionalOperand("bd_id_val", types::i32)
      .result("result", types::index)
      .attr("direction", kDirectionAttr)
      .attr("channel", attrs::i32)
      .defaultAttr("issue_token", attrs::boolean, "false")
      .defaultAttr("repeat_count", attrs::i32, "0 : i32")
      .optionalAttr("packet", kPacketInfoAttr)
      .region("body")
      .traits(Trait::AttrSizedOperandSegments)
      .format("`(` $tile `,` $direction `,` $channel (`,` $packet^)? `)` "
              "(`repeat` $repeat_count_val^ `:` type($repeat_count_val))? "
              "(`bd_id` $bd_id_val^ `:` type($bd_id_val))? $body attr-dict")
      .example("%0 = aiex.dma_configure_task(%shim_noc_tile_0_0, S2MM, 1) {\n"
               "  aie.dma_bd(%arg0 : memref<64xi32> offset = 0 len = 64) {bd_id = 0 : i32}\n"
               "  aie.end\n"
               "} {issue_token = true}")
      .verify(verifyConfigureTask);
  d.op<ConfigureTaskOp>("dma_configure_task_for")
      .doc("The same for the shim channel that a name stands for.")
      .optionalOperand("repeat_count_val", types::i32)
      .result("result", types::index)
      .attr("alloc", attrs::symbolRef)
      .defaultAttr("issue_token", attrs::boolean, "false")
      .defaultAttr("repeat_count", attrs::i32, "0 : i32")
      .region("body")
      .format("$alloc (`repeat` $repeat_count_val^ `:` type($repeat_count_val))? $body attr-dict")
      .example("%0 = aiex.dma_configure_task_for @air_in {\n"
               "  aie.dma_bd(%arg0 : memref<64xi32> offset = 0 len = 64)\n"
               "  aie.end\n"
               "}")
      .verify(verifyConfigureTaskFor);
  struct TaskOp {
    std::string_view name, doc, example;
    VerifyFn verify;
  };
  constexpr TaskOp kTaskOps[] = {
      {"dma_start_task", "Puts a task into the queue of its channel.", "aiex.dma_start_task(%task)",
       verifyTaskUse},
      {"dma_await_task", "Waits for the token of a task, which must issue one.",
       "aiex.dma_await_task(%task)", verifyAwait},
      {"dma_free_task", "The descriptors of a task may be used again.", "aiex.dma_free_task(%task)",
       verifyTaskUse}};
  for (const TaskOp& task : kTaskOps)
    instruction(d, task.name)
        .doc(task.doc)
        .operand("task", types::index)
        .format("`(` $task `)` attr-dict")
        .example(task.example)
        .verify(task.verify);
}

// -- Configurations and locks -------------------------------------------------------------------

void defineControl(Dialect& d) {
  d.op("configure")
      .doc("Loads a device's configuration, then runs sequences of it.")
      .attr("symbol", attrs::flatSymbolRef)
      .optionalAttr("expand_mode", attrs::any)
      .region("body")
      .traits(Trait::NoTerminator | Trait::SingleBlock)
      .parent({"aie.runtime_sequence"})
      .format("$symbol $body attr-dict")
      .example("aiex.configure @segment_0 {\n"
               "  aiex.run @sequence(%arg0) : (memref<64xi32>)\n"
               "}")
      .verify(verifyConfigure);
  instruction(d, "run")
      .doc("Runs a sequence of the device that is configured.")
      .variadicOperand("args", types::any)
      .attr("runtime_sequence_symbol", attrs::flatSymbolRef)
      .parent({"aiex.configure"})
      .format("$runtime_sequence_symbol `(` $args `)` `:` `(` type($args) `)` attr-dict")
      .example("aiex.configure @segment_0 {\n  aiex.run @sequence(%arg0) : (memref<64xi32>)\n}")
      .verify(verifyRun);
  instruction(d, "set_lock")
      .doc("Sets the value of a lock, without waiting.")
      .operand("lock", types::index)
      .attr("value", attrs::i32)
      .format("`(` $lock `,` $value `)` attr-dict")
      .example("aiex.set_lock(%lock_0_2, 1)")
      .verify(verifySetLock);
  instruction(d, "npu.load_pdi")
      .doc("Loads a device image, by the name of a device or by number.")
      .optionalAttr("device_ref", attrs::flatSymbolRef)
      .defaultAttr("id", attrs::i32, "0 : i32")
      .defaultAttr("size", attrs::i32, "0 : i32")
      .defaultAttr("address", kUI64Attr, "0 : ui64")
      .optionalAttr("expand_mode", attrs::any)
      .format("attr-dict")
      .example("aiex.npu.load_pdi {device_ref = @segment_0}")
      .verify(verifyLoadPdi);
  instruction(d, "npu.preempt")
      .doc("The sequence may be interrupted here; level 0 to 3.")
      .attr("level", kUI8Attr)
      .format("attr-dict")
      .example("aiex.npu.preempt {level = 1 : ui8}")
      .verify(verifyPreempt);
}

// -- Registers ----------------------------------------------------------------------------------

/// Where a write goes: a buffer, a tile, or an address of the whole array.
OpDef& target(OpDef& def) {
  return def.optionalAttr("buffer", attrs::flatSymbolRef)
      .optionalAttr("column", attrs::i32)
      .optionalAttr("row", attrs::i32);
}

void defineWrites(Dialect& d) {
  target(instruction(d, "npu.write32"))
      .doc("Writes a word. The address counts from the buffer or the tile that is named, else from "
           "the start of the array.")
      .operand("address", types::i32)
      .operand("value", types::i32)
      .format("`(` $address `,` $value `)` attr-dict `:` type($address) `,` type($value)")
      .example("aiex.npu.write32(%c4_i32, %c1_i32) {column = 0 : i32, row = 2 : i32} : i32, i32")
      .verify(verifyWrite);
  target(instruction(d, "npu.maskwrite32"))
      .doc("Writes the bits of a word that the mask selects.")
      .operand("address", types::i32)
      .operand("value", types::i32)
      .operand("mask", types::i32)
      .format("`(` $address `,` $value `,` $mask `)` attr-dict `:` type($address) `,` "
              "type($value) `,` type($mask)")
      .example("aiex.npu.maskwrite32(%c4_i32, %c1_i32, %c3_i32) : i32, i32, i32")
      .verify(verifyWrite);
  target(instruction(d, "npu.blockwrite"))
      .doc("Writes the words of a memref one after the other.")
      .operand("data", types::anyRankedMemRef)
      .attr("address", kUI32Attr)
      .format("`(` $data `)` attr-dict `:` type($data)")
      .example("aiex.npu.blockwrite(%0) {address = 119300 : ui32} : memref<8xi32>")
      .verify(verifyBlockWrite);
  instruction(d, "npu.rtp_write")
      .doc("Writes a runtime parameter: element `index` of a buffer.")
      .operand("value", types::i32)
      .attr("buffer", attrs::flatSymbolRef)
      .attr("index", kUI32Attr)
      .format("`(` $buffer `,` $index `,` $value `)` attr-dict `:` type($value)")
      .example("aiex.npu.rtp_write(@rtp, 0, %c1_i32) : i32")
      .verify(verifyRtpWrite);
  instruction(d, "npu.address_patch")
      .doc("Puts the address of a host buffer, plus an offset in bytes, into a register pair.")
      .operand("arg_plus", types::i32)
      .optionalOperand("addr_val", types::i32)
      .attr("addr", kUI32Attr)
      .attr("arg_idx", attrs::i32)
      .format("`(` $arg_plus `:` type($arg_plus) `)` (`addr` $addr_val^ `:` type($addr_val))? "
              "attr-dict")
      .example("aiex.npu.address_patch(%c0_i32 : i32) {addr = 119268 : ui32, arg_idx = 2 : i32}")
      .verify(verifyAddressPatch);
  instruction(d, "control_packet")
      .doc("A control packet: an operation on registers, and up to four words.")
      .attr("address", kUI32Attr)
      .optionalAttr("length", attrs::i32)
      .attr("opcode", attrs::i32)
      .attr("stream_id", attrs::i32)
      .optionalAttr("data", attrs::denseI32)
      .format("attr-dict")
      .example("aiex.control_packet {address = 126976 : ui32, data = array<i32: 1024>, "
               "length = 1 : i32, opcode = 0 : i32, stream_id = 0 : i32}")
      .verify(verifyControlPacket);
}

// -- Buffer descriptors and queues ----------------------------------------------------------------

void defineTransfers(Dialect& d) {
  OpDef& writeBd = instruction(d, "npu.writebd")
                       .doc("Writes all fields of a buffer descriptor, in words.")
                       .format("attr-dict")
                       .example("aiex.npu.writebd {column = 0 : i32, row = 0 : i32, bd_id = 15 "
                                ": i32, buffer_length = 1024 : i32, buffer_offset = 65536 : "
                                "i32, valid_bd = 1 : i32, d0_size = 0 : i32, d0_stride = 0 : "
                                "i32, d0_zero_before = 0 : i32, d0_zero_after = 0 : i32, "
                                "d1_size = 0 : i32, d1_stride = 0 : i32, d1_zero_before = 0 : "
                                "i32, d1_zero_after = 0 : i32, d2_size = 0 : i32, d2_stride = 0 "
                                ": i32, d2_zero_before = 0 : i32, d2_zero_after = 0 : i32, "
                                "iteration_current = 0 : i32, iteration_size = 0 : i32, "
                                "iteration_stride = 0 : i32, enable_packet = 0 : i32, packet_id "
                                "= 0 : i32, packet_type = 0 : i32, out_of_order_id = 0 : i32, "
                                "next_bd = 0 : i32, use_next_bd = 0 : i32, lock_acq_enable = 0 "
                                ": i32, lock_acq_id = 0 : i32, lock_acq_val = 0 : i32, "
                                "lock_rel_id = 0 : i32, lock_rel_val = 0 : i32}")
                       .verify(verifyWriteBd);
  for (std::string_view field : writeBdFields())
    writeBd.attr(field, attrs::i32);
  writeBd.defaultAttr("burst_length", attrs::i32, "0 : i32");
  instruction(d, "npu.push_queue")
      .doc("Starts a descriptor on a channel, with repetitions and an optional token.")
      .operand("repeat_count", types::i32)
      .operand("bd_id", types::i32)
      .attr("column", attrs::i32)
      .attr("row", attrs::i32)
      .attr("direction", kDirectionAttr)
      .attr("channel", attrs::i32)
      .attr("issue_token", attrs::boolean)
      .format("`(` $column `,` $row `,` $direction `:` $channel `)` `bd_id` $bd_id `repeat` "
              "$repeat_count attr-dict `:` type($bd_id) `,` type($repeat_count)")
      .example("aiex.npu.push_queue(0, 0, MM2S : 1) bd_id %c3_i32 repeat %c0_i32 "
               "{issue_token = true} : i32, i32")
      .verify(verifyPushQueue);
  instruction(d, "npu.sync")
      .doc("Waits for the tokens of a channel of each tile of a rectangle; direction 0 is S2MM, 1 "
           "is MM2S.")
      .operand("column", types::i32)
      .operand("row", types::i32)
      .operand("direction", types::i32)
      .operand("channel", types::i32)
      .operand("column_num", types::i32)
      .operand("row_num", types::i32)
      .format("`(` $column `,` $row `,` $direction `,` $channel `,` $column_num `,` $row_num `)` "
              "attr-dict `:` type(operands)")
      .example("aiex.npu.sync(%c0_i32, %c0_i32, %c0_i32, %c0_i32, %c1_i32, %c1_i32) : "
               "i32, i32, i32, i32, i32, i32")
      .verify(verifyInSequence);
  instruction(d, "npu.dma_wait")
      .doc("Waits for a token of the shim channel that a name stands for.")
      .attr("symbol", attrs::flatSymbolRef)
      .format("attr-dict")
      .example("aiex.npu.dma_wait {symbol = @air_out}")
      .verify(verifyDmaWait);
  OpDef& copy = instruction(d, "npu.dma_memcpy_nd")
                    .doc("Writes a descriptor of a shim and starts it: one side of a copy between "
                         "a host buffer and the array. Offsets, sizes and strides in elements.")
                    .operand("memref", types::anyMemRef)
                    .variadicOperand("offsets", types::i64)
                    .variadicOperand("sizes", types::i64)
                    .variadicOperand("strides", types::i64)
                    .attr("static_offsets", attrs::denseI64)
                    .attr("static_sizes", attrs::denseI64)
                    .attr("static_strides", attrs::denseI64)
                    .optionalAttr("packet", kPacketInfoAttr)
                    .attr("metadata", attrs::symbolRef)
                    .attr("id", attrs::i64)
                    .defaultAttr("issue_token", attrs::boolean, "false")
                    .defaultAttr("burst_length", attrs::i64, "0 : i64")
                    .traits(Trait::AttrSizedOperandSegments)
                    .syntax(parseMemcpy, printMemcpy)
                    .example("aiex.npu.dma_memcpy_nd(%arg0[0, 0, 0, 0][1, 1, 32, 32][0, 0, 64, 1]) "
                             "{id = 0 : i64, metadata = @air_in} : memref<32x64xi32>")
                    .verify(verifyMemcpy);
  for (std::string_view pad : {"d0_zero_before", "d1_zero_before", "d2_zero_before",
                               "d0_zero_after", "d1_zero_after", "d2_zero_after"})
    copy.defaultAttr(pad, attrs::i64, "0 : i64");
}

}  // namespace
}  // namespace aiex

void registerAiex(Context& context) {
  Dialect d(context, "aiex", "What the host has an AI Engine device do: tasks and instructions.");
  aiex::defineTasks(d);
  aiex::defineControl(d);
  aiex::defineWrites(d);
  aiex::defineTransfers(d);
}

}  // namespace airlite
