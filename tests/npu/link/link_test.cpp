// Linking against assembling everything at once; the rules of symbols; what does not fit.
#include "LinkTesting.hpp"

#include <fmt/format.h>

#include <algorithm>

using namespace airlite;
using namespace airlite::npu;
using namespace airlite::npu::link;
using namespace airlite::npu::link::tests;

namespace {

uint32_t below(SplitMix64& random, uint32_t limit) { return uint32_t(random.next() % limit); }

/// Functions f0.. and variables d0.. that refer to each other, dealt to files.
struct Files {
  struct File {
    std::string code, readOnly, data;
    uint32_t readOnlyAlignment = 4, dataAlignment = 4;
    std::string globals;
  };
  std::vector<File> files;
  uint32_t functions = 0, variables = 0;

  explicit Files(SplitMix64& random) : files(1 + below(random, 4)) {
    functions = uint32_t(files.size()) + below(random, 6);
    variables = 1 + below(random, 6);
    for (uint32_t i = 0; i < functions; ++i)  // each file has one
      addFunction(random, files[i < files.size() ? i : below(random, uint32_t(files.size()))], i);
    for (uint32_t i = 0; i < variables; ++i)
      addVariable(random, files[below(random, uint32_t(files.size()))], i);
  }

  std::string code(SplitMix64& random) const {
    return fmt::format("f{}", below(random, functions));
  }
  std::string data(SplitMix64& random) const {
    return fmt::format("d{}+{}", below(random, variables), 4 * below(random, 3));
  }

  std::string bundle(SplitMix64& random) const {
    switch (below(random, 6)) {
      case 0: return fmt::format("movxm p{}, #{}", below(random, 8), data(random));
      case 1: return fmt::format("movxm r1, #{} ; mova r0, #7", data(random));
      case 2: return fmt::format("jl #{}", code(random));
      case 3: return fmt::format("jnz r{}, #{} ; nops", below(random, 32), code(random));
      case 4: return "add r1, r2, r3 ; nopv";
      default: return "nop";
    }
  }

  void addFunction(SplitMix64& random, File& file, uint32_t number) {
    file.globals += fmt::format(".global f{}\n", number);
    file.code += fmt::format(".align 16\nf{}:\n", number);
    for (uint32_t n = 1 + below(random, 6); n > 0; --n)
      file.code += bundle(random) + "\n";
  }

  void addVariable(SplitMix64& random, File& file, uint32_t number) {
    const bool isReadOnly = below(random, 2);
    std::string& text = isReadOnly ? file.readOnly : file.data;
    const uint32_t alignment = 4u << below(random, 4);
    uint32_t& largest = isReadOnly ? file.readOnlyAlignment : file.dataAlignment;
    largest = std::max(largest, alignment);
    file.globals += fmt::format(".global d{}\n", number);
    text += fmt::format(".align {}\nd{}: .word {}, {}\n", alignment, number, code(random),
                        data(random));
    if (below(random, 2)) text += ".byte 1, 2, 3\n";
  }

  std::vector<Object> objects() const {
    std::vector<Object> objects;
    for (size_t i = 0; i < files.size(); ++i)
      objects.push_back(objectFrom(files[i].globals + files[i].code + ".rodata\n" +
                                       files[i].readOnly + ".data\n" + files[i].data,
                                   fmt::format("{}.o", i)));
    return objects;
  }

  std::string allCode() const {
    std::string all;
    for (const File& file : files)
      all += ".align 16\n" + file.code;
    return all;
  }
  std::string allData() const {
    std::string all;
    for (const File& file : files)
      if (!file.readOnly.empty())
        all += fmt::format(".align {}\n", file.readOnlyAlignment) + file.readOnly;
    for (const File& file : files)
      if (!file.data.empty()) all += fmt::format(".align {}\n", file.dataAlignment) + file.data;
    return all;
  }
};

std::string equates(const isa::Assembly& assembly) {
  std::string all;
  for (const isa::Symbol& symbol : assembly.program.symbols)
    all += fmt::format(".equ {}, {}\n", symbol.name, symbol.address);
  return all;
}

}  // namespace

