// Accesses stay inside of their memory: in every iteration, on every core, in every tail.
//
// Most accesses are proved by the ranges of their indices. For the others the counters that matter
// are counted through, with the conditions and bounds around the access; where a value decides that
// the program does not fix, nothing is said (but as a remark).
#include "../text/SsaNames.hpp"
#include "Findings.hpp"
#include "IndexIntervals.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"

#include <algorithm>
#include <utility>

namespace airlite::analysis {

namespace {

/// Iterations that are counted through for one demand, and for all of a module.
constexpr int64_t kMostSteps = 20'000, kMostStepsOfAll = 400'000;
constexpr size_t kMostPaths = 8;
/// Numbers 0, 1, ... that are tried for arguments that decide whether an access happens.
constexpr int64_t kMostArguments = 9;

/// Places that an op touches in one iteration, against how many there are.
struct PlacesAt {
  int64_t low = 0, high = 0, extent = 0;
  bool isInside() const { return low >= 0 && high < extent; }
};

struct Witness {
  PlacesAt places;
  std::vector<std::pair<Operation*, std::vector<int64_t>>> index;  // innermost first
  std::vector<std::pair<Value, int64_t>> arguments;                // that decide whether it happens
};

/// One demand along one path. One class: the steps of the walk share the numbers of the counters.
class BoundSearch {
 public:
  BoundSearch(const BoundDemand& demand, std::span<const PathStep> path, int64_t& budget)
      : demand_(demand), path_(path), values_(path), budget_(budget) {
    counters_.resize(path.size());
    for (size_t i = 0; i < path.size(); ++i)
      if (path[i].region) counters_[i] = countersOf(*path[i].op);
    findSources();
  }

  enum class Answer { Inside, Outside, Open };

  Answer search() {
    if (isHopeless_) return Answer::Open;
    if (!hasArguments_) return searchOnce();
    // Numbers that the function is called with decide about the way, not about the index.
    for (int64_t number = 0; number < kMostArguments; ++number) {
      setArguments(number);
      isOpen_ = wasInside_ = false;
      if (searchOnce() == Answer::Outside) return Answer::Outside;
    }
    return Answer::Open;
  }

  const Witness& witness() const { return *witness_; }

 private:
  Answer searchOnce() {
    candidate_.reset();
    left_ = std::min(kMostSteps, budget_);
    visit(0);
    if (isExhausted_ && !witness_) {  // too many: the ends of all ranges are tried
      isExhausted_ = isOpen_ = false;
      onlyEnds_ = true;
      left_ = std::min(kMostSteps, budget_);
      visit(0);
      onlyEnds_ = isExhausted_ = false;
      if (!witness_) return Answer::Open;
    }
    if (witness_) return Answer::Outside;
    if (isOpen_) return Answer::Open;
    if (!candidate_) return Answer::Inside;
    if (wasInside_) return Answer::Open;
    witness_ = candidate_;  // whenever it runs
    return Answer::Outside;
  }

  /// Of the first function.
  std::vector<Value> arguments() const {
    std::vector<Value> numbers;
    for (Value argument : func::FuncOp(path_.front().op).entry().arguments())
      if (numberWidth(argument.type()) != 0) numbers.push_back(argument);
    return numbers;
  }

  void setArguments(int64_t number) {
    for (Value argument : arguments())
      values_.set(argument, numberWidth(argument.type()) == 1 ? number & 1 : number);
  }

  void findSources() {
    const PathDependencies dependencies(path_, values_);
    for (const ReachProduct& product : demand_.reach.start) {
      dependencies.add(product.factor, sources_);
      dependencies.add(product.stride, sources_);
    }
    for (const Reach::Dim& dim : demand_.reach.dims) {
      dependencies.add(dim.size, sources_);
      dependencies.add(dim.stride, sources_);
    }
    dependencies.close(sources_);
    isHopeless_ = sources_.hasUnknown || sources_.hasArguments;
    if (isHopeless_) return;
    for (size_t i = 0; i < path_.size(); ++i) {
      Operation& op = *path_[i].op;
      if (isBranch(op)) addConditions(op, dependencies);
      if (!counters_[i]) continue;
      for (const Counter& counter : *counters_[i]) {
        PathSources bounds;
        dependencies.add(counter.lower, bounds);
        dependencies.add(counter.upper, bounds);
        sources_.counters.insert(bounds.counters.begin(), bounds.counters.end());
        hasArguments_ |= bounds.hasArguments;
      }
    }
    dependencies.close(sources_);
  }

