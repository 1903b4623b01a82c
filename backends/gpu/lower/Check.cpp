// What a kernel cannot be made of, and the size of its workgroups.
#include "Kernel.hpp"
#include "airlite/analysis/HandOver.hpp"
#include "airlite/gpu/lower/Lower.hpp"

#include <algorithm>

namespace airlite::gpu {
namespace {

bool startsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

bool isPlainScalar(Type type) { return type.isIntOrIndexOrFloat(); }

class LaunchChecker {
 public:
  LaunchChecker(air::LaunchOp launch, BlockShape& shape) : launch_(launch), shape_(shape) {}

  LogicalResult run() {
    if (launch_.numDims() > kMaxGridDims)
      fail(*launch_.op()) << "not supported: a launch with " << launch_.numDims()
                          << " dimensions, a grid has at most " << kMaxGridDims;
    checkArguments();
    launch_->walk([&](Operation& op) { checkOp(op); });
    return result_;
  }

 private:
  InFlightDiagnostic fail(Operation& op) {
    result_ = failure();
    return op.emitOpError();
  }

  void checkArguments() {
    for (Value operand : launch_.kernelOperands()) {
      Type type = operand.type();
      if (isPlainScalar(type)) continue;
      auto memref = type.dynCast<MemRefType>();
      if (!memref)
        fail(*launch_.op()) << "not supported: a kernel argument of type " << type;
      else if (levelOf(type) != air::MemoryLevel::L3)
        fail(*launch_.op()) << "not supported: a kernel argument that is not in L3 memory: "
                            << type;
    }
  }

  void checkOp(Operation& op) {
    if (&op == launch_.op()) return;
    if (isa<air::SegmentOp>(&op)) return checkSegment(air::SegmentOp(&op));
    if (isa<air::HerdOp>(&op)) return checkHerd(air::HerdOp(&op));
    if (isa<air::DmaMemcpyNdOp>(&op)) return checkDma(op);
    if (isa<air::ChannelPutOp>(&op) || isa<air::ChannelGetOp>(&op)) {
      return failChannel(op);
    }
    bool unknown = startsWith(op.name(), "air.") && !op.hasTrait(Trait::Terminator);
    if (unknown || op.is("gpu.launch") || op.is("gpu.launch_func"))
      fail(op) << "not supported: " << op.name() << " in a GPU kernel";
  }

  /// What air-channel-to-l2 has found, where it was asked.
  void failChannel(Operation& op) {
    constexpr std::string_view kWithout =
        "channels become copies first: air-channel-to-dma and air-channel-to-l2";
    auto reason = op.attrOf<StringAttr>(air::kStays);
    fail(op) << "not supported: this channel in a GPU kernel: "
             << (reason ? reason.value() : kWithout);
  }

  void checkDma(Operation& op) {
    if (op.hasAttr("src_rank") || op.hasAttr("dst_rank"))
      fail(op) << "not supported: a copy from or to another rank in a GPU kernel";
  }

  void checkSegment(air::SegmentOp segment) {
    auto sizes = segment.constantSizes();
    bool single =
        sizes && std::all_of(sizes->begin(), sizes->end(), [](int64_t size) { return size == 1; });
    if (!single)
      fail(*segment.op())
          << "not supported: a segment with an iteration space that is not the same "
             "for all points of its launch, or of more than 64 instances beside "
             "channels or memory (--remarks says what air-segments-to-grid finds)";
  }

  void checkHerd(air::HerdOp herd) {
    if (herd->parentOf<air::HerdOp>()) {
      fail(*herd.op()) << "not supported: a herd inside a herd";
      return;
    }
    auto sizes = herd.constantSizes();
    if (!sizes) {
      fail(*herd.op()) << "not supported: a herd whose size is not constant";
      return;
    }
    for (Value operand : herd.kernelOperands())
      if (isLevel(operand, air::MemoryLevel::L1) &&
          analysis::handOverOf(analysis::allocationOf(operand)).isShared)
        fail(*herd.op()) << "not supported: L1 memory by which waves hand data to each other (they "
                            "share L2)";
    grow(herd, (*sizes)[0], sizes->size() > 1 ? (*sizes)[1] : 1);
  }

  void grow(air::HerdOp herd, int64_t x, int64_t y) {
    if (x < 1 || y < 1) {
      fail(*herd.op()) << "not supported: a herd without processing elements";
      return;
    }
    BlockShape grown = {shape_.wave, std::max(shape_.x, x), std::max(shape_.y, y)};
    // Compared one by one: the product of wild sizes does not fit.
    bool fits = grown.x <= amdgpu::kMaxWorkItems && grown.y <= amdgpu::kMaxWorkItems &&
                grown.items() <= amdgpu::kMaxWorkItems;
    if (fits) {
      shape_ = grown;
      return;
    }
    auto error = fail(*herd.op());
    error << "needs a workgroup of " << grown.x << " x " << grown.y << " waves of " << grown.wave
          << " work-items, the limit is " << amdgpu::kMaxWorkItems << " work-items";
  }

  air::LaunchOp launch_;
  BlockShape& shape_;
  LogicalResult result_ = success();
};

}  // namespace

std::optional<air::MemoryLevel> levelOf(Type memref) {
  if (auto level = air::memoryLevel(memref)) return level;
  Attribute space = memorySpaceOf(memref);
  if (auto named = space.dynCast<DialectAttr>(); named && named.name() == "gpu.address_space") {
    if (named.keyword() == "global") return air::MemoryLevel::L3;
    return named.keyword() == "workgroup" ? air::MemoryLevel::L2 : air::MemoryLevel::L1;
  }
  auto number = space.dynCast<IntegerAttr>();
  if (number && number.value() == 3) return air::MemoryLevel::L2;
  if (number && number.value() == 5) return air::MemoryLevel::L1;
  return std::nullopt;
}

bool isLevel(Value memref, air::MemoryLevel level) {
  return (memref.type().isa<MemRefType>() || memref.type().isa<UnrankedMemRefType>()) &&
         levelOf(memref.type()) == level;
}

LogicalResult checkLaunch(air::LaunchOp launch, BlockShape& shape) {
  return LaunchChecker(launch, shape).run();
}

}  // namespace airlite::gpu
