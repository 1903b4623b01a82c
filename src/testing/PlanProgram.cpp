// Random plans (see Plan.hpp for why they are correct).
#include "Plan.hpp"

#include <algorithm>
#include <functional>
#include <map>

namespace airlite::testing {

namespace {

constexpr int64_t kMaxInstances = 32;  // instances times iterations, of what is innermost
constexpr int64_t kBigTiles = 6;       // of a buffer that a segment shares with its herds
constexpr size_t kMaxArguments = 7;

/// Someone who runs a block of the program: the function, a launch, a segment, a herd.
struct Actor {
  Level level = Level::Function;
  Style style = Style::Sync;
  Block* block = nullptr;
  std::vector<int> ids;     // its own
  std::vector<int> place;   // all that say which instance it is
  std::vector<int> prefix;  // of these, the ids of segments: their instances share channels
  std::vector<int> loops;
  std::vector<int> tiles, bigs;
  std::vector<int> readBigs;  // of the segment around
  int ownBig = -1;
  int region = -1;  // rows of an argument are its own
  int64_t cost = 1;
  bool inLaunch = false;
  bool hasPhase = false;
  unsigned nesting = 0;  // of segments
};
using Actors = std::vector<Actor*>;

/// A transfer in its two halves.
struct Link {
  int channel = -1;
  std::function<void()> put, get;
};

class Planner {
 public:
  Planner(Random& random, unsigned size) : random_(random), size_(size) {}

  Plan make() {
    static constexpr const char* kElements[] = {"i32", "f32", "i16", "i32", "f32", "f64"};
    static constexpr int64_t kHeights[] = {1, 2, 2, 3, 4}, kWidths[] = {1, 2, 4, 4};
    plan_.element = kElements[random_.below(6)];
    plan_.height = kHeights[random_.below(5)];
    plan_.width = kWidths[random_.below(4)];
    plan_.scalar = coordinate(9, false);
    Actor function;
    function.block = &plan_.body;
    function.style = plan_.style = anyStyle();
    for (int64_t i = random_.between(1, size_); i > 0; --i)
      item(function);
    return std::move(plan_);
  }

 private:
  enum class Role : uint8_t { None, Read, Own };

  // -- Parts of the plan

  Style anyStyle() {
    static constexpr Style kStyles[] = {Style::Sync, Style::Async, Style::Async, Style::Mixed};
    return kStyles[random_.below(4)];
  }
  int coordinate(int64_t extent, bool isLoop) {
    plan_.coordinates.push_back({extent, isLoop});
    return static_cast<int>(plan_.coordinates.size()) - 1;
  }
  int64_t extentOf(int coordinate) const {
    return plan_.coordinates[static_cast<size_t>(coordinate)].extent;
  }
  int resource(Resource made) {
    plan_.resources.push_back(std::move(made));
    return static_cast<int>(plan_.resources.size()) - 1;
  }
  Resource& resourceAt(int index) { return plan_.resources[static_cast<size_t>(index)]; }

  Stmt& add(Actor& actor, Stmt::Kind kind) {
    actor.block->push_back(std::make_unique<Stmt>());
    actor.block->back()->kind = kind;
    return *actor.block->back();
  }

  int64_t count(const std::vector<int>& coordinates) const {
    int64_t total = 1;
    for (int c : coordinates)
      total *= extentOf(c);
    return total;
  }
  /// The number of an instance among all.
  Expr linear(const std::vector<int>& coordinates) const {
    Expr expr;
    for (int c : coordinates)
      expr = expr * extentOf(c) + Expr::of(c);
    return expr;
  }
  int64_t maximum(const Expr& expr) const {
    int64_t total = expr.constant;
    for (auto [c, factor] : expr.terms)
      total += std::max<int64_t>(0, factor * (extentOf(c) - 1));
    return total;
  }

  Piece whole(int buffer) const {
    Piece piece;
    piece.buffer = buffer;
    piece.height = plan_.resources[static_cast<size_t>(buffer)].rows;
    return piece;
  }

  // -- Arguments of the function

  int argument(int64_t rows) {
    Resource made{Resource::Argument, "", rows, plan_.width, 0, false};
    if (random_.chance(30)) made.columns += random_.between(1, 3);
    int index = resource(made);
    resourceAt(index).name = "a" + std::to_string(arguments_.size());
    arguments_.push_back(index);
    return index;
  }
  int64_t anyColumn(int buffer) {
    int64_t free = resourceAt(buffer).columns - plan_.width;
    return free > 0 && random_.chance(50) ? free : 0;
  }

