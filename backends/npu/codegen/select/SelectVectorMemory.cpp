#include "SelectVectorMemory.hpp"

#include "Access.hpp"
#include "VectorForms.hpp"
#include "airlite/ir/OpDef.hpp"

#include <utility>
#include <vector>

namespace airlite::npu::codegen {

using isa::Form;

/// What loads and stores a row that is in sums of another width.
struct WidthForms {
  bool isAie2;
  unsigned inMemory, inSum;  ///< bits of a lane
  const AccessForms& load;
  const AccessForms& store;
};

namespace {

// Lanes of 32 bits in memory, of 64 in halves of accumulators.
constexpr AccessForms kWideningLoad = {
    Form::VLDA_UPS_S64_S32_ag_idx, Form::VLDA_UPS_S64_S32_ag_idx_imm,
    Form::VLDA_UPS_S64_S32_ag_pstm_nrm, Form::VLDA_UPS_S64_S32_ag_pstm_nrm_imm, true};
constexpr AccessForms kNarrowingStore = {
    Form::VST_SRS_S32_S64_ag_idx, Form::VST_SRS_S32_S64_ag_idx_imm,
    Form::VST_SRS_S32_S64_ag_pstm_nrm, Form::VST_SRS_S32_S64_ag_pstm_nrm_imm, true};

constexpr AccessForms changing(Form indexed, Form immediate, Form stepped, Form steppedImmediate,
                               unsigned partBytes, Part alone) {
  return {indexed, immediate, stepped, steppedImmediate, true, false, partBytes, alone};
}
// Lanes of 8 bits in memory, of 32 in accumulators; of 16 in memory, of 32 in halves of these and of 64
// in accumulators.
constexpr AccessForms kSumsFrom8 =
    changing(Form::VLDA_UPS_S32_S8_ag_idx, Form::VLDA_UPS_S32_S8_ag_idx_imm,
             Form::VLDA_UPS_S32_S8_ag_pstm_nrm, Form::VLDA_UPS_S32_S8_ag_pstm_nrm_imm, kHalfBytes,
             Part::Whole);
constexpr AccessForms kSumsTo8 = changing(
    Form::VST_SRS_S8_S32_ag_idx, Form::VST_SRS_S8_S32_ag_idx_imm, Form::VST_SRS_S8_S32_ag_pstm_nrm,
    Form::VST_SRS_S8_S32_ag_pstm_nrm_imm, kHalfBytes, Part::Whole);
constexpr AccessForms kSumsFrom16 =
    changing(Form::VLDA_UPS_S32_S16_ag_idx, Form::VLDA_UPS_S32_S16_ag_idx_imm,
             Form::VLDA_UPS_S32_S16_ag_pstm_nrm, Form::VLDA_UPS_S32_S16_ag_pstm_nrm_imm, kHalfBytes,
             Part::Low);
constexpr AccessForms kSumsTo16 =
    changing(Form::VST_SRS_S16_S32_ag_idx, Form::VST_SRS_S16_S32_ag_idx_imm,
             Form::VST_SRS_S16_S32_ag_pstm_nrm, Form::VST_SRS_S16_S32_ag_pstm_nrm_imm, kHalfBytes,
             Part::Low);
constexpr AccessForms kWideSumsFrom16 =
    changing(Form::VLDA_UPS_S64_S16_ag_idx, Form::VLDA_UPS_S64_S16_ag_idx_imm,
             Form::VLDA_UPS_S64_S16_ag_pstm_nrm, Form::VLDA_UPS_S64_S16_ag_pstm_nrm_imm, kHalfBytes,
             Part::Whole);
constexpr AccessForms kWideSumsTo16 =
    changing(Form::VST_SRS_S16_S64_ag_idx, Form::VST_SRS_S16_S64_ag_idx_imm,
             Form::VST_SRS_S16_S64_ag_pstm_nrm, Form::VST_SRS_S16_S64_ag_pstm_nrm_imm, kHalfBytes,
             Part::Whole);
// Of AIE2P: 64 lanes of 8 bits, 32 of 16.
constexpr AccessForms kSumsFrom8P = changing(
    Form::P_VLDA_UPS_4x_dmx_lda_ups_x2d_idx_upsSign1,
    Form::P_VLDA_UPS_4x_dmx_lda_ups_x2d_idx_imm_upsSign1,
    Form::P_VLDA_UPS_4x_dmx_lda_ups_x2d_pstm_nrm_upsSign1,
    Form::P_VLDA_UPS_4x_dmx_lda_ups_x2d_pstm_nrm_imm_upsSign1, 2 * kHalfBytes, Part::Whole);
constexpr AccessForms kSumsTo8P =
    changing(Form::P_VST_SRS_4x_dmx_sts_srs_dm_idx_srsSign1,
             Form::P_VST_SRS_4x_dmx_sts_srs_dm_idx_imm_srsSign1,
             Form::P_VST_SRS_4x_dmx_sts_srs_dm_pstm_nrm_srsSign1,
             Form::P_VST_SRS_4x_dmx_sts_srs_dm_pstm_nrm_imm_srsSign1, 2 * kHalfBytes, Part::Whole);
constexpr AccessForms kSumsFrom16P =
    changing(Form::P_VLDA_UPS_2x_dmx_lda_ups_x2c_idx_upsSign1,
             Form::P_VLDA_UPS_2x_dmx_lda_ups_x2c_idx_imm_upsSign1,
             Form::P_VLDA_UPS_2x_dmx_lda_ups_x2c_pstm_nrm_upsSign1,
             Form::P_VLDA_UPS_2x_dmx_lda_ups_x2c_pstm_nrm_imm_upsSign1, 2 * kHalfBytes, Part::Low);
constexpr AccessForms kSumsTo16P =
    changing(Form::P_VST_SRS_2x_dm_sts_srs_cm_idx_srsSign1,
             Form::P_VST_SRS_2x_dm_sts_srs_cm_idx_imm_srsSign1,
             Form::P_VST_SRS_2x_dm_sts_srs_cm_pstm_nrm_srsSign1,
             Form::P_VST_SRS_2x_dm_sts_srs_cm_pstm_nrm_imm_srsSign1, 2 * kHalfBytes, Part::Low);

// Of AIE2P: 32 bf16 become f32.
constexpr AccessForms kFactorLoad = {Form::P_VLDA_CONV_fp32_bf16_dmx_lda_ups_bf_idx,
                                     Form::P_VLDA_CONV_fp32_bf16_dmx_lda_ups_bf_idx_imm,
                                     Form::P_VLDA_CONV_fp32_bf16_dmx_lda_ups_bf_pstm_nrm,
                                     Form::P_VLDA_CONV_fp32_bf16_dmx_lda_ups_bf_pstm_nrm_imm,
                                     false,
                                     false,
                                     2 * kHalfBytes,
                                     Part::Low};
constexpr unsigned kPairHalfBytes = 2 * kHalfBytes;

constexpr WidthForms kWidthForms[] = {
    {true, 32, 64, kWideningLoad, kNarrowingStore}, {true, 8, 32, kSumsFrom8, kSumsTo8},
    {true, 16, 32, kSumsFrom16, kSumsTo16},         {true, 16, 64, kWideSumsFrom16, kWideSumsTo16},
    {false, 8, 32, kSumsFrom8P, kSumsTo8P},         {false, 16, 32, kSumsFrom16P, kSumsTo16P}};

/// Null where the machine has nothing for them.
const WidthForms* widthForms(const Emitter& emitter, Type row, Type sum) {
  for (const WidthForms& forms : kWidthForms)
    if (forms.isAie2 == emitter.isAie2() && elementTypeOrSelf(row).isInteger(forms.inMemory) &&
        elementTypeOrSelf(sum).isInteger(forms.inSum))
      return &forms;
  return nullptr;
}

}  // namespace

/// What an accumulator holds is as large as those of the set.
bool VectorMemorySelector::checkSum(Operation& op, Type type) {
  if (classOf(type) != RegClass::Accumulator || fitsAccumulator(type, emitter_)) return true;
  op.emitOpError() << "accesses " << type << "; not supported: sums that are no accumulator of "
                   << emitter_.set().name;
  return false;
}

/// Of what has no WidthForms: lanes keep their width.
bool VectorMemorySelector::checkWidths(Operation& op, Type row, Type sum) {
  const unsigned from = elementTypeOrSelf(row).bitWidth(), to = elementTypeOrSelf(sum).bitWidth();
  if (from == to) return true;
  op.emitOpError() << "changes lanes of " << from << " bits and sums of " << to
                   << " bits into each other, for which " << emitter_.set().name << " has nothing";
  return false;
}

bool VectorMemorySelector::selectVectorLoad(Operation& op) {
  Type type = op.result().type();
  Value to = loadedAs(op);
  if (const WidthForms* forms = widthForms(emitter_, type, to.type())) return loadWide(op, *forms);
  if (!checkedClass(op, type) || !checkSum(op, type) || !checkWidths(op, type, to.type()))
    return false;
  if (isLoadedTwice(op)) return loadTwice(op);
  if (classOf(to.type()) == RegClass::Blocks) return loadBlocks(op);
  Operand loaded = values_.define(to);
  const unsigned bytes = vectorBytes(type);
  const AccessForms& forms = rows_.isInSum(loaded) ? sumLoad(emitter_)
                             : isSum(to)           ? sumLoad(emitter_)
                                                   : vectorLoad(emitter_, bytes);
  auto from = addressing_.vector(op, 0, bytes, forms);
  if (from) accessParts(emitter_, forms, loaded, bytes, *from);
  return from.has_value();
}

bool VectorMemorySelector::loadWide(Operation& op, const WidthForms& forms) {
  const Value sums = loadedAs(op);
  if (!checkSum(op, sums.type())) return false;
  const Operand loaded = values_.define(sums);
  const unsigned bytes = vectorBytes(op.result().type());
  auto from = addressing_.vector(op, 0, bytes, forms.load);
  if (!from) return false;
  setLoadedWidth(emitter_, false);
  accessParts(emitter_, forms.load, loaded, bytes, *from);
  return true;
}

/// A register of the ring for a factor that is loaded.
Operand VectorMemorySelector::takeFactor(RegisterRing& ring, Value tile) {
  std::vector<Operation*> readers;
  for (OpOperand& use : tile.uses()) {
    if (!use.owner()->is("vector.shape_cast")) {
      readers.push_back(use.owner());
      continue;
    }
    for (OpOperand& ofCast : use.owner()->result().uses())
      readers.push_back(ofCast.owner());
  }
  auto isSelected = [&](Operation& reader) {
    return reader.block() == tile.parentBlock() && reader.numResults() == 1 &&
           values_.has(reader.result());
  };
  Operand taken = ring.take(std::move(readers), isSelected);
  values_.alias(tile, taken);
  return taken;
}

bool VectorMemorySelector::loadTwice(Operation& op) {
  AccessForms forms = vectorLoad(emitter_, kPairHalfBytes);
  auto from = addressing_.vector(op, 0, kPairHalfBytes, forms);
  if (!from) return false;
  const Operand pair = takeFactor(pairs_, loadedAs(op));
  accessPart(emitter_, forms, pair.at(Part::Low), *from);
  if (!from->steps.empty()) from->steps = from->steps.subspan(1);
  accessPart(emitter_, forms, pair.at(Part::High), *from);
  return true;
}

/// Numbers of bf16 become f32, and these become blocks. One half is widened as it is loaded, the other one
/// by an instruction of its own, so that one slot has not all of the work; its load, which waits for nothing,
/// goes first. All tiles of a block go through one
/// accumulator, one after the other, since sums need the others.
bool VectorMemorySelector::loadBlocks(Operation& op) {
  const unsigned bytes = vectorBytes(op.result().type());
  auto from = addressing_.vector(op, 0, bytes, kFactorLoad);
  if (!from) return false;
  const Operand* found = numbers_.find(0);
  Operand numbers = found ? *found : numbers_.set(0, emitter_.fresh(RegClass::Accumulator));
  const Operand half = halves_.take({}, [](Operation&) { return true; });
  const Operand blocks = takeFactor(blocks_, op.result());
  accessPart(emitter_, vectorLoad(emitter_, kPairHalfBytes), half, *from);
  emitter_.emit(Form::P_VCONV_fp32_bf16_mv_ups_xbf, {numbers.at(Part::Low), half});
  accessPart(emitter_, kFactorLoad, numbers.at(Part::High), nextPart(emitter_, *from, kFactorLoad));
  setRoundingDown(emitter_);
  emitter_.emit(Form::P_VCONV_bfp16ebs8_fp32, {blocks, numbers});
  return true;
}

bool VectorMemorySelector::storeSums(Operation& op, const LateStores::Sums& sums) {
  auto at = addressing_.vector(op, 1, vectorBytes(op.operand(0).type()), *sums.forms);
  if (!at) return false;
  for (size_t i = 0; i < sums.parts.size(); ++i) {
    if (i) at = nextPart(emitter_, *at, *sums.forms);
    accessPart(emitter_, *sums.forms, sums.parts[i], *at);
  }
  return true;
}

bool VectorMemorySelector::selectVectorStore(Operation& op) {
  Type type = op.operand(0).type();
  const Value from = storedFrom(op);
  const WidthForms* narrowing = widthForms(emitter_, type, from.type());
  if (!narrowing && !checkedClass(op, type)) return false;
  if (const LateStores::Sums* sums = lateStores_.find(op.operand(0))) return storeSums(op, *sums);
  if (!checkSum(op, narrowing ? from.type() : type)) return false;
  if (!narrowing && !checkWidths(op, type, from.type())) return false;
  Operand value = values_.reg(from);
  const unsigned bytes = vectorBytes(type);
  const AccessForms& forms = rows_.isInSum(value) ? sumStore(emitter_)
                             : narrowing          ? narrowing->store
                             : isSum(from)        ? sumStore(emitter_)
                                                  : vectorStore(emitter_, bytes);
  auto to = addressing_.vector(op, 1, bytes, forms);
  if (to) accessParts(emitter_, forms, value, bytes, *to);
  return to.has_value();
}

}  // namespace airlite::npu::codegen
