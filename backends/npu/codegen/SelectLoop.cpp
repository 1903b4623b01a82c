// Addresses in the bodies of innermost loops: accesses that move by the same number of bytes from
// round to round go through a pointer that steps with the loop, and not through an index that is
// multiplied and added in each round.
#include "Select.hpp"
#include "airlite/dialect/Aie.hpp"
#include "airlite/dialect/Arith.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace airlite::npu::codegen {

using isa::Form;

namespace {

/// Pointers that one loop may take: there are eight, and the code around it needs some.
constexpr size_t kMostPointers = 6;
/// What every form of an access of vectors with an immediate reaches.
constexpr int32_t kNear = 128;
/// Of an instruction that accesses vectors.
constexpr int32_t kPartBytes = 32;
/// Each access of a chain moves the pointer for the next one, so that no two of them issue in one
/// cycle: a chain has at most so many instructions, or this part of all accesses of the body.
constexpr int32_t kLongestChain = 16, kChainsOfBody = 4;

/// An index as perRound * i + constant + the sum of value * factor, `i` being the loop's variable;
/// with a row length, as perRound * (i mod length) + perRow * (i div length) + ...
struct IndexSum {
  int64_t perRound = 0, constant = 0;
  int64_t perRow = 0, rowLength = 0;
  std::vector<std::pair<Value, int64_t>> others;

  /// False when the rows of the two have different lengths.
  bool add(IndexSum sum, int64_t factor) {
    if (!rowLength) setRows(sum.rowLength);
    sum.setRows(rowLength);
    if (sum.rowLength != rowLength) return false;
    perRound += sum.perRound * factor;
    perRow += sum.perRow * factor;
    constant += sum.constant * factor;
    for (auto [value, times] : sum.others)
      addOther(value, times * factor);
    return true;
  }
  /// The same with rows of this length, where it has none.
  void setRows(int64_t length) {
    if (rowLength || !length) return;
    rowLength = length;
    perRow = perRound * length;
  }
  bool moves() const { return perRound || perRow; }
  void addOther(Value value, int64_t times) {
    auto found = std::ranges::find(others, value, &std::pair<Value, int64_t>::first);
    if (found == others.end()) {
      others.emplace_back(value, times);
    } else if (!(found->second += times)) {
      others.erase(found);
    }
  }
  bool sameBut(const IndexSum& sum) const {
    return perRound == sum.perRound && perRow == sum.perRow && rowLength == sum.rowLength &&
           others == sum.others;
  }
};

class IndexReader {
 public:
  IndexReader(scf::ForOp loop) : loop_(loop) {}

  /// None for an index that is computed otherwise.
  std::optional<IndexSum> read(Value index) const {
    if (index == loop_.inductionVar()) return IndexSum{1, 0, 0, 0, {}};
    if (auto number = constantIntOf(index)) return IndexSum{0, *number, 0, 0, {}};
    Operation* op = index.definingOp();
    if (index.parentBlock() != &loop_.body()) return readOutside(index);
    return op && widthOf(index.type()) == 32 ? readOp(*op) : std::nullopt;
  }

 private:
  std::optional<IndexSum> readOp(Operation& op) const {
    if (op.is("arith.index_cast") && widthOf(op.operand(0).type()) == 32)
      return read(op.operand(0));
    if (op.is("arith.divui") || op.is("arith.remui")) return readRow(op);
    bool adds = op.is("arith.addi"), subtracts = op.is("arith.subi"),
         multiplies = op.is("arith.muli");
    if (!adds && !subtracts && !multiplies && !op.is("arith.shli")) return std::nullopt;
    auto a = read(op.operand(0)), b = read(op.operand(1));
    if (!a || !b) return std::nullopt;
    if (adds || subtracts) return a->add(*b, adds ? 1 : -1) ? a : std::nullopt;
    if (multiplies && isNumber(*a)) std::swap(a, b);
    if (!isNumber(*b) || (!multiplies && (b->constant < 0 || b->constant > 20)))
      return std::nullopt;
    IndexSum product;
    product.add(*a, multiplies ? b->constant : int64_t{1} << b->constant);
    return product;
  }
  /// The row of a round, or its place in the row.
  std::optional<IndexSum> readRow(Operation& op) const {
    auto length = constantIntOf(op.operand(1));
    if (op.operand(0) != loop_.inductionVar() || !length || *length < 2 || !countsRounds())
      return std::nullopt;
    return op.is("arith.remui") ? IndexSum{1, 0, 0, *length, {}} : IndexSum{0, 0, 1, *length, {}};
  }
  bool countsRounds() const {
    return constantIntOf(loop_.lowerBound()) == 0 && constantIntOf(loop_.step()) == 1;
  }
  /// Sums with constants have been moved out of the loop, too.
  static IndexSum readOutside(Value index) {
    IndexSum sum;
    for (Operation* op = index.definingOp(); op && op->is("arith.addi"); op = index.definingOp()) {
      auto number = constantIntOf(op->operand(1));
      if (!number) break;
      sum.constant += *number;
      index = op->operand(0);
    }
    sum.addOther(index, 1);
    return sum;
  }
  static bool isNumber(const IndexSum& sum) { return !sum.moves() && sum.others.empty(); }

