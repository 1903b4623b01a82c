// Addresses in the bodies of innermost loops: accesses that move by the same number of bytes from
// round to round go through a pointer that steps with the loop, and not through an index that is
// multiplied and added in each round.
#include "Select.hpp"
#include "airlite/dialect/Aie.hpp"
#include "airlite/dialect/Arith.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"

#include <algorithm>
#include <bit>

namespace airlite::npu::codegen {

using isa::Form;

namespace {

/// Pointers that one loop may take: there are eight, and the code around it needs some.
constexpr size_t kMostPointers = 6;
/// What every form of an access with an immediate reaches.
constexpr int64_t kReach = 128;

/// An index as perRound * i + constant + the sum of value * factor, `i` being the loop's variable.
struct IndexSum {
  int64_t perRound = 0, constant = 0;
  std::vector<std::pair<Value, int64_t>> others;

  void add(const IndexSum& sum, int64_t factor) {
    perRound += sum.perRound * factor;
    constant += sum.constant * factor;
    for (auto [value, times] : sum.others)
      addOther(value, times * factor);
  }
  void addOther(Value value, int64_t times) {
    auto found = std::ranges::find(others, value, &std::pair<Value, int64_t>::first);
    if (found == others.end()) {
      others.emplace_back(value, times);
    } else if (!(found->second += times)) {
      others.erase(found);
    }
  }
  bool sameBut(const IndexSum& sum) const {
    return perRound == sum.perRound && others == sum.others;
  }
};

class IndexReader {
 public:
  IndexReader(scf::ForOp loop) : loop_(loop) {}

  /// None for an index that is computed otherwise.
  std::optional<IndexSum> read(Value index) const {
    if (index == loop_.inductionVar()) return IndexSum{1, 0, {}};
    Operation* op = index.definingOp();
    if (op && op->is("arith.constant"))
      if (auto number = constantInt(op->attr("value"))) return IndexSum{0, *number, {}};
    if (index.parentBlock() != &loop_.body()) return IndexSum{0, 0, {{index, 1}}};
    return op && widthOf(index.type()) == 32 ? readOp(*op) : std::nullopt;
  }

 private:
  std::optional<IndexSum> readOp(Operation& op) const {
    if (op.is("arith.index_cast") && widthOf(op.operand(0).type()) == 32)
      return read(op.operand(0));
    bool adds = op.is("arith.addi"), subtracts = op.is("arith.subi"), multiplies = op.is("arith.muli");
    if (!adds && !subtracts && !multiplies && !op.is("arith.shli")) return std::nullopt;
    auto a = read(op.operand(0)), b = read(op.operand(1));
    if (!a || !b) return std::nullopt;
    if (adds || subtracts) {
      a->add(*b, adds ? 1 : -1);
      return a;
    }
    if (multiplies && isNumber(*a)) std::swap(a, b);
    if (!isNumber(*b) || (!multiplies && (b->constant < 0 || b->constant > 20)))
      return std::nullopt;
    IndexSum product;
    product.add(*a, multiplies ? b->constant : int64_t{1} << b->constant);
    return product;
  }
  static bool isNumber(const IndexSum& sum) { return !sum.perRound && sum.others.empty(); }

  scf::ForOp loop_;
};

struct Access {
  Value memref, index;
  unsigned step = 0, bytes = 0;  ///< from one index to the next, and of the access
  IndexSum sum;
  int64_t offset() const { return sum.constant * step; }
};

/// The memory access that `op` is, without its sum.
std::optional<Access> accessOf(Operation& op) {
  bool stores = op.is("memref.store") || op.is("vector.store");
  if (!stores && !op.is("memref.load") && !op.is("vector.load")) return std::nullopt;
  const unsigned first = stores ? 1 : 0;
  if (op.numOperands() != first + 2) return std::nullopt;
  auto type = op.operand(first).type().dynCast<MemRefType>();
  if (!type || type.rank() != 1 || !type.hasIdentityLayout()) return std::nullopt;
  auto step = aie::elementBytes(type.elementType());
  if (!step || *step <= 0) return std::nullopt;
  Type value = stores ? op.operand(0).type() : op.result().type();
  auto vector = value.dynCast<VectorType>();
  int64_t bits = vector ? vector.numElements() * vector.elementType().bitWidth() : widthOf(value);
  if (bits < 8) return std::nullopt;
  return Access{op.operand(first), op.operand(first + 1), static_cast<unsigned>(*step),
                static_cast<unsigned>(bits / 8), {}};
}

/// Accesses that one pointer serves, which has the address of the last one.
struct PointerGroup {
  std::vector<Access> accesses;

