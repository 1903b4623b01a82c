// Clean-up of dependency lists.
//
//  - A join (air.wait_all) in a list is replaced by what it joins; a token that another entry of
//    the list waits for anyway goes.
//  - An entry goes when nothing that comes later by tokens can tell: the op that waits, and every
//    op that waits for it in turn, touch other memory than the source, or both only read. What the
//    source itself waited for takes its place. Sources that may do anything (calls), that share a
//    channel with the op, or end the life of memory that the op may get anew stay.
//  - Tokens that a loop's body takes from outside enter the loop by its iteration arguments.
//
// What is relied on: distinct buffers are distinct memory, distinct memref arguments of a function
// too (a rule of AIR programs); a put or get whose place is fixed waits for its own run before; the
// token of a loop covers all ops inside it, yielded or not.
#include "AirSyntax.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/RewriteMemo.hpp"

#include <algorithm>
#include <array>
#include <list>
#include <memory_resource>
#include <unordered_map>
#include <unordered_set>

namespace airlite::air {

namespace {

/// Ops looked at for one dependency list before it is left as it is, so that the time per op does
/// not grow with the program.
constexpr unsigned kBudget = 1024;
/// Longest list that takes in what a join joins.
constexpr size_t kMaxFlat = 64;

/// What judging one dependency list may take: ops to look at, and memory, which is on the stack as
/// a rule and is given back as a whole.
class Effort {
 public:
  Effort() = default;
  Effort(const Effort&) = delete;
  bool isSpent() const { return left_ == 0; }
  void spend(unsigned ops = 1) { left_ -= std::min(ops, left_); }
  unsigned left() const { return left_; }
  std::pmr::memory_resource* memory() { return &memory_; }
  /// For one op at a time.
  std::vector<EffectInstance>& effects() { return effects_; }

 private:
  unsigned left_ = kBudget;
  std::vector<EffectInstance> effects_;
  std::array<std::byte, 4096> bytes_;
  std::pmr::monotonic_buffer_resource memory_{bytes_.data(), bytes_.size()};
};

/// A set of tokens in the order they came. Most hold a handful: they are searched one by one, and
/// only a large one has an index.
class TokenSet {
 public:
  explicit TokenSet(Effort& effort, std::span<const Value> tokens = {}) : tokens_(effort.memory()) {
    tokens_.reserve(tokens.size() + 8);
    for (Value token : tokens)
      insert(token);
  }

  /// Whether it is new.
  bool insert(Value token) {
    if (contains(token)) return false;
    tokens_.push_back(token);
    if (index_) index_->insert(token);
    if (!index_ && tokens_.size() > kFew)
      index_.emplace(tokens_.begin(), tokens_.end(), 4 * kFew, tokens_.get_allocator().resource());
    return true;
  }
  bool contains(Value token) const {
    if (index_) return index_->count(token) != 0;
    return std::find(tokens_.begin(), tokens_.end(), token) != tokens_.end();
  }

