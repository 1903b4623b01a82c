// Vectors that travel through scf.for, scf.if and scf.while in buffers, since no register holds them:
// assignments to the buffers take the place of operands, results and arguments.
#pragma once

#include "VectorLanes.hpp"

#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace airlite::npu {

class CarriedVectors {
 public:
  /// `visit` writes the ops of a region anew.
  CarriedVectors(VectorLanes& lanes, std::function<void(Region&)> visit)
      : lanes_(lanes), visit_(std::move(visit)) {}

  void visitFor(Operation& op);
  void visitIf(Operation& op);
  void visitWhile(Operation& op);

  /// The ops no longer take what travels in buffers.
  void dropOperands();
  /// They no longer give it, once nobody uses it. True when an op has changed.
  bool dropResults();

 private:
  /// Which values of an op with regions travel in buffers.
  struct Carrier {
    Operation* op = nullptr;
    std::vector<Operation*> ends;    // terminators inside
    std::vector<unsigned> operands;  // of the op
    std::vector<unsigned> results;
  };

  std::vector<Value> makeBuffers(std::span<const Value> values);
  void bind(std::span<const Value> values, const std::vector<Value>& buffers);
  void assign(Operation& end, std::span<const Value> values, const std::vector<Value>& buffers);

  VectorLanes& lanes_;
  std::function<void(Region&)> visit_;
  std::vector<Carrier> carriers_;
  std::vector<std::pair<Operation*, std::vector<unsigned>>> dropOperands_;
};

}  // namespace airlite::npu
