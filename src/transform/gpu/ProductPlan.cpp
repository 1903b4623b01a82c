// Chooses how a product is divided: the tile that the device finishes first by a simple count.
#include "ProductPlan.hpp"

#include "airlite/dialect/Gpu.hpp"

#include <algorithm>

namespace airlite::gpu {
namespace {

using amdgpu::GpuDevice;
using amdgpu::MatrixForm;
using amdgpu::MatrixInstruction;

bool isSumOfLoops(AffineExpr expr) {
  switch (expr.kind()) {
    case AffineKind::Dim:
    case AffineKind::Constant: return true;
    case AffineKind::Add: return isSumOfLoops(expr.lhs()) && isSumOfLoops(expr.rhs());
    case AffineKind::Mul: return isSumOfLoops(expr.lhs()) && expr.rhs().constantValue().has_value();
    default: return false;
  }
}

bool uses(AffineMap map, unsigned loop) {
  return std::ranges::any_of(map.results(),
                             [&](AffineExpr result) { return result.usesDim(loop); });
}

/// Elements in which products are added: wide ones for narrow factors.
Type sumTypeOf(Type factor) {
  if (factor.isF16() || factor.isBF16() || factor.isFloat8())
    return FloatType::get(factor.context(), FloatKind::F32);
  if (factor.isSignlessInteger(8)) return IntegerType::get(factor.context(), 32);
  return factor;
}

bool isNarrowFloat(Type type) { return type.isF16() || type.isBF16() || type.isFloat8(); }

/// Sums of f32 are rounded once to results of fewer bits.
bool isResultFor(Type sum, Type factor, Type result) {
  return result == sum || result == factor || (sum.isF32() && isNarrowFloat(result));
}

bool multiplies(const GpuDevice& device, Type factor) {
  return std::ranges::any_of(amdgpu::kMatrixInstructions, [&](const MatrixInstruction& row) {
    return (row.devices & device.bit) && row.wave == device.wave &&
           typeOf(factor.context(), row.factor) == factor;
  });
}

/// The elements that matrix instructions multiply: those of both factors, or wider ones that hold them exactly. Null
/// where there are none.
Type multipliedType(Type a, Type b, const GpuDevice& device) {
  const Type half = FloatType::get(a.context(), FloatKind::F16);
  if (a == b) return a.isFloat8() && !multiplies(device, a) ? half : a;
  if (a.isFloat8() && b.isFloat8()) return half;
  if (b.isFloat8()) std::swap(a, b);
  if (a.isFloat8() && (b.isF16() || b.isBF16() || b.isF32())) return b;
  if (b.isF32()) std::swap(a, b);
  return a.isF32() && (b.isF16() || b.isBF16()) ? a : Type();
}

/// Tiles of the instruction: waves and tiles of a wave, along rows and columns of C. `m` counts
/// instruction columns.
struct Tiling {
  int64_t wavesM, wavesN, tilesM, tilesN;
};
constexpr Tiling kTilings[] = {{2, 4, 8, 4}, {2, 2, 4, 4}, {2, 2, 2, 4}, {2, 2, 4, 2},
                               {2, 2, 2, 2}, {2, 2, 2, 1}, {2, 2, 1, 2}, {2, 2, 1, 1},
                               {1, 4, 2, 2}, {1, 4, 1, 2}, {1, 4, 1, 1}};

constexpr int64_t kRowBytes = 64;    // of LDS, before padding
constexpr int64_t kChunkBytes = 16;  // of one access

int64_t roundUp(int64_t value, int64_t to) { return (value + to - 1) / to * to; }

/// Columns and rows that a workgroup loads cost as much as so many rows or columns of products.
constexpr double kLoadCost = 64;

double timeOf(const ProductPlan& plan, const ProductShape& shape, const GpuDevice& device) {
  const auto count = [](int64_t size, int64_t block) {
    return size == kDynamic ? int64_t(16) : (size + block - 1) / block;
  };
  int64_t groups =
      count(shape.sizes[shape.m], plan.blockM()) * count(shape.sizes[shape.n], plan.blockN());
  for (unsigned loop : shape.batch)
    if (shape.sizes[loop] != kDynamic) groups *= shape.sizes[loop];
  const auto rounds = static_cast<double>(count(groups, device.computeUnits));
  const auto m = static_cast<double>(plan.blockM()), n = static_cast<double>(plan.blockN());
  // A workgroup of fewer waves than SIMDs leaves some without work.
  const auto idle = static_cast<double>(std::max<int64_t>(1, device.simds / plan.waves()));
  return rounds * (m * n + kLoadCost * (m + n)) * idle;
}

void planLds(ProductPlan& plan, const GpuDevice& device, const ProductWishes& wishes) {
  const auto& row = *plan.instruction;
  const int64_t bytes = amdgpu::bytesOf(row.factor);
  plan.steps = 1;
  if (!plan.hasKRows() && row.a.elements * bytes < kChunkBytes)
    plan.steps = kChunkBytes / (row.a.elements * bytes);
  // Lanes that multiply by themselves have an instruction for each product: shorter code is enough.
  const int64_t rowBytes = plan.hasKRows() ? kRowBytes / 2 : kRowBytes;
  plan.blockK = roundUp(std::max(rowBytes / bytes, plan.contractK()), plan.contractK());
  plan.pad = kChunkBytes / bytes;
  plan.isDouble = wishes.buffers == 2;
  if (wishes.buffers == 0) {
    plan.isDouble = true;
    // Two buffers only where two workgroups still fit a compute unit.
    plan.isDouble = 2 * plan.ldsBytes() <= device.ldsBytes;
  }
}

/// Of 32 bits, that a lane needs for sums.
int64_t sumRegisters(const ProductPlan& plan) {
  const auto& row = *plan.instruction;
  return plan.tilesM * plan.tilesN * row.d.elements * amdgpu::bytesOf(row.sum) / 4;
}

/// For all: sums, the tiles on their way, the fragments of one step, and addresses.
int64_t laneRegisters(const ProductPlan& plan) {
  constexpr int64_t kAddresses = 40;
  const auto& row = *plan.instruction;
  const int64_t bytes = amdgpu::bytesOf(row.factor), lanes = plan.waves() * row.wave;
  const int64_t loaded = (plan.blockM() + plan.blockN()) * plan.blockK * bytes / lanes / 4;
  // Bytes are put in another order in registers of their own.
  const int64_t onTheWay = bytes == 1 ? 2 * loaded : loaded;
  const int64_t fragments =
      (plan.tilesN * row.a.elements + plan.tilesM * row.b.elements) * plan.steps * bytes / 4;
  return sumRegisters(plan) + onTheWay + fragments + kAddresses;
}

constexpr int64_t kMostRegisters = 256;  // that an instruction can name

bool fits(const ProductPlan& plan, const GpuDevice& device, const ProductWishes& wishes) {
  // Sums of 64 bits cost moves between the two kinds of registers where they fill one; lanes that
  // multiply by themselves have the factors of several steps in registers.
  const bool isHalf = amdgpu::bytesOf(plan.instruction->sum) == 8 || plan.hasKRows();
  if (sumRegisters(plan) > (isHalf ? device.sums / 2 : device.sums)) return false;
  if (laneRegisters(plan) > kMostRegisters || plan.ldsBytes() > device.ldsBytes) return false;
  if (wishes.block.empty()) return true;
  return wishes.block.size() == 2 && wishes.block[0] == plan.blockM() &&
         wishes.block[1] == plan.blockN();
}

/// Workgroups of the plan that the device runs at the same time, with so many registers of a lane.
int64_t residentGroups(const ProductPlan& plan, const GpuDevice& device, int64_t registers) {
  const int64_t ofSimd = device.registers / roundUp(registers, device.granule);
  const int64_t waves = device.simds * std::min(device.maxWaves, ofSimd);
  const int64_t ofUnit = std::min(waves / plan.waves(), device.ldsBytes / plan.ldsBytes());
  return device.computeUnits * std::max<int64_t>(1, ofUnit);
}

/// As many as the device runs at once, where there are more blocks and the registers for it cost no wave: who takes
/// another block has its first tiles already when the results of the one before are stored, and nothing is launched for
/// it.
int64_t workgroupsFor(const ProductPlan& plan, const ProductShape& shape, const GpuDevice& device,
                      const ProductWishes& wishes) {
  constexpr int64_t kOfTurns = 48;  // the next block's addresses and tiles beside the sums
  const int64_t blocks = plan.blocks(shape), registers = laneRegisters(plan);
  if (wishes.workgroups < 0 || blocks == kDynamic) return 0;
  if (wishes.workgroups > 0) return blocks > wishes.workgroups ? wishes.workgroups : 0;
  const int64_t groups = residentGroups(plan, device, registers + kOfTurns);
  const bool costsWaves = groups < residentGroups(plan, device, registers);
  return registers + kOfTurns <= kMostRegisters && !costsWaves && blocks > groups ? groups : 0;
}

}  // namespace

int64_t ProductPlan::blocks(const ProductShape& shape) const {
  if (std::ranges::count(shape.sizes, kDynamic)) return kDynamic;
  const auto over = [&](unsigned loop, int64_t block) {
    return (shape.sizes[loop] + block - 1) / block;
  };
  int64_t all = over(shape.m, blockM()) * over(shape.n, blockN());
  for (unsigned loop : shape.batch)
    all *= shape.sizes[loop];
  return all;
}

int64_t ProductPlan::ldsBytes() const {
  const int64_t bytes = amdgpu::bytesOf(instruction->factor);
  const int64_t rows = hasKRows() ? blockK * (blockM() + blockN() + 2 * pad)
                                  : (blockM() + blockN()) * (blockK + pad);
  return rows * bytes * (isDouble ? 2 : 1);
}

int64_t coefficientOf(AffineExpr expr, unsigned loop, unsigned loops) {
  std::vector<int64_t> numbers(loops, 0);
  const int64_t before = *expr.evaluate(numbers, {});
  numbers[loop] = 1;
  return *expr.evaluate(numbers, {}) - before;
}

namespace {

/// What a loop may be, before one of each kind is chosen.
struct LoopKinds {
  std::vector<unsigned> rows, columns, sums;
};

std::string sortLoops(linalg::StructuredOp op, ProductShape& shape, LoopKinds& kinds) {
  const auto iterators = op.iterators();
  for (unsigned loop = 0; loop < op.numLoops(); ++loop) {
    const bool a = uses(shape.maps[0], loop), b = uses(shape.maps[1], loop),
               c = uses(shape.maps[2], loop);
    if (iterators[loop] == linalg::IteratorKind::Reduction) {
      if (!a || !b || c) return "a sum runs over one factor only";
      kinds.sums.push_back(loop);
    } else if (a && b && c) {
      shape.batch.push_back(loop);
    } else if (a != b && c) {
      (a ? kinds.rows : kinds.columns).push_back(loop);
    } else {
      return "a loop indexes neither rows nor columns";
    }
  }
  return "";
}

/// A sum of products over the loops of a filter: k alone indexes a dimension of A, the last loop of the
/// rows is m, and all others of them count products.
std::string takeConvolution(const LoopKinds& kinds, ProductShape& shape) {
  constexpr std::string_view kNone = "it has not one loop of rows, of columns and of sums";
  const AffineMap a = shape.maps[0];
  if (kinds.columns.size() != 1 || kinds.rows.empty()) return std::string(kNone);
  bool hasK = false, hasM = false;
  for (AffineExpr result : a.results()) {
    if (!isSumOfLoops(result)) return "an operand is not indexed by sums of loops";
    const bool isLoop = result.kind() == AffineKind::Dim;
    if (isLoop && std::ranges::count(kinds.sums, result.position())) {
      shape.k = result.position();
      hasK = true;
    }
    for (unsigned loop : kinds.rows)
      if (result.usesDim(loop)) {
        shape.m = loop;
        hasM = true;
      }
  }
  if (!hasK || !hasM) return std::string(kNone);
  int64_t dims = 0;
  for (AffineExpr result : a.results())
    if (result.usesDim(shape.m)) {
      ++dims;
      if (coefficientOf(result, shape.m, a.numDims()) < 1) return "its rows go backwards";
    }
  if (dims != 1) return "a loop indexes several dimensions";
  shape.n = kinds.columns[0];
  for (unsigned loop : kinds.rows)
    if (loop != shape.m) shape.batch.push_back(loop);
  for (unsigned loop : kinds.sums)
    if (loop != shape.k) shape.filter.push_back(loop);
  std::ranges::sort(shape.batch);
  return "";
}

std::string takeLoops(linalg::StructuredOp op, ProductShape& shape) {
  LoopKinds kinds;
  if (const auto why = sortLoops(op, shape, kinds); !why.empty()) return why;
  for (unsigned i = 1; i < 3; ++i)
    if (!shape.maps[i].isProjectedPermutation()) return "an operand is not indexed by loops alone";
  const bool isProduct = shape.maps[0].isProjectedPermutation() && kinds.rows.size() == 1 &&
                         kinds.columns.size() == 1 && kinds.sums.size() == 1;
  if (!isProduct) return takeConvolution(kinds, shape);
  shape.m = kinds.rows[0];
  shape.n = kinds.columns[0];
  shape.k = kinds.sums[0];
  return "";
}

}  // namespace

std::string elementObstacle(linalg::StructuredOp op, const GpuDevice& device, ProductShape& shape) {
  const auto element = [&](unsigned i) { return elementTypeOrSelf(op->operand(i).type()); };
  shape.factor = multipliedType(element(0), element(1), device);
  if (!shape.factor) return "its element types differ";
  shape.result = element(2);
  shape.sum = sumTypeOf(shape.factor);
  return isResultFor(shape.sum, shape.factor, shape.result) ? "" : "its element types differ";
}

std::string productObstacle(linalg::StructuredOp op, const GpuDevice& device, ProductShape& shape) {
  if (!op.onBuffers() || !linalg::isMultiplyAdd(op)) return "it is no multiply-add on buffers";
  shape.maps = op.indexingMaps();
  shape.sizes = op.loopSizes();
  if (const auto why = takeLoops(op, shape); !why.empty()) return why;
  if (const auto why = elementObstacle(op, device, shape); !why.empty()) return why;
  for (unsigned i = 0; i < 3; ++i)
    if (auto type = op->operand(i).type().dynCast<MemRefType>(); !type || !type.stridedForm())
      return "an operand has no strides";
  return "";
}

std::optional<ProductPlan> planProduct(const ProductShape& shape, const GpuDevice& device,
                                       const ProductWishes& wishes) {
  Context& context = shape.factor.context();
  std::optional<ProductPlan> best;
  double bestTime = 0;
  for (const MatrixInstruction& row : amdgpu::kMatrixInstructions) {
    if (!(row.devices & device.bit) || row.wave != device.wave) continue;
    if (typeOf(context, row.factor) != shape.factor || typeOf(context, row.sum) != shape.sum)
      continue;
    for (const Tiling& tiling : kTilings) {
      ProductPlan plan;
      plan.instruction = &row;
      plan.device = &device;
      plan.wavesM = tiling.wavesM;
      plan.wavesN = tiling.wavesN;
      plan.tilesM = tiling.tilesM;
      plan.tilesN = tiling.tilesN;
      planLds(plan, device, wishes);
      if (!fits(plan, device, wishes)) continue;
      const double time = timeOf(plan, shape, device);
      if (best && time >= bestTime) continue;
      best = plan;
      best->workgroups = workgroupsFor(plan, shape, device, wishes);
      bestTime = time;
    }
    if (best) return best;  // the first row of the table that the device has is its best
  }
  return best;
}

}  // namespace airlite::gpu
