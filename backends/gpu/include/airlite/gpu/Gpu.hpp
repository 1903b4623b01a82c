// Everything of the GPU backend that programs outside of it use.
#pragma once

#include "airlite/gpu/emit/Compile.hpp"
#include "airlite/gpu/emit/HostProgram.hpp"
#include "airlite/gpu/jit/HostJit.hpp"
#include "airlite/gpu/object/Hsaco.hpp"
#include "airlite/gpu/target/GpuTarget.hpp"
#include "airlite/host/ArgLayout.hpp"
#include "airlite/support/Result.hpp"
