// The small files in which a kernel shows the devices of a machine.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace airlite::tools {

/// The first line of a small file; empty when there is none.
std::string lineOf(const std::filesystem::path& path);

/// What is in a folder, sorted; nothing when there is none.
std::vector<std::filesystem::path> entriesOf(const std::filesystem::path& folder);

}  // namespace airlite::tools