  /// An argument that nobody writes at this time, with so many rows; -1 when there is none.
  int inputOf(int64_t rows) {
    std::vector<int> fitting;
    for (int a : arguments_)
      if (roles_[a] != Role::Own && resourceAt(a).rows >= rows) fitting.push_back(a);
    int found = -1;
    if (!fitting.empty() && (random_.chance(60) || arguments_.size() >= kMaxArguments))
      found = random_.pick(fitting);
    else if (arguments_.size() < kMaxArguments)
      found = argument(rows + random_.between(0, 1));
    if (found >= 0) roles_[found] = Role::Read;
    return found;
  }

  /// An argument of `tiles` tiles that nobody else touches at this time. With `partial` the last
  /// tile may be smaller.
  int regionOf(int64_t tiles, bool partial) {
    int64_t rows = tiles * plan_.height;
    for (int a : arguments_) {
      bool fits =
          resourceAt(a).rows >= rows || (partial && resourceAt(a).rows > rows - plan_.height);
      if (roles_[a] != Role::None || !fits || random_.chance(30)) continue;
      roles_[a] = Role::Own;
      return a;
    }
    if (arguments_.size() >= kMaxArguments) return -1;
    if (partial && plan_.height > 1 && random_.chance(35))
      rows -= random_.between(1, plan_.height - 1);
    int made = argument(rows);
    roles_[made] = Role::Own;
    return made;
  }

  // -- Pieces

  /// A tile of an input; which one depends on who asks.
  bool inputPiece(const Actor& actor, Expr extra, Piece& piece) {
    Expr row = linear(actor.place) * random_.between(0, plan_.height) + extra;
    if (!actor.loops.empty() && random_.chance(60))
      row = row + Expr::of(actor.loops.back()) * random_.between(1, plan_.height);
    row = row + Expr(random_.between(0, 1));
    piece.buffer = inputOf(maximum(row) + plan_.height);
    if (piece.buffer < 0) return false;
    piece.row = row;
    piece.height = plan_.height;
    piece.column = anyColumn(piece.buffer);
    return true;
  }

  Piece regionPiece(const Actor& actor) {
    Piece piece;
    piece.buffer = actor.region;
    piece.row = linear(actor.place) * plan_.height;
    piece.height = plan_.height;
    limit(piece, piece.row, resourceAt(actor.region).rows, count(actor.place));
    return piece;
  }
  /// Ends the rows of the last tile where those of the buffer end.
  void limit(Piece& piece, const Expr& row, int64_t rows, int64_t tiles) const {
    if (rows >= tiles * plan_.height) return;
    piece.limit = rows;
    piece.limited = row;
  }
  Piece bigPiece(int big, const Expr& tile) const {
    Piece piece;
    piece.buffer = big;
    piece.row = tile * plan_.height;
    piece.height = plan_.height;
    return piece;
  }
  Piece tilePiece(Actor& actor) { return whole(random_.pick(actor.tiles)); }
  static Piece withRowsOf(Piece piece, const Piece& other) {
    piece.limit = other.limit;
    piece.limited = other.limited;
    return piece;
  }

  // -- Steps of one actor

  void copy(Actor& actor, const Piece& to, const Piece& from) {
    Stmt& stmt = add(actor, Stmt::Copy);
    stmt.to = to;
    stmt.from = from;
  }
  void fill(Actor& actor, int buffer) {
    Stmt& stmt = add(actor, Stmt::Fill);
    stmt.to = whole(buffer);
    stmt.flavour = static_cast<unsigned>(random_.below(5));
  }
  void compute(Actor& actor, int to, int from) {
    Stmt& stmt = add(actor, Stmt::Compute);
    stmt.to = whole(to);
    stmt.from = whole(from);
    stmt.flavour = static_cast<unsigned>(random_.below(6));
    if (!actor.ids.empty() && random_.chance(70))
      stmt.to.limited = Expr::of(actor.ids[random_.below(actor.ids.size())]);
    else if (!actor.loops.empty())
      stmt.to.limited = Expr::of(actor.loops.back());
  }

