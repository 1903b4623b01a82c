// Buffers and locks of L2 memory, on the memory tiles that were chosen for it.
#include "MemTiles.hpp"

#include "airlite/ir/Builder.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace airlite::npu {

Operation& createMemTile(Design& design, Location location, std::optional<int64_t> column) {
  Context& context = design.device->context();
  Builder builder(context);
  OperationState state(context, location, "aie.logical_tile");
  state.resultTypes.push_back(builder.indexType());
  state.addAttribute(context, "tile_type", keyword(context, *state.def, "tile_type", "MemTile"));
  if (column) state.addAttribute(context, "col", builder.i32Attr(*column));
  return *createTileOp(design, state);
}

std::vector<Site*> MemTiles::sites() {
  std::vector<Site*> sites;
  for (Site& site : sites_)
    sites.push_back(&site);
  return sites;
}

LogicalResult MemTiles::lower(std::vector<DmaEnd>& ends) {
  if (sites_.empty()) return success();
  std::vector<L2Group> groups;
  if (failed(groupL2Memory(sites_, design_.device.device(), groups)) ||
      failed(chooseMemTiles(design_, groups, tiles_)))
    return failure();
  LogicalResult result = success();
  for (MemTile& tile : tiles_)
    result |= create(tile, ends);
  return result;
}

void MemTiles::createPrograms(Operation& before) {
  for (MemTile& tile : tiles_)
    if (tile.dma) {
      tile.dma->splitLongPatterns(more_);
      tile.dma->create(Builder::before(before), design_.source->location());
    }
}

LogicalResult MemTiles::create(MemTile& tile, std::vector<DmaEnd>& ends) {
  if (tile.sites.empty()) return success();
  std::sort(tile.sites.begin(), tile.sites.end());
  Operation& place = createMemTile(design_, design_.source->location(), tile.col);
  tile.dma = std::make_unique<TileDma>(place, aie::TileKind::Mem);
  if (failed(tile.dma->choosePorts(tile.sites, *tile.sites[0]->op.op())) ||
      failed(tile.dma->planPrograms(roots(), true)))
    return failure();
  Operation& before = *design_.lastTile->next();
  int64_t numLocks = 0;
  std::set<Operation*> twins, singles;
  for (Operation* memory : tile.memory) {
    if (twins.contains(memory)) continue;
    const bool isAsked = options_.overlapsL2 && !singles.contains(memory);
    std::vector<Shared> shared = isAsked ? sharedWith(tile, *memory) : std::vector<Shared>();
    const bool areTwins = !shared.empty() && planTwins(tile, shared, numLocks);
    for (const Shared& one : shared)
      (areTwins ? twins : singles).insert(one.memory);
    if (failed(areTwins ? createTwins(tile, place, shared, before, numLocks)
                        : createMemory(tile, place, *memory, before, numLocks)))
      return failure();
  }
  tile.dma->appendEnds(ends);
  return success();
}

/// The transfers of memory, in program order.
static std::vector<Site*> turnsOf(const MemTile& tile, const Operation& memory) {
  std::vector<Site*> turns;
  for (Site* site : tile.sites)
    if (site->memory == &memory) turns.push_back(site);
  return turns;
}

// -- Memory that goes round together --------------------------------------------------------------

std::vector<MemTiles::Shared> MemTiles::sharedWith(const MemTile& tile, Operation& memory) const {
  std::vector<Operation*> found = {&memory};
  std::vector<Shared> shared;
  bool isAlone = true;
  for (size_t i = 0; i < found.size(); ++i) {
    const Shared& own = shared.emplace_back(Shared{found[i], turnsOf(tile, *found[i])});
    for (const Site* site : own.turns)
      for (const DmaTask& task : tile.dma->portOf(*site).program.tasks) {
        isAlone &= task.sites.size() == 1;
        for (const Site* other : task.sites)
          if (!std::ranges::count(found, other->memory)) found.push_back(other->memory);
      }
  }
  return isAlone ? std::vector<Shared>() : shared;
}

/// Whether the program has two of the memory already: one is filled while the other is drained.
static bool isPair(const std::vector<Site*>& turns, const std::vector<Site*>& others) {
  const auto hasChannel = [&](const Site* site) {
    return std::ranges::any_of(
        turns, [&](const Site* own) { return own->op.channelName() == site->op.channelName(); });
  };
  return turns[0]->memory->result().type() == others[0]->memory->result().type() &&
         std::ranges::all_of(others, hasChannel);
}

