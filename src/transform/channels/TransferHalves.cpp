// Puts and gets made from copies.
#include "TransferHalves.hpp"

#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Symbols.hpp"

namespace airlite::air {

// -- Channels -------------------------------------------------------------------------------------

ChannelMaker::ChannelMaker(Operation& module) : body_(module.region().front()) {
  module.walkWith([&](Operation& op) {
    if (std::string_view name = symbolName(op); !name.empty()) names_.emplace(name);
    return op.hasTrait(Trait::Function) ? WalkResult::Skip : WalkResult::Advance;
  });
  for (Operation& op : body_.ops()) {
    if (!isa<ChannelOp>(&op)) break;
    last_ = &op;
  }
}

static Attribute numbers(Builder& builder, std::span<const int64_t> values) {
  std::vector<Attribute> list;
  for (int64_t value : values)
    list.push_back(builder.i64Attr(value));
  return ArrayAttr::get(builder.context(), list);
}

std::string ChannelMaker::declare(Location location, std::span<const int64_t> sizes,
                                  std::span<const int64_t> broadcastShape) {
  std::string name;
  do
    name = "channel_" + std::to_string(next_++);
  while (!names_.insert(name).second);
  Builder builder = last_ ? Builder::after(*last_) : Builder::atStart(body_);
  OperationState state(builder.context(), location, "air.channel");
  state.addAttribute(builder.context(), kSymbolName, builder.stringAttr(name));
  state.addAttribute(builder.context(), "size", numbers(builder, sizes));
  if (!broadcastShape.empty())
    state.addAttribute(builder.context(), "broadcast_shape", numbers(builder, broadcastShape));
  last_ = builder.create(state);
  return name;
}

// -- Halves ---------------------------------------------------------------------------------------

static bool isStructure(std::string_view name) {
  return name == "operandSegmentSizes" || name == "id" || name == "broadcast_set" ||
         name == "broadcast_pattern" || name == "pad_before" || name == "pad_after" ||
         name.substr(0, 7) == "static_";
}

Operation* createHalf(Builder& builder, DmaMemcpyNdOp dma, bool isSource, const HalfPlace& place,
                      const IRMapping& mapping) {
  Context& context = builder.context();
  OperationState state(context, dma->location(), isSource ? "air.channel.put" : "air.channel.get");
  std::vector<int32_t> segments;
  auto add = [&](auto&& values) {
    size_t before = state.operands.size();
    for (Value value : values)
      state.operands.push_back(mapping.lookupOr(value));
    segments.push_back(static_cast<int32_t>(state.operands.size() - before));
  };
  state.addOperands(place.dependencies);
  segments.push_back(static_cast<int32_t>(place.dependencies.size()));
  state.addOperands(place.indices);
  segments.push_back(static_cast<int32_t>(place.indices.size()));
  std::string side = isSource ? "src" : "dst";
  add(dma->operandGroup(side));
  for (std::string_view list : {"_offsets", "_sizes", "_strides"}) {
    std::string name = side + std::string(list);
    add(dma->operandGroup(name));
    if (Attribute fixed = dma->attr("static_" + name))
      state.addAttribute(context, "static_" + name, fixed);
  }
  if (isSource) segments.push_back(0);
  state.setOperandSegments(context, segments);
  state.addAttribute(context, "chan_name", SymbolRefAttr::get(context, place.channel));
  for (NamedAttribute attr : dma->attributes().value())
    if (!isStructure(attr.name.str())) state.attributes.set(attr.name, attr.value);
  for (std::string_view padding : {"pad_before", "pad_after"})
    if (Attribute attr = isSource ? dma->attr(padding) : Attribute())
      state.addAttribute(context, padding, attr);
  if (place.tokenType) state.resultTypes.push_back(place.tokenType);
  return builder.insert(Operation::create(context, state));
}

}  // namespace airlite::air
