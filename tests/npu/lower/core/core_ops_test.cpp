// docs/npu_core_ir.md shows the table of npu/device/CoreOps.hpp: a row of the page for each of its rows.
#include "airlite/npu/device/CoreOps.hpp"
#include "support/catch_all.hpp"

#include <fmt/format.h>

#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace airlite::npu {
namespace {

using Names = std::vector<std::pair<unsigned, const char*>>;

std::string listed(unsigned set, const Names& names) {
  std::string text;
  for (const auto& [kind, name] : names)
    if (set & kind) text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

std::string scalarsOf(const CoreOp& op) {
  if (op.values == CoreValue::kAny) return "any";
  return listed(op.values, {{CoreValue::Integer, "integers"},
                            {CoreValue::Float, "floats"},
                            {CoreValue::Memory, "memory"},
                            {CoreValue::Other, "locks"}});
}

std::string vectorsOf(const CoreOp& op) {
  if (op.values == CoreValue::kAny) return "any";
  return listed(op.values, {{CoreValue::Integers, "integers"},
                            {CoreValue::Floats, "floats"},
                            {CoreValue::Bools, "masks"},
                            {CoreValue::Tiles, "tiles"}});
}

std::string lanesOf(const CoreOp& op) {
  return listed(op.lanes, {{LaneElement::Integers, "i8, i16, i32"},
                           {LaneElement::F32, "f32"},
                           {LaneElement::Bf16, "bf16"}});
}

/// A row without the blanks before empty columns.
std::string rowOf(const CoreOp& op) {
  std::string row = fmt::format("| `{}` |", op.name);
  for (const std::string& column : {scalarsOf(op), vectorsOf(op), lanesOf(op)})
    row += column.empty() ? " |" : " " + column + " |";
  return row;
}

std::string tableOfPage() {
  std::ifstream page(AIRLITE_SOURCE_DIR "/docs/npu_core_ir.md");
  std::string line, table;
  bool isInTable = false;
  while (std::getline(page, line)) {
    if (line.starts_with("## ")) isInTable = line == "## Table of ops";
    if (isInTable && line.starts_with("| `")) table += line + "\n";
  }
  return table;
}

TEST_CASE("docs/npu_core_ir.md shows the table of what a core can do") {
  std::string expected;
  for (const CoreOp& op : core_ops::kRows)
    expected += rowOf(op) + "\n";
  CHECK(tableOfPage() == expected);
}

TEST_CASE("each op of a core has one row") {
  for (const CoreOp& op : core_ops::kRows)
    CHECK(findCoreOp(op.name) == &op);
  CHECK(findCoreOp("arith.remf") == nullptr);
}

}  // namespace
}  // namespace airlite::npu
