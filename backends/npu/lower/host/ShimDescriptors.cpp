// From access lists to descriptors of a shim: what fits, and how the rest is split.
#include "HostTasks.hpp"
#include "airlite/analysis/Overlap.hpp"
#include "airlite/dialect/Air.hpp"

#include <algorithm>

namespace airlite::npu {

namespace {

using Dims = std::vector<std::pair<int64_t, int64_t>>;  // size and stride, outermost first

using aie::kWordBytes;

/// Of a size in a descriptor, and of its iterations. The fields would hold one more iteration.
constexpr const aie::BdLimits& kShimBd =
    aie::limitsOf(aie::Generation::Aie2, aie::TileKind::ShimNoc).bd;
constexpr int64_t kMaxSize = kShimBd.dimensions[0].maxWrap;
constexpr int64_t kMaxIterations = kShimBd.maxIterations - 1;
/// More tasks than that are not made of one transfer to get rid of a dimension.
constexpr int64_t kMaxPieces = 16;

int64_t elementBytesOf(const Task& task) {
  auto shaped = task.buffer.type().dynCast<ShapedType>();
  auto bytes = shaped ? aie::elementBytes(shaped.elementType()) : std::nullopt;
  return bytes.value_or(kWordBytes);
}

int64_t volume(const Dims& dims) {
  int64_t product = 1;
  for (auto [size, stride] : dims)
    product *= size;
  return product;
}

bool isUnit(const std::pair<int64_t, int64_t>& dim) { return dim.first == 1; }

/// Elements one after the other.
bool isLinear(const Dims& dims) {
  int64_t next = 1;
  for (size_t i = dims.size(); i-- > 0;) {
    if (isUnit(dims[i])) continue;
    if (dims[i].second != next) return false;
    next *= dims[i].first;
  }
  return true;
}

/// The largest divisor of `size` up to `most` that is a multiple of `unit`; 0 when there is none.
int64_t largestDivisor(int64_t size, int64_t most, int64_t unit) {
  for (int64_t divisor = std::min(size, most); divisor > 0; --divisor)
    if (size % divisor == 0 && divisor % unit == 0) return divisor;
  return 0;
}

/// Splits one transfer of constant sizes.
class Splitter {
 public:
  Splitter(const Task& pattern, std::vector<Task>& tasks)
      : pattern_(pattern),
        tasks_(tasks),
        bytes_(elementBytesOf(pattern)),
        limits_(aie::deviceOf(*pattern.port->tile).limits(aie::TileKind::ShimNoc).bd) {}

  /// `dims`: all four. `shift`: elements on top of the offset of the pattern.
  LogicalResult split(Dims dims, int64_t shift) {
    int64_t repeats = 1;
    size_t first = 0;
    for (; first + 1 < dims.size(); ++first) {
      if (isUnit(dims[first])) continue;
      if (dims[first].second != 0) break;
      repeats *= dims[first].first;
    }
    if (size_t outer = dimToUnroll(dims, first); outer != kNone && repeats == 1)
      return unroll(dims, outer, shift);
    if (hasRepetitionInside(dims, first))
      return pattern_.transfer->emitOpError()
             << "not supported: repeats elements inside of a walk of " << dims[first].first
             << " steps";
    Dims inner(dims.begin() + static_cast<std::ptrdiff_t>(first), dims.end());
    if (isLinear(inner)) return addLinear(inner, repeats, shift);
    const bool isFull = lacksRoom(dims, first);
    if (first == 0 || (repeats == 1 && isFull)) return addIterated(inner, shift);
    if (isFull && repeats <= kMaxPieces) return splitEach(std::move(dims), first, repeats, shift);
    inner.erase(std::remove_if(inner.begin(), inner.end(), isUnit), inner.end());
    return addRepeated(inner, repeats, shift);
  }

 private:
  static constexpr size_t kNone = ~size_t{0};

  /// The largest size of a dimension: that of the innermost one counts words, of which wide elements have several.
  int64_t mostOf(const Dims& dims, size_t at) const {
    const bool isWide = at + 1 == dims.size() && bytes_ > kWordBytes;
    return isWide ? kMaxSize * kWordBytes / bytes_ : kMaxSize;
  }

  int64_t wordsOf(int64_t elements) const { return elements * bytes_ / kWordBytes; }

