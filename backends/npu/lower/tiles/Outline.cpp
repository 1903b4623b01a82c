// Devices, tiles and cores out of segments and herds.
#include "InstanceNumbers.hpp"
#include "SharedL1.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/Symbols.hpp"
#include "lower/core/CoreMemory.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace airlite::npu {

namespace {

/// Segments, and herds outside of them.
std::vector<Operation*> sourcesIn(Operation& module) {
  std::vector<Operation*> sources;
  module.walkWith([&](Operation& op) {
    if (op.is("aie.device")) return WalkResult::Skip;
    if (!isa<air::SegmentOp>(&op) && !isa<air::HerdOp>(&op)) return WalkResult::Advance;
    sources.push_back(&op);
    return WalkResult::Skip;
  });
  return sources;
}

std::vector<air::HerdOp> herdsOf(Operation& source) {
  std::vector<air::HerdOp> herds;
  source.walk(
      [&](Operation& op) {
        if (isa<air::HerdOp>(&op)) herds.push_back(air::HerdOp(&op));
      },
      WalkOrder::PreOrder);
  return herds;
}

/// The name of the device: that of the segment or herd, which is renamed where another symbol of
/// the module has it, or `segment_N`, `herd_N`.
class DeviceNames {
 public:
  explicit DeviceNames(Operation& module) {
    for (Operation& op : module.region().front().ops())
      if (!symbolName(op).empty()) used_.insert(std::string(symbolName(op)));
  }
  std::string of(Operation& source) {
    std::string base(symbolName(source));
    if (!base.empty() && used_.insert(base).second) return base;
    bool isNamed = !base.empty();
    if (!isNamed) base = isa<air::SegmentOp>(&source) ? "segment" : "herd";
    std::string name;
    for (unsigned i = 0; name.empty() || !used_.insert(name).second; ++i)
      name = base + "_" + std::to_string(i);
    if (isNamed) source.setAttr(kSymbolName, StringAttr::get(source.context(), name));
    return name;
  }

 private:
  std::unordered_set<std::string> used_;
};

std::vector<std::vector<int64_t>> idsOf(air::HerdOp herd) {
  std::vector<int64_t> sizes = *herd.constantSizes();
  if (sizes.size() == 1) sizes.push_back(1);
  std::vector<std::vector<int64_t>> ids;
  for (int64_t y = 0; y < sizes[1]; ++y)
    for (int64_t x = 0; x < sizes[0]; ++x)
      ids.push_back({x, y});
  return ids;
}

uint64_t keyOf(aie::TileId place) {
  return static_cast<uint64_t>(place.col) << 32 | static_cast<uint64_t>(place.row);
}

/// Bits of a scalar that the host can write; 0 for what it cannot.
unsigned widthOf(Type type) {
  if (type.isa<IndexType>()) return 32;
  unsigned width = 0;
  if (auto integer = type.dynCast<IntegerType>()) width = integer.width();
  if (auto number = type.dynCast<FloatType>()) width = number.width();
  return width <= 32 ? width : 0;
}

/// An instance of a segment but the first: its device follows that of the one before.
bool isLaterInstance(Operation& source) {
  return std::ranges::any_of(kInstanceAttributes, [&](std::string_view name) {
    auto id = source.attrOf<IntegerAttr>(name);
    return id && id.value() != 0;
  });
}

/// What the host would write is known where the operand is a constant, in whatever level around:
/// channel indices have to be.
Value constantFor(Builder& builder, Value argument) {
  Operation* maker = sourceOf(argument).definingOp();
  const bool isConstant = maker && maker->is("arith.constant") && widthOf(argument.type());
  return isConstant ? builder.constant(argument.argumentBlock()->parentOp()->location(),
                                       maker->attr("value"))
                    : Value();
}

/// The number that the host writes as a word.
Value scalarFrom(Builder& builder, Value word, Type type, Location location) {
  auto convert = [&](Value value, std::string_view op, Type to) {
    return builder.create(location, op, {value}, {to})->result();
  };
  if (type.isa<IndexType>()) return convert(word, "arith.index_cast", type);
  IntegerType bits = builder.intType(widthOf(type));
  Value value = bits == word.type() ? word : convert(word, "arith.trunci", bits);
  return type == bits ? value : convert(value, "arith.bitcast", type);
}

/// Outlines the herds of one segment (or one herd) into one device.
/// One class, since all that it makes goes into one device at the place where its builder stands,
/// and tiles, cores and locks are made when they are first asked for.
class Outliner {
 public:
  Outliner(Operation& module, Operation& source, const std::string& name,
           const DesignOptions& options, const HostSide& host, const Design* before)
      : module_(module),
        options_(options),
        host_(host),
        builder_(module.context()),
        sharedL1_(design_, options) {
    design_.source = &source;
    createDevice(name, before);
  }

