#include "WaveProduct.hpp"

#include "SpreadLayout.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/dialect/Vector.hpp"

#include <algorithm>
#include <array>

namespace airlite::gpu {
namespace {

constexpr int64_t kAccessBytes = 16;
/// Registers of a lane that hold sums at a time.
constexpr int64_t kSumRegisters = 32;

/// C[m, n] += A[m, k] * B[k, n]; `m` and `n` are the loops of C in its order.
struct Loops {
  unsigned m, n, k;
  unsigned a, b;  ///< operands that have m, and n
};

std::optional<Loops> loopsOf(linalg::StructuredOp op) {
  if (!linalg::isMultiplyAdd(op) || op.numLoops() != 3) return std::nullopt;
  const auto maps = op.indexingMaps();
  for (unsigned i = 0; i < 3; ++i)
    if (maps[i].numResults() != 2 || !maps[i].isProjectedPermutation() ||
        !op->operand(i).type().isa<MemRefType>())
      return std::nullopt;
  Loops loops{maps[2].result(0).position(), maps[2].result(1).position(), 0, 0, 1};
  loops.k = 3 - loops.m - loops.n;
  const auto has = [&](unsigned operand, unsigned loop) {
    return maps[operand].result(0).position() == loop || maps[operand].result(1).position() == loop;
  };
  if (!has(0, loops.m)) std::swap(loops.a, loops.b);
  const bool fits = has(loops.a, loops.m) && has(loops.a, loops.k) && has(loops.b, loops.n) &&
                    has(loops.b, loops.k);
  return fits ? std::optional(loops) : std::nullopt;
}

/// Whether sums of type `from` become `to` when they are stored: floats are rounded, integers wrap, at last as well as at
/// each sum.
bool canNarrow(Type from, Type to) {
  if (from == to) return true;
  if (from.isInteger() && to.isInteger()) return from.bitWidth() > to.bitWidth();
  return from.isFloat() && to.isFloat() && from.bitWidth() == 32 && to.bitWidth() == 16;
}

struct Plan {
  const amdgpu::MatrixInstruction* instruction = nullptr;
  int64_t steps = 1;           ///< instructions along k in a vector
  int64_t high = 1, wide = 1;  ///< of C in registers, in instructions
};

class ProductWriter {
 public:
  ProductWriter(const Kernel& kernel, linalg::StructuredOp op, const Loops& loops)
      : kernel_(kernel), op_(op), loops_(loops), builder_(Builder::before(*op)) {}

  bool run() {
    if (!choose()) return false;
    Operation& scope = openScope();
    const Value m = openLoop(size(loops_.m), plan_.high * row().m);
    const Value n = openLoop(size(loops_.n), plan_.wide * row().n);
    std::vector<Value> sums = readSums(m, n);
    const int64_t depth = plan_.steps * row().k;
    if (size(loops_.k) == depth) {
      sums = multiply(m, n, builder_.constantIndex(location(), 0), sums);
    } else {
      scf::ForOp loop = scf::ForOp::create(builder_, location(), index(0), index(size(loops_.k)),
                                           index(depth), sums);
      builder_.setToEnd(loop.body());
      scf::YieldOp::create(builder_, location(),
                           multiply(m, n, loop.inductionVar(), loop.regionIterArgs()));
      builder_.setAfter(*loop.op());
      sums = loop->resultValues();
    }
    writeSums(m, n, sums);
    scope.setAttr(kSpreadAttr, UnitAttr::get(context()));
    return true;
  }

 private:
  Location location() const { return op_->location(); }
  Context& context() const { return op_->context(); }
  Value index(int64_t value) { return builder_.constantIndex(location(), value); }
  int64_t size(unsigned loop) const { return op_.loopSizes()[loop]; }
  const amdgpu::MatrixInstruction& row() const { return *plan_.instruction; }
  Type elementOf(unsigned operand) const { return elementTypeOrSelf(op_->operand(operand).type()); }
  Type sumType() const { return typeOf(context(), row().sum); }

  // -- Which instruction --------------------------------------------------------------------------

  /// The one with the fewest accesses of factors: as many results as possible at a time.
  bool choose() {
    const auto* device = deviceOf(kernel_);
    if (!device || elementOf(0) != elementOf(1)) return false;
    for (const auto& row : amdgpu::kMatrixInstructions)
      if ((row.devices & device->bit) && row.wave == kernel_.shape.wave && fits(row)) consider(row);
    return plan_.instruction != nullptr;
  }

