// air-sink-loops-into-herds: a herd in a loop of a segment becomes a herd with the loop inside.
//
// Matches scf.for with an air.herd directly in its body, in an air.segment, inner loops first. A
// core runs one program: it goes through the loop by itself, and what it took from the loop (the loop's
// number, what is computed from it) is computed in the core. The herd is asynchronous then and
// starts in front of the loop, which keeps everything else. What waited for the herd in the loop
// waits for what the herd waited for; what waited for it after the loop waits for the herd. A loop
// in which the herd, or what waits for it, blocks is followed by an air.wait_all.
//
// In the core a run of the loop is over when all that it started is, as a run of the herd was. The
// cores no longer wait for each other between two runs, nor for anything in the loop but the
// data that they get and the room for the data that they put: run air-dependency before, which
// says by tokens what else has to wait.
//
// Memory in L1 from in front of the loop may be used when each core has its own (HandOver.hpp) and
// nothing else in the loop uses it.
//
// Declines, with a remark: herds that use other memory from outside, take numbers that are loaded or
// carried around the loop, have sizes that are not constants or affinity or concurrency lists;
// channels with the same end in another op of the loop, since the order between the two would be
// lost; and herds of one loop on the same cores, which would run one after the other.
#include "Hierarchy.hpp"
#include "airlite/analysis/HandOver.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/pass/Pass.hpp"

#include <algorithm>
#include <set>
#include <unordered_set>

namespace airlite {

namespace {

using air::HerdOp;

/// Where one end of a channel is used: its name, and whether data goes in.
using ChannelEnd = std::pair<std::string, bool>;

std::set<ChannelEnd> endsIn(Operation& root) {
  std::set<ChannelEnd> ends;
  root.walk([&](Operation& op) {
    if (!isa<air::ChannelPutOp>(&op) && !isa<air::ChannelGetOp>(&op)) return;
    air::ChannelAccessOp access(&op);
    ends.emplace(std::string(access.channelName()), access.isPut());
  });
  return ends;
}

/// Columns and rows; none while the herd has no place.
struct Box {
  int64_t col, row, columns, rows;
  bool meets(const Box& other) const {
    return col < other.col + other.columns && other.col < col + columns &&
           row < other.row + other.rows && other.row < row + rows;
  }
};

std::optional<Box> boxOf(HerdOp herd) {
  auto col = herd->attrOf<IntegerAttr>("x_loc"), row = herd->attrOf<IntegerAttr>("y_loc");
  std::optional<std::vector<int64_t>> sizes = herd.constantSizes();
  if (!col || !row || !sizes || sizes->empty()) return std::nullopt;
  return Box{col.value(), row.value(), (*sizes)[0], sizes->size() > 1 ? (*sizes)[1] : 1};
}

/// What moving one herd out of one loop takes.
class Sinking {
 public:
  Sinking(HerdOp herd, scf::ForOp loop) : herd_(herd), loop_(loop) {}

  /// Empty when the loop can go into the herd.
  std::string_view obstacle() const {
    if (!herd_.constantSizes()) return "not sunk: its sizes are not constants";
    if (!herd_.affinity().empty() || !herd_.concurrency().empty())
      return "not sunk: it has affinity or concurrency lists";
    for (unsigned i = 0; i < herd_.numKernelOperands(); ++i) {
      if (!herd_.kernelArgument(i).hasUses()) continue;
      Type type = herd_.kernelArgument(i).type();
      if (type.isa<MemRefType>()) {
        if (!isOfEachCore(i)) return "not sunk: it uses memory from outside";
        if (usesElsewhere(herd_.kernelOperands()[i]))
          return "not sunk: another op of the loop uses its memory";
        continue;
      }
      if (!isComputed(herd_.kernelOperands()[i]))
        return "not sunk: it takes a number that the loop loads or carries";
    }
    return obstacleBeside();
  }

  void run() {
    Builder builder = Builder::before(*loop_.op());
    HerdOp made = createHerd(builder);
    fill(made);
    air::isolate(made);
    waitAfterLoop(made.token());
    replaceInLoop();
  }

 private:
  bool isInLoop(Value value) const {
    Block* block = value.isBlockArgument() ? value.argumentBlock() : value.definingOp()->block();
    return block == &loop_.body();
  }

