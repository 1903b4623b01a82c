// Examples of the named structured ops, for the IR reference, made from their table.
#include "LinalgInternal.hpp"
#include "airlite/support/Text.hpp"

#include <algorithm>
#include <string>

namespace airlite::linalg {

namespace {

/// Windows are 3 wide; parallel loops have 4, 8, 16 ... steps, the others 128, 8.
int64_t stepsOf(const NamedOp& row, char loop) {
  auto at = static_cast<size_t>(loop - '0');
  if (row.maps.find(std::string("+d") + loop) != std::string_view::npos) return 3;
  char kind = row.iterators[at];
  auto before =
      std::count(row.iterators.begin(), row.iterators.begin() + static_cast<long>(at), kind);
  if (kind == 'p') return int64_t(4) << before;
  return before == 0 ? 128 : 8;
}

/// What `d1*s0+d4*t0` reaches when strides and dilations are 1.
int64_t extentOf(const NamedOp& row, std::string_view sum) {
  int64_t last = 0;
  for (std::string_view term : split(sum, '+'))
    last += stepsOf(row, trim(term)[1]) - 1;
  return last + 1;
}

size_t inputsOf(const NamedOp& row) { return row.inputs ? row.inputs : 2; }

std::string_view elementOf(const NamedOp& row, size_t operand) {
  if (row.inputs == 4) return operand < 2 ? "i8" : "i32";
  if (row.mnemonic.ends_with("_unsigned")) return "i32";
  return row.mnemonic == "select" && operand == 0 ? "i1" : "f32";
}

std::string typeOf(const NamedOp& row, size_t operand, std::string_view map) {
  std::string element(elementOf(row, operand)), shape;
  if (!trim(map).empty())
    for (std::string_view sum : split(map, ','))
      shape += std::to_string(extentOf(row, sum)) + 'x';
  bool isScalar = shape.empty() && operand < inputsOf(row);
  return isScalar ? element : "memref<" + shape + element + '>';
}

std::vector<std::string> typesOf(const NamedOp& row) {
  std::vector<std::string> types;
  if (row.rule == MapRule::Table || row.rule == MapRule::Given) {
    for (std::string_view map : split(row.maps, ';'))
      types.push_back(typeOf(row, types.size(), map));
    return types;
  }
  for (size_t i = 0; i < inputsOf(row); ++i)
    types.push_back((row.rule == MapRule::Fill ? "" : "memref<4x8x") +
                    std::string(elementOf(row, i)) + (row.rule == MapRule::Fill ? "" : ">"));
  types.push_back("memref<4x8x" + std::string(elementOf(row, inputsOf(row))) + '>');
  return types;
}

/// The maps of the row as an attribute.
std::string mapsAttributeOf(const NamedOp& row) {
  std::string dims, maps;
  for (size_t i = 0; i < row.iterators.size(); ++i)
    dims += (i ? ", d" : "d") + std::to_string(i);
  for (std::string_view map : split(row.maps, ';'))
    maps += (maps.empty() ? "affine_map<(" : ", affine_map<(") + dims + ") -> (" +
            std::string(trim(map)) + ")>";
  return " indexing_maps = [" + maps + ']';
}

std::string attributesOf(const NamedOp& row) {
  if (row.inputs == 0) return " kind=#linalg.elementwise_kind<mul>";
  if (row.rule == MapRule::Given) return mapsAttributeOf(row);
  if (row.mnemonic == "elemwise_unary") return " {fun = #linalg.unary_fn<tanh>}";
  if (row.mnemonic == "elemwise_binary") return " {fun = #linalg.binary_fn<mul>}";
  unsigned rank = windowRank(row);
  if (rank == 0) return "";
  std::string ones = "dense<1> : tensor<" + std::to_string(rank) + "xi64>";
  return " {dilations = " + ones + ", strides = " + ones + '}';
}

std::string makeExample(const NamedOp& row) {
  std::vector<std::string> types = typesOf(row);
  std::string values, inputTypes;
  for (size_t i = 0; i < inputsOf(row); ++i) {
    values += (i ? ", %" : "%") + std::string(1, static_cast<char>('a' + i));
    inputTypes += (i ? ", " : "") + types[i];
  }
  return "linalg." + std::string(row.mnemonic) + attributesOf(row) + " ins(" + values + " : " +
         inputTypes + ") outs(%out : " + types.back() + ')';
}

}  // namespace

std::string namedExample(std::string_view opName) {
  std::string_view mnemonic = opName.substr(opName.find('.') + 1);
  for (const NamedOp& row : namedOps())
    if (row.mnemonic == mnemonic) return makeExample(row);
  return {};
}

}  // namespace airlite::linalg
