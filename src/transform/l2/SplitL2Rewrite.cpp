// Carrying out the splits of L2 buffers.
#include "SplitL2Rewrite.hpp"

#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "transform/dependency/TokenResults.hpp"

#include <algorithm>

namespace airlite::air {

namespace {

using analysis::AccessList;
using analysis::LinearReader;
using analysis::LinearSum;
using analysis::ListDim;
using Entries = std::vector<IndexEntry>;
using Values = std::vector<Value>;

constexpr unsigned kIndexGroup = 1, kMemrefGroup = 2, kOffsetGroup = 3, kSizeGroup = 4,
                   kStrideGroup = 5;

void setList(Operation& op, unsigned group, std::string_view name, const Entries& entries) {
  std::vector<int64_t> statics;
  Values values;
  for (const IndexEntry& entry : entries) {
    statics.push_back(entry.value ? kDynamic : entry.constant);
    if (entry.value) values.push_back(entry.value);
  }
  op.setAttr(name, DenseArrayAttr::getI64(op.context(), statics));
  op.setOperandGroup(group, values);
}

void setLists(Operation& op, const Entries& offsets, const Entries& sizes, const Entries& strides) {
  bool isPut = isa<ChannelPutOp>(&op);
  setList(op, kOffsetGroup, isPut ? "static_src_offsets" : "static_dst_offsets", offsets);
  setList(op, kSizeGroup, isPut ? "static_src_sizes" : "static_dst_sizes", sizes);
  setList(op, kStrideGroup, isPut ? "static_src_strides" : "static_dst_strides", strides);
}

MemRefType partType(const SplitPlan& plan) {
  std::vector<int64_t> shape(plan.type.shape().begin(), plan.type.shape().end());
  shape[plan.parts.dim] = plan.parts.size();
  return MemRefType::get(plan.type.context(), shape, plan.type.elementType(), plan.type.layout(),
                         plan.type.memorySpace());
}

/// The list as the op writes it, where it has the same number of entries.
Entries ownSizes(ChannelAccessOp op, const AccessList& list) {
  Access access = op.access();
  if (access.sizes.size() == list.dims.size()) return access.sizes;
  Entries sizes;
  for (const ListDim& dim : list.dims)
    sizes.push_back({dim.size, Value()});
  return sizes;
}

IndexEntry ownOffset(const ListDim& dim) {
  return dim.source ? IndexEntry{0, dim.source} : IndexEntry{dim.offset.constant, Value()};
}

}  // namespace

void BufferSplitter::replaceByParts(Operation& op, const std::vector<Operation*>& parts) {
  Values tokens;
  for (Operation* part : parts)
    if (Value token = AsyncOp(part).token()) tokens.push_back(token);
  Value token = isAsyncOp(op) ? AsyncOp(&op).token() : Value();
  if (token && token.hasUses()) token.replaceAllUsesWith(joinTokens(op, tokens, token.type()));
  op.erase();
}

// -- The buffer -----------------------------------------------------------------------------------

void BufferSplitter::makeParts(const SplitPlan& plan) {
  bool isInExecute = isa<ExecuteOp>(plan.alloc->parentOp());
  Operation& made = isInExecute ? *plan.alloc->parentOp() : *plan.alloc;
  std::vector<Operation*> copies;
  MemRefType type = partType(plan);
  for (int64_t part = 0; part < plan.parts.count(); ++part) {
    Operation* copy = Builder::before(made).clone(made);
    if (isInExecute) copy->region().front().front().result().setType(type);
    Value memref = copy->result(isInExecute ? 1 : 0);
    memref.setType(type);
    partsOf_[plan.alloc].push_back(memref);
    copies.push_back(copy);
  }
  if (Value token = isInExecute ? AsyncOp(&made).token() : Value(); token && token.hasUses()) {
    Values tokens;
    for (Operation* copy : copies)
      tokens.push_back(AsyncOp(copy).token());
    token.replaceAllUsesWith(joinTokens(made, tokens, token.type()));
  }
  for (Operation* dealloc : plan.deallocs) {
    std::vector<Operation*> frees;
    for (Value memref : partsOf_[plan.alloc]) {
      IRMapping mapping;
      mapping.map(plan.memref, memref);
      frees.push_back(Builder::before(*dealloc).clone(*dealloc, mapping));
    }
    if (isa<ExecuteOp>(dealloc)) {
      replaceByParts(*dealloc, frees);
    } else {
      dealloc->erase();
    }
  }
}

void BufferSplitter::eraseBuffer(const SplitPlan& plan) {
  bool isInExecute = isa<ExecuteOp>(plan.alloc->parentOp());
  (isInExecute ? plan.alloc->parentOp() : plan.alloc)->erase();
}

// -- Accesses -------------------------------------------------------------------------------------

/// Dimensions in front of the one that is split are nearer to each other in a part.
BufferSplitter::Entries BufferSplitter::stridesInPart(const SplitPlan& plan, const AccessList& list,
                                                      const ListUnits& units) {
  int64_t size = plan.type.shape()[plan.parts.dim];
  int64_t block = size * plan.type.stridedForm()->strides[plan.parts.dim];
  Entries strides;
  for (size_t k = 0; k < list.dims.size(); ++k) {
    int64_t stride = list.dims[k].stride;
    bool isOuter = units.dims[k] ? *units.dims[k] < plan.parts.dim : stride % block == 0;
    strides.push_back({isOuter ? stride / size * plan.parts.size() : stride, Value()});
  }
  return strides;
}

void BufferSplitter::splitNear(const SplitPlan& plan, const SpanningAccess& access,
                               const PartChannel& channel) {
  Operation& op = *access.op;
  ListUnits units = *unitsOf(access.list, plan.type);
  bool isFilledIn = access.op.access().sizes.size() != access.list.dims.size();
  Entries offsets, sizes = ownSizes(access.op, access.list);
  for (size_t k = 0; k < access.list.dims.size(); ++k) {
    offsets.push_back(ownOffset(access.list.dims[k]));
    if (!isFilledIn) continue;
    offsets[k] = {0, constants_.get(op, offsets[k].constant)};
    sizes[k] = {0, constants_.get(op, sizes[k].constant)};
  }
  offsets[access.listDim] = {0, Value()};
  sizes[access.listDim] = {0, constants_.get(op, plan.parts.size())};
  Entries strides = stridesInPart(plan, access.list, units);
  std::vector<Operation*> copies;
  for (int64_t place = 0; place < plan.parts.count() * plan.shares(); ++place) {
    const auto part = static_cast<size_t>(place / plan.shares()),
               share = static_cast<size_t>(place % plan.shares());
    Operation* copy = copyFor(op, channel, place);
    Entries begin = offsets, rows = sizes;
    if (!plan.cuts.empty()) {
      begin[0] = {0, shifted(offsets[0], plan.cuts[share], *copy)};
      rows[0] = {0, constants_.get(op, plan.cuts[share + 1] - plan.cuts[share])};
    }
    setLists(*copy, begin, rows, strides);
    copy->setOperandGroup(kMemrefGroup, std::span(&partsOf_[plan.alloc][part], 1));
    copies.push_back(copy);
  }
  replaceByParts(op, copies);
}

Operation* BufferSplitter::copyFor(Operation& op, const PartChannel& channel, int64_t part) {
  Operation* copy = Builder::before(op).clone(op);
  copy->setAttr("chan_name", SymbolRefAttr::get(op.context(), channel.name));
  Values indices{constants_.get(op, part)};
  for (Value index : ChannelAccessOp(&op).indices())
    indices.push_back(index);
  if (!channel.hasOldIndices) indices = {indices.front(), constants_.get(op, 0)};
  copy->setOperandGroup(kIndexGroup, indices);
  return copy;
}

void BufferSplitter::splitFar(const FarAccess& access, const SplitPlan& plan,
                              const PartChannel& channel) {
  const Parts& parts = plan.parts;
  Operation& op = *access.op;
  std::vector<Operation*> copies;
  auto constant = [&](int64_t value) { return IndexEntry{0, constants_.get(op, value)}; };
  for (int64_t place = 0; place < parts.count() * plan.shares(); ++place) {
    const auto part = static_cast<size_t>(place / plan.shares()),
               share = static_cast<size_t>(place % plan.shares());
    Entries offsets, sizes, strides;
    auto add = [&](IndexEntry offset, int64_t size, int64_t stride) {
      offsets.push_back(offset.value ? offset : constant(offset.constant));
      sizes.push_back(constant(size));
      strides.push_back(constant(stride));
    };
    Operation* copy = copyFor(op, channel, place);
    for (size_t k = 0; k < access.list.dims.size(); ++k) {
      const ListDim& dim = access.list.dims[k];
      if (k == 0 && !plan.cuts.empty()) {
        const int64_t size = plan.cuts[share + 1] - plan.cuts[share];
        add({0, shifted(ownOffset(dim), plan.cuts[share], *copy)}, size, dim.stride);
        continue;
      }
      if (k != access.listDim) {
        add(ownOffset(dim), dim.size, dim.stride);
        continue;
      }
      IndexEntry base{0, shifted(ownOffset(dim), parts.bases[part], *copy)};
      bool hasBlocks = parts.blocks > 1;
      if (hasBlocks && parts.width == 1) add(base, 1, dim.stride);
      if (hasBlocks) add({0, Value()}, parts.blocks, dim.stride * parts.gap);
      if (!hasBlocks || parts.width > 1) add(base, parts.width, dim.stride);
    }
    setLists(*copy, offsets, sizes, strides);
    copies.push_back(copy);
  }
  replaceByParts(op, copies);
}

/// offset + by, in front of `op`; a sum that an affine.apply computes gets one more summand where
/// it is computed.
Value BufferSplitter::shifted(const IndexEntry& offset, int64_t by, Operation& op) {
  if (std::optional<int64_t> constant = offset.known()) return constants_.get(op, *constant + by);
  Value value = offset.value;
  Operation* def = value.definingOp();
  if (def && isa<ExecuteOp>(def)) {
    Operation* inner = def->region().front().back().operand(value.index() - 1).definingOp();
    bool isAlone = inner && inner == &def->region().front().front();
    if (isAlone && isa<affine::ApplyOp>(inner)) {
      affine::Application sum = affine::ApplyOp(inner).application();
      AffineExpr expr = sum.map.result(0) + by;
      sum.map = AffineMap::get(op.context(), sum.map.numDims(), sum.map.numSymbols(),
                               std::span(&expr, 1));
      Builder builder = Builder::before(*def);
      return affine::ApplyOp::create(builder, op.location(), sum)->result();
    }
  }
  if (by == 0) return value;
  LinearSum sum{by, {{value, 1}}};
  return materialize(sum, op, constants_);
}

// -- Accesses to one part -------------------------------------------------------------------------

/// The offset of the list entry with steps of `unit` coordinates.
IndexEntry BufferSplitter::offsetInPart(const SplitPlan& plan, const LinearSum& sum, int64_t unit,
                                        int64_t base, Operation& op) {
  if (plan.parts.blocks > 1) return blockOffset(plan, sum, op);
  LinearSum inPart{(sum.constant - base) / unit, sum.terms};
  for (LinearSum::Term& term : inPart.terms)
    term.coefficient /= unit;
  if (inPart.isConstant()) return {inPart.constant, Value()};
  return {0, materialize(inPart, op, constants_)};
}

/// width * number of the block, which is the number of the iteration.
IndexEntry BufferSplitter::blockOffset(const SplitPlan& plan, const LinearSum& sum, Operation& op) {
  Value variable = sum.terms.front().symbol;
  LinearReader reader;
  auto range = *reader.rangeOf(variable);
  AffineExpr expr = AffineExpr::dim(op.context(), 0) - range.lower;
  expr = expr.floorDiv(AffineExpr::constant(op.context(), range.step)) * plan.parts.width;
  AffineMap map = AffineMap::get(op.context(), 1, 0, std::span(&expr, 1));
  Builder builder = Builder::before(op);
  Value index =
      variable.type().isIndex()
          ? variable
          : builder.create(op.location(), "arith.index_cast", {variable}, {builder.indexType()})
                ->result();
  Operation* apply = affine::ApplyOp::create(builder, op.location(), {map, {index}}).op();
  if (index == variable) blockOffsets_.push_back({variable, apply});
  return {0, apply->result()};
}

void BufferSplitter::moveToPart(const SplitPlan& plan, const LocalAccess& access) {
  Operation& op = *access.op;
  LinearReader reader(LinearReader::Reach::Body);
  AccessList list = *readAccessList(access.op.access(), reader);
  ListUnits units = *unitsOf(list, plan.type);
  int64_t base = plan.parts.bases[access.part];
  LinearSum sum;
  std::optional<size_t> entry;  // that the offset of the dimension goes to: of the smallest unit
  Entries offsets, sizes = ownSizes(access.op, list), strides = stridesInPart(plan, list, units);
  for (size_t k = 0; k < list.dims.size(); ++k) {
    offsets.push_back(ownOffset(list.dims[k]));
    if (units.dims[k] != plan.parts.dim) continue;
    (void)sum.add(list.dims[k].offset, units.units[k]);
    if (list.dims[k].offset != LinearSum()) offsets[k] = {0, Value()};
    if (!entry || units.units[k] < units.units[*entry]) entry = k;
  }
  auto divides = [&](int64_t number) { return number % units.units[*entry] == 0; };
  bool fits = entry && divides(sum.constant - base) &&
              std::all_of(sum.terms.begin(), sum.terms.end(),
                          [&](const LinearSum::Term& term) { return divides(term.coefficient); });
  if (plan.parts.blocks > 1) fits = entry && units.units[*entry] == 1;
  LinearSum rest{sum.constant - base, sum.terms};
  if (fits) {
    // Already right as it is written.
    bool isSame = base == 0 && !sum.isConstant() && plan.parts.blocks == 1 &&
                  units.units[*entry] == 1 && list.dims[*entry].offset == sum &&
                  list.dims[*entry].source;
    offsets[*entry] = isSame ? ownOffset(list.dims[*entry])
                             : offsetInPart(plan, sum, units.units[*entry], base, op);
  } else if (rest != LinearSum() || plan.parts.blocks > 1) {
    offsets.insert(offsets.begin(), offsetInPart(plan, sum, 1, base, op));
    sizes.insert(sizes.begin(), {1, Value()});
    strides.insert(strides.begin(), {plan.type.stridedForm()->strides[plan.parts.dim], Value()});
  }
  setLists(op, offsets, sizes, strides);
  op.setOperandGroup(kMemrefGroup, std::span(&partsOf_[plan.alloc][access.part], 1));
}

void BufferSplitter::tidyLoops() {
  std::unordered_map<Value, std::vector<Operation*>> offsets;
  for (auto [variable, apply] : blockOffsets_)
    offsets[variable].push_back(apply);
  for (auto [variable, apply] : blockOffsets_) {
    std::vector<Operation*>& users = offsets[variable];
    scf::ForOp loop = dynCast<scf::ForOp>(variable.argumentBlock()->parentOp());
    // Old sums that nobody asks for any more.
    std::vector<Operation*> dead;
    for (OpOperand& use : variable.uses())
      if (isPure(*use.owner()) && !use.owner()->hasResultUses()) dead.push_back(use.owner());
    for (Operation* op : dead)
      op->erase();
    size_t uses = 0;
    for ([[maybe_unused]] OpOperand& use : variable.uses())
      ++uses;
    if (!loop || users.empty() || uses != users.size()) continue;
    LinearReader reader;
    int64_t trips = reader.rangeOf(variable)->count;
    loop->setOperand(0, constants_.get(*loop, 0));
    loop->setOperand(1, constants_.get(*loop, trips));
    loop->setOperand(2, constants_.get(*loop, 1));
    for (Operation* user : users) {
      affine::Application sum = affine::ApplyOp(user).application();
      AffineExpr width = sum.map.result(0);
      int64_t factor = width.kind() == AffineKind::Mul ? *width.rhs().constantValue() : 1;
      Value value = materialize({0, {{variable, factor}}}, *user, constants_);
      user->result().replaceAllUsesWith(value);
      user->erase();
    }
    users.clear();
  }
}

}  // namespace airlite::air
