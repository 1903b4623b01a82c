// What the tests of this room share: bytes from text, random legal instructions and bundles.
#pragma once

#include "airlite/npu/isa/Bundle.hpp"
#include "airlite/npu/isa/Text.hpp"
#include "airlite/support/SplitMix64.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace airlite::npu::isa {

inline std::vector<std::byte> bytesOf(std::string_view hex) {
  std::vector<std::byte> bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes.push_back(static_cast<std::byte>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
  return bytes;
}

inline std::vector<std::byte> bytesOf(const Bundle& bundle) {
  std::vector<std::byte> bytes(bundle.size());
  bundle.encode(bytes.data());
  return bytes;
}

/// Every code of the class has the same chance.
inline Value randomRegister(OperandType type, SplitMix64& random) {
  for (;;)
    if (auto reg = registerOf(type, random.next() % (1u << regClass(type).width)))
      return Value::of(*reg);
}

inline Value randomImmediate(OperandType type, SplitMix64& random) {
  const ImmediateRow& range = immediate(type);
  int64_t count = (int64_t{range.largest} - range.smallest) / range.step + 1;
  auto index = static_cast<int64_t>(random.next() % static_cast<uint64_t>(count));
  return Value::of(static_cast<int32_t>(range.smallest + index * range.step));
}

inline Instruction randomInstruction(Form form, SplitMix64& random) {
  const FormRow& f = row(form);
  std::vector<Value> values;
  std::map<char, Value> byLetter;  // `mac r0, r0, r1, r2` names a register twice
  for (unsigned i = 0; i < f.textCount; ++i) {
    const OperandRow& op = f.operands[f.textOrder[i]];
    if (op.kind == OperandKind::Register)
      values.push_back(
          byLetter.try_emplace(op.letter, randomRegister(op.type, random)).first->second);
    if (op.kind == OperandKind::Immediate) values.push_back(randomImmediate(op.type, random));
  }
  return *Instruction::make(form, values);
}

inline Form randomForm(const InstructionSet& set, SplitMix64& random) {
  return set.formAt(random.next() % set.forms.size());
}

inline Format randomFormat(const InstructionSet& set, SplitMix64& random) {
  return set.formatAt(random.next() % set.formats.size());
}

inline Bundle randomBundle(Format format, SplitMix64& random) {
  Bundle bundle(format);
  for (const SlotPlace& place : row(format).places()) {
    std::span<const Form> choice = formsOf(place.slot, setOf(format));
    bundle.replace(randomInstruction(choice[random.next() % choice.size()], random));
  }
  return bundle;
}

/// A test that names `set` runs once for each instruction set.
#define AIRLITE_EACH_SET(set)                                             \
  const airlite::npu::isa::InstructionSet& set =                          \
      *GENERATE(&airlite::npu::isa::aie2(), &airlite::npu::isa::aie2p()); \
  INFO(set.name)

}  // namespace airlite::npu::isa