 private:
  static constexpr size_t kFew = 24;
  std::pmr::vector<Value> tokens_;
  std::optional<std::pmr::unordered_set<Value>> index_;
};

using TokenList = std::pmr::vector<Value>;

/// With room for what most hold.
TokenList noTokens(Effort& effort) {
  TokenList tokens(effort.memory());
  tokens.reserve(12);
  return tokens;
}

TokenList listOf(OperandRange tokens, Effort& effort) {
  return TokenList(tokens.begin(), tokens.end(), effort.memory());
}

bool waits(const Operation* op) { return op && isAsyncOp(*op); }

// -- Memory ---------------------------------------------------------------------------------------

bool allocates(Operation& op, Value value) {
  const OpDef& def = op.def();
  auto isAllocation = [](const EffectDef& effect) { return effect.effect == Effect::Allocate; };
  auto stated = std::find_if(def.effectDefs.begin(), def.effectDefs.end(), isAllocation);
  if (!def.effectsFn && stated == def.effectDefs.end()) return false;
  bool isOnlyResult = !def.effectsFn && def.registered && op.numResults() == 1 &&
                      def.results.size() == 1 && stated->on == def.results[0].name;
  if (isOnlyResult) return true;
  std::vector<EffectInstance> effects;
  if (!effectsOf(op, effects)) return false;
  return std::any_of(effects.begin(), effects.end(), [&](const EffectInstance& effect) {
    return effect.effect == Effect::Allocate && effect.value == value;
  });
}

/// The value that `argument` of a region is at every run of it; null when there is none.
Value outsideOf(Value argument) {
  Operation* parent = argument.argumentBlock()->parentOp();
  if (HierarchyOp hierarchy = asHierarchy(parent)) return hierarchy.tiedOperand(argument);
  scf::ForOp loop = parent ? dynCast<scf::ForOp>(parent) : scf::ForOp();
  if (!loop || argument.index() == 0) return Value();
  unsigned i = argument.index() - 1;
  return loop.yielded(i) == argument ? loop.initArgs()[i] : Value();
}

bool isFunctionArgument(Value value) {
  Block* block = value.argumentBlock();
  return block && block->isEntry() && block->parentOp() &&
         block->parentOp()->hasTrait(Trait::Function);
}

/// The buffer that `memref` is all or part of; null when it may be any.
Value bufferOf(Value memref) {
  for (unsigned steps = 0; memref && steps < kBudget; ++steps) {
    memref = bufferSource(memref);
    if (isFunctionArgument(memref)) return memref;
    if (Operation* def = memref.definingOp()) return allocates(*def, memref) ? memref : Value();
    memref = outsideOf(memref);
  }
  return Value();
}

/// One end of a channel.
struct ChannelEnd {
  std::string_view channel;
  bool isPut = false;
  bool operator==(const ChannelEnd&) const = default;
};

/// What an op touches, the ops inside included.
struct Footprint {
  explicit Footprint(std::pmr::memory_resource* memory)
      : reads(memory), writes(memory), channels(memory) {}

  TokenList reads, writes;  // buffers; null: any
  std::pmr::vector<ChannelEnd> channels;
  bool isAnything = false;
  bool allocates = false, frees = false;
  bool onlyAllocates() const { return allocates && reads.empty() && numOtherWrites == 0; }
  bool isEmpty() const { return reads.empty() && writes.empty(); }
  unsigned numOtherWrites = 0;
  unsigned numOps = 0;  // that were looked at
};

template <typename List> void addOnce(List& values, Value value) {
  if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
}

void addEffect(const EffectInstance& effect, Operation& op, Footprint& out) {
  bool isTransfer = effect.effect == Effect::Send || effect.effect == Effect::Receive;
  if (isTransfer && isChannelAccess(op))
    return out.channels.push_back(
        {ChannelAccessOp(&op).channelName(), ChannelAccessOp(&op).isPut()});
  if (effect.effect == Effect::Sync && isa<WaitAllOp>(&op)) return;
  bool isMemory = effect.value && (effect.value.type().isa<MemRefType>() ||
                                   effect.value.type().isa<UnrankedMemRefType>());
  if (isTransfer || effect.effect == Effect::Sync || !isMemory) {
    out.isAnything = true;
    return;
  }
  Value buffer = bufferOf(effect.value);
  if (effect.effect == Effect::Read) return addOnce(out.reads, buffer);
  out.allocates |= effect.effect == Effect::Allocate;
  out.frees |= effect.effect == Effect::Free;
  out.numOtherWrites += effect.effect != Effect::Allocate;
  addOnce(out.writes, buffer);
}

Footprint footprintOf(Operation& root, Effort& effort, std::pmr::memory_resource* memory) {
  Footprint out(memory);
  std::vector<EffectInstance>& effects = effort.effects();
  root.walkWith([&](Operation& op) {
    effects.clear();
    bool known = effectsOf(op, effects) || asHierarchy(&op);
    bool inside = asHierarchy(&op) || op.hasTrait(Trait::RecursiveEffects);
    out.isAnything |= effort.isSpent() || !known;
    if (out.isAnything) return WalkResult::Interrupt;
    effort.spend();
    ++out.numOps;
    for (const EffectInstance& effect : effects)
      addEffect(effect, op, out);
    return inside ? WalkResult::Advance : WalkResult::Skip;
  });
  return out;
}

/// Footprints of a program, for as long as nothing changes that they depend on: tokens may.
struct KnownFootprints {
  std::pmr::monotonic_buffer_resource memory;
  std::pmr::unordered_map<Operation*, Footprint> of{&memory};
};

/// The footprints of the ops that one dependency list is judged by. Each is looked for once, and
/// costs the list the same whether others have looked before.
class Footprints {
 public:
  Footprints(Effort& effort, KnownFootprints* known)
      : effort_(effort), known_(known), found_(effort.memory()), own_(effort.memory()) {
    found_.reserve(16);
  }

