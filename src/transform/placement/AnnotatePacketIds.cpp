// air-annotate-packet-ids: which routing ids packet channels need, and the headers that hold them.
//
// Looks at each channel of type npu_dma_packet. By the elements that go in and come out its
// destinations take all of it (broadcast: one id), divide it (demux: one id for each), or there is
// only one. A channel with one destination that sends packets on to a demux must let all of its ids
// pass: on the way from a put with `dest`, or, where no put names a destination, as far as channels
// keep headers (keep_pkt_header, or several packet_ids).
//  - report: a remark at each channel. Where packet_ids are there and their number is another one,
//    there is a warning in any case, with `strict` an error.
//  - assign: a demux without packet_ids gets ids from 31 downwards that no channel uses; channels
//  on
//    the way to it get the same and keep_pkt_header. Lists that are there stay.
//  - emit-headers (with assign): a put with `dest` loses it. The id is stored as a 32-bit word at
//  the
//    start of what it sends, right after the op that writes the payload and inside of its execute,
//    so that one lock covers both. Ids in steps become a multiply-add, others a chain of selects.
//
// Declines, with an error: a demux without packet_ids to which nothing writes headers (no put with
// `dest`, no channel before it, no put from L1); a put with `dest` that leads to no demux;
// packet_ids on the way that are not those of the demux; more ids than there are; a header whose
// place, destination or buffer is not known before the payload is written.
#include "PacketRouting.hpp"
#include "airlite/device/AieDevices.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/pass/Pass.hpp"

#include <algorithm>
#include <set>

namespace airlite {

namespace {

std::string_view kindName(PacketKind kind) {
  switch (kind) {
    case PacketKind::Single: return "single-destination";
    case PacketKind::Broadcast: return "broadcast";
    case PacketKind::Demux: return "demux";
    case PacketKind::Unknown: return "unknown";
  }
  return "";
}

std::string listed(const std::vector<int64_t>& ids) {
  std::string text = "[";
  for (size_t i = 0; i < ids.size(); ++i)
    text += (i ? ", " : "") + std::to_string(ids[i]);
  return text + "]";
}

/// Stores the routing id of one put in front of its payload.
class HeaderWriter {
 public:
  HeaderWriter(Operation& put, Operation* writer, std::vector<int64_t> ids)
      : put_(put), writer_(writer), ids_(std::move(ids)), builder_(put.context()) {}

  LogicalResult run() {
    if (!writer_) return error("no op beside the put writes its payload");
    anchor_ = writer_->block() == put_.block() ? writer_ : writer_->parentOp();
    builder_.setBefore(*anchor_);
    air::Access access = air::ChannelAccessOp(&put_).access();
    Value dest = destinationOf(put_);
    auto type = access.memref.type().dynCast<MemRefType>();
    unsigned bits = type ? elementBits(type.elementType()) : 0;
    if (!bits || 32 % bits) return error("elements that do not fill a word of 32 bits");
    if (!isKnownBefore(access.memref)) return error("the buffer is known only after its payload");
    if (!isKnownBefore(dest)) return error("the destination is known only after the payload");
    std::vector<Value> place;
    Value word = wordOf(idFor(dest), type.elementType(), 32 / bits);
    if (failed(placeOf(access, type, place))) return failure();
    store(word, access.memref, place);
    put_.setOperandGroup(static_cast<unsigned>(put_.def().operandIndex("dest")), {});
    return success();
  }

 private:
  LogicalResult error(std::string_view what) {
    return put_.emitOpError() << "cannot write the routing header: " << what;
  }

  static unsigned elementBits(Type type) {
    return type.isInteger() || type.isFloat() ? type.bitWidth() : 0;
  }

  bool isKnownBefore(Value value) const {
    Operation* op = value.definingOp();
    if (!op || op->block() != anchor_->block()) return true;  // it dominates the put from outside
    return op->isBeforeInBlock(anchor_);
  }

  Value binary(std::string_view name, Value lhs, Value rhs) {
    return builder_.create(put_.location(), name, {lhs, rhs}, {lhs.type()})->result();
  }

  /// As an i32.
  Value idFor(Value dest) {
    int64_t step = ids_.size() > 1 ? ids_[1] - ids_[0] : 0;
    bool even = true;
    for (size_t i = 1; i < ids_.size(); ++i)
      even &= ids_[i] - ids_[i - 1] == step;
    Location at = put_.location();
    Value id;
    if (even) {
      id = binary("arith.muli", dest, builder_.constantIndex(at, step));
      id = binary("arith.addi", id, builder_.constantIndex(at, ids_[0]));
    } else {
      id = builder_.constantIndex(at, ids_.back());
      for (size_t i = ids_.size() - 1; i--;)
        id = selectAt(dest, static_cast<int64_t>(i), id);
    }
    return builder_.create(at, "arith.index_cast", {id}, {builder_.intType(32)})->result();
  }

