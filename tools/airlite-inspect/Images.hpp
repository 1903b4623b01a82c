// The part of airlite-inspect that is about images: core ELF, CDO, PDI, xclbin, runtime streams.
#pragma once

#include <string>
#include <string_view>

namespace airlite::tools::images {

/// What the files are called in messages, where they go, and whose register names to use.
struct Job {
  std::string input = "-";
  std::string second;  ///< of a comparison
  std::string output = "-";
  std::string device = "npu1";
};

/// Whether the first bytes are those of a format that `print` knows.
bool isImage(std::string_view bytes);

/// Each reads, works and writes; exit codes as all tools have them. `diff` gives 1 when the two
/// files differ.
int print(const Job& job);
int assemble(const Job& job);
int diff(const Job& job);

}  // namespace airlite::tools::images
