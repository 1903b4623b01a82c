#include "SoftwarePipeline.hpp"

#include "Dependences.hpp"
#include "Liveness.hpp"
#include "LongLives.hpp"
#include "ShareRegisters.hpp"
#include "TwoRounds.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace airlite::npu::codegen {

using isa::Form;
using isa::Reg;
using Kind = Terminator::Kind;

namespace {

/// Larger bodies would take seconds to schedule, and have little to gain.
constexpr size_t kLargestBody = 400;
/// Fewer rounds gain nothing by going two at a time.
constexpr uint32_t kLeastPaired = 6;
/// Nor do two rounds with more instructions each, which take long to schedule.
constexpr size_t kLargestPaired = 48;
/// Registers that constant lanes have at least, all through a loop.
constexpr int kLeastConstants = 2;
/// Of so many values of a round one or another is alive at a time.
constexpr int kValuesPerRegister = 3;
/// Bundles from one that sets ls, le or lc to the last of the loop (rules.zol of the instruction
/// set: 112 bytes, and all bundles on the way have 16).
constexpr int kSetupDistance = 7;

void rename(MachineInst& inst, uint32_t from, uint32_t to) {
  for (Operand& operand : inst.ops())
    if (operand.isVirtual() && static_cast<uint32_t>(operand.number) == from)
      operand.number = static_cast<int32_t>(to);
}

/// What stands before a loop and may stand in it as well.
struct Hoisted {
  /// Loads of constants.
  std::vector<MachineInst> constants;
  /// What computes vectors from outside, but for those that registers are left for.
  std::vector<MachineInst> vectors;
};

/// Makes the body of one loop ready for scheduling.
class BodyPreparation {
 public:
  BodyPreparation(MachineFunction& function, uint32_t number, uint32_t before, LiveSet liveAfter)
      : function_(function),
        body_(function.blocks[number].instructions),
        before_(function.blocks[before].instructions),
        liveAfter_(std::move(liveAfter)) {}

  Hoisted run() {
    mergeCopies();
    removeUnused();
    Hoisted hoisted;
    hoisted.vectors = hoistInvariants();
    hoisted.constants = hoistConstants();
    return hoisted;
  }

 private:
  size_t countWrites(uint32_t reg) const {
    return static_cast<size_t>(
        std::ranges::count_if(body_, [&](const MachineInst& inst) { return writes(inst, reg); }));
  }

  /// `copy = value` at the end of a round: the value is computed in its register at once, when
  /// nothing reads the old one in between.
  void mergeCopies() {
    for (size_t i = body_.size(); i-- > 0;) {
      const MachineInst& copy = body_[i];
      if (!isCopy(copy) || !copy.operands[0].isVirtual() || !copy.operands[1].isVirtual()) continue;
      auto to = static_cast<uint32_t>(copy.operands[0].number);
      auto from = static_cast<uint32_t>(copy.operands[1].number);
      if (function_.registers[to] != function_.registers[from] ||
          copy.operands[0].part != Part::Whole)
        continue;
      if (!canMerge(i, to, from)) continue;
      body_.erase(body_.begin() + static_cast<ptrdiff_t>(i));
      for (MachineInst& inst : body_)
        rename(inst, from, to);
    }
  }

  bool canMerge(size_t at, uint32_t to, uint32_t from) const {
    if (liveAfter_.has(from) || countWrites(to) != 1) return false;
    size_t first = body_.size();
    for (size_t i = 0; i < body_.size(); ++i)
      if (writes(body_[i], from)) first = std::min(first, i);
    if (first >= at) return false;
    // Written before it is read in each round, so that nothing comes from the round before.
    for (size_t i = 0; i <= first; ++i)
      if (reads(body_[i], from)) return false;
    for (size_t i = first + 1; i < body_.size(); ++i)
      if (i != at && (reads(body_[i], to) || (i > at && writes(body_[i], from)))) return false;
    return true;
  }

