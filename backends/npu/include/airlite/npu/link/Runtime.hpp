// What compilers leave to a library: division and wide products of whole numbers.
//
//   request.objects.push_back(runtimeObject());
#pragma once

#include "airlite/npu/link/Object.hpp"

namespace airlite::npu::link {

/// __divsi3, __udivsi3, __modsi3, __umodsi3 and __muldi3 under the convention of isa/Abi.hpp, to be
/// linked where nothing else defines them. Floats are not in it.
Object runtimeObject(const isa::InstructionSet& set = isa::aie2());

}  // namespace airlite::npu::link
