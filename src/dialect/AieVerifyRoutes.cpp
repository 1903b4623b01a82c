// Rules of what connects tiles: flows, stream switches, cascades and object FIFOs.
#include "AieInternal.hpp"
#include "airlite/device/AieSwitches.hpp"
#include "airlite/ir/Symbols.hpp"

#include <algorithm>
#include <set>

namespace airlite::aie {

// -- Flows --------------------------------------------------------------------------------------

static std::string portText(Port port) {
  return std::string(bundleName(port.bundle)) + ":" + std::to_string(port.channel);
}

static LogicalResult verifyEndpoint(Operation& op, Endpoint end, bool out) {
  if (!end.tile)
    return op.emitOpError() << "expects its tile to be made by aie.tile or aie.logical_tile";
  auto kind = end.tile.kind();
  if (!kind) return success();  // outside of the device: reported at the tile
  unsigned count = numFlowPorts(deviceOf(op), *kind, end.port.bundle, out);
  if (end.port.channel < count) return success();
  return op.emitOpError() << (out ? "destination " : "source ") << portText(end.port)
                          << " does not exist: " << describe(end.tile) << " has " << count << " "
                          << bundleName(end.port.bundle) << (count == 1 ? " port " : " ports ")
                          << (out ? "out of" : "into") << " its stream switch";
}

LogicalResult verifyFlow(Operation& op) {
  FlowOp flow(&op);
  if (failed(verifyEndpoint(op, flow.source(), false))) return failure();
  return verifyEndpoint(op, flow.dest(), true);
}

LogicalResult verifyPacketEndpoint(Operation& op) {
  return verifyEndpoint(op, packetEndpoint(op), op.is("aie.packet_dest"));
}

/// Ops directly in `op` other than these are errors.
static LogicalResult verifyMembers(Operation& op, std::initializer_list<std::string_view> names) {
  for (Block& block : op.region().blocks())
    for (Operation& member : block.ops())
      if (!member.is("aie.end") &&
          std::find(names.begin(), names.end(), member.name()) == names.end())
        return member.emitOpError() << "cannot be inside " << op.name();
  return success();
}

LogicalResult verifyPacketFlow(Operation& op) {
  PacketFlowOp flow(&op);
  if (failed(requireRange(op, "packet id", flow.packetId(), 0, kMaxPacketId)) ||
      failed(verifyMembers(op, {"aie.packet_source", "aie.packet_dest"})))
    return failure();
  if (flow.sources().empty()) return op.emitOpError() << "has no aie.packet_source";
  if (flow.dests().empty()) return op.emitOpError() << "has no aie.packet_dest";
  return success();
}

// -- Cascade ------------------------------------------------------------------------------------

static LogicalResult verifyCascadeTile(Operation& op, TileOp tile) {
  if (!tile)
    return op.emitOpError() << "expects its tile to be made by aie.tile or aie.logical_tile";
  auto kind = tile.kind();
  if (!kind || *kind == TileKind::Core) return success();
  return op.emitOpError() << (*kind == TileKind::Mem ? "memTile" : "shimTile")
                          << " row has no cascade stream interface";
}

LogicalResult verifyCascadeFlow(Operation& op) {
  CascadeFlowOp flow(&op);
  if (failed(verifyCascadeTile(op, flow.source())) || failed(verifyCascadeTile(op, flow.dest())))
    return failure();
  auto from = flow.source().id(), to = flow.dest().id();
  if (!from || !to) return success();
  int64_t columns = std::abs(from->col - to->col), rows = std::abs(from->row - to->row);
  return columns + rows == 1 ? success() : op.emitOpError() << "tiles must be adjacent";
}

LogicalResult verifyConfigureCascade(Operation& op) {
  if (failed(verifyCascadeTile(op, tileOf(op.operand(0))))) return failure();
  auto input = static_cast<Bundle>(intAttr(op, "inputDir").value_or(0));
  auto output = static_cast<Bundle>(intAttr(op, "outputDir").value_or(0));
  // The first generation's direction alternates with the row; both sides are possible there.
  if (deviceOf(op).generation == Generation::Aie1) return success();
  if (input != Bundle::North && input != Bundle::West)
    return op.emitOpError() << "input direction must be North or West, found " << bundleName(input);
  if (output == Bundle::South || output == Bundle::East) return success();
  return op.emitOpError() << "output direction must be South or East, found " << bundleName(output);
}

// -- Switches -----------------------------------------------------------------------------------

namespace {

Port portAttr(const Operation& op, std::string_view bundle, std::string_view channel) {
  return {static_cast<Bundle>(intAttr(op, bundle).value_or(0)),
          static_cast<uint32_t>(intAttr(op, channel).value_or(0))};
}

/// What the ops inside one switch use.
class SwitchRules {
 public:
  /// `isMux`: the multiplexer of a shim, which knows circuit connections only.
  SwitchRules(Operation& op, TileKind kind, bool isMux)
      : op_(op), device_(deviceOf(op)), kind_(kind), isMux_(isMux) {}

