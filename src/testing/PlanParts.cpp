// Coordinates, buffers and pieces of them.
#include "PlanState.hpp"

#include <algorithm>

namespace airlite::testing::planning {

namespace {

constexpr size_t kMaxArguments = 7;

Resource& resourceAt(PlanState& state, int index) {
  return state.plan.resources[static_cast<size_t>(index)];
}

int argument(PlanState& state, int64_t rows) {
  Resource made{Resource::Argument, "", rows, state.plan.width, 0, false};
  if (state.random.chance(30)) made.columns += state.random.between(1, 3);
  int index = resource(state, made);
  resourceAt(state, index).name = "a" + std::to_string(state.arguments.size());
  state.arguments.push_back(index);
  return index;
}

int64_t anyColumn(PlanState& state, int buffer) {
  int64_t free = resourceAt(state, buffer).columns - state.plan.width;
  return free > 0 && state.random.chance(50) ? free : 0;
}

/// An argument that nobody writes at this time, with so many rows; -1 when there is none.
int inputOf(PlanState& state, int64_t rows) {
  std::vector<int> fitting;
  for (int a : state.arguments)
    if (state.roles[a] != Role::Own && resourceAt(state, a).rows >= rows) fitting.push_back(a);
  int found = -1;
  if (!fitting.empty() && (state.random.chance(60) || state.arguments.size() >= kMaxArguments))
    found = state.random.pick(fitting);
  else if (state.arguments.size() < kMaxArguments)
    found = argument(state, rows + state.random.between(0, 1));
  if (found >= 0) state.roles[found] = Role::Read;
  return found;
}

/// Ends the rows of the last tile where those of the buffer end.
void limit(const PlanState& state, Piece& piece, const Expr& row, int64_t rows, int64_t tiles) {
  if (rows >= tiles * state.plan.height) return;
  piece.limit = rows;
  piece.limited = row;
}

}  // namespace

Style anyStyle(PlanState& state) {
  static constexpr Style kStyles[] = {Style::Sync, Style::Async, Style::Async, Style::Mixed};
  return kStyles[state.random.below(4)];
}

int coordinate(PlanState& state, int64_t extent, bool isLoop) {
  state.plan.coordinates.push_back({extent, isLoop});
  return static_cast<int>(state.plan.coordinates.size()) - 1;
}

int64_t extentOf(const PlanState& state, int coordinate) {
  return state.plan.coordinates[static_cast<size_t>(coordinate)].extent;
}

int resource(PlanState& state, Resource made) {
  state.plan.resources.push_back(std::move(made));
  return static_cast<int>(state.plan.resources.size()) - 1;
}

Stmt& add(Actor& actor, Stmt::Kind kind) {
  actor.block->push_back(std::make_unique<Stmt>());
  actor.block->back()->kind = kind;
  return *actor.block->back();
}

int64_t count(const PlanState& state, const std::vector<int>& coordinates) {
  int64_t total = 1;
  for (int c : coordinates)
    total *= extentOf(state, c);
  return total;
}

Expr linear(const PlanState& state, const std::vector<int>& coordinates) {
  Expr expr;
  for (int c : coordinates)
    expr = expr * extentOf(state, c) + Expr::of(c);
  return expr;
}

int64_t maximum(const PlanState& state, const Expr& expr) {
  int64_t total = expr.constant;
  for (auto [c, factor] : expr.terms)
    total += std::max<int64_t>(0, factor * (extentOf(state, c) - 1));
  return total;
}

Piece whole(const PlanState& state, int buffer) {
  Piece piece;
  piece.buffer = buffer;
  piece.height = state.plan.resources[static_cast<size_t>(buffer)].rows;
  return piece;
}

int regionOf(PlanState& state, int64_t tiles, bool partial) {
  int64_t rows = tiles * state.plan.height;
  for (int a : state.arguments) {
    bool fits = resourceAt(state, a).rows >= rows ||
                (partial && resourceAt(state, a).rows > rows - state.plan.height);
    if (state.roles[a] != Role::None || !fits || state.random.chance(30)) continue;
    state.roles[a] = Role::Own;
    return a;
  }
  if (state.arguments.size() >= kMaxArguments) return -1;
  if (partial && state.plan.height > 1 && state.random.chance(35))
    rows -= state.random.between(1, state.plan.height - 1);
  int made = argument(state, rows);
  state.roles[made] = Role::Own;
  return made;
}

bool inputPiece(PlanState& state, const Actor& actor, Expr extra, Piece& piece) {
  Expr row = linear(state, actor.place) * state.random.between(0, state.plan.height) + extra;
  if (!actor.loops.empty() && state.random.chance(60))
    row = row + Expr::of(actor.loops.back()) * state.random.between(1, state.plan.height);
  row = row + Expr(state.random.between(0, 1));
  piece.buffer = inputOf(state, maximum(state, row) + state.plan.height);
  if (piece.buffer < 0) return false;
  piece.row = row;
  piece.height = state.plan.height;
  piece.column = anyColumn(state, piece.buffer);
  return true;
}

Piece regionPiece(PlanState& state, const Actor& actor) {
  Piece piece;
  piece.buffer = actor.region;
  piece.row = linear(state, actor.place) * state.plan.height;
  piece.height = state.plan.height;
  limit(state, piece, piece.row, resourceAt(state, actor.region).rows, count(state, actor.place));
  return piece;
}

Piece bigPiece(const PlanState& state, int big, const Expr& tile) {
  Piece piece;
  piece.buffer = big;
  piece.row = tile * state.plan.height;
  piece.height = state.plan.height;
  return piece;
}

Piece tilePiece(PlanState& state, Actor& actor) {
  return whole(state, state.random.pick(actor.tiles));
}

Piece withRowsOf(Piece piece, const Piece& other) {
  piece.limit = other.limit;
  piece.limited = other.limited;
  return piece;
}

void inside(Actor& actor, Block& block, const std::function<void()>& body) {
  Block* outer = std::exchange(actor.block, &block);
  body();
  actor.block = outer;
}

std::vector<int64_t> extents(const PlanState& state, const std::vector<int>& coordinates) {
  std::vector<int64_t> list;
  for (int c : coordinates)
    list.push_back(extentOf(state, c));
  return list;
}

std::vector<Expr> each(const std::vector<int>& coordinates) {
  std::vector<Expr> list;
  for (int c : coordinates)
    list.push_back(Expr::of(c));
  return list;
}

}  // namespace airlite::testing::planning
