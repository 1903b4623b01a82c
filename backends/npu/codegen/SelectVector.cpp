// Vectors of 256 and 512 bits: lanes of integers in the slot mv, products and floats through
// accumulators (docs/hardware/vector_facts.md, sections 3 to 8). 256 bits are the low half of a
// register, what is above them means nothing.
#include "Select.hpp"
#include "airlite/dialect/Aie.hpp"
#include "airlite/dialect/Arith.hpp"
#include "airlite/dialect/Vector.hpp"

#include <algorithm>
#include <array>

namespace airlite::npu::codegen {

using arith::CmpIPredicate;
using isa::Form;
using isa::Reg;

std::span<const Selector::OpRow> Selector::vectorOps() {
  static constexpr OpRow kRows[] = {
      {"vector.load", &Selector::selectVectorLoad},
      {"vector.store", &Selector::selectVectorStore},
      {"memref.load", &Selector::selectVectorLoad},
      {"memref.store", &Selector::selectVectorStore},
      {"vector.broadcast", &Selector::selectBroadcast},
      {"vector.contract", &Selector::selectContract},
      {"vector.shape_cast", &Selector::selectShapeCast},
      {"arith.extsi", &Selector::selectWiden},
      {"arith.extui", &Selector::selectWiden},
      {"arith.trunci", &Selector::selectNarrow},
      {"arith.addi", &Selector::selectLanes},
      {"arith.subi", &Selector::selectLanes},
      {"arith.andi", &Selector::selectLanes},
      {"arith.ori", &Selector::selectLanes},
      {"arith.xori", &Selector::selectLanes},
      {"arith.minsi", &Selector::selectLanes},
      {"arith.maxsi", &Selector::selectLanes},
      {"arith.minui", &Selector::selectUnsignedExtreme},
      {"arith.maxui", &Selector::selectUnsignedExtreme},
      {"arith.muli", &Selector::selectProduct},
      {"arith.addf", &Selector::selectFloatLanes},
      {"arith.subf", &Selector::selectFloatLanes},
      {"arith.mulf", &Selector::selectFloatLanes},
      {"arith.maximumf", &Selector::selectFloatExtreme},
      {"arith.minimumf", &Selector::selectFloatExtreme},
      {"arith.extf", &Selector::selectFloatWidth},
      {"arith.truncf", &Selector::selectFloatWidth},
      {"arith.cmpi", &Selector::selectVectorCompare},
      {"arith.select", &Selector::selectVectorSelect},
      {"arith.bitcast", &Selector::selectLaneCast},
      {"arith.shli", &Selector::selectLaneShift},
      {"arith.shrsi", &Selector::selectLaneShift},
      {"arith.shrui", &Selector::selectLaneShift},
      {"math.fma", &Selector::selectFma},
      {"vector.extract", &Selector::selectExtract},
      {"vector.shuffle", &Selector::selectShuffle},
      {"vector.extract_strided_slice", &Selector::selectSlice},
      {"vector.bitcast", &Selector::selectLaneCast},
      {"aie.get_cascade", &Selector::selectCascadeGet},
      {"aie.put_cascade", &Selector::selectCascadePut},
  };
  return kRows;
}

namespace {

constexpr AccessForms kVectorStore = {Form::VST_dmw_sts_w_ag_idx, Form::VST_dmw_sts_w_ag_idx_imm,
                                      Form::VST_dmw_sts_w_ag_pstm_nrm,
                                      Form::VST_dmw_sts_w_ag_pstm_nrm_imm};
// Accumulators, by quarters.
constexpr AccessForms kSumLoad = {Form::VLDA_dmw_lda_am_ag_idx, Form::VLDA_dmw_lda_am_ag_idx_imm,
                                  Form::VLDA_dmw_lda_am_ag_pstm_nrm,
                                  Form::VLDA_dmw_lda_am_ag_pstm_nrm_imm};
constexpr AccessForms kSumStore = {Form::VST_dmw_sts_am_ag_idx, Form::VST_dmw_sts_am_ag_idx_imm,
                                   Form::VST_dmw_sts_am_ag_pstm_nrm,
                                   Form::VST_dmw_sts_am_ag_pstm_nrm_imm};
// Lanes of 32 bits in memory, of 64 in halves of accumulators.
constexpr AccessForms kWideningLoad = {
    Form::VLDA_UPS_S64_S32_ag_idx, Form::VLDA_UPS_S64_S32_ag_idx_imm,
    Form::VLDA_UPS_S64_S32_ag_pstm_nrm, Form::VLDA_UPS_S64_S32_ag_pstm_nrm_imm, true};
constexpr AccessForms kNarrowingStore = {
    Form::VST_SRS_S32_S64_ag_idx, Form::VST_SRS_S32_S64_ag_idx_imm,
    Form::VST_SRS_S32_S64_ag_pstm_nrm, Form::VST_SRS_S32_S64_ag_pstm_nrm_imm, true};

constexpr AccessForms kRoundingStore = {Form::VST_CONV_BF16_FP32_ag_idx,
                                        Form::VST_CONV_BF16_FP32_ag_idx_imm,
                                        Form::VST_CONV_BF16_FP32_ag_pstm_nrm,
                                        Form::VST_CONV_BF16_FP32_ag_pstm_nrm_imm,
                                        false,
                                        true};
constexpr AccessForms kStoreTo16 = {Form::VST_SRS_S16_S32_ag_idx, Form::VST_SRS_S16_S32_ag_idx_imm,
                                    Form::VST_SRS_S16_S32_ag_pstm_nrm,
                                    Form::VST_SRS_S16_S32_ag_pstm_nrm_imm, true};
constexpr AccessForms kStoreTo8 = {Form::VST_SRS_S8_S32_ag_idx, Form::VST_SRS_S8_S32_ag_idx_imm,
                                   Form::VST_SRS_S8_S32_ag_pstm_nrm,
                                   Form::VST_SRS_S8_S32_ag_pstm_nrm_imm, true};

// Shuffles (docs/hardware/vector_facts.md, section 9).
constexpr uint32_t kEvenWords = 4;       // T32_16x2_lo
constexpr uint32_t kSwapHalfWords = 38;  // T16_1x2_flip

/// The forms of an operation for lanes of 8, 16 and 32 bits.
struct LaneRow {
  std::string_view op;
  std::array<Form, 3> forms;
};

constexpr LaneRow kLaneRows[] = {
    {"arith.addi", {Form::VADD_8, Form::VADD_16, Form::VADD_32}},
    {"arith.subi", {Form::VSUB_8, Form::VSUB_16, Form::VSUB_32}},
    {"arith.andi", {Form::VBAND, Form::VBAND, Form::VBAND}},
    {"arith.ori", {Form::VBOR, Form::VBOR, Form::VBOR}},
};
constexpr LaneRow kExtremeRows[] = {
    {"arith.maxsi", {Form::VMAX_LT_S8, Form::VMAX_LT_S16, Form::VMAX_LT_S32}},
    {"arith.minsi", {Form::VMIN_GE_S8, Form::VMIN_GE_S16, Form::VMIN_GE_S32}},
};
constexpr std::array kBroadcasts = {Form::VBCST_8, Form::VBCST_16, Form::VBCST_32};
constexpr std::array kSelects = {Form::VSEL_8, Form::VSEL_16, Form::VSEL_32};
constexpr std::array kZeroLanes = {Form::VEQZ_8, Form::VEQZ_16, Form::VEQZ_32};
constexpr std::array kLessSigned = {Form::VLT_S8, Form::VLT_S16, Form::VLT_S32};
constexpr std::array kLessUnsigned = {Form::VLT_D8, Form::VLT_D16, Form::VLT_D32};
constexpr std::array kDifferences = {Form::VSUB_8, Form::VSUB_16, Form::VSUB_32};

/// 0, 1, 2 for lanes of 8, 16, 32 bits.
size_t laneIndex(Type vector) {
  unsigned width = elementTypeOrSelf(vector).bitWidth();
  return width == 8 ? 0 : width == 16 ? 1 : 2;
}

unsigned bytesOf(Type vector) {
  auto type = vector.cast<VectorType>();
  return static_cast<unsigned>(type.numElements()) * type.elementType().bitWidth() / 8;
}

/// The one op that uses the value, in its block; null where there are others.
Operation* onlyUser(Value value) {
  if (!value.hasOneUse()) return nullptr;
  Operation* user = (*value.uses().begin()).owner();
  return user->block() == value.parentBlock() ? user : nullptr;
}

}  // namespace

bool Selector::isVectorOp(Operation& op) {
  for (Value value : op.operands())
    if (value.type().isa<VectorType>()) return true;
  for (Type type : op.resultTypes())
    if (type.isa<VectorType>()) return true;
  return false;
}

Operand Selector::computeVector(Form form, Operand a, Operand b) {
  Operand result = fresh(RegClass::Vector);
  emit(form, {result, a, b});
  return result;
}

/// Lanes that are all alike.
Operand Selector::splat(Type vector, uint32_t bits) {
  auto [place, isNew] = splats_.try_emplace({laneIndex(vector), bits});
  if (!isNew) return place->second;
  LaneWords words;
  constexpr std::array<uint32_t, 3> kLanes = {0xff, 0xffff, 0xffffffff},
                                    kCopies = {0x01010101, 0x00010001, 1};
  words.fill((bits & kLanes[laneIndex(vector)]) * kCopies[laneIndex(vector)]);
  if (auto loaded = loadedLanes(words, RegClass::Vector)) return place->second = *loaded;
  place->second = fresh(RegClass::Vector);
  emit(kBroadcasts[laneIndex(vector)], {place->second, constant(bits)});
  return place->second;
}

std::optional<Operand> Selector::loadedLanes(const LaneWords& words, RegClass regClass) {
  const auto at = isInRow_ ? state_.lanesAddress(words) : std::nullopt;
  if (!at) return std::nullopt;
  const bool isSum = regClass == RegClass::HalfAccumulator;
  const AccessForms& forms = isSum ? kSumLoad : kVectorLoad;
  Operand row = fresh(regClass);
  const size_t first = function_.blocks[block_].instructions.size();
  for (uint32_t part = 0; part < 2; ++part)
    accessPart(forms, row.at(part ? Part::High : Part::Low),
               fixedAddress(*at + part * kHalfBytes, kHalfBytes, forms));
  auto& instructions = function_.blocks[block_].instructions;
  for (size_t i = first; i < instructions.size(); ++i)
    instructions[i].isConstant = instructions[i].row().touchesMemory();
  return row;
}

// -- Rows of f32 ----------------------------------------------------------------------------------

bool Selector::isFloatRow(Type type) {
  auto vector = type.dynCast<VectorType>();
  return vector && vector.rank() == 1 && vector.elementType().isF32() && vector.numElements() == 16;
}

namespace {

/// Whether the op reads its operand from an accumulator.
bool readsSum(const Operation& op) {
  return op.is("arith.addf") || op.is("arith.subf") || op.is("arith.truncf") || op.is("math.fma");
}

}  // namespace

RegClass Selector::homeOf(Value value) const {
  const bool isSummed =
      std::ranges::any_of(value.uses(), [](OpOperand& use) { return readsSum(*use.owner()); });
  Operation* maker = value.definingOp();
  const bool isMadeAsSum = maker && (readsSum(*maker) || maker->is("arith.extf"));
  return isSummed || isMadeAsSum ? RegClass::HalfAccumulator : RegClass::Vector;
}

bool Selector::isInSum(Operand operand) const {
  return operand.isVirtual() &&
         function_.registers[static_cast<uint32_t>(operand.number)] == RegClass::HalfAccumulator;
}

Operand Selector::rowOf(Value value) {
  Operand home = reg(value);
  if (!isInSum(home)) return home;
  auto [place, isNew] = copies_.try_emplace(value);
  if (isNew) {
    place->second = fresh(RegClass::Vector);
    emit(Form::VMOV_mv_x, {place->second, home});
  }
  return place->second;
}

Operand Selector::sumOf(Value value) {
  if (auto bits = splatOf(value); bits && isInRow_) {
    if (auto found = copies_.find(value); found != copies_.end()) return found->second;
    LaneWords words;
    words.fill(static_cast<uint32_t>(*bits));
    if (auto loaded = loadedLanes(words, RegClass::HalfAccumulator))
      return copies_[value] = *loaded;
  }
  Operand home = reg(value);
  if (isInSum(home)) return home;
  auto [place, isNew] = copies_.try_emplace(value);
  if (isNew) {
    place->second = fresh(RegClass::HalfAccumulator);
    emit(Form::VMOV_mv_x, {place->second, home});
  }
  return place->second;
}

// -- Memory ---------------------------------------------------------------------------------------

std::optional<Address> Selector::vectorAddress(Operation& op, unsigned operand, unsigned bytes,
                                               const AccessForms& forms) {
  Value memref = op.operand(operand);
  auto type = memref.type().cast<MemRefType>();
  Type element = type.elementType();
  unsigned step = element.isa<VectorType>() ? bytesOf(element) : widthOf(element) / 8;
  if (type.rank() != 1 || !type.hasStaticShape() || !type.hasIdentityLayout() || !step) {
    op.emitOpError() << "needs a memref of one dimension, with a static size and without a layout; "
                        "found "
                     << type;
    return std::nullopt;
  }
  Address found = address(op, operand, {step, bytes}, forms);
  if (!found.place.isSlot && found.place.end <= (1u << 19) && found.place.begin % kHalfBytes) {
    op.emitOpError() << "accesses a vector at the address " << found.place.begin
                     << ", which is no multiple of " << kHalfBytes;
    return std::nullopt;
  }
  return found;
}

/// The 32 bytes behind `address`.
Address Selector::nextPart(const Address& address, const AccessForms& forms) {
  Address next = address;
  next.inLoop.offset += kHalfBytes;
  if (!address.steps.empty()) {
    next.steps = address.steps.subspan(1);
    return next;
  }
  const isa::FormRow& form = isa::row(forms.immediate);
  unsigned at = forms.hasShift ? 3 : 2;
  int32_t largest = isa::immediate(form.operands[form.textOrder[at]].type).largest;
  if (address.isImmediate() &&
      address.offset.number + static_cast<int32_t>(kHalfBytes) <= largest) {
    next.offset.number += kHalfBytes;
    return next;
  }
  next.inLoop = {};
  next.pointer = fresh(RegClass::Pointer);
  copy(next.pointer, address.pointer, RegClass::Pointer);
  emit(Form::PADDA_lda_ptr_inc_idx_imm, {next.pointer, Operand::imm(kHalfBytes)});
  return next;
}

bool Selector::isSum(Value value) const {
  std::optional<RegClass> found = classOf(value.type());
  return found == RegClass::Accumulator || found == RegClass::HalfAccumulator;
}

/// The value whose register a load fills: sums of 64 bits are made of what is loaded on the way,
/// and tiles of f32 are loaded as sums at once.
Value Selector::loadedAs(Operation& load) const {
  Value row = load.result();
  Operation* user = onlyUser(row);
  bool changes = user && (user->is("arith.extsi") || user->is("vector.shape_cast"));
  return changes && !isSum(row) && isSum(user->result()) ? user->result() : row;
}

/// The value whose register a store reads: the other way round.
Value Selector::storedFrom(Operation& store) const {
  Value row = store.operand(0);
  Operation* maker = row.definingOp();
  bool changes = maker && (maker->is("arith.trunci") || maker->is("vector.shape_cast"));
  return changes && onlyUser(row) == &store && !isSum(row) && isSum(maker->operand(0))
             ? maker->operand(0)
             : row;
}

bool Selector::isInStore(Operation& op) const {
  Operation* user = onlyUser(op.result());
  return user && user->is("vector.store") && storedFrom(*user) != op.result();
}

namespace {

bool isOf64(Value value) { return elementTypeOrSelf(value.type()).bitWidth() == 64; }

}  // namespace

bool Selector::selectVectorLoad(Operation& op) {
  Type type = op.result().type();
  if (!checkedClass(op, type)) return false;
  Value to = loadedAs(op);
  Operand loaded = define(to);
  const AccessForms& forms = isInSum(loaded) ? kSumLoad
                             : !isSum(to)    ? kVectorLoad
                             : isOf64(to)    ? kWideningLoad
                                             : kSumLoad;
  const unsigned bytes = bytesOf(type);
  auto from = vectorAddress(op, 0, bytes, forms);
  if (from) accessParts(forms, loaded, bytes, *from);
  return from.has_value();
}

/// Whether the result of `op` is only stored. It needs no register then: `sums`, one of each 32
/// bytes, become narrow in the instructions that store them.
bool Selector::leaveToStore(Operation& op, const AccessForms& stores, std::vector<Operand> sums) {
  Operation* user = onlyUser(op.result());
  if (!user || !user->is("vector.store") || user->operand(0) != op.result()) return false;
  storedSums_[op.result()] = {&stores, std::move(sums)};
  return true;
}

bool Selector::selectVectorStore(Operation& op) {
  Type type = op.operand(0).type();
  if (!checkedClass(op, type)) return false;
  if (auto sums = storedSums_.find(op.operand(0)); sums != storedSums_.end()) {
    const AccessForms& forms = *sums->second.forms;
    auto at = vectorAddress(op, 1, bytesOf(type), forms);
    if (!at) return false;
    for (size_t i = 0; i < sums->second.parts.size(); ++i) {
      if (i) at = nextPart(*at, forms);
      accessPart(forms, sums->second.parts[i], *at);
    }
    return true;
  }
  Value from = storedFrom(op);
  Operand value = reg(from);
  const AccessForms& forms = isInSum(value) ? kSumStore
                             : !isSum(from) ? kVectorStore
                             : isOf64(from) ? kNarrowingStore
                                            : kSumStore;
  const unsigned bytes = bytesOf(type);
  auto to = vectorAddress(op, 1, bytes, forms);
  if (to) accessParts(forms, value, bytes, *to);
  return to.has_value();
}

void Selector::accessParts(const AccessForms& forms, Operand value, unsigned bytes, Address at) {
  constexpr std::array kHalves = {Part::Low, Part::High};
  constexpr std::array kQuarters = {Part::Quarter0, Part::Quarter1, Part::Quarter2, Part::Quarter3};
  const bool isWhole = bytes > 2 * kHalfBytes;
  for (unsigned i = 0; i < bytes / kHalfBytes; ++i) {
    if (i) at = nextPart(at, forms);
    accessPart(forms, value.at(isWhole ? kQuarters[i] : kHalves[i]), at);
  }
}

/// No shift, no saturation.
void Selector::setShift() {
  emit(Form::MOV_mv_cg, {Operand::of(Reg::crSat), Operand::imm(0)});
  emit(Form::MOV_mv_cg, {Operand::of(Reg::s0), Operand::imm(0)});
}

// -- Cascade --------------------------------------------------------------------------------------

/// The cascade has 512 bits and is enabled by a register.
bool Selector::checkCascade(Operation& op, Type type) {
  if (!checkedClass(op, type)) return false;
  if (bytesOf(type) == 2 * kHalfBytes) return true;
  op.emitOpError() << "moves " << type << "; a step of the cascade has 512 bits";
  return false;
}

bool Selector::selectCascadeGet(Operation& op) {
  if (!checkCascade(op, op.result().type())) return false;
  emit(Form::MOV_mv_cg, {Operand::of(Reg::crSCDEn), Operand::imm(1)});
  emit(Form::VMOV_mv_scd, {define(op.result())});
  return true;
}

bool Selector::selectCascadePut(Operation& op) {
  if (!checkCascade(op, op.operand(0).type())) return false;
  Operand value = rowOf(op.operand(0));
  emit(Form::MOV_mv_cg, {Operand::of(Reg::crMCDEn), Operand::imm(1)});
  emit(Form::VMOV_mv_mcd, {value});
  return true;
}

// -- Lanes of integers ----------------------------------------------------------------------------

bool Selector::selectBroadcast(Operation& op) {
  if (!checkedClass(op, op.result().type())) return false;
  if (op.operand(0).type().isa<VectorType>()) {
    op.emitOpError() << "broadcasts a vector; not supported: anything but a scalar";
    return false;
  }
  Operand value = reg(op.operand(0));
  Operand lanes = fresh(RegClass::Vector);
  emit(kBroadcasts[laneIndex(op.result().type())], {lanes, value});
  alias(op.result(), lanes);
  return true;
}

bool Selector::selectLanes(Operation& op) {
  Type type = op.result().type();
  if (!checkedClass(op, type)) return false;
  size_t lane = laneIndex(type);
  Operand a = reg(op.operand(0)), b = reg(op.operand(1));
  for (const LaneRow& row : kLaneRows)
    if (op.is(row.op)) emit(row.forms[lane], {define(op.result()), a, b});
  for (const LaneRow& row : kExtremeRows)
    if (op.is(row.op)) emit(row.forms[lane], {define(op.result()), maskFor(type), a, b});
  if (op.is("arith.xori")) alias(op.result(), exclusiveOr(a, b));
  return true;
}

/// The sign of these instructions is in a register.
bool Selector::selectUnsignedExtreme(Operation& op) {
  constexpr std::array kLargest = {Form::VMAX_LT_D8, Form::VMAX_LT_D16, Form::VMAX_LT_D32};
  constexpr std::array kLeast = {Form::VMIN_GE_D8, Form::VMIN_GE_D16, Form::VMIN_GE_D32};
  Type type = op.result().type();
  if (!checkedClass(op, type)) return false;
  Operand a = reg(op.operand(0)), b = reg(op.operand(1));
  emit(Form::MOV_mv_cg, {Operand::of(Reg::crVaddSign), Operand::imm(0)});
  emit((op.is("arith.maxui") ? kLargest : kLeast)[laneIndex(type)],
       {define(op.result()), maskFor(type), a, b});
  return true;
}

/// There is no instruction for it: what is in one, without what is in both.
Operand Selector::exclusiveOr(Operand a, Operand b) {
  Operand both = computeVector(Form::VBAND, a, b), any = computeVector(Form::VBOR, a, b);
  return computeVector(Form::VSUB_32, any, both);
}

/// Where a comparison puts its mask: lanes of 8 bits have one place.
Operand Selector::maskFor(Type vector) {
  return laneIndex(vector) == 0 ? Operand::of(Reg::l0) : fresh(RegClass::Mask);
}

/// Which lanes hold. True when the mask has to be read the other way round.
bool Selector::compareLanes(Operation& op, Operand mask) {
  Type type = op.operand(0).type();
  size_t lane = laneIndex(type);
  CmpIPredicate predicate = arith::CmpIOp(&op).predicate();
  Operand a = reg(op.operand(0)), b = reg(op.operand(1));
  if (predicate == CmpIPredicate::eq || predicate == CmpIPredicate::ne) {
    emit(kZeroLanes[lane], {mask, computeVector(kDifferences[lane], a, b)});
    return predicate == CmpIPredicate::ne;
  }
  // All others are `less`, of swapped operands or inverted.
  bool swaps = predicate == CmpIPredicate::sgt || predicate == CmpIPredicate::sle ||
               predicate == CmpIPredicate::ugt || predicate == CmpIPredicate::ule;
  bool inverts = predicate == CmpIPredicate::sge || predicate == CmpIPredicate::sle ||
                 predicate == CmpIPredicate::uge || predicate == CmpIPredicate::ule;
  bool isUnsigned = predicate >= CmpIPredicate::ult;
  if (swaps) std::swap(a, b);
  if (isUnsigned) emit(Form::MOV_mv_cg, {Operand::of(Reg::crVaddSign), Operand::imm(0)});
  emit((isUnsigned ? kLessUnsigned : kLessSigned)[lane], {mask, a, b});
  return inverts;
}

bool Selector::selectVectorCompare(Operation& op) {
  if (!checkedClass(op, op.operand(0).type())) return false;
  for (OpOperand& use : op.result().uses())
    if (!use.owner()->is("arith.select") || use.index() != 0) {
      op.emitOpError() << "gives lanes of i1; not supported: anything but selecting by them";
      return false;
    }
  return true;  // made where it selects
}

bool Selector::selectVectorSelect(Operation& op) {
  Type type = op.result().type();
  if (!checkedClass(op, type)) return false;
  Operand onTrue = rowOf(op.operand(1)), onFalse = rowOf(op.operand(2));
  Operand mask = maskFor(type);
  Value condition = op.operand(0);
  Operation* compared = condition.definingOp();
  if (!condition.type().isa<VectorType>()) {
    Operand all = extended(condition, true);
    const bool areBytes = laneIndex(type) == 0;
    copy(areBytes ? Operand::of(Reg::r16) : mask, all, RegClass::Gpr);
    if (areBytes) copy(Operand::of(Reg::r17), all, RegClass::Gpr);
  } else if (!compared || !compared->is("arith.cmpi") ||
             laneIndex(compared->operand(0).type()) != laneIndex(type)) {
    op.emitOpError() << "selects by lanes that are no comparison of lanes of the same width";
    return false;
  } else if (compareLanes(*compared, mask)) {
    std::swap(onTrue, onFalse);
  }
  // A set bit takes the second.
  Operand chosen = fresh(RegClass::Vector);
  emit(kSelects[laneIndex(type)], {chosen, onFalse, onTrue, mask});
  alias(op.result(), chosen);
  return true;
}

/// The same lanes of another type.
bool Selector::selectLaneCast(Operation& op) {
  if (!checkedClass(op, op.result().type()) || !checkedClass(op, op.operand(0).type()))
    return false;
  alias(op.result(), rowOf(op.operand(0)));
  return true;
}

/// The first lane.
bool Selector::selectExtract(Operation& op) {
  Type type = op.operand(0).type();
  if (!checkedClass(op, type) || !checkedClass(op, op.result().type())) return false;
  auto position = op.attrOf<DenseArrayAttr>("static_position");
  if (!position || position.size() != 1 || position.values()[0] != 0) {
    op.emitOpError() << "extracts; not supported: anything but the first lane";
    return false;
  }
  constexpr std::array kForms = {Form::VEXTRACT_S8, Form::VEXTRACT_S16, Form::VEXTRACT_S32};
  Operand row = rowOf(op.operand(0)), lane = Operand::of(Reg::r18);
  copy(lane, constant(0), RegClass::Gpr);
  const bool isInteger = op.result().type().isInteger();
  emit(kForms[laneIndex(type)],
       {define(op.result(), isInteger ? Upper::Sign : Upper::Unknown), row, lane});
  return true;
}

// -- Products of integers -------------------------------------------------------------------------

/// The low 32 bits of 32 products of 16 bits.
Operand Selector::products16(Operand a, Operand b) {
  Operand sums = fresh(RegClass::Accumulator);
  emit(Form::VMUL_vmac_cm_core_dense, {sums, a, b, constant(kProductsOf16)});
  return sums;
}

/// Narrowing cuts what is too large, and shifts by nothing.
void Selector::narrowWraps(Form form, Operand to, Operand sums) {
  setShift();
  emit(form, {to, sums, Operand::of(Reg::s0)});
}

void Selector::multiply16(Operation& op, Operand sums) {
  std::vector<Operand> halves = {sums.at(Part::Low)};
  if (bytesOf(op.result().type()) > kHalfBytes) halves.push_back(sums.at(Part::High));
  if (!leaveToStore(op, kStoreTo16, std::move(halves)))
    narrowWraps(Form::VSRS_S16_S32_mv_x_srs, define(op.result()), sums);
}

bool Selector::selectProduct(Operation& op) {
  Type type = op.result().type();
  if (!checkedClass(op, type)) return false;
  if (multiplyShort(op)) return true;
  Operand a = reg(op.operand(0)), b = reg(op.operand(1));
  switch (laneIndex(type)) {
    case 0: multiply8(op, a, b); return true;
    case 1: multiply16(op, products16(a, b)); return true;
    default: multiply32(define(op.result()), a, b); return true;
  }
}

void Selector::multiply8(Operation& op, Operand a, Operand b) {
  std::vector<Operand> sums;
  for (Part part : {Part::Low, Part::High}) {
    if (part == Part::High && bytesOf(op.result().type()) <= kHalfBytes) break;
    Operand wideA = fresh(RegClass::Vector), wideB = fresh(RegClass::Vector);
    emit(Form::VUNPACK_S16_S8, {wideA, a.at(part)});
    emit(Form::VUNPACK_S16_S8, {wideB, b.at(part)});
    sums.push_back(products16(wideA, wideB));
  }
  if (leaveToStore(op, kStoreTo8, sums)) return;
  Operand to = define(op.result());
  for (size_t i = 0; i < sums.size(); ++i)
    narrowWraps(Form::VSRS_S8_S32_mv_w_srs, to.at(i ? Part::High : Part::Low), sums[i]);
}

/// From halves: low * low, and above it the two mixed products, of which 16 bits count.
void Selector::multiply32(Operand to, Operand a, Operand b) {
  auto shuffle = [&](Operand x, Operand y, uint32_t mode) {
    Operand result = fresh(RegClass::Vector);
    emit(Form::VSHUFFLE, {result, x, y, constant(mode)});
    return result;
  };
  Operand mixed = fresh(RegClass::Vector);
  narrowWraps(Form::VSRS_S16_S32_mv_x_srs, mixed, products16(a, shuffle(b, b, kSwapHalfWords)));
  Operand sums = computeVector(Form::VADD_16, mixed, shuffle(mixed, mixed, kSwapHalfWords));
  Operand mask = fresh(RegClass::Vector);
  emit(Form::VBCST_32, {mask, constant(0xffff0000)});
  Operand high = computeVector(Form::VBAND, sums, mask);
  Operand straight = products16(a, b);
  Operand first = fresh(RegClass::Vector), second = fresh(RegClass::Vector);
  emit(Form::VMOV_mv_x, {first, straight.at(Part::Low)});
  emit(Form::VMOV_mv_x, {second, straight.at(Part::High)});
  emit(Form::VADD_32, {to, shuffle(first, second, kEvenWords), high});
}

// -- Floats ---------------------------------------------------------------------------------------

/// 16 lanes as f32 in an accumulator: `part` of a vector of bf16, or all of one of f32.
Operand Selector::widened(Operand vector, Part part, bool isF32) {
  Operand sums = fresh(RegClass::HalfAccumulator);
  emit(isF32 ? Form::VMOV_mv_x : Form::VCONV_FP32_BF16, {sums, isF32 ? vector : vector.at(part)});
  return sums;
}

void Selector::narrowed(Operand to, Part part, Operand sums, bool isF32) {
  if (isF32) {
    emit(Form::VMOV_mv_x, {to, sums});
    return;
  }
  setRounding();
  emit(Form::VCONV_BF16_FP32, {to.at(part), sums});
}

void Selector::setRounding() {
  emit(Form::MOV_mv_cg, {Operand::of(Reg::crRnd), Operand::imm(kRoundToEven)});
}

/// Sums of f32; of bf16 too, rounded twice, which gives the same with so many bits between.
Operand Selector::sumOfFloats(Operation& op, Part part, bool isF32) {
  Operand a = widened(reg(op.operand(0)), part, isF32);
  Operand b = widened(reg(op.operand(1)), part, isF32);
  Operand sums = fresh(RegClass::HalfAccumulator);
  emit(op.is("arith.addf") ? Form::VADD_F : Form::VSUB_F, {sums, a, b, constant(kFloatSum)});
  return sums;
}

/// The unit adds a second product to each: zeros. That makes -0 of a product 0, so that the sign is
/// put in again.
void Selector::multiplyBf16(Operation& op, Operand to, Part part) {
  Operand zero = splat(op.result().type(), 0);
  auto alone = [&](Operand vector) {
    Operand result = fresh(RegClass::Vector);
    emit(Form::VMOV_mv_w, {result.at(Part::Low), vector.at(part)});
    emit(Form::VMOV_mv_w, {result.at(Part::High), zero.at(Part::Low)});
    return result;
  };
  Operand a = alone(reg(op.operand(0))), b = alone(reg(op.operand(1)));
  Operand sums = fresh(RegClass::HalfAccumulator);
  emit(Form::VMUL_F_vmac_bm_core_dense, {sums, a, b, constant(kProductsOfBf16)});
  Operand product = fresh(RegClass::Vector);
  narrowed(product, Part::Low, sums, false);
  Operand signs = exclusiveOr(a, b);
  signs = computeVector(Form::VBAND, signs, splat(op.result().type(), 0x8000));
  Operand signedProduct = computeVector(Form::VBOR, product, signs);
  emit(Form::VMOV_mv_w, {to.at(part), signedProduct.at(Part::Low)});
}

bool Selector::selectFloatLanes(Operation& op) {
  Type type = op.result().type();
  if (!checkedClass(op, type)) return false;
  bool isF32 = elementTypeOrSelf(type).isF32();
  if (isF32 && op.is("arith.mulf")) {
    op.emitOpError() << "multiplies lanes of f32, for which the machine has nothing";
    return false;
  }
  if (isFloatRow(type)) {
    Operand a = sumOf(op.operand(0)), b = sumOf(op.operand(1));
    emit(op.is("arith.addf") ? Form::VADD_F : Form::VSUB_F,
         {define(op.result()), a, b, constant(kFloatSum)});
    return true;
  }
  const unsigned parts = isF32 || bytesOf(type) <= kHalfBytes ? 1 : 2;
  constexpr std::array kParts = {Part::Low, Part::High};
  if (op.is("arith.mulf")) {
    Operand to = define(op.result());
    for (unsigned i = 0; i < parts; ++i)
      multiplyBf16(op, to, kParts[i]);
    return true;
  }
  std::vector<Operand> sums;
  for (unsigned i = 0; i < parts; ++i)
    sums.push_back(sumOfFloats(op, kParts[i], isF32));
  if (!isF32 && leaveToStore(op, kRoundingStore, sums)) return true;
  Operand to = define(op.result());
  for (unsigned i = 0; i < parts; ++i)
    narrowed(to, kParts[i], sums[i], isF32);
  return true;
}

/// `onSet` in the lanes in which `a` is less than `b` as integers, else `onClear`.
Operand Selector::selectLess16(Operand a, Operand b, Operand onSet, Operand onClear) {
  Operand mask = fresh(RegClass::Mask), result = fresh(RegClass::Vector);
  emit(Form::VLT_S16, {mask, a, b});
  emit(Form::VSEL_16, {result, onClear, onSet, mask});
  return result;
}

/// The machine's own comparison takes -0 for 0 and ignores NaN. As integers, with the magnitude of
/// negative ones inverted, bf16 are in their order, -0 before 0; a NaN wins afterwards.
bool Selector::selectFloatExtreme(Operation& op) {
  Type type = op.result().type();
  if (!checkedClass(op, type)) return false;
  if (!elementTypeOrSelf(type).isBF16()) {
    op.emitOpError() << "compares lanes of f32, for which the machine has nothing";
    return false;
  }
  Operand a = reg(op.operand(0)), b = reg(op.operand(1));
  Operand zero = splat(type, 0), magnitude = splat(type, 0x7fff), infinity = splat(type, 0x7f80);
  auto key = [&](Operand x) { return selectLess16(x, zero, exclusiveOr(x, magnitude), x); };
  Operand keyA = key(a), keyB = key(b);
  bool largest = op.is("arith.maximumf");
  Operand result = selectLess16(keyA, keyB, largest ? b : a, largest ? a : b);
  for (Operand x : {a, b})
    result = selectLess16(infinity, computeVector(Form::VBAND, x, magnitude), x, result);
  alias(op.result(), result);
  return true;
}

bool Selector::selectFloatWidth(Operation& op) {
  if (!checkedClass(op, op.result().type()) || !checkedClass(op, op.operand(0).type()))
    return false;
  bool widens = op.is("arith.extf");
  if (widens && isFloatRow(op.result().type())) {
    Operand value = halfOf(op.operand(0));
    emit(Form::VCONV_FP32_BF16, {define(op.result()), value});
    return true;
  }
  if (!widens && isFloatRow(op.operand(0).type())) {
    Operand sums = sumOf(op.operand(0));
    if (!leaveToStore(op, kRoundingStore, {sums}))
      narrowed(define(op.result()), Part::Low, sums, false);
    return true;
  }
  Operand value = reg(op.operand(0)), result = define(op.result());
  Operand sums = widened(value, Part::Low, !widens);
  narrowed(result, Part::Low, sums, widens);
  return true;
}

}  // namespace airlite::npu::codegen
