#include "Images.hpp"

#include "../common/Session.hpp"
#include "airlite/npu/device/Device.hpp"
#include "airlite/npu/image/Diff.hpp"
#include "airlite/npu/image/Text.hpp"

#include <fmt/format.h>

#include <optional>
#include <vector>

namespace airlite::tools::images {
namespace {

npu::ByteSpan spanOf(std::string_view bytes) {
  return {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()};
}

int refusedBytes(const std::string& path, const Error& refusal) {
  const auto place = refusal.place ? fmt::format(" at byte 0x{:x}", *refusal.place) : "";
  return inputError(fmt::format("{}:{} {}", inputName(path), place, refusal.message));
}

int refusedText(const std::string& path, const Error& refusal) {
  const auto place = refusal.place ? fmt::format("{}:", *refusal.place) : "";
  return inputError(fmt::format("{}:{} {}", inputName(path), place, refusal.message));
}

std::optional<std::string> readBytes(const std::string& path) {
  std::string bytes;
  return read(path, bytes) ? std::optional(bytes) : std::nullopt;
}

/// Bytes, or words in hexadecimal as some tools write the runtime stream.
std::string bytesOfImage(std::string_view file) {
  const auto words = npu::bytesOfHexWords(file);
  return words ? std::string(words->begin(), words->end()) : std::string(file);
}

std::optional<std::string> readImage(const std::string& path) {
  const auto file = readBytes(path);
  return file ? std::optional(bytesOfImage(*file)) : std::nullopt;
}

const npu::Device* deviceOf(const Request& request) {
  const auto* device = npu::Device::named(deviceName(request));
  if (!device) inputError(fmt::format("there is no device '{}'", deviceName(request)));
  return device;
}

}  // namespace

bool isImage(std::string_view bytes) {
  return npu::imageKindOf(spanOf(bytes)) != npu::ImageKind::Unknown;
}

int print(const Request& request) {
  const auto bytes = readBytes(request.input);
  return bytes ? printBytes(request, *bytes) : int(kFailure);
}

int printBytes(const Request& request, std::string_view file) {
  const auto* device = deviceOf(request);
  if (!device) return kFailure;
  const auto text = npu::printImage(spanOf(bytesOfImage(file)), device->generation);
  return text ? write(request, *text) : refusedBytes(request.input, text.error());
}

int assemble(const Request& request) {
  const auto text = readBytes(request.input);
  if (!text) return kFailure;
  const auto bytes = npu::assembleImage(*text);
  if (!bytes) return refusedText(request.input, bytes.error());
  return write(request, {reinterpret_cast<const char*>(bytes->data()), bytes->size()});
}

int diff(const Request& request) {
  const auto* device = deviceOf(request);
  const auto before = readImage(request.input), after = readImage(request.second);
  if (!device || !before || !after) return kFailure;
  const auto lines = npu::diffImages(spanOf(*before), spanOf(*after), device->generation);
  if (!lines) return refusedBytes(request.input + ", " + request.second, lines.error());
  std::string out;
  for (const auto& line : *lines)
    out += line + "\n";
  const int code = write(request, out);
  return code != kSuccess || lines->empty() ? code : int(kFailure);
}

}  // namespace airlite::tools::images
