// bfloat16 as a type of numpy's arrays, and its casts.
#include "Numpy.hpp"

#include <complex>
#include <cstring>

namespace airlite::bfloat16 {

bool registerScalar();

namespace {

#if NPY_ABI_VERSION < 0x02000000
using Descriptor = PyArray_Descr;
#else
using Descriptor = PyArray_DescrProto;
#endif

Bf16 load(const void* data) {
  Bf16 value;
  std::memcpy(&value, data, sizeof value);
  return value;
}
void store(void* data, Bf16 value) { std::memcpy(data, &value, sizeof value); }

// -- What arrays ask of a type

PyObject* getItem(void* data, void*) { return makeScalar(load(data)); }

int setItem(PyObject* object, void* data, void*) {
  Bf16 value;
  if (!exactly(object, value)) {
    PyObject* number = PyNumber_Float(object);
    if (!number) return -1;
    value = Bf16::of(PyFloat_AS_DOUBLE(number));
    Py_DECREF(number);
  }
  store(data, value);
  return 0;
}

void swap(char* data) { std::swap(data[0], data[1]); }

void copySwap(void* to, void* from, int swaps, void*) {
  if (from) std::memcpy(to, from, sizeof(Bf16));
  if (swaps) swap(static_cast<char*>(to));
}

void copySwapMany(void* to, npy_intp toStep, void* from, npy_intp fromStep, npy_intp count,
                  int swaps, void* array) {
  for (npy_intp i = 0; i < count; ++i)
    copySwap(static_cast<char*>(to) + i * toStep,
             from ? static_cast<char*>(from) + i * fromStep : nullptr, swaps, array);
}

/// NaNs come last.
int compare(const void* a, const void* b, void*) {
  const float x = load(a).value(), y = load(b).value();
  if (x < y) return -1;
  if (y < x) return 1;
  return std::isnan(x) == std::isnan(y) ? 0 : std::isnan(x) ? 1 : -1;
}

template <bool isMax> int extreme(void* data, npy_intp count, npy_intp* found, void*) {
  const auto* values = static_cast<const Bf16*>(data);
  *found = 0;
  for (npy_intp i = 0; i < count; ++i) {
    const float value = values[i].value(), best = values[*found].value();
    if (std::isnan(value)) return *found = i, 0;
    if (isMax ? value > best : value < best) *found = i;
  }
  return 0;
}

void dot(void* a, npy_intp stepA, void* b, npy_intp stepB, void* out, npy_intp count, void*) {
  float sum = 0;
  for (npy_intp i = 0; i < count; ++i)
    sum += load(static_cast<char*>(a) + i * stepA).value() *
           load(static_cast<char*>(b) + i * stepB).value();
  store(out, Bf16::of(sum));
}

npy_bool nonZero(void* data, void*) { return load(data).value() != 0; }

/// For arange: the first two are there.
int fill(void* data, npy_intp count, void*) {
  auto* values = static_cast<Bf16*>(data);
  const float start = values[0].value(), step = values[1].value() - start;
  for (npy_intp i = 2; i < count; ++i)
    values[i] = Bf16::of(start + float(i) * step);
  return 0;
}

int fillWithScalar(void* data, npy_intp count, void* value, void*) {
  auto* values = static_cast<Bf16*>(data);
  for (npy_intp i = 0; i < count; ++i)
    values[i] = load(value);
  return 0;
}

PyArray_ArrFuncs& arrayFunctions() {
  static PyArray_ArrFuncs functions;
  PyArray_InitArrFuncs(&functions);
  functions.getitem = getItem;
  functions.setitem = setItem;
  functions.copyswap = copySwap;
  functions.copyswapn = copySwapMany;
  functions.compare = compare;
  functions.argmax = extreme<true>;
  functions.argmin = extreme<false>;
  functions.dotfunc = dot;
  functions.nonzero = nonZero;
  functions.fill = fill;
  functions.fillwithscalar = fillWithScalar;
  return functions;
}

// -- Casts

template <class T> void castFrom(void* from, void* to, npy_intp count, void*, void*) {
  for (npy_intp i = 0; i < count; ++i) {
    const double value = double(static_cast<const T*>(from)[i]);
    static_cast<Bf16*>(to)[i] = Bf16::of(value);
  }
}
template <class T> void castTo(void* from, void* to, npy_intp count, void*, void*) {
  for (npy_intp i = 0; i < count; ++i)
    static_cast<T*>(to)[i] = static_cast<T>(static_cast<const Bf16*>(from)[i].value());
}
void castFromHalf(void* from, void* to, npy_intp count, void*, void*) {
  for (npy_intp i = 0; i < count; ++i) {
    const uint16_t bits = static_cast<const uint16_t*>(from)[i];
    const int exponent = (bits >> 10) & 31, fraction = bits & 1023;
    const float size = exponent == 31  ? (fraction ? NAN : INFINITY)
                       : exponent == 0 ? std::ldexp(float(fraction), -24)
                                       : std::ldexp(float(fraction + 1024), exponent - 25);
    static_cast<Bf16*>(to)[i] = Bf16::of(bits & 0x8000 ? -size : size);
  }
}
template <class T> void castFromComplex(void* from, void* to, npy_intp count, void*, void*) {
  for (npy_intp i = 0; i < count; ++i)
    static_cast<Bf16*>(to)[i] = Bf16::of(static_cast<const std::complex<T>*>(from)[i].real());
}
void castToBool(void* from, void* to, npy_intp count, void*, void*) {
  for (npy_intp i = 0; i < count; ++i)
    static_cast<npy_bool*>(to)[i] = static_cast<const Bf16*>(from)[i].value() != 0;
}

bool registerCast(int other, PyArray_VectorUnaryFunc* from, PyArray_VectorUnaryFunc* to) {
  PyArray_Descr* mine = PyArray_DescrFromType(typeNumber);
  PyArray_Descr* theirs = PyArray_DescrFromType(other);
  return PyArray_RegisterCastFunc(theirs, typeNumber, from) == 0 &&
         (!to || PyArray_RegisterCastFunc(mine, other, to) == 0);
}

template <class T> bool registerNumber(int other) {
  return registerCast(other, castFrom<T>, castTo<T>);
}

}  // namespace

bool registerCasts() {
  PyArray_Descr* mine = PyArray_DescrFromType(typeNumber);
  for (const int wider : {NPY_FLOAT, NPY_DOUBLE, NPY_LONGDOUBLE})
    if (PyArray_RegisterCanCast(mine, wider, NPY_NOSCALAR) != 0) return false;
  for (const int narrower : {NPY_BOOL, NPY_BYTE, NPY_UBYTE})
    if (PyArray_RegisterCanCast(PyArray_DescrFromType(narrower), typeNumber, NPY_NOSCALAR) != 0)
      return false;
  return registerNumber<signed char>(NPY_BYTE) && registerNumber<unsigned char>(NPY_UBYTE) &&
         registerNumber<short>(NPY_SHORT) && registerNumber<unsigned short>(NPY_USHORT) &&
         registerNumber<int>(NPY_INT) && registerNumber<unsigned>(NPY_UINT) &&
         registerNumber<long>(NPY_LONG) && registerNumber<unsigned long>(NPY_ULONG) &&
         registerNumber<long long>(NPY_LONGLONG) &&
         registerNumber<unsigned long long>(NPY_ULONGLONG) && registerNumber<float>(NPY_FLOAT) &&
         registerNumber<double>(NPY_DOUBLE) && registerNumber<long double>(NPY_LONGDOUBLE) &&
         registerCast(NPY_BOOL, castFrom<unsigned char>, castToBool) &&
         registerCast(NPY_CFLOAT, castFromComplex<float>, nullptr) &&
         registerCast(NPY_CDOUBLE, castFromComplex<double>, nullptr) &&
         registerCast(NPY_HALF, castFromHalf, nullptr);
}

bool registerType() {
  if (!registerScalar()) return false;
  static Descriptor descriptor;
  descriptor = {};
  PyObject_Init(reinterpret_cast<PyObject*>(&descriptor), &PyArrayDescr_Type);
  descriptor.typeobj = &scalarType;
  descriptor.kind = 'V';  // not 'f': it is none of numpy's floats
  descriptor.type = 'E';
  descriptor.byteorder = '=';
  descriptor.flags = NPY_NEEDS_PYAPI | NPY_USE_GETITEM | NPY_USE_SETITEM;
  descriptor.elsize = sizeof(Bf16);
  descriptor.alignment = alignof(Bf16);
  descriptor.f = &arrayFunctions();
  typeNumber = PyArray_RegisterDataType(&descriptor);
  if (typeNumber < 0) return false;
  PyArray_Descr* mine = PyArray_DescrFromType(typeNumber);
  return mine &&
         PyDict_SetItemString(scalarType.tp_dict, "dtype", reinterpret_cast<PyObject*>(mine)) == 0;
}

}  // namespace airlite::bfloat16
