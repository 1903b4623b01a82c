#include "Values.hpp"

#include "airlite/ir/Diagnostic.hpp"
#include "airlite/ir/OpDef.hpp"

#include <algorithm>
#include <utility>

namespace airlite::npu::codegen {

using isa::Form;

Operand Values::reg(Value value) {
  if (auto bits = constantBits(value)) return emitter_.constant(static_cast<uint32_t>(*bits));
  if (auto address = addressOf(value)) return emitter_.constant(*address, RegClass::Pointer);
  auto found = registers_.find(value);
  if (found != registers_.end()) return found->second;
  if (value.type().isa<VectorType>())
    if (auto bits = splatBits(value))
      return lanes_.splat(value.type(), static_cast<uint32_t>(*bits));
  if (!failed_) {
    Operation* op = value.definingOp();
    emitError(value.context(), op ? op->location() : emitter_.location())
        << (op && op->is("aie.buffer") ? "this buffer has no address that the core can reach"
                                       : "this is used in a core, which cannot compute it");
  }
  failed_ = true;
  return emitter_.fresh(classOf(value.type()).value_or(RegClass::Gpr));
}

Operand Values::define(Value value, Upper upper) {
  Operand operand = emitter_.fresh(homeOf(value));
  alias(value, operand, upper);
  return operand;
}

std::optional<std::vector<Operand>> Values::defineAll(Operation& op,
                                                      std::span<const Value> values) {
  std::vector<Operand> registers;
  for (Value value : values) {
    if (!checkedClass(op, value.type())) return std::nullopt;
    if (isNeverSpilled(homeOf(value))) {
      op.emitOpError() << "not supported: a value of type " << value.type()
                       << ", a factor of products, that goes from block to block";
      return std::nullopt;
    }
    registers.push_back(define(value));
  }
  return registers;
}

void Values::alias(Value value, Operand operand, Upper upper) {
  registers_[value] = operand;
  if (upper != Upper::Unknown) upper_[value] = upper;
}

std::optional<uint32_t> Values::addressOf(Value memref) const {
  Operation* op = memref.definingOp();
  if (!op) return std::nullopt;
  if (op->is("memref.get_global") || op->is("builtin.unrealized_conversion_cast")) {
    auto found = registers_.find(memref);
    if (found != registers_.end() && found->second.kind == Operand::Kind::Immediate)
      return static_cast<uint32_t>(found->second.number);
    return std::nullopt;
  }
  auto found = surroundings_.buffers.find(memref);
  if (found == surroundings_.buffers.end()) return std::nullopt;
  return found->second;
}

bool Values::isZeroAbove(Value value) const {
  auto found = upper_.find(value);
  auto bits = constantBits(value);
  return (found != upper_.end() && found->second == Upper::Zero) || (bits && *bits >= 0);
}

Operand Values::extended(Value value, bool isSigned) {
  unsigned width = widthOf(value.type());
  if (width == 32) return reg(value);
  if (auto bits = constantBits(value)) {
    uint32_t mask = (uint32_t{1} << width) - 1, low = static_cast<uint32_t>(*bits) & mask;
    bool negative = isSigned && low >> (width - 1);
    return emitter_.constant(negative ? low | ~mask : low);
  }
  auto known = upper_.find(value);
  Upper wanted = isSigned ? Upper::Sign : Upper::Zero;
  if (known != upper_.end() && known->second == wanted) return reg(value);
  return extend(reg(value), width, isSigned);
}

Operand Values::extend(Operand operand, unsigned width, bool isSigned) {
  switch (width) {
    case 8: return emitter_.compute(isSigned ? Form::EXTENDs8 : Form::EXTENDu8, operand);
    case 16: return emitter_.compute(isSigned ? Form::EXTENDs16 : Form::EXTENDu16, operand);
    case 1: {
      Operand bit = emitter_.compute(Form::AND, operand, emitter_.constant(1));
      return isSigned ? emitter_.compute(Form::SUB, emitter_.constant(0), bit) : bit;
    }
    default: return operand;
  }
}

namespace {

struct Move {
  Operand to, from;
  RegClass regClass;
};

}  // namespace

void Values::copyAll(std::span<const Operand> to, std::span<const Value> from) {
  std::vector<Move> moves;
  std::vector<std::pair<Operand, uint32_t>> constants;
  for (size_t i = 0; i < to.size(); ++i) {
    std::optional<int32_t> bits = constantBits(from[i]);
    std::optional<uint32_t> address = addressOf(from[i]);
    if (bits || address)
      constants.emplace_back(to[i], bits ? static_cast<uint32_t>(*bits) : *address);
    else if (Operand source = reg(from[i]); source != to[i])
      moves.push_back({to[i], source, emitter_.classOf(to[i])});
  }
  while (!moves.empty()) {
    auto free = std::ranges::find_if(moves, [&](const Move& move) {
      return std::ranges::none_of(moves, [&](const Move& m) { return m.from == move.to; });
    });
    if (free != moves.end()) {
      emitter_.copy(free->to, free->from, free->regClass);
      moves.erase(free);
      continue;
    }
    // A circle: one value steps aside.
    Move& first = moves.front();
    Operand aside = emitter_.fresh(first.regClass);
    emitter_.copy(aside, first.from, first.regClass);
    for (Move& move : moves)
      if (move.from == first.from && &move != &first) move.from = aside;
    first.from = aside;
  }
  for (auto& [target, bits] : constants)
    emitter_.setConstant(target, bits);
}

}  // namespace airlite::npu::codegen
