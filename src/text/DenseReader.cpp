// `dense<...>` and `array<...>` literals. The type of a dense literal follows it, so the
// elements are first collected as tokens.
#include "DenseReader.hpp"

#include "Literals.hpp"

namespace airlite::text {

std::optional<int64_t> integerFor(Type type, std::string_view literal, bool negative) {
  std::optional<uint64_t> magnitude = parseUnsigned(literal);
  if (!magnitude) return std::nullopt;
  unsigned width = type.isIndex() ? 64 : type.bitWidth();
  if (width > 64) return std::nullopt;
  Signedness signedness =
      type.isInteger() ? type.cast<IntegerType>().signedness() : Signedness::Signless;
  uint64_t top = uint64_t(1) << (width - 1);
  if (negative) {
    if (signedness == Signedness::Unsigned || *magnitude > top) return std::nullopt;
    return static_cast<int64_t>(0 - *magnitude);
  }
  bool half = signedness == Signedness::Signed && !literal.starts_with("0x");
  uint64_t limit = half ? top - 1 : width == 64 ? UINT64_MAX : top * 2 - 1;
  if (*magnitude > limit) return std::nullopt;
  return static_cast<int64_t>(*magnitude);
}

std::optional<double> floatFor(FloatType type, std::string_view literal, bool negative) {
  if (!literal.starts_with("0x")) {
    double value = parseDouble(literal);
    return negative ? -value : value;
  }
  std::optional<uint64_t> bits = parseUnsigned(literal);
  unsigned width = type.width();
  if (negative || !bits || (width < 64 && *bits >> width)) return std::nullopt;
  return floatFromBits(type.floatKind(), *bits);
}

namespace {

struct Element {
  Token token;
  bool negative;
};

/// Nested brackets with elements; checks that the nesting is rectangular.
class ListReader {
 public:
  ListReader(AttrParser& parser, ParserState& state) : parser_(parser), state_(state) {}
  std::vector<Element> elements;
  std::vector<int64_t> shape;

  LogicalResult read(size_t depth = 0) {
    ParserState::Nesting nesting(state_);
    if (failed(nesting.check())) return failure();
    if (!parser_.nextIs("[")) return readElement(depth);
    if (shape.size() == depth) shape.push_back(-1);
    if (leafDepth_ && *leafDepth_ <= depth) return ragged();
    int64_t count = 0;
    Location where = parser_.location();
    LogicalResult list = parser_.parseList(Delimiter::Square, [&] {
      ++count;
      return read(depth + 1);
    });
    if (failed(list)) return failure();
    if (shape[depth] >= 0 && shape[depth] != count)
      return parser_.emitError(where)
             << "tensor literal is invalid; ranks are not consistent between elements";
    shape[depth] = count;
    return success();
  }

 private:
  LogicalResult ragged() {
    return parser_.emitError()
           << "tensor literal is invalid; ranks are not consistent between elements";
  }

  LogicalResult readElement(size_t depth) {
    if (leafDepth_ && *leafDepth_ != depth) return ragged();
    if (shape.size() > depth) return ragged();
    leafDepth_ = depth;
    bool negative = parser_.parseOptional("-");
    const Token& token = state_.token();
    bool word = token.isWord("true") || token.isWord("false");
    if (!token.is(TokenKind::Integer) && !token.is(TokenKind::Float) && !word)
      return parser_.emitError() << "expected element literal of primitive type";
    elements.push_back({token, negative});
    state_.advance();
    return success();
  }