  bool fits(const amdgpu::MatrixInstruction& row) const {
    if (typeOf(context(), row.factor) != elementOf(0)) return false;
    if (!canNarrow(typeOf(context(), row.sum), elementOf(2))) return false;
    return isMultiple(size(loops_.m), row.m) && isMultiple(size(loops_.n), row.n) &&
           isMultiple(size(loops_.k), row.k);
  }

  static bool isMultiple(int64_t size, int64_t of) {
    return size != kDynamic && size > 0 && size % of == 0;
  }

  void consider(const amdgpu::MatrixInstruction& row) {
    Plan plan{&row, stepsOf(row), 1, 1};
    const int64_t high = size(loops_.m) / row.m, wide = size(loops_.n) / row.n;
    const int64_t words = row.d.elements * std::max<int64_t>(4, bytesOf(row.sum)) / 4;
    const auto loads = [&](int64_t h, int64_t w) {
      return double(h * row.m + w * row.n) / double(h * row.m * w * row.n);
    };
    for (int64_t h = 1; h <= high; ++h)
      for (int64_t w = 1; w <= wide; ++w) {
        if (high % h || wide % w || h * w * words > kSumRegisters) continue;
        if (loads(h, w) < loads(plan.high, plan.wide)) plan.high = h, plan.wide = w;
      }
    const double cost = loads(plan.high, plan.wide);
    if (plan_.instruction && cost >= least_) return;
    plan_ = plan;
    least_ = cost;
  }

  /// So many that a lane has 16 bytes of a factor.
  int64_t stepsOf(const amdgpu::MatrixInstruction& row) const {
    int64_t steps = 1;
    while (size(loops_.k) % (2 * steps * row.k) == 0 &&
           2 * steps * row.a.elements * bytesOf(row.factor) <= kAccessBytes)
      steps *= 2;
    return steps;
  }

  // -- Loops --------------------------------------------------------------------------------------

  Operation& openScope() {
    OperationState state(context(), location(), "scf.execute_region");
    state.addRegion().insert(Block::create(context()));
    Operation& scope = *builder_.create(state);
    builder_.setToEnd(scope.region().front());
    scf::YieldOp end = scf::YieldOp::create(builder_, location(), {});
    builder_.setBefore(*end.op());
    return scope;
  }

  Value openLoop(int64_t size, int64_t step) {
    if (size == step) return index(0);
    scf::ForOp loop = scf::ForOp::create(builder_, location(), index(0), index(size), index(step));
    builder_.setBefore(loop.body().back());
    return loop.inductionVar();
  }

  // -- Vectors ------------------------------------------------------------------------------------

  VectorType vectorOf(int64_t rows, int64_t columns, Type element) const {
    const int64_t shape[] = {rows, columns};
    return VectorType::get(context(), shape, element);
  }

  Value plus(Value start, int64_t more) {
    if (!more) return start;
    return builder_.create(location(), "arith.addi", {start, index(more)}, {builder_.indexType()})
        ->result();
  }

  void addPlace(OperationState& state, Value memref, std::span<const Value> at) {
    state.operands.push_back(memref);
    state.operands.insert(state.operands.end(), at.begin(), at.end());
    state.addAttribute(context(), "permutation_map",
                       AffineMapAttr::get(AffineMap::identity(context(), 2)));
    const Attribute inside[] = {IntegerAttr::getBool(context(), true),
                                IntegerAttr::getBool(context(), true)};
    state.addAttribute(context(), "in_bounds", ArrayAttr::get(context(), inside));
  }

  Value read(Value memref, std::span<const Value> at, VectorType type) {
    const Type element = type.elementType();
    const Attribute zero =
        element.isFloat() ? Attribute(FloatAttr::get(element, 0)) : IntegerAttr::get(element, 0);
    const Value padding = builder_.constant(location(), zero);
    OperationState state(context(), location(), "vector.transfer_read");
    addPlace(state, memref, at);
    state.operands.push_back(padding);
    const int32_t groups[] = {1, 2, 1, 0};
    state.setOperandSegments(context(), groups);
    state.resultTypes.push_back(type);
    return builder_.create(state)->result();
  }

