// Nests that keep the accesses of each buffer in order.
//
// A copy is ordered with what else its core does; its far half no longer is. Where nothing under
// the op that it leaves changes its memory, or only pieces that nobody else takes, that does not
// matter. Otherwise the far halves that may meet are ordered again: as one nest, which runs them in
// the order of the program, when a loop is around both; as a nest that waits for the other when
// not.
#include "TransferPlan.hpp"
#include "airlite/dialect/Affine.hpp"
#include "airlite/ir/OpDef.hpp"

#include <algorithm>

namespace airlite::air {

using analysis::AccessKind;
using analysis::BufferAccess;

namespace {

/// Copies of one buffer that are compared pair by pair.
constexpr size_t kMostOfBuffer = 128;
/// Cores whose writes are compared.
constexpr size_t kMostCores = 64;

struct Touch {
  Operation* op = nullptr;
  BufferAccess access;           // as seen from around the top
  Transfer* transfer = nullptr;  // whose far half it is
};

bool isSync(Operation& op) {
  std::vector<EffectInstance> effects;
  return !isa<WaitAllOp>(&op) && effectsOf(op, effects) &&
         std::any_of(effects.begin(), effects.end(),
                     [](const EffectInstance& effect) { return effect.effect == Effect::Sync; });
}

bool isLoopAround(Operation& op) { return op.hasTrait(Trait::LoopLike) && !asHierarchy(&op); }

/// One class: all its steps ask which transfers are declined, and decline more of them.
class NestPlanner {
 public:
  NestPlanner(Operation& top, std::vector<Transfer*> transfers, NestContext context)
      : top_(top), transfers_(std::move(transfers)), reader_(context.reader), context_(context) {
    for (Transfer* transfer : transfers_)
      ofDma_[transfer->dma] = transfer;
  }

  TopPlan plan() {
    collectTouches();
    for (Value buffer : farOrder_) {
      if (communicates_) {
        for (const Touch& touch : touches_[buffer])
          if (touch.transfer) ofCores_[touch.transfer] = accessesOfCores(touch);
        declineShared(buffer, touches_[buffer]);
      }
      orderBuffer(touches_[buffer]);
    }
    for (Transfer* transfer : transfers_)
      if (communicates_ && transfer->isBroadcast && hasCommonLoop(*transfer, *transfer)) {
        context_.remarks.remark(*transfer->dma,
                                "is not a broadcast: cores that also wait for each other would "
                                "have to take it at the same time");
        transfer->isBroadcast = false;
      }
    return makeNests();
  }

 private:
  // -- What is touched

  bool isWanted(Value buffer) const { return farBuffers_.count(buffer) != 0; }

  void collectTouches() {
    for (Transfer* transfer : transfers_) {
      analysis::Buffer buffer = reader_.bufferOf(transfer->farMemref());
      if (!buffer.isKnown())
        decline(*transfer, "stays: which memory its far side is cannot be told");
      else if (farBuffers_.insert(buffer.value).second)
        farOrder_.push_back(buffer.value);
    }
    top_.walkWith([&](Operation& op) {
      communicates_ |= isa<ChannelPutOp>(&op) || isa<ChannelGetOp>(&op) || isSync(op);
      addTouches(op);
      bool descend =
          op.hasTrait(Trait::RecursiveEffects) || asHierarchy(&op) || !op.def().hasEffectInfo;
      return descend ? WalkResult::Advance : WalkResult::Skip;
    });
  }

  void addTouches(Operation& op) {
    if (asHierarchy(&op)) return;
    std::vector<BufferAccess> accesses;
    reader_.direct(op, accesses);
    auto found = ofDma_.find(&op);
    Transfer* transfer = found == ofDma_.end() ? nullptr : found->second;
    for (BufferAccess& access : accesses) {
      bool isAny = access.buffer.kind == analysis::Buffer::Kind::Any;
      if (!isAny && !isWanted(access.buffer.value)) continue;
      AccessKind far = transfer && transfer->farIsSource ? AccessKind::Read : AccessKind::Write;
      Transfer* ofFar = transfer && access.kind == far ? transfer : nullptr;
      Touch touch{&op, std::move(access), ofFar};
      if (!isAny) {
        touches_[touch.access.buffer.value].push_back(std::move(touch));
        continue;
      }
      for (Value buffer : farOrder_)
        touches_[buffer].push_back(touch);
    }
  }

