// The trace units of tiles, as register writes.
//
// Sources: the register databases of AM025 (core, memory and interface tiles of AIE2: timer
// control, trace control and events, stream switch event port selection, event broadcast and
// generation) for addresses and fields; which events are traced is what the AIR tools trace.
#include "Trace.hpp"

#include "airlite/ir/Builder.hpp"
#include "airlite/npu/device/Device.hpp"

#include <array>
#include <span>

namespace airlite::npu {

namespace {

struct RegisterWrite {
  uint32_t address;  // in the tile
  uint32_t value;
};

/// Events of one kind of tile that trace units see.
struct TraceUnit {
  uint32_t timerControl, traceControl0, traceControl1, traceEvents, portSelection;
  uint8_t start;                  // event: broadcast 15
  std::array<uint8_t, 8> events;  // in the slots of the trace unit
  std::array<uint8_t, 8> ports;   // that port events are about; bit 5: out of the switch
  uint8_t numPortWords, packetType;
};

constexpr uint8_t kTrue = 1, kMaster = 0x20;
/// Core: instructions (vector 37, events 33 and 34), locks (44, 45), ports that run (75, 79).
constexpr TraceUnit kCoreUnit = {
    0x34000,          0x340D0, 0x340D4, 0x340E0, 0x3FF00, 122, {37, 34, 33, kTrue, 79, 75, 45, 44},
    {kMaster | 1, 1}, 1,       0};
/// Memory tile: ports 0 to 6 that run (80, 84, ...).
constexpr TraceUnit kMemUnit = {0x94000,
                                0x940D0,
                                0x940D4,
                                0x940E0,
                                0xB0F00,
                                157,
                                {88, 84, 80, kTrue, 104, 100, 96, 92},
                                {kMaster, kMaster | 1, kMaster | 2, 0, 1, 2, 3},
                                2,
                                3};

/// Shim: an event of the user's (127) resets its timer and goes out as broadcast 15.
constexpr uint8_t kUserEvent = 127;
constexpr RegisterWrite kStart[] = {{0x34000, kUserEvent << 8},  // Timer_Control
                                    {0x3404C, kUserEvent},       // Event_Broadcast15
                                    {0x34008, kUserEvent}};      // Event_Generate

uint32_t word(std::span<const uint8_t> bytes) {
  uint32_t packed = 0;
  for (size_t i = 0; i < 4; ++i)
    packed |= uint32_t{bytes[i]} << (8 * i);
  return packed;
}

std::vector<RegisterWrite> writesFor(const TraceUnit& unit, int64_t packetId) {
  std::span<const uint8_t> events(unit.events), ports(unit.ports);
  std::vector<RegisterWrite> writes = {
      {unit.timerControl, uint32_t{unit.start} << 8},
      {unit.traceControl0, uint32_t{unit.start} << 16},
      {unit.traceControl1, uint32_t{unit.packetType} << 12 | static_cast<uint32_t>(packetId)},
      {unit.traceEvents, word(events.first(4))},
      {unit.traceEvents + 4, word(events.last(4))}};
  for (uint32_t i = 0; i < unit.numPortWords; ++i)
    writes.push_back({unit.portSelection + 4 * i, word(ports.subspan(size_t{4} * i, 4))});
  return writes;
}

/// A trace on its way: from the trace port of a tile to a channel of a shim's DMA.
struct TraceFlow {
  aie::TileOp from, shim;
  int64_t packetId = 0, channel = 0;
};

std::vector<TraceFlow> flowsOf(Operation& device) {
  std::vector<TraceFlow> flows;
  for (Operation& op : device.region().front().ops()) {
    if (!isa<aie::PacketFlowOp>(&op)) continue;
    aie::PacketFlowOp flow(&op);
    auto sources = flow.sources(), dests = flow.dests();
    if (sources.size() != 1 || dests.size() != 1) continue;
    bool isTrace = sources[0].port.bundle == aie::Bundle::Trace &&
                   dests[0].port.bundle == aie::Bundle::DMA &&
                   dests[0].tile.kind() == aie::TileKind::ShimNoc;
    if (isTrace)
      flows.push_back(
          {sources[0].tile, dests[0].tile, flow.packetId(), int64_t{dests[0].port.channel}});
  }
  return flows;
}

class TraceWriter {
 public:
  TraceWriter(Operation& sequence, const TraceBuffer& buffer)
      : sequence_(sequence),
        buffer_(buffer),
        builder_(Builder::atStart(sequence.region().front())) {}

