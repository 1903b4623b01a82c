// air-jam-rows: a few rows of a short loop go through it side by side.
//
// Matches an scf.for over rows whose body is an scf.for along a row, of constant length and carrying nothing,
// and before it what the row needs once (loads and pure ops). Rows of a group of two or four become one loop
// along all of them:
//
//   for i { s = scale[i]; for j { y[i, j] = x[i, j] * s } }
//     -> for i by 2 { s = scale[i]; t = scale[i + 1]; for j { y[i, j] = x[i, j] * s; y[i + 1, j] = x[i + 1, j] * t } }
//
// On a core whose rounds overlap, the beginning and the end of the loop and what comes before it then take as
// long for all of them as for one. Rows that fill no group keep a loop of their own.
//
// Declines: rows that may overlap in memory that is stored, long bodies, whose values need all registers, and loops of
// so many rounds that their ends do not matter.
#include "airlite/dialect/Arith.hpp"
#include "airlite/dialect/Evaluate.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/pass/Pass.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace airlite {

namespace {

/// Rounds of the loop along a row, above which its beginning and end do not matter.
constexpr int64_t kMostRounds = 64;

/// Rows side by side, ops of a round of all of them, and vectors that stay in registers all along.
constexpr int64_t kMostRows = 4, kMostOps = 48, kMostNumbers = 8;

/// outer * row + inner * place + constant, and of the rest nothing is known but that it stays.
struct RowIndex {
  Value rest;
  int64_t outer = 0, inner = 0, constant = 0;
};

bool isLoad(const Operation& op) { return op.is("memref.load") || op.is("vector.load"); }
bool isStore(const Operation& op) { return op.is("memref.store") || op.is("vector.store"); }
unsigned memoryOperand(const Operation& op) { return isStore(op) ? 1 : 0; }

/// Memory that no other name stands for.
bool isBuffer(Value memory) {
  Operation* made = memory.definingOp();
  return made && (made->is("aie.buffer") || made->is("memref.alloc"));
}

/// An access of the inner loop: elements from `first` of the row on, up to `end`.
struct RowAccess {
  Value memory;
  bool isStore = false;
  std::optional<RowIndex> index;
  int64_t elements = 1;
};

class RowNest {
 public:
  explicit RowNest(scf::ForOp outer) : outer_(outer) {}

  /// A loop in a loop.
  bool isNest() const { return bool(inner_); }
  /// Empty when rows may go side by side, else why not.
  std::string_view obstacle() {
    if (!findInner())
      return "rows one by one: more is done than a loop along each, and loads before it";
    const auto rows = outer_.tripCount(), rounds = inner_.tripCount();
    if (!rows || *rows < 2 || outer_.numIterArgs() || !constantIntOf(outer_.lowerBound()))
      return "rows one by one: their number is not known, or values are carried";
    if (!rounds || *rounds < 2 || inner_.numIterArgs() || !constantIntOf(inner_.lowerBound()))
      return "rows one by one: their length is not known, or values are carried";
    if (*rounds > kMostRounds) return "rows one by one: they are long";
    for (Operation& op : inner_.body().ops())
      if (!addOp(op)) return "rows one by one: more is done than to compute, load and store";
    return areApart() ? "" : "rows one by one: they may overlap in memory that is stored";
  }

  void jam(int64_t rows) {
    Rewriter rewriter(outer_->context());
    const int64_t count = *outer_.tripCount(), inGroups = count / rows * rows;
    const int64_t first = *constantIntOf(outer_.lowerBound()), step = *constantIntOf(outer_.step());
    rewriter.setBefore(*outer_.op());
    const Location at = outer_->location();
    Value end = rewriter.constantIndex(at, first + inGroups * step);
    scf::ForOp groups = scf::ForOp::create(rewriter, at, outer_.lowerBound(), end,
                                           rewriter.constantIndex(at, step * rows));
    rewriter.setBefore(*groups.yield());
    std::vector<IRMapping> values(static_cast<size_t>(rows));
    for (int64_t row = 0; row < rows; ++row)
      beginRow(rewriter, values[static_cast<size_t>(row)], groups.inductionVar(), row * step);
    const IRMapping& one = values.front();
    scf::ForOp along =
        scf::ForOp::create(rewriter, inner_->location(), one.lookupOr(inner_.lowerBound()),
                           one.lookupOr(inner_.upperBound()), one.lookupOr(inner_.step()));
    rewriter.setBefore(*along.yield());
    for (int64_t row = 0; row < rows; ++row)
      addRow(rewriter, values, row, along.inductionVar());
    if (inGroups == count) return rewriter.eraseOp(*outer_.op());
    outer_->setOperand(0, end);
  }