/// How transfers wait for each other; false unless each DMA channel goes round once when all transfers run once, and
/// the tile has room for two of all.
bool MemTiles::planTwins(const MemTile& tile, std::vector<Shared>& memory, int64_t numLocks) const {
  int64_t bytes = tile.bytes;
  for (const Shared& one : memory) {
    bytes += l2BytesOf(*one.memory);
    const Sequence sequence = sequenceOf(one.turns, roots(), true);
    const bool isRound = !sequence.unknown && sequence.runs.size() == 1 &&
                         sequence.runs[0].word == one.turns && one.turns.size() > 1;
    const bool isPlain = std::ranges::all_of(one.turns, [&](Site* site) {
      return !site->isPacket && !site->sameAs && site->sends == 1 &&
             tile.dma->hasOneDescriptor(*site);
    });
    const bool isTwo = std::ranges::any_of(memory, [&](const Shared& other) {
      return &other != &one && isPair(one.turns, other.turns);
    });
    if (!isRound || !isPlain || isTwo) return false;
  }
  if (bytes > design_.device.device().limits(aie::TileKind::Mem).memoryBytes ||
      numLocks + 2 * std::ssize(tile.sites) > kMemTile.locks)
    return false;
  std::vector<TileDma::Need> needs;
  for (Shared& one : memory) {
    one.waits = conflictsApart(one.memory->result().type().cast<MemRefType>(), roots(), one.turns,
                               *tile.dma);
    const Waits inTurns(one.turns.size(), std::vector<bool>(one.turns.size(), false));
    addNeeds(one.turns, one.waits.value_or(inTurns), 2, needs);
  }
  return tile.dma->hasDescriptorsFor(needs);
}

/// Each round of a DMA channel uses the one of all memory, the next round the other. Each has its own locks.
LogicalResult MemTiles::createTwins(MemTile& tile, Operation& place,
                                    const std::vector<Shared>& memory, Operation& before,
                                    int64_t& numLocks) {
  std::map<Site*, Site*> twinOf;
  std::vector<std::vector<Site*>> others;
  for (const Shared& one : memory) {
    Operation& other = createBuffer(place, *one.memory, before);  // names follow this order
    const Value buffer = createBuffer(place, *one.memory, before).result();
    for (Site* site : one.turns)
      site->buffer = buffer;
    others.push_back(copies(tile, other, one.turns));
    for (size_t i = 0; i < one.turns.size(); ++i)
      twinOf[one.turns[i]] = others.back()[i];
  }
  std::set<TileDma::Port*> ports;
  for (const auto& [site, twin] : twinOf)
    ports.insert(&tile.dma->portOf(*site));
  for (TileDma::Port* port : ports) {
    std::vector<Site*>& ring = port->program.tasks[0].sites;
    const std::vector<Site*> once = ring;
    for (Site* site : once)
      ring.push_back(twinOf.at(site));
  }
  const std::vector<Block*> roots = this->roots();
  for (size_t i = 0; i < memory.size(); ++i)
    for (const std::vector<Site*>& turns : {memory[i].turns, others[i]}) {
      const L2Place where{place, *turns.front()->buffer.definingOp(), roots, numLocks};
      if (memory[i].waits)
        lockConflicts(where, turns, *memory[i].waits, *tile.dma, more_);
      else if (failed(lockTurns(where, turns, 1, *tile.dma, more_)))
        return failure();
    }
  return success();
}

// -- One memory -----------------------------------------------------------------------------------