  const Footprint& of(Operation& op) {
    for (const auto& [seen, footprint] : found_)
      if (seen == &op) return *footprint;
    return *found_.emplace_back(&op, find(op)).second;
  }

 private:
  const Footprint* find(Operation& op) {
    if (!known_) return &own_.emplace_back(footprintOf(op, effort_, effort_.memory()));
    if (auto at = known_->of.find(&op); at != known_->of.end()) return paidFor(at->second);
    bool mayBeCut = effort_.isSpent();
    Footprint footprint = footprintOf(op, effort_, &known_->memory);
    // What is cut short says nothing about the op.
    mayBeCut |= footprint.isAnything && effort_.isSpent();
    if (mayBeCut) return &own_.emplace_back(std::move(footprint));
    return &known_->of.emplace(&op, std::move(footprint)).first->second;
  }

  const Footprint* paidFor(const Footprint& footprint) {
    bool isAffordable = footprint.numOps <= effort_.left();
    effort_.spend(footprint.numOps);
    if (isAffordable) return &footprint;
    Footprint& cut = own_.emplace_back(effort_.memory());
    cut.isAnything = true;
    return &cut;
  }

  Effort& effort_;
  KnownFootprints* known_;
  std::pmr::vector<std::pair<Operation*, const Footprint*>> found_;
  std::pmr::list<Footprint> own_;  // a list: references stay
};

bool overlap(std::span<const Value> a, std::span<const Value> b) {
  for (Value x : a)
    for (Value y : b)
      if (!x || !y || x == y) return true;
  return false;
}

bool conflict(const Footprint& a, const Footprint& b) {
  return a.isAnything || b.isAnything || overlap(a.writes, b.reads) || overlap(a.reads, b.writes) ||
         overlap(a.writes, b.writes);
}

bool shareChannel(const Footprint& a, const Footprint& b) {
  auto isSame = [](const ChannelEnd& x, const ChannelEnd& y) { return x.channel == y.channel; };
  return std::find_first_of(a.channels.begin(), a.channels.end(), b.channels.begin(),
                            b.channels.end(), isSame) != a.channels.end();
}

bool shareEnd(const Footprint& a, const Footprint& b) {
  return std::find_first_of(a.channels.begin(), a.channels.end(), b.channels.begin(),
                            b.channels.end()) != a.channels.end();
}

// -- Places of channels ---------------------------------------------------------------------------

/// It waits for its own run before, in the loops around it.
bool hasOwnOrder(Operation& op) {
  return isChannelAccess(op) && hasFixedPlace(ChannelAccessOp(&op));
}

/// Whether the runs of `op` in one run of the loop come one after the other.
bool isInSequenceIn(Operation& loop, Operation& op) {
  Operation* around = op.parentOp();
  while (around && around != &loop && (isa<scf::ForOp>(around) || isa<scf::IfOp>(around)))
    around = around->parentOp();
  return around == &loop && isa<scf::ForOp>(&loop);
}

/// Inside of `loop`, it alone uses its end of its channel, and waits for its own runs before.
bool keepsOwnOrderIn(Operation& loop, const Footprint& inLoop, Operation& op) {
  if (!isInSequenceIn(loop, op) || !hasOwnOrder(op)) return false;
  ChannelEnd end{ChannelAccessOp(&op).channelName(), ChannelAccessOp(&op).isPut()};
  return std::count(inLoop.channels.begin(), inLoop.channels.end(), end) == 1;
}

bool isSameEnd(Operation& a, Operation& b) {
  if (!isChannelAccess(a) || a.name() != b.name() || !hasFixedPlace(ChannelAccessOp(&a)))
    return false;
  if (ChannelAccessOp(&a).channelName() != ChannelAccessOp(&b).channelName()) return false;
  OperandRange left = ChannelAccessOp(&a).indices(), right = ChannelAccessOp(&b).indices();
  if (left.size() != right.size()) return false;
  for (unsigned i = 0; i < left.size(); ++i) {
    bool same = left[i] == right[i] ||
                (constantIntOf(left[i]) && constantIntOf(left[i]) == constantIntOf(right[i]));
    if (!same) return false;
  }
  return true;
}

// -- Who waits for a token ------------------------------------------------------------------------

bool isDependency(const OpOperand& use) {
  if (!waits(use.owner())) return false;
  auto [first, count] = use.owner()->operandGroupBounds(0);
  return use.index() >= first && use.index() < first + count;
}

bool carries(scf::ForOp loop, unsigned i, Effort& effort);

/// Tokens that fire after one of `sources` in the same run of `body`, by what stands directly in
/// it. Ways through `except` do not count.
TokenSet tokensAfter(std::span<const Value> sources, Block& body, Operation* except,
                     Effort& effort) {
  TokenSet after(effort);
  TokenList work(sources.begin(), sources.end(), effort.memory());
  while (!work.empty()) {
    Value token = work.back();
    work.pop_back();
    for (OpOperand& use : token.uses()) {
      Operation& user = *use.owner();
      if (user.block() != &body || effort.isSpent() || &user == except) continue;
      effort.spend();
      scf::ForOp loop = use.index() >= 3 ? dynCast<scf::ForOp>(&user) : scf::ForOp();
      Value next;
      if (isDependency(use)) next = AsyncOp(&user).token();
      if (loop && carries(loop, use.index() - 3, effort)) next = user.result(use.index() - 3);
      if (next && after.insert(next)) work.push_back(next);
    }
  }
  return after;
}

/// Whether each run of `loop` yields, for argument `i`, a token that fires after that argument.
bool carries(scf::ForOp loop, unsigned i, Effort& effort) {
  Value argument = loop.regionIterArg(i);
  if (loop.yielded(i) == argument) return true;
  return tokensAfter({&argument, 1}, loop.body(), nullptr, effort).contains(loop.yielded(i));
}

/// The ops that wait for a token in turn, the near ones first, found as far as somebody asks.
class Consumers {
 public:
  struct Met {
    Operation* user;
    bool isLaterRun;                       // in a later run of some loop around
    const Footprint* footprint = nullptr;  // for who asks: he meets it again for his next source
  };
  using Matters = FunctionRef<bool(Met&)>;

