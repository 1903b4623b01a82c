#include "NpuDesign.hpp"

#include "../../common/Npy.hpp"
#include "../../common/Session.hpp"
#include "../run/Arguments.hpp"
#include "NpuManifest.hpp"
#include "airlite/npu/image/Xclbin.hpp"
#include "airlite/npu/image/XclbinSections.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace airlite::tools {
namespace {

namespace fs = std::filesystem;
using npu::ByteSpan;
using npu::ByteVector;

ByteVector bytesOf(const std::string& text) { return {text.begin(), text.end()}; }

/// Instruction streams lie in bytes or, as some tools write them, in lines of hexadecimal words.
std::optional<npu::Txn> readStream(const std::string& file, const std::string& path,
                                   std::string& error) {
  const auto words = npu::bytesOfHexWords(file);
  const npu::ByteVector bytes = words ? *words : bytesOf(file);
  auto stream = npu::readTxn(bytes);
  if (stream) return *stream;
  const bool isUnknown = npu::imageKindOf(bytes) == npu::ImageKind::Unknown;
  const Error why = isUnknown ? npu::unknownImage(bytes) : stream.error();
  error = fmt::format("'{}' is no instruction stream: {}", path, why.message);
  return std::nullopt;
}

bool readLocations(const std::string& text, const std::string& path, npu::LocationMap& map,
                   std::string& error) {
  auto read = npu::readLocationMap(text);
  if (read) map = std::move(*read);
  if (!read) error = fmt::format("'{}' is no map of locations: {}", path, read.error().message);
  return error.empty();
}

/// The columns that a container asks for; of other images nobody knows.
std::optional<unsigned> columnsOf(ByteSpan image) {
  if (npu::imageKindOf(image) != npu::ImageKind::Xclbin) return std::nullopt;
  const auto file = npu::readXclbin(image);
  const auto* section = file ? npu::sectionOf(*file, npu::SectionKind::AiePartition) : nullptr;
  if (!section) return std::nullopt;
  const auto partition = npu::readAiePartition(section->data);
  return partition ? std::optional<unsigned>(partition->columnWidth) : std::nullopt;
}

/// The partition that the image and its stream are for.
const npu::Device* deviceOf(ByteSpan image, const npu::Txn& stream, std::string& error) {
  const unsigned columns = columnsOf(image).value_or(stream.columns);
  const npu::Device* device = npu::Device::ofImage(stream.generation, columns);
  if (device) return device;
  error = fmt::format("there is no device of generation {} with {} columns", stream.generation,
                      columns);
  return nullptr;
}

/// The layout of a buffer of the manifest; empty with a reason.
std::optional<ArgLayout> layoutOf(const NpuArgument& buffer, std::string& error) {
  ArgLayout layout = bufferLayout(buffer.elementType, buffer.shape);
  if (!layout.type.empty()) return layout;
  error = fmt::format("argument '{}' has elements of type '{}', which .npy files do not have",
                      buffer.name, buffer.elementType);
  return std::nullopt;
}

bool makeSignature(const NpuManifest& manifest, const ReadFile& read, NpuDesign& design,
                   std::string& error) {
  design.hasSignature = true;
  for (const NpuArgument& argument : manifest.arguments) {
    auto layout = layoutOf(argument, error);
    if (!layout) return false;
    design.signature.params.push_back(std::move(*layout));
    design.names.push_back(argument.name);
  }
  for (const NpuArgument& buffer : manifest.scratch) {
    const auto layout = layoutOf(buffer, error);
    if (!layout) return false;
    int64_t bytes = layout->elementBytes;
    for (const int64_t size : layout->shape)
      bytes *= size;
    NpuScratch& made = design.scratch.emplace_back(npu::Bytes(bytes), "");
    if (buffer.contents.empty()) continue;
    if (!read(buffer.contents, made.contents, error)) return false;
    if (int64_t(made.contents.size()) == bytes) continue;
    error = fmt::format("'{}' has {} bytes, its buffer {}", buffer.contents, made.contents.size(),
                        bytes);
    return false;
  }
  return true;
}

bool readManifestOf(const std::string& path, std::string& text, std::string& error) {
  const std::string file =
      fs::is_directory(path) ? (fs::path(path) / "manifest.json").string() : path;
  return readInput(file, text, error);
}

std::optional<NpuDesign> readPair(const std::string& image, const std::string& instructions,
                                  std::string& error) {
  NpuDesign design;
  NpuRun& run = design.runs.emplace_back();
  std::string bytes, stream;
  if (instructions.empty()) {
    error = fmt::format("'{}' needs an instruction stream: airlite-run --on=sim IMAGE INSTS.bin",
                        image);
    return std::nullopt;
  }
  if (!readInput(image, bytes, error) || !readInput(instructions, stream, error))
    return std::nullopt;
  run.image = bytesOf(bytes);
  auto read = readStream(stream, instructions, error);
  if (!read) return std::nullopt;
  run.stream = std::move(*read);
  design.device = deviceOf(run.image, run.stream, error);
  if (!design.device) return std::nullopt;
  // NAME.locations.txt beside NAME.xclbin, if there is one.
  const fs::path places = fs::path(image).replace_extension(".locations.txt");
  std::string text;
  if (fs::exists(places) && (!readInput(places.string(), text, error) ||
                             !readLocations(text, places.string(), run.locations, error)))
    return std::nullopt;
  return design;
}

bool readRun(const NpuManifestRun& from, const ReadFile& read, NpuRun& run, std::string& error) {
  std::string bytes;
  if (!read(from.xclbin, bytes, error)) return false;
  run.image = bytesOf(bytes);
  if (!read(from.instructions, bytes, error)) return false;
  auto stream = readStream(bytes, from.instructions, error);
  if (!stream) return false;
  run.stream = std::move(*stream);
  run.buffers = from.arguments;
  return from.locations.empty() || (read(from.locations, bytes, error) &&
                                    readLocations(bytes, from.locations, run.locations, error));
}

}  // namespace

