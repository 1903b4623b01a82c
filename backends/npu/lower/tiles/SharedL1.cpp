// Where L1 memory of a segment lies, and the locks of cores that share it.
#include "SharedL1.hpp"

#include "airlite/graph/TokenOrder.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/Symbols.hpp"

#include <algorithm>
#include <set>

namespace airlite::npu {

namespace {

constexpr std::string_view kShared = "not supported: L1 memory that cores share";

/// Cores of other herds with the same numbers are the same core, for memory of its own.
SharedL1::Id nameOf(SharedL1::Id id) {
  while (!id.empty() && id.back() == 0)
    id.pop_back();
  return id;
}

std::string text(aie::TileId place) {
  return "column " + std::to_string(place.col) + ", row " + std::to_string(place.row);
}

bool reads(const std::vector<analysis::MemoryUse>& uses) {
  return std::any_of(uses.begin(), uses.end(), [](auto& use) { return use.reads; });
}

bool writes(const std::vector<analysis::MemoryUse>& uses) {
  return std::any_of(uses.begin(), uses.end(), [](auto& use) { return use.writes; });
}

bool movesByDma(const analysis::CoreUses& core) {
  return std::any_of(core.uses.begin(), core.uses.end(), [](const analysis::MemoryUse& use) {
    return isa<air::ChannelPutOp>(use.op) || isa<air::ChannelGetOp>(use.op);
  });
}

void* keyOf(Value memory) { return memory.impl(); }

/// With a place in both dimensions.
SharedL1::Id padded(SharedL1::Id id) {
  id.resize(2);
  return id;
}

}  // namespace

bool SharedL1::Group::isShared() const {
  return std::any_of(members.begin(), members.end(),
                     [&](const Member& member) { return member.place != members[0].place; });
}

std::vector<air::HerdOp> SharedL1::Group::herds() const {
  std::vector<air::HerdOp> herds;
  for (const Member& member : members)
    if (herds.empty() || herds.back() != member.herd) herds.push_back(member.herd);
  return herds;
}

// -- Who takes what -------------------------------------------------------------------------------

LogicalResult SharedL1::plan(const std::vector<air::HerdOp>& herds, const PlaceOf& placeOf) {
  std::vector<Value> memories;
  std::map<void*, std::vector<air::HerdOp>> takers;
  for (air::HerdOp herd : herds)
    for (Value operand : herd.kernelOperands()) {
      auto type = operand.type().dynCast<MemRefType>();
      if (!type || air::memoryLevel(type) != air::MemoryLevel::L1) continue;
      const Value memory = analysis::allocationOf(operand);
      std::vector<air::HerdOp>& ofMemory = takers[keyOf(memory)];
      if (ofMemory.empty()) memories.push_back(memory);
      if (ofMemory.empty() || ofMemory.back() != herd) ofMemory.push_back(herd);
    }
  for (Value memory : memories)
    if (failed(planMemory(memory, takers[keyOf(memory)], placeOf))) return failure();
  return success();
}

LogicalResult SharedL1::planMemory(Value memory, const std::vector<air::HerdOp>& takers,
                                   const PlaceOf& placeOf) {
  analysis::HandOver uses = analysis::handOverOf(memory);
  std::map<Id, size_t> byName;
  const auto groupFor = [&](const Id& id) -> size_t {
    const auto [found, isNew] =
        byName.try_emplace(uses.isShared || uses.lost ? Id() : nameOf(id), groups_.size());
    if (isNew) groups_.push_back({memory});
    return found->second;
  };
  for (air::HerdOp herd : takers)
    for (const Id& id : analysis::idsOf(herd))
      groupOf_[{keyOf(memory), herd.op(), nameOf(id)}] = groupFor(id);
  for (const analysis::CoreUses& core : uses.cores)
    if (std::find(takers.begin(), takers.end(), core.herd) != takers.end())
      groups_[groupFor(core.id)].members.push_back(
          {core.herd, core.id, placeOf(core.herd, padded(core.id)), reads(core.uses),
           writes(core.uses), movesByDma(core)});
  for (auto& [name, group] : byName) {
    if (groups_[group].members.empty()) {  // somewhere: nobody looks at it
      groups_[group].members.push_back({takers[0], name, placeOf(takers[0], padded(name))});
    }
    if (uses.lost && groups_[group].isShared())
      return uses.lost->emitOpError() << kShared << ", where it cannot be followed";
    if (failed(chooseTile(groups_[group])) || failed(checkOrder(groups_[group]))) return failure();
  }
  return success();
}

// -- Tiles ----------------------------------------------------------------------------------------

std::vector<aie::TileId> SharedL1::places() const {
  std::vector<aie::TileId> places;
  for (const Group& group : groups_)
    places.push_back(*group.owner);
  return places;
}

std::vector<aie::TileId> SharedL1::tilesReachedBy(const Group& group) const {
  const aie::Device& device = *options_.device;
  std::vector<aie::TileId> tiles;
  const auto add = [&](aie::TileId tile) {
    if (!device.contains(tile) || device.kindOf(tile) != aie::TileKind::Core) return;
    if (std::find(tiles.begin(), tiles.end(), tile) != tiles.end()) return;
    const bool isReached =
        std::all_of(group.members.begin(), group.members.end(), [&](const Member& member) {
          return device.reachesMemory(member.place, tile) &&
                 (!member.transfers || member.place == tile);
        });
    if (isReached) tiles.push_back(tile);
  };
  // Who reads should find it next to itself; of several, the last one.
  for (bool reads : {true, false})
    for (size_t i = group.members.size(); i-- > 0;)
      if (group.members[i].reads == reads) add(group.members[i].place);
  const aie::TileId place = group.members[0].place;
  for (auto [col, row] : {std::pair{0, -1}, {-1, 0}, {0, 1}, {1, 0}})
    add({place.col + col, place.row + row});
  return tiles;
}

LogicalResult SharedL1::chooseTile(Group& group) const {
  if (!group.isShared()) return group.owner = group.members[0].place, success();
  if (options_.device->generation == aie::Generation::Aie1)
    return refusePlace(group, "on a device of the first generation");
  const std::vector<aie::TileId> tiles = tilesReachedBy(group);
  if (!tiles.empty()) return group.owner = tiles.front(), success();
  const auto numMoving = std::count_if(group.members.begin(), group.members.end(),
                                       [](const Member& member) { return member.transfers; });
  return refusePlace(group, numMoving ? "no memory is next to all of them that the DMA of the core "
                                        "with a transfer of it reaches"
                                      : "no memory is next to all of them");
}

LogicalResult SharedL1::refusePlace(const Group& group, std::string_view why) const {
  InFlightDiagnostic error = group.members.back().herd->emitOpError();
  error << kShared << ": " << why;
  std::set<std::pair<int64_t, int64_t>> seen;
  for (const Member& member : group.members)
    if (seen.emplace(member.place.col, member.place.row).second)
      error.note(member.herd->location()) << "the core at " << text(member.place)
                                          << (member.transfers ? " transfers it" : " uses it");
  if (Operation* made = group.memory.definingOp())
    error.note(made->location()) << "the memory is allocated here";
  return error;
}

// -- The order of herds ---------------------------------------------------------------------------

bool SharedL1::isOrdered(air::HerdOp before, air::HerdOp after) const {
  if (before->block() != after->block() || !before->isBeforeInBlock(after.op())) return false;
  const Value token = before.token();
  if (!token) return true;
  graph::TokenOrder order(*design_.source);
  for (Operation* op = before->next(); op; op = op->next()) {
    const bool waits = op == after.op() || (air::isAsyncOp(*op) && !air::AsyncOp(op).token());
    if (waits)
      for (Value dependency : air::AsyncOp(op).dependencies())
        if (order.isImplied(token, dependency)) return true;
    if (op == after.op()) break;
  }
  return false;
}

LogicalResult SharedL1::checkOrder(const Group& group) const {
  if (!group.isShared()) return success();
  const std::vector<air::HerdOp> herds = group.herds();
  for (size_t i = 1; i < herds.size(); ++i) {
    if (isOrdered(herds[i - 1], herds[i])) continue;
    return (herds[i]->emitOpError()
            << kShared << ": nothing orders it and another herd that uses the memory")
               .note(herds[i - 1]->location())
           << "the other herd";
  }
  return success();
}

// -- Buffers --------------------------------------------------------------------------------------

Value SharedL1::bufferOf(air::HerdOp herd, const Id& id, Value operand,
                         const std::function<Operation*(aie::TileId)>& tileAt) {
  const size_t number =
      groupOf_.at({keyOf(analysis::allocationOf(operand)), herd.op(), nameOf(id)});
  Group& group = groups_[number];
  if (group.buffer) return group.buffer->result();
  Operation* tile = tileAt(*group.owner);
  Builder builder = Builder::after(*design_.lastTile);
  const std::string name =
      group.isShared()
          ? SymbolMap(*design_.device).unusedName("shared_l1_" + std::to_string(number))
          : "buf" + std::to_string(design_.numBuffers++);
  group.buffer = builder.create(herd->location(), "aie.buffer", {tile->result()}, {operand.type()},
                                {builder.named("sym_name", builder.stringAttr(name))});
  if (group.isShared()) design_.sharedBuffers.insert(group.buffer);
  return group.buffer->result();
}

// -- Turns ----------------------------------------------------------------------------------------

LogicalResult SharedL1::takeTurns() {
  for (Group& group : groups_) {
    if (!group.buffer) continue;
    group.buffer->moveAfter(design_.lastTile);  // cores have come to stand before it
    if (group.isShared() && failed(takeTurns(group))) return failure();
  }
  return success();
}

const CoreProgram& SharedL1::programOf(const Member& member) const {
  return *std::find_if(design_.cores.begin(), design_.cores.end(), [&](const CoreProgram& program) {
    return program.herd == member.herd && nameOf(program.id) == nameOf(member.id);
  });
}

LogicalResult SharedL1::takeTurns(Group& group) {
  std::vector<Phase> phases;
  bool again = options_.emitWhileLoop, isRead = false;
  if (failed(phasesOf(group, phases, again, isRead))) return failure();
  if (!isRead) return createMutex(group, phases), success();
  createLocks(group, phases, again);
  useLocks(phases);
  return success();
}

LogicalResult SharedL1::phasesOf(const Group& group, std::vector<Phase>& phases, bool& again,
                                 bool& isRead) const {
  std::vector<analysis::CoreBody> bodies;
  Operation* lost = nullptr;
  for (const Member& member : group.members) {
    Block* body = programOf(member).body;
    analysis::CoreValues values;
    bodies.push_back({body, analysis::usesIn(*body, group.buffer->result(), values, lost), values});
    const std::vector<analysis::MemoryUse>& uses = bodies.back().uses;
    isRead |= reads(uses);
    if (reads(uses) != member.reads || writes(uses) != member.writes)
      return member.herd->emitOpError()
             << kShared << ": a core does not know from its place whether it comes by a use";
  }
  const std::vector<air::HerdOp> herds = group.herds();
  if (herds.size() > 1) {
    for (size_t i = 0; i < bodies.size(); ++i) {
      if (i == 0 || group.members[i].herd != group.members[i - 1].herd) phases.emplace_back();
      phases.back().push_back({analysis::wholeTurn(bodies[i])});
    }
    return success();
  }
  analysis::Turns turns = analysis::turnsOf(bodies);
  if (!turns.error.empty()) return turns.op->emitOpError() << kShared << ": " << turns.error;
  again |= turns.isRepeated;
  phases.resize(2);
  for (const analysis::CoreTurns& core : turns.cores) {
    if (core.write.first) phases[0].push_back({core.write});
    if (core.read.first) phases[1].push_back({core.read});
  }
  if (!phases[0].empty() && !phases[1].empty()) return success();
  return herds[0]->emitOpError() << kShared << ": no core reads it after the last write";
}

void SharedL1::createLocks(const Group& group, std::vector<Phase>& phases, bool again) {
  for (size_t i = 0; i < phases.size(); ++i) {
    Phase& phase = phases[i];
    const size_t numBefore = phases[(i + phases.size() - 1) % phases.size()].size();
    std::string role = i == 0 ? "_prod_lock" : i + 1 == phases.size() ? "_cons_lock" : "_turn_lock";
    const bool isCommon = !again || phase.size() == 1;
    if (i > 0 && i + 1 < phases.size()) role = "_" + std::to_string(i) + role;
    for (size_t k = 0; k < phase.size(); ++k) {
      if (isCommon && k > 0) {
        phase[k].lock = phase[0].lock;
        continue;
      }
      const std::string name = isCommon ? role : "_" + std::to_string(k) + role;
      const size_t full = numBefore * (isCommon ? phase.size() : 1);
      phase[k].lock = createLock(group, name, i == 0 ? int64_t(full) : 0);
    }
  }
}

Operation* SharedL1::createLock(const Group& group, const std::string& name, int64_t init) {
  Operation& tile = *group.buffer->operand(0).definingOp();
  int64_t number = 0;
  for (OpOperand& use : tile.result().uses())
    number += use.owner()->is("aie.lock");
  Builder builder = Builder::before(*group.buffer);
  const std::string full = std::string(symbolName(*group.buffer)) + name;
  return builder.create(group.buffer->location(), "aie.lock", {tile.result()},
                        {builder.indexType()},
                        {builder.named("lockID", builder.i32Attr(number)),
                         builder.named("init", builder.i32Attr(init)),
                         builder.named("sym_name", builder.stringAttr(full))});
}

namespace {

/// Takes and gives; equal numbers are one constant.
class LockUse {
 public:
  LockUse(Builder builder, Location location) : builder_(builder), location_(location) {}