  /// The counting of the loop, which the machine does, and all else that nothing reads but itself.
  void removeUnused() {
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t i = body_.size(); i-- > 0;)
        if (isUnused(i)) {
          body_.erase(body_.begin() + static_cast<ptrdiff_t>(i));
          changed = true;
        }
    }
  }

  bool isUnused(size_t at) const {
    const MachineInst& inst = body_[at];
    if (!isRemovable(inst)) return false;
    for (unsigned i = 0; i < inst.operandCount; ++i) {
      if (!inst.operands[i].isVirtual() || !useOf(inst.form, i).isDef) continue;
      auto reg = static_cast<uint32_t>(inst.operands[i].number);
      if (liveAfter_.has(reg)) return false;
      for (size_t other = 0; other < body_.size(); ++other)
        if (other != at && reads(body_[other], reg)) return false;
    }
    return true;
  }

  /// What gives the same in each round is computed once, in front of the loop. Returns Hoisted::vectors.
  std::vector<MachineInst> hoistInvariants() {
    std::vector<MachineInst> vectors;
    int room = roomForConstants(RegClass::Vector);
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t i = 0; i < body_.size(); ++i) {
        const std::vector<size_t> all = withOtherParts(i);
        if (!std::ranges::all_of(all, [&](size_t at) { return isInvariant(at); })) continue;
        if (all.size() == 1 && makesVector(body_[i]) && room-- <= 0) vectors.push_back(body_[i]);
        for (size_t at : all)
          before_.push_back(body_[at]);
        for (size_t n = all.size(); n-- > 0;)
          body_.erase(body_.begin() + static_cast<ptrdiff_t>(all[n]));
        changed = true;
        --i;
      }
    }
    return vectors;
  }

  bool makesVector(const MachineInst& inst) const {
    return inst.operandCount && inst.operands[0].isVirtual() && useOf(inst.form, 0).isDef &&
           function_.registers[static_cast<size_t>(inst.operands[0].number)] == RegClass::Vector;
  }

  /// An instruction, and those that write other parts of its result.
  std::vector<size_t> withOtherParts(size_t at) const {
    const MachineInst& inst = body_[at];
    if (!inst.operandCount || !inst.operands[0].isVirtual() ||
        inst.operands[0].part == Part::Whole || !useOf(inst.form, 0).isDef)
      return {at};
    std::vector<size_t> all;
    for (size_t i = 0; i < body_.size(); ++i)
      if (writes(body_[i], static_cast<uint32_t>(inst.operands[0].number))) all.push_back(i);
    return all;
  }

  bool isInvariant(size_t at) const {
    const MachineInst& inst = body_[at];
    if (setsControl(inst)) return isOnlySetting(at);
    if (!isRemovable(inst) || inst.row().touchesMemory()) return false;
    for (unsigned i = 0; i < inst.operandCount; ++i) {
      const Operand& operand = inst.operands[i];
      if (operand.isPhysical() || operand.kind == Operand::Kind::Slot) return false;
      if (!operand.isVirtual()) continue;
      auto reg = static_cast<uint32_t>(operand.number);
      OperandUse use = useOf(inst.form, i);
      if (use.isUse && (use.isDef || countWrites(reg))) return false;
      if (use.isDef && !isWrittenAnew(reg, operand.part)) return false;
    }
    for (const isa::OperandRow& op : inst.row().ops())
      if (op.kind == isa::OperandKind::Fixed) return false;
    const auto uses = std::span(inst.row().implicitUses).first(inst.row().implicitUseCount);
    return std::ranges::none_of(uses, [&](isa::Reg reg) { return isSet(reg); });
  }

  /// Is each part of the register written once in a round, the low one first, and read after that?
  bool isWrittenAnew(uint32_t reg, Part part) const {
    size_t count = 0, first = body_.size();
    for (size_t i = 0; i < body_.size(); ++i) {
      if (!writes(body_[i], reg)) continue;
      first = std::min(first, i);
      count += body_[i].operands[0].part == part;
    }
    return count == 1 && !isReadBefore(first, reg) &&
           (part != Part::Whole || countWrites(reg) == 1);
  }

  /// Does the body write a register of the machine?
  bool isSet(isa::Reg reg) const {
    return std::ranges::any_of(body_, [&](const MachineInst& inst) {
      for (unsigned i = 0; i < inst.operandCount; ++i)
        if (inst.operands[i] == Operand::of(reg) && useOf(inst.form, i).isDef) return true;
      return false;
    });
  }

  /// Constant lanes are loaded once as far as there are registers for them, else in each round.
  std::vector<MachineInst> hoistConstants() {
    std::vector<MachineInst> hoisted;
    std::map<RegClass, int> room = {
        {RegClass::Vector, roomForConstants(RegClass::Vector)},
        {RegClass::HalfAccumulator, roomForConstants(RegClass::HalfAccumulator)}};
    const std::set<int32_t> carried = carriedConstants();
    std::map<int32_t, bool> isHoisted;
    std::erase_if(body_, [&](const MachineInst& inst) {
      if (!inst.isConstant || !pointerIsInvariant(inst)) return false;
      const Operand& to = inst.operands[0];
      if (carried.contains(to.number)) return false;
      auto [found, isNew] = isHoisted.try_emplace(to.number);
      if (isNew) found->second = room[function_.registers[static_cast<size_t>(to.number)]]-- > 0;
      if (found->second) hoisted.push_back(inst);
      return found->second;
    });
    before_.insert(before_.end(), hoisted.begin(), hoisted.end());
    return hoisted;
  }

  /// Constants that a round reads before it writes them: the first round finds another value there.
  std::set<int32_t> carriedConstants() const {
    std::set<int32_t> carried;
    for (size_t i = body_.size(); i-- > 0;)  // ends with the first write
      if (body_[i].isConstant) {
        const int32_t number = body_[i].operands[0].number;
        carried.erase(number);
        if (isReadBefore(i, static_cast<uint32_t>(number))) carried.insert(number);
      }
    return carried;
  }

  /// Registers that the other values of a round leave free.
  int roomForConstants(RegClass regClass) const {
    std::set<int32_t> values;
    for (const MachineInst& inst : body_)
      for (const Operand& operand : inst.ops())
        if (!inst.isConstant && operand.isVirtual() &&
            function_.registers[static_cast<size_t>(operand.number)] == regClass)
          values.insert(operand.number);
    const auto all = static_cast<int>(registersOf(regClass, *function_.set).size());
    const int ofRound = static_cast<int>(values.size()) / kValuesPerRegister;
    const bool isScarce = function_.set != &isa::aie2() && regClass == RegClass::HalfAccumulator;
    return std::max(isScarce ? 0 : kLeastConstants, all - ofRound);
  }

  bool pointerIsInvariant(const MachineInst& load) const {
    return std::ranges::all_of(load.ops().subspan(1), [&](const Operand& operand) {
      return !operand.isVirtual() || countWrites(static_cast<uint32_t>(operand.number)) == 0;
    });
  }

  bool isReadBefore(size_t at, uint32_t reg) const {
    for (size_t i = 0; i <= at; ++i)
      if (reads(body_[i], reg)) return true;
    return false;
  }

  /// A constant into a control register, or into one that holds a shift.
  static bool setsControl(const MachineInst& inst) {
    const bool isMove = inst.form == Form::MOV_mv_cg || inst.form == Form::P_MOV_alu_mv_mv_mv_cg;
    return isMove && inst.operands[0].isPhysical() &&
           (row(inst.operands[0].physical()).kind == isa::RegKind::Control ||
            row(inst.operands[0].physical()).kind == isa::RegKind::Shift) &&
           inst.operands[1].kind == Operand::Kind::Immediate;
  }
  bool isOnlySetting(size_t at) const {
    for (const MachineInst& inst : body_) {
      if (setsControl(inst) && inst.operands[0] == body_[at].operands[0] &&
          inst.operands[1] != body_[at].operands[1])
        return false;
      if (setsControl(inst)) continue;
      for (unsigned i = 0; i < inst.operandCount; ++i)
        if (inst.operands[i] == body_[at].operands[0] && useOf(inst.form, i).isDef) return false;
    }
    return true;
  }

  MachineFunction& function_;
  std::vector<MachineInst>& body_;
  std::vector<MachineInst>& before_;
  LiveSet liveAfter_;
};