  /// L1 memory from in front of the loop of which each core has its own: it stays with the core from
  /// one run to the next.
  bool isOfEachCore(unsigned argument) const {
    const Value memory = herd_.kernelOperands()[argument];
    return air::memoryLevel(memory.type()) == air::MemoryLevel::L1 && !isInLoop(memory) &&
           !analysis::isSharedByCores(herd_.kernelArgument(argument));
  }

  /// Whether another op of the loop uses `memory`, with which the runs would have to take turns.
  bool usesElsewhere(Value memory) const {
    return std::ranges::any_of(
        loop_.body().ops(), [&](Operation& op) { return &op != herd_.op() && uses(op, {memory}); });
  }

  /// From outside, the loop's number, or computed from such by ops without effects.
  bool isComputed(Value value) const {
    if (!isInLoop(value) || value == loop_.inductionVar()) return true;
    Operation* maker = value.definingOp();
    if (!maker || !isPure(*maker) || maker->numRegions() > 0) return false;
    return std::ranges::all_of(maker->operands(),
                               [&](Value operand) { return isComputed(operand); });
  }

  std::string_view obstacleBeside() const {
    const std::set<ChannelEnd> ends = endsIn(*herd_.op());
    const std::optional<Box> box = boxOf(herd_);
    for (Operation& op : loop_.body().ops()) {
      if (&op == herd_.op()) continue;
      for (const ChannelEnd& end : endsIn(op))
        if (ends.count(end))
          return "not sunk: another op of the loop uses the same end of a channel";
      const std::optional<Box> other = isa<HerdOp>(&op) ? boxOf(HerdOp(&op)) : std::nullopt;
      if (box && other && box->meets(*other))
        return "not sunk: another herd of the loop runs on the same cores";
    }
    return {};
  }

  // -- The herd -----------------------------------------------------------------------------------

  HerdOp createHerd(Builder& builder) const {
    std::vector<Value> sizes, dependencies;
    const std::vector<int64_t> constants = *herd_.constantSizes();
    for (int64_t size : constants)
      sizes.push_back(builder.constantIndex(herd_->location(), size));
    for (Value token : herd_.dependencies())
      if (!isInLoop(token)) dependencies.push_back(token);
    for (Value init : loop_.initArgs())
      if (air::isTokenType(init.type())) dependencies.push_back(init);
    air::HierarchyOp made =
        air::createHierarchy(builder, herd_->location(), "air.herd", sizes, &dependencies);
    for (const NamedAttribute& attribute : herd_->attributes().value())
      if (attribute.name.str() != "operandSegmentSizes")
        made->setAttr(attribute.name.str(), attribute.value);
    return HerdOp(made.op());
  }

  void fill(HerdOp made) const {
    Builder builder = Builder::before(made.body().back());
    scf::ForOp loop = scf::ForOp::create(builder, loop_->location(), loop_.lowerBound(),
                                         loop_.upperBound(), loop_.step());
    Builder inside = Builder::before(loop.body().back());
    IRMapping mapping;
    mapping.map(loop_.inductionVar(), loop.inductionVar());
    for (unsigned i = 0; i < herd_.numDims(); ++i) {
      mapping.map(herd_.id(i), made.id(i));
      mapping.map(herd_.sizeArgument(i), made.sizeArgument(i));
    }
    for (unsigned i = 0; i < herd_.numKernelOperands(); ++i)
      if (herd_.kernelArgument(i).hasUses())
        mapping.map(herd_.kernelArgument(i), copy(herd_.kernelOperands()[i], inside, mapping));
    for (Operation& op : herd_.body().ops())
      if (!op.hasTrait(Trait::Terminator)) inside.clone(op, mapping);
    waitForAll(loop.body(), inside);
  }

  /// A run of the herd is over when all that it started is.
  void waitForAll(Block& body, Builder& inside) const {
    std::vector<Value> tokens;
    for (Operation& op : body.ops())
      for (unsigned i = 0; i < op.numResults(); ++i)
        if (Value result = op.result(i); air::isTokenType(result.type()) && !result.hasUses())
          tokens.push_back(result);
    if (!tokens.empty()) inside.create(loop_->location(), "air.wait_all", tokens, {});
  }

