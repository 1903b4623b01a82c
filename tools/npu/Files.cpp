#include "Files.hpp"

#include "airlite/dialect/Aie.hpp"
#include "airlite/npu/image/Container.hpp"
#include "airlite/npu/image/Pdi.hpp"
#include "airlite/npu/lower/Images.hpp"
#include "airlite/npu/lower/Report.hpp"
#include "airlite/npu/lower/RuntimeStream.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace airlite::tools {
namespace {

using Json = nlohmann::ordered_json;

std::string textOf(npu::ByteSpan bytes) { return {bytes.begin(), bytes.end()}; }

/// What the host calls; null after an error: a design has one.
Operation* sequenceOf(Operation& device) {
  Operation* found = nullptr;
  for (Operation& op : device.region().front().ops()) {
    if (!isa<aie::RuntimeSequenceOp>(&op)) continue;
    if (!found) {
      found = &op;
      continue;
    }
    InFlightDiagnostic error = op.emitOpError();
    error << "not supported: a second runtime sequence in a design";
    error.note(found->location()) << "the first one is here";
    return nullptr;
  }
  if (!found) device.emitOpError() << "has no aie.runtime_sequence: nothing would start it";
  return found;
}

Json argumentOf(Value argument, size_t number) {
  Json shape = Json::array();
  Type type = argument.type();
  if (auto memref = type.dynCast<MemRefType>()) {
    for (const int64_t size : memref.shape())
      shape.push_back(size);
    type = memref.elementType();
  }
  return {{"name", "arg" + std::to_string(number)}, {"element_type", type.str()}, {"shape", shape}};
}

std::string manifestOf(const npu::ArrayConfig& config, Operation& sequence) {
  Json json{{"format", "airlite-npu-manifest"},
            {"version", 1},
            {"device", config.device.name},
            {"xclbin", fileName(config.name, ".xclbin")},
            {"instructions", fileName(config.name, ".insts.bin")},
            {"locations", fileName(config.name, ".locations.txt")}};
  json["arguments"] = Json::array();
  const Block& body = sequence.region().front();
  for (unsigned i = 0; i < body.numArguments(); ++i)
    json["arguments"].push_back(argumentOf(body.argument(i), i));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void addCores(std::vector<Artifact>& files, const npu::ArrayConfig& config, const Context& context) {
  for (const npu::TileConfig& tile : config.tiles) {
    if (!tile.core) continue;
    const std::string name = fmt::format("core_{}_{}", tile.tile.column, tile.tile.row);
    const npu::CoreElf elf = npu::coreElfOf(*tile.core, config.device.generation);
    files.push_back({name + ".elf", textOf(npu::writeCoreElf(elf))});
    files.push_back({name + ".s", npu::coreSource(*tile.core, context)});
  }
}

void addStream(npu::LocationMap& locations, const npu::RuntimeStream& stream,
               const Context& context) {
  for (uint32_t i = 0; i < stream.locations.size(); ++i)
    if (auto place = npu::sourcePlace(context, stream.locations[i]))
      locations.stream.push_back({i, i + 1, std::move(*place)});
}

}  // namespace

std::optional<std::vector<Artifact>> npuImages(const npu::ArrayConfig& config, Operation& device) {
  Operation* sequence = sequenceOf(device);
  if (!sequence) return std::nullopt;
  const auto stream = npu::makeRuntimeStream(*sequence, config);
  if (!stream) return std::nullopt;
  const auto parts = npu::makeParts(config);
  if (!parts) {
    device.emitOpError() << parts.refusal().message;
    return std::nullopt;
  }
  const npu::Cdo cdo = parts->merged();
  const npu::ByteVector pdi = npu::writePdi(npu::makePdi(cdo));
  const unsigned buffers = sequence->region().front().numArguments();
  const auto xclbin = npu::makeXclbin(config.device, {.buffers = buffers}, pdi);
  std::vector<Artifact> files;
  files.push_back({fileName(config.name, ".xclbin"), textOf(npu::writeXclbin(xclbin))});
  files.push_back({fileName(config.name, ".pdi"), textOf(pdi)});
  files.push_back({fileName(config.name, ".cdo"), textOf(npu::writeCdo(cdo))});
  files.push_back({fileName(config.name, ".insts.bin"), textOf(npu::writeTxn(stream->txn))});
  addCores(files, config, device.context());
  npu::LocationMap locations = npu::locationsOf(config, device.context());
  addStream(locations, *stream, device.context());
  files.push_back({fileName(config.name, ".locations.txt"), npu::writeLocationMap(locations)});
  files.push_back({"manifest.json", manifestOf(config, *sequence)});
  return files;
}

Artifact configText(const npu::ArrayConfig& config) {
  return {fileName(config.name, ".config.txt"), npu::print(config)};
}

Artifact floorplan(const npu::ArrayConfig& config) {
  return {fileName(config.name, ".floorplan.svg"), npu::floorplanSvg(config, npu::resourcesOf(config))};
}

}  // namespace airlite::tools
