#include "airlite/npu/isa/Disassembler.hpp"

#include "airlite/npu/isa/Text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

namespace airlite::npu::isa {
namespace {

std::string hexBytes(std::span<const std::byte> bytes) {
  std::string text;
  for (std::byte b : bytes)
    text += fmt::format("{:02x}", static_cast<unsigned>(b));
  return text;
}

/// The addresses that jumps name, when a bundle begins there.
std::set<int64_t> jumpTargets(const Program& program) {
  std::set<int64_t> targets;
  for (const ProgramBundle& b : program.bundles)
    for (const Instruction& instruction : b.bundle.instructions()) {
      const FormRow& form = instruction.row();
      for (unsigned i = 0; i < form.operandCount; ++i) {
        const OperandRow& op = form.operands[i];
        if (op.kind != OperandKind::Immediate || !immediate(op.type).isTarget) continue;
        if (program.indexAt(instruction.imm(i)) < program.bundles.size())
          targets.insert(instruction.imm(i));
      }
    }
  return targets;
}

class Labels : public SymbolNames {
 public:
  explicit Labels(const Program& program) : targets_(jumpTargets(program)) {}
  std::string nameOf(int64_t address) const override {
    return targets_.contains(address) ? fmt::format("L{:04x}", address) : "";
  }

 private:
  std::set<int64_t> targets_;
};

std::string byteLine(std::span<const std::byte> bytes) {
  std::string text;
  for (std::byte b : bytes)
    text += fmt::format("{}{:#04x}", text.empty() ? ".byte " : ", ", static_cast<unsigned>(b));
  return text;
}

std::string lineOf(std::string_view statement, uint32_t address, std::string_view comment) {
  return fmt::format("  {:<60} // {:04x}: {}\n", statement, address, comment);
}

}  // namespace

Disassembly disassemble(std::span<const std::byte> bytes, uint32_t base,
                        const InstructionSet& set) {
  Disassembly out;
  for (uint32_t at = 0; at < bytes.size();) {
    Result<Bundle> bundle = Bundle::decode(bytes.subspan(at), set);
    if (bundle) {
      out.program.bundles.push_back({base + at, *bundle, 0});
      at += bundle->size();
      continue;
    }
    uint32_t size = std::min<uint32_t>(2, static_cast<uint32_t>(bytes.size()) - at);
    out.undecoded.push_back({base + at, size, bundle.error().message});
    at += size;
  }
  return out;
}

std::string printSource(const Disassembly& disassembly, std::span<const std::byte> bytes,
                        uint32_t base) {
  Labels labels(disassembly.program);
  std::string text;
  auto bad = disassembly.undecoded.begin();
  auto printBad = [&](uint32_t before) {
    for (; bad != disassembly.undecoded.end() && bad->address < before; ++bad)
      text += lineOf(byteLine(bytes.subspan(bad->address - base, bad->size)), bad->address,
                     bad->message);
  };
  for (const ProgramBundle& b : disassembly.program.bundles) {
    printBad(b.address);
    if (std::string label = labels.nameOf(b.address); !label.empty()) text += label + ":\n";
    text += lineOf(print(b.bundle, &labels), b.address,
                   hexBytes(bytes.subspan(b.address - base, b.bundle.size())));
  }
  printBad(UINT32_MAX);
  return text;
}

}  // namespace airlite::npu::isa
