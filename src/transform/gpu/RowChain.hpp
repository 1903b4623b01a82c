// Ops that compute rows from rows: what a kernel has to know of a chain of them.
#pragma once

#include "airlite/dialect/Linalg.hpp"

#include <string_view>
#include <vector>

namespace airlite::gpu {

/// What the elements of a value differ over, as bits.
enum Over : unsigned { kOverNothing = 0, kOverRows = 1, kOverColumns = 2 };

/// Where an operand lies: for each dimension before those of the columns the row loop that indexes it,
/// or kFirst for index 0.
struct RowPlace {
  static constexpr int kFirst = -1;
  Value memref;
  std::vector<int> loops;
  bool hasColumns = false;
  bool operator==(const RowPlace&) const = default;
  unsigned over() const;
};

/// A value of a chain, made once and never changed.
struct RowNode {
  enum Kind {
    Number,  ///< `value`
    Memory,  ///< what `place` holds before the chain
    Map,     ///< element by element
    Reduce,  ///< over the columns, and `before`
  };
  Kind kind = Number;
  unsigned over = kOverNothing;
  int depth = 0;  ///< reductions one after the other that it needs
  Value value;
  RowPlace place;
  linalg::StructuredOp op{nullptr};  ///< whose body computes it
  unsigned output = 0;               ///< of `op`
  std::vector<int> arguments;        ///< nodes of the arguments of its body; kNone: not used
  int before = -1;
  std::string_view combine;  ///< add, maxnumf ...
  static constexpr int kNone = -1;
};

/// Ops one after the other, each of which computes rows, or one number for each row, from rows, from
/// numbers for each row, from what all rows share, and from numbers. Loops of the columns are the last
/// ones.
struct RowChain {
  std::vector<Operation*> ops;
  unsigned rowLoops = 0, columnLoops = 0;
  std::vector<int64_t> sizes;                       ///< of all loops; kDynamic where open
  std::vector<std::pair<Value, unsigned>> sources;  ///< memref and dimension that have them
  std::vector<RowNode> nodes;
  struct Store {
    RowPlace place;
    int node;
  };
  std::vector<Store> stores;         ///< what is written in the end
  std::vector<Operation*> unneeded;  ///< memory that only the chain uses, and its deallocation

  bool hasReduction() const;
  bool isColumn(unsigned loop) const { return loop >= rowLoops; }
  unsigned overLoop(unsigned loop) const { return isColumn(loop) ? kOverColumns : kOverRows; }
};

/// What combines the old element of output `i` of a reduction with a new one, where that is all that
/// uses it; null: there is no such op. Its name as a kind: add, maxnumf ...
Operation* combinerOf(linalg::StructuredOp op, unsigned i);
std::string_view kindOf(Operation& op);

/// How many of the last loops of `op` are a reduction; 0: none, or others are too.
unsigned reducedLoops(linalg::StructuredOp op);

/// The longest chain that begins with `first`; empty when that is no op of rows. Between its ops lie
/// only ops without effects on memory that they use.
RowChain chainFrom(Operation& first);

}  // namespace airlite::gpu