class Pipeliner {
 public:
  Pipeliner(MachineFunction& function, LoopSearches& searches, const LoopChoice& choice)
      : function_(function), searches_(searches), choice_(choice) {}

  std::vector<LoopReport> run() {
    for (uint32_t b = 0; b < function_.blocks.size(); ++b)
      if (function_.blocks[b].rounds) pipeline(b);
    return std::move(reports_);
  }

 private:
  bool isCounted(uint32_t number) const {
    const MachineBlock& block = function_.blocks[number];
    return block.terminator.kind == Kind::Branch && block.terminator.target == number &&
           block.terminator.otherwise != number;
  }

  /// The one block that leads into the loop, and nowhere else.
  std::optional<uint32_t> entryOf(uint32_t number) const {
    std::optional<uint32_t> entry;
    for (uint32_t b = 0; b < function_.blocks.size(); ++b) {
      std::vector<uint32_t> next = function_.blocks[b].terminator.successors();
      if (b == number || std::ranges::find(next, number) == next.end()) continue;
      if (entry || next.size() != 1) return std::nullopt;
      entry = b;
    }
    return entry;
  }

  void pipeline(uint32_t number) {
    MachineBlock& block = function_.blocks[number];
    if (!isCounted(number)) return;
    LoopReport& report = reports_.emplace_back();
    report.location = block.terminator.location;
    if (choice_.plain.contains(number))
      return void(report.why = "program memory has no room for more such loops");
    auto entry = entryOf(number);
    if (!entry) return void(report.why = "it is entered from several places");
    if (block.instructions.size() > kLargestBody)
      return void(report.why = "it has more than 400 instructions");
    std::vector<MachineInst> plain = block.instructions;
    const uint32_t next = block.terminator.otherwise;
    LiveSet after = liveAtStart(function_, function_.blocks[next], liveAtEnds(function_)[next]);
    std::vector<MachineInst> entryBefore = function_.blocks[*entry].instructions;
    const Hoisted hoisted = BodyPreparation(function_, number, *entry, std::move(after)).run();
    if (!schedule(number, hoisted, report)) {
      block.instructions = std::move(plain);
      function_.blocks[*entry].instructions = std::move(entryBefore);
      return;
    }
    block.terminator.kind = Kind::Repeat;
    block.terminator.condition = {};
  }