  LogicalResult run() {
    std::vector<air::HerdOp> herds = herdsOf(*design_.source);
    LogicalResult result = success();
    for (air::HerdOp herd : herds)
      result |= checkHerd(herd);
    if (failed(result) || failed(checkLoops(herds))) return failure();
    cloneChannels(herds);
    for (air::HerdOp herd : herds)
      for (const std::vector<int64_t>& id : idsOf(herd))
        tileOf(placeOf(herd, id));
    const auto place = [&](air::HerdOp herd, const SharedL1::Id& id) { return placeOf(herd, id); };
    if (failed(sharedL1_.plan(herds, place))) return failure();
    for (aie::TileId tile : sharedL1_.places())
      tileOf(tile);
    for (air::HerdOp herd : herds)
      for (const std::vector<int64_t>& id : idsOf(herd))
        result |= outline(herd, id);
    if (failed(result)) return result;
    finishCores();
    return sharedL1_.takeTurns();
  }

  Design take() { return std::move(design_); }

 private:
  // -- The device ---------------------------------------------------------------------------------

  void createDevice(const std::string& name, const Design* before) {
    Context& context = module_.context();
    if (before)
      builder_.setAfter(*before->device);
    else
      builder_.setToStart(module_.region().front());
    OperationState state(context, design_.source->location(), "aie.device");
    state.addAttribute(context, "device",
                       keyword(context, *state.def, "device", options_.device->name));
    state.addAttribute(context, "sym_name", builder_.stringAttr(name));
    for (std::string_view instance : kInstanceAttributes)
      if (Attribute id = design_.source->attr(instance)) state.addAttribute(context, instance, id);
    state.addRegion().addBlock(context);
    design_.device = aie::DeviceOp(builder_.create(state));
    builder_.setToEnd(body());
    builder_.create(design_.source->location(), "aie.end", {}, {});
    end_ = &body().back();
  }

  Block& body() { return design_.device.body(); }

  /// Channels that the herds name are known inside of the device, too.
  void cloneChannels(const std::vector<air::HerdOp>& herds) {
    std::unordered_set<Operation*> cloned;
    auto clone = [&](Operation& op) {
      if (!isa<air::ChannelPutOp>(&op) && !isa<air::ChannelGetOp>(&op)) return;
      auto channel = host_.channels.find(std::string(air::ChannelAccessOp(&op).channelName()));
      if (channel == host_.channels.end() || !cloned.insert(channel->second.op.op()).second) return;
      builder_.setBefore(*end_);
      builder_.clone(*channel->second.op);
    };
    for (air::HerdOp herd : herds)
      herd->walk(clone);
  }

  // -- Places -------------------------------------------------------------------------------------

  /// A number that `herd` takes and that is made in `loop`: the host cannot know when to write it.
  Value changingNumber(air::HerdOp herd, Operation& loop) {
    for (unsigned i = 0; i < herd.numKernelOperands(); ++i) {
      Value operand = herd.kernelOperands()[i], argument = herd.kernelArgument(i);
      const bool isNumber =
          widthOf(operand.type()) && argument.hasUses() && !constantFor(builder_, argument);
      Block* block =
          operand.isBlockArgument() ? operand.argumentBlock() : operand.definingOp()->block();
      if (isNumber && loop.isAncestor(block->parentOp())) return operand;
    }
    return Value();
  }

