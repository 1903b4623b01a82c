#include "HostControl.hpp"

#include "airlite/dialect/Airrt.hpp"
#include "airlite/dialect/IndexValues.hpp"

namespace airlite::npu {

namespace {

std::optional<LoopRange> rangeOf(Value from, Value to, Value by, HostValues& values) {
  auto lower = values.constant(from), upper = values.constant(to), step = values.constant(by);
  if (!lower || !upper || !step || *step <= 0) return std::nullopt;
  return LoopRange{*lower, *upper, *step};
}

}  // namespace

bool hasDeviceEffect(Operation& op) {
  bool found = false;
  op.walk([&](Operation& inner) {
    found |= isa<airrt::DmaMemcpyNdOp>(&inner) || isa<airrt::HerdLoadOp>(&inner) ||
             isa<airrt::SegmentLoadOp>(&inner) || inner.hasAttr(kEndMark) ||
             inner.hasAttr(kIterationMark);
  });
  return found;
}

std::optional<LoopRange> rangeOf(affine::ForOp loop, HostValues& values) {
  auto lower = lowerBound(loop.lowerBound(), values);
  auto upper = upperBound(loop.upperBound(), values);
  if (!lower || !upper) return std::nullopt;
  return LoopRange{*lower, *upper, loop.step()};
}

std::optional<LoopRange> rangeOf(scf::ForOp loop, HostValues& values) {
  return rangeOf(loop.lowerBound(), loop.upperBound(), loop.step(), values);
}

std::optional<std::vector<LoopRange>> rangesOf(scf::ParallelOp loop, HostValues& values) {
  std::vector<LoopRange> ranges;
  for (unsigned i = 0; i < loop.numLoops(); ++i) {
    auto range = rangeOf(loop.lowerBounds()[i], loop.upperBounds()[i], loop.steps()[i], values);
    if (!range) return std::nullopt;
    ranges.push_back(*range);
  }
  return ranges;
}

}  // namespace airlite::npu
