#include "NpuDesign.hpp"

#include "../../common/Npy.hpp"
#include "../../common/Session.hpp"
#include "../run/Arguments.hpp"
#include "NpuManifest.hpp"
#include "airlite/npu/image/Xclbin.hpp"
#include "airlite/npu/image/XclbinSections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace airlite::tools {
namespace {

namespace fs = std::filesystem;
using npu::ByteSpan;
using npu::ByteVector;

ByteVector bytesOf(const std::string& text) { return {text.begin(), text.end()}; }

/// Instruction streams lie in bytes or, as some tools write them, in lines of hexadecimal words.
Result<npu::Txn> readStream(const std::string& file, const std::string& path) {
  const auto words = npu::bytesOfHexWords(file);
  const npu::ByteVector bytes = words ? *words : bytesOf(file);
  auto stream = npu::readTxn(bytes);
  if (stream) return *stream;
  const bool isUnknown = npu::imageKindOf(bytes) == npu::ImageKind::Unknown;
  const Error why = isUnknown ? npu::unknownImage(bytes) : stream.error();
  return Error{fmt::format("'{}' is not an instruction stream: {}", path, why.message)};
}

Result<npu::LocationMap> readLocations(const std::string& text, const std::string& path) {
  auto read = npu::readLocationMap(text);
  if (read) return std::move(*read);
  return Error{fmt::format("'{}' is not a map of locations: {}", path, read.error().message)};
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
Result<const npu::Device*> deviceOf(ByteSpan image, const npu::Txn& stream) {
  const unsigned columns = columnsOf(image).value_or(stream.columns);
  const npu::Device* device = npu::Device::ofImage(stream.generation, columns);
  if (device) return device;
  return Error{fmt::format("there is no device of generation {} with {} columns", stream.generation,
                           columns)};
}

/// The layout of a buffer of the manifest.
Result<ArgLayout> layoutOf(const NpuArgument& buffer) {
  ArgLayout layout = bufferLayout(buffer.elementType, buffer.shape);
  if (!layout.type.empty()) return layout;
  return Error{fmt::format("argument '{}' has elements of type '{}', which .npy files do not have",
                           buffer.name, buffer.elementType)};
}

Result<NpuScratch> makeScratch(const NpuArgument& buffer, const ReadFile& read) {
  const auto layout = layoutOf(buffer);
  if (!layout) return layout.error();
  int64_t bytes = layout->elementBytes;
  for (const int64_t size : layout->shape)
    bytes *= size;
  if (buffer.contents.empty()) return NpuScratch{npu::Bytes(bytes), ""};
  auto contents = read(buffer.contents);
  if (!contents) return contents.error();
  if (int64_t(contents->size()) != bytes)
    return Error{
        fmt::format("'{}' has {} bytes, its buffer {}", buffer.contents, contents->size(), bytes)};
  return NpuScratch{npu::Bytes(bytes), std::move(*contents)};
}

Result<void> makeSignature(const NpuManifest& manifest, const ReadFile& read, NpuDesign& design) {
  design.hasSignature = true;
  for (const NpuArgument& argument : manifest.arguments) {
    auto layout = layoutOf(argument);
    if (!layout) return layout.error();
    design.signature.params.push_back(std::move(*layout));
    design.names.push_back(argument.name);
  }
  for (const NpuArgument& buffer : manifest.scratch) {
    auto made = makeScratch(buffer, read);
    if (!made) return made.error();
    design.scratch.push_back(std::move(*made));
  }
  return {};
}

/// For files that need not be there.
std::string orNothing(Result<std::string> text) { return text ? std::move(*text) : std::string(); }

/// NAME.resources.json for NAME.xclbin.
std::string resourcesName(const std::string& image) {
  return fs::path(image).replace_extension(".resources.json").string();
}

/// NAME.locations.txt beside NAME.xclbin, if there is one.
Result<npu::LocationMap> locationsBeside(const std::string& image) {
  const std::string path = fs::path(image).replace_extension(".locations.txt").string();
  if (!fs::exists(path)) return npu::LocationMap();
  const auto text = readInput(path);
  if (!text) return text.error();
  return readLocations(*text, path);
}

Result<NpuDesign> readPair(const std::string& image, const std::string& instructions) {
  if (instructions.empty())
    return Error{fmt::format(
        "'{}' needs an instruction stream: airlite-run --on=sim IMAGE INSTS.bin", image)};
  const auto bytes = readInput(image);
  if (!bytes) return bytes.error();
  const auto words = readInput(instructions);
  if (!words) return words.error();
  auto stream = readStream(*words, instructions);
  if (!stream) return stream.error();
  NpuDesign design;
  NpuRun& run = design.runs.emplace_back();
  run.image = bytesOf(*bytes);
  run.stream = std::move(*stream);
  const auto device = deviceOf(run.image, run.stream);
  if (!device) return device.error();
  design.device = *device;
  auto locations = locationsBeside(image);
  if (!locations) return locations.error();
  run.locations = std::move(*locations);
  run.resources = orNothing(readInput(resourcesName(image)));
  return design;
}

Result<NpuRun> readRun(const NpuManifestRun& from, const ReadFile& read) {
  const auto image = read(from.xclbin);
  if (!image) return image.error();
  const auto words = read(from.instructions);
  if (!words) return words.error();
  auto stream = readStream(*words, from.instructions);
  if (!stream) return stream.error();
  NpuRun run{.image = bytesOf(*image),
             .stream = std::move(*stream),
             .locations = {},
             .resources = orNothing(read(resourcesName(from.xclbin))),
             .buffers = from.arguments};
  if (from.locations.empty()) return run;
  const auto text = read(from.locations);
  if (!text) return text.error();
  auto locations = readLocations(*text, from.locations);
  if (!locations) return locations.error();
  run.locations = std::move(*locations);
  return run;
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
  for (size_t i = shape.size(); i-- > 1;) {
    const bool isOpen = shape[i] == kDynamic || layout.strides[i] == kDynamic;
    layout.strides[i - 1] = isOpen ? kDynamic : layout.strides[i] * shape[i];
  }
  layout.type = "memref<";
  for (const int64_t size : shape)
    layout.type += (size == kDynamic ? "?" : std::to_string(size)) + "x";
  layout.type += elementType + ">";
  return layout;
}

bool isDesign(const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return true;
  if (path == "-") return false;
  const auto text = readInput(path);
  if (!text) return false;
  const auto kind = npu::imageKindOf(bytesOf(*text));
  const bool isImage =
      kind == npu::ImageKind::Xclbin || kind == npu::ImageKind::Pdi || kind == npu::ImageKind::Cdo;
  return isImage || (path.ends_with(".json") && isNpuManifest(*text));
}

Result<NpuDesign> designOfManifest(const std::string& text, const ReadFile& read) {
  const auto manifest = readNpuManifest(text);
  if (!manifest) return manifest.error();
  NpuDesign design;
  design.device = npu::Device::named(manifest->device);
  if (!design.device) return Error{fmt::format("there is no device '{}'", manifest->device)};
  if (auto made = makeSignature(*manifest, read, design); !made) return made.error();
  for (const NpuManifestRun& from : manifest->runs) {
    auto run = readRun(from, read);
    if (!run) return run.error();
    design.runs.push_back(std::move(*run));
  }
  return design;
}

Result<NpuDesign> designOfFiles(const std::vector<Artifact>& files) {
  const auto read = [&](const std::string& name) -> Result<std::string> {
    const auto file = std::ranges::find(files, name, &Artifact::name);
    if (file == files.end()) return Error{"there is no " + name};
    return file->bytes;
  };
  const auto manifest = read("manifest.json");
  return manifest ? designOfManifest(*manifest, read) : manifest.error();
}

Result<NpuDesign> readDesign(const std::string& path, const std::string& instructions) {
  const bool isFolder = fs::is_directory(path);
  if (!isFolder && !path.ends_with(".json")) return readPair(path, instructions);
  const fs::path folder = isFolder ? fs::path(path) : fs::path(path).parent_path();
  const auto text = readInput(isFolder ? (folder / "manifest.json").string() : path);
  if (!text) return text.error();
  const auto beside = [&](const std::string& name) { return readInput((folder / name).string()); };
  auto design = designOfManifest(*text, beside);
  if (!design) return Error{fmt::format("'{}': {}", path, design.error().message)};
  return design;
}

}  // namespace airlite::tools
