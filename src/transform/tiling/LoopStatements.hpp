// Loops around loads, arithmetic and stores, read as statements: each stores one element for all rounds of the loops around it.
//
//   LoopStatements nest = readStatements(ops);
//   if (nest.why.empty())
//     for (const Statement& statement : nest.statements) write(nest, statement);
#pragma once

#include "airlite/analysis/LinearSum.hpp"
#include "airlite/analysis/LoopIndex.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/ir/Operation.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace airlite::tiling {

/// Its variable is lower + step * k in round k, k < count.
struct StatementLoop {
  Value variable;
  int64_t lower = 0, step = 1, count = 0;
};

/// What statements load from and store to: a memref from outside of the loops, or memory of the loops: what they carry from
/// round to round, and allocations in them. Of that there is an element, or array of `shape`, for each round of `loops`.
struct StatementMemory {
  Value memref;  ///< null: of the loops
  Type element;
  std::vector<size_t> loops;
  std::vector<int64_t> shape;
  /// Of a part of `memref`: the index along each dimension where all rounds have one, which values from outside of the loops say.
  std::vector<std::optional<analysis::LinearSum>> part;
};

/// An element of a memory. Indices are sums over the rounds of loops; those of the rounds that the memory belongs to come first.
struct StatementPlace {
  size_t memory = 0;
  std::vector<analysis::LoopIndex> index;  ///< one factor per loop, or fewer: the rest is 0

  /// Whether rounds of the loop have different places.
  bool movesAlong(size_t loop) const;
  bool operator==(const StatementPlace&) const = default;
};

/// A place, as it is after so many statements of a round.
struct StatementRead {
  StatementPlace place;
  size_t after = 0;
  size_t numLoops = 0;  ///< of several rounds, around the read
};

/// The value is only stored where a condition is as said; else the element stays.
struct StatementCondition {
  Value condition;
  bool isTrue = true;
};

struct Statement {
  std::vector<size_t> loops;  ///< of several rounds around it, the outer ones first
  StatementPlace to;
  Value value;
  Value choice,
      other;  ///< null, or a condition, and what is stored in place of `value` where it fails
  std::vector<StatementCondition> conditions;
  Operation* op = nullptr;  ///< that stores it

  /// Whether rounds of some loop store the same element.
  bool reduces() const;
};

/// A value that costs much and that a statement stores: those from `after` to `last` may load it instead of computing it again.
struct StoredValue {
  StatementRead read;
  size_t last = 0;
};

struct LoopStatements {
  std::vector<StatementLoop> loops;
  std::vector<StatementMemory> memories;
  std::vector<Statement> statements;               ///< in the order of the program
  std::unordered_map<Value, StatementRead> reads;  ///< values that are elements of memories
  std::unordered_map<Value, StoredValue> stored;
  std::string why;  ///< they cannot be read; empty: they can
  Attribute space;  ///< of the memories from outside

  /// The element that a value is for one of the statements; null: it is computed.
  const StatementRead* readOf(Value value, const Statement& statement) const;
  /// Of a memory, with a dimension for each loop that it belongs to.
  std::vector<int64_t> shapeOf(size_t memory) const;
  /// 0 where `index` has no factor for the loop.
  static int64_t factor(const analysis::LoopIndex& index, size_t loop) {
    return loop < index.factors.size() ? index.factors[loop] : 0;
  }
};

/// A loop of any dialect; a load or store of an element.
bool isStatementLoop(const Operation& op);
bool isElementLoad(const Operation& op);
bool isElementStore(const Operation& op);

/// A loop's bounds, whichever op it is, a loop for each dimension, and what it carries from round to round.
struct LoopView {
  std::vector<StatementLoop> loops;
  std::vector<Value> inits, arguments;
  bool isKnown = false;  ///< its bounds are constant, and it is no parallel loop with results
};
/// Of an op of isStatementLoop.
LoopView readLoop(Operation& op);

/// An op that loads or stores one element: which one. An index that is no sum has a symbol that is none of the program's indices.
struct ElementAccess {
  Value memref;
  std::vector<analysis::LinearSum> index;
  Value stored;  ///< null: it loads
};
ElementAccess elementOf(Operation& op, analysis::LinearReader& indices);

/// Reads ops that follow each other in a block: loops of constant bounds (scf.for, scf.parallel, scf.forall, affine.for,
/// affine.parallel), conditionals (scf.if), loads, stores, and pure ops. Declines (`why`) other ops, bounds that are not constant, places that
/// are no sums of loop variables for what is stored, and memory of another level.
LoopStatements readStatements(std::span<Operation* const> ops, air::MemoryLevel level);

}  // namespace airlite::tiling
