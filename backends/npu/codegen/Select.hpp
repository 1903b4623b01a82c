// From ops to instructions of the machine on virtual registers (docs/npu_core_ir.md says which ops
// there are). The ops of a kind stand in a file each; this is what they share.
#pragma once

#include "Machine.hpp"
#include "airlite/npu/codegen/CoreCode.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace airlite::npu::codegen {

// Configuration words of products and sums of floats (docs/hardware/vector_facts.md, section 3).
inline constexpr uint32_t kProductsOfBf16 = 0x3c;  ///< lane L: a[L] * b[L] + a[L+16] * b[L+16]
inline constexpr uint32_t kFloatSum = 0x1c;
inline constexpr uint32_t kProductsOf16 = 0x38;  ///< unsigned i16 by lanes, sums of 32 bits
inline constexpr uint32_t kRoundToEven = 12;     ///< crRnd, section 7

/// A function that is called: one of the device, or (without a body) one that lies elsewhere.
struct Callee {
  std::string name;
  Operation* function = nullptr;
};

/// The lanes of a register of 512 bits.
using LaneWords = std::array<uint32_t, 16>;

/// What the functions of a core share while they are selected.
struct CoreState {
  const CoreSurroundings& surroundings;
  std::vector<Callee> callees;                       ///< number 0 is the core itself
  std::vector<CoreData> data;                        ///< memref.global that are used
  std::unordered_map<Operation*, uint32_t> globals;  ///< their addresses
  std::map<LaneWords, uint32_t> lanes;               ///< addresses of constant rows
  uint32_t dataBytes = 0;

  uint32_t calleeNumber(Operation& function);
  /// The address of a memref.global; none after an error at `use` when there is no room.
  std::optional<uint32_t> globalAddress(Operation& global, Operation& use);
  /// The address of a row of lanes that is kept in memory; none when there is no room.
  std::optional<uint32_t> lanesAddress(const LaneWords& words);
  /// Room for data that begins at a multiple of 32 bytes; none when there is not so much.
  std::optional<uint32_t> place(uint32_t bytes);
};

/// What is known of the bits of a value above its width.
enum class Upper : uint8_t { Unknown, Sign, Zero };

/// How an access finds its bytes.
struct Address {
  Operand pointer;
  Operand offset;  ///< of [p, dj] or [p, #imm]
  MemoryPlace place;
  LoopPlace inLoop{};
  std::span<const int32_t> steps{};  ///< by which the pointer moves after each part of the access
  bool isImmediate() const { return offset.kind == Operand::Kind::Immediate; }
};

/// Bytes from one index to the next, and of one access.
struct AccessSize {
  unsigned step, bytes;
};

/// The forms of an access.
struct AccessForms {
  isa::Form indexed, immediate;
  isa::Form stepped, steppedImmediate;  ///< move the pointer afterwards
  bool hasShift = false;  ///< of elements that change their width on the way, by register s0
  bool rounds = false;    ///< to bf16, by register crRnd
};

/// Accesses to vectors go by halves of a register.
inline constexpr unsigned kHalfBytes = 32;
inline constexpr AccessForms kVectorLoad = {
    isa::Form::VLDA_dmw_lda_w_ag_idx, isa::Form::VLDA_dmw_lda_w_ag_idx_imm,
    isa::Form::VLDA_dmw_lda_w_ag_pstm_nrm, isa::Form::VLDA_dmw_lda_w_ag_pstm_nrm_imm};

class Selector {
 public:
  Selector(CoreState& state, MachineFunction& function) : state_(state), function_(function) {}

  /// Of an aie.core or a func.func with a body. False after errors.
  bool select(Operation& op);

 private:
  using Handler = bool (Selector::*)(Operation&);
  struct OpRow {
    std::string_view name;
    Handler handler;
  };
  static std::span<const OpRow> controlOps();
  static std::span<const OpRow> integerOps();
  static std::span<const OpRow> memoryOps();
  static std::span<const OpRow> callOps();
  static std::span<const OpRow> vectorOps();
  static Handler handlerOf(Operation& op);

