// air-enforce-channel-fifo-order: transfers through one end of a channel in the order of the
// program.
//
// A channel hands out what it gets in order, but asynchronous puts (or gets) of one place that wait
// for different things may start in any order. Matches puts on the same place of the same channel,
// and gets likewise: all whose indices are not proven to differ (analysis/Overlap.hpp, with the
// ranges of loop variables and ids). Puts and gets are not ordered against each other: they have to
// meet.
//
// Produces, block by block and the inner ones first:
//  - between two ops of one block with such transfers, at any depth: the token of the earlier one
//    among the dependencies of each such transfer of the later one, or of the hierarchy op or
//    execute around it;
//  - between the iterations of an scf.for: one more iteration argument for that end of the channel,
//    which the transfers wait for and which is yielded as a join of their tokens. Where the
//    transfers wait already, through whatever tokens, nothing is added;
//  - in a conditional or an scf.for without a token for its transfers: that token, as a result.
// Iterations of a parallel loop and instances of a hierarchy op run side by side by their meaning,
// and a transfer that blocks needs nothing after it.
//
// Declines, with a remark: loops other than scf.for and ops without a token for what continues in
// them. A token of a whole loop or hierarchy op stands for more than the transfers in question;
// where the program would hang with it, which its unfolding says (analysis/ProgramCheck.hpp), it is
// not waited for. Of a program that cannot be unfolded, or that is only a part, it is not waited
// for where a later op is the other side of another channel that the whole takes part in.
// Transfers in functions that are called are not seen.
#include "ChannelOrder.hpp"
#include "airlite/analysis/Overlap.hpp"
#include "airlite/analysis/ProgramCheck.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/Diagnostic.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/pass/Pass.hpp"
#include "analysis/TokenReach.hpp"
#include "transform/dependency/TokenResults.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace airlite {

namespace {

using air::ChannelAccessOp;

/// One end of a channel.
struct End {
  bool isPut;
  std::string_view channel;
  auto operator<=>(const End&) const = default;
};

End endOf(ChannelAccessOp op) { return {op.isPut(), op.channelName()}; }

bool isTransfer(const Operation& op) {
  return isa<air::ChannelPutOp>(&op) || isa<air::ChannelGetOp>(&op);
}

bool isToken(Value value) { return air::isTokenType(value.type()); }

/// The transfers of an op through one end; `open` are those that may continue when control is past
/// the op.
struct Part {
  std::vector<ChannelAccessOp> all, open;
};

/// An op of a block with transfers in it.
struct Member {
  Operation* op;
  std::map<End, Part> parts;
};

bool isOpen(Operation& transfer, const Block& block) {
  for (Operation* at = &transfer; at; at = at->parentOp()) {
    if (air::isAsyncOp(*at) && air::AsyncOp(at).token()) return true;
    if (air::isAsyncParallel(*at)) return true;
    if (at->block() == &block) return false;
  }
  return false;
}

Member memberOf(Operation& op) {
  Member member{&op, {}};
  op.walk([&](Operation& inner) {
    if (!isTransfer(inner)) return;
    ChannelAccessOp transfer(&inner);
    Part& part = member.parts[endOf(transfer)];
    part.all.push_back(transfer);
    if (isOpen(inner, *op.block())) part.open.push_back(transfer);
  });
  return member;
}

/// Functions and modules are worlds of their own.
bool mayBeMember(Operation& op) {
  bool isWorld = op.hasTrait(Trait::IsolatedFromAbove) && !air::asHierarchy(&op);
  return isTransfer(op) || (op.numRegions() && !isWorld);
}

std::vector<Member> membersOf(Block& block) {
  std::vector<Member> members;
  for (Operation& op : block.ops())
    if (mayBeMember(op))
      if (Member member = memberOf(op); !member.parts.empty()) members.push_back(std::move(member));
  return members;
}

/// What waits when `transfer` has to: the hierarchy op or execute that it is in (in a block, the
/// outermost), since their bodies see no tokens from around them or are one with them.
Operation& waiterOf(ChannelAccessOp transfer, const Block& block) {
  Operation* waiter = transfer.op();
  for (Operation* at = waiter; at; at = at->parentOp()) {
    if (air::isAsyncOp(*at)) waiter = at;
    if (at->block() == &block) break;
  }
  return *waiter;
}

// -- Places ---------------------------------------------------------------------------------------

class Places {
 public:
  /// In one run of everything around both.
  bool mayBeSame(ChannelAccessOp a, ChannelAccessOp b) {
    return compare(a, b, [&](const auto& x, const auto& y) { return overlap(x, y, reader_); });
  }

