// Ping-pong buffering: the steps that air-ping-pong-transform takes, each a pass of its own too,
// and what they know of a loop in common.
#pragma once

#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/graph/TokenOrder.hpp"
#include "airlite/pass/Pass.hpp"
#include "analysis/BufferUses.hpp"

#include <string_view>
#include <unordered_map>
#include <vector>

namespace airlite::pingpong {

/// Names of the marks that the steps leave for each other.
inline constexpr std::string_view kUnroll = "unroll", kHoist = "hoist_alloc",
                                  kIteration = "unrolled_iteration", kIsolated = "isolated",
                                  kFront = "async_front", kBack = "async_back";

// The steps. Each says whether it has changed something, and in remarks where it declines.
bool isolateLoops(Operation& root, PassContext& context);
bool unrollLoops(Operation& root, PassContext& context);
bool hoistAllocs(Operation& root, PassContext& context);
/// The loops that it has made, inner ones first, siblings in order.
std::vector<Operation*> constructLoops(Operation& root, PassContext& context);
/// Sibling loops of these on one set of buffers.
bool shareRings(const std::vector<Operation*>& loops, PassContext& context);

using air::onlyOp;
/// The value of a mark: absent, `false` and 0 are not a mark.
bool hasMark(Operation& op, std::string_view name);
bool hasTokenResult(Operation& op);
/// An execute with nothing but a deallocation.
bool isDealloc(Operation& op);
/// Something inside is asynchronous.
bool runsAsyncOps(Operation& op);
/// An air.wait_all with a token: a name for several tokens.
bool isJoin(const Operation& op);

/// A direct op of a loop body that makes tokens, joins left out.
struct Unit {
  Operation* op = nullptr;
  std::vector<Value> ends;       // everything inside is over when these have fired
  std::vector<unsigned> before;  // units of the same body that it waits for, directly or by joins
  bool isAlloc = false;          // an execute with nothing but an allocation
};

/// The body of an scf.for (or of a herd) as units that wait for each other.
class LoopBody {
 public:
  explicit LoopBody(scf::ForOp loop) : LoopBody(*loop) {}
  /// `owner` has one region of one block.
  explicit LoopBody(Operation& owner);

  /// Why it cannot be seen as units; empty when it can: there are only units, joins and pure ops,
  /// no unit begins before the tokens it is given, and no work of it continues after its own tokens.
  std::string_view obstacle() const { return obstacle_; }
  std::vector<Unit>& units() { return units_; }
  graph::TokenOrder& order() { return order_; }
  /// What `token` stands for, through joins: tokens of units, carried ones, and from around.
  std::vector<Value> leavesOf(Value token) const;
  /// The unit that makes `token`; null when there is none.
  const Unit* unitOf(Value token) const;
  /// Each list of tokens of `unit` has one that fires after `token`.
  bool startsAfter(const Unit& unit, Value token) { return startsAfter(*unit.op, token); }
  /// All of `unit` is over when `token` fires.
  bool isOverBefore(const Unit& unit, Value token);
  /// The loop carries this token, and it fires in each iteration after that of the one before.
  bool isChain(scf::ForOp loop, unsigned i);

 private:
  void add(Operation& op);
  void addWaits(Unit& unit);
  bool startsAfter(Operation& op, Value token);
  bool isTied(Operation& op);
  bool isTiedTo(Block& body, const std::vector<Value>& tokens);
  const std::vector<Value>& endsOf(Operation& op);
  std::vector<Value> findEnds(Operation& op);
  bool isCovered(Operation& op, std::span<const Value> results);

  Block& block_;
  graph::TokenOrder order_;
  std::vector<Unit> units_;
  std::unordered_map<Operation*, unsigned> unitOf_;
  std::unordered_map<Operation*, std::vector<Value>> ends_;
  std::string_view obstacle_;
};

}  // namespace airlite::pingpong
