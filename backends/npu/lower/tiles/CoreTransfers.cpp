// The transfers of cores: their locks, and how the core uses them.
#include "CoreTransfers.hpp"

#include "CoreStream.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Builder.hpp"

#include <algorithm>
#include <deque>
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

/// Ops of the block of a transfer that runs ahead; null where there is none.
struct Uses {
  Operation* firstWait = nullptr;  // the first that must wait for it
  Operation* last = nullptr;       // that uses the memory
};

Operation* topIn(Operation* op, Block* block) {
  while (op && op->block() != block)
    op = op->parentOp();
  return op;
}

/// Whether other transfers stand between the first and the last.
bool hasOthersBetween(const std::vector<CoreSite*>& sites) {
  bool hasOthers = false;
  for (Operation* op = sites[0]->op.op(); op != sites.back()->op.op(); op = op->next())
    op->walk([&](Operation& inner) {
      bool isTransfer = isa<air::ChannelPutOp>(&inner) || isa<air::ChannelGetOp>(&inner);
      hasOthers |= isTransfer && std::none_of(sites.begin(), sites.end(), [&](CoreSite* site) {
                     return site->op.op() == &inner;
                   });
    });
  return hasOthers;
}

}  // namespace

/// The transfers of the programs of one core.
/// One class: each question about a transfer (whether it runs ahead, where it waits, which locks it
/// needs) asks about all other transfers and accesses of the core.
class TileTransfers {
 public:
  TileTransfers(Design& design, Operation& tile, Operation& core)
      : design_(design), tile_(tile), core_(core), dma_(tile, aie::TileKind::Core) {}

