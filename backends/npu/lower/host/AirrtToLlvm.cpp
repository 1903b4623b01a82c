// airrt-to-llvm: what a host does to run an AIR program, as calls of a run time library.
//
// Matches the ops of the airrt dialect, as air-to-std leaves them for devices without a runtime sequence,
// whose transfers the run time finds by id and tile. Each becomes a call of a private function:
//
//   airrt.segment_load, herd_load     __airrt_segment_load(name), __airrt_herd_load(name)
//   airrt.alloc, dealloc of L2        __airrt_alloc_L2_2d1i32(elements), __airrt_dealloc_L2_2d1i32(memory)
//   airrt.dma_memcpy_nd               __airrt_dma_nd_memcpy_2d0i32(event, id, x, y, memory, 12 numbers)
//   airrt.memcpy_nd                   __airrt_nd_memcpy_2d1i32_2d0i32(event, to, from, 12 numbers)
//   airrt.wait_all                    __airrt_wait_all_1_2(events): events that it gives and takes
//
// `2d1i32` says rank, memory space and element of a memref, which goes with all sizes open. Events are
// pointers; a transfer that nothing waits for gets a null pointer, others a word to signal. What
// airrt.module_metadata says becomes constant data, `__airrt_module_descriptor`: for each segment its name and
// herds, for each herd its name and, by id, row and column, the location and channel of its transfers.
//
// The library is not a part of airlite, and nothing here runs the result: the pass is for those who have
// one. Not supported, each an error at the op: transfers of shim channels that are named (`metadata`;
// airrt-to-npu has them), numbers for herds, loads that give an event, and ids, rows and columns outside of
// 16, 8 and 8.
#include "airlite/dialect/Airrt.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/ir/Symbols.hpp"
#include "airlite/npu/lower/Passes.hpp"
#include "airlite/pass/Pass.hpp"
#include "airlite/text/Parser.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace airlite::npu {

namespace {

/// The tables of a herd: ids, rows and columns of its transfers.
constexpr int64_t kIds = 16, kRows = 8, kColumns = 8;

MemRefType openMemory(MemRefType type) {
  const std::vector<int64_t> shape(type.shape().size(), kDynamic);
  return MemRefType::get(type.context(), shape, type.elementType(), type.layout(),
                         type.memorySpace());
}

int64_t spaceOf(MemRefType type) {
  const auto space = type.memorySpace() ? type.memorySpace().dynCast<IntegerAttr>() : IntegerAttr();
  return space ? space.value() : 0;
}

/// As names of functions say it.
std::string mangled(MemRefType type) {
  return "_" + std::to_string(type.shape().size()) + "d" + std::to_string(spaceOf(type)) +
         type.elementType().str();
}

/// The word is on the stack of the function.
static LogicalResult checkSignal(Operation& op) {
  if (op.numResults() == 0) return success();
  for (const OpOperand& use : op.result().uses())
    if (isa<func::ReturnOp>(use.owner()))
      return op.emitOpError() << "not supported: the event of a transfer as result of a function; "
                                 "airrt.wait_all gives one that may leave it";
  return success();
}

/// No later run of the op comes before the waits for this one.
static bool isAwaitedAtOnce(Operation& op) {
  return std::ranges::all_of(op.result().uses(), [&](const OpOperand& use) {
    const Operation* user = use.owner();
    return isa<airrt::WaitAllOp>(user) && user->numResults() == 0 && user->block() == op.block();
  });
}

/// One class: all functions and data are made once, at the end of one module.
class RuntimeCalls {
 public:
  explicit RuntimeCalls(Operation& module)
      : module_(module),
        symbols_(module),
        builder_(module.context()),
        pointer_(parseType(module.context(), "!llvm.ptr")) {}

  /// Failures have been reported.
  LogicalResult run(bool& changed) {
    std::vector<Operation*> ops;
    module_.walkWith([&](Operation& op) {
      if (op.is("aie.device")) return WalkResult::Skip;
      if (op.name().starts_with("airrt.")) ops.push_back(&op);
      return isa<airrt::ModuleMetadataOp>(&op) ? WalkResult::Skip : WalkResult::Advance;
    });
    for (Operation* op : ops)
      if (failed(lower(*op))) return failure();
    changed |= !ops.empty();
    changed |= makePointers();
    return areCallsFine_ ? success() : failure();
  }

