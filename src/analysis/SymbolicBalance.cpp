// P1 with polynomials: each put and get is counted where it stands, and the counts are carried
// outwards, times how often what is around runs.
//
// A count that depends on what is inside of a loop (a bound that is loaded there) cannot be carried
// out of it: puts and gets of one place with such counts have to cancel inside. One that depends on
// a loop variable or an id is taken for each of its numbers, where they are constant.
#include "airlite/analysis/SymbolicBalance.hpp"

#include "../text/SsaNames.hpp"
#include "ChannelPlaces.hpp"
#include "SymbolicValues.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/dialect/Lanes.hpp"
#include "airlite/ir/OpDef.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace airlite::analysis {

namespace {

/// Instances and iterations that one put or get is looked at in, one by one.
constexpr int64_t kMostInstances = 4096;
constexpr unsigned kMaxCallDepth = 16;

/// A put or get (or several of one place), as seen from some op around it.
struct Use {
  air::ChannelAccessOp op;  // the first one
  Operation* channel = nullptr;
  std::vector<Operation*> ops;
  std::vector<Polynomial> index;
  Polynomial runs, elements;
  Polynomial size;  // elements of one run, as it stands there
};
using Uses = std::vector<Use>;

/// A loop variable or an id: first, first + step, ...
struct Dim {
  Value variable;
  Polynomial trips;
  Polynomial first;
  int64_t step = 1;
};

bool isTransfer(const Operation& op) {
  return isa<air::ChannelPutOp>(&op) || isa<air::ChannelGetOp>(&op);
}

bool isInside(Value value, Operation& op) {
  Region* region = value.parentRegion();
  return region && region->parentOp() && op.isAncestor(region->parentOp());
}

bool hasUnknownSize(const air::Access& access) {
  if (!access.isWhole()) return false;
  MemRefType type = access.memref.type().dynCast<MemRefType>();
  if (!type) return true;
  return std::any_of(type.shape().begin(), type.shape().end(),
                     [](int64_t size) { return size == kDynamic; });
}

bool isBroadcast(air::ChannelOp channel) {
  return shapeOf(channel, true) != shapeOf(channel, false);
}

Operation* topOf(Operation& op) {
  Operation* top = &op;
  while (top->parentOp())
    top = top->parentOp();
  return top;
}

/// All that is put at one place, and got at one destination.
struct Sums {
  Polynomial runs, elements;
  std::vector<Operation*> ops;
};

/// What is found out about channels, without those of which nothing is said. `settled`: those that have been compared.
BalanceProofs proofsOf(std::map<Operation*, ProvenBalance>& answers, std::set<Operation*> settled,
                       const std::set<Operation*>& failed) {
  BalanceProofs proofs;
  for (auto& [channel, answer] : answers) {
    settled.insert(channel);
    if (answer.answer == ProvenBalance::Answer::Unbalanced) settled.erase(channel);
    if (!failed.count(channel)) proofs.open.push_back(std::move(answer));
  }
  std::ranges::set_difference(settled, failed,
                              std::inserter(proofs.balanced, proofs.balanced.end()));
  std::ranges::sort(proofs.open, {}, [](const ProvenBalance& proven) {
    return air::ChannelOp(proven.channel).symbol();
  });
  return proofs;
}

}  // namespace

/// What is found out once.
struct BalanceProver::Module {
  std::set<Operation*> holders;               // of puts and gets, also in functions that are called
  std::map<Operation*, Operation*> launchOf;  // of channels that one launch op alone uses
  bool areNamed = false;                      // destinations of packets, by puts
  std::set<Operation*> unsized;         // channels with transfers of unknown size: they are counted
  std::optional<text::SsaNames> names;  // of the whole program, made when something is said

  explicit Module(Operation& module) {
    std::map<Operation*, std::vector<Operation*>> uses;
    module.walk([&](Operation& op) {
      bool isCall = isa<func::CallOp>(&op);
      if (isCall || isTransfer(op)) markUp(op);
      if (!isTransfer(op)) return;
      areNamed = areNamed || namesDestination(op);
      air::ChannelAccessOp access(&op);
      air::ChannelOp channel = access.channel();
      if (!channel) return;
      uses[channel.op()].push_back(&op);
      if (hasUnknownSize(access.access())) unsized.insert(channel.op());
    });
    for (auto& [channel, ops] : uses) {
      air::LaunchOp launch = ops.front()->parentOf<air::LaunchOp>();
      bool inside = launch && std::all_of(ops.begin(), ops.end(), [&](Operation* op) {
                      return launch.op()->isAncestor(op);
                    });
      if (inside) launchOf[channel] = launch.op();
    }
  }

