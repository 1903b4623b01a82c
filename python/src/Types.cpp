// Types: made from text or from their parts, and asked for their parts.
#include "Convert.hpp"
#include "Errors.hpp"
#include "airlite/text/Parser.hpp"

#include <optional>
#include <pybind11/stl.h>

namespace airlite::python {
namespace {

const char* typeKindName(TypeKind kind) {
  static constexpr const char* kNames[] = {"none",   "index",   "integer", "float",  "function",
                                           "tuple",  "complex", "vector",  "tensor", "tensor",
                                           "memref", "memref",  "dialect", "opaque"};
  return kNames[static_cast<unsigned>(kind)];
}

/// The type as a `T`; an error that names the property otherwise.
template <class T> T typeAs(const TypeHandle& handle, const char* property) {
  const Type type = handle.get();
  if (type.isa<T>()) return type.cast<T>();
  fail("the type '" + type.str() + "' has no " + property);
}

TypeHandle sameState(const TypeHandle& like, Type type) { return {like.state, type}; }

py::object attributeOrNone(const TypeHandle& like, Attribute attribute) {
  return attribute ? py::cast(AttrHandle{like.state, attribute}) : py::none();
}

std::vector<TypeHandle> handlesOf(const TypeHandle& like, std::span<const Type> types) {
  std::vector<TypeHandle> handles;
  for (const Type type : types)
    handles.push_back({like.state, type});
  return handles;
}

// -- Parts

unsigned widthOf(const TypeHandle& handle) {
  const Type type = handle.get();
  if (!type.isIntOrIndexOrFloat()) fail("the type '" + type.str() + "' has no width");
  return type.bitWidth();
}

py::tuple shapeOfType(const TypeHandle& handle) {
  const ShapedType type = typeAs<ShapedType>(handle, "shape");
  if (!type.hasRank()) fail("the type '" + type.str() + "' has no shape: it is unranked");
  py::tuple shape(size_t(type.rank()));
  for (size_t i = 0; i < shape.size(); ++i)
    shape[i] = type.isDynamicDim(i) ? py::object(py::none()) : py::int_(type.dim(i));
  return shape;
}

TypeHandle elementTypeOf(const TypeHandle& handle) {
  const Type type = handle.get();
  if (type.isa<ComplexType>()) return sameState(handle, type.cast<ComplexType>().elementType());
  return sameState(handle, typeAs<ShapedType>(handle, "element type").elementType());
}

py::object spaceOf(const TypeHandle& handle) {
  const Type type = handle.get();
  if (!type.isa<MemRefType>() && !type.isa<UnrankedMemRefType>())
    fail("the type '" + type.str() + "' has no memory space");
  return attributeOrNone(handle, memorySpaceOf(type));
}

py::object layoutOfType(const TypeHandle& handle) {
  return attributeOrNone(handle, typeAs<MemRefType>(handle, "layout").layout());
}

py::object stridesOf(const TypeHandle& handle) {
  const auto form = typeAs<MemRefType>(handle, "strides").stridedForm();
  if (!form) return py::none();
  py::list strides;
  for (const int64_t stride : form->strides)
    strides.append(stride == kDynamic ? py::object(py::none()) : py::int_(stride));
  const auto offset = form->offset == kDynamic ? py::object(py::none()) : py::int_(form->offset);
  return py::make_tuple(py::tuple(strides), offset);
}

std::string signOf(const TypeHandle& handle) {
  switch (typeAs<IntegerType>(handle, "signedness").signedness()) {
    case Signedness::Signed: return "signed";
    case Signedness::Unsigned: return "unsigned";
    default: return "signless";
  }
}

// -- From parts. All by the text: the parser knows what may be in what.

using Sizes = std::vector<std::optional<int64_t>>;

std::string shapedText(const char* name, const Sizes& shape, Type element) {
  std::string text = std::string(name) + "<";
  for (const auto& size : shape) {
    if (size && *size < 0) fail("a size is an int of at least 0, or None where it is open");
    text += (size ? std::to_string(*size) : "?") + "x";
  }
  return text + element.str();
}

TypeHandle makeMemref(const Sizes& shape, py::handle element, py::handle space, py::handle layout) {
  const auto& state = currentState();
  std::string text = shapedText("memref", shape, typeOf(*state, element));
  if (!layout.is_none()) text += ", " + attributeOf(*state, layout).str();
  if (py::isinstance<py::int_>(space))
    text += ", " + std::string(py::str(space));
  else if (!space.is_none())
    text += ", " + attributeOf(*state, space).str();
  return {state, parseTypeText(*state, text + ">")};
}

TypeHandle makeShaped(const char* name, const Sizes& shape, py::handle element) {
  const auto& state = currentState();
  return {state, parseTypeText(*state, shapedText(name, shape, typeOf(*state, element)) + ">")};
}

TypeHandle makeInteger(unsigned width, const std::string& signedness) {
  const auto& state = currentState();
  const char* prefix = signedness == "signless"   ? "i"
                       : signedness == "signed"   ? "si"
                       : signedness == "unsigned" ? "ui"
                                                  : nullptr;
  if (!prefix) fail("signedness is 'signless', 'signed' or 'unsigned', got '" + signedness + "'");
  return {state, parseTypeText(*state, prefix + std::to_string(width))};
}

TypeHandle makeFloat(const std::string& name) {
  const auto& state = currentState();
  const auto kind = FloatType::parseName(name);
  if (!kind) fail("there is no float type '" + name + "'");
  return {state, FloatType::get(state->context(), *kind)};
}

TypeHandle makeFunction(py::handle inputs, py::handle results) {
  const auto& state = currentState();
  const auto in = typesOf(*state, inputs), out = typesOf(*state, results);
  return {state, FunctionType::get(state->context(), in, out)};
}

void bindParts(py::class_<TypeHandle>& type) {
  type.def_property_readonly(
          "kind", [](const TypeHandle& t) { return typeKindName(t.get().kind()); },
          "'none', 'index', 'integer', 'float', 'function', 'tuple', 'complex', 'vector', "
          "'tensor', 'memref', 'dialect' or 'opaque'.")
      .def_property_readonly("width", widthOf, "Bits of an integer or float; 64 of index.")
      .def_property_readonly("signedness", signOf, "'signless', 'signed' or 'unsigned'.")
      .def_property_readonly("shape", shapeOfType, "Sizes; None where a size is open.")
      .def_property_readonly(
          "rank", [](const TypeHandle& t) { return shapeOfType(t).size(); },
          "How many dimensions a shaped type has.")
      .def_property_readonly(
          "has_rank", [](const TypeHandle& t) { return typeAs<ShapedType>(t, "rank").hasRank(); },
          "Whether the number of dimensions is known.")
      .def_property_readonly("element_type", elementTypeOf,
                             "The type of the elements of a shaped type.")
      .def_property_readonly("memory_space", spaceOf, "An attribute, or None.")
      .def_property_readonly("layout", layoutOfType, "An attribute, or None for row-major memrefs.")
      .def_property_readonly("strides", stridesOf,
                             "(strides, offset) in elements, None where they are open; None for "
                             "a layout without strides.")
      .def_property_readonly(
          "inputs",
          [](const TypeHandle& t) {
            return handlesOf(t, typeAs<FunctionType>(t, "inputs").inputs());
          },
          "Of a function type.")
      .def_property_readonly(
          "results",
          [](const TypeHandle& t) {
            return handlesOf(t, typeAs<FunctionType>(t, "results").results());
          },
          "Of a function type.")
      .def_property_readonly(
          "context", [](const TypeHandle& t) { return t.state; }, "The Context it was made in.");
}

void bindMaking(py::class_<TypeHandle>& type) {
  type.def_static(
          "parse",
          [](const std::string& text) {
            return TypeHandle{currentState(), parseTypeText(*currentState(), text)};
          },
          py::arg("text"), "The type that a text such as 'memref<4x8xf32, 1>' says.")
      .def_static("index",
                  [] {
                    return TypeHandle{currentState(), IndexType::get(currentState()->context())};
                  })
      .def_static("integer", makeInteger, py::arg("width"), py::arg("signedness") = "signless")
      .def_static("float", makeFloat, py::arg("name"), "'f16', 'bf16', 'f32', 'f64' ...")
      .def_static("function", makeFunction, py::arg("inputs"), py::arg("results"))
      .def_static("memref", makeMemref, py::arg("shape"), py::arg("element"),
                  py::arg("memory_space") = py::none(), py::arg("layout") = py::none(),
                  "A memref; an int as its memory space is written as such: 1, not 1 : i32.")
      .def_static(
          "vector",
          [](const Sizes& shape, py::handle element) {
            return makeShaped("vector", shape, element);
          },
          py::arg("shape"), py::arg("element"))
      .def_static(
          "tensor",
          [](const Sizes& shape, py::handle element) {
            return makeShaped("tensor", shape, element);
          },
          py::arg("shape"), py::arg("element"));
}

}  // namespace

std::string typeName(py::handle object) { return Py_TYPE(object.ptr())->tp_name; }

Type parseTypeText(State& state, const std::string& text) {
  Context& context = state.context();
  auto& known = state.typeTexts[text];
  if (known) return known;
  const Reports reports(context);
  known = parseType(context, text);
  if (!known) reports.raise("'" + text + "' is not a type");
  return known;
}

Type typeOf(State& state, py::handle given) {
  if (py::isinstance<py::str>(given)) return parseTypeText(state, given.cast<std::string>());
  if (!py::isinstance<TypeHandle>(given))
    throw py::type_error("expected a Type or its text, got " + typeName(given));
  const auto& handle = given.cast<const TypeHandle&>();
  if (handle.state.get() != &state)
    fail("the type '" + handle.type.str() + "' is of another context");
  return handle.get();
}

std::vector<Type> typesOf(State& state, py::handle given) {
  if (py::isinstance<py::str>(given) || !py::isinstance<py::iterable>(given))
    throw py::type_error("expected a list of types, got " + typeName(given));
  std::vector<Type> types;
  for (const py::handle one : given)
    types.push_back(typeOf(state, one));
  return types;
}

void bindTypes(py::module_& module) {
  py::class_<TypeHandle> type(module, "Type",
                              "The type of a value. Types are equal when they print alike.");
  bindMaking(type);
  bindParts(type);
  type.def("__eq__",
           [](const TypeHandle& a, py::handle b) {
             return py::isinstance<TypeHandle>(b) && a.type == b.cast<const TypeHandle&>().type;
           })
      .def("__hash__", [](const TypeHandle& t) { return std::hash<Type>()(t.type); })
      .def("__str__", [](const TypeHandle& t) { return t.get().str(); })
      .def("__repr__", [](const TypeHandle& t) { return "Type(" + t.get().str() + ")"; });
}

}  // namespace airlite::python
