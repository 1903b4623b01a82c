// Relocations: rows, and the bits they change.
#include "airlite/npu/isa/Relocations.hpp"

#include <fmt/format.h>

namespace airlite::npu::isa {
namespace {

constexpr RelocationRow kAie2Rows[] = {
#include "aie2/Relocations.inc"
};
constexpr RelocationRow kAie2pRows[] = {
#include "aie2p/Relocations.inc"
};

unsigned slotLsb(Format format, Slot slot) {
  for (const SlotPlace& place : row(format).places())
    if (place.slot == slot) return place.lsb;
  return 0;
}

bool hasPiece(const RelocationRow& reloc, const BitPiece& piece, unsigned slotLsb) {
  for (const RelocationField& field : reloc.fields)
    if (field.width == piece.width && field.value == piece.operand &&
        field.bundle == slotLsb + piece.word)
      return true;
  return false;
}

unsigned fieldCount(const RelocationRow& reloc) { return reloc.fields[1].width ? 2 : 1; }

bool matches(const RelocationRow& reloc, const OperandRow& op, unsigned lsb) {
  if (fieldCount(reloc) != op.pieceCount) return false;
  for (unsigned i = 0; i < op.pieceCount; ++i)
    if (!hasPiece(reloc, op.pieces[i], lsb)) return false;
  return true;
}

bool isData(const RelocationRow& reloc) {
  return reloc.kind == RelocationKind::Data20 || reloc.kind == RelocationKind::Data32;
}

bool inRange(const RelocationRow& reloc, int64_t value) {
  if (reloc.kind == RelocationKind::Data32) return value >= INT32_MIN && value <= UINT32_MAX;
  return value >= 0 && value < 1 << 20;
}

}  // namespace

std::span<const RelocationRow> relocations(const InstructionSet& set) {
  if (&set == &aie2()) return kAie2Rows;
  return kAie2pRows;
}

std::optional<uint8_t> relocationFor(Format format, Form form, unsigned operand) {
  const FormRow& f = row(form);
  const OperandRow& op = f.operands[operand];
  if (op.kind != OperandKind::Immediate) return std::nullopt;
  for (const RelocationRow& reloc : relocations(setOf(format))) {
    bool target = reloc.kind == RelocationKind::Target;
    if (isData(reloc) || reloc.bytes != row(format).bytes || target != immediate(op.type).isTarget)
      continue;
    if (matches(reloc, op, slotLsb(format, f.slot))) return reloc.number;
  }
  return std::nullopt;
}

Result<void> relocate(uint8_t number, std::span<std::byte> bytes, int64_t value,
                      const InstructionSet& set) {
  const std::span<const RelocationRow> rows = relocations(set);
  if (number >= rows.size()) return Error{fmt::format("unknown relocation R_AIE_{}", number)};
  const RelocationRow& reloc = rows[number];
  if (bytes.size() < reloc.bytes)
    return Error{
        fmt::format("R_AIE_{} changes {} bytes, here are {}", number, reloc.bytes, bytes.size())};
  if (!inRange(reloc, value))
    return Error{fmt::format("R_AIE_{}: {:#x} is out of range", number, value)};
  Word128 word;
  for (unsigned i = 0; i < reloc.bytes; ++i)
    word.set(i * 8, 8, static_cast<uint64_t>(bytes[i]));
  for (const RelocationField& field : reloc.fields)
    if (field.width)
      word.set(field.bundle, field.width, static_cast<uint64_t>(value) >> field.value);
  for (unsigned i = 0; i < reloc.bytes; ++i)
    bytes[i] = static_cast<std::byte>(word.get(i * 8, 8));
  return {};
}

}  // namespace airlite::npu::isa
