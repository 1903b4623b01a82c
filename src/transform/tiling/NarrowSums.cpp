// air-narrow-sums: a product of matrices whose sums of integers are only cut to fewer bits makes sums of
// so many bits.
//
// Matches a product of matrices into a buffer of the host that the function makes, that a constant
// fills before, and that one linalg.generic reads, where nothing but arith.trunci to one type uses its
// elements. The low bits of a sum depend only on the low bits of its terms, so the numbers stay the
// same. Where the generic does nothing else, the product writes what it wrote; otherwise there is a
// buffer of narrow sums.
//
// Declines, with a remark: types whose sums the matrix unit does not keep narrow
// (linalg::keepsNarrowSums). An op between the product and the cut that touches the output leaves a
// buffer of narrow sums.
#include "SeparateSums.hpp"
#include "airlite/analysis/Access.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/pass/Pass.hpp"

#include <algorithm>
#include <vector>

namespace airlite {

namespace {

using linalg::StructuredOp;

/// Sums in a buffer of their own, and all that uses it.
struct CutSums {
  StructuredOp product;
  Operation* fill = nullptr;
  StructuredOp cut;  ///< the op that reads the sums
  unsigned operand = 0;
  Type narrow;
  std::vector<Operation*> deallocs;
  Value wide() const { return product.outputs()[0]; }
};

/// To which all uses of an element are cut; null: there are others, or several types.
Type typeOfCuts(Value element) {
  Type narrow;
  if (!element) return narrow;
  for (OpOperand& use : element.uses()) {
    Operation& user = *use.owner();
    if (!user.is("arith.trunci") || (narrow && user.result().type() != narrow)) return {};
    narrow = user.result().type();
  }
  return narrow;
}

bool isOwnBuffer(Value value) {
  const Operation* alloc = value.definingOp();
  return alloc && alloc->is("memref.alloc") && alloc->numOperands() == 0 &&
         air::memoryLevel(value.type()) == air::MemoryLevel::L3;
}

/// Adds what an op does with the sums; false: it is nothing that they may be narrow for.
bool addUser(CutSums& sums, OpOperand& use) {
  Operation& user = *use.owner();
  if (&user == sums.product.op()) return use.index() == 2;
  if (user.block() != sums.product->block()) return false;
  if (user.is("memref.dealloc")) return sums.deallocs.push_back(&user), true;
  if (user.is("linalg.fill") && use.index() == 1 && !sums.fill)
    return sums.fill = &user, user.numResults() == 0;
  const bool isCut = user.is("linalg.generic") && StructuredOp(&user).onBuffers() &&
                     use.index() < StructuredOp(&user).numInputs();
  if (!isCut || sums.cut) return false;
  sums.cut = StructuredOp(&user);
  sums.operand = use.index();
  sums.narrow = typeOfCuts(sums.cut.bodyArgument(use.index()));
  return bool(sums.narrow);
}

std::optional<CutSums> cutSumsOf(StructuredOp product) {
  if (!linalg::isProductOfMatrices(product)) return std::nullopt;
  CutSums sums{.product = product};
  const Type wide = elementTypeOrSelf(sums.wide().type());
  if (!wide.isSignlessInteger() || !isOwnBuffer(sums.wide())) return std::nullopt;
  for (OpOperand& use : sums.wide().uses())
    if (!addUser(sums, use)) return std::nullopt;
  if (!sums.fill || !sums.cut || !sums.fill->isBeforeInBlock(product.op()) ||
      !product->isBeforeInBlock(sums.cut.op()) ||
      !constantOf(sums.fill->operand(0)).isa<IntegerAttr>())
    return std::nullopt;
  return sums;
}

/// The op yields what it cuts, element by element in the same order, and does nothing else.
bool onlyCuts(const CutSums& sums) {
  const StructuredOp cut = sums.cut;
  if (cut.numInputs() != 1 || cut.numOutputs() != 1 || cut.body().numOps() != 2) return false;
  const auto maps = cut.indexingMaps();
  return std::ranges::all_of(maps, [](AffineMap map) { return map.isIdentity(); }) &&
         cut.body().front().is("arith.trunci") &&
         cut.body().back().operand(0) == cut.body().front().result();
}

/// Whether the output of the cut may be written from the fill on: it is there, row-major as the sums are, and nobody
/// touches it in between.
bool canWriteOutput(const CutSums& sums) {
  const Value output = sums.cut.outputs()[0];
  auto type = output.type().cast<MemRefType>();
  const Operation* maker = output.definingOp();
  if (!type.hasIdentityLayout() || (maker && !maker->isBeforeInBlock(sums.fill))) return false;
  analysis::AccessReader reader;
  const analysis::Buffer buffer = reader.bufferOf(output);
  for (Operation* op = sums.fill; op != sums.cut.op(); op = op->next())
    for (const analysis::BufferAccess& access : reader.all(*op))
      if (reader.mayOverlap(access, {buffer, analysis::AccessKind::Write})) return false;
  return true;
}

/// One class: what is made needs the types, the places and the rewriter.
class Narrowing {
 public:
  Narrowing(CutSums sums, Rewriter& rewriter) : sums_(std::move(sums)), rewriter_(rewriter) {}

