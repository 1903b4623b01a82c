// Channels that go by the cascade: from core to neighbouring core, vector by vector.
//
// A put sends its memory in vectors as wide as the cascade, a get fills its memory with them. A part
// of memory, memory with gaps and what does not divide into vectors go through a buffer that does.
// The cascade runs south and east. A core has one cascade input and one output.
//
// Refused, each at the op: parts whose size is not known, cores that are not neighbours, more than
// one sender or receiver, and puts of the host or of memory tiles.
#include "Sites.hpp"
#include "Staging.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "lower/core/ViewPlace.hpp"

#include <array>
#include <map>
#include <tuple>

namespace airlite::npu {

namespace {

/// Of one transfer.
constexpr int64_t kCascadeBytes = aie::cascadeBits(aie::Generation::Aie2) / 8;

/// The cores at one place of a channel.
struct Link {
  Operation *from = nullptr, *to = nullptr;  // tiles
  Location location;
};

class CascadeLowering {
 public:
  explicit CascadeLowering(Design& design) : design_(design) {}

  LogicalResult run() {
    for (CoreProgram& program : design_.cores)
      for (Operation* op : transfersOf(program))
        if (failed(addEnd(program, *op)) || failed(lower(program, *op))) return failure();
    LogicalResult result = success();
    for (auto link = links_.rbegin(); link != links_.rend(); ++link)
      result |= connect(link->first, link->second);
    return result;
  }

 private:
  static std::vector<Operation*> transfersOf(const CoreProgram& program) {
    std::vector<Operation*> ops;
    for (Operation& op : program.body->ops())
      op.walk([&](Operation& inner) {
        bool isTransfer = isa<air::ChannelPutOp>(&inner) || isa<air::ChannelGetOp>(&inner);
        if (isTransfer && isCascade(inner)) ops.push_back(&inner);
      });
    return ops;
  }

  // -- Ends ---------------------------------------------------------------------------------------

  LogicalResult addEnd(const CoreProgram& program, Operation& op) {
    air::ChannelAccessOp access(&op);
    ChannelPlace place{std::string(access.channelName()), {}};
    if (failed(air::checkChannelUse(access))) return failure();
    for (unsigned i = 0; i < access.indices().size(); ++i) {
      auto index = constantIntOf(access.indices()[i]);
      if (!index)
        return op.emitOpError() << "not supported: channel index " << i << " is not known";
      place.index.push_back(*index);
    }
    Link& link = links_[place];
    link.location = op.location();
    Operation*& end = access.isPut() ? link.from : link.to;
    if (end && end != program.tile)
      return op.emitOpError() << "not supported: several cores "
                              << (access.isPut() ? "put into" : "get from")
                              << " one place of a cascade";
    end = program.tile;
    Operation*& other = (access.isPut() ? to_ : from_)[program.tile];
    bool isSecond = other && placeOf_[other] != place;
    if (isSecond)
      return op.emitOpError() << "not supported: a core with two cascades "
                              << (access.isPut() ? "out" : "in");
    other = &op;
    placeOf_[&op] = place;
    return success();
  }

  LogicalResult connect(const ChannelPlace& place, const Link& link) {
    if (!link.from || !link.to)
      return emitError(design_.device->context(), link.location)
                 << "cascade @" << place.channel << " has no core that "
                 << (link.from ? "gets" : "puts"),
             failure();
    aie::TileId from = *aie::TileOp(link.from).id(), to = *aie::TileOp(link.to).id();
    bool goesSouth = from.col == to.col && from.row == to.row + 1;
    bool goesEast = from.row == to.row && from.col + 1 == to.col;
    if (!goesSouth && !goesEast)
      return emitError(design_.device->context(), link.location)
                 << "a cascade goes from a core to its neighbour in the south or east, not from "
                 << from.col << ", " << from.row << " to " << to.col << ", " << to.row,
             failure();
    Builder::before(design_.device.body().back())
        .create(link.location, "aie.cascade_flow", {link.from->result(), link.to->result()}, {});
    return success();
  }

  // -- The transfer -------------------------------------------------------------------------------

  /// All of its memory, row-major, in whole vectors.
  static bool isWhole(MemRefType type, const air::Access& access, int64_t lanes) {
    auto form = type.stridedForm();
    if (!access.sizes.empty() || !type.hasStaticShape() || !form) return false;
    int64_t step = 1;
    for (size_t i = type.shape().size(); i-- > 0;) {
      if (type.shape()[i] != 1 && form->strides[i] != step) return false;
      step *= type.shape()[i];
    }
    return type.numElements() % lanes == 0;
  }

  /// The core is sequential: one buffer does for all of its transfers of one size.
  LogicalResult stage(const CoreProgram& program, Operation& op, MemRefType type, int64_t lanes) {
    const auto elements = stagedElements(op);
    if (!elements)
      return op.emitOpError() << "not supported: a cascade of a part of memory whose size or "
                                 "layout is not constant";
    const int64_t whole = (*elements + lanes - 1) / lanes * lanes;
    stageThrough(air::ChannelAccessOp(&op), stagingOf(*program.tile, type, whole));
    return success();
  }

  Value stagingOf(Operation& tile, MemRefType like, int64_t elements) {
    for (const auto& [owner, buffer] : staging_) {
      auto type = buffer.type().cast<MemRefType>();
      if (owner == &tile && type.elementType() == like.elementType() &&
          type.numElements() == elements)
        return buffer;
    }
    return staging_.emplace_back(&tile, createTileBuffer(design_, tile, like, elements)).second;
  }

