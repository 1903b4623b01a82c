// transform.structured.generalize, and transform.air.fuse_elementwise_linalg and fuse_multi_op_linalg:
// linalg ops on tensors, one inside of the other.
//
// A producer that computes each of its elements alone (all loops parallel) is computed where its
// consumer reads it: the consumer becomes a linalg.generic that reads the inputs of the producer.
// Numbers are the same; a producer with several readers is computed for each of them.
// fuse_elementwise_linalg does this for all elementwise ops inside of an op, and removes producers that
// nothing reads any more. fuse_multi_op_linalg does it for two ops; the first one stays.
//
// Declines: buffers, several results, a producer that reads its output or asks for the indices of its
// loops, elements in another order than that of the loops, a loop whose size only the producer's
// result says, bodies of more than kMaxBody ops.
#include "ScriptRewrites.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"

#include <algorithm>

namespace airlite {

namespace {

using linalg::StructuredOp;

/// Readers that share a producer make bodies grow; this is far above what anybody writes.
constexpr unsigned kMaxBody = 1024;

bool isParallel(StructuredOp op) {
  return std::ranges::all_of(op.iterators(), [](linalg::IteratorKind kind) {
    return kind == linalg::IteratorKind::Parallel;
  });
}

/// What an op reads: a tensor by a map, as this value of the body before.
struct FusedInput {
  Value value;
  AffineMap map;
  std::vector<Value> elements;
};

void addInput(std::vector<FusedInput>& inputs, Value value, AffineMap map, Value element) {
  const auto known = std::ranges::find_if(
      inputs, [&](const FusedInput& input) { return input.value == value && input.map == map; });
  if (known == inputs.end())
    inputs.push_back({value, map, {element}});
  else
    known->elements.push_back(element);
}

bool reads(StructuredOp consumer, unsigned operand, Value result, AffineMap map) {
  return consumer->operand(operand) == result && consumer.indexingMaps()[operand] == map;
}

/// The inputs of the consumer with those of the producer in the place of its result.
std::vector<FusedInput> fusedInputs(StructuredOp producer, StructuredOp consumer,
                                    unsigned operand) {
  const std::vector<AffineMap> before = producer.indexingMaps(), maps = consumer.indexingMaps();
  const Value result = consumer->operand(operand);
  const AffineMap toLoops = before.back().inversePermutation().compose(maps[operand]);
  std::vector<FusedInput> inputs;
  for (unsigned i = 0; i < consumer.numInputs(); ++i) {
    if (!reads(consumer, i, result, maps[operand]))
      addInput(inputs, consumer->operand(i), maps[i], consumer.bodyArgument(i));
    for (unsigned j = 0; i == operand && j < producer.numInputs(); ++j)
      if (producer->operand(j).type().isa<ShapedType>())
        addInput(inputs, producer->operand(j), before[j].compose(toLoops),
                 producer.bodyArgument(j));
  }
  return inputs;
}

/// Each loop is the index of a dimension of an operand, which says how far it goes.
bool saysAllSizes(const std::vector<AffineMap>& maps, unsigned numLoops) {
  std::vector<bool> isKnown(numLoops);
  for (AffineMap map : maps)
    for (AffineExpr index : map.results())
      if (index.kind() == AffineKind::Dim) isKnown[index.position()] = true;
  return std::ranges::find(isKnown, false) == isKnown.end();
}

std::vector<AffineMap> mapsOf(const std::vector<FusedInput>& inputs, StructuredOp consumer) {
  std::vector<AffineMap> maps;
  for (const FusedInput& input : inputs)
    maps.push_back(input.map);
  const std::vector<AffineMap> before = consumer.indexingMaps();
  maps.insert(maps.end(), before.begin() + consumer.numInputs(), before.end());
  return maps;
}

/// What the consumer says of itself beside operands, maps and loops.
void copyAttributes(const Operation& from, Operation& to) {
  if (!from.is("linalg.generic")) return;
  for (const NamedAttribute& entry : from.attributes().value())
    if (!to.hasAttr(entry.name.str())) to.setAttr(entry.name.str(), entry.value);
}

void cloneBody(StructuredOp op, Builder& builder, IRMapping& mapping) {
  for (Operation& inner : op.body().ops())
    if (!inner.hasTrait(Trait::Terminator)) builder.clone(inner, mapping);
}

StructuredOp fuse(StructuredOp producer, StructuredOp consumer, unsigned operand) {
  const std::vector<FusedInput> inputs = fusedInputs(producer, consumer, operand);
  std::vector<Value> values;
  for (const FusedInput& input : inputs)
    values.push_back(input.value);
  Builder builder = Builder::before(*consumer.op());
  StructuredOp fused =
      linalg::createGeneric(builder, consumer->location(), values, consumer.outputs().vec(),
                            mapsOf(inputs, consumer), consumer.iterators());
  copyAttributes(*consumer, *fused);
  IRMapping mapping;
  Block& body = fused.body();
  for (unsigned i = 0; i < inputs.size(); ++i)
    for (Value element : inputs[i].elements)
      if (element) mapping.map(element, body.argument(i));
  for (unsigned i = 0; i < consumer.numOutputs(); ++i)
    if (Value element = consumer.bodyArgument(consumer.numInputs() + i))
      mapping.map(element, body.argument(static_cast<unsigned>(inputs.size()) + i));
  for (unsigned j = 0; j < producer.numInputs(); ++j)
    if (!producer->operand(j).type().isa<ShapedType>())
      mapping.map(producer.bodyArgument(j), producer->operand(j));
  builder.setToEnd(body);
  cloneBody(producer, builder, mapping);
  const Value element = mapping.lookupOr(producer.body().back().operand(0));
  const AffineMap map = consumer.indexingMaps()[operand];
  for (unsigned i = 0; i < consumer.numInputs(); ++i)
    if (reads(consumer, i, consumer->operand(operand), map))
      mapping.map(consumer.bodyArgument(i), element);
  cloneBody(consumer, builder, mapping);
  builder.clone(consumer.body().back(), mapping);
  return fused;
}

/// Why the element of `producer` cannot be computed where this input of `consumer` is read; empty
/// when it can.
std::string_view obstacleTo(StructuredOp producer, StructuredOp consumer, unsigned operand) {
  if (!producer || !consumer) return "it is not a structured linalg op";
  if (!producer.onTensors() || !consumer.onTensors()) return "it is not on tensors";
  if (producer->numResults() != 1) return "the first op has not one result";
  if (!isParallel(producer)) return "the first op does not compute each element alone";
  if (producer.readsOutput(0)) return "the first op reads its output";
  if (producer.usesIndices()) return "the first op asks for the indices of its loops";
  if (!producer.indexingMaps().back().isPermutation())
    return "the elements of the first op are not in the order of its loops";
  if (producer.body().numOps() + consumer.body().numOps() > kMaxBody)
    return "the body would be too long";
  const auto inputs = fusedInputs(producer, consumer, operand);
  if (!saysAllSizes(mapsOf(inputs, consumer), consumer.numLoops()))
    return "only the result of the first op says how far a loop goes";
  return {};
}

/// The first input of `op` that can be computed in it; none: null.
StructuredOp producerFor(StructuredOp op, unsigned& operand) {
  for (operand = 0; operand < op.numInputs(); ++operand) {
    Operation* definition = op->operand(operand).definingOp();
    if (!definition || definition->block() != op->block()) continue;  // not once for each round
    StructuredOp producer = linalg::asStructured(definition);
    if (producer && obstacleTo(producer, op, operand).empty()) return producer;
  }
  return {};
}

}  // namespace

void fuseElementwise(Operation& root, std::unordered_set<Operation*>& erased) {
  std::vector<Operation*> ops;
  root.walk([&](Operation& op) {
    if (StructuredOp structured = linalg::asStructured(&op); structured && isParallel(structured))
      ops.push_back(&op);
  });
  for (Operation*& op : ops) {
    unsigned operand = 0;
    while (StructuredOp producer = producerFor(StructuredOp(op), operand)) {
      StructuredOp fused = fuse(producer, StructuredOp(op), operand);
      op->replaceAllUsesWith(fused->resultValues());
      erased.insert(op);
      op->erase();
      op = fused.op();
    }
  }
  // What nothing reads any more was read by an op that came after it.
  for (Operation* op : std::vector<Operation*>(ops.rbegin(), ops.rend())) {
    if (!StructuredOp(op).onTensors() || op->hasResultUses()) continue;
    erased.insert(op);
    op->erase();
  }
}

Operation* fuseTwo(Operation& first, Operation& second) {
  StructuredOp producer = linalg::asStructured(&first), consumer = linalg::asStructured(&second);
  unsigned operand = 0;
  const auto readsFirst = [&] { return consumer->operand(operand).definingOp() == &first; };
  while (consumer && operand < consumer.numInputs() && !readsFirst())
    ++operand;
  if (consumer && operand == consumer.numInputs()) {
    second.emitOpError() << "cannot be fused: it does not read the result of the first op";
    return nullptr;
  }
  if (const std::string_view why = obstacleTo(producer, consumer, operand); !why.empty()) {
    second.emitOpError() << "cannot be fused: " << why;
    return nullptr;
  }
  StructuredOp fused = fuse(producer, consumer, operand);
  second.replaceAllUsesWith(fused->resultValues());
  second.erase();
  return fused.op();
}

Operation* generalize(Operation& op) {
  StructuredOp named = linalg::asStructured(&op);
  if (!named) {
    op.emitOpError() << "is not a linalg op with loops, which could become linalg.generic";
    return nullptr;
  }
  if (op.is("linalg.generic")) return &op;
  Builder builder = Builder::before(op);
  StructuredOp generic = linalg::createGeneric(builder, named);
  op.replaceAllUsesWith(generic->resultValues());
  op.erase();
  return generic.op();
}

}  // namespace airlite
