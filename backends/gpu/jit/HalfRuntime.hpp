// Conversions that LLVM's x86 code calls for f16 and bf16, and libgcc 12 has only in part.
#pragma once

#include <span>
#include <string_view>

namespace airlite::gpu {

struct RuntimeSymbol {
  std::string_view name;
  void* address;
};

/// The functions for this host, empty where LLVM needs none.
std::span<const RuntimeSymbol> halfRuntime();

}  // namespace airlite::gpu
