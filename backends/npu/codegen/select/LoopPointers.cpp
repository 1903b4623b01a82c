#include "LoopPointers.hpp"

#include "Access.hpp"
#include "LateStores.hpp"
#include "LoopIndex.hpp"
#include "Queries.hpp"
#include "airlite/dialect/Aie.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace airlite::npu::codegen {

using isa::Form;

namespace {

/// Pointers that one loop may take: there are eight, and the code around it needs some.
constexpr size_t kMostPointers = 6;
/// What every form of an access of vectors with an immediate reaches.
constexpr int32_t kNear = 128;
/// Each access of a chain moves the pointer for the next one, so that no two of them issue in one
/// cycle: a chain has at most so many instructions, or this part of all accesses of the body.
constexpr int32_t kLongestChain = 16, kChainsOfBody = 4;

/// An access of the loop's body.
struct LoopAccess {
  Operation* op = nullptr;
  Value memref, index;
  bool stores = false, isVector = false;
  int32_t step = 0, bytes = 0;  ///< from one index to the next, and of the access
  int32_t partBytes = 0;        ///< of one of its instructions
  int32_t copies = 1;           ///< the same bytes are loaded so often
  size_t stream = 0;            ///< of accesses near each other that have pointers of their own
  IndexSum sum;

  int32_t offset() const { return static_cast<int32_t>(sum.constant) * step; }
  /// Instructions that it takes.
  int32_t parts() const { return copies * std::max(1, bytes / partBytes); }
  /// From one of these instructions to the next.
  int32_t partStep() const { return copies > 1 ? 0 : partBytes; }
  /// From the first of them to the last.
  int32_t lastPart() const { return (parts() - 1) * partStep(); }
  /// By what a pointer moves from the last of these instructions to `next`.
  int32_t stepTo(const LoopAccess& next) const { return next.offset() - offset() - lastPart(); }
};

/// The memory access that `op` is, without its sum.
std::optional<LoopAccess> accessOf(Operation& op, const Emitter& emitter) {
  LoopAccess access;
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
  access.partBytes =
      static_cast<int32_t>(partBytesOf(static_cast<unsigned>(access.bytes), emitter));
  if (isLoadedTwice(op)) access.copies = 2;
  return access;
}

/// Whether two lie at a known distance from each other.
bool isNear(const LoopAccess& a, const LoopAccess& b) {
  return a.memref == b.memref && a.step == b.step && a.sum.sameBut(b.sum);
}

/// Steps between every so many of these accesses that no immediate of AIE2P holds: multiples of the
/// bytes of an instruction, in four bits.
size_t farSteps(std::span<const LoopAccess* const> accesses, size_t every) {
  size_t count = 0;
  for (size_t i = every; i < accesses.size(); ++i) {
    const LoopAccess& from = *accesses[i - every];
    const int32_t step = from.stepTo(*accesses[i]) / from.partBytes;
    count += step < -8 || step > 7;
  }
  return count;
}

/// Two pointers in turn where each then moves by immediates, as two rows of tiles need them that a
/// body reads side by side. Others need registers for their steps, of which there are few.
void splitStreams(std::vector<LoopAccess>& accesses) {
  std::vector<bool> isSeen(accesses.size());
  for (size_t i = 0; i < accesses.size(); ++i) {
    if (isSeen[i] || !accesses[i].isVector) continue;
    std::vector<LoopAccess*> alike;
    for (size_t j = i; j < accesses.size(); ++j)
      if (accesses[j].isVector && accesses[j].stores == accesses[i].stores &&
          isNear(accesses[j], accesses[i])) {
        isSeen[j] = true;
        alike.push_back(&accesses[j]);
      }
    constexpr size_t kStreams = 2;
    const std::vector<const LoopAccess*> all(alike.begin(), alike.end());
    if (farSteps(all, kStreams) * 2 >= farSteps(all, 1)) continue;
    for (size_t j = 0; j < alike.size(); ++j)
      alike[j]->stream = j % kStreams;
  }
}

/// Accesses that one pointer serves, in the order of the program.
struct PointerGroup {
  std::vector<LoopAccess> accesses;

