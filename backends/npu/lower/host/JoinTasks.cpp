// Few long tasks from many short ones: what the iterations of a launch do with one channel.
#include "HostTasks.hpp"

#include <algorithm>
#include <span>

namespace airlite::npu {

namespace {

using Dims = std::vector<std::pair<int64_t, int64_t>>;  // size and stride, outermost first

/// Marks that ask for something at a certain task.
constexpr const char* kMarks[] = {"air.preserve_shim_dma_order", "air.append_barrier",
                                  "air.await_appends", "air.runtime_hoist"};

const aie::BdLimits& limitsOf(const Task& task) {
  return aie::deviceOf(*task.port->tile).limits(aie::TileKind::ShimNoc).bd;
}

bool isFixed(const Task& task) {
  bool isMarked = std::any_of(std::begin(kMarks), std::end(kMarks),
                              [&](const char* mark) { return task.has(mark); });
  return task.offset.isConstant() && task.length.isConstant() && task.repeats.isConstant() &&
         !isMarked;
}

/// But for the place where they begin.
bool areAlike(const Task& a, const Task& b) {
  return a.buffer == b.buffer && a.length.constant == b.length.constant && a.dims == b.dims &&
         a.repeats.constant == b.repeats.constant && a.isAwaitedFor == b.isAwaitedFor &&
         a.transfer->attr("packet") == b.transfer->attr("packet");
}

bool isLinear(const Task& task) {
  int64_t next = 1;
  for (size_t i = task.dims.size(); i-- > 0;) {
    if (task.dims[i].second != next) return false;
    next *= task.dims[i].first;
  }
  return true;
}

bool isIterated(const Task& task) { return task.dims.size() > limitsOf(task).numDimensions; }

int64_t wordsPerElement(const Task& task) {
  auto bytes = aie::elementBytes(task.buffer.type().dynCast<ShapedType>().elementType());
  return std::max<int64_t>(1, bytes.value_or(aie::kWordBytes) / aie::kWordBytes);
}

/// The sizes of a task that moves once; empty when no dimension can say them. The innermost one counts words.
Dims sizesOf(const Task& task, int64_t elementsPerWord) {
  const int64_t most = limitsOf(task).dimensions[0].maxWrap, longest = most / wordsPerElement(task);
  if (!isLinear(task)) return task.dims;
  int64_t length = task.length.constant;
  if (length <= longest) return {{length, 1}};
  for (int64_t part = longest - longest % elementsPerWord; part > 1; part -= elementsPerWord)
    if (length % part == 0 && length / part <= most) return {{length / part, part}, {part, 1}};
  return {};
}

class Joiner {
 public:
  explicit Joiner(const Task& first)
      : limits_(limitsOf(first)), elementsPerWord_(aie::kWordBytes / bytesOf(first)) {}

  /// As many of `tasks` as there are alike at one distance, from the first one on; the first one
  /// becomes all of them. Returns their number.
  size_t join(std::span<Task> tasks) const {
    size_t all = alike(tasks);
    for (size_t parts = 1; parts < all; ++parts) {
      size_t count = (all + parts - 1) / parts;
      if (become(tasks[0], distance(tasks), static_cast<int64_t>(count))) return count;
    }
    return 1;
  }

 private:
  /// Elements that are smaller than a word come in whole words.
  static int64_t bytesOf(const Task& task) {
    auto shaped = task.buffer.type().dynCast<ShapedType>();
    auto bytes = shaped ? aie::elementBytes(shaped.elementType()) : std::nullopt;
    return std::min<int64_t>(aie::kWordBytes, bytes.value_or(aie::kWordBytes));
  }

  static int64_t distance(std::span<const Task> tasks) {
    return tasks[1].offset.constant - tasks[0].offset.constant;
  }

  static size_t alike(std::span<const Task> tasks) {
    size_t count = 1;
    while (count < tasks.size() && areAlike(tasks[0], tasks[count]) &&
           tasks[count].offset.constant - tasks[count - 1].offset.constant == distance(tasks))
      ++count;
    return count;
  }

  bool become(Task& task, int64_t step, int64_t count) const {
    if (step < 0 || isIterated(task)) return false;
    if (step == 0) return repeat(task, count);
    if (task.repeats.constant != 0) return false;  // each part several times: no descriptor says so
    if (isLinear(task) && step == task.length.constant) return lengthen(task, count);
    return iterate(task, step, count);
  }

  static bool repeat(Task& task, int64_t count) {
    int64_t runs = (task.repeats.constant + 1) * count;
    if (runs > aie::kMaxTaskRepeats) return false;
    task.repeats.constant = runs - 1;
    return true;
  }

  static bool lengthen(Task& task, int64_t count) {
    task.length.constant *= count;
    task.dims = {{task.length.constant, 1}};
    return true;
  }

  bool iterate(Task& task, int64_t step, int64_t count) const {
    Dims dims = sizesOf(task, elementsPerWord_);
    bool isWhole = step % elementsPerWord_ == 0;
    bool isNear = step / elementsPerWord_ * wordsPerElement(task) <= limits_.dimensions[0].maxStep;
    bool iterates = dims.size() == limits_.numDimensions;
    int64_t most = iterates ? limits_.maxIterations - 1 : limits_.dimensions[0].maxWrap;
    if (dims.empty() || !isWhole || !isNear || count > most) return false;
    dims.insert(dims.begin(), {count, step});
    task.dims = dims;
    if (iterates)
      task.repeats.constant = count - 1;
    else
      task.length.constant *= count;
    return true;
  }

  const aie::BdLimits& limits_;
  int64_t elementsPerWord_;
};

/// One pass over the tasks of a channel. Says whether there are fewer now.
bool joinRuns(std::vector<Task>& tasks) {
  std::vector<Task> joined;
  Joiner joiner(tasks.front());
  for (size_t i = 0; i < tasks.size();) {
    size_t count = joiner.join(std::span(tasks).subspan(i));
    joined.push_back(tasks[i]);
    i += count;
  }
  bool isLess = joined.size() < tasks.size();
  tasks = std::move(joined);
  return isLess;
}

}  // namespace

void joinTasks(std::vector<Task>& tasks) {
  if (tasks.size() < 2 || !std::all_of(tasks.begin(), tasks.end(), isFixed)) return;
  while (tasks.size() > 1 && joinRuns(tasks)) {
  }
}

}  // namespace airlite::npu
