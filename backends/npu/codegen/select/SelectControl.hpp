// Control flow without loops: blocks and branches as they are, structured ops as blocks, arguments and
// results as registers that are written on the way in.
#pragma once

#include "Emitter.hpp"
#include "LoopPointers.hpp"
#include "Values.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace airlite::npu::codegen {

class ControlSelector {
 public:
  /// `selectOp` selects one op of a block.
  ControlSelector(Emitter& emitter, Values& values, LoopPointers& pointers,
                  std::function<bool(Operation&)> selectOp)
      : emitter_(emitter), values_(values), pointers_(pointers), selectOp_(std::move(selectOp)) {}

  /// The blocks of a core or function; the first continues where the machine's block is.
  bool selectRegion(Region& region);
  bool selectBlock(Block& block);

  bool selectBranch(Operation& op);
  bool selectCondBranch(Operation& op);
  bool selectIf(Operation& op);
  bool selectExecuteRegion(Operation& op);
  bool selectYield(Operation& op);
  bool selectEnd(Operation& op);
  bool selectNothing(Operation&) { return true; }

 private:
  uint32_t edge(Operation& op, unsigned successor, std::span<const Value> values);
  void copyArguments(Block& target, std::span<const Value> values);

  Emitter& emitter_;
  Values& values_;
  LoopPointers& pointers_;
  std::function<bool(Operation&)> selectOp_;
  std::unordered_map<Block*, uint32_t> blocks_;
  /// Of an scf.execute_region: the block after it, and where its results go.
  struct Exit {
    uint32_t after = 0;
    std::vector<Operand> results;
  };
  std::unordered_map<Operation*, Exit> exits_;
};

}  // namespace airlite::npu::codegen
