// Objects: through ELF and back, through text and back, broken files.
#include "LinkTesting.hpp"
#include "airlite/npu/link/ObjectText.hpp"
#include "npu/image/ImageTesting.hpp"

#include <algorithm>

using namespace airlite;
using namespace airlite::npu;
using namespace airlite::npu::link;
using namespace airlite::npu::link::tests;
using airlite::npu::tests::below;
using airlite::npu::tests::randomBytes;

namespace {

ObjectSection randomSection(SplitMix64& random, uint32_t number, uint32_t groups) {
  const auto kind = SectionKind(below(random, 4));
  ObjectSection section{.name = ".s" + std::to_string(number),
                        .kind = kind,
                        .alignment = 1u << below(random, 6),
                        .isKept = below(random, 2) == 0};
  if (kind == SectionKind::Zeros)
    section.zeros = below(random, 100);
  else
    section.bytes = randomBytes(random, 64);
  if (groups && below(random, 2)) section.group = below(random, groups);
  return section;
}

ObjectSymbol randomSymbol(SplitMix64& random, const Object& object, uint32_t number) {
  ObjectSymbol symbol{.name = "name" + std::to_string(number),
                      .binding = ElfBinding(below(random, 3)),
                      .type = SymbolType(below(random, 3)),
                      .value = uint32_t(random.next()),
                      .size = below(random, 99)};
  switch (below(random, 4)) {
    case 0: symbol.place = SymbolPlace::Absolute; break;
    case 1:
      symbol.place = SymbolPlace::Common;
      symbol.binding = ElfBinding::Global;
      symbol.value = 1u << below(random, 5);
      break;
    case 2:
      if (object.sections.empty()) break;
      symbol.place = SymbolPlace::Section;
      symbol.section = below(random, uint32_t(object.sections.size()));
      symbol.value = below(random, object.sections[symbol.section].size() + 1);
      break;
    default: break;
  }
  return symbol;
}

/// Local symbols first, as files have them.
Object randomObject(SplitMix64& random) {
  Object object{.name = "random.o"};
  const uint32_t groups = below(random, 3);
  for (uint32_t i = 0; i < groups; ++i) {
    object.groups.push_back("group" + std::to_string(i));
    object.symbols.push_back({.name = object.groups.back()});
  }
  for (uint32_t n = below(random, 5), i = 0; i < n; ++i)
    object.sections.push_back(randomSection(random, i, groups));
  for (uint32_t n = below(random, 9), i = 0; i < n; ++i)
    object.symbols.push_back(randomSymbol(random, object, i));
  std::ranges::stable_partition(object.symbols, [](const ObjectSymbol& symbol) {
    return symbol.binding == ElfBinding::Local;
  });
  for (ObjectSection& section : object.sections)
    for (uint32_t n = below(random, 4); n > 0; --n) {
      const auto number = uint8_t(below(random, 54));
      if (section.bytes.size() < 16) continue;
      section.relocations.push_back({below(random, uint32_t(section.bytes.size()) - 15), number,
                                     below(random, uint32_t(object.symbols.size())),
                                     int32_t(random.next())});
    }
  return object;
}

const char* everything = R"(
.global main, table
.weak maybe
.equ N, 12
main: first:
  movxm p0, #table+4
  jl #kernel ; nops
  movx r0, #N
  jnz r0, #first
end:
.data
.align 32
table: .word 1, main, table-4, 0x12345678
  .byte 1, 2, 3
odd: .byte 4
.section .rodata.cst
.word maybe
.bss
zeros: .space 20
more:
.comm shared, 64, 32
)";

std::string refusalOf(const ByteVector& bytes) { return readObject(bytes, "x.o").error().message; }

ByteVector bytesOfText(std::string_view text) { return {text.begin(), text.end()}; }

}  // namespace

TEST_CASE("objects go through ELF and back", "[link]") {
  SplitMix64 random(2);
  for (int i = 0; i < 500; ++i) {
    const Object object = randomObject(random);
    const ByteVector file = writeObject(object);
    const auto back = readObject(file, "random.o");
    INFO(back.error().message << "\n" << printObject(object));
    REQUIRE(back);
    REQUIRE(*back == object);
    REQUIRE(isObject(file));
    REQUIRE(writeCoreElf(*readCoreElf(file)) == file);
  }
}

TEST_CASE("what is shown of an object assembles to an equal one", "[link]") {
  const Object object = objectFrom(everything);
  const std::string text = printObject(object);
  INFO(text);
  const Object again = objectFrom(text);
  CHECK(printObject(again) == text);
  CHECK(writeObject(again).size() == writeObject(object).size());
  for (const ObjectSection& section : object.sections) {
    const auto at = std::ranges::find(again.sections, section.name, &ObjectSection::name);
    REQUIRE(at != again.sections.end());
    CHECK(at->bytes == section.bytes);
    CHECK(at->alignment == section.alignment);
    CHECK(at->zeros == section.zeros);
    CHECK(at->relocations.size() == section.relocations.size());
  }
}