  LogicalResult read(CoreProgram& program) {
    LogicalResult result = success();
    roots_.push_back(program.body);
    std::vector<Operation*> ops;
    for (Operation& op : program.body->ops())
      op.walk([&](Operation& inner) { ops.push_back(&inner); }, WalkOrder::PreOrder);
    for (Operation* op : ops) {
      if (op->is("memref.dealloc"))
        deallocs_[air::bufferSource(op->operand(0)).definingOp()].push_back(op);
      else
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

  void appendSites(std::vector<Site*>& sites) {
    for (CoreSite& site : sites_)
      sites.push_back(&site);
  }

  LogicalResult lower(bool again) {
    if (sites_.empty()) return success();
    std::vector<Site*> sites;
    appendSites(sites);
    findSame();
    for (CoreSite& site : sites_)
      site.runsAhead = mayRunAhead(site);
    if (failed(dma_.choosePorts(sites, core_)) || failed(dma_.planPrograms(roots_, again)))
      return failure();
    buffers_ = design_.lastTile->next();
    for (TileDma::Port* port : dma_.ports())
      createLocks(*port);
    if (numLocks_ > limits().locks)
      return core_.emitOpError() << "needs " << numLocks_
                                 << " locks for its transfers, but its tile has "
                                 << int(limits().locks)
                                 << "; those of one channel need two in all when they move equally "
                                    "many elements";
    for (CoreSite& site : sites_)
      useLocks(site);
    dma_.splitLongPatterns(parts_);
    dma_.create(Builder::before(core_), core_.location());
    return success();
  }

  void appendEnds(std::vector<DmaEnd>& ends) const {
    dma_.appendEnds(ends);
    ends.insert(ends.end(), streams_.begin(), streams_.end());
  }

  /// Places of circuits that the core gets from, in program order, when there are too many.
  std::vector<ChannelPlace> tooManyGets() const { return tooMany(false); }

  /// Places that the core puts into or gets from.
  std::vector<ChannelPlace> placesOf(bool isPut) const {
    std::vector<ChannelPlace> places;
    for (const CoreSite& site : sites_)
      if (site.isPut == isPut && std::ranges::find(places, site.place) == places.end())
        places.push_back(site.place);
    return places;
  }

  /// Places that the core puts into, when there are more than it has DMA channels.
  std::vector<ChannelPlace> tooManyPuts() const { return tooMany(true); }

  bool uses(const ChannelPlace& place, bool isPut) const {
    return std::any_of(sites_.begin(), sites_.end(), [&](const CoreSite& site) {
      return site.isPut == isPut && site.place == place;
    });
  }

  /// What the core gets from two places in turn, or puts into them; nothing when it is not a ring, or the core does not
  /// wait in that order.
  std::optional<std::vector<StreamPart>> orderOf(const ChannelPlace& a, const ChannelPlace& b,
                                                 bool isPut, bool again) {
    std::vector<Site*> sites;
    for (CoreSite& site : sites_) {
      if (site.isPut != isPut || (site.place != a && site.place != b)) continue;
      if (site.isPacket || !ownBlockHoldsAccesses(site)) return std::nullopt;
      if (!isPut && !sites.empty() && waitsBefore(site, static_cast<CoreSite&>(*sites.back())))
        return std::nullopt;
      sites.push_back(&site);
    }
    auto ring = ringOf(sites, roots_, again);
    const size_t others = sites_.size() - sites.size();
    if (!ring || ring->size() + others > limits().bds) return std::nullopt;
    return streamOf(*ring);
  }

  /// The core reads words itself, of the place with the fewest that allows it. False: there is
  /// none.
  bool readWordsOfOnePlace() {
    const ChannelPlace* best = nullptr;
    int64_t fewest = 0;
    for (const CoreSite& site : sites_) {
      const int64_t words = wordsOf(site.place);
      if (words && (!best || words < fewest)) best = &site.place, fewest = words;
    }
    if (!best) return false;
    const ChannelPlace place = *best;
    std::vector<Operation*> gets;
    for (const CoreSite& site : sites_)
      if (site.place == place && !site.isPut) gets.push_back(site.op.op());
    size_t done = 0;
    for (CoreSite& site : sites_) {
      if (site.place != place || site.isPut) continue;
      Operation& store = readWords(site, std::span(gets).subspan(++done));
      readAccesses(store);
      streams_.push_back({place, false, &tile_, 0, &store, true});
    }
    std::erase_if(sites_, [&](const CoreSite& site) { return site.place == place && !site.isPut; });
    streams_.resize(1);
    return true;
  }

 private:
  std::vector<ChannelPlace> tooMany(bool isPut) const {
    std::vector<ChannelPlace> places = placesOf(isPut);
    if (places.size() <= limits().channels) places.clear();
    return places;
  }

  const aie::TileLimits& limits() const { return aie::deviceOf(tile_).limits(aie::TileKind::Core); }

  /// Words that the core gets from a place, those in loops counted so often; 0 when it cannot read
  /// all of them itself.
  int64_t wordsOf(const ChannelPlace& place) const {
    int64_t words = 0;
    for (const CoreSite& site : sites_) {
      if (site.place != place || site.isPut) continue;
      if (!canReadWords(site)) return 0;
      int64_t times = 1;
      for (Operation* op = site.op->parentOp(); op != &core_; op = op->parentOp())
        if (isa<scf::ForOp>(op)) times *= scf::ForOp(op).tripCount().value_or(1);
      words += times * site.pattern.length;
    }
    return words;
  }

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

  /// Other cores take turns with what they share: the DMA is done before the turn is over.
  bool isShared(const Site& site) const { return design_.sharedBuffers.count(site.memory) != 0; }

  bool mayRunAhead(const Site& site) const {
    return !isShared(site) && isAlone(site) && ownBlockHoldsAccesses(site);
  }

  /// Every access is in its block, after a get or before a put.
  bool ownBlockHoldsAccesses(const Site& site) const {
    std::vector<Access> accesses = accessesOf(site);
    return std::all_of(accesses.begin(), accesses.end(), [&](const Access& access) {
      Operation* top = topIn(access.op, site.op->block());
      if (!top) return false;
      return site.isPut ? top->isBeforeInBlock(site.op.op()) : site.op->isBeforeInBlock(top);
    });
  }

  /// The core waits for `a` before it waits for `b`, both gets whose blocks hold the accesses.
  bool waitsBefore(const CoreSite& a, const CoreSite& b) const {
    Operation *first = usesOf(a).firstWait, *second = usesOf(b).firstWait;
    first = first ? first : a.op.op();
    second = second ? second : b.op.op();
    for (Block* block = first->block(); block; block = block->parentOp()->block()) {
      Operation *ofA = topIn(first, block), *ofB = topIn(second, block);
      if (!ofB) continue;
      // It waits for one before a loop that it waits for the other in.
      return ofA == ofB ? ofA == first && ofB != second : ofA->isBeforeInBlock(ofB);
    }
    return true;
  }

  /// Transfers that are the same but for where they stand have one descriptor.
  void findSame() {
    for (CoreSite& site : sites_)
      for (CoreSite& before : sites_) {
        if (&before == &site) break;
        bool isSame = !before.sameAs && before.isPut == site.isPut && before.place == site.place &&
                      before.memory == site.memory && before.pattern == site.pattern &&
                      before.packetId == site.packetId && before.sends == site.sends;
        if (isSame) site.sameAs = &before;
      }
  }

  void createLocks(TileDma::Port& port) {
    std::vector<CoreSite*> sites;
    for (Site* site : port.sites)
      sites.push_back(static_cast<CoreSite*>(site));
    if (sites.size() > 1 && takeTurns(port, sites)) {
      createLocks(*sites[0], static_cast<int64_t>(sites.size()));
      for (CoreSite* site : sites)
        site->acquired = sites[0]->acquired, site->released = sites[0]->released;
      return waitEarly(sites);
    }
    for (CoreSite* site : sites)
      if (!site->sameAs) createLocks(*site, site->sends);
    for (CoreSite* site : sites)
      if (site->sameAs)
        site->acquired = site->sameAs->acquired, site->released = site->sameAs->released;
  }

  void createLocks(CoreSite& site, int64_t first) {
    if (numLocks_ < 0) {
      numLocks_ = 0;
      for (OpOperand& use : tile_.result().uses())
        numLocks_ += use.owner()->is("aie.lock");
    }
    bool goFirst = !site.isPut && site.runsAhead;
    // The lock that is there from the start has the higher number.
    Value& low = goFirst ? site.released : site.acquired;
    Value& high = goFirst ? site.acquired : site.released;
    low = createLock(*buffers_, tile_, numLocks_++, 0);
    high = createLock(*buffers_, tile_, numLocks_++, first);
  }

  /// One count of buffers will do for all: the core waits for them, and is through with them, in
  /// the order of the ring.
  bool takeTurns(const TileDma::Port& port, const std::vector<CoreSite*>& sites) const {
    const DmaProgram& program = port.program;
    if (!program.isRing || program.tasks[0].sites.size() != sites.size()) return false;
    for (size_t i = 0; i < sites.size(); ++i) {
      const CoreSite& site = *sites[i];
      bool isTurn = site.runsAhead && site.sends == 1 && program.tasks[0].sites[i] == sites[i] &&
                    site.op->block() == sites[0]->op->block();
      if (!isTurn) return false;
      if (i == 0) continue;
      Uses before = usesOf(*sites[i - 1]), here = usesOf(site);
      if (stands(here.firstWait, site, before.firstWait, *sites[i - 1]) ||
          (!site.isPut && stands(here.last, site, before.last, *sites[i - 1])))
        return false;
    }
    return true;
  }

  /// `a` (of a site: the transfer itself when null) stands before `b`.
  static bool stands(Operation* a, const Site& ofA, Operation* b, const Site& ofB) {
    a = a ? a : ofA.op.op();
    b = b ? b : ofB.op.op();
    return a->isBeforeInBlock(b);
  }

  /// Sends of memory that is never written wait together before the first of them, if no other
  /// transfer stands between them: each would wait for those before it anyway.
  void waitEarly(const std::vector<CoreSite*>& sites) {
    bool isWritten = std::any_of(sites.begin(), sites.end(),
                                 [&](CoreSite* site) { return usesOf(*site).firstWait; });
    if (!sites[0]->isPut || isWritten || hasOthersBetween(sites)) return;
    for (CoreSite* site : sites)
      waitAt_[site] = sites[0]->op.op();
  }

  Uses usesOf(const CoreSite& site) const {
    Uses uses;
    for (const Access& access : accessesOf(site)) {
      Operation* top = topIn(access.op, site.op->block());
      bool mustWait = access.writes || !site.isPut;
      if (mustWait && (!uses.firstWait || top->isBeforeInBlock(uses.firstWait)))
        uses.firstWait = top;
      if (!uses.last || uses.last->isBeforeInBlock(top)) uses.last = top;
    }
    if (uses.last) return uses;
    // Memory that nobody looks at is in use until it is given back.
    if (auto found = deallocs_.find(site.memory); found != deallocs_.end())
      for (Operation* op : found->second)
        if (op->block() == site.op->block() && site.op->isBeforeInBlock(op)) uses.last = op;
    return uses;
  }

  /// As late as the memory allows, since what comes before may be what the other end waits for.
  void useLocks(CoreSite& site) {
    if (!site.runsAhead) return startHere(site);
    Uses uses = usesOf(site);
    Location location = site.op->location();
    auto early = waitAt_.find(&site);
    Operation* first = early != waitAt_.end() ? early->second : uses.firstWait;
    acquire(Builder::before(first ? *first : *site.op), location, site.released, site.sends);
    if (site.isPut || !uses.last)
      release(Builder::before(*site.op), location, site.acquired, site.sends);
    else
      release(Builder::after(*uses.last), location, site.acquired, site.sends);
  }

  void startHere(CoreSite& site) {
    Location location = site.op->location();
    acquire(Builder::before(*site.op), location, site.released, site.sends);
    for (CoreSite& other : sites_) {
      bool conflicts = other.memory == site.memory && !(other.isPut && site.isPut);
      if (conflicts && !other.sameAs && other.released != site.released)
        waitUntilIdle(*site.op, other);
    }
    release(Builder::before(*site.op), location, site.acquired, site.sends);
    if (isShared(site)) return waitUntilIdle(*site.op->next(), site);
    if (site.sameAs) return;  // the accesses wait for one of them: they have one lock
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
    acquire(Builder::before(before), before.location(), site.released, site.sends);
    release(Builder::before(before), before.location(), site.released, site.sends);
  }

  Design& design_;
  Operation& tile_;
  Operation& core_;
  TileDma dma_;
  Operation* buffers_ = nullptr;  // locks stand before them
  std::vector<Block*> roots_;
  std::vector<CoreSite> sites_;
  std::deque<Site> parts_;                    // of transfers with more dimensions than a descriptor
  std::vector<DmaEnd> streams_;               // what the core reads itself
  std::map<const Site*, Operation*> waitAt_;  // where it is not at the first use
  int64_t numLocks_ = -1;                     // not counted so far
  std::map<Operation*, std::vector<Access>> accesses_;  // by the op that makes the buffer
  std::map<Operation*, std::vector<Operation*>> deallocs_;
  std::vector<Access> unknown_;  // of memory that could be any
};

CoreTransfers::CoreTransfers(Design& design) : design_(design) {}
CoreTransfers::~CoreTransfers() = default;

LogicalResult CoreTransfers::read() {
  std::map<Operation*, TileTransfers*> byTile;
  LogicalResult result = success();
  for (CoreProgram& program : design_.cores) {
    TileTransfers*& tile = byTile[program.tile];
    if (!tile)
      tile =
          tiles_
              .emplace_back(std::make_unique<TileTransfers>(design_, *program.tile, *program.core))
              .get();
    result |= tile->read(program);
  }
  return result;
}

std::vector<Site*> CoreTransfers::sites() {
  std::vector<Site*> sites;
  for (const auto& tile : tiles_)
    tile->appendSites(sites);
  return sites;
}

void CoreTransfers::fusePlaces(bool again, const std::vector<Site*>& ofL2) {
  for (const auto& tile : tiles_)
    while (fuseOnce(tile->tooManyGets(), again, ofL2)) {
    }
  for (const bool isPut : {false, true}) {
    if (!areTooMany(ofL2, !isPut)) continue;
    for (const auto& tile : tiles_)
      while (fuseOnce(tile->placesOf(isPut), again, ofL2)) {
      }
  }
}

/// Whether the memory tiles, or that of one buffer, put into or get from more places than they have DMA channels.
bool CoreTransfers::areTooMany(const std::vector<Site*>& ofL2, bool isPut) const {
  const aie::Device& device = design_.device.device();
  const int64_t channels = device.limits(aie::TileKind::Mem).channels;
  std::set<ChannelPlace> all;
  std::map<Operation*, std::set<ChannelPlace>> ofMemory;
  for (const Site* site : ofL2)
    if (site->isPut == isPut) all.insert(site->place), ofMemory[site->memory].insert(site->place);
  return std::ssize(all) > channels * device.columns * device.memRows ||
         std::ranges::any_of(
             ofMemory, [&](const auto& memory) { return std::ssize(memory.second) > channels; });
}

bool CoreTransfers::fuseOnce(const std::vector<ChannelPlace>& places, bool again,
                             const std::vector<Site*>& ofL2) {
  for (size_t i = 0; i < places.size(); ++i)
    for (size_t k = i + 1; k < places.size(); ++k) {
      if (!mayFuse(places[i], places[k], again, ofL2)) continue;
      std::vector<Site*> all = sites();
      all.insert(all.end(), ofL2.begin(), ofL2.end());
      for (Site* site : all)
        if (site->place == places[k]) site->place = places[i];
      return true;
    }
  return false;
}

bool CoreTransfers::mayFuse(const ChannelPlace& a, const ChannelPlace& b, bool again,
                            const std::vector<Site*>& ofL2) {
  std::vector<Site*> ends;
  for (Site* site : ofL2) {
    if (site->place != a && site->place != b) continue;
    if (site->isPacket || (!ends.empty() && site->isPut != ends[0]->isPut)) return false;
    ends.push_back(site);
  }
  const bool areBoth =
      std::any_of(ends.begin(), ends.end(), [&](Site* site) { return site->place == a; }) &&
      std::any_of(ends.begin(), ends.end(), [&](Site* site) { return site->place == b; });
  if (!areBoth) return false;
  auto ring = ringOf(ends, {&design_.source->region().front()}, true);
  if (!ring) return false;
  const bool isPut = !ends[0]->isPut;
  const std::vector<StreamPart> stream = streamOf(*ring);
  for (const auto& tile : tiles_) {
    if (tile->uses(a, isPut) != tile->uses(b, isPut)) return false;
    if (tile->uses(a, isPut) && tile->orderOf(a, b, isPut, again) != stream) return false;
  }
  return true;
}

void CoreTransfers::sendPackets(const std::vector<Site*>& ofL2) {
  std::set<ChannelPlace> places;
  for (const auto& tile : tiles_) {
    const std::vector<ChannelPlace> ofTile = tile->tooManyPuts();
    places.insert(ofTile.begin(), ofTile.end());
  }
  std::vector<Site*> all = sites();
  all.insert(all.end(), ofL2.begin(), ofL2.end());
  for (Site* site : all)
    site->isPacket |= places.contains(site->place) && !site->op.channel().broadcastShape();
}

void CoreTransfers::readWords() {
  for (const auto& tile : tiles_)
    if (!tile->tooManyGets().empty()) tile->readWordsOfOnePlace();
}

LogicalResult CoreTransfers::lower(bool again, std::vector<DmaEnd>& ends) {
  LogicalResult result = success();
  for (const auto& tile : tiles_) {
    result |= tile->lower(again);
    tile->appendEnds(ends);
  }
  return result;
}

}  // namespace airlite::npu
