// Everything of the GPU backend that programs outside of it use.
//
//   #include "airlite/gpu/Gpu.hpp"
//   Result<gpu::HostJit> jit = gpu::HostJit::create(llvmModule);
#pragma once

#include "airlite/gpu/emit/Compile.hpp"
#include "airlite/gpu/emit/HostProgram.hpp"
#include "airlite/gpu/jit/HostJit.hpp"
#include "airlite/gpu/object/Hsaco.hpp"
#include "airlite/gpu/target/GpuTarget.hpp"
#include "airlite/host/ArgLayout.hpp"
#include "airlite/support/Result.hpp"
