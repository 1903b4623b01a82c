// Input that means harm: whatever the bytes are, reading them ends in a program or in an error.
#include "airlite/dialect/Dialects.hpp"
#include "airlite/text/Json.hpp"
#include "airlite/text/Parser.hpp"
#include "airlite/text/Printer.hpp"
#include "support/catch_all.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>

using namespace airlite;

namespace {

constexpr std::string_view kControl = R"(
#map = affine_map<(d0, d1)[s0] -> (d0 floordiv 2 + s0, -d1)>
#set = affine_set<(d0) : (d0 - 3 >= 0, d0 mod 2 == 0)>
func.func @f(%a: i32, %m: memref<4x?xf32, strided<[?, 1], offset: ?>>, %c: i1) -> (i32, f32) {
  %k = arith.constant -5 : i32
  %d = arith.constant dense<[[1.0, 0x7F800000], [2.5e-3, -0.0]]> : tensor<2x2xf32>
  cf.cond_br %c, ^bb2(%k, %a : i32, i32), ^bb1
^bb1:
  cf.br ^bb2(%a, %a : i32, i32)
^bb2(%x: i32, %y: i32):
  %s = arith.addi %x, %y {note = "a\22b", arr = array<i32: 1, 2>, set = #set} : i32
  %z = arith.constant 1.0 : f32
  return %s, %z : i32, f32
}
)";

constexpr std::string_view kLoops = R"(func.func @g(%m: memref<16x16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    affine.for %j = 0 to 16 {
      %x = affine.load %m[%j, %j + 1] : memref<16x16xf32>
      scf.if %c {
        memref.store %x, %m[%i, %j] : memref<16x16xf32>
      }
    }
  }
  %c = arith.cmpi slt, %n, %c1 : index
  return
}
)";

constexpr std::string_view kAir = R"(air.channel @chan [2, 2] {broadcast_shape = [2, 2]}
func.func @h(%arg0: memref<64xf32>) {
  %c2 = arith.constant 2 : index
  %t = air.launch async (%x) in (%sx = %c2) args(%a = %arg0) : memref<64xf32> {
    %s = air.segment @seg async args(%b = %a) : memref<64xf32> {
      %c1 = arith.constant 1 : index
      air.herd @herd tile (%tx, %ty) in (%hx = %c1, %hy = %c1) args(%d = %b) : memref<64xf32> {
        air.channel.put @chan[%tx, %ty] (%d[] [] []) : (memref<64xf32>)
      }
    }
  }
  return
}
)";

constexpr std::string_view kGeneric = R"("builtin.module"() ({
  "un.known"() <{p = dense<true> : vector<2xi1>}> ({
    ^bb0(%z: index loc("arg")):
      "un.end"(%z)[^bb1] : (index) -> ()
    ^bb1:
      %q:2 = "un.pair"() {t = !other.type<x, 1>} : () -> (f32, tuple<i1>)
      "un.use"(%q#1, %late) : (tuple<i1>, vector<4x2xf16>) -> ()
      %late = "un.late"() : () -> vector<4x2xf16>
  }, {}) : () -> () loc(callsite("callee" at fused<"m">["file.py":7:3, unknown]))
}) {a = @x::@y, b = [1, 2.0, unit], c = {d = affine_map<() -> ()>}} : () -> ()
)";

constexpr std::string_view kPrograms[] = {kControl, kLoops, kAir, kGeneric};

struct Outcome {
  bool read = false;
  bool error = false;
  std::string firstMessage;
};

/// Registering all dialects takes longer than reading a small program, so that many inputs share a
/// context; a new one now and then bounds the texts that it keeps.
Context& sharedContext() {
  static std::unique_ptr<Context> context;
  static int uses = 0;
  if (uses++ % 50 == 0) {
    context = std::make_unique<Context>();
    registerAllDialects(*context);
    context->setAllowUnregistered(true);
  }
  return *context;
}

