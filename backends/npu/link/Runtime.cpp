#include "airlite/npu/link/Runtime.hpp"

#include "airlite/npu/link/ObjectSource.hpp"

namespace airlite::npu::link {
namespace {

std::string repeat(const std::string& line, unsigned count) {
  std::string text;
  while (count--)
    text += line;
  return text;
}

std::string function(const std::string& name, const std::string& body) {
  return ".section .text." + name + "\n.global " + name + "\n" + name + ":\n" + body;
}

// divs makes a bit of the quotient: 32 of them, the last ones in the delay slots of ret.

/// r0 = r1 / r2.
std::string unsignedQuotient() {
  const std::string step = "divs r0, r31, r0, r2\n";
  return "mova r0, #0 ; mov r31, r1\n" + repeat(step, 28) + "ret lr\n" + repeat(step, 4) +
         "mov r0, r31\n";
}

/// r0 = r1 % r2.
std::string unsignedRemainder() {
  const std::string step = "divs r0, r31, r0, r2\n";
  return "mova r0, #0 ; mov r31, r1\n" + repeat(step, 27) + "ret lr\n" + repeat(step, 5);
}

/// Of the absolute values: r4 the remainder, r31 the quotient. `sign` leaves in r1 what is negative
/// when `result` is to be.
std::string signedDivision(const std::string& sign, const std::string& result) {
  const std::string step = "divs r4, r31, r4, r3\n";
  return "abs r31, r1\nabs r3, r2\nmova r0, #0\n" + sign +
         "divs r4, r31, r0, r3\nlt r27, r1, r0\n" + repeat(step, 28) + "ret lr\n" +
         repeat(step, 3) + "sub r2, r0, " + result + "\nsel.nez r0, r2, " + result + ", r27\n";
}

/// r1:r0 = r3:r2 * r5:r4, by halves of 16 bits. r8 to r15 are the caller's on AIE2P, r16 to r23 on
/// AIE2.
std::string wideProduct() {
  return "extend.u16 r6, r2\n"
         "extend.u16 r7, r4\n"
         "mova r24, #-16\n"
         "lshl r25, r2, r24\n"
         "lshl r26, r4, r24\n"
         "mul r27, r6, r7\n"
         "mul r28, r25, r7\n"
         "mul r29, r6, r26\n"
         "mul r30, r25, r26\n"
         "mul r3, r3, r4\n"
         "mul r5, r5, r2\n"
         "nop\n"
         "lshl r6, r27, r24\n"
         "extend.u16 r27, r27\n"
         "add r28, r28, r6\n"
         "extend.u16 r7, r28\n"
         "lshl r28, r28, r24\n"
         "add r29, r29, r7\n"
         "mova r7, #16\n"
         "lshl r0, r29, r7\n"
         "lshl r29, r29, r24\n"
         "ret lr\n"
         "or r0, r0, r27\n"
         "add r30, r30, r28\n"
         "add r30, r30, r29\n"
         "add r30, r30, r3\n"
         "add r1, r30, r5\n";
}

}  // namespace

Object runtimeObject(const isa::InstructionSet& set) {
  const std::string source =
      function("__udivsi3", unsignedQuotient()) + function("__umodsi3", unsignedRemainder()) +
      function("__divsi3", signedDivision("xor r1, r1, r2\n", "r31")) +
      function("__modsi3", signedDivision("", "r4")) + function("__muldi3", wideProduct());
  AssembledObject made = assembleObject(source, "the runtime library of airlite", set);
  made.object.isMember = true;
  return std::move(made.object);
}

}  // namespace airlite::npu::link
