// Objects that a program names (`link_with = "kernel.o"`), found and read.
#pragma once

#include "airlite/npu/link/Object.hpp"

#include <span>
#include <string>
#include <string_view>

namespace airlite::npu::link {

/// The path of the file: the name itself when it is absolute, otherwise in the first of the folders
/// that has it. Refused with the places that were tried.
Checked<std::string> findObjectFile(std::string_view name, std::span<const std::string> folders);

/// Finds and reads an object; refusals name the file. Its name in messages is `name`.
Checked<Object> loadObject(std::string_view name, std::span<const std::string> folders,
                           uint32_t flags = 2);

}  // namespace airlite::npu::link
