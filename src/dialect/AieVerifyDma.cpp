// Rules of DMA programs: the shape of their blocks, and what a channel may run.
#include "AieInternal.hpp"

#include <algorithm>
#include <unordered_set>

namespace airlite::aie {

// -- One block ----------------------------------------------------------------------------------

static LogicalResult readLock(Operation& op, BdBlock& found) {
  bool isRelease = UseLockOp(&op).action() == LockAction::Release;
  if (isRelease != (found.bd != nullptr))
    return op.emitOpError() << "must stand "
                            << (isRelease ? "after the aie.dma_bd that it follows"
                                          : "before the aie.dma_bd that it guards");
  Operation*& slot = isRelease ? found.release : found.acquire;
  if (slot)
    return op.emitOpError() << "is the second " << (isRelease ? "release" : "acquire")
                            << " of a buffer descriptor, which has one";
  slot = &op;
  return success();
}

LogicalResult readBdBlock(Block& block, BdBlock& found) {
  for (Operation& op : block.ops()) {
    if (isa<UseLockOp>(&op)) {
      if (failed(readLock(op, found))) return failure();
    } else if (isa<DmaBdOp>(&op)) {
      if (found.bd) return op.emitOpError() << "is the second one of its block, which has one";
      found.bd = &op;
    } else if (!op.hasTrait(Trait::Terminator) && !op.hasTrait(Trait::Pure) &&
               !op.is("aie.external_buffer")) {
      return op.emitOpError() << "cannot stand in the block of a buffer descriptor";
    }
  }
  return success();
}

static Operation* bdOf(Block& block) {
  for (Operation& op : block.ops())
    if (isa<DmaBdOp>(&op)) return &op;
  return nullptr;
}

std::vector<DmaBdOp> bdChain(Block* first) {
  std::vector<DmaBdOp> chain;
  std::unordered_set<Block*> seen;
  for (Block* block = first; block && seen.insert(block).second;) {
    if (Operation* bd = bdOf(*block)) chain.emplace_back(bd);
    Operation* last = block->terminator();
    block = last && last->is("aie.next_bd") ? last->successor(0) : nullptr;
  }
  return chain;
}

// -- The shape of a program -----------------------------------------------------------------------

namespace {

constexpr size_t kMaxQueuedTasks = 4;

enum class Role { Start, Descriptor, End, Bad };

Role roleOf(Block& block) {
  Operation* last = block.empty() ? nullptr : &block.back();
  if (!last) return Role::Bad;
  if (isa<DmaStartOp>(last)) return Role::Start;
  if (last->is("aie.next_bd")) return Role::Descriptor;
  if (!last->is("aie.end")) return Role::Bad;
  return bdOf(block) ? Role::Descriptor : Role::End;
}

LogicalResult verifySuccessors(Operation& last, Role role) {
  // A channel may also be started with nothing to do, for its repeat count alone.
  Role first = role == Role::Start ? roleOf(*last.successor(0)) : Role::End;
  if (first != Role::Descriptor && first != Role::End)
    return last.emitOpError() << "expects its first successor to be a buffer descriptor or aie.end";
  if (role == Role::Start && roleOf(*last.successor(1)) == Role::Descriptor)
    return last.emitOpError()
           << "expects its second successor to be another aie.dma_start or aie.end";
  bool leadsToStart = last.is("aie.next_bd") && !last.successor(0)->empty() &&
                      isa<DmaStartOp>(&last.successor(0)->back());
  if (!leadsToStart) return success();
  return last.emitOpError() << "expects a buffer descriptor or aie.end to follow, found a block "
                               "with aie.dma_start";
}

LogicalResult verifyStartBlock(Block& block) {
  for (Operation& op : block.ops())
    if (&op != &block.back() && !op.hasTrait(Trait::Pure))
      return op.emitOpError() << "cannot stand in the block of an aie.dma_start";
  return success();
}

LogicalResult verifyDescriptorBlock(Block& block) {
  BdBlock found;
  if (failed(readBdBlock(block, found))) return failure();
  if (found.bd) return success();
  return block.back().emitOpError() << "ends a block without an aie.dma_bd";
}

LogicalResult verifyBlock(Operation& op, Block& block) {
  Role role = roleOf(block);
  if (role == Role::Bad)
    return op.emitOpError() << "expects blocks to end with aie.dma_start, aie.next_bd or aie.end";
  if (block.isEntry() && role == Role::Descriptor)
    return op.emitOpError() << "expects its first block to start a channel";
  if (failed(verifySuccessors(block.back(), role))) return failure();
  if (role == Role::Start) return verifyStartBlock(block);
  return role == Role::Descriptor ? verifyDescriptorBlock(block) : success();
}

// -- What a channel runs ------------------------------------------------------------------------

LogicalResult verifyStart(DmaStartOp start, TileKind kind, const TileLimits& limits) {
  Channel channel = start.channel();
  Operation& op = *start;
  if (channel.index < 0 || channel.index >= limits.channels)
    return op.emitOpError() << "channel " << directionName(channel.direction) << " "
                            << channel.index << " does not exist: a " << tileKindName(kind)
                            << " has " << int(limits.channels) << " in each direction";
  if (start.isOutOfOrder() && channel.direction != Direction::S2MM)
    return op.emitOpError() << "only S2MM channels receive out of order";
  if (start.isOutOfOrder() && bdChain(start.firstBd()).empty())
    return op.emitOpError() << "receives out of order, and has no buffer descriptor for a packet";
  return requireRange(op, "repeat count", start.repeatCount(), 0, kMaxTaskRepeats - 1);
}

/// Packets name a descriptor by its number.
LogicalResult verifyOutOfOrder(DmaBdOp bd) {
  if (!bd.bdId())
    return bd->emitOpError() << "needs a bd_id: packets that come out of order ask for it";
  if (!bd.outOfOrderId()) return success();
  return bd->emitOpError() << "receives out of order: out_of_order_id is for who sends to it";
}

/// Channels beyond the first four of a memory tile cannot reach its neighbours.
LogicalResult verifyReach(DmaOp dma, DmaBdOp bd, Channel channel, TileKind kind) {
  BufferOp buffer = dynCast<BufferOp>(bd.buffer().definingOp());
  bool isFar = buffer && buffer.tile() && buffer.tile() != dma.tile();
  if (!isFar || kind != TileKind::Mem || channel.index < kNumNeighbourChannels) return success();
  if (buffer.tile().id() && buffer.tile().id() == dma.tile().id()) return success();
  InFlightDiagnostic diagnostic = bd->emitOpError();
  diagnostic << "is reachable from DMA channel " << channel.index
             << " and attempts to access a non-local buffer";
  diagnostic.note(buffer->location()) << "buffer";
  return diagnostic;
}

LogicalResult verifyOnChannel(DmaOp dma, DmaBdOp bd, Channel channel, TileKind kind) {
  if (channel.direction == Direction::S2MM && !bd.padding().empty())
    return bd->emitOpError() << "padding is only supported in MM2S channels";
  auto id = bd.bdId();
  bool wrongBank = id && kind == TileKind::Mem && (*id >= kMemTileBankSize) != (channel.index % 2);
  if (wrongBank)
    return bd->emitOpError() << "bd_id " << *id << " cannot be used by channel " << channel.index
                             << ": even channels of a memory tile use 0 to 23, odd ones 24 to 47";
  return verifyReach(dma, bd, channel, kind);
}

/// Where the memory of a descriptor may be: on tiles for tiles, outside for the shim.
LogicalResult verifySource(DmaBdOp bd, TileKind kind) {
  Operation* source = bd.buffer().definingOp();
  bool fits = kind == TileKind::ShimNoc ? source && source->is("aie.external_buffer")
                                        : isa<BufferOp>(source);
  if (fits) return success();
  return bd->emitOpError() << "in a " << tileKindName(kind) << " expects memory made by "
                           << (kind == TileKind::ShimNoc ? "aie.external_buffer" : "aie.buffer");
}

/// The channels of one program.
class ChannelRules {
 public:
  ChannelRules(DmaOp dma, TileKind kind) : dma_(dma), kind_(kind) {}