  /// In two runs of `loop`, whichever is later.
  bool mayMeetAcross(ChannelAccessOp a, ChannelAccessOp b, Operation& loop) {
    return compare(
               a, b,
               [&](const auto& x, const auto& y) { return overlapAcross(x, y, loop, reader_); }) ||
           compare(b, a, [&](const auto& x, const auto& y) {
             return overlapAcross(x, y, loop, reader_);
           });
  }

  bool areSame(ChannelAccessOp a, ChannelAccessOp b) {
    OperandRange x = a.indices(), y = b.indices();
    if (x.size() != y.size()) return false;
    for (unsigned i = 0; i < x.size(); ++i)
      if (analysis::LinearSum sum = reader_.read(x[i]); !(sum == reader_.read(y[i]))) return false;
    return true;
  }

  /// All transfers of `member` are through `end`, on one place.
  bool isOnePlace(const Member& member, const End& end) {
    if (member.parts.size() != 1 || member.parts.begin()->first != end) return false;
    const std::vector<ChannelAccessOp>& all = member.parts.begin()->second.all;
    return std::all_of(all.begin(), all.end(), [&](ChannelAccessOp transfer) {
      return areSame(all[0], transfer) && !selectsIn(transfer, *member.op);
    });
  }

  /// Values have gone away.
  void forget() { reader_ = analysis::LinearReader(); }

 private:
  template <typename Compare> bool compare(ChannelAccessOp a, ChannelAccessOp b, Compare&& meets) {
    OperandRange x = a.indices(), y = b.indices();
    if (x.size() != y.size()) return true;
    for (unsigned i = 0; i < x.size(); ++i) {
      analysis::StridedRegion first{reader_.read(x[i]), {}}, second{reader_.read(y[i]), {}};
      bool areConstant = first.start.isConstant() && second.start.isConstant();
      bool differ = areConstant ? first.start.constant != second.start.constant
                                : meets(first, second) == analysis::Answer::No;
      if (differ) return false;
    }
    return true;
  }

  /// Something inside of `op` decides about the place.
  bool selectsIn(ChannelAccessOp transfer, Operation& op) {
    for (Value index : transfer.indices())
      for (const analysis::LinearSum::Term& term : reader_.read(index).terms) {
        Operation* maker = term.symbol.definingOp();
        Operation* around = maker ? maker : term.symbol.argumentBlock()->parentOp();
        if (around && op.isAncestor(around)) return true;
      }
    return false;
  }

  analysis::LinearReader reader_;
};

// -- Order ----------------------------------------------------------------------------------------

/// A dependency on more than the transfers that it is for, or of more than them.
struct Risk {
  Operation* waiter;
  Value token;
  std::string_view channel;             // that it is for
  std::set<std::string_view> channels;  // others that take part
};

/// One class: each order that is added decides which of the next ones are needed.
class Orderer {
 public:
  explicit Orderer(PassContext& context) : context_(context) {}

  void orderIn(Block& block) {
    for (Operation *op = block.empty() ? nullptr : &block.front(), *next; op; op = next) {
      next = op->next();
      for (Region& region : op->regions())
        for (Block& inner : region.blocks())
          orderIn(inner);
      if (isSequentialLoop(*op)) orderIterations(op);
    }
    orderOps(block);
  }

  bool hasChanged() const { return changed_; }
  const std::vector<Risk>& risks() const { return risks_; }

 private:
  // -- Two ops of one block

  void orderOps(Block& block) {
    std::vector<Member> members = membersOf(block);
    std::map<End, std::vector<Member*>> earlier;
    for (Member& later : members)
      for (const auto& [end, part] : later.parts) {
        std::vector<Member*>& before = earlier[end];
        for (auto at = before.rbegin(); at != before.rend(); ++at) {
          order(**at, later, end, block);
          // What is before that one is before this one too.
          if (isRepetition(**at, later)) break;
        }
        before.push_back(&later);
      }
  }

  bool isRepetition(const Member& earlier, const Member& later) {
    return isTransfer(*earlier.op) && isTransfer(*later.op) &&
           places_.areSame(ChannelAccessOp(earlier.op), ChannelAccessOp(later.op));
  }

