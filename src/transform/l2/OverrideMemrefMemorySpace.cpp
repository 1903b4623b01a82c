// air-override-memref-memory-space: gives the buffers of a level their memory.
//
// Matches each memref.alloc whose innermost function or hierarchy op is of the kind `scope` (herd,
// segment, launch, func), and whose memory space is not L1 or L2 yet: there is none, it is L3, or a
// number that names no level. It gets `memory-space`, written as i32 (0: none). So do its views,
// what executes pass on, and the arguments of hierarchy ops that take it, however deep. Its
// alignment, which was chosen for the memory that it leaves, goes.
//
// Declines, with a remark: a buffer whose type something else holds fast (a call, a return, what a
// loop carries, a select, what relies on its alignment); what the memory levels forbid: a herd
// allocates L1 only, a segment no L3, a herd outside of any launch uses L1 only, an mmio channel
// goes from L3 to L1.
#include "OverrideMemrefMemorySpace.hpp"

#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/OpDef.hpp"

namespace airlite {

namespace {

using namespace air;

constexpr int64_t kL1 = static_cast<int64_t>(MemoryLevel::L1);
constexpr int64_t kL3 = static_cast<int64_t>(MemoryLevel::L3);

/// L1 or L2 was chosen by somebody.
bool isPlaced(Type memref) {
  std::optional<MemoryLevel> level = memoryLevel(memref);
  if (level) return *level != MemoryLevel::L3;
  Attribute space = memorySpaceOf(memref);
  return space && !space.isa<IntegerAttr>();
}

/// On a core that reaches its own memory only: a herd outside of any launch.
bool seesL1Only(Operation& op) {
  Operation* at = &op;
  while (at && !isa<HerdOp>(at))
    at = at->parentOp();
  return at && !at->parentOf<LaunchOp>();
}

/// The put of an mmio channel reads L3, the get fills L1.
bool isMmioMismatch(Operation& op, int64_t space) {
  if (!isa<ChannelPutOp>(&op) && !isa<ChannelGetOp>(&op)) return false;
  ChannelAccessOp access(&op);
  ChannelOp channel = access.channel();
  bool isMmio = channel && channel.canonicalType() == "npu_mmio";
  return isMmio && space != (access.isPut() ? kL3 : kL1);
}

/// The values that have one memory space with an allocation.
class Aliases {
 public:
  Aliases(Operation& alloc, int64_t space) : space_(space) {
    add(alloc.result());
    Operation* scope = alloc.parentOp();
    while (scope && !asHierarchy(scope))
      scope = scope->parentOp();
    if (isa<HerdOp>(scope) && space_ != kL1) fail("a herd allocates L1 only");
    if (isa<SegmentOp>(scope) && space_ == kL3) fail("a segment allocates no L3");
    for (size_t i = 0; i < values_.size() && obstacle_.empty(); ++i)
      for (OpOperand& use : values_[i].uses())
        follow(use);
  }

  /// Why the type cannot change; empty when it can.
  std::string_view obstacle() const { return obstacle_; }

  void retype(Attribute space) {
    values_.front().definingOp()->removeAttr("alignment");
    for (Value value : values_)
      value.setType(value.type().cast<MemRefType>().withMemorySpace(space));
  }

 private:
  void fail(std::string_view why) { obstacle_ = why; }

  void add(Value value) {
    if (!value.type().isa<MemRefType>()) return fail("a view of it has no rank");
    values_.push_back(value);
  }

  void follow(OpOperand& use) {
    Operation& op = *use.owner();
    if (op.is("air.execute_terminator")) {
      Operation& execute = *op.parentOp();
      return add(execute.result(execute.numResults() - op.numOperands() + use.index()));
    }
    if (HierarchyOp hierarchy = asHierarchy(&op)) return enter(hierarchy, use);
    bool holdsType = op.hasTrait(Trait::Terminator) || isa<func::CallOp>(&op) ||
                     op.is("func.call_indirect") || op.is("gpu.launch_func") || !op.isRegistered();
    if (holdsType) return fail("it is passed on to where its type is stated");
    if (space_ != kL1 && seesL1Only(op)) return fail("a herd outside of any launch uses L1 only");
    if (isMmioMismatch(op, space_)) return fail("an mmio channel goes from L3 to L1");
    if (op.is("memref.memory_space_cast")) return;
    for (Value result : op.resultValues())
      if (memorySpaceFollows(result)) followView(result, use.get());
  }

  static bool memorySpaceFollows(Value result) {
    return result.type().isa<MemRefType>() || result.type().isa<UnrankedMemRefType>();
  }

  void followView(Value result, Value source) {
    if (bufferBefore(result) != source) return fail("it is passed on to where its type is stated");
    add(result);
  }

  void enter(HierarchyOp hierarchy, OpOperand& use) {
    auto [first, count] = kernelOperands(hierarchy);
    if (use.index() < first || use.index() >= first + count) return;
    add(hierarchy.kernelArgument(use.index() - first));
  }

  static std::pair<unsigned, unsigned> kernelOperands(HierarchyOp hierarchy) {
    OperandRange operands = hierarchy.kernelOperands();
    return {operands.empty() ? 0 : operands.use(0).index(), operands.size()};
  }

  int64_t space_;
  std::vector<Value> values_;
  std::string_view obstacle_;
};

class OverrideMemorySpace : public Pass {
 public:
  OverrideMemorySpace()
      : Pass("air-override-memref-memory-space", "Gives the buffers of a level their memory") {
    anchor("builtin.module");
    option("memory-space", space_, "0 (L3), 1 (L2) or 2 (L1)");
    option("scope", scope_, "what allocates the buffers", {"herd", "segment", "launch", "func"});
    example("airlite-opt --air-override-memref-memory-space='scope=herd memory-space=2' in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    if (space_ < 0 || space_ > kL1) {
      module.emitError() << "memory-space is 0, 1 or 2, not " << space_;
      return PassResult::Failed;
    }
    std::string wanted = scope_ == "func" ? "func.func" : "air." + scope_;
    std::vector<Operation*> scopes;
    module.walk([&](Operation& op) {
      if (op.is(wanted)) scopes.push_back(&op);
    });
    bool changed = false;
    for (Operation* scope : scopes)
      changed |= overrideMemorySpace(*scope, space_, context);
    return changedIf(changed);
  }

 private:
  int64_t space_ = 0;
  std::string scope_ = "launch";
};

}  // namespace

bool air::overrideMemorySpace(Operation& scope, int64_t space, PassContext& context) {
  Attribute attr;
  if (space) attr = IntegerAttr::get(IntegerType::get(scope.context(), 32), space);
  std::vector<Operation*> allocs;
  scope.walkWith([&](Operation& op) {
    if (isa<memref::AllocOp>(&op) && !isPlaced(op.result().type())) allocs.push_back(&op);
    bool isInner = &op != &scope && (asHierarchy(&op) || op.hasTrait(Trait::Function));
    return isInner ? WalkResult::Skip : WalkResult::Advance;
  });
  bool changed = false;
  for (Operation* alloc : allocs) {
    if (memorySpaceOf(alloc->result().type()) == attr) continue;
    Aliases aliases(*alloc, space);
    if (aliases.obstacle().empty())
      aliases.retype(attr);
    else
      context.remark(*alloc, aliases.obstacle());
    changed |= aliases.obstacle().empty();
  }
  return changed;
}

void registerOverrideMemorySpace(PassRegistry& registry) { registry.add<OverrideMemorySpace>(); }

}  // namespace airlite
