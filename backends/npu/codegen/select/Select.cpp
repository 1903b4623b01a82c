#include "Select.hpp"

#include "SelectCall.hpp"
#include "SelectExchange.hpp"
#include "SelectFloats.hpp"
#include "SelectInteger.hpp"
#include "SelectLanes.hpp"
#include "SelectLoop.hpp"
#include "SelectMatrix.hpp"
#include "SelectMemory.hpp"
#include "SelectPieces.hpp"
#include "SelectProducts.hpp"
#include "SelectVectorMemory.hpp"
#include "SelectWidths.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/npu/device/CoreOps.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <tuple>
#include <unordered_map>

namespace airlite::npu::codegen {
namespace {

/// The parts of the selection of one function. Each is given the parts that it uses.
class Selection {
 public:
  Selection(CoreState& state, MachineFunction& function)
      : emitter_(function),
        lanes_(emitter_, state),
        values_(emitter_, lanes_, state.surroundings),
        rows_(emitter_, values_, lanes_),
        pointers_(emitter_, values_),
        addressing_(emitter_, values_, pointers_),
        control_(emitter_, values_, pointers_, [this](Operation& op) { return selectOp(op); }),
        loops_(emitter_, values_, pointers_, control_),
        calls_(emitter_, values_, state),
        integers_(emitter_, values_),
        memory_(emitter_, values_, addressing_, state),
        exchange_(emitter_, values_, rows_, state.surroundings),
        vectorMemory_(emitter_, values_, rows_, addressing_, lateStores_),
        laneOps_(emitter_, values_, rows_),
        products_(emitter_, values_, rows_, lateStores_, laneOps_),
        floats_(emitter_, values_, rows_, lanes_, lateStores_),
        widths_(emitter_, values_, rows_, lanes_),
        pieces_(emitter_, values_, rows_, lanes_),
        matrix_(emitter_, values_, rows_) {}
  Selection(const Selection&) = delete;

  bool selectFunction(Operation& op);
  bool selectOp(Operation& op);
  /// The selector of this class.
  template <typename Selector> Selector& get() {
    return std::get<Selector&>(std::tie(control_, loops_, calls_, integers_, memory_, exchange_,
                                        vectorMemory_, laneOps_, products_, floats_, widths_,
                                        pieces_, matrix_));
  }

 private:
  Emitter emitter_;
  LaneConstants lanes_;
  Values values_;
  RowPlaces rows_;
  LoopPointers pointers_;
  Addressing addressing_;
  LateStores lateStores_;
  ControlSelector control_;
  LoopSelector loops_;
  CallSelector calls_;
  IntegerSelector integers_;
  MemorySelector memory_;
  ExchangeSelector exchange_;
  VectorMemorySelector vectorMemory_;
  LaneSelector laneOps_;
  ProductSelector products_;
  FloatSelector floats_;
  WidthSelector widths_;
  PieceSelector pieces_;
  MatrixSelector matrix_;
};

using Handler = bool (*)(Selection&, Operation&);

template <typename Selector>
Selector& selectorOf(Selection& selection, bool (Selector::*)(Operation&)) {
  return selection.get<Selector>();
}

/// Selects an op by a member of one of the selectors.
template <auto kMember> bool on(Selection& selection, Operation& op) {
  return (selectorOf(selection, kMember).*kMember)(op);
}

/// Who selects an op: one of scalars, and one with a vector among its operands and results. Null: no
/// core has it.
struct OpRow {
  std::string_view name;
  Handler onScalars, onVectors;

