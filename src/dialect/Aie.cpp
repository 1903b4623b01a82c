// The aie dialect: the definition of each op.
#include "AieInternal.hpp"
#include "airlite/dialect/Dialects.hpp"

namespace airlite {

namespace aie {
namespace {

using Suggest = FunctionRef<void(Value, std::string_view)>;

// -- Printed names ------------------------------------------------------------------------------

/// `tile_0_2`, `mem_tile_0_1`, `shim_noc_tile_0_0`, `shim_pl_tile_0_0`.
void nameTile(Operation& op, Suggest suggest) {
  TileOp tile(&op);
  auto id = tile.id();
  auto kind = tile.kind();
  if (!id) return;
  std::string name = !kind                       ? "tile"
                     : kind == TileKind::Mem     ? "mem_tile"
                     : kind == TileKind::ShimNoc ? "shim_noc_tile"
                     : kind == TileKind::ShimPl  ? "shim_pl_tile"
                                                 : "tile";
  suggest(op.result(), name + "_" + std::to_string(id->col) + "_" + std::to_string(id->row));
}

void nameLogicalTile(Operation& op, Suggest suggest) {
  constexpr std::string_view kNames[] = {"logical_core", "logical_mem", "logical_shim_noc",
                                         "logical_shim_pl"};
  if (auto kind = TileOp(&op).kind()) suggest(op.result(), kNames[static_cast<size_t>(*kind)]);
}

/// `lock_0_2`: the op's own name and the place of its tile.
void nameElement(Operation& op, Suggest suggest) {
  std::string name(op.name().substr(op.name().find('.') + 1));
  TileOp tile = tileOf(op.operand(0));
  if (auto id = tile ? tile.id() : std::nullopt)
    name += "_" + std::to_string(id->col) + "_" + std::to_string(id->row);
  suggest(op.result(), name);
}

/// Locks and buffers are called by their symbol.
void nameBySymbol(Operation& op, Suggest suggest) {
  auto symbol = op.attrOf<StringAttr>("sym_name");
  if (symbol) return suggest(op.result(), symbol.value());
  if (op.numOperands()) nameElement(op, suggest);
}

// -- Tiles --------------------------------------------------------------------------------------

void defineTiles(Dialect& d) {
  d.op<DeviceOp>("device")
      .doc("A design for one device: its tiles, what stands on them, and how they are connected. "
           "Without a name it is @main.")
      .attr("device", kDeviceAttr)
      .attr("sym_name", attrs::symbolName)
      .region("body")
      .traits(Trait::Symbol | Trait::SymbolTable | Trait::IsolatedFromAbove)
      .terminatedBy("aie.end")
      .parent({"builtin.module"})
      .syntax(parseDevice, printDevice)
      .example("aie.device(npu1) @segment_0 {\n  %tile_0_2 = aie.tile(0, 2)\n}")
      .verify(verifyDevice);
  d.op<TileOp>("tile")
      .doc("The tile at a column and a row of the device. Row 0 is the shim.")
      .result("result", types::index)
      .attr("col", attrs::i32)
      .attr("row", attrs::i32)
      .optionalAttr("allocation_scheme", attrs::string)
      .traits(Trait::Pure)
      .nameResults(nameTile)
      .format("`(` $col `,` $row `)` attr-dict")
      .example("%tile_1_1 = aie.tile(1, 1)")
      .verify(verifyTile);
  d.op<TileOp>("logical_tile")
      .doc("A tile of a kind whose column or row are still to be chosen (`?`). Each is a tile of "
           "its own.")
      .result("result", types::index)
      .attr("tile_type", kTileTypeAttr)
      .optionalAttr("col", attrs::i32)
      .optionalAttr("row", attrs::i32)
      .optionalAttr("allocation_scheme", attrs::string)
      .effects({{Effect::Allocate, "result"}})
      .nameResults(nameLogicalTile)
      .syntax(parseLogicalTile, printLogicalTile)
      .example("%logical_mem = aie.logical_tile<MemTile>(?, ?)")
      .verify(verifyLogicalTile);
  d.op("end")
      .doc("Ends a region of the aie dialect.")
      .traits(Trait::Terminator | Trait::Pure)
      .format("attr-dict")
      .example("aie.end");
}

// -- Cores, locks and buffers -------------------------------------------------------------------

void defineCores(Dialect& d) {
  d.op<CoreOp>("core")
      .doc("The program of a core. Buffers and locks of the device are used as they are.")
      .operand("tile", types::index)
      .result("result", types::index)
      .defaultAttr("stack_size", attrs::i32, "1024 : i32")
      .optionalAttr("link_with", attrs::string)
      .optionalAttr("elf_file", attrs::string)
      .optionalAttr("dynamic_objfifo_lowering", attrs::boolean)
      .region("body")
      // A program of its own: constants stay inside, and its top level is one of affine dims.
      .traits(Trait::AffineScope)
      .nameResults(nameElement)
      .format("`(` $tile `)` $body attr-dict")
      .example("%core_1_1 = aie.core(%tile_1_1) {\n  aie.end\n}")
      .verify(verifyCore);
  d.op("put_cascade")
      .doc("Sends a value to the next core of the cascade; waits while it is full.")
      .operand("cascade_value", types::any)
      .effects({{Effect::Send, ""}})
      .format("`(` $cascade_value `:` type($cascade_value) `)` attr-dict")
      .example("aie.put_cascade(%0 : vector<16xi32>)")
      .verify(verifyCascadeValue);
  d.op("get_cascade")
      .doc("Takes a value from the previous core of the cascade; waits until there is one.")
      .result("cascade_value", types::any)
      .effects({{Effect::Receive, ""}})
      .format("`(` `)` attr-dict `:` type($cascade_value)")
      .example("%1 = aie.get_cascade() : vector<16xi32>")
      .verify(verifyCascadeValue);
  d.op("get_stream")
      .doc("Takes a word from a stream of the switch that ends in the core; waits until there is "
           "one. A core of AIE2 has one such stream, number 0.")
      .operand("channel", types::i32)
      .result("stream_value", types::i32)
      .effects({{Effect::Receive, ""}})
      .format("`(` $channel `:` type($channel) `)` attr-dict `:` type($stream_value)")
      .example("%1 = aie.get_stream(%c0 : i32) : i32");
}

void defineMemory(Dialect& d) {
  d.op<LockOp>("lock")
      .doc("A lock of a tile; on the second generation a counter. Without an id one is assigned "
           "later.")
      .operand("tile", types::index)
      .result("result", types::index)
      .optionalAttr("lockID", attrs::i32)
      .optionalAttr("init", attrs::i32)
      .optionalAttr("sym_name", attrs::string)
      .effects({{Effect::Allocate, "result"}})
      .nameResults(nameBySymbol)
      .format("`(` $tile (`,` $lockID^)? `)` attr-dict")
      .example("%lock_1_1 = aie.lock(%tile_1_1, 3) {init = 1 : i32}")
      .verify(verifyLock);
  d.op<UseLockOp>("use_lock")
      .doc("Waits for a lock or releases it. AcquireGreaterEqual waits until the lock is at least "
           "the value and subtracts it; Acquire waits until it equals the value; Release adds it "
           "(first generation: sets it). In a buffer descriptor the value is a constant.")
      .operand("lock", types::index)
      .optionalOperand("value", types::i32)
      .attr("action", kLockActionAttr)
      .defaultAttr("acq_en", attrs::boolean, "true")
      .effects({{Effect::Sync, "lock"}})
      .format("`(` $lock `,` $action (`,` $value^)? `)` attr-dict")
      .example("aie.use_lock(%lock_1_1, AcquireGreaterEqual, %c1_i32)")
      .verify(verifyUseLock);
  d.op<BufferOp>("buffer")
      .doc("Memory of a tile. The address, and the bank, are assigned later when absent.")
      .operand("tile", types::index)
      .result("buffer", types::anyRankedMemRef)
      .optionalAttr("sym_name", attrs::string)
      .optionalAttr("address", attrs::i32)
      .optionalAttr("mem_bank", attrs::i32)
      .optionalAttr("initial_value", attrs::denseElements)
      .nameResults(nameBySymbol)
      .syntax(parseBuffer, printBuffer)
      .example("%lut = aie.buffer(%tile_1_1) {sym_name = \"lut\"} : memref<8xi32, 2> = dense<7>")
      .verify(verifyBuffer);
  d.op("external_buffer")
      .doc("Memory outside of the array, for the DMA of a shim.")
      .result("buffer", types::anyRankedMemRef)
      .optionalAttr("sym_name", attrs::string)
      .nameResults(nameBySymbol)
      .format("attr-dict `:` type($buffer)")
      .example("%in = aie.external_buffer {sym_name = \"in\"} : memref<1024xi32>");
}

// -- DMA programs -------------------------------------------------------------------------------

constexpr std::string_view kDmaProgram = "%mem_1_1 = aie.mem(%tile_1_1) {\n"
                                         "  %0 = aie.dma_start(MM2S, 0, ^bb1, ^bb2)\n"
                                         "^bb1:\n"
                                         "  aie.dma_bd(%buf0 : memref<8xi32, 2>)\n"
                                         "  aie.next_bd ^bb1\n"
                                         "^bb2:\n"
                                         "  aie.end\n"
                                         "}";

void defineDmas(Dialect& d) {
  auto dma = [&](OpDef& def) -> OpDef& {
    return def.operand("tile", types::index)
        .result("result", types::index)
        .region("body")
        .nameResults(nameElement)
        .format("`(` $tile `)` $body attr-dict")
        .verify(verifyDma);
  };
  dma(d.op<MemOp>("mem"))
      .doc("The DMA of a core tile: aie.dma_start ops that start chains of buffer descriptors.")
      .example(kDmaProgram);
  dma(d.op<MemTileDmaOp>("memtile_dma"))
      .doc("The DMA of a memory tile, see aie.mem.")
      .example("%memtile_dma_1_1 = aie.memtile_dma(%mem_tile_1_1) {\n  aie.end\n}");
  dma(d.op<ShimDmaOp>("shim_dma"))
      .doc("The DMA of a shim tile, see aie.mem.")
      .example("%shim_dma_2_0 = aie.shim_dma(%shim_noc_tile_2_0) {\n  aie.end\n}");
  d.op<DmaStartOp>("dma_start")
      .doc("Starts a channel at a buffer descriptor, then continues with the next channel or the "
           "end. The chain runs `repeat_count` times more. Out of order, the header of each packet "
           "names the descriptor of the chain that takes it (`out_of_order_id` of who sends it), "
           "and `repeat_count` counts packets after the first.")
      .result("valid", types::i1)
      .attr("channel_dir", kDirectionAttr)
      .attr("channel_index", attrs::i32)
      .defaultAttr("repeat_count", attrs::i32, "0 : i32")
      .optionalAttr("out_of_order", attrs::unit)
      .successor("dest")
      .successor("chain")
      .traits(Trait::Terminator)
      .parent({"aie.mem", "aie.memtile_dma", "aie.shim_dma"})
      .format("`(` $channel_dir `,` $channel_index `,` $dest `,` $chain "
              "(`,` `repeat_count` `=` $repeat_count^)? `)` attr-dict")
      .example(kDmaProgram);
  d.op<DmaBdOp>("dma_bd")
      .doc("A buffer descriptor: what part of a buffer is sent or filled, in elements. Sizes and "
           "strides stand outermost first; padding adds zeros around each dimension (memory "
           "tiles). Nothing after the buffer: all of it. `out_of_order_id` is for senders of "
           "packets: the `bd_id` that an out-of-order receiver shall take them with.")
      .operand("buffer", types::anyMemRef)
      .optionalOperand("offset", types::i32)
      .optionalOperand("len", types::i32)
      .variadicOperand("sizes", types::i64)
      .variadicOperand("strides", types::i64)
      .optionalAttr("static_offset", attrs::i32)
      .optionalAttr("static_len", attrs::i32)
      .optionalAttr("static_sizes", attrs::denseI64)
      .optionalAttr("static_strides", attrs::denseI64)
      .optionalAttr("pad_dimensions", kPadLayoutArrayAttr)
      .defaultAttr("pad_value", attrs::i32, "0 : i32")
      .optionalAttr("bd_id", attrs::i32)
      .optionalAttr("packet", kPacketInfoAttr)
      .optionalAttr("out_of_order_id", attrs::i32)
      .optionalAttr("next_bd_id", attrs::i32)
      .defaultAttr("burst_length", attrs::i32, "0 : i32")
      .traits(Trait::AttrSizedOperandSegments)
      .syntax(parseDmaBd, printDmaBd)
      .example("aie.dma_bd(%buf0 : memref<64xi32, 2> offset = 0 len = 64 sizes = [4, 16] "
               "strides = [1, 4]) {packet = #aie.packet_info<pkt_type = 0, pkt_id = 3>}")
      .verify(verifyDmaBd);
  d.op("next_bd")
      .doc("Ends the block of a buffer descriptor and names the one that follows.")
      .successor("dest")
      .traits(Trait::Terminator | Trait::Pure)
      .format("$dest attr-dict")
      .example(kDmaProgram);
}

// -- Streams ------------------------------------------------------------------------------------

constexpr std::string_view kPacketFlow = "aie.packet_flow(3) {\n"
                                         "  aie.packet_source<%tile_1_1, DMA : 0>\n"
                                         "  aie.packet_dest<%tile_1_2, DMA : 1>\n"
                                         "}";

void defineFlows(Dialect& d) {
  d.op<FlowOp>("flow")
      .doc("A circuit-switched connection from a port of a tile to a port of another.")
      .operand("source", types::index)
      .operand("dest", types::index)
      .attr("source_bundle", kBundleAttr)
      .attr("source_channel", attrs::i32)
      .attr("dest_bundle", kBundleAttr)
      .attr("dest_channel", attrs::i32)
      .format("`(` $source `,` $source_bundle `:` $source_channel `,` $dest `,` $dest_bundle `:` "
              "$dest_channel `)` attr-dict")
      .example("aie.flow(%tile_1_1, DMA : 0, %tile_1_2, DMA : 1)")
      .verify(verifyFlow);
  d.op<PacketFlowOp>("packet_flow")
      .doc("A packet-switched connection for one packet id, from its sources to all of its "
           "destinations.")
      .attr("ID", kI8Attr)
      .optionalAttr("keep_pkt_header", attrs::boolean)
      .optionalAttr("priority_route", attrs::boolean)
      .region("ports")
      .terminatedBy("aie.end")
      .format("`(` $ID `)` $ports attr-dict")
      .example(kPacketFlow)
      .verify(verifyPacketFlow);
  for (std::string_view name : {"packet_source", "packet_dest"})
    d.op(name)
        .doc(name == "packet_source" ? "A port that packets of a flow come from."
                                     : "A port that packets of a flow go to.")
        .operand("tile", types::index)
        .attr("bundle", kBundleAttr)
        .attr("channel", attrs::i32)
        .parent({"aie.packet_flow"})
        .format("`<` $tile `,` $bundle `:` $channel `>` attr-dict")
        .example(kPacketFlow)
        .verify(verifyPacketEndpoint);
  d.op<CascadeFlowOp>("cascade_flow")
      .doc("Connects the cascade output of a core to the input of a core beside it.")
      .operand("source_tile", types::index)
      .operand("dest_tile", types::index)
      .format("`(` $source_tile `,` $dest_tile `)` attr-dict")
      .example("aie.cascade_flow(%tile_1_2, %tile_1_1)")
      .verify(verifyCascadeFlow);
  d.op("configure_cascade")
      .doc("Sides from which a core takes its cascade input and to which it sends its output.")
      .operand("tile", types::index)
      .attr("inputDir", kCascadeDirAttr)
      .attr("outputDir", kCascadeDirAttr)
      .parent({"aie.device"})
      .format("`(` $tile `,` $inputDir `,` $outputDir `)` attr-dict")
      .example("aie.configure_cascade(%tile_1_1, North, South)")
      .verify(verifyConfigureCascade);
  d.op<ShimDmaAllocationOp>("shim_dma_allocation")
      .doc("The shim channel that host programs name.")
      .operand("tile", types::index)
      .attr("sym_name", attrs::symbolName)
      .attr("channel_dir", kDirectionAttr)
      .attr("channel_index", attrs::i64)
      .defaultAttr("plio", attrs::boolean, "false")
      .optionalAttr("packet", kPacketInfoAttr)
      .traits(Trait::Symbol)
      .parent({"aie.device"})
      .format("$sym_name `(` $tile `,` $channel_dir `,` $channel_index `)` attr-dict")
      .example("aie.shim_dma_allocation @air_in(%shim_noc_tile_2_0, MM2S, 0)")
      .verify(verifyShimDmaAllocation);
}

void defineSwitches(Dialect& d) {
  d.op("switchbox")
      .doc("The configuration of the stream switch of a tile.")
      .operand("tile", types::index)
      .result("result", types::index)
      .region("connections")
      .terminatedBy("aie.end")
      .nameResults(nameElement)
      .format("`(` $tile `)` $connections attr-dict")
      .example("%switchbox_1_1 = aie.switchbox(%tile_1_1) {\n"
               "  aie.connect<DMA : 0, North : 1>\n"
               "}")
      .verify(verifySwitchbox);
  d.op("shim_mux")
      .doc("Connects the South ports of a shim's stream switch (North here) with its DMA, the NoC "
           "and the programmable logic.")
      .operand("tile", types::index)
      .result("result", types::index)
      .region("connections")
      .terminatedBy("aie.end")
      .nameResults(nameElement)
      .format("`(` $tile `)` $connections attr-dict")
      .example("%shim_mux_2_0 = aie.shim_mux(%shim_noc_tile_2_0) {\n"
               "  aie.connect<DMA : 0, North : 3>\n"
               "}")
      .verify(verifyShimMux);
  d.op("connect")
      .doc("A circuit-switched connection inside a switch.")
      .attr("source_bundle", kBundleAttr)
      .attr("source_channel", attrs::i32)
      .attr("dest_bundle", kBundleAttr)
      .attr("dest_channel", attrs::i32)
      .parent({"aie.switchbox", "aie.shim_mux"})
      .format("`<` $source_bundle `:` $source_channel `,` $dest_bundle `:` $dest_channel `>` "
              "attr-dict")
      .example("aie.connect<DMA : 0, North : 1>");
  d.op("amsel")
      .doc("An arbiter of a switch with a master select value.")
      .result("result", types::index)
      .attr("arbiterID", kI8Attr)
      .attr("msel", kI8Attr)
      .parent({"aie.switchbox"})
      .format("`<` $arbiterID `>` `(` $msel `)` attr-dict")
      .example("%0 = aie.amsel<5>(3)")
      .verify(verifyAmsel);
  d.op("masterset")
      .doc("A master port that packets of some master select values of one arbiter leave by.")
      .variadicOperand("amsels", types::index)
      .result("result", types::index)
      .attr("dest_bundle", kBundleAttr)
      .attr("dest_channel", attrs::i32)
      .optionalAttr("keep_pkt_header", attrs::boolean)
      .parent({"aie.switchbox"})
      .format("`(` $dest_bundle `:` $dest_channel `,` $amsels `)` attr-dict")
      .example("%0 = aie.amsel<5>(3)\n%1 = aie.masterset(East : 0, %0)");
  d.op("packet_rules")
      .doc("Where packets that enter a switch by a slave port go.")
      .attr("source_bundle", kBundleAttr)
      .attr("source_channel", attrs::i32)
      .region("rules")
      .terminatedBy("aie.end")
      .parent({"aie.switchbox"})
      .format("`(` $source_bundle `:` $source_channel `)` $rules attr-dict")
      .example("%0 = aie.amsel<5>(3)\naie.packet_rules(South : 0) {\n  aie.rule(31, 2, %0)\n}")
      .verify(verifyPacketRules);
  d.op("rule")
      .doc("Packets whose id, masked, equals the value go to the arbiter and master select value.")
      .operand("amsel", types::index)
      .attr("mask", kI8Attr)
      .attr("value", kI8Attr)
      .parent({"aie.packet_rules"})
      .format("`(` $mask `,` $value `,` $amsel `)` attr-dict")
      .example("%0 = aie.amsel<5>(3)\naie.packet_rules(South : 0) {\n  aie.rule(31, 2, %0)\n}")
      .verify(verifyRule);
}

// -- Object FIFOs -------------------------------------------------------------------------------

void defineObjectFifos(Dialect& d) {
  d.op<ObjectFifoOp>("objectfifo")
      .doc("A circular buffer of `elemNumber` objects from a producer tile to consumer tiles.")
      .operand("producerTile", types::index)
      .variadicOperand("consumerTiles", types::index)
      .attr("sym_name", attrs::symbolName)
      .attr("elemNumber", attrs::any)
      .attr("elemType", attrs::typeAttr)
      .optionalAttr("dimensionsToStream", kDimLayoutArrayAttr)
      .optionalAttr("dimensionsFromStreamPerConsumer", kDimLayoutArrayArrayAttr)
      .defaultAttr("via_DMA", attrs::boolean, "false")
      .defaultAttr("plio", attrs::boolean, "false")
      .defaultAttr("disable_synchronization", attrs::boolean, "false")
      .optionalAttr("via_shared_mem", attrs::i32)
      .optionalAttr("repeat_count", attrs::i32)
      .optionalAttr("padDimensions", kPadLayoutArrayAttr)
      .optionalAttr("init_values", attrs::array)
      .traits(Trait::Symbol)
      .parent({"aie.device"})
      .syntax(parseObjectFifo, printObjectFifo)
      .example("aie.objectfifo @of(%tile_1_1, {%tile_1_2}, 2 : i32) : "
               "!aie.objectfifo<memref<16xi32>>")
      .verify(verifyObjectFifo);
  d.op("objectfifo.link")
      .doc("Objects that arrive by the first FIFOs leave the shared tile by the second ones; with "
           "several on a side, at the given offsets.")
      .attr("fifoIns", attrs::symbolRefArray)
      .attr("fifoOuts", attrs::symbolRefArray)
      .attr("src_offsets", attrs::i64Array)
      .attr("dst_offsets", attrs::i64Array)
      .parent({"aie.device"})
      .format("$fifoIns `->` $fifoOuts `(` $src_offsets $dst_offsets `)` attr-dict")
      .example("aie.objectfifo.link [@in] -> [@out]([] [])")
      .verify(verifyObjectFifoLink);
  d.op("objectfifo.acquire")
      .doc("Waits for objects of a FIFO and holds them.")
      .result("subview", kSubview)
      .attr("port", kFifoPortAttr)
      .attr("objFifo_name", attrs::flatSymbolRef)
      .attr("size", attrs::i32)
      .effects({{Effect::Sync, ""}})
      .format("attr-dict $objFifo_name `(` $port `,` $size `)` `:` type($subview)")
      .example("%0 = aie.objectfifo.acquire @of(Consume, 1) : "
               "!aie.objectfifosubview<memref<16xi32>>")
      .verify(verifyObjectFifoAccess);
  d.op("objectfifo.release")
      .doc("Gives objects of a FIFO back, oldest first.")
      .attr("port", kFifoPortAttr)
      .attr("objFifo_name", attrs::flatSymbolRef)
      .attr("size", attrs::i32)
      .effects({{Effect::Sync, ""}})
      .format("attr-dict $objFifo_name `(` $port `,` $size `)`")
      .example("aie.objectfifo.release @of(Consume, 1)")
      .verify(verifyObjectFifoAccess);
  d.op("objectfifo.subview.access")
      .doc("One of the objects that are held.")
      .operand("subview", kSubview)
      .result("output", types::anyRankedMemRef)
      .attr("index", attrs::i32)
      .traits(Trait::Pure)
      .format("$subview `[` $index `]` attr-dict `:` type($subview) `->` type($output)")
      .example("%1 = aie.objectfifo.subview.access %0[0] : "
               "!aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>")
      .verify(verifySubviewAccess);
}

void defineSequences(Dialect& d) {
  d.op<RuntimeSequenceOp>("runtime_sequence")
      .doc("What the host has the device do, in order, with its buffers as arguments. Without a "
           "name it is @sequence. `contents` names, of each argument, the constant memref.global "
           "that "
           "it begins with (memory that the program makes for itself), or is unit.")
      .attr("sym_name", attrs::symbolName)
      .optionalAttr("contents", attrs::array)
      .region("body")
      .traits(Trait::Symbol | Trait::SingleBlock | Trait::NoTerminator | Trait::AffineScope)
      .parent({"aie.device"})
      .syntax(parseRuntimeSequence, printRuntimeSequence)
      .verify(verifyRuntimeSequence)
      .example("aie.runtime_sequence @run(%arg0: memref<64xi32>) {\n}");
}

}  // namespace
}  // namespace aie

void registerAie(Context& context) {
  Dialect d(context, "aie",
            "Designs for AI Engine devices: tiles, cores, memory, DMA programs and streams.");
  aie::defineAttributes(d);
  aie::defineTiles(d);
  aie::defineCores(d);
  aie::defineMemory(d);
  aie::defineDmas(d);
  aie::defineFlows(d);
  aie::defineSwitches(d);
  aie::defineObjectFifos(d);
  aie::defineSequences(d);
}

}  // namespace airlite