  int local(Actor& actor, int64_t rows) {
    Resource made{
        Resource::Local, "", rows, plan_.width, actor.level == Level::Herd ? 2 : 1, false};
    made.name = (rows == plan_.height ? "t" : "b") + std::to_string(nextName_++);
    int buffer = resource(made);
    add(actor, Stmt::Allocate).to = whole(buffer);
    return buffer;
  }
  void addTile(Actor& actor) {
    int tile = local(actor, plan_.height);
    actor.tiles.push_back(tile);
    Piece from;
    if (random_.chance(60) && inputPiece(actor, Expr(), from))
      return copy(actor, whole(tile), from);
    fill(actor, tile);
  }
  void addBig(Actor& actor) {
    int big = local(actor, kBigTiles * plan_.height);
    actor.bigs.push_back(big);
    fill(actor, big);
    Piece from, to = bigPiece(big, Expr(random_.between(0, kBigTiles - 1)));
    for (int64_t i = random_.between(0, 3); i > 0; --i, to.row = to.row + Expr(plan_.height))
      if (maximum(to.row) < (kBigTiles - 1) * plan_.height && inputPiece(actor, Expr(), from))
        copy(actor, to, from);
  }
  void release(Actor& actor) {
    for (int buffer : actor.tiles)
      if (random_.chance(40)) add(actor, Stmt::Free).to = whole(buffer);
    for (int buffer : actor.bigs)
      if (random_.chance(40)) add(actor, Stmt::Free).to = whole(buffer);
  }

  /// A big buffer that the actor may read (or write) now; -1 when there is none.
  int bigOf(Actor& actor, bool writes) {
    std::vector<int> found;
    for (int big : actor.bigs)
      if (!lent_.count(big) || (!writes && lent_[big] == Role::Read)) found.push_back(big);
    if (!writes) found.insert(found.end(), actor.readBigs.begin(), actor.readBigs.end());
    return found.empty() ? -1 : random_.pick(found);
  }
  /// A tile of a big buffer for one instance: any to read, its own to write.
  Expr tileOf(Actor& actor, bool writes) {
    if (writes || actor.level != Level::Herd) {
      if (actor.level == Level::Herd) return linear(actor.ids);
      return Expr(random_.between(0, kBigTiles - 1));
    }
    return linear(actor.ids) + Expr(random_.between(0, kBigTiles - count(actor.ids)));
  }

  void storeRegion(Actor& actor) {
    if (actor.region < 0 || actor.tiles.empty()) return;
    Piece to = regionPiece(actor);
    copy(actor, to, withRowsOf(tilePiece(actor), to));
  }

  void localStep(Actor& actor) {
    if (actor.level == Level::Launch || actor.level == Level::Function) {
      Piece from;
      if (actor.region >= 0 && inputPiece(actor, Expr(), from)) {
        Piece to = regionPiece(actor);
        copy(actor, to, withRowsOf(from, to));
      }
      return;
    }
    switch (random_.below(7)) {
      case 0: {
        Piece from;
        if (inputPiece(actor, Expr(), from)) copy(actor, tilePiece(actor), from);
        return;
      }
      case 1:
        if (int big = bigOf(actor, false); big >= 0) {
          Piece from = bigPiece(big, tileOf(actor, false));
          copy(actor, tilePiece(actor), from);
        }
        return;
      case 2: {
        int big = actor.level == Level::Herd ? actor.ownBig : bigOf(actor, true);
        if (big < 0) return;
        Piece to = bigPiece(big, tileOf(actor, true));
        return copy(actor, to, tilePiece(actor));
      }
      case 3:
        if (actor.region < 0) return;
        if (random_.chance(50)) return storeRegion(actor);
        {
          Piece from = regionPiece(actor);
          return copy(actor, withRowsOf(tilePiece(actor), from), from);
        }
      default:
        int to = random_.pick(actor.tiles);
        compute(actor, to, random_.pick(actor.tiles));
    }
  }

  // -- Channels

  int channel(const Actor& owner, std::vector<int64_t> sizes, std::vector<int64_t> broadcast = {}) {
    Channel made;
    made.name = "c" + std::to_string(plan_.channels.size());
    for (int c : owner.prefix) {
      made.sizes.push_back(extentOf(c));
      if (!broadcast.empty()) made.broadcast.push_back(extentOf(c));
    }
    made.sizes.insert(made.sizes.end(), sizes.begin(), sizes.end());
    made.broadcast.insert(made.broadcast.end(), broadcast.begin(), broadcast.end());
    if (random_.chance(30)) made.depth = random_.between(2, 4);
    Resource end{Resource::ChannelEnd, made.name, 0, 0, 0, owner.inLaunch};
    made.putEnd = resource(end);
    made.getEnd = resource(end);
    plan_.channels.push_back(std::move(made));
    return static_cast<int>(plan_.channels.size()) - 1;
  }
  std::vector<int64_t> extents(const std::vector<int>& coordinates) const {
    std::vector<int64_t> list;
    for (int c : coordinates)
      list.push_back(extentOf(c));
    return list;
  }
  static std::vector<Expr> placeIn(const Actor& owner, const std::vector<Expr>& lanes) {
    std::vector<Expr> list;
    for (int c : owner.prefix)
      list.push_back(Expr::of(c));
    list.insert(list.end(), lanes.begin(), lanes.end());
    return list;
  }
  static std::vector<Expr> each(const std::vector<int>& coordinates) {
    std::vector<Expr> list;
    for (int c : coordinates)
      list.push_back(Expr::of(c));
    return list;
  }