  /// As many as there are registers for.
  int64_t rowsOfGroup() const {
    int64_t rows = kMostRows;
    while (rows > 1 && (rows > *outer_.tripCount() || rows * opsOfRound_ > kMostOps ||
                        rows * numbersOfRow() > kMostNumbers))
      rows /= 2;
    return rows;
  }

 private:
  bool findInner() {
    for (Operation& op : outer_.body().ops()) {
      if (op.is("scf.yield")) continue;
      if (inner_) return false;
      if (auto loop = dynCast<scf::ForOp>(&op))
        inner_ = loop;
      else if (isLoad(op))
        before_.push_back(&op);
      else if (!op.hasTrait(Trait::Pure) || op.numRegions())
        return false;
    }
    return bool(inner_);
  }

  /// Instructions, about: a product in pieces has one or two for each product of pieces.
  static int64_t weightOf(Operation& op) {
    if (op.hasTrait(Trait::ConstantLike) || (op.numResults() && op.result().type().isIndex()))
      return 0;
    const auto pieces = bf16PiecesOf(op);
    if (!pieces) return 1;
    const int64_t products = int64_t{pieces->a} * pieces->b;
    return pieces->products == 1 ? 2 * products : products;
  }

  /// Vectors that a row needs all along.
  int64_t numbersOfRow() const {
    int64_t count = 0;
    for (Operation& op : outer_.body().ops())
      count += op.numResults() == 1 && op.result().type().isa<VectorType>() &&
               std::ranges::any_of(op.result().uses(),
                                   [&](OpOperand& use) { return inner_->isAncestor(use.owner()); });
    return count;
  }

  bool addOp(Operation& op) {
    if (op.is("scf.yield")) return true;
    opsOfRound_ += weightOf(op);
    if (!isLoad(op) && !isStore(op)) return op.hasTrait(Trait::Pure) && op.numRegions() == 0;
    const unsigned memory = memoryOperand(op);
    RowAccess& access = accesses_.emplace_back();
    access.memory = op.operand(memory);
    access.isStore = isStore(op);
    if (op.numOperands() == memory + 2) access.index = readIndex(op.operand(memory + 1));
    const Type moved = isStore(op) ? op.operand(0).type() : op.result().type();
    if (auto vector = moved.dynCast<VectorType>()) access.elements = vector.numElements();
    return true;
  }

  std::optional<RowIndex> readIndex(Value value) const {
    if (value == outer_.inductionVar()) return RowIndex{{}, 1, 0, 0};
    if (value == inner_.inductionVar()) return RowIndex{{}, 0, 1, 0};
    if (auto number = constantIntOf(value)) return RowIndex{{}, 0, 0, *number};
    Operation* op = value.definingOp();
    if (!op || !outer_->isAncestor(op)) return RowIndex{value, 0, 0, 0};
    if (!op->is("arith.addi") && !op->is("arith.muli")) return std::nullopt;
    auto a = readIndex(op->operand(0)), b = readIndex(op->operand(1));
    if (!a || !b) return std::nullopt;
    return op->is("arith.addi") ? sumOf(*a, *b) : productOf(*a, *b);
  }
  static std::optional<RowIndex> sumOf(const RowIndex& a, const RowIndex& b) {
    if (a.rest && b.rest) return std::nullopt;
    return RowIndex{a.rest ? a.rest : b.rest, a.outer + b.outer, a.inner + b.inner,
                    a.constant + b.constant};
  }
  static std::optional<RowIndex> productOf(const RowIndex& a, const RowIndex& b) {
    const auto isNumber = [](const RowIndex& x) { return !x.rest && !x.outer && !x.inner; };
    if (!isNumber(b)) return isNumber(a) ? productOf(b, a) : std::nullopt;
    if (a.rest) return std::nullopt;
    return RowIndex{{}, a.outer * b.constant, a.inner * b.constant, a.constant * b.constant};
  }