  void markUp(Operation& op) {
    for (Operation* up = &op; up; up = up->parentOp())
      if (!holders.insert(up).second) break;
  }
};

/// One class: visiting an op, carrying its uses outwards and settling channels call each other.
class BalanceProver::Function {
 public:
  Function(Module& module, Operation& function)
      : module_(module), function_(function), values_(atoms_) {}

  BalanceProofs prove() {
    if (!function_.region(0).hasOneBlock() || !module_.holders.count(&function_)) return {};
    Uses uses;
    walk(function_.region(0).front(), uses);
    settle(uses, nullptr);
    for (Operation* channel : hidden_)  // all of it, perhaps
      store({.channel = air::ChannelOp(channel)});
    return proofsOf(answers_, std::move(settled_), failed_);
  }

 private:
  // -- Counting ----------------------------------------------------------------------------------

  void walk(Block& block, Uses& out) {
    for (Operation& op : block.ops())
      if (module_.holders.count(&op)) visit(op, out);
  }

  void visit(Operation& op, Uses& out) {
    if (isTransfer(op)) return addUse(air::ChannelAccessOp(&op), out);
    if (isa<func::CallOp>(&op)) return visitCall(op, out);
    for (Region& region : op.regions())
      if (!region.empty() && !region.hasOneBlock()) return giveUp(op);
    if (isa<air::ExecuteOp>(&op)) return walk(op.region(0).front(), out);
    if (isa<scf::IfOp>(&op)) return visitBranch(op, values_.read(op.operand(0)), out);
    if (isa<affine::IfOp>(&op)) return visitBranch(op, values_.contains(affine::IfOp(&op)), out);
    if (isa<scf::IndexSwitchOp>(&op)) return visitSwitch(scf::IndexSwitchOp(&op), out);
    std::optional<std::vector<Dim>> dims = dimsOf(op);
    if (!dims) return giveUp(op);
    Uses inside;
    walk(op.region(0).front(), inside);
    if (isa<air::LaunchOp>(&op)) settle(inside, &op);
    carryOut(inside, op, *dims, out);
  }

  /// Of what runs its body again and again; null for other ops.
  std::optional<std::vector<Dim>> dimsOf(Operation& op) {
    std::vector<Dim> dims;
    if (air::HierarchyOp level = air::asHierarchy(&op)) {
      air::HerdOp herd = dynCast<air::HerdOp>(&op);
      if (herd && air::runsOncePerLane(herd)) return std::nullopt;
      Polynomial one = Polynomial::constant(1);
      for (unsigned i = 0; i < level.numDims(); ++i)
        dims.push_back({level.id(i),
                        atoms_.make(AtomKind::Trips, {values_.read(level.sizes()[i]), one}),
                        {},
                        1});
      return dims;
    }
    if (scf::ForOp loop = dynCast<scf::ForOp>(&op)) {
      addDim(loop.inductionVar(), loop.lowerBound(), loop.upperBound(), loop.step(), dims);
      return dims;
    }
    if (scf::ParallelOp loop = dynCast<scf::ParallelOp>(&op)) {
      for (unsigned i = 0; i < loop.numLoops(); ++i)
        addDim(loop.inductionVars()[i], loop.lowerBounds()[i], loop.upperBounds()[i],
               loop.steps()[i], dims);
      return dims;
    }
    affine::ForOp loop = dynCast<affine::ForOp>(&op);
    if (!loop) return std::nullopt;
    std::optional<int64_t> first = loop.constantLowerBound();
    dims.push_back({loop.inductionVar(), values_.trips(loop),
                    first ? Polynomial::constant(*first) : Polynomial::unknown(), loop.step()});
    return dims;
  }

  void addDim(Value variable, Value lower, Value upper, Value step, std::vector<Dim>& dims) {
    std::optional<int64_t> by = values_.read(step).asConstant();
    dims.push_back({variable, values_.trips(lower, upper, step),
                    by ? values_.read(lower) : Polynomial::unknown(), by.value_or(1)});
  }

  void addUse(air::ChannelAccessOp op, Uses& out) {
    air::ChannelOp channel = op.channel();
    if (!channel) return;
    if (isForOneOfSeveral(channel, op, module_.areNamed)) return fail(channel);
    const int64_t bytes = elementBytesOf(op);
    if (elementBytes_.try_emplace(channel.op(), bytes).first->second != bytes) return fail(channel);
    Use use{op, channel.op(), {op.op()}, {}, Polynomial::constant(1), {}, {}};
    for (Value index : op.indices())
      use.index.push_back(values_.read(index));
    air::Access access = op.access();
    use.size = use.elements = elementsOf(op, access);
    out.push_back(std::move(use));
  }

