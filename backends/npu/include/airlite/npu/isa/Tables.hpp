// The instruction sets AIE2 (npu1) and AIE2P (npu2) as tables: one row per register, operand type,
// bundle format, instruction form, timing class and relocation. Everything else of this room, the
// simulator and the schedulers read these rows. The rows are in backends/npu/isa/*.inc;
// docs/npu_isa.md explains them.
//
// A form or format belongs to one set, so whatever has an instruction or a bundle knows its set
// (`setOf`). Only what begins with bytes, text or a slot takes an InstructionSet.
//
//   for (const OperandRow& operand : row(Form::ADD).ops()) visit(operand.name);
#pragma once

#include "airlite/npu/isa/Names.hpp"

#include <array>
#include <bitset>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace airlite::npu::isa {

/// The places of a bundle. Lng covers Alu and Mv, Nop is the one bit of the 16-bit nop.
enum class Slot : uint8_t { Lda, Ldb, St, Alu, Mv, Lng, Vec, Nop };
inline constexpr unsigned kSlotCount = 8;

std::string_view name(Slot slot);

// -- Registers ----------------------------------------------------------------------------------

// clang-format off
enum class RegKind : uint8_t {
  Gpr, Pointer, Modifier, DimSize, DimStride, DimCount, Dim2d, Dim3d, GprPair, Shift, Special,
  Control, Status, Counter, Pseudo, Acc256, Acc512, Acc1024, Vec256, Vec512, Vec1024, Mask64,
  Mask128, Sparse320, Sparse640,
  // AIE2P alone: exponents, block floating point, accumulators of 2,048 bits, fifos.
  Exp32, Exp64, Bfp288, Bfp576, Bfp1152, Sparse352, Sparse704, Sparse1280, Sparse1408, Acc2048,
  Fifo512, Fifo1024
};
// clang-format on

/// `parts` are what the register consists of; the first has the lowest bits.
struct RegRow {
  std::string_view name;   ///< unique
  std::string_view text;   ///< as AIE2 assembly shows it: d0_3d is `d0`, l0 is `r17:r16`
  std::string_view textP;  ///< as AIE2P assembly shows it: `crsat` for crSat; empty: not there
  uint16_t bits;
  RegKind kind;
  std::array<Reg, 4> parts;
  uint8_t partCount = 0;
};
const RegRow& row(Reg reg);

/// Registers that hold bits of their own, by number.
using Storage = std::bitset<kStorageCount>;
/// What the register consists of in the end; itself when it holds bits of its own.
const Storage& storageOf(Reg reg);
inline bool overlap(Reg a, Reg b) { return (storageOf(a) & storageOf(b)).any(); }
/// True for status bits that hardware only sets and software clears, so that the order of two
/// writers does not matter (docs/hardware/vector_facts.md, section 7).
bool isSticky(Reg reg);

// -- What operands may be -------------------------------------------------------------------------

/// `count` registers from `first`, `step` apart; their codes begin with `code` and grow by
/// `codeStep`.
struct RegRun {
  Reg first;
  uint8_t count;
  uint8_t step;
  int16_t code;
  int16_t codeStep;
};

/// A class of registers. `width` is that of the operand field, 0 for a class that no field has.
struct RegClassRow {
  std::string_view name;
  uint16_t bits;
  uint8_t width;
  RegRun runs[32];  ///< ends at a run of 0
};

/// A range of immediates: multiples of `step` from `smallest` to `largest`, stored as value / step
/// in `width` bits. Ranges that end below zero lack their sign bit, which is always 1.
struct ImmediateRow {
  std::string_view name;
  uint8_t width;
  uint8_t step;
  int32_t smallest;
  int32_t largest;
  bool isTarget;  ///< an absolute program address in bytes
};

inline bool isRegister(OperandType type) { return static_cast<unsigned>(type) < kRegClassCount; }
std::string_view name(OperandType type);
const RegClassRow& regClass(OperandType type);
const ImmediateRow& immediate(OperandType type);

bool contains(OperandType regClass, Reg reg);
/// The field of an operand that is this register.
std::optional<unsigned> codeOf(OperandType regClass, Reg reg);
/// The register that a field names; none for codes without a meaning.
std::optional<Reg> registerOf(OperandType regClass, unsigned code);