/// Reads `text` on its own; every program that is accepted must print, too.
Outcome readWith(std::string text, bool json, bool verify = true) {
  Context& context = sharedContext();
  DiagnosticCollector collector(context);
  ParseOptions options;
  options.verify = verify;
  OwningOp op = json ? parseJson(context, std::move(text), "in", options)
                     : parseSource(context, std::move(text), "in", options);
  Outcome outcome{static_cast<bool>(op), collector.hasErrors(), {}};
  for (const Diagnostic& diagnostic : collector.diagnostics())
    (void)formatDiagnostic(context, diagnostic);
  if (!collector.diagnostics().empty()) outcome.firstMessage = collector.diagnostics()[0].message;
  if (op && verify) (void)printToString(*op, {.debugInfo = true});
  if (op && verify) (void)printJson(*op);
  return outcome;
}

/// Nothing, or an error: never neither.
bool isSound(const Outcome& outcome) { return outcome.read || outcome.error; }

void rejects(std::string text, bool json = false) {
  Outcome outcome = readWith(std::move(text), json);
  CHECK_FALSE(outcome.read);
  CHECK(outcome.error);
}

std::string repeated(std::string_view text, size_t count) {
  std::string out;
  out.reserve(text.size() * count);
  for (size_t i = 0; i < count; ++i)
    out += text;
  return out;
}

std::string asJson(std::string_view program) {
  Context context;
  registerAllDialects(context);
  context.setAllowUnregistered(true);
  ParseOptions options;
  options.verify = false;
  OwningOp op = parseSource(context, std::string(program), "in.mlir", options);
  REQUIRE(op);
  return printJson(*op);
}

constexpr size_t kDeep = 100000;
#ifdef __SANITIZE_ADDRESS__
constexpr size_t kHuge = size_t(4) << 20;  // fifteen times slower
constexpr int kRounds = 5000;
#else
constexpr size_t kHuge = size_t(64) << 20;
constexpr int kRounds = 20000;
#endif

}  // namespace

TEST_CASE("hostile: the samples are fine as they are", "[hostile]") {
  for (std::string_view program : {kControl, kAir}) {
    Outcome outcome = readWith(std::string(program), false);
    INFO(outcome.firstMessage);
    CHECK(outcome.read);
  }
  for (std::string_view program : kPrograms)
    CHECK(!asJson(program).empty());
}

TEST_CASE("hostile: text cut off at every byte", "[hostile]") {
  for (std::string_view program : kPrograms)
    for (size_t size = 0; size < program.size(); ++size) {
      Outcome outcome = readWith(std::string(program.substr(0, size)), false);
      INFO(size);
      REQUIRE(isSound(outcome));
    }
}

TEST_CASE("hostile: JSON cut off at every byte", "[hostile]") {
  for (std::string_view program : kPrograms) {
    std::string json = asJson(program);
    json.resize(json.rfind('}'));
    while (!json.empty()) {
      Outcome outcome = readWith(json, true);
      REQUIRE_FALSE(outcome.read);
      REQUIRE(outcome.error);
      json.resize(json.size() - (json.size() > 1500 ? 7 : 1));
    }
  }
}

TEST_CASE("hostile: random bytes changed", "[hostile]") {
  std::mt19937 random(20261121);
  constexpr std::string_view kLikely = "{}[]()<>,:=%#@^!\"\\-0123456789x?abi \n\x00\xff";
  std::vector<std::string> texts;
  for (std::string_view program : kPrograms)
    texts.emplace_back(program);
  for (std::string_view program : kPrograms)
    texts.push_back(asJson(program));
  for (int round = 0; round < kRounds; ++round) {
    size_t which = random() % texts.size();
    std::string text = texts[which];
    for (unsigned changes = 1 + random() % 3; changes > 0; --changes) {
      size_t at = random() % text.size();
      char byte = random() % 4 ? kLikely[random() % kLikely.size()] : static_cast<char>(random());
      if (random() % 8 == 0)
        text.erase(at, 1 + random() % 20);
      else
        text[at] = byte;
      if (text.empty()) text = " ";
    }
    Outcome outcome = readWith(text, which >= std::size(kPrograms));
    if (!isSound(outcome)) INFO(text);
    REQUIRE(isSound(outcome));
  }
}

