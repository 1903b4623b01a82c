// Types and attributes as text.
#include "airlite/text/AttrPrinter.hpp"

#include "FloatText.hpp"
#include "PrinterState.hpp"
#include "airlite/support/Text.hpp"

#include <charconv>

namespace airlite {

namespace text {

// -- Words and numbers ------------------------------------------------------------------------

static bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool isBareWord(std::string_view text) {
  if (text.empty() || !isLetter(text[0])) return false;
  for (char c : text)
    if (!isLetter(c) && !(c >= '0' && c <= '9') && c != '$' && c != '.') return false;
  return true;
}

void appendInteger(std::string& out, int64_t value) {
  char digits[24];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

void appendQuoted(std::string& out, std::string_view text) {
  out += '"';
  appendEscaped(out, text);
  out += '"';
}

void appendWord(std::string& out, std::string_view text) {
  if (isBareWord(text))
    out += text;
  else
    appendQuoted(out, text);
}

void appendSymbolName(std::string& out, std::string_view name) {
  out += '@';
  appendWord(out, name);
}

static void appendSize(std::string& out, int64_t size) {
  if (size == kDynamic)
    out += '?';
  else
    appendInteger(out, size);
}

void appendDimensions(std::string& out, std::span<const int64_t> dims, bool trailingX) {
  for (size_t i = 0; i < dims.size(); ++i) {
    appendSize(out, dims[i]);
    if (trailingX || i + 1 < dims.size()) out += 'x';
  }
}

void appendStrided(std::string& out, StridedLayoutAttr layout) {
  out += "strided<[";
  std::string_view separator;
  for (int64_t stride : layout.strides()) {
    out += separator;
    appendSize(out, stride);
    separator = ", ";
  }
  out += ']';
  if (layout.offset() != 0) {
    out += ", offset: ";
    appendSize(out, layout.offset());
  }
  out += '>';
}

// -- Types ------------------------------------------------------------------------------------

static std::string integerTypeText(IntegerType type) {
  std::string_view prefix = type.signedness() == Signedness::Signed     ? "si"
                            : type.signedness() == Signedness::Unsigned ? "ui"
                                                                        : "i";
  return std::string(prefix) + std::to_string(type.width());
}

static bool isSimple(Type type) {
  return type.kind() <= TypeKind::Float || type.kind() == TypeKind::Opaque;
}

// A module has few types and prints each of them often.
void PrinterState::appendType(Type type) {
  if (!type) {
    out += "<<NULL TYPE>>";
    return;
  }
  if (isSimple(type) || !caches_) return appendTypeUncached(type);
  if (const CachedText* cached = typeTexts_.find(type.storage())) {
    out.append(cachedText_, cached->start, cached->size);
    return;
  }
  size_t start = out.size();
  size_t used = numNamesUsed();
  appendTypeUncached(type);
  if (numNamesUsed() != used) return;  // the text is not finished yet
  typeTexts_[type.storage()] = {cachedText_.size(), out.size() - start};
  cachedText_.append(out, start);
}

void PrinterState::appendOnce(const Operation& op, DictionaryPart part, FunctionRef<void()> print) {
  auto& texts = dictionaryTexts_[part];
  const void* dictionary = op.attributes().storage();
  const CachedText* known = texts.find(dictionary);
  if (known && known->def == &op.def()) {
    out.append(cachedText_, known->start, known->size);
    return;
  }
  size_t start = out.size();
  size_t used = numNamesUsed();
  print();
  if (numNamesUsed() != used) return;
  texts[dictionary] = {cachedText_.size(), out.size() - start, &op.def()};
  cachedText_.append(out, start);
}

void PrinterState::appendTypeUncached(Type type) {
  switch (type.kind()) {
    case TypeKind::None: out += "none"; return;
    case TypeKind::Index: out += "index"; return;
    case TypeKind::Integer: out += integerTypeText(type.cast<IntegerType>()); return;
    case TypeKind::Float: out += FloatType::name(type.cast<FloatType>().floatKind()); return;
    case TypeKind::Function: return appendFunctionType(type.cast<FunctionType>());
    case TypeKind::Tuple:
      out += "tuple<";
      appendTypes(type.cast<TupleType>().types());
      break;
    case TypeKind::Complex:
      out += "complex<";
      appendType(type.cast<ComplexType>().elementType());
      break;
    case TypeKind::Vector:
      out += "vector<";
      appendDimensions(out, type.cast<ShapedType>().shape(), true);
      appendType(type.cast<ShapedType>().elementType());
      break;
    case TypeKind::RankedTensor: return appendTensor(type.cast<RankedTensorType>());
    case TypeKind::UnrankedTensor:
      out += "tensor<*x";
      appendType(type.cast<ShapedType>().elementType());
      break;
    case TypeKind::MemRef: return appendMemRef(type.cast<MemRefType>());
    case TypeKind::UnrankedMemRef: return appendUnrankedMemRef(type.cast<UnrankedMemRefType>());
    case TypeKind::Dialect: return appendDialectType(type.cast<DialectType>());
    case TypeKind::Opaque:
      out += '!';
      out += type.cast<OpaqueType>().text();
      return;
  }
  out += '>';
}

void PrinterState::appendTypes(std::span<const Type> types) {
  for (size_t i = 0; i < types.size(); ++i) {
    if (i) out += ", ";
    appendType(types[i]);
  }
}

void PrinterState::appendResultTypes(std::span<const Type> types) {
  bool single = types.size() == 1 && !types[0].isa<FunctionType>();
  if (!single) out += '(';
  appendTypes(types);
  if (!single) out += ')';
}

void PrinterState::appendFunctionType(FunctionType type) {
  out += '(';
  appendTypes(type.inputs());
  out += ") -> ";
  appendResultTypes(type.results());
}

void PrinterState::appendTensor(RankedTensorType type) {
  out += "tensor<";
  appendDimensions(out, type.shape(), true);
  appendType(type.elementType());
  if (type.encoding()) {
    out += ", ";
    appendAttribute(type.encoding(), TypeSuffix::Always);
  }
  out += '>';
}

void PrinterState::appendMemRef(MemRefType type) {
  out += "memref<";
  appendDimensions(out, type.shape(), true);
  appendType(type.elementType());
  for (Attribute part : {type.layout(), type.memorySpace()}) {
    if (!part) continue;
    out += ", ";
    appendAttribute(part, TypeSuffix::UnlessUsual);
  }
  out += '>';
}

void PrinterState::appendUnrankedMemRef(UnrankedMemRefType type) {
  out += "memref<*x";
  appendType(type.elementType());
  if (type.memorySpace()) {
    out += ", ";
    appendAttribute(type.memorySpace(), TypeSuffix::UnlessUsual);
  }
  out += '>';
}

void PrinterState::appendDialectType(DialectType type) {
  out += '!';
  out += type.name();
  if (!type.def().print) return;
  AttrPrinter printer(*this);
  type.def().print(printer, type);
}

// -- Attributes -------------------------------------------------------------------------------

void PrinterState::appendNumber(IntegerAttr attribute, TypeSuffix suffix) {
  Type type = attribute.type();
  if (attribute.isBool()) {
    out += attribute.value() ? "true" : "false";
    return;
  }
  bool isUnsigned =
      type.isInteger() && type.cast<IntegerType>().signedness() == Signedness::Unsigned;
  if (isUnsigned)
    out += std::to_string(attribute.zext());
  else
    appendInteger(out, attribute.value());
  bool usual = suffix == TypeSuffix::UnlessUsual && type.isSignlessInteger(64);
  if (suffix == TypeSuffix::Never || usual) return;
  out += " : ";
  appendType(type);
}

void PrinterState::appendNumber(FloatAttr attribute, TypeSuffix suffix) {
  Type type = attribute.type();
  bool hex = appendFloat(out, type.cast<FloatType>().floatKind(), attribute.value());
  bool usual = suffix == TypeSuffix::UnlessUsual && type.isF64() && !hex;
  if (suffix == TypeSuffix::Never || usual) return;
  out += " : ";
  appendType(type);
}

void PrinterState::appendArray(ArrayAttr attribute) {
  out += '[';
  std::string_view separator;
  for (Attribute element : attribute.value()) {
    out += separator;
    appendAttribute(element, TypeSuffix::UnlessUsual);
    separator = ", ";
  }
  out += ']';
}

void PrinterState::appendEntries(std::span<const NamedAttribute> entries) {
  std::string_view separator;
  for (const NamedAttribute& entry : entries) {
    out += separator;
    separator = ", ";
    appendWord(out, entry.name);
    if (entry.value.isa<UnitAttr>()) continue;
    out += " = ";
    appendAttribute(entry.value, TypeSuffix::Always);
  }
}

void PrinterState::appendSymbolRef(SymbolRefAttr attribute) {
  appendSymbolName(out, attribute.root());
  for (std::string_view name : attribute.nested()) {
    out += "::";
    appendSymbolName(out, name);
  }
}

void PrinterState::appendDenseElements(DenseElementsAttr attribute, TypeSuffix suffix) {
  out += "dense<";
  appendDenseBody(out, attribute);
  out += '>';
  if (suffix == TypeSuffix::Never) return;
  out += " : ";
  appendType(attribute.type());
}

static void appendKeywords(std::string& out, DialectAttr attribute) {
  std::string_view separator = "<";
  for (Attribute parameter : attribute.parameters()) {
    out += separator;
    StringAttr word = parameter.dynCast<StringAttr>();
    out += word ? std::string(word.value()) : printAttributeToString(parameter);
    separator = ", ";
  }
  if (separator != "<") out += '>';
}

void PrinterState::appendDenseResource(DenseResourceAttr attribute, TypeSuffix suffix) {
  bool isNew = resourceKeys_.insert(attribute.key()).second;
  if (isNew) usedResources.push_back(attribute.key());
  ((out += "dense_resource<") += attribute.key()) += '>';
  if (suffix == TypeSuffix::Never) return;
  out += " : ";
  appendType(attribute.type());
}

void PrinterState::appendDialectAttr(DialectAttr attribute, TypeSuffix suffix) {
  if (auto resource = attribute.dynCast<DenseResourceAttr>())
    return appendDenseResource(resource, suffix);
  out += '#';
  size_t name = out.size();
  out += attribute.name();
  if (!attribute.def().print) return appendKeywords(out, attribute);
  size_t body = out.size();
  AttrPrinter printer(*this);
  attribute.def().print(printer, attribute);
  // What does not start with `<` needs the long spelling `#dialect<mnemonic...>`.
  if (body == out.size() || out[body] == '<') return;
  out[out.find('.', name)] = '<';
  out += '>';
}

void PrinterState::appendAttribute(Attribute attribute, TypeSuffix suffix) {
  if (!attribute) {
    out += "<<NULL ATTRIBUTE>>";
    return;
  }
  if (!aliases.use(attribute, out)) appendUnnamed(attribute, suffix);
}

void PrinterState::appendUnnamed(Attribute attribute, TypeSuffix suffix) {
  switch (attribute.kind()) {
    case AttrKind::Unit: out += "unit"; return;
    case AttrKind::Integer: return appendNumber(attribute.cast<IntegerAttr>(), suffix);
    case AttrKind::Float: return appendNumber(attribute.cast<FloatAttr>(), suffix);
    case AttrKind::String: return appendQuoted(out, attribute.cast<StringAttr>().value());
    case AttrKind::Type: return appendType(attribute.cast<TypeAttr>().value());
    case AttrKind::Array: return appendArray(attribute.cast<ArrayAttr>());
    case AttrKind::SymbolRef: return appendSymbolRef(attribute.cast<SymbolRefAttr>());
    case AttrKind::StridedLayout: return appendStrided(out, attribute.cast<StridedLayoutAttr>());
    case AttrKind::Dialect: return appendDialectAttr(attribute.cast<DialectAttr>(), suffix);
    case AttrKind::DenseElements:
      return appendDenseElements(attribute.cast<DenseElementsAttr>(), suffix);
    case AttrKind::Dictionary:
      out += '{';
      appendEntries(attribute.cast<DictionaryAttr>().value());
      out += '}';
      return;
    case AttrKind::DenseArray:
      out += "array<";
      appendType(attribute.cast<DenseArrayAttr>().elementType());
      appendDenseArray(out, attribute.cast<DenseArrayAttr>());
      break;
    case AttrKind::AffineMap:
      out += "affine_map<";
      printAffineMap(out, attribute.cast<AffineMapAttr>().value());
      break;
    case AttrKind::IntegerSet:
      out += "affine_set<";
      printIntegerSet(out, attribute.cast<IntegerSetAttr>().value());
      break;
    case AttrKind::Location:
      out += "loc(";
      appendLocation(attribute.context(), attribute.cast<LocationAttr>().value());
      out += ')';
      return;
    case AttrKind::Opaque:
      out += '#';
      out += attribute.cast<OpaqueAttr>().text();
      return;
  }
  out += '>';
}

}  // namespace text

// -- What dialects print with -----------------------------------------------------------------

AttrPrinter& AttrPrinter::operator<<(std::string_view text) {
  state_.out += text;
  return *this;
}

AttrPrinter& AttrPrinter::operator<<(Type type) {
  state_.appendType(type);
  return *this;
}

AttrPrinter& AttrPrinter::operator<<(Attribute attribute) {
  state_.appendAttribute(attribute, text::TypeSuffix::Always);
  return *this;
}

AttrPrinter& AttrPrinter::operator<<(AffineMap map) {
  if (!map) return *this << "<<NULL AFFINE MAP>>";
  return *this << Attribute(AffineMapAttr::get(map));
}

AttrPrinter& AttrPrinter::operator<<(AffineExpr expr) {
  std::string& out = state_.out;
  text::printAffineExpr(out, expr, [&](bool isSymbol, unsigned position) {
    out += isSymbol ? 's' : 'd';
    out += std::to_string(position);
  });
  return *this;
}

void AttrPrinter::printWithoutType(Attribute attribute) {
  state_.appendAttribute(attribute, text::TypeSuffix::Never);
}

void AttrPrinter::printString(std::string_view text) { text::appendQuoted(state_.out, text); }
void AttrPrinter::printSymbolName(std::string_view name) {
  text::appendSymbolName(state_.out, name);
}
void AttrPrinter::printKeywordOrString(std::string_view text) {
  text::appendWord(state_.out, text);
}
void AttrPrinter::printTypes(std::span<const Type> types) { state_.appendTypes(types); }

void AttrPrinter::printOptionalArrowTypes(std::span<const Type> types) {
  if (types.empty()) return;
  state_.out += " -> ";
  state_.appendResultTypes(types);
}

void AttrPrinter::printDimensionList(std::span<const int64_t> dims, bool trailingX) {
  text::appendDimensions(state_.out, dims, trailingX);
}

std::string printTypeToString(Type type) {
  text::PrinterState state;
  state.appendType(type);
  return std::move(state.out);
}

std::string printAttributeToString(Attribute attribute) {
  text::PrinterState state;
  state.appendAttribute(attribute, text::TypeSuffix::Always);
  return std::move(state.out);
}

}  // namespace airlite
