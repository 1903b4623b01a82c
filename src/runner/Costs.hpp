// What an op costs on a machine, in cycles. Private to runner/.
#pragma once

#include "airlite/dialect/Air.hpp"
#include "airlite/ir/Operation.hpp"
#include "airlite/runner/Machine.hpp"

#include <cstdint>
#include <optional>

namespace airlite::runner {

/// Ports of a level.
const MemoryPorts& portsOf(const Machine& machine, air::MemoryLevel level);

/// Of the type of an element; none after an error at `op`.
std::optional<uint64_t> bytesOfElement(Operation& op, Type element, const Machine& machine);
/// Elements that a transfer moves: its sizes where they are constants, else the whole memref; none after
/// an error.
std::optional<uint64_t> elementsOf(Operation& op, const air::Access& access);
/// Of so many bytes from one level to another, by one port on each side.
uint64_t transferCycles(uint64_t bytes, air::MemoryLevel from, air::MemoryLevel to,
                        const Machine& machine);
/// Of a computation: a structured op, a nest of loops, a call; none after an error.
std::optional<uint64_t> computeCycles(Operation& op, const Machine& machine);

}  // namespace airlite::runner
