// Types, index values and pieces of buffers as text.
#include "WriteState.hpp"

#include <algorithm>

namespace airlite::testing::writing {

namespace {

std::string affineValue(WriteState& writer, const Expr& expr) {
  Strings dims, operands;
  std::string sum;
  for (auto [coordinate, factor] : expr.terms) {
    std::string dim = fmt::format("d{}", dims.size());
    dims.push_back(dim);
    operands.push_back(writer.scope->coordinates.at(coordinate));
    sum += (sum.empty() ? "" : " + ") + (factor == 1 ? dim : fmt::format("{} * {}", dim, factor));
  }
  if (expr.constant) sum += fmt::format(" + {}", expr.constant);
  std::string result = writer.fresh("v");
  writer.line("{} = affine.apply affine_map<({}) -> ({})>({})", result, joined(dims), sum,
              joined(operands));
  writer.scope->dims.insert(result);
  return result;
}

/// In a list: a number where it is one.
std::string entry(WriteState& writer, const Expr& expr) {
  return expr.terms.empty() ? std::to_string(expr.constant) : value(writer, expr);
}

std::string rowsOf(WriteState& writer, const Piece& piece) {
  if (!piece.limit) return std::to_string(piece.height);
  if (piece.limited.terms.empty())
    return std::to_string(std::min(piece.height, piece.limit - piece.limited.constant));
  std::string first = value(writer, piece.limited);
  if (!writer.scope->dims.count(first) || writer.random.chance(50)) {
    // One after the other: arguments are evaluated in any order, and names would differ.
    std::string rest = binary(writer, "subi", constant(writer, piece.limit), first);
    return binary(writer, "minsi", constant(writer, piece.height), rest);
  }
  std::string result = writer.fresh("v");
  writer.line("{} = affine.min affine_map<(d0) -> ({}, -d0 + {})>({})", result, piece.height,
              piece.limit, first);
  return result;
}

bool isWhole(const WriteState& writer, const Piece& piece) {
  const Resource& r = resource(writer, piece.buffer);
  return piece.row.terms.empty() && piece.row.constant == 0 && !piece.limit && !piece.transposed &&
         piece.height == r.rows && writer.plan.width == r.columns;
}

}  // namespace

const Resource& resource(const WriteState& writer, int index) {
  return writer.plan.resources[static_cast<size_t>(index)];
}

std::string typeOf(const WriteState& writer, int buffer) {
  const Resource& r = resource(writer, buffer);
  std::string space = r.space ? fmt::format(", {}", r.space) : "";
  return fmt::format("memref<{}x{}x{}{}>", r.rows, r.columns, writer.plan.element, space);
}

const std::string& name(WriteState& writer, int buffer) { return writer.scope->buffers.at(buffer); }

std::string constant(WriteState& writer, const std::string& value, const std::string& type) {
  std::string& known = writer.scope->constants[value + type];
  if (!known.empty()) return known;
  known = type == "index" ? writer.fresh(("c" + value + "_").c_str()) : writer.fresh("k");
  writer.scope->header.append(2 * writer.base, ' ');
  writer.scope->header += fmt::format("{} = arith.constant {} : {}\n", known, value, type);
  return known;
}

std::string constant(WriteState& writer, int64_t value) {
  return constant(writer, std::to_string(value), "index");
}

std::string element(WriteState& writer, int64_t value) {
  bool isFloat = writer.plan.element[0] == 'f';
  return constant(writer, fmt::format("{}{}", value, isFloat ? ".5" : ""), writer.plan.element);
}

std::string binary(WriteState& writer, const char* op, const std::string& a, const std::string& b) {
  std::string result = writer.fresh("v");
  writer.line("{} = arith.{} {}, {} : index", result, op, a, b);
  return result;
}

std::string value(WriteState& writer, const Expr& expr) {
  if (expr.terms.empty()) return constant(writer, expr.constant);
  bool isPlain = expr.terms.size() == 1 && expr.terms[0].second == 1 && expr.constant == 0;
  if (isPlain) return writer.scope->coordinates.at(expr.terms[0].first);
  bool isAffine = true;
  for (auto [coordinate, factor] : expr.terms)
    isAffine = isAffine && writer.scope->dims.count(writer.scope->coordinates.at(coordinate));
  if (isAffine && writer.random.chance(60)) return affineValue(writer, expr);
  std::string sum;
  for (auto [coordinate, factor] : expr.terms) {
    std::string term = writer.scope->coordinates.at(coordinate);
    if (factor != 1) term = binary(writer, "muli", term, constant(writer, factor));
    sum = sum.empty() ? term : binary(writer, "addi", sum, term);
  }
  return expr.constant ? binary(writer, "addi", sum, constant(writer, expr.constant)) : sum;
}

std::string access(WriteState& writer, const Piece& piece) {
  if (isWhole(writer, piece) && writer.random.chance(60))
    return name(writer, piece.buffer) + "[] [] []";
  int64_t columns = resource(writer, piece.buffer).columns;
  std::string row = entry(writer, piece.row), rows = rowsOf(writer, piece);
  if (piece.transposed)
    return fmt::format("{}[{}, {}] [{}, {}] [1, {}]", name(writer, piece.buffer), piece.column, row,
                       writer.plan.width, rows, columns);
  if (writer.random.chance(12))
    return fmt::format("{}[0, {}, {}] [1, {}, {}] [{}, {}, 1]", name(writer, piece.buffer), row,
                       piece.column, rows, writer.plan.width,
                       columns * resource(writer, piece.buffer).rows, columns);
  return fmt::format("{}[{}, {}] [{}, {}] [{}, 1]", name(writer, piece.buffer), row, piece.column,
                     rows, writer.plan.width, columns);
}

}  // namespace airlite::testing::writing
