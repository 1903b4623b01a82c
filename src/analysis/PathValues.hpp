// The way from a function that nothing calls to one op inside: the ops around it, and the calls on
// the way. Index values are numbers there as soon as the counters of the loops and hierarchy ops
// have theirs.
#pragma once

#include "../support/FlatMap.hpp"
#include "BoundDemands.hpp"
#include "airlite/dialect/IndexValues.hpp"

#include <map>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

namespace airlite::analysis {

/// A bound of a counter: one of several results (the greatest below, the least above).
struct CounterBound {
  IndexTerm term;                          // where there is no `map`
  std::optional<affine::Application> map;  // a map of several results
};

/// A loop variable or an id: lower, lower + step, ... below upper.
struct Counter {
  Value variable;
  CounterBound lower, upper;
  IndexTerm step;
};

/// Of a loop or hierarchy op; none of other ops. Null where its bounds are not understood.
std::optional<std::vector<Counter>> countersOf(Operation& op);

/// Outermost first: (op, the region of it that the path goes into); a call has no region.
struct PathStep {
  Operation* op = nullptr;
  Region* region = nullptr;
};

/// The paths to `function`, by its callers; at most `most`, and none where calls form a cycle.
class CallPaths {
 public:
  explicit CallPaths(Operation& module);
  /// Of an op: each ends with the op that is directly around it.
  std::vector<std::vector<PathStep>> pathsTo(Operation& op, size_t most);

 private:
  void extend(Operation& op, std::vector<PathStep> inner, std::vector<Operation*>& functions,
              size_t most, std::vector<std::vector<PathStep>>& paths);
  std::unordered_map<Operation*, std::vector<Operation*>> callers_;
};

/// Numbers of the values on a path.
class PathValues {
 public:
  explicit PathValues(std::span<const PathStep> path);

  void set(Value counter, int64_t number) {
    numbers_[counter.impl()] = number;
    ++epoch_;
  }
  void unset(Value counter) {
    numbers_.erase(counter.impl());
    ++epoch_;
  }
  std::optional<int64_t> operator()(Value value) { return evaluate(value, 0); }
  std::optional<int64_t> number(const IndexTerm& term);
  std::optional<int64_t> lower(const CounterBound& bound);
  std::optional<int64_t> upper(const CounterBound& bound);
  /// Elements of a dimension of a memref, through views and casts.
  std::optional<int64_t> sizeOf(Value memref, unsigned dim);
  /// The operand that an argument of a function of the path stands for; null for other values.
  Value outside(Value argument) const;

 private:
  struct Memo {
    uint64_t epoch = 0;
    std::optional<int64_t> number;
  };

  std::optional<int64_t> evaluate(Value value, unsigned depth);
  std::optional<int64_t> compute(Value value, unsigned depth);

  std::map<const detail::ValueImpl*, int64_t> numbers_;
  std::unordered_map<Operation*, Operation*> callOf_;  // of a function on the path
  std::unordered_map<const detail::ValueImpl*, Memo> memos_;
  ElementOps elements_;
  uint64_t epoch_ = 1;
};

/// The counters, and the other values that are not computed from anything, that `terms` and the way
/// of the program to the end of the path depend on.
struct PathSources {
  std::set<const detail::ValueImpl*> counters;
  bool hasUnknown = false;    // something else than counters and arguments of the first function
  bool hasArguments = false;  // arguments of the first function
};
class PathDependencies {
 public:
  PathDependencies(std::span<const PathStep> path, const PathValues& values);
  void add(const IndexTerm& term, PathSources& to) const;
  void add(const CounterBound& bound, PathSources& to) const;
  void add(Value value, PathSources& to) const;
  /// Adds what the bounds of its counters depend on, until nothing is new.
  void close(PathSources& sources) const;

 private:
  const PathValues& values_;
  std::map<const detail::ValueImpl*, Counter> counters_;
};

}  // namespace airlite::analysis
