// Puts, gets and DMAs of L3 memory as ops of airrt: four offsets, lengths and strides each.
#include "HostTransfers.hpp"

#include "airlite/dialect/Aie.hpp"
#include "airlite/dialect/Airrt.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/ir/Symbols.hpp"
#include "lower/tiles/WholeWords.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace airlite::npu {

namespace {

constexpr unsigned kNumDims = airrt::DmaMemcpyNdOp::kNumDims;
/// What a transfer carries along for airrt-to-npu.
constexpr std::string_view kKeptAttrs[] = {"air.append_barrier",
                                           "air.await_appends",
                                           "air.preserve_shim_dma_order",
                                           "air.runtime_hoist",
                                           air::kSameValues,
                                           air::kReadsFirst,
                                           "packet"};

bool isOnTiles(air::ChannelAccessOp op) {
  return air::memoryLevel(op.access().memref.type()) != air::MemoryLevel::L3;
}

// -- Access lists ---------------------------------------------------------------------------------

using Entries = std::vector<air::IndexEntry>;
struct Lists {
  Entries offsets, sizes, strides;
};

air::IndexEntry constantEntry(int64_t value) { return {value, Value()}; }

/// All elements of a memref in their order; of a row-major one they follow each other.
LogicalResult readWhole(Operation& op, Type type, Lists& lists) {
  auto memref = type.dynCast<MemRefType>();
  const auto form = memref ? memref.stridedForm() : std::nullopt;
  if (!form || !memref.hasStaticShape() ||
      std::ranges::find(form->strides, kDynamic) != form->strides.end())
    return op.emitOpError() << "not supported: a transfer of all of " << type;
  if (memref.hasIdentityLayout()) {
    lists = {{constantEntry(0)}, {constantEntry(memref.numElements())}, {constantEntry(1)}};
    return success();
  }
  for (size_t i = 0; i < form->strides.size(); ++i) {
    lists.offsets.push_back(constantEntry(0));
    lists.sizes.push_back(constantEntry(memref.shape()[i]));
    lists.strides.push_back(constantEntry(form->strides[i]));
  }
  return success();
}

/// The element at memref coordinates.
LogicalResult linearize(Operation& op, Builder& builder, Type type, const Entries& coordinates,
                        air::IndexEntry& linear) {
  auto memref = type.dynCast<MemRefType>();
  auto form = memref ? memref.stridedForm() : std::nullopt;
  if (!form || form->strides.size() != coordinates.size())
    return op.emitOpError() << "not supported: " << coordinates.size() << " offsets into " << type;
  for (size_t i = 0; i < coordinates.size(); ++i) {
    auto known = coordinates[i].known();
    if (form->strides[i] == kDynamic)
      return op.emitOpError() << "not supported: offsets into " << type;
    if (known) {
      linear.constant += *known * form->strides[i];
      continue;
    }
    Value stride = builder.constantIndex(op.location(), form->strides[i]);
    Value part =
        builder.create(op.location(), "arith.muli", {coordinates[i].value, stride}, {})->result();
    linear.value =
        linear.value
            ? builder.create(op.location(), "arith.addi", {linear.value, part}, {})->result()
            : part;
  }
  if (!linear.value || linear.constant == 0) return success();
  Value rest = builder.constantIndex(op.location(), linear.constant);
  linear = {0, builder.create(op.location(), "arith.addi", {linear.value, rest}, {})->result()};
  return success();
}

/// `a * factor + b`.
air::IndexEntry scaledSum(Operation& op, Builder& builder, const air::IndexEntry& a, int64_t factor,
                          const air::IndexEntry& b) {
  const auto first = a.known(), second = b.known();
  if (first && second) return constantEntry(*first * factor + *second);
  auto valueOf = [&](const air::IndexEntry& entry, int64_t times) {
    if (const auto known = entry.known())
      return builder.constantIndex(op.location(), *known * times);
    if (times == 1) return entry.value;
    Value by = builder.constantIndex(op.location(), times);
    return builder.create(op.location(), "arith.muli", {entry.value, by}, {})->result();
  };
  Value left = valueOf(a, factor), right = valueOf(b, 1);
  return {0, builder.create(op.location(), "arith.addi", {left, right}, {})->result()};
}

/// Offsets that are coordinates of the memref, not steps of the list: one outer dimension of size 1
/// that begins there.
LogicalResult readCoordinates(Operation& op, Builder& builder, Type type, Lists& lists) {
  air::IndexEntry linear;
  if (failed(linearize(op, builder, type, lists.offsets, linear))) return failure();
  lists.offsets.assign(lists.sizes.size(), constantEntry(0));
  lists.offsets.insert(lists.offsets.begin(), linear);
  lists.sizes.insert(lists.sizes.begin(), constantEntry(1));
  lists.strides.insert(lists.strides.begin(), constantEntry(1));
  return success();
}

/// The offset of a dimension, as steps of another one that divides its own.
bool moveOffset(Operation& op, Builder& builder, Lists& lists, size_t from) {
  air::IndexEntry& offset = lists.offsets[from];
  const auto stride = lists.strides[from].known();
  if (offset.known() == 0 || stride == 0) return true;
  for (size_t to = lists.sizes.size(); stride && to-- > 0;) {
    const auto step = lists.strides[to].known();
    if (to == from || !step || *step <= 0 || *stride % *step != 0) continue;
    const auto scaled = scaledSum(op, builder, offset, *stride / *step, lists.offsets[to]);
    lists.offsets[to] = scaled;
    return true;
  }
  return false;
}

void dropUnitDims(Operation& op, Builder& builder, Lists& lists) {
  for (size_t i = lists.sizes.size(); i-- > 0 && lists.sizes.size() > kNumDims;) {
    if (lists.sizes[i].known() != 1 || !moveOffset(op, builder, lists, i)) continue;
    for (Entries* entries : {&lists.offsets, &lists.sizes, &lists.strides})
      entries->erase(entries->begin() + static_cast<std::ptrdiff_t>(i));
  }
}

void padInFront(Entries& entries, int64_t value) {
  while (entries.size() < kNumDims)
    entries.insert(entries.begin(), constantEntry(value));
}

/// Four entries each.
LogicalResult readLists(Operation& op, Builder& builder, const air::Access& access, Lists& lists) {
  lists = {access.offsets, access.sizes, access.strides};
  Type type = access.memref.type();
  if (lists.sizes.empty() && failed(readWhole(op, type, lists))) return failure();
  if (lists.sizes.size() != lists.strides.size())
    return op.emitOpError() << "not supported: " << lists.sizes.size() << " sizes with "
                            << lists.strides.size() << " strides";
  if (lists.offsets.empty()) lists.offsets.assign(lists.sizes.size(), constantEntry(0));
  if (lists.offsets.size() != lists.sizes.size() &&
      failed(readCoordinates(op, builder, type, lists)))
    return failure();
  dropUnitDims(op, builder, lists);
  if (lists.sizes.size() > kNumDims)
    return op.emitOpError() << "not supported: a transfer of " << lists.sizes.size()
                            << " dimensions; the host knows " << kNumDims;
  padInFront(lists.offsets, 0);
  padInFront(lists.sizes, 1);
  padInFront(lists.strides, 0);
  return success();
}

// -- Words ----------------------------------------------------------------------------------------

/// The memory that a memref is a part of, seen from outside of launches and segments, which take theirs as
/// arguments.
Value wholeMemory(Value memref) {
  for (Value source = air::bufferSource(memref);; source = air::bufferSource(source)) {
    air::HierarchyOp holder = source.isBlockArgument()
                                  ? air::asHierarchy(source.parentBlock()->parentOp())
                                  : air::HierarchyOp();
    const unsigned first = holder ? 2 * holder.numDims() : 0;
    if (!holder || source.index() < first) return source;
    source = holder.kernelOperands()[source.index() - first];
  }
}

/// Whether the `elements` from the start of the lists are the last ones of their memory.
bool endsMemory(const air::Access& access, const Lists& lists, int64_t elements) {
  auto type = access.memref.type().cast<MemRefType>();
  auto memory = wholeMemory(access.memref).type().dynCast<MemRefType>();
  auto form = type.stridedForm();
  if (!memory || !memory.hasStaticShape() || !form || form->offset == kDynamic ||
      memory.elementType() != type.elementType())
    return false;
  int64_t end = form->offset + elements;
  for (size_t i = 0; i < kNumDims; ++i) {
    if (!lists.offsets[i].known() || !lists.strides[i].known()) return false;
    end += *lists.offsets[i].known() * *lists.strides[i].known();
  }
  return end == memory.numElements();
}

/// The elements after outer repetitions, if they are one after the other.
std::optional<int64_t> elementsOfRun(const Lists& lists, size_t first) {
  int64_t elements = 1;
  for (size_t i = kNumDims; i-- > first;) {
    auto size = lists.sizes[i].known(), stride = lists.strides[i].known();
    if (!size || !stride) return std::nullopt;
    if (*size != 1 && *stride != elements) return std::nullopt;
    elements *= *size;
  }
  return elements;
}

/// The rest of the last word is moved too, as on the tiles (../WholeWords.hpp): memory of the host
/// ends with a word. Each repetition is a transfer of its own. Other transfers of parts of words are
/// refused with their descriptor.
LogicalResult fillLastWord(air::ChannelAccessOp op, const air::Access& access, Lists& lists) {
  size_t first = 0;
  while (first + 1 < kNumDims &&
         (lists.sizes[first].known() == 1 || lists.strides[first].known() == 0))
    ++first;
  const auto elements = elementsOfRun(lists, first);
  const Type element = elementTypeOrSelf(access.memref.type());
  if (!elements || toWholeWords(*elements, element) == *elements) return success();
  if (!op.isPut() && !endsMemory(access, lists, *elements))
    return op->emitOpError() << "not supported: fills " << *elements << " elements of " << element
                             << ", which are not whole 32-bit words, in front of others";
  if (lists.offsets.back().known() == 0) lists.strides.back() = constantEntry(1);
  for (size_t i = first; i < kNumDims; ++i)
    lists.sizes[i] = constantEntry(1);
  lists.sizes.back() = constantEntry(toWholeWords(*elements, element));
  return success();
}

// -- airrt.dma_memcpy_nd --------------------------------------------------------------------------

Value toI64(Builder& builder, Location location, Value index) {
  if (!index) return builder.constant(location, builder.i64Attr(0));
  return builder.create(location, "arith.index_cast", {index}, {builder.intType(64)})->result();
}

/// Constants stand in the attribute, values among the operands.
int32_t addList(Builder& builder, OperationState& state, std::string_view name,
                const Entries& entries) {
  std::vector<int64_t> constants;
  int32_t dynamic = 0;
  for (const air::IndexEntry& entry : entries) {
    auto known = entry.known();
    constants.push_back(known.value_or(kDynamic));
    if (known) continue;
    state.operands.push_back(toI64(builder, state.location, entry.value));
    ++dynamic;
  }
  state.addAttribute(builder.context(), name, DenseArrayAttr::getI64(builder.context(), constants));
  return dynamic;
}

OperationState beginTransfer(Builder& builder, Operation& op, int64_t id, const HostScope& scope,
                             Value memref, const Lists& lists) {
  OperationState state(builder.context(), op.location(), "airrt.dma_memcpy_nd");
  state.operands.push_back(builder.constant(op.location(), builder.i32Attr(id)));
  for (size_t i = 0; i < 2; ++i)
    state.operands.push_back(
        toI64(builder, op.location(), i < scope.ids.size() ? scope.ids[i] : Value()));
  state.operands.push_back(memref);
  int32_t segments[] = {1, 1, 1, 1, 0, 0, 0};
  segments[4] = addList(builder, state, "static_offsets", lists.offsets);
  segments[5] = addList(builder, state, "static_lengths", lists.sizes);
  segments[6] = addList(builder, state, "static_strides", lists.strides);
  state.setOperandSegments(builder.context(), segments);
  if (air::AsyncOp(&op).token()) state.resultTypes.push_back(airrt::eventType(builder.context()));
  return state;
}

/// The place of a channel bundle as one number; none where an index is not constant.
std::optional<int64_t> placeOf(air::ChannelAccessOp op) {
  std::vector<int64_t> sizes = op.channel() ? op.channel().sizes() : std::vector<int64_t>();
  int64_t place = 0;
  for (unsigned i = 0; i < op.indices().size() && i < sizes.size(); ++i) {
    if (sizes[i] == 1) continue;  // of one place: also where the index is the id of a launch
    auto index = constantIntOf(op.indices()[i]);
    if (!index) return std::nullopt;
    place = place * sizes[i] + *index;
  }
  return place;
}

/// Of its channel; 0 when it is not known.
int64_t numPlaces(air::ChannelAccessOp op) {
  if (!op.channel()) return 0;
  int64_t places = 1;
  for (int64_t size : op.channel().sizes())
    places *= size;
  return places;
}

/// The shim channel of `op`: `metadata`, or the entry of `metadataArray` for its place of the
/// channel. Null when neither is there: no device takes part.
LogicalResult findMetadata(air::ChannelAccessOp op, SymbolRefAttr& metadata) {
  metadata = op->attrOf<SymbolRefAttr>("metadata");
  auto array = op->attrOf<ArrayAttr>("metadataArray");
  if (metadata || !array) return success();
  auto place = placeOf(op);
  if (!place)
    return op->emitOpError() << "not supported: a place of a channel that is not constant";
  // A list of all places has them in order; `index` counts the shim channels then. Else it is the place.
  const bool isWhole = static_cast<int64_t>(array.size()) == numPlaces(op);
  for (size_t i = 0; i < array.size(); ++i) {
    auto named = array[i].dynCast<DictionaryAttr>();
    auto base = named ? named.get("base").dynCast<StringAttr>() : StringAttr();
    auto index = named ? constantInt(named.get("index")) : std::nullopt;
    if (isWhole) index = static_cast<int64_t>(i);
    if (!base || index != place) continue;
    metadata = SymbolRefAttr::get(op->context(), base.value());
    return success();
  }
  return op->emitOpError() << "no entry of metadataArray is for place " << *place
                           << " of the channel";
}

}  // namespace