  /// The outermost dimension that moves, when it has to go: its stride is too large, something is repeated
  /// inside of it, or sizes inside of it have to be split and there is no dimension left for that. None when it is long, too: then
  /// it is for others to judge.
  size_t dimToUnroll(const Dims& dims, size_t first) const {
    if (first + 1 >= dims.size() || dims[first].first > kMaxPieces) return kNone;
    bool isTooFar = wordsOf(dims[first].second) > limits_.dimensions[0].maxStep;
    const bool isTooLong =
        !isLinear({dims.begin() + static_cast<std::ptrdiff_t>(first), dims.end()}) &&
        lacksRoom(dims, first + 1);
    return isTooFar || hasRepetitionInside(dims, first) || isTooLong ? first : kNone;
  }

  /// Whether dimensions from `first` on are too many, once sizes that are too large are split.
  bool lacksRoom(const Dims& dims, size_t first) const {
    size_t needed = 0;
    for (size_t i = first; i < dims.size(); ++i)
      if (!isUnit(dims[i])) needed += dims[i].first > mostOf(dims, i) ? 2 : 1;
    return needed > limits_.numDimensions;
  }

  static bool hasRepetitionInside(const Dims& dims, size_t first) {
    for (size_t i = first + 1; i + 1 < dims.size(); ++i)
      if (!isUnit(dims[i]) && dims[i].second == 0) return true;
    return false;
  }

  /// One time after the other, since a count of repetitions and iterations are the same field of a descriptor.
  LogicalResult splitEach(Dims dims, size_t first, int64_t repeats, int64_t shift) {
    std::fill(dims.begin(), dims.begin() + static_cast<std::ptrdiff_t>(first), std::pair(1, 0));
    for (int64_t i = 0; i < repeats; ++i)
      if (failed(split(dims, shift))) return failure();
    return success();
  }

  LogicalResult unroll(Dims dims, size_t outer, int64_t shift) {
    auto [size, stride] = dims[outer];
    dims[outer] = {1, 0};
    for (int64_t i = 0; i < size; ++i)
      if (failed(split(dims, shift + i * stride))) return failure();
    return success();
  }

  /// Its sizes are kept where they fit; else the length says all.
  LogicalResult addLinear(Dims dims, int64_t repeats, int64_t shift) {
    dims.erase(std::remove_if(dims.begin(), dims.end() - 1, isUnit), dims.end() - 1);
    bool fits = dims.size() <= limits_.numDimensions;
    for (size_t i = 0; i < dims.size(); ++i)
      fits = fits && dims[i].first <= mostOf(dims, i);
    if (!fits) dims = {{volume(dims), 1}};
    return add(dims, volume(dims), repeats, shift);
  }

  /// The outermost dimension as iterations, where it moves at all.
  LogicalResult addIterated(Dims dims, int64_t shift) {
    auto [size, stride] = dims[0];
    dims.erase(dims.begin());
    if (failed(fitSizes(dims))) return failure();
    // What comes before all dimensions of a descriptor are its iterations.
    if (dims.size() < limits_.numDimensions)
      dims.insert(dims.begin(), limits_.numDimensions - dims.size(), {1, 0});
    int64_t most = largestDivisor(size, kMaxIterations, 1);
    for (int64_t i = 0; i < size; i += most) {
      Dims all = dims;
      all.insert(all.begin(), {most, stride});
      if (most == 1) all.erase(all.begin());
      if (failed(add(all, volume(dims), most, shift + i * stride))) return failure();
    }
    return success();
  }

  LogicalResult addRepeated(Dims dims, int64_t repeats, int64_t shift) {
    if (failed(fitSizes(dims))) return failure();
    return add(dims, volume(dims), repeats, shift);
  }

  /// Makes sizes fit, with a dimension for each that is split.
  LogicalResult fitSizes(Dims& dims) {
    for (size_t i = dims.size(); i-- > 0;) {
      const int64_t most = mostOf(dims, i);
      if (dims[i].first <= most) continue;
      bool isInnermost = i + 1 == dims.size();
      int64_t unit = isInnermost && bytes_ < kWordBytes ? kWordBytes / bytes_ : 1;
      int64_t part = largestDivisor(dims[i].first, most, unit);
      if (part <= 1 || !makeRoom(dims, i)) return refuse(dims, i);
      auto [size, stride] = dims[i];
      dims[i] = {part, stride};
      dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(i), {size / part, stride * part});
      ++i;  // what is outside may have to be split again
    }
    return success();
  }

