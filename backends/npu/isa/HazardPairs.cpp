// The rules about two instructions that issue a number of cycles apart.
#include "HazardPairs.hpp"

#include "airlite/npu/isa/Text.hpp"

#include <fmt/format.h>

namespace airlite::npu::isa {
namespace {

bool isAcquire(const Instruction& instruction) {
  return instruction.row().mnemonic().starts_with("acq");
}

/// Two instructions and the cycles between them.
class PairCheck {
 public:
  PairCheck(const IssuedBundle& first, const IssuedBundle& second, int distance, bool forward,
            const HazardOptions& options, std::vector<Hazard>& found)
      : first_(first),
        second_(second),
        distance_(distance),
        forward_(forward),
        options_(options),
        found_(found) {}

  void run() {
    for (size_t i = 0; i < first_.instructions.size(); ++i)
      for (size_t j = 0; j < second_.instructions.size(); ++j)
        if (distance_ || i != j) check(first_.instructions[i], second_.instructions[j], i < j);
  }

 private:
  void report(HazardKind kind, int needed, const IssuedInstruction& a, const IssuedInstruction& b,
              std::string_view what, bool compilersDo = false) {
    found_.push_back({kind, first_.address, second_.address, needed - distance_,
                      fmt::format("{}: '{}', {}, '{}'", what, print(*a.instruction), when(),
                                  print(*b.instruction)),
                      compilersDo});
  }

  std::string when() const {
    if (!distance_) return "in the same bundle";
    return fmt::format("{} cycle{} later", distance_, distance_ == 1 ? "" : "s");
  }

  /// Rules that treat both alike are asked once for a bundle with itself.
  void check(const IssuedInstruction& a, const IssuedInstruction& b, bool once) {
    for (const Access& x : a.accesses)
      for (const Access& y : b.accesses)
        if ((x.isDef || y.isDef) && overlap(x.reg, y.reg)) checkRegister(a, x, b, y, once);
    if (distance_ || once) {
      checkUnits(a, b);
      checkMemory(a, b);
    }
    checkLocks(a, b);
  }

  void checkRegister(const IssuedInstruction& a, const Access& x, const IssuedInstruction& b,
                     const Access& y, bool once) {
    if (x.isDef && y.isDef) return checkWrites(a, x, b, y, once);
    if (x.isDef) return checkRead(a, x, b, y);
    if (distance_ >= writeAfterRead(x, y)) return;
    report(HazardKind::WriteAfterRead, writeAfterRead(x, y), a, b,
           fmt::format("{} is read in cycle {} and has been overwritten by then", row(x.reg).text,
                       x.cycle),
           true);
  }

  void checkWrites(const IssuedInstruction& a, const Access& x, const IssuedInstruction& b,
                   const Access& y, bool once) {
    if (isSticky(x.reg)) return;
    // Within a bundle the one that lands later is the second.
    bool wrong = distance_ ? distance_ < writeAfterWrite(x, y) : once && x.cycle == y.cycle;
    if (!wrong) return;
    bool atOnce = x.cycle == distance_ + y.cycle;
    std::string_view what = atOnce ? "is written twice in one cycle"
                                   : "keeps what the first of two instructions writes";
    report(HazardKind::WriteAfterWrite, writeAfterWrite(x, y), a, b,
           fmt::format("{} {}", row(y.reg).text, what), !atOnce);
  }

  void checkRead(const IssuedInstruction& a, const Access& x, const IssuedInstruction& b,
                 const Access& y) {
    if (!options_.readsInFlight || !distance_ || distance_ >= readAfterWrite(x, y)) return;
    report(HazardKind::ReadInFlight, readAfterWrite(x, y), a, b,
           fmt::format("{} is read while a write to it is under way", row(y.reg).text));
  }