  bool lift(Touch& touch) {
    std::vector<BufferAccess> accesses{std::move(touch.access)};
    for (Operation* at = touch.op->parentOp(); !accesses.empty(); at = at->parentOp()) {
      accesses = reader_.liftedOut(std::move(accesses), *at);
      if (at == &top_) break;
    }
    if (accesses.empty()) return false;
    touch.access = std::move(accesses[0]);
    return true;
  }

  // -- Order that channels may have given

  /// Who waits for data of a core knows that it has copied before; of the far half that is not so.
  /// So what else uses the buffer has to be ordered in another way.
  void declineShared(Value buffer, const std::vector<Touch>& touches) {
    for (const Touch& touch : touches) {
      if (!isFar(touch)) continue;
      bool isWrite = touch.access.kind == AccessKind::Write;
      if (isWrite && !coresAreApart(touch))
        decline(*touch.transfer, "stays: cores that wait for each other may write the same memory");
      for (const BufferUsers::User& user : context_.users.of(buffer)) {
        bool conflicts = isWrite || user.kind == AccessKind::Write;
        if (!conflicts || top_.isAncestor(user.op) || user.op == buffer.definingOp()) continue;
        if (context_.order.areApart(*user.op, top_)) continue;
        decline(*touch.transfer, "stays: nothing but data between cores may order it with another "
                                 "use of the memory of its far side");
        break;
      }
    }
  }

  struct OfCore {
    std::vector<int64_t> ids;
    BufferAccess access;
  };

  /// What the cores of its herd that get to it touch; none where that is not known.
  std::optional<std::vector<OfCore>> accessesOfCores(const Touch& touch) {
    const HerdOp herd = dynCast<HerdOp>(touch.transfer->home.op());
    if (!herd || !herd.constantSizes() || !touch.access.region) return std::nullopt;
    std::vector<int64_t> sizes = *herd.constantSizes(), ids(sizes.size(), 0);
    std::vector<OfCore> ofCores;
    for (bool more = true; more;) {
      if (ofCores.size() == kMostCores) return std::nullopt;
      if (isReached(touch, herd, ids)) {
        const std::optional<BufferAccess> here = accessOf(touch, herd, ids);
        if (!here) return std::nullopt;
        ofCores.push_back({ids, *here});
      }
      more = false;
      for (unsigned i = 0; i < ids.size() && !more; ++i) {
        more = ++ids[i] < sizes[i];
        if (!more) ids[i] = 0;
      }
    }
    return ofCores;
  }

  /// What one core touches in all of its runs.
  std::optional<BufferAccess> accessOf(const Touch& touch, HerdOp herd,
                                       const std::vector<int64_t>& ids) {
    std::vector<BufferAccess> here{touch.access};
    bindSizes(*here[0].region, *touch.transfer, herd, ids);
    for (unsigned i = 0; i < ids.size(); ++i)
      if (!bind(*here[0].region, herd.id(i), ids[i])) return std::nullopt;
    for (Operation* at = touch.op->parentOp(); !here.empty() && at != herd.op();
         at = at->parentOp())
      here = reader_.liftedOut(std::move(here), *at);
    return here.empty() ? std::nullopt : std::optional(std::move(here[0]));
  }

  /// Different cores touch different elements.
  bool areApart(const std::vector<OfCore>& some, const std::vector<OfCore>& others) {
    return std::ranges::none_of(some, [&](const OfCore& a) {
      return std::ranges::any_of(others, [&](const OfCore& b) {
        return a.ids != b.ids && reader_.mayOverlap(a.access, b.access);
      });
    });
  }

  /// Cores of its herd that get to it write different elements.
  bool coresAreApart(const Touch& touch) {
    if (!isa<HerdOp>(touch.transfer->home.op())) return true;  // one instance
    const auto& ofCores = ofCores_[touch.transfer];
    return ofCores && areApart(*ofCores, *ofCores);
  }

  /// A core copies in what no other one copies out, and copies it out later: it has its data before
  /// it sends others.
  bool areOrderedByCores(const Touch& first, const Touch& second) {
    const Transfer &in = *first.transfer, &out = *second.transfer;
    if (first.access.kind != AccessKind::Read || second.access.kind != AccessKind::Write)
      return false;
    if (in.home.op() != out.home.op() || in.isBroadcast || hasCommonLoop(in, out)) return false;
    const auto &read = ofCores_[first.transfer], &written = ofCores_[second.transfer];
    return read && written && context_.order.areApart(*in.dma, *out.dma) &&
           areApart(*read, *written);
  }