TEST_CASE("linking gives the bytes of assembling all at once", "[link]") {
  SplitMix64 random(4);
  for (int i = 0; i < 300; ++i) {
    const Files files(random);
    // Addresses depend on sizes alone, so a first round with zeros for what is elsewhere finds
    // them.
    std::string zeros;
    for (uint32_t f = 0; f < files.functions; ++f)
      zeros += fmt::format(".equ f{}, 0\n", f);
    const isa::Assembly places = isa::assemble(zeros + files.allData(), {.base = dataBegin});
    const isa::Assembly code = isa::assemble(equates(places) + files.allCode());
    const isa::Assembly data = isa::assemble(equates(code) + files.allData(), {.base = dataBegin});

    LinkRequest request = requestFor(files.objects());
    for (Object& object : request.objects)
      object = *readObject(writeObject(object), object.name);
    request.keepsUnused = true;
    const Linked linked = linkedOf(request);
    INFO(files.allCode() << files.allData());
    REQUIRE(linked.program == bytesOf(code));
    REQUIRE(dataOf(linked, dataBegin, data.bytes.size()) == bytesOf(data));
    for (const isa::Symbol& symbol : code.program.symbols)
      CHECK(linked.symbolNamed(symbol.name)->address == symbol.address);
  }
}

TEST_CASE("random places: nothing overlaps, everything is aligned and inside", "[link]") {
  SplitMix64 random(5);
  for (int i = 0; i < 300; ++i) {
    LinkRequest request{.objects = Files(random).objects()};
    for (Object& object : request.objects)
      object.sections.push_back({.name = ".bss",
                                 .kind = SectionKind::Zeros,
                                 .alignment = 1u << below(random, 7),
                                 .zeros = below(random, 300),
                                 .isKept = true});
    for (uint32_t at = 0x70000 + below(random, 64); at < 0x70800; at += below(random, 200)) {
      request.data.push_back({at, below(random, 400)});
      at += request.data.back().size;
    }
    request.data.push_back({0x71000, 0x1000});
    const Linked linked = linkedOf(request);
    for (size_t s = 0; s < linked.sections.size(); ++s) {
      const PlacedSection& section = linked.sections[s];
      if (s) CHECK(section.address >= linked.sections[s - 1].address + linked.sections[s - 1].size);
      if (section.kind == SectionKind::Code || !section.size) continue;
      CHECK(std::ranges::any_of(request.data, [&](const MemoryRegion& region) {
        return section.address >= region.begin &&
               section.address + section.size <= region.begin + region.size;
      }));
    }
    for (size_t c = 1; c < linked.data.size(); ++c)
      CHECK(linked.data[c].address >=
            linked.data[c - 1].address + linked.data[c - 1].data.size() + linked.data[c - 1].zeros);
  }
}

TEST_CASE("strong, weak, common and local symbols", "[link]") {
  const std::string user = ".global main\nmain: movxm p0, #x\nnop\n";
  const auto addressOfX = [&](const std::string& second, const std::string& third) {
    const Linked linked = linkedOf(
        requestFor({objectFrom(user), objectFrom(second, "b.o"), objectFrom(third, "c.o")}));
    return linked.symbolNamed("x")->object;
  };
  const std::string strong = ".global x\n.data\nx: .word 1\n",
                    weak = ".weak x\n.data\nx: .word 2\n", common = ".comm x, 8\n",
                    local = ".data\nx: .word 3\n";
  CHECK(addressOfX(weak, strong) == "c.o");
  CHECK(addressOfX(strong, weak) == "b.o");
  CHECK(addressOfX(weak, weak) == "b.o");
  CHECK(addressOfX(common, strong) == "c.o");
  CHECK(addressOfX(weak, common) == "c.o");
  CHECK(addressOfX(local, strong) == "c.o");
  CHECK(errorsOf(
            requestFor({objectFrom(user), objectFrom(strong, "b.o"), objectFrom(strong, "c.o")})) ==
        "'x' is defined twice: in b.o (.data) and in c.o (.data)\n");
}

