// Registration of the dialects.
//
//   Context context;
//   registerAllDialects(context);  // or only those that a program uses
#pragma once

#include "airlite/ir/Context.hpp"

namespace airlite {

void registerBuiltin(Context& context);
void registerFunc(Context& context);
void registerArith(Context& context);
void registerUb(Context& context);
void registerMath(Context& context);
void registerCf(Context& context);
void registerScf(Context& context);
void registerAffine(Context& context);
void registerMemRef(Context& context);
void registerTensor(Context& context);
void registerBufferization(Context& context);
void registerVector(Context& context);
void registerLinalg(Context& context);
void registerGpu(Context& context);
void registerAir(Context& context);
void registerTransform(Context& context);
void registerAirrt(Context& context);
void registerLlvm(Context& context);
void registerMlProgram(Context& context);
void registerAsync(Context& context);
void registerDlti(Context& context);
void registerAie(Context& context);
void registerAiex(Context& context);
void registerAieVec(Context& context);

void registerAllDialects(Context& context);

}  // namespace airlite
