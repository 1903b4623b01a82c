// The scalar integer ALU, moves, addresses, and scalar loads and stores.
#include "CoreTesting.hpp"

#include <functional>

using namespace airlite;
using namespace airlite::npu::sim;
using airlite::npu::isa::Reg;

namespace {

struct Binary {
  const char* mnemonic;
  uint32_t (*meaning)(uint32_t a, uint32_t b);
};

int32_t s(uint32_t value) { return static_cast<int32_t>(value); }

const Binary kBinaries[] = {
    {"add", [](uint32_t a, uint32_t b) { return a + b; }},
    {"sub", [](uint32_t a, uint32_t b) { return a - b; }},
    {"mul", [](uint32_t a, uint32_t b) { return a * b; }},
    {"and", [](uint32_t a, uint32_t b) { return a & b; }},
    {"or", [](uint32_t a, uint32_t b) { return a | b; }},
    {"xor", [](uint32_t a, uint32_t b) { return a ^ b; }},
    {"eq", [](uint32_t a, uint32_t b) -> uint32_t { return a == b; }},
    {"ne", [](uint32_t a, uint32_t b) -> uint32_t { return a != b; }},
    {"lt", [](uint32_t a, uint32_t b) -> uint32_t { return s(a) < s(b); }},
    {"ge", [](uint32_t a, uint32_t b) -> uint32_t { return s(a) >= s(b); }},
    {"ltu", [](uint32_t a, uint32_t b) -> uint32_t { return a < b; }},
    {"geu", [](uint32_t a, uint32_t b) -> uint32_t { return a >= b; }},
};

}  // namespace

TEST_CASE("scalar operations on two registers", "[core][scalar]") {
  SplitMix64 random(1);
  for (const Binary& binary : kBinaries) {
    TestCore shared(std::string(binary.mnemonic) + " r2, r0, r1");
    for (int i = 0; i < 50; ++i) {
      auto a = static_cast<uint32_t>(random.next() >> random.next() % 64);
      auto b = random.next() % 8 ? static_cast<uint32_t>(random.next()) : a;
      shared.core->reset();
      shared.core->enable(true);
      shared.set(Reg::r0, a);
      shared.set(Reg::r1, b);
      shared.runToEnd();
      INFO(binary.mnemonic << " " << a << " " << b);
      CHECK(shared.u32(Reg::r2) == binary.meaning(a, b));
    }
  }
}

TEST_CASE("shifts go left, and right by negative amounts", "[core][scalar]") {
  TestCore t("lshl r2, r0, r1\n ashl r3, r0, r1\n lshl r4, r0, r5\n ashl r6, r0, r5");
  t.set(Reg::r0, 0x80001234);
  t.set(Reg::r1, 4);
  t.set(Reg::r5, static_cast<uint32_t>(-4));
  t.runToEnd();
  CHECK(t.u32(Reg::r2) == 0x00012340);
  CHECK(t.u32(Reg::r3) == 0x00012340);
  CHECK(t.u32(Reg::r4) == 0x08000123);
  CHECK(t.u32(Reg::r6) == 0xf8000123);
}

TEST_CASE("carries make additions and subtractions of 64 bits", "[core][scalar]") {
  SplitMix64 random(2);
  TestCore t("add r4, r0, r2\n adc r5, r1, r3\n"
             "sub r6, r0, r2\n sbc r7, r1, r3");
  for (int i = 0; i < 100; ++i) {
    uint64_t a = random.next(), b = random.next();
    t.core->reset();
    t.core->enable(true);
    t.set(Reg::r0, static_cast<uint32_t>(a));
    t.set(Reg::r1, static_cast<uint32_t>(a >> 32));
    t.set(Reg::r2, static_cast<uint32_t>(b));
    t.set(Reg::r3, static_cast<uint32_t>(b >> 32));
    t.runToEnd();
    CHECK((uint64_t{t.u32(Reg::r5)} << 32 | t.u32(Reg::r4)) == a + b);
    CHECK((uint64_t{t.u32(Reg::r7)} << 32 | t.u32(Reg::r6)) == a - b);
  }
}

