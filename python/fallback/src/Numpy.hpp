// numpy's C API, which one file of a module owns and the others share.
#pragma once

#define PY_ARRAY_UNIQUE_SYMBOL airlite_bfloat16_array
#define PY_UFUNC_UNIQUE_SYMBOL airlite_bfloat16_ufunc
#define NPY_NO_DEPRECATED_API NPY_1_22_API_VERSION
#ifndef AIRLITE_OWNS_NUMPY
#define NO_IMPORT_ARRAY
#define NO_IMPORT_UFUNC
#endif

#include <Python.h>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numpy/arrayobject.h>
#include <numpy/arrayscalars.h>
#include <numpy/ufuncobject.h>

namespace airlite::bfloat16 {

/// The upper half of a float, rounded to nearest even.
struct Bf16 {
  uint16_t bits = 0;

  static Bf16 of(float value) {
    const auto word = std::bit_cast<uint32_t>(value);
    if (std::isnan(value)) return {uint16_t((word >> 16) | 0x40)};
    return {uint16_t((word + 0x7FFF + ((word >> 16) & 1)) >> 16)};
  }
  /// A double that rounds twice would miss values near the middle: the odd bit keeps them apart.
  static Bf16 of(double value) {
    auto narrow = static_cast<float>(value);
    if (!std::isfinite(value) || narrow == value || std::isinf(narrow)) return of(narrow);
    auto word = std::bit_cast<uint32_t>(narrow);
    const bool isAway = std::fabs(narrow) > std::fabs(value);
    if (isAway && (word & 1) == 0) --word;  // towards zero, and then odd
    return of(std::bit_cast<float>(word | 1));
  }
  float value() const { return std::bit_cast<float>(uint32_t(bits) << 16); }
};

/// A number of Python: the layout that numpy expects of its scalars.
struct Scalar {
  PyObject_HEAD Bf16 value;
};

extern PyTypeObject scalarType;
extern int typeNumber;  ///< numpy's

PyObject* makeScalar(Bf16 value);
/// A bfloat16, or a number of Python or numpy that is exactly one. False without an error otherwise.
bool exactly(PyObject* object, Bf16& value);

// Each returns false with an error of Python.
bool registerType();
bool registerCasts();
bool registerFunctions();

}  // namespace airlite::bfloat16
