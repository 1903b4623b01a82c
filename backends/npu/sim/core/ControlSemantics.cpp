// Jumps with their five delay slots, the end of a program, events (docs/hardware/isa.md,
// rules.branches).
#include "Pipeline.hpp"
#include "Semantics.hpp"

namespace airlite::npu::sim::core {
namespace {

void call(Flight& f) {
  f.result(f.pipe->afterDelaySlots(f.pc));
  f.pipe->jump(f.u(0));
}

void jumpIf(Flight& f, bool taken, uint32_t target) {
  if (taken) f.pipe->jump(target);
}

/// Jumps by the value before it is counted down. The carry is that of the subtraction (C).
void countDown(Flight& f) {
  f.result(f.u(0) - 1);
  f.result(f.u(0) != 0, 1);
  jumpIf(f, f.u(0) != 0, f.u(1));
}

constexpr SemanticRow kControlRows[] = {
    {"j", {[](Flight& f) { f.pipe->jump(f.u(0)); }}},
    {"jl", {call}},
    {"jz", {[](Flight& f) { jumpIf(f, f.u(0) == 0, f.u(1)); }}},
    {"jnz", {[](Flight& f) { jumpIf(f, f.u(0) != 0, f.u(1)); }}},
    {"jnzd", {countDown}},
    {"ret", {[](Flight& f) { f.pipe->jump(f.u(0)); }}},
    {"done", {[](Flight& f) { f.pipe->finish(); }}},
    // Events go to the trace unit, which is not modelled.
    {"event", {[](Flight&) {}}},
    {"event.error", {[](Flight&) {}}},
    {"event.warning", {[](Flight&) {}}},
};

}  // namespace

std::span<const SemanticRow> controlSemantics() { return kControlRows; }

}  // namespace airlite::npu::sim::core
