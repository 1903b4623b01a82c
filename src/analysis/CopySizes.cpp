// Both sides of a copy have the same number of elements.
#include "Findings.hpp"
#include "airlite/dialect/Air.hpp"

#include <optional>

namespace airlite::analysis {

namespace {

/// How many elements one side moves, with zeros around them; none where a size is not constant.
std::optional<int64_t> elementsMoved(const air::Access& access, const std::vector<int64_t>& before,
                                     const std::vector<int64_t>& after) {
  const auto type = access.memref.type().dynCast<MemRefType>();
  if (access.isWhole() && (!type || !type.hasStaticShape())) return std::nullopt;
  const size_t count = access.isWhole() ? type.shape().size() : access.sizes.size();
  int64_t elements = 1;
  for (size_t i = 0; i < count; ++i) {
    const auto size = access.isWhole() ? std::optional(type.shape()[i]) : access.sizes[i].known();
    if (!size) return std::nullopt;
    const int64_t padded =
        *size + (i < before.size() ? before[i] : 0) + (i < after.size() ? after[i] : 0);
    if (__builtin_mul_overflow(elements, padded, &elements)) return std::nullopt;
  }
  return elements;
}

}  // namespace

void checkCopySizes(Operation& op, Findings& findings) {
  const auto dma = dynCast<air::DmaMemcpyNdOp>(&op);
  if (!dma || op.hasAttr("src_rank") || op.hasAttr("dst_rank")) return;
  const auto from = elementsMoved(dma.src(), dma.padBefore(), dma.padAfter());
  const auto to = elementsMoved(dma.dst(), {}, {});
  if (!from || !to || *from == *to) return;
  if (!findings.add({FindingKind::Bounds, op.parentOfName("func.func"), &op, nullptr})) return;
  InFlightDiagnostic error = op.emitError();
  error << quoted(op) << " copies " << *from << " elements to a place for " << *to;
  error.note(op.location())
      << "its destination comes first; give both sides sizes with the same product";
}

}  // namespace airlite::analysis