  LogicalResult lower(const CoreProgram& program, Operation& op) {
    air::Access access = air::ChannelAccessOp(&op).access();
    auto type = access.memref.type().cast<MemRefType>();
    auto bytes = aie::elementBytes(type.elementType());
    if (!bytes || !(type.elementType().isa<IntegerType>() || type.elementType().isa<FloatType>()))
      return op.emitOpError() << "not supported: a cascade of " << type;
    int64_t lanes = kCascadeBytes / *bytes;
    bool isPut = isa<air::ChannelPutOp>(&op);
    if (!isPut && isAsynchronous(op))
      moveToFirstUse(op, [](Operation& other) { return usesCascade(other); });
    if (!isWhole(type, access, lanes)) {
      if (failed(stage(program, op, type, lanes))) return failure();
      access = air::ChannelAccessOp(&op).access();
      type = access.memref.type().cast<MemRefType>();
    }
    Builder builder = Builder::before(op);
    Location location = op.location();
    bool isOne = type.numElements() == lanes;
    Value zero = constantOf(program, IntegerAttr::get(builder.indexType(), 0));
    Value memory = isOne && !isPut ? access.memref : asRow(builder, location, access.memref);
    if (isOne) {
      transfer(program, builder, op, memory, zero, lanes);
    } else {
      Value end = builder.constantIndex(location, type.numElements());
      Value step = builder.constantIndex(location, lanes);
      scf::ForOp loop = scf::ForOp::create(builder, location, zero, end, step);
      builder.setToStart(loop.body());
      memref::MixedIndex offset(loop.inductionVar()), size(lanes), stride(1);
      Value part = memref::SubViewOp::create(builder, location, memory, std::span(&offset, 1),
                                             std::span(&size, 1), std::span(&stride, 1))
                       ->result();
      transfer(program, builder, op, part, zero, lanes);
    }
    op.erase();
    return success();
  }

  static bool usesCascade(Operation& op) {
    bool isTransfer = isa<air::ChannelPutOp>(&op) || isa<air::ChannelGetOp>(&op);
    return op.is("aie.get_cascade") || op.is("aie.put_cascade") || (isTransfer && isCascade(op));
  }

  static bool isCascade(Operation& op) {
    air::ChannelOp channel = air::ChannelAccessOp(&op).channel();
    return channel && channel.canonicalType() == "npu_cascade";
  }

  /// At the start of the program, once, if the core has it not already.
  Value constantOf(const CoreProgram& program, Attribute attribute) {
    for (const auto& [body, known, value] : constants_)
      if (body == program.body && known == attribute) return value;
    Value value;
    for (Block& block : program.core->region().blocks()) {
      if (&block == program.body) break;
      for (Operation& op : block.ops())
        if (op.hasTrait(Trait::ConstantLike) && op.attr("value") == attribute) value = op.result();
    }
    if (!value)
      value = Builder::atStart(*program.body).constant(program.herd->location(), attribute);
    constants_.emplace_back(program.body, attribute, value);
    return value;
  }

  void transfer(const CoreProgram& program, Builder& builder, Operation& op, Value memory,
                Value zero, int64_t lanes) {
    Context& context = builder.context();
    Location location = op.location();
    Type element = memory.type().cast<MemRefType>().elementType();
    Type vector = VectorType::get(context, std::span(&lanes, 1), element);
    Attribute yes = IntegerAttr::getBool(context, true);
    bool isPut = isa<air::ChannelPutOp>(&op);
    Value taken;
    if (!isPut) {
      taken = builder.create(location, "aie.get_cascade", {}, {vector})->result();
      memory = asRow(builder, location, memory);
    }
    OperationState state(context, location,
                         isPut ? "vector.transfer_read" : "vector.transfer_write");
    state.addAttribute(context, "permutation_map",
                       AffineMapAttr::get(AffineMap::identity(context, 1)));
    state.addAttribute(context, "in_bounds", ArrayAttr::get(context, std::span(&yes, 1)));
    if (isPut) {
      Attribute none = element.isa<FloatType>() ? Attribute(FloatAttr::get(element, 0.0))
                                                : Attribute(IntegerAttr::get(element, 0));
      state.operands = {memory, zero, constantOf(program, none)};
      state.setOperandSegments(context, std::array<int32_t, 4>{1, 1, 1, 0});
      state.resultTypes.push_back(vector);
    } else {
      state.operands = {taken, memory, zero};
      state.setOperandSegments(context, std::array<int32_t, 4>{1, 1, 1, 0});
    }
    Operation* made = builder.create(state);
    if (isPut) builder.create(location, "aie.put_cascade", {made->result()}, {});
  }

  Design& design_;
  std::map<ChannelPlace, Link> links_;
  std::map<Operation*, Operation*> to_, from_;  // of a tile: a put, a get
  std::map<Operation*, ChannelPlace> placeOf_;
  std::vector<std::tuple<Block*, Attribute, Value>> constants_;
  std::vector<std::pair<Operation*, Value>> staging_;  // of a tile
};

}  // namespace

LogicalResult lowerCascades(Design& design) { return CascadeLowering(design).run(); }

}  // namespace airlite::npu
