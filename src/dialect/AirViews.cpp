// Accessors of the typed views of the air dialect.
#include "AirSyntax.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/ir/Symbols.hpp"

#include <algorithm>

namespace airlite::air {

std::optional<MemoryLevel> memoryLevel(Type memref) {
  Attribute space = memorySpaceOf(memref);
  if (!space) return MemoryLevel::L3;
  IntegerAttr number = space.dynCast<IntegerAttr>();
  if (!number || number.value() < 0 || number.value() > 2) return std::nullopt;
  return static_cast<MemoryLevel>(number.value());
}

std::string_view levelName(MemoryLevel level) {
  switch (level) {
    case MemoryLevel::L3: return "L3";
    case MemoryLevel::L2: return "L2";
    case MemoryLevel::L1: return "L1";
  }
  return "";
}

bool isTokenType(Type type) {
  DialectType own = type.dynCast<DialectType>();
  if (!own) return false;
  std::string_view name = own.name();
  return name == "air.async.token" || name == "air.token";
}

bool isAsyncOp(const Operation& op) { return op.hasTrait(Trait::AsyncOp); }

Value AsyncOp::token() const {
  bool has = op_->numResults() && isTokenType(op_->result(0).type());
  return has ? op_->result(0) : Value();
}

std::string_view HierarchyOp::symbol() const { return symbolName(*op_); }

/// `rank` has the universe between its dependencies and its sizes.
static unsigned groupShift(const Operation* op) { return isa<RankOp>(op) ? 1 : 0; }

OperandRange HierarchyOp::sizes() const { return op_->operandGroup(1 + groupShift(op_)); }
OperandRange HierarchyOp::kernelOperands() const { return op_->operandGroup(2 + groupShift(op_)); }
OperandRange HierarchyOp::affinity() const { return op_->operandGroup(3 + groupShift(op_)); }
OperandRange HierarchyOp::concurrency() const { return op_->operandGroup(4 + groupShift(op_)); }

Value HierarchyOp::tiedOperand(Value argument) const {
  if (argument.argumentBlock() != &body() || argument.index() < 2 * numDims()) return Value();
  return kernelOperands()[argument.index() - 2 * numDims()];
}

std::optional<std::vector<int64_t>> HierarchyOp::constantSizes() const {
  std::vector<int64_t> result;
  for (Value size : sizes()) {
    std::optional<int64_t> constant = constantIntOf(size);
    if (!constant) return std::nullopt;
    result.push_back(*constant);
  }
  return result;
}

Value RankOp::universe() const {
  OperandRange universe = op_->operandGroup(1u);
  return universe.empty() ? Value() : universe[0];
}

HierarchyOp asHierarchy(Operation* op) {
  return op && op->hasTrait(Trait::Hierarchy) ? HierarchyOp(op) : HierarchyOp();
}

Value bufferBefore(Value value) {
  Operation* op = value.definingOp();
  if (!op) return Value();
  if (op->hasTrait(Trait::ViewLike)) return op->operand(0);
  bool passedOn = isa<ExecuteOp>(op) && value.index() > 0;
  return passedOn ? ExecuteOp(op).body().back().operand(value.index() - 1) : Value();
}

Value bufferSource(Value value) {
  return memref::lastOfChain(value, [](Value inner) { return bufferBefore(inner); });
}

std::optional<int64_t> IndexEntry::known() const {
  return value ? constantIntOf(value) : std::optional<int64_t>(constant);
}

namespace {

/// The groups of an access stand one after the other.
void readValues(Operation& op, unsigned first, AccessParts& parts) {
  bool sized = op.hasTrait(Trait::AttrSizedOperandSegments);
  auto sizes = sized ? op.operandSegments().dynCast<DenseArrayAttr>() : DenseArrayAttr();
  std::span<const int64_t> counts = sizes ? sizes.values() : std::span<const int64_t>();
  OperandRange memref = op.operandGroup(first);
  parts.memref = memref[0];
  unsigned group = first, at = op.operandGroupBounds(first).first + memref.size();
  for (ListParts* list : {&parts.offsets, &parts.sizes, &parts.strides}) {
    ++group;
    int64_t left = op.numOperands() - at;
    bool isRight = group < counts.size() && counts[group] >= 0 && counts[group] <= left;
    list->values = isRight ? op.operands().slice(at, static_cast<unsigned>(counts[group]))
                           : op.operandGroup(group);
    at += list->values.size();
  }
}

/// Attributes are sorted, and so the three stand one after the other as a rule.
void readStatics(Operation& op, const AccessNames& names, AccessParts& parts) {
  std::span<const NamedAttribute> all = op.attributes().value();
  size_t at = 0;
  auto read = [&](std::string_view name, ListParts& list) {
    bool isNext = at > 0 && at < all.size() && all[at].name.str() == name;
    if (!isNext) {
      auto isIt = [&](const NamedAttribute& attr) {
        std::string_view own = attr.name.str();
        return own.size() == name.size() && own.back() == name.back() && own == name;
      };
      auto found = std::find_if(all.begin(), all.end(), isIt);
      if (found == all.end()) return;
      at = static_cast<size_t>(found - all.begin());
    }
    list.statics = all[at++].value.dynCast<DenseArrayAttr>();
  };
  read(names.offsets.statics, parts.offsets);
  read(names.sizes.statics, parts.sizes);
  read(names.strides.statics, parts.strides);
}

std::vector<IndexEntry> entriesOf(const ListParts& list) {
  std::vector<IndexEntry> result;
  result.reserve(std::max<size_t>(list.values.size(), list.entries().size()));
  unsigned next = 0;
  for (int64_t constant : list.entries()) {
    bool dynamic = constant == kDynamic && next < list.values.size();
    result.push_back(dynamic ? IndexEntry{0, list.values[next++]} : IndexEntry{constant, Value()});
  }
  // Without the static list (generic form of older tools) every entry is a value.
  for (; next < list.values.size(); ++next)
    result.push_back({0, list.values[next]});
  return result;
}

Access accessOf(Operation* op, const AccessNames& names) {
  AccessParts parts = partsOf(*op, names);
  return {parts.memref, entriesOf(parts.offsets), entriesOf(parts.sizes), entriesOf(parts.strides)};
}

}  // namespace

AccessParts partsOf(Operation& op, const AccessNames& names) {
  AccessParts parts;
  readValues(op, firstGroupOf(op, names), parts);
  readStatics(op, names, parts);
  return parts;
}

Access DmaMemcpyNdOp::dst() const { return accessOf(op_, kDst); }
Access DmaMemcpyNdOp::src() const { return accessOf(op_, kSrc); }

static std::vector<int64_t> integers(DenseArrayAttr attr) {
  if (!attr) return {};
  return std::vector<int64_t>(attr.values().begin(), attr.values().end());
}
std::vector<int64_t> DmaMemcpyNdOp::padBefore() const {
  return integers(op_->attrOf<DenseArrayAttr>("pad_before"));
}
std::vector<int64_t> DmaMemcpyNdOp::padAfter() const {
  return integers(op_->attrOf<DenseArrayAttr>("pad_after"));
}

static std::vector<int64_t> integers(ArrayAttr array) {
  std::vector<int64_t> result;
  for (Attribute element : array ? array.value() : std::span<const Attribute>())
    result.push_back(constantInt(element).value_or(0));
  return result;
}

std::string_view ChannelOp::symbol() const { return symbolName(*op_); }
std::vector<int64_t> ChannelOp::sizes() const { return integers(op_->attrOf<ArrayAttr>("size")); }

std::string_view ChannelOp::channelType() const {
  StringAttr type = op_->attrOf<StringAttr>("channel_type");
  return type ? type.value() : "npu_dma_stream";
}

std::string_view ChannelOp::canonicalType() const {
  std::string_view type = channelType();
  if (type == "dma_stream") return "npu_dma_stream";
  if (type == "dma_packet") return "npu_dma_packet";
  if (type == "cascade") return "npu_cascade";
  return type;
}

std::optional<std::vector<int64_t>> ChannelOp::broadcastShape() const {
  ArrayAttr shape = op_->attrOf<ArrayAttr>("broadcast_shape");
  if (!shape) return std::nullopt;
  return integers(shape);
}

int64_t ChannelOp::depth() const { return constantInt(op_->attr("depth")).value_or(1); }

bool ChannelAccessOp::isPut() const { return isa<ChannelPutOp>(op_); }

std::string_view ChannelAccessOp::channelName() const {
  SymbolRefAttr name = op_->attrOf<SymbolRefAttr>("chan_name");
  return name ? name.leaf() : std::string_view();
}

ChannelOp ChannelAccessOp::channel() const {
  SymbolRefAttr name = op_->attrOf<SymbolRefAttr>("chan_name");
  return name ? dynCast<ChannelOp>(lookupSymbol(op_, name)) : ChannelOp();
}

static bool isFixedIndex(Value index) {
  if (constantIntOf(index)) return true;
  Block* block = index.argumentBlock();
  Operation* owner = block && block->isEntry() ? block->parentOp() : nullptr;
  return owner && (asHierarchy(owner) || owner->hasTrait(Trait::Function));
}

bool hasFixedPlace(ChannelAccessOp op) {
  OperandRange indices = op.indices();
  return std::all_of(indices.begin(), indices.end(), isFixedIndex);
}

int64_t sendsOf(const Operation& put) {
  if (!isa<ChannelPutOp>(&put)) return 1;
  for (std::string_view name : {"air.refeed_count", "air.send_count"})
    if (auto count = put.attrOf<IntegerAttr>(name)) return std::max<int64_t>(count.value(), 1);
  return 1;
}

Access ChannelAccessOp::access() const { return accessOf(op_, isPut() ? kSrc : kDst); }

}  // namespace airlite::air
