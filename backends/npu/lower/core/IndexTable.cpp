// See IndexTable.hpp.
#include "IndexTable.hpp"

#include "CoreMemory.hpp"
#include "LaneMasks.hpp"
#include "SoftWord.hpp"
#include "VectorParts.hpp"
#include "VectorUnit.hpp"
#include "airlite/analysis/LinearSum.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <vector>

namespace airlite::npu {

namespace {

/// Of a table, which a core has beside its buffers.
constexpr int64_t kMostIndices = 2048;

bool isIndexArithmetic(const Operation& op) {
  constexpr std::string_view kNames[] = {"arith.addi",  "arith.subi",  "arith.muli",
                                         "arith.andi",  "arith.minsi", "arith.maxsi",
                                         "arith.minui", "arith.maxui"};
  return std::ranges::any_of(kNames, [&](std::string_view name) { return op.is(name); });
}

/// The least and the greatest number that an index may be.
struct IndexRange {
  int64_t least = 0, most = 0;
};

constexpr IndexRange kWordRange = {std::numeric_limits<int32_t>::min(),
                                   std::numeric_limits<int32_t>::max()};

constexpr IndexRange kPlaceRange = {-(int64_t{1} << 30), int64_t{1} << 30};

/// None where a word would cut numbers.
std::optional<IndexRange> inWord(IndexRange range) {
  const bool fits = range.least >= kWordRange.least && range.most <= kWordRange.most;
  return fits ? std::optional(range) : std::nullopt;
}

/// Of an op of isIndexArithmetic; products of words have 64 bits. The minimum of numbers without sign is one of both as well.
std::optional<IndexRange> combined(const Operation& op, IndexRange a, IndexRange b) {
  if (op.is("arith.addi")) return inWord({a.least + b.least, a.most + b.most});
  if (op.is("arith.subi")) return inWord({a.least - b.most, a.most - b.least});
  if (op.is("arith.andi")) return a.least >= 0 && b.least >= 0 ? IndexRange{0, a.most} : kWordRange;
  if (!op.is("arith.muli")) return IndexRange{std::min(a.least, b.least), std::max(a.most, b.most)};
  const auto [least, most] =
      std::minmax({a.least * b.least, a.least * b.most, a.most * b.least, a.most * b.most});
  return inWord({least, most});
}

class IndexRewriter {
 public:
  IndexRewriter(scf::ForOp loop, const CoreRoot& program)
      : loop_(loop), program_(program), rewriter_(loop->context()) {}

  bool read() {
    const auto last = constantIntOf(loop_.upperBound());
    if (!loop_.tripCount() || constantIntOf(loop_.step()) != 1 || !last || *last > kMostIndices)
      return false;
    size_ = *last;
    for (Operation& op : loop_.body().ops())
      if (isUser(op))
        users_.push_back(&op);
      else if (!mayHaveLanes(op))
        return false;
    return !users_.empty();
  }

  void run() {
    makeTable();
    for (Operation* user : users_) {
      std::vector<Value> words;
      for (Value operand : user->operands())
        words.push_back(word(operand));
      rewriter_.setBefore(*user);
      if (user->is("arith.cmpi"))
        user->setOperands(words);
      else
        rewriter_.replaceOp(*user, narrowed(*user, words.front()));
    }
    eraseUnused();
  }

 private:
  bool isInside(Value value) const { return value.parentBlock() == &loop_.body(); }

  /// A number that i32 holds: outside of the loop, or computed from its index.
  bool isKnown(Value index) { return rangeOf(index).has_value(); }

  std::optional<IndexRange> rangeOf(Value index) {
    if (index == loop_.inductionVar()) return IndexRange{0, size_};
    const Operation* made = index.definingOp();
    if (!isInside(index)) return rangeOutside(index);
    if (!made || !isIndexArithmetic(*made)) return std::nullopt;
    const auto a = rangeOf(made->operand(0)), b = rangeOf(made->operand(1));
    return a && b ? combined(*made, *a, *b) : std::nullopt;
  }