  /// Takes a dimension of size 1 outside of `at` away when all are in use.
  bool makeRoom(Dims& dims, size_t& at) const {
    if (dims.size() < limits_.numDimensions) return true;
    for (size_t i = at; i-- > 0;) {
      if (!isUnit(dims[i])) continue;
      dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(i));
      --at;
      return true;
    }
    return false;
  }

  LogicalResult refuse(const Dims& dims, size_t at) const {
    size_t position = airrt::DmaMemcpyNdOp::kNumDims - (dims.size() - at);
    return pattern_.transfer->emitOpError() << "cannot tile dim " << position << " of size "
                                            << dims[at].first << " into shim-legal chunks";
  }

  /// `runs`: of the task in all; a queue entry can ask for so many only.
  LogicalResult add(const Dims& dims, int64_t length, int64_t runs, int64_t shift) {
    bool isIterated = dims.size() > limits_.numDimensions;
    int64_t most = isIterated ? runs : largestDivisor(runs, aie::kMaxTaskRepeats, 1);
    for (int64_t i = 0; i < runs; i += most) {
      Task task = pattern_;
      task.offset.constant += shift;
      task.length = {length, Value()};
      task.dims = dims;
      task.repeats = {most - 1, Value()};
      tasks_.push_back(task);
    }
    return success();
  }

  const Task& pattern_;
  std::vector<Task>& tasks_;
  int64_t bytes_;
  const aie::BdLimits& limits_;
};

// -- Numbers that are known when the sequence runs -----------------------------------------------

Value toI32(Builder& builder, Location location, Value value) {
  return builder.create(location, "arith.trunci", {value}, {builder.intType(32)})->result();
}

Value times(Builder& builder, Location location, Value value, int64_t factor) {
  if (factor == 1) return value;
  Value constant = builder.constant(location, builder.i64Attr(factor));
  return builder.create(location, "arith.muli", {value, constant}, {})->result();
}

/// The first element: sum of offset * stride, from where the memref begins.
MaybeStatic startOf(const Transfer& transfer, Builder& builder) {
  MaybeStatic start{transfer.start, Value()};
  Value sum;
  Location location = transfer.op->location();
  for (size_t i = 0; i < transfer.offsets.size(); ++i) {
    int64_t stride = transfer.strides[i].constant;
    if (transfer.offsets[i].isConstant()) {
      start.constant += transfer.offsets[i].constant * stride;
      continue;
    }
    if (stride == 0) continue;
    Value part = times(builder, location, transfer.offsets[i].value, stride);
    sum = sum ? builder.create(location, "arith.addi", {sum, part}, {})->result() : part;
  }
  for (auto [index, stride] : transfer.indices) {
    Value part = times(builder, location, index, stride);
    sum = sum ? builder.create(location, "arith.addi", {sum, part}, {})->result() : part;
  }
  if (!sum) return start;
  if (start.constant != 0) {
    Value rest = builder.constant(location, builder.i64Attr(start.constant));
    sum = builder.create(location, "arith.addi", {sum, rest}, {})->result();
  }
  return {0, toI32(builder, location, sum)};
}

/// All sizes but the one at `open` must be those of a linear transfer.
bool isLinearAround(const Transfer& transfer, size_t open) {
  Dims dims;
  for (size_t i = 0; i < transfer.lengths.size(); ++i) {
    if (i < open && transfer.lengths[i].constant != 1) return false;
    if (i > open) dims.push_back({transfer.lengths[i].constant, transfer.strides[i].constant});
  }
  return isLinear(dims) && transfer.strides[open].constant == volume(dims);
}

LogicalResult makeOpenTask(const Transfer& transfer, size_t open, Builder& builder, Task task,
                           std::vector<Task>& tasks) {
  Location location = transfer.op->location();
  Value size = transfer.lengths[open].value;
  Dims dims;
  for (size_t i = open + 1; i < transfer.lengths.size(); ++i)
    dims.push_back({transfer.lengths[i].constant, transfer.strides[i].constant});
  if (isLinearAround(transfer, open)) {
    task.length = {0, toI32(builder, location, times(builder, location, size, volume(dims)))};
    tasks.push_back(task);
    return success();
  }
  if (open != 0 || transfer.strides[0].constant != 0)
    return transfer.op->emitOpError()
           << "runtime-valued DMA size is not supported where elements do not follow each other";
  std::vector<Task> once;
  dims.insert(dims.begin(), {1, 0});
  if (failed(Splitter(task, once).split(dims, 0))) return failure();
  if (once.size() != 1 || once[0].repeats.constant != 0)
    return transfer.op->emitOpError()
           << "runtime-valued DMA size is not supported for several descriptors";
  Value one = builder.constant(location, builder.i32Attr(1));
  Value runs = toI32(builder, location, size);
  once[0].repeats = {0, builder.create(location, "arith.subi", {runs, one}, {})->result()};
  tasks.push_back(once[0]);
  return success();
}

