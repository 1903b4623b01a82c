// The kernel of attention. A wave has some queries, whose scores against a block of keys it makes as
// keys x queries: such a result lies in the lanes as the factor of the second product asks for. Greatest
// score, sum and result of a query are corrected from block to block, so that no score goes to memory.
// Blocks of keys and values go through registers to LDS one step ahead; values lie there along the keys.
#include "AttentionKernel.hpp"

#include "../hierarchy/Hierarchy.hpp"
#include "AttentionBlock.hpp"
#include "airlite/dialect/Gpu.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"

namespace airlite::gpu {
namespace {

class AttentionWriter : public AttentionBlock {
 public:
  AttentionWriter(const Attention& attention, const AttentionPlan& plan)
      : AttentionBlock(attention, plan) {}

  void write() {
    builder_.setBefore(a_.last());
    const GroupLevels groups = openGrid();
    startGroup(groups);
    const Value waves[] = {index(plan_.waves), index(1)};
    auto herd = air::createHierarchy(builder_, location(), "air.herd", waves);
    herd->setAttr(kSpreadAttr, UnitAttr::get(op_->context()));
    builder_.setBefore(*herd.body().terminator());
    writeBody(herd.id(0));
    air::isolate(herd);
    closeWorkgroups(groups.levels);
  }

 private:
  // -- Start of a workgroup ------------------------------------------------------------------------

  /// Blocks of queries, and all heads.
  std::vector<Value> gridSizes() {
    blocks_ = ceilDiv(sizeOfLoop(a_.m), plan_.blockM());
    std::vector<Value> sizes = {blocks_};
    Value heads;
    for (unsigned loop = 0; loop < a_.rank; ++loop)
      if (a_.isBatch(loop))
        heads = heads ? binary("arith.muli", heads, sizeOfLoop(loop)) : sizeOfLoop(loop);
    if (heads) sizes.push_back(heads);
    return sizes;
  }

  /// Workgroups of a head are on one XCD.
  GroupLevels openGrid() {
    const std::vector<Value> sizes = gridSizes();
    int64_t heads = 1;
    for (unsigned loop = 0; loop < a_.rank; ++loop) {
      if (!a_.isBatch(loop) && loop != a_.m) continue;
      if (a_.sizes[loop] == kDynamic) return openWorkgroups(sizes);
      if (loop != a_.m) heads *= a_.sizes[loop];
    }
    if (sizes.size() < 2) return openWorkgroups(sizes);
    const int64_t width = (a_.sizes[a_.m] + plan_.blockM() - 1) / plan_.blockM();
    return openWorkgroupsOfXcds(sizes, width, heads, 1, *plan_.device);
  }

  void startGroup(const GroupLevels& groups) {
    starts_.assign(a_.rank + 2, Value());
    takeHead(groups.y);
    // Later queries have more keys: those workgroups come first.
    const Value block =
        a_.limit ? binary("arith.subi", binary("arith.subi", blocks_, index(1)), groups.x)
                 : groups.x;
    firstQuery_ = times(block, plan_.blockM());
    keys_ = sizeOfLoop(a_.n);
    zero_ = index(0);
    keyTile_ = allocTile({plan_.keys, plan_.depth + plan_.padKeys}, a_.factor);
    valueTile_ = allocTile({plan_.columns, plan_.keys + plan_.padValues}, a_.value);
  }

  // -- Body of a wave ------------------------------------------------------------------------------

  void writeBody(Value wave) {
    keyShares_ = sharesOf(plan_.keys, plan_.depth, wave, false);
    valueShares_ = sharesOf(plan_.keys, plan_.columns, wave, true);
    const Value first = binary("arith.addi", firstQuery_, times(wave, plan_.queries * columns_));
    for (int64_t j = 0; j < plan_.queries; ++j) {
      queryStarts_.push_back(plus(first, j * columns_));
      queries_.push_back(loadQueries(queryStarts_.back()));
    }
    std::vector<QueryState> states(static_cast<size_t>(plan_.queries));
    for (QueryState& state : states)
      state = firstState();
    const bool hasSeveral = a_.sizes[a_.n] == kDynamic || a_.sizes[a_.n] > plan_.keys;
    const Value last = hasSeveral ? blockOf(binary("arith.subi", endOfKeys(), index(1))) : zero_;
    const Value begin = hasSeveral ? startOfKeys(last) : zero_;
    storeBlocks(loadBlocks(begin), zero_);
    workgroupBarrier();
    Value buffer = zero_;
    if (hasSeveral) states = writeLoop(states, buffer, begin, last);
    attend(states, buffer, last, !isWhole(a_.n, plan_.keys));
    for (size_t j = 0; j < states.size(); ++j)
      storeResults(states[j], queryStarts_[j]);
  }