  /// A core runs its herds one after the other, once or again and again.
  LogicalResult checkLoops(const std::vector<air::HerdOp>& herds) {
    for (air::HerdOp herd : herds) {
      if (herd.op() == design_.source) continue;
      Operation* loop = herd->parentOp();
      while (loop != design_.source && !loop->hasTrait(Trait::LoopLike))
        loop = loop->parentOp();
      if (loop == design_.source) continue;
      if (const Value changing = changingNumber(herd, *loop))
        return (herd->emitOpError() << "not supported: a number that changes from run to run of a "
                                       "loop in the segment (air-sink-loops-into-herds brings the "
                                       "loop into the herd)")
                   .note(changing.location())
               << "it comes from here";
      bool isAlone = herds.size() == 1;
      if (isAlone && options_.emitWhileLoop) continue;
      return (herd->emitOpError() << "not supported: a herd in a loop"
                                  << (isAlone ? ", without emit-while-loop"
                                              : " beside other herds"))
                 .note(loop->location())
             << "the loop is here";
    }
    return success();
  }

  LogicalResult checkHerd(air::HerdOp herd) {
    if (!herd.constantSizes() || herd.numDims() > 2)
      return herd->emitOpError() << "not supported: a herd whose size is not one or two constants";
    if (failed(air::checkCoreMemory(herd))) return failure();
    for (const std::vector<int64_t>& id : idsOf(herd)) {
      aie::TileId place = placeOf(herd, id);
      const aie::Device& device = *options_.device;
      bool isCore = device.contains(place) && device.kindOf(place) == aie::TileKind::Core;
      if (isCore) continue;
      if (place.col >= device.columns) return refuseColumn(herd, place);
      return herd->emitOpError() << "needs a core at column " << place.col << ", row " << place.row
                                 << ", where device '" << device.name << "' has none";
    }
    return success();
  }

  /// In the words that tools for these devices have for such a tile.
  LogicalResult refuseColumn(air::HerdOp herd, aie::TileId place) const {
    return (herd->emitError() << "'aie.tile' op column index (" << place.col
                              << ") must be less than the number of columns in the device ("
                              << options_.device->columns << ")")
               .note(herd->location())
           << "the herd needs a core at column " << place.col << ", row " << place.row
           << ", where device '" << options_.device->name << "' has none";
  }

  aie::TileId placeOf(air::HerdOp herd, const std::vector<int64_t>& id) const {
    auto col = herd->attrOf<IntegerAttr>("x_loc"), row = herd->attrOf<IntegerAttr>("y_loc");
    return {(col ? col.value() : options_.colOffset) + id[0],
            (row ? row.value() : options_.rowOffset) + id[1]};
  }

  Operation* tileOf(aie::TileId place) {
    Operation*& tile = tiles_[keyOf(place)];
    if (tile) return tile;
    // Tiles stand first, in the order of their use.
    if (design_.lastTile)
      builder_.setAfter(*design_.lastTile);
    else
      builder_.setToStart(body());
    tile = design_.lastTile =
        builder_.create(design_.source->location(), "aie.tile", {}, {builder_.indexType()},
                        {builder_.named("col", builder_.i32Attr(place.col)),
                         builder_.named("row", builder_.i32Attr(place.row))});
    return tile;
  }

  // -- Cores --------------------------------------------------------------------------------------

  LogicalResult outline(air::HerdOp herd, const std::vector<int64_t>& id) {
    CoreProgram program{herd, id, tileOf(placeOf(herd, id))};
    program.core = coreOf(program);
    Region& region = program.core->region();
    Block& before = region.back();
    Block& head = region.addBlock();
    program.body = &region.addBlock();
    builder_.setToEnd(before);
    builder_.create(branchTo(head, herd->location()));
    builder_.setToEnd(head);
    IRMapping mapping;
    if (takesNumbers(herd) && !takers_.insert(program.tile).second)
      return herd->emitOpError()
             << "not supported: numbers of the host for a second herd of a core "
                "(give one of them another place, or one herd both bodies)";
    const bool isLocked = options_.emitHerdLock || (options_.lockParameters && takesNumbers(herd));
    if (isLocked) useHerdLock(program, "Acquire");  // the host writes arguments first
    if (failed(mapArguments(program, mapping))) return failure();
    builder_.create(branchTo(*program.body, herd->location()));
    builder_.setToEnd(*program.body);
    for (Operation& op : herd.body().ops())
      if (!op.hasTrait(Trait::Terminator)) builder_.clone(op, mapping);
    if (isLocked) useHerdLock(program, "Release");
    design_.cores.push_back(program);
    return success();
  }

