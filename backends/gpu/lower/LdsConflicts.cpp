#include "airlite/gpu/lower/LdsConflicts.hpp"

#include "Kernel.hpp"
#include "airlite/dialect/Arith.hpp"
#include "airlite/dialect/Gpu.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

namespace airlite::gpu {
namespace {

/// A number of each lane; empty: it is only known when the kernel runs, and lanes may differ.
using Lanes = std::optional<std::vector<int64_t>>;

bool isUniform(const std::vector<int64_t>& lanes) {
  return std::ranges::all_of(lanes, [&](int64_t each) { return each == lanes[0]; });
}

std::optional<int64_t> computeBinary(std::string_view name, int64_t a, int64_t b) {
  if (name == "arith.addi") return a + b;
  if (name == "arith.subi") return a - b;
  if (name == "arith.muli") return a * b;
  if (name == "arith.andi") return a & b;
  if (name == "arith.ori") return a | b;
  if (name == "arith.xori") return a ^ b;
  if (name == "arith.minsi" || name == "arith.minui") return std::min(a, b);
  if (name == "arith.maxsi" || name == "arith.maxui") return std::max(a, b);
  if (name == "arith.shli" && b >= 0 && b < 64)
    return static_cast<int64_t>(static_cast<uint64_t>(a) << b);
  if (name == "arith.shrui" && a >= 0 && b >= 0 && b < 64) return a >> b;
  if ((name == "arith.divui" || name == "arith.divsi") && a >= 0 && b > 0) return a / b;
  if ((name == "arith.remui" || name == "arith.remsi") && a >= 0 && b > 0) return a % b;
  return std::nullopt;
}

/// Numbers of all lanes of the first wave, as far as indices need them.
class LaneNumbers {
 public:
  explicit LaneNumbers(int64_t wave) : wave_(static_cast<size_t>(wave)) {}

  const Lanes& of(Value value) {
    if (const auto known = known_.find(value); known != known_.end()) return known->second;
    Lanes made = compute(value);
    return known_[value] = std::move(made);
  }

 private:
  std::vector<int64_t> all(int64_t number) const { return std::vector<int64_t>(wave_, number); }

  Lanes compute(Value value) {
    Operation* op = value.definingOp();
    if (!op) return computeArgument(value);
    if (const auto number = constantIntOf(value)) return all(*number);
    if (isLaneNumber(*op)) {
      std::vector<int64_t> lanes = all(0);
      for (size_t lane = 0; lane < wave_; ++lane)
        lanes[lane] = static_cast<int64_t>(lane);
      return lanes;
    }
    if (op->is("arith.index_cast") || op->is("arith.index_castui") || op->is("arith.extui") ||
        op->is("arith.extsi") || op->is("arith.trunci"))
      return of(op->operand(0));
    if (scf::ForOp loop = dynCast<scf::ForOp>(op)) return carried(loop, value);
    if (op->is("arith.cmpi")) return compare(*op);
    if (op->is("arith.select")) return select(*op);
    if (op->numOperands() == 2 && op->def().dialect == "arith") return binary(*op);
    return others(*op);
  }

  static bool isLaneNumber(Operation& op) {
    return op.is("gpu.lane_id") ||
           (op.is("gpu.thread_id") && IndexOp(&op).dimension() == Dimension::X);
  }

  Lanes computeArgument(Value value) {
    scf::ForOp loop = dynCast<scf::ForOp>(value.argumentBlock()->parentOp());
    if (!loop) return all(0);
    if (value == loop.inductionVar()) return of(loop->operand(0));
    return carried(loop, value);
  }

  /// A number that a loop hands on, such as that of a buffer: shared where it begins so.
  Lanes carried(scf::ForOp loop, Value value) {
    for (unsigned i = 0; i < loop.numIterArgs(); ++i) {
      if (loop.regionIterArg(i) != value && loop->result(i) != value) continue;
      const Lanes& start = of(loop.initArgs()[i]);
      const bool isShared = value.type().isIntOrIndex() && start && isUniform(*start);
      return isShared ? start : std::nullopt;
    }
    return std::nullopt;
  }

