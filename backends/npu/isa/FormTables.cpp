// Instruction forms: the rows of Forms*.inc of both sets.
#include "FormRows.hpp"
#include "SetTables.hpp"
#include "airlite/npu/isa/Names.hpp"
#include "airlite/npu/isa/Tables.hpp"

namespace airlite::npu::isa {
namespace rows {

// An array per slot: compilers bound the steps of one constant expression.
constexpr FormText kAie2LdaTexts[] = {
#include "aie2/FormsLda.inc"
};
constexpr FormText kAie2LdbTexts[] = {
#include "aie2/FormsLdb.inc"
};
constexpr FormText kAie2StTexts[] = {
#include "aie2/FormsSt.inc"
};
constexpr FormText kAie2AluTexts[] = {
#include "aie2/FormsAlu.inc"
};
constexpr FormText kAie2MvTexts[] = {
#include "aie2/FormsMv.inc"
};
constexpr FormText kAie2LngTexts[] = {
#include "aie2/FormsLng.inc"
};
constexpr FormText kAie2VecTexts[] = {
#include "aie2/FormsVec.inc"
};
constexpr FormText kAie2NopTexts[] = {
#include "aie2/FormsNop.inc"
};

// -- AIE2P

constexpr FormText kAie2pLdaTexts[] = {
#include "aie2p/FormsLda.inc"
};
constexpr FormText kAie2pLdbTexts[] = {
#include "aie2p/FormsLdb.inc"
};
constexpr FormText kAie2pStTexts[] = {
#include "aie2p/FormsSt.inc"
};
constexpr FormText kAie2pAluTexts[] = {
#include "aie2p/FormsAlu.inc"
};
constexpr FormText kAie2pMvTexts[] = {
#include "aie2p/FormsMv.inc"
};
constexpr FormText kAie2pLngTexts[] = {
#include "aie2p/FormsLng.inc"
};
constexpr FormText kAie2pVecTexts[] = {
#include "aie2p/FormsVec.inc"
};
constexpr FormText kAie2pNopTexts[] = {
#include "aie2p/FormsNop.inc"
};

constexpr auto kAie2Lda = makeRows(kAie2LdaTexts);
constexpr auto kAie2Ldb = makeRows(kAie2LdbTexts);
constexpr auto kAie2St = makeRows(kAie2StTexts);
constexpr auto kAie2Alu = makeRows(kAie2AluTexts);
constexpr auto kAie2Mv = makeRows(kAie2MvTexts);
constexpr auto kAie2Lng = makeRows(kAie2LngTexts);
constexpr auto kAie2Vec = makeRows(kAie2VecTexts);
constexpr auto kAie2Nop = makeRows(kAie2NopTexts);
constexpr auto kAie2pLda = makeRows(kAie2pLdaTexts);
constexpr auto kAie2pLdb = makeRows(kAie2pLdbTexts);
constexpr auto kAie2pSt = makeRows(kAie2pStTexts);
constexpr auto kAie2pAlu = makeRows(kAie2pAluTexts);
constexpr auto kAie2pMv = makeRows(kAie2pMvTexts);
constexpr auto kAie2pLng = makeRows(kAie2pLngTexts);
constexpr auto kAie2pVec = makeRows(kAie2pVecTexts);
constexpr auto kAie2pNop = makeRows(kAie2pNopTexts);

// In the order of the enum Form: by slot, then by name.
constexpr auto kAie2Forms = concat<kAie2FormCount>(kAie2Lda, kAie2Ldb, kAie2St, kAie2Alu, kAie2Mv,
                                                   kAie2Lng, kAie2Vec, kAie2Nop);
constexpr auto kAie2pForms = concat<kAie2pFormCount>(kAie2pLda, kAie2pLdb, kAie2pSt, kAie2pAlu,
                                                     kAie2pMv, kAie2pLng, kAie2pVec, kAie2pNop);

static_assert(std::ranges::all_of(kAie2Forms, isSound));
static_assert(std::ranges::all_of(kAie2pForms, isSound));

}  // namespace rows

const FormRow& row(Form form) {
  auto index = static_cast<unsigned>(form);
  return index < kAie2FormCount ? rows::kAie2Forms[index]
                                : rows::kAie2pForms[index - kAie2FormCount];
}

std::span<const FormRow> aie2Forms() { return rows::kAie2Forms; }
std::span<const FormRow> aie2pForms() { return rows::kAie2pForms; }

}  // namespace airlite::npu::isa
