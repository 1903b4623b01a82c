// air-fuse-alloc-dealloc: a buffer lives only where it is used.
//
// Matches a memref.alloc and its memref.dealloc in one block, each on its own or alone in an
// air.execute, whose uses are all inside of one op of the block: a loop, a branch, a launch,
// segment or herd. Both move into it, and on, as far as to the innermost body that holds all uses:
// each of its runs then has a buffer of its own. The alloc stands in front of the first use, the
// dealloc at the end. Asynchronous ones wait for what all uses wait for, and for the uses; tokens
// that a loop hands on after the uses come after the dealloc as well. What waited for them outside
// waits for what they waited for.
//
// Declines, with a remark, or stays further outside:
//  - sizes that are computed; no dealloc beside the alloc, or several; a buffer that is passed on
//    to where it cannot be followed
//  - what a run reads may come from another run: in a loop, each read must see nothing that an
//    earlier iteration writes, or elements that this iteration writes before, all of them, in an
//    order that the program states; cores must not read what other cores write
//  - a segment cannot hold L3, a herd neither L3 nor L2
//  - uses whose end no token and no order of control tells
#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/pass/Pass.hpp"
#include "analysis/BufferUses.hpp"
#include "analysis/CoreConflicts.hpp"
#include "analysis/RunOrder.hpp"
#include "transform/dependency/TokenMoves.hpp"
#include "transform/dependency/TokenResults.hpp"
#include "transform/dependency/TokenWaits.hpp"

#include <algorithm>

namespace airlite {

namespace {

using namespace air;
using analysis::AccessKind;
using analysis::BufferAccess;
using Ops = std::vector<Operation*>;
using Values = std::vector<Value>;

constexpr unsigned kKernelGroup = 2;

bool isView(Operation& op) { return op.hasTrait(Trait::ViewLike); }

/// The op itself, or the air.execute that holds nothing else; null for one among others.
Operation* shellOf(Operation& op) {
  Operation* around = op.parentOp();
  if (!isa<ExecuteOp>(around)) return &op;
  return onlyOp(*around) == &op ? around : nullptr;
}

/// Runs that are instances of one op, beside each other.
bool hasInstances(Operation& op) {
  if (HierarchyOp hierarchy = asHierarchy(&op)) {
    std::optional<std::vector<int64_t>> sizes = hierarchy.constantSizes();
    return !sizes || std::ranges::any_of(*sizes, [](int64_t size) { return size > 1; });
  }
  return op.hasTrait(Trait::ParallelLoop);
}

bool isSequentialLoop(Operation& op) { return isa<scf::ForOp>(&op) || isa<affine::ForOp>(&op); }

/// Every element from the first on, `volume` of them.
bool isWhole(const analysis::StridedRegion& region, int64_t volume) {
  if (!region.start.isConstant() || region.start.constant != 0) return false;
  std::vector<analysis::StridedDim> dims = region.dims;
  std::ranges::sort(dims, {}, &analysis::StridedDim::stride);
  int64_t covered = 1;
  for (const analysis::StridedDim& dim : dims) {
    if (dim.count == 1) continue;
    if (dim.count < 1 || dim.stride != covered) return false;
    if (__builtin_mul_overflow(covered, dim.count, &covered)) return false;
  }
  return covered == volume;
}

/// A buffer, and how far inwards it can go.
/// One class: every question here is about the uses and accesses of one buffer.
class Buffer {
 public:
  Buffer(Operation& alloc, analysis::AccessReader& reader, RunOrder& order, TokenReach& reach)
      : alloc_(alloc), uses_(alloc.result()), reader_(reader), order_(order), reach_(reach) {}

  /// Empty when it moved, else why it did not. `isSplit`: its uses are in several ops, there is
  /// nothing to be said.
  std::string_view run(bool& isSplit) {
    if (std::string_view obstacle = find(); !obstacle.empty()) return obstacle;
    std::vector<Block*> blocks;
    std::string_view obstacle = descend(blocks);
    isSplit = blocks.empty() && obstacle.empty();
    for (auto block = blocks.rbegin(); block != blocks.rend(); ++block) {
      std::string_view why = plan(**block);
      if (why.empty()) return move(**block), std::string_view();
      obstacle = why;
    }
    return obstacle;
  }

 private:
  // -- What there is

