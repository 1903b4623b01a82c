// bfloat16 as a number of Python.
#include "Numpy.hpp"

#include <cstdio>

namespace airlite::bfloat16 {
namespace {

Bf16 valueOf(PyObject* self) { return reinterpret_cast<Scalar*>(self)->value; }

/// What the constructor takes: numbers of every kind, and text.
bool convert(PyObject* object, Bf16& value) {
  if (PyObject_TypeCheck(object, &scalarType)) return value = valueOf(object), true;
  PyObject* number = PyNumber_Float(object);
  if (!number) return false;
  value = Bf16::of(PyFloat_AS_DOUBLE(number));
  Py_DECREF(number);
  return true;
}

PyObject* make(PyTypeObject*, PyObject* arguments, PyObject* keywords) {
  PyObject* object = nullptr;
  if (keywords && PyDict_Size(keywords) != 0)
    return PyErr_SetString(PyExc_TypeError, "bfloat16 has no keyword arguments"), nullptr;
  if (!PyArg_ParseTuple(arguments, "|O", &object)) return nullptr;
  if (!object) return makeScalar({});
  if (PyArray_Check(object))  // each element
    return PyArray_CastToType(reinterpret_cast<PyArrayObject*>(object),
                              PyArray_DescrFromType(typeNumber), 0);
  Bf16 value;
  return convert(object, value) ? makeScalar(value) : nullptr;
}

// -- Numbers. What is not exactly a bfloat16 is left to numpy, which finds the type of both.

template <class Compute>
PyObject* binary(PyObject* a, PyObject* b, binaryfunc ofArrays, Compute compute) {
  Bf16 x, y;
  if (exactly(a, x) && exactly(b, y)) return makeScalar(Bf16::of(compute(x.value(), y.value())));
  return ofArrays(a, b);
}

PyNumberMethods& ofArrays() { return *PyArray_Type.tp_as_number; }

PyObject* add(PyObject* a, PyObject* b) {
  return binary(a, b, ofArrays().nb_add, [](float x, float y) { return x + y; });
}
PyObject* subtract(PyObject* a, PyObject* b) {
  return binary(a, b, ofArrays().nb_subtract, [](float x, float y) { return x - y; });
}
PyObject* multiply(PyObject* a, PyObject* b) {
  return binary(a, b, ofArrays().nb_multiply, [](float x, float y) { return x * y; });
}
PyObject* divide(PyObject* a, PyObject* b) {
  return binary(a, b, ofArrays().nb_true_divide, [](float x, float y) { return x / y; });
}
PyObject* negative(PyObject* a) { return makeScalar({uint16_t(valueOf(a).bits ^ 0x8000)}); }
PyObject* positive(PyObject* a) { return makeScalar(valueOf(a)); }
PyObject* absolute(PyObject* a) { return makeScalar({uint16_t(valueOf(a).bits & 0x7FFF)}); }
int isTrue(PyObject* a) { return valueOf(a).value() != 0; }
PyObject* toFloat(PyObject* a) { return PyFloat_FromDouble(valueOf(a).value()); }
PyObject* toInt(PyObject* a) { return PyLong_FromDouble(valueOf(a).value()); }

PyNumberMethods numberMethods() {
  PyNumberMethods methods = {};
  methods.nb_add = add;
  methods.nb_subtract = subtract;
  methods.nb_multiply = multiply;
  methods.nb_true_divide = divide;
  methods.nb_negative = negative;
  methods.nb_positive = positive;
  methods.nb_absolute = absolute;
  methods.nb_bool = isTrue;
  methods.nb_float = toFloat;
  methods.nb_int = toInt;
  return methods;
}

// -- Text, hash, order

PyObject* text(PyObject* self) {
  PyObject* number = toFloat(self);
  if (!number) return nullptr;
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.6g", double(valueOf(self).value()));
  Py_DECREF(number);
  return PyUnicode_FromString(buffer);
}

Py_hash_t hash(PyObject* self) {
  PyObject* number = toFloat(self);
  const Py_hash_t value = number ? PyObject_Hash(number) : -1;
  Py_XDECREF(number);
  return value;
}

PyObject* compare(PyObject* a, PyObject* b, int operation) {
  Bf16 left, right;
  if (!exactly(a, left) || !exactly(b, right))
    return PyGenericArrType_Type.tp_richcompare(a, b, operation);
  const float x = left.value(), y = right.value();
  switch (operation) {
    case Py_EQ: return PyBool_FromLong(x == y);
    case Py_NE: return PyBool_FromLong(x != y);
    case Py_LT: return PyBool_FromLong(x < y);
    case Py_LE: return PyBool_FromLong(x <= y);
    case Py_GT: return PyBool_FromLong(x > y);
    default: return PyBool_FromLong(x >= y);
  }
}

}  // namespace

PyTypeObject scalarType = {PyVarObject_HEAD_INIT(nullptr, 0) "ml_dtypes.bfloat16", sizeof(Scalar)};
int typeNumber = -1;

PyObject* makeScalar(Bf16 value) {
  PyObject* self = scalarType.tp_alloc(&scalarType, 0);
  if (self) reinterpret_cast<Scalar*>(self)->value = value;
  return self;
}

bool exactly(PyObject* object, Bf16& value) {
  if (PyObject_TypeCheck(object, &scalarType)) return value = valueOf(object), true;
  double number = 0;
  if (PyFloat_CheckExact(object)) {
    number = PyFloat_AS_DOUBLE(object);
  } else if (PyLong_CheckExact(object)) {
    number = PyLong_AsDouble(object);
    if (number == -1 && PyErr_Occurred()) return PyErr_Clear(), false;
  } else {
    return false;
  }
  value = Bf16::of(number);
  return std::isnan(number) || double(value.value()) == number;
}

bool registerScalar() {
  static PyNumberMethods numbers = numberMethods();
  scalarType.tp_base = &PyGenericArrType_Type;
  scalarType.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE;
  scalarType.tp_doc = "A float of 16 bits: the upper half of a float32.";
  scalarType.tp_new = make;
  scalarType.tp_as_number = &numbers;
  scalarType.tp_repr = text;
  scalarType.tp_str = text;
  scalarType.tp_hash = hash;
  scalarType.tp_richcompare = compare;
  return PyType_Ready(&scalarType) == 0;
}

}  // namespace airlite::bfloat16
