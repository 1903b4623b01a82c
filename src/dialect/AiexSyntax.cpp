// Text of npu.dma_memcpy_nd, and the accessors of the typed views of the aiex dialect.
#include "AiexInternal.hpp"
#include "IndexLists.hpp"
#include "airlite/ir/Symbols.hpp"

namespace airlite::aiex {

namespace {

constexpr std::string_view kLists[] = {"static_offsets", "static_sizes", "static_strides"};

/// `%buffer[0, 0, 0, 0][1, 1, 32, 32][0, 0, 64, 1]` and an optional packet.
LogicalResult parseAccess(OpParser& parser, OperationState& state, UnresolvedOperand& buffer,
                          std::vector<UnresolvedOperand> (&entries)[3]) {
  if (failed(parser.parse("(")) || failed(parser.parseOperand(buffer))) return failure();
  for (size_t i = 0; i < 3; ++i) {
    std::vector<int64_t> statics;
    if (failed(parser.parseDynamicIndexList(entries[i], statics))) return failure();
    state.addAttribute(parser.context(), kLists[i],
                       DenseArrayAttr::getI64(parser.context(), statics));
  }
  if (!parser.parseOptional(",")) return parser.parse(")");
  Attribute packet;
  if (failed(parser.parseKeyword("packet")) || failed(parser.parse("=")) ||
      failed(parser.parseAttribute(packet)))
    return failure();
  state.addAttribute(parser.context(), "packet", packet);
  return parser.parse(")");
}

}  // namespace

LogicalResult parseMemcpy(OpParser& parser, OperationState& state) {
  UnresolvedOperand buffer;
  std::vector<UnresolvedOperand> entries[3];
  Type type;
  if (failed(parseAccess(parser, state, buffer, entries)) ||
      failed(parser.parseOptionalAttrDict(state.attributes)) ||
      failed(parser.parseColonType(type)) || failed(parser.resolve(buffer, type, state.operands)))
    return failure();
  Context& context = parser.context();
  int32_t segments[] = {1, 0, 0, 0};
  for (size_t i = 0; i < 3; ++i) {
    segments[i + 1] = static_cast<int32_t>(entries[i].size());
    if (failed(parser.resolve(entries[i], IntegerType::get(context, 64), state.operands)))
      return failure();
  }
  state.setOperandSegments(context, segments);
  return success();
}

void printMemcpy(OpPrinter& printer, Operation& op) {
  printer << '(' << op.operand(0);
  for (unsigned i = 0; i < 3; ++i)
    printIndexList(printer, op.operandGroup(kCopyOffsets + i),
                   op.attrOf<DenseArrayAttr>(kLists[i]));
  if (Attribute packet = op.attr("packet")) printer << ", packet = " << packet;
  printer << ')';
  printer.printOptionalAttrDict(op,
                                {"operandSegmentSizes", kLists[0], kLists[1], kLists[2], "packet"});
  printer << " : " << op.operand(0).type();
}

// -- Typed views --------------------------------------------------------------------------------

aie::ShimDmaAllocationOp ConfigureTaskOp::allocation() const {
  return dynCast<aie::ShimDmaAllocationOp>(lookupSymbol(op_, op_->attrOf<SymbolRefAttr>("alloc")));
}

aie::TileOp ConfigureTaskOp::tile() const {
  if (op_->is("aiex.dma_configure_task")) return aie::tileOf(op_->operand(0));
  aie::ShimDmaAllocationOp found = allocation();
  return found ? found.tile() : aie::TileOp();
}

std::optional<aie::Channel> ConfigureTaskOp::channel() const {
  if (!op_->is("aiex.dma_configure_task")) {
    aie::ShimDmaAllocationOp found = allocation();
    return found ? std::optional(found.channel()) : std::nullopt;
  }
  bool sends = aie::intAttr(*op_, "direction").value_or(0) == 1;
  return aie::Channel{sends ? aie::Direction::MM2S : aie::Direction::S2MM,
                      aie::intAttr(*op_, "channel").value_or(0)};
}

bool ConfigureTaskOp::issuesToken() const { return aie::flagAttr(*op_, "issue_token"); }

aie::MaybeStatic ConfigureTaskOp::repeatCount() const {
  OperandRange value = op_->operandGroup("repeat_count_val");
  if (!value.empty()) return {0, value[0]};
  return {aie::intAttr(*op_, "repeat_count").value_or(0), Value()};
}

std::vector<aie::DmaBdOp> ConfigureTaskOp::descriptors() const {
  if (op_->region().empty()) return {};
  return aie::bdChain(&op_->region().front());
}

ConfigureTaskOp taskOf(Value value) { return dynCast<ConfigureTaskOp>(value.definingOp()); }

}  // namespace airlite::aiex