  std::string_view find() {
    if (alloc_.numOperands() > 0) return "its size is computed";
    if (uses_.escapes) return "the buffer is passed on to where it cannot be followed";
    if (uses_.deallocs.size() != 1) return "the buffer has no dealloc, or several";
    make_ = shellOf(alloc_);
    free_ = shellOf(*uses_.deallocs.front());
    bool areAlike = make_ && free_ && make_->block() == free_->block() &&
                    isa<ExecuteOp>(make_) == isa<ExecuteOp>(free_);
    if (!areAlike) return "the dealloc does not stand beside the alloc";
    isAsync_ = isa<ExecuteOp>(make_);
    if (isAsync_ && (!AsyncOp(make_).token() || !AsyncOp(free_).token()))
      return "its execute blocks";
    if (isAsync_ && (isHandedIn(*make_) || isHandedIn(*free_)))
      return "its token is an argument of a launch, segment or herd";
    for (Operation* op : uses_.accesses) {
      if (isView(*op) || asHierarchy(op)) continue;
      std::vector<BufferAccess> accesses;
      reader_.direct(*op, accesses);
      for (BufferAccess& access : accesses)
        if (access.buffer.value == alloc_.result() || !access.buffer.isKnown())
          accesses_.push_back({op, std::move(access)});
    }
    return {};
  }

  /// The token is used otherwise than to wait for it.
  static bool isHandedIn(Operation& op) {
    for (OpOperand& use : AsyncOp(&op).token().uses()) {
      Operation* user = use.owner();
      if (isAsyncOp(*user) && use.index() >= AsyncOp(user).dependencies().size()) return true;
    }
    return false;
  }

  // -- How far inwards

  /// Bodies that hold all uses, outer ones first.
  std::string_view descend(std::vector<Block*>& blocks) {
    Block* block = make_->block();
    while (Operation* around = onlyUser(*block)) {
      Block* inner = bodyWithUses(*around);
      if (!inner) return {};
      if (std::string_view obstacle = obstacleTo(*around); !obstacle.empty()) return obstacle;
      blocks.push_back(block = inner);
    }
    return {};
  }

  /// The op of the block in which all uses are; null when there are several.
  Operation* onlyUser(Block& block) const {
    Operation* found = nullptr;
    for (Operation* op : uses_.accesses) {
      Operation* at = ancestorIn(block, *op);
      if (!at && block.parentOp() && op->isAncestor(block.parentOp())) continue;
      if (!at || (found && at != found)) return nullptr;
      found = at;
    }
    return found;
  }

  /// The body of `around` in which all uses are; null when it is none to move into.
  Block* bodyWithUses(Operation& around) const {
    bool isBody = asHierarchy(&around) || isSequentialLoop(around) || isConditional(around) ||
                  isa<scf::ParallelOp>(&around);
    Block* found = nullptr;
    for (Operation* op : uses_.accesses) {
      if (asHierarchy(op) && op->isAncestor(&around)) continue;
      if (op == &around || !isBody) return nullptr;
      Operation* at = op;
      while (at->parentOp() != &around)
        at = at->parentOp();
      if (found && found != at->block()) return nullptr;
      found = at->block();
    }
    return found;
  }

  std::string_view obstacleTo(Operation& around) {
    std::optional<MemoryLevel> level = memoryLevel(alloc_.result().type());
    if (isa<HerdOp>(&around) && level && *level != MemoryLevel::L1)
      return "a herd holds buffers of L1 only";
    if (isa<SegmentOp>(&around) && level == MemoryLevel::L3) return "a segment holds no L3";
    if (hasInstances(around) && mayBeShared(around))
      return "what one instance reads may be written by another one";
    if (isSequentialLoop(around) && isCarried(around))
      return "an iteration may read what an earlier one writes";
    return {};
  }

  struct Use {
    Operation* op;
    BufferAccess access;
  };

  bool has(AccessKind kind) const {
    return std::ranges::any_of(accesses_, [&](const Use& use) { return use.access.kind == kind; });
  }

  bool mayBeShared(Operation& around) const {
    if (has(AccessKind::Hold)) return true;
    if (!has(AccessKind::Read) || !has(AccessKind::Write)) return false;
    return !isa<HerdOp>(&around) || otherCoresMayConflict(HerdOp(&around), HerdOp(&around));
  }

  bool isCarried(Operation& loop) {
    if (has(AccessKind::Hold)) return true;
    return std::ranges::any_of(accesses_, [&](const Use& read) {
      return read.access.kind == AccessKind::Read && mayReadOlder(read, loop);
    });
  }

  bool mayReadOlder(const Use& read, Operation& loop) {
    bool mayBeWritten = std::ranges::any_of(accesses_, [&](const Use& write) {
      return write.access.kind == AccessKind::Write &&
             reader_.mayConflictAcross(read.access, write.access, loop);
    });
    return mayBeWritten && std::ranges::none_of(accesses_, [&](const Use& write) {
             return write.access.kind == AccessKind::Write && covers(write, read);
           });
  }