 private:
  LogicalResult lower(Operation& op) {
    builder_.setBefore(op);
    if (isa<airrt::ModuleMetadataOp>(&op)) return lowerMetadata(op);
    if (isa<airrt::WaitAllOp>(&op)) return lowerWait(op);
    if (isa<airrt::AllocOp>(&op)) return lowerAlloc(op);
    if (op.is("airrt.dealloc")) return lowerDealloc(op);
    if (isa<airrt::SegmentLoadOp>(&op) || isa<airrt::HerdLoadOp>(&op)) return lowerLoad(op);
    if (isa<airrt::DmaMemcpyNdOp>(&op)) return lowerDma(op);
    if (isa<airrt::MemcpyNdOp>(&op)) return lowerCopy(op);
    return op.emitOpError() << "not supported: this op for a run time library";
  }

  // -- Calls --------------------------------------------------------------------------------------

  /// Declares the function at the end of the module when it is not there.
  Operation* call(Operation& at, const std::string& name, const std::vector<Value>& operands,
                  const std::vector<Type>& results) {
    Context& context = builder_.context();
    std::vector<Type> inputs;
    for (Value operand : operands)
      inputs.push_back(airrt::isEventType(operand.type()) ? pointer_ : operand.type());
    declare(at, name, FunctionType::get(context, inputs, results));
    OperationState state(context, at.location(), "func.call");
    state.operands.assign(operands.begin(), operands.end());
    state.resultTypes.assign(results.begin(), results.end());
    state.addAttribute(context, "callee", SymbolRefAttr::get(context, name));
    return builder_.create(state);
  }

  /// Names tell neither layouts of memory nor what the program itself declares.
  void declare(Operation& at, const std::string& name, FunctionType type) {
    Operation* known = symbols_.find(name);
    if (!known) {
      Builder end = Builder::atEnd(module_.region().front());
      symbols_.add(*func::FuncOp::create(end, at.location(), name, type, false));
      return;
    }
    auto function = dynCast<func::FuncOp>(known);
    if (function && function.functionType() == type) return;
    (at.emitOpError() << "not supported: a call of @" << name << " with the type " << type.str())
            .note(known->location())
        << "it has another one here";
    areCallsFine_ = false;
  }

  static std::vector<Value> resultsOf(Operation& op) {
    std::vector<Value> values;
    for (unsigned i = 0; i < op.numResults(); ++i)
      values.push_back(op.result(i));
    return values;
  }

  LogicalResult replace(Operation& op, const std::vector<Value>& values) {
    Rewriter(op.context()).replaceOp(op, values);
    return success();
  }

  LogicalResult lowerWait(Operation& op) {
    const std::vector<Value> events = op.operands().vec();
    const std::vector<Type> results(op.numResults(), pointer_);
    const std::string name =
        "__airrt_wait_all_" + std::to_string(results.size()) + "_" + std::to_string(events.size());
    return replace(op, resultsOf(*call(op, name, events, results)));
  }

  LogicalResult lowerAlloc(Operation& op) {
    const auto type = op.result().type().dynCast<MemRefType>();
    if (!type || !type.hasStaticShape() || spaceOf(type) != 1)
      return op.emitOpError() << "not supported: memory that is not L2 of a constant size";
    const Value elements = builder_.constantIndex(op.location(), type.numElements());
    Operation* made = call(op, "__airrt_alloc_L2" + mangled(type), {elements}, {openMemory(type)});
    return replace(op, {cast(op, made->result(), type)});
  }

  LogicalResult lowerDealloc(Operation& op) {
    const auto type = op.operand(0).type().dynCast<MemRefType>();
    if (!type || spaceOf(type) != 1)
      return op.emitOpError() << "not supported: memory that is not L2";
    call(op, "__airrt_dealloc_L2" + mangled(type), {opened(op, op.operand(0))}, {});
    return replace(op, {});
  }

  LogicalResult lowerLoad(Operation& op) {
    const bool isSegment = isa<airrt::SegmentLoadOp>(&op);
    if (op.numOperands() != 0)
      return op.emitOpError() << "not supported: numbers for herds of a run time library";
    if (op.numResults() > 1)
      return op.emitOpError() << "not supported: loads of a run time library that give an event";
    const std::string name(airrt::LoadOp(&op).name());
    Operation* text = textFor(name, op.location());
    const Value address = addressOf(*text, op.location());
    Operation* made = call(op, isSegment ? "__airrt_segment_load" : "__airrt_herd_load", {address},
                           {builder_.intType(64)});
    return replace(op, resultsOf(*made));
  }