  QueryState firstState() {
    QueryState state;
    state.most = splat(vectorType({columns_}, f32_), kMinusInfinity);
    state.sum = zeroVector(vectorType({rows_, columns_}, f32_));
    state.results.assign(static_cast<size_t>(plan_.columns / plan_.result->m),
                         zeroVector(vectorType({plan_.result->m, columns_}, f32_)));
    return state;
  }

  static std::vector<Value> flat(const std::vector<QueryState>& states) {
    std::vector<Value> values;
    for (const QueryState& state : states) {
      values.push_back(state.most);
      values.push_back(state.sum);
      values.insert(values.end(), state.results.begin(), state.results.end());
    }
    return values;
  }

  static void take(std::vector<QueryState>& states, const std::vector<Value>& values) {
    auto at = values.begin();
    for (QueryState& state : states) {
      state.most = *at++;
      state.sum = *at++;
      for (Value& result : state.results)
        result = *at++;
    }
  }

  /// All blocks of keys from `begin` on but the last one.
  std::vector<QueryState> writeLoop(std::vector<QueryState> states, Value& buffer, Value begin,
                                    Value last) {
    std::vector<Value> carried = flat(states);
    if (plan_.isDouble) carried.push_back(buffer);
    const Value step = index(plan_.keys);
    scf::ForOp loop = scf::ForOp::create(builder_, location(), begin, last, step, carried);
    builder_.setToEnd(loop.body());
    const std::vector<Value> now = loop.regionIterArgs();
    take(states, now);
    const Value from = plan_.isDouble ? now.back() : zero_;
    const Value to = plan_.isDouble ? binary("arith.subi", index(1), from) : zero_;
    const auto next = loadBlocks(plus(loop.inductionVar(), plan_.keys));
    // The loads go out first; the compiler would put them where registers are fewest.
    builder_.create(location(), "gpu.schedule_barrier", {}, {});
    attend(states, from, loop.inductionVar(), false);
    if (!plan_.isDouble) workgroupBarrier();
    storeBlocks(next, to);
    workgroupBarrier();
    std::vector<Value> made = flat(states);
    if (plan_.isDouble) made.push_back(to);
    scf::YieldOp::create(builder_, location(), made);
    builder_.setAfter(*loop.op());
    const std::vector<Value> results = loop->resultValues();
    take(states, results);
    if (plan_.isDouble) buffer = results.back();
    return states;
  }

  /// The start of the block that has a key.
  Value blockOf(Value key) {
    return times(binary("arith.divui", key, index(plan_.keys)), plan_.keys);
  }

  /// The first block with a key that a query of the workgroup has, none after `last`.
  Value startOfKeys(Value last) {
    if (!a_.limit || !a_.limit->first) return zero_;
    const Value first = plus(firstQuery_, *a_.limit->first);
    return binary("arith.minsi", blockOf(binary("arith.maxsi", first, index(0))), last);
  }

  /// Behind the last key that a query of the workgroup has; at least 1.
  Value endOfKeys() {
    if (!a_.limit)
      return a_.sizes[a_.n] != kDynamic ? keys_ : binary("arith.maxsi", keys_, index(1));
    const Value end = plus(firstQuery_, plan_.blockM() - 1 + a_.limit->offset);
    return binary("arith.maxsi", binary("arith.minsi", end, keys_), index(1));
  }

  // -- Results -------------------------------------------------------------------------------------

  void storeResults(const QueryState& state, Value query) {
    const auto row = state.most.type().cast<VectorType>();
    const Value sum = reduceRows("add", state.sum, zeroVector(row));
    const Value part = binary("arith.divf", splat(row, 1), sum);
    for (size_t e = 0; e < state.results.size(); ++e) {
      const Value parts = broadcast(part, state.results[e].type().cast<VectorType>());
      storeResult(binary("arith.mulf", state.results[e], parts), query,
                  static_cast<int64_t>(e) * plan_.result->m);
    }
  }

  void storeResult(Value result, Value query, int64_t column) {
    Tile tile{starts_, {a_.e(), a_.m}, {plan_.result->m, columns_}, {}};
    tile.starts[a_.e()] = index(column);
    tile.starts[a_.m] = query;
    tile.inside[0] = a_.sizes[a_.e()] == plan_.columns;
    tile.inside[1] = isWhole(a_.m, plan_.blockM());
    if (!a_.startsAtZero)
      result = binary("arith.addf", convert(readTile(a_.o, a_.mapO, tile), f32_), result);
    writeResult(a_.o, a_.mapO, tile, result, a_.after);
  }

  Value blocks_, firstQuery_, zero_;
};

}  // namespace

void createAttentionLaunch(const Attention& attention, const AttentionPlan& plan) {
  AttentionWriter(attention, plan).write();
}

}  // namespace airlite::gpu
