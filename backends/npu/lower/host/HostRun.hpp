// Runs a host function symbolically and writes down what it does: runtime sequences in devices.
#pragma once

#include "HostTasks.hpp"
#include "SequenceWriter.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace airlite::npu {

/// An aie.device, for the host.
struct HostDesign {
  explicit HostDesign(Operation& op) : device(&op), ports(op) {}
  aie::DeviceOp device;
  ShimPorts ports;
};

/// What airrt-to-npu is asked for.
struct HostOptions {
  bool outputElf = false;     // the sequence of a program loads its designs itself
  bool coalesces = false;     // see SequenceOptions
  bool joins = false;         // see SequenceOptions
  bool unrollsLoops = false;  // scf.for with constant bounds, too
  bool keepsOrder = false;    // see SequenceOptions
  int64_t maxTransfers = 0;   // of a function, those in unrolled loops counted so often
};

/// A sequence that a function has become.
struct SequenceRun {
  const HostDesign* design = nullptr;
  Operation* sequence = nullptr;  // aie.runtime_sequence
};

/// The airrt ops of a host function, in the order in which they happen.
struct HostProgram {
  Operation* function = nullptr;
  std::vector<const HostDesign*> designs;  // that it uses, each once
  int64_t launchEnds = 0;                  // that it comes by; saturates
  bool hasEffects = false;                 // anything for a device at all
};
HostProgram readHostProgram(Operation& function,
                            const std::vector<std::unique_ptr<HostDesign>>& designs);

/// Makes sequences: one in the device, called as the function, when the function uses one design,
/// which stays; else `DEVICE_sequence` for each run of launches on one design. The arguments are
/// those of the function, then its L3 allocations. None after errors have been reported.
std::optional<std::vector<SequenceRun>> writeSequences(
    const HostProgram& program, const std::vector<std::unique_ptr<HostDesign>>& designs,
    const HostOptions& options, Operation& module);

/// Does the state of a design have to be set up again between launches? DMAs that stop after some
/// rounds, and cascades of a single launch, do not start over by themselves; designs for the first
/// generation of NPUs are not loaded again.
bool needsReset(const HostDesign& design, int64_t launchEnds);
/// Can a sequence load other designs? That of the second generation of NPUs.
bool canReload(const HostDesign& design);
/// The name of the copy of a design that is loaded to reset it.
std::string resetName(const HostDesign& design);

}  // namespace airlite::npu
