# Device descriptions (data/devices/*.json) become part of the library, so that it finds them
# wherever it is installed. Sets AIRLITE_DEVICE_SOURCE to the file that holds them.

file(GLOB device_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/data/devices/*.json")
set(device_entries "")
foreach(path IN LISTS device_files)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${path}")
  get_filename_component(name "${path}" NAME_WE)
  file(READ "${path}" text)
  string(APPEND device_entries "    {\"${name}\", R\"json(${text})json\"},\n")
endforeach()
set(AIRLITE_DEVICE_SOURCE "${PROJECT_BINARY_DIR}/generated/DeviceFiles.cpp")
file(CONFIGURE OUTPUT "${AIRLITE_DEVICE_SOURCE}" @ONLY CONTENT
"// Made by cmake/AirliteDevices.cmake from data/devices.
#include \"analysis/DeviceFiles.hpp\"

namespace airlite::analysis {

std::span<const DeviceFile> deviceFiles() {
  static constexpr DeviceFile kFiles[] = {
@device_entries@  };
  return kFiles;
}

}  // namespace airlite::analysis
")
