// See OutputsApart.hpp.
#include "OutputsApart.hpp"

#include "airlite/analysis/Access.hpp"

#include <algorithm>
#include <set>

namespace airlite::tiling {

namespace {

using linalg::StructuredOp;

bool isSplittable(StructuredOp op) {
  return op->is("linalg.generic") && op.onBuffers() && op.numOutputs() > 1 &&
         std::ranges::all_of(op.body().ops(), [](Operation& inner) {
           return inner.numRegions() == 0 && !inner.is("memref.load");
         });
}

bool mayOverlap(analysis::AccessReader& reader, Value a, Value b) {
  return b.type().isa<MemRefType>() &&
         reader.mayOverlap({reader.bufferOf(a)}, {reader.bufferOf(b)});
}

/// Whether no output is memory of another operand; the same memory by the same map is allowed where `allowsSame`.
bool haveOwnMemory(StructuredOp op, bool allowsSame) {
  analysis::AccessReader reader;
  const std::vector<AffineMap> maps = op.indexingMaps();
  for (unsigned output = op.numInputs(); output < op->numOperands(); ++output)
    for (unsigned other = 0; other < op->numOperands(); ++other) {
      if (other == output || !mayOverlap(reader, op->operand(output), op->operand(other))) continue;
      const bool isSame = op->operand(other) == op->operand(output) && maps[other] == maps[output];
      if (!allowsSame || other >= op.numInputs() || !isSame) return false;
    }
  return true;
}

/// Reads which part of a body computes an output.
class PartReader {
 public:
  /// `reuses`: what other outputs become is not computed again.
  PartReader(StructuredOp op, unsigned output, bool reuses)
      : op_(op), yield_(op.body().back()), reuses_(reuses) {
    part_.output = output;
  }

  OutputPart read() {
    visit(yield_.operand(part_.output), false);
    for (Operation& inner : op_.body().ops())
      if (needed_.contains(&inner)) part_.body.push_back(&inner);
    part_.inputs.assign(inputs_.begin(), inputs_.end());
    part_.before.assign(before_.begin(), before_.end());
    part_.after.assign(after_.begin(), after_.end());
    return part_;
  }

 private:
  void visit(Value value, bool isInside = true) {
    Operation* made = value.definingOp();
    if (!made) return visitArgument(value);
    if (made->block() != &op_.body() || needed_.contains(made)) return;
    for (unsigned other = 0; isInside && reuses_ && other < op_.numOutputs(); ++other)
      if (other != part_.output && yield_.operand(other) == value) {
        after_.insert(other);
        return;
      }
    needed_.insert(made);
    for (Value operand : made->operands())
      visit(operand);
  }

  void visitArgument(Value value) {
    for (unsigned i = 0; i < op_->numOperands(); ++i) {
      if (op_.bodyArgument(i) != value) continue;
      if (i < op_.numInputs()) inputs_.insert(i);
      for (unsigned output = 0; output < op_.numOutputs(); ++output)
        if (output != part_.output && op_->operand(i) == op_.outputs()[output])
          before_.insert(output);
    }
  }

