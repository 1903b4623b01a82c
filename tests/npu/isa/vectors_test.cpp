// Bundles as other toolchains wrote them: text to bytes and bytes to text.
#include "IsaTest.hpp"
#include "support/catch_all.hpp"

#include <cctype>
#include <fstream>
#include <set>

namespace airlite::npu::isa {
namespace {

struct Vector {
  std::string bytes, text;
};

std::vector<Vector> readVectors() {
  std::ifstream file(AIRLITE_SOURCE_DIR "/tests/npu/isa/Inputs/encoding_vectors.txt");
  std::vector<Vector> vectors;
  for (std::string line; std::getline(file, line);) {
    size_t blank = line.find(' ');
    if (!line.starts_with('#')) vectors.push_back({line.substr(0, blank), line.substr(blank + 1)});
  }
  return vectors;
}

std::vector<Instruction> parseSlots(const std::string& text) {
  std::vector<Instruction> instructions;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find(';', at), text.size());
    TextError error;
    auto parsed = parseInstruction(text.substr(at, end - at), error);
    INFO(text << ": " << error.message);
    REQUIRE(parsed);
    instructions.push_back(parsed->instruction);
    at = end + 1;
  }
  return instructions;
}

/// What the bundle says, whatever the order of its slots. Other listings do not show the bit that
/// makes eight bytes of a bundle of six.
std::set<std::string> contentOf(std::span<const Instruction> instructions) {
  std::set<std::string> content;
  for (const Instruction& i : instructions)
    if (i.slot() != Slot::Nop || instructions.size() == 1) content.insert(print(i));
  return content;
}

}  // namespace

TEST_CASE("golden vectors assemble to their bytes", "[isa][vectors]") {
  std::vector<Vector> vectors = readVectors();
  REQUIRE(vectors.size() == 130);
  for (const Vector& v : vectors) {
    INFO(v.text);
    auto bundle = Bundle::make(parseSlots(v.text), v.bytes.size() / 2);
    REQUIRE(bundle);
    CHECK(bytesOf(*bundle) == bytesOf(v.bytes));
  }
}

TEST_CASE("golden vectors need no hint at their size, but for a filled one", "[isa][vectors]") {
  unsigned filled = 0;
  for (const Vector& v : readVectors()) {
    auto bundle = Bundle::make(parseSlots(v.text));
    REQUIRE(bundle);
    if (bundle->size() * 2 == v.bytes.size()) continue;
    ++filled;
    CHECK(v.text == "MOVXM sp, #458752");
    CHECK(bundle->widened(8)->format() == Format::I64_NOP_LNG);
  }
  CHECK(filled == 1);
}

TEST_CASE("golden vectors disassemble to their text", "[isa][vectors]") {
  for (const Vector& v : readVectors()) {
    INFO(v.text);
    auto bundle = Bundle::decode(bytesOf(v.bytes));
    INFO(bundle.error().message);
    REQUIRE(bundle);
    CHECK(contentOf(bundle->instructions()) == contentOf(parseSlots(v.text)));
    CHECK(bytesOf(*bundle) == bytesOf(v.bytes));
  }
}

}  // namespace airlite::npu::isa