  LogicalResult verify() {
    const TileLimits& limits = deviceOf(*dma_).limits(kind_);
    for (Operation* op : dma_.starts())
      if (failed(verifyStart(DmaStartOp(op), kind_, limits)) || failed(claim(DmaStartOp(op))) ||
          failed(verifyChain(DmaStartOp(op))))
        return failure();
    return verifyCounts(limits);
  }

 private:
  /// Tasks of one channel wait in its queue for those before them to end.
  LogicalResult claim(DmaStartOp start) {
    Channel channel = start.channel();
    size_t before = 0;
    for (DmaStartOp other : starts_) {
      if (other.channel() != channel) continue;
      ++before;
      if (isRing(other)) return refuse(start, "again, after a chain without end");
    }
    if (before >= kMaxQueuedTasks) return refuse(start, "too often for its queue");
    starts_.push_back(start);
    return success();
  }

  static LogicalResult refuse(DmaStartOp start, std::string_view why) {
    Channel channel = start.channel();
    return start->emitOpError() << "channel " << directionName(channel.direction) << " "
                                << channel.index << " is started " << why;
  }

  static bool isRing(DmaStartOp start) {
    std::unordered_set<Block*> seen;
    Block* block = start.firstBd();
    while (block->terminator()->is("aie.next_bd")) {
      if (!seen.insert(block).second) return true;
      block = block->terminator()->successor(0);
    }
    return false;
  }

