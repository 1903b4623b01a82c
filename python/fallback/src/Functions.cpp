// numpy's functions on bfloat16: each computes in float, and rounds.
#include "Numpy.hpp"

#include <algorithm>
#include <initializer_list>

namespace airlite::bfloat16 {
namespace {

float read(const char* data) { return reinterpret_cast<const Bf16*>(data)->value(); }
void write(char* data, float value) { *reinterpret_cast<Bf16*>(data) = Bf16::of(value); }

using Unary = float (*)(float);
using Binary = float (*)(float, float);
using Test = bool (*)(float);
using Relation = bool (*)(float, float);

// The function is the data of the loop.

void unaryLoop(char** args, const npy_intp* count, const npy_intp* steps, void* data) {
  const auto compute = reinterpret_cast<Unary>(data);
  for (npy_intp i = 0; i < *count; ++i)
    write(args[1] + i * steps[1], compute(read(args[0] + i * steps[0])));
}
void binaryLoop(char** args, const npy_intp* count, const npy_intp* steps, void* data) {
  const auto compute = reinterpret_cast<Binary>(data);
  for (npy_intp i = 0; i < *count; ++i)
    write(args[2] + i * steps[2],
          compute(read(args[0] + i * steps[0]), read(args[1] + i * steps[1])));
}
void testLoop(char** args, const npy_intp* count, const npy_intp* steps, void* data) {
  const auto test = reinterpret_cast<Test>(data);
  for (npy_intp i = 0; i < *count; ++i)
    *reinterpret_cast<npy_bool*>(args[1] + i * steps[1]) = test(read(args[0] + i * steps[0]));
}
void relationLoop(char** args, const npy_intp* count, const npy_intp* steps, void* data) {
  const auto relate = reinterpret_cast<Relation>(data);
  for (npy_intp i = 0; i < *count; ++i)
    *reinterpret_cast<npy_bool*>(args[2] + i * steps[2]) =
        relate(read(args[0] + i * steps[0]), read(args[1] + i * steps[1]));
}

struct UnaryRow {
  const char* name;
  Unary compute;
};
struct BinaryRow {
  const char* name;
  Binary compute;
};
struct TestRow {
  const char* name;
  Test test;
};
struct RelationRow {
  const char* name;
  Relation relate;
};

float floorMod(float x, float y) {
  const float rest = std::fmod(x, y);
  return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
}
float larger(float x, float y) { return std::isnan(x) || x > y ? x : y; }
float smaller(float x, float y) { return std::isnan(x) || x < y ? x : y; }
float signOf(float x) { return x > 0 ? 1.0f : x < 0 ? -1.0f : x; }

const UnaryRow kUnary[] = {
    {"negative", [](float x) { return -x; }},
    {"positive", [](float x) { return x; }},
    {"absolute", [](float x) { return std::fabs(x); }},
    {"fabs", [](float x) { return std::fabs(x); }},
    {"sign", signOf},
    {"square", [](float x) { return x * x; }},
    {"reciprocal", [](float x) { return 1 / x; }},
    {"sqrt", [](float x) { return std::sqrt(x); }},
    {"cbrt", [](float x) { return std::cbrt(x); }},
    {"exp", [](float x) { return std::exp(x); }},
    {"exp2", [](float x) { return std::exp2(x); }},
    {"expm1", [](float x) { return std::expm1(x); }},
    {"log", [](float x) { return std::log(x); }},
    {"log2", [](float x) { return std::log2(x); }},
    {"log10", [](float x) { return std::log10(x); }},
    {"log1p", [](float x) { return std::log1p(x); }},
    {"sin", [](float x) { return std::sin(x); }},
    {"cos", [](float x) { return std::cos(x); }},
    {"tan", [](float x) { return std::tan(x); }},
    {"arcsin", [](float x) { return std::asin(x); }},
    {"arccos", [](float x) { return std::acos(x); }},
    {"arctan", [](float x) { return std::atan(x); }},
    {"sinh", [](float x) { return std::sinh(x); }},
    {"cosh", [](float x) { return std::cosh(x); }},
    {"tanh", [](float x) { return std::tanh(x); }},
    {"arcsinh", [](float x) { return std::asinh(x); }},
    {"arccosh", [](float x) { return std::acosh(x); }},
    {"arctanh", [](float x) { return std::atanh(x); }},
    {"floor", [](float x) { return std::floor(x); }},
    {"ceil", [](float x) { return std::ceil(x); }},
    {"trunc", [](float x) { return std::trunc(x); }},
    {"rint", [](float x) { return std::nearbyint(x); }},
};

const BinaryRow kBinary[] = {
    {"add", [](float x, float y) { return x + y; }},
    {"subtract", [](float x, float y) { return x - y; }},
    {"multiply", [](float x, float y) { return x * y; }},
    {"divide", [](float x, float y) { return x / y; }},
    {"floor_divide", [](float x, float y) { return std::floor(x / y); }},
    {"remainder", floorMod},
    {"fmod", [](float x, float y) { return std::fmod(x, y); }},
    {"power", [](float x, float y) { return std::pow(x, y); }},
    {"maximum", larger},
    {"minimum", smaller},
    {"fmax", [](float x, float y) { return std::fmax(x, y); }},
    {"fmin", [](float x, float y) { return std::fmin(x, y); }},
    {"arctan2", [](float x, float y) { return std::atan2(x, y); }},
    {"hypot", [](float x, float y) { return std::hypot(x, y); }},
    {"copysign", [](float x, float y) { return std::copysign(x, y); }},
};

const TestRow kTests[] = {
    {"isnan", [](float x) { return std::isnan(x); }},
    {"isinf", [](float x) { return std::isinf(x); }},
    {"isfinite", [](float x) { return std::isfinite(x); }},
    {"signbit", [](float x) { return std::signbit(x); }},
    {"logical_not", [](float x) { return x == 0; }},
};

const RelationRow kRelations[] = {
    {"equal", [](float x, float y) { return x == y; }},
    {"not_equal", [](float x, float y) { return x != y; }},
    {"less", [](float x, float y) { return x < y; }},
    {"less_equal", [](float x, float y) { return x <= y; }},
    {"greater", [](float x, float y) { return x > y; }},
    {"greater_equal", [](float x, float y) { return x >= y; }},
    {"logical_and", [](float x, float y) { return x != 0 && y != 0; }},
    {"logical_or", [](float x, float y) { return x != 0 || y != 0; }},
};

using Loop = void (*)(char**, const npy_intp*, const npy_intp*, void*);

bool registerLoop(PyObject* numpy, const char* name, Loop loop, std::initializer_list<int> types,
                  void* data) {
  PyObject* function = PyObject_GetAttrString(numpy, name);
  if (!function) return false;
  const bool isDone = PyUFunc_RegisterLoopForType(reinterpret_cast<PyUFuncObject*>(function),
                                                  typeNumber, loop, types.begin(), data) == 0;
  Py_DECREF(function);
  return isDone;
}

bool registerAll(PyObject* numpy) {
  const int t = typeNumber;
  for (const UnaryRow& row : kUnary)
    if (!registerLoop(numpy, row.name, unaryLoop, {t, t}, reinterpret_cast<void*>(row.compute)))
      return false;
  for (const BinaryRow& row : kBinary)
    if (!registerLoop(numpy, row.name, binaryLoop, {t, t, t}, reinterpret_cast<void*>(row.compute)))
      return false;
  for (const TestRow& row : kTests)
    if (!registerLoop(numpy, row.name, testLoop, {t, NPY_BOOL}, reinterpret_cast<void*>(row.test)))
      return false;
  for (const RelationRow& row : kRelations)
    if (!registerLoop(numpy, row.name, relationLoop, {t, t, NPY_BOOL},
                      reinterpret_cast<void*>(row.relate)))
      return false;
  // No loop for matmul: numpy multiplies matrices of bf16 in float then, and gives float, as with the package ml_dtypes.
  return true;
}

}  // namespace

bool registerFunctions() {
  PyObject* numpy = PyImport_ImportModule("numpy");
  if (!numpy) return false;
  const bool isDone = registerAll(numpy);
  Py_DECREF(numpy);
  return isDone;
}

}  // namespace airlite::bfloat16
