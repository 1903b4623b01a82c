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

std::vector<Vector> readPairs(const std::string& name) {
  std::ifstream file(AIRLITE_SOURCE_DIR "/tests/npu/isa/Inputs/" + name + ".txt");
  std::vector<Vector> vectors;
  for (std::string line; std::getline(file, line);) {
    size_t blank = line.find(' ');
    if (!line.starts_with('#')) vectors.push_back({line.substr(0, blank), line.substr(blank + 1)});
  }
  return vectors;
}

std::vector<Vector> readVectors(const InstructionSet& set) {
  const std::string suffix = &set == &aie2() ? "" : "_" + std::string(set.name);
  return readPairs("encoding_vectors" + suffix);
}

std::vector<Instruction> parseSlots(const std::string& text, const InstructionSet& set) {
  std::vector<Instruction> instructions;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find(';', at), text.size());
    TextError error;
    auto parsed = parseInstruction(text.substr(at, end - at), error, set);
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
  AIRLITE_EACH_SET(set);
  std::vector<Vector> vectors = readVectors(set);
  REQUIRE(vectors.size() == (&set == &aie2() ? 130 : 118));
  for (const Vector& v : vectors) {
    INFO(v.text);
    auto bundle = Bundle::make(parseSlots(v.text, set), v.bytes.size() / 2);
    REQUIRE(bundle);
    CHECK(bytesOf(*bundle) == bytesOf(v.bytes));
  }
}

TEST_CASE("golden vectors need no hint at their size, but for a filled one", "[isa][vectors]") {
  unsigned filled = 0;
  for (const Vector& v : readVectors(aie2())) {
    auto bundle = Bundle::make(parseSlots(v.text, aie2()));
    REQUIRE(bundle);
    if (bundle->size() * 2 == v.bytes.size()) continue;
    ++filled;
    CHECK(v.text == "MOVXM sp, #458752");
    CHECK(bundle->widened(8)->format() == Format::I64_NOP_LNG);
  }
  CHECK(filled == 1);
  for (const Vector& v : readVectors(aie2p()))
    CHECK(Bundle::make(parseSlots(v.text, aie2p()))->size() * 2 == v.bytes.size());
}

TEST_CASE("golden vectors disassemble to their text", "[isa][vectors]") {
  AIRLITE_EACH_SET(set);
  for (const Vector& v : readVectors(set)) {
    INFO(v.text);
    auto bundle = Bundle::decode(bytesOf(v.bytes), set);
    INFO(bundle.error().message);
    REQUIRE(bundle);
    CHECK(contentOf(bundle->instructions()) == contentOf(parseSlots(v.text, set)));
    CHECK(bytesOf(*bundle) == bytesOf(v.bytes));
  }
}

TEST_CASE("texts that were published without bytes assemble to their size", "[isa][vectors]") {
  std::vector<Vector> samples = readPairs("syntax_samples_aie2p");
  REQUIRE(samples.size() == 72);
  for (const Vector& sample : samples) {
    INFO(sample.text);
    auto bundle = Bundle::make(parseSlots(sample.text, aie2p()));
    REQUIRE(bundle);
    if (sample.bytes != "-") CHECK(bundle->size() == std::stoul(sample.bytes));
    auto again = Bundle::decode(bytesOf(*bundle), aie2p());
    REQUIRE(again);
    CHECK(contentOf(parseSlots(print(*again), aie2p())) == contentOf(again->instructions()));
    for (const Instruction& instruction : parseSlots(sample.text, aie2p()))
      CHECK(*again->find(instruction.slot()) == instruction);
  }
}

}  // namespace airlite::npu::isa