  Lanes binary(Operation& op) {
    const Lanes a = of(op.operand(0)), b = of(op.operand(1));
    if (!a || !b) return std::nullopt;
    std::vector<int64_t> lanes(wave_);
    for (size_t lane = 0; lane < wave_; ++lane) {
      const auto number = computeBinary(op.name(), (*a)[lane], (*b)[lane]);
      if (!number) return others(op);
      lanes[lane] = *number;
    }
    return lanes;
  }

  Lanes compare(Operation& op) {
    const Lanes a = of(op.operand(0)), b = of(op.operand(1));
    if (!a || !b) return std::nullopt;
    const auto predicate =
        static_cast<arith::CmpIPredicate>(op.attrOf<IntegerAttr>("predicate").value());
    std::vector<int64_t> lanes(wave_);
    for (size_t lane = 0; lane < wave_; ++lane)
      lanes[lane] = arith::evaluate(predicate, static_cast<uint64_t>((*a)[lane]),
                                    static_cast<uint64_t>((*b)[lane]), 64);
    return lanes;
  }

  Lanes select(Operation& op) {
    const Lanes condition = of(op.operand(0)), yes = of(op.operand(1)), no = of(op.operand(2));
    if (!condition || !yes || !no) return std::nullopt;
    std::vector<int64_t> lanes(wave_);
    for (size_t lane = 0; lane < wave_; ++lane)
      lanes[lane] = (*condition)[lane] ? (*yes)[lane] : (*no)[lane];
    return lanes;
  }

  /// What is made of numbers that all lanes share is shared too.
  Lanes others(Operation& op) {
    if (op.numRegions()) return std::nullopt;
    for (Value operand : op.operands()) {
      if (operand.type().isa<MemRefType>()) continue;
      if (const Lanes lanes = of(operand); !lanes || !isUniform(*lanes)) return std::nullopt;
    }
    return all(0);
  }

  size_t wave_;
  std::unordered_map<Value, Lanes> known_;
};

/// An access to LDS: the first byte of each lane that is there, and how many.
struct LdsAccess {
  std::vector<int64_t> addresses;
  int64_t bytes = 0;  ///< of a lane
  int64_t piece = 0;  ///< that are accessed at once
};

class ConflictCounter {
 public:
  ConflictCounter(Operation& kernel, int64_t wave) : kernel_(kernel), wave_(wave), numbers_(wave) {}

  std::vector<LdsLoop> run() {
    kernel_.walk([&](Operation& op) { visit(op); }, WalkOrder::PreOrder);
    std::vector<LdsLoop> loops;
    for (Operation* place : order_)
      loops.push_back(loops_.at(place));
    return loops;
  }

 private:
  void visit(Operation& op) {
    const bool isRead =
        op.is("vector.load") || op.is("memref.load") || op.is("vector.transfer_read");
    const bool isWrite =
        op.is("vector.store") || op.is("memref.store") || op.is("vector.transfer_write");
    if (!isRead && !isWrite) return;
    const Value memref = op.operand(isRead ? 0 : 1);
    const auto type = memref.type().dynCast<MemRefType>();
    if (!type || !isLds(type)) return;
    LdsLoop& loop = loopOf(op);
    ++(isRead ? loop.reads : loop.writes);
    const auto access = accessOf(op, type, isRead ? op.result().type() : op.operand(0).type());
    if (!access) {
      ++loop.unknown;
      return;
    }
    const LdsCycles cycles = ldsCycles(access->addresses, access->bytes, access->piece);
    (isRead ? loop.readCycles : loop.writeCycles) += cycles.all;
    (isRead ? loop.readConflicts : loop.writeConflicts) += cycles.lost;
  }

  static bool isLds(MemRefType type) {
    const auto number = type.memorySpace().dynCast<IntegerAttr>();
    return number && number.value() == 3;
  }

