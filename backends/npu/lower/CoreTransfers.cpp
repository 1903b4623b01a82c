// The transfers of cores: their locks, and how the core uses them.
#include "Dma.hpp"
#include "airlite/ir/Builder.hpp"

#include <algorithm>
#include <set>

namespace airlite::npu {

namespace {

struct Access {
  Operation* op = nullptr;
  bool writes = false;
};

/// A transfer of a core.
struct CoreSite : Site {
  bool runsAhead = false;  // its DMA need not be started each time
};

/// The transfers of the programs of one core.
class TileTransfers {
 public:
  TileTransfers(Design& design, Operation& tile, Operation& core)
      : design_(design), tile_(tile), core_(core), dma_(tile, aie::TileKind::Core) {}

  LogicalResult read(CoreProgram& program) {
    LogicalResult result = success();
    std::vector<Operation*> ops;
    for (Operation& op : program.body->ops())
      op.walk([&](Operation& inner) { ops.push_back(&inner); }, WalkOrder::PreOrder);
    for (Operation* op : ops) {
      readAccesses(*op);
      if (!isa<air::ChannelPutOp>(op) && !isa<air::ChannelGetOp>(op)) continue;
      CoreSite site;
      if (succeeded(readSite(*op, site)) && succeeded(findBuffer(site)))
        sites_.push_back(std::move(site));
      else
        result = failure();
    }
    return result;
  }

  LogicalResult lower() {
    if (sites_.empty()) return success();
    std::vector<Site*> sites;
    for (CoreSite& site : sites_) {
      site.runsAhead = mayRunAhead(site);
      sites.push_back(&site);
    }
    if (failed(dma_.choosePorts(sites, core_))) return failure();
    createLocks();
    for (CoreSite& site : sites_)
      useLocks(site);
    dma_.create(Builder::before(core_), core_.location());
    return success();
  }

  void appendEnds(std::vector<DmaEnd>& ends) const { dma_.appendEnds(ends); }

 private:
  static LogicalResult findBuffer(Site& site) {
    if (!site.memory || !site.memory->is("aie.buffer"))
      return site.op->emitOpError()
             << "not supported: a transfer of memory that the core does not own";
    site.buffer = site.memory->result();
    return success();
  }

  void readAccesses(Operation& op) {
    std::vector<EffectInstance> effects;
    bool known = effectsOf(op, effects);
    for (const EffectInstance& effect : effects)
      if (known && effect.value && effect.value.type().isa<MemRefType>() &&
          (effect.effect == Effect::Read || effect.effect == Effect::Write))
        addAccess(effect.value, op, effect.effect == Effect::Write);
    if (known) return;
    for (Value operand : op.operands())
      if (operand.type().isa<MemRefType>()) addAccess(operand, op, true);
  }

  void addAccess(Value memref, Operation& op, bool writes) {
    if (isa<air::ChannelPutOp>(&op) || isa<air::ChannelGetOp>(&op)) return;
    Operation* made = air::bufferSource(memref).definingOp();
    bool isKnown = made && made->is("aie.buffer");
    (isKnown ? accesses_[made] : unknown_).push_back({&op, writes});
  }

  /// Accesses that may be of the memory.
  std::vector<Access> accessesOf(const Site& site) const {
    std::vector<Access> all = unknown_;
    auto found = accesses_.find(site.memory);
    if (found != accesses_.end()) all.insert(all.end(), found->second.begin(), found->second.end());
    return all;
  }

  // -- Locks --------------------------------------------------------------------------------------

  bool isAlone(const Site& site) const {
    return std::count_if(sites_.begin(), sites_.end(),
                         [&](const Site& other) { return other.memory == site.memory; }) == 1;
  }

  /// Its own block holds every access, behind a get or before a put.
  bool mayRunAhead(const Site& site) const {
    std::vector<Access> accesses = accessesOf(site);
    return isAlone(site) &&
           std::all_of(accesses.begin(), accesses.end(), [&](const Access& access) {
             Operation* top = topIn(access.op, site.op->block());
             if (!top) return false;
             return site.isPut ? top->isBeforeInBlock(site.op.op()) : site.op->isBeforeInBlock(top);
           });
  }