  /// Those of `token` that wait for `source` by it: the token of a loop around `source` covers it.
  Consumers(Value token, Operation& source, Effort& effort)
      : source_(source),
        effort_(effort),
        seen_(effort),
        seenLater_(effort),
        work_(effort.memory()),
        met_(effort.memory()) {
    work_.reserve(16);
    met_.reserve(16);
    push({token, false});
  }

  /// Whether one of them `matters`, or something else is done with a token than waiting for it.
  bool any(Matters matters) {
    for (size_t i = 0; true; ++i) {
      while (i == met_.size() && !isOpen_ && next_ < work_.size())
        findMore();
      if (isOpen_) return true;
      if (i == met_.size()) return false;
      if (matters(met_[i])) return true;
    }
  }

 private:
  struct Place {
    Value token;
    bool isLaterRun;
  };
  void findMore() {
    Place next = work_[next_++];
    for (OpOperand& use : next.token.uses()) {
      isOpen_ = isOpen_ || effort_.isSpent() || !visit(use, next.isLaterRun);
      if (isOpen_) return;
      effort_.spend();
    }
  }

  void push(const Place& place) {
    TokenSet& seen = place.isLaterRun ? seenLater_ : seen_;
    if (seen.insert(place.token)) work_.push_back(place);
  }

  /// False where the token is not only waited for.
  bool visit(OpOperand& use, bool isLaterRun) {
    Operation& user = *use.owner();
    if (isDependency(use)) {
      Value token = AsyncOp(&user).token();
      // Without a token it blocks: all that follows in the program waits.
      if (!token) return false;
      push({token, isLaterRun});
      met_.push_back({&user, isLaterRun});
      return true;
    }
    if (isa<scf::ForOp>(&user) && use.index() >= 3) {
      push({scf::ForOp(&user).regionIterArg(use.index() - 3), isLaterRun});
      push({user.result(use.index() - 3), isLaterRun});
      return true;
    }
    if (scf::ParallelOp parallel = dynCast<scf::ParallelOp>(&user);
        parallel && use.index() >= 3 * parallel.numLoops()) {
      push({user.result(use.index() - 3 * parallel.numLoops()), isLaterRun});
      return true;
    }
    bool isYield = user.is("scf.yield") || user.is("affine.yield") || isa<scf::ReduceOp>(&user);
    return isYield && leave(*user.parentOp(), use.index(), isLaterRun);
  }