TEST_CASE("hostile: pieces of programs in any order", "[hostile]") {
  std::mt19937 random(7);
  std::string all;
  for (std::string_view program : kPrograms)
    all += program;
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (unsigned pieces = 2 + random() % 6; pieces > 0; --pieces)
      text += all.substr(random() % all.size(), random() % 200);
    REQUIRE(isSound(readWith(text, false)));
  }
}

TEST_CASE("hostile: nesting without end", "[hostile]") {
  auto around = [](std::string_view before, std::string_view inside, std::string_view after) {
    return repeated(before, kDeep) + std::string(inside) + repeated(after, kDeep);
  };
  rejects(around("\"a.b\"() ({\n", "", "}) : () -> ()\n"));
  rejects(around("module {\n", "", "}\n"));
  rejects("\"a.b\"() : () -> " + around("tuple<", "i1", ">"));
  rejects("\"a.b\"() : () -> " + around("memref<4xvector<", "i1", ">>"));
  rejects("\"a.b\"() : () -> " + around("(() -> (", "", "))"));
  // The inside of what an unknown dialect defines is kept as it is.
  CHECK(isSound(readWith("\"a.b\"() : () -> " + around("!a.b<", "", ">"), false)));
  rejects("\"a.b\"() {x = " + around("[", "", "]") + "} : () -> ()");
  rejects("\"a.b\"() {x = " + around("{y = ", "1", "}") + "} : () -> ()");
  CHECK(isSound(readWith("\"a.b\"() {x = " + around("#a.b<", "", ">") + "} : () -> ()", false)));
  rejects("\"a.b\"() {x = dense<" + around("[", "1", "]") + "> : tensor<1xi32>} : () -> ()");
  rejects("\"a.b\"() {x = affine_map<(d0) -> (" + around("(", "d0", ")") + ")>} : () -> ()");
  rejects("\"a.b\"() {x = affine_map<(d0) -> (" + repeated("-", kDeep) + "d0)>} : () -> ()");
  rejects("\"a.b\"() {x = affine_set<(d0) : (" + around("(", "d0", ")") + " >= 0)>} : () -> ()");
  rejects("\"a.b\"() : () -> () loc(" + around("callsite(unknown at ", "unknown", ")") + ")");
  rejects("\"a.b\"() : () -> () loc(" + around("fused[", "unknown", "]") + ")");
  rejects("\"a.b\"() : () -> () loc(" + around("\"n\"(", "unknown", ")") + ")");
  rejects("func.func @f(" + repeated("%a: (", kDeep));
}

TEST_CASE("hostile: nesting through aliases", "[hostile]") {
  // `line(name, other)` defines a name by another one; `step` says which of two comes first.
  auto chain = [](auto line, bool backwards) {
    std::string text;
    for (int i = 1; i < 2000; ++i)
      text += line(std::to_string(i), std::to_string(backwards ? i + 1 : i - 1));
    return text;
  };
  rejects("!t0 = i1\n" + chain(
                             [](const std::string& name, const std::string& other) {
                               // The second of two equal lines takes what the first one stood for.
                               return "!u" + name + " = tuple<!t" + other + ">\n!t" + name +
                                      " = tuple<!t" + other + ">\n";
                             },
                             false));
  rejects("#a0 = [1]\n" +
          chain([](const std::string& name,
                   const std::string& other) { return "#a" + name + " = [#a" + other + "]\n"; },
                false));
  auto location = [](const std::string& name, const std::string& other) {
    return "#l" + name + " = loc(\"n\"(#l" + other + "))\n";
  };
  rejects("#l0 = loc(\"n\")\n" + chain(location, false));
  rejects("module {} loc(#l1)\n" + chain(location, true) + "#l2000 = loc(\"n\")\n");
}