  void order(Member& earlier, const Member& later, const End& end, Block& block) {
    Value token;
    for (ChannelAccessOp transfer : later.parts.at(end).all) {
      const std::vector<ChannelAccessOp>& open = earlier.parts[end].open;
      bool meets = std::any_of(open.begin(), open.end(), [&](ChannelAccessOp before) {
        return places_.mayBeSame(transfer, before);
      });
      auto isDone = [&](Value value) { return covers(value, *earlier.op, end); };
      if (!meets || reach_.reaches(air::TokenReach::waitsOf(*transfer, block), isDone)) continue;
      if (!token) token = coveringToken(earlier.op, end);
      if (!token)
        return context_.remark(*transfer.op(),
                               "left unordered: nothing stands for the end of the earlier "
                               "transfers through this channel");
      wait(transfer, token, end, block, riskOf(earlier, end));
    }
  }

  /// The other channels that the end of `member` is about.
  std::set<std::string_view> riskOf(const Member& member, const End& end) {
    std::set<std::string_view> channels;
    if (isTransfer(*member.op) || places_.isOnePlace(member, end)) return channels;
    for (const auto& [other, part] : member.parts)
      channels.insert(other.channel);
    return channels;
  }

  void wait(ChannelAccessOp transfer, Value token, const End& end, Block& block,
            std::set<std::string_view> risk) {
    Operation& waiter = waiterOf(transfer, block);
    std::vector<Value> tokens = air::AsyncOp(&waiter).dependencies().vec();
    if (std::find(tokens.begin(), tokens.end(), token) != tokens.end()) return;
    tokens.push_back(token);
    setDependencies(waiter, tokens);
    changed_ = true;
    risk.merge(riskOf(memberOf(waiter), end));
    if (!risk.empty()) risks_.push_back({&waiter, token, end.channel, std::move(risk)});
  }

 public:
  static void setDependencies(Operation& op, std::span<const Value> tokens) {
    if (op.hasTrait(Trait::AttrSizedOperandSegments))
      air::AsyncOp(&op).setDependencies(tokens);
    else
      op.setOperands(std::vector<Value>(tokens.begin(), tokens.end()));
  }

 private:
  // -- Tokens that stand for transfers

  /// `value` fires after all transfers of `op` through `end` that it leaves open.
  bool covers(Value value, Operation& op, const End& end) {
    if (value.definingOp() != &op || !isToken(value)) return false;
    return !air::isConditional(op) || coversBranches(op, value.index(), end);
  }

  bool coversBranches(Operation& op, unsigned result, const End& end) {
    for (Region& region : op.regions()) {
      if (region.empty()) return false;
      Operation* yield = region.front().terminator();
      if (!yield || result >= yield->numOperands()) return false;
      if (!coversAll(yield->operand(result), region.front(), end)) return false;
    }
    return true;
  }

  bool coversAll(Value token, Block& block, const End& end) {
    for (const Member& member : membersOf(block)) {
      auto part = member.parts.find(end);
      if (part == member.parts.end() || part->second.open.empty()) continue;
      if (!reach_.reaches({token}, [&](Value value) { return covers(value, *member.op, end); }))
        return false;
    }
    return true;
  }

  /// A token that `op`, which may be made anew, has or gets; null where it cannot have one.
  Value coveringToken(Operation*& op, const End& end) {
    if (air::isAsyncOp(*op)) return air::AsyncOp(op).token();
    for (Value result : op->resultValues())
      if (covers(result, *op, end) && (air::isConditional(*op) || op->hasTrait(Trait::LoopLike)))
        return result;
    if (isa<scf::ForOp>(op)) {
      std::vector<Value> tokens;
      if (!addTokens(op->region().front(), end, tokens) || tokens.empty()) return Value();
      addCarried(op, tokens);
      return op->result(op->numResults() - 1);
    }
    return air::isConditional(*op) ? addBranchToken(op, end) : Value();
  }

  /// Tokens of what is left open in `block`; false where there is none for something.
  bool addTokens(Block& block, const End& end, std::vector<Value>& tokens) {
    for (Member& member : membersOf(block)) {
      auto part = member.parts.find(end);
      if (part == member.parts.end() || part->second.open.empty()) continue;
      Value token = coveringToken(member.op, end);
      if (!token) return false;
      tokens.push_back(token);
    }
    return true;
  }

  Value addBranchToken(Operation*& op, const End& end) {
    std::vector<std::vector<Value>> tokens(op->numRegions());
    Value any;
    for (unsigned i = 0; i < op->numRegions(); ++i) {
      Region& region = op->region(i);
      if (!region.empty() && !addTokens(region.front(), end, tokens[i])) return Value();
      if (!tokens[i].empty()) any = tokens[i][0];
    }
    if (!any) return Value();
    air::addMissingBranches(*op);
    for (unsigned i = 0; i < op->numRegions(); ++i) {
      Operation& yield = op->region(i).front().back();
      air::addOperand(yield, air::joinTokens(yield, tokens[i], any.type()));
    }
    rebuild(op, any.type(), {});
    return op->result(op->numResults() - 1);
  }

