#include "HostControl.hpp"

#include "airlite/dialect/Airrt.hpp"

#include <algorithm>
#include <span>

namespace airlite::npu {

namespace {

/// None while one of them is not known.
std::optional<std::vector<int64_t>> constants(auto&& operands, HostValues& values) {
  std::vector<int64_t> found;
  for (Value operand : operands) {
    auto constant = values.constant(operand);
    if (!constant) return std::nullopt;
    found.push_back(*constant);
  }
  return found;
}

std::optional<int64_t> bound(const affine::Application& application, bool isLower,
                             HostValues& values) {
  const auto operands = constants(application.operands, values);
  if (!operands) return std::nullopt;
  size_t numDims = application.map.numDims();
  auto results = application.map.evaluate(std::span(*operands).first(numDims),
                                          std::span(*operands).subspan(numDims));
  if (!results || results->empty()) return std::nullopt;
  return isLower ? *std::max_element(results->begin(), results->end())
                 : *std::min_element(results->begin(), results->end());
}

std::optional<LoopRange> rangeOf(Value from, Value to, Value by, HostValues& values) {
  auto lower = values.constant(from), upper = values.constant(to), step = values.constant(by);
  if (!lower || !upper || !step || *step <= 0) return std::nullopt;
  return LoopRange{*lower, *upper, *step};
}

std::optional<unsigned> chosenRegion(affine::IfOp choice, HostValues& values) {
  const auto operands = constants(choice.setOperands(), values);
  if (!operands) return std::nullopt;
  size_t numDims = choice.condition().numDims();
  auto holds = choice.condition().contains(std::span(*operands).first(numDims),
                                           std::span(*operands).subspan(numDims));
  return holds ? std::optional(*holds ? 0u : 1u) : std::nullopt;
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
  auto lower = bound(loop.lowerBound(), true, values);
  auto upper = bound(loop.upperBound(), false, values);
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

std::optional<unsigned> chosenRegion(Operation& op, HostValues& values) {
  if (isa<affine::IfOp>(&op)) return chosenRegion(affine::IfOp(&op), values);
  auto condition = values.constant(op.operand(0));
  if (!condition) return std::nullopt;
  if (isa<scf::IfOp>(&op)) return *condition != 0 ? 0u : 1u;
  std::span<const int64_t> cases = scf::IndexSwitchOp(&op).cases();
  auto found = std::find(cases.begin(), cases.end(), *condition);
  return found == cases.end() ? 0u : static_cast<unsigned>(found - cases.begin()) + 1;
}

}  // namespace airlite::npu
