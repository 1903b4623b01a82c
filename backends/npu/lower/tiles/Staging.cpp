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
};

bool isKnown(const std::vector<air::IndexEntry>& list) {
  return std::ranges::all_of(list, [](const air::IndexEntry& entry) { return !!entry.known(); });
}

/// Elements of one run; nothing where that, or the layout, is not known.
std::optional<int64_t> elementsOf(const air::Access& access) {
  auto type = access.memref.type().cast<MemRefType>();
  auto form = type.stridedForm();
  if (!type.hasStaticShape() || !form || form->offset == kDynamic) return std::nullopt;
  if (!isKnown(access.sizes) || !isKnown(access.strides)) return std::nullopt;
  if (access.sizes.empty()) return type.numElements();
  int64_t elements = 1;
  for (const air::IndexEntry& size : access.sizes)
    elements *= *size.known();
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
    end.isOpen |= !isKnown(access.access().offsets);
  }

  /// Nothing but what a descriptor cannot say is reported.
  LogicalResult findOrder(const PlaceEnd& end, bool& isFollowed) const {
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
    isFollowed = programOf(sequenceOf(all, roots_, again_), descriptors).has_value();
    return success();
  }

  /// The core waits for each of them where it stands, or could; all have one size.
  bool canStage(const PlaceEnd& end) const {
    const air::Access first = air::ChannelAccessOp(end.ops[0]).access();
    return std::ranges::all_of(end.ops, [&](Operation* op) {
      const air::Access access = air::ChannelAccessOp(op).access();
      auto type = access.memref.type().cast<MemRefType>();
      Operation* memory = air::bufferSource(access.memref).definingOp();
      return !isAsynchronous(*op) && sendsOnce(*op) && memory && memory->is("aie.buffer") &&
             type.elementType() == first.memref.type().cast<MemRefType>().elementType() &&
             elementsOf(access) && elementsOf(access) == elementsOf(first);
    });
  }

  static bool sendsOnce(const Operation& op) { return !op.hasAttr("air.refeed_count"); }

  void stage(const PlaceEnd& end) {
    const air::Access first = air::ChannelAccessOp(end.ops[0]).access();
    Value buffer = createBuffer(first.memref.type().cast<MemRefType>(), *elementsOf(first));
    for (Operation* op : end.ops) {
      air::ChannelAccessOp transfer(op);
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
    for (size_t i = 0; i < sizes.size(); ++i) {
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