  StructuredOp op_;
  Operation& yield_;
  bool reuses_;
  OutputPart part_;
  std::set<Operation*> needed_;
  std::set<unsigned> inputs_, before_, after_;
};

std::vector<OutputPart> readParts(StructuredOp op, bool reuses) {
  std::vector<OutputPart> parts;
  for (unsigned output = 0; output < op.numOutputs(); ++output)
    parts.push_back(PartReader(op, output, reuses).read());
  return parts;
}

bool has(const std::vector<unsigned>& outputs, unsigned output) {
  return std::ranges::find(outputs, output) != outputs.end();
}

/// Whether `part` may be the next one of those in `left`.
bool mayBeNext(const OutputPart& part, const std::vector<OutputPart>& left) {
  return std::ranges::all_of(left, [&](const OutputPart& other) {
    return other.output == part.output ||
           (!has(part.after, other.output) && !has(other.before, part.output));
  });
}

/// One op. Its inputs are followed by the other outputs that it reads.
void writePart(Rewriter& rewriter, StructuredOp op, const OutputPart& part) {
  const unsigned first = op.numInputs();
  const std::vector<AffineMap> all = op.indexingMaps();
  const Operation& yield = op.body().back();
  std::vector<Value> inputs, elements;
  std::vector<AffineMap> maps;
  for (unsigned i : part.inputs)
    inputs.push_back(op->operand(i)), elements.push_back(op.bodyArgument(i)),
        maps.push_back(all[i]);
  const auto addOutput = [&](unsigned output, Value element) {
    inputs.push_back(op.outputs()[output]);
    elements.push_back(element);
    maps.push_back(all[first + output]);
  };
  for (unsigned output : part.before)
    addOutput(output, op.bodyArgument(first + output));
  for (unsigned output : part.after)
    addOutput(output, yield.operand(output));
  maps.push_back(all[first + part.output]);
  const Value result = op.outputs()[part.output];
  StructuredOp made =
      linalg::createGeneric(rewriter, op->location(), inputs, {&result, 1}, maps, op.iterators());
  IRMapping values;
  for (unsigned i = 0; i < elements.size(); ++i)
    values.map(elements[i], made.bodyArgument(i));
  values.map(op.bodyArgument(first + part.output),
             made.bodyArgument(static_cast<unsigned>(elements.size())));
  Builder body = Builder::atEnd(made.body());
  for (Operation* inner : part.body)
    body.clone(*inner, values);
  body.create(op->location(), "linalg.yield", {values.lookupOr(yield.operand(part.output))}, {});
}

}  // namespace

std::optional<std::vector<OutputPart>> sumsApart(StructuredOp op) {
  if (!isSplittable(op) || !haveOwnMemory(op, false)) return std::nullopt;
  const Operation& yield = op.body().back();
  for (unsigned output = 0; output < op.numOutputs(); ++output) {
    const Value soFar = op.bodyArgument(op.numInputs() + output), sum = yield.operand(output);
    const bool isOwn =
        soFar.hasOneUse() && sum.hasOneUse() && (*soFar.uses().begin()).owner() == sum.definingOp();
    if (!isOwn) return std::nullopt;
  }
  std::vector<OutputPart> parts = readParts(op, false);
  // All of them know the sizes of all loops.
  for (OutputPart& part : parts) {
    part.inputs.clear();
    for (unsigned i = 0; i < op.numInputs(); ++i)
      part.inputs.push_back(i);
  }
  return parts;
}

std::optional<std::vector<OutputPart>> elementsApart(StructuredOp op) {
  const auto isParallel = [](linalg::IteratorKind kind) {
    return kind == linalg::IteratorKind::Parallel;
  };
  if (!isSplittable(op) || !std::ranges::all_of(op.iterators(), isParallel) ||
      !haveOwnMemory(op, true))
    return std::nullopt;
  const std::vector<AffineMap> maps = op.indexingMaps();
  for (unsigned i = op.numInputs(); i < op->numOperands(); ++i)
    if (!maps[i].isIdentity()) return std::nullopt;
  std::vector<OutputPart> left = readParts(op, true), ordered;
  while (!left.empty()) {
    const auto next =
        std::ranges::find_if(left, [&](const OutputPart& part) { return mayBeNext(part, left); });
    if (next == left.end()) return std::nullopt;
    ordered.push_back(*next);
    left.erase(next);
  }
  return ordered;
}

void writeApart(Rewriter& rewriter, StructuredOp op, const std::vector<OutputPart>& parts) {
  rewriter.setBefore(*op.op());
  for (const OutputPart& part : parts)
    writePart(rewriter, op, part);
  rewriter.eraseOp(*op.op());
}

}  // namespace airlite::tiling