  scf::ForOp loop_;
};

/// An access of the loop's body.
struct Access {
  Operation* op = nullptr;
  Value memref, index;
  bool stores = false, isVector = false;
  int32_t step = 0, bytes = 0;  ///< from one index to the next, and of the access
  IndexSum sum;

  int32_t offset() const { return static_cast<int32_t>(sum.constant) * step; }
  /// Instructions that it takes: 32 bytes each.
  int32_t parts() const { return std::max(1, bytes / kPartBytes); }
};

/// The memory access that `op` is, without its sum.
std::optional<Access> accessOf(Operation& op) {
  Access access;
  access.op = &op;
  access.stores = op.is("memref.store") || op.is("vector.store");
  if (!access.stores && !op.is("memref.load") && !op.is("vector.load")) return std::nullopt;
  const unsigned first = access.stores ? 1 : 0;
  if (op.numOperands() != first + 2) return std::nullopt;
  auto type = op.operand(first).type().dynCast<MemRefType>();
  if (!type || type.rank() != 1 || !type.hasIdentityLayout()) return std::nullopt;
  auto step = aie::elementBytes(type.elementType());
  Type value = access.stores ? op.operand(0).type() : op.result().type();
  auto vector = value.dynCast<VectorType>();
  int64_t bits = vector ? vector.numElements() * vector.elementType().bitWidth() : widthOf(value);
  if (!step || *step <= 0 || bits < 8) return std::nullopt;
  access.memref = op.operand(first);
  access.index = op.operand(first + 1);
  access.isVector = vector != VectorType();
  access.step = static_cast<int32_t>(*step);
  access.bytes = static_cast<int32_t>(bits / 8);
  return access;
}

/// Accesses that one pointer serves, in the order of the program.
struct PointerGroup {
  std::vector<Access> accesses;

  const Access& last() const { return accesses.back(); }
  bool isNear(const Access& access) const {
    return access.memref == last().memref && access.step == last().step &&
           access.sum.sameBut(last().sum);
  }
  /// Whether immediates reach all of them from the address of `access`.
  bool reaches(const Access& access) const {
    return std::ranges::all_of(accesses, [&](const Access& other) {
      int32_t distance = other.offset() - access.offset();
      return distance >= -kNear && distance + other.bytes <= kNear;
    });
  }
  int32_t parts() const {
    int32_t count = 0;
    for (const Access& access : accesses)
      count += access.parts();
    return count;
  }
};

/// Groups by pointer. Accesses that immediates do not reach form a chain: the pointer moves from
/// one to the next. A store, which comes late in a round, has no pointer in common with loads as far
/// as there are pointers: the loads of the next round would wait for it.
class Grouping {
 public:
  explicit Grouping(std::span<const Access> accesses) {
    group(accesses);
    if (groups_.size() <= kMostPointers) return;
    sharesPointers_ = true;
    groups_.clear();
    group(accesses);
  }

  const std::vector<PointerGroup>& groups() const { return groups_; }
  /// Groups whose accesses lie at known distances have the same number, that of the first.
  uint32_t numberOf(const PointerGroup& group) const {
    auto first = std::ranges::find_if(
        groups_, [&](const PointerGroup& other) { return other.isNear(group.last()); });
    return static_cast<uint32_t>(first - groups_.begin()) + 1;
  }

