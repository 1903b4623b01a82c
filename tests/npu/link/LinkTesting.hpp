// What the tests of this room share: objects from assembly, links that must work or must not.
#pragma once

#include "airlite/npu/link/Linker.hpp"
#include "airlite/npu/link/ObjectSource.hpp"
#include "airlite/support/SplitMix64.hpp"
#include "support/catch_all.hpp"

#include <string>
#include <vector>

namespace airlite::npu::link::tests {

constexpr uint32_t dataBegin = 0x70400, dataBytes = 0x4000;

inline Object objectFrom(const std::string& source, const std::string& name = "a.o",
                         const isa::InstructionSet& set = isa::aie2()) {
  AssembledObject made = assembleObject(source, name, set);
  for (const isa::SourceError& error : made.errors)
    FAIL_CHECK(error.line << ": " << error.message << " in\n" << source);
  REQUIRE(made.ok());
  return std::move(made.object);
}

inline LinkRequest requestFor(std::vector<Object> objects) {
  return {.objects = std::move(objects), .data = {{dataBegin, dataBytes}}};
}

inline Linked linkedOf(const LinkRequest& request) {
  LinkResult result = linkCore(request);
  for (const std::string& error : result.errors)
    FAIL_CHECK(error);
  REQUIRE(result.ok());
  return std::move(result.linked);
}

/// The messages of a link that must fail, a line each.
inline std::string errorsOf(const LinkRequest& request) {
  std::string all;
  for (const std::string& error : linkCore(request).errors)
    all += error + "\n";
  return all;
}

/// The bytes of data memory from `begin` on, zeros where nothing lies.
inline ByteVector dataOf(const Linked& linked, uint32_t begin, size_t size) {
  ByteVector bytes(size);
  for (const CoreChunk& chunk : linked.data) {
    REQUIRE(chunk.address % 4 == 0);
    REQUIRE(chunk.data.size() % 4 == 0);
    for (size_t i = 0; i < chunk.data.size(); ++i)
      if (chunk.address + i - begin < size) bytes[chunk.address + i - begin] = chunk.data[i];
  }
  return bytes;
}

inline ByteVector bytesOf(const isa::Assembly& assembly) {
  REQUIRE(assembly.ok());
  const auto* bytes = reinterpret_cast<const uint8_t*>(assembly.bytes.data());
  return {bytes, bytes + assembly.bytes.size()};
}

}  // namespace airlite::npu::link::tests
