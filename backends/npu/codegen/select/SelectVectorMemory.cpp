#include "SelectVectorMemory.hpp"

#include "Access.hpp"
#include "VectorForms.hpp"
#include "airlite/ir/OpDef.hpp"

#include <utility>
#include <vector>

namespace airlite::npu::codegen {

using isa::Form;

namespace {

// Lanes of 32 bits in memory, of 64 in halves of accumulators.
constexpr AccessForms kWideningLoad = {
    Form::VLDA_UPS_S64_S32_ag_idx, Form::VLDA_UPS_S64_S32_ag_idx_imm,
    Form::VLDA_UPS_S64_S32_ag_pstm_nrm, Form::VLDA_UPS_S64_S32_ag_pstm_nrm_imm, true};
constexpr AccessForms kNarrowingStore = {
    Form::VST_SRS_S32_S64_ag_idx, Form::VST_SRS_S32_S64_ag_idx_imm,
    Form::VST_SRS_S32_S64_ag_pstm_nrm, Form::VST_SRS_S32_S64_ag_pstm_nrm_imm, true};

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

bool isOf64(Value value) { return elementTypeOrSelf(value.type()).bitWidth() == 64; }

}  // namespace

/// What an accumulator holds is as large as those of the set.
bool VectorMemorySelector::checkSum(Operation& op, Type type) {
  if (classOf(type) != RegClass::Accumulator || fitsAccumulator(type, emitter_)) return true;
  op.emitOpError() << "accesses " << type << "; not supported: sums that are no accumulator of "
                   << emitter_.set().name;
  return false;
}

bool VectorMemorySelector::selectVectorLoad(Operation& op) {
  Type type = op.result().type();
  if (!checkedClass(op, type)) return false;
  if (!checkSum(op, type)) return false;
  Value to = loadedAs(op);
  if (isLoadedTwice(op)) return loadTwice(op);
  if (classOf(to.type()) == RegClass::Blocks) return loadBlocks(op);
  Operand loaded = values_.define(to);
  const unsigned bytes = vectorBytes(type);
  const AccessForms& forms = rows_.isInSum(loaded) ? sumLoad(emitter_)
                             : !isSum(to)          ? vectorLoad(emitter_, bytes)
                             : isOf64(to)          ? kWideningLoad
                                                   : sumLoad(emitter_);
  auto from = addressing_.vector(op, 0, bytes, forms);
  if (from) accessParts(emitter_, forms, loaded, bytes, *from);
  return from.has_value();
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
  if (!checkedClass(op, type)) return false;
  if (const LateStores::Sums* sums = lateStores_.find(op.operand(0))) return storeSums(op, *sums);
  if (!checkSum(op, type)) return false;
  Value from = storedFrom(op);
  Operand value = values_.reg(from);
  const unsigned bytes = vectorBytes(type);
  const AccessForms& forms = rows_.isInSum(value) ? sumStore(emitter_)
                             : !isSum(from)       ? vectorStore(emitter_, bytes)
                             : isOf64(from)       ? kNarrowingStore
                                                  : sumStore(emitter_);
  auto to = addressing_.vector(op, 1, bytes, forms);
  if (to) accessParts(emitter_, forms, value, bytes, *to);
  return to.has_value();
}

}  // namespace airlite::npu::codegen