  void transferOp(Actor& actor, Stmt::Kind kind, int channel, std::vector<Expr> indices,
                  const Piece& piece) {
    Stmt& stmt = add(actor, kind);
    stmt.channel = channel;
    stmt.indices = std::move(indices);
    (kind == Stmt::Put ? stmt.from : stmt.to) = piece;
  }

  void inside(Actor& actor, Block& block, const std::function<void()>& body) {
    Block* outer = std::exchange(actor.block, &block);
    body();
    actor.block = outer;
  }

  /// For each instance of the other side: written out, or a parallel loop.
  void forLanes(Actor& actor, const std::vector<int>& ids, bool inOrder,
                const std::function<void(const std::vector<Expr>&)>& body) {
    if (ids.empty()) return body({});
    if (!inOrder && count(ids) > 1 && random_.chance(60)) {
      std::vector<int> variables;
      for (int id : ids)
        variables.push_back(coordinate(extentOf(id), false));
      Stmt& loop = add(actor, Stmt::Parallel);
      loop.variables = variables;
      return inside(actor, loop.body, [&] { body(each(variables)); });
    }
    for (int64_t i = 0, n = count(ids); i < n; ++i) {
      std::vector<Expr> at(ids.size());
      int64_t rest = i;
      for (size_t d = ids.size(); d-- > 0; rest /= extentOf(ids[d]))
        at[d] = Expr(rest % extentOf(ids[d]));
      body(at);
    }
  }
  Expr laneNumber(const std::vector<int>& ids, const std::vector<Expr>& at) const {
    Expr expr;
    for (size_t d = 0; d < ids.size(); ++d)
      expr = expr * extentOf(ids[d]) + at[d];
    return expr;
  }

  /// Everybody agrees on how many rows a transfer has: fewer for the last lane of partial tiles.
  struct Rows {
    int64_t height = 0, limit = 0;
  };
  Rows anyRows(int64_t lanes) {
    Rows rows{plan_.height, 0};
    if (plan_.height == 1) return rows;
    if (lanes > 1 && random_.chance(20))
      rows.limit = lanes * plan_.height - random_.between(1, plan_.height - 1);
    else if (random_.chance(15))
      rows.height = random_.between(1, plan_.height - 1);
    return rows;
  }
  Piece shaped(Piece piece, Rows rows, const Expr& lane) {
    piece.height = rows.height;
    piece.limit = rows.limit;
    piece.limited = lane * plan_.height;
    bool mayTurn = rows.limit == 0 && plan_.width > 1;
    piece.transposed = mayTurn && random_.chance(10);
    return piece;
  }

  /// What the outer side of a transfer reads for a lane.
  bool sourceOf(Actor& actor, const Expr& lane, Piece& piece) {
    if (actor.level == Level::Herd || actor.level == Level::Segment) {
      int big = actor.level == Level::Segment ? bigOf(actor, false) : -1;
      bool fits = big >= 0 && maximum(lane) < kBigTiles;
      piece = fits && random_.chance(50) ? bigPiece(big, lane) : tilePiece(actor);
      return true;
    }
    return inputPiece(actor, lane * random_.between(0, plan_.height), piece);
  }

  /// Where the outer side of a gather writes; `inOrder` when all lanes go to the same place.
  struct Target {
    Piece base;
    bool perLane = false;
  };
  bool targetOf(Actor& actor, int64_t lanes, Target& target) {
    if (actor.level == Level::Segment) {
      int big = bigOf(actor, true);
      target.perLane = big >= 0 && lanes <= kBigTiles && random_.chance(60);
      target.base = target.perLane ? bigPiece(big, Expr()) : tilePiece(actor);
      return true;
    }
    int region = regionOf(count(actor.place) * lanes, false);
    if (region < 0) return false;
    target.perLane = true;
    target.base = bigPiece(region, linear(actor.place) * lanes);
    return true;
  }

