// The kernel of attention. A wave has some queries, whose scores against a block of keys it makes as
// keys x queries: such a result lies in the lanes as the factor of the second product asks for. Greatest
// score, sum and result of a query are corrected from block to block, so that no score goes to memory.
// Blocks of keys and values go through registers to LDS one step ahead; values lie there along the keys.
#include "AttentionKernel.hpp"

#include "../hierarchy/Hierarchy.hpp"
#include "TileWriter.hpp"
#include "airlite/dialect/Arith.hpp"
#include "airlite/dialect/Gpu.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"

#include <bit>
#include <limits>
#include <numbers>

namespace airlite::gpu {
namespace {

constexpr double kLog2E = std::numbers::log2e;
constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

/// Rows and columns of a block that a wave brings to LDS: both are powers of two.
struct Share {
  int64_t rows = 0, columns = 0;
  Value row, column;  ///< first ones in the block
};

/// What goes from one block of keys to the next, for each tile of queries.
struct QueryState {
  Value most;                  ///< greatest score of each query
  Value sum;                   ///< of the exponentials, in the lanes that made them
  std::vector<Value> results;  ///< tiles of columns x queries
};

/// One class: what the parts of a kernel share is where everything lies, and each part is a few lines.
class AttentionWriter : public TileWriter {
 public:
  AttentionWriter(const Attention& attention, const AttentionPlan& plan)
      : TileWriter(attention.result),
        a_(attention),
        plan_(plan),
        rows_(plan.scores->m),
        columns_(plan.scores->n),
        f32_(FloatType::get(context(), FloatKind::F32)) {}

  void write() {
    builder_.setBefore(a_.last());
    const std::vector<Value> grid = gridSizes();
    auto launch = air::createHierarchy(builder_, location(), "air.launch", grid);
    builder_.setBefore(*launch.body().terminator());
    auto segment = air::createHierarchy(builder_, location(), "air.segment", {});
    builder_.setBefore(*segment.body().terminator());
    startGroup(launch);
    const Value waves[] = {index(plan_.waves), index(1)};
    auto herd = air::createHierarchy(builder_, location(), "air.herd", waves);
    herd->setAttr(kSpreadAttr, UnitAttr::get(op_->context()));
    builder_.setBefore(*herd.body().terminator());
    writeBody(herd.id(0));
    air::isolate(herd);
    air::isolate(segment);
    air::isolate(launch);
  }

 private:
  // -- Start of a workgroup ------------------------------------------------------------------------

  Value sizeOfLoop(unsigned loop) {
    if (a_.sizes[loop] != kDynamic) return index(a_.sizes[loop]);
    const std::pair<Value, AffineMap> operands[] = {
        {a_.q, a_.mapQ}, {a_.k, a_.mapK}, {a_.o, a_.mapO}};
    for (const auto& [memref, map] : operands)
      for (unsigned i = 0; i < map.numResults(); ++i)
        if (map.result(i).position() == loop)
          return builder_
              .create(location(), "memref.dim", {memref, index(i)}, {builder_.indexType()})
              ->result();
    return index(1);
  }

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

  void startGroup(air::HierarchyOp launch) {
    starts_.assign(a_.rank + 2, Value());
    takeHead(launch);
    // Later queries have more keys: those workgroups come first.
    const Value block =
        a_.limit ? binary("arith.subi", binary("arith.subi", blocks_, index(1)), launch.id(0))
                 : launch.id(0);
    firstQuery_ = times(block, plan_.blockM());
    keys_ = sizeOfLoop(a_.n);
    zero_ = index(0);
    keyTile_ = allocTile({plan_.keys, plan_.depth + plan_.padKeys}, a_.factor);
    valueTile_ = allocTile({plan_.columns, plan_.keys + plan_.padValues}, a_.value);
  }

  /// The last loop is the fastest.
  void takeHead(air::HierarchyOp launch) {
    Value number;
    std::vector<unsigned> batch;
    for (unsigned loop = 0; loop < a_.rank; ++loop)
      if (a_.isBatch(loop)) batch.push_back(loop);
    if (!batch.empty()) number = launch.id(1);
    for (size_t i = batch.size(); i-- > 0;) {
      starts_[batch[i]] = number;
      if (i == 0) return;
      const Value size = sizeOfLoop(batch[i]);
      starts_[batch[i]] = binary("arith.remui", number, size);
      number = binary("arith.divui", number, size);
    }
  }

