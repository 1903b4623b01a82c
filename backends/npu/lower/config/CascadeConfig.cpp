// Cascades: from which side a core takes its input and to which it gives its output.
// Source: docs/hardware/formats.md section 2, Accumulator_Control.
#include "DesignLayout.hpp"

namespace airlite::npu {
namespace {

constexpr uint32_t fromWest = 1, toEast = 2;  // else from the north, to the south

class Cascades {
 public:
  explicit Cascades(Layout& layout) : layout_(layout) {}

  LogicalResult run() {
    for (Operation& member : layout_.op.body().ops()) {
      if (member.is("aie.configure_cascade") && failed(readSides(member))) return failure();
      auto flow = dynCast<aie::CascadeFlowOp>(&member);
      if (flow && failed(readFlow(flow))) return failure();
    }
    return success();
  }

 private:
  LogicalResult readSides(Operation& op) {
    const auto side = [&](std::string_view attr) {
      return static_cast<aie::Bundle>(op.attrOf<IntegerAttr>(attr).value());
    };
    const Tile tile = layout_.tileOf(op);
    if (failed(set(op, tile, fromWest, side("inputDir") == aie::Bundle::West))) return failure();
    return set(op, tile, toEast, side("outputDir") == aie::Bundle::East);
  }

  LogicalResult readFlow(aie::CascadeFlowOp flow) {
    const Tile from = layout_.tiles.at(flow.source().op()), to = layout_.tiles.at(flow.dest().op());
    const bool isEast = to.column == from.column + 1 && to.row == from.row;
    const bool isSouth = to.column == from.column && to.row + 1 == from.row;
    if (!isEast && !isSouth)
      return flow->emitOpError() << "goes from " << name(from) << " to " << name(to)
                                 << ", but cascades go to the east and to the south";
    if (failed(set(*flow, from, toEast, isEast))) return failure();
    return set(*flow, to, fromWest, isEast);
  }

  LogicalResult set(Operation& op, Tile tile, uint32_t side, bool value) {
    auto [first, isNew] = set_.try_emplace({tile, side}, &op, value);
    auto& control = layout_.at(tile).cascadeControl;
    if (isNew) return control = control.value_or(0) | (value ? side : 0), success();
    if (first->second.second == value) return success();
    InFlightDiagnostic error = op.emitOpError();
    error << (side == toEast ? "sends the output of " : "takes the input of ") << name(tile)
          << (side == toEast ? " to another side" : " from another side");
    error.note(first->second.first->location()) << "than this";
    return error;
  }

  Layout& layout_;
  std::map<std::pair<Tile, uint32_t>, std::pair<Operation*, bool>> set_;
};

}  // namespace

LogicalResult setCascades(Layout& layout) { return Cascades(layout).run(); }

}  // namespace airlite::npu
