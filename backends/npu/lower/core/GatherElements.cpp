#include "GatherElements.hpp"

#include "CoreMemory.hpp"
#include "airlite/dialect/Evaluate.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace airlite::npu {
namespace {

constexpr int64_t kGatheredBits = 512, kLeastGatheredBits = 256;

/// Whether the scalar unit computes it by a routine of many instructions.
bool isRoutine(const Operation& op) {
  for (std::string_view cheap : {"arith.constant", "arith.select", "arith.bitcast", "arith.extf",
                                 "memref.load", "memref.store"})
    if (op.is(cheap)) return false;
  const auto isFloat = [](Type type) { return type.isF32() || type.isBF16(); };
  return (op.numResults() == 1 && isFloat(op.result().type())) ||
         std::ranges::any_of(op.operandTypes(), isFloat);
}

class ElementGatherer {
 public:
  explicit ElementGatherer(scf::ForOp loop) : loop_(loop), location_(loop->location()) {}

  /// False when the loop is another one.
  bool read() {
    if (loop_->numResults() != 0 || !loop_.tripCount() || constantIntOf(loop_.step()) != 1)
      return false;
    for (Operation& op : loop_.body().ops())
      if (!readOp(op)) return false;
    if (stores_.empty() || !areStoresApart()) return false;
    for (Operation* store : stores_)
      if (!need(store->operand(0), work_)) return false;
    return std::ranges::any_of(ordered(work_),
                               [](const Operation* op) { return isRoutine(*op); }) &&
           findIndices();
  }

  bool takeBuffers(ScratchBuffers& scratch) {
    std::vector<Type> types;
    const std::vector<Operation*> all = gathered();
    for (const Operation* access : all)
      types.push_back(bufferType(*access));
    scratch.releaseAll();
    if (!scratch.haveRoom(types)) return false;
    for (size_t i = 0; i < all.size(); ++i)
      bufferOf_[all[i]] = scratch.take(types[i]);
    return true;
  }

  scf::ForOp run() {
    Builder builder = Builder::before(*loop_.op());
    copyIn(builder);
    scf::ForOp vectors = compute(builder);
    copyOut(builder);
    loop_->erase();
    return vectors;
  }

 private:
  using Ops = std::unordered_set<Operation*>;

  bool isInside(Value value) const { return value.parentBlock() == &loop_.body(); }

  bool readOp(Operation& op) {
    if (op.is("scf.yield")) return true;
    if (op.numRegions() != 0) return false;
    if (!isElementAccess(op)) return op.numResults() == 1 && isPure(op);
    auto type = memoryOf(op).type().dynCast<MemRefType>();
    if (!type || type.rank() != 1 || !isElement(type.elementType()) || !isOwnMemory(memoryOf(op)))
      return false;
    if (op.is("memref.load") && !stores_.empty()) return false;
    (op.is("memref.load") ? loads_ : stores_).push_back(&op);
    return true;
  }

  /// What is stored is read at no other place, and each round has its own.
  bool areStoresApart() const {
    return std::ranges::all_of(stores_, [&](const Operation* store) {
      return std::ranges::all_of(loads_, [&](const Operation* load) {
        return memoryOf(*load) != memoryOf(*store) ||
               (indexOf(*load) == indexOf(*store) && stepOf(indexOf(*load)).value_or(0) != 0);
      });
    });
  }

  /// By how much an index grows from round to round, where that is a constant.
  std::optional<int64_t> stepOf(Value index) const {
    if (index == loop_.inductionVar()) return 1;
    if (!isInside(index)) return 0;
    Operation* op = index.definingOp();
    if (!op || op->numOperands() != 2) return std::nullopt;
    const auto a = stepOf(op->operand(0)), b = stepOf(op->operand(1));
    if (!a || !b) return std::nullopt;
    if (op->is("arith.addi")) return *a + *b;
    if (op->is("arith.subi")) return *a - *b;
    if (!op->is("arith.muli")) return std::nullopt;
    const auto first = constantIntOf(op->operand(0)), second = constantIntOf(op->operand(1));
    if (first) return *first * *b;
    return second ? std::optional(*a * *second) : std::nullopt;
  }

  /// Adds what makes `value` from loads; false when that takes an index.
  bool need(Value value, Ops& ops) const {
    if (value.type().isIndex()) return false;
    Operation* op = isInside(value) ? value.definingOp() : nullptr;
    if (!op || op->is("memref.load") || !ops.insert(op).second) return true;
    return std::ranges::all_of(op->operands(), [&](Value operand) { return need(operand, ops); });
  }

  /// Adds what makes an index; false when that takes floats.
  bool needIndex(Value value, Ops& ops) const {
    Operation* op = isInside(value) ? value.definingOp() : nullptr;
    if (!op || !ops.insert(op).second) return true;
    return !isRoutine(*op) && std::ranges::all_of(op->operands(), [&](Value operand) {
      return needIndex(operand, ops);
    });
  }

  bool findIndices() {
    return std::ranges::all_of(gathered(), [&](const Operation* access) {
      return needIndex(indexOf(*access), access->is("memref.store") ? indicesOut_ : indicesIn_);
    });
  }

