// Values of the IR in registers: classes, constants, bits above a narrow value, copies.
#include "Select.hpp"
#include "airlite/dialect/Arith.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Symbols.hpp"

#include <algorithm>

namespace airlite::npu::codegen {

using isa::Form;

unsigned widthOf(Type type) { return type.isIndex() ? 32 : type.bitWidth(); }

std::optional<RegClass> Selector::classOf(Type type) const {
  if (type.isa<MemRefType>()) return RegClass::Pointer;
  if (auto vector = type.dynCast<VectorType>()) {
    Type element = vector.elementType();
    bool isLane = element.isF32() || element.isBF16() || element.isInteger(8) ||
                  element.isInteger(16) || element.isInteger(32);
    int64_t bits = isLane ? vector.numElements() * element.bitWidth() : 0;
    bool isSum = element.isInteger(32) || element.isInteger(64);
    // Tiles of f32 are sums of the matrix unit.
    if (element.isF32() && vector.rank() == 2 && bits == 512) return RegClass::HalfAccumulator;
    if (isSum && vector.numElements() * element.bitWidth() == 1024) return RegClass::Accumulator;
    return bits == 256 || bits == 512 ? std::optional(RegClass::Vector) : std::nullopt;
  }
  if (type.isIndex() || type.isF32() || type.isBF16()) return RegClass::Gpr;
  for (unsigned width : {1u, 8u, 16u, 32u})
    if (type.isInteger(width)) return RegClass::Gpr;
  return std::nullopt;
}

std::optional<RegClass> Selector::checkedClass(Operation& op, Type type) {
  std::optional<RegClass> found = classOf(type);
  if (!found)
    op.emitOpError() << "has a value of type " << type << ", for which a core has no register";
  return found;
}

std::optional<int32_t> Selector::constantOf(Value value) {
  Operation* op = value.definingOp();
  if (!op || !op->is("arith.constant")) return std::nullopt;
  return bitsOf(arith::ConstantOp(op).value());
}

std::optional<int32_t> Selector::bitsOf(Attribute attr) {
  if (auto number = attr.dynCast<IntegerAttr>()) return static_cast<int32_t>(number.value());
  if (auto number = attr.dynCast<FloatAttr>())
    return static_cast<int32_t>(
        floatToBits(number.type().cast<FloatType>().floatKind(), number.value()));
  return std::nullopt;
}

std::optional<uint32_t> Selector::addressOf(Value memref) {
  Operation* op = memref.definingOp();
  if (!op) return std::nullopt;
  if (op->is("memref.get_global") || op->is("builtin.unrealized_conversion_cast")) {
    auto found = values_.find(memref);
    if (found != values_.end() && found->second.kind == Operand::Kind::Immediate)
      return static_cast<uint32_t>(found->second.number);
    return std::nullopt;
  }
  auto found = state_.surroundings.buffers.find(memref);
  if (found == state_.surroundings.buffers.end()) return std::nullopt;
  return found->second;
}

Operand Selector::reg(Value value) {
  if (auto bits = constantOf(value)) return constant(static_cast<uint32_t>(*bits));
  if (auto address = addressOf(value)) return constant(*address, RegClass::Pointer);
  auto found = values_.find(value);
  if (found != values_.end()) return found->second;
  if (value.type().isa<VectorType>())
    if (auto bits = splatOf(value)) return splat(value.type(), static_cast<uint32_t>(*bits));
  if (!failed_) {
    Operation* op = value.definingOp();
    emitError(value.context(), op ? op->location() : location_)
        << (op && op->is("aie.buffer") ? "this buffer has no address that the core can reach"
                                       : "this is used in a core, which cannot compute it");
  }
  failed_ = true;
  return fresh(classOf(value.type()).value_or(RegClass::Gpr));
}

std::optional<int32_t> Selector::splatOf(Value vector) {
  Operation* op = vector.definingOp();
  if (!op || !op->is("arith.constant")) return std::nullopt;
  auto lanes = arith::ConstantOp(op).value().dynCast<DenseElementsAttr>();
  return lanes && lanes.isSplat() ? bitsOf(lanes.splatValue()) : std::nullopt;
}

Operand Selector::define(Value value, Upper upper) {
  Operand operand = fresh(isFloatRow(value.type()) ? homeOf(value)
                                                   : classOf(value.type()).value_or(RegClass::Gpr));
  alias(value, operand, upper);
  return operand;
}

void Selector::alias(Value value, Operand operand, Upper upper) {
  values_[value] = operand;
  if (upper != Upper::Unknown) upper_[value] = upper;
}

Operand Selector::constant(uint32_t bits, RegClass regClass) {
  auto [place, isNew] = constants_.try_emplace({regClass, bits});
  if (isNew) {
    place->second = fresh(regClass);
    setConstant(place->second, bits);
  }
  return place->second;
}

void Selector::setConstant(Operand to, uint32_t bits) {
  auto value = static_cast<int32_t>(bits);
  const bool isShort = bool(isa::fits(isa::OperandType::simm11, value));
  emit(isShort ? Form::MOVA_lda_cg : Form::MOVXM_lng_cg, {to, Operand::imm(value)});
}

Operand Selector::extended(Value value, bool isSigned) {
  unsigned width = widthOf(value.type());
  if (width == 32) return reg(value);
  if (auto bits = constantOf(value)) {
    uint32_t mask = (uint32_t{1} << width) - 1, low = static_cast<uint32_t>(*bits) & mask;
    bool negative = isSigned && low >> (width - 1);
    return constant(negative ? low | ~mask : low);
  }
  auto known = upper_.find(value);
  Upper wanted = isSigned ? Upper::Sign : Upper::Zero;
  if (known != upper_.end() && known->second == wanted) return reg(value);
  return extend(reg(value), width, isSigned);
}

Operand Selector::extend(Operand operand, unsigned width, bool isSigned) {
  switch (width) {
    case 8: return compute(isSigned ? Form::EXTENDs8 : Form::EXTENDu8, operand);
    case 16: return compute(isSigned ? Form::EXTENDs16 : Form::EXTENDu16, operand);
    case 1: {
      Operand bit = compute(Form::AND, operand, constant(1));
      return isSigned ? compute(Form::SUB, constant(0), bit) : bit;
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

void Selector::copyAll(std::span<const Operand> to, std::span<const Value> from) {
  std::vector<Move> moves;
  std::vector<std::pair<Operand, uint32_t>> constants;
  for (size_t i = 0; i < to.size(); ++i) {
    std::optional<int32_t> bits = constantOf(from[i]);
    std::optional<uint32_t> address = addressOf(from[i]);
    if (bits || address)
      constants.emplace_back(to[i], bits ? static_cast<uint32_t>(*bits) : *address);
    else if (Operand source = reg(from[i]); source != to[i])
      moves.push_back({to[i], source, function_.registers[static_cast<uint32_t>(to[i].number)]});
  }
  while (!moves.empty()) {
    auto free = std::ranges::find_if(moves, [&](const Move& move) {
      return std::ranges::none_of(moves, [&](const Move& m) { return m.from == move.to; });
    });
    if (free != moves.end()) {
      copy(free->to, free->from, free->regClass);
      moves.erase(free);
      continue;
    }
    // A circle: one value steps aside.
    Move& first = moves.front();
    Operand aside = fresh(first.regClass);
    copy(aside, first.from, first.regClass);
    for (Move& move : moves)
      if (move.from == first.from && &move != &first) move.from = aside;
    first.from = aside;
  }
  for (auto& [target, bits] : constants)
    setConstant(target, bits);
}

}  // namespace airlite::npu::codegen