  void at(Builder builder, Operation* lock, std::string_view action, int64_t count) {
    OperationState state(builder.context(), location_, "aie.use_lock");
    state.operands = {lock->result(), number(count)};
    state.addAttribute(builder.context(), "action",
                       keyword(builder.context(), *state.def, "action", action));
    builder.create(state);
  }

 private:
  Value number(int64_t count) {
    Value& value = numbers_[count];
    if (!value) value = builder_.constant(location_, builder_.i32Attr(count));
    return value;
  }

  Builder builder_;
  Location location_;
  std::map<int64_t, Value> numbers_;
};

}  // namespace

/// Memory that is only written: the turns do not meet, their order is nobody's business.
void SharedL1::createMutex(const Group& group, std::vector<Phase>& phases) {
  Operation* lock = createLock(group, "_mutex_lock", 1);
  for (Phase& phase : phases)
    for (Player& player : phase) {
      LockUse use(Builder::before(*player.turn.first), player.turn.first->location());
      use.at(Builder::before(*player.turn.first), lock, "AcquireGreaterEqual", 1);
      use.at(Builder::after(*player.turn.last), lock, "Release", 1);
    }
}

void SharedL1::useLocks(std::vector<Phase>& phases) {
  for (size_t i = 0; i < phases.size(); ++i) {
    const Phase& before = phases[(i + phases.size() - 1) % phases.size()];
    const Phase& after = phases[(i + 1) % phases.size()];
    std::vector<std::pair<Operation*, int64_t>> given;  // locks of the next phase
    for (const Player& next : after) {
      if (given.empty() || given.back().first != next.lock) given.emplace_back(next.lock, 0);
      ++given.back().second;
    }
    for (const Player& player : phases[i]) {
      const analysis::Turn& turn = player.turn;
      LockUse use(Builder::before(*turn.first), turn.first->location());
      use.at(Builder::before(*turn.first), player.lock, "AcquireGreaterEqual",
             int64_t(before.size()));
      Builder afterTurn = Builder::after(*turn.last);
      for (auto [lock, count] : given)
        use.at(afterTurn, lock, "Release", count);
    }
  }
}

}  // namespace airlite::npu
