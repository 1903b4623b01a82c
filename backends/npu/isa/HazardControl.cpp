#include "HazardControl.hpp"

#include "airlite/npu/isa/Text.hpp"
#include "airlite/npu/isa/Timing.hpp"

#include <fmt/format.h>

namespace airlite::npu::isa {
namespace {

// docs/hardware/isa.md, rules.zol: between the last setup and the last bundle lie 7 full bundles.
constexpr size_t kLoopSetupBundles = 7;

class ControlCheck {
 public:
  ControlCheck(const Flow& flow, std::vector<Hazard>& found)
      : flow_(flow), bundles_(flow.program().bundles), found_(found) {}

  void run() {
    for (size_t i = 0; i < bundles_.size(); ++i)
      checkJump(i);
    for (const HardwareLoop& loop : flow_.loops())
      checkLoop(loop);
    checkNesting();
    if (!bundles_.empty() && bundles_.back().end() > kProgramMemoryBytes)
      report(HazardKind::ProgramSize, bundles_.size() - 1, bundles_.size() - 1,
             fmt::format("the program ends at {:#x}, program memory at {:#x}",
                         bundles_.back().end(), kProgramMemoryBytes));
  }

 private:
  void report(HazardKind kind, size_t first, size_t second, std::string message, int missing = 0,
              bool compilersDo = false) {
    found_.push_back({kind, bundles_[first].address, bundles_[second].address, missing,
                      std::move(message), compilersDo});
  }

  void checkJump(size_t index) {
    Jump jump = flow_.jumpOf(index);
    if (!jump.instruction) return;
    size_t after = checkSlots(index, jump);
    if (jump.address) checkTarget(index, *jump.address, print(*jump.instruction), true);
    bool call = jump.instruction->row().is(kCall);
    if (call && after != kNowhere && bundles_[after].address % kCodeAlignment)
      report(HazardKind::Alignment, index, after,
             fmt::format("'{}' returns to {:#x}, which is not a multiple of {}",
                         print(*jump.instruction), bundles_[after].address, kCodeAlignment),
             0, true);
  }

  /// The bundle after the delay slots.
  size_t checkSlots(size_t index, const Jump& jump) {
    size_t slot = index;
    for (unsigned i = 0; i < kDelaySlots; ++i) {
      slot = flow_.after(slot);
      if (slot == kNowhere) {
        report(HazardKind::DelaySlotsMissing, index, index,
               fmt::format("{} of {} delay slots follow '{}'", i, kDelaySlots,
                           print(*jump.instruction)));
        return kNowhere;
      }
      if (Jump other = flow_.jumpOf(slot); other.instruction)
        report(HazardKind::JumpInDelaySlot, index, slot,
               fmt::format("'{}' is in delay slot {} of '{}'", print(*other.instruction), i + 1,
                           print(*jump.instruction)),
               static_cast<int>(kDelaySlots - i));
      for (const HardwareLoop& loop : flow_.loops())
        if (loop.end == bundles_[slot].address)
          report(HazardKind::LoopEndInDelaySlot, index, slot,
                 fmt::format("the last bundle of a hardware loop is delay slot {} of '{}'", i + 1,
                             print(*jump.instruction)));
    }
    return flow_.after(slot);
  }

  size_t checkTarget(size_t index, uint32_t address, const std::string& what, bool isJump = false) {
    if (address % kCodeAlignment)
      report(HazardKind::Alignment, index, index,
             fmt::format("'{}': {:#x} is not a multiple of {}", what, address, kCodeAlignment), 0,
             isJump);
    size_t target = flow_.program().indexAt(address);
    if (target < bundles_.size()) return target;
    report(HazardKind::TargetMissing, index, index,
           fmt::format("'{}': no bundle begins at {:#x}", what, address));
    return kNowhere;
  }

  void checkLoop(const HardwareLoop& loop) {
    size_t start =
        checkTarget(loop.startSetup, loop.start, fmt::format("movxm ls, #{}", loop.start));
    size_t end = checkTarget(loop.endSetup, loop.end, fmt::format("movxm le, #{}", loop.end));
    if (start == kNowhere || end == kNowhere) return;
    if (loop.start > loop.end)
      return report(
          HazardKind::LoopBounds, loop.startSetup, loop.endSetup,
          fmt::format("the loop begins at {:#x}, after its end at {:#x}", loop.start, loop.end));
    if (bundles_[end].end() % kCodeAlignment)
      report(HazardKind::Alignment, end, end,
             fmt::format("the code after a hardware loop lies at {:#x}, not at a multiple of {}",
                         bundles_[end].end(), kCodeAlignment));
    checkSetup(end);
    checkLastStore(loop, end);
  }

  /// The last writer of each of ls, le and lc before the end of the loop.
  void checkSetup(size_t end) {
    for (Reg reg : {Reg::LS, Reg::LE, Reg::LC})
      for (size_t i = end + 1; i-- > 0;) {
        if (!writes(i, reg)) continue;
        checkSetupDistance(i, end, reg);
        break;
      }
  }

  bool writes(size_t index, Reg reg) const {
    for (const Instruction& instruction : bundles_[index].bundle.instructions())
      for (const Access& access : accessesOf(instruction))
        if (access.isDef && access.reg == reg) return true;
    return false;
  }

  void checkSetupDistance(size_t setup, size_t end, Reg reg) {
    // Counted from the start of the one bundle to the start of the other (three programs of the
    // public compiler have just this distance).
    uint32_t first = bundles_[setup].address, last = bundles_[end].address;
    bool isNear = last < first + kLoopSetupBytes || end - setup < kLoopSetupBundles;
    if (setup != end && !isNear) return;
    auto between = static_cast<int>(end - setup);
    report(HazardKind::LoopTooClose, setup, end,
           fmt::format("{} is written {} bundles and {} bytes before the last bundle of the loop, "
                       "{} and {} are needed",
                       row(reg).text, between, last - first, kLoopSetupBundles, kLoopSetupBytes),
           std::max(0, static_cast<int>(kLoopSetupBundles) - between));
  }

  void checkLastStore(const HardwareLoop& loop, size_t end) {
    if (loop.end - loop.start > kShortLoopBytes) return;
    for (const Instruction& instruction : bundles_[end].bundle.instructions())
      if (instruction.row().is(kPartWord))
        report(
            HazardKind::LoopLastStore, end, end,
            fmt::format("'{}' in the last bundle of a loop of no more than {} bytes is lost when "
                        "the loop goes round",
                        print(instruction), kShortLoopBytes));
  }

  void checkNesting() {
    const std::vector<HardwareLoop>& loops = flow_.loops();
    for (size_t i = 0; i < loops.size(); ++i)
      for (size_t j = 0; j < i; ++j) {
        const HardwareLoop &a = loops[j], &b = loops[i];
        bool same = a.start == b.start && a.end == b.end;
        if (same || a.start > b.end || b.start > a.end) continue;
        report(
            HazardKind::LoopBounds, a.endSetup, b.endSetup,
            fmt::format("the loops {:#x} to {:#x} and {:#x} to {:#x} overlap, there is one set of "
                        "ls, le, lc",
                        a.start, a.end, b.start, b.end));
      }
  }

  const Flow& flow_;
  const std::vector<ProgramBundle>& bundles_;
  std::vector<Hazard>& found_;
};

}  // namespace

void checkControl(const Flow& flow, std::vector<Hazard>& found) { ControlCheck(flow, found).run(); }

}  // namespace airlite::npu::isa
