// Chooses how attention is divided: the most queries in a wave, then the most keys in a block, that fit.
#include "AttentionKernel.hpp"
#include "airlite/dialect/Gpu.hpp"

#include <algorithm>

namespace airlite::gpu {
namespace {

using amdgpu::GpuDevice;
using amdgpu::MatrixForm;
using amdgpu::MatrixInstruction;

constexpr int64_t kAccess = 16;  // bytes of a lane

int64_t multipleOf(int64_t value, int64_t of) { return (value + of - 1) / of * of; }

/// The first instruction of the table that the device has for these elements.
const MatrixInstruction* instructionFor(Type factor, const GpuDevice& device) {
  Context& context = factor.context();
  for (const MatrixInstruction& row : amdgpu::kMatrixInstructions)
    if ((row.devices & device.bit) && row.wave == device.wave && row.form != MatrixForm::Lanes &&
        typeOf(context, row.factor) == factor && row.sum == amdgpu::MatrixElement::F32)
      return &row;
  return nullptr;
}

/// Registers of 32 bits that a lane needs: queries, sums, a block of scores and of probabilities, what is
/// on its way from memory, the fragments of one step of the first product, limits of keys, and addresses.
int64_t registersOf(const Attention& a, const AttentionPlan& plan, int64_t forWindow) {
  constexpr int64_t kAddresses = 56;
  const auto& s = *plan.scores;
  const auto& o = *plan.result;
  const int64_t bytes = amdgpu::bytesOf(s.factor), valueBytes = amdgpu::bytesOf(o.factor);
  const int64_t lanes = plan.waves * s.wave;
  const int64_t query = plan.depth / s.k * s.b.elements * bytes / 4;
  const int64_t sums = plan.columns / o.m * o.d.elements;
  const int64_t score = plan.keys / s.m * s.d.elements * (4 + valueBytes) / 4;
  const int64_t loads = plan.keys * (plan.depth * bytes + plan.columns * valueBytes) / lanes / 4;
  // Lanes of short waves keep what their scores are compared with from block to block.
  const int64_t compared = plan.queries * plan.keys / s.m * s.d.elements;
  const int64_t size = a.sizes[a.n];
  const bool hasEdge = size == kDynamic || size % plan.keys != 0;
  // With a limit, queries and keys past the ends are compared beside it.
  const int64_t ends = a.limit && hasEdge && s.wave == 32 ? 8 : 0;
  const int64_t limits = !a.limit && !hasEdge ? 0 : 16 + ends + (s.wave == 32 ? 2 * compared : 0);
  const int64_t fragments = plan.keys / s.m * s.a.elements * plan.steps * bytes / 4;
  return plan.queries * (query + sums + score) + loads + fragments + kAddresses + limits +
         forWindow;
}

/// Elements after a row of `row` elements that are a multiple of 8 bytes and make the rows that `lanes` lanes
/// read at once, `bytes` each, lie in different banks (32 of 4 bytes).
int64_t paddingFor(int64_t row, int64_t elementBytes, int64_t bytes) {
  const int64_t words = bytes / 4;  // of a lane
  for (int64_t pad = 0; pad <= 128; pad += bytes) {
    const int64_t stride = (row * elementBytes + pad) / 4;
    // Lanes that are served together cover all banks once.
    unsigned used = 0;
    bool isFree = true;
    for (int64_t lane = 0; lane < 32 / words; ++lane)
      for (int64_t word = 0; word < words; ++word) {
        const unsigned bank = 1U << ((lane * stride + word) % 32);
        isFree = isFree && !(used & bank);
        used |= bank;
      }
    if (isFree) return pad / elementBytes;
  }
  return bytes / elementBytes;
}

AttentionPlan planFor(const Attention& a, const MatrixInstruction& scores,
                      const MatrixInstruction& result) {
  AttentionPlan plan;
  plan.scores = &scores;
  plan.result = &result;
  const int64_t bytes = amdgpu::bytesOf(scores.factor);
  plan.depth = multipleOf(a.sizes[a.d()], std::max<int64_t>(16, scores.k));
  plan.columns = multipleOf(a.sizes[a.e()], std::max<int64_t>(16, result.m));
  while (scores.a.elements * plan.steps * bytes < kAccess &&
         plan.depth % (scores.k * plan.steps * 2) == 0)
    plan.steps *= 2;
  plan.padKeys =
      paddingFor(plan.depth, bytes, std::min(kAccess, scores.a.elements * plan.steps * bytes));
  return plan;
}

}  // namespace

int64_t AttentionPlan::ldsBytes() const {
  const int64_t k = keys * (depth + padKeys) * amdgpu::bytesOf(scores->factor);
  const int64_t v = columns * (keys + padValues) * amdgpu::bytesOf(result->factor);
  return (k + v) * (isDouble ? 2 : 1);
}

static std::optional<AttentionPlan> planFor(const Attention& a, const GpuDevice& device,
                                            int64_t forWindow) {
  const auto* scores = instructionFor(a.factor, device);
  const auto* result = instructionFor(a.value, device);
  if (!scores || !result || scores->m % result->k || scores->n != result->n) return std::nullopt;
  constexpr int64_t kMostRegisters = 256;  // that an instruction can name
  AttentionPlan plan = planFor(a, *scores, *result);
  plan.device = &device;
  const int64_t valueBytes = amdgpu::bytesOf(result->factor);
  const int64_t size = a.sizes[a.m];
  for (const int64_t waves : {4, 8})
    for (const int64_t queries : {2, 1})
      for (const int64_t keys : {64, 32, 16}) {
        plan.waves = waves;
        plan.queries = queries;
        plan.keys = keys;
        // Few queries: waves without any would wait for the others.
        if (size != kDynamic && queries > 1 && size <= plan.blockM() / 2) continue;
        const int64_t access =
            std::min<int64_t>(kAccess, result->a.elements * (scores->m / result->k) * valueBytes);
        plan.padValues = paddingFor(keys, valueBytes, access);
        plan.isDouble = false;
        // Two workgroups in a compute unit, so that one multiplies while the other waits.
        if (registersOf(a, plan, forWindow) > kMostRegisters ||
            2 * plan.ldsBytes() > device.ldsBytes)
          continue;
        plan.isDouble = true;
        plan.isDouble = 2 * plan.ldsBytes() <= device.ldsBytes;
        return plan;
      }
  return std::nullopt;
}

std::optional<AttentionPlan> planAttention(const Attention& a, const GpuDevice& device) {
  // The second comparison of a window takes registers, less where there are few.
  constexpr int64_t kForWindow = 64;
  std::optional<AttentionPlan> plan;
  if (a.limit && a.limit->first) plan = planFor(a, device, kForWindow);
  return plan ? plan : planFor(a, device, 0);
}

std::string describe(const AttentionPlan& plan) {
  return "attention in one kernel: " + std::to_string(plan.blockM()) +
         " queries of a workgroup of " + std::to_string(plan.waves) + " waves, blocks of " +
         std::to_string(plan.keys) + " keys, " + std::string(plan.scores->name) + ", " +
         std::to_string(plan.ldsBytes()) + " bytes of LDS";
}

}  // namespace airlite::gpu
