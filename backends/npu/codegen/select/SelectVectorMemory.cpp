#include "SelectVectorMemory.hpp"

#include "Access.hpp"

namespace airlite::npu::codegen {

using isa::Form;

namespace {

constexpr AccessForms kVectorStore = {Form::VST_dmw_sts_w_ag_idx, Form::VST_dmw_sts_w_ag_idx_imm,
                                      Form::VST_dmw_sts_w_ag_pstm_nrm,
                                      Form::VST_dmw_sts_w_ag_pstm_nrm_imm};
// Accumulators, by quarters.
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

bool isOf64(Value value) { return elementTypeOrSelf(value.type()).bitWidth() == 64; }

}  // namespace

bool VectorMemorySelector::selectVectorLoad(Operation& op) {
  Type type = op.result().type();
  if (!checkedClass(op, type)) return false;
  Value to = loadedAs(op);
  Operand loaded = values_.define(to);
  const AccessForms& forms = rows_.isInSum(loaded) ? kSumLoad
                             : !isSum(to)          ? kVectorLoad
                             : isOf64(to)          ? kWideningLoad
                                                   : kSumLoad;
  const unsigned bytes = vectorBytes(type);
  auto from = addressing_.vector(op, 0, bytes, forms);
  if (from) accessParts(emitter_, forms, loaded, bytes, *from);
  return from.has_value();
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
  Value from = storedFrom(op);
  Operand value = values_.reg(from);
  const AccessForms& forms = rows_.isInSum(value) ? kSumStore
                             : !isSum(from)       ? kVectorStore
                             : isOf64(from)       ? kNarrowingStore
                                                  : kSumStore;
  const unsigned bytes = vectorBytes(type);
  auto to = addressing_.vector(op, 1, bytes, forms);
  if (to) accessParts(emitter_, forms, value, bytes, *to);
  return to.has_value();
}

}  // namespace airlite::npu::codegen
