// Numpy arrays and numbers of Python as the arguments of a function.
#pragma once

#include "Convert.hpp"
#include "airlite/host/HostValue.hpp"

#include <cstddef>
#include <pybind11/numpy.h>
#include <string>
#include <vector>

namespace airlite::python {

/// One argument: a number, or the memory of an array. Arrays that are row-major and may be written
/// are used as they are, of others there is a copy.
class Given {
 public:
  /// An error names the argument, what its type wants and what was given.
  Given(unsigned number, const ArgLayout& layout, const py::object& value);
  /// Memory for a result: zeros.
  Given(unsigned number, const ArgLayout& layout);

  bool isArray() const { return layout_.kind == ArgKind::MemRef; }
  const ArgLayout& layout() const { return layout_; }
  std::byte* data() { return copy_.empty() ? direct_ : copy_.data(); }
  size_t size() const { return bytes_; }
  const std::vector<int64_t>& shape() const { return shape_; }
  HostValue hostValue();
  /// The bits of a number.
  uint64_t bits() const;
  /// The array as it was given, or that was made.
  const py::object& object() const { return object_; }
  /// What was changed in a copy goes into the array; an error when it must not be written.
  void finish();

 private:
  void bindNumber(const py::object& value);
  void bindArray(const py::array& array);
  [[noreturn]] void refuse(const std::string& given) const;

  unsigned number_;
  ArgLayout layout_;
  py::object object_;
  std::vector<int64_t> shape_;
  size_t bytes_ = 0;
  std::byte* direct_ = nullptr;
  std::vector<std::byte> copy_;
  int64_t integer_ = 0;
  double float_ = 0;
};

/// A new array of zeros for elements of this layout.
py::array makeArray(const ArgLayout& layout, const std::vector<int64_t>& shape);
/// A result: a number, or an array with a copy of what a buffer holds.
py::object resultObject(const ArgLayout& layout, const HostValue& value);

/// "float32 of shape (4, 8)".
std::string described(const ArgLayout& layout);

}  // namespace airlite::python