  // -- Blocks and instructions (Select.cpp) --
  uint32_t newBlock();
  /// What follows is added to `block`.
  void enter(uint32_t block);
  /// Ends the block under construction.
  void end(Terminator terminator);
  void jump(uint32_t target);
  void branch(Operand condition, uint32_t target, uint32_t otherwise);
  MachineInst& emit(isa::Form form, std::initializer_list<Operand> operands);
  Operand fresh(RegClass regClass = RegClass::Gpr) {
    return Operand::reg(function_.newRegister(regClass));
  }
  /// A new register with the result of a form whose first operand is the result.
  Operand compute(isa::Form form, Operand a);
  Operand compute(isa::Form form, Operand a, Operand b);
  void copy(Operand to, Operand from, RegClass toClass);

  // -- Values (SelectValues.cpp) --
  std::optional<RegClass> classOf(Type type) const;
  /// The class of a value that `op` makes or takes; none after an error.
  std::optional<RegClass> checkedClass(Operation& op, Type type);
  Operand reg(Value value);
  /// The register for a value that is about to be made.
  Operand define(Value value, Upper upper = Upper::Unknown);
  void alias(Value value, Operand operand, Upper upper = Upper::Unknown);
  Operand constant(uint32_t bits, RegClass regClass = RegClass::Gpr);
  void setConstant(Operand to, uint32_t bits);
  /// The bits of a scalar constant, integers sign-extended.
  static std::optional<int32_t> constantOf(Value value);
  static std::optional<int32_t> bitsOf(Attribute number);
  /// The lanes of a constant when they are all alike.
  static std::optional<int32_t> splatOf(Value vector);
  /// The value with all 32 bits right.
  Operand extended(Value value, bool isSigned);
  Operand extend(Operand operand, unsigned width, bool isSigned);
  /// The register of an i1 in which only bit 0 may be set.
  Operand condition(Value value) { return extended(value, false); }
  /// What a memref of the device or of the program's data has as its address.
  std::optional<uint32_t> addressOf(Value memref);
  /// Writes all values at the same time.
  void copyAll(std::span<const Operand> to, std::span<const Value> from);

  // -- Control (SelectControl.cpp) --
  bool selectRegion(Region& region);
  bool selectBlock(Block& block);
  bool selectOp(Operation& op);
  bool selectBranch(Operation& op);
  bool selectCondBranch(Operation& op);
  uint32_t edge(Operation& op, unsigned successor, std::span<const Value> values);
  bool selectFor(Operation& op);
  Operand startLoop(Operation& op);
  Operand loopGoesOn(Operation& op, Operand variable);
  void closeLoop(uint32_t before, std::optional<Operand> isEntered, uint32_t body, Operand goesOn);
  bool selectIf(Operation& op);
  bool selectWhile(Operation& op);
  bool selectYield(Operation& op);
  bool selectExecuteRegion(Operation& op);
  bool selectEnd(Operation& op);
  bool selectNothing(Operation& op);
  std::optional<std::vector<Operand>> defineAll(Operation& op, std::span<const Value> values);

  // -- Addresses in loops (SelectLoop.cpp) --
  /// An access by a pointer that moves from round to round.
  struct SteppingAccess {
    Operand pointer;
    int32_t offset = 0;
    LoopPlace inLoop;
    std::vector<int32_t> steps;  ///< as in Address; empty: the access has an immediate
    bool isSure = false;         ///< its form can do without the index
    Operand rowSteps{};          ///< of the first access of a round by its pointer: moves it before
  };
  /// Sets pointers up for the accesses of an innermost loop, in front of it.
  void planPointers(Operation& loop);
  Operand startPointer(Value memref, std::span<const std::pair<Value, int64_t>> sum, unsigned step,
                       int64_t offset);
  Operand rowSteps(int64_t along, int64_t across, int64_t length);
  void findUnneeded(Block& body);
  void stepToRound(Operation& op);
  std::optional<Address> steppingAddress(Operation& op, Value memref, AccessSize size,
                                         const AccessForms& forms);

  // -- Integers (SelectInteger.cpp) --
  bool selectAdd(Operation& op);
  bool selectSub(Operation& op);
  bool selectBinary(Operation& op);
  bool selectShift(Operation& op);
  bool selectDivision(Operation& op);
  struct Division {
    Operand quotient, remainder;
  };
  Division divide(Operand dividend, Operand divisor);
  Operand negatedIf(Operand value, Operand sign);
  bool selectCompare(Operation& op);
  void compareInto(Operand to, Operation& op);
  bool selectSelect(Operation& op);
  bool selectMinMax(Operation& op);
  bool selectLeadingZeros(Operation& op);
  bool selectExtend(Operation& op);
  bool selectCopy(Operation& op);