  /// One more iteration argument, for the end of `tokens` of all iterations before.
  Value addCarried(Operation*& loop, std::vector<Value> tokens) {
    Type type = tokens[0].type();
    Value init = air::joinTokens(*loop, {}, type);
    rebuild(loop, type, {&init, 1});
    Block& body = loop->region().front();
    Value carried = body.addArgument(type, loop->location());
    tokens.push_back(carried);
    air::addOperand(body.back(), air::joinTokens(body.back(), tokens, type));
    return carried;
  }

  /// With one more result at the end, of type `type`.
  void rebuild(Operation*& op, Type type, std::span<const Value> moreOperands) {
    std::vector<std::pair<Risk*, unsigned>> results;
    for (Risk& risk : risks_)
      if (risk.token.definingOp() == op) results.emplace_back(&risk, risk.token.index());
    op = air::withToken(*op, op->numResults(), type, moreOperands);
    for (auto [risk, index] : results)
      risk->token = op->result(index);
    places_.forget();
    changed_ = true;
  }

  // -- Two iterations of one loop

  static bool isSequentialLoop(Operation& op) {
    if (isa<scf::WhileOp>(&op)) return true;
    return op.hasTrait(Trait::LoopLike) && !op.hasTrait(Trait::ParallelLoop) &&
           !air::asHierarchy(&op);
  }

  /// What is done in each iteration; of scf.while, the second region.
  static Block& bodyOf(Operation& loop) { return loop.regions().back().front(); }

  void orderIterations(Operation*& loop) {
    if (!loop->regions().back().hasOneBlock()) return;
    std::vector<Member> members = membersOf(bodyOf(*loop));
    std::set<End> ends;
    for (const Member& member : members)
      for (const auto& [end, part] : member.parts)
        ends.insert(end);
    for (const End& end : ends)
      orderIterations(loop, members, end);
  }

  void orderIterations(Operation*& loop, std::vector<Member>& members, const End& end) {
    std::vector<Member*> sources;
    std::vector<ChannelAccessOp> waiting;
    findAcross(*loop, members, end, sources, waiting);
    if (waiting.empty() || isOrderedBy(*loop, sources, waiting, end)) return;
    std::vector<Value> tokens;
    std::set<std::string_view> risk;
    for (Member* source : sources) {
      Value token = isa<scf::ForOp>(loop) ? coveringToken(source->op, end) : Value();
      if (!token)
        return context_.remark(*loop,
                               "its iterations are left unordered: nothing stands for the end of "
                               "transfers through channel '@" +
                                   std::string(end.channel) + "'");
      tokens.push_back(token);
      risk.merge(riskOf(*source, end));
    }
    Value carried = addCarried(loop, tokens);
    Block& body = loop->region().front();
    for (ChannelAccessOp transfer : waiting)
      if (!reach_.reaches(air::TokenReach::waitsOf(*transfer, body),
                          [&](Value value) { return value == carried; }))
        wait(transfer, carried, end, body, risk);
  }

  void findAcross(Operation& loop, std::vector<Member>& members, const End& end,
                  std::vector<Member*>& sources, std::vector<ChannelAccessOp>& waiting) {
    for (Member& source : members)
      for (ChannelAccessOp before : source.parts[end].open)
        for (const Member& member : members)
          if (auto part = member.parts.find(end); part != member.parts.end())
            for (ChannelAccessOp transfer : part->second.all) {
              if (!places_.mayMeetAcross(transfer, before, loop)) continue;
              if (sources.empty() || sources.back() != &source) sources.push_back(&source);
              if (std::none_of(waiting.begin(), waiting.end(),
                               [&](ChannelAccessOp known) { return known.op() == transfer.op(); }))
                waiting.push_back(transfer);
            }
  }

  /// By what the loop carries already.
  bool isOrderedBy(Operation& loop, const std::vector<Member*>& sources,
                   const std::vector<ChannelAccessOp>& waiting, const End& end) {
    Block& body = bodyOf(loop);
    Operation* yield = body.terminator();
    bool isKnown = isa<scf::ForOp>(&loop) || loop.is("affine.for");
    for (unsigned i = 0; yield && isKnown && i < yield->numOperands(); ++i) {
      Value argument = body.argument(i + 1);
      if (!isToken(argument)) continue;
      bool isHandedOn = std::all_of(sources.begin(), sources.end(), [&](const Member* source) {
        return reach_.reaches({yield->operand(i)},
                              [&](Value value) { return covers(value, *source->op, end); });
      });
      bool isAwaited =
          isHandedOn && std::all_of(waiting.begin(), waiting.end(), [&](ChannelAccessOp transfer) {
            return reach_.reaches(air::TokenReach::waitsOf(*transfer, body),
                                  [&](Value value) { return value == argument; });
          });
      if (isAwaited) return true;
    }
    return false;
  }