  OperationState& branchTo(Block& block, Location location) {
    branch_ = OperationState(module_.context(), location, "cf.br");
    branch_.successors.push_back(&block);
    return branch_;
  }

  /// The core of the tile; a new one stands before the others, so the last core comes first.
  Operation* coreOf(const CoreProgram& program) {
    Operation*& core = cores_[program.tile];
    if (core) return core;
    air::HerdOp herd = program.herd;
    OperationState state(module_.context(), herd->location(), "aie.core");
    state.operands.push_back(program.tile->result());
    state.resultTypes.push_back(builder_.indexType());
    addCoreAttributes(program, state);
    state.addRegion().addBlock(module_.context());
    builder_.setAfter(*design_.lastTile);
    return core = builder_.create(state);
  }

  void addCoreAttributes(const CoreProgram& program, OperationState& state) {
    Context& context = module_.context();
    air::HerdOp herd = program.herd;
    std::vector<int64_t> sizes = *herd.constantSizes();
    if (!herd.symbol().empty())
      state.addAttribute(context, "air.herd_name", builder_.stringAttr(herd.symbol()));
    state.addAttribute(context, "air.herd_local_id", DenseArrayAttr::getI64(context, program.id));
    state.addAttribute(context, "air.herd_size", DenseArrayAttr::getI64(context, sizes));
    if (auto object = herd->attrOf<StringAttr>("link_with"))
      state.addAttribute(context, "link_with", object);
    if (options_.stackBytes != aie::CoreOp::kDefaultStackBytes)
      state.addAttribute(context, "stack_size",
                         builder_.i32Attr(static_cast<int64_t>(options_.stackBytes)));
  }

  void finishCores() {
    for (auto [tile, core] : cores_) {
      Region& region = core->region();
      builder_.setToEnd(region.back());
      if (options_.emitWhileLoop)
        builder_.create(branchTo(*region.front().next(), core->location()));
      else
        builder_.create(core->location(), "aie.end", {}, {});
    }
  }

  // -- What the body takes from outside -----------------------------------------------------------

  LogicalResult mapArguments(const CoreProgram& program, IRMapping& mapping) {
    air::HerdOp herd = program.herd;
    std::vector<int64_t> sizes = *herd.constantSizes();
    for (unsigned i = 0; i < herd.numDims(); ++i) {
      mapping.map(herd.id(i), builder_.constantIndex(herd->location(), program.id[i]));
      mapping.map(herd.sizeArgument(i), builder_.constantIndex(herd->location(), sizes[i]));
    }
    const auto known = instanceNumbers(herd);
    std::vector<unsigned> scalars;
    for (unsigned i = 0; i < herd.numKernelOperands(); ++i) {
      Type type = herd.kernelArgument(i).type();
      if (air::isTokenType(type) || (known && type.isIntOrIndexOrFloat())) continue;
      if (type.isa<MemRefType>()) {
        if (failed(mapMemory(program, i, mapping))) return failure();
      } else if (widthOf(type)) {
        scalars.push_back(i);
      } else {
        return herd->emitOpError() << "not supported: an argument of type " << type;
      }
    }
    if (!scalars.empty()) mapScalars(program, scalars, mapping);
    if (!known) return success();
    herd->setAttr(kCountsInstances, builder_.unitAttr());
    known->write(builder_, countInstances(program, *known), mapping);
    return success();
  }

  /// L1 memory of the segment is a buffer of the tile; what lies outside of the array is named, for
  /// the transfers.
  LogicalResult mapMemory(const CoreProgram& program, unsigned i, IRMapping& mapping) {
    Value argument = program.herd.kernelArgument(i);
    auto type = argument.type().cast<MemRefType>();
    if (air::memoryLevel(type) == air::MemoryLevel::L1) {
      mapping.map(argument,
                  sharedL1_.bufferOf(program.herd, program.id, program.herd.kernelOperands()[i],
                                     [&](aie::TileId tile) { return tileOf(tile); }));
      return success();
    }
    std::string name = globalFor(program.herd, i, type);
    Operation* global =
        builder_.create(program.herd->location(), "memref.get_global", {}, {type},
                        {builder_.named("name", SymbolRefAttr::get(module_.context(), name))});
    mapping.map(argument, global->result());
    return success();
  }

