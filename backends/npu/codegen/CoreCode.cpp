// The stages of code generation, one after the other, and the questions that only the whole core
// can answer: how deep the stack gets, whether the program fits, whether it keeps the rules.
#include "airlite/npu/codegen/CoreCode.hpp"

#include "Allocate.hpp"
#include "BlockOrder.hpp"
#include "Frame.hpp"
#include "HalvesInPlace.hpp"
#include "Layout.hpp"
#include "Pieces.hpp"
#include "Retarget.hpp"
#include "SoftwarePipeline.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/npu/isa/Disassembler.hpp"
#include "airlite/npu/isa/Hazards.hpp"
#include "select/Select.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace airlite::npu::codegen {
namespace {

/// One function between the stages.
struct Compiled {
  MachineFunction machine;
  Frame frame;
  std::vector<uint32_t> calls;  ///< numbers of the functions that it calls
};

/// A pipelined loop of one of the functions.
struct LoopOfCore {
  uint32_t function = 0;
  PipelinedLoop loop;
};

/// Of one function, which each attempt at a core selects anew with the same registers: what is known of its loops.
struct KnownLoops {
  std::set<uint32_t> plain;         ///< blocks whose rounds are not to overlap
  LoopSearches searches;            ///< the schedules that were found
  std::vector<RegClass> registers;  ///< with those of the schedules; empty: there are none yet
};
/// By the number of the function.
using LoopsOfCore = std::map<uint32_t, KnownLoops>;

class CoreCompiler {
 public:
  CoreCompiler(Operation& core, const CoreSurroundings& surroundings, bool pairsRounds,
               LoopsOfCore& known)
      : core_(core),
        state_{surroundings, {}, {}, {}, {}, 0},
        pairsRounds_(pairsRounds),
        known_(known) {
    state_.callees.push_back({"core", &core});
  }

  std::optional<CoreCode> run() {
    // Selecting a function may find further ones.
    for (uint32_t f = 0; f < state_.callees.size(); ++f)
      if (!compile(f)) return std::nullopt;
    auto stack = stackBelow(0, {});
    if (!stack) return std::nullopt;
    LaidOut laidOut = layOut(code_, set());
    if (!laidOut.error.empty()) return internalError(laidOut.error, core_.location());
    if (!checkProgram(laidOut)) return std::nullopt;
    CoreCode code;
    code.program = std::move(laidOut.program);
    code.bundleLocations = std::move(laidOut.locations);
    code.data = std::move(state_.data);
    code.stackUsed = Bytes(*stack);
    code.loops = std::move(loops_);
    code.relocations = std::move(laidOut.relocations);
    for (const FunctionCode& function : code_)
      if (function.pieces.empty()) code.undefined.push_back(function.name);
    return code;
  }

  /// Rounds that overlap made it so: their loops begin and end with parts of several rounds. Nothing has been reported.
  bool isTooLarge() const { return isTooLarge_ && state_.surroundings.overlapsRounds; }
  /// Loops that take two rounds at a time are longer.
  bool hasPairs() const { return std::ranges::any_of(loops_, &LoopReport::isPair); }
  const std::vector<LoopOfCore>& pipelined() const { return pipelined_; }

 private:
  const isa::InstructionSet& set() const { return *state_.surroundings.set; }

  std::nullopt_t internalError(const std::string& message, Location location) {
    emitError(core_.context(), location)
        << "internal error: the code generator made a wrong program: " << message;
    return std::nullopt;
  }

  bool compile(uint32_t number) {
    Callee callee = state_.callees[number];
    Operation& op = *callee.function;
    functions_.emplace_back();
    code_.push_back({callee.name, op.location(), {}});
    bool isElsewhere = number && func::FuncOp(&op).isDeclaration();
    if (isElsewhere) return true;
    MachineFunction& machine = functions_.back().machine;
    machine.name = callee.name;
    machine.isEntry = number == 0;
    machine.set = &set();
    if (!selectFunction(state_, machine, op)) return false;
    orderBlocks(machine);
    if (!mayFit(machine, op)) return false;
    if (!toSet(machine, true)) return false;
    removeHalfMoves(machine);
    if (!allocate(number, machine, op)) return false;
    for (const PipelinedLoop& loop : pipelinedLoops(machine))
      pipelined_.push_back({number, loop});
    for (const MachineBlock& block : machine.blocks)
      if (block.terminator.kind == Terminator::Kind::Call)
        functions_.back().calls.push_back(block.terminator.callee);
    if (!buildFrame(machine, state_.surroundings.stackAddress, functions_.back().frame)) {
      op.emitOpError() << "keeps more values than its part of the stack can hold";
      return false;
    }
    return toSet(machine, false) && schedule(machine, code_.back());
  }

