// Typed views of the aiex dialect: tasks of runtime sequences.
//
//   aiex::ConfigureTaskOp task = aiex::taskOf(op.operand(0));
//   if (task) visit(task.descriptors());
#pragma once

#include "airlite/dialect/Aie.hpp"

namespace airlite::aiex {

/// dma_configure_task or dma_configure_task_for.
class ConfigureTaskOp : public OpView {
 public:
  using OpView::OpView;
  /// The allocation that names tile and channel; null for dma_configure_task.
  aie::ShimDmaAllocationOp allocation() const;
  /// Of the op or of its allocation; null when it is named by an object FIFO.
  aie::TileOp tile() const;
  /// Empty when an object FIFO names it.
  std::optional<aie::Channel> channel() const;
  bool issuesToken() const;
  /// Times that the task runs again after the first time.
  aie::MaybeStatic repeatCount() const;
  Region& body() const { return op_->region(); }
  /// Its buffer descriptors in the order in which they run.
  std::vector<aie::DmaBdOp> descriptors() const;
};

/// The task that a value stands for; null when it comes from elsewhere (a loop's argument).
ConfigureTaskOp taskOf(Value value);

}  // namespace airlite::aiex
