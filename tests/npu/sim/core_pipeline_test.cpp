// The exposed pipeline: latencies, delay slots, loops, stalls, faults, the decoded program.
#include "CoreTesting.hpp"

using namespace airlite;
using namespace airlite::npu::sim;
namespace isa = airlite::npu::isa;
using airlite::npu::isa::Reg;

TEST_CASE("a value read too early is the old one", "[core][pipeline]") {
  // A load is there for what issues 7 later, a multiplication for what issues 2 later.
  TestCore t("lda r0, [p0, #0]\n mul r5, r1, r1\n mov r6, r5\n mov r7, r5\n nop\n nop\n"
             "mov r2, r0\n mov r3, r0");
  t.set(Reg::p0, 0x70000);
  t.set(Reg::r0, 111);
  t.set(Reg::r1, 9);
  t.set(Reg::r5, 5);
  t.host.memory[0x70000] = 42;
  t.runToEnd();
  CHECK(t.u32(Reg::r6) == 5);
  CHECK(t.u32(Reg::r7) == 81);
  CHECK(t.u32(Reg::r2) == 111);
  CHECK(t.u32(Reg::r3) == 42);
}

TEST_CASE("the slots of a bundle read before any of them writes", "[core][pipeline]") {
  TestCore t("add r0, r1, r1 ; mov r1, r0");
  t.set(Reg::r0, 1);
  t.set(Reg::r1, 10);
  t.runToEnd();
  CHECK(t.u32(Reg::r0) == 20);
  CHECK(t.u32(Reg::r1) == 1);
}

TEST_CASE("five bundles after a jump execute", "[core][jump]") {
  TestCore t("j #target\n add r0, r0, #1\n add r0, r0, #1\n add r0, r0, #1\n add r0, r0, #1\n"
             "add r0, r0, #1\n add r0, r0, #16\n.align 16\ntarget:\n nop");
  t.runToEnd();
  CHECK(t.u32(Reg::r0) == 5);
}

TEST_CASE("conditional jumps, jumps to pointers, calls and returns", "[core][jump]") {
  const std::string slots = TestCore::repeat("nop\n", 5);
  TestCore t("jz r0, #a\n" + slots + "mova r1, #1\n.align 16\na:\n jnz r0, #b\n" + slots +
             "mova r2, #2\n.align 16\nb:\n movxm p0, #c\n j p0\n" + slots +
             "mova r3, #3\n.align 16\nc:\n jl #function\n nop\n nop\n nop\n nop\n nop\n"
             "mova r4, #4\n j #end\n" +
             slots + ".align 16\nfunction:\n ret lr\n" + TestCore::repeat("nop\n", 4) +
             "mova r5, #5\n.align 16\nend:\n nop");
  t.runToEnd();
  CHECK(t.u32(Reg::r1) == 0);
  CHECK(t.u32(Reg::r2) == 2);
  CHECK(t.u32(Reg::r3) == 0);
  CHECK(t.u32(Reg::r4) == 4);
  CHECK(t.u32(Reg::r5) == 5);
}

TEST_CASE("jnzd counts down and jumps by the old value", "[core][jump]") {
  TestCore t("movxm p0, #loop\n mova r0, #4\n.align 16\nloop:\n jnzd r0, r0, p0\n"
             "add r1, r1, #1\n nop\n nop\n nop\n nop\n");
  t.runToEnd();
  CHECK(t.u32(Reg::r1) == 5);
  CHECK(t.u32(Reg::r0) == 0xffffffff);
}

TEST_CASE("a hardware loop runs lc times", "[core][loop]") {
  for (int count : {1, 2, 17}) {
    TestCore t("movxm ls, #body\n movxm le, #last\n mova r1, #" + std::to_string(count) +
               "\n mov lc, r1\n" + TestCore::repeat("nop\n", 8) +
               ".align 16\nbody:\n add r0, r0, #1\n.align 16\nlast:\n add r2, r2, #3\n.align 16\n"
               "add r3, r3, #1");
    t.runToEnd();
    CHECK(t.u32(Reg::r0) == static_cast<uint32_t>(count));
    CHECK(t.u32(Reg::r2) == static_cast<uint32_t>(count) * 3);
    CHECK(t.u32(Reg::r3) == 1);
    CHECK(t.u32(Reg::LC) == 0);
  }
}