  /// Of selection before registers are given, since loops are scheduled then; afterwards of frames.
  bool toSet(MachineFunction& machine, bool areVirtual) {
    auto missing = retarget(machine, areVirtual);
    if (missing) emitError(core_.context(), missing->location) << missing->message;
    return !missing;
  }

  /// Pipelines loops and gives registers. Both begin anew when a loop does not get its registers.
  bool allocate(uint32_t number, MachineFunction& machine, Operation& op) {
    const MachineFunction selected = machine;
    KnownLoops& known = known_[number];
    const LoopChoice choice{pairsRounds_, known.plain};
    LoopSearches& searches = known.searches;
    if (!known.registers.empty()) machine.registers = known.registers;
    while (true) {
      std::vector<LoopReport> reports;
      if (state_.surroundings.overlapsRounds) reports = pipelineLoops(machine, searches, choice);
      known.registers = machine.registers;
      std::vector<uint32_t> loops;
      if (allocateRegisters(machine, loops)) {
        loops_.insert(loops_.end(), reports.begin(), reports.end());
        return true;
      }
      if (loops.empty()) {
        internalError("no registers are left", op.location());
        return false;
      }
      for (uint32_t loop : loops)
        searches.at(loop).rejectBest();
      // Plans have registers of their own.
      std::vector<RegClass> registers = std::move(machine.registers);
      machine = selected;
      machine.registers = std::move(registers);
    }
  }

  /// The later stages take time with the square of the size: not for what cannot fit anyway.
  bool mayFit(const MachineFunction& machine, Operation& op) {
    constexpr size_t kMost =
        isa::kProgramMemoryBytes;  // bytes, of which each instruction takes two
    size_t count = 0;
    for (const MachineBlock& block : machine.blocks)
      count += block.instructions.size();
    if (count <= kMost) return true;
    op.emitOpError() << "becomes " << count << " instructions; a core has room for "
                     << isa::kProgramMemoryBytes << " bytes";
    return false;
  }

  bool schedule(const MachineFunction& machine, FunctionCode& code) {
    for (uint32_t b = 0; b < machine.blocks.size(); ++b) {
      if (machine.blocks[b].schedule) {
        if (!scheduleLoop(machine, b, code)) return false;
        continue;
      }
      std::vector<ScheduleNode> nodes;
      for (const MachineInst& inst : machine.blocks[b].instructions) {
        Result<ScheduleNode> node = makeNode(inst);
        if (!node) {
          internalError(node.error().message, inst.location);
          return false;
        }
        nodes.push_back(*std::move(node));
      }
      auto exits = exitsOf(machine, b);
      const bool fallsThrough = exits.front().kind == Exit::Kind::FallThrough;
      if (onlyFollowsLoop(machine, b))
        endLoop(code.pieces, std::move(nodes), exits.front());
      else
        code.pieces.push_back({.cycles = scheduleBlock(std::move(nodes), exits.front()),
                               .block = b,
                               .isBlock = true,
                               .fallsThrough = fallsThrough});
      if (exits.size() > 1) code.pieces.push_back({.cycles = scheduleBlock({}, exits.back())});
    }
    joinPieces(code.pieces);
    leaveLoops(code.pieces);
    markTargets(code.pieces);
    return true;
  }

  /// Does a pipelined loop stand before the block, and nothing else lead to it?
  static bool onlyFollowsLoop(const MachineFunction& machine, uint32_t number) {
    if (number == 0 || !machine.blocks[number - 1].schedule) return false;
    for (uint32_t b = 0; b < machine.blocks.size(); ++b) {
      const std::vector<uint32_t> next = machine.blocks[b].terminator.successors();
      if ((std::ranges::find(next, number) != next.end()) != (b == number - 1)) return false;
    }
    return true;
  }

  bool scheduleLoop(const MachineFunction& machine, uint32_t number, FunctionCode& code) {
    auto loop = expandLoop(machine.blocks[number], set());
    if (!loop) {
      internalError(loop.error().message, machine.blocks[number].terminator.location);
      return false;
    }
    code.pieces.push_back(
        {.cycles = std::move(loop->before), .block = number, .isBlock = true, .isWide = true});
    code.pieces.push_back({.cycles = std::move(loop->loop), .isWide = true, .isLoop = true});
    code.pieces.push_back(
        {.cycles = std::move(loop->after), .isAligned = true, .fallsThrough = true});
    for (const Exit& exit : exitsOf(machine, number))
      if (exit.kind != Exit::Kind::FallThrough) endLoop(code.pieces, {}, exit);
    return true;
  }

  /// Bytes of the stack from the frame of a function on; none after an error about recursion.
  std::optional<int64_t> stackBelow(uint32_t number, std::vector<uint32_t> callers) {
    if (std::ranges::find(callers, number) != callers.end()) {
      state_.callees[number].function->emitOpError()
          << "calls itself: how deep the stack gets is not known then";
      return std::nullopt;
    }
    callers.push_back(number);
    int64_t deepest = 0;
    for (uint32_t callee : functions_[number].calls) {
      auto below = stackBelow(callee, callers);
      if (!below) return std::nullopt;
      deepest = std::max(deepest, *below);
    }
    return deepest + functions_[number].frame.bytes;
  }