  /// Of a constant, a number that was an i32, the index of a loop or the place of a core.
  std::optional<IndexRange> rangeOutside(Value index) {
    if (const auto constant = constantIntOf(index)) return inWord({*constant, *constant});
    const Operation* made = index.definingOp();
    if (made && made->is("arith.index_cast") && made->operand(0).type().bitWidth() <= 32 &&
        !isFromHost(made->operand(0)))
      return kWordRange;
    const auto range = reader_.rangeOf(index);
    // Other indices of a core are words as well; they are of memory, so sums of them still fit.
    if (!range || range->count < 1) return kPlaceRange;
    return inWord({range->lower, range->lower + (range->count - 1) * range->step});
  }

  /// A word that the host writes for a herd (tiles/Outline.cpp): where one of them is an index, it is the place of a launch instance.
  static bool isFromHost(Value word) {
    const Operation* load = word.definingOp();
    const Operation* buffer =
        load && load->is("memref.load") ? load->operand(0).definingOp() : nullptr;
    return buffer && buffer->is("aie.buffer") &&
           buffer->attrOf<StringAttr>("sym_name").value().starts_with(kHerdWords);
  }

  bool isUser(Operation& op) {
    const bool compares = op.is("arith.cmpi") && op.operand(0).type().isIndex();
    const bool converts = op.is("arith.index_cast") && op.operand(0).type().isIndex() &&
                          isElement(op.result().type());
    return (compares || converts) &&
           std::ranges::all_of(op.operands(), [&](Value operand) { return isKnown(operand); }) &&
           std::ranges::any_of(op.operands(), [&](Value operand) { return isInside(operand); });
  }

  void makeTable() {
    std::vector<uint32_t> numbers(static_cast<size_t>(size_));
    std::iota(numbers.begin(), numbers.end(), 0U);
    const std::string name = fmt::format("{}indices_{}", kVectorBuffer, size_);
    const MemRefType type = soft::ensureGlobal(*program_.table, name, numbers);
    Builder start = Builder::atStart(program_.root->region().front());
    const Value table =
        start
            .create(loop_->location(), "memref.get_global", {}, {type},
                    {start.named("name", SymbolRefAttr::get(start.context(), name))})
            ->result();
    Builder body = Builder::atStart(loop_.body());
    const Value place = loop_.inductionVar();
    words_[place] = memref::LoadOp::create(body, loop_->location(), table, {&place, 1}).result();
  }

  Value word(Value index) {
    Value& known = words_[index];
    if (known) return known;
    if (!isInside(index)) {
      rewriter_.setBefore(*loop_.op());
      return known = rewriter_
                         .create(loop_->location(), "arith.index_cast", {index},
                                 {rewriter_.intType(32)})
                         ->result();
    }
    Operation& made = *index.definingOp();
    const Value a = word(made.operand(0)), b = word(made.operand(1));
    rewriter_.setBefore(made);
    return words_[index] =
               rewriter_.create(made.location(), made.name(), {a, b}, {a.type()})->result();
  }

  Value narrowed(Operation& cast, Value word) {
    const Type type = cast.result().type();
    if (type == word.type()) return word;
    return rewriter_.create(cast.location(), "arith.trunci", {word}, {type})->result();
  }

  /// Indices that only the users had.
  void eraseUnused() {
    for (Operation* op = &loop_.body().back(); op;) {
      Operation* before = op->prev();
      const bool isIndex = op->numResults() == 1 && op->result().type().isIndex();
      if (isIndex && isIndexArithmetic(*op) && !op->result().hasUses()) op->erase();
      op = before;
    }
  }

  scf::ForOp loop_;
  const CoreRoot& program_;
  Rewriter rewriter_;
  int64_t size_ = 0;
  analysis::LinearReader reader_;
  std::vector<Operation*> users_;
  std::unordered_map<Value, Value> words_;
};

}  // namespace

bool mayHaveLanes(Operation& op) {
  return op.is("scf.yield") || isElementAccess(op) || isLaneOp(op) || isOfConditions(op) ||
         VectorParts::expands(op) || (op.numResults() == 1 && op.result().type().isIndex());
}

bool indicesFromTable(scf::ForOp loop, const CoreRoot& program) {
  IndexRewriter rewriter(loop, program);
  if (!rewriter.read()) return false;
  rewriter.run();
  return true;
}

}  // namespace airlite::npu
