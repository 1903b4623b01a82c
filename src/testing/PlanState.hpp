// A plan while it is made: what all parts of the planner share. Each file plans one thing; Plan.hpp
// says why plans are correct.
#pragma once

#include "Plan.hpp"

#include <functional>
#include <map>

namespace airlite::testing::planning {

inline constexpr int64_t kMaxInstances = 32;  // instances times iterations, of what is innermost
inline constexpr int64_t kBigTiles = 6;       // of a buffer that a segment shares with its herds

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

enum class Role : uint8_t { None, Read, Own };

struct PlanState {
  Random& random;
  unsigned size;
  Plan plan = {};
  std::vector<int> arguments = {};
  std::map<int, Role> roles = {};  // of the arguments, in the part of the function that is planned
  std::map<int, Role> lent = {};   // of the buffers of the owner of the phase
  bool communicates = true;
  int nextName = 0, groups = 0;
};

// -- PlanParts.cpp: parts of the plan, arguments of the function, pieces of buffers

Style anyStyle(PlanState& state);
int coordinate(PlanState& state, int64_t extent, bool isLoop);
int64_t extentOf(const PlanState& state, int coordinate);
int resource(PlanState& state, Resource made);
Stmt& add(Actor& actor, Stmt::Kind kind);
int64_t count(const PlanState& state, const std::vector<int>& coordinates);
/// The number of an instance among all.
Expr linear(const PlanState& state, const std::vector<int>& coordinates);
int64_t maximum(const PlanState& state, const Expr& expr);
Piece whole(const PlanState& state, int buffer);
/// An argument of `tiles` tiles that nobody else touches at this time. With `partial` the last
/// tile may be smaller.
int regionOf(PlanState& state, int64_t tiles, bool partial);
/// A tile of an input; which one depends on who asks.
bool inputPiece(PlanState& state, const Actor& actor, Expr extra, Piece& piece);
Piece regionPiece(PlanState& state, const Actor& actor);
Piece bigPiece(const PlanState& state, int big, const Expr& tile);
Piece tilePiece(PlanState& state, Actor& actor);
Piece withRowsOf(Piece piece, const Piece& other);
void inside(Actor& actor, Block& block, const std::function<void()>& body);
std::vector<int64_t> extents(const PlanState& state, const std::vector<int>& coordinates);
std::vector<Expr> each(const std::vector<int>& coordinates);

// -- PlanSteps.cpp: steps of one actor

void compute(PlanState& state, Actor& actor, int to, int from);
void addTile(PlanState& state, Actor& actor);
void addBig(PlanState& state, Actor& actor);
void release(PlanState& state, Actor& actor);
/// A big buffer that the actor may read (or write) now; -1 when there is none.
int bigOf(PlanState& state, Actor& actor, bool writes);
void storeRegion(PlanState& state, Actor& actor);
void localStep(PlanState& state, Actor& actor);

// -- PlanTransfers.cpp: steps of two actors

/// False when no transfer is possible.
bool transfer(PlanState& state, Actor& owner, Actors& kids, bool mayDelay);
Actors withOwner(Actor& owner, const Actors& kids);

}  // namespace airlite::testing::planning
