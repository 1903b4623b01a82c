// What airlite-inspect was asked to do, and how one of its subjects answers.
#pragma once

#include "airlite/npu/device/Device.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace airlite::tools {

struct Request {
  std::string input = "-";
  std::string second;  // of --diff
  std::string device;  // whose registers and instructions; empty: not said
  std::string output = "-";
  uint32_t base = 0;           // address of the first byte of a program
  bool readsInFlight = false;  // of --check-hazards
  bool isObject = false;       // --asm -c
  // Of --link, with `input` and `second`:
  std::vector<std::string> more;
  std::string entry;
  std::vector<std::string> symbols;                // NAME=VALUE
  uint32_t dataBegin = npu::ownCoreMemory + 1024;  // after the stack that a core has by default
  uint32_t dataBytes = 0;                          // 0: to the end of the core's own memory
  bool keepsUnused = false;
};

/// One thing that the tool does: its flag, and what runs it. Returns an exit code.
struct Action {
  std::string_view flag;
  std::string_view help;
  int (*run)(const Request& request);
};

/// `airlite-inspect: error: <message>` on stderr; the exit code for a bad input.
int inputError(const std::string& message);

/// Reads a file, or says why not.
bool read(const std::string& path, std::string& bytes);
/// Writes the output, or says why not. The exit code.
int write(const Request& request, std::string_view bytes);

/// npu1 when the command line names no device.
inline std::string_view deviceName(const Request& request) {
  return request.device.empty() ? "npu1" : std::string_view(request.device);
}

inline std::span<const std::byte> asBytes(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

}  // namespace airlite::tools