  /// A token handed on at the end of a region of `parent`. The token of a loop covers the source
  /// when the source is inside; of a conditional only what is yielded counts.
  bool leave(Operation& parent, unsigned i, bool isLaterRun) {
    bool known = isa<scf::ForOp>(&parent) || isa<scf::IfOp>(&parent) ||
                 isa<scf::ParallelOp>(&parent) || isa<scf::IndexSwitchOp>(&parent) ||
                 parent.is("affine.if");
    if (!known || i >= parent.numResults()) return false;
    bool isLoop = isa<scf::ForOp>(&parent) || isa<scf::ParallelOp>(&parent);
    if (!isLoop || !parent.isProperAncestor(&source_)) push({parent.result(i), isLaterRun});
    if (scf::ForOp loop = dynCast<scf::ForOp>(&parent)) push({loop.regionIterArg(i), true});
    return true;
  }

  Operation& source_;
  Effort& effort_;
  TokenSet seen_, seenLater_;
  std::pmr::vector<Place> work_;
  size_t next_ = 0;  // in work_
  std::pmr::vector<Met> met_;
  bool isOpen_ = false;
};

// -- Sources --------------------------------------------------------------------------------------

bool takesTokensFromOutside(Operation& loop) {
  bool takes = false;
  loop.region().walk([&](Operation& op) {
    for (Value operand : op.operands())
      takes |=
          isTokenType(operand.type()) && operand.parentRegion()->isProperAncestor(&loop.region());
  });
  return takes;
}

/// What the op of `token` waits for; nothing when that cannot be said by a list of tokens.
std::optional<TokenList> waitedBy(Value token, Effort& effort) {
  Operation* def = token.definingOp();
  if (!def) return std::nullopt;
  if (waits(def) && token == AsyncOp(def).token())
    return listOf(AsyncOp(def).dependencies(), effort);
  scf::ForOp loop = dynCast<scf::ForOp>(def);
  if (!loop || takesTokensFromOutside(*loop)) return std::nullopt;
  TokenList inits(effort.memory());
  for (unsigned i = 0; i < loop.numIterArgs(); ++i) {
    if (!isTokenType(loop->result(i).type())) continue;
    if (!carries(loop, i, effort)) return std::nullopt;
    inits.push_back(loop.initArgs()[i]);
  }
  return inits;
}

/// An execute's other results exist only after its token.
bool givesOtherResults(Operation& op) {
  for (unsigned i = 0; i < op.numResults(); ++i)
    if (!isTokenType(op.result(i).type()) && op.result(i).hasUses() &&
        !op.result(i).type().isa<MemRefType>())
      return true;
  return false;
}

/// A join that a region yields says when a run of it is done: it is not for memory alone.
bool endsRun(Operation& op) {
  if (!isa<WaitAllOp>(&op) || op.numResults() == 0) return false;
  UseRange uses = op.result().uses();
  return std::any_of(uses.begin(), uses.end(),
                     [](OpOperand& use) { return use.owner()->hasTrait(Trait::Terminator); });
}

/// The list of one op while it is made simpler.
class DependencyList {
 public:
  DependencyList(Operation& op, Effort& effort, KnownFootprints* known)
      : op_(op),
        token_(AsyncOp(&op).token()),
        effort_(effort),
        flat_(effort),
        footprints_(effort, known) {}

  TokenList simplified() {
    TokenList tokens = noTokens(effort_);
    for (Value token : AsyncOp(&op_).dependencies())
      addFlat(token, tokens);
    if (!endsRun(op_)) tokens = withoutNeedless(tokens);
    return withoutImplied(tokens);
  }

 private:
  void addFlat(Value token, TokenList& tokens) {
    Operation* def = token.definingOp();
    bool joins = def && isa<WaitAllOp>(def) && joinsOneType(*def) &&
                 tokens.size() + def->numOperands() <= kMaxFlat;
    if (!joins) {
      if (flat_.insert(token)) tokens.push_back(token);
      return;
    }
    if (!flat_.insert(token)) return;
    for (Value joined : def->operands())
      addFlat(joined, tokens);
  }

