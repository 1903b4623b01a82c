// ml_dtypes._bfloat16.
#define AIRLITE_OWNS_NUMPY
#include "Numpy.hpp"

namespace {

PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_bfloat16", nullptr, -1, nullptr, nullptr, nullptr, nullptr, nullptr};

}  // namespace

PyMODINIT_FUNC PyInit__bfloat16() {
  using namespace airlite::bfloat16;
  import_array();
  import_umath();
  PyObject* module = PyModule_Create(&definition);
  if (!module) return nullptr;
  auto* type = reinterpret_cast<PyObject*>(&scalarType);
  if (registerType() && registerCasts() && registerFunctions() &&
      PyModule_AddObjectRef(module, "bfloat16", type) == 0)
    return module;
  Py_DECREF(module);
  return nullptr;
}
