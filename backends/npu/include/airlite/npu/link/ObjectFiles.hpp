// Objects that a program names (`link_with = "kernel.o"`), found and read.
//
//   Result<std::vector<Object>> objects = loadObjects("kernel.o", folders);
#pragma once

#include "airlite/npu/link/Object.hpp"

#include <span>
#include <string>
#include <string_view>

namespace airlite::npu::link {

/// The path of the file: the name itself when it is absolute, otherwise in the first of the folders
/// that has it. Refused with the places that were tried.
Result<std::string> findObjectFile(std::string_view name, std::span<const std::string> folders);

/// Finds and reads an object, or the objects of an archive; refusals name the file. Their names in
/// messages are `name`, or `name(member)`.
Result<std::vector<Object>> loadObjects(std::string_view name, std::span<const std::string> folders,
                                        uint32_t flags = 2);
/// The same of bytes that were read already.
Result<std::vector<Object>> objectsOf(ByteSpan bytes, std::string_view name, uint32_t flags = 2);

}  // namespace airlite::npu::link