  bool scatter(Actor& from, Actor& to, Link& link) {
    Piece probe;
    if (!sourceOf(from, Expr(), probe)) return false;
    int64_t lanes = count(to.ids);
    link.channel = channel(from, extents(to.ids));
    Rows rows = anyRows(lanes);
    bool even = lanes > 1 && random_.chance(15);
    int first = link.channel;
    int other = !even && lanes > 1 && random_.chance(10) ? channel(from, extents(to.ids)) : -1;
    link.put = [=, this, &from, &to] {
      forLanes(from, to.ids, false, [&](const std::vector<Expr>& at) {
        Expr lane = laneNumber(to.ids, at);
        Piece piece = probe;
        if (!sourceOf(from, lane, piece)) piece = probe;
        piece = shaped(piece, rows, lane);
        chosen(from, lane, even, other >= 0, [&](bool isEven) {
          transferOp(from, Stmt::Put, isEven ? first : other, placeIn(from, at), piece);
        });
      });
    };
    link.get = [=, this, &from, &to] {
      Expr lane = linear(to.ids);
      Piece piece = shaped(tilePiece(to), rows, lane);
      chosen(to, lane, even, other >= 0, [&](bool isEven) {
        transferOp(to, Stmt::Get, isEven ? first : other, placeIn(from, each(to.ids)), piece);
      });
    };
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

  bool broadcast(Actor& from, Actor& to, Link& link) {
    Piece source;
    if (count(to.ids) < 2 || !sourceOf(from, Expr(), source)) return false;
    std::vector<int64_t> shape = extents(to.ids), sizes(shape.size(), 1);
    bool byRow = shape.size() == 2 && random_.chance(50);
    if (byRow) sizes[0] = shape[0];
    std::vector<int> lanes;
    if (byRow) lanes.push_back(to.ids[0]);
    link.channel = channel(from, sizes, shape);
    Rows rows = anyRows(1);
    bool wholeBundle = !byRow && from.prefix.empty() && random_.chance(30);
    link.put = [=, this, used = link.channel, &from, &to] {
      forLanes(from, lanes, false, [&](const std::vector<Expr>& at) {
        std::vector<Expr> indices(to.ids.size());
        if (byRow) indices[0] = at[0];
        std::vector<Expr> place = placeIn(from, indices);
        if (wholeBundle) place.clear();
        transferOp(from, Stmt::Put, used, place, shaped(source, rows, Expr()));
      });
    };
    link.get = [=, this, used = link.channel, &from, &to] {
      transferOp(to, Stmt::Get, used, placeIn(from, each(to.ids)),
                 shaped(tilePiece(to), rows, Expr()));
    };
    return true;
  }

  bool gather(Actor& from, Actor& to, Link& link) {
    Target target;
    int64_t lanes = count(from.ids);
    if (from.tiles.empty() || !targetOf(to, lanes, target)) return false;
    link.channel = channel(to, extents(from.ids));
    Rows rows = anyRows(lanes);
    link.put = [=, this, used = link.channel, &from, &to] {
      transferOp(from, Stmt::Put, used, placeIn(to, each(from.ids)),
                 shaped(tilePiece(from), rows, linear(from.ids)));
    };
    link.get = [=, this, used = link.channel, &from, &to] {
      forLanes(to, from.ids, !target.perLane, [&](const std::vector<Expr>& at) {
        Expr lane = laneNumber(from.ids, at);
        Piece piece = target.base;
        if (target.perLane) piece.row = piece.row + lane * plan_.height;
        transferOp(to, Stmt::Get, used, placeIn(to, at), shaped(piece, rows, lane));
        if (!target.perLane && to.tiles.size() > 1)
          compute(to, otherTile(to, piece.buffer), piece.buffer);
      });
    };
    return true;
  }
  int otherTile(Actor& actor, int tile) {
    return actor.tiles[0] == tile ? actor.tiles[1] : actor.tiles[0];
  }

  /// Between two herds of one grid: straight, turned around, or transposed.
  bool across(Actor& owner, Actor& from, Actor& to, Link& link) {
    if (extents(from.ids) != extents(to.ids) || from.tiles.empty() || to.tiles.empty())
      return false;
    link.channel = channel(owner, extents(from.ids));
    std::vector<Expr> at = each(to.ids);
    if (!at.empty() && random_.chance(30))
      at[0] = Expr(extentOf(to.ids[0]) - 1) + at[0] * -1;
    else if (at.size() == 2 && extentOf(to.ids[0]) == extentOf(to.ids[1]) && random_.chance(30))
      std::swap(at[0], at[1]);
    Rows rows = anyRows(1);
    link.put = [=, this, used = link.channel, &owner, &from] {
      transferOp(from, Stmt::Put, used, placeIn(owner, each(from.ids)),
                 shaped(tilePiece(from), rows, Expr()));
    };
    link.get = [=, this, used = link.channel, &owner, &to] {
      transferOp(to, Stmt::Get, used, placeIn(owner, at), shaped(tilePiece(to), rows, Expr()));
    };
    return true;
  }

  /// From each core to the next of its row.
  bool pipeline(Actor& owner, Actor& herd) {
    if (herd.level != Level::Herd || herd.ids.empty() || extentOf(herd.ids[0]) < 2) return false;
    int used = channel(owner, extents(herd.ids));
    std::vector<Expr> mine = each(herd.ids), before = mine;
    before[0] = before[0] + Expr(-1);
    Rows rows = anyRows(1);
    int tile = random_.pick(herd.tiles);
    Stmt& first = add(herd, Stmt::If);
    first.condition = {mine[0], 0, 1};
    inside(herd, first.other, [&] {
      transferOp(herd, Stmt::Get, used, placeIn(owner, before), shaped(whole(tile), rows, Expr()));
    });
    compute(herd, tile, random_.pick(herd.tiles));
    Stmt& last = add(herd, Stmt::If);
    last.condition = {mine[0], 0, extentOf(herd.ids[0]) - 1};
    inside(herd, last.body, [&] {
      transferOp(herd, Stmt::Put, used, placeIn(owner, mine), shaped(whole(tile), rows, Expr()));
    });
    return true;
  }

  /// The channel as a queue of the actor's own.
  bool queue(Actor& owner, Actor& actor, Link& link) {
    if (actor.tiles.empty()) return false;
    std::vector<int> lanes = &owner == &actor ? std::vector<int>() : actor.ids;
    link.channel = channel(owner, extents(lanes));
    Rows rows = anyRows(1);
    auto half = [=, this, used = link.channel, &owner, &actor](Stmt::Kind kind) {
      transferOp(actor, kind, used, placeIn(owner, each(lanes)),
                 shaped(tilePiece(actor), rows, Expr()));
    };
    link.put = [=] { half(Stmt::Put); };
    link.get = [=] { half(Stmt::Get); };
    return true;
  }

  // -- Steps of several

  /// All puts before all gets, with room for them in the channel.
  void delayed(const Actors& all, Link& link) {
    int64_t transfers = random_.between(1, 3);
    plan_.channels[static_cast<size_t>(link.channel)].depth = transfers + 1;
    for (int64_t i = 0; i < transfers; ++i)
      link.put();
    if (random_.chance(60)) localStep(*all[random_.below(all.size())]);
    for (int64_t i = 0; i < transfers; ++i)
      link.get();
  }

  /// False when no transfer is possible.
  bool transfer(Actor& owner, Actors& kids, bool mayDelay) {
    Actor& kid = *kids[random_.below(kids.size())];
    Actor& peer = *kids[random_.below(kids.size())];
    bool hasTiles = !kid.tiles.empty();
    Link link;
    bool made = false;
    size_t kind = random_.below(100);
    if (kind < 8 && hasTiles) return pipeline(owner, kid);
    if (kind < 30 && hasTiles)
      made = scatter(owner, kid, link);
    else if (kind < 45 && hasTiles)
      made = broadcast(owner, kid, link);
    else if (kind < 65)
      made = gather(kid, owner, link);
    else if (kind < 95 && &kid != &peer)
      made = across(owner, kid, peer, link);
    if (!made && mayDelay && hasTiles && random_.chance(25)) {
      if (!queue(owner, kid, link)) return false;
      delayed(withOwner(owner, kids), link);
      return true;
    }
    if (!made) return false;
    bool isQueue = link.channel >= 0 && mayDelay && random_.chance(15);
    // The second channel of a scatter in two halves has no room for several.
    if (isQueue && !lastIsSecond(link)) {
      delayed(withOwner(owner, kids), link);
      return true;
    }
    link.put();
    link.get();
    return true;
  }
  bool lastIsSecond(const Link& link) const {
    return link.channel + 1 != static_cast<int>(plan_.channels.size());
  }
  static Actors withOwner(Actor& owner, const Actors& kids) {
    Actors all = kids;
    if (owner.level == Level::Segment || owner.level == Level::Herd) all.push_back(&owner);
    return all;
  }

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

  void loop(Actor& owner, Actors& kids, unsigned depth) {
    bool open = depth == 0 && random_.chance(15);
    int64_t trips = open ? 8 : random_.between(2, 3);
    int64_t cost = owner.cost;
    for (Actor* kid : kids)
      cost = std::max(cost, kid->cost);
    if (cost * trips > kMaxInstances) return;
    int variable = coordinate(trips, true);
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
          stmt->trips = open ? plan_.scalar : -1;
          return stmt;
        },
        [&] { steps(owner, kids, 1 + random_.below(3), depth + 1); }, nullptr);
    for (Actor* actor : all)
      actor->loops.pop_back(), actor->cost /= trips;
  }

