// What tests of whole recipes share: passes on a program, and arrays of all element types.
#pragma once

#include "EmitTest.hpp"
#include "airlite/gpu/lower/Lower.hpp"
#include "airlite/ir/Attribute.hpp"
#include "airlite/pass/Pipeline.hpp"
#include "airlite/transform/Passes.hpp"

#include <bit>
#include <cmath>
#include <random>
#include <vector>

namespace airlite::gpu::test {

inline void runPasses(Program& program, const std::string& passes) {
  PassRegistry registry;
  registerAllPasses(registry);
  registerGpuPasses(registry);
  Pipeline pipeline;
  REQUIRE(parsePipeline(program.context, registry, passes, pipeline));
  const auto outcome = runPipeline(*program.module, pipeline, {});
  INFO(program.messages());
  REQUIRE(outcome.result != PassResult::Failed);
}

/// Bytes of an array of one of the element types, read and written as double.
struct Numbers {
  std::string type;
  std::vector<std::byte> bytes;

  Numbers(std::string elementType, std::int64_t count)
      : type(std::move(elementType)), bytes(static_cast<std::size_t>(count * width())) {}

  std::int64_t width() const {
    if (type == "f64" || type == "i64") return 8;
    if (type == "f32" || type == "i32") return 4;
    return type == "i8" || isFloat8() ? 1 : 2;
  }

  bool isFloat8() const { return type.starts_with("f8"); }
  airlite::FloatKind kind() const { return *FloatType::parseName(type); }

  template <class T> T& as(std::int64_t i) { return reinterpret_cast<T*>(bytes.data())[i]; }

  double get(std::int64_t i) {
    if (type == "f64") return as<double>(i);
    if (type == "f32") return double{as<float>(i)};
    if (type == "i32") return as<std::int32_t>(i);
    if (type == "i16") return as<std::int16_t>(i);
    if (type == "i64") return static_cast<double>(as<std::int64_t>(i));
    if (type == "i8") return as<std::int8_t>(i);
    if (isFloat8()) return floatFromBits(kind(), as<std::uint8_t>(i));
    if (type == "bf16")
      return double{std::bit_cast<float>(static_cast<std::uint32_t>(as<std::uint16_t>(i)) << 16)};
    const auto bits = as<std::uint16_t>(i);
    const double fraction = bits & 0x3ff;
    const int exponent = (bits >> 10) & 0x1f;
    if (exponent == 0x1f) return fraction ? NAN : bits & 0x8000 ? -INFINITY : INFINITY;
    const double size =
        exponent ? std::ldexp(1024 + fraction, exponent - 25) : std::ldexp(fraction, -24);
    return bits & 0x8000 ? -size : size;
  }

  /// A small number that the type has: a multiple of 1/16 for floats.
  void put(std::int64_t i, int value) {
    const float number = static_cast<float>(value) / 16;
    if (type == "f64") as<double>(i) = double{number};
    if (type == "f32") as<float>(i) = number;
    if (type == "i32") as<std::int32_t>(i) = value;
    if (type == "i16") as<std::int16_t>(i) = static_cast<std::int16_t>(value);
    if (type == "i64") as<std::int64_t>(i) = value;
    if (type == "i8") as<std::int8_t>(i) = static_cast<std::int8_t>(value);
    if (type == "bf16")
      as<std::uint16_t>(i) = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(number) >> 16);
    if (isFloat8())
      as<std::uint8_t>(i) = static_cast<std::uint8_t>(floatToBits(kind(), double{number}));
    if (type == "f16") as<std::uint16_t>(i) = halfOf(number);
  }

  /// Exact for the numbers that put() writes.
  static std::uint16_t halfOf(float number) {
    const auto bits = std::bit_cast<std::uint32_t>(number);
    if ((bits & 0x7fffffff) == 0) return static_cast<std::uint16_t>(bits >> 16);
    const auto exponent = ((bits >> 23) & 0xff) - 112;
    return static_cast<std::uint16_t>((bits >> 16 & 0x8000) | exponent << 10 |
                                      (bits >> 13 & 0x3ff));
  }

  double epsilon() const {
    if (type == "f64") return 0x1p-53;
    if (type == "f32") return 0x1p-24;
    if (type == "f16") return 0x1p-11;
    if (type == "bf16") return 0x1p-8;
    if (type.starts_with("f8E4M3")) return 0x1p-4;
    return isFloat8() ? 0x1p-3 : 0;
  }
};

template <class T> const T& oneOf(std::mt19937& random, const std::vector<T>& all) {
  return all[random() % all.size()];
}

}  // namespace airlite::gpu::test
