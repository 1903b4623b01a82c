// Whether the rows fit together.
#include "IsaTest.hpp"
#include "airlite/npu/isa/Abi.hpp"
#include "support/catch_all.hpp"

#include <bit>
#include <set>

namespace airlite::npu::isa {

TEST_CASE("every form is found by its name and slot", "[isa][tables]") {
  CHECK(aie2().forms.size() == 607);
  CHECK(aie2p().forms.size() == 880);
  CHECK(row(Form::ADD).name == "ADD");
  CHECK(row(Form::VST_dmw_sts_w_ag_idx).slot == Slot::St);
  CHECK(row(Form::NOP).slot == Slot::Nop);
  CHECK(row(Form::P_VST_dmx_sts_x_idx).slot == Slot::St);
  AIRLITE_EACH_SET(set);
  std::set<std::string_view> names;
  size_t count = 0;
  for (size_t i = 0; i < set.forms.size(); ++i) {
    names.insert(set.forms[i].name);
    CHECK(&row(set.formAt(i)) == &set.forms[i]);
    CHECK(&setOf(set.formAt(i)) == &set);
  }
  for (unsigned slot = 0; slot < kSlotCount; ++slot) {
    for (Form form : formsOf(static_cast<Slot>(slot), set))
      CHECK(row(form).slot == static_cast<Slot>(slot));
    count += formsOf(static_cast<Slot>(slot), set).size();
    CHECK(row(set.slots[slot].nop).is(kNop));
  }
  CHECK(names.size() == set.forms.size());
  CHECK(count == set.forms.size());
  CHECK(row(set.moveConstant).mnemonic() == "movxm");
  CHECK(instructionSetNamed(set.name) == &set);
  CHECK(instructionSetNamed("aie1") == nullptr);
}

TEST_CASE("the bits of a form are its fixed ones, its operands and the ignored ones",
          "[isa][tables]") {
  AIRLITE_EACH_SET(set);
  for (const FormRow& form : set.forms) {
    INFO(form.name);
    uint64_t seen = form.fixedMask | form.ignoredMask;
    CHECK((form.fixedMask & form.ignoredMask) == 0);
    for (const OperandRow& op : form.ops()) {
      unsigned width = 0;
      for (unsigned i = 0; i < op.pieceCount; ++i)
        width += op.pieces[i].width;
      for (unsigned i = 0; i < op.pieceCount; ++i)
        seen |= ((uint64_t{1} << op.pieces[i].width) - 1) << op.pieces[i].word;
      if (op.kind == OperandKind::Register) CHECK(width == regClass(op.type).width);
      if (op.kind == OperandKind::Immediate) CHECK(width == immediate(op.type).width);
    }
    CHECK(form.pattern.size() == set.row(form.slot).bits);
    CHECK(seen == (uint64_t{1} << set.row(form.slot).bits) - 1);
  }
}

TEST_CASE("every format is the smallest with its slots, and no two look alike", "[isa][tables]") {
  CHECK(aie2().formats.size() == 78);
  CHECK(aie2p().formats.size() == 77);
  AIRLITE_EACH_SET(set);
  for (size_t i = 0; i < set.formats.size(); ++i) {
    const FormatRow& a = set.formats[i];
    INFO(a.name);
    CHECK(&row(set.formatAt(i)) == &a);
    CHECK(chooseFormat(a.slotSet, 0, set) == set.formatAt(i));
    CHECK(bundleSize(static_cast<std::byte>(a.fixedValue & 0xff), set) == a.bytes);
    for (size_t j = 0; j < i; ++j) {
      const FormatRow& b = set.formats[j];
      bool differs = (a.fixedValue ^ b.fixedValue) & a.fixedMask.lo & b.fixedMask.lo;
      CHECK((a.bytes != b.bytes || differs));
    }
  }
}

TEST_CASE("any slots that do not exclude each other fit a bundle", "[isa][tables]") {
  AIRLITE_EACH_SET(set);
  for (unsigned slots = 1; slots < 1u << 7; ++slots) {
    bool clash = (slots >> unsigned(Slot::Lng) & 1) &&
                 (slots >> unsigned(Slot::Alu) & 1 || slots >> unsigned(Slot::Mv) & 1);
    INFO(slots);
    CHECK(chooseFormat(slots, 0, set).has_value() == !clash);
  }
}

TEST_CASE("codes name registers and back, each once", "[isa][tables]") {
  for (unsigned i = 0; i < kRegClassCount; ++i) {
    auto type = static_cast<OperandType>(i);
    INFO(name(type));
    unsigned members = 0, codes = 0;
    for (unsigned reg = 0; reg < kRegCount; ++reg)
      members += contains(type, static_cast<Reg>(reg));
    CHECK(members > 0);
    if (!regClass(type).width) continue;  // no operand has this class
    for (unsigned code = 0; code < 1u << regClass(type).width; ++code) {
      auto reg = registerOf(type, code);
      if (!reg) continue;
      ++codes;
      CHECK(codeOf(type, *reg) == code);
      CHECK(row(*reg).bits <= regClass(type).bits);
    }
    CHECK(codes == members);
  }
}

TEST_CASE("registers consist of storage", "[isa][tables]") {
  CHECK(storageOf(Reg::r5).count() == 1);
  CHECK(storageOf(Reg::cm3).count() == 4);
  CHECK(storageOf(Reg::d2_3d).count() == 8);
  CHECK(overlap(Reg::x4, Reg::y2));
  CHECK(overlap(Reg::wl5, Reg::y2));
  CHECK_FALSE(overlap(Reg::x3, Reg::y2));
  CHECK(overlap(Reg::l0, Reg::r17));
  CHECK_FALSE(overlap(Reg::l0, Reg::r18));
  CHECK(partOf(Reg::d3, RegPart::Count) == Reg::dc3);
  CHECK(partOf(Reg::d1_3d, RegPart::LowCount) == Reg::dc1);
  CHECK(partOf(Reg::d1_3d, RegPart::HighCount) == Reg::dc5);
  CHECK(storageOf(Reg::dm3).count() == 4);
  CHECK(storageOf(Reg::ey2).count() == 8);
  CHECK(overlap(Reg::ey2, Reg::eh5));
  CHECK(overlap(Reg::r1_r0, Reg::r0));
  CHECK(row(Reg::l0).textP == "r17:r16");
  CHECK(partOf(Reg::p1, RegPart::Fifo) == Reg::lf1);
  CHECK(partOf(Reg::p0, RegPart::FifoLevel) == Reg::r24);
  unsigned bits = 0;
  for (unsigned reg = 0; reg < kStorageCount; ++reg)
    if (!row(static_cast<Reg>(reg)).text.empty()) bits += row(static_cast<Reg>(reg)).bits;
  CHECK(bits == 32 * 32 + 40 * 20 + 4 * 32 + 6 * 20 + 32 + 12 * 32 + 10 * 32 + 64 + 36 * 256 +
                    24 * 256 + 8 * 64);
}

TEST_CASE("the calling convention names registers of the right size", "[isa][abi]") {
  for (Reg reg : abi::kPointerArguments)
    CHECK(row(reg).kind == RegKind::Pointer);
  for (Reg reg : abi::kIntegerArguments)
    CHECK(row(reg).kind == RegKind::Gpr);
  for (Reg reg : abi::kVector512Arguments)
    CHECK(row(reg).bits == 512);
  for (Reg reg : abi::kVector1024Arguments)
    CHECK(row(reg).bits == 1024);
  for (Reg reg : abi::kAcc1024Arguments)
    CHECK(row(reg).kind == RegKind::Acc1024);
  AIRLITE_EACH_SET(set);
  const abi::Convention& convention = abi::conventionOf(set);
  auto allHave = [](std::span<const Reg> regs, unsigned bits) {
    return std::ranges::all_of(regs, [&](Reg reg) { return row(reg).bits == bits; });
  };
  CHECK(allHave(convention.pointerArguments, 20));
  CHECK(allHave(convention.integerArguments, 32));
  CHECK(allHave(convention.vector512Arguments, 512));
  CHECK(allHave(convention.vector1024Arguments, 1024));
  CHECK(allHave(convention.acc512Arguments, 512));
  CHECK(allHave(convention.acc1024Arguments, 1024));
  CHECK(allHave(convention.acc2048Arguments, 2048));
  for (std::span<const Reg> list :
       {convention.acc512Arguments, convention.acc1024Arguments, convention.acc2048Arguments,
        convention.vector1024Arguments, convention.calleeSaved})
    for (Reg reg : list)
      CHECK_FALSE(textOf(reg, set).empty());
  CHECK(row(Form::P_ACQ_COND_mLockId_imm).operands[2].reg == abi::kLockPredicate);
  CHECK(row(Form::P_DIVS).operands[1].reg == abi::kDivideQuotient);
  CHECK(row(Form::P_VMAX_LT_16_vaddSign0).operands[1].reg == abi::p::kCompareMask);
  // What instructions imply is what their rows say.
  CHECK(row(Form::SELEQZ).operands[3].reg == abi::kSelectCondition);
  CHECK(row(Form::ACQ_COND_mLockId_imm).operands[2].reg == abi::kLockPredicate);
  CHECK(row(Form::MOV_mv_scl2ms_doTlast_reg).operands[1].reg == abi::kStreamLast);
  CHECK(row(Form::VINSERT_8).operands[2].reg == abi::kVectorIndex);
  CHECK(row(Form::DIVS).operands[1].reg == abi::kDivideQuotient);
}

}  // namespace airlite::npu::isa