  LogicalResult verify() {
    for (Block& block : op_.region().blocks())
      for (Operation& member : block.ops())
        if (failed(visit(member))) return failure();
    return success();
  }

 private:
  LogicalResult visit(Operation& member) {
    if (member.is("aie.connect")) return connect(member);
    if (member.is("aie.masterset")) return masterSet(member);
    if (member.is("aie.packet_rules")) return packetRules(member);
    return success();
  }

  unsigned count(Bundle bundle, bool out) const {
    if (isMux_) return numMuxPorts(bundle, out);
    const TileLimits& limits = device_.limits(kind_);
    return (out ? limits.masters : limits.slaves)[static_cast<size_t>(bundle)];
  }

  LogicalResult exists(Operation& member, Port port, bool out) {
    unsigned found = count(port.bundle, out);
    if (port.channel < found) return success();
    return member.emitOpError() << (out ? "destination " : "source ") << portText(port)
                                << " does not exist: there are " << found << " "
                                << bundleName(port.bundle) << " ports " << (out ? "out of" : "into")
                                << " this switch";
  }

  LogicalResult claim(Operation& member, std::set<std::pair<Bundle, uint32_t>>& used, Port port,
                      std::string_view what) {
    if (used.insert({port.bundle, port.channel}).second) return success();
    return member.emitOpError() << what << " " << portText(port) << " is used more than once";
  }

  LogicalResult connect(Operation& member) {
    Port from = portAttr(member, "source_bundle", "source_channel");
    Port to = portAttr(member, "dest_bundle", "dest_channel");
    if (failed(exists(member, from, false)) || failed(exists(member, to, true)) ||
        failed(claim(member, destinations_, to, "destination")))
      return failure();
    if (packetSources_.contains({from.bundle, from.channel}))
      return member.emitOpError() << "source " << portText(from) << " has packet rules";
    circuitSources_.insert({from.bundle, from.channel});
    bool isLegal = isMux_ ? from.bundle != to.bundle : isLegalConnection(device_, kind_, from, to);
    if (isLegal) return success();
    return member.emitOpError() << "the switch of a " << tileKindName(kind_) << " cannot connect "
                                << portText(from) << " to " << portText(to);
  }

  LogicalResult masterSet(Operation& member) {
    Port port = portAttr(member, "dest_bundle", "dest_channel");
    if (failed(exists(member, port, true)) ||
        failed(claim(member, destinations_, port, "destination")))
      return failure();
    if (member.numOperands() == 0) return member.emitOpError() << "expects an aie.amsel";
    std::set<int64_t> arbiters;
    for (Value value : member.operands()) {
      Operation* amsel = value.definingOp();
      if (!amsel || !amsel->is("aie.amsel"))
        return member.emitOpError() << "expects operands made by aie.amsel";
      arbiters.insert(intAttr(*amsel, "arbiterID").value_or(0));
    }
    return arbiters.size() == 1
               ? success()
               : member.emitOpError() << "a master port can only be tied to one arbiter";
  }

  LogicalResult packetRules(Operation& member) {
    Port port = portAttr(member, "source_bundle", "source_channel");
    if (failed(exists(member, port, false)) ||
        failed(claim(member, packetSources_, port, "source")))
      return failure();
    if (!circuitSources_.contains({port.bundle, port.channel})) return success();
    return member.emitOpError() << "source " << portText(port) << " has circuit connections";
  }