  LogicalResult lowerDma(Operation& op) {
    airrt::DmaMemcpyNdOp dma(&op);
    if (op.hasAttr("metadata"))
      return op.emitOpError()
             << "not supported: a shim channel by its name, for a run time library "
                "(airrt-to-npu makes a sequence of it)";
    const auto type = dma.memref().type().dynCast<MemRefType>();
    if (!type) return op.emitOpError() << "not supported: memory without a rank";
    if (failed(checkSignal(op))) return failure();
    const Value signal = signalFor(op);
    std::vector<Value> operands = {signal, dma.id(), dma.x(), dma.y(), opened(op, dma.memref())};
    for (const std::vector<airrt::ListEntry>& list : {dma.offsets(), dma.lengths(), dma.strides()})
      for (const airrt::ListEntry& entry : list)
        operands.push_back(
            entry.value ? entry.value
                        : builder_.constant(op.location(), builder_.i64Attr(entry.constant)));
    call(op, "__airrt_dma_nd_memcpy" + mangled(type), operands, {});
    return op.numResults() ? replace(op, {signal}) : replace(op, {});
  }

  LogicalResult lowerCopy(Operation& op) {
    airrt::MemcpyNdOp copy(&op);
    const auto to = copy.dst().type().dynCast<MemRefType>(),
               from = copy.src().type().dynCast<MemRefType>();
    if (!to || !from) return op.emitOpError() << "not supported: memory without a rank";
    if (failed(checkSignal(op))) return failure();
    const Value signal = signalFor(op);
    std::vector<Value> operands = {signal, opened(op, copy.dst()), opened(op, copy.src())};
    for (unsigned i = 2; i < op.numOperands(); ++i)
      operands.push_back(op.operand(i));
    call(op, "__airrt_nd_memcpy" + mangled(to) + mangled(from), operands, {});
    return op.numResults() ? replace(op, {signal}) : replace(op, {});
  }

  Value cast(Operation& at, Value memory, MemRefType type) {
    if (memory.type() == type) return memory;
    return builder_.create(at.location(), "memref.cast", {memory}, {Type(type)})->result();
  }

  Value opened(Operation& at, Value memory) {
    return cast(at, memory, openMemory(memory.type().cast<MemRefType>()));
  }

  /// A word that the transfer signals where something may wait for it; else null. It is one for all runs of
  /// a loop where it can be, so that the stack does not grow with them.
  Value signalFor(Operation& op) {
    const bool isAwaited = op.numResults() != 0 && op.result().hasUses();
    if (isAwaited && isAwaitedAtOnce(op)) {
      const InsertPoint before = builder_.insertPoint();
      builder_.setToStart(op.parentOf<func::FuncOp>()->region().front());
      const Value word = wordOnStack(op);
      builder_.setInsertPoint(before);
      return word;
    }
    if (!isAwaited)
      return builder_.create(op.location(), "llvm.mlir.zero", {}, {pointer_})->result();
    return wordOnStack(op);
  }

  Value wordOnStack(const Operation& op) {
    const Type word = builder_.intType(32);
    const Value one = constant(op.location(), word, builder_.i32Attr(1));
    return builder_
        .create(op.location(), "llvm.alloca", {one}, {pointer_},
                {builder_.named("elem_type", TypeAttr::get(word)),
                 builder_.named("alignment", builder_.i64Attr(4))})
        ->result();
  }

  Value constant(Location location, Type type, Attribute value) {
    return builder_
        .create(location, "llvm.mlir.constant", {}, {type}, {builder_.named("value", value)})
        ->result();
  }

  // -- Data ---------------------------------------------------------------------------------------

  Operation* createGlobal(Location location, const std::string& name, Type type, bool isShared) {
    Context& context = builder_.context();
    OperationState state(context, location, "llvm.mlir.global");
    const std::string_view linkage = isShared ? "external" : "internal";
    state.addAttribute(context, kSymbolName, builder_.stringAttr(name));
    state.addAttribute(context, "global_type", TypeAttr::get(type));
    state.addAttribute(context, "linkage",
                       DialectAttr::getKeyword(context, "llvm.linkage", linkage));
    state.addAttribute(context, "constant", builder_.unitAttr());
    state.addAttribute(context, "addr_space", builder_.i32Attr(0));
    state.addRegion();
    Builder end = Builder::atEnd(module_.region().front());
    Operation* global = end.create(state);
    symbols_.add(*global);
    return global;
  }

