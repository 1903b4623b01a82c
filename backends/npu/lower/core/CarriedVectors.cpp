#include "CarriedVectors.hpp"

#include "ScalarChoice.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"

#include <algorithm>

namespace airlite::npu {

namespace {

std::vector<unsigned> carriedOf(std::span<const Value> buffers, unsigned first) {
  std::vector<unsigned> indices;
  for (unsigned i = 0; i < buffers.size(); ++i)
    if (buffers[i]) indices.push_back(first + i);
  return indices;
}

void eraseOperands(Operation& op, const std::vector<unsigned>& indices) {
  for (size_t i = indices.size(); i-- > 0;)
    op.eraseOperand(indices[i]);
}

void eraseArguments(Block& block, const std::vector<unsigned>& indices, unsigned first) {
  for (size_t i = indices.size(); i-- > 0;)
    block.eraseArgument(indices[i] + first);
}

/// The op with the results that are left.
void rebuild(Operation& op, const std::vector<unsigned>& operands,
             const std::vector<unsigned>& results) {
  if (op.is("scf.for")) eraseArguments(op.region().front(), results, 1);
  if (op.is("scf.while")) {
    eraseArguments(op.region(0).front(), operands, 0);
    eraseArguments(op.region(1).front(), results, 0);
  }
  OperationState state(op.location(), op.def());
  state.operands = op.operands().vec();
  state.attributes = NamedAttrList(op.attributes());
  std::vector<Value> kept;
  for (unsigned i = 0; i < op.numResults(); ++i)
    if (std::find(results.begin(), results.end(), i) == results.end())
      kept.push_back(op.result(i)), state.resultTypes.push_back(op.result(i).type());
  for (unsigned i = 0; i < op.numRegions(); ++i)
    state.addRegion();
  Builder builder = Builder::before(op);
  Operation* made = builder.create(state);
  for (unsigned i = 0; i < op.numRegions(); ++i)
    made->region(i).takeBody(op.region(i));
  for (unsigned i = 0; i < kept.size(); ++i)
    kept[i].replaceAllUsesWith(made->result(i));
  op.erase();
}

}  // namespace

/// Buffers for those of `values` that no register holds; null for the others.
std::vector<Value> CarriedVectors::makeBuffers(std::span<const Value> values) {
  std::vector<Value> buffers;
  for (Value value : values)
    buffers.push_back(isCarriedInBuffer(value.type())
                          ? lanes_.buffers().makeBuffer(value.type().cast<VectorType>())
                          : Value());
  return buffers;
}

void CarriedVectors::bind(std::span<const Value> values, const std::vector<Value>& buffers) {
  for (size_t i = 0; i < values.size(); ++i)
    if (buffers[i]) lanes_.buffers().setBuffer(values[i], buffers[i]);
}

/// `buffers = values` in front of `end`, all at the same time: what another assignment overwrites
/// is copied first.
void CarriedVectors::assign(Operation& end, std::span<const Value> values,
                            const std::vector<Value>& buffers) {
  lanes_.build().rewriter().setBefore(end);
  lanes_.build().setLocation(end.location());
  std::vector<Value> copies(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    Value from = buffers[i] ? lanes_.buffers().bufferOf(values[i]) : Value();
    if (!from || from == buffers[i] || std::ranges::find(buffers, from) == buffers.end()) continue;
    copies[i] = lanes_.buffers().makeBuffer(values[i].type().cast<VectorType>());
    lanes_.buffers().copyBuffer(copies[i], from);
  }
  for (size_t i = 0; i < values.size(); ++i) {
    if (copies[i])
      lanes_.buffers().copyBuffer(buffers[i], copies[i]);
    else if (buffers[i])
      lanes_.copyInto(buffers[i], values[i]);
  }
}

void CarriedVectors::visitFor(Operation& op) {
  scf::ForOp loop(&op);
  std::vector<Value> inits = loop.initArgs().vec();
  std::vector<Value> buffers = makeBuffers(inits);
  assign(op, inits, buffers);
  bind(loop.regionIterArgs(), buffers);
  bind(op.resultValues(), buffers);
  visit_(op.region());
  Operation& end = *loop.yield();
  assign(end, end.operands().vec(), buffers);
  carriers_.push_back({&op, {&end}, carriedOf(buffers, 3), carriedOf(buffers, 0)});
}

void CarriedVectors::visitIf(Operation& op) {
  std::vector<Value> results = op.resultValues(), buffers = makeBuffers(results);
  bind(results, buffers);
  Carrier carrier{&op, {}, {}, carriedOf(buffers, 0)};
  for (Region& region : op.regions()) {
    if (region.empty()) continue;
    visit_(region);
    Operation& end = region.front().back();
    if (!results.empty()) assign(end, end.operands().vec(), buffers);
    carrier.ends.push_back(&end);
  }
  carriers_.push_back(carrier);
}

/// What the condition hands on is the results, and the arguments of what is done then.
void CarriedVectors::visitWhile(Operation& op) {
  scf::WhileOp loop(&op);
  std::vector<Value> inits = loop.inits().vec(), results = op.resultValues();
  std::vector<Value> before = makeBuffers(inits), after = makeBuffers(results);
  assign(op, inits, before);
  bind(loop.beforeBody().arguments(), before);
  bind(loop.afterBody().arguments(), after);
  bind(results, after);
  visit_(loop.before());
  assign(*loop.conditionOp(), loop.conditionOp().args().vec(), after);
  visit_(loop.after());
  assign(*loop.yield(), loop.yield()->operands().vec(), before);
  carriers_.push_back({&op, {}, carriedOf(before, 0), carriedOf(after, 0)});
  dropOperands_.emplace_back(&*loop.conditionOp(), carriedOf(after, 1));
  dropOperands_.emplace_back(&*loop.yield(), carriedOf(before, 0));
}

void CarriedVectors::dropOperands() {
  for (const Carrier& carrier : carriers_) {
    eraseOperands(*carrier.op, carrier.operands);
    for (Operation* end : carrier.ends)
      eraseOperands(*end, carrier.results);
  }
  for (auto& [op, indices] : dropOperands_)
    eraseOperands(*op, indices);
}

bool CarriedVectors::dropResults() {
  bool changed = false;
  for (size_t i = carriers_.size(); i-- > 0;) {
    const Carrier& carrier = carriers_[i];
    if (carrier.results.empty() && carrier.operands.empty()) continue;
    rebuild(*carrier.op, carrier.operands, carrier.results);
    changed = true;
  }
  return changed;
}

}  // namespace airlite::npu