// -- Instruction forms ----------------------------------------------------------------------------

/// Operand bits [operand, operand + width) are bits [word, word + width) of the slot word.
struct BitPiece {
  uint8_t word;
  uint8_t operand;
  uint8_t width;
};

enum class OperandKind : uint8_t {
  Register,   ///< encoded
  Immediate,  ///< encoded
  Fixed,      ///< always the same register, not encoded
  Part,       ///< not encoded, follows from another operand: see RegPart
};

/// What a Part is: the dimension count that a 2D or 3D modifier steps, or the load fifo of a pointer
/// and the register with its fill level.
enum class RegPart : uint8_t { Count, LowCount, HighCount, Fifo, FifoLevel };
Reg partOf(Reg whole, RegPart part);

/// One operand. Results come first; a result that is also read has a twin with the same letter.
struct OperandRow {
  std::string_view name;
  OperandKind kind;
  bool isDef;
  OperandType type;   ///< of Register and Immediate
  Reg reg;            ///< of Fixed
  RegPart part;       ///< of Part
  uint8_t of;         ///< of Part: the operand it is a part of
  char letter;        ///< in FormRow::pattern
  uint8_t immediate;  ///< of Immediate: which one of the instruction, 0 or 1
  uint8_t pieceCount;
  std::array<BitPiece, 3> pieces;
};

inline constexpr unsigned kMaxOperands = 10;  ///< of any form; 3D pops of AIE2P's fifos
inline constexpr unsigned kMaxAie2Operands = 7;
inline constexpr unsigned kMaxImmediates = 2;
inline constexpr unsigned kDelaySlots = 5;  ///< bundles after a jump that always execute

enum FormFlag : uint16_t {
  kLoads = 1,
  kStores = 2,
  kPartWord = 4,  ///< an 8 or 16-bit store: reads the word, then writes it
  kSideEffects = 8,
  kNop = 16,
  kBranch = 32,
  kCall = 64,
  kReturn = 128,
  kIndirect = 256,
  kBarrier = 512,  ///< never falls through
  kLock = 1024,    ///< acquire or release: stops the core
};

/// How a memory instruction makes its address.
enum class AddressMode : uint8_t {
  None,
  Plain,     ///< [p]
  Index,     ///< [p, dj]
  IndexImm,  ///< [p, #imm]
  Post,      ///< [p], m: access p, then p += m
  PostImm,   ///< [p], #imm
  Post2d,    ///< [p], d
  Post3d,    ///< [p], d with d and its second half
  Stack,     ///< [sp, #imm]
  StackImm,  ///< [sp], #imm: moves sp, accesses nothing
};

struct FormRow {
  std::string_view name;
  std::string_view text;     ///< `lda $dst, [$ptr], $imm`
  std::string_view pattern;  ///< bits of the slot word, highest first: 0, 1, - (ignored), letters
  Slot slot;
  Itinerary itinerary;
  int16_t choices;      ///< first row of itineraryChoices() to look at, or -1
  uint8_t memoryBytes;  ///< of one access; 0: none, or not known from the form
  uint16_t flags;       ///< FormFlag
  AddressMode address;
  uint64_t fixedMask, fixedValue;  ///< bits of the slot word that tell the form
  uint64_t ignoredMask;            ///< bits without a meaning, written as 0
  uint8_t operandCount;
  uint8_t defCount;
  uint8_t textCount;
  std::array<uint8_t, kMaxOperands>
      textOrder;  ///< the operands that `text` names, as it names them
  std::array<OperandRow, kMaxOperands> operands;
  std::array<Reg, 4> implicitDefs, implicitUses;
  uint8_t implicitDefCount, implicitUseCount;

  constexpr std::span<const OperandRow> ops() const { return {operands.data(), operandCount}; }
  std::string_view mnemonic() const { return text.substr(0, text.find(' ')); }
  bool is(unsigned flag) const { return flags & flag; }
  bool touchesMemory() const { return is(kLoads | kStores); }
  bool isJump() const { return is(kBranch | kCall | kReturn); }
};
const FormRow& row(Form form);

// -- Bundle formats -------------------------------------------------------------------------------