// -- What the module says -------------------------------------------------------------------------

HostChannels::HostChannels(Operation& module) {
  module.walkWith([&](Operation& op) {
    if (isa<aie::DeviceOp>(&op)) devices_[std::string(symbolName(op))] = &op;
    if (isa<aie::ShimDmaAllocationOp>(&op)) {
      aie::ShimDmaAllocationOp shim(&op);
      takes_[std::string(shim.name())] = shim.channel().direction == aie::Direction::S2MM;
    }
    if (isa<aie::LockOp>(&op)) hasHerdLocks_ |= symbolName(op).starts_with("__air_herd_lock_");
    bool isPut = isa<air::ChannelPutOp>(&op);
    if (!isPut && !isa<air::ChannelGetOp>(&op)) return WalkResult::Advance;
    air::ChannelAccessOp access(&op);
    auto id = constantInt(op.attr("id"));
    if (id && isOnTiles(access)) ids_[isPut].try_emplace(std::string(access.channelName()), *id);
    return WalkResult::Advance;
  });
}

int64_t HostChannels::otherEnd(air::ChannelAccessOp op) const {
  const auto& ids = ids_[!op.isPut()];
  auto found = ids.find(std::string(op.channelName()));
  return found != ids.end() ? found->second : constantInt(op->attr("id")).value_or(0);
}

