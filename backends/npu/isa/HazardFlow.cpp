#include "HazardFlow.hpp"

#include <cstdlib>

namespace airlite::npu::isa {
namespace {

/// A register that movxm sets to a constant.
std::optional<uint32_t> constantFor(const Bundle& bundle, Reg reg) {
  for (const Instruction& instruction : bundle.instructions())
    if (instruction.form() == instruction.set().moveConstant && instruction.reg(0) == reg)
      return static_cast<uint32_t>(instruction.imm(1));
  return std::nullopt;
}

struct Setting {
  size_t bundle;
  uint32_t value;
};

std::vector<Setting> settingsOf(const Program& program, Reg reg) {
  std::vector<Setting> found;
  for (size_t i = 0; i < program.bundles.size(); ++i)
    if (auto value = constantFor(program.bundles[i].bundle, reg)) found.push_back({i, *value});
  return found;
}

size_t distance(size_t a, size_t b) { return a < b ? b - a : a - b; }

const Setting* nearest(const std::vector<Setting>& settings, size_t bundle) {
  const Setting* best = nullptr;
  for (const Setting& s : settings)
    if (!best || distance(s.bundle, bundle) < distance(best->bundle, bundle)) best = &s;
  return best;
}

}  // namespace

Flow::Flow(const Program& program) : program_(program) { findLoops(); }

/// A loop is a setting of le and the setting of ls that stands nearest.
void Flow::findLoops() {
  std::vector<Setting> starts = settingsOf(program_, Reg::LS);
  for (const Setting& end : settingsOf(program_, Reg::LE))
    if (const Setting* start = nearest(starts, end.bundle))
      loops_.push_back({start->bundle, end.bundle, start->value, end.value});
}

Jump Flow::jumpOf(size_t bundle) const {
  Jump jump;
  for (const Instruction& instruction : program_.bundles[bundle].bundle.instructions())
    if (instruction.row().isJump()) jump.instruction = &instruction;
  if (!jump.instruction) return jump;
  const FormRow& form = jump.instruction->row();
  for (unsigned i = 0; i < form.operandCount; ++i)
    if (form.operands[i].kind == OperandKind::Immediate)
      jump.address = static_cast<uint32_t>(jump.instruction->imm(i));
  size_t target = jump.address ? program_.indexAt(*jump.address) : program_.bundles.size();
  if (target < program_.bundles.size()) jump.target = target;
  return jump;
}

size_t Flow::after(size_t bundle) const {
  size_t next = bundle + 1;
  bool touches = next < program_.bundles.size() &&
                 program_.bundles[next].address == program_.bundles[bundle].end();
  return touches ? next : kNowhere;
}

void Flow::appendNext(const Place& place, std::vector<Place>& next) const {
  if (place.bundle == kNowhere) return;
  size_t following = after(place.bundle);
  if (place.slotsLeft == 1) return next.push_back({place.target});
  if (place.slotsLeft > 1) return next.push_back({following, place.target, place.slotsLeft - 1});
  if (Jump jump = jumpOf(place.bundle); jump.instruction) {
    next.push_back({following, jump.target, kDelaySlots});
    if (jump.instruction->row().is(kBarrier | kCall)) return;
  }
  for (const HardwareLoop& loop : loops_) {
    size_t start = program_.indexAt(loop.start);
    if (loop.end == program_.bundles[place.bundle].address && start < program_.bundles.size())
      next.push_back({start});
  }
  next.push_back({following});
}

}  // namespace airlite::npu::isa