 private:
  void group(std::span<const Access> accesses) {
    int32_t parts = 0;
    for (const Access& access : accesses)
      parts += access.parts();
    longestChain_ = std::max(kLongestChain, parts / kChainsOfBody);
    for (const Access& access : accesses)
      add(access);
  }

  void add(const Access& access) {
    auto fits = [&](const PointerGroup& g) {
      if (!g.isNear(access)) return false;
      const bool isAlike = access.stores == g.last().stores;
      if (!isAlike && !sharesPointers_) return false;
      return g.reaches(access) ||
             (access.isVector && g.last().isVector && isAlike && g.parts() < longestChain_);
    };
    auto group = std::ranges::find_if(groups_, fits);
    if (group == groups_.end()) group = groups_.insert(group, PointerGroup{});
    group->accesses.push_back(access);
  }

  int32_t longestChain_ = 0;
  bool sharesPointers_ = false;
  std::vector<PointerGroup> groups_;
};

/// How the pointer of a group moves through the rounds of a loop, in bytes.
class Movement {
 public:
  Movement(const PointerGroup& group, int64_t loopStep)
      : group_(group),
        sum_(group.last().sum),
        perRound_(sum_.perRound * loopStep * group.last().step),
        perRow_(sum_.perRow * group.last().step),
        isChain_(!group.reaches(group.last())) {}

  /// What stays where it is needs a pointer of its own only where there is much of it.
  bool isWorthAPointer() const { return sum_.moves() || isChain_; }
  /// A step that differs at the end of a row is taken by an instruction of its own.
  bool isInRows() const { return sum_.rowLength && perRow_ != perRound_ * sum_.rowLength; }
  /// In a chain each access has the pointer at its own place, else all have that of the last one.
  const Access& start() const { return isChain_ ? group_.accesses.front() : group_.last(); }
  int64_t rowLength() const { return sum_.rowLength; }
  /// From a round to the next in rows: the way back to the first access is part of it.
  int64_t alongRow() const { return perRound_ + back(); }
  int64_t acrossRows() const { return perRow_ - perRound_ * (sum_.rowLength - 1) + back(); }

  LoopPlace placeOf(const Access& access, uint32_t number) const {
    LoopPlace place{number, access.offset(), static_cast<int32_t>(perRound_),
                    std::min(access.bytes, kPartBytes)};
    if (!sum_.rowLength) return place;
    place.rowLength = static_cast<int32_t>(sum_.rowLength);
    place.rowStep = static_cast<int32_t>(perRow_);
    return place;
  }

  /// By what the pointer moves after each part of access number `index`; nothing where it rests.
  std::vector<int32_t> stepsOf(size_t index) const {
    const Access& access = group_.accesses[index];
    const bool isLast = index + 1 == group_.accesses.size();
    if (!isChain_ && (!isLast || isInRows() || !perRound_)) return {};
    const int64_t next = !isLast      ? group_.accesses[index + 1].offset()
                         : isInRows() ? lastPart()
                                      : start().offset() + perRound_;
    std::vector<int32_t> steps(static_cast<size_t>(access.parts()), kPartBytes);
    steps.back() = static_cast<int32_t>(next - access.offset()) - (access.parts() - 1) * kPartBytes;
    return steps;
  }

 private:
  int64_t lastPart() const {
    return group_.last().offset() + (group_.last().parts() - 1) * kPartBytes;
  }
  int64_t back() const { return isChain_ ? start().offset() - lastPart() : 0; }

  const PointerGroup& group_;
  const IndexSum& sum_;
  int64_t perRound_, perRow_;
  bool isChain_;
};

}  // namespace

