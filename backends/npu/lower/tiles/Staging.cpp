// Transfers of cores that no descriptors can follow go through a buffer of their own.
#include "Staging.hpp"

#include "DescriptorOrder.hpp"
#include "WholeWords.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Builder.hpp"
#include "lower/core/ViewPlace.hpp"

#include <algorithm>
#include <map>
#include <numeric>

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

/// What sends several times in a row stands in a loop instead.
void sendOnce(Operation& op) {
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

/// The transfer moves all of `buffer`: groups 2 to 5 are the memory and its lists.
void useWhole(Operation& op, Value buffer) {
  for (unsigned group : {3u, 4u, 5u})
    op.setOperandGroup(group, {});
  const std::vector<NamedAttribute> attributes(op.attributes().value().begin(),
                                               op.attributes().value().end());
  for (const NamedAttribute& attribute : attributes)  // the constants of the lists
    if (attribute.name.str().find("static") != std::string_view::npos)
      op.removeAttr(attribute.name.str());
  op.setOperandGroup(2, std::span(&buffer, 1));
}

std::vector<int64_t> numbersOf(const std::vector<air::IndexEntry>& list) {
  std::vector<int64_t> numbers;
  for (const air::IndexEntry& entry : list)
    numbers.push_back(*entry.known());
  return numbers;
}

/// The dimensions that a transfer goes through, repetitions left out.
struct Dimensions {
  std::vector<int64_t> sizes, strides;

  explicit Dimensions(const air::Access& access) {
    auto type = access.memref.type().cast<MemRefType>();
    sizes.assign(type.shape().begin(), type.shape().end());
    strides = type.stridedForm()->strides;
    if (access.sizes.empty()) return;
    sizes = numbersOf(access.sizes), strides = numbersOf(access.strides);
    const auto repeating = static_cast<std::ptrdiff_t>(repeatingDims(access));
    sizes.erase(sizes.begin(), sizes.begin() + repeating);
    strides.erase(strides.begin(), strides.begin() + repeating);
  }

  bool isRow() const {
    int64_t step = 1;
    for (size_t i = sizes.size(); i-- > 0; step *= sizes[i])
      if (sizes[i] != 1 && strides[i] != step) return false;
    return true;
  }
};

/// Where the transfer starts, in elements of its buffer; none where that changes from run to run.
std::optional<int64_t> startOf(const air::Access& access) {
  auto type = access.memref.type().cast<MemRefType>();
  const auto form = type.stridedForm();
  if (!form || !isKnown(access.offsets) || !isKnown(access.strides)) return std::nullopt;
  const std::vector<int64_t> steps =
      access.offsets.size() == access.strides.size() ? numbersOf(access.strides) : form->strides;
  int64_t start = form->offset;
  for (size_t i = 0; i < access.offsets.size(); ++i)
    start += *access.offsets[i].known() * steps[i];
  return start;
}

/// Whether a DMA, which moves words, can do it: each run of consecutive elements begins at a word and is whole words. The end of
/// what is sent, and of what is filled up to the end of its memory, may be a part of a word.
bool movesWords(Operation& op) {
  const air::ChannelAccessOp transfer(&op);
  const air::Access access = transfer.access();
  const Type element = elementTypeOrSelf(access.memref.type());
  const auto start = startOf(access), elements = stagedElements(op);
  const auto isWhole = [&](int64_t count) { return count == toWholeWords(count, element); };
  if (!start || !elements) return true;  // what cannot be staged is for others to judge
  if (!isWhole(*start)) return false;
  const Dimensions dims(access);
  if (dims.isRow()) {
    const auto memory = air::bufferSource(access.memref).type().cast<MemRefType>();
    return transfer.isPut() || isWhole(*elements) || *start + *elements == memory.numElements();
  }
  int64_t run = 1;
  bool isOver = false;
  for (size_t i = dims.sizes.size(); i-- > 0;) {
    if (dims.sizes[i] == 1) continue;
    isOver |= dims.strides[i] != run;
    if (isOver && !isWhole(dims.strides[i])) return false;
    if (!isOver) run *= dims.sizes[i];
  }
  return isWhole(run);
}

/// Loops over the elements of the transfer, the outermost dimension first. Of a row, those that fill
/// the buffer from `first` on, if that is given.
void copyStaged(Builder& builder, air::ChannelAccessOp transfer, Value buffer, Value first) {
  const Location location = transfer->location();
  const air::Access access = transfer.access();
  auto index = [&](int64_t number) { return builder.constantIndex(location, number); };
  auto plus = [&](Value a, Value b) {
    return builder.create(location, "arith.addi", {a, b}, {builder.indexType()})->result();
  };
  auto times = [&](Value a, int64_t by) {
    if (by == 1) return a;
    return builder.create(location, "arith.muli", {a, index(by)}, {builder.indexType()})->result();
  };
  auto type = access.memref.type().cast<MemRefType>();
  const std::vector<int64_t> steps = access.offsets.size() == access.strides.size()
                                         ? numbersOf(access.strides)
                                         : type.stridedForm()->strides;
  Value row = asRow(builder, location, air::bufferSource(access.memref));
  Value at = index(type.stridedForm()->offset), to = index(0);
  for (size_t i = 0; i < access.offsets.size(); ++i) {
    const air::IndexEntry& offset = access.offsets[i];
    at = plus(at, times(offset.value ? offset.value : index(offset.constant), steps[i]));
  }
  Dimensions dims(access);
  int64_t inside = *elementsOf(access);
  if (first) {
    at = plus(at, first);
    inside = buffer.type().cast<MemRefType>().numElements();
    dims.sizes = {inside}, dims.strides = {1};
  }
  for (size_t i = 0; i < dims.sizes.size(); ++i) {
    if (dims.sizes[i] == 1) continue;
    inside /= dims.sizes[i];
    scf::ForOp loop =
        scf::ForOp::create(builder, location, index(0), index(dims.sizes[i]), index(1));
    builder.setToStart(loop.body());
    at = plus(at, times(loop.inductionVar(), dims.strides[i]));
    to = plus(to, times(loop.inductionVar(), inside));
  }
  const bool isPut = transfer.isPut();
  Value read = builder
                   .create(location, "memref.load", {isPut ? row : buffer, isPut ? at : to},
                           {type.elementType()})
                   ->result();
  builder.create(location, "memref.store", {read, isPut ? buffer : row, isPut ? to : at}, {});
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
      const bool needsCopies =
          !std::ranges::all_of(end.ops, [](Operation* op) { return movesWords(*op); });
      if (needsCopies && canStage(end))
        stage(end);
      else if (!end.isOpen && failed(findOrder(end, isFollowed)))
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

  /// The elements of which all transfers have a multiple.
  static int64_t partOf(const PlaceEnd& end) {
    int64_t part = 0;
    for (Operation* op : end.ops)
      part = std::gcd(part, stagedElements(*op).value_or(0));
    return part;
  }

  /// All have one size, or lie in rows, which go in parts of whole words.
  static bool canStage(const PlaceEnd& end) {
    const Type element = elementTypeOrSelf(air::ChannelAccessOp(end.ops[0]).access().memref.type());
    const int64_t part = partOf(end);
    const bool isWhole = part == toWholeWords(part, element);
    return std::ranges::all_of(end.ops, [&](Operation* op) {
      const air::Access access = air::ChannelAccessOp(op).access();
      const auto elements = stagedElements(*op);
      return elements && *elements > 0 && elementTypeOrSelf(access.memref.type()) == element &&
             (*elements == part || (isWhole && Dimensions(access).isRow()));
    });
  }

  void stage(PlaceEnd& end) {
    end.isStaged = true;
    end.descriptors = 1;
    end.locks = 2;
    const air::Access first = air::ChannelAccessOp(end.ops[0]).access();
    Value buffer =
        createTileBuffer(design_, tile_, first.memref.type().cast<MemRefType>(), partOf(end));
    for (Operation* op : end.ops)
      stageThrough(air::ChannelAccessOp(op), buffer);
  }

  Design& design_;
  Operation& tile_;
  const bool again_;
  std::vector<Block*> roots_;
  std::map<Key, PlaceEnd> ends_;
  std::map<Operation*, size_t> transfersOf_;  // by what makes their memory
};

}  // namespace