/// The same where the start is only known when the sequence runs.
LogicalResult makeMovedTasks(Task task, const Dims& dims, Builder& builder,
                             std::vector<Task>& tasks) {
  Value start = task.offset.value;
  task.offset = {};
  size_t first = tasks.size();
  if (failed(Splitter(task, tasks).split(dims, 0))) return failure();
  for (size_t i = first; i < tasks.size(); ++i) {
    int64_t shift = tasks[i].offset.constant;
    tasks[i].offset = {0, start};
    if (shift == 0) continue;
    Location location = task.transfer->location();
    Value constant = builder.constant(location, builder.i32Attr(shift));
    tasks[i].offset.value = builder.create(location, "arith.addi", {start, constant}, {})->result();
  }
  return success();
}

}  // namespace

LogicalResult makeTasks(const Transfer& transfer, Builder& builder, std::vector<Task>& tasks) {
  std::vector<size_t> open;
  Dims dims;
  for (size_t i = 0; i < transfer.lengths.size(); ++i) {
    if (!transfer.strides[i].isConstant())
      return transfer.op->emitOpError() << "runtime-valued DMA stride is not supported";
    if (!transfer.lengths[i].isConstant()) open.push_back(i);
    dims.push_back({transfer.lengths[i].constant, transfer.strides[i].constant});
  }
  if (open.size() > 1)
    return transfer.op->emitOpError() << "more than one runtime-valued DMA size is not supported";
  Task task;
  task.transfer = transfer.op;
  task.port = transfer.port;
  task.buffer = transfer.buffer;
  task.offset = startOf(transfer, builder);
  if (task.offset.isConstant() && task.offset.constant < 0)
    return transfer.op->emitOpError()
           << "begins at element " << task.offset.constant << " of its memory";
  if (!open.empty()) return makeOpenTask(transfer, open[0], builder, task, tasks);
  if (volume(dims) == 0) return success();  // nothing moves
  for (auto [size, stride] : dims)
    if (size < 0 || stride < 0)
      return transfer.op->emitOpError() << "not supported: negative sizes and strides";
  if (task.offset.value) return makeMovedTasks(task, dims, builder, tasks);
  return Splitter(task, tasks).split(dims, 0);
}

// -- Memory ---------------------------------------------------------------------------------------

/// The same elements are reached again by iterations and repetitions: dims say all of them, but for
/// what only the length says.
static bool reach(const Task& task, std::vector<analysis::StridedDim>& terms, int64_t& start) {
  if (!task.offset.isConstant() || !task.length.isConstant()) return false;
  start = task.offset.constant;
  if (task.dims.empty()) terms.push_back({task.length.constant, 1});
  for (auto [size, stride] : task.dims)
    terms.push_back({size, stride});
  return true;
}

/// Of one launch whose instances write the same into elements that they share, or that reads an element on the way to what it
/// writes there. Runs of a launch in a loop have the same mark: SequenceWriter waits for all of a run at its end.
static bool needNoOrder(const Task& a, const Task& b) {
  const std::string_view mark =
      a.port->sends || b.port->sends ? air::kReadsFirst : air::kSameValues;
  const Attribute launch = a.transfer->attr(mark);
  return launch && launch == b.transfer->attr(mark);
}

bool conflict(const Task& a, const Task& b) {
  if (a.buffer != b.buffer || (a.port->sends && b.port->sends) || needNoOrder(a, b)) return false;
  std::vector<analysis::StridedDim> terms, others;
  int64_t start = 0, other = 0;
  if (!reach(a, terms, start) || !reach(b, others, other)) return true;
  // start + sum of x_k * s_k == other + sum of y_k * t_k, with z_k = count - 1 - y_k.
  int64_t target = other - start;
  for (analysis::StridedDim dim : others) {
    target += (dim.count - 1) * dim.stride;
    terms.push_back(dim);
  }
  return analysis::hasSolution(terms, target) != analysis::Answer::No;
}

}  // namespace airlite::npu