  Value allocTile(std::vector<int64_t> shape, Type element) {
    if (plan_.isDouble) shape.insert(shape.begin(), 2);
    const auto type = MemRefType::get(context(), shape, element, Attribute(), builder_.i64Attr(1));
    return memref::AllocOp::create(builder_, location(), type)->result();
  }

  // -- Body of a wave ------------------------------------------------------------------------------

  void writeBody(Value wave) {
    keyShares_ = sharesOf(plan_.keys, plan_.depth, wave, false);
    valueShares_ = sharesOf(plan_.keys, plan_.columns, wave, true);
    const Value first =
        binary("arith.addi", firstQuery_, times(wave, plan_.queries * columns_));
    for (int64_t j = 0; j < plan_.queries; ++j) {
      queryStarts_.push_back(plus(first, j * columns_));
      queries_.push_back(loadQueries(queryStarts_.back()));
    }
    std::vector<QueryState> states(static_cast<size_t>(plan_.queries));
    for (QueryState& state : states)
      state = firstState();
    storeBlocks(loadBlocks(zero_), zero_);
    barrier();
    Value buffer = zero_, last = zero_;
    if (a_.sizes[a_.n] == kDynamic || a_.sizes[a_.n] > plan_.keys)
      states = writeLoop(states, buffer, last);
    attend(states, buffer, last, !isWhole(a_.n, plan_.keys));
    for (size_t j = 0; j < states.size(); ++j)
      storeResults(states[j], queryStarts_[j]);
  }

  bool isWhole(unsigned loop, int64_t block) const {
    return a_.sizes[loop] > 0 && a_.sizes[loop] % block == 0;  // open sizes are below 0
  }

  QueryState firstState() {
    QueryState state;
    state.most = splat(vectorType({columns_}, f32_), kMinusInfinity);
    state.sum = zeroVector(vectorType({rows_, columns_}, f32_));
    state.results.assign(static_cast<size_t>(plan_.columns / plan_.result->m),
                         zeroVector(vectorType({plan_.result->m, columns_}, f32_)));
    return state;
  }