  Value createBuffer(const CoreProgram& program, const std::string& name, MemRefType type) {
    Builder builder = Builder::before(*program.core);
    return builder
        .create(program.herd->location(), "aie.buffer", {program.tile->result()}, {type},
                {builder.named("sym_name", builder.stringAttr(name))})
        ->result();
  }

  std::string globalFor(air::HerdOp herd, unsigned i, MemRefType type) {
    std::string& name = globals_[herd.kernelArgument(i)];
    if (!name.empty()) return name;
    name = "__air_herd_arg_" + std::to_string(globals_.size() - 1);
    Builder builder = Builder::atStart(body());
    builder.create(herd->location(), "memref.global", {}, {},
                   {builder.named("sym_name", builder.stringAttr(name)),
                    builder.named("sym_visibility", builder.stringAttr("public")),
                    builder.named("type", TypeAttr::get(type))});
    return name;
  }

  std::optional<InstanceNumbers> instanceNumbers(air::HerdOp herd) const {
    const bool waitsOnlyForNumbers =
        options_.emitWhileLoop && options_.lockParameters && !options_.emitHerdLock;
    return waitsOnlyForNumbers ? InstanceNumbers::of(herd) : std::nullopt;
  }

  /// The number of the launch instance; null: no number depends on it.
  Value countInstances(const CoreProgram& program, const InstanceNumbers& numbers) {
    if (!numbers.needCount()) return {};
    const aie::TileId place = *aie::TileOp(program.tile).id();
    const std::string name =
        std::string(kInstanceNumber) + std::to_string(place.col) + "_" + std::to_string(place.row);
    Builder builder = Builder::before(*program.core);
    return numbers.count(builder_,
                         createCounter(builder, program.herd->location(), program.tile->result(),
                                       SymbolMap(*design_.device).unusedName(name)));
  }

  void mapScalars(const CoreProgram& program, const std::vector<unsigned>& scalars,
                  IRMapping& mapping) {
    air::HerdOp herd = program.herd;
    aie::TileId place = *aie::TileOp(program.tile).id();
    std::string name =
        std::string(kHerdWords) + std::to_string(place.col) + "_" + std::to_string(place.row);
    std::vector<int64_t> shape{static_cast<int64_t>(scalars.size())};
    MemRefType type = MemRefType::get(module_.context(), shape, builder_.intType(32));
    Value buffer = createBuffer(program, SymbolMap(*design_.device).unusedName(name), type);
    for (size_t k = 0; k < scalars.size(); ++k) {
      Value at = builder_.constantIndex(herd->location(), static_cast<int64_t>(k));
      Value word =
          builder_.create(herd->location(), "memref.load", {buffer, at}, {builder_.intType(32)})
              ->result();
      Value argument = herd.kernelArgument(scalars[k]);
      Value value = constantFor(builder_, argument);
      mapping.map(argument,
                  value ? value : scalarFrom(builder_, word, argument.type(), herd->location()));
    }
  }

  /// The host has something to write for it.
  bool takesNumbers(air::HerdOp herd) {
    if (instanceNumbers(herd)) return false;
    for (unsigned i = 0; i < herd.numKernelOperands(); ++i) {
      Value argument = herd.kernelArgument(i);
      if (widthOf(argument.type()) && argument.hasUses() && !constantFor(builder_, argument))
        return true;
    }
    return false;
  }

  // -- The lock of the host -----------------------------------------------------------------------

  void useHerdLock(const CoreProgram& program, std::string_view action) {
    Location location = program.herd->location();
    bool counts = options_.device->generation != aie::Generation::Aie1;
    // The first generation has two states: the host sets 1 to start, the core 0 when it is done.
    int64_t amount = counts || action == "Acquire" ? 1 : 0;
    if (counts && action == "Acquire") action = "AcquireGreaterEqual";
    if (counts && action == "Release") return;  // acquiring took it
    Value value = builder_.constant(location, builder_.i32Attr(amount));
    OperationState state(module_.context(), location, "aie.use_lock");
    state.operands = {herdLock(program), value};
    state.addAttribute(module_.context(), "action",
                       keyword(module_.context(), *state.def, "action", action));
    builder_.create(state);
  }

