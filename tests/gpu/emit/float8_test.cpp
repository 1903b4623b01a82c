// Floats of eight bits in kernels: every pattern of each format is widened exactly, and wider numbers are
// rounded once, to the bits that the interpreter has.
#include "Numbers.hpp"
#include "airlite/dialect/Gpu.hpp"

#include <cmath>
#include <limits>
#include <random>

using namespace airlite;
using namespace airlite::gpu;
using namespace airlite::gpu::test;
using Catch::Matchers::Contains;

namespace {

const std::vector<std::string> kFormats = {"f8E4M3FN", "f8E5M2", "f8E4M3FNUZ", "f8E5M2FNUZ"};

std::string memrefOf(std::int64_t count, const std::string& element) {
  return "memref<" + std::to_string(count) + "x" + element + ">";
}

/// `count` numbers of type `from`, converted to `to` by a kernel with a work-item for each.
Numbers convertAll(Numbers& given, const std::string& op, const std::string& to,
                   std::int64_t count) {
  Program program(
      oneKernel("%x: " + memrefOf(count, given.type) + ", %out: " + memrefOf(count, to),
                "%i = gpu.thread_id x\n%v = memref.load %x[%i] : " + memrefOf(count, given.type) +
                    "\n%w = arith." + op + " %v : " + given.type + " to " + to +
                    "\nmemref.store %w, %out[%i] : " + memrefOf(count, to),
                static_cast<int>(count)));
  Numbers made(to, count);
  runMain(hostOf(program), {HostValue::buffer(given.bytes.data(), {count}),
                            HostValue::buffer(made.bytes.data(), {count})});
  if (given.type == "f32" || to == "f32")
    for (const char* cpu : {"gfx942", "gfx1201"})
      compileFor(program, cpu);
  return made;
}

/// The same with `width` numbers in each work-item.
Numbers convertVectors(Numbers& given, const std::string& op, const std::string& to,
                       std::int64_t count, std::int64_t width, const char* device = nullptr) {
  const auto vector = [&](const std::string& element) {
    return "vector<" + std::to_string(width) + "x" + element + ">";
  };
  Program program(
      oneKernel("%x: " + memrefOf(count, given.type) + ", %out: " + memrefOf(count, to),
                "%t = gpu.thread_id x\n%n = arith.constant " + std::to_string(width) +
                    " : index\n%i = arith.muli %t, %n : index\n%v = vector.load %x[%i] : " +
                    memrefOf(count, given.type) + ", " + vector(given.type) + "\n%w = arith." + op +
                    " %v : " + vector(given.type) + " to " + vector(to) +
                    "\nvector.store %w, %out[%i] : " + memrefOf(count, to) + ", " + vector(to),
                static_cast<int>(count / width)));
  if (device) program.module->setAttr(kDeviceAttr, StringAttr::get(program.context, device));
  Numbers made(to, count);
  runMain(hostOf(program), {HostValue::buffer(given.bytes.data(), {count}),
                            HostValue::buffer(made.bytes.data(), {count})});
  for (const char* cpu : {"gfx942", "gfx1201"})
    if (!device || cpu == std::string(device)) compileFor(program, cpu);
  return made;
}

/// Where rounding changes, and next to it; what is too large; and random ones.
std::vector<double> interesting(airlite::FloatKind kind, std::mt19937& random) {
  std::vector<double> all = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1e300, -1e-300, 1e9, 3e-9};
  for (std::uint64_t bits = 0; bits < 127; ++bits) {
    const double low = floatFromBits(kind, bits), high = floatFromBits(kind, bits + 1);
    if (!std::isfinite(low) || !std::isfinite(high)) continue;
    const double middle = low + (high - low) / 2;
    for (double near : {low, -middle, std::nextafter(middle, 0.0), std::nextafter(middle, high)})
      all.push_back(near);
  }
  while (all.size() < 768)
    all.push_back(std::ldexp(static_cast<double>(random()) / 0x1p31 - 1,
                             static_cast<int>(random() % 48) - 26));
  all.resize(768);
  return all;
}

void putNumber(Numbers& into, std::int64_t i, double value) {
  const auto kind = *FloatType::parseName(into.type);
  const auto bits = floatToBits(kind, value);
  if (into.width() == 8) into.as<std::uint64_t>(i) = bits;
  if (into.width() == 4) into.as<std::uint32_t>(i) = static_cast<std::uint32_t>(bits);
  if (into.width() == 2) into.as<std::uint16_t>(i) = static_cast<std::uint16_t>(bits);
}

}  // namespace