  /// False only where it is certain that the core never copies.
  static bool isReached(const Touch& touch, HerdOp herd, const std::vector<int64_t>& ids) {
    if (ids.size() != 2) return true;
    analysis::CoreValues at(herd, {ids[0], ids[1]});
    return reachesInHerd(*touch.op, herd, at).value_or(true);
  }

  /// Sizes that differ from core to core: what is left at the end of a buffer. The most that they may be, where more than
  /// ids decides that.
  static void bindSizes(analysis::StridedRegion& region, const Transfer& transfer, HerdOp herd,
                        const std::vector<int64_t>& ids) {
    const air::DmaMemcpyNdOp dma(transfer.dma);
    const air::Access far = transfer.farIsSource ? dma.src() : dma.dst();
    if (far.sizes.size() != region.dims.size()) return;
    analysis::CoreValues at(herd, ids);
    for (size_t i = 0; i < far.sizes.size(); ++i) {
      if (region.dims[i].count != analysis::kUnbounded || !far.sizes[i].value) continue;
      const std::optional<int64_t> most = mostOf(far.sizes[i].value, at);
      if (most && *most > 0) region.dims[i].count = *most;
    }
  }

  /// Of min(3, what is left) no more than 3.
  static std::optional<int64_t> mostOf(Value size, analysis::CoreValues& at) {
    Operation* op = size.definingOp();
    std::optional<int64_t> most = at(size);
    if (most || !op) return most;
    const auto atMost = [&](std::optional<int64_t> bound) {
      if (bound && (!most || *bound < *most)) most = bound;
    };
    if (op->is("arith.minsi"))
      for (const Value operand : op->operands())
        atMost(at(operand));
    if (const auto min = dynCast<affine::MinOp>(op))
      for (const AffineExpr result : min.map().results())
        atMost(result.constantValue());
    return most;
  }

  /// Puts a number in the place of `symbol`.
  static bool bind(analysis::StridedRegion& region, Value symbol, int64_t number) {
    analysis::LinearSum rest{region.start.constant, {}}, value{number, {}};
    for (const analysis::LinearSum::Term& term : region.start.terms) {
      bool works = term.symbol == symbol ? rest.add(value, term.coefficient)
                                         : rest.add({0, {{term.symbol, 1}}}, term.coefficient);
      if (!works) return false;
    }
    region.start = std::move(rest);
    return true;
  }

  // -- One buffer

  void orderBuffer(std::vector<Touch>& touches) {
    bool isWritten = std::any_of(touches.begin(), touches.end(), [](const Touch& touch) {
      return touch.access.kind == AccessKind::Write;
    });
    if (!isWritten) return;
    std::erase_if(touches, [&](Touch& touch) { return !lift(touch); });
    if (touches.size() > kMostOfBuffer)
      return declineAll(touches, "stays: there are too many accesses of its memory to compare");
    declineMixed(touches);
    for (size_t i = 0; i < touches.size(); ++i)
      for (size_t j = 0; j < i; ++j)
        orderPair(touches[j], touches[i]);
    declineMixed(touches);
  }

  bool isFar(const Touch& touch) const {
    return touch.transfer && !declined_.count(touch.transfer);
  }

  /// What stays inside and the far half of a copy cannot be ordered.
  void declineMixed(const std::vector<Touch>& touches) {
    for (bool changed = true; changed;) {
      changed = false;
      for (const Touch& far : touches)
        for (const Touch& other : touches) {
          if (!isFar(far) || isFar(other) || !reader_.mayConflict(far.access, other.access))
            continue;
          decline(*far.transfer,
                  "stays: what is not moved uses the memory of its far side at the same time");
          changed = true;
        }
    }
  }

  void orderPair(const Touch& first, const Touch& second) {
    if (!isFar(first) || !isFar(second) || !reader_.mayConflict(first.access, second.access))
      return;
    if (communicates_) {
      if (areOrderedByCores(first, second)) return;
      for (const Touch* touch : {&first, &second})
        decline(*touch->transfer,
                "stays: its far half has to be ordered with another one, and the cores wait for "
                "each other too");
      return;
    }
    if (hasCommonLoop(*first.transfer, *second.transfer))
      fused_.emplace_back(first.transfer, second.transfer);
    else
      ordered_.emplace_back(first.transfer, second.transfer);
  }

  bool hasCommonLoop(const Transfer& first, const Transfer& second) const {
    for (Operation* at = first.dma->parentOp(); at != &top_; at = at->parentOp())
      if (isLoopAround(*at) && at->isProperAncestor(second.dma)) return true;
    return false;
  }

