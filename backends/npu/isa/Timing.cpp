#include "airlite/npu/isa/Timing.hpp"

namespace airlite::npu::isa {
namespace {

bool holds(const Instruction& instruction, const ItineraryChoice& choice) {
  return contains(choice.firstClass, instruction.reg(choice.firstOperand)) &&
         contains(choice.secondClass, instruction.reg(choice.secondOperand));
}

char bypassOf(const ItineraryRow& itinerary, unsigned index) {
  return index < itinerary.bypasses.size() ? itinerary.bypasses[index] : '-';
}

/// Itineraries may be shorter than the list of operands; what they leave out happens at once.
uint8_t cycleOf(const ItineraryRow& itinerary, unsigned index) {
  uint8_t cycle = index < itinerary.operandCycles.size() ? itinerary.operandCycles[index] : 0;
  return cycle ? cycle : 1;
}

/// From which distance on the uses of one unit no longer meet; 0: they never do.
int unitDistance(const UnitUse& first, const UnitUse& second) {
  if (first.unit != second.unit || (first.reserved && second.reserved)) return 0;
  return first.cycle + first.cycles - second.cycle;
}

}  // namespace

Itinerary itineraryOf(const Instruction& instruction) {
  const FormRow& form = instruction.row();
  if (form.choices < 0) return form.itinerary;
  for (const ItineraryChoice& choice : itineraryChoices().subspan(form.choices)) {
    if (holds(instruction, choice)) return choice.itinerary;
    if (choice.last) break;
  }
  return form.itinerary;
}

Accesses accessesOf(const Instruction& instruction) {
  const FormRow& form = instruction.row();
  const ItineraryRow& itinerary = row(itineraryOf(instruction));
  Accesses accesses;
  unsigned index = 0;
  auto add = [&](Reg reg, bool isDef, bool isImplicit) {
    accesses.add({reg, isDef, isImplicit, static_cast<uint8_t>(index), cycleOf(itinerary, index),
                  bypassOf(itinerary, index)});
  };
  for (; index < form.operandCount; ++index)
    if (form.operands[index].kind != OperandKind::Immediate)
      add(instruction.reg(index), form.operands[index].isDef, false);
  for (unsigned i = 0; i < form.implicitDefCount; ++i, ++index)
    add(form.implicitDefs[i], true, true);
  for (unsigned i = 0; i < form.implicitUseCount; ++i, ++index)
    add(form.implicitUses[i], false, true);
  return accesses;
}

bool isLock(const Instruction& instruction) { return instruction.row().is(kLock); }

int memoryOrder(const Instruction& first, const Instruction& second) {
  return static_cast<int>(row(itineraryOf(first)).lastMemoryCycle()) -
         static_cast<int>(row(itineraryOf(second)).firstMemoryCycle()) + 1;
}

int memoryToLock(const Instruction& memory) {
  return static_cast<int>(row(itineraryOf(memory)).lastMemoryCycle()) -
         static_cast<int>(kLockStall) + 1;
}

int lockToMemory(const Instruction& memory) {
  return static_cast<int>(kLockResume) -
         static_cast<int>(row(itineraryOf(memory)).firstMemoryCycle()) + 1;
}

int structural(const Instruction& first, const Instruction& second) {
  int distance = 0;
  for (const UnitUse& a : row(itineraryOf(first)).uses())
    for (const UnitUse& b : row(itineraryOf(second)).uses())
      distance = std::max(distance, unitDistance(a, b));
  return distance;
}

}  // namespace airlite::npu::isa
