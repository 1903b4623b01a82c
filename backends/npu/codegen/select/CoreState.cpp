#include "CoreState.hpp"

#include "Queries.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/dialect/MemRef.hpp"

#include <algorithm>
#include <cstddef>

namespace airlite::npu::codegen {

uint32_t CoreState::calleeNumber(Operation& function) {
  for (uint32_t i = 0; i < callees.size(); ++i)
    if (callees[i].function == &function) return i;
  callees.push_back({std::string(func::FuncOp(&function).symName()), &function});
  return static_cast<uint32_t>(callees.size() - 1);
}

namespace {

/// Elements one after the other, i8 four to a word.
std::vector<uint32_t> initialWords(memref::GlobalOp global, int64_t bytes) {
  std::vector<uint32_t> words(static_cast<size_t>((bytes + 3) / 4));
  DenseElementsAttr value = global.initialValue();
  if (!value) return words;
  auto size = static_cast<size_t>(bytes / std::max<int64_t>(global.type().numElements(), 1));
  for (size_t i = 0; i < static_cast<size_t>(global.type().numElements()); ++i) {
    Attribute element = value.element(static_cast<int64_t>(i));
    uint64_t bits = 0;
    if (auto number = element.dynCast<IntegerAttr>()) bits = number.zext();
    if (auto number = element.dynCast<FloatAttr>())
      bits = floatToBits(number.type().cast<FloatType>().floatKind(), number.value());
    for (size_t b = 0; b < size; ++b) {
      size_t at = i * size + b;
      words[at / 4] |= static_cast<uint32_t>(bits >> (8 * b) & 0xff) << (8 * (at % 4));
    }
  }
  return words;
}

}  // namespace

std::optional<uint32_t> CoreState::globalAddress(Operation& op, Operation& use) {
  if (auto found = globals.find(&op); found != globals.end()) return found->second;
  memref::GlobalOp global(&op);
  const auto bytes = static_cast<uint32_t>(bytesOf(global.type()));
  auto start = global.isExternal() ? std::nullopt : place(bytes);
  if (!start) {
    auto error = use.emitOpError();
    error << "needs " << bytes << " bytes of the core's memory for @" << global.name();
    if (global.isExternal())
      error << ", which has no value";
    else
      error << "; there are " << surroundings.constantsSize.value - dataBytes;
    return std::nullopt;
  }
  data.push_back({std::string(global.name()), *start, initialWords(global, bytes)});
  globals[&op] = *start;
  return start;
}

std::optional<uint32_t> CoreState::place(uint32_t bytes) {
  const uint32_t alignment = surroundings.set == &isa::aie2() ? 32 : 64;  // of vectors
  const uint32_t start =
      (surroundings.constantsAddress + dataBytes + alignment - 1) / alignment * alignment;
  const uint32_t end = start + bytes - surroundings.constantsAddress;
  if (end > surroundings.constantsSize.value) return std::nullopt;
  dataBytes = end;
  return start;
}

std::optional<uint32_t> CoreState::lanesAddress(const LaneWords& words) {
  auto found = lanes.find(words);
  if (found != lanes.end()) return found->second;
  const auto start = place(sizeof(LaneWords));
  if (!start) return std::nullopt;
  data.push_back({"__air_lanes_" + std::to_string(lanes.size()), *start,
                  std::vector<uint32_t>(words.begin(), words.end())});
  lanes[words] = *start;
  return start;
}

}  // namespace airlite::npu::codegen
