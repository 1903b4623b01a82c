// Attributes: from Python objects or text, and as Python objects.
#include "Convert.hpp"
#include "Errors.hpp"
#include "airlite/text/Parser.hpp"

#include <cstring>
#include <pybind11/stl.h>
#include <string_view>

namespace airlite::python {
namespace {

const char* attributeKindName(AttrKind kind) {
  static constexpr const char* kNames[] = {
      "unit",       "integer",  "float",       "string",         "type",       "array",
      "dictionary", "symbol",   "dense_array", "dense_elements", "affine_map", "integer_set",
      "strided",    "location", "dialect",     "opaque"};
  return kNames[static_cast<unsigned>(kind)];
}

int64_t integerOf(py::handle given) {
  // 64 bits, as signed or as unsigned ones.
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(given.ptr(), &overflow);
  if (overflow == 0 && (value != -1 || !PyErr_Occurred())) return value;
  PyErr_Clear();
  const unsigned long long wide = PyLong_AsUnsignedLongLong(given.ptr());
  if (!PyErr_Occurred()) return static_cast<int64_t>(wide);
  PyErr_Clear();
  fail("integers of attributes have at most 64 bits, got " + std::string(py::str(given)));
}

Attribute arrayOf(State& state, py::handle given) {
  std::vector<Attribute> elements;
  for (const py::handle one : given)
    elements.push_back(attributeOf(state, one));
  return ArrayAttr::get(state.context(), elements);
}

Attribute dictionaryOf(State& state, const py::dict& given) {
  std::vector<NamedAttribute> entries;
  for (const auto& [key, value] : given)
    entries.push_back(
        {Identifier::get(state.context(), key.cast<std::string>()), attributeOf(state, value)});
  return DictionaryAttr::get(state.context(), entries);
}

std::string symbolText(SymbolRefAttr symbol) {
  std::string text(symbol.root());
  for (const std::string_view name : symbol.nested())
    text += "::" + std::string(name);
  return text;
}

py::list listOf(const std::shared_ptr<State>& state, DenseElementsAttr dense) {
  py::list list;
  for (int64_t i = 0; i < dense.numElements(); ++i)
    list.append(pythonOf(state, dense.element(i)));
  return list;
}

py::object numbersOf(DenseArrayAttr array) {
  if (array.elementType().isFloat()) return py::cast(array.floats());
  return py::cast(std::vector<int64_t>(array.values().begin(), array.values().end()));
}

// -- From parts

AttrHandle makeOf(py::handle value, py::handle type) {
  const auto& state = currentState();
  if (type.is_none()) return {state, attributeOf(*state, value)};
  return {state, numberOf(typeOf(*state, type), value)};
}

AttrHandle makeSymbol(const std::string& name) {
  const auto& state = currentState();
  std::vector<std::string_view> parts;
  size_t begin = 0;
  for (size_t at; (at = name.find("::", begin)) != std::string::npos; begin = at + 2)
    parts.push_back(std::string_view(name).substr(begin, at - begin));
  parts.push_back(std::string_view(name).substr(begin));
  for (const std::string_view part : parts)
    if (part.empty()) fail("'" + name + "' is not the name of a symbol");
  return {state, SymbolRefAttr::get(state->context(), parts[0], std::span(parts).subspan(1))};
}

AttrHandle makeDenseArray(py::handle values, py::handle type) {
  const auto& state = currentState();
  const Type element = typeOf(*state, type);
  if (element.isF32() || element.isF64())
    return {state, DenseArrayAttr::getFloats(element, values.cast<std::vector<double>>())};
  for (const unsigned width : {1u, 8u, 16u, 32u, 64u})
    if (element.isSignlessInteger(width))
      return {state, DenseArrayAttr::get(element, values.cast<std::vector<int64_t>>())};
  fail("the elements of a dense array are i1, i8, i16, i32, i64, f32 or f64, got '" +
       element.str() + "'");
}

/// `data` has the bytes of one element, or of all in row-major order.
AttrHandle makeDense(py::handle givenType, const py::buffer& data) {
  const auto& state = currentState();
  const Type type = typeOf(*state, givenType);
  if (!type.isa<VectorType>() && !type.isa<RankedTensorType>())
    fail("dense elements have a vector or tensor type, got '" + type.str() + "'");
  const ShapedType shaped = type.cast<ShapedType>();
  const unsigned size = DenseElementsAttr::elementSize(shaped.elementType());
  if (!shaped.hasStaticShape() || size == 0)
    fail("there are no dense elements of type '" + type.str() + "'");
  const std::string bytes = py::bytes(py::module_::import("builtins").attr("bytes")(data));
  const size_t all = size_t(shaped.numElements()) * size;
  if (bytes.size() != all && bytes.size() != size)
    fail("expected " + std::to_string(all) + " bytes for '" + type.str() + "', or " +
         std::to_string(size) + " for equal elements, got " + std::to_string(bytes.size()));
  const auto* first = reinterpret_cast<const std::byte*>(bytes.data());
  return {state, DenseElementsAttr::getRaw(shaped, {first, bytes.size()})};
}

py::object rawOf(const AttrHandle& handle) {
  const auto dense = handle.get().dynCast<DenseElementsAttr>();
  if (!dense) fail("the attribute '" + handle.attr.str() + "' is not one of dense elements");
  return py::bytes(reinterpret_cast<const char*>(dense.raw().data()), dense.raw().size());
}

py::object typeOfAttribute(const AttrHandle& handle) {
  const Type type = attributeType(handle.get());
  return type ? py::cast(TypeHandle{handle.state, type}) : py::none();
}

}  // namespace

double floatOf(py::handle given) {
  const double value = PyFloat_AsDouble(given.ptr());
  if (value == -1 && PyErr_Occurred()) throw py::error_already_set();
  return value;
}

Attribute parseAttributeText(State& state, const std::string& text) {
  Context& context = state.context();
  auto& known = state.attributeTexts[text];
  if (known) return known;
  const Reports reports(context);
  known = parseAttribute(context, text);
  if (!known) reports.raise("'" + text + "' is not an attribute");
  return known;
}

Attribute numberOf(Type type, py::handle given) {
  try {
    if (type.isFloat()) return FloatAttr::get(type, floatOf(given));
    if (type.isIntOrIndex() && type.bitWidth() <= 64)
      return IntegerAttr::get(type, integerOf(given.attr("__index__")()));
  } catch (const py::error_already_set&) {  // it is none
  }
  fail("'" + std::string(py::repr(given)) + "' is not a number of type '" + type.str() + "'");
}

Attribute attributeOf(State& state, py::handle given) {
  Context& context = state.context();
  if (py::isinstance<AttrHandle>(given)) {
    const auto& handle = given.cast<const AttrHandle&>();
    if (handle.state.get() == &state) return handle.attr;
    fail("the attribute '" + handle.attr.str() + "' is of another context");
  }
  if (given.is_none()) return UnitAttr::get(context);
  if (py::isinstance<py::bool_>(given)) return IntegerAttr::getBool(context, given.cast<bool>());
  if (py::isinstance<py::int_>(given))
    return IntegerAttr::get(IntegerType::get(context, 64), integerOf(given));
  if (py::isinstance<py::float_>(given))
    return FloatAttr::get(FloatType::get(context, FloatKind::F64), given.cast<double>());
  if (py::isinstance<py::str>(given)) return StringAttr::get(context, given.cast<std::string>());
  if (py::isinstance<TypeHandle>(given)) return TypeAttr::get(typeOf(state, given));
  if (py::isinstance<py::dict>(given)) return dictionaryOf(state, given.cast<py::dict>());
  if (py::isinstance<py::list>(given) || py::isinstance<py::tuple>(given))
    return arrayOf(state, given);
  throw py::type_error("expected an Attribute, or a bool, int, float, str, None, list, dict or "
                       "Type for one, got " +
                       typeName(given));
}

py::object pythonOf(const std::shared_ptr<State>& state, Attribute attribute) {
  const auto wrap = [&](Attribute inner) { return py::cast(AttrHandle{state, inner}); };
  if (const auto integer = attribute.dynCast<IntegerAttr>()) {
    if (integer.isBool()) return py::bool_(integer.value() != 0);
    const auto type = integer.type().dynCast<IntegerType>();
    if (type && type.signedness() == Signedness::Unsigned) return py::int_(integer.zext());
    return py::int_(integer.value());
  }
  if (const auto number = attribute.dynCast<FloatAttr>()) return py::float_(number.value());
  if (const auto text = attribute.dynCast<StringAttr>()) return py::str(std::string(text.value()));
  if (const auto type = attribute.dynCast<TypeAttr>())
    return py::cast(TypeHandle{state, type.value()});
  if (const auto symbol = attribute.dynCast<SymbolRefAttr>()) return py::str(symbolText(symbol));
  if (const auto array = attribute.dynCast<DenseArrayAttr>()) return numbersOf(array);
  if (const auto dense = attribute.dynCast<DenseElementsAttr>()) return listOf(state, dense);
  if (attribute.isa<UnitAttr>()) return py::bool_(true);
  if (const auto array = attribute.dynCast<ArrayAttr>()) {
    py::list list;
    for (const Attribute element : array.value())
      list.append(wrap(element));
    return list;
  }
  if (const auto dictionary = attribute.dynCast<DictionaryAttr>()) {
    py::dict dict;
    for (const NamedAttribute& entry : dictionary.value())
      dict[py::str(std::string(entry.name.str()))] = wrap(entry.value);
    return dict;
  }
  return py::str(attribute.str());
}

void bindAttributes(py::module_& module) {
  py::class_<AttrHandle>(module, "Attribute", "A constant of the program, at an op or in a type.")
      .def_static(
          "parse",
          [](const std::string& text) {
            return AttrHandle{currentState(), parseAttributeText(*currentState(), text)};
          },
          py::arg("text"), "The attribute that a text such as '4 : i32' says.")
      .def_static("of", makeOf, py::arg("value"), py::arg("type") = py::none(),
                  "From a bool (i1), int (i64), float (f64), str, None (unit), list, dict or Type; "
                  "with `type` from a number of that type.")
      .def_static("symbol", makeSymbol, py::arg("name"), "A reference such as 'f' or 'outer::f'.")
      .def_static("dense_array", makeDenseArray, py::arg("values"), py::arg("type") = "i64",
                  "array<i64: 1, 2> and its like.")
      .def_static("dense", makeDense, py::arg("type"), py::arg("data"),
                  "dense<...> from the bytes of an array, or of one element for all.")
      .def_property_readonly(
          "kind", [](const AttrHandle& a) { return attributeKindName(a.get().kind()); },
          "The class of the attribute, as 'integer' or 'string'.")
      .def_property_readonly("type", typeOfAttribute, "Of a number or of dense elements, or None.")
      .def_property_readonly(
          "value", [](const AttrHandle& a) { return pythonOf(a.state, a.get()); },
          "As Python has it: int, bool, float, str, Type, list or dict of attributes, list of "
          "numbers; True of a unit attribute, the text of any other.")
      .def_property_readonly("raw", rawOf, "The bytes of dense elements.")
      .def_property_readonly(
          "context", [](const AttrHandle& a) { return a.state; }, "The Context it was made in.")
      .def("__eq__",
           [](const AttrHandle& a, py::handle b) {
             return py::isinstance<AttrHandle>(b) && a.attr == b.cast<const AttrHandle&>().attr;
           })
      .def("__hash__", [](const AttrHandle& a) { return std::hash<Attribute>()(a.attr); })
      .def("__str__", [](const AttrHandle& a) { return a.get().str(); })
      .def("__repr__", [](const AttrHandle& a) { return "Attribute(" + a.get().str() + ")"; });
}

}  // namespace airlite::python
