// The hazard checker: silent on right programs, and each rule finds its planted fault.
#include "airlite/npu/isa/Hazards.hpp"

#include "IsaTest.hpp"
#include "airlite/npu/isa/Assembler.hpp"
#include "airlite/npu/isa/Timing.hpp"
#include "support/catch_all.hpp"

#include <set>

namespace airlite::npu::isa {
namespace {

std::string nops(unsigned count) {
  std::string text;
  while (count--)
    text += "nop\n";
  return text;
}

/// Bundles of 16 bytes that do nothing.
std::string wideNops(unsigned count) {
  std::string text;
  while (count--)
    text += "nopa ; nopb ; nops ; nopx ; nopm ; nopv\n";
  return text;
}

std::string check(const std::string& source, const HazardOptions& options = {}) {
  Assembly a = assemble(source);
  INFO(source);
  if (!a.ok()) FAIL(a.errors[0].line << ": " << a.errors[0].message);
  std::string text;
  for (const Hazard& h : findHazards(a.program, options)) {
    INFO(h.message);
    if (!text.empty()) text += " ";
    text += std::string(name(h.kind));
    if (h.missing) text += "-" + std::to_string(h.missing);
  }
  return text;
}

const HazardOptions kReads{.readsInFlight = true};

/// A hardware loop: setup, filling, body with its last bundle.
std::string loop(unsigned filling, const std::string& last = wideNops(1), bool label = true) {
  return "movxm ls, #first\nmovxm le, #last\nmova r0, #4\nadd.nc lc, r0, #0\n.align 16\n" +
         wideNops(filling) + "first:\n" + wideNops(1) + (label ? "last:\n" : "") + last + "done\n" +
         nops(5);
}

}  // namespace

TEST_CASE("right programs are silent", "[isa][hazards]") {
  CHECK(check("lda r1, [p0], #4\n" + nops(6) + "add r1, r1, r2\nst r1, [p1], #4\n", kReads) == "");
  CHECK(check(loop(7)) == "");
  // A value that is read while its successor is loaded: software pipelining lives on it.
  CHECK(check("lda r1, [p0], #4\nadd r2, r1, r1\n" + nops(5) + "add r3, r1, r1\n") == "");
  CHECK(check("vmac cm0, cm0, x0, x1, r0\nnop\nvmac cm0, cm0, x0, x1, r0\n" + nops(6), kReads) ==
        "");
  CHECK(check("vmul.f bml0, x0, x1, r0\n" + nops(3) + "vmac.f bml0, bml0, x0, x1, r0\n" + nops(6),
              kReads) == "");
  CHECK(check("st r0, [p0, #0]\nlda r1, [p0, #0]\n") == "");
  CHECK(check("acq #48, r0\n" + nops(3) + "lda r1, [p0, #0]\n" + nops(6) + "rel #49, r1\n",
              kReads) == "");
  CHECK(check(".align 16\nback: jnz r0, #back\n" + nops(5) + "done\n") == "");
}

TEST_CASE("writes in one cycle, or in the wrong order", "[isa][hazards]") {
  CHECK(check("lda r1, [p0], #4\n" + nops(5) + "mova r1, #1\n") ==
        "write-after-write-1 resource-1");
  CHECK(check("lda r1, [p0], #4\n" + nops(5) + "add r1, r2, r3\n") == "write-after-write-1");
  CHECK(check("lda r1, [p0], #4\nadd r1, r2, r3\n") == "write-after-write-6");
  CHECK(check("lda r1, [p0], #4\n" + nops(6) + "add r1, r2, r3\n") == "");
  CHECK(check("add r1, r2, r3 ; mov r1, r4\n") == "write-after-write-1");
  CHECK(check("vlda wl0, [p0, #0]\nvbcst.8 x0, r0\n") == "write-after-write-5");
  // Status bits that only collect have no order.
  CHECK(check("vmac.f bml0, bml0, x0, x1, r0\nvmac.f bml1, bml1, x0, x1, r0\n") == "");
}

TEST_CASE("operands that are read late", "[isa][hazards]") {
  CHECK(check("st.s8 r1, [p0], #1\n" + nops(4) + "add r1, r2, r3\n") == "write-after-read-1");
  CHECK(check("st.s8 r1, [p0], #1\n" + nops(5) + "add r1, r2, r3\n") == "");
}

// Each is from a core program of the public compiler, in other words.
TEST_CASE("what compilers do on purpose is left out of their programs", "[isa][hazards]") {
  const HazardOptions compiled{.isCompiled = true};
  for (const std::string& source : {
           // A store issues before its value is selected, a register serves until a load lands.
           "st.s8 r0, [p0], #1\n" + nops(4) + "sel.eqz r0, r0, r1, r27\n",
           "lda.u8 r1, [p6, dj0]\n" + nops(4) + "mova r1, #10\nadd r2, r1, r1\n",
           std::string("vmov bmh0, bml1 ; vmsc.f bmh0, bmh0, x0, x1, r0\n"),
           // Registers are saved shortly before the first acquire.
           "st lr, [sp, #-28]\nnop\nacq #49, r17\n" + nops(6),
           // Start-up code never returns; code that was not optimised jumps anywhere.
           ".align 16\nback: nop\njl #back\n" + nops(5) + "done\n" + nops(5),
           "nop\nback: jnz r0, #back\n" + nops(5) + "done\n" + nops(5),
       }) {
    CHECK(check(source) != "");
    CHECK(check(source, compiled) == "");
  }
  CHECK(check("lda r1, [p0], #4\n" + nops(5) + "add r1, r2, r3\n", compiled) ==
        "write-after-write-1");
  CHECK(check("st lr, [sp, #-28]\nnop\nrel #49, r17\n" + nops(6), compiled) == "lock-distance-2");
}

TEST_CASE("units that two instructions hold", "[isa][hazards]") {
  CHECK(check("vmac cm0, cm0, x0, x1, r0 ; st r1, [p0], #4\n") == "resource-1");
  CHECK(check("mul r1, r2, r3\nadd r4, r5, r6\n") == "resource-1");
  CHECK(check("lda r1, [p0], #4\n" + nops(5) + "mova r2, #1\n") == "resource-1");
  CHECK(check("st.s8 r1, [p0], #1\nlda r2, [p1, #0]\n") == "resource-6");
  CHECK(check("acq #48, r0\nrel #49, r1\n") == "resource-3");
  CHECK(check("acq #48, r0\n" + nops(3) + "rel #49, r1\n") == "");
  CHECK(check("vsrs.s16.s32 wl0, bml0, s0 ; vsrsm.s16.s32 wl2, bml1, s1\n") ==
        "resource-1 resource-1");
  CHECK(check("mov r0, SS\nacq #48, r1\n").find("resource") != std::string::npos);
}

TEST_CASE("accesses to the same bytes", "[isa][hazards]") {
  CHECK(check("vst.srs.s16.s32 bml0, s0, [p0, #0]\nlda r1, [p0, #8]\n") == "memory-order-2");
  CHECK(check("vst.srs.s16.s32 bml0, s0, [p0, #0]\n" + nops(2) + "lda r1, [p0, #8]\n") == "");
  CHECK(check("vst.srs.s16.s32 bml0, s0, [p0], #32\nlda r1, [p0, #8]\n") == "");
  CHECK(check("vst.srs.s16.s32 bml0, s0, [p0], #32\nlda r1, [p0, #-8]\n") == "memory-order-2");
  CHECK(check("st r0, [p0, #0] ; lda r1, [p0, #0]\n") == "memory-order-1");
  CHECK(check("st r0, [p0, #0] ; lda r1, [p0, #4]\n") == "");
  std::string unknown = "vst.srs.s16.s32 bml0, s0, [p0, #0]\nlda r1, [p1, #0]\n";
  CHECK(check(unknown) == "");
  CHECK(check(unknown, {.assumeAliasing = true}) == "memory-order-2");
  CHECK(check("movxm p0, #0x70400\nmovxm p1, #0x70400\nst r0, [p0, #0] ; lda r1, [p1, #0]\n") ==
        "memory-order-1");
}

TEST_CASE("memory and locks keep their distance", "[isa][hazards]") {
  CHECK(check("st r0, [p0, #0]\n" + nops(2) + "rel #49, r1\n") == "lock-distance-1");
  CHECK(check("st r0, [p0, #0]\n" + nops(3) + "rel #49, r1\n") == "");
  CHECK(check("acq #48, r1\n" + nops(2) + "lda r0, [p0, #0]\n") == "lock-distance-1");
  CHECK(check("acq #48, r1\n" + nops(3) + "lda r0, [p0, #0]\n") == "");
  CHECK(check("vst.srs.s16.s32 bml0, s0, [p0, #0]\n" + nops(4) + "rel #49, r1\n") ==
        "lock-distance-1");
  CHECK(check("acq #48, r1\nnop\nvst.srs.s16.s32 bml0, s0, [p0, #0]\n") == "");
  CHECK(check("st.s8 r2, [p0], #1\n" + nops(8) + "rel #49, r1\n") == "lock-distance-1");
  CHECK(check("st r0, [p0, #0] ; rel #49, r1\n") == "lock-distance-4");
  std::string load = "lda r0, [p0, #0]\n" + nops(3) + "rel #49, r1\n";
  CHECK(check(load) == "");
  CHECK(check(load, {.loadsWrittenBeforeLocks = true}) == "lock-distance-2");
}

TEST_CASE("jumps and their delay slots", "[isa][hazards]") {
  CHECK(check("back: j #back\n" + nops(4) + "ret lr\n" + nops(5)) == "jump-in-delay-slot-1");
  CHECK(check("back: j #back\n" + nops(4)) == "delay-slots-missing");
  CHECK(check("nop\nback: j #back\n" + nops(5)) == "alignment");
  CHECK(check("j #32\n" + nops(5)) == "target-missing");
  CHECK(check("back: jl #back\n" + nops(5) + ".align 16\nnop\n") == "");
  CHECK(check("back: jl #back\nnopa\n" + nops(5)) == "alignment");
  CHECK(check(wideNops(1024) + "nop\n") == "program-size");
}

TEST_CASE("hardware loops", "[isa][hazards]") {
  // Counted from the start of the bundle that sets lc to the start of the last bundle.
  CHECK(check(loop(5)) == "");
  CHECK(check(loop(4)) == "loop-too-close loop-too-close");
  CHECK(check(loop(2)) == "loop-too-close loop-too-close loop-too-close-2");
  CHECK(check(loop(7, "nopa ; nopb ; nops ; nopx\n")) == "alignment");
  std::string store = "st.s16 r1, [p0], #2 ; nopb ; nops ; nopx ; nopm ; nopv\n";
  CHECK(check(loop(7, wideNops(5) + "last: " + store, false)) == "loop-last-store");
  CHECK(check(loop(7, wideNops(6) + "last: " + store, false)) == "");
  CHECK(check("movxm ls, #32\nmovxm le, #16\n.align 16\n" + wideNops(3)) == "loop-bounds");
  CHECK(check("movxm ls, #0x400\nmovxm le, #0x404\n" + wideNops(3)) ==
        "target-missing alignment target-missing");
  std::string jump = "movxm ls, #first\nmovxm le, #last\nmovxm lc, #4\n.align 16\n" + wideNops(8) +
                     "first: jnz r0, #first\n.align 16\n" + wideNops(2) + "last:\n" + wideNops(5);
  CHECK(check(jump) == "loop-end-in-delay-slot");
  std::string nested = "movxm ls, #a\nmovxm le, #d\nmovxm lc, #4\n" + nops(2) + ".align 16\n" +
                       wideNops(8) + "a:\n" + wideNops(1) +
                       "movxm ls, #b ; nopa ; nopb ; nops ; nopv\n"
                       "movxm le, #c ; nopa ; nopb ; nops ; nopv\n" +
                       wideNops(8) + "b:\n" + wideNops(1) + "c:\n" + wideNops(8) + "d:\n" +
                       wideNops(1);
  CHECK(check(nested).find("loop-bounds") != std::string::npos);
}

TEST_CASE("what is under way goes with control", "[isa][hazards]") {
  // Around the back edge of a loop of two bundles.
  std::string body = "lda r1, [p0], #4 ; nopb ; nops ; nopx ; nopm ; nopv\n";
  std::string text = "movxm ls, #first\nmovxm le, #last\nmovxm lc, #4\n.align 16\n" + wideNops(7) +
                     "first:\n" + "add r1, r2, r3 ; nopa ; nopb ; nops ; nopm ; nopv\nlast:\n" +
                     body;
  CHECK(check(text) == "write-after-write-6 write-after-write-4 write-after-write-2");
  // Through a jump: the load is issued in its last delay slot.
  std::string jump = "j #far\n" + nops(4) +
                     "lda r1, [p0], #4\n.align 16\nnop\n.align 16\n"
                     "far: add r1, r2, r3\n";
  CHECK(check(jump) == "write-after-write-6");
  // Only the path that is taken counts: nothing after an unconditional jump is reached.
  CHECK(check("j #far\n" + nops(4) + "lda r1, [p0], #4\nadd r1, r2, r3\n.align 16\nfar: nop\n") ==
        "");
}

TEST_CASE("reads in flight are shown on request", "[isa][hazards]") {
  std::string early = "lda r1, [p0], #4\n" + nops(5) + "add r2, r1, r3\n";
  CHECK(check(early) == "");
  CHECK(check(early, kReads).starts_with("read-in-flight-1"));
  CHECK(check("vmac cm0, cm0, x0, x1, r0\nvmac cm0, cm0, x0, x1, r0\n" + nops(6), kReads) ==
        "read-in-flight-1");
  CHECK(check("vadd.8 x0, x1, x2\nvadd.8 x3, x0, x2\n").empty());
  CHECK(check("vadd.8 x0, x1, x2\nvadd.8 x3, x0, x2\n" + nops(2), kReads) == "");
  CHECK(check("ret lr\n" + nops(4) + "lda r0, [p0, #0]\n", kReads) == "write-at-exit-6");
  CHECK(check("lda r0, [p0, #0]\nret lr\n" + nops(5), kReads) == "");
}

TEST_CASE("known addresses are aligned to what is accessed", "[isa][hazards]") {
  CHECK(check("movxm p0, #0x70404\nvlda wl0, [p0, #0]\n") == "memory-alignment");
  CHECK(check("movxm p0, #0x70404\nlda r0, [p0, #0]\n") == "");
  CHECK(check("movxm p0, #0x70410\npadda [p0], #16\nvlda wl0, [p0, #0]\n") == "");
  CHECK(check("movxm p0, #0x70410\nvst.128 wl0, [p0], #32\nvst.128 wl0, [p0, #0]\n") == "");
  CHECK(check("movxm p0, #0x70401\nlabel: lda r0, [p0, #0]\n") == "");
}

TEST_CASE("timing answers for schedulers", "[isa][timing]") {
  auto one = [](std::string_view text) {
    TextError error;
    return parseInstruction(text, error).value().instruction;
  };
  auto def = [](const Instruction& i) { return *accessesOf(i).begin(); };
  auto use = [](const Instruction& i, Reg reg) {
    Access found;
    for (const Access& a : accessesOf(i))
      if (!a.isDef && a.reg == reg) found = a;
    return found;
  };
  Instruction load = one("lda r1, [p0, #0]"), add = one("add r2, r1, r3");
  CHECK(readAfterWrite(def(load), use(add, Reg::r1)) == 7);
  Instruction mac = one("vmac cm1, cm0, x0, x1, r0");
  CHECK(readAfterWrite(def(one("vmac cm0, cm2, x0, x1, r0")), use(mac, Reg::cm0)) == 2);
  CHECK(readAfterWrite(def(one("vlda wl0, [p0, #0]")), use(mac, Reg::x0)) == 7);
  CHECK(readAfterWrite(def(one("vshuffle x0, x2, x3, r1")), use(mac, Reg::x0)) == 2);
  CHECK(readAfterWrite(def(one("vadd.8 x0, x1, x2")), use(one("vadd.8 x3, x0, x2"), Reg::x0)) == 1);
  CHECK(memoryToLock(load) == 4);
  CHECK(lockToMemory(load) == 4);
  CHECK(structural(one("acq #48, r0"), one("rel #49, r0")) == 4);
  CHECK(itineraryOf(one("mov p0, r1")) == Itinerary::MOV_SCL_P);
  CHECK(itineraryOf(one("mov r1, #1")) == Itinerary::MOV_RS);
  CHECK(itineraryOf(one("vmov wl0, amll0")) == Itinerary::VMOV_W_WML_CM);
}

}  // namespace airlite::npu::isa
