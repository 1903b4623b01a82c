// What an op is to air-dependency by itself: which kind of node, and what it touches.
#pragma once

#include "DependencyGraph.hpp"

namespace airlite::air::dependency {

/// Values and nested ops are followed so deep at most.
inline constexpr unsigned kDeepest = 256;

/// An op inside of `op` for which `what` holds.
bool contains(Operation& op, FunctionRef<bool(Operation&)> what);
/// Has tokens of AIR: gpu ops have their own.
bool takesTokens(Operation& op);
bool isSync(Operation& op);

/// A buffer of numbers that only says the shape of reshapes, filled before anything uses it: it is
/// left alone, since what reads it may run at any later time.
class ShapeBuffers {
 public:
  bool contains(Value buffer);

 private:
  std::unordered_map<Value, bool> known_;
};

/// What the program has left unordered: its ops that are asynchronous already, until something waits
/// for their tokens or may know otherwise that they are done. Two that touch one element then would be
/// a race, so they do not where that cannot be told; and they may need each other to come to an end
/// (a put and the get of a ring).
class FirstWaits {
 public:
  explicit FirstWaits(Operation& function);

  bool wasAsync(Operation& op) const { return asynchronous_.count(&op); }
  /// `first` was asynchronous, and `second` begins before anything can know that it is done.
  bool isBeside(Operation& first, Operation& second) const;
  /// `first` was asynchronous, and control waits for it in `around`, in front of `second`.
  bool isAwaitedIn(Operation& around, Operation& first, Operation& second) const;

 private:
  /// Positions, in pre-order. A wait_all holds control up; other synchronous ops with dependencies
  /// become asynchronous, and what comes after them has to wait for what they wait for.
  struct Waits {
    unsigned control = kNever, other = kNever;
    bool operator==(const Waits&) const = default;
  };
  static constexpr unsigned kNever = ~0u;

  void add(Operation& op);
  void flow(Value from, Value to);
  void flowOut(Operation& terminator);
  Waits waitsOf(Operation& op) const;

  struct Span {
    unsigned start, end;
  };
  std::unordered_map<Operation*, Span> spans_;
  std::unordered_set<Operation*> asynchronous_;
  std::vector<unsigned> syncs_;
  std::vector<std::pair<Value, Value>> flows_;  // who waits for the second waits for the first
  std::unordered_map<Value, Waits> waits_;
};

class NodeReader {
 public:
  explicit NodeReader(Operation& function);
  /// None: the op takes no part.
  std::optional<NodeKind> kindOf(Operation& op);
  /// Of a node whose bodies, if it has any, have been visited.
  void collectAccesses(Node& node);
  analysis::AccessReader& accesses() { return reader_; }

 private:
  /// Beside making views and stack space, which happens where it stands.
  bool touchesMemory(Operation& op);
  std::vector<analysis::BufferAccess> accessesOf(Operation& op);
  void dropShapes(std::vector<analysis::BufferAccess>& accesses);

  void addSignal(Node& node) const;
  void orderTurns(std::vector<analysis::BufferAccess>& accesses);

  analysis::AccessReader reader_;
  ShapeBuffers shapes_;
  std::vector<analysis::Buffer> shared_;  // that other ranks reach into
  std::unordered_map<Value, bool> turns_;
};

// -- DependencyLoops.cpp

/// Finds the nodes of the body of a loop that touch what an earlier run of it may have touched.
void carry(Scope& body, analysis::AccessReader& reader);
/// What an op in a loop or conditional has to wait for outside of it is handed down by buffer.
void handDown(Node& node);

}  // namespace airlite::air::dependency
