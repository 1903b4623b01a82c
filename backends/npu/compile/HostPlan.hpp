// What the host does with the designs of a module: which it loads, and in which order it runs their
// sequences.
#pragma once

#include "airlite/ir/Operation.hpp"
#include "airlite/support/LogicalResult.hpp"

#include <cstddef>
#include <vector>

namespace airlite::npu {

/// One step of the host: the design is loaded and its sequence runs on these arguments.
struct HostStep {
  Operation* device = nullptr;      ///< the design
  Operation* sequence = nullptr;    ///< null in a design that no sequence runs
  std::vector<unsigned> arguments;  ///< numbers of the program's
};

/// Arguments from `numArguments` on are memory that the program makes for itself.
struct HostPlan {
  Operation* entry = nullptr;  ///< the sequence that the user starts; null: there is none
  std::vector<Value> arguments;
  std::vector<Operation*> contents;  ///< of each argument the global that it begins with, or null
  size_t numArguments = 0;
  std::vector<size_t>
      bools;  ///< arguments that are memory of i1 for the caller; on the device these are bytes
  std::vector<HostStep> steps;
};

/// The designs of `module`, in their order.
std::vector<Operation*> designsOf(Operation& module);

/// Plans for the only sequence that no other runs. In a module without any sequence each design is a
/// step: there is something to look at, even so.
LogicalResult planHost(Operation& module, HostPlan& plan);

}  // namespace airlite::npu
