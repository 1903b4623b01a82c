// The integer instructions of the slot alu. Carry: the tables name the instructions that write
// srCarry, not its value (docs/hardware/isa.md, "Status bits"); taken: the carry out of the
// addition, and no borrow out of a subtraction (as a - b is a + ~b + 1). Certainty C.
#include "Semantics.hpp"

#include <bit>

namespace airlite::npu::sim::core {
namespace {

/// a + b + carry, and the carry out of it.
void addWithCarry(Flight& f, uint32_t a, uint32_t b, uint32_t carry) {
  uint64_t sum = uint64_t{a} + b + carry;
  f.result(static_cast<uint32_t>(sum));
  f.result(static_cast<uint32_t>(sum >> 32), 1);
}

/// A positive amount shifts to the left, a negative one to the right; 32 or more leave the sign.
/// That the whole register counts and not its low bits is taken from the compiler's use of it, C.
uint32_t shiftLogical(uint32_t value, int32_t by) {
  if (by <= -32 || by >= 32) return 0;
  return by >= 0 ? value << by : value >> -by;
}

int32_t shiftArithmetic(int32_t value, int32_t by) {
  if (by >= 32) return 0;
  if (by >= 0) return static_cast<int32_t>(static_cast<uint32_t>(value) << by);
  return value >> (by <= -32 ? 31 : -by);
}

/// Bits below the highest that repeat it.
uint32_t leadingSignBits(int32_t value) {
  return static_cast<uint32_t>(std::countl_zero(static_cast<uint32_t>(value ^ (value >> 31)))) - 1;
}

/// One bit of a division: the remainder takes the highest bit of the dividend in r31, whose lowest
/// becomes a bit of the quotient. The runtime library of the public compiler (__udivsi3, __divsi3)
/// does 32 of them, begins with a remainder of 0 and the dividend in r31, and returns r31.
void divideStep(Flight& f) {
  uint32_t dividend = f.u(0), remainder = f.u(1), divisor = f.u(2);
  uint64_t wide = uint64_t{remainder} << 1 | dividend >> 31;
  bool fits = wide >= divisor;
  f.result(static_cast<uint32_t>(fits ? wide - divisor : wide), 0);
  f.result(dividend << 1 | fits, 1);
}

void absolute(Flight& f) {
  f.result(f.s(0) < 0 ? 0 - f.u(0) : f.u(0));
  f.result(f.s(0) < 0, 1);  // C: which case sets the carry
}

constexpr SemanticRow kScalarRows[] = {
    {"abs", {absolute}},
    {"add", {[](Flight& f) { addWithCarry(f, f.u(0), f.u(1), 0); }}},
    {"sub", {[](Flight& f) { addWithCarry(f, f.u(0), ~f.u(1), 1); }}},
    {"adc", {[](Flight& f) { addWithCarry(f, f.u(0), f.u(1), f.u(2) & 1); }}},
    {"sbc", {[](Flight& f) { addWithCarry(f, f.u(0), ~f.u(1), f.u(2) & 1); }}},
    {"mul", {[](Flight& f) { f.result(f.u(0) * f.u(1)); }}},
    {"mac", {[](Flight& f) { f.result(f.u(0) + f.u(1) * f.u(2)); }}},
    {"msc", {[](Flight& f) { f.result(f.u(0) - f.u(1) * f.u(2)); }}},
    {"popcount", {[](Flight& f) { f.result(static_cast<uint32_t>(std::popcount(f.u(0)))); }}},
    {"divs", {divideStep}},
    {"and", {[](Flight& f) { f.result(f.u(0) & f.u(1)); }}},
    {"or", {[](Flight& f) { f.result(f.u(0) | f.u(1)); }}},
    {"xor", {[](Flight& f) { f.result(f.u(0) ^ f.u(1)); }}},
    {"lshl", {[](Flight& f) { f.result(shiftLogical(f.u(0), f.s(1))); }}},
    {"ashl", {[](Flight& f) { f.result(static_cast<uint32_t>(shiftArithmetic(f.s(0), f.s(1)))); }}},
    {"clz", {[](Flight& f) { f.result(static_cast<uint32_t>(std::countl_zero(f.u(0)))); }}},
    {"clb", {[](Flight& f) { f.result(leadingSignBits(f.s(0))); }}},
    {"eq", {[](Flight& f) { f.result(f.u(0) == f.u(1)); }}},
    {"ne", {[](Flight& f) { f.result(f.u(0) != f.u(1)); }}},
    {"lt", {[](Flight& f) { f.result(f.s(0) < f.s(1)); }}},
    {"ge", {[](Flight& f) { f.result(f.s(0) >= f.s(1)); }}},
    {"ltu", {[](Flight& f) { f.result(f.u(0) < f.u(1)); }}},
    {"geu", {[](Flight& f) { f.result(f.u(0) >= f.u(1)); }}},
    {"eqz", {[](Flight& f) { f.result(f.u(0) == 0); }}},
    {"nez", {[](Flight& f) { f.result(f.u(0) != 0); }}},
    {"sel.eqz", {[](Flight& f) { f.result(f.u(2) == 0 ? f.u(0) : f.u(1)); }}},
    {"sel.nez", {[](Flight& f) { f.result(f.u(2) != 0 ? f.u(0) : f.u(1)); }}},
    {"extend.s8",
     {[](Flight& f) { f.result(static_cast<uint32_t>(int32_t{f.in[0].get<int8_t>()})); }}},
    {"extend.s16",
     {[](Flight& f) { f.result(static_cast<uint32_t>(int32_t{f.in[0].get<int16_t>()})); }}},
    {"extend.u8", {[](Flight& f) { f.result(f.u(0) & 0xff); }}},
    {"extend.u16", {[](Flight& f) { f.result(f.u(0) & 0xffff); }}},
};

}  // namespace

std::span<const SemanticRow> scalarSemantics() { return kScalarRows; }

}  // namespace airlite::npu::sim::core