  static Operation* topIn(Operation* op, Block* block) {
    while (op && op->block() != block)
      op = op->parentOp();
    return op;
  }

  void createLocks() {
    buffers_ = design_.lastTile->next();
    int64_t next = 0;
    for (OpOperand& use : tile_.result().uses())
      next += use.owner()->is("aie.lock");
    for (CoreSite& site : sites_) {
      bool goFirst = !site.isPut && site.runsAhead;
      // The lock that is there from the start has the higher number.
      Value& low = goFirst ? site.released : site.acquired;
      Value& high = goFirst ? site.acquired : site.released;
      low = createLock(*buffers_, tile_, next++, 0);
      high = createLock(*buffers_, tile_, next++, 1);
    }
  }

  /// As late as the memory allows, since what comes before may be what the other end waits for.
  void useLocks(CoreSite& site) {
    if (!site.runsAhead) return startHere(site);
    Operation *first = nullptr, *last = nullptr;  // that must wait; that uses the memory
    for (const Access& access : accessesOf(site)) {
      Operation* top = topIn(access.op, site.op->block());
      bool mustWait = access.writes || !site.isPut;
      if (mustWait && (!first || top->isBeforeInBlock(first))) first = top;
      if (!last || last->isBeforeInBlock(top)) last = top;
    }
    Location location = site.op->location();
    acquire(Builder::before(first ? *first : *site.op), location, site.released);
    if (site.isPut || !last)
      release(Builder::before(*site.op), location, site.acquired);
    else
      release(Builder::after(*last), location, site.acquired);
  }

  void startHere(Site& site) {
    Location location = site.op->location();
    acquire(Builder::before(*site.op), location, site.released);
    for (Site& other : sites_)
      if (&other != &site && other.memory == site.memory && !(other.isPut && site.isPut))
        waitUntilIdle(*site.op, other);
    release(Builder::before(*site.op), location, site.acquired);
    std::set<Operation*> done;
    for (const Access& access : accessesOf(site)) {
      if (!access.writes && site.isPut) continue;
      Operation* op = outermost(access.op, site.memory);
      if (done.insert(op).second) waitUntilIdle(*op, site);
    }
  }

  /// The outermost op around `op` without a transfer of `buffer` inside: waiting once before a
  /// loop is enough.
  Operation* outermost(Operation* op, Operation* buffer) {
    while (op->parentOp() != &core_) {
      Operation* parent = op->parentOp();
      bool holds = std::any_of(sites_.begin(), sites_.end(), [&](const Site& site) {
        return site.memory == buffer && parent->isProperAncestor(site.op.op());
      });
      if (holds) break;
      op = parent;
    }
    return op;
  }

  void waitUntilIdle(Operation& before, Site& site) {
    acquire(Builder::before(before), before.location(), site.released);
    release(Builder::before(before), before.location(), site.released);
  }

  Design& design_;
  Operation& tile_;
  Operation& core_;
  TileDma dma_;
  Operation* buffers_ = nullptr;  // locks stand before them
  std::vector<CoreSite> sites_;
  std::map<Operation*, std::vector<Access>> accesses_;  // by the op that makes the buffer
  std::vector<Access> unknown_;                         // of memory that could be any
};

}  // namespace

LogicalResult lowerCoreTransfers(Design& design, std::vector<DmaEnd>& ends) {
  std::vector<std::unique_ptr<TileTransfers>> tiles;
  std::map<Operation*, TileTransfers*> byTile;
  LogicalResult result = success();
  for (CoreProgram& program : design.cores) {
    TileTransfers*& tile = byTile[program.tile];
    if (!tile)
      tile =
          tiles.emplace_back(std::make_unique<TileTransfers>(design, *program.tile, *program.core))
              .get();
    result |= tile->read(program);
  }
  if (failed(result)) return result;
  for (const auto& tile : tiles) {
    result |= tile->lower();
    tile->appendEnds(ends);
  }
  return result;
}

}  // namespace airlite::npu