  void checkUnits(const IssuedInstruction& a, const IssuedInstruction& b) {
    for (const UnitUse& x : row(itineraryOf(*a.instruction)).uses())
      for (const UnitUse& y : row(itineraryOf(*b.instruction)).uses()) {
        if (x.unit != y.unit || (x.reserved && y.reserved)) continue;
        int begin = y.cycle + distance_, end = begin + y.cycles;
        if (begin >= x.cycle + x.cycles || x.cycle >= end) continue;
        report(
            HazardKind::Resource, x.cycle + x.cycles - y.cycle, a, b,
            fmt::format("both hold {} in cycle {}", name(x.unit), std::max<int>(x.cycle, begin)));
      }
  }

  void checkMemory(const IssuedInstruction& a, const IssuedInstruction& b) {
    bool writes = a.instruction->row().is(kStores) || b.instruction->row().is(kStores);
    if (!a.memory || !b.memory || !writes) return;
    int needed = memoryOrder(*a.instruction, *b.instruction);
    if (distance_ >= needed || !mayMeet(a, b)) return;
    report(HazardKind::MemoryOrder, needed, a, b,
           "the order of two accesses to the same bytes is open");
  }

  bool mayMeet(const IssuedInstruction& a, const IssuedInstruction& b) const {
    bool comparable = a.place.known && b.place.known && a.place.base == b.place.base &&
                      (forward_ || a.place.base == 0);
    if (!comparable) return options_.assumeAliasing;
    int64_t sizeA = a.instruction->row().memoryBytes, sizeB = b.instruction->row().memoryBytes;
    return a.place.offset < b.place.offset + sizeB && b.place.offset < a.place.offset + sizeA;
  }

  void checkLocks(const IssuedInstruction& a, const IssuedInstruction& b) {
    if (a.memory && b.lock) {
      int needed = memoryToLock(*a.instruction);
      if (options_.loadsWrittenBeforeLocks && a.instruction->row().is(kLoads))
        for (const Access& access : a.accesses)
          if (access.isDef)
            needed = std::max(needed, access.cycle - static_cast<int>(kLockStall) + 1);
      if (distance_ < needed)
        report(HazardKind::LockDistance, needed, a, b, "a memory access too shortly before a lock",
               isAcquire(*b.instruction));
    }
    // In one bundle the other order has been reported.
    if (a.lock && b.memory && distance_ && distance_ < lockToMemory(*b.instruction))
      report(HazardKind::LockDistance, lockToMemory(*b.instruction), a, b,
             "a memory access too shortly after a lock");
  }

  const IssuedBundle& first_;
  const IssuedBundle& second_;
  int distance_;
  bool forward_;
  const HazardOptions& options_;
  std::vector<Hazard>& found_;
};

}  // namespace

void checkPair(const IssuedBundle& first, const IssuedBundle& second, int distance, bool forward,
               const HazardOptions& options, std::vector<Hazard>& found) {
  PairCheck(first, second, distance, forward, options, found).run();
}

void checkExit(const IssuedBundle& bundle, int distance, std::vector<Hazard>& found) {
  for (const IssuedInstruction& issued : bundle.instructions)
    for (const Access& access : issued.accesses)
      if (access.isDef && access.cycle > distance && !isSticky(access.reg))
        found.push_back(
            {HazardKind::WriteAtExit, bundle.address, bundle.address, access.cycle - distance,
             fmt::format("{} is still being written when control leaves {} cycles after "
                         "'{}'",
                         row(access.reg).text, distance, print(*issued.instruction))});
}

void checkMemoryAlignment(const IssuedBundle& bundle, std::vector<Hazard>& found) {
  for (const IssuedInstruction& issued : bundle.instructions) {
    unsigned size = issued.instruction->row().memoryBytes;
    if (!issued.memory || !size || !issued.place.known || issued.place.base) continue;
    if (issued.place.offset % size == 0) continue;
    found.push_back({HazardKind::MemoryAlignment, bundle.address, bundle.address, 0,
                     fmt::format("{} bytes at {:#x}, which they do not divide: '{}'", size,
                                 issued.place.offset, print(*issued.instruction))});
  }
}

}  // namespace airlite::npu::isa
