// Halves of vectors are made and read where they are used: no moves between registers for that.
#include "CodegenTesting.hpp"

#include <fmt/format.h>

using namespace airlite;
using namespace airlite::npu;
using namespace airlite::npu::codegen;

namespace {

const std::vector<TestBuffer> kBuffers = {{"m", "i32", 256, 4}};

/// Loads %a, %b, %c and %d of 8 lanes from the first 32 elements; %at0 to %at3 are 64, 72, 80, 88.
std::string body(const std::string& ops) {
  std::string text;
  const std::string memref = "memref<256xi32, 2 : i32>", half = "vector<8xi32>";
  for (int i = 0; i < 4; ++i)
    text += fmt::format(
        "  %from{0} = arith.constant {1} : index\n  %at{0} = arith.constant {2} : index\n"
        "  %{3} = vector.load %m[%from{0}] : {4}, {5}\n",
        i, 8 * i, 64 + 8 * i, "abcd"[i], memref, half);
  std::string both = "[0";
  for (int lane = 1; lane < 16; ++lane)
    both += fmt::format(", {}", lane);
  std::string filled = ops;
  for (const auto& [from, to] :
       {std::pair<std::string, std::string>{"JOIN", both + "] : vector<8xi32>, vector<8xi32>"},
        {"LOW", "{offsets = [0], sizes = [8], strides = [1]} : vector<16xi32> to vector<8xi32>"},
        {"HIGH", "{offsets = [8], sizes = [8], strides = [1]} : vector<16xi32> to vector<8xi32>"},
        {"TO", memref + ", " + half}})
    for (size_t found; (found = filled.find(from)) != std::string::npos;)
      filled.replace(found, from.size(), to);
  return text + filled;
}

/// In the program; what it computes is compared.
size_t movesOf(const std::string& ops) {
  SplitMix64 random(3);
  CHECK(checkSame(kBuffers, body(ops), random));
  TestDevice device(kBuffers, body(ops) + "\n  aie.end");
  const std::optional<CoreCode> code = device.compile();
  REQUIRE(code);
  const std::string text = printAssembly(*code);
  size_t count = 0;
  for (size_t at = 0; (at = text.find("vmov", at)) != std::string::npos; ++at)
    ++count;
  return count;
}

}  // namespace

TEST_CASE("halves that are loaded are where both are used", "[codegen][halves]") {
  CHECK(movesOf(R"(
  %ab = vector.shuffle %a, %b JOIN
  %cd = vector.shuffle %c, %d JOIN
  %s = arith.addi %ab, %cd : vector<16xi32>
  vector.store %s, %m[%at0] : memref<256xi32, 2 : i32>, vector<16xi32>
)") == 0);
  // A half that is stored as well is stored from there.
  CHECK(movesOf(R"(
  %ab = vector.shuffle %a, %b JOIN
  vector.store %b, %m[%at2] : TO
  vector.store %ab, %m[%at0] : memref<256xi32, 2 : i32>, vector<16xi32>
)") == 0);
}

TEST_CASE("halves that are stored are stored from where they are", "[codegen][halves]") {
  CHECK(movesOf(R"(
  %ab = vector.shuffle %a, %b JOIN
  %s = arith.addi %ab, %ab : vector<16xi32>
  %l = vector.extract_strided_slice %s LOW
  %h = vector.extract_strided_slice %s HIGH
  vector.store %h, %m[%at0] : TO
  vector.store %l, %m[%at1] : TO
)") == 0);
}

TEST_CASE("halves that are needed twice are moved", "[codegen][halves]") {
  // %a is in one vector as its low half, in the other one as its high half.
  CHECK(movesOf(R"(
  %ab = vector.shuffle %a, %b JOIN
  %ca = vector.shuffle %c, %a JOIN
  %s = arith.addi %ab, %ca : vector<16xi32>
  vector.store %s, %m[%at0] : memref<256xi32, 2 : i32>, vector<16xi32>
)") == 1);
  CHECK(movesOf(R"(
  %aa = vector.shuffle %a, %a JOIN
  vector.store %aa, %m[%at0] : memref<256xi32, 2 : i32>, vector<16xi32>
)") == 1);
  // What adds takes whole vectors: the half is moved to the low one of a vector.
  CHECK(movesOf(R"(
  %ab = vector.shuffle %a, %b JOIN
  %s = arith.addi %ab, %ab : vector<16xi32>
  %h = vector.extract_strided_slice %s HIGH
  %t = arith.addi %h, %c : vector<8xi32>
  vector.store %t, %m[%at0] : TO
)") == 1);
}
