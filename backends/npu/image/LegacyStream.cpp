#include "airlite/npu/image/Txn.hpp"
#include "image/ByteIo.hpp"

#include <fmt/format.h>

namespace airlite::npu {
namespace {

struct LegacyLayout {
  uint8_t code;
  const char* name;
  unsigned dataWords;
};
constexpr LegacyLayout legacyLayouts[] = {{2, "write", 2}, {3, "sync", 1}, {6, "shimbd", 9}};

const LegacyLayout* layoutOf(uint8_t code) {
  for (const auto& layout : legacyLayouts)
    if (layout.code == code) return &layout;
  return nullptr;
}

LegacyOp takeOp(ByteReader& in) {
  const uint64_t start = in.at();
  const uint32_t head = in.word("an operation");
  LegacyOp op{.code = uint8_t(head >> 24), .tag = head & 0xFFFFFF};
  const auto* layout = layoutOf(op.code);
  if (!layout)
    in.refuseAt(start, fmt::format("not supported: operation {:#x} of a legacy stream", op.code));
  if (layout) op.data = in.words(layout->dataWords, layout->name);
  return op;
}

}  // namespace

std::optional<unsigned> legacyDataWords(uint8_t code) {
  const auto* layout = layoutOf(code);
  return layout ? std::optional(layout->dataWords) : std::nullopt;
}

const char* legacyName(uint8_t code) {
  const auto* layout = layoutOf(code);
  return layout ? layout->name : nullptr;
}

ByteVector writeLegacyStream(const LegacyStream& stream) {
  ByteWriter out;
  out.words(stream.prolog);
  for (const auto& op : stream.ops) {
    out.word(uint32_t(op.code) << 24 | op.tag);
    out.words(op.data);
  }
  return out.take();
}

Result<LegacyStream> readLegacyStream(ByteSpan bytes) {
  LegacyStream stream;
  ByteReader in(bytes);
  for (auto& word : stream.prolog)
    word = in.word("the prolog");
  while (in.ok() && in.left() > 0)
    stream.ops.push_back(takeOp(in));
  if (!in.ok()) return in.error();
  return stream;
}

}  // namespace airlite::npu