/// The buffer and its locks.
LogicalResult MemTiles::createMemory(MemTile& tile, Operation& place, Operation& memory,
                                     Operation& before, int64_t& numLocks) {
  Operation& buffer = createBuffer(place, memory, before);
  const std::vector<Site*> turns = turnsOf(tile, memory);
  for (Site* site : turns)
    site->buffer = buffer.result();
  const std::vector<Block*> roots = this->roots();
  const L2Place where{place, buffer, roots, numLocks};
  const bool isTwin = options_.twinL2 || options_.overlapsL2;
  const int64_t copies = isTwin && mayTwin(tile, memory, turns, roots) ? 2 : 1;
  if (options_.overlapsL2 && (lockParts(where, turns, *tile.dma, more_) ||
                              lockPieces(where, turns, copies, *tile.dma, more_)))
    return success();
  std::optional<ConflictPlan> apart;
  if (options_.overlapsL2) apart = planConflicts(where, turns, copies, *tile.dma);
  if (!apart && failed(lockTurns(where, turns, copies, *tile.dma, more_))) return failure();
  std::vector<Site*> others;
  if ((apart ? apart->copies : copies) == 2)
    others = twin(tile, createBuffer(place, memory, before), turns);
  if (!apart) return success();
  lockConflicts(where, turns, apart->waits, *tile.dma, more_);
  if (!others.empty()) lockConflicts(where, others, apart->waits, *tile.dma, more_);
  return success();
}

/// The value of all elements of the memory of an alloc.
static Attribute zerosOf(Operation& memory) {
  const MemRefType type = memory.result().type().cast<MemRefType>();
  const Type element = type.elementType();
  const Attribute zero = element.isInteger() ? Attribute(IntegerAttr::get(element, 0))
                                             : Attribute(FloatAttr::get(element, 0.0));
  const auto tensor = RankedTensorType::get(memory.context(), type.shape(), element);
  return DenseElementsAttr::get(tensor, {&zero, 1});
}

Operation& MemTiles::createBuffer(Operation& place, Operation& memory, Operation& before) {
  Builder builder = Builder::before(before);
  std::string name = "l2_buf" + std::to_string(numBuffers_++);
  if (auto said = memory.attrOf<StringAttr>("sym_name")) name = said.value();
  Operation* buffer =
      builder.create(memory.location(), "aie.buffer", {place.result()}, {memory.result().type()},
                     {builder.named("sym_name", builder.stringAttr(symbols_.unusedName(name)))});
  if (memory.hasAttr(air::kZeroMemory)) buffer->setAttr("initial_value", zerosOf(memory));
  symbols_.add(*buffer);
  return *buffer;
}

/// Memory that is there twice: each DMA channel uses the one and the other in turn. Where transfers take
/// turns it is with the same locks; the first transfer may begin twice before the last has ended.
bool MemTiles::mayTwin(const MemTile& tile, Operation& memory, const std::vector<Site*>& turns,
                       const std::vector<Block*>& roots) const {
  const int64_t limit = design_.device.device().limits(aie::TileKind::Mem).memoryBytes;
  std::vector<TileDma::Need> needs;
  for (const Site* site : turns)
    needs.emplace_back(site, 1);
  const bool fits = tile.bytes + l2BytesOf(memory) <= limit && tile.dma->hasDescriptorsFor(needs);
  return fits && runAlike(turns, roots) && std::all_of(turns.begin(), turns.end(), [&](Site* site) {
           const TileDma::Port& port = tile.dma->portOf(*site);
           return port.program.isRing && port.program.tasks[0].sites.size() == 1;
         });
}

/// Whether all run equally often: what is filled once and drained several times is one memory. Of
/// more than two that is assumed where it cannot be told.
bool MemTiles::runAlike(const std::vector<Site*>& turns, const std::vector<Block*>& roots) const {
  const Sequence sequence = sequenceOf(turns, roots, true);
  if (sequence.unknown || sequence.runs.size() != 1) return turns.size() > 2;
  const bool isOnce = sequence.runs[0].word.size() == turns.size();
  return isOnce && turns.size() > (options_.overlapsL2 ? 1 : 2);
}

std::vector<Site*> MemTiles::copies(MemTile& tile, Operation& buffer,
                                    const std::vector<Site*>& turns) {
  tile.bytes += l2BytesOf(*turns[0]->memory);
  std::vector<Site*> others;
  for (const Site* site : turns) {
    others.push_back(&more_.emplace_back(*site));
    others.back()->buffer = buffer.result();
  }
  return others;
}

std::vector<Site*> MemTiles::twin(MemTile& tile, Operation& buffer,
                                  const std::vector<Site*>& turns) {
  const std::vector<Site*> others = copies(tile, buffer, turns);
  for (Site* other : others)
    tile.dma->portOf(*other).program.tasks[0].sites.push_back(other);
  return others;
}

}  // namespace airlite::npu