  bool takes(const Access& access) const {
    const Access& last = accesses.back();
    bool same = access.memref == last.memref && access.step == last.step &&
                access.sum.sameBut(last.sum);
    return same && std::ranges::all_of(accesses, [&](const Access& other) {
      int64_t distance = other.offset() - access.offset();
      return distance >= -kReach && distance + other.bytes <= kReach;
    });
  }
};

/// Groups whose accesses lie at known distances have the same number, that of the first.
uint32_t numberOf(std::span<const PointerGroup> groups, const PointerGroup& group) {
  const Access& last = group.accesses.back();
  auto isNear = [&](const PointerGroup& other) {
    const Access& access = other.accesses.back();
    return access.memref == last.memref && access.step == last.step && access.sum.sameBut(last.sum);
  };
  auto first = std::ranges::find_if(groups, isNear);
  return static_cast<uint32_t>(first - groups.begin()) + 1;
}

bool stepFits(int64_t bytes) {
  const isa::FormRow& step = isa::row(Form::PADDA_lda_ptr_inc_idx_imm);
  std::string ignored;
  return isa::fits(step.operands[step.textOrder[1]].type, bytes, ignored);
}

}  // namespace

std::vector<Selector::SteppingPointer> Selector::planPointers(Operation& op) {
  scf::ForOp loop(&op);
  auto lower = constantOf(loop.lowerBound()), step = constantOf(loop.step());
  if (!lower || !step) return {};
  std::vector<PointerGroup> groups;
  IndexReader reader(loop);
  for (Operation& inner : loop.body().ops()) {
    if (inner.numRegions()) return {};
    auto access = accessOf(inner);
    if (!access) continue;
    auto sum = reader.read(access->index);
    if (!sum || !sum->perRound) continue;
    access->sum = std::move(*sum);
    auto group = std::ranges::find_if(groups, [&](auto& g) { return g.takes(*access); });
    if (group == groups.end()) {
      if (groups.size() == kMostPointers) continue;
      group = groups.insert(groups.end(), PointerGroup{});
    }
    group->accesses.push_back(std::move(*access));
  }
  std::vector<SteppingPointer> pointers;
  for (const PointerGroup& group : groups) {
    const Access& last = group.accesses.back();
    const int64_t bytes = last.sum.perRound * *step * last.step;
    if (!stepFits(bytes)) continue;
    pointers.push_back({startPointer(last.memref, last.sum.others, last.step,
                                     last.offset() + last.sum.perRound * *lower * last.step),
                        static_cast<int32_t>(bytes)});
    const uint32_t number = numberOf(groups, group);
    for (const Access& access : group.accesses) {
      auto offset = static_cast<int32_t>(access.offset());
      stepping_[keyOf(access.memref, access.index)] = {
          pointers.back().pointer, offset - static_cast<int32_t>(last.offset()),
          {number, offset, static_cast<int32_t>(bytes),
           static_cast<int32_t>(std::min(access.bytes, 32u))}};
    }
  }
  return pointers;
}

/// A new pointer to `memref` + `offset` bytes + the sum of index values.
Operand Selector::startPointer(Value memref, std::span<const std::pair<Value, int64_t>> sum,
                               unsigned step, int64_t offset) {
  Operand pointer = fresh(RegClass::Pointer);
  auto base = addressOf(memref);
  if (base && sum.empty()) {
    setConstant(pointer, static_cast<uint32_t>(*base + offset) & 0xfffff);
    return pointer;
  }
  Operand total;
  if (base) {
    total = constant(static_cast<uint32_t>(*base + offset));
  } else {
    total = fresh();
    copy(total, reg(memref), RegClass::Gpr);
    if (offset) total = compute(Form::ADD, total, constant(static_cast<uint32_t>(offset)));
  }
  for (auto [value, times] : sum) {
    Operand term = reg(value);
    auto factor = static_cast<uint32_t>(times * step);
    if (std::has_single_bit(factor)) {
      if (factor > 1)
        term = compute(Form::LSHL, term, constant(static_cast<uint32_t>(std::countr_zero(factor))));
    } else {
      term = compute(Form::MUL_mul_r_rr, term, constant(factor));
    }
    total = compute(Form::ADD, total, term);
  }
  copy(pointer, total, RegClass::Pointer);
  return pointer;
}

void Selector::stepPointers(std::span<const SteppingPointer> pointers) {
  for (const SteppingPointer& pointer : pointers)
    emit(Form::PADDA_lda_ptr_inc_idx_imm, {pointer.pointer, Operand::imm(pointer.bytes)});
  stepping_.clear();
}

}  // namespace airlite::npu::codegen
