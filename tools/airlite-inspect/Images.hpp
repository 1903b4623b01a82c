// The part of airlite-inspect that is about images: core ELF, CDO, PDI, xclbin, runtime streams.
#pragma once

#include "Request.hpp"

#include <string_view>

namespace airlite::tools::images {

/// Whether the first bytes are those of a format that `print` knows.
bool isImage(std::string_view bytes);

/// Each reads, works and writes; exit codes as all tools have them. `diff` gives 1 when the two
/// files differ.
int print(const Request& request);
/// The same for bytes that were read already.
int printBytes(const Request& request, std::string_view bytes);
int assemble(const Request& request);
int diff(const Request& request);

}  // namespace airlite::tools::images