  // -- Memory and locks (SelectMemory.cpp) --
  bool selectLoad(Operation& op);
  bool selectStore(Operation& op);
  bool selectGlobal(Operation& op);
  bool selectMemoryCast(Operation& op);
  bool selectLock(Operation& op);
  bool selectStream(Operation& op);
  bool checkMemRef(Operation& op, Value memref);
  /// Of the memref that is operand number `operand` of an access; its index is the next one.
  Address address(Operation& op, unsigned operand, AccessSize size, const AccessForms& forms);
  Address fixedAddress(uint32_t target, unsigned bytes, const AccessForms& forms);
  Operand byteOffset(Value index, unsigned bytes);
  /// One instruction: a whole scalar, or 32 bytes of a vector.
  void accessPart(const AccessForms& forms, Operand value, const Address& at);

  // -- Calls (SelectCall.cpp) --
  bool selectCall(Operation& op);
  bool selectReturn(Operation& op);
  bool takeArguments(Operation& function);
  /// The registers that values of these types travel in; none after an error at `op`. The first
  /// registers of a kind are the results', arguments take those behind them.
  std::optional<std::vector<isa::Reg>> argumentPlaces(Operation& op, std::span<const Type> types,
                                                      std::span<const Type> results);
  std::optional<std::vector<isa::Reg>> resultPlaces(Operation& op, std::span<const Type> types);
  std::optional<std::vector<isa::Reg>> places(Operation& op, std::span<const Type> types,
                                              bool areResults,
                                              std::array<size_t, kRegClassCount> taken);

  // -- Vectors (SelectVector.cpp) --
  static bool isVectorOp(Operation& op);
  Operand computeVector(isa::Form form, Operand a, Operand b);
  Operand splat(Type vector, uint32_t bits);
  /// Constant lanes from memory, in innermost loops: loads have more room there than the slot in
  /// which they would be made. None elsewhere, and when memory has no room.
  std::optional<Operand> loadedLanes(const LaneWords& words, RegClass regClass);
  // A row of 16 f32 lies in a vector register or in half of an accumulator, where sums are made;
  // what needs it in the other place copies it there.
  static bool isFloatRow(Type type);
  /// The class of a row of f32 that comes from elsewhere: where its uses need it.
  RegClass homeOf(Value value) const;
  bool isInSum(Operand operand) const;
  /// In a vector register.
  Operand rowOf(Value value);
  /// In half of an accumulator; of rows of f32.
  Operand sumOf(Value value);
  /// Of the memref that is operand number `operand`, with its index behind it.
  std::optional<Address> vectorAddress(Operation& op, unsigned operand, unsigned bytes,
                                       const AccessForms& forms);
  Address nextPart(const Address& address, const AccessForms& forms);
  void accessParts(const AccessForms& forms, Operand value, unsigned bytes, Address at);
  void setShift();

  // -- Products of matrices (SelectMatrix.cpp) --
  bool selectContract(Operation& op);
  bool selectShapeCast(Operation& op);
  bool selectWiden(Operation& op);
  bool selectNarrow(Operation& op);
  bool selectVectorLoad(Operation& op);
  bool selectVectorStore(Operation& op);
  bool isSum(Value value) const;
  Value loadedAs(Operation& load) const;
  Value storedFrom(Operation& store) const;
  /// Whether the store that alone uses the result does what the op does.
  bool isInStore(Operation& op) const;
  bool checkCascade(Operation& op, Type type);
  bool selectCascadeGet(Operation& op);
  bool selectCascadePut(Operation& op);
  bool selectBroadcast(Operation& op);
  bool selectLanes(Operation& op);
  Operand maskFor(Type vector);
  bool selectUnsignedExtreme(Operation& op);
  bool compareLanes(Operation& op, Operand mask);
  bool selectVectorCompare(Operation& op);
  bool selectVectorSelect(Operation& op);
  bool selectProduct(Operation& op);
  Operand products16(Operand a, Operand b);
  void narrowWraps(isa::Form form, Operand to, Operand sums);
  bool leaveToStore(Operation& op, const AccessForms& stores, std::vector<Operand> sums);
  void setRounding();
  void multiply8(Operation& op, Operand a, Operand b);
  void multiply16(Operation& op, Operand sums);
  void multiply32(Operand to, Operand a, Operand b);
  bool selectFloatLanes(Operation& op);
  bool selectFloatWidth(Operation& op);
  bool selectFloatExtreme(Operation& op);
  bool selectLaneCast(Operation& op);
  bool selectExtract(Operation& op);

