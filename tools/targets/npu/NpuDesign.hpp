// A design for an NPU as files: what a driver loads, what it runs, and where each byte comes from.
#pragma once

#include "airlite/host/HostValue.hpp"
#include "airlite/npu/device/Device.hpp"
#include "airlite/npu/device/Units.hpp"
#include "airlite/npu/image/Image.hpp"
#include "airlite/npu/image/LocationMap.hpp"
#include "airlite/npu/image/Txn.hpp"
#include "airlite/support/Artifact.hpp"
#include "airlite/support/Result.hpp"

#include <functional>
#include <string>
#include <vector>

namespace airlite::tools {

/// An image with the stream that drives it.
struct NpuRun {
  npu::ByteVector image;  ///< xclbin, PDI or CDO
  npu::Txn stream;
  npu::LocationMap locations;
  /// NAME.resources.json of its design: buffers and flows by name. Empty where it was not asked for.
  std::string resources = {};
  std::vector<unsigned> buffers;  ///< that it takes, in order: parameters, then scratch buffers
};

/// Memory that a program makes for itself: between the runs, or for a constant.
struct NpuScratch {
  npu::Bytes size;
  std::string contents;  ///< so many bytes, or none
};

struct NpuDesign {
  const npu::Device* device = nullptr;
  std::vector<NpuRun> runs;  ///< one after the other
  /// Buffers that the user sees. Without a manifest nobody knows them: they follow from what the
  /// user gives, and the only run takes them all.
  HostFunction signature;
  std::vector<std::string> names;
  std::vector<NpuScratch> scratch;
  bool hasSignature = false;
};

/// Gives the bytes of a file of the design.
using ReadFile = std::function<Result<std::string>(const std::string& name)>;

/// From a manifest and the files beside it: files of a folder, or those of a compilation in memory.
Result<NpuDesign> designOfManifest(const std::string& text, const ReadFile& read);

/// Of a compilation in memory.
Result<NpuDesign> designOfFiles(const std::vector<Artifact>& files);

/// From a folder, a manifest.json, or an image with the path of its instruction stream.
Result<NpuDesign> readDesign(const std::string& path, const std::string& instructions);

/// True for what readDesign takes: a folder, a manifest, an image. False for programs.
bool isDesign(const std::string& path);

/// The layout of a row-major buffer; empty `slots` and `type` for an element type of another name.
ArgLayout bufferLayout(const std::string& elementType, const std::vector<int64_t>& shape);

}  // namespace airlite::tools
