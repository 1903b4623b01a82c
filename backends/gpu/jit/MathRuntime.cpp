#include "MathRuntime.hpp"

#include <array>
#include <cmath>

namespace airlite::gpu {
namespace {

template <double (*function)(double)> float unary(float x) {
  return static_cast<float>(function(x));
}

template <double (*function)(double, double)> float binary(float x, float y) {
  return static_cast<float>(function(x, y));
}

template <double (*function)(double)> void* of() {
  return reinterpret_cast<void*>(&unary<function>);
}

template <double (*function)(double, double)> void* of() {
  return reinterpret_cast<void*>(&binary<function>);
}

}  // namespace

std::span<const RuntimeSymbol> mathRuntime() {
  static const std::array<RuntimeSymbol, 22> symbols = {{
      {"sinf", of<::sin>()},     {"cosf", of<::cos>()},     {"tanf", of<::tan>()},
      {"asinf", of<::asin>()},   {"acosf", of<::acos>()},   {"atanf", of<::atan>()},
      {"sinhf", of<::sinh>()},   {"coshf", of<::cosh>()},   {"tanhf", of<::tanh>()},
      {"asinhf", of<::asinh>()}, {"acoshf", of<::acosh>()}, {"atanhf", of<::atanh>()},
      {"expf", of<::exp>()},     {"exp2f", of<::exp2>()},   {"expm1f", of<::expm1>()},
      {"logf", of<::log>()},     {"log2f", of<::log2>()},   {"log10f", of<::log10>()},
      {"log1pf", of<::log1p>()}, {"cbrtf", of<::cbrt>()},   {"powf", of<::pow>()},
      {"atan2f", of<::atan2>()},
  }};
  return symbols;
}

}  // namespace airlite::gpu