bool HostChannels::takesFromDevice(std::string_view name) const {
  auto found = takes_.find(std::string(name));
  return found != takes_.end() && found->second;
}

// -- Transfers
// --------------------------------------------------------------------------------------

namespace {

/// Of the memory side of a put or get.
void setList(Operation& op, std::string_view name, const Entries& entries) {
  const std::string side = isa<air::ChannelPutOp>(&op) ? "src_" : "dst_";
  std::vector<int64_t> constants;
  std::vector<Value> values;
  for (const air::IndexEntry& entry : entries) {
    constants.push_back(entry.value ? kDynamic : entry.constant);
    if (entry.value) values.push_back(entry.value);
  }
  op.setAttr("static_" + side + std::string(name), DenseArrayAttr::getI64(op.context(), constants));
  op.setOperandGroup(static_cast<unsigned>(op.def().operandIndex(side + std::string(name))),
                     values);
}

}  // namespace

Operation* loopOverTransfer(air::ChannelAccessOp op) {
  const air::Access access = op.access();
  const auto isLong = [](const air::IndexEntry& size) { return size.known() != 1; };
  const auto first = std::ranges::find_if(access.sizes, isLong);
  if (std::ranges::count_if(access.sizes, isLong) <= kNumDims ||
      access.offsets.size() != access.sizes.size() || !first->known())
    return nullptr;
  const auto dim = static_cast<size_t>(first - access.sizes.begin());
  const Location location = op->location();
  Builder builder = Builder::before(*op.op());
  std::vector<Value> tokens;
  if (op.token())
    tokens.push_back(createWait(builder, location, op.dependencies().vec(), true)->result());
  auto loop = scf::ForOp::create(builder, location, builder.constantIndex(location, 0),
                                 builder.constantIndex(location, *first->known()),
                                 builder.constantIndex(location, 1), tokens);
  Builder inside =
      tokens.empty() ? Builder::before(loop.body().back()) : Builder::atEnd(loop.body());
  Lists lists{access.offsets, access.sizes, access.strides};
  lists.sizes[dim] = constantEntry(1);
  lists.offsets[dim] =
      scaledSum(*op.op(), inside, {0, loop.inductionVar()}, 1, access.offsets[dim]);
  air::ChannelAccessOp part(inside.clone(*op.op()));
  setList(*part.op(), "offsets", lists.offsets);
  setList(*part.op(), "sizes", lists.sizes);
  if (!tokens.empty()) {
    part.setDependencies(std::vector<Value>{loop.regionIterArg(0)});
    inside.create(location, "scf.yield", {part.token()}, {});
    op.token().replaceAllUsesWith(loop->result(0));
  }
  op->erase();
  return loop.op();
}

