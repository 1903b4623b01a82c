// Registers every dialect that airlite knows.
#include "airlite/dialect/Dialects.hpp"

namespace airlite {

void registerAllDialects(Context& context) {
  registerBuiltin(context);
  registerFunc(context);
  registerArith(context);
  registerUb(context);
  registerMath(context);
  registerCf(context);
  registerScf(context);
  registerAffine(context);
  registerMemRef(context);
  registerTensor(context);
  registerBufferization(context);
  registerVector(context);
  registerLinalg(context);
  registerGpu(context);
  registerAir(context);
  registerTransform(context);
  registerAirrt(context);
  registerLlvm(context);
  registerMlProgram(context);
  registerAsync(context);
  registerDlti(context);
  registerAie(context);
  registerAiex(context);
  registerAieVec(context);
}

}  // namespace airlite