  Operation& op_;
  const Device& device_;
  TileKind kind_;
  bool isMux_;
  std::set<std::pair<Bundle, uint32_t>> destinations_, packetSources_, circuitSources_;
};

}  // namespace

LogicalResult verifySwitchbox(Operation& op) {
  TileOp tile;
  if (failed(requireTile(op, {TileKind::Core, TileKind::Mem, TileKind::ShimNoc, TileKind::ShimPl},
                         tile)) ||
      failed(verifyMembers(op, {"aie.connect", "aie.amsel", "aie.masterset", "aie.packet_rules"})))
    return failure();
  auto kind = tile.kind();
  return kind ? SwitchRules(op, *kind, false).verify() : success();
}

LogicalResult verifyShimMux(Operation& op) {
  TileOp tile;
  if (failed(requireTile(op, {TileKind::ShimNoc, TileKind::ShimPl}, tile)) ||
      failed(verifyMembers(op, {"aie.connect"})))
    return failure();
  return SwitchRules(op, tile.kind().value_or(TileKind::ShimNoc), true).verify();
}

LogicalResult verifyAmsel(Operation& op) {
  if (failed(
          requireRange(op, "arbiter", intAttr(op, "arbiterID").value_or(0), 0, kNumArbiters - 1)))
    return failure();
  return requireRange(op, "msel", intAttr(op, "msel").value_or(0), 0, kNumMsels - 1);
}

LogicalResult verifyPacketRules(Operation& op) {
  if (failed(verifyMembers(op, {"aie.rule"}))) return failure();
  size_t count = 0;
  for (Block& block : op.region().blocks())
    for (Operation& member : block.ops())
      count += member.is("aie.rule");
  if (count <= kNumPacketRules) return success();
  return op.emitOpError() << "has " << count << " rules, but a port holds " << kNumPacketRules;
}

LogicalResult verifyRule(Operation& op) {
  if (failed(requireRange(op, "mask", intAttr(op, "mask").value_or(0), 0, kMaxPacketId)) ||
      failed(requireRange(op, "value", intAttr(op, "value").value_or(0), 0, kMaxPacketId)))
    return failure();
  Operation* amsel = op.operand(0).definingOp();
  if (amsel && amsel->is("aie.amsel")) return success();
  return op.emitOpError() << "expects an operand made by aie.amsel";
}

// -- Object FIFOs -------------------------------------------------------------------------------

/// One number for all ends, or one for the producer and each consumer.
static LogicalResult verifyDepths(Operation& op, ObjectFifoOp fifo) {
  auto list = op.attrOf<ArrayAttr>("elemNumber");
  size_t ends = op.numOperands(), count = list ? list.size() : 1;
  if (list && count != ends)
    return op.emitOpError() << "expects as many depths as ends (" << ends << "), found " << count;
  for (size_t i = 0; i < count; ++i)
    if (fifo.depth(i) < 1)
      return op.emitOpError() << "expects its depth to be a positive integer or a list of them";
  return success();
}

static LogicalResult verifyInitialObjects(Operation& op, ObjectFifoOp fifo) {
  auto values = op.attrOf<ArrayAttr>("init_values");
  if (!values) return success();
  if (static_cast<int64_t>(values.size()) != fifo.depth(0))
    return op.emitOpError() << "expects an initial value for each of its " << fifo.depth(0)
                            << " objects, found " << values.size();
  for (Attribute value : values.value())
    if (!value.isa<DenseElementsAttr>())
      return op.emitOpError() << "expects initial values to be dense, found " << value;
  return success();
}

LogicalResult verifyObjectFifo(Operation& op) {
  ObjectFifoOp fifo(&op);
  for (Value tile : op.operands())
    if (!tileOf(tile))
      return op.emitOpError() << "expects its tiles to be made by aie.tile or aie.logical_tile";
  if (op.numOperands() < 2) return op.emitOpError() << "expects at least one consumer";
  if (!fifo.elementType()) return op.emitOpError() << "expects its type to be !aie.objectfifo";
  auto perConsumer = op.attrOf<DialectAttr>("dimensionsFromStreamPerConsumer");
  if (perConsumer && perConsumer.parameters().size() != op.numOperands() - 1)
    return op.emitOpError() << "expects dimensions for each of its " << op.numOperands() - 1
                            << " consumers, found " << perConsumer.parameters().size();
  if (failed(verifyDepths(op, fifo))) return failure();
  return verifyInitialObjects(op, fifo);
}

namespace {

ObjectFifoOp fifoNamed(Operation& from, Attribute reference) {
  return dynCast<ObjectFifoOp>(lookupSymbol(&from, reference.dynCast<SymbolRefAttr>()));
}

LogicalResult findFifos(Operation& op, std::string_view attribute,
                        std::vector<ObjectFifoOp>& fifos) {
  for (Attribute name : op.attrOf<ArrayAttr>(attribute).value()) {
    fifos.push_back(fifoNamed(op, name));
    if (!fifos.back()) return op.emitOpError() << name << " is not an object FIFO";
  }
  if (fifos.empty()) return op.emitOpError() << "expects an object FIFO on each side";
  return success();
}

LogicalResult verifyOffsets(Operation& op, std::string_view attribute, size_t fifos) {
  size_t count = op.attrOf<ArrayAttr>(attribute).size();
  bool fits = count == fifos || (fifos == 1 && count == 0);
  if (fits) return success();
  return op.emitOpError() << "expects " << fifos << " offsets in '" << attribute << "', found "
                          << count;
}

/// Two ops may stand for one place.
bool isSameTile(TileOp a, TileOp b) { return a == b || (a && b && a.id() && a.id() == b.id()); }

bool isConsumer(TileOp tile, ObjectFifoOp fifo) {
  auto consumers = fifo.consumers();
  return std::any_of(consumers.begin(), consumers.end(),
                     [&](TileOp consumer) { return isSameTile(consumer, tile); });
}

}  // namespace

LogicalResult verifyObjectFifoLink(Operation& op) {
  std::vector<ObjectFifoOp> ins, outs;
  if (failed(findFifos(op, "fifoIns", ins)) || failed(findFifos(op, "fifoOuts", outs)))
    return failure();
  if (ins.size() > 1 && outs.size() > 1)
    return op.emitOpError() << "cannot join and distribute at the same time";
  for (ObjectFifoOp in : ins)
    for (ObjectFifoOp out : outs)
      if (!isConsumer(out.producer(), in))
        return op.emitOpError() << "@" << in.name() << " and @" << out.name()
                                << " do not share a tile";
  if (failed(verifyOffsets(op, "src_offsets", ins.size()))) return failure();
  return verifyOffsets(op, "dst_offsets", outs.size());
}

LogicalResult verifyObjectFifoAccess(Operation& op) {
  Attribute name = op.attr("objFifo_name");
  ObjectFifoOp fifo = fifoNamed(op, name);
  if (!fifo) return op.emitOpError() << name << " is not an object FIFO";
  if (intAttr(op, "size").value_or(0) < 1) return op.emitOpError() << "expects at least one object";
  CoreOp core = op.parentOf<CoreOp>();
  if (!core) return op.emitOpError() << "expects to be inside an aie.core";
  bool isProducer = intAttr(op, "port").value_or(0) == 0;
  TileOp tile = core.tile();
  if (!tile || !(isProducer ? isSameTile(tile, fifo.producer()) : isConsumer(tile, fifo)))
    return op.emitOpError() << "the tile of this core is not a "
                            << (isProducer ? "producer" : "consumer") << " of " << name;
  if (op.numResults() == 0 || objectType(op.result().type()) == fifo.elementType())
    return success();
  return op.emitOpError() << "expects objects of type " << fifo.elementType() << ", found "
                          << op.result().type();
}

LogicalResult verifySubviewAccess(Operation& op) {
  MemRefType object = objectType(op.operand(0).type());
  if (op.result().type() != object)
    return op.emitOpError() << "expects a result of type " << object << ", found "
                            << op.result().type();
  int64_t index = intAttr(op, "index").value_or(0);
  Operation* acquire = op.operand(0).definingOp();
  auto held = acquire ? intAttr(*acquire, "size") : std::nullopt;
  if (index >= 0 && index < held.value_or(INT32_MAX)) return success();
  return op.emitOpError() << "index " << index << " is out of bounds of the objects held";
}

}  // namespace airlite::aie