  void run() {
    const bool isWhole = onlyCuts(sums_) && canWriteOutput(sums_);
    const Value wide = sums_.wide(), narrow = isWhole ? sums_.cut.outputs()[0] : makeBuffer();
    fill(narrow);
    rewriter_.setBefore(*sums_.product.op());
    tiling::multiplyInto(rewriter_, sums_.product, narrow);
    if (!isWhole) cut(narrow);
    for (Operation* op : {sums_.cut.op(), sums_.product.op(), sums_.fill})
      rewriter_.eraseOp(*op);
    for (Operation* dealloc : sums_.deallocs) {
      rewriter_.setBefore(*dealloc);
      if (!isWhole) memref::DeallocOp::create(rewriter_, dealloc->location(), narrow);
      rewriter_.eraseOp(*dealloc);
    }
    rewriter_.eraseOp(*wide.definingOp());
  }

 private:
  Value makeBuffer() {
    Operation& alloc = *sums_.wide().definingOp();
    const auto type = alloc.result().type().cast<MemRefType>();
    rewriter_.setBefore(alloc);
    return memref::AllocOp::create(
               rewriter_, alloc.location(),
               MemRefType::get(type.context(), type.shape(), sums_.narrow, {}, type.memorySpace()))
        .result();
  }

  void fill(Value narrow) {
    Operation& old = *sums_.fill;
    rewriter_.setBefore(old);
    const int64_t first = constantOf(old.operand(0)).cast<IntegerAttr>().value();
    const Value number =
        rewriter_.constant(old.location(), IntegerAttr::get(sums_.narrow, wrapped(first)));
    linalg::createNamedOp(rewriter_, old.location(), "linalg.fill", std::span(&number, 1),
                          std::span(&narrow, 1));
  }

  /// The number with the same low bits that the narrow type has.
  int64_t wrapped(int64_t number) const {
    const unsigned bits = 64 - sums_.narrow.bitWidth();
    return static_cast<int64_t>(static_cast<uint64_t>(number) << bits) >> bits;
  }

  /// The op that reads the sums, without its cuts.
  void cut(Value narrow) {
    StructuredOp old = sums_.cut;
    rewriter_.setBefore(*old.op());
    std::vector<Value> inputs = old.inputs().vec();
    inputs[sums_.operand] = narrow;
    StructuredOp made =
        linalg::createGeneric(rewriter_, old->location(), inputs, old.outputs().vec(),
                              old.indexingMaps(), old.iterators());
    IRMapping mapping;
    for (unsigned i = 0; i < old->numOperands(); ++i)
      mapping.map(old.bodyArgument(i), made.bodyArgument(i));
    const Value element = old.bodyArgument(sums_.operand);
    InsertPoint saved = rewriter_.insertPoint();
    rewriter_.setToEnd(made.body());
    for (Operation& op : old.body().ops())
      if (op.is("arith.trunci") && op.operand(0) == element)
        mapping.map(op.result(), made.bodyArgument(sums_.operand));
      else
        rewriter_.clone(op, mapping);
    rewriter_.setInsertPoint(saved);
  }

  CutSums sums_;
  Rewriter& rewriter_;
};

class NarrowSums : public Pass {
 public:
  NarrowSums()
      : Pass("air-narrow-sums", "Makes sums of products as narrow as what is used of them") {
    anchor("func.func");
    example("airlite-opt --air-narrow-sums in.mlir");
  }

  PassResult run(Operation& function, PassContext& context) override {
    std::vector<CutSums> found;
    function.walk([&](Operation& op) {
      const StructuredOp product = linalg::asStructured(&op);
      const bool isOfHost = product && op.parentOp() == &function;
      if (auto sums = isOfHost ? cutSumsOf(product) : std::nullopt) found.push_back(*sums);
    });
    bool changed = false;
    Rewriter rewriter(function.context());
    for (CutSums& sums : found) {
      if (!isKept(sums)) {
        context.remark(*sums.product.op(), "its sums stay wide: the matrix unit keeps no sums of " +
                                               sums.narrow.str() + " of such factors");
        continue;
      }
      Narrowing(std::move(sums), rewriter).run();
      changed = true;
    }
    if (changed) context.declareEffectChange(CountedEffect::Store, "wide sums are not stored");
    return changedIf(changed);
  }

 private:
  static bool isKept(const CutSums& sums) {
    auto element = [&](unsigned i) { return elementTypeOrSelf(sums.product->operand(i).type()); };
    return linalg::keepsNarrowSums(element(0), element(1), sums.narrow);
  }
};

}  // namespace

void registerNarrowSums(PassRegistry& registry) { registry.add<NarrowSums>(); }

}  // namespace airlite