  Value copy(Value value, Builder& inside, IRMapping& mapping) const {
    if (Value known = mapping.lookupOrNull(value)) return known;
    if (!isInLoop(value)) return value;
    Operation* maker = value.definingOp();
    for (Value operand : maker->operands())
      copy(operand, inside, mapping);
    inside.clone(*maker, mapping);
    return mapping.lookupOrNull(value);
  }

  // -- Who waits for it ---------------------------------------------------------------------------

  /// Values of the loop's body that wait for the herd, among them those of the next run.
  std::unordered_set<Value> waiting() const {
    std::unordered_set<Value> found;
    if (!herd_.token()) return found;
    found.insert(herd_.token());
    for (size_t known = 0; known != found.size();) {
      known = found.size();
      for (Operation& op : loop_.body().ops())
        if (uses(op, found))
          for (Value result : op.resultValues())
            found.insert(result);
      for (unsigned i = 0; i < loop_.numIterArgs(); ++i)
        if (found.count(loop_.yielded(i))) found.insert(loop_.regionIterArg(i));
    }
    return found;
  }

  static bool uses(Operation& op, const std::unordered_set<Value>& values) {
    bool found = false;
    op.walk([&](Operation& inner) {
      for (Value operand : inner.operands())
        found |= values.count(operand) > 0;
    });
    return found;
  }

  bool blocks(const std::unordered_set<Value>& waiters) const {
    if (!herd_.token()) return true;
    return std::ranges::any_of(loop_.body().ops(), [&](Operation& op) {
      const bool isAsync = op.numResults() > 0 && air::isTokenType(op.resultValues()[0].type());
      return !isAsync && !op.hasTrait(Trait::Terminator) && uses(op, waiters);
    });
  }

  void waitAfterLoop(Value token) const {
    const std::unordered_set<Value> waiters = waiting();
    Builder builder = Builder::after(*loop_.op());
    if (blocks(waiters)) builder.create(loop_->location(), "air.wait_all", {token}, {});
    for (unsigned i = 0; i < loop_.numIterArgs(); ++i) {
      if (!waiters.count(loop_.yielded(i))) continue;
      Value result = loop_->result(i);
      Operation* both = builder.create(loop_->location(), "air.wait_all", {token}, {result.type()});
      result.replaceAllUsesWith(both->result());
      const Value tokens[] = {result, token};
      both->setOperands(tokens);
    }
  }

  /// What waited for the herd waits for what the herd waited for.
  void replaceInLoop() const {
    if (Value token = herd_.token(); token && token.hasUses()) {
      Builder builder = Builder::before(*herd_.op());
      const std::vector<Value> dependencies = herd_.dependencies().vec();
      const std::vector<Type> types = {token.type()};
      token.replaceAllUsesWith(
          builder.create(herd_->location(), "air.wait_all", dependencies, types)->result());
    }
    herd_->erase();
  }

  HerdOp herd_;
  scf::ForOp loop_;
};

class SinkLoopsIntoHerds : public Pass {
 public:
  SinkLoopsIntoHerds()
      : Pass("air-sink-loops-into-herds", "Brings loops around herds of a segment into the herds") {
    anchor("func.func");
    example("airlite-opt --air-dependency --air-sink-loops-into-herds in.mlir");
  }

  PassResult run(Operation& function, PassContext& context) override {
    std::vector<Operation*> loops;
    function.walk(
        [&](Operation& op) {
          if (isa<scf::ForOp>(&op) && op.parentOfName("air.segment")) loops.push_back(&op);
        },
        WalkOrder::PostOrder);
    bool changed = false;
    for (Operation* loop : loops)
      changed |= sinkInto(scf::ForOp(loop), context);
    return changedIf(changed);
  }

 private:
  static bool sinkInto(scf::ForOp loop, PassContext& context) {
    std::vector<Operation*> herds;
    for (Operation& op : loop.body().ops())
      if (isa<HerdOp>(&op)) herds.push_back(&op);
    bool changed = false;
    for (Operation* herd : herds) {
      Sinking sinking{HerdOp(herd), loop};
      const std::string_view obstacle = sinking.obstacle();
      if (!obstacle.empty()) {
        context.remark(*herd, obstacle);
        continue;
      }
      sinking.run();
      changed = true;
    }
    return changed;
  }
};

}  // namespace

void registerSinkLoopsIntoHerds(PassRegistry& registry) { registry.add<SinkLoopsIntoHerds>(); }

}  // namespace airlite
