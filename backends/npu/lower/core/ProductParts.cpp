// See ProductParts.hpp. Conversions are elementwise ops on whole buffers, which become loops over
// vectors like any others.
#include "ProductParts.hpp"

#include "ViewPlace.hpp"
#include "airlite/dialect/Aie.hpp"
#include "airlite/dialect/Evaluate.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/Symbols.hpp"
#include "airlite/npu/device/Device.hpp"
#include "airlite/support/Bf16Pieces.hpp"

#include <algorithm>
#include <functional>
#include <span>

namespace airlite::npu {

namespace {

using linalg::IteratorKind;
using linalg::StructuredOp;

/// Data of the program that is not a buffer, and room between buffers.
constexpr int64_t kReservedBytes = 2048;
constexpr int64_t kPieceBits = 16;
/// Of the number of a piece in a table of terms, which is a word.
constexpr uint32_t kPieceNumberBits = 4;

int64_t bytesOf(Type type) {
  auto memref = type.cast<MemRefType>();
  return memref.numElements() * memref.elementType().bitWidth() / 8;
}

Type elementOf(StructuredOp op, unsigned operand) {
  return elementTypeOrSelf(op->operand(operand).type());
}

bool isInteger(Type type, std::initializer_list<unsigned> widths) {
  return std::ranges::any_of(widths, [&](unsigned w) { return type.isSignlessInteger(w); });
}

Type piecesType(Type memref, Type element, unsigned count) {
  auto type = memref.cast<MemRefType>();
  const int64_t elements = type.numElements() * count;
  return MemRefType::get(element.context(), {&elements, 1}, element, Attribute(),
                         type.memorySpace());
}

Type withElement(Type memref, Type element) {
  auto type = memref.cast<MemRefType>();
  return MemRefType::get(element.context(), type.shape(), element, Attribute(), type.memorySpace());
}

std::optional<ProductParts> integerParts(StructuredOp op, Type a, Type b, Type c) {
  if (!isInteger(a, {8, 16, 32}) || !isInteger(b, {8, 16, 32}) || !isInteger(c, {8, 16, 32}))
    return std::nullopt;
  const bool areBytes = a.isInteger(8) && b.isInteger(8);
  ProductParts parts;
  parts.factor = IntegerType::get(a.context(), areBytes ? 8 : kPieceBits);
  parts.sum = IntegerType::get(a.context(), 32);
  auto piecesOf = [&](Type element) -> unsigned {
    if (element == parts.factor) return 0;
    return element.isInteger(32) ? 2 : 1;
  };
  parts.piecesA = piecesOf(a);
  parts.piecesB = piecesOf(b);
  const unsigned bits = parts.factor.bitWidth();
  parts.shape =
      anyMatrixShape(aie::deviceOf(*op.op()).generation, MatrixElements::integers(bits, bits));
  return parts;
}

std::optional<ProductParts> floatParts(StructuredOp op, Type a, Type b, Type c) {
  const bool areNarrow = a.isBF16() && b.isBF16(), areWide = a.isF32() && b.isF32();
  if ((!areNarrow && !areWide) || !(c.isF32() || (c.isBF16() && areNarrow))) return std::nullopt;
  ProductParts parts;
  parts.factor = FloatType::get(a.context(), FloatKind::BF16);
  parts.sum = FloatType::get(a.context(), FloatKind::F32);
  if (areWide) {
    auto counts = bf16PiecesOf(*op.op());
    if (!counts) return std::nullopt;
    parts.piecesA = counts->a;
    parts.piecesB = counts->b;
  }
  const bool areBlocks = op->hasAttr(linalg::kBlockFloats);
  parts.shape = anyMatrixShape(aie::deviceOf(*op.op()).generation,
                               areBlocks ? MatrixElements::blocks() : MatrixElements::bf16());
  return parts;
}

// -- Elementwise ops ------------------------------------------------------------------------------

/// Makes the results of the elements; ops for them go in with the builder.
class Elements {
 public:
  Elements(Builder& builder, Location location) : builder_(builder), location_(location) {}

  Value op(std::string_view name, Value a, Type type) {
    return builder_.create(location_, name, {a}, {type})->result();
  }
  Value op(std::string_view name, Value a, Value b) {
    return builder_.create(location_, name, {a, b}, {a.type()})->result();
  }
  Value word(int64_t value) { return builder_.constant(location_, builder_.i32Attr(value)); }