  Value selectAt(Value dest, int64_t index, Value otherwise) {
    Location at = put_.location();
    Value here = builder_.constantIndex(at, index);
    Attribute equal = builder_.i64Attr(0);  // arith::CmpIPredicate::eq
    Value test = builder_
                     .create(at, "arith.cmpi", {dest, here}, {builder_.intType(1)},
                             {builder_.named("predicate", equal)})
                     ->result();
    Value id = builder_.constantIndex(at, ids_[static_cast<size_t>(index)]);
    return builder_.create(at, "arith.select", {test, id, otherwise}, {id.type()})->result();
  }

  Value wordOf(Value id, Type element, int64_t count) {
    int64_t one = 1;
    Type word = VectorType::get(builder_.context(), std::span(&one, 1), id.type());
    Type wanted = VectorType::get(builder_.context(), std::span(&count, 1), element);
    Value value = builder_.create(put_.location(), "vector.broadcast", {id}, {word})->result();
    if (word == wanted) return value;
    return builder_.create(put_.location(), "vector.bitcast", {value}, {wanted})->result();
  }

  /// Where the payload begins, as coordinates of the buffer.
  LogicalResult placeOf(const air::Access& access, MemRefType type, std::vector<Value>& place) {
    size_t rank = static_cast<size_t>(type.rank());
    if (!access.offsets.empty() && access.offsets.size() != rank)
      return error("offsets that are not coordinates of the buffer");
    for (size_t i = 0; i < rank; ++i) {
      air::IndexEntry offset = access.offsets.empty() ? air::IndexEntry{} : access.offsets[i];
      std::optional<int64_t> known = offset.known();
      if (!known && !isKnownBefore(offset.value))
        return error("the start is known only after the payload");
      place.push_back(known ? builder_.constantIndex(put_.location(), *known) : offset.value);
    }
    return success();
  }

  void store(Value word, Value memref, const std::vector<Value>& place) {
    std::vector<Value> operands{word, memref};
    operands.insert(operands.end(), place.begin(), place.end());
    Builder after = Builder::after(*writer_);
    after.create(put_.location(), "vector.store", operands, std::span<const Type>(),
                 std::vector{after.named("alignment", after.i64Attr(4))});
  }

