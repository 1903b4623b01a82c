#include "airlite/npu/device/Registers.hpp"

#include <charconv>
#include <iterator>

namespace airlite::npu {
namespace {

#include "RegisterTables.inc"

std::string_view before(const RegisterRow& row) {
  const std::string_view pattern = row.pattern;
  return pattern.substr(0, pattern.find('#'));
}

std::string_view after(const RegisterRow& row) {
  const std::string_view pattern = row.pattern;
  const size_t mark = pattern.find('#');
  return mark == pattern.npos ? std::string_view() : pattern.substr(mark + 1);
}

bool isIn(const RegisterRow& row, Generation generation) {
  return row.generations & (generation == Generation::Aie2 ? 1 : 2);
}

/// The number of `name` in the series of `row`, counted from 0.
std::optional<uint32_t> indexIn(const RegisterRow& row, std::string_view name) {
  if (row.count == 1) return name == row.pattern ? std::optional(0u) : std::nullopt;
  const auto head = before(row), tail = after(row);
  if (name.size() <= head.size() + tail.size()) return std::nullopt;
  if (!name.starts_with(head) || !name.ends_with(tail)) return std::nullopt;
  const auto digits = name.substr(head.size(), name.size() - head.size() - tail.size());
  if (digits.size() > 1 && digits[0] == '0') return std::nullopt;
  uint32_t number = 0;
  const auto end = digits.data() + digits.size();
  const auto parsed = std::from_chars(digits.data(), end, number);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  if (number < row.first || number - row.first >= row.count) return std::nullopt;
  return number - row.first;
}

std::optional<uint32_t> indexAt(const RegisterRow& row, uint32_t offset) {
  if (row.count == 1) return offset == row.offset ? std::optional(0u) : std::nullopt;
  if (offset < row.offset || (offset - row.offset) % row.stride) return std::nullopt;
  const uint32_t index = (offset - row.offset) / row.stride;
  return index < row.count ? std::optional(index) : std::nullopt;
}

}  // namespace

std::string Register::name() const {
  if (row->count == 1) return row->pattern;
  return std::string(before(*row)) + std::to_string(row->first + index).append(after(*row));
}

std::span<const FieldRow> Register::fields() const {
  return std::span(fieldRows).subspan(row->fieldsBegin, row->fieldCount);
}

const FieldRow* Register::field(std::string_view name) const {
  for (const auto& field : fields())
    if (name == field.name) return &field;
  return nullptr;
}

std::span<const RegisterRow> registerRows(TileKind kind) {
  if (kind == TileKind::Core) return rowsCore;
  if (kind == TileKind::Mem) return rowsMem;
  return rowsShim;
}

std::optional<Register> registerAt(TileKind kind, Generation generation, uint32_t offset) {
  for (const auto& row : registerRows(kind)) {
    if (row.offset > offset) break;  // ordered by offset
    if (!isIn(row, generation)) continue;
    if (const auto index = indexAt(row, offset)) return Register{&row, *index};
  }
  return std::nullopt;
}

std::optional<Register> registerNamed(TileKind kind, Generation generation, std::string_view name) {
  for (const auto& row : registerRows(kind)) {
    if (!isIn(row, generation)) continue;
    if (const auto index = indexIn(row, name)) return Register{&row, *index};
  }
  return std::nullopt;
}

}  // namespace airlite::npu