void Selector::planPointers(Operation& op) {
  scf::ForOp loop(&op);
  auto lower = constantOf(loop.lowerBound()), step = constantOf(loop.step());
  if (!lower || !step) return;
  std::vector<Access> accesses;
  IndexReader reader(loop);
  for (Operation& inner : loop.body().ops()) {
    if (inner.numRegions()) return;
    auto access = accessOf(inner);
    auto sum = access ? reader.read(access->index) : std::nullopt;
    if (!sum) continue;
    access->sum = std::move(*sum);
    accesses.push_back(std::move(*access));
  }
  const Grouping grouping(accesses);
  size_t pointers = 0;
  for (const PointerGroup& group : grouping.groups()) {
    Movement movement(group, *step);
    if (!movement.isWorthAPointer()) continue;
    if (pointers++ == kMostPointers) return findUnneeded(loop.body());
    // In rows the pointer is moved when a round begins, for the first time as if a row had ended.
    const Access& start = movement.start();
    const Operand pointer =
        startPointer(start.memref, start.sum.others, static_cast<unsigned>(start.step),
                     start.offset() + start.sum.perRound * *lower * start.step -
                         (movement.isInRows() ? movement.acrossRows() : 0));
    for (size_t i = 0; i < group.accesses.size(); ++i) {
      const Access& access = group.accesses[i];
      SteppingAccess& stepping = stepping_[access.op];
      stepping.pointer = pointer;
      stepping.inLoop = movement.placeOf(access, grouping.numberOf(group));
      stepping.offset = access.offset() - group.last().offset();
      stepping.isSure = access.isVector || stepping.offset == 0;
      stepping.steps = movement.stepsOf(i);
    }
    if (movement.isInRows())
      stepping_[group.accesses.front().op].rowSteps =
          rowSteps(movement.alongRow(), movement.acrossRows(), movement.rowLength());
  }
  findUnneeded(loop.body());
}

/// Index arithmetic that only accesses read which have pointers: divisions above all are dear.
void Selector::findUnneeded(Block& body) {
  std::vector<Operation*> ops;
  for (Operation& op : body.ops())
    ops.push_back(&op);
  for (size_t i = ops.size(); i-- > 0;) {
    Operation& op = *ops[i];
    if (op.numResults() != 1 || !op.hasTrait(Trait::Pure) || !op.result().hasUses()) continue;
    auto isUnneeded = [&](OpOperand& use) {
      if (unneeded_.contains(use.owner())) return true;
      auto access = stepping_.find(use.owner());
      return access != stepping_.end() && access->second.isSure &&
             use.index() + 1 == use.owner()->numOperands();
    };
    if (std::ranges::all_of(op.result().uses(), isUnneeded)) unneeded_.insert(&op);
  }
}

/// A register that moves a pointer by `along` in a row of rounds, and by `across` at its end.
Operand Selector::rowSteps(int64_t along, int64_t across, int64_t length) {
  Operand steps = fresh(RegClass::Dimension);
  const std::array<std::pair<Part, int64_t>, 4> parts = {{{Part::Quarter0, across},
                                                          {Part::Quarter1, length - 1},
                                                          {Part::Quarter2, along},
                                                          {Part::Quarter3, length - 1}}};
  for (auto [part, value] : parts) {
    Operand to = steps;
    to.part = part;
    emit(Form::MOVXM_lng_cg, {to, Operand::imm(value)});
  }
  return steps;
}

/// A new pointer to `memref` + `offset` bytes + the sum of index values.
Operand Selector::startPointer(Value memref, std::span<const std::pair<Value, int64_t>> sum,
                               unsigned step, int64_t offset) {
  Operand pointer = fresh(RegClass::Pointer);
  auto base = addressOf(memref);
  if (base && sum.empty()) {
    setConstant(pointer, static_cast<uint32_t>(*base + offset) & 0xfffff);
    return pointer;
  }
  Operand total;
  if (base) {
    total = constant(static_cast<uint32_t>(*base + offset));
  } else {
    total = fresh();
    copy(total, reg(memref), RegClass::Gpr);
    if (offset) total = compute(Form::ADD, total, constant(static_cast<uint32_t>(offset)));
  }
  for (auto [value, times] : sum) {
    Operand term = reg(value);
    auto factor = static_cast<uint32_t>(times * step);
    if (std::has_single_bit(factor)) {
      if (factor > 1)
        term = compute(Form::LSHL, term, constant(static_cast<uint32_t>(std::countr_zero(factor))));
    } else {
      term = compute(Form::MUL_mul_r_rr, term, constant(factor));
    }
    total = compute(Form::ADD, total, term);
  }
  copy(pointer, total, RegClass::Pointer);
  return pointer;
}

/// Before the first access of a round by its pointer.
void Selector::stepToRound(Operation& op) {
  auto access = stepping_.find(&op);
  if (access != stepping_.end() && access->second.rowSteps.isVirtual())
    emit(Form::PADDS_2D, {access->second.pointer, access->second.rowSteps});
}

}  // namespace airlite::npu::codegen