  PassContext& context_;
  Places places_;
  air::TokenReach reach_;
  std::vector<Risk> risks_;
  bool changed_ = false;
};

// -- Without hanging ------------------------------------------------------------------------------

/// Takes back dependencies with which the program would hang.
class Safety {
 public:
  Safety(Operation& module, PassContext& context) : module_(module), context_(context) {}

  void check(const std::vector<Risk>& risks) {
    if (risks.empty()) return;
    State state = ask();
    if (state == State::Unknown) return checkByText(risks);
    if (state == State::Ends) return;
    for (const Risk& risk : risks)
      remove(risk);
    if (ask() != State::Ends) {  // not their fault
      for (const Risk& risk : risks)
        add(risk);
      return;
    }
    addBack(risks);
  }

 private:
  enum class State { Ends, Hangs, Unknown };
  /// Larger programs are not unfolded; dependencies tried one by one.
  static constexpr size_t kMostPoints = 200'000, kMostTried = 64;

  State ask() const {
    DiagnosticCollector silence(module_.context());
    analysis::ProgramCheckOptions options;
    options.maxPoints = kMostPoints;
    options.valuations = 2;
    options.races = options.bounds = options.definedness = false;
    analysis::ProgramVerdict verdict = analysis::checkProgram(module_, options);
    for (const analysis::Finding& finding : verdict.findings)
      if (finding.kind == analysis::FindingKind::Deadlock) return State::Hangs;
    return verdict.findings.empty() && verdict.undecided.empty() ? State::Ends : State::Unknown;
  }

  /// Those that can stay, each with the ones before.
  void addBack(const std::vector<Risk>& risks) {
    for (size_t i = 0; i < risks.size(); ++i) {
      if (i < kMostTried) {
        add(risks[i]);
        if (ask() == State::Ends) continue;
        remove(risks[i]);
      }
      remark(*risks[i].waiter);
    }
  }

  void checkByText(const std::vector<Risk>& risks) {
    std::unordered_map<Operation*, size_t> position;
    std::map<std::string_view, size_t> last;
    module_.walk(
        [&](Operation& op) {
          position[&op] = position.size();
          if (isTransfer(op)) last[ChannelAccessOp(&op).channelName()] = position[&op];
        },
        WalkOrder::PreOrder);
    for (const Risk& risk : risks) {
      size_t end = position[risk.waiter];
      risk.waiter->walk([&](Operation& op) { end = std::max(end, position[&op]); });
      bool isLater = std::any_of(risk.channels.begin(), risk.channels.end(), [&](auto channel) {
        return channel != risk.channel && last[channel] > end;
      });
      if (!isLater) continue;
      remove(risk);
      remark(*risk.waiter);
    }
  }

  void remark(Operation& waiter) {
    context_.remark(waiter,
                    "left unordered: to wait for all of an earlier op with transfers through this "
                    "channel could keep that op from ending");
  }

  static void add(const Risk& risk) {
    std::vector<Value> tokens = air::AsyncOp(risk.waiter).dependencies().vec();
    tokens.push_back(risk.token);
    Orderer::setDependencies(*risk.waiter, tokens);
  }

  static void remove(const Risk& risk) {
    std::vector<Value> tokens = air::AsyncOp(risk.waiter).dependencies().vec();
    std::erase(tokens, risk.token);
    Orderer::setDependencies(*risk.waiter, tokens);
  }

  Operation& module_;
  PassContext& context_;
};

class EnforceChannelFifo : public Pass {
 public:
  EnforceChannelFifo()
      : Pass("air-enforce-channel-fifo-order",
             "Orders the transfers through one end of a channel by tokens") {
    anchor("builtin.module");
    example("airlite-opt --air-enforce-channel-fifo-order in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    return changedIf(air::keepChannelOrder(module, context));
  }
};

}  // namespace

bool air::keepChannelOrder(Operation& module, PassContext& context) {
  Orderer orderer(context);
  for (Region& region : module.regions())
    for (Block& block : region.blocks())
      orderer.orderIn(block);
  Safety(module, context).check(orderer.risks());
  return orderer.hasChanged();
}

void registerEnforceChannelFifo(PassRegistry& registry) { registry.add<EnforceChannelFifo>(); }

}  // namespace airlite
