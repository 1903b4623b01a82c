// What a wave of attention computes with one block of keys and values.
#pragma once

#include "AttentionMemory.hpp"
#include "airlite/dialect/Arith.hpp"

#include <limits>
#include <numbers>

namespace airlite::gpu {

/// What goes from one block of keys to the next, for each tile of queries.
struct QueryState {
  Value most;                  ///< greatest score of each query
  Value sum;                   ///< of the exponentials, in the lanes that made them
  std::vector<Value> results;  ///< tiles of columns x queries
};
/// One class: each step is a few lines, on the same tiles.
class AttentionBlock : public AttentionMemory {
 protected:
  using AttentionMemory::AttentionMemory;
  static constexpr double kLog2E = std::numbers::log2e;
  static constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

  Value splat(VectorType type, double number) {
    return broadcast(builder_.constant(location(), numberAttr(type.elementType(), number)), type);
  }

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
    if (!a_.limit && mayEnd)
      limits =
          narrow(broadcast(binary("arith.subi", keys_, first), vectorType({columns_}, index_())));
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
      // A limit leaves no key past the end.
      if (isKey && !a_.limit)
        scores[i] = choose(isKey, scores[i], splat(tileType(tile, f32_), kMinusInfinity));
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
    const Value ones =
        broadcast(builder_.constant(location(), IntegerAttr::getBool(context(), true)), type);
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
                {builder_.named("kind", DialectAttr::getKeyword(context(), "vector.kind", kind)),
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
      result =
          binary("arith.mulf", result, broadcast(correction, result.type().cast<VectorType>()));
    return made;
  }

  void multiplyValues(std::vector<QueryState>& states,
                      const std::vector<std::vector<Value>>& probabilities, Value buffer) {
    const int64_t high = plan_.result->m;
    for (size_t i = 0; i < probabilities[0].size(); ++i)
      for (size_t e = 0; e < states[0].results.size(); ++e) {
        const Value values = fragment(valueTile_, a_.value, buffer, static_cast<int64_t>(e) * high,
                                      high, static_cast<int64_t>(i) * rows_, rows_);
        for (size_t j = 0; j < states.size(); ++j) {
          Value& result = states[j].results[e];
          result = contract(values, probabilities[j][i], result, {0, 2}, {2, 1});
        }
      }
  }
  Value keys_;                               ///< how many there are
  std::vector<Value> queryStarts_;           ///< of each tile of queries
  std::vector<std::vector<Value>> queries_;  ///< their fragments
};

}  // namespace airlite::gpu
