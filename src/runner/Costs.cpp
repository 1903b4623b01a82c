#include "runner/Costs.hpp"

#include "airlite/dialect/Arith.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Diagnostic.hpp"
#include "airlite/ir/OpDef.hpp"
#include "runner/CustomOps.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>

namespace airlite::runner {
namespace {

/// Of the call of a kernel [mlir-air's runner: a structured op in an air.execute].
constexpr uint64_t kCallCycles = 100;
/// Of an op without a kernel in the machine.
constexpr ComputeRate kOtherRate = {.opsPerCycle = 8, .efficiency = 1};

/// Ops that count; those that are not listed are free, as in mlir-air's runner.
bool isCounted(const Operation& op) {
  static constexpr std::array<std::string_view, 16> kNames = {
      "math.rsqrt", "arith.mulf",  "arith.divf",     "arith.addf", "arith.subf", "arith.truncf",
      "arith.cmpf", "arith.muli",  "arith.divsi",    "arith.addi", "arith.subi", "arith.trunci",
      "arith.cmpi", "arith.maxsi", "arith.maximumf", "arith.divui"};
  return std::ranges::find(kNames, op.name()) != kNames.end();
}

/// Counted ops of a block, those of loops as often as they run; none: a length is not known.
std::optional<uint64_t> countedOps(Block& block);

std::optional<uint64_t> countedOps(Operation& op) {
  uint64_t times = 1, sum = isCounted(op);
  if (const auto structured = linalg::asStructured(&op)) {
    for (const int64_t size : structured.loopSizes()) {
      if (size < 0) return std::nullopt;
      times *= uint64_t(size);
    }
  } else if (const auto loop = dynCast<scf::ForOp>(&op)) {
    const auto trips = loop.tripCount();
    if (!trips) return std::nullopt;
    times = uint64_t(*trips);
  }
  for (Region& region : op.regions())
    for (Block& block : region.blocks()) {
      const auto inside = countedOps(block);
      if (!inside) return std::nullopt;
      sum += *inside;
    }
  return times * sum;
}

std::optional<uint64_t> countedOps(Block& block) {
  uint64_t sum = 0;
  for (Operation& op : block.ops()) {
    const auto inside = countedOps(op);
    if (!inside) return std::nullopt;
    sum += *inside;
  }
  return sum;
}

/// As the machine names it: of the first operand.
std::string typeOf(Operation& op) {
  return op.numOperands() == 0 ? std::string() : elementTypeOrSelf(op.operand(0).type()).str();
}

std::optional<uint64_t> customCycles(Operation& op, std::string_view symbol,
                                     const Machine& machine) {
  const auto kernel = machine.customKernels.find(symbol);
  if (kernel == machine.customKernels.end()) {
    op.emitOpError() << "the machine has no custom kernel '" << symbol << "'";
    return std::nullopt;
  }
  const auto cycles = kernel->second.find(typeOf(op));
  if (cycles != kernel->second.end()) return cycles->second;
  op.emitOpError() << "the custom kernel '" << symbol << "' of the machine has no latency for "
                   << typeOf(op);
  return std::nullopt;
}

ComputeRate rateOf(Operation& op, const Machine& machine) {
  const auto kernel = machine.kernels.find(op.name());
  if (kernel == machine.kernels.end()) return kOtherRate;
  const auto rate = kernel->second.find(typeOf(op));
  return rate == kernel->second.end() ? kOtherRate : rate->second;
}

}  // namespace

const MemoryPorts& portsOf(const Machine& machine, air::MemoryLevel level) {
  if (level == air::MemoryLevel::L3) return machine.l3;
  return level == air::MemoryLevel::L2 ? machine.l2 : machine.l1;
}

std::optional<uint64_t> bytesOfElement(Operation& op, Type element, const Machine& machine) {
  const auto known = machine.bytesOfType.find(element.str());
  if (known != machine.bytesOfType.end()) return known->second;
  op.emitOpError() << "the machine has no datatype '" << element.str() << "'";
  return std::nullopt;
}

std::optional<uint64_t> elementsOf(Operation& op, const air::Access& access) {
  uint64_t elements = 1;
  bool isKnown = !access.sizes.empty();
  for (const air::IndexEntry& size : access.sizes) {
    const auto number = size.known();
    isKnown = isKnown && number && *number >= 0;
    if (isKnown) elements *= uint64_t(*number);
  }
  if (isKnown) return elements;
  const auto memref = access.memref.type().dynCast<MemRefType>();
  if (memref && memref.hasStaticShape()) return uint64_t(memref.numElements());
  op.emitOpError() << "not supported: a transfer whose size is not known";
  return std::nullopt;
}

uint64_t transferCycles(uint64_t bytes, air::MemoryLevel from, air::MemoryLevel to,
                        const Machine& machine) {
  const double rate = std::min(portsOf(machine, from).outbound.bytesPerSecond,
                               portsOf(machine, to).inbound.bytesPerSecond);
  return std::max<uint64_t>(1, uint64_t(std::ceil(double(bytes) / rate * machine.clock)));
}

std::optional<uint64_t> computeCycles(Operation& op, const Machine& machine) {
  for (const std::string_view name : {kCustomSymbol, std::string_view("callee")})
    if (op.is("func.call"))
      if (const auto symbol = op.attrOf<SymbolRefAttr>(name))
        return customCycles(op, symbol.root(), machine);
  const auto counted = countedOps(op);
  if (!counted) {
    op.emitOpError() << "not supported: a computation of a length that is not known";
    return std::nullopt;
  }
  const ComputeRate rate = rateOf(op, machine);
  const auto cycles = uint64_t(std::ceil(double(*counted) / (rate.opsPerCycle * rate.efficiency)));
  const bool isKernel = static_cast<bool>(linalg::asStructured(&op));
  return std::max<uint64_t>(1, cycles + (isKernel ? kCallCycles : 0));
}

}  // namespace airlite::runner