 private:
  Builder& builder_;
  Location location_;
};

using MakeElements = std::function<std::vector<Value>(Elements&, std::span<const Value>)>;

/// outs[i] = f(ins[i], outs[i]) for all elements of buffers of one shape.
void elementwise(Builder& builder, Location location, std::span<const Value> ins,
                 std::span<const Value> outs, const MakeElements& make) {
  const auto rank = static_cast<unsigned>(outs.front().type().cast<MemRefType>().rank());
  const std::vector<AffineMap> maps(ins.size() + outs.size(),
                                    AffineMap::identity(builder.context(), rank));
  const std::vector<IteratorKind> kinds(rank, IteratorKind::Parallel);
  StructuredOp op = linalg::createGeneric(builder, location, ins, outs, maps, kinds);
  Builder body = Builder::atEnd(op.body());
  std::vector<Value> arguments;
  for (unsigned i = 0; i < op.body().numArguments(); ++i)
    arguments.push_back(op.body().argument(i));
  Elements elements(body, location);
  const std::vector<Value> results = make(elements, arguments);
  body.create(location, "linalg.yield", results, {});
}

/// What is left of a number when its largest piece is taken away, again and again.
std::vector<Value> floatPieces(Elements& e, Value number, unsigned count, Type bf16) {
  std::vector<Value> pieces;
  for (Value rest = number; pieces.size() < count;) {
    pieces.push_back(e.op("arith.truncf", rest, bf16));
    if (pieces.size() < count)
      rest = e.op("arith.subf", rest, e.op("arith.extf", pieces.back(), number.type()));
  }
  return pieces;
}

/// x = low + (high << 16) in 32 bits, both of them signed.
std::vector<Value> wordPieces(Elements& e, Value word, Type i16) {
  Value low = e.op("arith.trunci", word, i16);
  Value rounded = e.op("arith.addi", word, e.word(int64_t{1} << (kPieceBits - 1)));
  Value high = e.op("arith.trunci", e.op("arith.shrsi", rounded, e.word(kPieceBits)), i16);
  return {low, high};
}

std::vector<Value> piecesOf(Elements& e, Value number, unsigned count, Type element) {
  if (element.isBF16()) return floatPieces(e, number, count, element);
  if (count == 1) return {e.op("arith.extsi", number, element)};
  return wordPieces(e, number, element);
}

// -- The products ---------------------------------------------------------------------------------

class Splitting {
 public:
  Splitting(StructuredOp op, const ProductParts& parts, ScratchBuffers& scratch)
      : op_(op),
        parts_(parts),
        scratch_(scratch),
        location_(op->location()),
        builder_(Builder::before(*op.op())) {}

  std::vector<StructuredOp> run() {
    const Factor a = split(0, parts_.piecesA), b = split(1, parts_.piecesB);
    Value out = op_->operand(2), sums = out;
    if (parts_.widensSum) {
      sums = scratch_.take(withElement(out.type(), parts_.sum));
      widen(out, sums);
    }
    if (parts_.factor.isBF16())
      addFloats(a, b, sums);
    else
      addIntegers(a, b, sums);
    if (parts_.widensSum) narrow(sums, out);
    op_->erase();
    return std::move(products_);
  }

 private:
  /// A factor in pieces, which lie one after the other in `pieces`; or as it is.
  struct Factor {
    Value whole, pieces;
    int64_t elements = 0;
  };

  Factor split(unsigned operand, unsigned count) {
    Factor factor{op_->operand(operand), Value()};
    factor.elements = factor.whole.type().cast<MemRefType>().numElements();
    if (!count) return factor;
    factor.pieces = scratch_.take(piecesType(factor.whole.type(), parts_.factor, count));
    std::vector<Value> each;
    for (unsigned i = 0; i < count; ++i)
      each.push_back(memref::SubViewOp::create(builder_, location_, factor.pieces,
                                               index(i * factor.elements), index(factor.elements),
                                               index(1))
                         ->result());
    Value row = asRow(builder_, location_, factor.whole);
    elementwise(builder_, location_, std::span(&row, 1), each,
                [&](Elements& e, std::span<const Value> in) {
                  return piecesOf(e, in[0], count, parts_.factor);
                });
    return factor;
  }

  static std::vector<memref::MixedIndex> index(memref::MixedIndex value) { return {value}; }

