#include "ProgramMemory.hpp"

#include "airlite/npu/isa/Bundle.hpp"
#include "airlite/npu/isa/Disassembler.hpp"
#include "airlite/npu/isa/Timing.hpp"

#include <algorithm>

namespace airlite::npu::sim::core {
namespace {

DecodedBundle faulty(std::string why) {
  DecodedBundle bundle;
  bundle.fault = std::move(why);
  return bundle;
}

}  // namespace

void ProgramMemory::write(uint32_t offset, std::span<const uint8_t> bytes) {
  for (size_t i = 0; i < bytes.size() && offset + i < programBytes; ++i) {
    bytes_[offset + i] = static_cast<std::byte>(bytes[i]);
    written_.set(offset + i);
  }
  uint32_t first = offset > isa::kMaxBundleBytes ? offset - isa::kMaxBundleBytes : 0;
  size_t last = std::min<size_t>(offset + bytes.size() + 1, programBytes);
  for (size_t address = first & ~1u; address < last; address += 2)
    if (decoded_[address / 2]) replaced_.push_back(std::move(decoded_[address / 2]));
}

const DecodedBundle& ProgramMemory::at(uint32_t address) {
  if (address >= programBytes || address % 2)
    return outside_ = faulty(address % 2 ? "odd program address" : "outside program memory");
  std::unique_ptr<DecodedBundle>& bundle = decoded_[address / 2];
  if (!bundle) bundle = std::make_unique<DecodedBundle>(decode(address));
  return *bundle;
}

bool ProgramMemory::isWritten(uint32_t address, unsigned count) const {
  for (unsigned i = 0; i < count; ++i)
    if (address + i >= programBytes || !written_.test(address + i)) return false;
  return true;
}

bool ProgramMemory::mayRelease(unsigned lock) const {
  uint32_t end = 0;
  while (end < programBytes && written_.test(end))
    ++end;
  for (const auto& [address, bundle, line] :
       isa::disassemble(std::span(bytes_).first(end), 0, set_).program.bundles) {
    const isa::Instruction* alu = bundle.find(isa::Slot::Alu);
    if (!alu || !isLock(*alu) || !alu->row().mnemonic().starts_with("rel")) continue;
    const bool isImmediate = alu->row().operands[0].kind == isa::OperandKind::Immediate;
    if (!isImmediate || alu->imm(0) == int32_t(lock)) return true;
  }
  return false;
}

DecodedBundle ProgramMemory::decode(uint32_t address) const {
  if (!isWritten(address, 1) || !isWritten(address, isa::bundleSize(bytes_[address], set_)))
    return faulty("program memory is not initialised");
  auto bundle = isa::Bundle::decode(std::span(bytes_).subspan(address), set_);
  if (!bundle) return faulty("no bundle: " + bundle.error().message);
  DecodedBundle decoded;
  decoded.bytes = static_cast<uint8_t>(bundle->size());
  for (const isa::Instruction& instruction : bundle->instructions()) {
    if (instruction.isNop()) continue;
    if (!makeOperation(instruction, decoded.operations[decoded.count++]))
      return faulty("no semantics: " + std::string(instruction.row().name));
  }
  return decoded;
}

}  // namespace airlite::npu::sim::core