  void branch(Actor& owner, Actors& kids, unsigned depth) {
    Condition condition{Expr::of(plan_.scalar), 0, random_.between(3, 5)};
    if (!owner.loops.empty() && random_.chance(70))
      condition = {Expr::of(owner.loops.back()), 2, random_.between(0, 1)};
    Actors all = kids;
    all.push_back(&owner);
    auto make = [&] {
      auto stmt = std::make_unique<Stmt>();
      stmt->kind = Stmt::If;
      stmt->condition = condition;
      return stmt;
    };
    std::function<void()> second;
    if (random_.chance(60)) second = [&] { steps(owner, kids, 1 + random_.below(2), depth + 1); };
    around(
        all, make, [&] { steps(owner, kids, 1 + random_.below(2), depth + 1); }, second);
  }

  void steps(Actor& owner, Actors& kids, size_t count, unsigned depth) {
    for (; count > 0; --count) {
      size_t kind = random_.below(100);
      if (kind < 15 && depth < 2) {
        loop(owner, kids, depth);
      } else if (kind < 25 && depth < 2) {
        branch(owner, kids, depth);
      } else if (kind < 65 && communicates_) {
        transfer(owner, kids, true);
      } else if (kind < 75 && kids[0]->level != Level::Herd) {
        Actor& kid = *kids[random_.below(kids.size())];
        phase(kid);
      } else {
        Actors all = withOwner(owner, kids);
        localStep(*all[random_.below(all.size())]);
      }
    }
  }