  Operation& put_;
  Operation* writer_;
  Operation* anchor_ = nullptr;  // the writer, or the execute around it
  std::vector<int64_t> ids_;
  Builder builder_;
};

class AnnotatePacketIds : public Pass {
 public:
  AnnotatePacketIds()
      : Pass("air-annotate-packet-ids", "Finds and assigns routing ids of packet channels") {
    anchor("builtin.module");
    option("report", report_, "a remark at each packet channel");
    option("strict", strict_, "packet_ids of another number are an error");
    option("assign", assign_, "write packet_ids where there are none");
    option("emit-headers", emitHeaders_, "with assign: store the header of puts with a dest");
    example("airlite-opt --air-annotate-packet-ids='assign=true' in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    PacketRouting routing(module);
    channels_ = &routing.channels();
    for (PacketChannel& channel : *channels_) {
      if (report_) report(channel);
      if (failed(compare(channel))) return PassResult::Failed;
    }
    if (!assign_) return PassResult::Unchanged;
    if (failed(checkDestinations()) || failed(assignIds())) return PassResult::Failed;
    bool headers = false;
    if (emitHeaders_ && failed(writeHeaders(routing, headers))) return PassResult::Failed;
    if (headers) context.declareEffectChange(CountedEffect::Store, "headers of packets");
    return PassResult::Changed;
  }

 private:
  PacketChannel& at(size_t index) const { return (*channels_)[index]; }

  static std::string name(const PacketChannel& channel) {
    return "@" + std::string(channel.op.symbol());
  }

  unsigned inferred(const PacketChannel& channel) const {
    if (channel.demux) return at(*channel.demux).destinations;
    return channel.kind == PacketKind::Demux ? channel.destinations : 1;
  }

  void report(const PacketChannel& channel) const {
    InFlightDiagnostic remark = channel.op->emitRemark();
    remark << name(channel) << ": " << kindName(channel.kind) << " over " << channel.destinations
           << " destination(s)";
    if (channel.kind == PacketKind::Unknown) return;
    remark << "; infers " << inferred(channel) << " routing id(s)";
    if (channel.demux) remark << " (forwarded from the demux " << name(at(*channel.demux)) << ")";
    for (size_t i = 0; i < channel.hops.size(); ++i)
      remark << (i ? " -> " : "; fed by ") << name(at(channel.hops[i]));
  }

  LogicalResult compare(const PacketChannel& channel) const {
    size_t pinned = channel.packetIds().size();
    if (!pinned || channel.kind == PacketKind::Unknown || pinned == inferred(channel))
      return success();
    InFlightDiagnostic message = strict_ ? channel.op->emitError() : channel.op->emitWarning();
    message << "air-annotate-packet-ids disagrees with the packet_ids on " << name(channel)
            << ": inferred " << inferred(channel) << " id(s), found " << pinned;
    return success(!strict_);
  }

  LogicalResult checkDestinations() const {
    for (PacketChannel& channel : *channels_)
      for (Operation* put : channel.puts) {
        if (!destinationOf(*put) || channel.demux || channel.kind == PacketKind::Demux) continue;
        InFlightDiagnostic message = put->emitOpError();
        message << "selects a destination, but its routing domain has no demux";
        message.note(put->location())
            << name(channel) << " reaches no packet channel with more than one destination";
        if (channel.next.empty())
          message.note(put->location())
              << "no packet channel forwards " << name(channel) << "'s payload onward";
        return failure();
      }
    return success();
  }

  static bool readsL1(Operation& put) {
    return air::memoryLevel(air::ChannelAccessOp(&put).access().memref.type()) ==
           air::MemoryLevel::L1;
  }

  LogicalResult assignIds() {
    std::set<int64_t> used;
    for (PacketChannel& channel : *channels_)
      for (int64_t id : channel.packetIds())
        used.insert(id);
    for (PacketChannel& channel : *channels_) {
      if (channel.kind != PacketKind::Demux) continue;
      if (channel.packetIds().empty() && failed(allocate(channel, used))) return failure();
      for (size_t hop : channel.hops)
        if (failed(passOn(at(hop), channel))) return failure();
    }
    return success();
  }

  static LogicalResult allocate(PacketChannel& demux, std::set<int64_t>& used) {
    bool hasHeader = demux.namesDestination() || !demux.hops.empty() ||
                     std::any_of(demux.puts.begin(), demux.puts.end(),
                                 [](Operation* put) { return readsL1(*put); });
    if (!hasHeader) {
      InFlightDiagnostic message = demux.op->emitOpError();
      message << "is a packet demux whose routing header nothing upstream writes";
      message.note(demux.op->location()) << "its put reads an L2/L3 buffer";
      message.note(demux.op->location())
          << "no put naming a dest, and no forwarding hop, reaches it";
      return failure();
    }
    std::vector<int64_t> ids;
    for (int64_t id = aie::kMaxPacketId; id >= 0 && ids.size() < demux.destinations; --id)
      if (used.insert(id).second) ids.push_back(id);
    if (ids.size() < demux.destinations)
      return demux.op->emitOpError() << "needs " << demux.destinations << " routing ids, but only "
                                     << ids.size() << " are free";
    setIds(demux, ids);
    return success();
  }

  static void setIds(PacketChannel& channel, const std::vector<int64_t>& ids) {
    Builder builder(channel.op->context());
    std::vector<Attribute> list;
    for (int64_t id : ids)
      list.push_back(builder.i32Attr(id));
    channel.op->setAttr("packet_ids", ArrayAttr::get(builder.context(), list));
  }

  static LogicalResult passOn(PacketChannel& hop, const PacketChannel& demux) {
    std::vector<int64_t> ids = demux.packetIds(), own = hop.packetIds();
    hop.op->setAttr("keep_pkt_header", UnitAttr::get(hop.op->context()));
    if (own.empty()) {
      setIds(hop, ids);
      return success();
    }
    if (std::set(own.begin(), own.end()) == std::set(ids.begin(), ids.end())) return success();
    InFlightDiagnostic message = hop.op->emitOpError();
    message << "pins routing ids " << listed(own) << ", but forwards for a demux routing "
            << listed(ids);
    message.note(hop.op->location()) << "the demux is " << name(demux);
    message.note(hop.op->location()) << "a hop must admit exactly the ids the demux keys on";
    message.note(hop.op->location()) << "the order of a hop's list is not checked";
    return failure();
  }

  LogicalResult writeHeaders(const PacketRouting& routing, bool& written) const {
    for (PacketChannel& channel : *channels_)
      for (Operation* put : channel.puts) {
        if (!destinationOf(*put)) continue;
        const PacketChannel& demux = channel.demux ? at(*channel.demux) : channel;
        if (failed(HeaderWriter(*put, routing.payloadWriter(*put), demux.packetIds()).run()))
          return failure();
        written = true;
      }
    return success();
  }

  bool report_ = false;
  bool strict_ = false;
  bool assign_ = false;
  bool emitHeaders_ = true;
  std::vector<PacketChannel>* channels_ = nullptr;
};

}  // namespace

void registerAnnotatePacketIds(PassRegistry& registry) { registry.add<AnnotatePacketIds>(); }

}  // namespace airlite
