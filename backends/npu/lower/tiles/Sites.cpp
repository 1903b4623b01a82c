// Reading puts and gets.
#include "Sites.hpp"

#include "WholeWords.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <algorithm>

namespace airlite::npu {

namespace {

constexpr std::string_view kAsynchronous = "asynchronous";

/// What an outermost stride of zero repeats is one run several times: no descriptor steps by nothing.
void unrepeat(Site& site) {
  auto& dims = site.pattern.dims;
  auto first = std::ranges::find_if(dims, [](auto dim) { return dim.first != 1; });
  for (; first != dims.end() && first->first > 0 && first->second == 0; ++first) {
    site.sends *= first->first;
    site.pattern.length /= first->first;
    first->first = 1;
  }
}

/// Unit dimensions go, and what lies one after the other is one dimension.
void simplify(Pattern& pattern) {
  std::vector<std::pair<int64_t, int64_t>> dims;
  for (auto [size, stride] : pattern.dims) {
    if (size == 1) continue;
    bool joins = !dims.empty() && dims.back().second == size * stride;
    if (joins)
      dims.back() = {dims.back().first * size, stride};
    else
      dims.push_back({size, stride});
  }
  bool linear = dims.empty() || (dims.size() == 1 && dims[0].second == 1);
  pattern.dims = linear ? decltype(dims)() : dims;
}

/// Where the memory of a transfer ends, in its elements.
int64_t endOfMemory(const Site& site) {
  auto type = site.op.access().memref.type().cast<MemRefType>();
  if (!site.memory || site.memory->numResults() == 0) return type.numElements();
  auto whole = site.memory->result().type().dynCast<MemRefType>();
  bool isAlike = whole && whole.hasStaticShape() && whole.elementType() == type.elementType();
  return isAlike ? whole.numElements() : type.numElements();
}

/// A DMA moves words. After the last of consecutive small elements the rest of its word is moved
/// too, at all ends of the channel (WholeWords.hpp); no more than the end of the memory is
/// overwritten. Other patterns that are not whole words are refused with their descriptor.
LogicalResult fillLastWord(Site& site) {
  Pattern& pattern = site.pattern;
  auto type = site.op.access().memref.type().cast<MemRefType>();
  const int64_t more = toWholeWords(pattern.length, type.elementType()) - pattern.length;
  if (!pattern.dims.empty() || more == 0) return success();
  if (!site.isPut && pattern.offset + pattern.length != endOfMemory(site))
    return site.op->emitOpError() << "not supported: fills " << pattern.length << " elements of "
                                  << type.elementType()
                                  << ", which are not whole 32-bit words, in front of others";
  pattern.length += more;
  return success();
}

/// Zeros that a memory tile sends around what it reads. The length counts them.
LogicalResult readPads(Site& site) {
  auto before = site.op->attrOf<DenseArrayAttr>("pad_before"),
       after = site.op->attrOf<DenseArrayAttr>("pad_after");
  if (!before && !after) return unrepeat(site), simplify(site.pattern), fillLastWord(site);
  auto type = site.op.access().memref.type();
  if (!site.isPut || air::memoryLevel(type) != air::MemoryLevel::L2)
    return site.op->emitOpError() << "not supported: padding but of what a memory tile sends";
  Pattern& pattern = site.pattern;
  auto padOf = [&](DenseArrayAttr list, size_t i) { return list ? list.values()[i] : 0; };
  for (DenseArrayAttr list : {before, after})
    if (list && list.values().size() != pattern.dims.size())
      return site.op->emitOpError()
             << "pads " << list.values().size() << " of " << pattern.dims.size() << " dimensions";
  pattern.length = 1;
  for (size_t i = 0; i < pattern.dims.size(); ++i) {
    pattern.pads.push_back({padOf(before, i), padOf(after, i)});
    pattern.length *= pattern.dims[i].first + pattern.pads[i].first + pattern.pads[i].second;
  }
  return success();
}

LogicalResult readPattern(Site& site) {
  air::Access access = site.op.access();
  auto type = access.memref.type().cast<MemRefType>();
  auto offsets = constantsOf(access.offsets), sizes = constantsOf(access.sizes),
       strides = constantsOf(access.strides);
  if (!offsets || !sizes || !strides)
    return site.op->emitOpError()
           << "not supported: what is sent or filled changes from run to run of an asynchronous "
              "transfer (where all of its channel have one size, they go through a buffer)";
  auto form = type.stridedForm();
  if (!type.hasStaticShape() || !form || form->offset == kDynamic)
    return site.op->emitOpError() << "not supported: a transfer of " << type;
  if (sizes->empty()) {
    sizes->assign(type.shape().begin(), type.shape().end());
    strides = form->strides;
  }
  const std::vector<int64_t>& steps = offsets->size() == strides->size() ? *strides : form->strides;
  site.pattern.offset = form->offset;
  for (size_t i = 0; i < offsets->size(); ++i)
    site.pattern.offset += (*offsets)[i] * steps[i];
  site.pattern.length = 1;
  for (size_t i = 0; i < sizes->size(); ++i) {
    site.pattern.length *= (*sizes)[i];
    site.pattern.dims.push_back({(*sizes)[i], (*strides)[i]});
  }
  return readPads(site);
}

/// Which switch network, and what else is asked for.
LogicalResult readKind(Site& site) {
  Operation& op = *site.op.op();
  air::ChannelOp channel = site.op.channel();
  std::string_view type = channel.canonicalType();
  site.isPacket = type == "npu_dma_packet";
  if (!site.isPacket && type != "npu_dma_stream")
    return op.emitOpError() << "not supported: channels of type '" << channel.channelType() << "'";
  if (failed(checkRequests(op, op)) || failed(checkRequests(*channel.op(), op))) return failure();
  site.isOrdered = !isAsynchronous(op);
  if (auto count = op.attrOf<IntegerAttr>("air.refeed_count")) site.sends = count.value();
  if (site.sends < 1) return op.emitOpError() << "has air.refeed_count " << site.sends;
  return success();
}

}  // namespace

std::optional<std::pair<Pattern, Pattern>> Pattern::cutAt(int64_t elements) const {
  const auto [size, stride] = dims.empty() ? std::pair(length, int64_t{1}) : dims[0];
  if (!pads.empty() || size < 2) return std::nullopt;
  const int64_t inner = length / size;
  const int64_t count = std::clamp<int64_t>(elements / inner, 1, size - 1);
  auto part = [&, stride = stride](int64_t from, int64_t to) {
    Pattern some = *this;
    some.offset += from * stride;
    some.length = (to - from) * inner;
    if (!some.dims.empty()) some.dims[0].first = to - from;
    simplify(some);
    return some;
  };
  return std::pair(part(0, count), part(count, size));
}

int64_t Site::bytes() const {
  Type element = op.access().memref.type().cast<MemRefType>().elementType();
  return pattern.length * sends * aie::elementBytes(element).value_or(0);
}

void markAsynchronous(Operation& root) {
  root.walk([&](Operation& op) {
    bool isTransfer = isa<air::ChannelPutOp>(&op) || isa<air::ChannelGetOp>(&op);
    if (isTransfer && op.numResults() > 0) op.setAttr(kAsynchronous, UnitAttr::get(op.context()));
  });
}

bool isAsynchronous(const Operation& op) { return op.hasAttr(kAsynchronous); }

void moveToFirstUse(Operation& get, FunctionRef<bool(Operation&)> keeps) {
  Operation* memory = air::bufferSource(air::ChannelAccessOp(&get).access().memref).definingOp();
  auto isBarrier = [&](Operation& other) {
    bool found = other.hasTrait(Trait::Terminator);
    other.walk([&](Operation& inner) {
      found |= keeps(inner) || inner.is("aie.use_lock");  // the turn of the core ends there
      for (Value operand : inner.operands())
        found |=
            operand.type().isa<MemRefType>() && air::bufferSource(operand).definingOp() == memory;
    });
    return found;
  };
  Operation* before = get.next();
  while (!isBarrier(*before))
    before = before->next();
  if (before != get.next()) get.moveBefore(before);
}

std::optional<std::vector<int64_t>> constantsOf(const std::vector<air::IndexEntry>& list) {
  std::vector<int64_t> values;
  for (const air::IndexEntry& entry : list) {
    if (!entry.known()) return std::nullopt;
    values.push_back(*entry.known());
  }
  return values;
}

std::optional<ChannelPlace> placeOf(air::ChannelAccessOp op) {
  if (!op.channel()) return std::nullopt;
  ChannelPlace place{std::string(op.channelName()), {}};
  for (Value value : op.indices()) {
    std::optional<int64_t> index = constantIntOf(value);
    if (!index) return std::nullopt;
    place.index.push_back(*index);
  }
  return place;
}

LogicalResult readPlace(air::ChannelAccessOp op, ChannelPlace& place) {
  std::vector<int64_t> sizes = op.channel().sizes();
  place = {std::string(op.channelName()), std::vector<int64_t>(sizes.size())};
  for (unsigned i = 0; i < op.indices().size() && i < sizes.size(); ++i) {
    // All gets along a broadcast dimension hang on one put.
    if (sizes[i] == 1) continue;
    std::optional<int64_t> index = constantIntOf(op.indices()[i]);
    if (!index) return op->emitOpError() << "not supported: channel index " << i << " is not known";
    place.index[i] = *index;
  }
  return success();
}

LogicalResult readSite(Operation& op, Site& site) {
  site.op = air::ChannelAccessOp(&op);
  site.isPut = site.op.isPut();
  if (failed(air::checkChannelUse(site.op)) || failed(readKind(site))) return failure();
  site.memory = air::bufferSource(site.op.access().memref).definingOp();
  return success(succeeded(readPlace(site.op, site.place)) && succeeded(readPattern(site)));
}

}  // namespace airlite::npu
