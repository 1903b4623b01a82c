#include "Interrupts.hpp"

namespace airlite::python {

namespace py = pybind11;

bool Interrupts::wanted() {
  // The GIL may be held by another thread for milliseconds.
  constexpr auto kInterval = std::chrono::milliseconds(100);
  const auto now = std::chrono::steady_clock::now();
  if (happened() || now - last_ < kInterval) return happened();
  last_ = now;
  const py::gil_scoped_acquire gil;
  if (PyErr_CheckSignals() != 0) error_ = std::make_unique<py::error_already_set>();
  return happened();
}

void Interrupts::raise(py::object state) const {
  if (!happened()) return;
  py::error_already_set error = *error_;
  if (!state.is_none()) error.value().attr("state") = state;
  throw error;
}

}  // namespace airlite::python