std::optional<int64_t> stagedElements(Operation& transfer) {
  const air::Access access = air::ChannelAccessOp(&transfer).access();
  Operation* memory = air::bufferSource(access.memref).definingOp();
  const bool isRepeatedGet = isa<air::ChannelGetOp>(&transfer) && repeatingDims(access) > 0;
  if (!memory || !memory->is("aie.buffer") || isRepeatedGet) return std::nullopt;
  return elementsOf(access);
}

Value createTileBuffer(Design& design, Operation& tile, MemRefType like, int64_t elements) {
  Builder builder = Builder::before(*design.lastTile->next());
  const std::vector<int64_t> shape{elements};
  MemRefType type =
      MemRefType::get(tile.context(), shape, like.elementType(), Attribute(), like.memorySpace());
  std::string name = "buf" + std::to_string(design.numBuffers++);
  return builder
      .create(tile.location(), "aie.buffer", {tile.result()}, {type},
              {builder.named("sym_name", builder.stringAttr(name))})
      ->result();
}

void stageThrough(air::ChannelAccessOp transfer, Value buffer) {
  Operation& op = *transfer.op();
  sendOnce(op);
  const int64_t elements = *elementsOf(transfer.access());
  const int64_t part = buffer.type().cast<MemRefType>().numElements();
  Value first;
  if (part < elements) {
    Builder builder = Builder::before(op);
    auto index = [&](int64_t number) { return builder.constantIndex(op.location(), number); };
    scf::ForOp loop =
        scf::ForOp::create(builder, op.location(), index(0), index(elements), index(part));
    op.moveBefore(&loop.body().back());
    first = loop.inductionVar();
  }
  Builder builder = transfer.isPut() ? Builder::before(op) : Builder::after(op);
  copyStaged(builder, transfer, buffer, first);
  useWhole(op, buffer);
}

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
