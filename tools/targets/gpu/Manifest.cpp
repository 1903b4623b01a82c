// manifest.json: what a loader needs to start the kernels, and what each kernel uses.
#include "Artifacts.hpp"

#include <nlohmann/json.hpp>

namespace airlite::tools {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kManifestVersion = 1;

/// An open size or stride is null.
Json extents(const std::vector<int64_t>& values) {
  Json list = Json::array();
  for (int64_t value : values)
    list.push_back(value == kDynamic ? Json() : Json(value));
  return list;
}

std::string_view slotName(SlotKind kind) {
  switch (kind) {
    case SlotKind::Pointer: return "pointer";
    case SlotKind::Offset: return "offset";
    case SlotKind::Size: return "size";
    case SlotKind::Stride: return "stride";
    case SlotKind::Scalar: return "scalar";
    case SlotKind::GridDim: return "grid_dim";
  }
  return "";
}

Json slotOf(const ArgSlot& slot) {
  Json json{{"kind", slotName(slot.kind)}};
  bool hasDim = slot.kind == SlotKind::Size || slot.kind == SlotKind::Stride ||
                slot.kind == SlotKind::GridDim;
  if (hasDim) json["dim"] = slot.dim;
  json["offset"] = slot.offset;
  json["size"] = slot.size;
  return json;
}

Json argumentOf(const ArgLayout& arg) {
  Json json{{"type", arg.type}};
  if (arg.kind == ArgKind::MemRef) {
    json["element_type"] = arg.elementType;
    json["element_bytes"] = arg.elementBytes;
    json["shape"] = extents(arg.shape);
    json["strides"] = extents(arg.strides);
    json["element_offset"] = arg.offset == kDynamic ? Json() : Json(arg.offset);
  }
  json["slots"] = Json::array();
  for (const ArgSlot& slot : arg.slots)
    json["slots"].push_back(slotOf(slot));
  return json;
}

/// Read back from the object that the loader will get.
Json resourcesOf(const gpu::HsacoKernel& kernel) {
  return {{"lds_bytes", kernel.ldsBytes},     {"scratch_bytes", kernel.privateBytes},
          {"vgprs", kernel.vgprCount},        {"agprs", kernel.agprCount},
          {"sgprs", kernel.sgprCount},        {"vgpr_spills", kernel.vgprSpills},
          {"sgpr_spills", kernel.sgprSpills}, {"code_bytes", kernel.codeBytes},
          {"wave_size", kernel.waveSize},     {"max_workgroup_size", kernel.maxWorkgroupSize}};
}

Json kernelOf(const gpu::CompiledKernel& kernel, const gpu::HsacoInfo& info) {
  Json json{{"name", kernel.name}, {"symbol", kernel.name + ".kd"}};
  json["grid"] = kernel.grid ? Json(*kernel.grid) : Json();
  json["block"] = kernel.block;
  json["wave_size"] = kernel.waveSize;
  json["arguments"] = Json::array();
  for (const ArgLayout& arg : kernel.args)
    json["arguments"].push_back(argumentOf(arg));
  if (kernel.gridArg) json["grid_argument"] = argumentOf(*kernel.gridArg);
  if (const gpu::HsacoKernel* object = info.find(kernel.name)) {
    json["kernarg_bytes"] = object->kernargBytes;
    json["kernarg_align"] = object->kernargAlign;
    json["resources"] = resourcesOf(*object);
  }
  return json;
}

}  // namespace

std::string manifestText(const gpu::CompiledKernels& compiled, const std::string& target,
                         const std::string& source) {
  Json json{{"format", "airlite-manifest"},
            {"version", kManifestVersion},
            {"source", source},
            {"target", target}};
  json["modules"] = Json::array();
  for (const gpu::CompiledModule& module : compiled.modules) {
    Json entry{{"name", module.name},
               {"code_object_version", module.info.codeObjectVersion},
               {"isa", module.info.target}};
    entry["kernels"] = Json::array();
    for (const gpu::CompiledKernel& kernel : module.kernels)
      entry["kernels"].push_back(kernelOf(kernel, module.info));
    json["modules"].push_back(std::move(entry));
  }
  // Symbols may hold any bytes; a bad sequence is replaced rather than thrown.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace airlite::tools
