// dropPassedCopies and joinPoints of PointProgram.hpp.
#include "PointProgram.hpp"
#include "airlite/analysis/LoopIndex.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"

#include <algorithm>
#include <deque>

namespace airlite {

namespace {

using linalg::IteratorKind;
using linalg::StructuredOp;

bool isWritten(const PointStep& step, unsigned operand) {
  if (step.kind == PointStep::Kind::Reshape) return false;  // another name
  if (step.kind == PointStep::Kind::Copy) return operand == 1;
  return operand >= StructuredOp(step.op).numInputs();
}

bool isRead(const PointStep& step, unsigned operand) {
  if (!isWritten(step, operand)) return true;
  if (step.kind == PointStep::Kind::Copy) return false;
  const StructuredOp op(step.op);
  return op.readsOutput(operand - op.numInputs());
}

/// All elements get a new value, whatever they were.
bool isOverwritten(const PointStep& step, unsigned operand) {
  if (!isWritten(step, operand) || isRead(step, operand)) return false;
  return step.kind == PointStep::Kind::Copy ||
         StructuredOp(step.op).indexingMaps()[operand].isProjectedPermutation();
}

// -- Copies that only pass on ---------------------------------------------------------------------

class PassedCopies {
 public:
  explicit PassedCopies(PointProgram& program) : program_(program) {}

  void run() {
    nameContents();
    for (size_t i = 0; i < program_.steps.size();) {
      const PointStep step = program_.steps[i];
      const bool isPassed =
          step.kind == PointStep::Kind::Copy && (passesOn(i, step.memory[0], step.memory[1]) ||
                                                 isPassedTo(i, step.memory[0], step.memory[1]));
      i += isPassed ? 0 : 1;
    }
  }

 private:
  std::vector<PointStep>& steps() { return program_.steps; }

  bool uses(const PointStep& step, unsigned memory) const {
    return std::ranges::find(step.memory, memory) != step.memory.end();
  }
  /// A buffer with one name.
  bool isPlainBuffer(unsigned memory) const {
    return !program_.memory[memory].isPart() &&
           std::ranges::none_of(program_.steps, [&](const PointStep& step) {
             return step.kind == PointStep::Kind::Reshape && uses(step, memory);
           });
  }
  bool sharesElements(unsigned a, unsigned b) const {
    const PointMemory &one = program_.memory[a], &other = program_.memory[b];
    return a == b || (one.isPart() && one.array == other.array);
  }
  bool touches(const PointStep& step, unsigned memory, bool onlyWrites) const {
    for (unsigned i = 0; i < step.memory.size(); ++i)
      if (step.memory[i] != kNoMemory && sharesElements(step.memory[i], memory) &&
          (!onlyWrites || isWritten(step, i)))
        return true;
    return false;
  }

  /// A buffer that is filled anew is another one from there on.
  void nameContents() {
    const auto count = static_cast<unsigned>(program_.memory.size());
    for (unsigned memory = 0; memory < count; ++memory) {
      if (!isPlainBuffer(memory)) continue;
      unsigned name = memory;
      bool isUsed = false;
      for (PointStep& step : steps()) {
        unsigned next = name;
        const bool isHere = uses(step, memory);
        for (unsigned i = 0; i < step.memory.size(); ++i)
          if (step.memory[i] == memory && isUsed && isOverwritten(step, i) && next == name) {
            next = static_cast<unsigned>(program_.memory.size());
            program_.memory.push_back(program_.memory[memory]);
          }
        for (unsigned i = 0; i < step.memory.size(); ++i)
          if (step.memory[i] == memory) step.memory[i] = isWritten(step, i) ? next : name;
        name = next;
        isUsed |= isHere;
      }
    }
  }

  void replace(unsigned memory, unsigned by, size_t copy) {
    steps().erase(steps().begin() + static_cast<std::ptrdiff_t>(copy));
    for (PointStep& step : steps())
      std::ranges::replace(step.memory, memory, by);
  }

  /// The target is only a copy of the source, for all who read it.
  bool passesOn(size_t copy, unsigned source, unsigned target) {
    if (!isPlainBuffer(target)) return false;
    if (!program_.memory[source].isPart() && !isPlainBuffer(source)) return false;
    size_t last = copy;
    for (size_t i = 0; i < steps().size(); ++i) {
      if (i == copy || !uses(steps()[i], target)) continue;
      if (i < copy || touches(steps()[i], target, true)) return false;
      last = i;
    }
    for (size_t i = copy + 1; i <= last; ++i)
      if (touches(steps()[i], source, true)) return false;
    replace(target, source, copy);
    return true;
  }

