// Which transfers are shortened and padded at the end of a launch.
#include "PaddingPlan.hpp"

#include "airlite/analysis/Access.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Builder.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace airlite::air {

using analysis::LinearSum;
using memref::MixedIndex;

// -- Tiles ----------------------------------------------------------------------------------------

std::vector<Tiling> tilingsOf(LaunchOp launch, std::string_view& why) {
  auto actual = launch->attrOf<DenseArrayAttr>("air.actual_sizes");
  std::optional<std::vector<int64_t>> grid = launch.constantSizes();
  if (!grid) why = "the launch has no constant sizes";
  if (!actual || !grid) return {};
  analysis::LinearReader reader;
  std::vector<std::set<int64_t>> factors(grid->size());  // what each id is multiplied with
  launch->walk([&](Operation& op) {
    if (!op.is("arith.muli") && !op.is("affine.apply")) return;
    const LinearSum& sum = reader.read(op.result());
    if (sum.terms.size() != 1 || sum.constant != 0) return;
    for (unsigned i = 0; i < factors.size(); ++i)
      if (sum.terms[0].symbol == launch.id(i)) factors[i].insert(sum.terms[0].coefficient);
  });
  std::vector<Tiling> tilings;
  for (unsigned i = 0; i < grid->size(); ++i) {
    int64_t count = (*grid)[i], wanted = i < actual.size() ? actual.values()[i] : 0;
    Tiling& tiling = tilings.emplace_back(Tiling{count, 1, 1});
    if (wanted <= 0 || count <= 0) continue;
    // So many tiles of that size just cover what is wanted.
    std::erase_if(factors[i], [&](int64_t size) {
      return size <= 0 || wanted / size + (wanted % size != 0) != count;
    });
    if (factors[i].empty() && wanted % count == 0) continue;  // no tile is smaller than others
    if (factors[i].size() != 1) {
      why = "the size of its tiles is not known";
      return {};
    }
    tiling.size = *factors[i].begin();
    tiling.rest = wanted - (count - 1) * tiling.size;
  }
  return tilings;
}

std::vector<Operation*> transfersOf(Operation& launch) {
  std::vector<Operation*> transfers;
  launch.walk([&](Operation& op) {
    if (isa<DmaMemcpyNdOp>(&op) || isa<ChannelPutOp>(&op) || isa<ChannelGetOp>(&op))
      transfers.push_back(&op);
  });
  return transfers;
}

// -- Planning -------------------------------------------------------------------------------------

namespace {

using Numbers = std::vector<int64_t>;

/// What a transfer can add after a dimension.
constexpr int64_t kMostPadding = 65535;

std::optional<Numbers> constants(const std::vector<IndexEntry>& entries) {
  Numbers numbers;
  for (const IndexEntry& entry : entries) {
    if (!entry.known()) return std::nullopt;
    numbers.push_back(*entry.known());
  }
  return numbers;
}

/// Shape of a row-major memref of known sizes; null for others.
std::optional<Numbers> shapeOf(Value memref) {
  auto type = memref.type().dynCast<MemRefType>();
  if (!type || !type.hasStaticShape() || !type.hasIdentityLayout()) return std::nullopt;
  return Numbers(type.shape().begin(), type.shape().end());
}

int64_t rowMajorStride(const Numbers& shape, unsigned dim) {
  int64_t stride = 1;
  for (size_t i = shape.size(); i > dim + 1; --i)
    stride *= shape[i - 1];
  return stride;
}

/// Of a list that moves a tile or a part of it: the dimension along the tile, how many elements of
/// it the list takes, and how many of these are there in the last tile.
struct Part {
  unsigned dim = 0;
  int64_t taken = 0, there = 0;
};

class Planner {
 public:
  Planner(LaunchOp launch, const std::vector<Tiling>& tilings, PadLocation where,
          PassContext& context)
      : launch_(launch), tilings_(tilings), where_(where), context_(context) {}

  std::vector<Cut> run();

 private:
  bool isAt(Value memref, MemoryLevel level) { return memoryLevel(memref.type()) == level; }
  static std::optional<Access> sourceOf(Operation& op);
  std::optional<Part> partOf(const Access& access, unsigned tiling, std::string_view& why);
  std::optional<LinearSum> addressOf(const Access& access);
  std::string keyOf(ChannelAccessOp op);
  void planTile(unsigned transfer, unsigned tiling, const Part& part, const Access& source);
  bool planFill(unsigned transfer, unsigned tiling, const Part& part, const Access& source);
  void planReads(Value buffer, unsigned tiling, unsigned dim, int64_t there);
  void planRead(unsigned transfer, unsigned tiling, const Access& access, const Numbers& shape,
                unsigned dim, int64_t there);
  void add(Cut cut);
  void remark(Operation& op, std::string_view why) { context_.remark(op, why); }

