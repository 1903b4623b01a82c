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

/// r1:r0 = r3:r2 * r5:r4, by halves of 16 bits.
std::string wideProduct() {
  return "extend.u16 r6, r2\n"
         "extend.u16 r7, r4\n"
         "mova r8, #-16\n"
         "lshl r9, r2, r8\n"
         "lshl r10, r4, r8\n"
         "mul r11, r6, r7\n"
         "mul r12, r9, r7\n"
         "mul r13, r6, r10\n"
         "mul r14, r9, r10\n"
         "mul r3, r3, r4\n"
         "mul r5, r5, r2\n"
         "nop\n"
         "lshl r6, r11, r8\n"
         "extend.u16 r11, r11\n"
         "add r12, r12, r6\n"
         "extend.u16 r7, r12\n"
         "lshl r12, r12, r8\n"
         "add r13, r13, r7\n"
         "mova r7, #16\n"
         "lshl r0, r13, r7\n"
         "lshl r13, r13, r8\n"
         "ret lr\n"
         "or r0, r0, r11\n"
         "add r14, r14, r12\n"
         "add r14, r14, r13\n"
         "add r14, r14, r3\n"
         "add r1, r14, r5\n";
}

}  // namespace

Object runtimeObject() {
  const std::string source =
      function("__udivsi3", unsignedQuotient()) + function("__umodsi3", unsignedRemainder()) +
      function("__divsi3", signedDivision("xor r1, r1, r2\n", "r31")) +
      function("__modsi3", signedDivision("", "r4")) + function("__muldi3", wideProduct());
  AssembledObject made = assembleObject(source, "the runtime library of airlite");
  made.object.isMember = true;
  return std::move(made.object);
}

}  // namespace airlite::npu::link
