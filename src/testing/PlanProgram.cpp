// Random plans: the hierarchy, and the order of what happens in it.
#include "PlanState.hpp"

#include <algorithm>

namespace airlite::testing {

namespace planning {

namespace {

void loop(PlanState& state, Actor& owner, Actors& kids, unsigned depth);
void steps(PlanState& state, Actor& owner, Actors& kids, size_t count, unsigned depth);
void phase(PlanState& state, Actor& owner);

/// The same structured op around the part of each.
void around(Actors all, const std::function<std::unique_ptr<Stmt>()>& make,
            const std::function<void()>& first, const std::function<void()>& second) {
  std::vector<std::unique_ptr<Stmt>> made;
  std::vector<Block*> outer;
  for (Actor* actor : all) {
    made.push_back(make());
    outer.push_back(actor->block);
    actor->block = &made.back()->body;
  }
  first();
  for (size_t i = 0; i < all.size(); ++i)
    all[i]->block = &made[i]->other;
  if (second) second();
  for (size_t i = 0; i < all.size(); ++i) {
    all[i]->block = outer[i];
    bool isEmpty = made[i]->body.empty() && made[i]->other.empty();
    if (!isEmpty) outer[i]->push_back(std::move(made[i]));
  }
}

void branch(PlanState& state, Actor& owner, Actors& kids, unsigned depth) {
  Condition condition{Expr::of(state.plan.scalar), 0, state.random.between(3, 5)};
  if (!owner.loops.empty() && state.random.chance(70))
    condition = {Expr::of(owner.loops.back()), 2, state.random.between(0, 1)};
  Actors all = kids;
  all.push_back(&owner);
  auto make = [&] {
    auto stmt = std::make_unique<Stmt>();
    stmt->kind = Stmt::If;
    stmt->condition = condition;
    return stmt;
  };
  std::function<void()> second;
  if (state.random.chance(60))
    second = [&] { steps(state, owner, kids, 1 + state.random.below(2), depth + 1); };
  around(
      all, make, [&] { steps(state, owner, kids, 1 + state.random.below(2), depth + 1); }, second);
}

std::vector<int> anySpace(PlanState& state, Level level, int64_t cost) {
  static const std::vector<std::vector<int64_t>> kHerds = {{1, 1}, {2, 1}, {1, 2}, {2, 2}, {3, 1},
                                                           {4, 1}, {2},    {3},    {2, 1}, {2, 2}};
  static const std::vector<std::vector<int64_t>> kLaunches = {{},  {},     {1},   {2},
                                                              {3}, {2, 2}, {1, 2}};
  static const std::vector<std::vector<int64_t>> kSegments = {{}, {}, {}, {2}, {1}, {2, 1}};
  const auto& spaces = level == Level::Herd     ? kHerds
                       : level == Level::Launch ? kLaunches
                                                : kSegments;
  std::vector<int64_t> space = spaces[state.random.below(spaces.size())];
  int64_t total = 1;
  for (int64_t extent : space)
    total *= extent;
  if (total * cost > kMaxInstances) space.assign(space.size(), 1);
  std::vector<int> ids;
  for (int64_t extent : space)
    ids.push_back(coordinate(state, extent, false));
  return ids;
}

std::vector<int> sameSpace(PlanState& state, const std::vector<int>& other) {
  std::vector<int> ids;
  for (int id : other)
    ids.push_back(coordinate(state, extentOf(state, id), false));
  return ids;
}

Actor kidOf(PlanState& state, const Actor& owner, Level level, const Actor* sibling) {
  Actor kid;
  kid.level = level;
  kid.style = anyStyle(state);
  kid.ids = sibling && state.random.chance(60) ? sameSpace(state, sibling->ids)
                                               : anySpace(state, level, owner.cost);
  kid.place = owner.place;
  kid.place.insert(kid.place.end(), kid.ids.begin(), kid.ids.end());
  kid.prefix = owner.prefix;
  if (level == Level::Segment) kid.prefix.insert(kid.prefix.end(), kid.ids.begin(), kid.ids.end());
  kid.loops = owner.loops;
  kid.cost = owner.cost * count(state, kid.ids);
  kid.inLaunch = owner.inLaunch || level == Level::Launch;
  kid.nesting = owner.nesting + (level == Level::Segment ? 1 : 0);
  return kid;
}

Level levelBelow(PlanState& state, const Actor& owner) {
  if (owner.level == Level::Function)
    return state.random.chance(80)   ? Level::Launch
           : state.random.chance(50) ? Level::Segment
                                     : Level::Herd;
  if (owner.level == Level::Launch) return state.random.chance(75) ? Level::Segment : Level::Herd;
  return owner.nesting < 2 && state.random.chance(15) ? Level::Segment : Level::Herd;
}

void begin(PlanState& state, Actor& kid) {
  if (kid.level == Level::Herd || kid.level == Level::Segment)
    for (int64_t i = state.random.between(1, 3); i > 0; --i)
      addTile(state, kid);
  if (kid.level == Level::Segment)
    for (int64_t i = state.random.between(0, 2); i > 0; --i)
      addBig(state, kid);
  unsigned chance = kid.level == Level::Herd ? 75 : 50;
  if (state.random.chance(chance)) kid.region = regionOf(state, count(state, kid.place), true);
}

void end(PlanState& state, Actor& kid) {
  if (kid.level != Level::Herd && !kid.hasPhase) phase(state, kid);
  storeRegion(state, kid);
  release(state, kid);
}

void lend(PlanState& state, Actor& owner, Actors& kids) {
  for (int big : owner.bigs) {
    if (state.random.chance(30)) {
      Actor& kid = *kids[state.random.below(kids.size())];
      if (kid.level != Level::Herd || kid.ownBig >= 0) continue;
      kid.ownBig = big;
      kid.readBigs = {};
      state.lent[big] = Role::Own;
      continue;
    }
    for (Actor* kid : kids)
      if (kid->level == Level::Herd && state.random.chance(50)) {
        kid->readBigs.push_back(big);
        state.lent[big] = Role::Read;
      }
  }
}

std::string nameOf(PlanState& state, Level level) {
  const char* stem = level == Level::Launch ? "l" : level == Level::Segment ? "s" : "h";
  return stem + std::to_string(state.nextName++);
}

/// Who waits for whom: what communicates has to run side by side.
void assemble(PlanState& state, Actor& owner, Block& spawns, Block& own, bool talks, Level level) {
  bool ownFirst = owner.style == Style::Async && state.random.chance(30);
  bool lastMayBlock = own.empty() || ownFirst;
  bool grouped = level != Level::Launch && spawns.size() > 1 && state.random.chance(20);
  for (size_t i = 0; i < spawns.size(); ++i) {
    bool mayBlock = !grouped && (!talks || (i + 1 == spawns.size() && lastMayBlock));
    spawns[i]->child->async = !mayBlock || owner.style == Style::Async
                                  ? !mayBlock || state.random.chance(85)
                                  : state.random.chance(25);
  }
  int group = grouped ? state.groups++ : -1;
  if (grouped) {
    bool affinity = !talks && state.random.chance(70);
    for (auto& spawn : spawns)
      (affinity ? spawn->child->affinity : spawn->child->concurrency) = group;
    add(owner, Stmt::Groups).groups = {group};
  }
  Block& first = ownFirst ? own : spawns;
  Block& second = ownFirst ? spawns : own;
  for (Block* part : {&first, &second})
    for (auto& stmt : *part)
      owner.block->push_back(std::move(stmt));
  if (grouped) add(owner, Stmt::Join);
}

/// Children of `owner` that run side by side, with what they and it do together.
void phase(PlanState& state, Actor& owner) {
  owner.hasPhase = true;
  Level level = levelBelow(state, owner);
  size_t number =
      owner.level == Level::Function ? 1 : 1 + state.random.below(level == Level::Herd ? 3 : 2);
  std::vector<std::unique_ptr<Actor>> made;
  Actors kids;
  Block spawns, own;
  std::map<int, Role> outerLent = std::exchange(state.lent, {});
  bool outerTalk = std::exchange(state.communicates, state.random.chance(75));
  bool talks = state.communicates;
  for (size_t i = 0; i < number; ++i) {
    made.push_back(
        std::make_unique<Actor>(kidOf(state, owner, level, i ? made[0].get() : nullptr)));
    kids.push_back(made.back().get());
    auto spawn = std::make_unique<Stmt>();
    spawn->kind = Stmt::Spawn;
    spawn->child = std::make_unique<Child>();
    spawn->child->level = level;
    spawn->child->name = nameOf(state, level);
    spawn->child->ids = kids.back()->ids;
    spawn->child->style = kids.back()->style;
    kids.back()->block = &spawn->child->body;
    spawns.push_back(std::move(spawn));
  }
  lend(state, owner, kids);
  for (Actor* kid : kids)
    begin(state, *kid);
  inside(owner, own, [&] {
    steps(state, owner, kids, 1 + state.random.below(state.size + 1), 0);
    for (Actor* kid : kids) {
      state.communicates = talks;
      end(state, *kid);
    }
  });
  state.lent = std::move(outerLent);
  state.communicates = outerTalk;
  assemble(state, owner, spawns, own, talks, level);
}

void steps(PlanState& state, Actor& owner, Actors& kids, size_t count, unsigned depth) {
  for (; count > 0; --count) {
    size_t kind = state.random.below(100);
    if (kind < 15 && depth < 2) {
      loop(state, owner, kids, depth);
    } else if (kind < 25 && depth < 2) {
      branch(state, owner, kids, depth);
    } else if (kind < 65 && state.communicates) {
      transfer(state, owner, kids, true);
    } else if (kind < 75 && kids[0]->level != Level::Herd) {
      Actor& kid = *kids[state.random.below(kids.size())];
      phase(state, kid);
    } else {
      Actors all = withOwner(owner, kids);
      localStep(state, *all[state.random.below(all.size())]);
    }
  }
}

void loop(PlanState& state, Actor& owner, Actors& kids, unsigned depth) {
  bool open = depth == 0 && state.random.chance(15);
  int64_t trips = open ? 8 : state.random.between(2, 3);
  int64_t cost = owner.cost;
  for (Actor* kid : kids)
    cost = std::max(cost, kid->cost);
  if (cost * trips > kMaxInstances) return;
  int variable = coordinate(state, trips, true);
  Actors all = kids;
  all.push_back(&owner);
  for (Actor* actor : all)
    actor->loops.push_back(variable), actor->cost *= trips;
  around(
      all,
      [&] {
        auto stmt = std::make_unique<Stmt>();
        stmt->kind = Stmt::Loop;
        stmt->variables = {variable};
        stmt->trips = open ? state.plan.scalar : -1;
        return stmt;
      },
      [&] { steps(state, owner, kids, 1 + state.random.below(3), depth + 1); }, nullptr);
  for (Actor* actor : all)
    actor->loops.pop_back(), actor->cost /= trips;
}

void item(PlanState& state, Actor& function) {
  state.roles.clear();
  function.region = -1;
  size_t kind = state.random.below(100);
  if (kind < 12) {
    int variable = coordinate(state, 2, true);
    Stmt& loop = add(function, Stmt::Loop);
    loop.variables = {variable};
    function.loops.push_back(variable), function.cost *= 2;
    inside(function, loop.body, [&] { phase(state, function); });
    function.loops.pop_back(), function.cost /= 2;
  } else if (kind < 22) {
    Stmt& branch = add(function, Stmt::If);
    branch.condition = {Expr::of(state.plan.scalar), 0, state.random.between(3, 5)};
    inside(function, branch.body, [&] { phase(state, function); });
    if (state.random.chance(50)) inside(function, branch.other, [&] { phase(state, function); });
  } else if (kind < 30) {
    function.region = regionOf(state, 1, true);
    localStep(state, function);
  } else {
    phase(state, function);
  }
}

}  // namespace

}  // namespace planning

Plan makePlan(Random& random, unsigned size) {
  planning::PlanState state{random, size};
  static constexpr const char* kElements[] = {"i32", "f32", "i16", "i32", "f32", "f64"};
  static constexpr int64_t kHeights[] = {1, 2, 2, 3, 4}, kWidths[] = {1, 2, 4, 4};
  state.plan.element = kElements[state.random.below(6)];
  state.plan.height = kHeights[state.random.below(5)];
  state.plan.width = kWidths[state.random.below(4)];
  state.plan.scalar = planning::coordinate(state, 9, false);
  planning::Actor function;
  function.block = &state.plan.body;
  function.style = state.plan.style = planning::anyStyle(state);
  for (int64_t i = state.random.between(1, state.size); i > 0; --i)
    planning::item(state, function);
  return std::move(state.plan);
}

}  // namespace airlite::testing
