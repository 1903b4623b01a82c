// Enumerations, attributes and types of the aie dialect.
#include "AieInternal.hpp"
#include "airlite/support/Text.hpp"

#include <algorithm>

namespace airlite::aie {

// -- Enumerations: stored as 32-bit numbers, written as words ------------------------------------

namespace {

IntegerAttr numberAttr(Context& context, size_t number) {
  return IntegerAttr::get(IntegerType::get(context, 32), static_cast<int64_t>(number));
}

/// The number of an attribute that may stand for a word.
std::optional<int64_t> numberOf(Attribute attribute) {
  auto number = attribute.dynCast<IntegerAttr>();
  return number && number.type().isSignlessInteger(32) ? std::optional(number.value())
                                                       : std::nullopt;
}

/// Words whose numbers are `First`, `First + 1`, ...
template <const auto& Words, int64_t First = 0> struct Enumeration {
  static bool accepts(Attribute attribute) {
    auto number = numberOf(attribute);
    return number && *number >= First && *number < First + static_cast<int64_t>(std::size(Words));
  }
  static Attribute fromWord(Context& context, std::string_view word) {
    auto it = std::find(std::begin(Words), std::end(Words), word);
    if (it == std::end(Words)) return Attribute();
    return numberAttr(context, static_cast<size_t>(First + (it - std::begin(Words))));
  }
  static std::string_view toWord(Attribute attribute) {
    return Words[static_cast<size_t>(*numberOf(attribute) - First)];
  }
  static constexpr AttrConstraint constraint(std::string_view summary) {
    return {summary, accepts, AttrSyntax::Keyword, nullptr, Words, fromWord, toWord};
  }
};

constexpr std::string_view kSides[] = {"South", "West", "North", "East"};
constexpr std::string_view kDirections[] = {"S2MM", "MM2S"};
constexpr std::string_view kLockActions[] = {"Acquire", "Release", "AcquireGreaterEqual"};
constexpr std::string_view kTileTypes[] = {"CoreTile", "MemTile", "ShimNOCTile", "ShimPLTile"};
constexpr std::string_view kFifoPorts[] = {"Produce", "Consume"};

bool isDevice(Attribute attribute) {
  auto number = numberOf(attribute);
  return number && *number > 0 && findDevice(static_cast<uint32_t>(*number));
}
Attribute deviceFromWord(Context& context, std::string_view word) {
  const Device* device = findDevice(word);
  return device ? numberAttr(context, device->number) : Attribute();
}
std::string_view deviceToWord(Attribute attribute) {
  return findDevice(static_cast<uint32_t>(*numberOf(attribute)))->name;
}

bool isNamed(Attribute attribute, std::string_view name) {
  auto dialect = attribute.dynCast<DialectAttr>();
  return dialect && dialect.name() == name;
}
template <unsigned Width, Signedness Sign> bool isInt(Attribute attribute) {
  auto number = attribute.dynCast<IntegerAttr>();
  auto type = number ? number.type().dynCast<IntegerType>() : IntegerType();
  return type && type.width() == Width && type.signedness() == Sign;
}
template <unsigned Width, Signedness Sign> Type buildInt(Context& context) {
  return IntegerType::get(context, Width, Sign);
}
template <unsigned Width, Signedness Sign>
constexpr AttrConstraint intConstraint(std::string_view summary) {
  return {summary, isInt<Width, Sign>, AttrSyntax::Integer, buildInt<Width, Sign>};
}

}  // namespace

const AttrConstraint kDeviceAttr = {
    "an AI Engine device", isDevice,       AttrSyntax::Keyword, nullptr,
    kDeviceNames,          deviceFromWord, deviceToWord};
const AttrConstraint kBundleAttr = Enumeration<kBundleNames>::constraint("a bundle of wires");
const AttrConstraint kCascadeDirAttr =
    Enumeration<kSides, 3>::constraint("a side, one of: South, West, North, East");
const AttrConstraint kDirectionAttr =
    Enumeration<kDirections>::constraint("a DMA direction, one of: S2MM, MM2S");
const AttrConstraint kLockActionAttr = Enumeration<kLockActions>::constraint(
    "a lock action, one of: Acquire, Release, AcquireGreaterEqual");
const AttrConstraint kTileTypeAttr = Enumeration<kTileTypes>::constraint(
    "a kind of tile, one of: CoreTile, MemTile, ShimNOCTile, ShimPLTile");
const AttrConstraint kFifoPortAttr =
    Enumeration<kFifoPorts>::constraint("an end of an object FIFO, one of: Produce, Consume");
const AttrConstraint kPacketInfoAttr = {"#aie.packet_info attribute",
                                        [](Attribute a) { return isNamed(a, kPacketInfo); }};
const AttrConstraint kDimLayoutArrayAttr = {
    "#aie.bd_dim_layout_array attribute", [](Attribute a) { return isNamed(a, kDimLayoutArray); }};
const AttrConstraint kDimLayoutArrayArrayAttr = {
    "#aie.bd_dim_layout_array_array attribute",
    [](Attribute a) { return isNamed(a, kDimLayoutArrayArray); }};
const AttrConstraint kPadLayoutArrayAttr = {
    "#aie.bd_pad_layout_array attribute", [](Attribute a) { return isNamed(a, kPadLayoutArray); }};
const AttrConstraint kI8Attr =
    intConstraint<8, Signedness::Signless>("8-bit signless integer attribute");
const AttrConstraint kUI8Attr =
    intConstraint<8, Signedness::Unsigned>("8-bit unsigned integer attribute");
const AttrConstraint kUI32Attr =
    intConstraint<32, Signedness::Unsigned>("32-bit unsigned integer attribute");
const AttrConstraint kUI64Attr =
    intConstraint<64, Signedness::Unsigned>("64-bit unsigned integer attribute");

std::optional<TileKind> logicalKind(int64_t number) {
  if (number < 0 || number >= static_cast<int64_t>(kNumTileKinds)) return std::nullopt;
  return static_cast<TileKind>(number);
}

// -- Pairs of named numbers: `<size = 8, stride = 16>` -------------------------------------------

namespace {

constexpr std::string_view kDimLayout = "aie.bd_dim_layout";
constexpr std::string_view kPadLayout = "aie.bd_pad_layout";

struct PairNames {
  std::string_view first, second;
  int64_t most;  // of either number
};
PairNames pairNames(std::string_view attribute) {
  if (attribute == kPacketInfo) return {"pkt_type", "pkt_id", 0xFFFF};
  if (attribute == kPadLayout) return {"const_pad_before", "const_pad_after", 0xFFFF};
  return {"size", "stride", 0xFFFFFFFF};
}

LogicalResult parseNumber(AttrParser& parser, std::string_view name, int64_t most, int64_t& value) {
  if (failed(parser.parse("="))) return failure();
  Location at = parser.location();
  if (failed(parser.parseInteger(value))) return failure();
  if (value >= 0 && value <= most) return success();
  return parser.emitError(at) << "expected '" << name << "' between 0 and " << most << ", found "
                              << value;
}

/// In any order, each once.
LogicalResult parsePair(AttrParser& parser, PairNames names, std::vector<Attribute>& parameters) {
  std::optional<int64_t> values[2];
  auto item = [&]() -> LogicalResult {
    Location at = parser.location();
    std::string word;
    if (failed(parser.parseAnyKeyword(word))) return failure();
    size_t which = word == names.first ? 0 : word == names.second ? 1 : 2;
    if (which == 2 || values[which])
      return parser.emitError(at) << "expected '" << names.first << "' and '" << names.second
                                  << "', each once, found '" << word << "'";
    return parseNumber(parser, word, names.most, values[which].emplace());
  };
  Location at = parser.location();
  if (failed(parser.parseList(Delimiter::Angle, item))) return failure();
  if (!values[0] || !values[1])
    return parser.emitError(at) << "expected both '" << names.first << "' and '" << names.second
                                << "'";
  Type i64 = IntegerType::get(parser.context(), 64);
  for (auto& value : values)
    parameters.push_back(IntegerAttr::get(i64, *value));
  return success();
}

void printPair(AttrPrinter& printer, DialectAttr pair) {
  PairNames names = pairNames(pair.name());
  auto number = [&](size_t i) { return pair.parameters()[i].cast<IntegerAttr>().value(); };
  printer << '<' << names.first << " = " << number(0) << ", " << names.second << " = " << number(1)
          << '>';
}

template <const std::string_view& Name>
LogicalResult parsePairAttr(AttrParser& parser, std::vector<Attribute>& parameters) {
  return parsePair(parser, pairNames(Name), parameters);
}

LogicalResult parseElements(AttrParser& parser, std::string_view element,
                            std::vector<Attribute>& parameters) {
  const DialectAttrDef* def = parser.context().findAttr(element);
  return parser.parseList(Delimiter::Square, [&]() -> LogicalResult {
    std::vector<Attribute> inner;
    if (failed(def->parse(parser, inner))) return failure();
    parameters.push_back(DialectAttr::get(parser.context(), *def, inner));
    return success();
  });
}
template <const std::string_view& Element>
LogicalResult parseArrayAttr(AttrParser& parser, std::vector<Attribute>& parameters) {
  return parseElements(parser, Element, parameters);
}
void printArrayAttr(AttrPrinter& printer, DialectAttr array) {
  printer << '[';
  printer.printList(array.parameters(), [&](Attribute element) {
    auto inner = element.cast<DialectAttr>();
    inner.def().print(printer, inner);
  });
  printer << ']';
}

}  // namespace

std::vector<std::pair<int64_t, int64_t>> pairsOf(Attribute attribute) {
  std::vector<std::pair<int64_t, int64_t>> pairs;
  if (!isNamed(attribute, kDimLayoutArray) && !isNamed(attribute, kPadLayoutArray)) return pairs;
  for (Attribute element : attribute.cast<DialectAttr>().parameters()) {
    auto numbers = element.cast<DialectAttr>().parameters();
    pairs.emplace_back(numbers[0].cast<IntegerAttr>().value(),
                       numbers[1].cast<IntegerAttr>().value());
  }
  return pairs;
}

LogicalResult parsePairs(AttrParser& parser, std::string_view name, Attribute& attribute) {
  const DialectAttrDef* def = parser.context().findAttr(name);
  std::vector<Attribute> elements;
  if (failed(def->parse(parser, elements))) return failure();
  attribute = DialectAttr::get(parser.context(), *def, elements);
  return success();
}

void printPairs(AttrPrinter& printer, Attribute attribute) {
  printArrayAttr(printer, attribute.cast<DialectAttr>());
}

Attribute packetInfoAttr(Context& context, PacketInfo info) {
  Type i64 = IntegerType::get(context, 64);
  Attribute numbers[] = {IntegerAttr::get(i64, info.type), IntegerAttr::get(i64, info.id)};
  return DialectAttr::get(context, *context.findAttr(kPacketInfo), numbers);
}

// -- Types --------------------------------------------------------------------------------------

namespace {

LogicalResult parseObject(AttrParser& parser, std::vector<Attribute>& parameters) {
  if (failed(parser.parse("<"))) return failure();
  Location at = parser.location();
  Type type;
  if (failed(parser.parseType(type))) return failure();
  if (!type.isa<MemRefType>())
    return parser.emitError(at) << "expected the memref that one object is, found " << type;
  parameters.push_back(TypeAttr::get(type));
  return parser.parse(">");
}
void printObject(AttrPrinter& printer, DialectType type) {
  printer << '<' << type.parameters()[0].cast<TypeAttr>().value() << '>';
}

}  // namespace

MemRefType objectType(Type type) {
  if (!isDialectType(type, kObjectFifoType) && !isDialectType(type, kSubviewType))
    return MemRefType();
  return type.cast<DialectType>().parameters()[0].cast<TypeAttr>().value().cast<MemRefType>();
}

Type subviewType(MemRefType object) {
  Attribute parameter[] = {TypeAttr::get(object)};
  Context& context = object.context();
  return DialectType::get(context, *context.findType(kSubviewType), parameter);
}

const TypeConstraint kSubview = {"objects of an object FIFO",
                                 [](Type t) { return isDialectType(t, kSubviewType); }};

void defineAttributes(Dialect& d) {
  d.attr({kPacketInfo,
          "Type and id in the header of the packets that a descriptor sends.",
          {},
          parsePairAttr<kPacketInfo>,
          printPair});
  d.attr({kDimLayout,
          "Size and stride of one dimension, in elements.",
          {},
          parsePairAttr<kDimLayout>,
          printPair});
  d.attr({kPadLayout,
          "Zeros before and after one dimension, in elements.",
          {},
          parsePairAttr<kPadLayout>,
          printPair});
  d.attr({kDimLayoutArray,
          "Sizes and strides, outermost first.",
          {},
          parseArrayAttr<kDimLayout>,
          printArrayAttr});
  d.attr({kDimLayoutArrayArray,
          "Sizes and strides for each consumer.",
          {},
          parseArrayAttr<kDimLayoutArray>,
          printArrayAttr});
  d.attr({kPadLayoutArray,
          "Zeros around each dimension, outermost first.",
          {},
          parseArrayAttr<kPadLayout>,
          printArrayAttr});
  d.type({kObjectFifoType, "Object FIFO whose objects are memrefs.", parseObject, printObject});
  d.type({kSubviewType, "Objects of a FIFO that a core holds.", parseObject, printObject});
}

}  // namespace airlite::aie
