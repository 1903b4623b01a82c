// Which values differ between the work-items of a workgroup.
#pragma once

#include "Kernel.hpp"

#include <unordered_set>

namespace airlite::gpu {

class Divergence {
 public:
  explicit Divergence(const Kernel& kernel);
  bool operator()(Value value) const { return values_.count(value) != 0; }
  bool anyOperand(const Operation& op) const;
  /// Work-items may disagree about which regions of `op` run, or how often.
  bool ofControl(Operation& op) const;

 private:
  void visit(Operation& op);
  void visitRegions(Operation& op);
  bool isSource(Operation& op) const;
  void add(Value value);
  void addResults(Operation& op);

  std::unordered_set<Value> values_;
  bool grew_ = false;
};

}  // namespace airlite::gpu
