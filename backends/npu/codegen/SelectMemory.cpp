// Loads, stores, locks and streams.
#include "Select.hpp"
#include "airlite/dialect/Aie.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/ir/Symbols.hpp"

#include <bit>
#include <cstring>

namespace airlite::npu::codegen {

using isa::Form;

std::span<const Selector::OpRow> Selector::memoryOps() {
  static constexpr OpRow kRows[] = {
      {"memref.load", &Selector::selectLoad},
      {"memref.store", &Selector::selectStore},
      {"memref.get_global", &Selector::selectGlobal},
      {"builtin.unrealized_conversion_cast", &Selector::selectMemoryCast},
      {"aie.use_lock", &Selector::selectLock},
      {"aie.get_stream", &Selector::selectStream},
  };
  return kRows;
}

namespace {

constexpr AccessForms kLoad32 = {Form::LDA_dms_lda_idx, Form::LDA_dms_lda_idx_imm,
                                 Form::LDA_dms_lda_pstm_nrm, Form::LDA_dms_lda_pstm_nrm_imm};
constexpr AccessForms kLoadS16 = {Form::LDA_S16_ag_idx, Form::LDA_S16_ag_idx_imm,
                                  Form::LDA_S16_ag_pstm_nrm, Form::LDA_S16_ag_pstm_nrm_imm};
constexpr AccessForms kLoadU16 = {Form::LDA_U16_ag_idx, Form::LDA_U16_ag_idx_imm,
                                  Form::LDA_U16_ag_pstm_nrm, Form::LDA_U16_ag_pstm_nrm_imm};
constexpr AccessForms kLoadS8 = {Form::LDA_S8_ag_idx, Form::LDA_S8_ag_idx_imm,
                                 Form::LDA_S8_ag_pstm_nrm, Form::LDA_S8_ag_pstm_nrm_imm};
constexpr AccessForms kLoadU8 = {Form::LDA_U8_ag_idx, Form::LDA_U8_ag_idx_imm,
                                 Form::LDA_U8_ag_pstm_nrm, Form::LDA_U8_ag_pstm_nrm_imm};
constexpr AccessForms kStore32 = {Form::ST_dms_sts_idx, Form::ST_dms_sts_idx_imm,
                                  Form::ST_dms_sts_pstm_nrm, Form::ST_dms_sts_pstm_nrm_imm};
constexpr AccessForms kStore16 = {Form::ST_S16_ag_idx, Form::ST_S16_ag_idx_imm,
                                  Form::ST_S16_ag_pstm_nrm, Form::ST_S16_ag_pstm_nrm_imm};
constexpr AccessForms kStore8 = {Form::ST_S8_ag_idx, Form::ST_S8_ag_idx_imm,
                                 Form::ST_S8_ag_pstm_nrm, Form::ST_S8_ag_pstm_nrm_imm};

/// True when everyone who reads the value wants zeros above it.
bool isReadUnsigned(Value value) {
  bool all = value.hasUses();
  for (OpOperand& use : value.uses()) {
    std::string_view name = use.owner()->name();
    all &= name == "arith.extui" || name == "arith.divui" || name == "arith.remui" ||
           name == "arith.shrui" || name == "arith.index_castui" || name == "arith.minui" ||
           name == "arith.maxui";
  }
  return all;
}

const isa::ImmediateRow& offsetRange(const AccessForms& forms) {
  const isa::FormRow& form = isa::row(forms.immediate);
  return isa::immediate(form.operands[form.textOrder[forms.hasShift ? 3 : 2]].type);
}

int64_t bytesOf(MemRefType type) {
  auto vector = type.elementType().dynCast<VectorType>();
  int64_t lanes = vector ? vector.numElements() : 1;
  return type.numElements() * lanes * widthOf(elementTypeOrSelf(type.elementType())) / 8;
}

/// A value plus a constant.
struct Sum {
  Value value;
  int64_t constant = 0;
};

Sum splitIndex(Value index) {
  Operation* op = index.definingOp();
  if (!op || !op->is("arith.addi") || widthOf(index.type()) != 32) return {index};
  for (unsigned i : {1u, 0u}) {
    auto number = constantIntOf(op->operand(i));
    if (number) return {op->operand(1 - i), *number};
  }
  return {index};
}

}  // namespace

bool Selector::checkMemRef(Operation& op, Value memref) {
  auto type = memref.type().cast<MemRefType>();
  auto bytes = aie::elementBytes(type.elementType());
  bool isFlat = type.rank() == 1 && type.hasStaticShape() && type.hasIdentityLayout();
  if (isFlat && bytes && std::has_single_bit(static_cast<uint64_t>(*bytes)) &&
      !type.elementType().isInteger(1))
    return true;
  op.emitOpError()
      << "needs a memref of one dimension, with a static size and without a layout, of "
         "i8, i16, i32, bf16 or f32; found "
      << type;
  return false;
}

// -- Addresses ------------------------------------------------------------------------------------

/// Pointers stand in the middle of what immediates reach, so that neighbours share one.
Address Selector::fixedAddress(uint32_t target, unsigned bytes, const AccessForms& forms) {
  const isa::ImmediateRow& range = offsetRange(forms);
  const auto reach = static_cast<uint32_t>(range.largest - range.smallest + range.step);
  uint32_t middle = target / reach * reach - static_cast<uint32_t>(range.smallest);
  return {constant(middle, RegClass::Pointer),
          Operand::imm(int64_t{target} - middle),
          {false, target, target + bytes}};
}

Operand Selector::byteOffset(Value index, unsigned bytes) {
  auto [place, isNew] = offsets_.try_emplace({index.impl(), bytes});
  if (!isNew) return place->second;
  Operand offset = reg(index);
  int shift = std::countr_zero(bytes);
  if (shift) offset = compute(Form::LSHL, offset, constant(static_cast<uint32_t>(shift)));
  Operand modifier = fresh(RegClass::Modifier);
  copy(modifier, offset, RegClass::Modifier);
  return offsets_[{index.impl(), bytes}] = modifier;
}

Address Selector::address(Operation& op, unsigned operand, AccessSize size,
                          const AccessForms& forms) {
  Value memref = op.operand(operand), index = op.operand(operand + 1);
  if (auto stepping = steppingAddress(op, memref, size, forms)) return *stepping;
  const unsigned bytes = size.step;
  auto base = addressOf(memref);
  auto fixed = constantOf(index);
  if (base && fixed)
    return fixedAddress(*base + static_cast<uint32_t>(*fixed) * bytes, size.bytes, forms);
  if (fixed) {
    int64_t offset = int64_t{*fixed} * bytes;
    const isa::ImmediateRow& range = offsetRange(forms);
    if (offset >= range.smallest && offset <= range.largest)
      return {reg(memref), Operand::imm(offset), MemoryPlace::anywhere()};
    return {reg(memref), constant(static_cast<uint32_t>(offset) & 0xfffff, RegClass::Modifier),
            MemoryPlace::anywhere()};
  }
  if (!base) return {reg(memref), byteOffset(index, bytes), MemoryPlace::anywhere()};
  Sum sum = splitIndex(index);
  auto start = static_cast<uint32_t>(*base + sum.constant * bytes) & 0xfffff;
  auto all = static_cast<uint32_t>(bytesOf(memref.type().cast<MemRefType>()));
  Operand pointer = constant(start, RegClass::Pointer);
  return {pointer, byteOffset(sum.value, bytes), {false, *base, *base + all}};
}

std::optional<Address> Selector::steppingAddress(Operation& op, Value memref, AccessSize size,
                                                 const AccessForms& forms) {
  auto found = stepping_.find(&op);
  if (found == stepping_.end()) return std::nullopt;
  const SteppingAccess& access = found->second;
  const isa::ImmediateRow& range = offsetRange(forms);
  // The parts of an access have immediates of their own.
  int32_t last = access.offset + static_cast<int32_t>(size.bytes - std::min(size.bytes, 32u));
  bool isReached =
      access.offset >= range.smallest && last <= range.largest && access.offset % range.step == 0;
  if (access.steps.empty() && !isReached) return std::nullopt;
  MemoryPlace place = MemoryPlace::anywhere();
  if (auto base = addressOf(memref))
    place = {false, *base,
             *base + static_cast<uint32_t>(bytesOf(memref.type().cast<MemRefType>()))};
  return Address{access.pointer, Operand::imm(access.offset), place, access.inLoop, access.steps};
}

bool Selector::selectLoad(Operation& op) {
  if (!checkMemRef(op, op.operand(0)) || !checkedClass(op, op.result().type())) return false;
  unsigned width = widthOf(op.result().type());
  bool zero = isReadUnsigned(op.result());
  const AccessForms& forms = width == 32   ? kLoad32
                             : width == 16 ? (zero ? kLoadU16 : kLoadS16)
                                           : (zero ? kLoadU8 : kLoadS8);
  Address from = address(op, 0, {width / 8, width / 8}, forms);
  Upper upper = width == 32 ? Upper::Unknown : zero ? Upper::Zero : Upper::Sign;
  accessPart(forms, define(op.result(), upper), from);
  return true;
}

bool Selector::selectStore(Operation& op) {
  if (!checkMemRef(op, op.operand(1)) || !checkedClass(op, op.operand(0).type())) return false;
  unsigned width = widthOf(op.operand(0).type());
  const AccessForms& forms = width == 32 ? kStore32 : width == 16 ? kStore16 : kStore8;
  Operand value = reg(op.operand(0));
  Address to = address(op, 1, {width / 8, width / 8}, forms);
  accessPart(forms, value, to);
  return true;
}

namespace {

/// The immediates that may follow a load of 32 bytes of a vector: the second load slot has short
/// ones only, and a load had better fit both slots.
constexpr int32_t kSmallestLoadStep = -256, kLargestLoadStep = 224;

/// Whether an immediate can be the step.
bool hasStep(const AccessForms& forms, int32_t step) {
  const isa::FormRow& form = isa::row(forms.steppedImmediate);
  bool isLoad = forms.steppedImmediate == Form::VLDA_dmw_lda_w_ag_pstm_nrm_imm;
  if (isLoad && (step < kSmallestLoadStep || step > kLargestLoadStep)) return false;
  return bool(isa::fits(form.operands[form.textOrder[forms.hasShift ? 3 : 2]].type, step));
}

}  // namespace

void Selector::accessPart(const AccessForms& forms, Operand value, const Address& at) {
  Form form = at.isImmediate() ? forms.immediate : forms.indexed;
  Operand offset = at.offset;
  if (!at.steps.empty()) {
    const int32_t step = at.steps.front();
    const bool isShort = hasStep(forms, step);
    form = isShort ? forms.steppedImmediate : forms.stepped;
    offset = isShort ? Operand::imm(step) : constant(static_cast<uint32_t>(step), RegClass::Step);
  }
  if (forms.hasShift) setShift();
  if (forms.rounds) setRounding();
  MachineInst& access = forms.hasShift
                            ? emit(form, {value, Operand::of(isa::Reg::s0), at.pointer, offset})
                            : emit(form, {value, at.pointer, offset});
  access.memory = at.place;
  access.inLoop = at.inLoop;
}

// -- Globals --------------------------------------------------------------------------------------

namespace {

/// Elements one behind the other, i8 four to a word.
std::vector<uint32_t> initialWords(memref::GlobalOp global, int64_t bytes) {
  std::vector<uint32_t> words(static_cast<size_t>((bytes + 3) / 4));
  DenseElementsAttr value = global.initialValue();
  if (!value) return words;
  auto size = static_cast<size_t>(bytes / std::max<int64_t>(global.type().numElements(), 1));
  for (size_t i = 0; i < static_cast<size_t>(global.type().numElements()); ++i) {
    Attribute element = value.element(static_cast<int64_t>(i));
    uint64_t bits = 0;
    if (auto number = element.dynCast<IntegerAttr>()) bits = number.zext();
    if (auto number = element.dynCast<FloatAttr>())
      bits = floatToBits(number.type().cast<FloatType>().floatKind(), number.value());
    for (size_t b = 0; b < size; ++b) {
      size_t at = i * size + b;
      words[at / 4] |= static_cast<uint32_t>(bits >> (8 * b) & 0xff) << (8 * (at % 4));
    }
  }
  return words;
}

}  // namespace

std::optional<uint32_t> CoreState::globalAddress(Operation& op, Operation& use) {
  if (auto found = globals.find(&op); found != globals.end()) return found->second;
  memref::GlobalOp global(&op);
  const auto bytes = static_cast<uint32_t>(bytesOf(global.type()));
  auto start = global.isExternal() ? std::nullopt : place(bytes);
  if (!start) {
    auto error = use.emitOpError();
    error << "needs " << bytes << " bytes of the core's memory for @" << global.name();
    if (global.isExternal())
      error << ", which has no value";
    else
      error << "; there are " << surroundings.constantsSize.value - dataBytes;
    return std::nullopt;
  }
  data.push_back({std::string(global.name()), *start, initialWords(global, bytes)});
  globals[&op] = *start;
  return start;
}

std::optional<uint32_t> CoreState::place(uint32_t bytes) {
  constexpr uint32_t kAlignment = 32;  // of vectors
  const uint32_t start =
      (surroundings.constantsAddress + dataBytes + kAlignment - 1) / kAlignment * kAlignment;
  const uint32_t end = start + bytes - surroundings.constantsAddress;
  if (end > surroundings.constantsSize.value) return std::nullopt;
  dataBytes = end;
  return start;
}

std::optional<uint32_t> CoreState::lanesAddress(const LaneWords& words) {
  auto found = lanes.find(words);
  if (found != lanes.end()) return found->second;
  const auto start = place(sizeof(LaneWords));
  if (!start) return std::nullopt;
  data.push_back({"__air_lanes_" + std::to_string(lanes.size()), *start,
                  std::vector<uint32_t>(words.begin(), words.end())});
  lanes[words] = *start;
  return start;
}

bool Selector::selectGlobal(Operation& op) {
  Operation* global = lookupSymbol(&op, memref::GetGlobalOp(&op).name());
  auto address = global ? state_.globalAddress(*global, op) : std::nullopt;
  if (!address) return false;
  values_[op.result()] = Operand::imm(*address);
  return true;
}

/// The same memory with elements of another width.
bool Selector::selectMemoryCast(Operation& op) {
  if (op.numOperands() != 1 || !op.operand(0).type().isa<MemRefType>() ||
      !op.result().type().isa<MemRefType>()) {
    op.emitOpError() << "is no cast of memory";
    return false;
  }
  if (auto address = addressOf(op.operand(0)))
    values_[op.result()] = Operand::imm(*address);
  else
    alias(op.result(), reg(op.operand(0)));
  return true;
}

// -- Locks ----------------------------------------------------------------------------------------

bool Selector::selectStream(Operation& op) {
  if (constantOf(op.operand(0)) != 0) {
    op.emitOpError() << "expects stream 0, the only one of a core of AIE2";
    return false;
  }
  emit(Form::MOV_mv_ss2scl, {define(op.result())});
  return true;
}

bool Selector::selectLock(Operation& op) {
  aie::UseLockOp use(&op);
  auto number = state_.surroundings.locks.find(op.operand(0));
  if (number == state_.surroundings.locks.end()) {
    op.emitOpError() << "uses a lock that the core cannot reach";
    return false;
  }
  aie::MaybeStatic value = use.value();
  auto known = value.value ? constantOf(value.value) : std::optional<int32_t>(value.constant);
  bool subtracts = use.action() == aie::LockAction::AcquireGreaterEqual;
  if (known && (*known < 0 || *known > 63)) {
    op.emitOpError() << "expects a value from 0 to 63, found " << *known;
    return false;
  }
  // acq with a negative value waits for at least that much; with another for just that.
  Operand amount =
      known ? constant(static_cast<uint32_t>(subtracts ? -*known : *known)) : reg(value.value);
  if (!known && subtracts) amount = compute(Form::SUB, constant(0), amount);
  Form form =
      use.action() == aie::LockAction::Release ? Form::REL_mLockId_imm : Form::ACQ_mLockId_imm;
  emit(form, {Operand::imm(number->second), amount});
  return true;
}

}  // namespace airlite::npu::codegen
