// airlite._native: the library as a module of Python. python/airlite has what is written in Python.
#include "Convert.hpp"
#include "Errors.hpp"
#include "airlite_build_info.hpp"

PYBIND11_MODULE(_native, module) {
  using namespace airlite::python;
  module.doc() = "airlite in C++: programs, passes, compilers and executors.";
  module.attr("__version__") = AIRLITE_VERSION;
  bindErrors(module);
  bindContexts(module);
  bindTypes(module);
  bindAttributes(module);
  bindLocations(module);
  bindValues(module);
  bindBlocks(module);
  bindOperations(module);
  bindModules(module);
  bindBuilding(module);
  bindPasses(module);
  bindCompiling(module);
  bindRunning(module);
}
