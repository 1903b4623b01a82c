// Each format as a tree of text and back. Registers go by the names of one generation.
#pragma once

#include "airlite/npu/device/Registers.hpp"
#include "airlite/npu/image/Cdo.hpp"
#include "airlite/npu/image/CoreElf.hpp"
#include "airlite/npu/image/Pdi.hpp"
#include "airlite/npu/image/Txn.hpp"
#include "airlite/npu/image/XclbinSections.hpp"
#include "image/TextTree.hpp"

#include <optional>

namespace airlite::npu {

TextNode toText(const Cdo& cdo, Generation generation);
TextNode toText(const Pdi& pdi, Generation generation);
TextNode toText(const Txn& txn, Generation generation);
TextNode toText(const LegacyStream& stream);
TextNode toText(const CoreElf& elf);
TextNode toText(const Xclbin& file, Generation generation);

Cdo cdoOfText(const TextNode& node, Generation generation, std::optional<Error>& refusal);
Pdi pdiOfText(const TextNode& node, Generation generation, std::optional<Error>& refusal);
Txn txnOfText(const TextNode& node, Generation generation, std::optional<Error>& refusal);
LegacyStream legacyOfText(const TextNode& node, std::optional<Error>& refusal);
CoreElf elfOfText(const TextNode& node, std::optional<Error>& refusal);
Xclbin xclbinOfText(const TextNode& node, Generation generation, std::optional<Error>& refusal);

/// One operation as a line, for differences.
TextNode toText(const TxnOp& op, const Txn& txn, Generation generation);

}  // namespace airlite::npu