  /// What a put sends, zeros around it included, or a get takes.
  Polynomial elementsOf(air::ChannelAccessOp op, const air::Access& access) {
    if (hasUnknownSize(access)) return Polynomial();
    std::vector<Polynomial> sizes;
    for (const air::IndexEntry& size : access.sizes)
      sizes.push_back(values_.read(size));
    if (access.isWhole())
      for (int64_t size : access.memref.type().cast<MemRefType>().shape())
        sizes.push_back(Polynomial::constant(size));
    for (std::string_view padding : {"pad_before", "pad_after"})
      if (auto zeros = op->attrOf<DenseArrayAttr>(padding))
        for (size_t i = 0; i < zeros.values().size() && i < sizes.size(); ++i)
          sizes[i] = atoms_.sum(sizes[i], Polynomial::constant(zeros.values()[i]));
    Polynomial total = Polynomial::constant(air::sendsOf(*op));
    for (const Polynomial& size : sizes)
      total = atoms_.product(total, size);
    return total;
  }

  /// Nothing is said of channels that are used inside.
  void giveUp(Operation& op) {
    op.walk([&](Operation& inner) {
      if (isTransfer(inner)) fail(air::ChannelAccessOp(&inner).channel());
      func::FuncOp callee =
          isa<func::CallOp>(&inner) ? func::CallOp(&inner).function() : func::FuncOp();
      bool isNew = callee && !callee.isDeclaration() && givenUp_.insert(callee.op()).second;
      if (isNew) giveUp(*callee.op());
    });
  }

  void fail(air::ChannelOp channel) {
    if (channel) failed_.insert(channel.op());
  }

  void scale(Uses& uses, const Polynomial& factor, Uses& out) {
    for (Use& use : uses) {
      use.runs = atoms_.product(use.runs, factor);
      use.elements = atoms_.product(use.elements, factor);
      out.push_back(std::move(use));
    }
  }

  void visitBranch(Operation& op, const Polynomial& condition, Uses& out) {
    Uses yes, no;
    walk(op.region(0).front(), yes);
    if (!op.region(1).empty()) walk(op.region(1).front(), no);
    scale(yes, condition, out);
    scale(no, atoms_.negated(condition), out);
  }

  void visitSwitch(scf::IndexSwitchOp op, Uses& out) {
    Polynomial otherwise = Polynomial::constant(1);
    for (unsigned i = 0; i < op.numCases(); ++i) {
      Polynomial condition = values_.isEqual(op.arg(), op.cases()[i]);
      otherwise = atoms_.difference(otherwise, condition);
      Uses inside;
      walk(op.caseRegion(i).front(), inside);
      scale(inside, condition, out);
    }
    Uses inside;
    walk(op.defaultRegion().front(), inside);
    scale(inside, otherwise, out);
  }

  void visitCall(Operation& op, Uses& out) {
    func::FuncOp callee = func::CallOp(&op).function();
    if (!callee || callee.isDeclaration() || !module_.holders.count(callee.op())) return;
    if (!callee.body().hasOneBlock() || calls_ == kMaxCallDepth) return giveUp(*callee.op());
    ++calls_;
    Uses inside;
    walk(callee.entry(), inside);
    --calls_;
    // An argument is one number, that of the operand.
    std::vector<Dim> arguments;
    for (unsigned i = 0; i < op.numOperands(); ++i)
      arguments.push_back(
          {callee.argument(i), Polynomial::constant(1), values_.read(op.operand(i)), 1});
    carryOut(inside, *callee.op(), arguments, out);
  }

  // -- Out of an op ------------------------------------------------------------------------------

  std::vector<Value> valuesOf(const Use& use) const {
    std::vector<Value> values = atoms_.valuesOf(use.runs);
    auto add = [&](const Polynomial& more) {
      for (Value value : atoms_.valuesOf(more))
        if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
    };
    add(use.elements);
    for (const Polynomial& index : use.index)
      add(index);
    return values;
  }

  void carryOut(Uses& uses, Operation& op, const std::vector<Dim>& dims, Uses& out) {
    Uses stuck, still;
    for (Use& use : uses)
      if (!carryOut(use, op, dims, out)) merge(use, stuck);
    for (Use& use : stuck)
      if (!carryOut(use, op, dims, out)) still.push_back(std::move(use));
    cancel(still);
  }