  /// One piece of a factor, with the shape of the factor.
  Value pieceOf(const Factor& factor, memref::MixedIndex piece) {
    if (!factor.pieces) return factor.whole;
    memref::MixedIndex offset = piece;
    if (piece.isConstant())
      offset = piece.constant * factor.elements;
    else
      offset = builder_
                   .create(location_, "arith.muli",
                           {piece.value, builder_.constantIndex(location_, factor.elements)},
                           {builder_.indexType()})
                   ->result();
    const auto shape = factor.whole.type().cast<MemRefType>();
    const std::vector<int64_t> strides = shape.stridedForm()->strides;
    MemRefType view = MemRefType::get(
        builder_.context(), shape.shape(), parts_.factor,
        StridedLayoutAttr::get(builder_.context(), piece.isConstant() ? offset.constant : kDynamic,
                               strides),
        shape.memorySpace());
    const std::vector<memref::MixedIndex> sizes(shape.shape().begin(), shape.shape().end()),
        steps(strides.begin(), strides.end());
    return memref::ReinterpretCastOp::create(builder_, location_, factor.pieces, offset, sizes,
                                             steps, view)
        ->result();
  }

  void convert(std::string_view name, Value from, Value to) {
    Type type = elementTypeOrSelf(to.type());
    elementwise(builder_, location_, std::span(&from, 1), std::span(&to, 1),
                [&](Elements& e, std::span<const Value> in) {
                  return std::vector<Value>{e.op(name, in[0], type)};
                });
  }
  void widen(Value from, Value to) {
    convert(parts_.sum.isF32() ? "arith.extf" : "arith.extsi", from, to);
  }
  void narrow(Value from, Value to) {
    convert(parts_.sum.isF32() ? "arith.truncf" : "arith.trunci", from, to);
  }

  /// A loop over the pairs of pieces: their products have one program.
  void addFloats(const Factor& a, const Factor& b, Value sums) {
    auto counts = bf16PiecesOf(*op_.op());
    if (!counts) return addProduct(a.whole, b.whole, sums);
    const std::vector<Bf16Step::Term> terms = bf16Terms(*counts);
    const InsertPoint after = builder_.insertPoint();
    auto number = [&](int64_t n) { return builder_.constantIndex(location_, n); };
    scf::ForOp loop = scf::ForOp::create(builder_, location_, number(0),
                                         number(static_cast<int64_t>(terms.size())), number(1));
    builder_.setBefore(*loop.yield());
    uint32_t ofA = 0, ofB = 0;
    for (size_t i = 0; i < terms.size(); ++i) {
      ofA |= uint32_t{terms[i].a} << (kPieceNumberBits * i);
      ofB |= uint32_t{terms[i].b} << (kPieceNumberBits * i);
    }
    addProduct(pieceOf(a, numberAt(ofA, loop.inductionVar())),
               pieceOf(b, numberAt(ofB, loop.inductionVar())), sums);
    builder_.setInsertPoint(after);
  }

  /// Number `place` of those that lie in the bits of `table`.
  Value numberAt(uint32_t table, Value place) {
    Elements e(builder_, location_);
    Value word = e.op("arith.index_cast", place, builder_.intType(32));
    Value bits = e.op("arith.muli", word, e.word(kPieceNumberBits));
    Value shifted = e.op("arith.shrui", e.word(table), bits);
    Value number = e.op("arith.andi", shifted, e.word((1 << kPieceNumberBits) - 1));
    return e.op("arith.index_cast", number, builder_.indexType());
  }

  /// Mixed products are summed on their own, and count 16 bits higher.
  void addIntegers(const Factor& a, const Factor& b, Value sums) {
    if (parts_.hasHighSums()) {
      Value high = scratch_.take(withElement(sums.type(), parts_.sum));
      Value zero = builder_.constant(location_, builder_.i32Attr(0));
      linalg::createNamedOp(builder_, location_, "linalg.fill", {&zero, 1}, {&high, 1});
      if (parts_.piecesA > 1) addProduct(pieceOf(a, 1), pieceOf(b, 0), high);
      if (parts_.piecesB > 1) addProduct(pieceOf(a, 0), pieceOf(b, 1), high);
      elementwise(builder_, location_, std::span(&high, 1), std::span(&sums, 1),
                  [&](Elements& e, std::span<const Value> in) {
                    Value shifted = e.op("arith.shli", in[0], e.word(kPieceBits));
                    return std::vector<Value>{e.op("arith.addi", in[1], shifted)};
                  });
    }
    addProduct(pieceOf(a, 0), pieceOf(b, 0), sums);
  }