TEST_CASE("every float of eight bits is widened exactly", "[float8]") {
  for (const auto& format : kFormats)
    for (const std::string to : {"f32", "f64", "f16", "bf16"}) {
      Numbers given(format, 256);
      for (std::int64_t i = 0; i < 256; ++i)
        given.as<std::uint8_t>(i) = static_cast<std::uint8_t>(i);
      Numbers made = convertAll(given, "extf", to, 256);
      for (std::int64_t i = 0; i < 256; ++i) {
        INFO(format << " to " << to << ": bits " << i);
        const double expected = given.get(i), found = made.get(i);
        CHECK(std::isnan(found) == std::isnan(expected));
        if (std::isnan(expected)) continue;
        CHECK(found == expected);
        CHECK(std::signbit(found) == std::signbit(expected));
      }
    }
}

TEST_CASE("vectors of floats of eight bits are converted like single ones", "[float8]") {
  for (const auto& format : kFormats)
    for (const std::string wide : {"f32", "f16", "bf16"})
      for (const std::int64_t width : {1, 2, 16}) {
        Numbers given(format, 256);
        for (std::int64_t i = 0; i < 256; ++i)
          given.as<std::uint8_t>(i) = static_cast<std::uint8_t>(i);
        Numbers made = convertVectors(given, "extf", wide, 256, width);
        Numbers back = convertVectors(made, "truncf", format, 256, width);
        for (std::int64_t i = 0; i < 256; ++i) {
          INFO(format << " to " << wide << " and back, " << width << " at once: bits " << i);
          const double expected = given.get(i), found = made.get(i);
          CHECK((found == expected || (std::isnan(found) && std::isnan(expected))));
          CHECK(std::isnan(back.get(i)) == std::isnan(expected));
          if (!std::isnan(expected)) CHECK(int{back.as<std::uint8_t>(i)} == static_cast<int>(i));
        }
      }
}

TEST_CASE("conversions by instructions of a device have the same numbers", "[float8]") {
  for (const auto& format : kFormats)
    for (const std::string wide : {"f32", "f16", "bf16"})
      for (const std::int64_t width : {4, 16, 64}) {
        const bool isUnsignedZero = format.ends_with("UZ");
        Numbers given(format, 256);
        for (std::int64_t i = 0; i < 256; ++i)
          given.as<std::uint8_t>(i) = static_cast<std::uint8_t>(i);
        Numbers made =
            convertVectors(given, "extf", wide, 256, width, isUnsignedZero ? "gfx942" : "gfx1201");
        for (std::int64_t i = 0; i < 256; ++i) {
          INFO(format << " to " << wide << ", " << width << " at once: bits " << i);
          const double expected = given.get(i), found = made.get(i);
          CHECK((found == expected || (std::isnan(found) && std::isnan(expected))));
        }
      }
}

TEST_CASE("kernels with conversions of one device are refused for others", "[float8]") {
  Program program(oneKernel("%x: memref<4xf8E5M2FNUZ>, %out: memref<4xf32>", R"(
    %i = arith.constant 0 : index
    %v = vector.load %x[%i] : memref<4xf8E5M2FNUZ>, vector<4xf8E5M2FNUZ>
    %w = arith.extf %v : vector<4xf8E5M2FNUZ> to vector<4xf32>
    vector.store %w, %out[%i] : memref<4xf32>, vector<4xf32>)"));
  program.module->setAttr(kDeviceAttr, StringAttr::get(program.context, "gfx942"));
  GpuTargetOptions target;
  target.cpu = "gfx90a";
  const auto compiled = compileForGpu(*program.module, target, {});
  REQUIRE_FALSE(compiled);
  CHECK_THAT(compiled.error().message, Contains("gfx90a does not have"));
}

TEST_CASE("wider numbers are rounded once to eight bits", "[float8]") {
  std::mt19937 random(3);
  for (const auto& format : kFormats)
    for (const std::string from : {"f32", "f64", "f16", "bf16"}) {
      const auto kind = *FloatType::parseName(format);
      const auto values = interesting(kind, random);
      const auto count = static_cast<std::int64_t>(values.size());
      Numbers given(from, count);
      for (std::int64_t i = 0; i < count; ++i)
        putNumber(given, i, values[static_cast<std::size_t>(i)]);
      Numbers made = convertAll(given, "truncf", format, count);
      for (std::int64_t i = 0; i < count; ++i) {
        const auto wide = *FloatType::parseName(from);
        const double value = roundToFormat(wide, values[static_cast<std::size_t>(i)]);
        INFO(from << " to " << format << ": " << value);
        CHECK(int{made.as<std::uint8_t>(i)} == static_cast<int>(floatToBits(kind, value)));
      }
    }
}

TEST_CASE("arithmetic on floats of eight bits is refused", "[float8]") {
  Program program(oneKernel("%x: memref<4xf8E5M2>", R"(
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<4xf8E5M2>
    %w = arith.addf %v, %v : f8E5M2
    memref.store %w, %x[%i] : memref<4xf8E5M2>)",
                            4));
  CHECK_FALSE(HostProgram::create(*program.module));
  CHECK_THAT(program.messages(),
             Contains("not supported: arith.addf on f8E5M2; convert to f32 with arith.extf"));
}