  /// Gives the block the best schedule that has not been tried; false with a reason in the report.
  bool schedule(uint32_t number, const Hoisted& hoisted, LoopReport& report) {
    MachineBlock& block = function_.blocks[number];
    auto found = searches_.find(number);
    if (found == searches_.end())
      found = searches_.emplace(number, plansFor(number, hoisted)).first;
    LoopPlans& plans = found->second;
    const ScheduledBody* best = bestOf(plans, number);
    LoopPlan& plan = plans.all[plans.taken];
    report.slots = plan.search.bound().slots;
    report.recurrence = plan.search.bound().recurrence;
    if (!best) report.why = plan.search.why();
    if (!best) return false;
    report.interval = best->schedule.interval;
    report.stages = best->schedule.stages;
    report.isPair = plan.count.isPair;
    if (report.isPair) block.rounds = (block.rounds + 1) / 2;
    block.schedule = best->schedule;
    block.instructions = plan.lives.body;
    for (size_t i = 0; i < best->forms.size(); ++i)
      block.instructions[i].form = best->forms[i];
    return true;
  }

  const ScheduledBody* bestOf(LoopPlans& plans, uint32_t number) {
    const ScheduledBody* best = nullptr;
    for (size_t i = 0; i < plans.all.size(); ++i)
      if (const ScheduledBody* other = bestOf(plans.all[i], number);
          !i || (other && (!best || other->cycles < best->cycles))) {
        plans.taken = i;
        best = other;
      }
    return best;
  }

  /// The rounds one by one; where that takes longer than their slots, so that registers are what is short, with vectors from outside
  /// and constants made in each round, and two at a time. The latter not on AIE2P, whose values have too few registers to live longer.
  LoopPlans plansFor(uint32_t number, const Hoisted& hoisted) {
    const MachineBlock& block = function_.blocks[number];
    LoopPlans plans;
    plans.all.push_back(planFor(block.instructions, {.rounds = block.rounds}, 1));
    const int slots = plans.all.front().search.bound().slots;
    const auto isNearSlots = [&](const ScheduledBody* best) {
      return best && best->schedule.interval <= slots + slots / 8;
    };
    if (!hoisted.vectors.empty())
      if (const ScheduledBody* plain = bestOf(plans, number); !isNearSlots(plain))
        addPlan(plans, withVectors(block.instructions, hoisted.vectors), {.rounds = block.rounds},
                plain);
    if (function_.set != &isa::aie2() || block.rounds < kLeastPaired) return plans;
    const ScheduledBody* best = bestOf(plans, number);
    std::vector<MachineInst> body = withConstants(block.instructions, hoisted.constants, slots);
    if (!isNearSlots(best) && body.size() > block.instructions.size()) {
      addPlan(plans, body, {.rounds = block.rounds}, best);
      best = bestOf(plans, number);
    }
    if (!isNearSlots(best) && choice_.pairsRounds) addPlanOfPairs(plans, number, body, best);
    return plans;
  }

