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

class NodeReader {
 public:
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

  analysis::AccessReader reader_;
  ShapeBuffers shapes_;
};

// -- DependencyLoops.cpp

/// Finds the nodes of the body of a loop that touch what an earlier run of it may have touched.
void carry(Scope& body, analysis::AccessReader& reader);
/// What an op in a loop or conditional has to wait for outside of it is handed down by buffer.
void handDown(Node& node);

}  // namespace airlite::air::dependency