  // -- Hierarchy

  std::vector<int> anySpace(Level level, int64_t cost) {
    static const std::vector<std::vector<int64_t>> kHerds = {
        {1, 1}, {2, 1}, {1, 2}, {2, 2}, {3, 1}, {4, 1}, {2}, {3}, {2, 1}, {2, 2}};
    static const std::vector<std::vector<int64_t>> kLaunches = {{},  {},     {1},   {2},
                                                                {3}, {2, 2}, {1, 2}};
    static const std::vector<std::vector<int64_t>> kSegments = {{}, {}, {}, {2}, {1}, {2, 1}};
    const auto& spaces = level == Level::Herd     ? kHerds
                         : level == Level::Launch ? kLaunches
                                                  : kSegments;
    std::vector<int64_t> space = spaces[random_.below(spaces.size())];
    int64_t total = 1;
    for (int64_t extent : space)
      total *= extent;
    if (total * cost > kMaxInstances) space.assign(space.size(), 1);
    std::vector<int> ids;
    for (int64_t extent : space)
      ids.push_back(coordinate(extent, false));
    return ids;
  }
  std::vector<int> sameSpace(const std::vector<int>& other) {
    std::vector<int> ids;
    for (int id : other)
      ids.push_back(coordinate(extentOf(id), false));
    return ids;
  }

  Actor kidOf(const Actor& owner, Level level, const Actor* sibling) {
    Actor kid;
    kid.level = level;
    kid.style = anyStyle();
    kid.ids = sibling && random_.chance(60) ? sameSpace(sibling->ids) : anySpace(level, owner.cost);
    kid.place = owner.place;
    kid.place.insert(kid.place.end(), kid.ids.begin(), kid.ids.end());
    kid.prefix = owner.prefix;
    if (level == Level::Segment)
      kid.prefix.insert(kid.prefix.end(), kid.ids.begin(), kid.ids.end());
    kid.loops = owner.loops;
    kid.cost = owner.cost * count(kid.ids);
    kid.inLaunch = owner.inLaunch || level == Level::Launch;
    kid.nesting = owner.nesting + (level == Level::Segment ? 1 : 0);
    return kid;
  }

  Level levelBelow(const Actor& owner) {
    if (owner.level == Level::Function)
      return random_.chance(80) ? Level::Launch : random_.chance(50) ? Level::Segment : Level::Herd;
    if (owner.level == Level::Launch) return random_.chance(75) ? Level::Segment : Level::Herd;
    return owner.nesting < 2 && random_.chance(15) ? Level::Segment : Level::Herd;
  }

  void begin(Actor& kid) {
    if (kid.level == Level::Herd || kid.level == Level::Segment)
      for (int64_t i = random_.between(1, 3); i > 0; --i)
        addTile(kid);
    if (kid.level == Level::Segment)
      for (int64_t i = random_.between(0, 2); i > 0; --i)
        addBig(kid);
    unsigned chance = kid.level == Level::Herd ? 75 : 50;
    if (random_.chance(chance)) kid.region = regionOf(count(kid.place), true);
  }
  void end(Actor& kid) {
    if (kid.level != Level::Herd && !kid.hasPhase) phase(kid);
    storeRegion(kid);
    release(kid);
  }

