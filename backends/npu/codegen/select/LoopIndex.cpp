#include "LoopIndex.hpp"

#include "Queries.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <algorithm>
#include <utility>

namespace airlite::npu::codegen {

bool IndexSum::add(IndexSum sum, int64_t factor) {
  if (!rowLength) setRows(sum.rowLength);
  sum.setRows(rowLength);
  if (sum.rowLength != rowLength) return false;
  perRound += sum.perRound * factor;
  perRow += sum.perRow * factor;
  constant += sum.constant * factor;
  for (auto [value, times] : sum.others)
    addOther(value, times * factor);
  return true;
}

void IndexSum::setRows(int64_t length) {
  if (rowLength || !length) return;
  rowLength = length;
  perRow = perRound * length;
}

void IndexSum::addOther(Value value, int64_t times) {
  auto found = std::ranges::find(others, value, &std::pair<Value, int64_t>::first);
  if (found == others.end()) {
    others.emplace_back(value, times);
  } else if (!(found->second += times)) {
    others.erase(found);
  }
}

bool IndexSum::sameBut(const IndexSum& sum) const {
  return perRound == sum.perRound && perRow == sum.perRow && rowLength == sum.rowLength &&
         others == sum.others;
}

namespace {

class IndexReader {
 public:
  IndexReader(scf::ForOp loop) : loop_(loop) {}

  /// None for an index that is computed otherwise.
  std::optional<IndexSum> read(Value index) const {
    if (index == loop_.inductionVar()) return IndexSum{1, 0, 0, 0, {}};
    if (auto number = constantIntOf(index)) return IndexSum{0, *number, 0, 0, {}};
    Operation* op = index.definingOp();
    if (index.parentBlock() != &loop_.body()) return readOutside(index);
    return op && widthOf(index.type()) == 32 ? readOp(*op) : std::nullopt;
  }

 private:
  std::optional<IndexSum> readOp(Operation& op) const {
    if (op.is("arith.index_cast") && widthOf(op.operand(0).type()) == 32)
      return read(op.operand(0));
    if (op.is("arith.divui") || op.is("arith.remui")) return readRow(op);
    bool adds = op.is("arith.addi"), subtracts = op.is("arith.subi"),
         multiplies = op.is("arith.muli");
    if (!adds && !subtracts && !multiplies && !op.is("arith.shli")) return std::nullopt;
    auto a = read(op.operand(0)), b = read(op.operand(1));
    if (!a || !b) return std::nullopt;
    if (adds || subtracts) return a->add(*b, adds ? 1 : -1) ? a : std::nullopt;
    if (multiplies && isNumber(*a)) std::swap(a, b);
    if (!isNumber(*b) || (!multiplies && (b->constant < 0 || b->constant > 20)))
      return std::nullopt;
    IndexSum product;
    product.add(*a, multiplies ? b->constant : int64_t{1} << b->constant);
    return product;
  }
  /// The row of a round, or its place in the row.
  std::optional<IndexSum> readRow(Operation& op) const {
    auto length = constantIntOf(op.operand(1));
    if (op.operand(0) != loop_.inductionVar() || !length || *length < 2 || !countsRounds())
      return std::nullopt;
    return op.is("arith.remui") ? IndexSum{1, 0, 0, *length, {}} : IndexSum{0, 0, 1, *length, {}};
  }
  bool countsRounds() const {
    return constantIntOf(loop_.lowerBound()) == 0 && constantIntOf(loop_.step()) == 1;
  }
  /// Sums with constants have been moved out of the loop, too.
  static IndexSum readOutside(Value index) {
    IndexSum sum;
    for (Operation* op = index.definingOp(); op && op->is("arith.addi"); op = index.definingOp()) {
      auto number = constantIntOf(op->operand(1));
      if (!number) break;
      sum.constant += *number;
      index = op->operand(0);
    }
    sum.addOther(index, 1);
    return sum;
  }
  static bool isNumber(const IndexSum& sum) { return !sum.moves() && sum.others.empty(); }

  scf::ForOp loop_;
};

}  // namespace

std::optional<IndexSum> readIndex(scf::ForOp loop, Value index) {
  return IndexReader(loop).read(index);
}

}  // namespace airlite::npu::codegen