  /// The name of a segment or herd, without a zero at its end: its length is told where it is used.
  Operation* textFor(const std::string& text, Location location) {
    const std::string name = "__airrt_string_" + text;
    if (Operation* found = symbols_.find(name)) return found;
    const Type type =
        parseType(builder_.context(), "!llvm.array<" + std::to_string(text.size()) + " x i8>");
    Operation* global = createGlobal(location, name, type, false);
    global->setAttr("value", builder_.stringAttr(text));
    return global;
  }

  Value addressOf(Operation& global, Location location) {
    const SymbolRefAttr name = SymbolRefAttr::get(builder_.context(), symbolName(global));
    const Value address = builder_
                              .create(location, "llvm.mlir.addressof", {}, {pointer_},
                                      {builder_.named("global_name", name)})
                              ->result();
    return builder_.create(location, "llvm.bitcast", {address}, {pointer_})->result();
  }

  /// A constant struct or array: numbers, and addresses of other data.
  struct Member {
    int64_t number = 0;
    Operation* data = nullptr;
  };
  Operation* createAggregate(Location location, const std::string& base, const std::string& type,
                             const std::vector<Member>& members, bool isShared) {
    const Type whole = parseType(builder_.context(), type);
    Operation* global = createGlobal(location, symbols_.unusedName(base), whole, isShared);
    const InsertPoint before = builder_.insertPoint();
    builder_.setToEnd(global->region().addBlock(builder_.context()));
    Value value = builder_.create(location, "llvm.mlir.undef", {}, {whole})->result();
    for (size_t i = 0; i < members.size(); ++i) {
      const Type word = builder_.intType(64);
      const Value member = members[i].data
                               ? addressOf(*members[i].data, location)
                               : constant(location, word, builder_.i64Attr(members[i].number));
      const int64_t position[] = {static_cast<int64_t>(i)};
      value = builder_
                  .create(location, "llvm.insertvalue", {value, member}, {whole},
                          {builder_.named("position",
                                          DenseArrayAttr::getI64(builder_.context(), position))})
                  ->result();
    }
    builder_.create(location, "llvm.return", {value}, {});
    builder_.setInsertPoint(before);
    return global;
  }

  /// The addresses of `parts`.
  Operation* createList(Location location, const std::string& base,
                        const std::vector<Operation*>& parts) {
    std::vector<Member> members;
    for (Operation* part : parts)
      members.push_back({0, part});
    const std::string type = "!llvm.array<" + std::to_string(parts.size()) + " x ptr>";
    return createAggregate(location, base, type, members, false);
  }

  Operation* createTable(Location location, const std::string& base,
                         const std::vector<int64_t>& numbers) {
    const std::string size = std::to_string(numbers.size());
    Operation* global =
        createGlobal(location, symbols_.unusedName(base),
                     parseType(builder_.context(), "!llvm.array<" + size + " x i64>"), false);
    const Type word = builder_.intType(64);
    const int64_t shape[] = {static_cast<int64_t>(numbers.size())};
    std::vector<Attribute> values;
    for (int64_t number : numbers)
      values.push_back(IntegerAttr::get(word, number));
    const auto tensor = RankedTensorType::get(builder_.context(), shape, word);
    global->setAttr("value", DenseElementsAttr::get(tensor, values));
    return global;
  }

  LogicalResult lowerMetadata(Operation& op) {
    std::vector<Operation*> segments;
    for (Operation& segment : op.region().front().ops()) {
      if (!isa<airrt::SegmentMetadataOp>(&segment)) continue;
      std::vector<Operation*> herds;
      for (Operation& herd : segment.region().front().ops())
        if (herd.is("airrt.herd_metadata") && failed(describeHerd(herd, herds))) return failure();
      const std::string name(airrt::SegmentMetadataOp(&segment).name());
      Operation* list = createList(segment.location(), "__airrt_segment_herd_descriptors", herds);
      segments.push_back(createAggregate(segment.location(), "__airrt_segment_descriptor",
                                         "!llvm.struct<(i64, ptr, i64, ptr)>",
                                         {{std::ssize(name), nullptr},
                                          {0, textFor(name, segment.location())},
                                          {std::ssize(herds), nullptr},
                                          {0, list}},
                                         true));
    }
    Operation* list = createList(op.location(), "__airrt_module_segment_descriptors", segments);
    createAggregate(op.location(), "__airrt_module_descriptor", "!llvm.struct<(i64, ptr)>",
                    {{std::ssize(segments), nullptr}, {0, list}}, true);
    return replace(op, {});
  }