  /// Both sides of a branch may be one thing.
  void merge(Use& use, Uses& into) {
    auto same = std::find_if(into.begin(), into.end(), [&](const Use& other) {
      return other.channel == use.channel && other.op.isPut() == use.op.isPut() &&
             other.index == use.index;
    });
    if (same == into.end()) return into.push_back(std::move(use));
    same->ops.insert(same->ops.end(), use.ops.begin(), use.ops.end());
    same->runs = atoms_.sum(same->runs, use.runs);
    same->elements = atoms_.sum(same->elements, use.elements);
    if (same->size != use.size) same->size = Polynomial::unknown();
  }

  /// False, with nothing done, when what it depends on stays inside.
  bool carryOut(Use& use, Operation& op, const std::vector<Dim>& dims, Uses& out) {
    std::vector<const Dim*> mentioned;
    for (Value value : valuesOf(use)) {
      auto dim = std::find_if(dims.begin(), dims.end(),
                              [&](const Dim& each) { return each.variable == value; });
      if (dim != dims.end())
        mentioned.push_back(&*dim);
      else if (isInside(value, op))
        return false;
    }
    Polynomial factor = Polynomial::constant(1);
    int64_t instances = 1;
    for (const Dim& dim : dims)
      if (std::find(mentioned.begin(), mentioned.end(), &dim) == mentioned.end())
        factor = atoms_.product(factor, dim.trips);
    for (const Dim* dim : mentioned) {
      std::optional<int64_t> count = dim->trips.asConstant();
      bool isFit = count && dim->first.isKnown && *count <= kMostInstances;
      if (!isFit || (instances *= *count) > kMostInstances) return false;
    }
    std::map<AtomId, Polynomial> numbers;
    forEach(mentioned, 0, numbers, [&] { out.push_back(placed(use, numbers, factor)); });
    return true;
  }

  void forEach(const std::vector<const Dim*>& dims, size_t at,
               std::map<AtomId, Polynomial>& numbers, FunctionRef<void()> visit) {
    if (at == dims.size()) return visit();
    const Dim& dim = *dims[at];
    for (int64_t i = 0; i < *dim.trips.asConstant(); ++i) {
      numbers[atoms_.atomOf(dim.variable)] =
          atoms_.sum(dim.first, Polynomial::constant(i), dim.step);
      forEach(dims, at + 1, numbers, visit);
    }
  }

  Use placed(const Use& use, const std::map<AtomId, Polynomial>& numbers,
             const Polynomial& factor) {
    Use result = use;
    for (Polynomial& index : result.index)
      index = atoms_.substitute(index, numbers);
    result.runs = atoms_.product(atoms_.substitute(use.runs, numbers), factor);
    result.elements = atoms_.product(atoms_.substitute(use.elements, numbers), factor);
    return result;
  }

  // -- Comparing ---------------------------------------------------------------------------------

  bool isCounted(air::ChannelOp channel) const { return module_.unsized.count(channel.op()); }

  /// Puts and gets that cannot be carried on: of each place as many, or nothing is known of the
  /// channel.
  void cancel(Uses& stuck) {
    for (size_t i = 0; i < stuck.size(); ++i) {
      air::ChannelOp channel(stuck[i].channel);
      hidden_.insert(channel.op());
      if (failed_.count(channel.op())) continue;
      Polynomial left;
      for (const Use& use : stuck)
        if (use.channel == channel.op() && use.index == stuck[i].index)
          left = atoms_.sum(left, isCounted(channel) ? use.runs : use.elements,
                            use.op.isPut() ? 1 : -1);
      if (!left.isZero() || isBroadcast(channel)) fail(channel);
    }
  }

  /// Compares what is put and got through the channels of `launch` (null: all that are left), and
  /// takes them out of `uses`.
  void settle(Uses& uses, Operation* launch) {
    std::map<Operation*, Uses> byChannel;
    Uses others;
    for (Use& use : uses) {
      Operation* channel = use.channel;
      auto found = module_.launchOf.find(channel);
      bool isOurs = !launch || (found != module_.launchOf.end() && found->second == launch);
      (isOurs ? byChannel[channel] : others).push_back(std::move(use));
    }
    uses = std::move(others);
    for (auto& [channel, ours] : byChannel)
      compare(air::ChannelOp(channel), ours);
  }

  struct PlaceSums {
    Sums puts;
    std::vector<Sums> gets;
  };