  /// Does no row touch what another one stores?
  bool areApart() const {
    for (const RowAccess& store : accesses_) {
      if (!store.isStore) continue;
      if (!isBuffer(store.memory)) return false;
      for (Operation* load : before_)
        if (!isOther(load->operand(0), store.memory)) return false;
      for (const RowAccess& other : accesses_)
        if (!isOther(other.memory, store.memory) && !areApart(store, other)) return false;
    }
    return true;
  }
  static bool isOther(Value memory, Value stored) {
    const Value source = memref::viewSource(memory);
    return source != stored && isBuffer(source);
  }

  bool areApart(const RowAccess& a, const RowAccess& b) const {
    if (a.memory != b.memory || !a.index || !b.index) return false;
    const RowIndex &x = *a.index, &y = *b.index;
    if (x.rest != y.rest || x.outer != y.outer || x.inner != y.inner || x.inner < 0) return false;
    const int64_t along = x.inner * (*inner_.tripCount() - 1) * *constantIntOf(inner_.step());
    const int64_t first = std::min(x.constant, y.constant),
                  end = std::max(x.constant + a.elements, y.constant + b.elements) + along;
    return std::abs(x.outer) * *constantIntOf(outer_.step()) >= end - first;
  }

  void beginRow(Rewriter& rewriter, IRMapping& values, Value row, int64_t further) {
    const Location at = outer_->location();
    if (further)
      row = rewriter
                .create(at, "arith.addi", {row, rewriter.constantIndex(at, further)}, {row.type()})
                ->result();
    values.map(outer_.inductionVar(), row);
    for (Operation& op : outer_.body().ops())
      if (!op.is("scf.yield") && &op != inner_.op()) rewriter.clone(op, values);
  }

  void addRow(Rewriter& rewriter, std::vector<IRMapping>& values, int64_t row, Value place) {
    IRMapping& ofRow = values[static_cast<size_t>(row)];
    ofRow.map(inner_.inductionVar(), place);
    for (Operation& op : inner_.body().ops()) {
      if (op.is("scf.yield")) continue;
      Operation* made = rewriter.clone(op, ofRow);
      if (row && (isLoad(op) || isStore(op))) moveOn(rewriter, *made, op, values.front(), row);
    }
  }

  /// The place of an access as that of the first row, and what is known to lie between: so who follows knows that
  /// they do not meet.
  void moveOn(Rewriter& rewriter, Operation& made, Operation& original, const IRMapping& first,
              int64_t row) {
    const unsigned at = memoryOperand(original) + 1;
    if (original.numOperands() != at + 1) return;
    const auto index = readIndex(original.operand(at));
    if (!index) return;
    const int64_t apart = index->outer * *constantIntOf(outer_.step()) * row;
    rewriter.setBefore(made);
    Value place = first.lookupOr(original.operand(at));
    place = rewriter
                .create(original.location(), "arith.addi",
                        {place, rewriter.constantIndex(original.location(), apart)}, {place.type()})
                ->result();
    made.setOperand(at, place);
    rewriter.setAfter(made);
  }

  scf::ForOp outer_, inner_;
  std::vector<Operation*> before_;  ///< loads of what a row needs once
  std::vector<RowAccess> accesses_;
  int64_t opsOfRound_ = 0;
};

class JamRows : public Pass {
 public:
  JamRows() : Pass("air-jam-rows", "Lets a few rows go through a short loop side by side") {
    example("airlite-opt --air-jam-rows in.mlir");
  }

  PassResult run(Operation& root, PassContext& context) override {
    std::vector<scf::ForOp> found;
    root.walk([&](Operation& op) {
      if (auto loop = dynCast<scf::ForOp>(&op)) found.push_back(loop);
    });
    bool changed = false;
    for (scf::ForOp loop : found) {
      RowNest nest(loop);
      const std::string_view why = nest.obstacle();
      if (!why.empty() && nest.isNest()) context.remark(*loop.op(), why);
      const int64_t rows = why.empty() ? nest.rowsOfGroup() : 0;
      if (rows < 2) continue;
      if (!changed) context.declareEffectChange(CountedEffect::Store, "a loop stores several rows");
      nest.jam(rows);
      changed = true;
    }
    return changedIf(changed);
  }
};

}  // namespace

void registerJamRows(PassRegistry& registry) { registry.add<JamRows>(); }

}  // namespace airlite
