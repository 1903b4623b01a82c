#include "ShareRegisters.hpp"

#include <array>
#include <deque>
#include <map>
#include <set>

namespace airlite::npu::codegen {
namespace {

enum File : size_t { Vectors, Sums, FileCount };

/// The file whose registers are shared; FileCount: none.
File fileOf(RegClass regClass) {
  if (shareFile(regClass, RegClass::Vector)) return Vectors;
  return shareFile(regClass, RegClass::Accumulator) ? Sums : FileCount;
}

/// One pass over the body: the numbers that are in use, and those that are free again, oldest first.
class Sharing {
 public:
  Sharing(std::vector<MachineInst> body, std::span<const RegClass> classes, const LiveSet& atEnd)
      : body_(std::move(body)), classes_(classes) {
    const isa::InstructionSet& set = isa::setOf(body_.front().form);
    room_ = {registersOf(RegClass::Vector, set).size(),
             registersOf(RegClass::Accumulator, set).size()};
    for (size_t i = 0; i < body_.size(); ++i)
      for (const Operand& operand : body_[i].ops())
        if (const File file = fileOf(operand); file != FileCount) note(operand, i, file, atEnd);
  }

  std::vector<MachineInst> run() {
    for (size_t i = 0; i < body_.size(); ++i) {
      const std::set<uint32_t> ended = endingAt(i);
      // Results may take the registers of operands that are read for the last time.
      for (uint32_t reg : ended)
        if (isKnown(reg) && !writes(body_[i], reg)) release(reg);
      for (Operand& operand : body_[i].ops())
        if (isLocal(operand)) operand.number = static_cast<int32_t>(placeOf(numberOf(operand)));
      for (uint32_t reg : ended)
        if (isReleasable(reg)) release(reg);
    }
    return std::move(body_);
  }

 private:
  static uint32_t numberOf(const Operand& operand) { return static_cast<uint32_t>(operand.number); }
  File fileOf(const Operand& operand) const {
    return operand.isVirtual() ? codegen::fileOf(classes_[numberOf(operand)]) : FileCount;
  }
  bool isLocal(const Operand& operand) const {
    return operand.isVirtual() && last_.contains(numberOf(operand));
  }

  /// What lives through a round takes its registers from the room that values share.
  void note(const Operand& operand, size_t at, File file, const LiveSet& atEnd) {
    const uint32_t reg = numberOf(operand);
    if (!atEnd.has(reg) && isWrittenInBody(reg)) {
      last_[reg] = at;
      return;
    }
    if (outside_.insert(reg).second && room_[file] > 1) --room_[file];
  }
  bool isWrittenInBody(uint32_t reg) {
    auto [found, isNew] = written_.try_emplace(reg);
    if (isNew)
      for (const MachineInst& inst : body_)
        found->second |= writes(inst, reg);
    return found->second;
  }

  std::set<uint32_t> endingAt(size_t at) const {
    std::set<uint32_t> ended;
    for (const Operand& operand : body_[at].ops())
      if (isLocal(operand) && last_.at(numberOf(operand)) == at) ended.insert(numberOf(operand));
    return ended;
  }

  bool isKnown(uint32_t reg) const { return places_.contains(reg); }
  bool isReleasable(uint32_t reg) const { return isKnown(reg) && !released_.contains(reg); }
  void release(uint32_t reg) {
    released_.insert(reg);
    free_[classes_[reg]].push_back(places_.at(reg));
  }

  /// The register in which a value lies; for a new one its own while there is room, else the one that
  /// has been free longest.
  uint32_t placeOf(uint32_t reg) {
    if (auto found = places_.find(reg); found != places_.end()) return found->second;
    std::deque<uint32_t>& free = free_[classes_[reg]];
    size_t& taken = taken_[codegen::fileOf(classes_[reg])];
    const size_t size = classes_[reg] == RegClass::VectorPair ? 2 : 1;
    if (taken + size <= room_[codegen::fileOf(classes_[reg])] || free.empty()) {
      taken += size;
      return places_[reg] = reg;
    }
    const uint32_t place = free.front();
    free.pop_front();
    return places_[reg] = place;
  }

  std::vector<MachineInst> body_;
  std::span<const RegClass> classes_;
  std::array<size_t, FileCount> room_{}, taken_{};
  std::map<uint32_t, size_t> last_;  // of local values: the last instruction that touches them
  std::map<uint32_t, bool> written_;
  std::set<uint32_t> outside_, released_;
  std::map<uint32_t, uint32_t> places_;
  std::map<RegClass, std::deque<uint32_t>> free_;
};

}  // namespace

std::vector<MachineInst> shareRegisters(std::vector<MachineInst> body,
                                        std::span<const RegClass> classes, const LiveSet& atEnd) {
  if (body.empty() || &isa::setOf(body.front().form) == &isa::aie2()) return body;
  return Sharing(std::move(body), classes, atEnd).run();
}

}  // namespace airlite::npu::codegen