  static bool joinsOneType(Operation& join) {
    for (Value token : join.operands())
      if (token.type() != join.result().type()) return false;
    return true;
  }

  /// All or nothing: an op that takes too long to judge keeps its list, so that looking at it again
  /// gives the same.
  TokenList withoutNeedless(const TokenList& tokens) {
    TokenList kept = noTokens(effort_), earlier = noTokens(effort_);
    for (Value token : tokens)
      if (!replaceByEarlier(token, true, earlier)) kept.push_back(token);
    TokenSet done(effort_, tokens);
    for (Value token : kept)
      addWaitedBy(token, done);
    while (!earlier.empty()) {
      Value token = earlier.back();
      earlier.pop_back();
      // A kept one waits for it anyway.
      if (!done.insert(token) || replaceByEarlier(token, false, earlier)) continue;
      kept.push_back(token);
      addWaitedBy(token, done);
    }
    return effort_.isSpent() ? tokens : kept;
  }

  /// When `token` is needless: what its source waited for goes to `earlier`.
  bool replaceByEarlier(Value token, bool isDirect, TokenList& earlier) {
    if (!isNeedless(token, isDirect)) return false;
    auto before = waitedBy(token, effort_);
    if (before) earlier.insert(earlier.end(), before->begin(), before->end());
    return before.has_value();
  }

  static void addWaitedBy(Value token, TokenSet& tokens) {
    Operation* def = token.definingOp();
    if (!waits(def)) return;
    for (Value earlier : AsyncOp(def).dependencies())
      tokens.insert(earlier);
  }

  /// `isDirect`: the program lists it; else it is what a needless one waited for.
  bool isNeedless(Value token, bool isDirect) {
    Operation* source = token.definingOp();
    if (!token_ || !source || effort_.isSpent() || givesOtherResults(*source)) return false;
    bool bothLevels = asHierarchy(source) && asHierarchy(&op_);
    if (bothLevels || !(waits(source) || isa<scf::ForOp>(source))) return false;
    const Footprint& theirs = footprints_.of(*source);
    // Waiting for an op that touches nothing, or for memory to be there, has some other reason.
    if (isDirect && !theirs.isAnything && (theirs.isEmpty() || theirs.onlyAllocates()))
      return false;
    const Footprint& ours = footprints_.of(op_);
    if (conflict(theirs, ours) || shareChannel(theirs, ours) || (theirs.frees && ours.allocates))
      return false;
    std::optional<TokenSet> after;  // the source, in its run, and not by this op
    auto comesAfter = [&](Operation& user) {
      if (!after) after = tokensAfter({&token, 1}, *op_.block(), &op_, effort_);
      return after->contains(AsyncOp(&user).token());
    };
    auto matters = [&](Consumers::Met& met) {
      Operation& user = *met.user;
      bool isLaterRun = met.isLaterRun;
      // A transfer waits for its own run before, and what comes after it with it. Nothing but
      // tokens orders it with others through the same end.
      bool isOwnRun = isLaterRun && hasOwnOrder(*source) && (&user == source || comesAfter(user));
      if (isOwnRun) return false;
      if (!met.footprint) met.footprint = &footprints_.of(user);
      const Footprint& other = *met.footprint;
      // Of a loop or a level the places are not looked at.
      bool areTransfers = isChannelAccess(*source) && isChannelAccess(user);
      bool keepsOrder = isLaterRun && keepsOwnOrderIn(*source, theirs, user);
      bool useOneEnd =
          areTransfers ? isSameEnd(*source, user) : !keepsOrder && shareEnd(theirs, other);
      bool isOrdered = useOneEnd || conflict(theirs, other) || (theirs.frees && other.allocates);
      if (!isOrdered) return false;
      // It may wait for the source by another way.
      if (isLaterRun) return !hasOwnOrder(user) || !comesAfter(user);
      return !waitsOtherwise(user, token);
    };
    return !consumersOf(*source).any(matters);
  }