  /// The source is only made for the target.
  bool isPassedTo(size_t copy, unsigned source, unsigned target) {
    if (!isPlainBuffer(source) || !program_.memory[target].isPart()) return false;
    size_t first = copy;
    for (size_t i = 0; i < steps().size(); ++i) {
      if (i == copy || !uses(steps()[i], source)) continue;
      if (i > copy) return false;
      first = std::min(first, i);
    }
    for (size_t i = first; i < copy; ++i)
      if (touches(steps()[i], target, false)) return false;
    replace(source, target, copy);
    return true;
  }

  PointProgram& program_;
};

// -- All points at once ---------------------------------------------------------------------------

/// Which memory differs from point to point along an id: parts that lie elsewhere, and what is
/// computed from such.
std::vector<bool> dependsOn(const PointProgram& program, unsigned id) {
  std::vector<bool> depends;
  for (const PointMemory& memory : program.memory)
    depends.push_back(memory.idStrides[id] != 0);
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (const PointStep& step : program.steps) {
      const auto is = [&](unsigned memory) { return memory != kNoMemory && depends[memory]; };
      if (std::ranges::none_of(step.memory, is)) continue;
      for (unsigned i = 0; i < step.memory.size(); ++i) {
        const unsigned memory = step.memory[i];
        const bool gets = isWritten(step, i) || step.kind == PointStep::Kind::Reshape;
        if (!gets || depends[memory] || program.memory[memory].isPart()) continue;
        depends[memory] = isChanged = true;
      }
    }
  }
  return depends;
}

/// Lets one id make a dimension of each memory that depends on it longer, if it can.
class LongerDims {
 public:
  LongerDims(PointProgram& program, unsigned id)
      : program_(program), id_(id), dims_(program.memory.size(), kNoMemory) {}

  bool run() {
    while (const std::optional<unsigned> part = openPart())
      if (!tryDims(*part)) return false;
    if (!isCovered()) return false;
    for (size_t i = 0; i < dims_.size(); ++i) {
      if (dims_[i] == kNoMemory) continue;
      program_.memory[i].sizes[dims_[i]] = wholeSize(i);
      program_.memory[i].idStrides[id_] = 0;
    }
    return true;
  }

 private:
  /// Of a dimension: what lies past the end of the data is not there.
  int64_t wholeSize(size_t memory) const {
    const int64_t all = program_.memory[memory].sizes[dims_[memory]] * program_.grid[id_];
    return program_.actual[id_] > 0 ? program_.actual[id_] : all;
  }
  /// The points just cover the data.
  bool isCovered() const {
    for (size_t i = 0; i < dims_.size(); ++i) {
      if (dims_[i] == kNoMemory) continue;
      const int64_t tile = program_.memory[i].sizes[dims_[i]], points = program_.grid[id_];
      if (wholeSize(i) > tile * points || wholeSize(i) <= tile * (points - 1)) return false;
    }
    return true;
  }

  std::optional<unsigned> openPart() const {
    for (unsigned i = 0; i < dims_.size(); ++i)
      if (program_.memory[i].idStrides[id_] != 0 && dims_[i] == kNoMemory) return i;
    return std::nullopt;
  }

  bool tryDims(unsigned part) {
    const std::vector<unsigned> before = dims_;
    for (unsigned dim = 0; dim < program_.memory[part].sizes.size(); ++dim) {
      if (assign(part, dim) && spread()) return true;
      dims_ = before;
      open_.clear();
    }
    return false;
  }

  bool assign(unsigned memory, unsigned dim) {
    if (dims_[memory] != kNoMemory) return dims_[memory] == dim;
    const PointMemory& part = program_.memory[memory];
    if (part.isPart() &&
        (part.idStrides[id_] == 0 || part.idStrides[id_] != part.strides[dim] * part.sizes[dim]))
      return false;
    dims_[memory] = dim;
    open_.push_back(memory);
    return true;
  }

  bool spread() {
    for (; !open_.empty(); open_.pop_front()) {
      const unsigned memory = open_.front();
      for (const PointStep& step : program_.steps)
        for (unsigned i = 0; i < step.memory.size(); ++i)
          if (step.memory[i] == memory && !spreadTo(step, i)) return false;
    }
    return true;
  }

  bool spreadTo(const PointStep& step, unsigned operand) {
    const unsigned dim = dims_[step.memory[operand]];
    if (step.kind == PointStep::Kind::Copy) return assign(step.memory[1 - operand], dim);
    if (step.kind == PointStep::Kind::Reshape) return spreadToShape(step, operand, dim);
    const StructuredOp op(step.op);
    const auto loop = loopAt(op, operand, dim);
    if (!loop || op.iterators()[*loop] != IteratorKind::Parallel) return false;
    bool isWrittenByLoop = false;
    const std::vector<AffineMap> maps = op.indexingMaps();
    for (unsigned i = 0; i < step.memory.size(); ++i) {
      if (step.memory[i] == kNoMemory) continue;
      for (unsigned at = 0; at < maps[i].numResults(); ++at) {
        if (!maps[i].result(at).usesDim(*loop)) continue;
        if (loopAt(op, i, at) != loop || !assign(step.memory[i], at)) return false;
        isWrittenByLoop |= isWritten(step, i);
      }
    }
    return isWrittenByLoop;
  }

