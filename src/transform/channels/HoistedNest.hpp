// The far half of copies, in front of the hierarchy op that the copies are in: with the loops and
// conditions around them and the arithmetic that they need.
#pragma once

#include "airlite/dialect/Air.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/Dominance.hpp"

#include <array>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace airlite::air {

/// The cores that get to a copy, a rectangle.
struct CoreRectangle {
  std::array<int64_t, 2> lower{}, size{};
};

/// A copy that becomes a put and a get.
struct Transfer {
  Operation* dma = nullptr;
  HierarchyOp home;          // the innermost hierarchy op around it, where its near half stays
  Operation* top = nullptr;  // the outermost hierarchy op that its far half leaves
  bool farIsSource = false;
  /// Where the ids decide all affine.ifs around it in its herd.
  std::optional<CoreRectangle> cores = {};
  bool isBroadcast = false;  // one put for all of `cores`
  std::string channel = {};

  Value farMemref() const {
    DmaMemcpyNdOp copy(dma);
    return farIsSource ? copy.src().memref : copy.dst().memref;
  }
};

/// Whether values inside of `top` can be computed again in front of it.
class LiftCheck {
 public:
  explicit LiftCheck(Operation& top) : top_(top) {}

  /// Empty, or why the far half of the copy cannot be moved.
  std::string_view check(const Transfer& transfer);
  /// Some value that the far half needs, or a condition around it, depends on id `dim` of its herd.
  bool usesId(const Transfer& transfer, unsigned dim);

 private:
  bool canLift(Value value);
  bool decide(Value value);
  bool isInside(Value value) const;

  Operation& top_;
  std::unordered_map<Value, bool> known_;
};

/// Values that the far half of a copy and the ops around it are made with; conditions that `cores`
/// decides are left out.
std::vector<Value> valuesOfFarHalf(const Transfer& transfer);

/// Writes the far halves of copies with one `top` as one nest of loops. Of several copies none has
/// `cores`.
class NestWriter {
 public:
  NestWriter(Operation& top, Type tokenType, std::vector<const Transfer*> transfers);
  /// Starts after `tokens`. Returns the token of its end.
  Value write(std::vector<Value> tokens);

 private:
  /// A block being written, and what the next op in it comes after.
  struct Frame {
    Builder builder;
    std::vector<Value> tokens;
  };

  void need(Value value);
  void addItem(Operation& op);
  void writeBlock(Block& original, Frame& frame);
  void writeSlice(Operation& op, Frame& frame);
  void writeFar(const Transfer& transfer, Frame& frame);
  void writeAround(Operation& op, Frame& frame);
  void writeFor(Operation& op, Frame& frame);
  void writeIf(Operation& op, Frame& frame);
  Value conditionOf(Operation& op, Frame& frame);
  void writeHierarchy(HierarchyOp op, Frame& frame);
  void writeInstances(HierarchyOp op, Frame& frame);
  void bindIds(HierarchyOp op, Frame& frame);
  Value join(Frame& frame, Location location);
  bool isBroadcast() const { return transfers_[0]->isBroadcast; }
  bool isOneCore(HierarchyOp herd) const;
  bool isDecided(Operation& op) const {
    return transfers_[0]->cores && isInside(op, transfers_[0]->home->region());
  }

  Operation& top_;
  Type tokenType_;
  std::vector<const Transfer*> transfers_;
  std::unordered_map<Operation*, const Transfer*> ofDma_;
  std::unordered_set<Operation*> around_, listed_;
  std::unordered_set<Value> needed_;
  std::unordered_map<Block*, std::vector<Operation*>> items_;  // to be written, by block
  IRMapping mapping_;
};

}  // namespace airlite::air