TEST_CASE("what breaks the rules of jumps and loops is a fault by name", "[core][fault]") {
  const std::string slots = TestCore::repeat("nop\n", 5);
  TestCore inSlot("j #a\n nop\n j #a\n" + slots + ".align 16\na:\n nop");
  CHECK(inSlot.run().state == CoreState::Faulted);
  CHECK(inSlot.core->status().text == "a jump in a delay slot");
  TestCore tooClose("movxm le, #last\n mova r0, #3\n mov lc, r0\n nop\n.align 16\nlast:\n nop");
  CHECK(tooClose.run().state == CoreState::Faulted);
  CHECK(tooClose.core->status().text ==
        "ls, le or lc is written too shortly before the end of the loop");
}

TEST_CASE("program memory: not initialised, outside, unknown bits", "[core][fault]") {
  auto core = makeAie2Core();
  TestHost host;
  core->enable(true);
  core->step(host);
  CHECK(core->status().state == CoreState::Faulted);
  CHECK(core->status().text == "program memory is not initialised");

  TestCore far("movxm p0, #0x8000\n j p0\n" + TestCore::repeat("nop\n", 5));
  CHECK(far.run().text == "outside program memory");

  core->reset();
  const uint8_t noBundle[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                              0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
  core->writeProgram(0, noBundle);
  core->enable(true);
  core->step(host);
  CHECK(core->status().text.starts_with("no bundle: "));
}

TEST_CASE("a form without semantics faults by its name", "[core][fault]") {
  TestCore t("vldb.compr.fill [p0]");
  CHECK(t.run().text == "no semantics: VLDB_COMPR_FILL");
}

TEST_CASE("CORE_ID says where a core is", "[core]") {
  TestCore t("mov r0, core_id", 3, 4);
  t.runToEnd();
  CHECK(t.u32(isa::Reg::r0) == 0x30004);
  t.core->reset();
  CHECK(t.u32(isa::Reg::CORE_ID) == 0x30004);
}

TEST_CASE("registers of the tile are read and written by the processor bus", "[core]") {
  // BD 0 of a core's DMA is at 0x1D000, 0x80000 after the address that the pointer counts from.
  TestCore t("movxm p0, #0x9d004\n movxm r0, #0x12345678\n nop\n st.tm r0, [p0]\n" +
             TestCore::repeat("nop\n", 6) + "lda.tm r1, [p0]\n" + TestCore::repeat("nop\n", 8));
  t.runToEnd();
  CHECK(t.host.registers == std::map<uint32_t, uint32_t>{{0x1D004, 0x12345678}});
  CHECK(t.u32(isa::Reg::r1) == 0x12345678);
  TestCore faulty("movxm p0, #0x9d008\n nop\n lda.tm r1, [p0]");
  CHECK(faulty.run().text == "lda.tm: no memory there");
}

TEST_CASE("a write into program memory changes what runs", "[core][pipeline]") {
  TestCore t("add r0, r0, #1\n add r0, r0, #1");
  t.runToEnd();
  CHECK(t.u32(Reg::r0) == 2);
  auto other = isa::assemble("add r0, r0, #7");
  std::vector<uint8_t> bytes(other.bytes.size());
  std::memcpy(bytes.data(), other.bytes.data(), bytes.size());
  t.core->reset();
  t.core->writeProgram(0, bytes);
  t.core->enable(true);
  t.runToEnd();
  CHECK(t.u32(Reg::r0) == 8);
}

TEST_CASE("acquire waits, and stores before it are over", "[core][lock]") {
  TestCore t(
      "st r0, [p0, #0]\n nop\n nop\n nop\n mova r1, #-1\n acq #48, r1\n nop\n nop\n nop\n nop\n"
      "mova r2, #1\n rel #49, r2");
  t.set(Reg::p0, 0x70000);
  t.set(Reg::r0, 0x77);
  t.steps(40);
  CHECK(t.core->status().state == CoreState::StalledOnLock);
  CHECK(t.core->status().lock == 48);
  CHECK(t.core->status().lockValue == -1);
  CHECK(t.at<uint32_t>(0x70000) == 0x77);
  CHECK(t.host.locks[49] == 0);
  t.host.locks[48] = 1;
  t.runToEnd();
  CHECK(t.host.locks[48] == 0);
  CHECK(t.host.locks[49] == 1);
  CHECK(t.core->counters().stalls > 20);
}

TEST_CASE("conditional locks", "[core][lock]") {
  TestCore t("mova r1, #-1\n acq.cond #48, r1, r26\n nop\n nop\n nop\n mova r2, #2\n"
             "rel.cond #50, r2, r26\n nop\n nop\n nop\n mova r26, #1\n rel.cond #51, r2, r26");
  t.runToEnd();
  CHECK(t.host.locks[50] == 0);
  CHECK(t.host.locks[51] == 2);
}

TEST_CASE("streams: words, TLAST, waiting, trying", "[core][stream]") {
  TestCore t("mov r0, SS\n" + TestCore::repeat("nop\n", 9) +
             "mov.tlast ms, r0\n nop\n nop\n"
             "mov ms, r0, r28\n" +
             TestCore::repeat("nop\n", 4) + "mov.nb r1, SS\n" + TestCore::repeat("nop\n", 9) +
             "mov r2, srSS0\n");
  t.set(Reg::r28, 0);
  t.steps(30);
  CHECK(t.core->status().state == CoreState::StalledOnStreamIn);
  t.host.streamIn.push_back({0x1234, true});
  t.runToEnd();
  CHECK(t.u32(Reg::r0) == 0x1234);
  REQUIRE(t.host.streamOut.size() == 2);
  CHECK(t.host.streamOut[0] == StreamWord{0x1234, true});
  CHECK(t.host.streamOut[1] == StreamWord{0x1234, false});
  CHECK((t.u32(Reg::r2) & 2) == 0);
}

TEST_CASE("headers of packets and of control packets", "[core][stream]") {
  TestCore t("mov.ph ms, r0, #3\n nop\n nop\n nop\n nop\n nop\n mov.cph.tlast ms, m0, #2, #1, r1");
  t.set(Reg::r0, 5);
  t.set(Reg::m0, 0x1f000);
  t.set(Reg::r1, 9);
  t.runToEnd();
  REQUIRE(t.host.streamOut.size() == 2);
  // Column 0, row 2, type 3, id 5: five ones, so the parity bit is 0.
  CHECK(t.host.streamOut[0] == StreamWord{2u << 16 | 3u << 12 | 5, false});
  const uint32_t control = 9u << 24 | 1u << 22 | 2u << 20 | 0x1f000;  // nine ones
  CHECK(t.host.streamOut[1] == StreamWord{control, true});
}

TEST_CASE("refused memory accesses stop everything and are tried again", "[core][pipeline]") {
  const std::string source =
      "lda r0, [p0, #0]\n add r1, r1, #1\n add r1, r1, #1\n st r1, [p0, #4]\n add r1, r1, #1\n";
  for (int refusals : {0, 1, 5}) {
    TestCore t(source);
    t.set(Reg::p0, 0x70000);
    t.host.memory[0x70000] = 9;
    t.host.refusals = refusals;
    t.runToEnd();
    CHECK(t.u32(Reg::r0) == 9);
    CHECK(t.u32(Reg::r1) == 3);
    CHECK(t.at<uint32_t>(0x70004) == 2);
    CHECK(t.core->counters().stalls == static_cast<uint64_t>(refusals));
  }
}

TEST_CASE("the cascade carries 512 bits", "[core][cascade]") {
  SplitMix64 random(4);
  TestCore t("vmov x0, SCD\n" + TestCore::repeat("nop\n", 8) + "vmov MCD, x0");
  std::array<uint8_t, cascadeBytes> word;
  for (uint8_t& byte : word)
    byte = static_cast<uint8_t>(random.next());
  t.steps(20);
  CHECK(t.core->status().state == CoreState::StalledOnCascadeIn);
  t.host.cascadeIn.push_back(word);
  t.runToEnd();
  REQUIRE(t.host.cascadeOut.size() == 1);
  CHECK(t.host.cascadeOut[0] == word);
}

TEST_CASE("half an accumulator comes by the cascade, the other is cleared", "[core]") {
  const bool isHigh = GENERATE(false, true);
  TestCore t(std::string(isHigh ? "vmov.hi" : "vmov.lo") + " cm0, SCD\n" +
             TestCore::repeat("nop\n", 8));
  t.set(isa::Reg::cm0, std::vector<uint32_t>(32, 7));
  std::array<uint8_t, cascadeBytes> word;
  word.fill(3);
  t.host.cascadeIn.push_back(word);
  t.runToEnd();
  std::vector<uint8_t> expected(2 * cascadeBytes);
  std::fill_n(expected.begin() + (isHigh ? cascadeBytes : 0), cascadeBytes, 3);
  CHECK(t.lanes<uint8_t>(isa::Reg::cm0) == expected);
}