  static bool isBranch(Operation& op) {
    return isa<scf::IfOp>(&op) || isa<affine::IfOp>(&op) || isa<scf::IndexSwitchOp>(&op);
  }

  void addConditions(Operation& op, const PathDependencies& dependencies) {
    PathSources condition;
    for (Value operand : op.operands())
      dependencies.add(operand, condition);
    sources_.counters.insert(condition.counters.begin(), condition.counters.end());
    hasArguments_ |= condition.hasArguments;
  }

  /// Bodies that run once whenever their op does.
  static bool isPlainRegion(Operation& op) {
    return isa<func::FuncOp>(&op) || isa<air::ExecuteOp>(&op) || op.is("scf.execute_region") ||
           op.is("memref.alloca_scope") || air::asHierarchy(&op);
  }

  /// False: it is decided.
  bool visit(size_t i) {
    if (i == path_.size()) return visitEnd();
    const PathStep& step = path_[i];
    if (!step.region) return visit(i + 1);
    if (isBranch(*step.op)) {
      const Region* taken = takenRegion(*step.op, values_);
      if (taken) return taken != step.region || visit(i + 1);
      return visitUncertain(i);
    }
    if (!step.region->hasOneBlock() || !counters_[i]) return visitUncertain(i);
    if (counters_[i]->empty() && !isPlainRegion(*step.op)) return visitUncertain(i);
    return visitCounter(i, 0);
  }

  bool visitUncertain(size_t i) {
    ++uncertain_;
    const bool goesOn = visit(i + 1);
    --uncertain_;
    return goesOn;
  }

  bool visitCounter(size_t i, size_t k) {
    if (k == counters_[i]->size()) return visit(i + 1);
    const Counter& counter = (*counters_[i])[k];
    const auto lower = values_.lower(counter.lower), upper = values_.upper(counter.upper);
    const auto step = values_.number(counter.step);
    const bool isNeeded = sources_.counters.contains(counter.variable.impl());
    if (!lower || !upper || !step || *step <= 0) return visitOpenCounter(i, k, isNeeded);
    if (*lower >= *upper) return true;
    if (!isNeeded) return visitCounter(i, k + 1);
    bool goesOn = true;
    const int64_t last = *lower + (*upper - 1 - *lower) / *step * *step;
    for (int64_t at = *lower; goesOn && at <= last;
         at = onlyEnds_ && at != last ? last : at + *step) {
      if (--left_ < 0) {
        isExhausted_ = true;
        goesOn = false;
        break;
      }
      --budget_;
      values_.set(counter.variable, at);
      goesOn = visitCounter(i, k + 1);
      if (at > INT64_MAX - *step) break;
    }
    values_.unset(counter.variable);
    return goesOn;
  }

  /// How often it runs is not known.
  bool visitOpenCounter(size_t i, size_t k, bool isNeeded) {
    isOpen_ |= isNeeded;
    if (isNeeded) return false;
    ++uncertain_;
    const bool goesOn = visitCounter(i, k + 1);
    --uncertain_;
    return goesOn;
  }

  bool visitEnd() {
    const auto places = placesNow();
    if (!places) {
      isOpen_ = true;
      return false;
    }
    if (places->isInside()) {
      wasInside_ = true;
      return true;
    }
    if (uncertain_ == 0)
      witness_ = witnessOf(*places);
    else if (!candidate_)
      candidate_ = witnessOf(*places);
    return uncertain_ != 0;
  }

  std::optional<PlacesAt> placesNow() {
    const auto extent = extentNow();
    if (!extent) return std::nullopt;
    __int128 low = 0;
    for (const ReachProduct& product : demand_.reach.start) {
      const auto factor = values_.number(product.factor), stride = values_.number(product.stride);
      if (!factor || !stride) return std::nullopt;
      low += static_cast<__int128>(*factor) * *stride;
    }
    __int128 high = low;
    for (const Reach::Dim& dim : demand_.reach.dims) {
      const auto size = values_.number(dim.size), stride = values_.number(dim.stride);
      if (!size || !stride) return std::nullopt;
      if (*size <= 0) return PlacesAt{0, -1, *extent};  // nothing is touched
      const __int128 reach = static_cast<__int128>(*size - 1) * *stride;
      (reach < 0 ? low : high) += reach;
    }
    const auto limited = [](__int128 number) {
      return static_cast<int64_t>(std::clamp<__int128>(number, INT64_MIN / 4, INT64_MAX / 4));
    };
    return PlacesAt{limited(low), limited(high), *extent};
  }