  /// Whenever `read` runs, `write` has written all of it in the same run of the loops around.
  bool covers(const Use& write, const Use& read) {
    if (write.op == read.op || !write.access.isCertain) return false;
    if (!writesAll(write.access) && write.access.region != read.access.region) return false;
    Operation *at = ancestorIn(*write.op->block(), *read.op), *from = write.op;
    if (Operation* execute = shellInBlock(*write.op); execute && !at) {
      at = ancestorIn(*execute->block(), *read.op);
      from = execute;
    }
    return at && at != from && from->isBeforeInBlock(at) && order_.areApart(*write.op, *read.op);
  }

  /// The execute around an op.
  static Operation* shellInBlock(Operation& op) {
    return isa<ExecuteOp>(op.parentOp()) ? op.parentOp() : nullptr;
  }

  bool writesAll(const BufferAccess& access) const {
    if (!access.region) return true;
    int64_t volume = 1;
    for (int64_t size : alloc_.result().type().cast<MemRefType>().shape())
      if (__builtin_mul_overflow(volume, size, &volume)) return false;
    return isWhole(*access.region, volume);
  }

  // -- Order in the body

  /// Empty when alloc and dealloc can stand in `block`.
  std::string_view plan(Block& block) {
    waits_.clear();
    users_.clear();
    for (Operation* op : uses_.accesses) {
      if (isView(*op) || !isInBlock(*op, block)) continue;
      Operation* at = ancestorIn(block, *op);
      if (std::ranges::find(users_, at) == users_.end()) users_.push_back(at);
      if (isAsync_ ? !planAsync(*op, *at, block) : !RunOrder::blocks(*op, block))
        return "no token and no order of control tells when its uses are over";
    }
    if (!isAsync_) return {};
    dropEarlier(waits_);
    return {};
  }

  static bool isInBlock(Operation& op, Block& block) { return ancestorIn(block, op) != nullptr; }

  bool planAsync(Operation& use, Operation& at, Block& block) {
    for (Value result : at.resultValues())
      if (isTokenType(result.type()) && order_.covers(result, use)) {
        addOnce(waits_, result);
        return canWait(use, at, block);
      }
    return false;
  }

  /// addWait lets the use start after the alloc.
  bool canWait(Operation& use, Operation& at, Block& block) {
    if (isAsyncOp(at)) return true;
    if (!isa<scf::ForOp>(&at)) return false;
    OperandRange inits = scf::ForOp(&at).initArgs();
    return reach_.reaches(TokenReach::waitsOf(use, block), [&](Value token) {
      return std::ranges::any_of(inits, [&](Value init) { return init == token; });
    });
  }

  /// Without tokens after which another one fires.
  void dropEarlier(Values& tokens) {
    for (size_t i = tokens.size(); i-- > 0;) {
      Values others = tokens;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
      Value token = tokens[i];
      bool isEarlier = reach_.reaches(others, [&](Value value) { return value == token; });
      if (isEarlier) tokens = others;
    }
  }

  /// What every use waits for anyway: of the tokens that the first of them names, and that are
  /// there at `place`.
  Values commonWaits(Block& block, Operation& place) {
    Values result;
    if (users_.empty() || !isAsyncOp(*users_.front())) return result;
    for (Value token : AsyncOp(users_.front()).dependencies()) {
      Operation* maker = token.definingOp();
      if (maker && maker->block() == &block && !maker->isBeforeInBlock(&place)) continue;
      bool isCommon = std::ranges::all_of(uses_.accesses, [&](Operation* op) {
        return isView(*op) || !isInBlock(*op, block) ||
               reach_.reaches(TokenReach::waitsOf(*op, block),
                              [&](Value value) { return value == token; });
      });
      if (isCommon) result.push_back(token);
    }
    return result;
  }

  // -- Moving

  void move(Block& block) {
    std::ranges::sort(users_, [](Operation* a, Operation* b) { return a->isBeforeInBlock(b); });
    std::vector<unsigned> after = isAsync_ ? resultsAfterUses(block) : std::vector<unsigned>();
    Operation* first = firstUse(block);
    Values common = isAsync_ ? commonWaits(block, *first) : Values();
    if (isAsync_) leaveTokens();
    enterArguments(block);
    make_->moveBefore(first);
    free_->moveBefore(&block.back());
    if (!isAsync_) return;
    AsyncOp(make_).setDependencies(common);
    for (Operation* user : users_)
      addWait(*user, AsyncOp(make_).token());
    AsyncOp(free_).setDependencies(waits_);
    handOn(block, after);
  }