  void decline(Transfer& transfer, std::string_view reason) {
    if (declined_.insert(&transfer).second) context_.remarks.remark(*transfer.dma, reason);
  }
  void declineAll(const std::vector<Touch>& touches, std::string_view reason) {
    for (const Touch& touch : touches)
      if (touch.transfer) decline(*touch.transfer, reason);
  }

  // -- Nests

  Transfer* rootOf(Transfer* transfer) {
    for (auto at = fusedTo_.find(transfer); at != fusedTo_.end(); at = fusedTo_.find(transfer))
      transfer = at->second;
    return transfer;
  }

  /// An order between nests that cannot be kept since it goes both ways makes one nest of them.
  TopPlan makeNests() {
    for (auto [first, second] : fused_)
      fuse(first, second);
    for (bool changed = true; changed;) {
      changed = false;
      for (auto [first, second] : ordered_)
        changed |= positionOf(rootOf(first)) > positionOf(rootOf(second)) && fuse(first, second);
    }
    return writeNests();
  }

  bool fuse(Transfer* first, Transfer* second) {
    Transfer *a = rootOf(first), *b = rootOf(second);
    if (a == b) return false;
    if (positionOf(b) < positionOf(a)) std::swap(a, b);
    fusedTo_[b] = a;  // the first of a nest stands for it
    return true;
  }

  size_t positionOf(Transfer* transfer) {
    if (positions_.empty())
      for (size_t i = 0; i < transfers_.size(); ++i)
        positions_[transfers_[i]] = i;
    return positions_[transfer];
  }

  TopPlan writeNests() {
    TopPlan plan{&top_, {}};
    std::unordered_map<Transfer*, size_t> nestOf;
    for (Transfer* transfer : transfers_) {
      if (declined_.count(transfer)) continue;
      auto [at, isNew] = nestOf.try_emplace(rootOf(transfer), plan.nests.size());
      if (isNew) plan.nests.emplace_back();
      NestPlan& nest = plan.nests[at->second];
      nest.transfers.push_back(transfer);
    }
    for (NestPlan& nest : plan.nests)
      if (nest.transfers.size() > 1) dropCores(nest);
    for (auto [first, second] : ordered_) {
      if (declined_.count(first) || declined_.count(second)) continue;
      size_t a = nestOf[rootOf(first)], b = nestOf[rootOf(second)];
      std::vector<size_t>& after = plan.nests[b].after;
      if (a != b && std::find(after.begin(), after.end(), a) == after.end()) after.push_back(a);
    }
    return plan;
  }

  void dropCores(NestPlan& nest) {
    for (Transfer* transfer : transfers_) {
      bool isHere =
          std::find(nest.transfers.begin(), nest.transfers.end(), transfer) != nest.transfers.end();
      if (!isHere) continue;
      if (transfer->isBroadcast)
        context_.remarks.remark(*transfer->dma,
                                "is not a broadcast: its memory is changed between runs of it");
      transfer->isBroadcast = false;
      transfer->cores.reset();
    }
  }

  Operation& top_;
  std::vector<Transfer*> transfers_;
  analysis::AccessReader& reader_;
  NestContext context_;
  std::unordered_map<Operation*, Transfer*> ofDma_;
  std::unordered_set<Value> farBuffers_;
  std::vector<Value> farOrder_;
  std::unordered_map<Value, std::vector<Touch>> touches_;
  std::unordered_set<Transfer*> declined_;
  std::vector<std::pair<Transfer*, Transfer*>> fused_, ordered_;
  std::unordered_map<Transfer*, Transfer*> fusedTo_;
  std::unordered_map<Transfer*, size_t> positions_;
  std::unordered_map<Transfer*, std::optional<std::vector<OfCore>>>
      ofCores_;  // where cores wait for each other
  bool communicates_ = false;
};

}  // namespace

const std::vector<BufferUsers::User>& BufferUsers::of(Value buffer) {
  if (!isCollected_) collect();
  return users_[buffer];
}

void BufferUsers::collect() {
  isCollected_ = true;
  module_.walk([&](Operation& op) {
    if (asHierarchy(&op)) return;
    std::vector<analysis::BufferAccess> accesses;
    reader_.direct(op, accesses);
    for (const analysis::BufferAccess& access : accesses)
      users_[access.buffer.value].push_back({&op, access.kind});
  });
}

TopPlan planNests(Operation& top, std::vector<Transfer*> transfers, NestContext context) {
  return NestPlanner(top, std::move(transfers), context).plan();
}

}  // namespace airlite::air