  /// Of a whole memref: as far as its last element, as its type states the strides.
  std::optional<int64_t> extentNow() {
    if (demand_.dim) return values_.sizeOf(demand_.memref, *demand_.dim);
    const MemRefType type = demand_.memref.type().dynCast<MemRefType>();
    const auto form = type ? type.stridedForm() : std::nullopt;
    if (!form) return std::nullopt;
    __int128 last = 0, product = 1;
    for (size_t i = form->strides.size(); i-- > 0;) {
      const auto size = values_.sizeOf(demand_.memref, static_cast<unsigned>(i));
      if (!size) return std::nullopt;
      if (*size == 0) return 0;
      int64_t stride = form->strides[i];
      if (stride == kDynamic) {
        if (!type.hasIdentityLayout()) return std::nullopt;
        stride = static_cast<int64_t>(product);
      }
      last += static_cast<__int128>(*size - 1) * std::max<int64_t>(stride, 0);
      product *= *size;
      if (last > INT64_MAX / 4 || product > INT64_MAX / 4) return std::nullopt;
    }
    return static_cast<int64_t>(last) + 1;
  }

  Witness witnessOf(const PlacesAt& places) {
    Witness witness{places, {}, {}};
    if (hasArguments_)
      for (Value argument : arguments())
        witness.arguments.push_back({argument, *values_(argument)});
    for (size_t i = path_.size(); i-- > 0;) {
      if (!counters_[i] || counters_[i]->empty()) continue;
      std::vector<int64_t> index;
      for (const Counter& counter : *counters_[i]) {
        const auto number = values_(counter.variable);
        const auto first = number ? number : values_.lower(counter.lower);
        if (first) index.push_back(*first);
      }
      if (index.size() == counters_[i]->size()) witness.index.push_back({path_[i].op, index});
    }
    return witness;
  }

  const BoundDemand& demand_;
  std::span<const PathStep> path_;
  PathValues values_;
  int64_t& budget_;
  int64_t left_ = 0;
  std::vector<std::optional<std::vector<Counter>>> counters_;  // of each step
  PathSources sources_;
  bool isHopeless_ = false, isOpen_ = false, isExhausted_ = false, onlyEnds_ = false;
  bool wasInside_ = false, hasArguments_ = false;
  unsigned uncertain_ = 0;
  std::optional<Witness> witness_, candidate_;
};

// -- Words ----------------------------------------------------------------------------------------

std::string whereText(const Witness& witness) {
  std::string text;
  for (const auto& [op, index] : witness.index) {
    const bool isLoop = !air::asHierarchy(op);
    text +=
        (text.empty() ? " in " : ", ") +
        (isLoop && index.size() == 1 ? "iteration " + std::to_string(index[0]) : indexText(index)) +
        " of " + quoted(*op);
  }
  return text;
}

std::string shapeText(MemRefType type) {
  std::string text = "[";
  for (size_t i = 0; i < type.shape().size(); ++i)
    text += (i ? ", " : "") + (type.shape()[i] == kDynamic ? "?" : std::to_string(type.shape()[i]));
  return text + "]";
}

class BoundsChecker {
 public:
  BoundsChecker(Operation& module, const ProgramCheckOptions& options, ProgramVerdict& verdict,
                Findings& findings)
      : options_(options),
        verdict_(verdict),
        findings_(findings),
        intervals_(reader_),
        paths_(module) {}

  void check(Operation& op) {
    for (const BoundDemand& demand : boundDemands(op))
      if (!isProved(demand) && !checkPaths(demand)) return;
  }

 private:
  bool isProved(const BoundDemand& demand) {
    const auto extent = statedExtent(demand);
    const auto places = extent ? intervals_.of(demand.reach) : std::nullopt;
    if (!places) return false;
    return places->isEmpty || (places->range.low >= 0 && places->range.high < *extent);
  }

  static std::optional<int64_t> statedExtent(const BoundDemand& demand) {
    const MemRefType type = demand.memref.type().dynCast<MemRefType>();
    if (!type) return std::nullopt;
    if (demand.dim) {
      if (*demand.dim >= type.shape().size()) return std::nullopt;
      const int64_t size = type.shape()[*demand.dim];
      return size == kDynamic ? std::nullopt : std::optional(size);
    }
    const auto form = type.hasStaticShape() ? type.stridedForm() : std::nullopt;
    if (!form) return std::nullopt;
    __int128 last = 0;
    for (size_t i = 0; i < form->strides.size(); ++i) {
      if (form->strides[i] == kDynamic) return std::nullopt;
      if (type.shape()[i] == 0) return 0;
      last += static_cast<__int128>(type.shape()[i] - 1) * std::max<int64_t>(form->strides[i], 0);
    }
    if (last > INT64_MAX / 4) return std::nullopt;
    return static_cast<int64_t>(last) + 1;
  }