  LogicalResult run() {
    std::vector<aie::TileOp> shims;
    int64_t bd = limitsOf(TileKind::Shim).bds - 1;
    for (const TraceFlow& flow : flowsOf(*sequence_.parentOp())) {
      if (!flow.from.id() || !flow.shim.id())
        return flow.from->emitOpError() << "not supported: trace of a tile without a place";
      bool isMem = flow.from.kind() == aie::TileKind::Mem;
      if (!isMem && flow.from.kind() != aie::TileKind::Core)
        return flow.from->emitOpError() << "not supported: trace of a shim";
      const TraceUnit& unit = isMem ? kMemUnit : kCoreUnit;
      for (RegisterWrite write : writesFor(unit, flow.packetId))
        create(flow.from, write);
      createDma(flow, unit, bd--);
      bool isNew = true;
      for (aie::TileOp shim : shims)
        isNew = isNew && shim.op() != flow.shim.op();
      if (isNew) shims.push_back(flow.shim);
    }
    for (aie::TileOp shim : shims)
      for (RegisterWrite write : kStart)
        create(shim, write);
    return success();
  }

 private:
  Value constant(int64_t value) {
    return builder_.constant(sequence_.location(), builder_.i32Attr(value));
  }

  void create(aie::TileOp tile, RegisterWrite write) {
    Value address = constant(write.address), value = constant(write.value);
    builder_.create(sequence_.location(), "aiex.npu.write32", {address, value}, {},
                    {builder_.named("column", builder_.i32Attr(tile.id()->col)),
                     builder_.named("row", builder_.i32Attr(tile.id()->row))});
  }

  /// A descriptor for the whole buffer, its address, and its start.
  void createDma(const TraceFlow& flow, const TraceUnit& unit, int64_t bd) {
    OperationState state(builder_.context(), sequence_.location(), "aiex.npu.writebd");
    for (const AttrDef& attr : state.def->attributes)
      if (attr.name != "burst_length")
        state.addAttribute(builder_.context(), attr.name, builder_.i32Attr(0));
    std::pair<std::string_view, int64_t> fields[] = {{"column", flow.shim.id()->col},
                                                     {"row", flow.shim.id()->row},
                                                     {"bd_id", bd},
                                                     {"buffer_length", buffer_.size / 4},
                                                     {"buffer_offset", buffer_.offset},
                                                     {"enable_packet", 1},
                                                     {"packet_id", flow.packetId},
                                                     {"packet_type", unit.packetType},
                                                     {"valid_bd", 1}};
    for (auto [name, value] : fields)
      state.addAttribute(builder_.context(), name, builder_.i32Attr(value));
    builder_.create(state);
    createPatch(flow, bd);
    const auto channel = static_cast<unsigned>(flow.channel);
    create(flow.shim, {startQueueOffset(TileKind::Shim, DmaDirection::S2mm, channel),
                       static_cast<uint32_t>(bd)});
  }

  /// The trace buffer is the one after the arguments. Addresses count from the start of the array.
  void createPatch(const TraceFlow& flow, int64_t bd) {
    const Tile tile{static_cast<uint8_t>(flow.shim.id()->col), 0};
    const uint32_t base =
        limitsOf(TileKind::Shim).bd.at(static_cast<unsigned>(bd)) + 4;  // its second word
    const int64_t address = addressOf(tile, base).value;
    auto word = IntegerType::get(builder_.context(), 32, Signedness::Unsigned);
    int64_t argument = sequence_.region().front().numArguments();
    builder_.create(sequence_.location(), "aiex.npu.address_patch", {constant(buffer_.offset)}, {},
                    {builder_.named("addr", IntegerAttr::get(word, address)),
                     builder_.named("arg_idx", builder_.i32Attr(argument))});
  }

  Operation& sequence_;
  const TraceBuffer& buffer_;
  Builder builder_;
};

}  // namespace

LogicalResult createTrace(Operation& sequence, const TraceBuffer& buffer) {
  return TraceWriter(sequence, buffer).run();
}

}  // namespace airlite::npu
