// Devices that sequences load: one for a whole program, and copies that reset a design.
#pragma once

#include "HostRun.hpp"

#include <span>
#include <string_view>

namespace airlite::npu {

/// A device at the end of `module` with a sequence called `name`, which loads the designs of `runs`
/// and runs their sequences with its own arguments, in order.
void createMainDevice(Operation& module, std::span<const SequenceRun> runs, std::string_view name);

/// A copy of `design` before it, called resetName(), with DMAs and locks, and with cores that run
/// nothing.
void createResetDevice(const HostDesign& design);

/// The same as createMainDevice for devices that have a sequence and nobody who runs it: the
/// sequence becomes `DEVICE_sequence`. True when there are any.
bool wrapSequences(Operation& module);

}  // namespace airlite::npu