TEST_CASE("the assembler's sections and symbols", "[link]") {
  const Object object = objectFrom(everything);
  const auto symbol = [&](std::string_view name) {
    const auto at = std::ranges::find(object.symbols, name, &ObjectSymbol::name);
    REQUIRE(at != object.symbols.end());
    return *at;
  };
  CHECK(symbol("main").binding == ElfBinding::Global);
  CHECK(symbol("main").type == SymbolType::Function);
  CHECK(symbol("first").binding == ElfBinding::Local);
  CHECK(symbol("kernel").place == SymbolPlace::Undefined);
  CHECK(symbol("maybe").binding == ElfBinding::Weak);
  CHECK(symbol("odd").value == 19);
  CHECK(symbol("more").value == 20);
  CHECK(symbol("shared").size == 64);
  CHECK(symbol("shared").value == 32);
  CHECK(object.sections.at(symbol("table").section).alignment == 32);
  CHECK(object.sections.at(symbol("zeros").section).zeros == 20);
}

TEST_CASE("mistakes in sources have their line", "[link]") {
  struct Wrong {
    const char* source;
    unsigned line;
    const char* message;
  };
  const auto wrong = GENERATE(
      Wrong{"\n.data\n  nop\n", 3, "instructions belong into .text, this is .data"},
      Wrong{".bss\n.word 1\n", 2, ".bss can have zeros only"},
      Wrong{"a:\n.data\na:\n", 3, "'a' is defined twice"},
      Wrong{"\n.section .debug\n", 2,
            "expected a name that begins with .text, .rodata, .data or .bss"},
      Wrong{".global nothing\n", 1, "'nothing' is neither defined nor used here"},
      Wrong{".comm c, 0\n", 1, "expected a number from 1 to 1048576"},
      Wrong{".comm c, 4, 3\n", 1, "expected a power of two"},
      Wrong{"x:\n.comm x, 4\n", 2, "'x' is defined twice"},
      Wrong{"\n.equ A, x\n.data\n", 2, "expected a number from -2147483648 to 4294967295"},
      Wrong{"l:\n add.nc r0, r0, #l\n", 2,
            "objects have no relocation for 'add.nc' here, and 'l' lies where the linker puts it"});
  const AssembledObject made = assembleObject(wrong.source, "x.o");
  REQUIRE(made.errors.size() == 1);
  CHECK(made.errors[0].line == wrong.line);
  CHECK(made.errors[0].message == wrong.message);
}

TEST_CASE("files that are not objects are named", "[link]") {
  CHECK(refusalOf({}) == "the file is empty");
  CHECK(refusalOf(bytesOfText("!<arch>\nkernel.o/")) == "an archive where an object should be");
  CHECK(refusalOf(bytesOfText("BC\xC0\xDE more")) ==
        "not an object but LLVM bitcode: it was compiled with -flto or -emit-llvm");
  const CoreChunk code[] = {{0, {1, 0, 1, 0}, 0}};
  CHECK(refusalOf(writeCoreElf(makeCoreElf(code, 0))) ==
        "an executable, objects (compiled with -c) are linked");
  CHECK(refusalOf(writeObject(objectFrom("nop"), 1)) == "compiled for AIE1, the core is AIE2");
  CHECK(readObject(writeObject(objectFrom("nop"), 3), "x.o", 3));
}

TEST_CASE("broken objects are refused or linked, never more", "[link]") {
  SplitMix64 random(3);
  const ByteVector good = writeObject(objectFrom(everything));
  const auto probe = [](const ByteVector& bytes) {
    const auto object = readObject(bytes, "broken.o");
    if (!object && object.error().message.empty()) FAIL("refused without a reason");
    if (!object) return;
    (void)printObject(*object);
    const LinkResult result = linkCore(requestFor({*object}));
    if (result.ok()) (void)writeCoreElf(executableOf(result.linked));
  };
  for (size_t size = 0; size < good.size(); ++size)
    probe(ByteVector(good.begin(), good.begin() + long(size)));
  for (int i = 0; i < 20000; ++i) {
    ByteVector bytes = good;
    for (uint32_t n = 1 + below(random, 4); n > 0; --n)
      bytes[random.next() % bytes.size()] = uint8_t(random.next());
    probe(bytes);
  }
}

TEST_CASE("wrong indices are refused by name", "[link]") {
  Object object = objectFrom("movxm p0, #x\n", "o");
  const ByteVector good = writeObject(object);
  const auto with = [&](auto change) {
    Object changed = object;
    change(changed);
    return refusalOf(writeObject(changed));
  };
  CHECK(with([](Object& o) { o.sections[0].relocations[0].offset = 1; }) ==
        "R_AIE_42 at byte 1 of .text, which has 6");
  CHECK(with([](Object& o) { o.sections[0].relocations[0].number = 54; }) ==
        "unknown relocation R_AIE_54 in .text");
  CHECK(with([](Object& o) { o.sections[0].alignment = 3; }) == ".text has an alignment of 3");
  CHECK(with([](Object& o) {
          o.symbols[1].place = SymbolPlace::Section;
          o.symbols[1].value = 7;
        }) == "'x' is at byte 7 of .text, which has 6");
  CHECK(with([](Object& o) {
          o.symbols[1].place = SymbolPlace::Section;
          o.symbols[1].section = 77;
        }) == "'x' is in section 78, there are 6");
}
