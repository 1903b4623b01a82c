#include "airlite/npu/image/Text.hpp"

#include "image/FormatText.hpp"

#include <fmt/format.h>

namespace airlite::npu {
namespace {

constexpr const char* generationKey = "names";
constexpr uint8_t npu2Code = aie::findDevice("npu2")->chip.transactionCode;

std::string_view name(Generation generation) {
  return generation == Generation::Aie2 ? "aie2" : "aie2p";
}

template <class T, class... More> Result<TextNode> shown(const Result<T>& value, More... more) {
  if (!value) return value.error();
  return toText(*value, more...);
}

Result<TextNode> treeOf(ByteSpan bytes, Generation generation) {
  switch (imageKindOf(bytes)) {
    case ImageKind::CoreElf: return shown(readCoreElf(bytes));
    case ImageKind::Cdo: return shown(readCdo(bytes), generation);
    case ImageKind::Pdi: return shown(readPdi(bytes), generation);
    case ImageKind::Xclbin: return shown(readXclbin(bytes), generation);
    case ImageKind::Txn: return shown(readTxn(bytes), generation);
    case ImageKind::LegacyStream: return shown(readLegacyStream(bytes));
    case ImageKind::Unknown: break;
  }
  return unknownImage(bytes);
}

/// Nothing is written of what was refused: its sizes may be anything.
template <class T>
ByteVector written(const T& value, ByteVector (*write)(const T&), std::optional<Error>& refusal) {
  return refusal ? ByteVector() : write(value);
}

ByteVector bytesOf(const TextNode& tree, Generation generation, std::optional<Error>& refusal) {
  switch (imageKindNamed(tree.name)) {
    case ImageKind::CoreElf: return written(elfOfText(tree, refusal), writeCoreElf, refusal);
    case ImageKind::Cdo: return written(cdoOfText(tree, generation, refusal), writeCdo, refusal);
    case ImageKind::Pdi: return written(pdiOfText(tree, generation, refusal), writePdi, refusal);
    case ImageKind::Xclbin:
      return written(xclbinOfText(tree, generation, refusal), writeXclbin, refusal);
    case ImageKind::Txn: return written(txnOfText(tree, generation, refusal), writeTxn, refusal);
    case ImageKind::LegacyStream:
      return written(legacyOfText(tree, refusal), writeLegacyStream, refusal);
    case ImageKind::Unknown: break;
  }
  refusal = Error{fmt::format("no image is called {}", tree.name), tree.line};
  return {};
}

/// Takes the attribute off the tree: the formats do not know it.
Generation takeGeneration(TextNode& tree, std::optional<Error>& refusal) {
  for (size_t i = 0; i < tree.attributes.size(); ++i) {
    const auto [key, value] = tree.attributes[i];
    if (key != generationKey) continue;
    tree.attributes.erase(tree.attributes.begin() + long(i));
    if (value == name(Generation::Aie2p)) return Generation::Aie2p;
    if (value != name(Generation::Aie2))
      refusal =
          Error{fmt::format("{} is '{}', not aie2 or aie2p", generationKey, value), tree.line};
  }
  return Generation::Aie2;
}

bool hasRegisters(ImageKind kind) {
  return kind != ImageKind::CoreElf && kind != ImageKind::LegacyStream;
}

}  // namespace

Result<std::string> printImage(ByteSpan bytes, Generation generation) {
  const auto kind = imageKindOf(bytes);
  if (kind == ImageKind::Txn && bytes.size() > 2 && bytes[2] == npu2Code)
    generation = Generation::Aie2p;
  auto tree = treeOf(bytes, generation);
  if (!tree) return tree.error();
  if (hasRegisters(kind)) tree->add(generationKey, std::string(name(generation)));
  return printTree(*tree);
}

Result<ByteVector> assembleImage(std::string_view text) {
  auto tree = parseTree(text);
  if (!tree) return tree.error();
  std::optional<Error> refusal;
  const auto generation = takeGeneration(*tree, refusal);
  auto bytes = bytesOf(*tree, generation, refusal);
  if (refusal) return *refusal;
  return bytes;
}

}  // namespace airlite::npu