  /// The body with loads of those constants for which load slots have room, for each read anew and the rarely read first.
  std::vector<MachineInst> withConstants(const std::vector<MachineInst>& body,
                                         const std::vector<MachineInst>& hoisted, int slots) {
    std::map<int32_t, std::vector<MachineInst>> loads;
    for (const MachineInst& load : hoisted)
      if (function_.registers[static_cast<size_t>(load.operands[0].number)] == RegClass::Vector)
        loads[load.operands[0].number].push_back(load);
    std::multimap<ptrdiff_t, int32_t> byLoads;
    for (const auto& [number, parts] : loads) {
      const auto reg = static_cast<uint32_t>(number);
      const auto readers =
          std::ranges::count_if(body, [&](const MachineInst& inst) { return reads(inst, reg); });
      byLoads.emplace(readers * std::ssize(parts), number);
    }
    auto room = 2 * slots - std::ranges::count_if(body, [](const MachineInst& inst) {
                  return inst.row().touchesMemory() && !inst.row().is(isa::kStores);
                });
    std::set<int32_t> chosen;
    for (const auto& [count, number] : byLoads)
      if ((room -= count) >= 0) chosen.insert(number);
    std::vector<MachineInst> all;
    for (MachineInst inst : body) {
      for (const int32_t number : chosen)
        if (reads(inst, static_cast<uint32_t>(number)))
          loadInFrontOf(inst, static_cast<uint32_t>(number), loads[number], all);
      all.push_back(inst);
    }
    return all;
  }

  /// The body with these vectors, for each read anew.
  std::vector<MachineInst> withVectors(const std::vector<MachineInst>& body,
                                       const std::vector<MachineInst>& vectors) {
    std::vector<MachineInst> all;
    for (const MachineInst& inst : body)
      addWithVectors(inst, vectors, all);
    return all;
  }
  void addWithVectors(MachineInst inst, const std::vector<MachineInst>& vectors,
                      std::vector<MachineInst>& body) {
    for (MachineInst vector : vectors) {
      const auto from = static_cast<uint32_t>(vector.operands[0].number);
      if (!reads(inst, from)) continue;
      const uint32_t own = function_.newRegister(function_.registers[from]);
      rename(vector, from, own);
      addWithVectors(vector, vectors, body);
      rename(inst, from, own);
    }
    body.push_back(inst);
  }

  /// Into a register of its own.
  void loadInFrontOf(MachineInst& inst, uint32_t constant, const std::vector<MachineInst>& loads,
                     std::vector<MachineInst>& body) {
    const uint32_t own = function_.newRegister(function_.registers[constant]);
    for (MachineInst load : loads) {
      rename(load, constant, own);
      body.push_back(load);
    }
    rename(inst, constant, own);
  }

  void addPlan(LoopPlans& plans, const std::vector<MachineInst>& body, RoundCount count,
               const ScheduledBody* best) {
    if (best) count.below = best->cycles;
    plans.all.push_back(planFor(body, count, 1));
  }

  /// An odd number of rounds begins with the second of two.
  void addPlanOfPairs(LoopPlans& plans, uint32_t number, const std::vector<MachineInst>& body,
                      const ScheduledBody* best) {
    if (body.size() > kLargestPaired) return;
    const uint32_t rounds = function_.blocks[number].rounds;
    auto both = twoRounds(body, function_.registers, liveAtEnds(function_)[number]);
    if (!both) return;
    RoundCount count{.rounds = (rounds + 1) / 2, .isPair = true};
    if (rounds % 2) count.leftOut = static_cast<uint32_t>(body.size());
    addPlan(plans, *both, count, best);
  }