  bool checkProgram(const LaidOut& laidOut) {
    uint32_t size = laidOut.program.bundles.back().end();
    isTooLarge_ = size > isa::kProgramMemoryBytes;
    if (isTooLarge_ && state_.surroundings.overlapsRounds) return false;
    if (isTooLarge_) {
      core_.emitOpError() << "becomes a program of " << size << " bytes; a core has room for "
                          << isa::kProgramMemoryBytes;
      return false;
    }
    isa::HazardOptions options;
    // Rounds of a loop that overlap read registers while the next value is on its way.
    const bool hasPipelines =
        std::ranges::any_of(loops_, [](const LoopReport& loop) { return loop.interval > 0; });
    options.readsInFlight = !hasPipelines;
    options.loadsWrittenBeforeLocks = true;
    std::vector<isa::Hazard> found = isa::findHazards(laidOut.program, options);
    // So do two values that share a register when the one that is issued first lands last.
    if (hasPipelines)
      std::erase_if(found, [](const isa::Hazard& hazard) {
        return hazard.kind == isa::HazardKind::WriteAfterWrite && hazard.compilersDo;
      });
    if (found.empty()) return true;
    const isa::Hazard& first = found.front();
    size_t bundle = laidOut.program.indexAt(first.second);
    internalError(
        fmt::format("{} at {:#x}: {}", isa::name(first.kind), first.second, first.message),
        laidOut.locations[bundle]);
    return false;
  }

  Operation& core_;
  CoreState state_;
  std::vector<Compiled> functions_;
  std::vector<FunctionCode> code_;
  std::vector<LoopReport> loops_;
  std::vector<LoopOfCore> pipelined_;
  bool pairsRounds_, isTooLarge_ = false;
  LoopsOfCore& known_;
};

/// The code of a core whose program memory has no room for all `loops` with rounds that overlap: of those that are worth least as few as
/// possible go without.
std::optional<CoreCode> withFewerLoops(Operation& core, const CoreSurroundings& surroundings,
                                       std::vector<LoopOfCore> loops, LoopsOfCore& known) {
  std::ranges::stable_sort(loops, {}, [](const LoopOfCore& of) { return of.loop.worth; });
  std::optional<CoreCode> best;
  size_t tooFew = 0, enough = loops.size();  // go without
  while (enough - tooFew > 1) {
    const size_t middle = (tooFew + enough) / 2;
    for (auto& [function, ofFunction] : known)
      ofFunction.plain.clear();
    for (size_t i = 0; i < middle; ++i)
      known[loops[i].function].plain.insert(loops[i].loop.block);
    CoreCompiler compiler(core, surroundings, false, known);
    std::optional<CoreCode> code = compiler.run();
    if (!code && !compiler.isTooLarge()) return std::nullopt;
    (code ? enough : tooFew) = middle;
    if (code) best = std::move(code);
  }
  if (best) return best;
  LoopsOfCore none;
  CoreSurroundings oneByOne = surroundings;
  oneByOne.overlapsRounds = false;
  return CoreCompiler(core, oneByOne, false, none).run();
}

}  // namespace

std::string LoopReport::text() const {
  if (!interval) return fmt::format("rounds of this loop do not overlap: {}", why);
  return fmt::format(
      "rounds begin {} cycle{} after each other, {} {} under way; slots allow {}, results {}{}",
      interval, interval == 1 ? "" : "s", stages, stages == 1 ? "is" : "are", slots, recurrence,
      isPair ? "; each is two of the program" : "");
}

std::optional<CoreCode> generateCore(Operation& core, const CoreSurroundings& surroundings) {
  std::vector<LoopOfCore> loops;
  LoopsOfCore known;
  for (const bool pairsRounds : {true, false}) {
    known.clear();
    CoreCompiler compiler(core, surroundings, pairsRounds, known);
    std::optional<CoreCode> code = compiler.run();
    if (!compiler.isTooLarge()) return code;
    loops = compiler.pipelined();
    if (!compiler.hasPairs()) break;
  }
  return withFewerLoops(core, surroundings, std::move(loops), known);
}

std::vector<std::byte> encode(const isa::Program& program) {
  if (program.bundles.empty()) return {};
  std::vector<std::byte> bytes(program.bundles.back().end());
  for (const isa::ProgramBundle& bundle : program.bundles)
    bundle.bundle.encode(bytes.data() + bundle.address);
  return bytes;
}

std::string printAssembly(const CoreCode& code) {
  isa::Disassembly disassembly{code.program, {}};
  return isa::printSource(disassembly, encode(code.program));
}

}  // namespace airlite::npu::codegen