  AttrParser& parser_;
  ParserState& state_;
  std::optional<size_t> leafDepth_;
};

LogicalResult elementValue(AttrParser& parser, ParserState& state, Type type, const Element& from,
                           Attribute& value) {
  Location where = state.locationOf(from.token.offset);
  if (from.token.is(TokenKind::Word)) {
    if (!type.isInteger(1))
      return parser.emitError(where) << "expected i1 type for 'true' or 'false' values";
    value = IntegerAttr::getBool(type.context(), from.token.text == "true");
    return success();
  }
  if (type.isFloat()) {
    std::optional<double> number = floatFor(type.cast<FloatType>(), from.token.text, from.negative);
    if (!number) return parser.emitError(where) << "float literal does not fit in " << type;
    value = FloatAttr::get(type, *number);
    return success();
  }
  if (from.token.is(TokenKind::Float))
    return parser.emitError(where) << "expected integer elements, but parsed floating-point";
  std::optional<int64_t> number = integerFor(type, from.token.text, from.negative);
  if (!number) return parser.emitError(where) << "integer constant out of range";
  value = IntegerAttr::get(type, *number);
  return success();
}

std::optional<std::vector<std::byte>> bytesOfHex(std::string_view hex) {
  if (!hex.starts_with("0x") || hex.size() % 2) return std::nullopt;
  std::vector<std::byte> bytes;
  for (size_t i = 2; i < hex.size(); i += 2) {
    std::optional<uint64_t> byte = parseUnsigned("0x" + std::string(hex.substr(i, 2)));
    if (!byte) return std::nullopt;
    bytes.push_back(static_cast<std::byte>(*byte));
  }
  return bytes;
}

/// Booleans stand eight to a byte, the first in the lowest bit; a lone 00 or FF is a splat. Empty
/// when the bytes do not fit the number of elements.
std::vector<std::byte> unpackedBits(std::span<const std::byte> packed, size_t count) {
  bool uniform = packed.size() == 1 && (packed[0] == std::byte(0) || packed[0] == std::byte(0xff));
  if (uniform && count > 0) return {packed[0] & std::byte(1)};
  bool fits = packed.size() == count / 8 + (count % 8 != 0);
  std::vector<std::byte> bits(fits ? count : 0);
  for (size_t i = 0; i < bits.size(); ++i)
    bits[i] = (packed[i / 8] >> (i % 8)) & std::byte(1);
  return bits;
}

LogicalResult makeFromHex(AttrParser& parser, Location where, ShapedType type, std::string_view hex,
                          Attribute& attribute) {
  std::optional<std::vector<std::byte>> bytes = bytesOfHex(hex);
  if (!bytes) return parser.emitError(where) << "expected hexadecimal elements such as \"0x12AB\"";
  size_t size = DenseElementsAttr::elementSize(type.elementType());
  size_t count = static_cast<size_t>(type.numElements());
  if (type.elementType().isInteger(1)) *bytes = unpackedBits(*bytes, count);
  if (bytes->size() != size && (count > bytes->size() || bytes->size() != size * count))
    return parser.emitError(where)
           << "elements hex data size is invalid for provided type: " << type;
  attribute = DenseElementsAttr::getRaw(type, *bytes);
  return success();
}

}  // namespace

static LogicalResult checkDenseType(AttrParser& parser, Location where, Type type) {
  ShapedType shaped = type.dynCast<ShapedType>();
  if (!shaped || !(type.isa<VectorType>() || type.isa<RankedTensorType>()))
    return parser.emitError(where)
           << "elements literal must be a vector or ranked tensor, found " << type;
  if (!shaped.hasStaticShape())
    return parser.emitError(where) << "elements literal type must have static shape";
  if (DenseElementsAttr::elementSize(shaped.elementType()) == 0)
    return parser.emitError(where)
           << "not supported: dense elements of type " << shaped.elementType();
  return success();
}

static LogicalResult makeDense(AttrParser& parser, ParserState& state, Location where,
                               ShapedType type, const ListReader& list, Attribute& attribute) {
  bool splat = list.shape.empty() && list.elements.size() == 1;
  std::vector<int64_t> wanted(type.shape().begin(), type.shape().end());
  if (!splat && !list.elements.empty() && list.shape != wanted)
    return parser.emitError(where)
           << "inferred shape of elements literal does not match type " << type;
  if (list.elements.empty() && type.numElements() != 0)
    return parser.emitError(where) << "parsed zero elements, but type " << type << " has some";
  std::vector<Attribute> values(list.elements.size());
  for (size_t i = 0; i < values.size(); ++i)
    if (failed(elementValue(parser, state, type.elementType(), list.elements[i], values[i])))
      return failure();
  attribute = DenseElementsAttr::get(type, values);
  return success();
}

LogicalResult readDenseElements(AttrParser& parser, ParserState& state, Type type,
                                Attribute& attribute) {
  state.advance();
  if (failed(parser.parse("<"))) return failure();
  Location where = parser.location();
  ListReader list(parser, state);
  std::string hex;
  bool isHex = parser.parseOptionalString(hex);
  if (!isHex && !parser.nextIs(">") && failed(list.read())) return failure();
  if (failed(parser.parse(">"))) return failure();
  if (!type && failed(parser.parseColonType(type))) return failure();
  if (failed(checkDenseType(parser, where, type))) return failure();
  ShapedType shaped = type.cast<ShapedType>();
  if (isHex) return makeFromHex(parser, where, shaped, hex, attribute);
  return makeDense(parser, state, where, shaped, list, attribute);
}

static LogicalResult readArrayElement(AttrParser& parser, ParserState& state, Type type,
                                      std::vector<int64_t>& ints, std::vector<double>& floats) {
  Element element{state.token(), parser.parseOptional("-")};
  element.token = state.token();
  bool literal = element.token.is(TokenKind::Integer) || element.token.is(TokenKind::Float) ||
                 element.token.isWord("true") || element.token.isWord("false");
  if (!literal) return parser.emitError() << "expected an element of 'array'";
  Attribute value;
  if (failed(elementValue(parser, state, type, element, value))) return failure();
  state.advance();
  if (type.isFloat())
    floats.push_back(value.cast<FloatAttr>().value());
  else
    ints.push_back(value.cast<IntegerAttr>().value());
  return success();
}

LogicalResult readDenseArray(AttrParser& parser, ParserState& state, Attribute& attribute) {
  state.advance();
  if (failed(parser.parse("<"))) return failure();
  Location where = parser.location();
  Type type;
  if (failed(parser.parseType(type))) return failure();
  bool fine = type.isF32() || type.isF64() ||
              (type.isSignlessInteger() &&
               (type.bitWidth() == 1 || type.bitWidth() == 8 || type.bitWidth() == 16 ||
                type.bitWidth() == 32 || type.bitWidth() == 64));
  if (!fine) return parser.emitError(where) << "expected i1, i8, i16, i32, i64, f32 or f64";
  std::vector<int64_t> ints;
  std::vector<double> floats;
  if (parser.parseOptional(":")) {
    LogicalResult list = parser.parseList(
        Delimiter::None, [&] { return readArrayElement(parser, state, type, ints, floats); });
    if (failed(list)) return failure();
  }
  attribute =
      type.isFloat() ? DenseArrayAttr::getFloats(type, floats) : DenseArrayAttr::get(type, ints);
  return parser.parse(">");
}

}  // namespace airlite::text