  constexpr OpRow(std::string_view name, Handler any) : OpRow(name, any, any) {}
  constexpr OpRow(std::string_view name, Handler onScalars, Handler onVectors)
      : name(name), onScalars(onScalars), onVectors(onVectors) {}
};

constexpr OpRow kOps[] = {
    {"cf.br", on<&ControlSelector::selectBranch>},
    {"cf.cond_br", on<&ControlSelector::selectCondBranch>},
    {"scf.for", on<&LoopSelector::selectFor>},
    {"scf.if", on<&ControlSelector::selectIf>},
    {"scf.while", on<&LoopSelector::selectWhile>},
    {"scf.execute_region", on<&ControlSelector::selectExecuteRegion>},
    {"scf.yield", on<&ControlSelector::selectYield>},
    {"scf.condition", on<&ControlSelector::selectYield>},
    {"aie.end", on<&ControlSelector::selectEnd>},
    {"aie.buffer", on<&ControlSelector::selectNothing>},
    {"aie.lock", on<&ControlSelector::selectNothing>},
    {"arith.constant", on<&ControlSelector::selectNothing>},
    {"func.call", on<&CallSelector::selectCall>},
    {"func.return", on<&CallSelector::selectReturn>},
    {"arith.addi", on<&IntegerSelector::selectAdd>, on<&ProductSelector::selectAddition>},
    {"arith.subi", on<&IntegerSelector::selectSub>, on<&LaneSelector::selectLanes>},
    {"arith.muli", on<&IntegerSelector::selectBinary>, on<&ProductSelector::selectProduct>},
    {"arith.andi", on<&IntegerSelector::selectBinary>, on<&LaneSelector::selectLanes>},
    {"arith.ori", on<&IntegerSelector::selectBinary>, on<&LaneSelector::selectLanes>},
    {"arith.xori", on<&IntegerSelector::selectBinary>, on<&LaneSelector::selectLanes>},
    {"arith.shli", on<&IntegerSelector::selectShift>, on<&WidthSelector::selectLaneShift>},
    {"arith.shrsi", on<&IntegerSelector::selectShift>, on<&WidthSelector::selectLaneShift>},
    {"arith.shrui", on<&IntegerSelector::selectShift>, on<&WidthSelector::selectLaneShift>},
    {"arith.divsi", on<&IntegerSelector::selectDivision>, nullptr},
    {"arith.divui", on<&IntegerSelector::selectDivision>, nullptr},
    {"arith.remsi", on<&IntegerSelector::selectDivision>, nullptr},
    {"arith.remui", on<&IntegerSelector::selectDivision>, nullptr},
    {"arith.cmpi", on<&IntegerSelector::selectCompare>, on<&LaneSelector::selectVectorCompare>},
    {"arith.select", on<&IntegerSelector::selectSelect>, on<&LaneSelector::selectVectorSelect>},
    {"arith.minsi", on<&IntegerSelector::selectMinMax>, on<&LaneSelector::selectLanes>},
    {"arith.maxsi", on<&IntegerSelector::selectMinMax>, on<&LaneSelector::selectLanes>},
    {"arith.minui", on<&IntegerSelector::selectMinMax>, on<&LaneSelector::selectUnsignedExtreme>},
    {"arith.maxui", on<&IntegerSelector::selectMinMax>, on<&LaneSelector::selectUnsignedExtreme>},
    {"math.ctlz", on<&IntegerSelector::selectLeadingZeros>, nullptr},
    {"arith.extsi", on<&IntegerSelector::selectExtend>, on<&WidthSelector::selectWiden>},
    {"arith.extui", on<&IntegerSelector::selectExtend>, on<&WidthSelector::selectWiden>},
    {"arith.index_cast", on<&IntegerSelector::selectExtend>, nullptr},
    {"arith.index_castui", on<&IntegerSelector::selectExtend>, nullptr},
    {"arith.trunci", on<&IntegerSelector::selectCopy>, on<&WidthSelector::selectNarrow>},
    {"arith.bitcast", on<&IntegerSelector::selectCopy>, on<&LaneSelector::selectLaneCast>},
    {"memref.load", on<&MemorySelector::selectLoad>, on<&VectorMemorySelector::selectVectorLoad>},
    {"memref.store", on<&MemorySelector::selectStore>,
     on<&VectorMemorySelector::selectVectorStore>},
    {"memref.get_global", on<&MemorySelector::selectGlobal>, nullptr},
    {"builtin.unrealized_conversion_cast", on<&MemorySelector::selectMemoryCast>, nullptr},
    {"aie.use_lock", on<&ExchangeSelector::selectLock>, nullptr},
    {"aie.get_stream", on<&ExchangeSelector::selectStream>, nullptr},
    {"vector.load", nullptr, on<&VectorMemorySelector::selectVectorLoad>},
    {"vector.store", nullptr, on<&VectorMemorySelector::selectVectorStore>},
    {"vector.broadcast", nullptr, on<&LaneSelector::selectBroadcast>},
    {"vector.contract", nullptr, on<&MatrixSelector::selectContract>},
    {"vector.shape_cast", nullptr, on<&MatrixSelector::selectShapeCast>},
    {"arith.addf", nullptr, on<&FloatSelector::selectFloatLanes>},
    {"arith.subf", nullptr, on<&FloatSelector::selectFloatLanes>},
    {"arith.mulf", nullptr, on<&FloatSelector::selectFloatLanes>},
    {"arith.maximumf", nullptr, on<&FloatSelector::selectFloatExtreme>},
    {"arith.minimumf", nullptr, on<&FloatSelector::selectFloatExtreme>},
    {"arith.extf", nullptr, on<&FloatSelector::selectFloatWidth>},
    {"arith.truncf", nullptr, on<&FloatSelector::selectFloatWidth>},
    {"math.fma", nullptr, on<&PieceSelector::selectFma>},
    {"math.exp2", nullptr, on<&FloatSelector::selectFunction>},
    {"math.tanh", nullptr, on<&FloatSelector::selectFunction>},
    {"vector.extract", nullptr, on<&LaneSelector::selectExtract>},
    {"vector.shuffle", nullptr, on<&WidthSelector::selectShuffle>},
    {"vector.extract_strided_slice", nullptr, on<&WidthSelector::selectSlice>},
    {"vector.bitcast", nullptr, on<&LaneSelector::selectLaneCast>},
    {"aievec.shift", nullptr, on<&WidthSelector::selectByteShift>},
    {"aie.get_cascade", nullptr, on<&ExchangeSelector::selectCascadeGet>},
    {"aie.put_cascade", nullptr, on<&ExchangeSelector::selectCascadePut>},
};

#ifndef __SANITIZE_ADDRESS__  // where no comparison of an address is a constant for GCC 12
/// Whether someone selects all that a core can do, on vectors and on scalars.
constexpr bool selectsAllCoreOps() {
  for (const CoreOp& op : core_ops::kRows) {
    const auto* row = std::ranges::find(kOps, op.name, &OpRow::name);
    if (row == std::end(kOps)) return false;
    const bool isOfVectors = op.values & CoreValue::kVectors;
    if (isOfVectors ? !row->onVectors : !row->onScalars) return false;
  }
  return true;
}

/// Whether nobody selects anything else; what a device declares may stand in a core, too.
constexpr bool selectsOnlyCoreOps() {
  return std::ranges::all_of(kOps, [](const OpRow& row) {
    return findCoreOp(row.name) || row.name == "aie.buffer" || row.name == "aie.lock";
  });
}

static_assert(selectsAllCoreOps(), "a row of CoreOps.hpp has no selector here");
static_assert(selectsOnlyCoreOps(), "an op here has no row in CoreOps.hpp");
#endif

Handler handlerOf(Operation& op) {
  static const auto kRows = [] {
    std::unordered_map<std::string_view, const OpRow*> rows;
    for (const OpRow& row : kOps)
      rows.emplace(row.name, &row);
    return rows;
  }();
  auto row = kRows.find(op.name());
  if (row == kRows.end()) return nullptr;
  return isVectorOp(op) ? row->second->onVectors : row->second->onScalars;
}

bool Selection::selectOp(Operation& op) {
  emitter_.setLocation(op.location());
  if (Handler handler = handlerOf(op)) return handler(*this, op);
  op.emitOpError() << "is nothing that a core can run; docs/npu_core_ir.md has what it can";
  return false;
}

bool Selection::selectFunction(Operation& op) {
  emitter_.enter(emitter_.newBlock());
  emitter_.setLocation(op.location());
  if (op.is("func.func") && !calls_.takeArguments(op)) return false;
  return control_.selectRegion(op.region()) && !values_.failed();
}

}  // namespace

bool selectFunction(CoreState& state, MachineFunction& function, Operation& op) {
  return Selection(state, function).selectFunction(op);
}

}  // namespace airlite::npu::codegen