TEST_CASE("common symbols of one name share the largest", "[link]") {
  const Linked linked = linkedOf(
      requestFor({objectFrom("movxm p0, #x\n.comm x, 8, 4\n"),
                  objectFrom(".comm x, 40, 32\n", "b.o"), objectFrom(".comm x, 4\n", "c.o")}));
  REQUIRE(linked.sections.size() == 2);
  CHECK(linked.sections[1].name == "COMMON x");
  CHECK(linked.sections[1].size == 40);
  CHECK(linked.sections[1].address % 32 == 0);
  REQUIRE(linked.data.size() == 1);
  CHECK(linked.data[0].zeros == 40);
}

TEST_CASE("undefined symbols are named with the object and the function", "[link]") {
  const Object user = objectFrom(
      ".global main\nmain:\n nop\n jl #kernel\n jl #kernel\n jl #addd\n jl #scale\n.weak may\n"
      " movxm p0, #may\n.data\n.word gone\n",
      "core.o");
  const Object other = objectFrom(".global add, _Z5scalePii\nadd: nop\n_Z5scalePii: nop\n", "k.o");
  LinkRequest request = requestFor({user, other});
  request.keepsUnused = true;
  CHECK(errorsOf(request) ==
        "undefined symbol 'addd', used by core.o ('main', .text+0xe)\n"
        "undefined symbol 'gone', used by core.o (.data+0x0)\n"
        "undefined symbol 'kernel', used by core.o ('main', .text+0x2) and 1 more\n"
        "undefined symbol 'scale', used by core.o ('main', .text+0x14); k.o has it under its C++ "
        "name '_Z5scalePii': declare it extern \"C\" there\n");
}

TEST_CASE("a weak symbol that nobody has is 0, a known one stands in for none", "[link]") {
  LinkRequest request = requestFor({objectFrom(".weak a\nmovxm p0, #a+4\nmovxm p1, #b\n")});
  request.symbols = {{"b", 0x71000}};
  CHECK(linkedOf(request).program == bytesOf(isa::assemble("movxm p0, #4\nmovxm p1, #0x71000\n")));
  request.objects.push_back(objectFrom(".global b\n.data\nb: .word 1\n", "b.o"));
  CHECK(linkedOf(request).program ==
        bytesOf(isa::assemble(fmt::format("movxm p0, #4\nmovxm p1, #{}\n", dataBegin))));
}

TEST_CASE("what nothing refers to stays away", "[link]") {
  const Object all = objectFrom(
      ".global f, g, h\n.section .text.f\nf: movxm p0, #table\n.section .text.g\ng: jl #h\n"
      ".section .text.h\nh: nop\n.section .rodata.t\ntable: .word g\n.section .data.u\n.word 7\n",
      "k.o");
  LinkRequest request = requestFor({objectFrom("jl #f\nnop\n"), all});
  std::vector<std::string> names;
  for (const PlacedSection& section : linkedOf(request).sections)
    names.push_back(section.name);
  CHECK(names == std::vector<std::string>{".text", ".text.f", ".text.g", ".text.h", ".rodata.t"});
  request.objects[0] = objectFrom("jl #h\nnop\n");
  CHECK(linkedOf(request).sections.size() == 2);
  request.keepsUnused = true;
  CHECK(linkedOf(request).sections.size() == 6);
}

TEST_CASE("of groups of one name one is linked", "[link]") {
  Object a = objectFrom(".weak inl\ninl: jl #inl\n", "a.o");
  a.groups = {"inl"};
  a.sections[0].group = 0;
  Object b = a;
  b.name = "b.o";
  b.sections[0].bytes.resize(40);
  LinkRequest request =
      requestFor({*readObject(writeObject(a), "a.o"), *readObject(writeObject(b), "b.o")});
  request.keepsUnused = true;
  const Linked linked = linkedOf(request);
  REQUIRE(linked.sections.size() == 1);
  CHECK(linked.sections[0].object == "a.o");
}

