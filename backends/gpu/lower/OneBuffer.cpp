// A copy from one place of a buffer to another one reads all before it writes. Work-items that share it, and a loop over
// its elements, would read what was written: so it goes through a buffer of its own, unless the places are known to lie apart.
#include "Kernel.hpp"
#include "Side.hpp"
#include "airlite/analysis/LinearSum.hpp"
#include "airlite/dialect/MemRef.hpp"

#include <string_view>
#include <utility>

namespace airlite::gpu {
namespace {

/// Of the buffer that such a copy goes through.
constexpr int64_t kMostBytes = 16'384;

/// The first and the last element of a side, from its base on; none where not all numbers are known.
std::optional<std::pair<int64_t, int64_t>> reachOf(const Side& side) {
  int64_t first = 0, last = 0;
  for (const Dim& dim : side.dims) {
    if (!dim.size.isConstant() || !dim.stride.isConstant()) return std::nullopt;
    const int64_t reach = (dim.size.constant - 1) * dim.stride.constant;
    (reach < 0 ? first : last) += reach;
  }
  return std::pair(first, last);
}

/// How far the base of `a` lies past that of `b`, where that is one number.
std::optional<int64_t> distance(const Side& a, const Side& b) {
  analysis::LinearReader reader;
  const auto sumOf = [&](const Index& base) {
    return base.isConstant() ? analysis::LinearSum{base.constant, {}} : reader.read(base.value);
  };
  analysis::LinearSum sum = sumOf(a.base);
  const bool isConstant = sum.add(sumOf(b.base), -1) && sum.isConstant();
  return isConstant ? std::optional(sum.constant) : std::nullopt;
}

bool lieApart(const Side& a, const Side& b) {
  const auto one = reachOf(a), other = reachOf(b);
  const auto apart = distance(a, b);
  return one && other && apart &&
         (*apart + one->second < other->first || other->second < *apart + one->first);
}

class OneBufferCopy {
 public:
  explicit OneBufferCopy(Operation& op) : op_(op) {}

  LogicalResult run() {
    Builder builder = Builder::before(op_);
    const IndexMath math(builder, op_.location());
    const air::DmaMemcpyNdOp dma(&op_);
    const auto dst = sideOf(math, op_, dma.dst(), dma.src()),
               src = sideOf(math, op_, dma.src(), dma.dst());
    if (!dst || !src) return failure();
    if (lieApart(*dst, *src)) return success();
    const Index count = volume(math, *dst);
    if (!count.isConstant())
      return op_.emitOpError() << "not supported: a copy within one buffer, of a size that is not "
                                  "constant, in a GPU kernel";
    const MemRefType type = typeOf(count.constant, dst->element());
    if (const auto bytes = bytesOfBuffer(type); !bytes || *bytes > kMostBytes)
      return op_.emitOpError() << "not supported: a copy within one buffer, of more than "
                               << kMostBytes << " bytes, in a GPU kernel";
    write(builder, type);
    return success();
  }

 private:
  /// L1 of the core that copies, or L2.
  MemRefType typeOf(int64_t count, Type element) const {
    const int64_t level = op_.parentOf<air::HerdOp>() ? 2 : 1;
    return MemRefType::get(op_.context(), std::span(&count, 1), element, Attribute(),
                           IntegerAttr::get(IntegerType::get(op_.context(), 32), level));
  }

  void write(Builder& builder, MemRefType type) {
    const Value buffer = memref::AllocOp::create(builder, op_.location(), type).result();
    replaceSide(*builder.clone(op_), "dst", buffer);
    replaceSide(op_, "src", buffer);
    op_.removeAttr("pad_before");
    op_.removeAttr("pad_after");
  }

  /// All of `buffer`.
  static void replaceSide(Operation& copy, const std::string& side, Value buffer) {
    const auto group = [&](const std::string& name) {
      return static_cast<unsigned>(copy.def().operandIndex(name));
    };
    copy.setOperandGroup(group(side), {&buffer, 1});
    for (const char* list : {"_offsets", "_sizes", "_strides"}) {
      copy.setOperandGroup(group(side + list), {});
      copy.setAttr("static_" + side + list,
                   DenseArrayAttr::getI64(copy.context(), std::vector<int64_t>()));
    }
  }

  Operation& op_;
};

}  // namespace

LogicalResult readBeforeWriting(Kernel& kernel) {
  std::vector<Operation*> copies;
  kernel.func->walk([&](Operation& op) {
    if (!isa<air::DmaMemcpyNdOp>(&op)) return;
    const air::DmaMemcpyNdOp dma(&op);
    const Value root = rootOf(kernel, dma.dst().memref);
    if (root && root == rootOf(kernel, dma.src().memref)) copies.push_back(&op);
  });
  LogicalResult result = success();
  for (Operation* op : copies)
    result |= OneBufferCopy(*op).run();
  return result;
}

}  // namespace airlite::gpu
