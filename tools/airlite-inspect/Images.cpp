#include "Images.hpp"

#include "../common/Session.hpp"
#include "airlite/npu/device/Device.hpp"
#include "airlite/npu/image/Diff.hpp"
#include "airlite/npu/image/Text.hpp"

#include <fmt/format.h>

#include <iostream>
#include <optional>
#include <vector>

namespace airlite::tools::images {
namespace {

npu::ByteSpan spanOf(std::string_view bytes) {
  return {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()};
}

int failed(const std::string& message) {
  std::cerr << "airlite-inspect: error: " << message << "\n";
  return kFailure;
}

int refusedBytes(const std::string& path, const npu::Refusal& refusal) {
  const auto place = refusal.place ? fmt::format(" at byte 0x{:x}", *refusal.place) : "";
  return failed(fmt::format("{}:{} {}", inputName(path), place, refusal.message));
}

int refusedText(const std::string& path, const npu::Refusal& refusal) {
  const auto place = refusal.place ? fmt::format("{}:", *refusal.place) : "";
  return failed(fmt::format("{}:{} {}", inputName(path), place, refusal.message));
}

std::optional<std::string> readBytes(const std::string& path) {
  std::string bytes, error;
  if (readInput(path, bytes, error)) return bytes;
  failed(error);
  return std::nullopt;
}

/// An image: bytes, or words in hexadecimal as some tools write the runtime stream.
std::optional<std::string> readImage(const std::string& path) {
  const auto bytes = readBytes(path);
  const auto words = bytes ? npu::bytesOfHexWords(*bytes) : std::nullopt;
  return words ? std::optional(std::string(words->begin(), words->end())) : bytes;
}

int written(const std::string& path, std::string_view bytes) {
  std::string error;
  return writeOutput(path, bytes, error) ? int(kSuccess) : failed(error);
}

const npu::Device* deviceOf(const Job& job) {
  const auto* device = npu::Device::named(job.device);
  if (!device) failed(fmt::format("there is no device '{}'", job.device));
  return device;
}

}  // namespace

bool isImage(std::string_view bytes) {
  return npu::imageKindOf(spanOf(bytes)) != npu::ImageKind::Unknown;
}

int print(const Job& job) {
  const auto* device = deviceOf(job);
  const auto bytes = readImage(job.input);
  if (!device || !bytes) return kFailure;
  const auto text = npu::printImage(spanOf(*bytes), device->generation);
  return text ? written(job.output, *text) : refusedBytes(job.input, text.refusal());
}

int assemble(const Job& job) {
  const auto text = readBytes(job.input);
  if (!text) return kFailure;
  const auto bytes = npu::assembleImage(*text);
  if (!bytes) return refusedText(job.input, bytes.refusal());
  return written(job.output, {reinterpret_cast<const char*>(bytes->data()), bytes->size()});
}

int diff(const Job& job) {
  const auto* device = deviceOf(job);
  const auto before = readImage(job.input), after = readImage(job.second);
  if (!device || !before || !after) return kFailure;
  const auto lines = npu::diffImages(spanOf(*before), spanOf(*after), device->generation);
  if (!lines) return refusedBytes(job.input + ", " + job.second, lines.refusal());
  std::string out;
  for (const auto& line : *lines)
    out += line + "\n";
  const int code = written(job.output, out);
  return code != kSuccess || lines->empty() ? code : int(kFailure);
}

}  // namespace airlite::tools::images
