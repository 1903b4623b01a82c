// Writing access lists into a program.
#include "AccessLists.hpp"

#include "airlite/dialect/Affine.hpp"
#include "airlite/ir/OpDef.hpp"

namespace airlite::air {

namespace {

// Operand groups of put and get after their dependencies, indices and memref.
constexpr unsigned kOffsetGroup = 3, kSizeGroup = 4, kStrideGroup = 5;

Block& isolatedBlock(Operation& user) {
  Block* block = user.block();
  while (!block->parentOp()->hasTrait(Trait::IsolatedFromAbove))
    block = block->parentOp()->block();
  return block->parent()->front();
}

Value toIndex(Value value, Builder& builder, Location location) {
  if (value.type().isIndex()) return value;
  return builder.create(location, "arith.index_cast", {value}, {builder.indexType()})->result();
}

/// As affine.apply of symbols and dims; null where a symbol of the sum may be neither.
Value affineSum(const analysis::LinearSum& sum, Builder& builder, Location location) {
  Context& context = builder.context();
  std::vector<Value> dims, symbols;
  AffineExpr expr = AffineExpr::constant(context, 0);
  for (const auto& [value, coefficient] : sum.terms) {
    if (!value.type().isIndex() || !affine::isValidDim(value)) return Value();
    bool isSymbol = affine::isValidSymbol(value);
    std::vector<Value>& operands = isSymbol ? symbols : dims;
    unsigned at = static_cast<unsigned>(operands.size());
    AffineExpr term = isSymbol ? AffineExpr::symbol(context, at) : AffineExpr::dim(context, at);
    expr = expr + term * coefficient;
    operands.push_back(value);
  }
  expr = expr + sum.constant;
  AffineMap map = AffineMap::get(context, static_cast<unsigned>(dims.size()),
                                 static_cast<unsigned>(symbols.size()), std::span(&expr, 1));
  dims.insert(dims.end(), symbols.begin(), symbols.end());
  return affine::ApplyOp::create(builder, location, {map, dims})->result();
}

Value arithSum(const analysis::LinearSum& sum, Operation& before, IndexConstants& constants) {
  Builder builder = Builder::before(before);
  Location location = before.location();
  Value total;
  auto add = [&](Value value) {
    total = !total
                ? value
                : builder.create(location, "arith.addi", {total, value}, {value.type()})->result();
  };
  for (const auto& [value, coefficient] : sum.terms) {
    Value term = toIndex(value, builder, location), factor = constants.get(before, coefficient);
    add(coefficient == 1
            ? term
            : builder.create(location, "arith.muli", {term, factor}, {term.type()})->result());
  }
  if (sum.constant != 0) add(constants.get(before, sum.constant));
  return total;
}

void setList(Operation& op, unsigned group, std::string_view statics,
             const std::vector<Value>& values) {
  std::vector<int64_t> dynamic(values.size(), kDynamic);
  op.setAttr(statics, DenseArrayAttr::getI64(op.context(), dynamic));
  op.setOperandGroup(group, values);
}

}  // namespace

Value IndexConstants::get(Operation& user, int64_t value) {
  Block& block = isolatedBlock(user);
  Value& known = known_[{&block, value}];
  if (!known) known = Builder::atStart(block).constantIndex(user.location(), value);
  return known;
}

Value materialize(const analysis::LinearSum& sum, Operation& before, IndexConstants& constants) {
  if (sum.isConstant()) return constants.get(before, sum.constant);
  Builder builder = Builder::before(before);
  const analysis::LinearSum::Term& first = sum.terms.front();
  if (sum.terms.size() == 1 && first.coefficient == 1 && sum.constant == 0)
    return toIndex(first.symbol, builder, before.location());
  Value value = affineSum(sum, builder, before.location());
  return value ? value : arithSum(sum, before, constants);
}

void writeAccessList(ChannelAccessOp op, const analysis::AccessList& list, Operation& before,
                     IndexConstants& constants) {
  std::vector<Value> offsets, sizes, strides;
  bool isWhole = list.isWhole();
  for (size_t i = 0; i < list.dims.size() && !isWhole; ++i) {
    const analysis::ListDim& dim = list.dims[i];
    offsets.push_back(dim.source ? dim.source : materialize(dim.offset, before, constants));
    sizes.push_back(constants.get(before, dim.size));
    strides.push_back(constants.get(before, dim.stride));
  }
  bool isPut = op.isPut();
  setList(*op, kOffsetGroup, isPut ? "static_src_offsets" : "static_dst_offsets", offsets);
  setList(*op, kSizeGroup, isPut ? "static_src_sizes" : "static_dst_sizes", sizes);
  setList(*op, kStrideGroup, isPut ? "static_src_strides" : "static_dst_strides", strides);
}

std::optional<int64_t> elementsOf(const Access& access) {
  int64_t elements = 1;
  if (access.isWhole()) {
    const auto type = access.memref.type().dynCast<MemRefType>();
    return type && type.hasStaticShape() ? std::optional(type.numElements()) : std::nullopt;
  }
  for (const IndexEntry& size : access.sizes) {
    if (!size.known() || __builtin_mul_overflow(elements, *size.known(), &elements))
      return std::nullopt;
  }
  return elements;
}

Operation* createDma(Builder& builder, Operation& near, const Access& dst, const Access& src,
                     bool keepsToken) {
  Context& context = builder.context();
  const AsyncOp async(&near);
  OperationState state(context, near.location(), "air.dma_memcpy_nd");
  state.addOperands(async.dependencies().vec());
  std::vector<int32_t> segments{static_cast<int32_t>(async.dependencies().size())};
  const auto addList = [&](const std::string& name, const std::vector<IndexEntry>& list) {
    std::vector<int64_t> statics;
    int32_t values = 0;
    for (const IndexEntry& entry : list) {
      statics.push_back(entry.value ? kDynamic : entry.constant);
      if (!entry.value) continue;
      state.operands.push_back(entry.value);
      ++values;
    }
    segments.push_back(values);
    state.addAttribute(context, name, DenseArrayAttr::getI64(context, statics));
  };
  const auto addSide = [&](const Access& access, const std::string& side) {
    state.operands.push_back(access.memref);
    segments.push_back(1);
    addList("static_" + side + "_offsets", access.offsets);
    addList("static_" + side + "_sizes", access.sizes);
    addList("static_" + side + "_strides", access.strides);
  };
  addSide(dst, "dst");
  addSide(src, "src");
  state.setOperandSegments(context, segments);
  if (const Value token = async.token(); token && keepsToken)
    state.resultTypes.push_back(token.type());
  return builder.insert(Operation::create(context, state));
}

}  // namespace airlite::air