  Value herdLock(const CoreProgram& program) {
    Operation*& lock = locks_[program.tile];
    if (lock) return lock->result();
    aie::TileId place = *aie::TileOp(program.tile).id();
    std::string name =
        "__air_herd_lock_" + std::to_string(place.col) + "_" + std::to_string(place.row);
    Builder builder = Builder::before(*program.core);
    lock = builder.create(
        program.herd->location(), "aie.lock", {program.tile->result()}, {builder.indexType()},
        {builder.named("lockID", builder.i32Attr(0)), builder.named("init", builder.i32Attr(0)),
         builder.named("sym_name", builder.stringAttr(name))});
    return lock->result();
  }

  Operation& module_;
  const DesignOptions& options_;
  const HostSide& host_;
  Builder builder_;
  Design design_;
  SharedL1 sharedL1_;  // of design_
  OperationState branch_;
  Operation* end_ = nullptr;  // of the device
  std::unordered_map<uint64_t, Operation*> tiles_;
  std::unordered_set<Operation*> takers_;  // tiles whose core takes numbers of the host
  std::unordered_map<Operation*, Operation*> cores_, locks_;  // by tile
  std::unordered_map<Value, std::string> globals_;
};

}  // namespace

Attribute keyword(Context& context, const OpDef& def, std::string_view attr,
                  std::string_view word) {
  return def.findAttr(attr)->constraint->fromKeyword(context, word);
}

Value createCounter(Builder& builder, Location location, Value tile, const std::string& name) {
  Context& context = builder.context();
  const int64_t one = 1;
  const Type i32 = builder.intType(32);
  const auto type = MemRefType::get(context, std::span(&one, 1), i32);
  const auto zeros = RankedTensorType::get(context, std::span(&one, 1), i32);
  const Attribute splat = builder.i32Attr(0);
  return builder
      .create(location, "aie.buffer", {tile}, {type},
              {builder.named("sym_name", builder.stringAttr(name)),
               builder.named("initial_value", DenseElementsAttr::get(zeros, std::span(&splat, 1)))})
      ->result();
}

Operation* createTileOp(Design& design, OperationState& state) {
  Builder builder = Builder::atStart(design.device.body());
  if (design.lastTile) builder.setAfter(*design.lastTile);
  return design.lastTile = builder.create(state);
}

LogicalResult checkRequests(Operation& op, Operation& reportAt, std::string_view also) {
  static constexpr std::string_view kKnown[] = {
      "air.shrinkage",  // done by now, as is splitting
      "air.no_split",
      "air.kept",
      "air.no_chain_lock",  // what one buffer sends takes turns: nothing else is free of races
      "air.dedicated_dma_channel",
      "air.memtile_col",
      "air.memtile_dma_channel_min",
      "air.refeed_count",
      "air.shim_col",
      "air.src_writes_pkt_header",
      "air.tile_dma_channel",
  };
  auto isKnown = [](std::string_view name) {
    return std::find(std::begin(kKnown), std::end(kKnown), name) != std::end(kKnown);
  };
  for (const NamedAttribute& attr : op.attributes().value())
    if (attr.name.str().starts_with("air.") && attr.name.str() != also && !isKnown(attr.name.str()))
      return reportAt.emitOpError() << "not supported: attribute '" << attr.name.str() << "'";
  return success();
}

LogicalResult outlineCores(Operation& module, const DesignOptions& options, const HostSide& host,
                           std::vector<Design>& designs) {
  DeviceNames names(module);
  LogicalResult result = success();
  for (Operation* source : sourcesIn(module)) {
    const bool isNext = !designs.empty() && isLaterInstance(*source);
    const Design* before = isNext ? &designs.back() : nullptr;
    Outliner outliner(module, *source, names.of(*source), options, host, before);
    result |= outliner.run();
    designs.push_back(outliner.take());
  }
  return result;
}

}  // namespace airlite::npu