TEST_CASE("one operand, select, extension", "[core][scalar]") {
  TestCore t(
      "abs r1, r0\n clz r2, r0\n clb r3, r0\n eqz r4, r0\n nez r5, r0\n"
      "extend.s8 r6, r0\n extend.s16 r7, r0\n extend.u8 r8, r0\n extend.u16 r9, r0\n"
      "sel.eqz r10, r0, r1, r27\n sel.nez r11, r0, r1, r27\n"
      "mova r12, #-7\n mov r13, #100\n movx r14, #-3\n movxm r15, #0x12345678\n add.nc r16, r0, "
      "#5");
  t.set(Reg::r0, 0xfffff28f);
  t.set(Reg::r27, 1);
  t.runToEnd();
  CHECK(t.u32(Reg::r1) == 0xd71);
  CHECK(t.u32(Reg::r2) == 0);
  CHECK(t.u32(Reg::r3) == 19);
  CHECK(t.u32(Reg::r4) == 0);
  CHECK(t.u32(Reg::r5) == 1);
  CHECK(t.u32(Reg::r6) == 0xffffff8f);
  CHECK(t.u32(Reg::r7) == 0xfffff28f);
  CHECK(t.u32(Reg::r8) == 0x8f);
  CHECK(t.u32(Reg::r9) == 0xf28f);
  CHECK(t.u32(Reg::r10) == 0xd71);
  CHECK(t.u32(Reg::r11) == 0xfffff28f);
  CHECK(t.u32(Reg::r12) == static_cast<uint32_t>(-7));
  CHECK(t.u32(Reg::r13) == 100);
  CHECK(t.u32(Reg::r14) == static_cast<uint32_t>(-3));
  CHECK(t.u32(Reg::r15) == 0x12345678);
  CHECK(t.u32(Reg::r16) == 0xfffff294);
}

// As the runtime library of the public compiler calls it: r31 is the dividend and then the
// quotient.
TEST_CASE("32 division steps divide", "[core][scalar]") {
  SplitMix64 random(3);
  TestCore t(TestCore::repeat("divs r0, r31, r0, r1\n", 32));
  for (int i = 0; i < 50; ++i) {
    auto a = static_cast<uint32_t>(random.next());
    auto b = static_cast<uint32_t>(random.next() >> (32 + random.next() % 31)) + 1;
    t.core->reset();
    t.core->enable(true);
    t.set(Reg::r31, a);
    t.set(Reg::r0, 0);
    t.set(Reg::r1, b);
    t.runToEnd();
    CHECK(t.u32(Reg::r31) == a / b);
    CHECK(t.u32(Reg::r0) == a % b);
  }
}

TEST_CASE("pointers have 20 bits and wrap", "[core][address]") {
  TestCore t("movxm p0, #0xffff0\n movxm m0, #0x30\n nop\n padda [p0], m0\n paddb [p1], #-4\n"
             "padds [p2], #64\n paddb [sp], #64\n mov r0, p0");
  t.set(Reg::p2, 0x70000);
  t.set(Reg::SP, 0x70000);
  t.runToEnd();
  CHECK(t.u32(Reg::p0) == 0x20);
  CHECK(t.u32(Reg::p1) == 0xffffc);
  CHECK(t.u32(Reg::p2) == 0x70040);
  CHECK(t.u32(Reg::SP) == 0x70040);
  CHECK(t.u32(Reg::r0) == 0x20);
}

TEST_CASE("two and three dimensions walk like nested loops", "[core][address]") {
  const uint32_t base = 0x70000;
  TestCore t(TestCore::repeat("lda.3d r0, [p0], d0\n", 36));
  t.set(Reg::p0, base);
  t.set(Reg::dn0, 2);  // three steps of 4
  t.set(Reg::dj0, 4);
  t.set(Reg::dn4, 3);  // four rows, 64 apart
  t.set(Reg::dj4, 64 - 8);
  t.set(Reg::m0, 0x1000 - 3 * 64 - 8);
  std::vector<uint32_t> seen;
  for (int i = 0; i < 36; ++i) {
    seen.push_back(t.u32(Reg::p0));
    t.steps(1);
  }
  std::vector<uint32_t> expected = {base};
  for (uint32_t plane = 0; plane < 3; ++plane)
    for (uint32_t row = 0; row < 4; ++row)
      for (uint32_t column = 0; column < 3; ++column)
        expected.push_back(base + plane * 0x1000 + row * 64 + column * 4);
  // What lands after a step is seen before the next: the first bundle's effect shows one later.
  expected.pop_back();
  CHECK(seen == expected);
}