  const ScheduledBody* bestOf(LoopPlan& plan, uint32_t number) {
    const ScheduledBody* best = plan.search.best();
    for (; !best && plan.lives.hasCopies; best = plan.search.best())
      plan = planFor(plan.body, plan.count,
                     plan.lives.interval + std::max(1, plan.lives.interval / 6));
    if (!best && plan.search.lacksRegisters() && !plan.sharesRegisters) {
      plan = planOfShared(number);
      best = plan.search.best();
    }
    return best;
  }

  /// For an interval of `least` or more. Those with copies are followed by others when they come to
  /// nothing.
  LoopPlan planFor(const std::vector<MachineInst>& body, const RoundCount& count, int least) {
    ShortLives lives = shortenLives(body, function_.registers, least, count.leftOut);
    RoundCount ofLives = count;
    ofLives.leftOut = lives.leftOut;
    LoopSearch search(lives.body, function_.registers, ofLives);
    return {body, count, std::move(lives), std::move(search)};
  }

  /// For a body whose values share registers.
  LoopPlan planOfShared(uint32_t number) {
    const MachineBlock& block = function_.blocks[number];
    ShortLives lives{
        shareRegisters(block.instructions, function_.registers, liveAtEnds(function_)[number])};
    const RoundCount count{.rounds = block.rounds};
    LoopSearch search(lives.body, function_.registers, count);
    return {block.instructions, count, std::move(lives), std::move(search), true};
  }

  MachineFunction& function_;
  LoopSearches& searches_;
  const LoopChoice& choice_;
  std::vector<LoopReport> reports_;
};

bool uses(const MachineBlock& block, const std::vector<uint32_t>& registers) {
  for (const MachineInst& inst : block.instructions)
    for (const Operand& operand : inst.ops())
      if (operand.isVirtual() &&
          std::ranges::find(registers, static_cast<uint32_t>(operand.number)) != registers.end())
        return true;
  return false;
}

}  // namespace

std::vector<LoopReport> pipelineLoops(MachineFunction& function, LoopSearches& searches,
                                      const LoopChoice& choice) {
  return Pipeliner(function, searches, choice).run();
}

std::vector<PipelinedLoop> pipelinedLoops(const MachineFunction& function) {
  constexpr double kRoundsAround = 8;
  std::vector<PipelinedLoop> loops;
  for (uint32_t b = 0; b < function.blocks.size(); ++b) {
    const MachineBlock& block = function.blocks[b];
    if (!block.schedule) continue;
    // A round of its own takes about as long as all stages, which the code has twice but for the loop itself.
    const double stages = block.schedule->stages;
    double worth = block.rounds * (stages - 1) / (2 * stages - 1);
    for (uint32_t end = b + 1; end < function.blocks.size(); ++end)
      for (const uint32_t start : function.blocks[end].terminator.successors())
        if (start <= b) worth *= kRoundsAround;
    loops.push_back({b, worth});
  }
  return loops;
}

std::vector<uint32_t> loopsWith(const MachineFunction& function,
                                const std::vector<uint32_t>& registers) {
  std::vector<uint32_t> loops;
  for (uint32_t b = 0; b < function.blocks.size(); ++b)
    if (function.blocks[b].schedule && uses(function.blocks[b], registers)) loops.push_back(b);
  return loops;
}

// -- Expansion ------------------------------------------------------------------------------------

namespace {

class Expansion {
 public:
  Expansion(const MachineBlock& block, const LoopSchedule& schedule, const isa::InstructionSet& set)
      : block_(block),
        set_(set),
        schedule_(schedule),
        interval_(schedule.interval),
        filling_(schedule.stagesBefore() * schedule.interval) {}

  Result<PipelinedCode> run() {
    for (const MachineInst& inst : block_.instructions) {
      Result<ScheduleNode> node = makeNode(inst);
      if (!node) return node.error();
      nodes_.push_back(*std::move(node));
    }
    untilEnd_.resize(static_cast<size_t>(filling_ + interval_));
    for (size_t n = 0; n < nodes_.size(); ++n)
      issue(n);
    untilEnd_.erase(untilEnd_.begin(), untilEnd_.begin() + emptyCycles());
    extendUntilQuiet();
    setUp();
    const auto loop = untilEnd_.end() - interval_;
    code_.before.assign(untilEnd_.begin(), loop);
    code_.loop.assign(loop, untilEnd_.end());
    return std::move(code_);
  }