  LogicalResult verifyChain(DmaStartOp start) {
    Channel channel = start.channel();
    for (DmaBdOp bd : bdChain(start.firstBd())) {
      banks_[channel.index % 2].insert(bd.op());
      if (failed(verifyOnChannel(dma_, bd, channel, kind_)) ||
          (start.isOutOfOrder() && failed(verifyOutOfOrder(bd))))
        return failure();
    }
    return success();
  }

  LogicalResult verifyCounts(const TileLimits& limits) {
    size_t count = 0;
    for (Block& block : dma_.body().blocks()) {
      Operation* bd = bdOf(block);
      if (!bd) continue;
      ++count;
      if (failed(verifySource(DmaBdOp(bd), kind_)) || failed(claimId(DmaBdOp(bd))))
        return failure();
    }
    if (count > limits.bds) return tooMany(count, limits.bds);
    if (kind_ != TileKind::Mem) return success();
    for (auto& bank : banks_)
      if (bank.size() > kMemTileBankSize) return tooMany(bank.size(), kMemTileBankSize);
    return success();
  }

  LogicalResult claimId(DmaBdOp bd) {
    auto id = bd.bdId();
    if (!id || ids_.insert(*id).second) return success();
    return bd->emitOpError() << "bd_id " << *id << " is used more than once";
  }

  LogicalResult tooMany(size_t count, size_t most) {
    InFlightDiagnostic diagnostic = dma_->emitOpError();
    diagnostic << "has " << count << " buffer descriptors, but " << most << " exist";
    if (most == kMemTileBankSize) diagnostic << " for channels of this parity";
    return diagnostic;
  }

  DmaOp dma_;
  TileKind kind_;
  std::vector<DmaStartOp> starts_;
  std::unordered_set<Operation*> banks_[2];
  std::unordered_set<int64_t> ids_;
};

TileKind kindFor(Operation& op) {
  if (isa<MemOp>(&op)) return TileKind::Core;
  return isa<MemTileDmaOp>(&op) ? TileKind::Mem : TileKind::ShimNoc;
}

size_t numChannels(DmaOp dma) {
  std::vector<Channel> channels;
  for (Operation* start : dma.starts())
    if (Channel channel = DmaStartOp(start).channel();
        std::find(channels.begin(), channels.end(), channel) == channels.end())
      channels.push_back(channel);
  return channels.size();
}

}  // namespace

LogicalResult verifyDma(Operation& op) {
  TileOp tile;
  TileKind kind = kindFor(op);
  if (failed(requireTile(op, {kind}, tile))) return failure();
  if (op.region().empty()) return op.emitOpError() << "expects a body";
  size_t starts = numChannels(DmaOp(&op)), channels = deviceOf(op).limits(kind).channels;
  if (starts > 2 * channels)
    return op.emitOpError() << "starts " << starts << " channels, but a " << tileKindName(kind)
                            << " has " << channels << " in each direction";
  for (Block& block : op.region().blocks())
    if (failed(verifyBlock(op, block))) return failure();
  return ChannelRules(DmaOp(&op), kind).verify();
}

}  // namespace airlite::aie