Operation* createTransfer(air::ChannelAccessOp op, const HostScope& scope,
                          const HostChannels& channels) {
  Builder builder = Builder::before(*op.op());
  air::Access access = op.access();
  Lists lists;
  SymbolRefAttr metadata;
  if (failed(readLists(*op.op(), builder, access, lists)) || failed(findMetadata(op, metadata)) ||
      failed(fillLastWord(op, access, lists)))
    return nullptr;
  for (std::string_view attr : {"pad_before", "pad_after"})
    if (op->hasAttr(attr))
      return op->emitOpError() << "not supported: padding of L3 memory", nullptr;
  OperationState state =
      beginTransfer(builder, *op.op(), channels.otherEnd(op), scope, access.memref, lists);
  state.addAttribute(builder.context(), "chan_name",
                     SymbolRefAttr::get(builder.context(), op.channelName()));
  if (metadata) state.addAttribute(builder.context(), "metadata", metadata);
  for (std::string_view attr : kKeptAttrs)
    if (Attribute value = op->attr(attr)) state.addAttribute(builder.context(), attr, value);
  return builder.create(state);
}

Operation* createTransfer(air::DmaMemcpyNdOp op, const air::Access& access, Builder& builder,
                          const HostScope& scope) {
  Lists lists;
  if (failed(readLists(*op.op(), builder, access, lists))) return nullptr;
  int64_t id = constantInt(op->attr("id")).value_or(0);
  OperationState state = beginTransfer(builder, *op.op(), id, scope, access.memref, lists);
  return builder.create(state);
}

