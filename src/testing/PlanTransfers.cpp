// Channels, and what two actors or more do with them. Both halves of a transfer are planned here,
// so that they agree.
#include "PlanState.hpp"

#include <utility>

namespace airlite::testing::planning {

namespace {

/// Everybody agrees on how many rows a transfer has: fewer for the last lane of partial tiles.
struct Rows {
  int64_t height = 0, limit = 0;
};

/// Where the outer side of a gather writes; `inOrder` when all lanes go to the same place.
struct Target {
  Piece base;
  bool perLane = false;
};

int channel(PlanState& state, const Actor& owner, std::vector<int64_t> sizes,
            std::vector<int64_t> broadcast = {}) {
  Channel made;
  made.name = "c" + std::to_string(state.plan.channels.size());
  for (int c : owner.prefix) {
    made.sizes.push_back(extentOf(state, c));
    if (!broadcast.empty()) made.broadcast.push_back(extentOf(state, c));
  }
  made.sizes.insert(made.sizes.end(), sizes.begin(), sizes.end());
  made.broadcast.insert(made.broadcast.end(), broadcast.begin(), broadcast.end());
  if (state.random.chance(30)) made.depth = state.random.between(2, 4);
  Resource end{Resource::ChannelEnd, made.name, 0, 0, 0, owner.inLaunch};
  made.putEnd = resource(state, end);
  made.getEnd = resource(state, end);
  state.plan.channels.push_back(std::move(made));
  return static_cast<int>(state.plan.channels.size()) - 1;
}

std::vector<Expr> placeIn(const Actor& owner, const std::vector<Expr>& lanes) {
  std::vector<Expr> list;
  for (int c : owner.prefix)
    list.push_back(Expr::of(c));
  list.insert(list.end(), lanes.begin(), lanes.end());
  return list;
}

void transferOp(Actor& actor, Stmt::Kind kind, int channel, std::vector<Expr> indices,
                const Piece& piece) {
  Stmt& stmt = add(actor, kind);
  stmt.channel = channel;
  stmt.indices = std::move(indices);
  (kind == Stmt::Put ? stmt.from : stmt.to) = piece;
}

/// For each instance of the other side: written out, or a parallel loop.
void forLanes(PlanState& state, Actor& actor, const std::vector<int>& ids, bool inOrder,
              const std::function<void(const std::vector<Expr>&)>& body) {
  if (ids.empty()) return body({});
  if (!inOrder && count(state, ids) > 1 && state.random.chance(60)) {
    std::vector<int> variables;
    for (int id : ids)
      variables.push_back(coordinate(state, extentOf(state, id), false));
    Stmt& loop = add(actor, Stmt::Parallel);
    loop.variables = variables;
    return inside(actor, loop.body, [&] { body(each(variables)); });
  }
  for (int64_t i = 0, n = count(state, ids); i < n; ++i) {
    std::vector<Expr> at(ids.size());
    int64_t rest = i;
    for (size_t d = ids.size(); d-- > 0; rest /= extentOf(state, ids[d]))
      at[d] = Expr(rest % extentOf(state, ids[d]));
    body(at);
  }
}

Expr laneNumber(const PlanState& state, const std::vector<int>& ids, const std::vector<Expr>& at) {
  Expr expr;
  for (size_t d = 0; d < ids.size(); ++d)
    expr = expr * extentOf(state, ids[d]) + at[d];
  return expr;
}

Rows anyRows(PlanState& state, int64_t lanes) {
  Rows rows{state.plan.height, 0};
  if (state.plan.height == 1) return rows;
  if (lanes > 1 && state.random.chance(20))
    rows.limit = lanes * state.plan.height - state.random.between(1, state.plan.height - 1);
  else if (state.random.chance(15))
    rows.height = state.random.between(1, state.plan.height - 1);
  return rows;
}

Piece shaped(PlanState& state, Piece piece, Rows rows, const Expr& lane) {
  piece.height = rows.height;
  piece.limit = rows.limit;
  piece.limited = lane * state.plan.height;
  bool mayTurn = rows.limit == 0 && state.plan.width > 1;
  piece.transposed = mayTurn && state.random.chance(10);
  return piece;
}

/// What the outer side of a transfer reads for a lane.
bool sourceOf(PlanState& state, Actor& actor, const Expr& lane, Piece& piece) {
  if (actor.level == Level::Herd || actor.level == Level::Segment) {
    int big = actor.level == Level::Segment ? bigOf(state, actor, false) : -1;
    bool fits = big >= 0 && maximum(state, lane) < kBigTiles;
    piece = fits && state.random.chance(50) ? bigPiece(state, big, lane) : tilePiece(state, actor);
    return true;
  }
  return inputPiece(state, actor, lane * state.random.between(0, state.plan.height), piece);
}

bool targetOf(PlanState& state, Actor& actor, int64_t lanes, Target& target) {
  if (actor.level == Level::Segment) {
    int big = bigOf(state, actor, true);
    target.perLane = big >= 0 && lanes <= kBigTiles && state.random.chance(60);
    target.base = target.perLane ? bigPiece(state, big, Expr()) : tilePiece(state, actor);
    return true;
  }
  int region = regionOf(state, count(state, actor.place) * lanes, false);
  if (region < 0) return false;
  target.perLane = true;
  target.base = bigPiece(state, region, linear(state, actor.place) * lanes);
  return true;
}

/// Lanes with even numbers only; or even ones by one channel and odd ones by another; or all.
void chosen(Actor& actor, const Expr& lane, bool even, bool either,
            const std::function<void(bool)>& body) {
  if (!even && !either) return body(true);
  if (lane.terms.empty()) {
    bool first = lane.constant % 2 == 0;
    if (first || either) body(first);
    return;
  }
  Stmt& branch = add(actor, Stmt::If);
  branch.condition = {lane, 2, 0};
  inside(actor, branch.body, [&] { body(true); });
  if (either) inside(actor, branch.other, [&] { body(false); });
}

bool scatter(PlanState& state, Actor& from, Actor& to, Link& link) {
  Piece probe;
  if (!sourceOf(state, from, Expr(), probe)) return false;
  int64_t lanes = count(state, to.ids);
  link.channel = channel(state, from, extents(state, to.ids));
  Rows rows = anyRows(state, lanes);
  bool even = lanes > 1 && state.random.chance(15);
  int first = link.channel;
  int other = !even && lanes > 1 && state.random.chance(10)
                  ? channel(state, from, extents(state, to.ids))
                  : -1;
  link.put = [=, &state, &from, &to] {
    forLanes(state, from, to.ids, false, [&](const std::vector<Expr>& at) {
      Expr lane = laneNumber(state, to.ids, at);
      Piece piece = probe;
      if (!sourceOf(state, from, lane, piece)) piece = probe;
      piece = shaped(state, piece, rows, lane);
      chosen(from, lane, even, other >= 0, [&](bool isEven) {
        transferOp(from, Stmt::Put, isEven ? first : other, placeIn(from, at), piece);
      });
    });
  };
  link.get = [=, &state, &from, &to] {
    Expr lane = linear(state, to.ids);
    Piece piece = shaped(state, tilePiece(state, to), rows, lane);
    chosen(to, lane, even, other >= 0, [&](bool isEven) {
      transferOp(to, Stmt::Get, isEven ? first : other, placeIn(from, each(to.ids)), piece);
    });
  };
  return true;
}

bool broadcast(PlanState& state, Actor& from, Actor& to, Link& link) {
  Piece source;
  if (count(state, to.ids) < 2 || !sourceOf(state, from, Expr(), source)) return false;
  std::vector<int64_t> shape = extents(state, to.ids), sizes(shape.size(), 1);
  bool byRow = shape.size() == 2 && state.random.chance(50);
  if (byRow) sizes[0] = shape[0];
  std::vector<int> lanes;
  if (byRow) lanes.push_back(to.ids[0]);
  link.channel = channel(state, from, sizes, shape);
  Rows rows = anyRows(state, 1);
  bool wholeBundle = !byRow && from.prefix.empty() && state.random.chance(30);
  link.put = [=, &state, used = link.channel, &from, &to] {
    forLanes(state, from, lanes, false, [&](const std::vector<Expr>& at) {
      std::vector<Expr> indices(to.ids.size());
      if (byRow) indices[0] = at[0];
      std::vector<Expr> place = placeIn(from, indices);
      if (wholeBundle) place.clear();
      transferOp(from, Stmt::Put, used, place, shaped(state, source, rows, Expr()));
    });
  };
  link.get = [=, &state, used = link.channel, &from, &to] {
    transferOp(to, Stmt::Get, used, placeIn(from, each(to.ids)),
               shaped(state, tilePiece(state, to), rows, Expr()));
  };
  return true;
}

int otherTile(Actor& actor, int tile) {
  return actor.tiles[0] == tile ? actor.tiles[1] : actor.tiles[0];
}

bool gather(PlanState& state, Actor& from, Actor& to, Link& link) {
  Target target;
  int64_t lanes = count(state, from.ids);
  if (from.tiles.empty() || !targetOf(state, to, lanes, target)) return false;
  link.channel = channel(state, to, extents(state, from.ids));
  Rows rows = anyRows(state, lanes);
  link.put = [=, &state, used = link.channel, &from, &to] {
    transferOp(from, Stmt::Put, used, placeIn(to, each(from.ids)),
               shaped(state, tilePiece(state, from), rows, linear(state, from.ids)));
  };
  link.get = [=, &state, used = link.channel, &from, &to] {
    forLanes(state, to, from.ids, !target.perLane, [&](const std::vector<Expr>& at) {
      Expr lane = laneNumber(state, from.ids, at);
      Piece piece = target.base;
      if (target.perLane) piece.row = piece.row + lane * state.plan.height;
      transferOp(to, Stmt::Get, used, placeIn(to, at), shaped(state, piece, rows, lane));
      if (!target.perLane && to.tiles.size() > 1)
        compute(state, to, otherTile(to, piece.buffer), piece.buffer);
    });
  };
  return true;
}

/// Between two herds of one grid: straight, turned around, or transposed.
bool across(PlanState& state, Actor& owner, Actor& from, Actor& to, Link& link) {
  if (extents(state, from.ids) != extents(state, to.ids) || from.tiles.empty() || to.tiles.empty())
    return false;
  link.channel = channel(state, owner, extents(state, from.ids));
  std::vector<Expr> at = each(to.ids);
  if (!at.empty() && state.random.chance(30))
    at[0] = Expr(extentOf(state, to.ids[0]) - 1) + at[0] * -1;
  else if (at.size() == 2 && extentOf(state, to.ids[0]) == extentOf(state, to.ids[1]) &&
           state.random.chance(30))
    std::swap(at[0], at[1]);
  Rows rows = anyRows(state, 1);
  link.put = [=, &state, used = link.channel, &owner, &from] {
    transferOp(from, Stmt::Put, used, placeIn(owner, each(from.ids)),
               shaped(state, tilePiece(state, from), rows, Expr()));
  };
  link.get = [=, &state, used = link.channel, &owner, &to] {
    transferOp(to, Stmt::Get, used, placeIn(owner, at),
               shaped(state, tilePiece(state, to), rows, Expr()));
  };
  return true;
}

/// From each core to the next of its row.
bool pipeline(PlanState& state, Actor& owner, Actor& herd) {
  if (herd.level != Level::Herd || herd.ids.empty() || extentOf(state, herd.ids[0]) < 2)
    return false;
  int used = channel(state, owner, extents(state, herd.ids));
  std::vector<Expr> mine = each(herd.ids), before = mine;
  before[0] = before[0] + Expr(-1);
  Rows rows = anyRows(state, 1);
  int tile = state.random.pick(herd.tiles);
  Stmt& first = add(herd, Stmt::If);
  first.condition = {mine[0], 0, 1};
  inside(herd, first.other, [&] {
    transferOp(herd, Stmt::Get, used, placeIn(owner, before),
               shaped(state, whole(state, tile), rows, Expr()));
  });
  compute(state, herd, tile, state.random.pick(herd.tiles));
  Stmt& last = add(herd, Stmt::If);
  last.condition = {mine[0], 0, extentOf(state, herd.ids[0]) - 1};
  inside(herd, last.body, [&] {
    transferOp(herd, Stmt::Put, used, placeIn(owner, mine),
               shaped(state, whole(state, tile), rows, Expr()));
  });
  return true;
}

/// The channel as a queue of the actor's own.
bool queue(PlanState& state, Actor& owner, Actor& actor, Link& link) {
  if (actor.tiles.empty()) return false;
  std::vector<int> lanes = &owner == &actor ? std::vector<int>() : actor.ids;
  link.channel = channel(state, owner, extents(state, lanes));
  Rows rows = anyRows(state, 1);
  auto half = [=, &state, used = link.channel, &owner, &actor](Stmt::Kind kind) {
    transferOp(actor, kind, used, placeIn(owner, each(lanes)),
               shaped(state, tilePiece(state, actor), rows, Expr()));
  };
  link.put = [=] { half(Stmt::Put); };
  link.get = [=] { half(Stmt::Get); };
  return true;
}

/// All puts before all gets, with room for them in the channel.
void delayed(PlanState& state, const Actors& all, Link& link) {
  int64_t transfers = state.random.between(1, 3);
  state.plan.channels[static_cast<size_t>(link.channel)].depth = transfers + 1;
  for (int64_t i = 0; i < transfers; ++i)
    link.put();
  if (state.random.chance(60)) localStep(state, *all[state.random.below(all.size())]);
  for (int64_t i = 0; i < transfers; ++i)
    link.get();
}

bool lastIsSecond(const PlanState& state, const Link& link) {
  return link.channel + 1 != static_cast<int>(state.plan.channels.size());
}

}  // namespace

bool transfer(PlanState& state, Actor& owner, Actors& kids, bool mayDelay) {
  Actor& kid = *kids[state.random.below(kids.size())];
  Actor& peer = *kids[state.random.below(kids.size())];
  bool hasTiles = !kid.tiles.empty();
  Link link;
  bool made = false;
  size_t kind = state.random.below(100);
  if (kind < 8 && hasTiles) return pipeline(state, owner, kid);
  if (kind < 30 && hasTiles)
    made = scatter(state, owner, kid, link);
  else if (kind < 45 && hasTiles)
    made = broadcast(state, owner, kid, link);
  else if (kind < 65)
    made = gather(state, kid, owner, link);
  else if (kind < 95 && &kid != &peer)
    made = across(state, owner, kid, peer, link);
  if (!made && mayDelay && hasTiles && state.random.chance(25)) {
    if (!queue(state, owner, kid, link)) return false;
    delayed(state, withOwner(owner, kids), link);
    return true;
  }
  if (!made) return false;
  bool isQueue = link.channel >= 0 && mayDelay && state.random.chance(15);
  // The second channel of a scatter in two halves has no room for several.
  if (isQueue && !lastIsSecond(state, link)) {
    delayed(state, withOwner(owner, kids), link);
    return true;
  }
  link.put();
  link.get();
  return true;
}

Actors withOwner(Actor& owner, const Actors& kids) {
  Actors all = kids;
  if (owner.level == Level::Segment || owner.level == Level::Herd) all.push_back(&owner);
  return all;
}

}  // namespace airlite::testing::planning
