#include "TwoRounds.hpp"

#include <algorithm>
#include <map>

namespace airlite::npu::codegen {

namespace {

bool canPair(const LoopPlace& place) { return place.rowLength % 2 == 0; }

/// The place of an access in a round of two rounds; of the second one `isSecond`.
LoopPlace placeInPair(LoopPlace place, bool isSecond) {
  if (isSecond) place.offset += place.step;
  place.step *= 2;
  place.rowLength /= 2;
  return place;
}

}  // namespace

std::optional<std::vector<MachineInst>> twoRounds(std::span<const MachineInst> body,
                                                  std::vector<RegClass>& classes,
                                                  const LiveSet& atEnd) {
  if (!std::ranges::all_of(body, canPair, &MachineInst::inLoop)) return std::nullopt;
  std::map<int32_t, int32_t> second;  // registers of values that begin and end in a round
  for (const MachineInst& inst : body)
    for (unsigned i = 0; i < inst.operandCount; ++i) {
      const Operand& operand = inst.operands[i];
      if (!operand.isVirtual() || !useOf(inst.form, i).isDef) continue;
      const auto reg = static_cast<uint32_t>(operand.number);
      if (atEnd.has(reg) || second.contains(operand.number)) continue;
      second[operand.number] = static_cast<int32_t>(classes.size());
      classes.push_back(RegClass(classes[reg]));
    }
  std::vector<MachineInst> both;
  for (const bool isSecond : {false, true})
    for (MachineInst inst : body) {
      inst.inLoop = placeInPair(inst.inLoop, isSecond);
      for (Operand& operand : inst.ops())
        if (auto found = second.find(operand.number);
            isSecond && operand.isVirtual() && found != second.end())
          operand.number = found->second;
      both.push_back(inst);
    }
  return both;
}

}  // namespace airlite::npu::codegen