  void add(Sums& sums, const Use& use) {
    sums.runs = atoms_.sum(sums.runs, use.runs);
    sums.elements = atoms_.sum(sums.elements, use.elements);
    for (Operation* op : use.ops)
      if (std::find(sums.ops.begin(), sums.ops.end(), op) == sums.ops.end()) sums.ops.push_back(op);
  }

  void compare(air::ChannelOp channel, Uses& uses) {
    std::map<std::vector<int64_t>, PlaceSums> places;
    Uses open;
    bool haveOneSize = true;
    for (Use& use : uses) {
      haveOneSize = haveOneSize && use.size.isKnown && use.size == uses.front().size;
      std::vector<int64_t> index;
      for (const Polynomial& number : use.index)
        if (std::optional<int64_t> constant = number.asConstant()) index.push_back(*constant);
      if (index.size() != use.index.size()) {
        open.push_back(std::move(use));
        continue;
      }
      std::optional<ChannelPlace> place = placeOf(channel, use.op.isPut(), index);
      if (!place) return fail(channel);
      PlaceSums& sums = places[place->index];
      sums.gets.resize(place->numDestinations);
      add(use.op.isPut() ? sums.puts : sums.gets[place->destination], use);
    }
    cancel(open);
    if (!failed_.count(channel.op())) conclude(channel, places, haveOneSize);
  }

  void conclude(air::ChannelOp channel, std::map<std::vector<int64_t>, PlaceSums>& places,
                bool haveOneSize) {
    bool isHidden = hidden_.count(channel.op());
    ProvenBalance answer;
    answer.channel = channel;
    answer.isBroadcast = isBroadcast(channel);
    answer.areElements = !haveOneSize && !isCounted(channel);
    bool isOpen = isHidden;  // there is something to say
    for (auto& [place, sums] : places)
      for (size_t d = 0; d < sums.gets.size(); ++d) {
        const Polynomial& puts = isCounted(channel) ? sums.puts.runs : sums.puts.elements;
        const Polynomial& gets = isCounted(channel) ? sums.gets[d].runs : sums.gets[d].elements;
        Polynomial left = atoms_.difference(puts, gets);
        bool isConstant = puts.asConstant() && gets.asConstant();
        bool isNever = atoms_.isPositive(left) || atoms_.isPositive(atoms_.difference({}, left));
        if (!left.isZero() && (isConstant || isHidden || !isNever)) return fail(channel);
        if (isConstant || (left.isZero() && isOpen)) continue;
        isOpen = true;
        answer.place = place;
        answer.destination = static_cast<uint32_t>(d);
        if (!isHidden) say(answer, sums.puts, sums.gets[d]);
        if (left.isZero()) continue;
        answer.answer = ProvenBalance::Answer::Unbalanced;
        return store(std::move(answer));
      }
    settled_.insert(channel.op());
    if (isOpen) store(std::move(answer));
  }

  void say(ProvenBalance& answer, const Sums& puts, const Sums& gets) {
    answer.areElements |= puts.runs.asConstant() && gets.runs.asConstant();
    if (!module_.names) module_.names.emplace(*topOf(function_), false);
    auto nameOf = [&](Value value) {
      std::string name;
      module_.names->append(name, value);
      return name;
    };
    answer.puts = atoms_.text(answer.areElements ? puts.elements : puts.runs, nameOf);
    answer.gets = atoms_.text(answer.areElements ? gets.elements : gets.runs, nameOf);
    answer.ops = puts.ops;
    answer.ops.insert(answer.ops.end(), gets.ops.begin(), gets.ops.end());
  }

  /// A launch may be met several times, by calls: what is wrong once is wrong.
  void store(ProvenBalance answer) {
    auto [found, isNew] = answers_.try_emplace(answer.channel.op(), answer);
    if (!isNew && answer.answer == ProvenBalance::Answer::Unbalanced)
      found->second = std::move(answer);
  }

  Module& module_;
  Operation& function_;
  Atoms atoms_;
  SymbolicValues values_;
  std::set<Operation*> failed_;                 // channels of which nothing is said
  std::set<Operation*> settled_;                // compared, and not known to be unbalanced
  std::map<Operation*, int64_t> elementBytes_;  // of channels
  std::set<Operation*> hidden_;                 // of which a part has cancelled inside of something
  std::set<Operation*> givenUp_;                // functions
  std::map<Operation*, ProvenBalance> answers_;
  unsigned calls_ = 0;
};

BalanceProver::BalanceProver(Operation& module) : module_(std::make_unique<Module>(module)) {}
BalanceProver::~BalanceProver() = default;

BalanceProofs BalanceProver::prove(Operation& function) {
  return Function(*module_, function).prove();
}

}  // namespace airlite::analysis
