#include "Semantics.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <unordered_map>

namespace airlite::npu::sim::core {
namespace {

using Groups = std::unordered_map<std::string_view, const Semantic*>;

Groups allGroups() {
  Groups all;
  for (auto group :
       {scalarSemantics(), moveSemantics(), controlSemantics(), waitingSemantics(),
        memorySemantics(), vectorAluSemantics(), vectorMoveSemantics(), shiftRoundSemantics(),
        conversionSemantics(), accumulateSemantics(), multiplySemantics()})
    for (const SemanticRow& row : group)
      all.emplace(row.mnemonic, &row.semantic);
  return all;
}

/// `vlda.2d.ups.s32.d8` is `vlda.ups.s32.d8` with another address.
std::string withoutDimensions(std::string_view mnemonic) {
  std::string text(mnemonic);
  for (std::string_view part : {".2d", ".3d"})
    if (size_t at = text.find(part); at != std::string::npos) text.erase(at, part.size());
  return text;
}

/// Masks, and exponents but for those of forms that isUnmodelled names.
constexpr isa::RegKind kUnmodelled[] = {
    isa::RegKind::Sparse320, isa::RegKind::Sparse352,  isa::RegKind::Sparse640,
    isa::RegKind::Sparse704, isa::RegKind::Sparse1280, isa::RegKind::Sparse1408,
    isa::RegKind::Bfp288,    isa::RegKind::Bfp576,     isa::RegKind::Bfp1152};

bool isUnmodelled(const isa::OperandRow& op, const isa::FormRow& form) {
  if (op.kind != isa::OperandKind::Register) return false;
  const isa::RegKind kind = row(isa::regClass(op.type).runs[0].first).kind;
  // Products of blocks, and what makes blocks.
  const bool hasBlocks = form.slot == isa::Slot::Vec || form.mnemonic().starts_with("vconv.");
  if (kind == isa::RegKind::Bfp576 && hasBlocks) return false;
  return std::ranges::find(kUnmodelled, kind) != std::end(kUnmodelled);
}

unsigned bitsOf(const isa::OperandRow& op) { return isa::regClass(op.type).bits; }

/// The forms of AIE2P that share a mnemonic with others of another meaning; empty: none.
std::string aie2pKeyOf(const isa::FormRow& form) {
  std::string_view text = form.text;
  const auto has = [&](std::string_view part) { return text.find(part) != text.npos; };
  const bool isMove = form.mnemonic() == "vmov";
  const auto isStrange = [&](const isa::OperandRow& op) { return isUnmodelled(op, form); };
  if (!isMove && std::ranges::any_of(form.ops(), isStrange)) return "bfp or sparse";
  if (has("scd") && !text.ends_with(", scd")) return "position in the cascade";
  if (has(".fx2flt") || has(".flt2fx")) return "fixed point";
  if (has("lf0") || has("fifo_reg") || has(", sf, ")) return "fifo";
  // Which half of a wider register is left as it was is not known.
  if (isMove && form.operandCount == 2 && bitsOf(form.operands[0]) > bitsOf(form.operands[1]))
    return "wider move";
  if (text == "paddxm [sp], $mod") return "paddxm register";
  if (has("$src[$imm]")) return std::string(form.mnemonic()) + " half";
  if (has(", #0, ")) return "vinsert 0." + std::string(form.mnemonic().substr(8));
  return "";
}

bool endsWith(std::string_view text, std::string_view end) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return text.size() >= end.size() &&
         std::ranges::equal(text.substr(text.size() - end.size()), end, {}, lower);
}

/// Forms that share a mnemonic with others of another meaning. `mov r, SS` and `mov ms, r` are
/// streams; a sparse operand makes a multiplication another one.
std::string keyOf(const isa::FormRow& form, bool isAie2p) {
  std::string_view text = form.text;
  if (isAie2p)
    if (std::string key = aie2pKeyOf(form); !key.empty()) return key;
  if (endsWith(text, ", ss")) return std::string(form.mnemonic()) + " SS";
  if (endsWith(text, ", scd")) return std::string(form.mnemonic()) + " SCD";
  if (endsWith(text.substr(0, 8), "vmov mcd")) return "vmov MCD";
  if (text.find(" ms, ") != text.npos) {
    bool fromRegister = text.ends_with("$tlast") || text.ends_with(", r28");
    return std::string(form.mnemonic()) + (fromRegister ? " ms tlast" : " ms");
  }
  if (text.ends_with(", cntr")) return "mov cntr";
  if (text.find("qxs2") != text.npos) return std::string(form.mnemonic()) + " sparse";
  return withoutDimensions(form.mnemonic());
}

std::array<const Semantic*, isa::kFormCount> makeTable() {
  const Groups groups = allGroups();
  std::array<const Semantic*, isa::kFormCount> table{};
  for (unsigned form = 0; form < isa::kFormCount; ++form) {
    auto found = groups.find(
        keyOf(row(static_cast<isa::Form>(form)), isAie2p(static_cast<isa::Form>(form))));
    if (found != groups.end()) table[form] = found->second;
  }
  return table;
}

}  // namespace

const Semantic* semanticOf(isa::Form form) {
  static const auto table = makeTable();
  return table[static_cast<unsigned>(form)];
}

}  // namespace airlite::npu::sim::core
