// The device descriptions of data/devices, as they were when the library was built.
#pragma once

#include <span>
#include <string_view>

namespace airlite::analysis {

struct DeviceFile {
  std::string_view name;  // of the file, without its ending
  std::string_view text;
};
std::span<const DeviceFile> deviceFiles();

}  // namespace airlite::analysis
