// Registers, their classes, and the ranges of immediates.
#include "RegList.hpp"
#include "airlite/npu/isa/Tables.hpp"

namespace airlite::npu::isa {
namespace {

/// A row as it is written in Registers.inc.
struct RegText {
  std::string_view name, text, textP;
  uint16_t bits;
  RegKind kind;
  RegList<4> parts;
};

constexpr RegText kRegTexts[] = {
#include "Registers.inc"
};
static_assert(std::size(kRegTexts) == kRegCount);

constexpr auto kRegs = [] {
  std::array<RegRow, kRegCount> rows{};
  for (unsigned i = 0; i < kRegCount; ++i) {
    const RegText& t = kRegTexts[i];
    rows[i] = {t.name, t.text, t.textP, t.bits, t.kind, t.parts.regs, t.parts.count};
  }
  return rows;
}();

Storage storageOfParts(unsigned reg) {
  if (reg < kStorageCount) return Storage().set(reg);
  Storage all;
  for (unsigned i = 0; i < kRegs[reg].partCount; ++i)
    all |= storageOfParts(static_cast<unsigned>(kRegs[reg].parts[i]));
  return all;
}

constexpr RegClassRow kClasses[] = {
#include "RegClasses.inc"
};
static_assert(std::size(kClasses) == kRegClassCount);

constexpr ImmediateRow kImmediates[] = {
#include "Immediates.inc"
};
static_assert(std::size(kImmediates) + kRegClassCount == kOperandTypeCount);

/// Which register of the run `reg` is, or none.
std::optional<unsigned> indexIn(const RegRun& run, Reg reg) {
  int distance = static_cast<int>(reg) - static_cast<int>(run.first);
  if (!run.count || distance < 0 || distance % run.step) return std::nullopt;
  unsigned index = distance / run.step;
  return index < run.count ? std::optional(index) : std::nullopt;
}

std::optional<Reg> registerIn(const RegRun& run, int code) {
  int distance = code - run.code;
  if (!run.count) return std::nullopt;
  if (!run.codeStep) return distance == 0 ? std::optional(run.first) : std::nullopt;
  int index = distance / run.codeStep;
  if (distance % run.codeStep || index < 0 || index >= run.count) return std::nullopt;
  return static_cast<Reg>(static_cast<int>(run.first) + index * run.step);
}

}  // namespace

const RegRow& row(Reg reg) { return kRegs[static_cast<unsigned>(reg)]; }

const Storage& storageOf(Reg reg) {
  static const auto all = [] {
    std::array<Storage, kRegCount> sets;
    for (unsigned i = 0; i < kRegCount; ++i)
      sets[i] = storageOfParts(i);
    return sets;
  }();
  return all[static_cast<unsigned>(reg)];
}

bool isSticky(Reg reg) {
  return row(reg).kind == RegKind::Status && reg != Reg::srCarry && reg != Reg::srSS0 &&
         reg != Reg::srMS0;
}

std::string_view name(OperandType type) {
  return isRegister(type) ? regClass(type).name : immediate(type).name;
}

const RegClassRow& regClass(OperandType type) { return kClasses[static_cast<unsigned>(type)]; }

const ImmediateRow& immediate(OperandType type) {
  return kImmediates[static_cast<unsigned>(type) - kRegClassCount];
}

bool contains(OperandType regClass, Reg reg) { return codeOf(regClass, reg).has_value(); }

std::optional<unsigned> codeOf(OperandType type, Reg reg) {
  for (const RegRun& run : regClass(type).runs) {
    if (!run.count) break;
    if (auto index = indexIn(run, reg)) return run.code + *index * run.codeStep;
  }
  return std::nullopt;
}

std::optional<Reg> registerOf(OperandType type, unsigned code) {
  for (const RegRun& run : regClass(type).runs) {
    if (!run.count) break;
    if (auto reg = registerIn(run, static_cast<int>(code))) return reg;
  }
  return std::nullopt;
}

Reg partOf(Reg reg, RegPart part) {
  constexpr unsigned kCount = 3;  // of m, dn, dj, dc
  if (part == RegPart::Fifo) return reg == Reg::p0 ? Reg::lf0 : Reg::lf1;
  if (part == RegPart::FifoLevel) return reg == Reg::p0 ? Reg::r24 : Reg::r25;
  const RegRow& whole = row(reg);
  if (part == RegPart::Count) return whole.parts[kCount];
  return row(whole.parts[part == RegPart::HighCount]).parts[kCount];
}

}  // namespace airlite::npu::isa
