// What a fuzz target and the programs around it share. A target is one function over bytes; it ends
// the process through `fuzz::fail` when what it promises does not hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace airlite::fuzz {

/// Inputs to start from that the file `path` of the tree holds; none when it is of no use to the
/// target.
std::vector<std::string> seedsIn(std::string_view path, const std::string& text);

/// Reports a broken promise, with the texts that show it, and aborts.
[[noreturn]] void fail(std::string_view promise, std::string_view first,
                       std::string_view second = {});

}  // namespace airlite::fuzz
