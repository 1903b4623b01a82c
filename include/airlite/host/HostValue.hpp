// Arguments and results of functions that run on the host, by compiled code or the interpreter.
//
//   std::vector<float> a(64);
//   std::vector arguments = {HostValue::buffer(a.data(), {8, 8}), HostValue::ofInteger(3)};
#pragma once

#include "airlite/host/ArgLayout.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace airlite {

/// An argument or a result: a buffer that the caller owns, or a scalar.
struct HostValue {
  ArgKind kind = ArgKind::Index;
  void* data = nullptr;               ///< MemRef: the element at offset 0
  std::vector<std::int64_t> shape;    ///< MemRef
  std::vector<std::int64_t> strides;  ///< MemRef, in elements; empty: row-major
  std::int64_t offset = 0;            ///< MemRef, in elements
  std::int64_t integer = 0;           ///< Index and Integer (wrapped to the parameter's width)
  double number = 0;                  ///< Float (rounded to the parameter's format)

  static HostValue buffer(void* data, std::vector<std::int64_t> shape,
                          std::vector<std::int64_t> strides = {}, std::int64_t offset = 0);
  /// For index and integer parameters.
  static HostValue ofInteger(std::int64_t value);
  static HostValue ofFloat(double value);
};

/// A function that run() can be asked for.
struct HostFunction {
  std::string name;
  std::vector<ArgLayout> params;
  std::vector<ArgLayout> results;
};

}  // namespace airlite
