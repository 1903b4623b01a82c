#include "Arrays.hpp"

#include "Errors.hpp"
#include "airlite/ir/Attribute.hpp"
#include "targets/run/Arguments.hpp"

#include <algorithm>
#include <cstring>

namespace airlite::python {
namespace {

using tools::NpyType;

/// Names of dtypes that hold elements of a type, the one to make first. bfloat16 and those of
/// float8 are dtypes of the package ml_dtypes; without it the bits lie in uint16 and uint8.
std::vector<std::string> dtypesOf(NpyType type) {
  switch (type) {
    case NpyType::Bool: return {"bool"};
    case NpyType::I8: return {"int8", "uint8"};
    case NpyType::I16: return {"int16", "uint16"};
    case NpyType::I32: return {"int32", "uint32"};
    case NpyType::I64: return {"int64", "uint64"};
    case NpyType::U8: return {"uint8", "int8"};
    case NpyType::U16: return {"uint16", "int16"};
    case NpyType::U32: return {"uint32", "int32"};
    case NpyType::U64: return {"uint64", "int64"};
    case NpyType::F16: return {"float16"};
    case NpyType::BF16: return {"bfloat16", "uint16"};
    case NpyType::F32: return {"float32"};
    case NpyType::F64: return {"float64"};
    case NpyType::F8E4M3FN: return {"float8_e4m3fn", "uint8"};
    case NpyType::F8E5M2: return {"float8_e5m2", "uint8"};
    case NpyType::F8E4M3FNUZ: return {"float8_e4m3fnuz", "uint8"};
    case NpyType::F8E5M2FNUZ: return {"float8_e5m2fnuz", "uint8"};
  }
  return {};
}

NpyType npyTypeOrFail(unsigned number, const ArgLayout& layout) {
  const auto type = tools::npyTypeOf(layout);
  if (type && !layout.slots.empty()) return *type;
  if (type && layout.kind == ArgKind::MemRef) return *type;  // of a manifest
  fail("argument " + std::to_string(number) + ": values of type " + layout.type +
       " cannot be given");
}

bool isRowMajor(const ArgLayout& layout) {
  int64_t stride = 1;
  if (layout.offset != 0 && layout.offset != kDynamic) return false;
  for (size_t i = layout.shape.size(); i-- > 0;) {
    if (layout.strides[i] != kDynamic && layout.strides[i] != stride && layout.shape[i] != 1)
      return false;
    if (layout.shape[i] == kDynamic)  // the strides before it are open too
      return std::all_of(layout.strides.begin(), layout.strides.begin() + ptrdiff_t(i),
                         [](int64_t each) { return each == kDynamic; });
    stride *= layout.shape[i];
  }
  return true;
}

std::string shapeText(const std::vector<int64_t>& shape) {
  std::string text = "(";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + (shape[i] == kDynamic ? "any" : std::to_string(shape[i]));
  return text + (shape.size() == 1 ? ",)" : ")");
}

std::string dtypeName(const py::array& array) { return py::str(array.dtype().attr("name")); }

std::vector<int64_t> sizesOf(const py::array& array) {
  return {array.shape(), array.shape() + array.ndim()};
}

std::string describedArray(const py::array& array) {
  return "an array of " + dtypeName(array) + " of shape " + shapeText(sizesOf(array));
}

py::dtype dtypeToMake(NpyType type) {
  const std::vector<std::string> names = dtypesOf(type);
  if (type != NpyType::BF16 && !tools::isFloat8Type(type)) return py::dtype(names.front());
  try {
    return py::dtype::from_args(py::module_::import("ml_dtypes").attr(names.front().c_str()));
  } catch (py::error_already_set& missing) {
    if (!missing.matches(PyExc_ImportError)) throw;
  }
  return py::dtype(names.back());
}

bool isCompact(const py::array& array) {
  return (array.flags() & py::array::c_style) != 0 && array.writeable() &&
         reinterpret_cast<uintptr_t>(array.data()) % size_t(array.itemsize()) == 0;
}

/// The same array with its elements in row-major order.
py::array compact(const py::array& array) {
  return py::array(py::module_::import("numpy").attr("ascontiguousarray")(array));
}

}  // namespace

std::string described(const ArgLayout& layout) {
  const auto type = tools::npyTypeOf(layout);
  if (!type) return layout.type;
  const std::vector<std::string> names = dtypesOf(*type);
  std::string text = names.front();
  for (size_t i = 1; i < names.size(); ++i)
    text += " or " + names[i];
  if (layout.kind != ArgKind::MemRef)
    return (layout.kind == ArgKind::Float ? "a number for " : "an integer for ") + layout.type;
  return text + " of shape " + shapeText(layout.shape) + " for " + layout.type;
}

py::array makeArray(const ArgLayout& layout, const std::vector<int64_t>& shape) {
  const py::dtype dtype = dtypeToMake(tools::npyTypeOf(layout).value_or(NpyType::I64));
  return py::array(py::module_::import("numpy").attr("zeros")(py::cast(shape), dtype));
}

Given::Given(unsigned number, const ArgLayout& layout, const py::object& value)
    : number_(number), layout_(layout), object_(value) {
  npyTypeOrFail(number, layout);
  if (!isArray()) {
    bindNumber(value);
    return;
  }
  if (!isRowMajor(layout))
    fail("argument " + std::to_string(number) + ": not supported: the layout of " + layout.type);
  if (!py::isinstance<py::array>(value)) refuse(typeName(value) + ", which is no array");
  bindArray(value.cast<py::array>());
}

Given::Given(unsigned number, const ArgLayout& layout) : number_(number), layout_(layout) {
  npyTypeOrFail(number, layout);
  for (const int64_t size : layout.shape)
    if (size == kDynamic)
      fail("result " + std::to_string(number) + ": not supported: the open size of " + layout.type);
  const py::array made = makeArray(layout, layout.shape);
  object_ = made;
  bindArray(made);
}

void Given::refuse(const std::string& given) const {
  fail("argument " + std::to_string(number_) + ": expected " + described(layout_) + ", got " +
       given);
}

void Given::bindNumber(const py::object& value) {
  try {
    if (layout_.kind == ArgKind::Float)
      float_ = floatOf(value);
    else if (PyObject_HasAttrString(value.ptr(), "__index__"))
      integer_ = PyLong_AsLongLong(py::object(value.attr("__index__")()).ptr());
    else
      refuse(std::string(py::repr(value)));
    if (PyErr_Occurred()) throw py::error_already_set();
  } catch (const py::error_already_set&) {
    refuse(std::string(py::repr(value)));
  }
}

void Given::bindArray(const py::array& array) {
  const std::vector<std::string> accepted = dtypesOf(*tools::npyTypeOf(layout_));
  shape_ = sizesOf(array);
  bool fits =
      std::ranges::count(accepted, dtypeName(array)) && shape_.size() == layout_.shape.size();
  for (size_t i = 0; fits && i < shape_.size(); ++i)
    fits = layout_.shape[i] == kDynamic || layout_.shape[i] == shape_[i];
  if (!fits) refuse(describedArray(array));
  bytes_ = size_t(array.nbytes());
  if (isCompact(array)) {
    direct_ = const_cast<std::byte*>(static_cast<const std::byte*>(array.data()));
    return;
  }
  const py::array dense = compact(array);
  const auto* first = static_cast<const std::byte*>(dense.data());
  copy_.assign(first, first + bytes_);
  if (copy_.empty()) copy_.resize(1);  // so that data() points somewhere
}

HostValue Given::hostValue() {
  if (isArray()) return HostValue::buffer(data(), shape_);
  return layout_.kind == ArgKind::Float ? HostValue::ofFloat(float_)
                                        : HostValue::ofInteger(integer_);
}

uint64_t Given::bits() const {
  if (layout_.kind == ArgKind::Float)
    return floatToBits(*FloatType::parseName(layout_.elementType), float_);
  const unsigned width = std::min(layout_.elementBits, 64u);
  const auto bits = static_cast<uint64_t>(integer_);
  return width == 64 ? bits : bits & ((uint64_t(1) << width) - 1);
}

void Given::finish() {
  if (copy_.empty() || bytes_ == 0) return;
  const auto array = object_.cast<py::array>();
  const py::array before = compact(array);
  if (std::memcmp(before.data(), copy_.data(), bytes_) == 0) return;
  if (!array.writeable())
    fail("argument " + std::to_string(number_) +
         ": the program writes into it, and the array is read-only");
  const py::array after(array.dtype(), shape_, copy_.data());
  py::module_::import("numpy").attr("copyto")(array, after);
}

py::object resultObject(const ArgLayout& layout, const HostValue& value) {
  if (layout.kind == ArgKind::Float) return py::float_(value.number);
  if (layout.kind != ArgKind::MemRef) {
    if (layout.elementType == "i1") return py::bool_((value.integer & 1) != 0);
    return py::int_(value.integer);
  }
  const tools::NpyArray from = tools::arrayOf(layout, value);
  py::array made = makeArray(layout, from.shape);
  std::memcpy(made.mutable_data(), from.data.data(), from.data.size());
  return made;
}

}  // namespace airlite::python
