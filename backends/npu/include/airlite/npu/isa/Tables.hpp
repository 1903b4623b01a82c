// The AIE2 instruction set as tables: one row per register, operand type, bundle format,
// instruction form, timing class and relocation. Everything else of this room, the simulator and
// the schedulers read these rows. The rows are in backends/npu/isa/*.inc; docs/npu_isa.md explains
// them.
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

struct SlotRow {
  std::string_view name;
  unsigned bits;
  Form nop;
};
const SlotRow& row(Slot slot);

// -- Registers ----------------------------------------------------------------------------------

// clang-format off
enum class RegKind : uint8_t {
  Gpr, Pointer, Modifier, DimSize, DimStride, DimCount, Dim2d, Dim3d, GprPair, Shift, Special,
  Control, Status, Counter, Pseudo, Acc256, Acc512, Acc1024, Vec256, Vec512, Vec1024, Mask64,
  Mask128, Sparse320, Sparse640
};
// clang-format on

/// `parts` are what the register consists of; the first has the lowest bits.
struct RegRow {
  std::string_view name;  ///< unique
  std::string_view text;  ///< as assembly shows it: d0_3d is `d0`, l0 is `r17:r16`
  uint8_t encoding;
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
  RegRun runs[17];  ///< ends at a run of 0
};

/// A range of immediates: multiples of `step` from `smallest` to `largest`, stored as value / step
/// in `width` bits. imm12x16_neg and imm12x32_neg lack their sign bit, which is always 1.
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
  Part,       ///< the dimension count that a 2D or 3D modifier steps: a part of another operand
};

/// Which dimension count a Part is.
enum class RegPart : uint8_t { Count, LowCount, HighCount };
Reg partOf(Reg modifier, RegPart part);

/// One operand. Results come first; a result that is also read has a twin with the same letter.
struct OperandRow {
  std::string_view name;
  OperandKind kind;
  bool isDef;
  OperandType type;  ///< of Register and Immediate
  Reg reg;           ///< of Fixed
  RegPart part;      ///< of Part
  uint8_t of;        ///< of Part: the operand it is a part of
  char letter;       ///< in FormRow::pattern
  uint8_t pieceCount;
  std::array<BitPiece, 3> pieces;
};

inline constexpr unsigned kMaxOperands = 7;
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
  std::array<Reg, 3> implicitDefs, implicitUses;
  uint8_t implicitDefCount, implicitUseCount;

  constexpr std::span<const OperandRow> ops() const { return {operands.data(), operandCount}; }
  std::string_view mnemonic() const { return text.substr(0, text.find(' ')); }
  bool is(unsigned flag) const { return flags & flag; }
  bool touchesMemory() const { return is(kLoads | kStores); }
  bool isJump() const { return is(kBranch | kCall | kReturn); }
};
const FormRow& row(Form form);
std::span<const FormRow> forms();
/// The forms of a slot, those with more fixed bits first.
std::span<const Form> formsOf(Slot slot);

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
std::span<const FormatRow> formats();

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
  UnitUse units[8];
  /// In the order of the operands, then implicit results, then implicit reads; a result is there
  /// for readers after this cycle, an operand is read in it.
  std::array<uint8_t, 11> operandCycles;
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

}  // namespace airlite::npu::isa