  Value splat(VectorType type, double number) {
    return broadcast(builder_.constant(location(), numberAttr(type.elementType(), number)), type);
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

  /// All blocks of keys but the last one, whose start is `last` then.
  std::vector<QueryState> writeLoop(std::vector<QueryState> states, Value& buffer, Value& last) {
    std::vector<Value> carried = flat(states);
    if (plan_.isDouble) carried.push_back(buffer);
    const Value step = index(plan_.keys);
    last = times(binary("arith.divui", binary("arith.subi", endOfKeys(), index(1)), step),
                 plan_.keys);
    scf::ForOp loop = scf::ForOp::create(builder_, location(), zero_, last, step, carried);
    builder_.setToEnd(loop.body());
    const std::vector<Value> now = loop.regionIterArgs();
    take(states, now);
    const Value from = plan_.isDouble ? now.back() : zero_;
    const Value to = plan_.isDouble ? binary("arith.subi", index(1), from) : zero_;
    const auto next = loadBlocks(plus(loop.inductionVar(), plan_.keys));
    // The loads go out first; the compiler would put them where registers are fewest.
    builder_.create(location(), "gpu.schedule_barrier", {}, {});
    attend(states, from, loop.inductionVar(), false);
    if (!plan_.isDouble) barrier();
    storeBlocks(next, to);
    barrier();
    std::vector<Value> made = flat(states);
    if (plan_.isDouble) made.push_back(to);
    scf::YieldOp::create(builder_, location(), made);
    builder_.setAfter(*loop.op());
    const std::vector<Value> results = loop->resultValues();
    take(states, results);
    if (plan_.isDouble) buffer = results.back();
    return states;
  }

  /// Behind the last key that a query of the workgroup has; at least 1.
  Value endOfKeys() {
    if (!a_.limit) return keys_;
    const Value end = plus(firstQuery_, plan_.blockM() - 1 + a_.limit->offset);
    return binary("arith.maxsi", binary("arith.minsi", end, keys_), index(1));
  }

  void barrier() {
    const Attribute space[] = {
        DialectAttr::getKeyword(context(), "gpu.address_space", "workgroup")};
    builder_.create(location(), "gpu.barrier", {}, {},
                    {builder_.named("address_spaces", ArrayAttr::get(context(), space))});
  }

  // -- From memory ---------------------------------------------------------------------------------

  /// Columns of all rows where these can be divided by the waves, else some rows in pieces.
  std::vector<Share> sharesOf(int64_t rows, int64_t columns, Value wave, bool byColumns) {
    const int64_t part = columns / plan_.waves;
    const bool isDivided = columns % plan_.waves == 0 && part >= kFewColumns &&
                           std::has_single_bit(static_cast<uint64_t>(part));
    if (byColumns && isDivided) return {{rows, part, index(0), times(wave, part)}};
    std::vector<Share> shares;
    const int64_t piece = columns & -columns;
    const Value row = times(wave, rows / plan_.waves);
    for (int64_t column = 0; column < columns; column += piece)
      shares.push_back({rows / plan_.waves, piece, row, index(column)});
    return shares;
  }
  static constexpr int64_t kFewColumns = 8;

  /// A tile of rows along `rowLoop`, which lie one after the other.
  Value load(Value memref, AffineMap map, unsigned rowLoop, Value row, int64_t rows,
             int64_t rowBlock, unsigned columnLoop, Value column, int64_t columns,
             int64_t allColumns) {
    Tile tile{starts_, {rowLoop, columnLoop}, {rows, columns}, {true, true}};
    tile.starts[rowLoop] = row;
    tile.starts[columnLoop] = column;
    tile.inside[0] = isWhole(rowLoop, rowBlock);
    tile.inside[1] = a_.sizes[columnLoop] == allColumns;
    return readTile(memref, map, tile);
  }

  /// Fragments along d.
  std::vector<Value> loadQueries(Value first) {
    std::vector<Value> fragments;
    for (int64_t d = 0; d < plan_.depth; d += plan_.contractD())
      fragments.push_back(load(a_.q, a_.mapQ, a_.m, first, columns_, plan_.blockM(), a_.d(),
                               index(d), plan_.contractD(), plan_.depth));
    return fragments;
  }

  /// The shares of a wave of the keys, then of the values, which are turned.
  std::vector<Value> loadBlocks(Value first) {
    std::vector<Value> loaded;
    for (const Share& share : keyShares_)
      loaded.push_back(load(a_.k, a_.mapK, a_.n, binary("arith.addi", first, share.row),
                            share.rows, plan_.keys, a_.d(), share.column, share.columns,
                            plan_.depth));
    for (const Share& share : valueShares_)
      loaded.push_back(transpose(load(a_.v, a_.mapV, a_.n, binary("arith.addi", first, share.row),
                                      share.rows, plan_.keys, a_.e(), share.column, share.columns,
                                      plan_.columns)));
    return loaded;
  }

  void storeBlocks(const std::vector<Value>& loaded, Value buffer) {
    auto at = loaded.begin();
    for (const Share& share : keyShares_)
      store(*at++, keyTile_, buffer, share.row, share.column);
    for (const Share& share : valueShares_)
      store(*at++, valueTile_, buffer, share.column, share.row);
  }

  std::vector<Value> tileOperands(Value tile, Value buffer, Value row, Value column) const {
    std::vector<Value> operands = {tile};
    if (plan_.isDouble) operands.push_back(buffer);
    operands.push_back(row);
    operands.push_back(column);
    return operands;
  }

  void store(Value vector, Value tile, Value buffer, Value row, Value column) {
    std::vector<Value> operands = tileOperands(tile, buffer, row, column);
    operands.insert(operands.begin(), vector);
    builder_.create(location(), "vector.store", operands, {});
  }

  Value fragment(Value tile, Type element, Value buffer, int64_t row, int64_t rows, int64_t column,
                 int64_t columns) {
    const Type types[] = {vectorType({rows, columns}, element)};
    return builder_
        .create(location(), "vector.load",
                tileOperands(tile, buffer, index(row), index(column)), types)
        ->result();
  }

  // -- One block of keys ---------------------------------------------------------------------------

  void attend(std::vector<QueryState>& states, Value buffer, Value first, bool mayEnd) {
    auto scores = multiplyQueries(buffer);
    std::vector<std::vector<Value>> probabilities;
    for (size_t j = 0; j < states.size(); ++j) {
      finishScores(scores[j], queryStarts_[j], first, mayEnd);
      probabilities.push_back(exponentials(states[j], scores[j]));
    }
    multiplyValues(states, probabilities, buffer);
  }

  /// For each tile of queries one of each tile of keys. Products that follow each other have sums of their own.
  std::vector<std::vector<Value>> multiplyQueries(Value buffer) {
    const Value zero = zeroVector(vectorType({rows_, columns_}, f32_));
    const auto tiles = static_cast<size_t>(plan_.keys / rows_);
    std::vector<std::vector<Value>> scores(queries_.size(), std::vector<Value>(tiles, zero));
    for (size_t part = 0; part < queries_[0].size(); ++part) {
      const int64_t d = static_cast<int64_t>(part) * plan_.contractD();
      std::vector<Value> keys;
      for (size_t i = 0; i < tiles; ++i)
        keys.push_back(fragment(keyTile_, a_.factor, buffer, static_cast<int64_t>(i) * rows_, rows_,
                                d, plan_.contractD()));
      for (size_t i = 0; i < tiles; ++i)
        for (size_t j = 0; j < scores.size(); ++j)
          scores[j][i] = contract(keys[i], queries_[j][part], scores[j][i], {0, 2}, {1, 2});
    }
    return scores;
  }

  /// The elementwise ops on scores; what is no key or no key of a query becomes minus infinity.
  void finishScores(std::vector<Value>& scores, Value query, Value first, bool mayEnd) {
    Value limits;  // of the keys of each query in this block
    if (a_.limit) limits = keyLimits(query, first);
    if (!a_.limit && mayEnd) limits = narrow(broadcast(binary("arith.subi", keys_, first),
                                                       vectorType({columns_}, index_())));
    for (size_t i = 0; i < scores.size(); ++i) {
      const int64_t key = static_cast<int64_t>(i) * rows_;
      Tile tile{starts_, {a_.n, a_.m}, {rows_, columns_}, {}};
      tile.starts[a_.n] = plus(first, key);
      tile.starts[a_.m] = query;
      tile.inside[0] = isWhole(a_.n, plan_.keys) || (!mayEnd && !a_.limit);
      tile.inside[1] = isWhole(a_.m, plan_.blockM());
      const Value isKey = limits ? isBelowLimit(limits, key, tile) : Value();
      for (const auto& [op, source] : a_.onScores) {
        Known known = {{op.bodyArgument(source), scores[i]}};
        if (a_.limit && a_.limit->op.op() == op.op())
          known[a_.limit->comparison] = a_.limit->isInside ? isKey : negate(isKey);
        scores[i] = computeTile(op, tile, known);
      }
      // A limit leaves no key behind the end, but ops after it may.
      const bool isLast = a_.limit && a_.limit->op.op() == a_.onScores.back().op.op();
      if (isKey && !isLast && (mayEnd || !isWhole(a_.n, plan_.keys)))
        scores[i] = choose(isEnd(first, key, tile), scores[i],
                           splat(tileType(tile, f32_), kMinusInfinity));
      scores[i] = convert(scores[i], f32_);
    }
  }

  Type index_() { return builder_.indexType(); }

  Value narrow(Value numbers) {
    const auto type = numbers.type().cast<VectorType>();
    const Type i32 = builder_.intType(32);
    return builder_
        .create(location(), "arith.index_cast", {numbers},
                {VectorType::get(context(), type.shape(), i32)})
        ->result();
  }

  /// Keys of the block from `first` on that each query has: below 0 for none. Small numbers, so that the
  /// comparisons are those of 32 bits.
  Value keyLimits(Value query, Value first) {
    const auto type = vectorType({columns_}, index_());
    const Value start = binary("arith.subi", plus(query, a_.limit->offset), first);
    const Value of = binary("arith.addi", countUp(columns_, index_()), broadcast(start, type));
    const Value rest = broadcast(binary("arith.subi", keys_, first), type);
    const Value least = broadcast(index(-1), type);
    return narrow(binary("arith.maxsi", binary("arith.minsi", of, rest), least));
  }

  /// The keys of a tile that begins with key `key` of the block.
  Value isBelowLimit(Value limits, int64_t key, const Tile& tile) {
    const Type i32 = builder_.intType(32);
    const Value start = broadcast(builder_.constant(location(), builder_.i32Attr(key)),
                                  vectorType({columns_}, i32));
    const Value rest = binary("arith.subi", limits, start);
    return compare(arith::CmpIPredicate::slt, spreadAlong(countUp(rows_, i32), 0, tile),
                   spreadAlong(rest, 1, tile));
  }

  /// Keys behind the end, where a limit says nothing of it.
  Value isEnd(Value first, int64_t key, const Tile& tile) {
    const Value rest = broadcast(binary("arith.subi", keys_, first), vectorType({columns_}, index_()));
    return isBelowLimit(narrow(rest), key, tile);
  }

  Value compare(arith::CmpIPredicate predicate, Value a, Value b) {
    const auto shape = a.type().cast<VectorType>().shape();
    const Type types[] = {VectorType::get(context(), shape, builder_.intType(1))};
    const Value operands[] = {a, b};
    const NamedAttribute attrs[] = {
        builder_.named("predicate", builder_.i64Attr(static_cast<int64_t>(predicate)))};
    return builder_.create(location(), "arith.cmpi", operands, types, attrs)->result();
  }

  Value negate(Value bits) {
    const auto type = bits.type().cast<VectorType>();
    const Value ones = broadcast(
        builder_.constant(location(), IntegerAttr::getBool(context(), true)), type);
    return binary("arith.xori", bits, ones);
  }

  Value choose(Value condition, Value yes, Value no) {
    const Value operands[] = {condition, yes, no};
    const Type types[] = {yes.type()};
    return builder_.create(location(), "arith.select", operands, types)->result();
  }

  Value reduceRows(std::string_view kind, Value tile, Value before) {
    const int64_t rows[] = {0};
    return builder_
        .create(location(), "vector.multi_reduction", {tile, before}, {before.type()},
                {builder_.named("kind",
                                DialectAttr::getKeyword(context(), "vector.kind", kind)),
                 builder_.named("reduction_dims", DenseArrayAttr::getI64(context(), rows))})
        ->result();
  }

  Value fma(Value a, Value b, Value c) {
    const Value operands[] = {a, b, c};
    const Type types[] = {a.type()};
    return builder_.create(location(), "math.fma", operands, types)->result();
  }

  /// The device's instruction as it is: results below 2^-126 are zero.
  Value exp2(Value x) {
    return builder_
        .create(location(), "math.exp2", {x}, {x.type()},
                {builder_.named("fastmath", arith::fastMathAttr(context(), arith::kApproxFunc))})
        ->result();
  }

  /// A probability as a factor of the values. bf16 is rounded by an addition, halves upwards: what is no
  /// number may become one, but its query has a sum that is none.
  Value factorOf(Value power) {
    if (!a_.value.isBF16()) return convert(power, a_.value);
    const auto shape = power.type().cast<VectorType>().shape();
    const Type words = VectorType::get(context(), shape, builder_.intType(32)),
               halves = VectorType::get(context(), shape, builder_.intType(16)),
               result = VectorType::get(context(), shape, a_.value);
    const auto cast = [&](std::string_view name, Value value, Type type) {
      return builder_.create(location(), name, {value}, {type})->result();
    };
    const auto number = [&](int64_t value) {
      return broadcast(builder_.constant(location(), builder_.i32Attr(value)),
                       words.cast<VectorType>());
    };
    const Value bits = binary("arith.addi", cast("arith.bitcast", power, words), number(0x8000));
    const Value high = cast("arith.trunci", binary("arith.shrui", bits, number(16)), halves);
    return cast("arith.bitcast", high, result);
  }

  /// exp(score - greatest), as factors of the values; what the state holds is corrected for a greater one.
  std::vector<Value> exponentials(QueryState& state, const std::vector<Value>& scores) {
    Value greatest = scores[0];
    for (size_t i = 1; i < scores.size(); ++i)
      greatest = binary("arith.maxnumf", greatest, scores[i]);
    const Value most = reduceRows("maxnumf", greatest, state.most);
    const auto row = most.type().cast<VectorType>();
    // Minus infinity less itself is no number: where a query has no key yet, nothing is subtracted.
    const Value operands[] = {most, splat(row, kMinusInfinity)};
    const Type bits[] = {vectorType({columns_}, builder_.intType(1))};
    const NamedAttribute equal[] = {builder_.named(
        "predicate", builder_.i64Attr(static_cast<int64_t>(arith::CmpFPredicate::OEQ)))};
    const Value isNone = builder_.create(location(), "arith.cmpf", operands, bits, equal)->result();
    const Value safe = choose(isNone, splat(row, 0), most);
    const Value shift = binary("arith.mulf", safe, splat(row, -kLog2E));
    const Value correction = exp2(fma(state.most, splat(row, kLog2E), shift));
    state.most = most;

    const auto type = scores[0].type().cast<VectorType>();
    const Value shifts = broadcast(shift, type), factor = splat(type, kLog2E);
    std::vector<Value> made;
    state.sum = binary("arith.mulf", state.sum, broadcast(correction, type));
    for (Value score : scores) {
      const Value power = exp2(fma(score, factor, shifts));
      state.sum = binary("arith.addf", state.sum, power);
      made.push_back(factorOf(power));
    }
    for (Value& result : state.results)
      result = binary("arith.mulf", result,
                      broadcast(correction, result.type().cast<VectorType>()));
    return made;
  }

  void multiplyValues(std::vector<QueryState>& states,
                      const std::vector<std::vector<Value>>& probabilities, Value buffer) {
    const int64_t high = plan_.result->m;
    for (size_t i = 0; i < probabilities[0].size(); ++i)
      for (size_t e = 0; e < states[0].results.size(); ++e) {
        const Value values =
            fragment(valueTile_, a_.value, buffer, static_cast<int64_t>(e) * high, high,
                     static_cast<int64_t>(i) * rows_, rows_);
        for (size_t j = 0; j < states.size(); ++j) {
          Value& result = states[j].results[e];
          result = contract(values, probabilities[j][i], result, {0, 2}, {2, 1});
        }
      }
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
    if (!a_.after) return writeTile(a_.o, a_.mapO, tile, convert(result, a_.sum));
    linalg::StructuredOp after = a_.after;
    const Tile own = tileOfAfter(tile);
    Known known;
    for (unsigned i = 0; i < after->numOperands(); ++i)
      if (after->operand(i) == a_.o && after.bodyArgument(i)) known[after.bodyArgument(i)] = result;
    const Value to = after.outputs()[0];
    const Value made = computeTile(after, own, known);
    writeTile(to, after.indexingMaps().back(), own, convert(made, elementTypeOrSelf(to.type())));
  }

  /// Loops of the op on the result are the dimensions of the result.
  Tile tileOfAfter(const Tile& tile) const {
    Tile own = tile;
    own.starts.clear();
    for (unsigned i = 0; i < a_.mapO.numResults(); ++i) {
      const unsigned loop = a_.mapO.result(i).position();
      own.starts.push_back(tile.starts[loop]);
      if (const int dim = tile.dimOf(loop); dim >= 0) own.loops[dim] = i;
    }
    return own;
  }

  const Attention& a_;
  const AttentionPlan& plan_;
  const int64_t rows_, columns_;  ///< keys and queries of a tile of scores
  const Type f32_;
  std::vector<Value> starts_;  ///< of the loops of the head; others are set where they are known
  Value blocks_, firstQuery_, keys_, zero_, keyTile_, valueTile_;
  std::vector<Share> keyShares_, valueShares_;
  std::vector<Value> queryStarts_;
  std::vector<std::vector<Value>> queries_;  ///< fragments of each tile
};

}  // namespace

void createAttentionLaunch(const Attention& attention, const AttentionPlan& plan) {
  AttentionWriter(attention, plan).write();
}

}  // namespace airlite::gpu
