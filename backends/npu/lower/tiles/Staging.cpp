// Transfers of cores that no descriptors can follow go through a buffer of their own.
#include "Staging.hpp"

#include "DescriptorOrder.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Builder.hpp"
#include "lower/core/ViewPlace.hpp"

#include <algorithm>
#include <map>

namespace airlite::npu {

namespace {

/// The transfers of a core through one end of one place.
struct PlaceEnd {
  std::vector<Operation*> ops;
  bool isOpen = false;  // one of them starts somewhere else in each run
  // Where descriptors follow it: how many, and how many locks they need.
  size_t descriptors = 0, locks = 0;
  bool isStaged = false;
};

bool isKnown(const std::vector<air::IndexEntry>& list) {
  return std::ranges::all_of(list, [](const air::IndexEntry& entry) { return !!entry.known(); });
}

/// Outermost dimensions of a list that move nowhere: what is sent is sent that many times.
size_t repeatingDims(const air::Access& access) {
  size_t count = 0;
  while (count < access.strides.size() && access.strides[count].known() == 0)
    ++count;
  return count;
}

/// Elements of one run, repetitions left out; nothing where that, or the layout, is not known.
std::optional<int64_t> elementsOf(const air::Access& access) {
  auto type = access.memref.type().cast<MemRefType>();
  auto form = type.stridedForm();
  if (!type.hasStaticShape() || !form || form->offset == kDynamic) return std::nullopt;
  if (!isKnown(access.sizes) || !isKnown(access.strides)) return std::nullopt;
  if (access.sizes.empty()) return type.numElements();
  int64_t elements = 1;
  for (size_t i = repeatingDims(access); i < access.sizes.size(); ++i)
    elements *= *access.sizes[i].known();
  return elements;
}

class TileStaging {
 public:
  TileStaging(Design& design, Operation& tile, bool again)
      : design_(design), tile_(tile), again_(again) {}

  void read(CoreProgram& program) {
    roots_.push_back(program.body);
    for (Operation& op : program.body->ops())
      op.walk([&](Operation& inner) { add(inner); }, WalkOrder::PreOrder);
  }

  LogicalResult run() {
    LogicalResult result = success();
    for (auto& [key, end] : ends_) {
      bool isFollowed = false;
      if (!end.isOpen && failed(findOrder(end, isFollowed)))
        result = failure();
      else if (!isFollowed && canStage(end))
        stage(end);
    }
    if (succeeded(result)) fitTile();
    return result;
  }

 private:
  using Key = std::pair<bool, ChannelPlace>;

  void add(Operation& op) {
    if (!isa<air::ChannelPutOp>(&op) && !isa<air::ChannelGetOp>(&op)) return;
    air::ChannelAccessOp access(&op);
    std::optional<ChannelPlace> place = placeOf(access);
    if (!place) return;
    PlaceEnd& end = ends_[{access.isPut(), *place}];
    end.ops.push_back(&op);
    ++transfersOf_[memoryOf(op)];
    end.isOpen |= !isKnown(access.access().offsets);
  }

  static Operation* memoryOf(Operation& op) {
    return air::bufferSource(air::ChannelAccessOp(&op).access().memref).definingOp();
  }

  /// The ends with the most descriptors go through a buffer until the tile has enough for all.
  void fitTile() {
    const aie::TileLimits& limits = aie::deviceOf(tile_).limits(aie::TileKind::Core);
    size_t held = 0;
    for (OpOperand& use : tile_.result().uses())
      held += use.owner()->is("aie.lock");
    while (true) {
      size_t descriptors = 0, locks = held;
      PlaceEnd* largest = nullptr;
      for (auto& [key, end] : ends_) {
        descriptors += end.descriptors, locks += end.locks;
        const bool helps = !end.isStaged && end.descriptors > 1 && canStage(end);
        if (helps && (!largest || end.descriptors > largest->descriptors)) largest = &end;
      }
      if (!largest || (descriptors <= limits.bds && locks <= limits.locks)) return;
      stage(*largest);
    }
  }

