// What a random program does, before it is written down. The plan says what happens in which order
// at each level; the writer decides how it is spelled: with tokens or without.
//
// Why plans are correct: a plan is made as one sequence of steps over all that run side by side (a
// choreography), and each of them does its part of the steps in that order. The first transfer that
// is not done yet can always be done, so nothing hangs, at any depth. Memory that several touch at
// the same time is read only, or each of them has rows of its own.
#pragma once

#include "Random.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace airlite::testing {

struct Stmt;
using Block = std::vector<std::unique_ptr<Stmt>>;

/// A value that tells instances and iterations apart: an id of a hierarchy op, an induction
/// variable, or the scalar argument. In [0, extent).
struct Coordinate {
  int64_t extent = 1;
  bool isLoop = false;  // an scf.for's: no place of a channel
};

/// constant + sum of coordinates times factors.
struct Expr {
  int64_t constant = 0;
  std::vector<std::pair<int, int64_t>> terms;
  Expr() = default;
  explicit Expr(int64_t value) : constant(value) {}
  static Expr of(int coordinate) {
    Expr expr;
    expr.terms.push_back({coordinate, 1});
    return expr;
  }
  Expr operator*(int64_t factor) const {
    Expr out = *this;
    out.constant *= factor;
    for (auto& [coordinate, f] : out.terms)
      f *= factor;
    return out;
  }
  Expr operator+(const Expr& other) const {
    Expr out = *this;
    out.constant += other.constant;
    out.terms.insert(out.terms.end(), other.terms.begin(), other.terms.end());
    return out;
  }
};

/// What has to be ordered: a buffer, or one side of a channel.
struct Resource {
  enum Kind : uint8_t { Argument, Local, ChannelEnd };
  Kind kind = Local;
  std::string name;
  int64_t rows = 0, columns = 0;
  int space = 0;               // memory space of a buffer
  bool staysInLaunch = false;  // of a channel's side: each instance of the launch has its own
};

struct Channel {
  std::string name;
  std::vector<int64_t> sizes, broadcast;  // broadcast: empty when there is none
  int64_t depth = 1;
  int putEnd = 0, getEnd = 0;  // resources
};

/// Rows [row, row + height) and columns [column, column + width of a tile) of a buffer. With a
/// limit, the rows end there: the last tile is smaller.
struct Piece {
  int buffer = 0;
  Expr row;
  int64_t column = 0;
  int64_t height = 1;
  int64_t limit = 0;  // 0: none
  Expr limited;       // the first row, as counted for the limit
  bool transposed = false;
};

/// `value mod divisor == equals`, or `value < equals` without a divisor.
struct Condition {
  Expr value;
  int64_t divisor = 0;
  int64_t equals = 0;
};

enum class Level : uint8_t { Function, Launch, Segment, Herd };
/// Sync: each op blocks. Async: tokens everywhere. Mixed: whatever the coin says.
enum class Style : uint8_t { Sync, Async, Mixed };

/// A launch, segment or herd with what it runs.
struct Child {
  Level level = Level::Herd;
  std::string name;
  std::vector<int> ids;
  Style style = Style::Sync;
  bool async = true;
  int affinity = -1, concurrency = -1;  // groups
  Block body;
};

struct Stmt {
  enum Kind : uint8_t {
    Allocate,
    Free,
    Fill,
    Compute,
    Copy,
    Put,
    Get,
    Loop,
    Parallel,
    If,
    Spawn,
    Groups,  // tokens for affinity and concurrency
    Join,    // waits for the children of a group
  };
  Kind kind;
  Piece to, from;              // Fill, Compute: whole buffers
  unsigned flavour = 0;        // Compute: which
  int channel = -1;            // Put, Get
  std::vector<Expr> indices;   // Put, Get
  std::vector<int> variables;  // Loop: one; Parallel: one or two
  int trips = -1;              // Loop: a coordinate that says how many; -1: its extent
  Condition condition;
  Block body, other;
  std::unique_ptr<Child> child;
  std::vector<int> groups;     // Groups
  std::vector<int> resources;  // Join: those of the children
};

struct Plan {
  std::string element;
  int64_t height = 2, width = 4;  // of a tile
  std::vector<Coordinate> coordinates;
  std::vector<Resource> resources;
  std::vector<Channel> channels;
  int scalar = 0;  // the coordinate that is an argument of the function
  Style style = Style::Sync;
  Block body;
};

Plan makePlan(Random& random, unsigned size);
std::string writeProgram(const Plan& plan, Random& random);

}  // namespace airlite::testing
