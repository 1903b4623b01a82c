// The xclbin of a design: what a host program needs besides the PDI to call it as a kernel.
// Source: docs/hardware/formats.md section 8; the spelling of the XML as in files of xclbinutil 2.17.
//
//   Xclbin file = makeXclbin(*Device::named("npu1"), {.buffers = 3}, writePdi(pdi));
#pragma once

#include "airlite/npu/device/Device.hpp"
#include "airlite/npu/image/Xclbin.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace airlite::npu {

/// One design as the runtime sees it: a kernel with an opcode, its instructions, their number, and
/// buffers bo0, bo1, ...
struct ContainerSpec {
  std::string kernel = "MLIR_AIE";
  std::string instance = "MLIRAIE";
  uint16_t kernelId = 0x901;
  unsigned buffers = 0;
  uint64_t timeStamp = 0;  ///< 0: the same input always gives the same file
};

/// What the host passes before the buffers: opcode 3, the instruction buffer, its length in words.
constexpr unsigned firstBufferArgument = 3;

/// The file for a PDI and the partition it was made for. Its uuids are a hash of what it holds.
Xclbin makeXclbin(const Device& partition, const ContainerSpec& spec, ByteVector pdi);

/// The XML of the kernel alone.
std::string kernelXml(const ContainerSpec& spec);

}  // namespace airlite::npu
