#include "SelectVectorMemory.hpp"

#include "Access.hpp"
#include "VectorForms.hpp"

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