/// A bundle as bits: `lo` holds the bits 0 to 63. Bundles are little-endian in memory.
struct Word128 {
  uint64_t lo = 0, hi = 0;
  bool operator==(const Word128&) const = default;
  /// `width` bits (at most 64) from bit `lsb`.
  uint64_t get(unsigned lsb, unsigned width) const;
  void set(unsigned lsb, unsigned width, uint64_t value);
};

struct SlotPlace {
  Slot slot;
  uint8_t lsb;
};

struct FormatRow {
  std::string_view name;
  uint8_t bytes;
  std::array<SlotPlace, 6> slots;
  uint8_t slotCount;
  uint64_t fixedValue;  ///< the bits that tell the format, all below 64
  Word128 fixedMask;
  uint8_t slotSet;  ///< bit n: has slot n

  std::span<const SlotPlace> places() const { return {slots.data(), slotCount}; }
};
const FormatRow& row(Format format);

// -- Timing
// -----------------------------------------------------------------------------------------

struct UnitUse {
  Unit unit;
  uint8_t cycle;  ///< of the first use; 1 is the cycle of issue
  uint8_t cycles;
  bool reserved = false;  ///< conflicts with holders only, not with other reservations
};

struct ItineraryRow {
  std::string_view name;
  UnitUse units[24];
  /// In the order of the operands, then implicit results, then implicit reads; a result is there
  /// for readers after this cycle, an operand is read in it.
  std::array<uint8_t, 12> operandCycles;
  std::string_view bypasses;  ///< one letter per operand: - none, M moves, V vector accumulators
  std::array<uint8_t, 2> memoryCycles;  ///< first and last; 0: it touches no memory

  std::span<const UnitUse> uses() const;
  unsigned firstMemoryCycle() const { return memoryCycles[0]; }
  unsigned lastMemoryCycle() const { return memoryCycles[1] ? memoryCycles[1] : memoryCycles[0]; }
};
const ItineraryRow& row(Itinerary itinerary);

struct ItineraryChoice {
  uint8_t firstOperand;
  OperandType firstClass;
  uint8_t secondOperand;
  OperandType secondClass;
  Itinerary itinerary;
  bool last;
};
std::span<const ItineraryChoice> itineraryChoices();

std::string_view name(Unit unit);

// -- Instruction sets -----------------------------------------------------------------------------

struct SlotRow {
  unsigned bits;
  Form nop;
};

/// What differs between the sets: the rows that are a set's own, and how a bundle begins.
struct InstructionSet {
  std::string_view name;               ///< `aie2`, `aie2p`
  uint32_t elfFlags;                   ///< e_flags of its ELF files
  std::span<const FormRow> forms;      ///< the first is `firstForm`
  std::span<const FormatRow> formats;  ///< the first is `firstFormat`
  Form firstForm;
  Format firstFormat;
  std::array<SlotRow, kSlotCount> slots;
  std::array<uint8_t, 16> bundleBytes;  ///< by the lowest four bits of the first byte
  Form moveConstant;                    ///< movxm: 32 bits into a register

  const SlotRow& row(Slot slot) const { return slots[static_cast<unsigned>(slot)]; }
  Form formAt(size_t index) const { return Form(static_cast<size_t>(firstForm) + index); }
  Format formatAt(size_t index) const { return Format(static_cast<size_t>(firstFormat) + index); }
};

const InstructionSet& aie2();
const InstructionSet& aie2p();
std::span<const InstructionSet* const> instructionSets();
/// Null for a name that is none.
const InstructionSet* instructionSetNamed(std::string_view name);

inline bool isAie2p(Form form) { return static_cast<unsigned>(form) >= kAie2FormCount; }
inline bool isAie2p(Format format) { return static_cast<unsigned>(format) >= kAie2FormatCount; }
inline const InstructionSet& setOf(Form form) { return isAie2p(form) ? aie2p() : aie2(); }
inline const InstructionSet& setOf(Format format) { return isAie2p(format) ? aie2p() : aie2(); }

/// The forms of a slot, those with more fixed bits first.
std::span<const Form> formsOf(Slot slot, const InstructionSet& set = aie2());
/// The register as assembly of this set shows it.
inline std::string_view textOf(Reg reg, const InstructionSet& set) {
  return &set == &aie2() ? row(reg).text : row(reg).textP;
}

}  // namespace airlite::npu::isa