  LaunchOp launch_;
  const std::vector<Tiling>& tilings_;
  PadLocation where_;
  PassContext& context_;
  analysis::AccessReader reader_;
  std::vector<Operation*> transfers_;
  std::map<std::string, std::vector<unsigned>> gets_;               // by channel and place
  std::unordered_map<Value, std::vector<unsigned>> readsOfBuffer_;  // DMAs and puts
  std::map<std::tuple<unsigned, unsigned, bool, unsigned>, Cut> cuts_;
};

/// What a DMA or put takes its data from.
std::optional<Access> Planner::sourceOf(Operation& op) {
  if (isa<DmaMemcpyNdOp>(&op)) return DmaMemcpyNdOp(&op).src();
  return isa<ChannelPutOp>(&op) ? std::optional(ChannelAccessOp(&op).access()) : std::nullopt;
}

std::vector<Cut> Planner::run() {
  transfers_ = transfersOf(*launch_);
  for (unsigned t = 0; t < transfers_.size(); ++t) {
    if (isa<ChannelGetOp>(transfers_[t])) gets_[keyOf(ChannelAccessOp(transfers_[t]))].push_back(t);
    if (std::optional<Access> source = sourceOf(*transfers_[t]))
      if (Value buffer = reader_.bufferOf(source->memref).value)
        readsOfBuffer_[buffer].push_back(t);
  }
  for (unsigned t = 0; t < transfers_.size(); ++t) {
    std::optional<Access> source = sourceOf(*transfers_[t]);
    if (!source || !isAt(source->memref, MemoryLevel::L3)) continue;
    for (unsigned i = 0; i < tilings_.size(); ++i) {
      if (!tilings_[i].hasBoundary()) continue;
      std::string_view why;
      std::optional<Part> part = partOf(*source, i, why);
      if (!why.empty()) remark(*transfers_[t], why);
      if (part && part->there > 0 && part->there < part->taken) planTile(t, i, *part, *source);
    }
  }
  std::vector<Cut> cuts;
  for (auto& [key, cut] : cuts_)
    cuts.push_back(std::move(cut));
  return cuts;
}

/// Offset of the first element.
std::optional<LinearSum> Planner::addressOf(const Access& access) {
  LinearSum address;
  for (size_t k = 0; k < access.offsets.size(); ++k) {
    std::optional<int64_t> stride = access.strides[k].known();
    if (!stride) return std::nullopt;
    const IndexEntry& offset = access.offsets[k];
    LinearSum sum =
        offset.value ? reader_.indices().read(offset.value) : LinearSum{offset.constant, {}};
    if (!address.add(sum, *stride)) return std::nullopt;
  }
  return address;
}

/// Null when the list does not depend on the id, or, with `why`, when it is not known how.
std::optional<Part> Planner::partOf(const Access& access, unsigned tiling, std::string_view& why) {
  auto isOurs = [&](const LinearSum::Term& term) { return term.symbol == launch_.id(tiling); };
  bool depends = false;
  for (const IndexEntry& offset : access.offsets)
    if (offset.value)
      depends |= std::ranges::any_of(reader_.indices().read(offset.value).terms, isOurs);
  if (!depends) return std::nullopt;
  why = "it stays whole: its place in the tile is not known";
  std::optional<Numbers> sizes = constants(access.sizes), strides = constants(access.strides);
  if (!sizes || !strides || access.offsets.size() != sizes->size()) return std::nullopt;
  std::optional<LinearSum> address = addressOf(access);
  if (!address) return std::nullopt;
  auto term = std::ranges::find_if(address->terms, isOurs);
  if (term == address->terms.end()) return std::nullopt;
  const Tiling& tile = tilings_[tiling];
  // The id moves the list by a tile along one dimension, of which the list takes an even part.
  std::optional<unsigned> along;
  for (unsigned k = 0; k < sizes->size(); ++k) {
    int64_t stride = (*strides)[k];
    bool fits = stride > 0 && term->coefficient % stride == 0 &&
                term->coefficient / stride == tile.size && (*sizes)[k] > 1 &&
                tile.size % (*sizes)[k] == 0;
    if (fits && along) return std::nullopt;
    if (fits) along = k;
  }
  if (!along) return std::nullopt;
  // What else moves it must do so along other dimensions: in smaller steps, or by whole tiles.
  int64_t step = (*strides)[*along], span = step * tile.size;
  for (const LinearSum::Term& other : address->terms)
    if (!isOurs(other) && std::abs(other.coefficient) >= step && std::abs(other.coefficient) < span)
      return std::nullopt;
  if (address->constant < 0 || address->constant >= span) return std::nullopt;
  why = {};
  int64_t first = address->constant / step, taken = (*sizes)[*along];
  return Part{*along, taken, std::clamp<int64_t>(tile.rest - first, 0, taken)};
}

void Planner::planTile(unsigned transfer, unsigned tiling, const Part& part, const Access& source) {
  Operation& op = *transfers_[transfer];
  if (op.hasAttr("pad_before")) return remark(op, "it stays whole: it pads already");
  if (part.taken > kMostPadding) return remark(op, "it stays whole: too many zeros to add");
  if (where_ == PadLocation::Source)
    return add({transfer, tiling, false, part.dim, part.there, part.taken - part.there, {}});
  if (planFill(transfer, tiling, part, source))
    add({transfer, tiling, false, part.dim, part.there, 0, {}});
  else
    remark(op, "it stays whole: it does not fill buffers in L2 of its own shape");
}

/// Channel and place, where the place is constant.
std::string Planner::keyOf(ChannelAccessOp op) {
  std::string key(op.channelName());
  for (Value index : op.indices()) {
    const LinearSum& sum = reader_.indices().read(index);
    key += sum.isConstant() ? "," + std::to_string(sum.constant) : ",?";
  }
  return key;
}

/// Shortens what fills buffers in L2 and pads what reads these. False: nothing was done.
bool Planner::planFill(unsigned transfer, unsigned tiling, const Part& part, const Access& source) {
  struct Fill {
    unsigned transfer;
    Access access;
  };
  std::vector<Fill> fills;
  Operation& op = *transfers_[transfer];
  if (isa<DmaMemcpyNdOp>(&op)) {
    fills.push_back({transfer, DmaMemcpyNdOp(&op).dst()});
  } else {
    std::string key = keyOf(ChannelAccessOp(&op));
    if (key.find('?') != std::string::npos) return false;
    for (unsigned get : gets_[key])
      fills.push_back({get, ChannelAccessOp(transfers_[get]).access()});
  }
  std::optional<Numbers> sizes = constants(source.sizes);
  for (const Fill& fill : fills) {
    bool isWhole = isAt(fill.access.memref, MemoryLevel::L2) && fill.access.isWhole();
    if (!isWhole || shapeOf(fill.access.memref) != sizes) return false;
    if (transfers_[fill.transfer]->hasAttr("pad_before")) return false;
  }
  for (const Fill& fill : fills) {
    add({fill.transfer, tiling, true, part.dim, part.there, 0, *sizes});
    planReads(reader_.bufferOf(fill.access.memref).value, tiling, part.dim, part.there);
  }
  return !fills.empty();
}

/// All that read the buffer get zeros for what is not in it.
void Planner::planReads(Value buffer, unsigned tiling, unsigned dim, int64_t there) {
  if (!buffer) return;
  for (unsigned read : readsOfBuffer_[buffer]) {
    std::optional<Access> access = sourceOf(*transfers_[read]);
    std::optional<Numbers> shape = shapeOf(access->memref);
    if (shape && !transfers_[read]->hasAttr("pad_before"))
      planRead(read, tiling, *access, *shape, dim, there);
    else
      remark(*transfers_[read], "it gets no padding: its lists do not follow the buffer");
  }
}

void Planner::planRead(unsigned transfer, unsigned tiling, const Access& access,
                       const Numbers& shape, unsigned dim, int64_t there) {
  if (access.isWhole())
    return add({transfer, tiling, false, dim, there, shape[dim] - there, shape});
  std::optional<Numbers> sizes = constants(access.sizes), strides = constants(access.strides);
  std::optional<LinearSum> address =
      access.offsets.size() == access.strides.size() ? addressOf(access) : std::nullopt;
  Operation& op = *transfers_[transfer];
  if (!sizes || !strides || !address || !address->isConstant())
    return remark(op, "it gets no padding: its lists are not constant");
  // The outermost dimension of the lists that runs along this one of the buffer, in blocks.
  int64_t unit = rowMajorStride(shape, dim), span = unit * shape[dim];
  std::optional<unsigned> along;
  for (unsigned k = 0; k < strides->size(); ++k)
    if ((*sizes)[k] > 1 && (*strides)[k] >= unit && (*strides)[k] < span &&
        (*strides)[k] % unit == 0 && (!along || (*strides)[k] > (*strides)[*along]))
      along = k;
  if (!along) return;
  int64_t block = (*strides)[*along] / unit, blocks = (*sizes)[*along];
  int64_t first = address->constant % span / unit;
  int64_t rows = std::clamp<int64_t>(there - first, 0, block * blocks);
  int64_t kept = (rows + block - 1) / block;
  if (kept == 0 || kept == blocks) return;
  add({transfer, tiling, false, *along, kept, blocks - kept, {}});
}

void Planner::add(Cut cut) {
  std::tuple key(cut.transfer, cut.tiling, cut.ofDst, cut.dim);
  cuts_.emplace(key, std::move(cut));
}

// -- Applying -------------------------------------------------------------------------------------

void setList(Operation& op, const std::string& name, const std::vector<MixedIndex>& list) {
  std::vector<int64_t> statics;
  std::vector<Value> values;
  memref::splitMixed(list, statics, values);
  op.setAttr("static_" + name, DenseArrayAttr::getI64(op.context(), statics));
  op.setOperandGroup(static_cast<unsigned>(op.def().operandIndex(name)), values);
}

/// Empty lists, as they would be written for a row-major memref of this shape.
void writeLists(Operation& op, const std::string& side, const Numbers& shape) {
  Builder builder = Builder::before(op);
  std::vector<MixedIndex> offsets, sizes, strides;
  for (unsigned k = 0; k < shape.size(); ++k) {
    offsets.push_back(builder.constantIndex(op.location(), 0));
    sizes.push_back(builder.constantIndex(op.location(), shape[k]));
    strides.push_back(builder.constantIndex(op.location(), rowMajorStride(shape, k)));
  }
  setList(op, side + "_offsets", offsets);
  setList(op, side + "_sizes", sizes);
  setList(op, side + "_strides", strides);
}

Access accessOf(Operation& op, bool ofDst) {
  if (!isa<DmaMemcpyNdOp>(&op)) return ChannelAccessOp(&op).access();
  return ofDst ? DmaMemcpyNdOp(&op).dst() : DmaMemcpyNdOp(&op).src();
}

/// Zeros after dimension `dim` of `rank`.
void addPadding(Operation& op, size_t rank, unsigned dim, int64_t count) {
  std::vector<int32_t> before(rank, 0), after(rank, 0);
  if (auto known = op.attrOf<DenseArrayAttr>("pad_after"))
    std::transform(known.values().begin(), known.values().end(), after.begin(),
                   [](int64_t pad) { return static_cast<int32_t>(pad); });
  after[dim] += static_cast<int32_t>(count);
  op.setAttr("pad_before", DenseArrayAttr::getI32(op.context(), before));
  op.setAttr("pad_after", DenseArrayAttr::getI32(op.context(), after));
}

}  // namespace

std::vector<Cut> planCuts(LaunchOp launch, const std::vector<Tiling>& tilings, PadLocation where,
                          PassContext& context) {
  return Planner(launch, tilings, where, context).run();
}

void applyCut(Operation& op, const Cut& cut) {
  std::string side = cut.ofDst ? "dst" : "src";
  bool writes = !cut.shape.empty() && accessOf(op, cut.ofDst).isWhole();
  if (writes) writeLists(op, side, cut.shape);
  std::vector<MixedIndex> sizes;
  for (const IndexEntry& entry : accessOf(op, cut.ofDst).sizes)
    sizes.push_back(entry.value ? MixedIndex(entry.value) : MixedIndex(entry.constant));
  // Written lists are of values, as those of programs are.
  sizes[cut.dim] = cut.shape.empty()
                       ? MixedIndex(cut.size)
                       : MixedIndex(Builder::before(op).constantIndex(op.location(), cut.size));
  setList(op, side + "_sizes", sizes);
  if (cut.pad > 0) addPadding(op, sizes.size(), cut.dim, cut.pad);
}

}  // namespace airlite::air