  void write(Value vector, Value memref, std::span<const Value> at) {
    OperationState state(context(), location(), "vector.transfer_write");
    state.operands = {vector};
    addPlace(state, memref, at);
    const int32_t groups[] = {1, 1, 2, 0};
    state.setOperandSegments(context(), groups);
    builder_.create(state);
  }

  /// Narrow numbers are summed up in 32 bits.
  Value convert(Value vector, Type element) {
    const auto type = vector.type().cast<VectorType>();
    if (type.elementType() == element) return vector;
    const bool widens = element.bitWidth() > type.elementType().bitWidth();
    const std::string_view name = element.isFloat() ? (widens ? "arith.extf" : "arith.truncf")
                                                    : (widens ? "arith.extsi" : "arith.trunci");
    return builder_
        .create(location(), name, {vector}, {vectorOf(type.dim(0), type.dim(1), element)})
        ->result();
  }

  std::array<Value, 2> placeOfSum(Value m, Value n, int64_t i) {
    return {plus(m, i / plan_.wide * row().m), plus(n, i % plan_.wide * row().n)};
  }

  std::vector<Value> readSums(Value m, Value n) {
    std::vector<Value> sums;
    for (int64_t i = 0; i < plan_.high * plan_.wide; ++i)
      sums.push_back(convert(
          read(op_->operand(2), placeOfSum(m, n, i), vectorOf(row().m, row().n, elementOf(2))),
          sumType()));
    return sums;
  }

  void writeSums(Value m, Value n, std::span<const Value> sums) {
    for (int64_t i = 0; i < plan_.high * plan_.wide; ++i)
      write(convert(sums[static_cast<size_t>(i)], elementOf(2)), op_->operand(2),
            placeOfSum(m, n, i));
  }

  /// Parts of a factor along the loop that is not k, as it lies in memory.
  std::vector<Value> readFactors(unsigned operand, Value start, Value k, int64_t count,
                                 int64_t each) {
    const bool isTurned = op_.indexingMaps()[operand].result(0).position() == loops_.k;
    const int64_t depth = plan_.steps * row().k;
    const VectorType type = isTurned ? vectorOf(depth, each, elementOf(operand))
                                     : vectorOf(each, depth, elementOf(operand));
    std::vector<Value> parts;
    for (int64_t i = 0; i < count; ++i) {
      std::array<Value, 2> at = {plus(start, i * each), k};
      if (isTurned) std::swap(at[0], at[1]);
      parts.push_back(read(op_->operand(operand), at, type));
    }
    return parts;
  }

  std::vector<Value> multiply(Value m, Value n, Value k, const std::vector<Value>& sums) {
    const auto a = readFactors(loops_.a, m, k, plan_.high, row().m);
    const auto b = readFactors(loops_.b, n, k, plan_.wide, row().n);
    std::vector<Value> results;
    for (size_t i = 0; i < sums.size(); ++i)
      results.push_back(contract(a[i / static_cast<size_t>(plan_.wide)],
                                 b[i % static_cast<size_t>(plan_.wide)], sums[i]));
    return results;
  }

  /// Of loops m, n, k.
  Value contract(Value a, Value b, Value sum) {
    const auto maps = op_.indexingMaps();
    const auto loopOf = [&](unsigned operand, unsigned dim) {
      const unsigned loop = maps[operand].result(dim).position();
      return loop == loops_.m ? 0U : loop == loops_.n ? 1U : 2U;
    };
    const auto loopsOfFactor = [&](unsigned operand) {
      return std::array{loopOf(operand, 0), loopOf(operand, 1)};
    };
    return vector::ContractOp::create(builder_, location(), a, b, sum, loopsOfFactor(loops_.a),
                                      loopsOfFactor(loops_.b))
        .result();
  }

  const Kernel& kernel_;
  linalg::StructuredOp op_;
  Loops loops_;
  Builder builder_;
  Plan plan_;
  double least_ = 0;
};

}  // namespace

bool writeProduct(const Kernel& kernel, linalg::StructuredOp op) {
  const auto loops = loopsOf(op);
  if (!loops) return false;
  if (kernel.exact && elementTypeOrSelf(op->operand(0).type()).isFloat()) return false;
  return ProductWriter(kernel, op, *loops).run();
}

}  // namespace airlite::gpu