TEST_CASE("objects of two instruction sets are not linked together", "[link]") {
  LinkRequest request =
      requestFor({objectFrom("jl #other\n"), objectFrom("other: ret lr\n", "b.o", isa::aie2p())});
  CHECK(errorsOf(request) == "b.o is aie2p code, a.o is aie2\n");
  CHECK(readObject(writeObject(request.objects[1]), "b.o", kAnyGeneration)->set == &isa::aie2p());
  CHECK(readObject(writeObject(request.objects[1], 1), "b.o", kAnyGeneration).error().message ==
        "compiled for AIE1, whose instructions are not known");
}

TEST_CASE("the entry lies at address 0", "[link]") {
  const Object library = objectFrom(".global f\nf: nop\n", "lib.o");
  const Object start = objectFrom(".global f2, start\nf2: nop\nstart: jl #f\nnop\n", "start.o");
  LinkRequest request = requestFor({library, start});
  request.entry = "f2";
  CHECK(linkedOf(request).symbolNamed("f2")->address == 0);
  request.entry = "start";
  CHECK(errorsOf(request) ==
        "cores begin at address 0, the entry 'start' lies at 0x2: it is not the first of its "
        "section\n");
  request.entry = "sart";
  CHECK(errorsOf(request) == "no object defines 'sart', where the core should start\n");
  CHECK(errorsOf(requestFor({objectFrom(".data\n.word 1\n")})) == "no object has code\n");
}

TEST_CASE("generated code stays at 0, its calls are resolved", "[link]") {
  const isa::Assembly own = isa::assemble(
      "main: j #here\nnop\njl #kernel\nnop\n.align 16\nhere: done\n", {.keepUndefined = true});
  REQUIRE(own.ok());
  REQUIRE(own.relocations.size() == 1);
  const Object core = objectOf(own.program, own.relocations, "core");
  const Object kernel = objectFrom(".global kernel\nkernel: ret lr\n", "k.o");
  const Linked linked = linkedOf(requestFor({kernel, core}));
  CHECK(linked.symbolNamed("here")->address == 16);
  CHECK(linked.program ==
        bytesOf(isa::assemble("main: j #here\nnop\njl #kernel\nnop\n.align 16\nhere: done\n"
                              ".align 16\nkernel: ret lr\n")));
}

TEST_CASE("what does not fit is named with sizes", "[link]") {
  const Object big = objectFrom(".space 10000\n", "big.o"), small = objectFrom("nop\n", "small.o");
  LinkRequest request = requestFor({small, big, big});
  request.keepsUnused = true;
  CHECK(errorsOf(request) ==
        "program memory has 16384 bytes, the program needs 20016: big.o (.text) 10000, big.o "
        "(.text) 10000, small.o (.text) 2\n");
  request = requestFor({objectFrom("movxm p0, #x\n.rodata\n.align 64\nx: .word 1, y\n.data\n"
                                   "y: .space 200\n")});
  request.data = {{0x70000, 100}, {0x70100, 150}};
  CHECK(errorsOf(request) ==
        "data memory: a.o (.data) needs 200 bytes at a multiple of 4, the largest free place has "
        "148; data needs 208 bytes, 248 are free: a.o (.data) 200, a.o (.rodata) 8\n");
  request.data = {{0x70000, 200}, {0x70200, 16}};  // only with the large part first
  CHECK(linkedOf(request).symbolNamed("y")->address == 0x70000);
  request.data = {{0x3FF00, 0x200}};
  CHECK(errorsOf(request) ==
        "0x3ff00 to 0x40100 is not data memory, which goes from 0x40000 to 0x80000\n");
  request.data = {{0x70000, 300}, {0x70100, 300}};
  CHECK(errorsOf(request) == "0x70100 is twice among the free places\n");
}