  /// Whether `user`, in the run that this op is in, waits for `token` by ways that are not through
  /// this op. Only a few ops back are looked at: far ways are rare, and dear to find.
  bool waitsOtherwise(Operation& user, Value token) {
    constexpr size_t kNear = 16;
    if (user.block() != op_.block()) return false;
    std::array<Value, kNear> near;
    size_t size = 0;
    auto waitsNow = [&](Operation& op) {
      for (Value wait : AsyncOp(&op).dependencies()) {
        if (wait == token) return true;
        bool isNew = size < kNear && wait != token_ &&
                     std::find(near.begin(), near.begin() + size, wait) == near.begin() + size;
        if (isNew) near[size++] = wait;
      }
      return false;
    };
    if (waitsNow(user)) return true;
    for (size_t i = 0; i < size; ++i) {
      Operation* def = near[i].definingOp();
      bool isHere = def && def->block() == op_.block() && waits(def);
      if (isHere && near[i] == AsyncOp(def).token() && waitsNow(*def)) return true;
    }
    return false;
  }

  /// What waits for this op: the same for all sources that stand beside it.
  Consumers& consumersOf(Operation& source) {
    bool isBeside = source.block() == op_.block();
    std::optional<Consumers>& consumers = isBeside ? beside_ : elsewhere_;
    if (!isBeside || !consumers) consumers.emplace(token_, source, effort_);
    return *consumers;
  }

  TokenList withoutImplied(const TokenList& tokens) {
    TokenSet implied(effort_);
    for (Value token : tokens)
      addWaitedBy(token, implied);
    TokenList kept = noTokens(effort_);
    for (Value token : tokens)
      if (!implied.contains(token)) kept.push_back(token);
    return kept;
  }

  Operation& op_;
  Value token_;
  Effort& effort_;
  TokenSet flat_;
  Footprints footprints_;
  std::optional<Consumers> beside_, elsewhere_;
};

void setDependencies(Operation& op, std::span<const Value> tokens) {
  if (op.hasTrait(Trait::AttrSizedOperandSegments))
    AsyncOp(&op).setDependencies(tokens);
  else
    op.setOperands(tokens);  // execute and wait_all: nothing else
}

}  // namespace

LogicalResult simplifyDependencies(Operation& op, Rewriter& rewriter) {
  if (AsyncOp(&op).dependencies().empty()) return failure();
  Effort effort;
  KnownFootprints* known = rememberedBy<KnownFootprints>(rewriter);
  TokenList tokens = DependencyList(op, effort, known).simplified();
  OperandRange before = AsyncOp(&op).dependencies();
  if (std::equal(tokens.begin(), tokens.end(), before.begin(), before.end())) return failure();
  std::vector<Value> old = before.vec();
  keepRememberedThroughChange(rewriter);
  rewriter.modify(op, [&] { setDependencies(op, tokens); });
  noteUnused(old, rewriter);
  return success();
}

void keepFootprintsWithout(Operation& join, Rewriter& rewriter) {
  keepRememberedThroughChange(rewriter);
  if (auto* known = rememberedBy<KnownFootprints>(rewriter)) known->of.erase(&join);
}

// -- Tokens enter loops by their arguments --------------------------------------------------------

namespace {

/// A loop and the token argument that is to carry tokens from outside into its body.
class CarryingLoop {
 public:
  CarryingLoop(scf::ForOp loop, Rewriter& rewriter) : loop_(loop), rewriter_(rewriter) {}

  bool run() {
    if (!findArgument() || !findOutside() || !isSafe()) return false;
    Value argument = loop_.regionIterArg(argument_);
    for (Operation& op : loop_.body().ops())
      rewriter_.modify(op, [&] {
        for (Value token : outside_)
          replaceIn(op, token, argument);
      });
    joinBefore();
    return true;
  }

 private:
  bool findArgument() {
    for (unsigned i = 0; i < loop_.numIterArgs(); ++i) {
      argument_ = i;
      if (isTokenType(loop_->result(i).type())) return true;
    }
    return false;
  }

  /// Where a token stands as what an op of the body waits for.
  static bool isWaitedFor(const OpOperand& use) {
    return isDependency(use) || (isa<scf::ForOp>(use.owner()) && use.index() >= 3);
  }

  /// Tokens of the carried type that ops directly in the body wait for.
  bool findOutside() {
    Type type = loop_->result(argument_).type();
    for (Operation& op : loop_.body().ops())
      for (unsigned i = 0; i < op.numOperands(); ++i) {
        Value token = op.operand(i);
        bool isOurs = token.type() == type && isWaitedFor(op.opOperand(i)) &&
                      token.parentRegion()->isProperAncestor(&loop_.region());
        if (isOurs) addOnce(outside_, token);
      }
    Value init = loop_.initArgs()[argument_];
    return !outside_.empty() && !(outside_.size() == 1 && outside_[0] == init);
  }