  /// False when an error was found.
  bool checkPaths(const BoundDemand& demand) {
    bool isOpen = false;
    for (const auto& path : paths_.pathsTo(*demand.op, kMostPaths)) {
      BoundSearch search(demand, path, budget_);
      const auto answer = search.search();
      if (answer == BoundSearch::Answer::Outside) {
        report(demand, path, search.witness());
        return false;
      }
      isOpen |= answer == BoundSearch::Answer::Open;
    }
    if (isOpen && options_.unprovedBounds)
      verdict_.undecided.push_back(
          {demand.op, "that it stays inside of its memory cannot be shown"});
    return true;
  }

  void report(const BoundDemand& demand, const std::vector<PathStep>& path,
              const Witness& witness) {
    Operation& op = *demand.op;
    if (!findings_.add({FindingKind::Bounds, path.front().op, &op, nullptr})) return;
    const bool isView = isa<memref::SubViewOp>(&op);
    const std::string name = valueText(demand.memref);
    const PlacesAt& places = witness.places;
    InFlightDiagnostic error = op.emitError();
    error << quoted(op) << whereText(witness)
          << (isView           ? " takes "
              : demand.isWrite ? " writes "
                               : " reads ");
    if (places.low == places.high)
      error << (demand.dim ? "index " : "element ") << places.low;
    else
      error << (demand.dim ? "indices " : "elements ") << places.low << " to " << places.high;
    if (demand.dim)
      error << " of dimension " << *demand.dim << " of " << name << ", whose shape is "
            << shapeText(demand.memref.type().cast<MemRefType>());
    else
      error << " of " << name << ", whose last element is " << places.extent - 1;
    noteMemory(error, demand.memref);
    noteRepair(error, demand, witness);
    for (const PathStep& step : path)
      if (!step.region) error.note(step.op->location()) << "it is called here";
    for (const auto& [argument, number] : witness.arguments)
      error.note(argument.location()) << "it happens where this value is " << number;
  }

  static void noteMemory(InFlightDiagnostic& error, Value memref) {
    for (Value at = memref; at;) {
      const air::HierarchyOp level = at.isBlockArgument()
                                         ? air::asHierarchy(at.argumentBlock()->parentOp())
                                         : air::HierarchyOp();
      const Value outside = level ? level.tiedOperand(at) : Value();
      if (!outside) {
        error.note(at.location()) << "the memory is this one: " << at.type();
        return;
      }
      at = outside;
    }
  }

  /// What makes it fit. The numbers are those of the iteration that was named.
  static void noteRepair(InFlightDiagnostic& error, const BoundDemand& demand,
                         const Witness& witness) {
    const PlacesAt& places = witness.places;
    Operation* nearest = witness.index.empty() ? nullptr : witness.index.front().first;
    const Location at = nearest ? nearest->location() : demand.op->location();
    const int64_t over = std::max<int64_t>(places.high - places.extent + 1, 0);
    if (places.low < 0)
      error.note(at) << "begin " << -places.low
                     << " later, or leave out the iterations in front (scf.if on the index)";
    else if (!demand.reach.dims.empty() && places.low < places.extent)
      error.note(at) << "it is " << over
                     << " too far: shorten the last piece (affine.min of the size and of what is "
                        "left), pad the memory to "
                     << places.high + 1 << ", or take a size that divides it";
    else
      error.note(at) << "it is " << over
                     << " too far: end the counting earlier, or make the memory larger (to "
                     << places.high + 1 << ")";
  }

  const ProgramCheckOptions& options_;
  ProgramVerdict& verdict_;
  Findings& findings_;
  LinearReader reader_;
  IndexIntervals intervals_;
  CallPaths paths_;
  int64_t budget_ = kMostStepsOfAll;
};

}  // namespace

std::string valueText(Value value) {
  Operation* top = value.parentRegion()->parentOp();
  while (top->parentOp())
    top = top->parentOp();
  std::string text;
  text::SsaNames(*top, false).append(text, value);
  return text;
}

void checkBounds(Operation& module, const ProgramCheckOptions& options, ProgramVerdict& verdict,
                 Findings& findings) {
  BoundsChecker checker(module, options, verdict, findings);
  for (Operation& function : module.region().front().ops())
    if (isa<func::FuncOp>(&function))
      function.walk([&](Operation& op) {
        checker.check(op);
        checkCopySizes(op, findings);
      });
}

}  // namespace airlite::analysis