  LdsLoop& loopOf(Operation& op) {
    Operation* around = nullptr;
    unsigned depth = 0;
    for (Operation* up = op.parentOp(); up && up != &kernel_; up = up->parentOp()) {
      if (!up->is("scf.for") && !up->is("scf.while")) continue;
      if (!around) around = up;
      ++depth;
    }
    const auto [at, isNew] = loops_.try_emplace(around);
    if (isNew) order_.push_back(around);
    at->second.depth = depth;
    return at->second;
  }

  std::optional<LdsAccess> accessOf(Operation& op, MemRefType type, Type value) {
    const auto strides = type.stridedForm();
    const auto active = activeLanes(op);
    if (!strides || !active) return std::nullopt;
    const Type element = type.elementType();
    const int64_t bytes = std::max<int64_t>(1, static_cast<int64_t>(element.bitWidth()) / 8);
    std::vector<int64_t> all(active->size(), 0);
    const auto indices = op.operandGroup("indices");
    for (unsigned i = 0; i < indices.size(); ++i) {
      const Lanes& lanes = numbers_.of(indices[i]);
      if (!lanes || strides->strides[i] == kDynamic) return std::nullopt;
      for (size_t lane = 0; lane < all.size(); ++lane)
        all[lane] += (*lanes)[lane] * strides->strides[i] * bytes;
    }
    LdsAccess access;
    for (size_t lane = 0; lane < all.size(); ++lane)
      if ((*active)[lane]) access.addresses.push_back(all[lane]);
    const auto vector = value.dynCast<VectorType>();
    access.bytes = bytes * (vector ? vector.numElements() : 1);
    const auto alignment = op.attrOf<IntegerAttr>("alignment");
    access.piece = std::min(access.bytes, alignment ? alignment.value() : bytes);
    return access;
  }

  /// Those that reach `op`.
  Lanes activeLanes(Operation& op) {
    Operation* inner = &op;
    Lanes active = std::vector<int64_t>(static_cast<size_t>(wave_), 1);
    for (Operation* up = op.parentOp(); up && up != &kernel_; inner = up, up = up->parentOp()) {
      scf::IfOp choice = dynCast<scf::IfOp>(up);
      if (!choice) continue;
      const Lanes& condition = numbers_.of(up->operand(0));
      if (!condition) return std::nullopt;
      if (isUniform(*condition)) continue;
      const bool isElse = inner->parentRegion() != &up->region(0);
      for (size_t lane = 0; lane < active->size(); ++lane)
        if (((*condition)[lane] != 0) == isElse) (*active)[lane] = 0;
    }
    return active;
  }

  Operation& kernel_;
  int64_t wave_;
  LaneNumbers numbers_;
  std::map<Operation*, LdsLoop> loops_;  ///< null: outside of loops
  std::vector<Operation*> order_;
};

}  // namespace

LdsCycles ldsCycles(std::span<const int64_t> addresses, int64_t bytes, int64_t piece) {
  LdsCycles cycles;
  const int64_t width = kLdsBanks * kLdsBankBytes;
  const auto together = static_cast<size_t>(width / std::max(piece, kLdsBankBytes));
  for (int64_t at = 0; at < bytes; at += piece)
    for (size_t first = 0; first < addresses.size(); first += together) {
      std::map<int64_t, std::set<int64_t>> words;  // of each bank
      const size_t end = std::min(first + together, addresses.size());
      for (size_t lane = first; lane < end; ++lane)
        for (int64_t byte = 0; byte < piece; byte += std::min(piece, kLdsBankBytes)) {
          const int64_t word = (addresses[lane] + at + byte) / kLdsBankBytes;
          words[word % kLdsBanks].insert(word);
        }
      int64_t most = 0;
      for (const auto& [bank, of] : words)
        most = std::max(most, static_cast<int64_t>(of.size()));
      cycles.all += most;
      cycles.lost += std::max<int64_t>(0, most - 1);
    }
  return cycles;
}

std::vector<LdsLoop> ldsConflicts(Operation& kernel, int64_t wave) {
  return ConflictCounter(kernel, wave).run();
}

}  // namespace airlite::gpu