  /// Nothing but what a descriptor cannot say is reported.
  LogicalResult findOrder(PlaceEnd& end, bool& isFollowed) {
    std::vector<Site> sites(end.ops.size());
    std::vector<Site*> all;
    for (size_t i = 0; i < sites.size(); ++i) {
      if (failed(readSite(*end.ops[i], sites[i]))) return failure();
      for (size_t k = 0; k < i && !sites[i].sameAs; ++k)
        if (sites[k].memory == sites[i].memory && sites[k].pattern == sites[i].pattern &&
            sites[k].sends == sites[i].sends)
          sites[i].sameAs = sites[k].sameAs ? sites[k].sameAs : &sites[k];
      all.push_back(&sites[i]);
    }
    const size_t descriptors = aie::deviceOf(tile_).limits(aie::TileKind::Core).bds;
    const auto program = programOf(sequenceOf(all, roots_, again_), descriptors);
    isFollowed = program.has_value();
    if (!program) return success();
    for (const DmaTask& task : program->tasks)
      end.descriptors += task.sites.size();
    const auto different = std::ranges::count(sites, nullptr, &Site::sameAs);
    // Buffers in turn count with two locks, when no other transfer uses them.
    const bool takesTurns = std::ranges::all_of(end.ops, [&](Operation* op) {
      return op->block() == end.ops[0]->block() && transfersOf_.at(memoryOf(*op)) == 1;
    });
    end.locks = takesTurns ? 2 : 2 * static_cast<size_t>(different);
    return success();
  }

  /// All have one size.
  bool canStage(const PlaceEnd& end) const {
    const air::Access first = air::ChannelAccessOp(end.ops[0]).access();
    return std::ranges::all_of(end.ops, [&](Operation* op) {
      const air::Access access = air::ChannelAccessOp(op).access();
      auto type = access.memref.type().cast<MemRefType>();
      Operation* memory = air::bufferSource(access.memref).definingOp();
      const bool isRepeatedGet = op->is("air.channel.get") && repeatingDims(access) > 0;
      return memory && memory->is("aie.buffer") && !isRepeatedGet &&
             type.elementType() == first.memref.type().cast<MemRefType>().elementType() &&
             elementsOf(access) && elementsOf(access) == elementsOf(first);
    });
  }

  /// What sends several times in a row stands in a loop instead.
  static void sendOnce(Operation& op) {
    const air::Access access = air::ChannelAccessOp(&op).access();
    int64_t times = air::sendsOf(op);
    for (size_t i = 0; i < repeatingDims(access); ++i)
      times *= *access.sizes[i].known();
    op.removeAttr("air.refeed_count");
    if (times == 1) return;
    Builder builder = Builder::before(op);
    auto index = [&](int64_t number) { return builder.constantIndex(op.location(), number); };
    scf::ForOp loop = scf::ForOp::create(builder, op.location(), index(0), index(times), index(1));
    op.moveBefore(&loop.body().back());
  }

  void stage(PlaceEnd& end) {
    end.isStaged = true;
    end.descriptors = 1;
    end.locks = 2;
    const air::Access first = air::ChannelAccessOp(end.ops[0]).access();
    Value buffer = createBuffer(first.memref.type().cast<MemRefType>(), *elementsOf(first));
    for (Operation* op : end.ops) {
      air::ChannelAccessOp transfer(op);
      sendOnce(*op);
      Builder builder = transfer.isPut() ? Builder::before(*op) : Builder::after(*op);
      copy(builder, transfer, buffer);
      useWhole(*op, buffer);
    }
  }

  Value createBuffer(MemRefType like, int64_t elements) {
    Builder builder = Builder::before(*design_.lastTile->next());
    const std::vector<int64_t> shape{elements};
    MemRefType type = MemRefType::get(tile_.context(), shape, like.elementType(), Attribute(),
                                      like.memorySpace());
    std::string name = "buf" + std::to_string(design_.numBuffers++);
    return builder
        .create(tile_.location(), "aie.buffer", {tile_.result()}, {type},
                {builder.named("sym_name", builder.stringAttr(name))})
        ->result();
  }