  static void replaceIn(Operation& op, Value token, Value argument) {
    for (unsigned i = 0; i < op.numOperands(); ++i)
      if (op.operand(i) == token && isWaitedFor(op.opOperand(i))) op.setOperand(i, argument);
  }

  /// Later runs no longer name the tokens: what is yielded has to come after them. And nothing
  /// that may have to wait for somebody else (a transfer) may wait for more than it did: it may be
  /// what the other one waits for.
  bool isSafe() {
    Effort effort;
    // The argument is to stand for the tokens from outside, too.
    std::vector<Value> sources(outside_);
    sources.push_back(loop_.regionIterArg(argument_));
    TokenSet after = tokensAfter(sources, loop_.body(), nullptr, effort);
    bool keeps =
        loop_.yielded(argument_) == sources.back() || after.contains(loop_.yielded(argument_));
    if (!keeps) return false;
    Operation* end = nullptr;
    bool safe = true;
    loop_.region().walk([&](Operation& op) {
      if (!mayBlock(op)) return;
      safe &= waits(&op) && waitedBefore(op, effort) && isSameEnd(end ? *end : op, op);
      end = &op;
    });
    return safe && !effort.isSpent();
  }

  static bool mayBlock(Operation& op) {
    if (isa<WaitAllOp>(&op) || asHierarchy(&op) || op.hasTrait(Trait::RecursiveEffects))
      return false;
    std::vector<EffectInstance> effects;
    if (!effectsOf(op, effects)) return true;
    return std::any_of(effects.begin(), effects.end(), [](const EffectInstance& effect) {
      return effect.effect == Effect::Send || effect.effect == Effect::Receive ||
             effect.effect == Effect::Sync;
    });
  }

  /// `op`, in the loop, waited for each of the tokens from outside already.
  bool waitedBefore(Operation& op, Effort& effort) {
    TokenSet waited(effort);
    std::vector<Value> work = AsyncOp(&op).dependencies().vec();
    while (!work.empty() && !effort.isSpent()) {
      Value token = work.back();
      work.pop_back();
      if (!waited.insert(token)) continue;
      effort.spend();
      Operation* def = token.definingOp();
      if (waits(def)) {
        for (Value earlier : AsyncOp(def).dependencies())
          work.push_back(earlier);
        continue;
      }
      Block* block = token.argumentBlock();
      scf::ForOp inner = block ? dynCast<scf::ForOp>(block->parentOp()) : dynCast<scf::ForOp>(def);
      if (!inner || !loop_->isProperAncestor(inner.op())) continue;
      unsigned i = block ? token.index() - 1 : token.index();
      if (carries(inner, i, effort)) work.push_back(inner.initArgs()[i]);
    }
    return std::all_of(outside_.begin(), outside_.end(),
                       [&](Value token) { return waited.contains(token); });
  }

  void joinBefore() {
    std::vector<Value> tokens = outside_;
    addOnce(tokens, loop_.initArgs()[argument_]);
    Type type = loop_->result(argument_).type();
    rewriter_.setBefore(*loop_);
    Operation* join =
        rewriter_.create(loop_->location(), "air.wait_all", tokens, std::span(&type, 1));
    rewriter_.modify(*loop_, [&] { loop_->setOperand(3 + argument_, join->result()); });
  }

  scf::ForOp loop_;
  Rewriter& rewriter_;
  unsigned argument_ = 0;
  std::vector<Value> outside_;
};

}  // namespace

LogicalResult carryTokensThroughLoops(Operation& op, Rewriter& rewriter) {
  std::vector<scf::ForOp> loops;  // inner ones first: they hand their tokens on outwards
  op.region().walk([&](Operation& inner) {
    if (isa<scf::ForOp>(&inner) && inner.numResults() && inner.parentOfName(op.name()) == &op)
      loops.push_back(scf::ForOp(&inner));
  });
  bool changed = false;
  for (scf::ForOp loop : loops)
    changed |= CarryingLoop(loop, rewriter).run();
  return success(changed);
}

}  // namespace airlite::air
