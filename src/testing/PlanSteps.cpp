// What an actor does by itself: copies, computations, its buffers.
#include "PlanState.hpp"

namespace airlite::testing::planning {

namespace {

void copy(Actor& actor, const Piece& to, const Piece& from) {
  Stmt& stmt = add(actor, Stmt::Copy);
  stmt.to = to;
  stmt.from = from;
}

void fill(PlanState& state, Actor& actor, int buffer) {
  Stmt& stmt = add(actor, Stmt::Fill);
  stmt.to = whole(state, buffer);
  stmt.flavour = static_cast<unsigned>(state.random.below(5));
}

int local(PlanState& state, Actor& actor, int64_t rows) {
  Resource made{
      Resource::Local, "", rows, state.plan.width, actor.level == Level::Herd ? 2 : 1, false};
  made.name = (rows == state.plan.height ? "t" : "b") + std::to_string(state.nextName++);
  int buffer = resource(state, made);
  add(actor, Stmt::Allocate).to = whole(state, buffer);
  return buffer;
}

/// A tile of a big buffer for one instance: any to read, its own to write.
Expr tileOf(PlanState& state, Actor& actor, bool writes) {
  if (writes || actor.level != Level::Herd) {
    if (actor.level == Level::Herd) return linear(state, actor.ids);
    return Expr(state.random.between(0, kBigTiles - 1));
  }
  return linear(state, actor.ids) +
         Expr(state.random.between(0, kBigTiles - count(state, actor.ids)));
}

}  // namespace

void compute(PlanState& state, Actor& actor, int to, int from) {
  Stmt& stmt = add(actor, Stmt::Compute);
  stmt.to = whole(state, to);
  stmt.from = whole(state, from);
  stmt.flavour = static_cast<unsigned>(state.random.below(6));
  if (!actor.ids.empty() && state.random.chance(70))
    stmt.to.limited = Expr::of(actor.ids[state.random.below(actor.ids.size())]);
  else if (!actor.loops.empty())
    stmt.to.limited = Expr::of(actor.loops.back());
}

void addTile(PlanState& state, Actor& actor) {
  int tile = local(state, actor, state.plan.height);
  actor.tiles.push_back(tile);
  Piece from;
  if (state.random.chance(60) && inputPiece(state, actor, Expr(), from))
    return copy(actor, whole(state, tile), from);
  fill(state, actor, tile);
}

void addBig(PlanState& state, Actor& actor) {
  int big = local(state, actor, kBigTiles * state.plan.height);
  actor.bigs.push_back(big);
  fill(state, actor, big);
  Piece from, to = bigPiece(state, big, Expr(state.random.between(0, kBigTiles - 1)));
  for (int64_t i = state.random.between(0, 3); i > 0;
       --i, to.row = to.row + Expr(state.plan.height))
    if (maximum(state, to.row) < (kBigTiles - 1) * state.plan.height &&
        inputPiece(state, actor, Expr(), from))
      copy(actor, to, from);
}

void release(PlanState& state, Actor& actor) {
  for (int buffer : actor.tiles)
    if (state.random.chance(40)) add(actor, Stmt::Free).to = whole(state, buffer);
  for (int buffer : actor.bigs)
    if (state.random.chance(40)) add(actor, Stmt::Free).to = whole(state, buffer);
}

int bigOf(PlanState& state, Actor& actor, bool writes) {
  std::vector<int> found;
  for (int big : actor.bigs)
    if (!state.lent.count(big) || (!writes && state.lent[big] == Role::Read)) found.push_back(big);
  if (!writes) found.insert(found.end(), actor.readBigs.begin(), actor.readBigs.end());
  return found.empty() ? -1 : state.random.pick(found);
}

void storeRegion(PlanState& state, Actor& actor) {
  if (actor.region < 0 || actor.tiles.empty()) return;
  Piece to = regionPiece(state, actor);
  copy(actor, to, withRowsOf(tilePiece(state, actor), to));
}

void localStep(PlanState& state, Actor& actor) {
  if (actor.level == Level::Launch || actor.level == Level::Function) {
    Piece from;
    if (actor.region >= 0 && inputPiece(state, actor, Expr(), from)) {
      Piece to = regionPiece(state, actor);
      copy(actor, to, withRowsOf(from, to));
    }
    return;
  }
  switch (state.random.below(7)) {
    case 0: {
      Piece from;
      if (inputPiece(state, actor, Expr(), from)) copy(actor, tilePiece(state, actor), from);
      return;
    }
    case 1:
      if (int big = bigOf(state, actor, false); big >= 0) {
        Piece from = bigPiece(state, big, tileOf(state, actor, false));
        copy(actor, tilePiece(state, actor), from);
      }
      return;
    case 2: {
      int big = actor.level == Level::Herd ? actor.ownBig : bigOf(state, actor, true);
      if (big < 0) return;
      Piece to = bigPiece(state, big, tileOf(state, actor, true));
      return copy(actor, to, tilePiece(state, actor));
    }
    case 3:
      if (actor.region < 0) return;
      if (state.random.chance(50)) return storeRegion(state, actor);
      {
        Piece from = regionPiece(state, actor);
        return copy(actor, withRowsOf(tilePiece(state, actor), from), from);
      }
    default:
      int to = state.random.pick(actor.tiles);
      compute(state, actor, to, state.random.pick(actor.tiles));
  }
}

}  // namespace airlite::testing::planning