ArgLayout bufferLayout(const std::string& elementType, const std::vector<int64_t>& shape) {
  ArgLayout layout;
  layout.elementType = elementType;
  const auto type = npyTypeOf(layout);
  if (!type) return layout;
  layout.kind = ArgKind::MemRef;
  layout.elementBytes = unsigned(npyElementBytes(*type));
  layout.elementBits = layout.elementBytes * 8;
  layout.shape = shape;
  layout.strides.assign(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;)
    layout.strides[i - 1] = layout.strides[i] * shape[i];
  layout.type = "memref<";
  for (const int64_t size : shape)
    layout.type += std::to_string(size) + "x";
  layout.type += elementType + ">";
  return layout;
}

bool isDesign(const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return true;
  std::string text, error;
  if (path == "-" || !readInput(path, text, error)) return false;
  const auto kind = npu::imageKindOf(bytesOf(text));
  const bool isImage =
      kind == npu::ImageKind::Xclbin || kind == npu::ImageKind::Pdi || kind == npu::ImageKind::Cdo;
  return isImage || (path.ends_with(".json") && isNpuManifest(text));
}

std::optional<NpuDesign> designOfManifest(const std::string& text, const ReadFile& read,
                                          std::string& error) {
  const auto manifest = readNpuManifest(text);
  if (!manifest) return error = manifest.error().message, std::nullopt;
  NpuDesign design;
  design.device = npu::Device::named(manifest->device);
  if (!design.device) {
    error = fmt::format("there is no device '{}'", manifest->device);
    return std::nullopt;
  }
  if (!makeSignature(*manifest, read, design, error)) return std::nullopt;
  for (const NpuManifestRun& run : manifest->runs)
    if (!readRun(run, read, design.runs.emplace_back(), error)) return std::nullopt;
  return design;
}

std::optional<NpuDesign> readDesign(const std::string& path, const std::string& instructions,
                                    std::string& error) {
  const bool isFolder = fs::is_directory(path);
  if (!isFolder && !path.ends_with(".json")) return readPair(path, instructions, error);
  std::string text;
  if (!readManifestOf(path, text, error)) return std::nullopt;
  const fs::path folder = isFolder ? fs::path(path) : fs::path(path).parent_path();
  const auto beside = [&](const std::string& name, std::string& bytes, std::string& why) {
    return readInput((folder / name).string(), bytes, why);
  };
  auto design = designOfManifest(text, beside, error);
  if (!design) error = fmt::format("'{}': {}", path, error);
  return design;
}

}  // namespace airlite::tools