  LogicalResult describeHerd(Operation& herd, std::vector<Operation*>& herds) {
    std::vector<int64_t> places(kIds * kRows * kColumns), channels(places);
    const auto allocations = herd.attrOf<ArrayAttr>("dma_allocations");
    for (size_t i = 0; allocations && i < allocations.size(); ++i)
      if (failed(readAllocation(herd, allocations[i], places, channels))) return failure();
    const Location location = herd.location();
    Operation* shim =
        createAggregate(location, "__airrt_shim_descriptor", "!llvm.struct<(ptr, ptr)>",
                        {{0, createTable(location, "__airrt_shim_location_data", places)},
                         {0, createTable(location, "__airrt_shim_channel_data", channels)}},
                        false);
    const std::string name(herd.attrOf<StringAttr>("sym_name").value());
    herds.push_back(createAggregate(
        location, "__airrt_herd_descriptor", "!llvm.struct<(i64, ptr, ptr)>",
        {{std::ssize(name), nullptr}, {0, textFor(name, location)}, {0, shim}}, false));
    return success();
  }

  static LogicalResult readAllocation(Operation& herd, Attribute entry,
                                      std::vector<int64_t>& places,
                                      std::vector<int64_t>& channels) {
    const auto named = entry.dynCast<DictionaryAttr>();
    const auto number = [&](std::string_view name) -> int64_t {
      const auto value = named ? named.get(name).dynCast<IntegerAttr>() : IntegerAttr();
      return value ? value.value() : -1;
    };
    const int64_t id = number("id") - 1, row = number("row"), col = number("col");
    const bool isInside = id >= 0 && id < kIds && row >= 0 && row < kRows && col >= 0 &&
                          col < kColumns && number("location") >= 0 && number("channel") >= 0;
    if (!isInside)
      return herd.emitOpError()
             << "not supported: a DMA allocation without id, row, col, location and "
                "channel, or outside of "
             << kIds << " ids, " << kRows << " rows and " << kColumns << " columns: " << entry;
    const auto at = static_cast<size_t>((id * kRows + row) * kColumns + col);
    places[at] = number("location");
    channels[at] = number("channel");
    return success();
  }

  // -- Events -------------------------------------------------------------------------------------

  /// All other events, those of loops and functions, are pointers as well.
  bool makePointers() {
    bool changed = false;
    const auto convert = [&](Value value) {
      if (!airrt::isEventType(value.type())) return;
      value.setType(pointer_);
      changed = true;
    };
    module_.walk([&](Operation& op) {
      for (unsigned i = 0; i < op.numResults(); ++i)
        convert(op.result(i));
      for (Region& region : op.regions())
        for (Block& block : region.blocks())
          for (unsigned i = 0; i < block.numArguments(); ++i)
            convert(block.argument(i));
      if (auto function = dynCast<func::FuncOp>(&op)) convertSignature(function);
    });
    return changed;
  }

  void convertSignature(func::FuncOp function) {
    const auto converted = [&](std::span<const Type> types) {
      std::vector<Type> list(types.begin(), types.end());
      for (Type& type : list)
        if (airrt::isEventType(type)) type = pointer_;
      return list;
    };
    const FunctionType type = function.functionType();
    function.setFunctionType(
        FunctionType::get(builder_.context(), converted(type.inputs()), converted(type.results())));
  }

  Operation& module_;
  SymbolMap symbols_;
  Builder builder_;
  const Type pointer_;
  bool areCallsFine_ = true;
};

class AirrtToLlvm : public Pass {
 public:
  AirrtToLlvm() : Pass("airrt-to-llvm", "Turns what a host does into calls of a run time library") {
    anchor("builtin.module");
    example("airlite-opt --airrt-to-llvm in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    for (CountedEffect effect : {CountedEffect::Dma, CountedEffect::Store})
      context.declareEffectChange(effect, "transfers are calls");
    bool changed = false;
    if (failed(RuntimeCalls(module).run(changed))) return PassResult::Failed;
    return changedIf(changed);
  }
};

}  // namespace

void registerAirrtToLlvm(PassRegistry& registry) { registry.add<AirrtToLlvm>(); }

}  // namespace airlite::npu