  // -- Widths and places of lanes (SelectWidths.cpp) --
  /// Whether the op takes rows of lanes and gives one, each 256 or 512 bits.
  bool areRows(Operation& op) const;
  /// The 256 bits that hold the value, or its lower half.
  Operand halfOf(Value value);
  Operand shuffled(Operand low, Operand high, uint32_t mode);
  bool widenLanes(Operation& op);
  /// Of lanes that are widened for it; false for other products.
  bool multiplyShort(Operation& op);
  bool narrowLanes(Operation& op);
  bool selectSlice(Operation& op);
  bool selectShuffle(Operation& op);
  bool turnLanes(Operation& op, int64_t by);
  bool selectLaneShift(Operation& op);
  void shiftLanes(Operand to, Operand row, Type type, uint32_t up, uint32_t down);

  // -- Products of f32 in pieces (SelectPieces.cpp) --
  bool selectFma(Operation& op);
  /// Two pieces of bf16 of the lanes of a row of f32, side by side.
  Operand pieces(Value value, unsigned low, unsigned high);
  Operand narrowPieces(Operation& widening, bool isTwice);
  void setZero(Operand half);
  Operand constantPieces(uint32_t bits, unsigned low, unsigned high);
  Operand restOf(Value value, unsigned piece);
  Operand convertedPieces(Value value, unsigned low, unsigned high);
  Operand piecePlace(Value value, unsigned piece);
  void makePiece(Operand half, Value value, unsigned piece);
  bool hasRoomForMove() const;
  Operand selectLess16(Operand a, Operand b, Operand onSet, Operand onClear);
  Operand exclusiveOr(Operand a, Operand b);
  Operand widened(Operand vector, Part part, bool isF32);
  void narrowed(Operand to, Part part, Operand sums, bool isF32);
  Operand sumOfFloats(Operation& op, Part part, bool isF32);
  void multiplyBf16(Operation& op, Operand to, Part part);

  CoreState& state_;
  MachineFunction& function_;
  uint32_t block_ = 0;
  unsigned depth_ = 0;
  Location location_;
  bool failed_ = false;
  bool isInRow_ = false;  ///< in the body of an innermost loop of known length
  std::unordered_map<Value, Operand> values_;
  std::unordered_map<Value, Upper> upper_;
  std::unordered_map<Block*, uint32_t> blocks_;
  /// Of an scf.execute_region: the block behind it, and where its results go.
  struct Exit {
    uint32_t behind = 0;
    std::vector<Operand> results;
  };
  std::unordered_map<Operation*, Exit> exits_;

  // What the block under construction has in registers already.
  std::map<std::pair<RegClass, uint32_t>, Operand> constants_;
  std::map<std::pair<const void*, unsigned>, Operand> offsets_;
  std::map<std::pair<size_t, uint32_t>, Operand> splats_;  ///< by laneIndex and bits
  std::unordered_map<Value, Operand> copies_;              ///< rows of f32 in their other place
  /// Pieces of rows by their numbers, and what is left of a row before each piece.
  std::map<std::tuple<const void*, unsigned, unsigned>, Operand> pieces_;
  std::map<std::pair<const void*, unsigned>, Operand> rests_;
  std::map<std::pair<const void*, unsigned>, Operand> piecePlaces_;  ///< halves with one piece
  /// Of vectors that are only stored: the sums of each 32 bytes, which become narrow on the way.
  struct StoredSums {
    const AccessForms* forms = nullptr;
    std::vector<Operand> parts;
  };
  std::unordered_map<Value, StoredSums> storedSums_;
  /// Products of rows of i16, by their registers and the configuration.
  std::map<std::tuple<int32_t, int32_t, uint32_t>, Operand> shortProducts_;
  /// Of the loop whose body is selected.
  std::unordered_map<Operation*, SteppingAccess> stepping_;
  std::unordered_set<Operation*> unneeded_;  ///< ops of its body
};

/// Bits of an integer, float or index as registers have it.
unsigned widthOf(Type type);

}  // namespace airlite::npu::codegen