  void lend(Actor& owner, Actors& kids) {
    for (int big : owner.bigs) {
      if (random_.chance(30)) {
        Actor& kid = *kids[random_.below(kids.size())];
        if (kid.level != Level::Herd || kid.ownBig >= 0) continue;
        kid.ownBig = big;
        kid.readBigs = {};
        lent_[big] = Role::Own;
        continue;
      }
      for (Actor* kid : kids)
        if (kid->level == Level::Herd && random_.chance(50)) {
          kid->readBigs.push_back(big);
          lent_[big] = Role::Read;
        }
    }
  }

  /// Children of `owner` that run side by side, with what they and it do together.
  void phase(Actor& owner) {
    owner.hasPhase = true;
    Level level = levelBelow(owner);
    size_t number =
        owner.level == Level::Function ? 1 : 1 + random_.below(level == Level::Herd ? 3 : 2);
    std::vector<std::unique_ptr<Actor>> made;
    Actors kids;
    Block spawns, own;
    std::map<int, Role> outerLent = std::exchange(lent_, {});
    bool outerTalk = std::exchange(communicates_, random_.chance(75));
    bool talks = communicates_;
    for (size_t i = 0; i < number; ++i) {
      made.push_back(std::make_unique<Actor>(kidOf(owner, level, i ? made[0].get() : nullptr)));
      kids.push_back(made.back().get());
      auto spawn = std::make_unique<Stmt>();
      spawn->kind = Stmt::Spawn;
      spawn->child = std::make_unique<Child>();
      spawn->child->level = level;
      spawn->child->name = nameOf(level);
      spawn->child->ids = kids.back()->ids;
      spawn->child->style = kids.back()->style;
      kids.back()->block = &spawn->child->body;
      spawns.push_back(std::move(spawn));
    }
    lend(owner, kids);
    for (Actor* kid : kids)
      begin(*kid);
    inside(owner, own, [&] {
      steps(owner, kids, 1 + random_.below(size_ + 1), 0);
      for (Actor* kid : kids) {
        communicates_ = talks;
        end(*kid);
      }
    });
    lent_ = std::move(outerLent);
    communicates_ = outerTalk;
    assemble(owner, spawns, own, talks, level);
  }
  std::string nameOf(Level level) {
    const char* stem = level == Level::Launch ? "l" : level == Level::Segment ? "s" : "h";
    return stem + std::to_string(nextName_++);
  }

  /// Who waits for whom: what communicates has to run side by side.
  void assemble(Actor& owner, Block& spawns, Block& own, bool talks, Level level) {
    bool ownFirst = owner.style == Style::Async && random_.chance(30);
    bool lastMayBlock = own.empty() || ownFirst;
    bool grouped = level != Level::Launch && spawns.size() > 1 && random_.chance(20);
    for (size_t i = 0; i < spawns.size(); ++i) {
      bool mayBlock = !grouped && (!talks || (i + 1 == spawns.size() && lastMayBlock));
      spawns[i]->child->async = !mayBlock || owner.style == Style::Async
                                    ? !mayBlock || random_.chance(85)
                                    : random_.chance(25);
    }
    int group = grouped ? group_++ : -1;
    if (grouped) {
      bool affinity = !talks && random_.chance(70);
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

  // -- The function

  void item(Actor& function) {
    roles_.clear();
    function.region = -1;
    size_t kind = random_.below(100);
    if (kind < 12) {
      int variable = coordinate(2, true);
      Stmt& loop = add(function, Stmt::Loop);
      loop.variables = {variable};
      function.loops.push_back(variable), function.cost *= 2;
      inside(function, loop.body, [&] { phase(function); });
      function.loops.pop_back(), function.cost /= 2;
    } else if (kind < 22) {
      Stmt& branch = add(function, Stmt::If);
      branch.condition = {Expr::of(plan_.scalar), 0, random_.between(3, 5)};
      inside(function, branch.body, [&] { phase(function); });
      if (random_.chance(50)) inside(function, branch.other, [&] { phase(function); });
    } else if (kind < 30) {
      function.region = regionOf(1, true);
      localStep(function);
    } else {
      phase(function);
    }
  }

  Random& random_;
  unsigned size_;
  Plan plan_;
  std::vector<int> arguments_;
  std::map<int, Role> roles_;  // of the arguments, in the part of the function that is planned
  std::map<int, Role> lent_;   // of the buffers of the owner of the phase
  bool communicates_ = true;
  int nextName_ = 0, group_ = 0;
};

}  // namespace

Plan makePlan(Random& random, unsigned size) { return Planner(random, size).make(); }

}  // namespace airlite::testing