  void addProduct(Value a, Value b, Value sums) {
    const std::array<Value, 2> factors{a, b};
    StructuredOp product = linalg::createGeneric(builder_, location_, factors, std::span(&sums, 1),
                                                 op_.indexingMaps(), op_.iterators());
    Builder body = Builder::atEnd(product.body());
    Elements e(body, location_);
    const bool areFloats = parts_.factor.isBF16();
    auto wide = [&](unsigned i) {
      return e.op(areFloats ? "arith.extf" : "arith.extsi", product.bodyArgument(i), parts_.sum);
    };
    Value times = e.op(areFloats ? "arith.mulf" : "arith.muli", wide(0), wide(1));
    Value sum = e.op(areFloats ? "arith.addf" : "arith.addi", product.bodyArgument(2), times);
    body.create(location_, "linalg.yield", {sum}, {});
    if (areFloats)
      linalg::setUnitSums(*product.op(),
                          {parts_.shape->sumDepth, 0, parts_.shape->elements.areBlocks});
    products_.push_back(product);
  }

  StructuredOp op_;
  const ProductParts& parts_;
  ScratchBuffers& scratch_;
  Location location_;
  Builder builder_;
  std::vector<StructuredOp> products_;
};

}  // namespace

std::optional<ProductParts> productPartsOf(StructuredOp op, std::string& why) {
  const Type a = elementOf(op, 0), b = elementOf(op, 1), c = elementOf(op, 2);
  std::optional<ProductParts> parts =
      c.isInteger() ? integerParts(op, a, b, c) : floatParts(op, a, b, c);
  why = "the matrix unit does not multiply such elements";
  if (!parts || !parts->shape) return std::nullopt;
  why = "its sums of floats are not made as the unit makes them";
  // One after the other and in f32 is what an op means that says nothing.
  const bool isPlain = parts->shape->sumDepth == 1 && a.isBF16() && c.isF32();
  const int64_t depth = linalg::sumDepth(*op.op());
  if (parts->factor.isBF16() && depth != parts->shape->sumDepth && (depth || !isPlain))
    return std::nullopt;
  if (linalg::keepsNarrowSums(a, b, c)) parts->sum = c;
  parts->widensSum = c != parts->sum;
  return parts;
}

Value ScratchBuffers::take(Type type) {
  for (size_t i = 0; i < buffers_.size(); ++i)
    if (!taken_[i] && buffers_[i].type() == type) {
      taken_[i] = true;
      return buffers_[i];
    }
  Builder builder = Builder::before(*core_.op());
  const std::string name = SymbolMap(*core_->parentOp()).unusedName("tiles");
  buffers_.push_back(builder
                         .create(core_->location(), "aie.buffer", {core_->operand(0)}, {type},
                                 {builder.named("sym_name", builder.stringAttr(name))})
                         ->result());
  taken_.push_back(true);
  return buffers_.back();
}

bool ScratchBuffers::haveRoom(std::vector<Type> types) const {
  const int64_t room = limitsOf(TileKind::Core).dataMemory.value;
  for (Value buffer : buffers_)
    if (auto found = std::ranges::find(types, buffer.type()); found != types.end())
      types.erase(found);
  int64_t bytes = core_.stackBytes() + kReservedBytes;
  for (Type type : types)
    bytes += bytesOf(type);
  for (Operation& member : core_->block()->ops())
    if (auto buffer = dynCast<aie::BufferOp>(&member))
      if (buffer->operand(0) == core_->operand(0)) bytes += buffer.bytes().value_or(room);
  return bytes <= room;
}

std::vector<Type> partTypes(const ProductParts& parts, Type a, Type b, Type c) {
  std::vector<Type> types;
  if (parts.piecesA) types.push_back(piecesType(a, parts.factor, parts.piecesA));
  if (parts.piecesB) types.push_back(piecesType(b, parts.factor, parts.piecesB));
  types.insert(types.end(), parts.widensSum + parts.hasHighSums(), withElement(c, parts.sum));
  return types;
}

std::vector<StructuredOp> splitProduct(StructuredOp op, const ProductParts& parts,
                                       ScratchBuffers& scratch) {
  return Splitting(op, parts, scratch).run();
}

}  // namespace airlite::npu
