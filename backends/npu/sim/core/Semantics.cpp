#include "Semantics.hpp"

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

/// Forms that share a mnemonic with others of another meaning. `mov r, SS` and `mov ms, r` are
/// streams; a sparse operand makes a multiplication another one.
std::string keyOf(const isa::FormRow& form) {
  std::string_view text = form.text;
  if (text.ends_with(", SS")) return std::string(form.mnemonic()) + " SS";
  if (text.ends_with(", SCD")) return std::string(form.mnemonic()) + " SCD";
  if (text.starts_with("vmov MCD")) return "vmov MCD";
  if (text.find(" ms, ") != text.npos) {
    bool fromRegister = text.ends_with("$tlast");
    return std::string(form.mnemonic()) + (fromRegister ? " ms tlast" : " ms");
  }
  if (text.ends_with(", cntr")) return "mov cntr";
  if (text.find("qxs2") != text.npos) return std::string(form.mnemonic()) + " sparse";
  return withoutDimensions(form.mnemonic());
}

std::array<const Semantic*, isa::kFormCount> makeTable() {
  const Groups groups = allGroups();
  std::array<const Semantic*, isa::kFormCount> table{};
  for (unsigned form = 0; form < isa::kAie2FormCount; ++form) {
    auto found = groups.find(keyOf(row(static_cast<isa::Form>(form))));
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
