// .npy files: what is written is read back, NumPy's own headers are read, and bad ones are errors.
#include "common/Npy.hpp"

#include "support/catch_all.hpp"

#include <cmath>
#include <limits>

using namespace airlite::tools;

namespace {

std::string fileOf(const std::string& header, const std::string& data, char version = 1) {
  std::string text = "\x93NUMPY";
  text += version;
  text += '\0';
  for (size_t i = 0; i < (version == 1 ? 2u : 4u); ++i)
    text += static_cast<char>(header.size() >> (8 * i) & 255);
  return text + header + data;
}

airlite::Result<NpyArray> parse(const std::string& text) {
  return parseNpy(std::as_bytes(std::span(text)));
}

std::string errorOf(const std::string& text) {
  auto array = parse(text);
  CHECK_FALSE(array);
  return array.error().message;
}

std::string header(const std::string& descr, const std::string& shape) {
  return "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("an array comes back as it was written") {
  for (NpyType type : {NpyType::Bool, NpyType::I8, NpyType::U16, NpyType::I64, NpyType::F16,
                       NpyType::BF16, NpyType::F32, NpyType::F64, NpyType::F8E4M3FN}) {
    NpyArray array = makeNpyArray(type, {2, 3});
    for (size_t i = 0; i < 6; ++i)
      npySet(array, i, static_cast<double>(i % 2));
    std::string bytes = npyBytes(array);
    auto back = parse(bytes);
    INFO(npyTypeName(type) << ": " << back.error().message);
    REQUIRE(back);
    CHECK(back->type == type);
    CHECK(back->shape == array.shape);
    CHECK(back->data == array.data);
    CHECK((bytes.size() - array.data.size()) % 64 == 0);
  }
}

TEST_CASE("scalars, vectors and empty arrays have their shapes") {
  for (const std::vector<int64_t>& shape :
       {std::vector<int64_t>{}, std::vector<int64_t>{5}, std::vector<int64_t>{0, 4}}) {
    auto back = parse(npyBytes(makeNpyArray(NpyType::I32, shape)));
    REQUIRE(back);
    CHECK(back->shape == shape);
  }
}

TEST_CASE("the three versions of the header are read") {
  std::string text = header("<i2", "(2,)") + "\n";
  for (char version : {1, 2, 3}) {
    auto array = parse(fileOf(text, std::string("\1\0\xff\xff", 4), version));
    REQUIRE(array);
    CHECK(npyNumber(*array, 0) == 1);
    CHECK(npyNumber(*array, 1) == -1);
  }
  CHECK(contains(errorOf(fileOf(text, "", 4)), "version 4"));
}

TEST_CASE("bf16 is two bytes of anything") {
  auto array = parse(fileOf(header("|V2", "(1,)"), "\x80\x3f"));
  REQUIRE(array);
  CHECK(array->type == NpyType::BF16);
  CHECK(npyNumber(*array, 0) == 1.0);
}

TEST_CASE("sixteen-bit floats are rounded to the nearest even") {
  NpyArray half = makeNpyArray(NpyType::F16, {1}), brain = makeNpyArray(NpyType::BF16, {1});
  auto round = [](NpyArray& array, double value) {
    npySet(array, 0, value);
    return npyNumber(array, 0);
  };
  CHECK(round(half, 1.0 + std::ldexp(1, -11)) == 1.0);
  CHECK(round(half, 1.0 + std::ldexp(3, -11)) == 1.0 + std::ldexp(1, -9));
  CHECK(round(half, 65504.0) == 65504.0);
  CHECK(round(half, 65520.0) == std::numeric_limits<double>::infinity());
  CHECK(round(half, std::ldexp(1, -24)) == std::ldexp(1, -24));
  CHECK(round(half, std::ldexp(1, -26)) == 0.0);
  CHECK(std::isnan(round(half, std::nan(""))));
  CHECK(round(brain, 1.0 + std::ldexp(1, -8)) == 1.0);
  CHECK(round(brain, -3.0) == -3.0);
}

TEST_CASE("bad files are errors") {
  CHECK(errorOf("") == "not a .npy file");
  CHECK(errorOf("not an array") == "not a .npy file");
  CHECK(contains(errorOf(std::string("\x93NUMPY\1\0", 8)), "inside its header"));
  CHECK(contains(errorOf(std::string("\x93NUMPY\1\0\xff\xff{", 11)), "inside its header"));
  CHECK(contains(errorOf(fileOf("", "")), "bad header"));
  CHECK(contains(errorOf(fileOf("{", "")), "bad header"));
  CHECK(contains(errorOf(fileOf("{}", "")), "expected the keys"));
  CHECK(contains(errorOf(fileOf(header("<f4", "(2,)") + "x", "")), "after the dictionary"));
  CHECK(contains(errorOf(fileOf(header("<f4", "(2)"), "")), "tuple of one"));
  CHECK(contains(errorOf(fileOf(header("<f4", "(-2,)"), "")), "expected a size"));
  CHECK(contains(errorOf(fileOf(header("<f4", "(99999999999999999999,)"), "")), "too large"));
  CHECK(contains(errorOf(fileOf(header("<f4", "(4294967296, 4294967296)"), "")), "does not match"));
  CHECK(contains(errorOf(fileOf(header("<f4", "(2,)"), "1234567")), "does not match"));
  CHECK(contains(errorOf(fileOf(header(">f4", "(1,)"), "1234")), "big-endian"));
  CHECK(contains(errorOf(fileOf(header("<c8", "(1,)"), "12345678")), "elements of type"));
  CHECK(contains(
      errorOf(fileOf("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': ()}", "")),
      "record types"));
  CHECK(contains(errorOf(fileOf("{'descr': '<f4', 'descr': '<f4'}", "")), "twice"));
  CHECK(
      contains(errorOf(fileOf("{'descr': '<f4', 'fortran_order': True, 'shape': (1, 1)}", "1234")),
               "column-major"));
}

TEST_CASE("a file cut anywhere is an error, never a crash") {
  std::string bytes = npyBytes(makeNpyArray(NpyType::F32, {3, 2}));
  for (size_t length = 0; length < bytes.size(); ++length)
    CHECK_FALSE(parse(bytes.substr(0, length)));
}