 private:
  void put(std::vector<Cycle>& cycles, int at, size_t node) {
    if (static_cast<size_t>(at) >= cycles.size()) cycles.resize(static_cast<size_t>(at) + 1);
    Cycle& cycle = cycles[static_cast<size_t>(at)];
    if (cycle.instructions.empty()) cycle.location = nodes_[node].location;
    cycle.instructions.push_back(nodes_[node].instruction());
  }

  void issue(size_t node) {
    int cycle = schedule_.cycles[node];
    const bool isLeftOut = node < schedule_.leftOut;
    for (int at = isLeftOut ? cycle + interval_ : cycle; at < filling_ + interval_; at += interval_)
      put(untilEnd_, at, node);
    // Rounds that have begun when the loop ends: the last began an interval before that.
    for (int at = cycle - interval_; at >= 0; at -= interval_)
      put(code_.after, at, node);
  }

  /// Those at the start, where the first round does without some instructions.
  ptrdiff_t emptyCycles() const {
    const auto first = std::ranges::find_if(
        untilEnd_, [](const Cycle& cycle) { return !cycle.instructions.empty(); });
    return std::min<ptrdiff_t>(first - untilEnd_.begin(), filling_);
  }

  void extendUntilQuiet() {
    int end = 0;
    for (size_t n = 0; n < nodes_.size(); ++n)
      end = std::max(end, schedule_.cycles[n] - interval_ + cyclesUntilQuiet(nodes_[n]));
    if (static_cast<size_t>(std::max(end, 0)) > code_.after.size())
      code_.after.resize(static_cast<size_t>(end));
  }

  /// ls, le and lc are set in cycles that have room for it, early enough before the end of the
  /// loop; cycles of their own come first where there are none.
  void setUp() {
    const auto trips = static_cast<int32_t>(block_.rounds) - schedule_.stagesBefore();
    std::array<Cycle, 3> settings;
    constexpr std::array kRegs = {Reg::LS, Reg::LE, Reg::LC};
    for (size_t i = 0; i < settings.size(); ++i) {
      std::array<isa::Value, 2> values{isa::Value::of(kRegs[i]),
                                       isa::Value::of(i == 2 ? trips : 0)};
      settings[i].instructions = {*isa::Instruction::make(set_.moveConstant, values)};
      settings[i].location = block_.terminator.location;
      if (i < 2) settings[i].bound = i == 0 ? LoopEnd::First : LoopEnd::Last;
    }
    std::vector<size_t> places = placesFor(settings);
    for (; places.size() < settings.size(); places = placesFor(settings))
      untilEnd_.insert(untilEnd_.begin(), Cycle{});
    for (size_t i = 0; i < settings.size(); ++i) {
      Cycle& cycle = untilEnd_[places[i]];
      if (cycle.instructions.empty()) cycle.location = settings[i].location;
      cycle.instructions.push_back(settings[i].instructions.front());
      cycle.bound = settings[i].bound;
    }
  }

  /// A cycle for each of them, as early as possible; fewer when there is no room for all.
  std::vector<size_t> placesFor(std::span<const Cycle> settings) const {
    const size_t loop = untilEnd_.size() - static_cast<size_t>(interval_);
    std::vector<size_t> places;
    for (size_t at = 0; at < loop && at + kSetupDistance < untilEnd_.size(); ++at)
      if (places.size() < settings.size() &&
          isFree(untilEnd_, settings[places.size()].instructions.front(), static_cast<int>(at)))
        places.push_back(at);
    return places;
  }

  const MachineBlock& block_;
  const isa::InstructionSet& set_;
  const LoopSchedule& schedule_;
  int interval_, filling_;
  std::vector<ScheduleNode> nodes_;
  std::vector<Cycle> untilEnd_;  ///< the rounds that begin, and the loop
  PipelinedCode code_;
};

}  // namespace

Result<PipelinedCode> expandLoop(const MachineBlock& block, const isa::InstructionSet& set) {
  return Expansion(block, *block.schedule, set).run();
}

}  // namespace airlite::npu::codegen
