// The program of a core between selection and bundles, as plain data: instructions of the machine
// on virtual registers, blocks of them that end in one way to continue, functions of blocks.
//
// Virtual registers are variables, not values: loops write theirs again in each round.
#pragma once

#include "airlite/ir/Location.hpp"
#include "airlite/npu/isa/Instruction.hpp"

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace airlite::npu::codegen {

/// What the registers of a file are for. Files share no bits but for those of `shareFile`. Those of
/// AIE2; on AIE2P accumulators are dm0 to dm4 of 2,048 bits, and sums of f32 lie in the low quarter
/// of one.
enum class RegClass : uint8_t {
  Gpr,          ///< r0 to r30, see kReserved
  Pointer,      ///< p0 to p7
  Modifier,     ///< dj0 to dj7: byte offsets of [p, dj]
  Vector,       ///< x0 to x11; 256 bits are the low half of one
  Accumulator,  ///< cm0 to cm8; 512 bits are the low half of one
  Step,         ///< m0 to m7: what a pointer is moved by
  Dimension,    ///< d0 to d7: steps of a pointer along rows and from row to row, with a counter;
                ///< quarters: m (the step to the next row), dn, dj (along a row), dc
  HalfAccumulator,  ///< bml0, bmh0 to bmh8: sums of f32
  Mask,             ///< r16 to r23: which lanes of 16 or 32 bits a comparison holds for
  VectorPair,       ///< of AIE2P y0 to y5: two vectors, which are its halves
  Blocks,           ///< of AIE2P ex0 to ex11: a vector of mantissas and its exponents
};
inline constexpr unsigned kRegClassCount = 11;

/// Whether registers of two classes may have bits in common: d0 is made of m0, dj0 and others, cm0
/// of bml0 and bmh0, masks are some of the Gpr, y0 is made of x0 and x1, ex0 of x0 and e0.
constexpr bool shareFile(RegClass a, RegClass b) {
  auto isOfDimensions = [](RegClass c) {
    return c == RegClass::Modifier || c == RegClass::Step || c == RegClass::Dimension;
  };
  auto isOfSums = [](RegClass c) {
    return c == RegClass::Accumulator || c == RegClass::HalfAccumulator;
  };
  auto isScalar = [](RegClass c) { return c == RegClass::Gpr || c == RegClass::Mask; };
  auto isOfVectors = [](RegClass c) {
    return c == RegClass::Vector || c == RegClass::VectorPair || c == RegClass::Blocks;
  };
  return a == b || (isOfDimensions(a) && isOfDimensions(b)) || (isOfSums(a) && isOfSums(b)) ||
         (isScalar(a) && isScalar(b)) || (isOfVectors(a) && isOfVectors(b));
}
/// No way leads from memory into such a register in one piece, so that it is never spilled.
constexpr bool isNeverSpilled(RegClass c) {
  return c == RegClass::Dimension || c == RegClass::VectorPair || c == RegClass::Blocks;
}

/// Registers of a class that the allocator may give. On AIE2P r16 and r17 are kept back, where
/// instructions leave the lanes that they compared.
std::span<const isa::Reg> registersOf(RegClass regClass,
                                      const isa::InstructionSet& set = isa::aie2());
/// Gpr that instructions imply (isa/Abi.hpp): selection uses them within a few instructions, the
/// allocator never gives them.
inline constexpr std::array kReserved = {isa::Reg::r27, isa::Reg::r31};

/// A half of a vector or accumulator, or a quarter of an accumulator.
enum class Part : uint8_t { Whole, Low, High, Quarter0, Quarter1, Quarter2, Quarter3 };
/// One bit for each quarter.
constexpr uint8_t quartersOf(Part part) {
  constexpr uint8_t kQuarters[] = {15, 3, 12, 1, 2, 4, 8};
  return kQuarters[static_cast<unsigned>(part)];
}
/// Whether a register keeps what it had when this part is written. Selection writes parts from the
/// lowest on, so that the first one begins a new value.
constexpr bool keepsRest(Part part) { return part != Part::Whole && !(quartersOf(part) & 1); }
isa::Reg partOf(isa::Reg reg, Part part);

struct Operand {
  enum class Kind : uint8_t { None, Virtual, Physical, Immediate, Slot };
  Kind kind = Kind::None;
  Part part = Part::Whole;
  int32_t number = 0;  ///< of the virtual register, Reg, immediate or stack slot

  static Operand reg(uint32_t number, Part part = Part::Whole) {
    return {Kind::Virtual, part, static_cast<int32_t>(number)};
  }
  static Operand of(isa::Reg reg) {
    return {Kind::Physical, Part::Whole, static_cast<int32_t>(reg)};
  }
  static Operand imm(int64_t value) {
    return {Kind::Immediate, Part::Whole, static_cast<int32_t>(value)};
  }
  static Operand slot(uint32_t number) {
    return {Kind::Slot, Part::Whole, static_cast<int32_t>(number)};
  }
  Operand at(Part which) const { return {kind, which, number}; }
  bool isVirtual() const { return kind == Kind::Virtual; }
  bool isPhysical() const { return kind == Kind::Physical; }
  bool isRegister() const { return isVirtual() || isPhysical(); }
  isa::Reg physical() const { return static_cast<isa::Reg>(number); }
  bool operator==(const Operand&) const = default;
};

/// The bytes that an access may touch: [begin, end) of the core's addresses, or of a stack slot,
/// which no pointer of the program leads to.
struct MemoryPlace {
  bool isSlot = false;
  uint32_t begin = 0, end = 0;

  static MemoryPlace anywhere() { return {false, 0, 1u << 20}; }
  /// Slots are as far apart as the largest register needs.
  static MemoryPlace ofSlot(uint32_t slot) { return {true, slot, slot + 1}; }
};
inline bool mayMeet(const MemoryPlace& a, const MemoryPlace& b) {
  return a.isSlot == b.isSlot && a.begin < b.end && b.begin < a.end;
}

/// Where an access in the body of a loop lies, when that is known for all rounds: in round r it
/// touches [offset + distance(r), ... + bytes) from a place that all accesses of the same group share.
struct LoopPlace {
  uint32_t group = 0;  ///< 0: not known
  int32_t offset = 0, step = 0, bytes = 0;
  /// Rounds are in rows of so many, which are `rowStep` bytes apart; 0: all are in one row.
  int32_t rowLength = 0, rowStep = 0;

  /// How far a round is from round 0.
  int32_t distance(int32_t round) const {
    return rowLength ? round % rowLength * step + round / rowLength * rowStep : round * step;
  }
};

struct MachineInst {
  isa::Form form = isa::Form::NOP;
  uint8_t operandCount = 0;
  /// As isa::Instruction::make takes them: in the order of the form's text.
  std::array<Operand, isa::kMaxAie2Operands> operands;
  MemoryPlace memory;  ///< of forms that touch memory
  LoopPlace inLoop;
  bool isConstant = false;  ///< loads what nobody writes
  Location location;

  MachineInst() = default;
  MachineInst(isa::Form form, std::initializer_list<Operand> list, Location location = {});
  std::span<Operand> ops() { return {operands.data(), operandCount}; }
  std::span<const Operand> ops() const { return {operands.data(), operandCount}; }
  const isa::FormRow& row() const { return isa::row(form); }
};

/// Whether the text operand `index` of a form is written, and whether it is read.
struct OperandUse {
  bool isDef = false, isUse = false;
};
OperandUse useOf(isa::Form form, unsigned index);

/// Whether an instruction writes a virtual register, or a part of it.
bool writes(const MachineInst& inst, uint32_t reg);
/// Whether it reads one, or keeps a part of it.
bool reads(const MachineInst& inst, uint32_t reg);

/// How a block ends.
struct Terminator {
  enum class Kind : uint8_t { Jump, Branch, Call, Return, Done, Repeat };
  Kind kind = Kind::Done;
  Operand condition;            ///< of a Branch: a register, the branch is taken when it is not 0
  uint32_t target = 0;          ///< Jump, Branch when taken; Repeat: the block itself
  uint32_t otherwise = 0;       ///< Branch when not taken, Repeat at the end; Call: return place
  uint32_t callee = 0;          ///< Call: number of the function
  std::vector<isa::Reg> reads;  ///< Call: arguments; Return: results
  Location location;

  std::vector<uint32_t> successors() const;
};

/// When the instructions of a loop's body issue: in round r, instruction i does in cycle
/// `cycles[i]` + r * `interval` (SoftwarePipeline.hpp).
struct LoopSchedule {
  int interval = 0;
  int stages = 0;  ///< rounds that are under way at the same time
  std::vector<int> cycles;
  uint32_t leftOut =
      0;  ///< instructions at the start of the body that the first round does without

  /// Rounds that begin in front of the loop: one more where the first differs from the others.
  int stagesBefore() const { return stages - 1 + (leftOut ? 1 : 0); }
};

struct MachineBlock {
  std::vector<MachineInst> instructions;
  Terminator terminator;
  unsigned depth = 0;  ///< loops around it
  /// Of a block that goes back to itself: how often it runs when it is entered; 0: not known.
  uint32_t rounds = 0;
  std::optional<LoopSchedule> schedule;  ///< of a Repeat
};

/// Room on the stack for one register.
struct StackSlot {
  uint32_t bytes = 4;
};

struct MachineFunction {
  std::string name;
  std::vector<MachineBlock> blocks;  ///< the first is the entry; in the order of layout
  std::vector<RegClass> registers;   ///< class of each virtual register
  std::vector<StackSlot> slots;
  bool isEntry = false;  ///< the core itself: sets sp, saves nothing, ends with done
  const isa::InstructionSet* set = &isa::aie2();
  bool calls = false;

  uint32_t newRegister(RegClass regClass) {
    registers.push_back(regClass);
    return static_cast<uint32_t>(registers.size() - 1);
  }
  uint32_t newSlot(uint32_t bytes) {
    slots.push_back({bytes});
    return static_cast<uint32_t>(slots.size() - 1);
  }
};

/// A copy between any two registers of these classes: `mov`, or `vmov`.
MachineInst makeCopy(Operand to, Operand from, RegClass toClass, Location location,
                     const isa::InstructionSet& set = isa::aie2());
/// True for the copy of a whole register to another.
bool isCopy(const MachineInst& inst);
/// True when the instruction has no effect but its results, which depend on immediates only.
bool isConstant(const MachineInst& inst);
/// True when nothing is lost when no one reads the results.
bool isRemovable(const MachineInst& inst);

}  // namespace airlite::npu::codegen