  static std::optional<unsigned> loopAt(StructuredOp op, unsigned operand, unsigned dim) {
    const auto index =
        analysis::readLoopIndex(op.indexingMaps()[operand].result(dim), op.numLoops());
    return index ? index->onlyLoop() : std::nullopt;
  }

  /// The outermost dimension that counts, of a group that one dimension stands for.
  bool spreadToShape(const PointStep& step, unsigned operand, unsigned dim) {
    const bool expands = step.op->is("memref.expand_shape");
    const auto groups = memref::ReshapeView(step.op).reassociation();
    const bool isOne = (operand == 0) == expands;  // this side has one dimension for each group
    const std::vector<int64_t>& sizes = program_.memory[step.memory[expands ? 1 : 0]].sizes;
    const unsigned other = step.memory[1 - operand];
    const auto outermost = [&](const std::vector<int64_t>& group) {
      for (int64_t at : group)
        if (sizes[at] != 1) return static_cast<unsigned>(at);
      return static_cast<unsigned>(group.front());
    };
    if (isOne) return !groups[dim].empty() && assign(other, outermost(groups[dim]));
    for (unsigned group = 0; group < groups.size(); ++group)
      if (std::ranges::find(groups[group], dim) != groups[group].end())
        return outermost(groups[group]) == dim && assign(other, group);
    return false;
  }

  PointProgram& program_;
  const unsigned id_;
  std::vector<unsigned> dims_;  // which dimension of each memory; kNoMemory: none
  std::deque<unsigned> open_;
};

/// Elements of a part that several points write would get one of several values.
bool writesApart(const PointProgram& program, unsigned id) {
  const std::vector<bool> depends = dependsOn(program, id);
  for (const PointStep& step : program.steps) {
    const auto is = [&](unsigned memory) { return memory != kNoMemory && depends[memory]; };
    for (unsigned i = 0; i < step.memory.size(); ++i) {
      if (!isWritten(step, i) || !program.memory[step.memory[i]].isPart() || is(step.memory[i]))
        continue;
      if (isRead(step, i) || std::ranges::any_of(step.memory, is)) return false;
    }
  }
  return true;
}

/// No element of the part is one of two points.
bool isApart(const PointProgram& program, const PointMemory& part) {
  std::vector<std::pair<int64_t, int64_t>> dims;  // stride, size
  for (size_t i = 0; i < part.sizes.size(); ++i)
    if (part.sizes[i] > 1) dims.push_back({part.strides[i], part.sizes[i]});
  for (unsigned id : part.batch)
    dims.push_back({part.idStrides[id], program.grid[id]});
  std::ranges::sort(dims);
  int64_t extent = 1;
  for (const auto& [stride, size] : dims) {
    if (stride < extent) return false;
    extent += (size - 1) * stride;
  }
  return true;
}

}  // namespace

void dropPassedCopies(PointProgram& program) { PassedCopies(program).run(); }

std::string_view joinPoints(PointProgram& program) {
  std::vector<unsigned> open;
  for (unsigned id = 0; id < program.grid.size(); ++id)
    if (program.grid[id] > 1) open.push_back(id);
  for (unsigned id : open)
    if (!writesApart(program, id)) return "several points write one element";
  // A dimension that one id has made longer is what the next one goes on from.
  for (bool isChanged = true; isChanged;)
    isChanged = std::erase_if(open, [&](unsigned id) { return LongerDims(program, id).run(); }) > 0;
  const auto isPadded = [&](unsigned id) {
    return program.actual[id] > 0 && program.actual[id] != program.grid[id];
  };
  // Of an id with one point nobody knows which dimension it would be.
  for (unsigned id = 0; id < program.grid.size(); ++id)
    if (isPadded(id) && (program.grid[id] == 1 || std::ranges::count(open, id)))
      return "its grid is padded";
  for (unsigned id : open) {
    const std::vector<bool> depends = dependsOn(program, id);
    for (size_t i = 0; i < depends.size(); ++i)
      if (depends[i]) program.memory[i].batch.insert(id);
  }
  for (const PointStep& step : program.steps)
    for (unsigned i = 0; i < step.memory.size(); ++i) {
      if (step.memory[i] == kNoMemory) continue;
      const PointMemory& memory = program.memory[step.memory[i]];
      if (isWritten(step, i) && memory.isPart() && !memory.batch.empty() &&
          !isApart(program, memory))
        return "parts of several points overlap";
      if (std::ranges::any_of(memory.idStrides, [](int64_t stride) { return stride < 0; }))
        return "points go backwards through an array";
    }
  return {};
}

}  // namespace airlite
