// Names of the functions that emitted host code calls; HostProgram defines them.
#pragma once

namespace airlite::gpu {

/// ptr (run, sizes, rank, elementBytes, alignment, isScoped)
inline constexpr const char* kAllocHook = "airlite_host_alloc";
/// void (run, pointer)
inline constexpr const char* kFreeHook = "airlite_host_free";
/// void (run, launch number, six i64 sizes, pointers to the arguments)
inline constexpr const char* kLaunchHook = "airlite_launch";
/// void (run, text)
inline constexpr const char* kFailHook = "airlite_host_fail";

}  // namespace airlite::gpu