TEST_CASE("every way to make an address loads and stores", "[core][memory]") {
  TestCore t("st r0, [p0, #0]\n st r1, [p0, #8]\n st r2, [p0, dj0]\n st r3, [p1], #4\n"
             "st r4, [p1], m0\n st r5, [sp, #-32]\n st.2d r6, [p2], d1\n" +
             TestCore::repeat("nop\n", 5) +
             "lda r10, [p0, #0]\n lda r11, [p0, #8]\n lda r12, [p0, dj0]\n lda r15, [sp, #-32]\n"
             "lda r13, [p3], #4\n lda r14, [p3], m0\n lda.2d r16, [p4], d2\n");
  t.set(Reg::p0, 0x70000);
  t.set(Reg::p1, 0x60000);
  t.set(Reg::p3, 0x60000);
  t.set(Reg::p2, 0x50000);
  t.set(Reg::p4, 0x50000);
  t.set(Reg::dj0, 0x100);
  t.set(Reg::m0, 0x20);
  t.set(Reg::SP, 0x70400);
  t.set(Reg::dn2, 1);
  t.set(Reg::dj2, 12);
  for (unsigned i = 0; i < 7; ++i)
    t.set(static_cast<Reg>(static_cast<unsigned>(Reg::r0) + i), 0xabcd0000 + i);
  t.runToEnd();
  const uint32_t places[] = {0x70000, 0x70008, 0x70100, 0x60000, 0x60004, 0x703e0, 0x50000};
  for (unsigned i = 0; i < 7; ++i) {
    CHECK(t.at<uint32_t>(places[i]) == 0xabcd0000 + i);
    CHECK(t.u32(static_cast<Reg>(static_cast<unsigned>(Reg::r10) + i)) == 0xabcd0000 + i);
  }
  CHECK(t.u32(Reg::p1) == 0x60024);
  CHECK(t.u32(Reg::p3) == 0x60024);
  CHECK(t.u32(Reg::p4) == 0x5000c);
  CHECK(t.u32(Reg::dc2) == 1);
}

TEST_CASE("parts of words", "[core][memory]") {
  TestCore t("st.s8 r0, [p0, #1]\n" + TestCore::repeat("nop\n", 10) + "st.s16 r1, [p0, #2]\n" +
             TestCore::repeat("nop\n", 10) +
             "lda.s8 r2, [p0, #1]\n lda.u8 r3, [p0, #1]\n lda.s16 r4, [p0, #2]\n"
             "lda.u16 r5, [p0, #2]\n");
  t.set(Reg::p0, 0x70010);
  t.set(Reg::r0, 0x1280);
  t.set(Reg::r1, 0x34ff80);
  t.host.memory[0x70010] = 0x11;
  t.runToEnd();
  CHECK(t.at<uint32_t>(0x70010) == 0xff808011);
  CHECK(t.u32(Reg::r2) == 0xffffff80);
  CHECK(t.u32(Reg::r3) == 0x80);
  CHECK(t.u32(Reg::r4) == 0xffffff80);
  CHECK(t.u32(Reg::r5) == 0xff80);
}

TEST_CASE("a part-word store overwrites what was stored into its word meanwhile",
          "[core][memory]") {
  TestCore t("st.s8 r0, [p0, #0]\n nop\n nop\n nop\n st r1, [p0, #0]");
  t.set(Reg::p0, 0x70000);
  t.set(Reg::r0, 0x55);
  t.set(Reg::r1, 0x12345678);
  t.runToEnd();
  CHECK(t.at<uint32_t>(0x70000) == 0x55);
}

TEST_CASE("an address off its size is a fault by name", "[core][memory][fault]") {
  TestCore t("lda r0, [p0, #0]");
  t.set(Reg::p0, 0x70002);
  CHECK(t.run().state == CoreState::Faulted);
  CHECK(t.core->status().text == "lda: address 0x70002 is not a multiple of 4");
}

TEST_CASE("what the host faults names the instruction", "[core][memory][fault]") {
  TestCore t("nop\n st r0, [p0, #0]");
  CHECK(t.run().state == CoreState::Faulted);
  CHECK(t.core->status().text == "st: no memory there");
  CHECK(t.core->status().programCounter == 2);
}