Operation* createCopy(air::DmaMemcpyNdOp op) {
  Builder builder = Builder::before(*op.op());
  air::Access dst = op.dst(), src = op.src();
  bool isLoad = air::memoryLevel(src.memref.type()) == air::MemoryLevel::L3;
  const air::Access& strided = isLoad ? src : dst;
  if (!(isLoad ? dst : src).isWhole())
    return op->emitOpError() << "not supported: a copy of a part of L2 memory", nullptr;
  Lists lists;
  if (failed(readLists(*op.op(), builder, strided, lists))) return nullptr;
  OperationState state(builder.context(), op->location(), "airrt.memcpy_nd");
  state.operands = {dst.memref, src.memref};
  for (const Entries* entries : {&lists.offsets, &lists.sizes, &lists.strides})
    for (const air::IndexEntry& entry : *entries)
      state.operands.push_back(
          entry.known() ? builder.constant(op->location(), builder.i64Attr(*entry.known()))
                        : toI64(builder, op->location(), entry.value));
  if (op.token()) state.resultTypes.push_back(airrt::eventType(builder.context()));
  return builder.create(state);
}

Operation* createWait(Builder builder, Location location, std::span<const Value> events,
                      bool hasResult) {
  std::vector<Type> types;
  if (hasResult) types.push_back(airrt::eventType(builder.context()));
  return builder.create(location, "airrt.wait_all", events, types);
}

}  // namespace airlite::npu
