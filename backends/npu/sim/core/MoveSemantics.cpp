// Moves between registers, with every width, and arithmetic on pointers. A register of 20 bits that
// goes into one of 32 is extended with zeros (C: nothing says that its sign is kept).
#include "Pipeline.hpp"
#include "Semantics.hpp"

namespace airlite::npu::sim::core {
namespace {

void copy(Flight& f) { f.out[0] = f.in[0]; }

constexpr SemanticRow kMoveRows[] = {
    {"mov", {copy}},
    {"mova", {copy}},
    {"movx", {copy}},
    {"movxm", {copy}},
    {"mov.d1", {copy}},
    {"mov.d2", {copy}},
    {"mov.d3", {copy}},
    {"mov.d4", {copy}},
    {"mov.d5", {copy}},
    {"mov.d6", {copy}},
    {"movs", {copy}},
    {"vmov", {copy}},
    {"vmov.d", {copy}},
    {"mov cntr", {[](Flight& f) { f.out[0].set(f.pipe->hostCycle()); }}},
    {"add.nc", {[](Flight& f) { f.result(f.u(0) + f.u(1)); }}},
    // The address step moves the pointer.
    {"padda", {}},
    {"paddb", {}},
    {"padds", {}},
    {"paddxm", {}},
    {"paddxm register", {[](Flight& f) { f.result(f.u(0) + f.u(1)); }}},
};

}  // namespace

std::span<const SemanticRow> moveSemantics() { return kMoveRows; }

}  // namespace airlite::npu::sim::core
