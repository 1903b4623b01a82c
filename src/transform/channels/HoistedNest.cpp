// Nests of the far halves of copies.
#include "HoistedNest.hpp"

#include "TransferHalves.hpp"
#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Arith.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"

#include <algorithm>

namespace airlite::air {

// -- What can be computed again -------------------------------------------------------------------

bool LiftCheck::isInside(Value value) const {
  for (Region* at = value.parentRegion(); at; at = at->parentRegion())
    if (at->parentOp() == &top_) return true;
  return false;
}

bool LiftCheck::canLift(Value value) {
  auto [known, isNew] = known_.try_emplace(value, false);
  if (!isNew) return known->second;
  bool result = decide(value);
  return known_[value] = result;
}

static bool isPlain(Operation& op) { return op.numRegions() == 0 && isPure(op); }

bool LiftCheck::decide(Value value) {
  if (!isInside(value)) return true;
  auto liftAll = [&](Operation& op) {
    return std::all_of(op.operands().begin(), op.operands().end(),
                       [&](Value operand) { return canLift(operand); });
  };
  Operation* op = value.definingOp();
  if (!op) {
    Operation* owner = value.argumentBlock()->parentOp();
    if (isa<scf::ForOp>(owner)) return value.index() == 0;
    HierarchyOp hierarchy = asHierarchy(owner);
    if (!hierarchy) return false;
    if (Value outside = hierarchy.tiedOperand(value)) return canLift(outside);
    unsigned dims = hierarchy.numDims();
    return value.index() < dims || canLift(hierarchy.sizes()[value.index() - dims]);
  }
  if (!isa<ExecuteOp>(op)) return isPlain(*op) && liftAll(*op);
  if (value.index() == 0) return false;
  for (Operation& inner : ExecuteOp(op).body().ops())
    if (!inner.hasTrait(Trait::Terminator) && (!isPlain(inner) || !liftAll(inner))) return false;
  return liftAll(ExecuteOp(op).body().back());
}

/// The values that `op`, which is around a copy, is written with.
static void addValuesOfAround(Operation& op, const Transfer& transfer, std::vector<Value>& values) {
  bool isDecided = transfer.cores && isInside(op, transfer.home->region());
  if (isa<affine::IfOp>(&op) && isDecided) return;
  if (HierarchyOp hierarchy = asHierarchy(&op)) {
    if (transfer.isBroadcast || isa<SegmentOp>(&op)) return;
    for (Value size : hierarchy.sizes())
      values.push_back(size);
    return;
  }
  unsigned count = isa<scf::ForOp>(&op) ? 3 : op.numOperands();
  for (unsigned i = 0; i < count; ++i)
    values.push_back(op.operand(i));
}

std::vector<Value> valuesOfFarHalf(const Transfer& transfer) {
  std::vector<Value> values;
  std::string side = transfer.farIsSource ? "src" : "dst";
  for (std::string_view list : {"", "_offsets", "_sizes", "_strides"})
    for (Value value : transfer.dma->operandGroup(side + std::string(list)))
      values.push_back(value);
  for (Operation* op = transfer.dma; op != transfer.top;) {
    op = op->parentOp();
    addValuesOfAround(*op, transfer, values);
  }
  return values;
}

std::string_view LiftCheck::check(const Transfer& transfer) {
  if (!canLift(transfer.farMemref()))
    return "stays: which memref its far side is can only be told inside of what that leaves";
  for (Value value : valuesOfFarHalf(transfer))
    if (!canLift(value))
      return "stays: an index, size or bound that its far half needs is not computed from "
             "constants, ids and loop variables alone";
  return {};
}

bool LiftCheck::usesId(const Transfer& transfer, unsigned dim) {
  Value id = transfer.home.id(dim);
  std::vector<Value> work = valuesOfFarHalf(transfer);
  std::unordered_set<Value> seen;
  while (!work.empty()) {
    Value value = work.back();
    work.pop_back();
    if (value == id) return true;
    if (!isInside(value) || !seen.insert(value).second) continue;
    Operation* op = value.definingOp();
    if (!op) continue;  // values from outside of the herd do not depend on its ids
    auto add = [&](Operation& from) {
      for (Value operand : from.operands())
        work.push_back(operand);
    };
    if (!isa<ExecuteOp>(op)) add(*op);
    for (Region& region : op->regions())
      for (Operation& inner : region.front().ops())
        add(inner);
  }
  return false;
}

// -- Writing --------------------------------------------------------------------------------------

NestWriter::NestWriter(Operation& top, Type tokenType, std::vector<const Transfer*> transfers)
    : top_(top), tokenType_(tokenType), transfers_(std::move(transfers)) {
  for (const Transfer* transfer : transfers_) {
    ofDma_[transfer->dma] = transfer;
    addItem(*transfer->dma);
    for (Operation* op = transfer->dma; op != &top_;) {
      op = op->parentOp();
      around_.insert(op);
      addItem(*op);
    }
    for (Value value : valuesOfFarHalf(*transfer))
      need(value);
    if (!transfer->isBroadcast && isa<HerdOp>(transfer->home.op()))
      for (unsigned i = 0; i < transfer->home.numDims(); ++i)
        needed_.insert(transfer->home.id(i));
  }
  for (auto& [block, ops] : items_)
    std::sort(ops.begin(), ops.end(),
              [](Operation* a, Operation* b) { return a->isBeforeInBlock(b); });
}

void NestWriter::addItem(Operation& op) {
  if (listed_.insert(&op).second) items_[op.block()].push_back(&op);
}

void NestWriter::need(Value value) {
  std::vector<Value> work{value};
  auto addOperands = [&](Operation& op) {
    for (Value operand : op.operands())
      work.push_back(operand);
  };
  while (!work.empty()) {
    Value at = work.back();
    work.pop_back();
    if (!needed_.insert(at).second) continue;
    Operation* op = at.definingOp();
    if (!op) {
      HierarchyOp hierarchy = asHierarchy(at.argumentBlock()->parentOp());
      if (!hierarchy || !top_.isAncestor(hierarchy.op())) continue;
      Value outside = hierarchy.tiedOperand(at);
      unsigned dims = hierarchy.numDims();
      if (!outside && at.index() >= dims) outside = hierarchy.sizes()[at.index() - dims];
      if (outside) work.push_back(outside);
      continue;
    }
    if (!top_.isProperAncestor(op)) continue;
    bool isInExecute = isa<ExecuteOp>(op->parentOp());
    if (!isInExecute) addItem(*op);
    if (!isa<ExecuteOp>(op)) {
      addOperands(*op);
      continue;
    }
    for (Operation& inner : ExecuteOp(op).body().ops())
      addOperands(inner);
  }
}

Value NestWriter::join(Frame& frame, Location location) {
  return frame.builder.create(location, "air.wait_all", frame.tokens, std::span(&tokenType_, 1))
      ->result();
}

Value NestWriter::write(std::vector<Value> tokens) {
  Frame frame{Builder::before(top_), std::move(tokens)};
  writeAround(top_, frame);
  return frame.tokens.size() == 1 ? frame.tokens[0] : join(frame, top_.location());
}

void NestWriter::writeBlock(Block& original, Frame& frame) {
  for (Operation* op : items_[&original]) {
    auto transfer = ofDma_.find(op);
    if (transfer != ofDma_.end())
      writeFar(*transfer->second, frame);
    else if (around_.count(op))
      writeAround(*op, frame);
    else
      writeSlice(*op, frame);
  }
}

/// Index arithmetic; an execute waits for nothing, since it reads nothing that changes.
void NestWriter::writeSlice(Operation& op, Frame& frame) {
  Operation* copy = op.clone(mapping_);
  frame.builder.insert(copy);
  copy->removeAttr("id");
  if (!isa<ExecuteOp>(copy)) return;
  copy->setOperands({});
  frame.tokens.push_back(copy->result(0));
}

void NestWriter::writeFar(const Transfer& transfer, Frame& frame) {
  std::vector<Value> indices;
  bool isBundle = !transfer.isBroadcast && isa<HerdOp>(transfer.home.op());
  for (unsigned i = 0; isBundle && i < transfer.home.numDims(); ++i)
    indices.push_back(mapping_.lookupOr(transfer.home.id(i)));
  HalfPlace place{transfer.channel, indices, frame.tokens, tokenType_};
  Operation* half =
      createHalf(frame.builder, DmaMemcpyNdOp(transfer.dma), transfer.farIsSource, place, mapping_);
  if (transfer.isBroadcast) half->setAttr("broadcast_set", transfer.dma->attr("broadcast_set"));
  frame.tokens = {half->result(0)};
}

void NestWriter::writeAround(Operation& op, Frame& frame) {
  if (HierarchyOp hierarchy = asHierarchy(&op)) return writeHierarchy(hierarchy, frame);
  if (isa<scf::ForOp>(&op)) return writeFor(op, frame);
  if (!isa<affine::IfOp>(&op) || !isDecided(op)) return writeIf(op, frame);
  for (Region& region : op.regions())
    if (!region.empty()) writeBlock(region.front(), frame);
}

void NestWriter::writeFor(Operation& op, Frame& frame) {
  scf::ForOp loop(&op);
  Value init = join(frame, op.location());
  scf::ForOp copy = scf::ForOp::create(
      frame.builder, op.location(), mapping_.lookupOr(loop.lowerBound()),
      mapping_.lookupOr(loop.upperBound()), mapping_.lookupOr(loop.step()), {&init, 1});
  copy->setAttributes(op.attributes());
  mapping_.map(loop.inductionVar(), copy.inductionVar());
  Frame body{Builder::atEnd(copy.body()), {copy.regionIterArg(0)}};
  writeBlock(loop.body(), body);
  Value end = join(body, op.location());
  scf::YieldOp::create(body.builder, op.location(), {&end, 1});
  frame.tokens = {copy->result(0)};
}

/// An affine.if as a value: ids that become loop variables are not operands for it any more.
Value NestWriter::conditionOf(Operation& op, Frame& frame) {
  Builder& builder = frame.builder;
  std::vector<Value> operands;
  for (Value operand : op.operands())
    operands.push_back(mapping_.lookupOr(operand));
  if (isa<scf::IfOp>(&op)) return operands[0];
  IntegerSet set = affine::IfOp(&op).condition();
  std::span<const Value> all(operands);
  Value zero = builder.constantIndex(op.location(), 0), result;
  for (unsigned i = 0; i < set.constraints().size(); ++i) {
    Value value = affine::expandExpr(builder, op.location(), set.constraints()[i],
                                     all.first(set.numDims()), all.subspan(set.numDims()));
    auto predicate = set.isEquality(i) ? arith::CmpIPredicate::eq : arith::CmpIPredicate::sge;
    Attribute attr = builder.i64Attr(static_cast<int64_t>(predicate));
    Value holds = builder
                      .create(op.location(), "arith.cmpi", {value, zero}, {builder.intType(1)},
                              {builder.named("predicate", attr)})
                      ->result();
    result =
        result ? builder.create(op.location(), "arith.andi", {result, holds}, {})->result() : holds;
  }
  return result ? result
                : builder.constant(op.location(), IntegerAttr::getBool(op.context(), true));
}

/// Both branches yield a token; where nothing is written there, that of what comes before.
void NestWriter::writeIf(Operation& op, Frame& frame) {
  Value condition = conditionOf(op, frame);
  scf::IfOp copy = scf::IfOp::create(frame.builder, op.location(), {&tokenType_, 1}, condition);
  for (unsigned i = 0; i < 2; ++i) {
    Frame branch{Builder::atEnd(copy->region(i).front()), frame.tokens};
    if (!op.region(i).empty()) writeBlock(op.region(i).front(), branch);
    Value end = join(branch, op.location());
    scf::YieldOp::create(branch.builder, op.location(), {&end, 1});
  }
  frame.tokens = {copy->result(0)};
}

/// Kernel arguments are what they stand for.
void NestWriter::writeHierarchy(HierarchyOp op, Frame& frame) {
  for (unsigned i = 0; i < op.numKernelOperands(); ++i)
    mapping_.map(op.kernelArgument(i), mapping_.lookupOr(op.kernelOperands()[i]));
  for (unsigned i = 0; i < op.numDims(); ++i)
    mapping_.map(op.sizeArgument(i), mapping_.lookupOr(op.sizes()[i]));
  if (isa<HerdOp>(op.op()) && !isOneCore(op)) return writeInstances(op, frame);
  bindIds(op, frame);
  writeBlock(op.body(), frame);
}

/// The far half runs for one core, or for none in particular.
bool NestWriter::isOneCore(HierarchyOp herd) const {
  if (isBroadcast()) return true;
  std::vector<int64_t> sizes = *herd.constantSizes();
  if (transfers_[0]->cores) sizes = {transfers_[0]->cores->size[0], transfers_[0]->cores->size[1]};
  return std::all_of(sizes.begin(), sizes.end(), [](int64_t size) { return size == 1; });
}

/// One instance: the ids are known where anything depends on them.
void NestWriter::bindIds(HierarchyOp op, Frame& frame) {
  for (unsigned i = 0; i < op.numDims(); ++i) {
    if (!needed_.count(op.id(i))) continue;
    const std::optional<CoreRectangle>& cores = transfers_[0]->cores;
    int64_t id = isa<HerdOp>(op.op()) && cores ? cores->lower[i] : 0;
    mapping_.map(op.id(i), frame.builder.constantIndex(op->location(), id));
  }
}

namespace {

/// Two instances are done when both are.
void addTokenReduce(Builder& builder, Location location, Value token) {
  Context& context = builder.context();
  Type type = token.type();
  OperationState state(context, location, "scf.reduce");
  state.operands = {token};
  Block& block = state.addRegion().addBlock(context);
  Value both[] = {block.addArgument(type, location), block.addArgument(type, location)};
  Builder inside = Builder::atEnd(block);
  Value joined = inside.create(location, "air.wait_all", both, std::span(&type, 1))->result();
  inside.create(location, "scf.reduce.return", {&joined, 1}, {});
  builder.insert(Operation::create(context, state));
}

}  // namespace

void NestWriter::writeInstances(HierarchyOp op, Frame& frame) {
  Location location = op->location();
  std::vector<Value> lower, upper, steps;
  Value one = frame.builder.constantIndex(location, 1);
  const std::optional<CoreRectangle>& cores = transfers_[0]->cores;
  for (unsigned i = 0; i < op.numDims(); ++i) {
    int64_t first = cores ? cores->lower[i] : 0;
    lower.push_back(frame.builder.constantIndex(location, first));
    upper.push_back(cores ? frame.builder.constantIndex(location, first + cores->size[i])
                          : mapping_.lookupOr(op.sizes()[i]));
    steps.push_back(one);
  }
  Value init = join(frame, location);
  scf::ParallelOp loop =
      scf::ParallelOp::create(frame.builder, location, lower, upper, steps, {&init, 1});
  for (unsigned i = 0; i < op.numDims(); ++i)
    mapping_.map(op.id(i), loop.inductionVars()[i]);
  Frame body{Builder::atEnd(loop.body()), {init}};
  writeBlock(op.body(), body);
  Value end = join(body, location);
  addTokenReduce(body.builder, location, end);
  frame.tokens = {loop->result(0)};
}

}  // namespace airlite::air