  /// The transfer moves all of `buffer`: groups 2 to 5 are the memory and its lists.
  static void useWhole(Operation& op, Value buffer) {
    for (unsigned group : {3u, 4u, 5u})
      op.setOperandGroup(group, {});
    const std::vector<NamedAttribute> attributes(op.attributes().value().begin(),
                                                 op.attributes().value().end());
    for (const NamedAttribute& attribute : attributes)  // the constants of the lists
      if (attribute.name.str().find("static") != std::string_view::npos)
        op.removeAttr(attribute.name.str());
    op.setOperandGroup(2, std::span(&buffer, 1));
  }

  /// Loops over the elements of the transfer, the outermost dimension first.
  static void copy(Builder& builder, air::ChannelAccessOp transfer, Value buffer) {
    const Location location = transfer->location();
    const air::Access access = transfer.access();
    auto index = [&](int64_t number) { return builder.constantIndex(location, number); };
    auto plus = [&](Value a, Value b) {
      return builder.create(location, "arith.addi", {a, b}, {builder.indexType()})->result();
    };
    auto times = [&](Value a, int64_t by) {
      if (by == 1) return a;
      return builder.create(location, "arith.muli", {a, index(by)}, {builder.indexType()})
          ->result();
    };
    auto type = access.memref.type().cast<MemRefType>();
    const std::vector<int64_t> layout = type.stridedForm()->strides;
    std::vector<int64_t> sizes(type.shape().begin(), type.shape().end()), strides = layout;
    if (!access.sizes.empty()) sizes = numbersOf(access.sizes), strides = numbersOf(access.strides);
    const std::vector<int64_t>& steps =
        access.offsets.size() == access.strides.size() ? strides : layout;
    Value row = asRow(builder, location, air::bufferSource(access.memref));
    Value at = index(type.stridedForm()->offset), to = index(0);
    for (size_t i = 0; i < access.offsets.size(); ++i) {
      const air::IndexEntry& offset = access.offsets[i];
      at = plus(at, times(offset.value ? offset.value : index(offset.constant), steps[i]));
    }
    int64_t inside = *elementsOf(access);
    for (size_t i = repeatingDims(access); i < sizes.size(); ++i) {
      if (sizes[i] == 1) continue;
      inside /= sizes[i];
      scf::ForOp loop = scf::ForOp::create(builder, location, index(0), index(sizes[i]), index(1));
      builder.setToStart(loop.body());
      at = plus(at, times(loop.inductionVar(), strides[i]));
      to = plus(to, times(loop.inductionVar(), inside));
    }
    const bool isPut = transfer.isPut();
    Value read = builder
                     .create(location, "memref.load", {isPut ? row : buffer, isPut ? at : to},
                             {type.elementType()})
                     ->result();
    builder.create(location, "memref.store", {read, isPut ? buffer : row, isPut ? to : at}, {});
  }

  static std::vector<int64_t> numbersOf(const std::vector<air::IndexEntry>& list) {
    std::vector<int64_t> numbers;
    for (const air::IndexEntry& entry : list)
      numbers.push_back(*entry.known());
    return numbers;
  }

  Design& design_;
  Operation& tile_;
  const bool again_;
  std::vector<Block*> roots_;
  std::map<Key, PlaceEnd> ends_;
  std::map<Operation*, size_t> transfersOf_;  // by what makes their memory
};

}  // namespace

LogicalResult stageTransfers(Design& design, bool again) {
  std::vector<Operation*> tiles;
  std::map<Operation*, TileStaging> byTile;
  for (CoreProgram& program : design.cores) {
    auto [found, isNew] = byTile.try_emplace(program.tile, design, *program.tile, again);
    if (isNew) tiles.push_back(program.tile);
    found->second.read(program);
  }
  LogicalResult result = success();
  for (Operation* tile : tiles)
    result |= byTile.at(tile).run();
  return result;
}

}  // namespace airlite::npu