  const LoopAccess& last() const { return accesses.back(); }
  bool isNear(const LoopAccess& access) const { return codegen::isNear(access, last()); }
  /// Whether immediates reach all of them from the address of `access`: those of vectors count in what an instruction accesses,
  /// which is not the same for all (AIE2P has accesses of 32 and of 64 bytes).
  bool reaches(const LoopAccess& access) const {
    return std::ranges::all_of(accesses, [&](const LoopAccess& other) {
      int32_t distance = other.offset() - access.offset();
      return distance >= -kNear && distance + other.bytes <= kNear &&
             (!other.isVector || distance % other.partBytes == 0);
    });
  }
  int32_t parts() const {
    int32_t count = 0;
    for (const LoopAccess& access : accesses)
      count += access.parts();
    return count;
  }
};

/// Groups by pointer. Accesses that immediates do not reach form a chain: the pointer moves from
/// one to the next. A store, which comes late in a round, has no pointer in common with loads as far
/// as there are pointers: the loads of the next round would wait for it.
class Grouping {
 public:
  Grouping(std::vector<LoopAccess> accesses, bool splits) {
    if (splits) splitStreams(accesses);
    group(accesses);
    if (splits && groups_.size() > kMostPointers) {
      for (LoopAccess& access : accesses)
        access.stream = 0;
      groups_.clear();
      group(accesses);
    }
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
  void group(std::span<const LoopAccess> accesses) {
    int32_t parts = 0;
    for (const LoopAccess& access : accesses)
      parts += access.parts();
    // Of three chains, as products have that begin their sums, each may be a third.
    longestChain_ = INT32_MAX;
    addAll(accesses);
    const int32_t chains = groups_.size() == 3 ? 3 : kChainsOfBody;
    groups_.clear();
    longestChain_ = std::max(kLongestChain, parts / chains);
    addAll(accesses);
  }

  void addAll(std::span<const LoopAccess> accesses) {
    for (const LoopAccess& access : accesses)
      add(access);
  }

  void add(const LoopAccess& access) {
    auto fits = [&](const PointerGroup& g) {
      if (!g.isNear(access) || g.last().stream != access.stream) return false;
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
  const LoopAccess& start() const { return isChain_ ? group_.accesses.front() : group_.last(); }
  int64_t rowLength() const { return sum_.rowLength; }
  /// From a round to the next in rows: the way back to the first access is part of it.
  int64_t alongRow() const { return perRound_ + back(); }
  int64_t acrossRows() const { return perRow_ - perRound_ * (sum_.rowLength - 1) + back(); }

  LoopPlace placeOf(const LoopAccess& access, uint32_t number) const {
    LoopPlace place{number, access.offset(), static_cast<int32_t>(perRound_),
                    std::min(access.bytes, access.partBytes)};
    if (!sum_.rowLength) return place;
    place.rowLength = static_cast<int32_t>(sum_.rowLength);
    place.rowStep = static_cast<int32_t>(perRow_);
    return place;
  }

  /// What an access touches of a buffer at `base` in all rounds of a loop that begins at `lower`: all of it where their
  /// number is not known (0), or where that depends on more than the round.
  MemoryPlace placeOfAll(const LoopAccess& access, uint32_t base, int32_t lower,
                         int32_t rounds) const {
    const auto size = static_cast<uint32_t>(bytesOf(access.memref.type().cast<MemRefType>()));
    if (!access.sum.others.empty() || rounds == 0) return {false, base, base + size};
    const LoopPlace place = placeOf(access, 0);
    const int32_t first =
        access.offset() + static_cast<int32_t>(access.sum.perRound * lower) * access.step;
    int32_t least = 0, most = 0;
    for (int32_t round = 0; access.sum.moves() && round < rounds; ++round) {
      least = std::min(least, place.distance(round));
      most = std::max(most, place.distance(round));
    }
    return {false, base + static_cast<uint32_t>(first + least),
            base + static_cast<uint32_t>(first + most + access.bytes)};
  }

  /// By what the pointer moves after each part of access number `index`; nothing where it rests.
  std::vector<int32_t> stepsOf(size_t index) const {
    const LoopAccess& access = group_.accesses[index];
    const bool isLast = index + 1 == group_.accesses.size();
    if (!isChain_ && (!isLast || isInRows() || !perRound_)) return {};
    const int64_t next = !isLast      ? group_.accesses[index + 1].offset()
                         : isInRows() ? lastPart()
                                      : start().offset() + perRound_;
    std::vector<int32_t> steps(static_cast<size_t>(access.parts()), access.partStep());
    steps.back() = static_cast<int32_t>(next - access.offset()) - access.lastPart();
    return steps;
  }

 private:
  int64_t lastPart() const { return group_.last().offset() + group_.last().lastPart(); }
  int64_t back() const { return isChain_ ? start().offset() - lastPart() : 0; }

  const PointerGroup& group_;
  const IndexSum& sum_;
  int64_t perRound_, perRow_;
  bool isChain_;
};

/// Steps of the pointers in a loop for which not all slots of the accesses have an immediate.
struct RegisterSteps {
  std::set<int32_t> needed;             // there is none at all
  std::map<int32_t, size_t> preferred;  // the first load slot has one; how many loads take it
  size_t rows = 0;                      // registers that steps at the ends of rows take
};

const AccessForms& formsOf(const LoopAccess& access, const Emitter& emitter) {
  const auto bytes = static_cast<unsigned>(access.bytes);
  if (access.stores) return vectorStore(emitter, bytes);
  return isSum(loadedAs(*access.op)) ? sumLoad(emitter) : vectorLoad(emitter, bytes);
}

RegisterSteps registerStepsOf(const Grouping& grouping, int64_t loopStep, const Emitter& emitter) {
  RegisterSteps found;
  for (const PointerGroup& group : grouping.groups()) {
    const Movement movement(group, loopStep);
    if (!movement.isWorthAPointer()) continue;
    found.rows += movement.isInRows();
    for (size_t i = 0; i < group.accesses.size(); ++i) {
      if (!group.accesses[i].isVector) continue;
      const AccessForms& forms = formsOf(group.accesses[i], emitter);
      for (int32_t step : movement.stepsOf(i)) {
        if (!hasStep(forms, step, true))
          found.needed.insert(step);
        else if (!hasStep(forms, step, false))
          ++found.preferred[step];
      }
    }
  }
  return found;
}

/// The steps that get registers: with these, loads may issue in both slots. The most frequent ones first, where there
/// are more than registers beside those for rows.
std::set<int32_t> stepsInRegisters(const Grouping& grouping, int64_t loopStep,
                                   const Emitter& emitter) {
  constexpr size_t kStepRegisters = 8;
  const RegisterSteps steps = registerStepsOf(grouping, loopStep, emitter);
  std::set<int32_t> chosen = steps.needed;
  std::vector<std::pair<int32_t, size_t>> others(steps.preferred.begin(), steps.preferred.end());
  std::ranges::stable_sort(others, std::greater<>(), &std::pair<int32_t, size_t>::second);
  for (const auto& [step, count] : others)
    if (chosen.size() + steps.rows < kStepRegisters) chosen.insert(step);
  return chosen;
}

/// Whether an access takes immediates of the first load slot alone.
bool hasFarSteps(const LoopAccess& access, std::span<const int32_t> steps,
                 const std::set<int32_t>& inRegisters, const Emitter& emitter) {
  if (!access.isVector) return false;
  const AccessForms& forms = formsOf(access, emitter);
  return std::ranges::any_of(steps, [&](int32_t step) {
    return !inRegisters.contains(step) && !hasStep(forms, step, false);
  });
}

/// Divisions are not in general, because of the divisor 0.
bool onlyComputes(Operation& op) {
  const bool divides = op.is("arith.divui") || op.is("arith.remui");
  return op.hasTrait(Trait::Pure) || (divides && constantIntOf(op.operand(1)).value_or(0) != 0);
}

}  // namespace

void LoopPointers::plan(Operation& op) {
  scf::ForOp loop(&op);
  auto lower = constantBits(loop.lowerBound()), step = constantBits(loop.step()),
       upper = constantBits(loop.upperBound());
  if (!lower || !step) return;
  const bool isCounted = upper && *step > 0 && *upper > *lower;
  const int32_t rounds = isCounted ? (*upper - *lower + *step - 1) / *step : 0;
  std::vector<LoopAccess> accesses;
  for (Operation& inner : loop.body().ops()) {
    if (inner.numRegions()) return;
    auto access = accessOf(inner, emitter_);
    auto sum = access ? readIndex(loop, access->index) : std::nullopt;
    if (!sum) continue;
    access->sum = std::move(*sum);
    accesses.push_back(std::move(*access));
  }
  const Grouping grouping(std::move(accesses), !emitter_.isAie2());
  std::set<int32_t> inRegisters;
  if (emitter_.isAie2()) inRegisters = stepsInRegisters(grouping, *step, emitter_);
  size_t pointers = 0;
  for (const PointerGroup& group : grouping.groups()) {
    Movement movement(group, *step);
    if (!movement.isWorthAPointer()) continue;
    if (pointers++ == kMostPointers) return findUnneeded(loop.body());
    // In rows the pointer is moved when a round begins, for the first time as if a row had ended.
    const LoopAccess& start = movement.start();
    const Operand pointer =
        startPointer(start.memref, start.sum.others, static_cast<unsigned>(start.step),
                     start.offset() + start.sum.perRound * *lower * start.step -
                         (movement.isInRows() ? movement.acrossRows() : 0));
    for (size_t i = 0; i < group.accesses.size(); ++i) {
      const LoopAccess& access = group.accesses[i];
      SteppingAccess& stepping = stepping_[access.op];
      stepping.pointer = pointer;
      stepping.inLoop = movement.placeOf(access, grouping.numberOf(group));
      if (auto base = values_.addressOf(access.memref))
        stepping.place = movement.placeOfAll(access, *base, *lower, rounds);
      stepping.offset = access.offset() - group.last().offset();
      stepping.isSure = access.isVector || stepping.offset == 0;
      stepping.steps = movement.stepsOf(i);
      stepping.hasFarSteps =
          emitter_.isAie2() && hasFarSteps(access, stepping.steps, inRegisters, emitter_);
    }
    if (movement.isInRows())
      stepping_[group.accesses.front().op].rowSteps =
          rowSteps(movement.alongRow(), movement.acrossRows(), movement.rowLength());
  }
  findUnneeded(loop.body());
}

void LoopPointers::clear() {
  stepping_.clear();
  unneeded_.clear();
}

const SteppingAccess* LoopPointers::find(Operation& access) const {
  auto found = stepping_.find(&access);
  return found == stepping_.end() ? nullptr : &found->second;
}

/// Index arithmetic that only accesses read which have pointers: divisions above all are dear.
void LoopPointers::findUnneeded(Block& body) {
  std::vector<Operation*> ops;
  for (Operation& op : body.ops())
    ops.push_back(&op);
  for (size_t i = ops.size(); i-- > 0;) {
    Operation& op = *ops[i];
    if (op.numResults() != 1 || !onlyComputes(op) || !op.result().hasUses()) continue;
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
Operand LoopPointers::rowSteps(int64_t along, int64_t across, int64_t length) {
  Operand steps = emitter_.fresh(RegClass::Dimension);
  const std::array<std::pair<Part, int64_t>, 4> parts = {{{Part::Quarter0, across},
                                                          {Part::Quarter1, length - 1},
                                                          {Part::Quarter2, along},
                                                          {Part::Quarter3, length - 1}}};
  for (auto [part, value] : parts) {
    Operand to = steps;
    to.part = part;
    emitter_.emit(Form::MOVXM_lng_cg, {to, Operand::imm(value)});
  }
  return steps;
}

/// A new pointer to `memref` + `offset` bytes + the sum of index values.
Operand LoopPointers::startPointer(Value memref, std::span<const std::pair<Value, int64_t>> sum,
                                   unsigned step, int64_t offset) {
  Operand pointer = emitter_.fresh(RegClass::Pointer);
  auto base = values_.addressOf(memref);
  if (base && sum.empty()) {
    emitter_.setConstant(pointer, static_cast<uint32_t>(*base + offset) & 0xfffff);
    return pointer;
  }
  Operand total;
  if (base) {
    total = emitter_.constant(static_cast<uint32_t>(*base + offset));
  } else {
    total = emitter_.fresh();
    emitter_.copy(total, values_.reg(memref), RegClass::Gpr);
    if (offset)
      total = emitter_.compute(Form::ADD, total, emitter_.constant(static_cast<uint32_t>(offset)));
  }
  for (auto [value, times] : sum)
    total =
        emitter_.compute(Form::ADD, total, multiple(value, static_cast<uint32_t>(times * step)));
  emitter_.copy(pointer, total, RegClass::Pointer);
  return pointer;
}

Operand LoopPointers::multiple(Value value, uint32_t factor) {
  Operand term = values_.reg(value);
  if (factor == 1) return term;
  if (!std::has_single_bit(factor))
    return emitter_.compute(Form::MUL_mul_r_rr, term, emitter_.constant(factor));
  const auto shift = static_cast<uint32_t>(std::countr_zero(factor));
  return emitter_.compute(Form::LSHL, term, emitter_.constant(shift));
}

void LoopPointers::stepToRound(Operation& op) {
  auto access = stepping_.find(&op);
  if (access != stepping_.end() && access->second.rowSteps.isVirtual())
    emitter_.emit(Form::PADDS_2D, {access->second.pointer, access->second.rowSteps});
}

}  // namespace airlite::npu::codegen