  /// Views too: they name the buffer.
  Operation* firstUse(Block& block) const {
    Operation* first = users_.empty() ? nullptr : users_.front();
    for (Operation* op : uses_.accesses) {
      Operation* at = ancestorIn(block, *op);
      if (at && (!first || at->isBeforeInBlock(first))) first = at;
    }
    return first;
  }

  void leaveTokens() {
    for (Operation* op : {make_, free_}) {
      AsyncOp async(op);
      replaceWaits(async.token(), async.dependencies().vec(), [](Operation&) { return true; });
    }
  }

  /// Inside of hierarchy ops their arguments stand for the buffer.
  void enterArguments(Block& block) {
    Value buffer = isAsync_ ? make_->result(1) : make_->result();
    for (Operation* op : uses_.accesses) {
      HierarchyOp hierarchy = asHierarchy(op);
      if (hierarchy && !isInBlock(*op, block)) takeArgument(hierarchy, buffer);
    }
  }

  static void takeArgument(HierarchyOp hierarchy, Value buffer) {
    Values kept;
    std::vector<unsigned> dropped;
    for (unsigned i = 0; i < hierarchy.numKernelOperands(); ++i) {
      Value operand = hierarchy.kernelOperands()[i];
      if (operand != buffer) {
        kept.push_back(operand);
        continue;
      }
      hierarchy.kernelArgument(i).replaceAllUsesWith(buffer);
      dropped.push_back(hierarchy.kernelArgument(i).index());
    }
    hierarchy->setOperandGroup(kKernelGroup, kept);
    for (auto index = dropped.rbegin(); index != dropped.rend(); ++index)
      hierarchy.body().eraseArgument(*index);
  }

  /// Tokens of the loop that fire after all uses in an iteration.
  std::vector<unsigned> resultsAfterUses(Block& block) {
    std::vector<unsigned> results;
    if (!isa<scf::ForOp>(block.parentOp())) return results;
    scf::ForOp loop(block.parentOp());
    for (unsigned i = 0; i < loop.numIterArgs(); ++i) {
      if (!isTokenType(loop.yielded(i).type())) continue;
      bool isAfter = std::ranges::all_of(waits_, [&](Value wait) {
        return reach_.reaches({loop.yielded(i)}, [&](Value value) { return value == wait; });
      });
      if (isAfter) results.push_back(i);
    }
    return results;
  }

  void handOn(Block& block, const std::vector<unsigned>& results) {
    for (unsigned i : results) {
      Value tokens[] = {block.back().operand(i), AsyncOp(free_).token()};
      block.back().setOperand(i, joinTokens(block.back(), tokens, tokens[0].type()));
    }
  }

  Operation& alloc_;
  BufferUses uses_;
  analysis::AccessReader& reader_;
  RunOrder& order_;
  TokenReach& reach_;
  Operation *make_ = nullptr, *free_ = nullptr;  // alloc and dealloc, or the executes around
  bool isAsync_ = false;
  std::vector<Use> accesses_;
  Values waits_;  // of the dealloc
  Ops users_;     // ops of the block with uses
};

class FuseAllocDealloc : public Pass {
 public:
  FuseAllocDealloc() : Pass("air-fuse-alloc-dealloc", "Moves buffers to where they are used") {
    anchor("func.func");
    example("airlite-opt --air-fuse-alloc-dealloc in.mlir");
  }

  PassResult run(Operation& function, PassContext& context) override {
    Ops allocs;
    function.walk([&](Operation& op) {
      if (isa<memref::AllocOp>(&op)) allocs.push_back(&op);
    });
    bool changed = false;
    for (Operation* alloc : allocs)
      changed |= sink(*alloc, context);
    return changedIf(changed);
  }

 private:
  static bool sink(Operation& alloc, PassContext& context) {
    // What the readers know of the program holds until a buffer moves.
    analysis::AccessReader reader;
    TokenReach reach;
    RunOrder order(reach);
    bool isSplit = false;
    std::string_view obstacle = Buffer(alloc, reader, order, reach).run(isSplit);
    if (isSplit) return false;
    if (!obstacle.empty()) context.remark(alloc, obstacle);
    return obstacle.empty();
  }
};

}  // namespace

void registerFuseAllocDealloc(PassRegistry& registry) { registry.add<FuseAllocDealloc>(); }

}  // namespace airlite