  /// In the order of the program.
  std::vector<Operation*> ordered(const Ops& ops) const {
    std::vector<Operation*> list;
    for (Operation& op : loop_.body().ops())
      if (ops.contains(&op)) list.push_back(&op);
    return list;
  }

  /// Loads whose elements are computed with, and all stores.
  std::vector<Operation*> gathered() const {
    std::vector<Operation*> all;
    const auto isNeeded = [&](const Operation* load) {
      return std::ranges::any_of(load->result().uses(), [&](OpOperand& use) {
        return work_.contains(use.owner()) || use.owner()->is("memref.store");
      });
    };
    std::ranges::copy_if(loads_, std::back_inserter(all), isNeeded);
    all.insert(all.end(), stores_.begin(), stores_.end());
    return all;
  }

  Type bufferType(const Operation& access) const {
    const auto memory = memoryOf(access).type().cast<MemRefType>();
    const int64_t size = padded();
    return MemRefType::get(memory.context(), {&size, 1}, memory.elementType(), Attribute(),
                           memory.memorySpace());
  }

  /// Rounds that vectors of the widest element divide, each of which fills half a register with the
  /// narrowest.
  int64_t padded() const {
    int64_t least = 32, most = 8;
    const auto count = [&](Type type) {
      if (!isElement(type)) return;
      least = std::min<int64_t>(least, type.bitWidth());
      most = std::max<int64_t>(most, type.bitWidth());
    };
    for (const Operation* access : gathered())
      count(memoryOf(*access).type().cast<MemRefType>().elementType());
    for (const Operation* op : work_)
      count(op->result().type());
    const int64_t whole = std::max(kGatheredBits / most, kLeastGatheredBits / least),
                  rounds = *loop_.tripCount();
    return (rounds + whole - 1) / whole * whole;
  }

  scf::ForOp loopOf(Builder& builder, int64_t rounds) {
    return scf::ForOp::create(builder, location_, builder.constantIndex(location_, 0),
                              builder.constantIndex(location_, rounds),
                              builder.constantIndex(location_, 1));
  }

  /// Places of the program in round j of a copy.
  IRMapping placesIn(Builder& builder, scf::ForOp copy, const Ops& indices) const {
    IRMapping mapping;
    Value place = copy.inductionVar();
    if (constantIntOf(loop_.lowerBound()) != 0)
      place = builder.create(location_, "arith.addi", {place, loop_.lowerBound()}, {place.type()})
                  ->result();
    mapping.map(loop_.inductionVar(), place);
    for (Operation* op : ordered(indices))
      mapping.map(op->result(), builder.clone(*op, mapping)->result());
    return mapping;
  }

  void copyIn(Builder& outside) {
    if (bufferOf_.size() == stores_.size()) return;
    scf::ForOp copy = loopOf(outside, *loop_.tripCount());
    Builder builder = Builder::before(*copy.yield());
    IRMapping mapping = placesIn(builder, copy, indicesIn_);
    for (Operation* load : loads_) {
      if (!bufferOf_.contains(load)) continue;
      const Value element = builder.clone(*load, mapping)->result();
      builder.create(location_, "memref.store", {element, bufferOf_.at(load), copy.inductionVar()},
                     {});
    }
  }

  scf::ForOp compute(Builder& outside) {
    scf::ForOp vectors = loopOf(outside, padded());
    Builder builder = Builder::before(*vectors.yield());
    IRMapping mapping;
    for (Operation* load : loads_)
      if (bufferOf_.contains(load))
        mapping.map(load->result(), builder
                                        .create(load->location(), "memref.load",
                                                {bufferOf_.at(load), vectors.inductionVar()},
                                                {load->result().type()})
                                        ->result());
    for (Operation* op : ordered(work_))
      mapping.map(op->result(), builder.clone(*op, mapping)->result());
    for (Operation* store : stores_)
      builder.create(
          store->location(), "memref.store",
          {mapping.lookupOr(store->operand(0)), bufferOf_.at(store), vectors.inductionVar()}, {});
    return vectors;
  }

  void copyOut(Builder& outside) {
    scf::ForOp copy = loopOf(outside, *loop_.tripCount());
    Builder builder = Builder::before(*copy.yield());
    IRMapping mapping = placesIn(builder, copy, indicesOut_);
    for (Operation* store : stores_) {
      const Value element =
          builder
              .create(store->location(), "memref.load", {bufferOf_.at(store), copy.inductionVar()},
                      {store->operand(0).type()})
              ->result();
      builder.create(store->location(), "memref.store",
                     {element, memoryOf(*store), mapping.lookupOr(indexOf(*store))}, {});
    }
  }

  scf::ForOp loop_;
  Location location_;
  std::vector<Operation*> loads_, stores_;
  Ops work_, indicesIn_, indicesOut_;
  std::unordered_map<const Operation*, Value> bufferOf_;
};

}  // namespace

std::optional<scf::ForOp> gatherElements(scf::ForOp loop, ScratchBuffers& scratch) {
  ElementGatherer gatherer(loop);
  if (!gatherer.read() || !gatherer.takeBuffers(scratch)) return std::nullopt;
  return gatherer.run();
}

}  // namespace airlite::npu
