#include "Files.hpp"

#include "airlite/dialect/Aie.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Symbols.hpp"
#include "airlite/npu/image/Container.hpp"
#include "airlite/npu/image/Pdi.hpp"
#include "airlite/npu/lower/Images.hpp"
#include "airlite/npu/lower/Report.hpp"
#include "airlite/npu/lower/RuntimeStream.hpp"
#include "airlite/transform/AnyShape.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace airlite::npu {
namespace {

using Json = nlohmann::ordered_json;

std::string textOf(ByteSpan bytes) { return {bytes.begin(), bytes.end()}; }

bool mayHaveAnyShape(Value argument) {
  if (!argument.isBlockArgument()) return false;
  const auto numbers = argument.argumentBlock()->parentOp()->attrOf<DenseArrayAttr>(kAnyShape);
  return numbers && std::ranges::count(numbers.values(), int64_t(argument.index())) != 0;
}

/// `{"element_type": "i32", "shape": [4, 8]}` of a buffer; numbers have no shape. `null` is a size
/// that the caller chooses: memref<*xi32> is a row of any length.
Json bufferOf(Value argument) {
  Json shape = Json::array();
  Type type = argument.type();
  if (auto memref = type.dynCast<MemRefType>(); memref && !mayHaveAnyShape(argument)) {
    for (const int64_t size : memref.shape())
      shape.push_back(size == kDynamic ? Json() : Json(size));
    type = memref.elementType();
  } else if (type.isa<MemRefType>() || type.isa<UnrankedMemRefType>()) {
    shape.push_back(Json());
    type = elementTypeOrSelf(type);
  }
  return {{"element_type", type.str()}, {"shape", shape}};
}

using Designs = std::vector<PlacedDesign>;

const ArrayConfig& configOf(const HostStep& step, const Designs& designs) {
  return std::ranges::find(designs, step.device, &PlacedDesign::device)->config;
}

std::string streamName(const HostStep& step, const ArrayConfig& config) {
  const bool isOnly = std::ranges::count_if(step.device->region().front().ops(), [](Operation& op) {
                        return op.is("aie.runtime_sequence");
                      }) == 1;
  return fileName(isOnly ? config.name : std::string(symbolName(*step.sequence)), ".insts.bin");
}

Json stepOf(const HostStep& step, const ArrayConfig& config) {
  const std::string& name = config.name;
  return {{"xclbin", fileName(name, ".xclbin")},
          {"instructions", streamName(step, config)},
          {"locations", fileName(name, ".locations.txt")},
          {"arguments", step.arguments}};
}

std::string contentsName(const Operation& global) {
  return fileName(std::string(symbolName(global)), ".bin");
}

/// The elements of a constant, row-major, each in whole bytes.
std::string bytesOf(DenseElementsAttr value) {
  const size_t count = size_t(value.numElements()), stored = value.isSplat() ? 1 : count;
  const size_t width = stored ? value.raw().size() / stored : 0;
  std::string bytes;
  for (size_t i = 0; i < count; ++i) {
    const auto element = value.raw().subspan((value.isSplat() ? 0 : i) * width, width);
    bytes.append(reinterpret_cast<const char*>(element.data()), element.size());
  }
  return bytes;
}

void addContents(std::vector<Artifact>& files, const HostPlan& plan) {
  for (Operation* global : plan.contents)
    if (global)
      files.push_back({contentsName(*global), bytesOf(memref::GlobalOp(global).initialValue())});
}

std::string manifestOf(const Designs& designs, const HostPlan& plan) {
  Json json{{"format", "airlite-npu-manifest"},
            {"version", 1},
            {"device", configOf(plan.steps.front(), designs).device.name}};
  for (const char* list : {"arguments", "scratch", "runs"})
    json[list] = Json::array();
  for (size_t i = 0; i < plan.arguments.size(); ++i) {
    Json buffer = bufferOf(plan.arguments[i]);
    if (std::ranges::find(plan.bools, i) != plan.bools.end()) buffer["element_type"] = "i1";
    if (i < plan.numArguments) buffer["name"] = "arg" + std::to_string(i);
    if (plan.contents[i]) buffer["contents"] = contentsName(*plan.contents[i]);
    json[i < plan.numArguments ? "arguments" : "scratch"].push_back(std::move(buffer));
  }
  for (const HostStep& step : plan.steps)
    json["runs"].push_back(stepOf(step, configOf(step, designs)));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void addCores(std::vector<Artifact>& files, const ArrayConfig& config, const std::string& prefix,
              const Context& context) {
  for (const TileConfig& tile : config.tiles) {
    if (!tile.core) continue;
    const std::string name = fmt::format("{}core_{}_{}", prefix, tile.tile.column, tile.tile.row);
    const CoreElf elf = coreElfOf(*tile.core, config.device.generation);
    files.push_back({name + ".elf", textOf(writeCoreElf(elf))});
    files.push_back({name + ".s", coreSource(*tile.core, context)});
  }
}

void addStream(LocationMap& locations, const RuntimeStream& stream, const Context& context) {
  for (uint32_t i = 0; i < stream.locations.size(); ++i)
    if (auto place = sourcePlace(context, stream.locations[i]))
      locations.stream.push_back({i, i + 1, std::move(*place)});
}

/// The runtime streams of a design, each once; false after errors.
bool addStreams(std::vector<Artifact>& files, const PlacedDesign& design, const HostPlan& plan,
                LocationMap& locations) {
  std::vector<std::string> known;
  for (const HostStep& step : plan.steps) {
    const std::string name = streamName(step, design.config);
    if (step.device != design.device || std::ranges::count(known, name)) continue;
    const auto stream = makeRuntimeStream(*step.sequence, design.config);
    if (!stream) return false;
    // Operations are counted from the start of a stream: of several, the map has the first.
    if (known.empty()) addStream(locations, *stream, design.device->context());
    known.push_back(name);
    files.push_back({known.back(), textOf(writeTxn(stream->txn))});
  }
  return true;
}

/// The buffers that the kernel of this design takes.
unsigned buffersOf(const PlacedDesign& design, const HostPlan& plan) {
  size_t most = 0;
  for (const HostStep& step : plan.steps)
    if (step.device == design.device) most = std::max(most, step.arguments.size());
  return unsigned(most);
}

bool addDesign(std::vector<Artifact>& files, const PlacedDesign& design, const HostPlan& plan,
               const std::string& corePrefix) {
  const ArrayConfig& config = design.config;
  const Context& context = design.device->context();
  const auto parts = makeParts(config);
  if (!parts) {
    design.device->emitOpError() << parts.error().message;
    return false;
  }
  LocationMap locations = locationsOf(config, context);
  if (!addStreams(files, design, plan, locations)) return false;
  const Cdo cdo = parts->merged();
  const ByteVector pdi = writePdi(makePdi(cdo));
  const auto xclbin = makeXclbin(config.device, {.buffers = buffersOf(design, plan)}, pdi);
  files.push_back({fileName(config.name, ".xclbin"), textOf(writeXclbin(xclbin))});
  files.push_back({fileName(config.name, ".pdi"), textOf(pdi)});
  files.push_back({fileName(config.name, ".cdo"), textOf(writeCdo(cdo))});
  files.push_back({fileName(config.name, ".locations.txt"), writeLocationMap(locations)});
  addCores(files, config, corePrefix, context);
  return true;
}

}  // namespace

std::optional<std::vector<Artifact>> imageFiles(const std::vector<PlacedDesign>& designs,
                                                const HostPlan& plan) {
  std::vector<Artifact> files;
  for (const PlacedDesign& design : designs) {
    const std::string prefix = designs.size() > 1 ? fileName(design.config.name, ".") : "";
    if (!addDesign(files, design, plan, prefix)) return std::nullopt;
  }
  addContents(files, plan);
  files.push_back({"manifest.json", manifestOf(designs, plan)});
  return files;
}

Artifact configText(const ArrayConfig& config) {
  return {fileName(config.name, ".config.txt"), print(config)};
}

Artifact floorplan(const ArrayConfig& config) {
  return {fileName(config.name, ".floorplan.svg"), floorplanSvg(config, resourcesOf(config))};
}

}  // namespace airlite::npu