TEST_CASE("hostile: operators without end", "[hostile]") {
  // No nesting in the text, but a deep expression all the same.
  std::string sum = "\"a.b\"() {x = affine_map<(d0)[s0] -> (d0" + repeated(" mod 7 + s0", kDeep);
  rejects(sum + ")>} : () -> ()");
  std::string fine = "\"a.b\"() {x = affine_map<(d0)[s0] -> (d0" + repeated(" mod 7 + s0", 2000);
  CHECK(readWith(fine + ")>} : () -> ()", false).read);
}

TEST_CASE("hostile: nested JSON without end", "[hostile]") {
  rejects(repeated("[", kDeep), true);
  rejects(repeated("{\"op\":", kDeep), true);
  std::string head = R"({"format":"airlite-ir","version":1,"module":)";
  rejects(head + repeated(R"({"op":"a.b","regions":[{"blocks":[{"ops":[)", kDeep), true);
  rejects(head + repeated(R"({"op":"a.b","regions":[{"blocks":[{"ops":[)", kDeep) +
              repeated("]}]}]}", kDeep) + "}",
          true);
  rejects(
      head + R"({"op":"a.b","results":[{"id":0,"type":")" + repeated("tuple<", kDeep) + R"("}]}})",
      true);
  rejects(head + R"({"op":"a.b","loc":")" + repeated("loc(fused[", kDeep) + R"("}})", true);
}

TEST_CASE("hostile: 64 MB of one character", "[hostile][large]") {
  for (char c : std::string_view("[(<{")) {
    CAPTURE(c);
    rejects(std::string(kHuge, c));
    rejects(std::string(kHuge, c), true);
  }
  rejects("\"a.b\"() {x = " + std::string(kHuge, '['));
  rejects("\"a.b\"() : () -> !a.b" + std::string(kHuge, '<'));
  rejects(std::string(kHuge, '"') + "x");
  rejects(std::string(kHuge, 'a'));
  rejects("{\"format\": \"" + std::string(kHuge, 'a'), true);
}

TEST_CASE("hostile: bytes that are not text", "[hostile]") {
  rejects("module {\xff}");
  rejects("\"a.b\"() {x = \"\xc3\"} : () -> ()");
  rejects("\"a.b\"() {x = \"\xed\xa0\x80\"} : () -> ()");
  rejects(std::string("module {\0}", 10));
  rejects(std::string("\0\0\0", 3));
  rejects(std::string("{\"format\": \"a\0b\"}", 18), true);
  rejects(std::string("\0", 1), true);
  rejects("{\"format\": \"\xf5\"}", true);
  rejects("\"a.b");
  rejects("\"a.b\"() {x = \"abc");
  rejects("\"a.b\"() {x = \"abc\\");
  rejects("\"a.b\"() {x = \"abc\n\"} : () -> ()");
  rejects("\"a.b\"() {x = @\"abc");
  rejects("{\"format\": \"abc", true);
  rejects("{\"format\": \"abc\\", true);
  rejects("{\"format\": \"\\u12\"}", true);
  rejects("{\"format\": \"\\ud800\"}", true);
}

TEST_CASE("hostile: numbers that are too large", "[hostile]") {
  rejects("\"a.b\"() : () -> i99999999999999999999");
  rejects("\"a.b\"() : () -> i16777216");
  rejects("\"a.b\"() : () -> i0");
  rejects("\"a.b\"() : () -> tensor<99999999999999999999xf32>");
  rejects("\"a.b\"() {x = 99999999999999999999 : i64} : () -> ()");
  rejects("\"a.b\"() {x = dense<1> : tensor<4294967296x4294967296x4294967296xi32>, y} : ()");
  rejects("\"a.b\"() {x = dense<[1]> : tensor<4294967296x4294967296xi32>} : () -> ()");
  rejects("\"a.b\"() {x = dense<\"0x01\"> : tensor<4294967296x4294967296xi32>} : () -> ()");
  rejects("\"a.b\"(%0#99999999999999999999) : (i1) -> ()");
  rejects("%0:99999999999999999999 = \"a.b\"() : () -> i1");
  rejects("\"a.b\"() : () -> () loc(\"f\":99999999999999999999:1)");
  rejects("\"a.b\"() {x = affine_map<(d0) -> (d0 floordiv 0)>} : () -> ()");
  rejects("\"a.b\"() {x = affine_map<(d0) -> (d0 * 9223372036854775807 * 9)>, y} : ()");
}

static std::vector<std::string> examples() {
  std::vector<std::string> texts;
  std::filesystem::path folder = std::filesystem::path(AIRLITE_SOURCE_DIR) / "examples";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".mlir") continue;
    std::ifstream in(entry.path(), std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return texts;
}

TEST_CASE("hostile: every example cut off at every byte", "[hostile]") {
#ifdef __SANITIZE_ADDRESS__
  constexpr size_t kStep = 17;
#else
  constexpr size_t kStep = 1;
#endif
  std::vector<std::string> texts = examples();
  REQUIRE(!texts.empty());
  for (const std::string& text : texts)
    for (size_t size = 0; size < text.size(); size += kStep)
      if (!isSound(readWith(text.substr(0, size), false))) FAIL(text.substr(0, size));
}

static std::string firstError(std::string text) {
  Outcome outcome = readWith(std::move(text), false);
  CHECK_FALSE(outcome.read);
  return outcome.firstMessage;
}

TEST_CASE("hostile: aliases that double with every line", "[hostile]") {
  auto chain = [](char kind, std::string_view start, auto next, int length) {
    std::string text = fmt::format("{}a0 = {}\n", kind, start);
    for (int i = 1; i < length; ++i)
      text += fmt::format("{}a{} = ", kind, i) + next(fmt::format("{}a{}", kind, i - 1)) + "\n";
    return text;
  };
  auto pair = [](const std::string& a) { return "[" + a + ", " + a + "]"; };
  auto tuple = [](const std::string& a) { return "tuple<" + a + ", " + a + ">"; };
  auto list = [](const std::string& a) { return "[" + a + "]"; };
  constexpr std::string_view kTooLarge =
      "input, with aliases written out, is larger than the limit of 1073741824 bytes";
  CHECK(firstError(chain('#', "1", pair, 64)) == kTooLarge);
  CHECK(firstError(chain('!', "i1", tuple, 64)) == kTooLarge);
  CHECK(firstError(chain('#', "1", list, 1000)) ==
        "nesting, with aliases written out, is deeper than the limit of 256");
  CHECK(readWith(chain('#', "1", list, 200) + "\"a.b\"() {x = #a199} : () -> ()", false).read);
  CHECK(readWith(chain('#', "1", pair, 10) + "\"a.b\"() {x = #a9} : () -> ()", false).read);
}

TEST_CASE("hostile: aliases in a circle", "[hostile]") {
  CHECK(firstError("#a = [#a]\n") == "undefined attribute alias '#a'");
  CHECK(firstError("!a = tuple<!b>\n!b = tuple<!a>\n") == "undefined type alias '!b'");
}

TEST_CASE("hostile: shapes that no memory holds", "[hostile]") {
  constexpr std::string_view kSplat = "\"a.b\"() {x = dense<0> : tensor<9999999999xi8>} : () -> ()";
  CHECK(readWith(std::string(kSplat), false).read);
  CHECK(readWith(asJson(kSplat), true).read);
  rejects("\"a.b\"() {x = dense<[0, 1]> : tensor<9999999999xi8>} : () -> ()");
  rejects("\"a.b\"() {x = dense<\"0x0001\"> : tensor<9999999999xi8>} : () -> ()");
}

TEST_CASE("hostile: names that are not text", "[hostile]") {
  CHECK(firstError("\"a.\\F3\"() : () -> ()") == "name is not valid UTF-8");
  CHECK(firstError("\"a.b\"() {\"x\\F3\" = 1} : () -> ()") == "name is not valid UTF-8");
  rejects("\"a.\"() : () -> ()");
  rejects("\".b\"() : () -> ()");
  // Names of files are any bytes; the text form and JSON keep them.
  std::string json = asJson("\"a.b\"() : () -> () loc(\"f\\F3\":1:2)");
  CHECK(json.find("\"loc(\\\"f\\\\F3\\\":1:2)\"") != json.npos);
  CHECK(readWith(json, true).read);
}

TEST_CASE("hostile: an op is shown before it is verified", "[hostile]") {
  CHECK(firstError("func.func @f(%a: f32) {\n"
                   "  %0 = \"arith.addf\"(%a, %a) {fastmath = 1 : i32} : (f32, f32) -> f32\n}\n") ==
        "block with no terminator, has 'arith.addf'");
}

TEST_CASE("hostile: a number that stands for a value", "[hostile]") {
  CHECK(firstError("func.func @f(%m: memref<4xf32>) {\n"
                   "  %0 = memref.subview %m[-9223372036854775808] [1] [1] : memref<4xf32> to "
                   "memref<1xf32, strided<[1], offset: ?>>\n  return\n}\n") ==
        "integer is out of range: it stands for a dynamic entry");
}

// ---------------------------------------------------------------------------------------------
// What exactly is said
// ---------------------------------------------------------------------------------------------

static std::string allErrors(std::string_view text) {
  Context context;
  registerAllDialects(context);
  std::string out;
  DiagnosticCollector collector(context);
  OwningOp op = parseSource(context, std::string(text), "in.mlir");
  CHECK_FALSE(op);
  for (const Diagnostic& diagnostic : collector.diagnostics())
    out += formatDiagnostic(context, diagnostic);
  return out;
}

TEST_CASE("hostile: every error of a file in one run", "[hostile]") {
  CHECK(allErrors("func.func @f(%a: i32) {\n"
                  "  %0 = arith.adi %a, %a : i32\n"
                  "  %1 = arith.addi %a, %undefined : i32\n"
                  "  %2 = arith.addi %a, %a : i33x\n"
                  "  %3 = arith.addi %0, %a : i32\n"
                  "  return\n"
                  "}\n") ==
        "in.mlir:2:8: error: custom op 'arith.adi' is unknown; did you mean 'arith.addi'?\n"
        "  %0 = arith.adi %a, %a : i32\n"
        "       ^^^^^^^^^\n"
        "in.mlir:4:28: error: expected a type, found 'i33x'\n"
        "  %2 = arith.addi %a, %a : i33x\n"
        "                           ^^^^\n");
}

TEST_CASE("hostile: carets", "[hostile]") {
  CHECK(allErrors("func.func @f() {\n  %0 = arith.constant 300 : i8\n  return\n}\n") ==
        "in.mlir:2:23: error: integer constant out of range for attribute of type 'i8'\n"
        "  %0 = arith.constant 300 : i8\n"
        "                      ^^^\n");
  CHECK(allErrors("func.func @f(%a: i32) {\n  %0 = arith.addi %a, %b : i32\n  return\n}\n") ==
        "in.mlir:2:23: error: use of undeclared SSA value name '%b'\n"
        "  %0 = arith.addi %a, %b : i32\n"
        "                      ^^\n");
  CHECK(allErrors("func.func @f() {\n  cf.br ^nowhere\n}\n") ==
        "in.mlir:2:9: error: reference to an undefined block '^nowhere'\n"
        "  cf.br ^nowhere\n"
        "        ^^^^^^^^\n");
}
